"""Tasks in other processes: on this machine, or on the machines of a Dask cluster; joblib drives
both.

A task is a function of a module with its arguments, which are sent to the process that works at
it. A task is taken whenever a process has no work, so that what is handed out later may depend on
what came of earlier tasks.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Generator, Iterable
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from importlib import import_module
from typing import Any

from seabattle.enumerate.errors import SeabattleError, WorkFailed, quoted

ANSWER_SECONDS = 5
"""How long a scheduler may take to answer."""

LOST = "a worker process ended unexpectedly, perhaps for lack of memory: try fewer workers"


def in_parallel(
    function: Callable[..., Any],
    tasks: Iterable[tuple[Any, ...]],
    *,
    workers: int | Callable[[], int] = 1,
    scheduler: str | None = None,
    alone: float = 2.0,
) -> Generator[Any]:
    """Have tasks worked on, as many at a time as there are processes.

    Parameters
    ----------
    function
        What works at a task; known to other processes by its module and name.
    tasks
        Arguments of each task.
    workers
        Processes on this machine, or a function that says how many when they are to be started.
    scheduler
        Address of a Dask scheduler, whose workers are used instead.
    alone
        Seconds that this process works by itself before it starts others.

    Yields
    ------
    Any
        What the function returns, as soon as it does, which need not be in order.

    Raises
    ------
    SeabattleError
        If no scheduler answers, or whatever the function raises.
    WorkFailed
        If the package that talks to clusters is not installed, or a process ended unexpectedly.

    Examples
    --------
    >>> list(in_parallel(pow, [(2, 3), (5, 2)]))
    [8, 25]
    """
    tasks = iter(tasks)
    if scheduler is None:
        started = time.monotonic()
        for task in tasks:
            yield function(*task)
            if workers != 1 and time.monotonic() - started >= alone:
                workers = workers() if callable(workers) else workers
                if workers > 1:
                    break
        else:
            return
    from joblib import Parallel, delayed, parallel_config

    options: dict[str, Any] = {
        "n_jobs": workers, "initializer": _begin, "initargs": (sys.stdout is sys.stderr,),
    }  # fmt: skip
    with ExitStack() as stack:
        if scheduler is not None:
            stack.enter_context(_client(scheduler))
            stack.enter_context(parallel_config(backend="dask"))
            options = {"n_jobs": -1}
        elif not os.environ.get("PYTHONSAFEPATH"):
            # Processes that are started meanwhile import nothing from the current folder by
            # accident; they are given the path of this process when they run.
            os.environ["PYTHONSAFEPATH"] = "1"
            stack.callback(os.environ.pop, "PYTHONSAFEPATH", None)
        # Tables are large: a process that has grown by one is replaced, and nothing is lost.
        warnings.filterwarnings("ignore", "A worker stopped while some jobs", UserWarning)
        parallel = Parallel(
            return_as="generator_unordered", batch_size=1, pre_dispatch="n_jobs + 1", **options
        )
        results = parallel(delayed(function)(*task) for task in tasks)
        try:
            yield from results
        except Exception as error:
            if isinstance(error, BrokenProcessPool) or type(error).__name__ == "KilledWorker":
                raise WorkFailed(LOST) from None
            raise
        finally:
            with warnings.catch_warnings():  # that tasks are left, which is known
                warnings.simplefilter("ignore", UserWarning)
                results.close()


def _begin(prints_aside: bool) -> None:
    """A worker leaves Ctrl-C to the process that hands out the work, and prints where that does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if prints_aside:
        sys.stdout = sys.stderr


def _client(scheduler: str) -> Any:
    """A client of the Dask scheduler at an address, which joblib finds by itself."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise WorkFailed(
            "a cluster needs the package 'distributed': pip install 'seabattle[cluster]'"
        ) from None
    host, colon, port = scheduler.rpartition(":")
    if not scheduler.startswith("inproc://") and not (host and colon and port.isdigit()):
        raise SeabattleError(  # else Dask may wait for it for minutes
            f"{quoted(scheduler)} cannot be the address of a Dask scheduler: give one such as "
            f"tcp://127.0.0.1:8786"
        )
    try:
        return distributed.Client(scheduler, timeout=ANSWER_SECONDS, set_as_default=True)
    except Exception as error:  # whatever another package makes of an address
        reason = " ".join(str(error).split()) or type(error).__name__
        raise SeabattleError(f"no Dask scheduler answers at {scheduler!r}: {reason}") from None
