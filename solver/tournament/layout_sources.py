"""Where the layouts of a tournament come from.

Game ``g`` of a tournament has the same layout for every player, whoever plays it and in whatever
order: each source gives the layouts of any range of games by itself. Sources are asked for by name.

``uniform``     every layout equally likely: drawn from the list of all layouts where that is short,
                else by the exact sampler of the counter
``sequential``  ships placed one after another, longest first, each at random among the placements
                that still fit, beginning anew when none does: what most programs do, and not
                uniform
``all``         every layout once, in an order that depends on the seed alone
``equilibrium`` drawn from the hiding mix of the solved game, on small boards
``people``      drawn from the prior fitted to games of people; ``prior FILE`` draws from your own
a file          one layout per line, ``A1:A4 C1:C3 ...``; blank lines and ``#`` comments are skipped
``worst-for``   the layouts that cost a player without chance the most shots, found by playing all
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.errors import (
    FileAccessError,
    LayoutError,
    PlayerError,
    PositionError,
    SeabattleError,
    TooLargeError,
    quoted,
)
from seabattle.enumerate.kernels import allocating_kernel
from seabattle.enumerate.layouts import (
    count_layouts,
    enumerate_layouts,
    fitting,
    fitting_ships,
    fleet_does_not_fit,
)
from seabattle.enumerate.memory import usual_limit
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.files import SHIPPED, require_prior
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.rules import Rules
from seabattle.solver.players.batches import padded, play_tables
from seabattle.solver.players.chance import draw, draw_word, player_key
from seabattle.solver.players.registry import PlayerLike, find_player, load, make_player

if TYPE_CHECKING:
    from seabattle.enumerate.counting.counter import Counter

MOST_LISTED = 2_000_000
"""Games with at most so many layouts have them listed in memory."""

MOST_FAILURES = 100_000
"""A layout that ships were placed in one after another is given up when it was begun anew so
often."""

_SAMPLED_TOGETHER = 10_000
_WORST_FOR = "worst-for"
_PRIOR = "prior"

Ships = NDArray[np.uint16]
"""Placement numbers of layouts: ``(layouts, ships)``."""


class LayoutSource(ABC):
    """Layouts of the games of a tournament.

    The class of a source that is asked for by name is called with a position and a seed.

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
    def take(self, first: int, stop: int) -> Ships:
        """Layouts of games ``first`` to ``stop - 1``."""


_ROOM = "seabattle.solver"
_SOURCES = {
    "uniform": f"{_ROOM}.tournament.layout_sources:Uniform",
    "sequential": f"{_ROOM}.tournament.layout_sources:Sequential",
    "all": f"{_ROOM}.tournament.layout_sources:All",
    "equilibrium": f"{_ROOM}.equilibrium.mixed_player:MixedLayouts",
}


def _is_short(position: Position) -> bool:
    return position.rules.board.cells <= 128 and _counted(position.rules, MOST_LISTED)


@lru_cache(maxsize=4)
def _counted(rules: Rules, most: int) -> bool:
    return count_layouts(rules, most=most) <= most


@lru_cache(maxsize=4)
def _listed(position: Position) -> Ships:
    layouts = enumerate_layouts(position.rules)
    return np.ascontiguousarray(layouts.ships[fitting(position, layouts) == 1])


@lru_cache(maxsize=4)
def _shuffled(position: Position, seed: int) -> Ships:
    ships = _listed(position)
    return ships[np.random.default_rng([seed, len(ships)]).permutation(len(ships))]


@lru_cache(maxsize=8)
def _sampled(position: Position, prior: Prior | None, seed: int, part: int) -> Ships:
    generator = np.random.default_rng([seed, part])
    sample = _counter(position, prior).sample(_SAMPLED_TOGETHER, generator)
    return np.asarray(sample, dtype=np.uint16)


@lru_cache(maxsize=2)
def _counter(position: Position, prior: Prior | None) -> Counter:
    from seabattle.enumerate.counting.counter import Counter

    return Counter(position, prior=prior, memory_limit=usual_limit())


