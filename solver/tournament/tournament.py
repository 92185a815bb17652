"""Tournaments: the same layouts for every player, any number of games, paired and counted.

Layout and chance of a game follow from the seed and its number (``layout_sources``, ``chance``), so
a *block* of games, one player's games from one number to another, is the same wherever it is
played. All players play a range of games before the next range begins; a range is as long as the
slowest of them needs a second for. Asked to stop, no more blocks are handed out, and those that are
finish: what counts are the first games, which all players have played.

The *journal* is a file of finished blocks, by which a tournament that was stopped or killed goes on
where it was. Its first line says what the outcome of the games depends on, and every other line has
a block: the player's number, the number of the first game (from 0), and the shots of each game,
and its luck where that is counted. A line is written when the block is finished; the last one is
dropped if it was cut short. A journal of other games is refused, and so is one with a number that
no game can have.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from math import inf, isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import (
    PlayerError,
    PositionError,
    Stop,
    TooLargeError,
    end_if,
    quoted,
    within,
)
from seabattle.enumerate.files import (
    append_line,
    json_document,
    require_format,
    require_known,
    require_place,
    whole_lines,
    write_text,
)
from seabattle.enumerate.memory import memory_taken, usual_limit_set
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import position_document
from seabattle.enumerate.priors.files import prior_text, require_prior
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.table import Game
from seabattle.solver.parallel import in_parallel
from seabattle.solver.players.player import BLOCK, Player
from seabattle.solver.players.registry import Entrant, PlayerLike, believing, find_player, start_of
from seabattle.solver.players.registry import players as all_players
from seabattle.solver.tournament.layout_sources import LayoutSource, layout_source
from seabattle.solver.tournament.luck import Luck
from seabattle.solver.tournament.standings import Standings, standings_of
from seabattle.trees.strategy.strategy import MANIFEST

MOST_GAMES = 100_000_000
"""No tournament is longer: a game takes two bytes for each player, with luck ten."""

USUAL_GAMES = 1000
"""Games of a tournament whose layouts are not a list, unless the caller says otherwise."""

BLOCK_SECONDS = 1.0
"""How long a block should take; ranges are adjusted to the time that earlier blocks took."""

SPARE_GIB = 0.3
"""What the processes of a tournament may take beyond its memory limit: the program itself."""

FORMAT, VERSION = "seabattle-tournament-journal", 2

_FIRST_LAYOUTS = 100
"""So many layouts tell whether they come from where they came from before."""


def tournament(
    game: Game,
    players: Sequence[PlayerLike],
    *,
    games: int | None = None,
    layouts: str | LayoutSource = "uniform",
    seed: int = 0,
    workers: int = 1,
    scheduler: str | None = None,
    strategy: str | Path | None = None,
    prior: Prior | str | Path | None = None,
    luck: bool = False,
    memory_limit: float = inf,
    stop: Stop = lambda: False,
    progress: Callable[[int, int], None] = lambda played, wanted: None,
    alone: float = 2.0,
    journal: str | Path | None = None,
    resume: bool = False,
) -> Standings:
    """Play every player on the same layouts.

    Parameters
    ----------
    game
        The game; the players know the shots of a position from the start.
    players
        Names of ``players()``, places such as ``mine.py:Center`` and ``package.module:Center``,
        classes derived from ``Player``, and functions ``shoot(position)`` or
        ``shoot(position, chance)``.
    games
        Number of games; by default each layout of a list once, else ``USUAL_GAMES``.
    layouts
        Where the layouts come from: ``uniform``, ``sequential``, ``all``, ``equilibrium``,
        ``people``, ``prior FILE``, ``worst-for PLAYER``, a file, or a source.
    seed
        Everything random follows from it; 0 or above.
    workers
        Processes on this machine.
    scheduler
        Address of a Dask scheduler, whose workers are used instead.
    strategy
        A strategy file for the players that read one (``Player.reads_strategy``), which then play
        it in place of what they would work out.
    prior
        How likely players that weigh layouts take them to be: a prior, its name or its file;
        unless a player has a prior of its own, as ``greedy-map@people`` has. It says nothing of
        where layouts come from.
    luck
        Whether to count what chance alone cost in each game, too, so that means and differences are
        also told less luck, with narrower intervals. Layouts have to be equally likely and be
        counted, which takes about as long as ``greedy-map`` does.
    memory_limit
        GiB that all processes on this machine may take: fewer are started where they would take
        more, and no player may take more by itself.
    stop
        Asked between blocks; when it says yes, no more are handed out.
    progress
        Called with games played and games wanted, those of all players together, before the first
        game and after every block.
    alone
        Seconds that this process plays by itself before it starts others.
    journal
        A file that blocks are written to as they are finished, about once a second. It stays where
        it is; remove it when the result is saved.
    resume
        Whether to go on from the games of the journal, if there are any: the result is that of a
        tournament that was not interrupted. More games may be asked for than before; everything
        else that the games depend on must be as it was.

    Raises
    ------
    PlayerError
        If there is no such player, or it cannot play, fails, or returns what is not a cell that can
        be shot; if no player reads the strategy file or it is of another game; or if the journal
        is damaged, is of another tournament, or has games and ``resume`` is false; or if luck is to
        be counted and layouts are not equally likely.
    TooLargeError
        If luck is to be counted, and there are too many layouts to count.
    SeabattleError
        If games, workers or seed are too small, if layouts or strategy file cannot be had, or if
        no scheduler answers.
    KeyboardInterrupt
        If ``stop`` says yes before the first game, while a player prepares itself, or before all
        players have played it.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> played = tournament(Rules("5x5", "3,2,2,1,1,1", answers="sunk"), ["density"], layouts="all")
    >>> played.games, played.scores[0].misses.total
    (1428, 7068)
    """
    start = _start_in_order(game)
    within("seed", seed, 0)
    within("workers", workers, 1)
    within("memory_limit", memory_limit, 0)
    believed = require_prior(prior, start.rules)
    entrants = _entrants(players, start, strategy, believed)
    about: dict[str, Any] = {
        "layouts": layouts.strip() if isinstance(layouts, str) else type(layouts).__name__,
        "prior": "uniform" if believed is None else believed.name,
        "seed": seed,
    }
    with usual_limit_set(memory_limit):
        source = _source(layouts, start, seed, stop)
    blocks = _Blocks(len(entrants), games_of(source, games), luck=luck)
    counting = sum(entrant.made.takes_prior for entrant in entrants) + luck
    each = memory_limit / max(1, counting)
    with usual_limit_set(each):
        if luck:
            _require_luck(source, about["layouts"], entrants)
        prepared = [entrant.prepared(start, strategy=strategy, stop=stop) for entrant in entrants]
    job = Job(start, source, seed, each, tuple(zip(entrants, prepared, strict=True)), luck)
    if workers > 1 or scheduler is not None:  # a player that cannot be sent is told of at once
        pickle.dumps(entrants)
    kept = None if journal is None else _Journal(Path(journal), job, _terms(job, strategy, about))
    if kept is not None:
        kept.read(blocks, resume=resume)
    started = time.monotonic()
    progress(blocks.played, blocks.shots.size)
    results = in_parallel(
        play_block,
        ((job, *block) for block in blocks.handed_out(stop)),
        workers=lambda: min(workers, affordable_workers(memory_limit, memory_taken())),
        scheduler=scheduler,
        alone=alone if workers > 1 else inf,
    )
    with closing(results):
        for block in results:
            if kept is not None:
                kept.add(block)
            blocks.add(block)
            progress(blocks.played, blocks.shots.size)
    played = blocks.complete
    if not played:
        end_if(lambda: stop() or True)
    return standings_of(
        start,
        job.exact(played),
        blocks.shots[:, :played],
        None if blocks.luck is None else blocks.luck[:, :played],
        **about,
        wanted=blocks.shots.shape[1],
        seconds=time.monotonic() - started,
    )


def _start_in_order(game: Game) -> Position:
    """The position that the games start from, whose shots players are to know in order."""
    start = start_of(game)
    if not start.ordered:
        raise PlayerError(
            "a tournament needs the shots before it in order: give them as in "
            '--shots "C3 hit, A3 hit, B3 sunk=2"'
        )
    return start


def _source(layouts: str | LayoutSource, start: Position, seed: int, stop: Stop) -> LayoutSource:
    """Where the layouts come from, which are to be of games from this position."""
    source = layout_source(layouts, start, seed, stop) if isinstance(layouts, str) else layouts
    if source.position != start:
        raise PositionError("the layouts are for games from another position than these")
    return source


def _entrants(
    players: Sequence[PlayerLike], start: Position, strategy: str | Path | None, prior: Prior | None
) -> tuple[Entrant, ...]:
    """Players that can all play games from a position, told of strategy file and prior.

    Raises
    ------
    PlayerError
        If one is unknown, named twice, or cannot play, or nobody takes what is given; says why.
    """
    found: dict[str, Entrant] = {}
    for player in players:
        entrant = find_player(player)
        if entrant.name in found:
            raise PlayerError(
                f"two players are called {entrant.name!r}: name a player once, and give one of "
                f"your own another name"
            )
        entrant.require(start, strategy=strategy is not None)
        found[entrant.name] = entrant
    if not found:
        raise PlayerError("players: name at least one player")
    for given, use, what in (
        (strategy, "reads_strategy", f"strategy {strategy}"),
        (prior, "takes_prior", f"prior {(prior and prior.name) or 'given'}"),
    ):
        if given is not None and not any(getattr(e.made, use) for e in found.values()):
            able = [name for name, made in all_players().items() if getattr(made, use)]
            raise PlayerError(
                f"{what}: none of the players {', '.join(found)} takes it; those that do: "
                f"{', '.join(able)}"
            )
    return tuple(
        e if prior is None or e.prior is not None or not e.made.takes_prior else believing(e, prior)
        for e in found.values()
    )


def games_of(source: LayoutSource, games: int | None) -> int:
    """Number of games to play: as asked, else every listed layout once, else ``USUAL_GAMES``.

    Raises
    ------
    SeabattleError
        If it is below 1 or too large, or plays some layouts of a complete list more often than
        others.
    """
    if games is None:
        return USUAL_GAMES if source.listed is None else source.listed
    within("games", games, 1, MOST_GAMES)
    if source.complete and games % (source.listed or 1):
        raise PlayerError(
            f"games {games}: layouts 'all' are {source.listed:,}; play that many, or a multiple"
        )
    return games


def _require_luck(source: LayoutSource, layouts: str, entrants: Sequence[Entrant]) -> None:
    """Refuse to count luck where the chances of answers are not those of equally likely layouts.

    Raises
    ------
    PlayerError
        If some layouts are likelier than others, or a player may know which were played before.
    TooLargeError
        If there are too many layouts to count.
    """
    if not source.equally_likely:
        raise PlayerError(
            f"luck is counted where all layouts are equally likely, and layouts {quoted(layouts)} "
            f"are not: take 'uniform' or 'all'"
        )
    learning = [entrant.name for entrant in entrants if entrant.made.learns]
    if learning and source.listed is not None:
        raise PlayerError(
            f"luck cannot be counted with layouts {quoted(layouts)}: the player {learning[0]!r} "
            f"learns which of them are left; take 'uniform'"
        )
    try:
        Luck(source.position)
    except TooLargeError as error:
        raise TooLargeError(f"luck of {source.position.rules} cannot be counted: {error}") from None


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
    >>> affordable_workers(1.0, 2**28), affordable_workers(0.1, 2**28)
    (4, 1)
    """
    room = (memory_limit + SPARE_GIB) * 2**30 - each
    return int(max(1, min(room / max(each, 1), 1 << 16)))


