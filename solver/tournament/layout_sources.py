"""Where the layouts of a tournament come from.

Game ``g`` of a tournament has the same layout for every player, whoever plays it and in whatever
order: each source gives the layouts of any range of games by itself.

``uniform``     every layout equally likely: drawn from the list of all layouts where that is short,
                else by the exact sampler of the counter
``sequential``  ships placed one after another, longest first, each at random among the placements
                that still fit, beginning anew when none does: what most programs do, and not
                uniform
``all``         every layout once, in an order that depends on the seed alone
``equilibrium`` drawn from the hiding mix of the solved game, on small boards
a file          one layout per line, ``A1:A4 C1:C3 ...``; blank lines and ``#`` comments are skipped
``worst-for``   the layouts that cost a player without chance the most shots, found by playing all
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import (
    FileAccessError,
    LayoutError,
    PlayerError,
    PositionError,
    SeabattleError,
    TooLargeError,
    shown,
)
from seabattle.enumerate.game.arguments import require_position, require_whole
from seabattle.enumerate.game.placements import placement_table
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.layouts.enumeration import (
    Layouts,
    count_layouts,
    enumerate_layouts,
    no_layout,
)
from seabattle.enumerate.layouts.fitting import fitting
from seabattle.solver.players import _hunt_kernels as k
from seabattle.solver.players.placement_tables import play_tables
from seabattle.solver.players.player import kind_of, make_player
from seabattle.solver.players.random_streams import draw, player_key

MOST_LISTED = 2_000_000
"""Games with at most so many layouts have them listed in memory."""

_SAMPLED_TOGETHER = 10_000
_NAMES = ("uniform", "sequential", "all", "equilibrium", "worst-for PLAYER")

LayoutNumbers = NDArray[np.uint16]
"""Placement numbers ``(n_games, n_ships)``."""


class LayoutSource(ABC):
    """Layouts of the games of a tournament.

    Attributes
    ----------
    position
        What the players know before the first shot; every layout fits it.
    """

    position: Position

    @property
    def listed(self) -> int | None:
        """Number of layouts when they are a list that is played through, else None."""
        return None

    @property
    def complete(self) -> bool:
        """Whether the list is every layout of the game once."""
        return False

    def prepared(self, stop: Callable[[], bool]) -> LayoutSource:
        """The source with all it draws from, as worker processes get it.

        Raises
        ------
        KeyboardInterrupt
            When ``stop``, asked now and then, says yes.
        """
        return self

    @abstractmethod
    def take(self, first: int, stop: int) -> LayoutNumbers:
        """Layouts of games ``first`` to ``stop - 1``."""


@lru_cache(maxsize=4)
def _is_short(position: Position) -> bool:
    if position.rules.board.cells > 128:
        return False
    return count_layouts(position.rules, most=MOST_LISTED) <= MOST_LISTED


@lru_cache(maxsize=4)
def _listed(position: Position) -> LayoutNumbers:
    layouts = enumerate_layouts(position.rules)
    return np.ascontiguousarray(layouts.ships[fitting(position, layouts) == 1])


@lru_cache(maxsize=4)
def _shuffled(position: Position, seed: int) -> LayoutNumbers:
    rows = _listed(position)
    return rows[np.random.default_rng([seed, len(rows)]).permutation(len(rows))]


@lru_cache(maxsize=8)
def _sampled(position: Position, seed: int, part: int) -> LayoutNumbers:
    generator = np.random.default_rng([seed, part])
    counter = _counter(position)
    sample = counter.sample(_SAMPLED_TOGETHER, generator)
    return np.asarray(sample, dtype=np.uint16)


@lru_cache(maxsize=2)
def _counter(position: Position) -> Any:
    from seabattle.enumerate.counting.counter import Counter

    return Counter(position)


@dataclass(frozen=True)
class Uniform(LayoutSource):
    """Every layout that fits the position equally likely."""

    position: Position
    seed: int = 0

    def take(self, first: int, stop: int) -> LayoutNumbers:
        """Layouts of these games."""
        if _is_short(self.position):
            listed = _listed(self.position)
            key = player_key(self.seed, "layouts uniform")
            return listed[[draw(key, game) * len(listed) >> 64 for game in range(first, stop)]]
        parts = range(first // _SAMPLED_TOGETHER, (stop - 1) // _SAMPLED_TOGETHER + 1)
        found = np.concatenate([_sampled(self.position, self.seed, part) for part in parts])
        skipped = first - parts[0] * _SAMPLED_TOGETHER
        return np.ascontiguousarray(found[skipped : skipped + stop - first])


@dataclass(frozen=True)
class Sequential(LayoutSource):
    """Ships placed one after another at random."""

    position: Position
    seed: int = 0

    def __post_init__(self) -> None:
        if self.position.shots:
            raise PositionError("layouts 'sequential' start from an empty board: give no shots")

    def take(self, first: int, stop: int) -> LayoutNumbers:
        """Layouts of these games."""
        rules = self.position.rules
        tables = play_tables(rules)
        found = np.empty((stop - first, len(rules.fleet.lengths)), dtype=np.uint16)
        failed = k.place_in_sequence(
            tables.slot_first,
            tables.slot_stop,
            tables.ship_cells,
            tables.halo_cells,
            np.uint64(player_key(self.seed, "layouts sequential")),
            first,
            found,
        )
        if failed:
            raise no_layout(rules)
        return found


@dataclass(frozen=True)
class All(LayoutSource):
    """Every layout that fits the position in a random order, over and over.

    The order of enumeration would let a player that learns foresee the next layout.
    """

    position: Position
    seed: int = 0

    def __post_init__(self) -> None:
        if not _is_short(self.position):
            rules = self.position.rules
            raise TooLargeError(
                f"layouts 'all': {rules.board} with {rules.fleet} has more than {MOST_LISTED:,} "
                f"layouts; take 'uniform', or a smaller board"
            )

    @property
    def listed(self) -> int:
        """Number of layouts."""
        return len(_listed(self.position))

    @property
    def complete(self) -> bool:
        """All are there."""
        return True

    def take(self, first: int, stop: int) -> LayoutNumbers:
        """Layouts of these games."""
        return _cycled(_shuffled(self.position, self.seed), first, stop)


@dataclass(frozen=True, eq=False)
class Given(LayoutSource):
    """A list of layouts, over and over."""

    position: Position
    rows: LayoutNumbers = field(repr=False)

    @property
    def listed(self) -> int:
        """Number of layouts."""
        return len(self.rows)

    def take(self, first: int, stop: int) -> LayoutNumbers:
        """Layouts of these games."""
        return _cycled(self.rows, first, stop)


def _cycled(rows: LayoutNumbers, first: int, stop: int) -> LayoutNumbers:
    return np.ascontiguousarray(rows[np.arange(first, stop) % len(rows)])


def occupancy_of(
    source: LayoutSource, games: int, *, progress: Callable[[int], None] = lambda done: None
) -> NDArray[np.int64]:
    """How many of the layouts of the first ``games`` games occupy each cell: int64 ``(cells,)``.

    Parameters
    ----------
    source
        Where the layouts come from.
    games
        How many of them.
    progress
        Called with the number of those done, before every ten thousand; may raise to stop.

    Examples
    --------
    >>> from seabattle.enumerate.game.rules import Rules
    >>> occupancy_of(All(Position(Rules("3x3", "3,1,1"))), 4).tolist()
    [4, 1, 4, 1, 0, 1, 4, 1, 4]
    """
    tables = play_tables(source.position.rules)
    counts = np.zeros(len(tables.masks), dtype=np.int64)
    for first in range(0, games, _SAMPLED_TOGETHER):
        progress(first)
        rows = source.take(first, min(games, first + _SAMPLED_TOGETHER))
        counts += np.bincount(rows.reshape(-1), minlength=len(counts))
    cells = np.zeros(source.position.rules.board.cells + 1, dtype=np.int64)
    for covered, count in zip(tables.ship_cells, counts, strict=True):
        cells[covered] += count
    return cells[:-1]


def uniform_occupancy(position: Position) -> tuple[list[int], int]:
    """How many of all layouts that fit occupy each cell, and how many layouts there are; exact."""
    if _is_short(position):
        source = All(position)
        return occupancy_of(source, source.listed).tolist(), source.listed
    found = _counter(position).map()
    return list(found.cells), int(found.layouts)


def read_layouts(path: str | Path, position: Position) -> Given:
    """Layouts of a file, one per line, ships joined by blanks or commas.

    Raises
    ------
    FileAccessError
        If the file cannot be read.
    LayoutError
        If a line is no layout of the game or does not fit the position; names the line.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise LayoutError(f"{path}: a file of layouts must be UTF-8 text") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise FileAccessError(f"cannot read {path}: {reason}") from None
    table = placement_table(position.rules)
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        names = line.partition("#")[0].replace(",", " ").split()
        if not names:
            continue
        try:
            row = table.parse_layout(names)
            layout = np.array([row], dtype=np.uint16)
            fitting(position, Layouts(position.rules, np.zeros((1, 1), dtype=np.uint64), layout))
        except SeabattleError as error:
            raise LayoutError(f"{path}, line {number}: {error}") from None
        rows.append(row)
    if not rows:
        raise LayoutError(f"{path} has no layout; write one per line, as in A1:A3 C1 C3")
    return Given(position, np.array(rows, dtype=np.uint16))


