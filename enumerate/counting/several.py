"""One of several fleets: how many layouts fit, over all of them, and how likely each cell is.

The fleet hidden is one of some, and nobody knows which. Each layout of each fleet weighs the same,
and a fleet that is named twice counts twice. So numbers of layouts and maps are sums of those of a
``Counter`` for each fleet, and a layout is drawn by drawing its fleet by the layouts left. An
answer that a fleet cannot give leaves it none.

    counter = FleetsCounter(several_fleets("3,2|4,2|3,3", board="6x6", contact="sides"))
    counter.count(), counter.counts(), counter.map().best_shots
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.counting.sweep import Progress, random_numbers
from seabattle.enumerate.errors import FleetError, PositionError, within
from seabattle.enumerate.map import HeatMap
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import Game, position_of

BETWEEN = "|"
"""What stands between fleets as text."""


def several_fleets(fleets: str, **game: Any) -> tuple[Rules, ...]:
    """The games of several fleets as text, ``3,2|4,2``; the others fields as ``Rules`` takes them.

    >>> [str(rules.fleet) for rules in several_fleets("2,3|4,2", board="6x6")]
    ['3,2', '4,2']
    """
    return tuple(Rules(fleet=fleet, **game) for fleet in fleets.split(BETWEEN))


@dataclass(frozen=True, repr=False)
class FleetsMap(HeatMap):
    """The map over several fleets.

    Attributes
    ----------
    parts
        The maps of the fleets that have layouts left.
    of_fleets
        Every fleet as text, ``fleet``, and how many ``layouts`` it has left.
    """

    _: KW_ONLY
    parts: tuple[HeatMap, ...] = ()
    of_fleets: tuple[dict[str, Any], ...] = ()

    def document(self) -> dict[str, Any]:
        """The map as JSON.

        Fields
        ------
        fleets: of several fleets, each with the layouts it has left
        """
        whole = {
            "layouts": self.layouts,
            "labelled_layouts": self.labelled_layouts,
            "fleets": list(self.of_fleets),
        }
        return ({} if self.lengths else whole) | super().document()

    def __repr__(self) -> str:
        return f"<map of {self.layouts:,} layouts of {len(self.of_fleets)} fleets>"

    def facts(self) -> list[tuple[str, str]]:
        """The map as labels and texts, the game apart."""
        if self.lengths:
            return super().facts()
        told = [("layouts", f"{self.layouts:,}")]
        told += [(f"of {each['fleet']}", f"{each['layouts']:,}") for each in self.of_fleets]
        told.append(("identical ships told apart", f"{self.labelled_layouts:,}"))
        return told + super().facts()

    def of_length(self, *lengths: int) -> FleetsMap:
        """The map of the ships of some lengths alone, of the fleets that have such ships."""
        parts = []
        for part in self.parts:
            own = [length for length in lengths if length in part.position.rules.fleet.counts]
            if own:
                parts.append(part.of_length(*own))
        if not parts:
            raise FleetError(f"length {lengths[0]}: no fleet with layouts left has such a ship")
        shown = tuple(sorted(set(lengths), reverse=True))
        title = f"How likely a ship of length {' or '.join(map(str, shown))} occupies each cell"
        return replace(self, cells=_sums(parts), parts=(), lengths=shown, title=title)


def _sums(maps: Sequence[HeatMap]) -> tuple[float, ...]:
    return tuple(map(sum, zip(*(each.cells for each in maps), strict=True)))


class FleetsCounter:
    """Counts, maps and samples the layouts of one of several fleets.

    Parameters
    ----------
    games
        Rules or positions on one board that differ in their fleets.
    memory_limit, progress
        As for ``Counter``.

    Raises
    ------
    FleetError
        If there is no game, or they differ in more than their fleets.

    Examples
    --------
    >>> counter = FleetsCounter(several_fleets("2|1,1", board="1x4"))
    >>> counter.count(), counter.counts(), counter.map().rows
    (6, (3, 3), ((3, 3, 3, 3),))
    """

    def __init__(
        self,
        games: Sequence[Game],
        *,
        memory_limit: float = 4.0,
        progress: Progress | None = None,
    ) -> None:
        self.positions = tuple(map(position_of, games))
        if not self.positions:
            raise FleetError("several fleets: give one at least")
        same = {replace(p.rules, fleet=self.positions[0].rules.fleet) for p in self.positions}
        if len(same) > 1 or len({p.shots for p in self.positions}) > 1:
            raise FleetError("several fleets: board, rules and what is known must be the same")
        self.counters = [
            Counter(position, memory_limit=memory_limit, progress=progress)
            for position in self.positions
        ]

    def __repr__(self) -> str:
        return f"FleetsCounter({list(self.positions)!r})"

    @cached_property
    def _counts(self) -> tuple[int, ...]:
        found = []
        for counter in self.counters:
            try:
                found.append(counter.count())
            except PositionError:
                found.append(0)
        return tuple(found)

    def counts(self) -> tuple[int, ...]:
        """Number of layouts of each fleet that fit."""
        return self._counts

    def _left(self) -> list[tuple[Counter, int]]:
        """The counters of the fleets that have layouts left, with how many."""
        return [each for each in zip(self.counters, self._counts, strict=True) if each[1]]

    def parts(self) -> list[dict[str, Any]]:
        """Each fleet as text with its number of layouts, as JSON."""
        counted = zip(self.positions, self.counts(), strict=True)
        return [{"fleet": str(p.rules.fleet), "layouts": layouts} for p, layouts in counted]

    def count(self) -> int:
        """Number of layouts of all fleets that fit.

        Raises
        ------
        PositionError, FleetError
            If no layout of any fleet fits.
        """
        total = sum(self.counts())
        if not total:
            self.counters[0].chances()  # raises what is wrong with the first
        return total

    def labelled(self) -> int:
        """The same with identical ships told apart that are not known to be sunk."""
        return sum(counter.labelled(layouts) for counter, layouts in self._left())

    def map(self) -> FleetsMap:
        """Occupancy of every cell, over all fleets.

        Raises
        ------
        PositionError, FleetError
            If no layout of any fleet fits.
        """
        total = self.count()
        parts = tuple(counter.map() for counter, _ in self._left())
        return FleetsMap(
            self.positions[0], total, _sums(parts), parts=parts, of_fleets=tuple(self.parts()),
            labelled_layouts=sum(part.labelled_layouts for part in parts),
        )  # fmt: skip

    def sample(self, count: int, seed: int | np.random.Generator = 0) -> list[list[str]]:
        """Layouts drawn independently, all of all fleets equally likely: their ships by name.

        Raises
        ------
        PositionError, FleetError
            If no layout of any fleet fits.
        """
        number, total = within("count", count, 0), self.count()
        rng = seed if isinstance(seed, np.random.Generator) else np.random.default_rng(seed)
        ends = np.cumsum(np.array(self.counts(), dtype=object))
        ranks = random_numbers(number, total, rng)
        chosen = [int(np.searchsorted(ends, rank, side="right")) for rank in ranks]
        drawn = {
            which: iter(self.counters[which].sample(times, rng).tolist())
            for which, times in sorted(Tally(chosen).items())
        }
        tables = [placement_table(position.rules) for position in self.positions]
        return [tables[which].names(next(drawn[which])) for which in chosen]
