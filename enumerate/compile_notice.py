"""Who wants to know when kernels are compiled, which takes seconds the first time.

Apart from ``enumerate.compiler``, because importing the compiler takes a moment by itself.
"""

from __future__ import annotations

from collections.abc import Callable

_told: list[Callable[[bool], None]] = []


def tell_of_compilation(call: Callable[[bool], None]) -> None:
    """Have a function called before a kernel is compiled, once: from then on nobody is told.

    It is given whether the compiled code will be kept, so that no later process compiles it.
    """
    _told[:] = [call]


def compilation_begins(*, kept: bool) -> None:
    """Tell of a kernel that is about to be compiled."""
    while _told:
        _told.pop()(kept)
