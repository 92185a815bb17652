"""Tournaments: the same layouts for every player, any number of games, paired and counted.

Games are played in pieces (``workers``), which are added up as whole numbers (``statistics``): so
the result is the same to the game wherever they are played, and memory does not grow with the
games: only the shots of each game are kept besides, and only of as many games as a table can show.
A tournament that was stopped has played the first games of the whole one, and one that was killed
goes on where it was (``journal``).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from math import inf
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.arguments import (
    require_memory,
    require_number,
    require_path,
    require_type,
    require_whole,
)
from seabattle.enumerate.errors import PlayerError, PositionError, wrong_type
from seabattle.enumerate.memory import usual_limit_set
from seabattle.enumerate.plain_arguments import require_flag
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.files import require_prior
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.table import Game
from seabattle.solver.players.player_spec import PlayerSpec
from seabattle.solver.players.registry import PlayerLike, player_spec, start_of
from seabattle.solver.players.registry import players as all_players
from seabattle.solver.tournament.journal import Journal, terms_of
from seabattle.solver.tournament.layout_sources import LayoutSource, layout_source
from seabattle.solver.tournament.pieces import Assembly, Piece
from seabattle.solver.tournament.result import MOST_ROWS, TournamentResult
from seabattle.solver.tournament.statistics import Tally
from seabattle.solver.tournament.workers import Job, play_in_pieces

MOST_GAMES = 1_000_000_000
"""No tournament is longer."""

USUAL_GAMES = 1000
"""Games of a tournament whose layouts are no list, unless the caller says otherwise."""

Progress = Callable[[int, int], None]
"""Called with the number of games played and the number wanted."""


def check_players(
    players: Sequence[PlayerLike], start: Position, *, strategy: bool = False
) -> tuple[PlayerSpec, ...]:
    """Players that can all play games from a position, with a strategy file at hand or without.

    Raises
    ------
    PlayerError
        If one is unknown, named twice, or cannot play; says why.
    TypeError
        If it is no list of players.
    """
    if isinstance(players, str) or not isinstance(players, Sequence):
        raise wrong_type("players", "a list of players, as in ['random', 'density']", players)
    found: dict[str, PlayerSpec] = {}
    for player in players:
        spec = player_spec(player)
        if spec.name in found:
            raise PlayerError(
                f"player {spec.name!r} is named twice"
                if spec.source == found[spec.name].source
                else f"two players are called {spec.name!r}: give one of them another name"
            )
        spec.require(start.rules, start, strategy=strategy)
        found[spec.name] = spec
    if not found:
        raise PlayerError("players: name at least one player")
    return tuple(found.values())


def _check_reader(strategy: str | Path, specs: Sequence[PlayerSpec]) -> None:
    """Refuse a strategy file that none of the players would read."""
    if all(spec.read_strategy is None for spec in specs):
        readers = [spec.name for spec in all_players() if spec.read_strategy is not None]
        raise PlayerError(
            f"strategy {strategy}: none of the players {', '.join(spec.name for spec in specs)} "
            f"reads a strategy file; those that do: {', '.join(readers)}"
        )


def _check_believer(prior: Prior, specs: Sequence[PlayerSpec]) -> None:
    """Refuse a prior that none of the players would believe."""
    if not any(spec.takes_prior for spec in specs):
        believers = [spec.name for spec in all_players() if spec.takes_prior]
        raise PlayerError(
            f"prior {prior.name or 'given'}: none of the players "
            f"{', '.join(spec.name for spec in specs)} weighs layouts; those that do: "
            f"{', '.join(believers)}"
        )


def _told(spec: PlayerSpec, prior: Prior) -> PlayerSpec:
    """A player as it takes part where a prior is given to all."""
    return spec.believing(prior) if spec.takes_prior and spec.prior is None else spec


def games_of(source: LayoutSource, games: int | None) -> int:
    """Number of games to play: as asked, else every listed layout once, else ``USUAL_GAMES``.

    Raises
    ------
    PlayerError
        If it is below 1, or plays some layouts of a complete list more often than others.
    """
    if games is None:
        return USUAL_GAMES if source.listed is None else source.listed
    require_whole("games", games, most=MOST_GAMES)
    if games < 1:
        raise PlayerError(f"games {games}: play at least 1")
    if source.complete and games % (source.listed or 1):
        raise PlayerError(
            f"games {games}: layouts 'all' are {source.listed:,}; play so many, or a multiple"
        )
    return games


def tournament(
    game: Game,
    players: Sequence[PlayerLike],
    *,
    games: int | None = None,
    layouts: str | LayoutSource = "uniform",
    seed: int = 0,
    workers: int = 1,
    cluster: str | None = None,
    strategy: str | Path | None = None,
    prior: Prior | str | Path | None = None,
    memory_limit: float = inf,
    stop: Callable[[], bool] = lambda: False,
    progress: Progress = lambda played, wanted: None,
    solo_seconds: float = 2.0,
    journal: str | Path | None = None,
    resume: bool = False,
) -> TournamentResult:
    """Play every player on the same layouts.

    Parameters
    ----------
    game
        The game; the players know the shots of a position from the start.
    players
        Names of ``players()``, places such as ``mine.py:Center`` and ``package.module:Center``,
        classes derived from ``Player``, functions ``shoot(position)`` or
        ``shoot(position, chance)``, and specs.
    games
        Number of games; by default each layout of a list once, else ``USUAL_GAMES``.
    layouts
        Where the layouts come from: ``uniform``, ``sequential``, ``all``, ``equilibrium``,
        ``people``, ``prior FILE``, ``worst-for PLAYER``, a file, or a source.
    seed
        Everything random follows from it.
    workers
        Processes on this machine.
    cluster
        Address of a Dask scheduler, whose workers are used instead.
    strategy
        A strategy file for the players that read one (``PlayerSpec.read_strategy``), which then
        play it in place of what they would work out.
    prior
        How likely players that weigh layouts take them to be: a prior, its name or its file;
        unless a player has a prior of its own, as ``greedy-map@people`` has. It says nothing of
        where layouts come from.
    memory_limit
        GiB that all processes on this machine may take: fewer are started where they would take
        more, and no player may take more by itself.
    stop
        Asked between pieces; when it says yes, no more are handed out.
    progress
        Called with games played and games wanted, before the first game and after every piece.
    solo_seconds
        Seconds that this process plays by itself before it starts others.
    journal
        A file that games are written to as they are finished, about once a second. It stays where
        it is; remove it when the result is saved.
    resume
        Whether to go on from the games of the journal, if there are any: the result is that of a
        tournament that was not interrupted. More games may be asked for than before; everything
        else that the games depend on must be as it was.

    Raises
    ------
    PlayerError
        If there is no such player, or it cannot play, fails, or returns what is no cell that can
        be shot; if games or workers are below 1; if no player reads the strategy file or it is of
        another game; if no scheduler answers; or if the journal is damaged, is of another
        tournament, or has games and ``resume`` is false.
    SeabattleError
        If layouts or strategy file cannot be had; see ``layout_sources.layout_source`` and
        ``exact_map.tree_of_file``.
    TypeError
        If an argument is of the wrong type.
    KeyboardInterrupt
        If ``stop`` says yes before the first game, while a player prepares itself.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> result = tournament(Rules("5x5", "3,2,2,1,1,1", answers="sunk"), ["density"], layouts="all")
    >>> result.games, result.scores[0].misses.total
    (1428, 7068)
    """
    start = start_of(game)
    require_whole("seed", seed, 0)
    if memory_limit != inf:
        memory_limit = require_memory(memory_limit, zero=False)
    for name, called in (("stop", stop), ("progress", progress)):
        require_type(name, called, Callable, "a function")  # type: ignore[arg-type]
    require_number("solo_seconds", solo_seconds, "seconds", least=0)
    if strategy is not None:
        require_path("strategy", strategy)
    if journal is not None:
        require_path("journal", journal)
    require_flag("resume", resume)
    if cluster is not None:
        require_type("cluster", cluster, str, "the address of a scheduler")
    if not start.ordered:
        raise PlayerError(
            "a tournament needs the shots before it in order: give them as in "
            '--shots "C3 hit, A3 hit, B3 sunk=2"'
        )
    specs = check_players(players, start, strategy=strategy is not None)
    believed = require_prior(prior, start.rules)
    if believed is not None:
        _check_believer(believed, specs)
        specs = tuple(_told(spec, believed) for spec in specs)
    if strategy is not None:
        _check_reader(strategy, specs)
    require_whole("workers", workers)
    if workers < 1:
        raise PlayerError(f"workers {workers}: at least 1 is needed")
    with usual_limit_set(memory_limit):
        source = (
            layouts if isinstance(layouts, LayoutSource) else layout_source(layouts, start, seed)
        )
    if source.position != start:
        raise PositionError("the layouts are for games from another position than these")
    wanted = games_of(source, games)
    each = memory_limit / max(1, sum(spec.takes_prior for spec in specs))  # those that count
    with usual_limit_set(each):
        prepared = tuple(spec.prepared(start, strategy=strategy, stop=stop) for spec in specs)
        source = source.prepared(stop)
    name = layouts if isinstance(layouts, str) else type(layouts).__name__
    cells = start.rules.board.cells
    kept = None
    if journal is not None:
        terms = terms_of(start, specs, source, name, seed, believed, strategy)
        kept = Journal(journal, terms, cells=cells, wanted=wanted, resume=resume)
    job = Job(start.rules, start, source, seed, specs, prepared, each)
    games_played = _Games(tuple(spec.name for spec in specs), cells, wanted)
    before = [] if kept is None else kept.pieces
    for piece in before:
        games_played.add(piece)
    started = time.monotonic()
    tally = games_played.tally
    progress(tally.games, wanted)
    pieces = play_in_pieces(
        job, wanted, stop=stop, workers=workers, cluster=cluster, solo_seconds=solo_seconds,
        memory_limit=memory_limit, before=before,
    )  # fmt: skip
    try:
        with closing(pieces):
            for piece in pieces:
                if kept is not None:
                    kept.add(piece)
                games_played.add(piece)
                progress(tally.games, wanted)
    finally:
        if kept is not None:
            kept.close(keep=kept.used)
    return TournamentResult(
        rules=start.rules,
        position=start,
        specs=specs,
        tally=tally,
        wanted=wanted,
        complete=source.complete and tally.games % (source.listed or 1) == 0,
        interrupted=tally.games < wanted,
        seconds=time.monotonic() - started,
        prior=believed,
        layouts=name.strip(),
        seed=seed,
        shots=games_played.shots,
    )


class _Games:
    """Games as they come: all of them counted, and kept one by one while they are few enough."""

    def __init__(self, players: tuple[str, ...], cells: int, wanted: int) -> None:
        self.tally = Tally(players, cells)
        self._assembly = Assembly(len(players))
        few = len(players) * wanted <= MOST_ROWS
        self._kept = np.zeros((len(players), wanted), dtype=np.int16) if few else None

    def add(self, piece: Piece) -> None:
        """Games of a piece, which count when all players have played them."""
        whole = self._assembly.add(piece)
        if whole is None:
            return
        self.tally.add(whole.shots)
        if self._kept is not None:
            self._kept[:, whole.first : whole.stop] = whole.shots

    @property
    def shots(self) -> NDArray[np.int16] | None:
        """Shots of each game; the games are the first ones."""
        return None if self._kept is None else self._kept[:, : self.tally.games].copy()
