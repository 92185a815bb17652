"""Games in pieces: played in this process, in processes on this machine, or on a Dask cluster.

A piece is a range of game numbers. Layout and chance of a game follow from the seed and its number
(``layout_sources``, ``random_streams``), and a piece returns nothing but numbers of shots: so games
are the same wherever they are played. Pieces are handed out in order (``pieces``); when asked to
stop, no more are handed out, and those that are finish. joblib drives processes and clusters.
"""

from __future__ import annotations

import itertools
import threading
import time
import warnings
from collections.abc import Callable, Generator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import numpy as np

from seabattle.enumerate.errors import PlayerError, WorkFailed
from seabattle.enumerate.memory import memory_taken, usual_limit_set
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.players.packed_player import PackedPlayer
from seabattle.solver.players.player import BLOCK, Player
from seabattle.solver.players.player_spec import PlayerSpec
from seabattle.solver.tasks import LOST, connected, ignore_interrupts, unheard_by_workers
from seabattle.solver.tournament.layout_sources import LayoutSource
from seabattle.solver.tournament.pieces import Piece, Pieces

SPARE_GIB = 0.3
"""What the processes of a tournament may take beyond its memory limit: the program itself."""

_MOST_WORKERS = 1 << 16

_NUMBERS = itertools.count()


def _new_number() -> str:
    return f"{time.time_ns()}-{next(_NUMBERS)}"


@dataclass(frozen=True)
class Job:
    """What all pieces have in common.

    Attributes
    ----------
    rules, position, source, seed
        The game, what is known at the start, where layouts come from, and the seed.
    players
        Those who play; packed where other processes make them.
    prepared
        What ``PlayerSpec.prepared`` returned for each of them.
    memory
        GiB that a player may take in a process.
    number
        Distinguishes the jobs that one process works at.
    """

    rules: Rules
    position: Position
    source: LayoutSource
    seed: int
    players: tuple[PlayerSpec | PackedPlayer, ...]
    prepared: tuple[Any, ...]
    memory: float = inf
    number: str = field(default_factory=_new_number)

    def packed(self) -> Job:
        """The job as it is sent to other processes.

        Raises
        ------
        PlayerError
            If a player cannot be sent.
        """
        players = tuple(p.packed() if isinstance(p, PlayerSpec) else p for p in self.players)
        return replace(self, players=players)


class _Made(threading.local):
    """The players of the job that this thread works at: they are no two threads' at once."""

    number = ""
    players: tuple[Player, ...] = ()


_made = _Made()


def _players_of(job: Job) -> tuple[Player, ...]:
    """The job's players in this thread; those of earlier jobs are dropped."""
    if job.number != _made.number:
        _made.players = tuple(
            player.make(job.rules, prepared)
            for player, prepared in zip(job.players, job.prepared, strict=True)
        )
        _made.number = job.number
    return _made.players


def play_piece(job: Job, first: int, stop: int, players: tuple[int, ...] | None = None) -> Piece:
    """Games ``first`` to ``stop - 1`` by every player, or by those of these numbers."""
    started = time.perf_counter()
    rows = []
    made = list(zip(job.players, _players_of(job), strict=True))
    with usual_limit_set(job.memory):
        for spec, player in made if players is None else (made[n] for n in players):
            # One who learns has to have played the games before in the same block.
            begin = first - first % BLOCK if spec.learns else first
            ships = job.source.take(begin, stop)
            shots = player.play_all(ships, seed=job.seed, first_game=begin, start=job.position)
            rows.append(shots[first - begin :])
    return Piece(first, np.array(rows), players, time.perf_counter() - started)


def _joined(cluster: str | None) -> AbstractContextManager[Any]:
    """Have joblib use the cluster at an address, if one is given."""
    if cluster is None:
        return nullcontext()
    from joblib import parallel_config

    client = connected(cluster, PlayerError)

    class Joined(AbstractContextManager[Any]):
        def __enter__(self) -> None:
            self.config = parallel_config(backend="dask")
            self.config.__enter__()

        def __exit__(self, *exception: object) -> None:
            self.config.__exit__(*exception)
            client.close()

    return Joined()


def affordable_workers(memory_limit: float, each: int) -> int:
    """How many processes may be started, when each takes as much memory as this one; at least 1.

    Parameters
    ----------
    memory_limit
        GiB that all may take, besides ``SPARE_GIB``.
    each
        Bytes that this process takes, which has played some games already.

    Examples
    --------
    >>> affordable_workers(1.0, 2**28), affordable_workers(0.1, 2**28), affordable_workers(1.0, 0)
    (4, 1, 65536)
    """
    if not each:
        return _MOST_WORKERS
    room = (memory_limit + SPARE_GIB) * 2**30 - each
    return int(max(1, min(room / each, _MOST_WORKERS)))


def play_in_pieces(
    job: Job,
    games: int,
    *,
    stop: Callable[[], bool],
    workers: int,
    cluster: str | None,
    solo_seconds: float,
    memory_limit: float = inf,
    before: Sequence[Piece] = (),
) -> Generator[Piece]:
    """Play games 0 to ``games - 1``, piece by piece.

    Parameters
    ----------
    job
        What is played.
    games
        Number of games.
    stop
        Asked before a piece is handed out; when it says yes, no more are.
    workers
        Processes on this machine.
    cluster
        Address of a Dask scheduler, whose workers are used instead; None for this machine.
    solo_seconds
        Seconds that this process plays by itself before it starts others.
    memory_limit
        GiB that all processes on this machine may take; fewer are started where they would take
        more.
    before
        Pieces that were played before and are left out.

    Yields
    ------
    Piece
        Pieces come as they are finished, which need not be in order.

    Raises
    ------
    PlayerError
        If no scheduler answers, or a player fails or cannot be sent to other processes.
    WorkFailed
        If the package that talks to clusters is not installed, or a worker process was killed.
    """
    pieces = Pieces(len(job.players), games, stop, before)
    with closing(_played(job, pieces, workers, cluster, solo_seconds, memory_limit)) as played:
        for piece in played:
            pieces.took(piece)
            yield piece


def _played(
    job: Job,
    pieces: Pieces,
    workers: int,
    cluster: str | None,
    solo_seconds: float,
    memory_limit: float,
) -> Generator[Piece]:
    begun = time.monotonic()
    handed_out = iter(pieces)
    if cluster is None:
        for first, stop, players in handed_out:
            yield play_piece(job, first, stop, players)
            if workers > 1 and time.monotonic() - begun >= solo_seconds:
                workers = min(workers, affordable_workers(memory_limit, memory_taken()))
                if workers > 1:
                    break
        else:
            return
    from joblib import Parallel, delayed

    job = job.packed()
    options = {"initializer": ignore_interrupts} if cluster is None else {}
    with (
        _joined(cluster),
        Parallel(
            n_jobs=workers if cluster is None else -1,
            return_as="generator_unordered",
            batch_size=1,
            pre_dispatch="n_jobs + 1" if cluster is None else "2 * n_jobs",
            **options,
        ) as parallel,
    ):
        tasks = (delayed(play_piece)(job, *each) for each in handed_out)
        with unheard_by_workers():
            played = parallel(tasks)  # starts the workers
        try:
            for piece in played:  # noqa: UP028 - what ends this is not passed on to joblib
                yield piece
        except BrokenProcessPool:
            raise WorkFailed(LOST) from None
        finally:
            with warnings.catch_warnings():  # that pieces are left, which is known
                warnings.simplefilter("ignore", UserWarning)
                played.close()
