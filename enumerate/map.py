"""The map of a count: a number for each cell of the board, and what the numbers mean.

``OccupancyMap`` holds whole numbers: how many layouts there are, and how many of them occupy each
cell. Under a prior ``ChanceMap`` holds how likely each cell is to be occupied. ``of_length`` gives
the map of the ships of one length alone, a ``ShipMap``: where can the ship of length 4 be? All have
the same best cells, chances, arrays (``np.asarray(map)``), facts and pictures.

Two ships of one length never share a cell. So the number of layouts in which such a ship occupies a
cell is the sum, over the placements that cover the cell, of the number of layouts that have the
placement. The map of all ships already holds these numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import is_miss
from seabattle.enumerate.deductions import answers_in_words
from seabattle.enumerate.errors import FleetError, quoted
from seabattle.enumerate.picture import map_html, sunk_mask
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.words import first_of, percent_text

ALIKE = 1e-9
"""Chances whose relative difference is at most this count as equal."""

SURE = 1e-11
"""A chance this close to 1 counts as 1; rounding errors are smaller."""

MOST_NAMED = 12
"""Likeliest cells that are named one by one."""

WHOLE = 10**15
"""Chances are rounded to multiples of 1 / WHOLE where they are shown as whole numbers."""


def ship_length(rules: Rules, length: int) -> int:
    """A length, when the fleet has such a ship.

    Raises
    ------
    FleetError
        If it has none.
    """
    if length not in rules.fleet.counts:
        raise FleetError(f"length {quoted(length)}: the fleet {rules.fleet} has no such ship")
    return int(length)


class Salvo(NamedTuple):
    """Shots of one turn by name, and the hits to expect of them."""

    cells: tuple[str, ...]
    hits: float

    def document(self) -> dict[str, Any]:
        """What a map or advice adds for a turn of several shots.

        Fields
        ------
        salvo: with --salvo: the cells of a turn with the most hits to expect, likeliest first
        salvo_hits: with --salvo: how many hits to expect of it
        """
        return {"salvo": list(self.cells), "salvo_hits": self.hits}

    def facts(self) -> list[tuple[str, str]]:
        """The same as labels and texts."""
        return [("salvo", f"{' '.join(self.cells) or 'none'}: {self.hits:.2f} hits to expect")]


@dataclass(frozen=True, repr=False)
class CellMap:
    """A number for each cell of a position's board.

    Attributes
    ----------
    position
        What is known.
    layouts
        Number of layouts that fit the answers, exact, those of weight 0 included.
    cells
        The numbers by cell number: whole numbers of layouts, or chances from 0 to 1.
    """

    position: Position
    layouts: int
    cells: tuple[float, ...]

    @property
    def title(self) -> str:
        """What the map shows, in words."""
        return "How likely each cell is occupied"

    @property
    def prior_name(self) -> str:
        """How the prior is called; empty when all layouts are equally likely."""
        return ""

    @property
    def counts_layouts(self) -> bool:
        """Whether the numbers are whole numbers of layouts, not chances."""
        return False

    def document(self) -> dict[str, Any]:
        """How likely each cell is occupied, as JSON."""
        raise NotImplementedError

    def likeliest(self, numbers: Sequence[float]) -> tuple[int, ...]:
        """Of numbers like those of the map, one per cell, where the greatest not shot are."""
        shot = self.position.shot_mask
        left = {cell: number for cell, number in enumerate(numbers) if not shot >> cell & 1}
        most = max(left.values(), default=0)
        least = most if self.counts_layouts else most * (1 - ALIKE)
        return tuple(cell for cell, number in left.items() if number >= least and number > 0)

    def share_of(self, number: float) -> tuple[int, int]:
        """A number like those of the map as part and whole.

        The whole of a chance is ``WHOLE``. Only an impossible cell gets 0 of it, and only a certain
        one all.
        """
        if self.counts_layouts:
            return int(number), self.layouts
        if number <= 0:
            return 0, WHOLE
        if number >= 1 - SURE:
            return WHOLE, WHOLE
        return min(max(round(number * WHOLE), 1), WHOLE - 1), WHOLE

    _called = "map of"

    @property
    def rows(self) -> tuple[tuple[float, ...], ...]:
        """The numbers of the cells by rows, top row first."""
        columns = self.position.rules.board.columns
        starts = range(0, len(self.cells), columns)
        return tuple(self.cells[at : at + columns] for at in starts)

    @property
    def best_cells(self) -> tuple[int, ...]:
        """Numbers of the likeliest cells among those not shot, in reading order."""
        return self.likeliest(self.cells)

    @property
    def best_shots(self) -> tuple[str, ...]:
        """The same cells by name."""
        return tuple(map(self.position.rules.board.name, self.best_cells))

    def salvo(self, shots: int) -> Salvo:
        """The shots of one turn with the most hits to expect: the likeliest cells, in order.

        Shots of a turn are chosen before any is answered, so the hits to expect add up, whatever
        the others are.

        >>> from seabattle.enumerate.counting.counter import Counter
        >>> from seabattle.enumerate.rules import Rules
        >>> Counter(Rules("3x3", "3,1,1")).map().salvo(5)
        Salvo(cells=('A1', 'C1', 'A3', 'C3', 'B1'), hits=4.25)
        """
        position, cells = self.position, self.cells
        left = [c for c, count in enumerate(cells) if count and not position.shot_mask >> c & 1]
        chosen = sorted(left, key=lambda cell: (-cells[cell], cell))[:shots]
        hits = sum(Fraction(*self.share(cell)) for cell in chosen)
        return Salvo(tuple(map(position.rules.board.name, chosen)), float(hits))

    @property
    def certain_cells(self) -> tuple[int, ...]:
        """Numbers of the cells that are occupied in every layout."""
        parts = map(self.share_of, self.cells)
        return tuple(cell for cell, (part, whole) in enumerate(parts) if part == whole)

    def share(self, cell: str | int) -> tuple[int, int]:
        """The chance of a cell as part and whole."""
        return self.share_of(self.cells[self.position.rules.board.cell(cell)])

    def chance(self, cell: str | int) -> Fraction | float:
        """Probability that a cell, given by name or number, is occupied; exact without a prior.

        >>> from seabattle.enumerate.counting.counter import Counter
        >>> from seabattle.enumerate.rules import Rules
        >>> found = Counter(Rules("3x3", "3,1,1")).map()
        >>> found.chance("B1"), found.of_length(3).chance("A1")
        (Fraction(1, 4), Fraction(1, 2))
        """
        found = self.cells[self.position.rules.board.cell(cell)]
        return Fraction(found, self.layouts) if isinstance(found, int) else found

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """The numbers as an array ``(rows, columns)``; whole numbers of any size as objects."""
        exact = any(isinstance(count, int) and count >= 1 << 63 for count in self.cells)
        found = np.array(self.rows, dtype=object if exact else None)
        return found if dtype is None else found.astype(dtype)

    _best_called = "likeliest cells"

    def facts(self) -> list[tuple[str, str]]:
        """The map as labels and texts, the game apart."""
        if not self.best_cells:
            return []
        chance = percent_text(*self.share(self.best_cells[0]), decimals=2)
        return [(self._best_called, f"{first_of(self.best_shots, MOST_NAMED)}: {chance} %")]

    def text(self) -> str:
        """The chances in percent as a board of text."""
        return self.position.rules.board.grid(
            percent_text(*self.share_of(count)) for count in self.cells
        )

    def __repr__(self) -> str:
        answers = f"; {answers_in_words(self.position)}" if self.position.shots else ""
        layouts = f" {self.layouts:,} layouts" if self.layouts else ""
        under = f" under prior {self.prior_name}" if self.prior_name else ""
        return f"<{self._called}{layouts}{under}: {self.position.rules}{answers}>"

    def _repr_html_(self) -> str:
        parts = [self.share_of(count) for count in self.cells]
        under = f" under prior {self.prior_name}" if self.prior_name else ""
        caption = (
            f"{self.position.rules}: {self.layouts:,} layouts{under}. {self.title}, in percent"
        )
        sunk = sunk_mask(self.position.rules, self.position.shots)
        shots = {
            cell: "X" if sunk >> cell & 1 else "." if is_miss(code) else "x"
            for cell, code in self.position.shots
        }
        numbers, board = [part for part, _ in parts], self.position.rules.board
        return map_html(
            board, numbers, parts[0][1], shots=shots, best=self.best_cells, caption=caption
        )


@dataclass(frozen=True, repr=False)
class WholeMap(CellMap):
    """A map of all ships, which knows how likely each placement is.

    Attributes
    ----------
    labelled_layouts
        The number of layouts with identical ships distinguished, except those known to be sunk.
    placements
        For each placement of the rules' placement table, the number of layouts that have it, or
        the chance that a ship lies there.
    """

    labelled_layouts: int
    placements: tuple[float, ...]

    def facts(self) -> list[tuple[str, str]]:
        """The map as labels and texts, the game apart."""
        return [
            ("layouts", f"{self.layouts:,}"),
            ("identical ships told apart", f"{self.labelled_layouts:,}"),
            *([("prior", self.prior_name)] if self.prior_name else []),
            *super().facts(),
        ]

    def of_length(self, length: int) -> ShipMap:
        """The map of the ships of one length alone: where one occupies each cell.

        Raises
        ------
        FleetError
            If the fleet has no such ship.

        Examples
        --------
        >>> from seabattle.enumerate.counting.counter import Counter
        >>> from seabattle.enumerate.rules import Rules
        >>> Counter(Rules("3x3", "3,1,1")).map().of_length(3).rows
        ((2, 1, 2), (1, 0, 1), (2, 1, 2))
        """
        rules, length = self.position.rules, ship_length(self.position.rules, length)
        table = placement_table(rules)
        ships = zip(table.placements, self.placements, strict=True)
        found = table.over_cells(n if ship.length == length else 0 for ship, n in ships)
        # Rounding may bring a certain ship to a little more than 1.
        sums = [sum(n) if self.counts_layouts else min(fsum(n), 1.0) for n in found]
        return ShipMap(self.position, self.layouts, tuple(sums), self, length)


@dataclass(frozen=True, repr=False)
class OccupancyMap(WholeMap):
    """How many layouts there are, and how many of them occupy each cell.

    Attributes
    ----------
    states
        For each row of the sweep, how many pairs (profile, ships used) are met at its end.
    """

    states: tuple[int, ...]
    cells: tuple[int, ...]
    placements: tuple[int, ...]
    _called = "occupancy map of"

    @property
    def occupancy(self) -> tuple[tuple[int, ...], ...]:
        """Rows of integers, top row first: layouts that occupy the cell."""
        return self.rows  # type: ignore[return-value]

    @property
    def counts_layouts(self) -> bool:
        """Whether the numbers are whole numbers of layouts, not chances."""
        return True

    def document(self) -> dict[str, Any]:
        """How likely each cell is occupied, as JSON.

        Fields
        ------
        occupancy: rows of whole numbers, top row first: layouts that occupy the cell
        """
        return {"occupancy": [list(row) for row in self.rows]}


@dataclass(frozen=True)
class Chances:
    """How likely every placement and every cell is, and the total weight of all layouts.

    Attributes
    ----------
    placements
        float64 ``(n_placements,)``: chance of each placement of the rules' placement table.
    cells
        float64 ``(n_cells,)``: chance of each cell to be occupied.
    log_weight
        Natural logarithm of the sum of the weights of all layouts that fit.
    error
        Bound on the relative error of a chance that is above 1e-300, and of the sum of weights.
    """

    placements: NDArray[np.float64]
    cells: NDArray[np.float64]
    log_weight: float
    error: float


@dataclass(frozen=True, repr=False)
class ChanceMap(WholeMap):
    """How likely each cell is to be occupied when a prior says how likely the layouts are.

    Attributes
    ----------
    prior
        How likely the layouts were before the first shot.
    log_weight
        Natural logarithm of the sum of the weights of all layouts that fit.
    error
        Bound on the relative error of a chance that is above 1e-300, and of the sum of weights.
    mass_seconds
        Time taken to compute the chances.
    count_seconds
        Time taken to compute the exact numbers of layouts.
    """

    prior: Prior | None
    log_weight: float
    error: float
    mass_seconds: float
    count_seconds: float
    _called = "chance map of"

    @property
    def chances(self) -> tuple[tuple[float, ...], ...]:
        """Rows of numbers from 0 to 1, top row first: chance of the cell to be occupied."""
        return self.rows

    @property
    def prior_name(self) -> str:
        """How the prior is called."""
        return "uniform" if self.prior is None else self.prior.name or "without a name"

    def document(self) -> dict[str, Any]:
        """How likely each cell is occupied, as JSON.

        Fields
        ------
        prior: how the prior is called
        chances: rows of numbers from 0 to 1, top row first: how likely the cell is occupied
        """
        return {"prior": self.prior_name, "chances": [list(row) for row in self.rows]}


@dataclass(frozen=True, repr=False)
class AloneMap(CellMap):
    """How likely each cell is occupied if ships are taken one by one, as if alone on the board.

    It stands for the map where a board is too large to be counted. It is not exact: ships do not
    keep each other away. It knows no number of layouts: they are 0.

    Attributes
    ----------
    exact_needs
        What the exact count would need, in words.
    """

    exact_needs: str
    labelled_layouts = 0
    _called = "map of ships taken one by one"

    @property
    def title(self) -> str:
        """What the map shows, in words."""
        return "How likely each cell is occupied, ships taken one by one"

    def document(self) -> dict[str, Any]:
        """The map as JSON.

        Fields
        ------
        approximate: that ships are taken one by one, and what the exact count would need
        chances: rows of numbers from 0 to 1, top row first
        """
        return {
            "approximate": f"ships taken one by one; exactly: {self.exact_needs}",
            "chances": [list(row) for row in self.rows],
        }

    def facts(self) -> list[tuple[str, str]]:
        """The map as labels and texts, the game apart."""
        facts = [("map", f"ships taken one by one, not exact; the exact one: {self.exact_needs}")]
        return [*facts, *super().facts()]


@dataclass(frozen=True, repr=False)
class ShipMap(CellMap):
    """How likely a ship of one length occupies each cell; sunk ships count, too.

    Made by ``of_length`` of an ``OccupancyMap`` or a ``ChanceMap``. It has no best cells when every
    such ship is known to be hit in all its cells.

    Attributes
    ----------
    whole
        The map of all ships.
    length
        Length of the ships shown.
    """

    whole: WholeMap
    length: int

    @property
    def prior_name(self) -> str:
        """How the prior is called; empty when all layouts are equally likely."""
        return self.whole.prior_name

    @property
    def title(self) -> str:
        """What the map shows, in words."""
        ship = "a ship" if self.position.rules.fleet.counts[self.length] > 1 else "the ship"
        return f"How likely {ship} of length {self.length} occupies each cell"

    @property
    def counts_layouts(self) -> bool:
        """Whether the numbers are whole numbers of layouts, not chances."""
        return self.whole.counts_layouts

    def document(self) -> dict[str, Any]:
        """The map as JSON: ``occupancy`` or ``chances`` as in that of all ships.

        Fields
        ------
        length: length of the ships shown
        occupancy: rows of whole numbers: layouts in which such a ship occupies the cell
        chances: under a prior, how likely such a ship occupies the cell
        best: the likeliest cells not shot
        """
        kind = "occupancy" if self.counts_layouts else "chances"
        rows = [list(row) for row in self.rows]
        return {"length": self.length, kind: rows, "best": list(self.best_shots)}

    @property
    def _called(self) -> str:  # type: ignore[override]
        return f"map of the ships of length {self.length} in"

    @property
    def _best_called(self) -> str:  # type: ignore[override]
        return f"likeliest for length {self.length}"
