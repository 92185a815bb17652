"""The core: what has to be fast, in C++, and how Python builds, finds and calls it.

``seabattle.h`` declares every function that is called from outside, and ``seabattle.cpp`` takes in
the headers that define them, which lie in the rooms that they serve. ``build_core`` compiles them,
``library`` loads what was compiled. The core has no state, files or threads of its own and takes no
memory: callers hand in arrays, several threads may call it side by side, and what can go wrong is
a status. One source serves Python, tests under sanitizers and, as WebAssembly, the page.
"""