def worst_layouts(player: str, position: Position) -> tuple[Given, int]:
    """The layouts that cost a player the most shots, found by playing all of them.

    Parameters
    ----------
    player
        Name of a player without chance.
    position
        Rules, and the position the games start from.

    Returns
    -------
    Given
        These layouts.
    int
        The shots that each of them takes.

    Raises
    ------
    PlayerError
        If the player uses chance, so that no layout is always worst for it.

    Examples
    --------
    >>> from seabattle.enumerate.game.rules import Rules
    >>> source, shots = worst_layouts("density", Position(Rules("3x3", "3,1,1", answers="sunk")))
    >>> source.listed, shots
    (4, 5)
    """
    kind = kind_of(player)
    if kind.chance or kind.learns:
        raise PlayerError(
            f"layouts 'worst-for {kind.name}': {kind.name} plays by chance, so no layout is its "
            f"worst; take a player that always plays a layout the same way"
        )
    layouts = All(position)
    rows = layouts.take(0, layouts.listed)
    shots = make_player(player, position.rules, position).play_all(rows, start=position)
    most = int(shots.max())
    return Given(position, np.ascontiguousarray(rows[shots == most])), most


def layout_source(text: str, position: Position, seed: int = 0) -> LayoutSource:
    """The source that a text names: see the module's text.

    Raises
    ------
    PlayerError, PositionError, TooLargeError, LayoutError, FileAccessError
        If it cannot be had.
    """
    require_position(position)
    require_whole("seed", seed, 0)
    if not isinstance(text, str) or not text.strip():
        raise PlayerError(f"layouts {shown(text)}: name {', '.join(_NAMES)} or a file")
    name = text.strip()
    if name == "uniform":
        return Uniform(position, seed)
    if name == "sequential":
        return Sequential(position, seed)
    if name == "all":
        return All(position, seed)
    if name == "equilibrium":
        from seabattle.solver.equilibrium.mixed_player import MixedLayouts

        return MixedLayouts(position, seed)
    if name.startswith("worst-for"):
        player = name.removeprefix("worst-for").strip(" :")
        if not player:
            raise PlayerError(f"layouts {text!r}: name a player, as in 'worst-for density'")
        return worst_layouts(player, position)[0]
    if not Path(name).exists():
        raise FileAccessError(
            f"layouts {text!r}: neither {', '.join(_NAMES)} nor a file that exists"
        )
    return read_layouts(name, position)
