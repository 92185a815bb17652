"""Tasks in other processes: on this machine, or on the machines of a Dask cluster.

A task is a function of a module with its arguments, which are sent to the process that works at
it. ``Pool`` hands tasks out one by one, as long as there are processes without work, so that what
is handed out later may depend on what came of earlier tasks. Tasks may take hours; so while they
run they can read a *notice* (``Reader``): what the process that handed them out has to say to all
of them, such as the best value known by now, or that they are to end.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import tempfile
import time
import warnings
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor
from concurrent.futures import wait as wait_for
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import count
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

from seabattle.enumerate.errors import SeabattleError, WorkFailed, quoted

PROGRAM_GIB = 0.3
"""What a process takes before it does anything: it is taken off its share of a memory limit."""

LEAST_GIB = 0.1
"""With a smaller share than this no process is started."""

MOST_WORKERS = 1 << 10
"""No pool has more processes on one machine."""

LOOK_SECONDS = 0.2
"""How often a pool looks whether a task has ended, and its owner whether to go on."""

ANSWER_SECONDS = 5
"""How long a scheduler may take to answer."""

IDLE_SECONDS = 20
"""After how long without a task a process ends; those whose owner was killed do, too."""

BEAT_SECONDS = 10.0
SILENCE_SECONDS = 120.0
"""How often the owner of a pool on a cluster says that it is there, and after how long a silence
the tasks take it to be gone, and end."""

_ADDRESS = re.compile(r"inproc://.+|([a-z]+://)?[\w.\[\]:%-]+:\d{1,5}", re.ASCII)
"""Where a scheduler may be: a machine and a port, or this process."""

_NUMBERS = count()

LOST = "a worker process ended unexpectedly, perhaps for lack of memory: try fewer workers"


def connected(cluster: str, refused: type[SeabattleError] = SeabattleError) -> Any:
    """A client of the Dask scheduler at an address.

    Parameters
    ----------
    cluster
        The address, as in ``tcp://127.0.0.1:8786``.
    refused
        The error for an address where no scheduler answers.

    Raises
    ------
    SeabattleError
        If no scheduler answers; of the class ``refused``.
    WorkFailed
        If the package that talks to clusters is not installed.
    """
    if not _ADDRESS.fullmatch(cluster):  # else Dask may wait for it for minutes
        raise refused(
            f"no Dask scheduler can be at {quoted(cluster)}: give an address such as "
            f"tcp://127.0.0.1:8786"
        )
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise WorkFailed(
            "a cluster needs the package 'distributed': pip install 'seabattle[cluster]'"
        ) from None
    try:
        return distributed.Client(cluster, timeout=ANSWER_SECONDS, set_as_default=True)
    except Exception as error:  # whatever another package makes of an address
        reason = " ".join(str(error).split()) or type(error).__name__
        raise refused(f"no Dask scheduler answers at {cluster!r}: {reason}") from None


def ignore_interrupts() -> None:
    """A worker leaves Ctrl-C to the process that hands out the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def unheard_by_workers() -> Iterator[None]:
    """Start processes that do not hear Ctrl-C from their first moment on.

    A terminal sends it to them too, and they need a moment until they ignore it by themselves.
    Meanwhile the signal is blocked here, and delivered afterwards.
    """
    if not hasattr(signal, "pthread_sigmask"):  # where processes inherit no mask of signals
        yield
        return
    resource_tracker.ensure_running()  # starting it later would let signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def shares_of(memory_limit: float, workers: int) -> tuple[int, float]:
    """How many processes a memory limit affords, and what each of them may take.

    Parameters
    ----------
    memory_limit
        GiB that all of them may take.
    workers
        Number of processes wanted.

    Returns
    -------
    workers, memory
        At most as many as wanted, at least 1; GiB for the work of each. What a process takes by
        itself is taken off, as this one is not that of the limit.

    Examples
    --------
    >>> shares_of(4.0, 2), shares_of(4.0, 1), shares_of(0.5, 8)
    ((2, 1.7), (1, 4.0), (1, 0.5))
    """
    affordable = int(min(memory_limit / (PROGRAM_GIB + LEAST_GIB), MOST_WORKERS))
    workers = min(workers, max(1, affordable))
    return workers, memory_limit / workers - (PROGRAM_GIB if workers > 1 else 0)


