"""Tournaments: the same layouts for every player, any number of games, in any number of processes.

Games are played in pieces, a piece being a range of game numbers. Layout and chance of a game
follow from the seed and its number (``hiding``, ``chance``), a piece returns nothing but numbers of
shots, and pieces are added up as whole numbers (``tally``): so the result is the same to the game
whatever the workers, and memory does not grow with the games. Pieces are handed out in order and a
tournament that is stopped lets those handed out finish; what it has then are the first games of the
whole tournament.

Pieces are played in this process, in processes on this machine, or on a Dask cluster that runs
already. joblib drives the latter two.
"""

from __future__ import annotations

import itertools
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import PlayerError, WorkFailed
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.hiding import LayoutSource, layout_source
from seabattle.solver.map_players import tree_of_file
from seabattle.solver.players import BLOCK, Player, kind_of
from seabattle.solver.tally import Duel, Score, Tally

PIECE_SECONDS = 1.0
"""About how long a piece should take; its size follows what pieces took before."""

USUAL_GAMES = 1000
"""Games of a tournament whose layouts are no list, unless the caller says otherwise."""

Progress = Callable[[int, int], None]
"""Called with the number of games played and the number wanted."""

_NUMBERS = itertools.count()


@dataclass(frozen=True)
class Job:
    """What every piece of a tournament has in common.

    Attributes
    ----------
    rules, position, source, seed
        The game, what is known at the start, where layouts come from, and the seed.
    players
        Names.
    prepared
        What each player's ``Kind.prepare`` returned.
    number
        Tells the tournaments of one process apart.
    """

    rules: Rules
    position: Position
    source: LayoutSource
    seed: int
    players: tuple[str, ...]
    prepared: tuple[Any, ...]
    number: str


@dataclass(frozen=True)
class Result:
    """A tournament's result.

    Attributes
    ----------
    rules, position
        The game, and what the players knew at the start.
    tally
        All games counted.
    wanted
        Games asked for; fewer were played when ``interrupted``.
    complete
        Whether every layout of the game was played equally often.
    seconds
        Time of play.
    """

    rules: Rules
    position: Position
    players: tuple[str, ...]
    tally: Tally
    wanted: int
    complete: bool
    interrupted: bool
    seconds: float

    @property
    def games(self) -> int:
        """Games played by each player."""
        return self.tally.games

    @property
    def to_hit(self) -> int:
        """Cells that had to be hit in each game."""
        return self.rules.fleet.cells - self.position.hit_mask.bit_count()

    def _exact(self, *names: str) -> bool:
        return self.complete and not any(kind_of(n).chance or kind_of(n).learns for n in names)

    @property
    def scores(self) -> list[Score]:
        """One per player, in the order asked for."""
        return [
            self.tally.score(name, self.to_hit, exact=self._exact(name)) for name in self.players
        ]

    @property
    def duels(self) -> list[Duel]:
        """One per pair of players."""
        return [
            self.tally.duel(a, b, exact=self._exact(a, b))
            for a, b in itertools.combinations(self.players, 2)
        ]


_made: dict[str, list[Player]] = {}


def _players_of(job: Job) -> list[Player]:
    """The job's players in this process; those of earlier jobs are dropped."""
    if job.number not in _made:
        _made.clear()
        _made[job.number] = [
            kind_of(name).make(job.rules, prepared)
            for name, prepared in zip(job.players, job.prepared, strict=True)
        ]
    return _made[job.number]


def play_piece(job: Job, first: int, stop: int) -> tuple[NDArray[np.int32], float]:
    """Games ``first`` to ``stop - 1`` by every player.

    Returns
    -------
    int32 ``(n_players, n_games)``
        Shots of each game.
    float
        Seconds that took.
    """
    started = time.perf_counter()
    rows = []
    for player in _players_of(job):
        # One who learns has to have played the games before in the same block.
        begin = first - first % BLOCK if kind_of(player.name).learns else first
        layouts = job.source.take(begin, stop)
        shots = player.play_all(layouts, seed=job.seed, first_game=begin, start=job.position)
        rows.append(shots[first - begin :])
    return np.array(rows), time.perf_counter() - started


