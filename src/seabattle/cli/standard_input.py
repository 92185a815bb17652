"""All the text on standard input."""

from __future__ import annotations

import select
import sys

PATIENCE = 1.0
"""Seconds within which optional input has to begin."""


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


def has_input() -> bool:
    """Whether standard input begins, or ends, within ``PATIENCE``.

    A program may leave the pipe to a command open without ever writing to it; waiting for its end
    would take for ever.
    """
    if sys.stdin is None or sys.stdin.closed:
        return False
    try:
        return bool(select.select([sys.stdin], [], [], PATIENCE)[0])
    except (OSError, ValueError, TypeError):  # no file that can be asked, so it does not block
        return True


def is_typed() -> bool:
    """Whether somebody types at a terminal."""
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()
