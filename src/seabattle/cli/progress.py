"""Progress on standard error, and Ctrl-C, while a command is at work.

A progress line has no end: what is printed while it stands would be glued to it. ``Bar`` therefore
puts a stream of its own before standard output and standard error, which takes the line away before
anything else is printed, warnings of Python and error messages included.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO

import click

from seabattle.cli.foretelling import to_go
from seabattle.cli.limits import STARTED
from seabattle.enumerate.compile_notice import working_seconds

if TYPE_CHECKING:
    from seabattle.solver.search.limits import Snapshot

LONG_SECONDS = 0.5
"""An end that takes longer than this after Ctrl-C is announced."""

_pressed = False

_raised = False


def ctrl_c_raised() -> bool:
    """Whether Ctrl-C has raised KeyboardInterrupt in this command, wherever that went."""
    return _raised


@contextmanager
def ctrl_c_remembered() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt as ever, and is remembered for the next ``Bar``.

    One that comes while a module is loaded or a kernel compiled may be swallowed there, by code
    that calls back into Python and cannot pass an exception on.
    """
    global _pressed, _raised  # a signal comes to the whole process
    _pressed = _raised = False
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # ignored, or somebody else's
        yield
        return

    def interrupt(number: int, frame: object) -> None:
        global _pressed, _raised
        _pressed = _raised = True
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


AFTER = 1.0
"""Seconds that a command may take without a progress line."""

EVERY = 0.1
"""Least seconds between two changes of the line."""


class _Below:
    """A stream whose texts are printed where the progress line stood."""

    def __init__(self, stream: TextIO, bar: Bar) -> None:
        self._stream = stream
        self._bar = bar

    def write(self, text: str) -> int:
        if text:
            self._bar.clear()
        return self._stream.write(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class Bar:
    """A progress line on standard error: only at a terminal, only after a second.

    Parameters
    ----------
    title
        What the command does.
    at_once
        Whether Ctrl-C ends the work at once, as nothing is known before its end; otherwise it asks
        the work to end, and only the second Ctrl-C ends it at once.

    Attributes
    ----------
    closing
        What is still to be done after Ctrl-C, in words, and for about how many seconds.
    foretold
        What there is to say of a search that will take long, as ``Foretelling``; None says nothing.
    """

    def __init__(self, title: str, *, at_once: bool = False) -> None:
        from tqdm import tqdm

        self.interrupted = False
        self.at_once = at_once
        self.closing: Callable[[], tuple[str, float]] = lambda: ("", 0.0)
        self.foretold: Callable[[Snapshot], str] | None = None
        self.keys = 0
        self._bar = tqdm(
            desc=title,
            file=sys.stderr,
            disable=None,
            delay=AFTER,  # else it is shown at once
            leave=False,
            bar_format="{desc} {elapsed}{postfix}",
        )
        self._terminal = sys.stderr
        self._title = title
        self._next = time.monotonic() + AFTER
        self._stands = False

    def __enter__(self) -> Bar:
        if _pressed:
            raise KeyboardInterrupt
        self._before = signal.signal(signal.SIGINT, self._interrupt)
        self._streams = sys.stdout, sys.stderr
        if not self._bar.disable:
            sys.stdout, sys.stderr = (_below(stream, self) for stream in self._streams)
        return self

    def __exit__(self, *exception: object) -> None:
        signal.signal(signal.SIGINT, self._before)
        self.clear()
        sys.stdout, sys.stderr = self._streams
        self._bar.close()

    def _interrupt(self, number: int, frame: object) -> None:
        """Ctrl-C asks the work to end, so that what is known is kept; again, it ends at once."""
        global _raised
        if self.interrupted or self.at_once:
            self.interrupted = _raised = True
            raise KeyboardInterrupt
        self.interrupted = True
        what, seconds = self.closing()
        if seconds > LONG_SECONDS:
            self._tell(f"{what}, about {seconds:.0f} s; Ctrl-C again leaves without it")

    def _tell(self, text: str) -> None:
        """Say something from a handler of signals, which may have come amidst other output."""
        with suppress(OSError, ValueError, AttributeError):
            line = f"seabattle: {text}\n"
            os.write(sys.stderr.fileno(), (f"\r\x1b[K{line}" if self.shown else line).encode())
            self._stands = False

    @property
    def shown(self) -> bool:
        """Whether there is a terminal to show progress at."""
        return not self._bar.disable

    def say(self, text: str) -> None:
        """Show what is being done."""
        now = time.monotonic()
        if self._bar.disable or now < self._next:
            return
        self._next = now + EVERY
        room = shutil.get_terminal_size().columns - len(f"{self._title} 00:00:00, ") - 1
        self._bar.set_postfix_str(text[: max(0, room)], refresh=False)
        self._stands = True
        self._bar.refresh()

    def clear(self) -> None:
        """Take the line away until there is something new to show."""
        if self._stands:
            self._stands = False
            # the whole line: a terminal adds ^C to it
            room = shutil.get_terminal_size().columns - 1
            self._terminal.write(f"\r{' ' * room}\r")
            self._terminal.flush()

    def layouts(self, found: int) -> None:
        """Progress of the enumeration."""
        if self.interrupted:
            raise KeyboardInterrupt
        self.say(f"{found:,} layouts")

    def search(self, snapshot: Snapshot) -> None:
        """Progress of a search."""
        self.keys = snapshot.states
        foretold = None if self.interrupted else self.foretold
        told = "" if foretold is None else foretold(snapshot)
        if told:
            self.clear()
            click.echo(f"seabattle: {told}", err=True)
        interval = ""
        if snapshot.lower is not None and snapshot.upper is not None:
            interval = f", between {snapshot.lower:,} and {snapshot.upper:,}"
            if snapshot.lower == snapshot.upper:  # what is left is to say how it can be reached
                interval = f", proven: {snapshot.upper:,}"
        self.say(
            f"{snapshot.stage}: {snapshot.states:,} keys, {snapshot.nodes:,} sub-tables{interval}"
            f"{to_go(snapshot.estimate)}"
        )

    def within(
        self, time_limit: float | None, memory_limit: float, used: int = 0
    ) -> dict[str, Any]:
        """The limits of a public function as keywords; ``used`` bytes are taken besides its own.

        ``time_limit`` counts from the beginning of the command, compiling left out.
        """
        left = None if time_limit is None else max(0.0, STARTED + time_limit - working_seconds())
        return {
            "time_limit": left,
            "memory_limit": max(memory_limit / 4, memory_limit - used / 2**30),
            "progress": self.search,
            "stop": lambda: self.interrupted,
        }


def _below(stream: TextIO, bar: Bar) -> Any:
    """The stream itself where what it takes cannot be seen beside the line."""
    return _Below(stream, bar) if stream.isatty() else stream
