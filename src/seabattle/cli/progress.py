"""Progress on standard error, and Ctrl-C, while a command is at work."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from seabattle.cli.limits import STARTED

if TYPE_CHECKING:
    from seabattle.solver.search.limits import Snapshot

LONG_SECONDS = 0.5
"""An end that takes longer than this after Ctrl-C is announced."""

_pressed = False


@contextmanager
def ctrl_c_remembered() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt as ever, and is remembered for the next ``Bar``.

    One that comes while a module is loaded or a kernel compiled may be swallowed there, by code
    that calls back into Python and cannot pass an exception on.
    """
    global _pressed  # a signal comes to the whole process
    _pressed = False
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # ignored, or somebody else's
        yield
        return

    def interrupt(number: int, frame: object) -> None:
        global _pressed
        _pressed = True
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


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
    """

    def __init__(self, title: str, *, at_once: bool = False) -> None:
        from tqdm import tqdm

        self.interrupted = False
        self.at_once = at_once
        self.closing: Callable[[], tuple[str, float]] = lambda: ("", 0.0)
        self.keys = 0
        self._bar = tqdm(
            desc=title,
            disable=None,
            delay=1.0,
            leave=False,
            bar_format="{desc} {elapsed}{postfix}",
        )

    def __enter__(self) -> Bar:
        if _pressed:
            raise KeyboardInterrupt
        self._before = signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, *exception: object) -> None:
        signal.signal(signal.SIGINT, self._before)
        self._bar.close()

    def _interrupt(self, number: int, frame: object) -> None:
        """Ctrl-C asks the work to end, so that what is known is kept; again, it ends at once."""
        if self.interrupted or self.at_once:
            self.interrupted = True
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

    @property
    def shown(self) -> bool:
        """Whether there is a terminal to show progress at."""
        return not self._bar.disable

    def say(self, text: str) -> None:
        """Show what is being done."""
        self._bar.set_postfix_str(text)

    def layouts(self, found: int) -> None:
        """Progress of the enumeration."""
        if self.interrupted:
            raise KeyboardInterrupt
        self.say(f"{found:,} layouts")

    def search(self, snapshot: Snapshot) -> None:
        """Progress of a search."""
        self.keys = snapshot.states
        interval = ""
        if snapshot.lower is not None and snapshot.upper is not None:
            interval = f", between {snapshot.lower:,} and {snapshot.upper:,}"
        self.say(
            f"{snapshot.stage}: {snapshot.states:,} keys, {snapshot.nodes:,} sub-tables{interval}"
        )

    def within(
        self, time_limit: float | None, memory_limit: float, used: int = 0
    ) -> dict[str, Any]:
        """The limits of a public function as keywords; ``used`` bytes are taken besides its own.

        ``time_limit`` counts from the beginning of the command.
        """
        left = None if time_limit is None else max(0.0, STARTED + time_limit - time.monotonic())
        return {
            "time_limit": left,
            "memory_limit": max(memory_limit / 4, memory_limit - used / 2**30),
            "progress": self.search,
            "stop": lambda: self.interrupted,
        }