# Blocks


@dataclass(frozen=True, eq=False)
class Job:
    """What all blocks have in common.

    Attributes
    ----------
    position, source, seed
        What is known at the start, where layouts come from, and the seed.
    memory
        GiB that a player may take in a process.
    players
        Those who play, each with what ``Entrant.prepared`` returned.
    luck
        Whether the luck of games is counted.
    number
        Distinguishes the jobs that one process works at.
    """

    position: Position
    source: LayoutSource
    seed: int
    memory: float
    players: tuple[tuple[Entrant, Any], ...]
    luck: bool = False
    number: str = field(default_factory=lambda: f"{os.getpid()}-{time.time_ns()}")

    def exact(self, games: int) -> dict[str, bool]:
        """The players, and whether so many games of each are all that there are, not a sample."""
        every_layout = self.source.complete and games % (self.source.listed or 1) == 0
        return {
            entrant.name: every_layout and not (entrant.made.uses_chance or entrant.made.learns)
            for entrant, _ in self.players
        }


class _Ready(threading.local):
    """What this thread made for its job: no player is two threads' at once."""

    number = ""
    players: dict[int, Player] = {}  # noqa: RUF012 - replaced with each job
    layouts: tuple[int, int, NDArray[np.uint16]] | None = None
    luck: Luck | None = None


