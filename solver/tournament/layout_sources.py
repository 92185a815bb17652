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
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.core.library import core
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import (
    FileAccessError,
    LayoutError,
    PlayerError,
    PositionError,
    Stop,
    TooLargeError,
    quoted,
)
from seabattle.enumerate.files import read_text
from seabattle.enumerate.layouts import fitting, fleet_does_not_fit
from seabattle.enumerate.memory import usual_limit
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.files import SHIPPED, require_prior
from seabattle.enumerate.priors.prior import Prior, at, filled_lines, read_layouts
from seabattle.solver.players.batches import play_tables
from seabattle.solver.players.chance import draws, player_key
from seabattle.solver.players.exact_map import few_layouts
from seabattle.solver.players.registry import PlayerLike, find_player, make_player

if TYPE_CHECKING:
    from seabattle.solver.equilibrium.mixed_solution import Equilibrium

MOST_LISTED = 2_000_000
"""Games with at most so many layouts have them listed in memory."""

MOST_FAILURES = 100_000
"""How often a layout is begun anew, when ships are placed one after another, before that is given
up."""

_SAMPLED_TOGETHER = 10_000

Ships = NDArray[np.uint16]
"""Placement numbers of layouts: ``(layouts, ships)``."""


class LayoutSource(ABC):
    """Layouts of the games of a tournament.

    The class of a source that is asked for by name is called with a position and a seed.

    Attributes
    ----------
    position
        What the players know before the first shot; every layout fits it.
    listed
        Number of layouts when they are a list that is played through, else None.
    complete
        Whether the list is every layout of the game once.
    """

    position: Position
    listed: int | None = None
    complete: bool = False

    @property
    def equally_likely(self) -> bool:
        """Whether each layout that fits the position is as likely as any other in every game."""
        return self.complete

    @abstractmethod
    def take(self, first: int, stop: int) -> Ships:
        """Layouts of games ``first`` to ``stop - 1``."""


@lru_cache(maxsize=4)
def _listed(position: Position) -> Ships | None:
    """All layouts that fit, where the game has few."""
    layouts = few_layouts(position.rules, MOST_LISTED)
    return None if layouts is None else layouts.ships[fitting(position, layouts) == 1]


@lru_cache(maxsize=8)
def _sampled(position: Position, prior: Prior | None, seed: int, part: int) -> Ships:
    generator = np.random.default_rng([seed, part])
    sample = _counter(position, prior).sample(_SAMPLED_TOGETHER, generator)
    return np.asarray(sample, dtype=np.uint16)


@lru_cache(maxsize=2)
def _counter(position: Position, prior: Prior | None) -> Counter:
    return Counter(position, prior=prior, memory_limit=usual_limit())