def _ignore_interrupts() -> None:
    """A worker leaves Ctrl-C to the process that hands out the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class _Pieces:
    """Ranges of game numbers in order, as large as the time they take allows."""

    def __init__(self, games: int, stop: Callable[[], bool]) -> None:
        self.games = games
        self.stop = stop
        self.next = 0
        self.size = 1

    def __iter__(self) -> Iterator[tuple[int, int]]:
        while self.next < self.games and not self.stop():
            first = self.next
            self.next = min(self.games, first + self.size)
            yield first, self.next

    def took(self, games: int, seconds: float) -> None:
        """A piece of so many games took so long."""
        fitting = int(games * PIECE_SECONDS / max(seconds, 1e-9))
        self.size = max(1, min(fitting, 4 * self.size, 100 * BLOCK))


def _joined(cluster: str | None) -> AbstractContextManager[Any]:
    """What makes joblib use the cluster of that address; nothing when there is none."""
    if cluster is None:
        return nullcontext()
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise WorkFailed(
            "a cluster needs the package 'distributed': pip install 'seabattle[cluster]'"
        ) from None
    from joblib import parallel_config

    try:
        client = distributed.Client(cluster, timeout=5, set_as_default=True)
    except (OSError, ValueError, TimeoutError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise PlayerError(f"no Dask scheduler answers at {cluster!r}: {reason}") from None

    class Joined(AbstractContextManager[Any]):
        def __enter__(self) -> None:
            self.config = parallel_config(backend="dask")
            self.config.__enter__()

        def __exit__(self, *exception: object) -> None:
            self.config.__exit__(*exception)
            client.close()

    return Joined()


def _play(
    job: Job, pieces: _Pieces, workers: int, cluster: str | None, alone: float
) -> Iterator[tuple[NDArray[np.int32], float]]:
    begun = time.monotonic()
    handed_out = iter(pieces)
    if cluster is None:
        for first, stop in handed_out:
            yield play_piece(job, first, stop)
            if workers > 1 and time.monotonic() - begun >= alone:
                break
        else:
            return
    from joblib import Parallel, delayed

    options = {"initializer": _ignore_interrupts} if cluster is None else {}
    with _joined(cluster):
        parallel = Parallel(
            n_jobs=workers if cluster is None else -1,
            return_as="generator_unordered",
            batch_size=1,
            pre_dispatch="n_jobs + 1" if cluster is None else "2 * n_jobs",
            **options,
        )
        yield from parallel(delayed(play_piece)(job, first, stop) for first, stop in handed_out)


def check_players(names: Sequence[str], rules: Rules, position: Position) -> tuple[str, ...]:
    """Names of players that can all play these rules.

    Raises
    ------
    PlayerError
        If one is unknown, named twice, or cannot play; says why.
    """
    found: list[str] = []
    for name in names:
        kind = kind_of(name)
        if kind.name in found:
            raise PlayerError(f"player {kind.name!r} is named twice")
        reason = kind.why_not(rules, position)
        if reason:
            raise PlayerError(f"player {kind.name!r} cannot play {rules}: {reason}")
        found.append(kind.name)
    if not found:
        raise PlayerError("name at least one player")
    return tuple(found)


def games_of(source: LayoutSource, games: int | None) -> int:
    """Number of games to play: as asked, else every listed layout once, else ``USUAL_GAMES``.

    Raises
    ------
    PlayerError
        If it is below 1, or plays some layouts of a complete list more often than others.
    """
    if games is None:
        return USUAL_GAMES if source.listed is None else source.listed
    if games < 1:
        raise PlayerError(f"games {games}: play at least 1")
    if source.complete and games % (source.listed or 1):
        raise PlayerError(
            f"games {games}: layouts 'all' are {source.listed:,}; play so many, or a multiple"
        )
    return games


def tournament(
    rules: Rules,
    players: Sequence[str],
    *,
    games: int | None = None,
    layouts: str | LayoutSource = "uniform",
    seed: int = 0,
    position: Position | None = None,
    workers: int = 1,
    cluster: str | None = None,
    strategy: str | Path | None = None,
    stop: Callable[[], bool] = lambda: False,
    progress: Progress = lambda played, wanted: None,
    alone: float = 2.0,
) -> Result:
    """Play every player on the same layouts.

    Parameters
    ----------
    rules
        The game.
    players
        Names; ``players.kinds()`` lists them.
    games
        Number of games; by default each layout of a list once, else ``USUAL_GAMES``.
    layouts
        ``uniform``, ``sequential``, ``all``, ``worst-for PLAYER``, a file, or a source.
    seed
        What all chance follows from.
    position
        What the players know at the start.
    workers
        Processes on this machine.
    alone
        Seconds that this process plays by itself before it starts others.
    cluster
        Address of a Dask scheduler, whose workers are used instead.
    strategy
        A strategy file: what ``exact`` plays, in place of a tree solved anew.
    stop
        Asked between pieces; when it says yes, no more are handed out.
    progress
        Called with games played and games wanted.

    Raises
    ------
    PlayerError
        If a player cannot play, games or workers are below 1, or no scheduler answers.

    Examples
    --------
    >>> result = tournament(Rules("5x5", "3,2,2,1,1,1", answers="sunk"), ["density"], layouts="all")
    >>> result.games, result.scores[0].misses.total
    (1428, 7068)
    """
    start = Position(rules) if position is None else position
    if not start.ordered:
        raise PlayerError(
            "a tournament needs the shots before it in order: give them as in "
            '--shots "C3 hit, A3 hit, B3 sunk=2"'
        )
    names = check_players(players, rules, start)
    if workers < 1:
        raise PlayerError(f"workers {workers}: at least 1 is needed")
    source = layout_source(layouts, start, seed) if isinstance(layouts, str) else layouts
    wanted = games_of(source, games)
    prepared: list[Any] = []
    for name in names:
        prepare = kind_of(name).prepare
        if name == "exact" and strategy is not None:
            prepared.append(tree_of_file(strategy, start))
            continue
        prepared.append(None if prepare is None else prepare(rules, start, stop))
    number = f"{time.time_ns()}-{next(_NUMBERS)}"
    job = Job(rules, start, source, seed, names, tuple(prepared), number)
    tally = Tally(names, rules.board.cells)
    pieces = _Pieces(wanted, stop)
    started = time.monotonic()
    for shots, seconds in _play(job, pieces, workers, cluster, alone):
        tally.add(shots)
        pieces.took(shots.shape[1], seconds)
        progress(tally.games, wanted)
    return Result(
        rules=rules,
        position=start,
        players=names,
        tally=tally,
        wanted=wanted,
        complete=source.complete and tally.games % (source.listed or 1) == 0,
        interrupted=tally.games < wanted,
        seconds=time.monotonic() - started,
    )