_ready = _Ready()


@dataclass(frozen=True, eq=False)
class PlayedBlock:
    """Games ``first``, ``first + 1``, … of a player.

    Attributes
    ----------
    player, first
        Its number, and that of the first game.
    shots
        int16 ``(n_games,)``: shots of each game.
    luck
        float64 ``(n_games,)``: its luck, or None if that is not counted.
    seconds
        What they took.
    """

    player: int
    first: int
    shots: NDArray[np.int16]
    luck: NDArray[np.float64] | None = None
    seconds: float = 0.0


def play_block(job: Job, player: int, first: int, stop: int) -> PlayedBlock:
    """Games ``first`` to ``stop - 1`` of the player of that number."""
    started = time.perf_counter()
    if _ready.number != job.number:
        _ready.number, _ready.players, _ready.layouts, _ready.luck = job.number, {}, None, None
    with usual_limit_set(job.memory):
        entrant, prepared = job.players[player]
        if player not in _ready.players:
            _ready.players[player] = entrant.make(job.position.rules, prepared)
        # One who learns has to have played the games before in the same block of its own.
        begin = first - first % BLOCK if entrant.made.learns else first
        if _ready.layouts is None or _ready.layouts[:2] != (begin, stop):
            _ready.layouts = begin, stop, job.source.take(begin, stop)
        ships, skipped, luck = _ready.layouts[2], first - begin, None
        cells = job.position.rules.board.cells
        record = np.empty((len(ships), cells), dtype=np.int16) if job.luck else None
        shots = _ready.players[player].play_all(
            ships, seed=job.seed, first_game=begin, start=job.position, record=record
        )
        if record is not None:
            _ready.luck = _ready.luck or Luck(job.position)
            luck = _ready.luck.of(ships[skipped:], record[skipped:])
    played = shots[skipped:].astype(np.int16)
    return PlayedBlock(player, first, played, luck, time.perf_counter() - started)


