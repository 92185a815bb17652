"""An error in a player of one's own: what it says and where, on one line.

Such an error passes through this program, through Python's loader of modules and perhaps through
libraries. Whoever wrote the player looks for the line of their own that led to it: the innermost
one of the file that was called first, or of the files beside and below it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

FAILURES = (Exception, SystemExit)
"""What is caught of another program: also that it ends itself, which is not to end this one."""


def failure_text(error: BaseException, asked: Callable[..., Any] | None = None) -> str:
    """Type and text of another program's error, and the file and line that it comes from.

    Parameters
    ----------
    error
        The error. Its traceback, modified, keeps the steps in the player's own files alone; the
        error is to be the cause of the one that says this.
    asked
        What was called, which is named where it never began: it takes other arguments, perhaps.

    Examples
    --------
    >>> try:
    ...     open("no-such-file")
    ... except OSError as error:
    ...     print(failure_text(error).partition(" (")[0])
    FileNotFoundError: No such file or directory: 'no-such-file'
    """
    steps = _own_steps(error.__traceback__)
    code = getattr(asked, "__code__", None)
    if isinstance(error, SyntaxError) and error.filename and not error.filename.startswith("<"):
        place = _place(error.filename, error.lineno)
    elif steps:
        place = _place(steps[-1].tb_frame.f_code.co_filename, steps[-1].tb_lineno)
    else:
        place = _place(code.co_filename, code.co_firstlineno) if code else ""
    if steps:
        error.__traceback__ = _chained(steps)
    return f"{_words(error)} ({place})" if place else _words(error)


def _words(error: BaseException) -> str:
    """Type and text of an error, without the number that the system has for it."""
    text = str(error)
    if isinstance(error, SyntaxError):
        text = error.msg  # its place is told besides
    elif isinstance(error, OSError) and error.strerror:
        files = [repr(str(name)) for name in (error.filename, error.filename2) if name is not None]
        text = ": ".join([error.strerror, *([" -> ".join(files)] if files else [])])
    text = " ".join(text.split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _place(file: str, line: int | None) -> str:
    """A file, as it is called from the current folder if it is in it, and a line of it."""
    path = Path(file)
    try:
        file = str(path.relative_to(Path.cwd()))
    except (OSError, ValueError):  # elsewhere; or the folder is gone
        file = str(path)
    return f"{file}, line {line}" if line else file


def _own_steps(step: TracebackType | None) -> list[TracebackType]:
    """The steps of a traceback in the files of a player, outermost first."""
    others = []
    while step is not None:
        module = str(step.tb_frame.f_globals.get("__name__", ""))
        frozen = step.tb_frame.f_code.co_filename.startswith("<frozen")
        if module.partition(".")[0] not in ("seabattle", "importlib", "runpy") and not frozen:
            others.append(step)
        step = step.tb_next
    if not others:
        return []
    first = others[0].tb_frame.f_code.co_filename
    folder = os.path.join(os.path.dirname(first), "")

    def own(file: str) -> bool:
        below = file.removeprefix(folder) if os.path.isabs(folder) else file
        return file == first or (below != file and "site-packages" not in below)

    return [each for each in others if own(each.tb_frame.f_code.co_filename)]


def _chained(steps: list[TracebackType]) -> TracebackType | None:
    """A traceback of some steps alone."""
    found: TracebackType | None = None
    for step in reversed(steps):
        found = TracebackType(found, step.tb_frame, step.tb_lasti, step.tb_lineno)
    return found