class Reader:
    """Reads the notice of a pool in a process that works at its tasks.

    Parameters
    ----------
    file
        Where it is kept on this machine; None on a cluster.
    name
        Its name on a cluster.
    """

    def __init__(self, file: Path | None, name: str) -> None:
        self.file = file
        self.name = name
        self.owner = os.getpid()
        self._known: dict[str, Any] | None = {}
        self._next = 0.0
        self._heard = 0.0
        self._variable: Any = None

    def read(self) -> dict[str, Any] | None:
        """What was said last; None if the task is to end, as nobody waits for it any more.

        It is looked up a few times a second, on a cluster once a second.
        """
        now = time.monotonic()
        if now >= self._next and self._known is not None:
            self._next = now + (LOOK_SECONDS if self.file is not None else 1.0)
            self._known = self._from_file() if self.file is not None else self._from_cluster(now)
        return self._known

    @property
    def ended(self) -> bool:
        """Whether the task is to end."""
        return self.read() is None

    def _from_file(self) -> dict[str, Any] | None:
        assert self.file is not None
        if os.name == "posix" and os.getpid() != self.owner and os.getppid() != self.owner:
            shutil.rmtree(self.file.parent, ignore_errors=True)
            return None  # who handed the task out was killed
        try:
            said = json.loads(self.file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            return self._known
        return dict(said) if said is not None else None

    def _from_cluster(self, now: float) -> dict[str, Any] | None:
        distributed: Any = import_module("distributed")
        try:
            if self._variable is None:
                client = distributed.get_client()
                self._variable = distributed.Variable(self.name, client=client)
            beat, said = json.loads(self._variable.get(timeout=5))
        except Exception:  # whatever another package makes of a connection that is lost
            beat, said = None, self._known
        if beat is not None and (self._known or {}).get("beat") != beat:
            self._heard = now
        self._heard = self._heard or now
        if said is None or now - self._heard > SILENCE_SECONDS:
            return None
        return {**said, "beat": beat}

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_known": {}, "_next": 0.0, "_heard": 0.0, "_variable": None}


class Pool:
    """Processes that work at tasks; used by ``with``, at whose end they are ended.

    Parameters
    ----------
    workers
        Processes on this machine.
    cluster
        Address of a Dask scheduler, whose workers are used instead; None for this machine.

    Attributes
    ----------
    reader
        What a task is given to read the notice by.

    Raises
    ------
    SeabattleError
        If no scheduler answers.
    WorkFailed
        If the package that talks to clusters is not installed.
    """

    def __init__(self, workers: int, cluster: str | None = None) -> None:
        self._client = None if cluster is None else connected(cluster)
        self._workers = workers
        self._executor: Any = None
        self._folder: Path | None = None
        self._variable: Any = None
        self._said: dict[str, Any] | None = {}
        self._beaten = 0.0
        name = f"seabattle-{os.getpid()}-{time.time_ns()}-{next(_NUMBERS)}"
        if self._client is None:
            self._folder = Path(tempfile.mkdtemp(prefix="seabattle-"))
            self.reader = Reader(self._folder / "notice", name)
        else:
            distributed: Any = import_module("distributed")
            self._variable = distributed.Variable(name, client=self._client)
            self.reader = Reader(None, name)
        self.say({})

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *exception: object) -> None:
        with suppress(Exception):  # the connection may be lost
            self.say(None)
        if self._executor is not None:
            self._executor.shutdown(wait=True, kill_workers=True)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        if self._client is not None:
            with suppress(Exception):
                self._client.close()

    @property
    def slots(self) -> int:
        """How many tasks are worked at at once."""
        if self._client is None:
            return self._workers
        return max(1, int(sum(self._client.nthreads().values())))

    def limit(self, workers: int) -> None:
        """Use no more than so many processes on this machine; before the first task."""
        self._workers = min(self._workers, workers)

    def say(self, notice: dict[str, Any] | None) -> None:
        """Let all tasks know something; None asks them to end."""
        self._said = notice
        if self._folder is not None:
            new = self._folder / "new"
            new.write_text(json.dumps(notice), encoding="utf-8")
            new.replace(self._folder / "notice")
        elif self._variable is not None:
            self._beaten = time.monotonic()
            self._variable.set(json.dumps([time.time(), notice]))

    def run(
        self,
        function: Callable[..., Any],
        tasks: Iterator[tuple[Any, ...]],
        look: Callable[[], None] = lambda: None,
    ) -> Generator[Any]:
        """Have tasks worked at, as many at a time as there are processes.

        Parameters
        ----------
        function
            What works at a task; known to other processes by its module and name.
        tasks
            Arguments of each task. The next is taken when there is a process for it.
        look
            Called a few times a second, while there is nothing to do but to wait.

        Yields
        ------
        Any
            What the function returns, as soon as it does, which need not be in order.

        Raises
        ------
        WorkFailed
            If a process ended or the connection to the cluster was lost.
        SeabattleError
            Whatever the function raises.
        """
        running: set[Any] = set()
        more = True
        while more or running:
            while more and len(running) < self.slots:
                task = next(tasks, None)
                more = task is not None
                if task is not None:
                    running.add(self._submit(function, task))
            if not running:
                return
            for done in self._finished(running):
                running.remove(done)
                yield self._result(done)
            look()
            if self._variable is not None and time.monotonic() > self._beaten + BEAT_SECONDS:
                self.say(self._said)

    def _submit(self, function: Callable[..., Any], task: tuple[Any, ...]) -> Any:
        if self._client is not None:
            return self._client.submit(function, *task, pure=False)
        if self._executor is None:
            from joblib.externals import loky

            # Tables are large: a process that has grown by one is replaced, and nothing is lost.
            warnings.filterwarnings("ignore", "A worker stopped while some jobs", UserWarning)
            self._executor = loky.ProcessPoolExecutor(
                self._workers, initializer=ignore_interrupts, timeout=IDLE_SECONDS
            )
        with unheard_by_workers():
            try:
                return self._executor.submit(function, *task)
            except BrokenExecutor:
                raise WorkFailed(LOST) from None

    def _finished(self, running: set[Any]) -> list[Any]:
        if self._client is None:
            return list(wait_for(running, LOOK_SECONDS, FIRST_COMPLETED).done)
        until = time.monotonic() + LOOK_SECONDS
        while True:
            done = [future for future in running if future.done()]
            if done or time.monotonic() > until:
                return done
            time.sleep(LOOK_SECONDS / 10)

    def _result(self, future: Any) -> Any:
        try:
            return future.result()
        except BrokenExecutor:
            raise WorkFailed(LOST) from None
        except SeabattleError:
            raise
        except Exception as error:
            kind = type(error).__name__
            if kind == "KilledWorker":
                raise WorkFailed(LOST) from None
            if "Cancelled" in kind or kind in ("CommClosedError", "ClosedClientError"):
                raise WorkFailed("the connection to the Dask scheduler was lost") from None
            raise