def _drawn(position: Position, prior: Prior | None, seed: int, first: int, stop: int) -> Ships:
    """Layouts of games ``first`` to ``stop - 1``, drawn by the counter."""
    parts = range(first // _SAMPLED_TOGETHER, (stop - 1) // _SAMPLED_TOGETHER + 1)
    found = np.concatenate([_sampled(position, prior, seed, part) for part in parts])
    skipped = first - parts[0] * _SAMPLED_TOGETHER
    return np.ascontiguousarray(found[skipped : skipped + stop - first])


@dataclass(frozen=True)
class Uniform(LayoutSource):
    """Every layout that fits the position equally likely."""

    position: Position
    seed: int = 0

    def take(self, first: int, stop: int) -> Ships:
        """Layouts of these games."""
        if _is_short(self.position):
            listed = _listed(self.position)
            key = player_key(self.seed, "layouts uniform")
            return listed[[draw(key, game) * len(listed) >> 64 for game in range(first, stop)]]
        return _drawn(self.position, None, self.seed, first, stop)


@dataclass(frozen=True)
class ByPrior(LayoutSource):
    """Layouts drawn by a prior; with None all are equally likely, drawn by the counter."""

    position: Position
    seed: int = 0
    prior: Prior | None = None

    def take(self, first: int, stop: int) -> Ships:
        """Layouts of these games."""
        return _drawn(self.position, self.prior, self.seed, first, stop)


@dataclass(frozen=True)
class Sequential(LayoutSource):
    """Ships placed one after another at random."""

    position: Position
    seed: int = 0

    def __post_init__(self) -> None:
        if self.position.shots:
            raise PositionError("layouts 'sequential' start from an empty board: give no shots")

    def take(self, first: int, stop: int) -> Ships:
        """Layouts of these games."""
        rules = self.position.rules
        slots, covered, halos = _placing_tables(rules)
        found = np.empty((stop - first, len(rules.fleet.lengths)), dtype=np.uint16)
        failed = place_in_sequence(
            slots,
            covered,
            halos,
            np.uint64(player_key(self.seed, "layouts sequential")),
            first,
            found,
        )
        if failed:
            raise fleet_does_not_fit(rules)
        return found


@lru_cache(maxsize=4)
def _placing_tables(rules: Rules) -> tuple[NDArray[Any], ...]:
    """What ``place_in_sequence`` looks up."""
    table = placement_table(rules)
    halos = [tuple(cells_of(p.mask | p.halo(rules.contact))) for p in table.placements]
    covered = play_tables(rules).ship_cells
    return np.array(table.slots, dtype=np.int64), covered, padded(halos)


@allocating_kernel
def place_in_sequence(slots, ship_cells, halo_cells, key, first_game, out):
    """Place ships one after another, longest first, each at random where it still fits.

    A ship that fits nowhere starts the layout anew.

    slots : int64 (ships, 2), the placements of each ship are a range
    ship_cells : int16 (placements, longest), cells covered, -1 behind the last
    halo_cells : int16 (placements, most), cells that no later ship may cover, -1 behind the last
    key : uint64, the stream's key; first_game : int64, number of the first game
    out : uint16 (games, ships), modified: placement numbers, equal ships by number
    Returns int64: 0, or 1 when a layout was given up
    """
    ships = slots.shape[0]
    cells = 0
    for p in range(halo_cells.shape[0]):
        for j in range(halo_cells.shape[1]):
            cells = max(cells, halo_cells[p, j] + 1)
    blocked = np.zeros(cells, np.uint8)
    free = np.empty(ship_cells.shape[0], np.int64)
    for g in range(out.shape[0]):
        seed = draw_word(key, first_game + g)
        index = 0
        d = 0
        failures = 0
        while d < ships:
            if d == 0:
                blocked[:] = 0
            n = 0
            for p in range(slots[d, 0], slots[d, 1]):
                fits = True
                for j in range(ship_cells.shape[1]):
                    cell = ship_cells[p, j]
                    if cell < 0:
                        break
                    if blocked[cell] == 1:
                        fits = False
                        break
                if fits:
                    free[n] = p
                    n += 1
            if n == 0:
                failures += 1
                if failures == MOST_FAILURES:
                    return 1
                d = 0
                continue
            share = (draw_word(seed, index) >> np.uint64(32)) * np.uint64(n)
            p = free[np.int64(share >> np.uint64(32))]
            index += 1
            out[g, d] = p
            for j in range(halo_cells.shape[1]):
                if halo_cells[p, j] < 0:
                    break
                blocked[halo_cells[p, j]] = 1
            d += 1
        for d in range(1, ships):  # equal ships by placement number
            p = out[g, d]
            e = d
            while e > 0 and out[g, e - 1] > p:
                out[g, e] = out[g, e - 1]
                e -= 1
            out[g, e] = p
    return 0


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

    def take(self, first: int, stop: int) -> Ships:
        """Layouts of these games."""
        return _cycled(_shuffled(self.position, self.seed), first, stop)


@dataclass(frozen=True, eq=False)
class Given(LayoutSource):
    """A list of layouts, over and over."""

    position: Position
    ships: Ships = field(repr=False)

    @property
    def listed(self) -> int:
        """Number of layouts."""
        return len(self.ships)

    def take(self, first: int, stop: int) -> Ships:
        """Layouts of these games."""
        return _cycled(self.ships, first, stop)


def _cycled(ships: Ships, first: int, stop: int) -> Ships:
    return np.ascontiguousarray(ships[np.arange(first, stop) % len(ships)])


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
            fitting_ships(position, np.array([row], dtype=np.uint16))
        except SeabattleError as error:
            raise LayoutError(f"{path}, line {number}: {error}") from None
        rows.append(row)
    if not rows:
        raise LayoutError(f"{path} has no layout; write one per line, as in A1:A3 C1 C3")
    return Given(position, np.array(rows, dtype=np.uint16))


def worst_layouts(player: PlayerLike, position: Position) -> tuple[Given, int]:
    """The layouts that cost a player the most shots, found by playing all of them.

    Parameters
    ----------
    player
        A player without chance, as ``find_player`` takes it.
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
    >>> from seabattle.enumerate.rules import Rules
    >>> source, shots = worst_layouts("density", Position(Rules("3x3", "3,1,1", answers="sunk")))
    >>> source.listed, shots
    (4, 5)
    """
    entrant = find_player(player)
    if entrant.made.uses_chance or entrant.made.learns:
        raise PlayerError(
            f"layouts 'worst-for {entrant.name}': {entrant.name} plays by chance, so no layout is "
            f"its worst; take a player that always plays a layout the same way"
        )
    source = All(position)
    ships = source.take(0, source.listed)
    shots = make_player(entrant, position).play_all(ships, start=position)
    most = int(shots.max())
    return Given(position, np.ascontiguousarray(ships[shots == most])), most


def layout_source(text: str, position: Position, seed: int = 0) -> LayoutSource:
    """The source that a text names: see the module's text.

    Raises
    ------
    PlayerError, PositionError, TooLargeError, LayoutError, FileAccessError
        If it cannot be had.
    """
    names = ", ".join([*_SOURCES, *SHIPPED, f"{_PRIOR} FILE", f"{_WORST_FOR} PLAYER"])
    name = text.strip()
    if not name:
        raise PlayerError(f"layouts: name {names} or a file")
    if name in _SOURCES:
        source: LayoutSource = load(_SOURCES[name])(position, seed)
        return source
    if name in SHIPPED or name.split(maxsplit=1)[0] == _PRIOR:
        prior = name if name in SHIPPED else name.removeprefix(_PRIOR).strip()
        if not prior:
            raise PlayerError(f"layouts {text!r}: name a prior, as in 'prior mine.json'")
        return ByPrior(position, seed, require_prior(prior, position.rules))
    if name.startswith(_WORST_FOR):
        player = name.removeprefix(_WORST_FOR).strip(" :")
        if not player:
            raise PlayerError(f"layouts {text!r}: name a player, as in 'worst-for density'")
        return worst_layouts(player, position)[0]
    if not os.path.exists(name):  # False for what cannot be a name, too
        raise FileAccessError(f"layouts {quoted(text)}: neither {names} nor a file that exists")
    return read_layouts(name, position)