class _Blocks:
    """Blocks as they are handed out and come back.

    Attributes
    ----------
    shots
        int16 ``(n_players, n_games)``: shots of each game, -1 where it was not played.
    luck
        float64 ``(n_players, n_games)``: its luck, or None if that is not counted.
    """

    def __init__(self, players: int, games: int, *, luck: bool) -> None:
        self.shots = np.full((players, games), -1, dtype=np.int16)
        self.luck = np.zeros((players, games)) if luck else None
        self._pace = np.zeros(players)

    @property
    def complete(self) -> int:
        """How many of the first games all players have played."""
        missing = np.flatnonzero((self.shots < 0).any(axis=0))
        return int(missing[0]) if len(missing) else self.shots.shape[1]

    @property
    def played(self) -> int:
        """How many games were played, those of all players together."""
        return int((self.shots >= 0).sum())

    def add(self, block: PlayedBlock) -> None:
        """Take in the games of a block, and what they took."""
        games = slice(block.first, block.first + len(block.shots))
        self.shots[block.player, games] = block.shots
        if self.luck is not None:
            self.luck[block.player, games] = block.luck
        self._pace[block.player] = block.seconds / len(block.shots)

    def handed_out(self, stop: Stop) -> Iterator[tuple[int, int, int]]:
        """Blocks to play: player, first game and the one after the last, in order.

        ``stop`` is asked before each; games before one that was played already are played
        whatever it says, so that they count. Games played already that lie between others of a
        block are played again.
        """
        players, games = self.shots.shape
        played = self.shots >= 0
        must = int(np.flatnonzero(played.any(axis=0)).max(initial=-1)) + 1
        first, length = 0, 1
        while first < games:
            end = min(games, first + length)
            for player in range(players):
                left = first + np.flatnonzero(~played[player, first:end])
                if len(left):
                    if left[0] >= must and stop():
                        return
                    yield player, int(left[0]), int(left[-1]) + 1
            fitting = int(BLOCK_SECONDS / max(self._pace.max(), 1e-9))
            first, length = end, max(1, min(fitting, 4 * length, 100 * BLOCK))


