"""A notice before kernels are compiled, which takes seconds the first time.

Separate from ``enumerate.compiler``, which takes a moment to import.
"""

from __future__ import annotations

from collections.abc import Callable

_listeners: list[Callable[[bool], None]] = []


def tell_of_compilation(call: Callable[[bool], None]) -> None:
    """Register a function to be called once, before the first kernel is compiled.

    Its argument says whether the compiled code is cached for later processes.
    """
    _listeners[:] = [call]


def compilation_begins(*, kept: bool) -> None:
    """Call the registered function: a kernel is about to be compiled."""
    try:
        listener = _listeners.pop()
    except IndexError:  # told already, perhaps by another thread just now
        return
    listener(kept)
