"""A disk that fills up, and a program that is killed or halted, at a chosen step of its writing.

What a program asks of the system when it writes is counted: making a file or folder, writing bytes,
bringing them to the disk, renaming and removing. A write is two steps, as it can be cut in the
middle. At a chosen step the disk is full from then on, or the process is killed or halted. The
functions of the system are replaced in this process for good: use it in a child (``forked``).
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import random
import signal
import tempfile
from collections.abc import Callable
from typing import Any

Fault = Callable[["Steps", str], None]
"""Called before each step with its name; may raise, kill or halt."""


class Steps:
    """Counts the steps of this process, and the bytes that it writes."""

    def __init__(self, fault: Fault | None = None) -> None:
        self.fault = fault
        self.taken: list[str] = []
        self.room: float = float("inf")
        """Bytes that the disk still takes."""
        self.written = 0

    def step(self, name: str) -> None:
        """Called before each step."""
        self.taken.append(name)
        if self.fault is not None:
            self.fault(self, name)

    def install(self) -> None:
        """Replace the functions of the system by ones that count."""
        steps = self
        tempfile.gettempdir()  # is found by writing to it
        plain_open, plain_os_open = io.open, os.open

        class Raw(io.FileIO):
            """A file that takes what the disk has room for."""

            def write(self, data: Any, /) -> int:
                view = memoryview(data).cast("B")
                steps.step("write")
                half = super().write(view[: min(len(view) // 2, steps.fit(len(view) // 2))])
                steps.step("write the rest")
                return half + super().write(view[half : half + steps.fit(len(view) - half)])

        def counted_open(
            file: Any, mode: str = "r", buffering: int = -1, encoding: Any = None,
            errors: Any = None, newline: Any = None, closefd: bool = True, opener: Any = None,
        ) -> Any:  # fmt: skip
            if not set(mode) & set("wax") or "+" in mode:
                return plain_open(file, mode, buffering, encoding, errors, newline, closefd, opener)
            if not isinstance(file, int):
                steps.step("make a file")
            raw = Raw(file, mode.replace("b", "").replace("t", ""), closefd, opener)
            if "b" in mode:
                return raw if buffering == 0 else io.BufferedWriter(raw)
            return io.TextIOWrapper(io.BufferedWriter(raw), encoding, errors, newline)

        def counted_os_open(path: Any, flags: int, *rest: Any, **named: Any) -> int:
            if flags & os.O_CREAT:
                steps.step("make a file")
            return plain_os_open(path, flags, *rest, **named)

        def counted(name: str, plain: Callable[..., Any]) -> Callable[..., Any]:
            def call(*given: Any, **named: Any) -> Any:
                steps.step(name)
                return plain(*given, **named)

            return call

        io.open = builtins.open = counted_open
        os.open = counted_os_open
        for name in ("mkdir", "fsync", "replace", "rename", "unlink", "remove", "rmdir"):
            setattr(os, name, counted(name, getattr(os, name)))

    def fit(self, wanted: int) -> int:
        """Of so many bytes, those that the disk still takes."""
        taken = int(min(wanted, self.room))
        self.room -= taken
        self.written += taken
        if wanted and not taken:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return taken


def _full(name: str) -> None:
    if name not in ("unlink", "remove", "rmdir", "write", "write the rest"):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def disk_full_at(number: int) -> Fault:
    """From a step on the disk is full: nothing can be made or written, only removed."""

    def fault(steps: Steps, name: str) -> None:
        if len(steps.taken) > number:
            steps.room = 0
            _full(name)

    return fault


def disk_full_after(room: int, chance: random.Random) -> Fault:
    """The disk takes so many bytes, and then perhaps new files and names, perhaps not."""
    strict = chance.random() < 0.5

    def fault(steps: Steps, name: str) -> None:
        if len(steps.taken) == 1:
            steps.room = room
        if strict and steps.room == 0:
            _full(name)

    return fault


def killed_at(number: int) -> Fault:
    """The process is killed before a step."""
    return _signalled_at(number, signal.SIGKILL)


def halted_at(number: int) -> Fault:
    """The process is halted before a step, until it is told to go on."""
    return _signalled_at(number, signal.SIGSTOP)


def _signalled_at(number: int, signal_number: int) -> Fault:
    def fault(steps: Steps, name: str) -> None:
        if len(steps.taken) == number + 1:
            os.kill(os.getpid(), signal_number)

    return fault
