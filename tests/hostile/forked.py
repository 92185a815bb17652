"""A command in a child of this process, which has loaded everything already: a run takes moments.

The child has its own streams and working folder, so that nothing it does to itself is felt here.
Its plots are neither drawn nor made into pixels, which takes a second each: what matters is that
they are written.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from os import _exit as end_at_once
from pathlib import Path
from unittest.mock import patch

from tqdm import tqdm

from seabattle.__main__ import main
from seabattle.enumerate import picture as figures
from seabattle.enumerate import picture as picture_files
from seabattle.solver.tournament import plots

TOURNAMENT_PLOTS = ("histogram", "cumulative", "differences")

SECONDS = 60
"""More than any of the commands needs; a child that needs more is ended by an alarm."""


@dataclass(frozen=True)
class Ended:
    """How a child ended: exit status (negative: the signal), and what it said."""

    status: int
    out: str
    told: str

    @property
    def refused_in_one_line(self) -> bool:
        """Whether it failed, with one line for the user and no traceback."""
        return self.status in (1, 2) and self.told.startswith("seabattle: ") and self._lines == 1

    @property
    def went_well(self) -> bool:
        """Whether it did what it was asked, with one line at most about how."""
        return self.status == 0 and self._lines <= 1 and "Traceback" not in self.told

    @property
    def _lines(self) -> int:
        return self.told.count("\n")


class Child:
    """A command at work in a child process."""

    def __init__(
        self,
        arguments: Sequence[str],
        folder: Path,
        *,
        typed: str = "",
        before: Callable[[], object] | None = None,
    ) -> None:
        self.began = time.perf_counter()
        pipes = os.pipe(), os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # threads of numerical libraries
            self.process = os.fork()
        if not self.process:
            for (reading, writing), stream in zip(pipes, (1, 2), strict=True):
                os.close(reading)
                os.dup2(writing, stream)
                os.close(writing)
            _be_the_child(arguments, folder, typed, before)
        for _, writing in pipes:
            os.close(writing)
        self._read = [reading for reading, _ in pipes]

    def halted(self) -> bool:
        """Wait until it is halted or has ended; whether it is halted."""
        state = os.waitid(os.P_PID, self.process, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        assert state is not None
        return state.si_code == os.CLD_STOPPED

    def tell(self, signal_number: int) -> None:
        """Send it a signal."""
        os.kill(self.process, signal_number)

    def ended(self) -> Ended:
        """Wait for its end."""
        told = []
        for reading in self._read:
            with open(reading, "rb") as stream:
                told.append(stream.read().decode())
        _, status = os.waitpid(self.process, 0)
        self.seconds = time.perf_counter() - self.began
        return Ended(os.waitstatus_to_exitcode(status), *told)


def run(
    arguments: Sequence[str],
    folder: Path,
    *,
    typed: str = "",
    before: Callable[[], object] | None = None,
) -> Ended:
    """Run a command in a child to its end; ``before`` is called in the child."""
    return Child(arguments, folder, typed=typed, before=before).ended()


def run_here(arguments: Sequence[str], folder: Path, typed: str = "") -> None:
    """Run a command in this process, so that its children have loaded what it needs."""
    before = sys.argv, sys.stdin
    sys.argv, sys.stdin = ["seabattle", *arguments], io.StringIO(typed)
    try:
        with chdir(folder), _short_pictures():
            main()
    except SystemExit:
        pass
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.argv, sys.stdin = before


def _be_the_child(
    arguments: Sequence[str], folder: Path, typed: str, before: Callable[[], object] | None
) -> None:
    status = 70
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(SECONDS)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        warnings.resetwarnings()
        os.chdir(folder)
        tqdm.set_lock(threading.RLock())  # its own one is held for ever once a child was killed
        sys.stdin = io.StringIO(typed)
        sys.stdout, sys.stderr = (os.fdopen(stream, "w", closefd=False) for stream in (1, 2))
        sys.argv = ["seabattle", *arguments]
        if before is not None:
            before()
        with _short_pictures():
            main()
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else 0
    except BaseException:
        os.write(2, traceback.format_exc().encode())
    finally:
        end_at_once(status)


@contextmanager
def _short_pictures() -> Iterator[None]:
    """Something short in the place of each plot and of each PNG."""
    svg = f'<svg width="9" height="9">{"plot " * 3000}</svg>'
    with (
        patch.object(figures, "figure_svg", lambda figure: svg),
        patch.object(plots, "pictures_of", lambda *_, **__: dict.fromkeys(TOURNAMENT_PLOTS, svg)),
        patch.object(picture_files, "png", lambda *_, **__: b"\x89PNG" + b"plot " * 3000),
    ):
        yield