# The journal


def _terms(job: Job, strategy: str | Path | None, about: dict[str, Any]) -> dict[str, Any]:
    """What the outcome of a tournament's games depends on, as a JSON object."""

    def digest(content: bytes) -> str:
        return hashlib.sha256(content).hexdigest()[:16]

    def believed(entrant: Entrant) -> str:
        found = require_prior(entrant.prior, job.position.rules)
        named = None if found is None else replace(found, rules=found.rules.lettered("latin"))
        return "" if named is None else prior_text(named)

    # A strategy file's manifest has the checksums of its other files.
    manifest = b"" if strategy is None else (Path(strategy) / MANIFEST).read_bytes()
    drawn = job.source.take(0, job.source.listed or _FIRST_LAYOUTS)
    entrants = [entrant for entrant, _ in job.players]
    told = [(entrant.name, entrant.code(), believed(entrant)) for entrant in entrants]
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": version("seabattle"),
        "position": position_document(job.position.lettered("latin")),
        "players": ", ".join(entrant.name for entrant in entrants),
        **about,
        "luck": job.luck,
        "strategy": "" if strategy is None else str(strategy),
        "layouts as drawn": digest(np.ascontiguousarray(drawn, dtype="<u2").tobytes()),
        "strategy as read": digest(manifest),
        "players' code and priors": digest(repr(told).encode()),
    }


