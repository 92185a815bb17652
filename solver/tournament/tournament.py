"""Tournaments: the same layouts for every player, any number of games, paired and counted.

Games are played in pieces (``pieces``), which are added up as whole numbers (``tally``): so the
result is the same to the game whatever plays them, and memory does not grow with the games. What a
tournament that was stopped has are the first games of the whole tournament.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from seabattle.enumerate.errors import PlayerError, PositionError
from seabattle.enumerate.game.arguments import require_position, require_rules, require_whole
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import Rules
from seabattle.solver.players.player import kind_of, kinds
from seabattle.solver.tournament.layout_sources import LayoutSource, layout_source
from seabattle.solver.tournament.statistics import Duel, Score, Tally
from seabattle.solver.tournament.workers import Job, play_in_pieces

USUAL_GAMES = 1000
"""Games of a tournament whose layouts are no list, unless the caller says otherwise."""

Progress = Callable[[int, int], None]
"""Called with the number of games played and the number wanted."""


@dataclass(frozen=True)
class Result:
    """A tournament's result.

    Attributes
    ----------
    rules, position
        The game, and what the players knew at the start.
    players
        Names, in the order asked for.
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


def check_players(
    names: Sequence[str], rules: Rules, position: Position, *, strategy: bool = False
) -> tuple[str, ...]:
    """Names of players that can all play these rules, with a strategy file at hand or without.

    Raises
    ------
    PlayerError
        If one is unknown, named twice, or cannot play; says why.
    """
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise PlayerError(f"players {names!r}: give a list of names, as in ['random', 'density']")
    found: list[str] = []
    for name in names:
        kind = kind_of(name)
        if kind.name in found:
            raise PlayerError(f"player {kind.name!r} is named twice")
        kind.require(rules, position, strategy=strategy)
        found.append(kind.name)
    if not found:
        raise PlayerError("name at least one player")
    return tuple(found)


def _check_reader(strategy: str | Path, names: Sequence[str]) -> None:
    """Refuse a strategy file that none of the players would read."""
    readers = [kind.name for kind in kinds().values() if kind.read_strategy is not None]
    if not set(readers) & set(names):
        raise PlayerError(
            f"strategy {strategy}: none of the players {', '.join(names)} reads a strategy file; "
            f"those that do: {', '.join(readers)}"
        )


def games_of(source: LayoutSource, games: int | None) -> int:
    """Number of games to play: as asked, else every listed layout once, else ``USUAL_GAMES``.

    Raises
    ------
    PlayerError
        If it is below 1, or plays some layouts of a complete list more often than others.
    """
    if games is None:
        return USUAL_GAMES if source.listed is None else source.listed
    require_whole("games", games)
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
        A strategy file for the players that read one (``Kind.read_strategy``), which then play it
        in place of what they would work out.
    stop
        Asked between pieces; when it says yes, no more are handed out.
    progress
        Called with games played and games wanted.

    Raises
    ------
    PlayerError
        If a player cannot play, games or workers are below 1, no player reads the strategy file
        or it is of another game, or no scheduler answers.
    SeabattleError
        If layouts or strategy file cannot be had; see ``hiding.layout_source`` and
        ``exact_map.tree_of_file``.
    KeyboardInterrupt
        If ``stop`` says yes before the first game, while a player prepares itself.

    Examples
    --------
    >>> result = tournament(Rules("5x5", "3,2,2,1,1,1", answers="sunk"), ["density"], layouts="all")
    >>> result.games, result.scores[0].misses.total
    (1428, 7068)
    """
    require_rules(rules)
    start = Position(rules) if position is None else position
    require_position(start, rules)
    require_whole("seed", seed, 0)
    if not start.ordered:
        raise PlayerError(
            "a tournament needs the shots before it in order: give them as in "
            '--shots "C3 hit, A3 hit, B3 sunk=2"'
        )
    names = check_players(players, rules, start, strategy=strategy is not None)
    if strategy is not None:
        _check_reader(strategy, names)
    require_whole("workers", workers)
    if workers < 1:
        raise PlayerError(f"workers {workers}: at least 1 is needed")
    source = layouts if isinstance(layouts, LayoutSource) else layout_source(layouts, start, seed)
    if source.position != start:
        raise PositionError("the layouts are for games from another position than these")
    wanted = games_of(source, games)
    prepared = tuple(kind_of(name).prepared(start, strategy=strategy, stop=stop) for name in names)
    source = source.prepared(stop)
    job = Job(rules, start, source, seed, names, prepared)
    tally = Tally(names, rules.board.cells)
    started = time.monotonic()
    pieces = play_in_pieces(job, wanted, stop=stop, workers=workers, cluster=cluster, alone=alone)
    for shots in pieces:
        tally.add(shots)
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
