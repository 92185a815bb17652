"""Progress on standard error, and Ctrl-C, while a command is at work.

The work says how far it is; a thread of its own draws that, from the second second on and several
times a second, so that the clock moves whatever the work does. Where standard error is not a
terminal nothing is drawn, and tqdm is not even loaded.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import click

import seabattle
from seabattle.enumerate.errors import FileAccessError, why_stopped

AFTER = 1.0
"""Seconds that a command may take without a progress line."""

EVERY = 0.25
"""Seconds between two changes of the line."""

_FORMATS = (
    "{desc}, {elapsed}",
    "{desc}, {elapsed}, {n_fmt}{unit}, {rate_noinv_fmt}",
    "{desc} {percentage:3.0f}%|{bar:10}| {n_fmt}/{total_fmt} [{elapsed}<{remaining}, {rate_fmt}]",
)
"""Of the line, where nothing is counted, where nobody knows how much there is, and otherwise."""


listener: Callable[[dict[str, Any]], None] | None = None
"""Who is told about once a second how far the work is; None but in a process of the engine's."""

reason: Callable[[], str] | None = None
"""Says in words why the work is interrupted; None where that is Ctrl-C."""


class Bar:
    """A progress line on standard error: only at a terminal, only after a second.

    Ctrl-C ends the work at once, but for work that is ``stoppable``.

    Parameters
    ----------
    title
        What the command does.
    time_limit, memory_limit
        Seconds and GiB that the command may take.
    silent
        Whether ``print`` prints nothing.

    Attributes
    ----------
    interrupted
        Why the work was asked to end, in words; empty while it was not.
    """

    def __init__(
        self,
        title: str,
        time_limit: float | None = None,
        memory_limit: float = 4.0,
        silent: bool = False,
    ) -> None:
        self.time_limit, self.memory_limit, self.silent = time_limit, memory_limit, silent
        self.interrupted = ""
        self.shown = sys.stderr is not None and sys.stderr.isatty()
        self._title = title
        self._before: Any = None
        self._done: tuple[int, int | None, str] = 0, None, ""
        self._note = ""
        self._begun = time.monotonic()
        self._line: Any = None
        self._drawing = threading.Lock()
        self._ended = threading.Event()
        self._artist = threading.Thread(target=self._draw, name="progress", daemon=True)

    def __enter__(self) -> Bar:
        if self.shown or listener is not None:
            self._artist.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        self._ended.set()
        if self._artist.ident is not None:
            self._artist.join()

    def stoppable(self) -> Callable[[], str]:
        """From now on Ctrl-C asks the work to end, so that what is known is kept.

        Only the second one ends it at once. What is returned says why it is to end, if it is.
        """
        if self._before is None:
            self._before = signal.signal(signal.SIGINT, self._interrupt)
        return lambda: self.interrupted

    def _interrupt(self, number: int, frame: object) -> None:
        if self.interrupted:
            raise KeyboardInterrupt(self.interrupted)
        self.interrupted = why_stopped(KeyboardInterrupt()) if reason is None else reason()

    def _draw(self) -> None:
        """Draw the line again and again, until the work has ended."""
        if listener is not None:
            while not self._ended.wait(AFTER):
                listener(self.state())
            return
        if self._ended.wait(AFTER):
            return
        from tqdm import tqdm

        tqdm.monitor_interval = 0
        # smoothing 0: the mean rate, which slows down while nothing is reported; delay: the first
        # time, too, the line is drawn by refresh
        with tqdm(
            file=sys.stderr, leave=False, smoothing=0, delay=1e-9, dynamic_ncols=True
        ) as line:
            line.start_t -= self.elapsed()
            self._line = line
            while True:
                with self._drawing:
                    self._fill(line)
                    line.refresh()
                if self._ended.wait(EVERY):
                    return

    def _fill(self, line: Any) -> None:
        note = "stopping; Ctrl-C again ends at once" if self.interrupted else self._note
        line.n, line.total, unit = self._done
        line.unit = f" {unit}"
        line.unit_scale = max(line.n, line.total or 0) >= 10_000
        line.bar_format = _FORMATS[bool(unit) + bool(unit and line.total)]
        # the note stands before all counts: a narrow terminal cuts those off, not the bounds
        line.set_description_str(f"{self._title}: {note}" if note else self._title, refresh=False)

    def state(self) -> dict[str, Any]:
        """How far the work is, for a program."""
        done, total, unit = self._done
        counted = {"done": done, "total": total, "unit": unit} if unit else {}
        return {"seconds": round(self.elapsed(), 1), "note": self._note, **counted}

    def elapsed(self) -> float:
        """Seconds since the work began."""
        return time.monotonic() - self._begun

    def print(self, *lines: str) -> None:
        """Print lines of the answer as soon as they are known, unless it is asked for as JSON."""
        if not self.silent:
            self._echo("\n".join(lines))

    def tell(self, note: str) -> None:
        """Print a note on standard error."""
        self._echo(f"seabattle: {note}", err=True)

    def writes(self, write: Callable[[], object]) -> bool:
        """Write files of an answer; where they cannot be that is told, and false returned."""
        try:
            write()
        except FileAccessError as error:
            self.tell(str(error))
            return False
        return True

    def _echo(self, text: str, err: bool = False) -> None:
        """Print a text while the line is taken away."""
        with self._drawing:
            if self._line is not None:
                self._line.clear()
            click.echo(text, err=err)

    def say(self, note: str) -> None:
        """What is being done."""
        self._note = note

    def show(self, done: int, total: int | None, unit: str, note: str = "") -> None:
        """How much is done, of how much where that is known."""
        self._done, self._note = (done, total, unit), note

    def check(self) -> None:
        """End work that was asked to end.

        Raises
        ------
        KeyboardInterrupt
            If Ctrl-C was pressed.
        """
        if self.interrupted:
            raise KeyboardInterrupt(self.interrupted)

    def counting(self, unit: str) -> Callable[[int], None]:
        """Progress of work of which nobody knows how much there is."""
        return lambda done: self.show(done, None, unit)

    def row(self, row: int, rows: int) -> None:
        """Progress of a sweep over the board."""
        self.show(row + 1, rows, "rows")

    def search(self, snapshot: seabattle.Snapshot) -> None:
        """Progress of a search: its keys, and the interval proven so far."""
        lower, upper, told = snapshot.lower, snapshot.upper, ""
        if lower is not None and upper is not None:
            # what is left of a proven value is to say how it can be reached
            known = f"{upper:,} proven" if lower == upper else f"{lower:,} to {upper:,}"
            told = f"{snapshot.bounded} {known}"
        self.show(snapshot.states, None, "keys", ", ".join(filter(None, (told, snapshot.stage))))

    def within(self, used: int = 0, progress: Callable[..., None] | None = None) -> dict[str, Any]:
        """The limits of a public function as keywords, by which its work is ``stoppable``.

        ``used`` bytes are taken besides its own. The time limit counts from the beginning.
        """
        left, memory = self.time_limit, self.memory_limit
        if left is not None:
            left = max(0.0, left - self.elapsed())
        return {
            "time_limit": left,
            "memory_limit": max(memory / 4, memory - used / 2**30),
            "progress": progress or self.search,
            "stop": self.stoppable(),
        }