class _Journal:
    """The file of the blocks that are finished.

    Parameters
    ----------
    path
        The file.
    job
        What is played.
    terms
        What the outcome of the games depends on: its first line.
    """

    def __init__(self, path: Path, job: Job, terms: dict[str, Any]) -> None:
        self.path, self.job, self.terms = path, job, terms

    def add(self, block: PlayedBlock) -> None:
        """Write a block."""
        if not self.path.exists():
            append_line(self.path, json.dumps(self.terms))
        line = {"player": block.player, "game": block.first, "shots": block.shots.tolist()}
        if block.luck is not None:
            line["luck"] = block.luck.tolist()
        append_line(self.path, json.dumps(line))

    def read(self, blocks: _Blocks, *, resume: bool) -> None:
        """Take in the blocks that are there, if any are, and drop a line that was cut short.

        Raises
        ------
        PlayerError
            If there are games and ``resume`` is false, or the file is not a journal, is of another
            tournament, or has a line that cannot be true; names the line.
        FileAccessError
            If it cannot be read or written.
        """
        require_place(self.path)
        head, *lines = whole_lines(self.path) or [json.dumps(self.terms)]
        self._require_terms(head)
        if lines and not resume:
            raise PlayerError(
                f"{self.path} holds games of a tournament that was stopped: add --resume (in "
                f"Python resume=True) to go on with it, or remove the file"
            )
        for number, line in enumerate(lines, start=2):
            try:
                block = self._block(line, *blocks.shots.shape)
                there = blocks.shots[block.player, block.first : block.first + len(block.shots)]
                if ((there >= 0) & (there != block.shots)).any():
                    raise PlayerError("an earlier line says other shots of the same game")
            except PlayerError as error:
                raise PlayerError(
                    f"{self.path}, line {number}: {error}; remove it, and its games are played anew"
                ) from None
            blocks.add(block)
        if self.path.exists():
            write_text(self.path, "".join(f"{line}\n" for line in (head, *lines)))

    def _require_terms(self, head: str) -> None:
        """Refuse a first line that is of no journal, or of that of another tournament."""
        try:
            there = json_document(head, self.path, "journal", PlayerError)
            require_format(there, FORMAT, VERSION, PlayerError)
            require_known(there, self.terms, PlayerError)
            other = [
                name
                for name, here in self.terms.items()
                if name not in there or json.dumps(there[name]) != json.dumps(here)
            ]
            if other:
                raise PlayerError(f"with other {', '.join(other)}")
        except PlayerError as error:
            told = str(error).removeprefix(f"{self.path} ")
            raise PlayerError(
                f"{self.path} is not a journal of this tournament, {told}: ask for the same, "
                f"remove it, or name another place"
            ) from None

    def _block(self, line: str, players: int, games: int) -> PlayedBlock:
        """The block of a line, which games of this tournament can have.

        Raises
        ------
        PlayerError
            Says what is not so.
        """
        try:
            block = json_document(line, "it", "line of a journal", PlayerError)
        except PlayerError as error:
            raise PlayerError(str(error).removesuffix(": line 1")) from None
        if not isinstance(block, dict):
            raise PlayerError("it must be an object with the fields player, game and shots")
        known = (
            ("player", "game", "shots", "luck") if self.job.luck else ("player", "game", "shots")
        )
        require_known(block, known, PlayerError)
        player = _whole("player", block.get("player"), 0, players - 1)
        first = _whole("game", block.get("game"), 0, MOST_GAMES - 1)
        shots = block.get("shots")
        if not isinstance(shots, list) or not shots:
            raise PlayerError("the field 'shots' must be an array with a number for each game")
        position = self.job.position
        least = position.rules.fleet.cells - position.hit_mask.bit_count()
        most = position.rules.board.cells - len(position.shots)
        for number in shots:
            _whole("shots of a game:", number, least, most)
        if first + len(shots) > games:
            raise PlayerError(
                f"the file holds {first + len(shots):,} games already: ask for that many or more, "
                f"not {games:,}"
            )
        luck = _luck_read(block.get("luck"), len(shots)) if self.job.luck else None
        return PlayedBlock(player, first, np.array(shots, dtype=np.int16), luck)


def _whole(name: str, value: Any, least: int, most: int) -> int:
    """A number of a journal, if it is whole and in its range."""
    if type(value) is not int or not least <= value <= most:
        raise PlayerError(f"{name} {quoted(value)}: must be a whole number from {least} to {most}")
    return value


def _luck_read(values: Any, games: int) -> NDArray[np.float64]:
    """The luck of the games of a line of a journal, if it is one number for each."""
    if not isinstance(values, list) or not all(
        type(value) is float and isfinite(value) for value in values
    ):
        raise PlayerError("the field 'luck' must be an array of numbers with a point")
    if len(values) != games:
        raise PlayerError(f"the field 'luck' must have {games:,} numbers, not {len(values):,}")
    return np.array(values)