@dataclass(frozen=True)
class Drawn(LayoutSource):
    """Layouts drawn by a prior, with None every layout that fits the position equally likely."""

    position: Position
    seed: int = 0
    prior: Prior | None = None

    @property
    def equally_likely(self) -> bool:
        """Whether no prior says otherwise."""
        return self.prior is None

    def take(self, first: int, stop: int) -> Ships:
        """Layouts of these games."""
        listed = _listed(self.position) if self.prior is None else None
        if listed is not None:
            key = player_key(self.seed, "layouts uniform")
            return listed[[number * len(listed) >> 64 for number in draws(key, first, stop)]]
        parts = range(first // _SAMPLED_TOGETHER, (stop - 1) // _SAMPLED_TOGETHER + 1)
        found = [_sampled(self.position, self.prior, self.seed, part) for part in parts]
        skipped = first - parts[0] * _SAMPLED_TOGETHER
        return np.concatenate(found)[skipped : skipped + stop - first]


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
        slots = np.array(placement_table(rules).slots, dtype=np.int64)
        key = player_key(self.seed, "layouts sequential")
        found = np.empty((stop - first, len(slots)), dtype=np.uint16)
        memory = np.empty(len(placement_table(rules)), dtype=np.uint8)
        if core().draw_layouts(
            play_tables(rules).placements, slots, key, first, MOST_FAILURES, found, memory
        ):
            raise fleet_does_not_fit(rules)
        return np.sort(found, axis=1)  # equal ships by number


@dataclass(frozen=True, eq=False)
class Mixed(LayoutSource):
    """Layouts drawn from the hiding mix of the solved game."""

    position: Position
    seed: int
    solved: Equilibrium = field(repr=False)

    @classmethod
    def of(cls, position: Position, seed: int, stop: Stop) -> Mixed:
        """The source of a game, which is solved for it.

        Raises
        ------
        PositionError
            If the mixes are out of reach; says why.
        """
        from seabattle.solver.equilibrium.mixed_player import mixes_of, why_not_mixed

        reason = why_not_mixed(position)
        if reason:
            raise PositionError(f"layouts 'equilibrium' of {position.rules}: {reason}")
        return cls(position, seed, mixes_of(position.rules, stop))

    def take(self, first: int, stop: int) -> Ships:
        """Layouts of these games."""
        sums = list(accumulate(self.solved.hiding))
        key = player_key(self.seed, "layouts equilibrium")
        rows = [bisect_right(sums, word * sums[-1] >> 64) for word in draws(key, first, stop)]
        return np.ascontiguousarray(self.solved.layouts.ships[rows])


class Listed(LayoutSource):
    """A list of layouts, over and over."""

    def __init__(self, position: Position, ships: Ships, *, complete: bool = False) -> None:
        self.position, self.ships = position, ships
        self.listed, self.complete = len(ships), complete

    def take(self, first: int, stop: int) -> Ships:
        """Layouts of these games."""
        return self.ships[np.arange(first, stop) % len(self.ships)]


def all_layouts(position: Position, seed: int = 0) -> Listed:
    """Every layout that fits the position in a random order.

    The order of enumeration would let a player that learns foresee the next layout.

    Raises
    ------
    TooLargeError
        If the game has more than ``MOST_LISTED``.
    """
    ships = _listed(position)
    if ships is None:
        rules = position.rules
        raise TooLargeError(
            f"layouts 'all': {rules.board} with {rules.fleet} has more than {MOST_LISTED:,} "
            f"layouts; take 'uniform', or a smaller board"
        )
    order = np.random.default_rng([seed, len(ships)]).permutation(len(ships))
    return Listed(position, ships[order], complete=True)


def load_layouts(path: str | Path, position: Position) -> Listed:
    """Layouts of a file, one per line, ships joined by blanks or commas.

    Raises
    ------
    FileAccessError
        If the file cannot be read.
    LayoutError
        If there is none.
    WeightsError
        If a line is not a layout of the game or does not fit the position; names the line.
    """
    lines = filled_lines(read_text(path), str(path))
    if not lines:
        raise LayoutError(f"{path} has no layout; write one per line, as in A1:A3 C1 C3")
    ships = np.array(read_layouts(position.rules, lines), dtype=np.uint16)
    for (place, _), row in zip(lines, ships, strict=True):
        with at(place):
            fitting(position, row[None])
    return Listed(position, ships)


def worst_layouts(player: PlayerLike, position: Position) -> Listed:
    """The layouts that cost a player the most shots, found by playing all of them.

    Parameters
    ----------
    player
        A player without chance, as ``find_player`` takes it.
    position
        Rules, and the position the games start from.

    Returns
    -------
    Listed
        These layouts.

    Raises
    ------
    PlayerError
        If the player uses chance, so that no layout is always worst for it.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> worst_layouts("density", Position(Rules("3x3", "3,1,1", answers="sunk"))).listed
    4
    """
    entrant = find_player(player)
    if entrant.made.uses_chance or entrant.made.learns:
        raise PlayerError(
            f"layouts 'worst-for {entrant.name}': {entrant.name} plays by chance, so no layout is "
            f"its worst; take a player that always plays a layout the same way"
        )
    ships = all_layouts(position).ships
    shots = make_player(entrant, position).play_all(ships, start=position)
    return Listed(position, ships[shots == shots.max()])


def layout_source(
    text: str, position: Position, seed: int = 0, stop: Stop = lambda: False
) -> LayoutSource:
    """The source that a text names: see the module's text.

    Raises
    ------
    PlayerError, PositionError, TooLargeError, LayoutError, WeightsError, FileAccessError
        If it cannot be had.
    KeyboardInterrupt
        When ``stop``, asked now and then while the game is solved, says yes.
    """
    name = text.strip()
    ways: dict[str, Callable[[Position, int], LayoutSource]] = {
        "uniform": Drawn,
        "sequential": Sequential,
        "all": all_layouts,
        "equilibrium": partial(Mixed.of, stop=stop),
    }
    if name in ways:
        return ways[name](position, seed)
    if name in SHIPPED or name.startswith("prior "):
        prior = name.removeprefix("prior ").strip()
        return Drawn(position, seed, require_prior(prior, position.rules))
    if name.startswith("worst-for "):
        return worst_layouts(name.removeprefix("worst-for "), position)
    if not os.path.exists(name):  # False for what cannot be a name, too
        names = ", ".join([*ways, *SHIPPED, "prior FILE", "worst-for PLAYER"])
        raise FileAccessError(f"layouts {quoted(text)}: neither {names} nor a file that exists")
    return load_layouts(name, position)
