"""All the text on standard input."""

from __future__ import annotations

import sys


def standard_input() -> str:
    """What is on standard input up to its end; nothing where there is none, or it is closed."""
    if sys.stdin is None or sys.stdin.closed:
        return ""
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
    try:
        return sys.stdin.read()
    except OSError:  # as where it was closed before the program began
        return ""


def is_typed() -> bool:
    """Whether somebody types at a terminal."""
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()
