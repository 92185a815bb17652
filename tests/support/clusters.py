"""A Dask cluster on this machine, for tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def local_cluster(threads: int, *, processes: bool = False) -> Iterator[str]:
    """A cluster of one worker; the test is skipped without the extra ``cluster``.

    Parameters
    ----------
    threads
        How many tasks its worker runs at once.
    processes
        Whether the worker is a process of its own.

    Yields
    ------
    str
        The address of its scheduler.
    """
    distributed = pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=threads,
        processes=processes,
        dashboard_address=":0",  # any port: the usual one may be taken
    ) as cluster:
        yield cluster.scheduler_address
