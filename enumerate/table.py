"""The decision table: layouts x cells, X where a layout occupies a cell.

Rows are layouts (all of them, or those still possible in a position), columns are cells. The rows
are one block of memory, uint64 ``(n_layouts, words)`` with bit ``cell`` of the low word first; a
row or column as a ``bitarray`` is a view of that memory, and the core reads the same memory.

Shooting a cell crosses out the rows that contradict the answer: ``shoot`` returns the sub-table
that is left, ``at`` that of any position of the game. A table knows its position, and the weights
of all layouts of the game, its *prior*. Where ships may touch, different layouts can occupy the
same cells; ``occupancies`` merges such rows and adds up their weights, which are whole numbers, so
that totals are exact, or an empty array when all are 1.

A function that needs a game takes a ``Game`` and nothing else about it: rules are a game at its
beginning, a position is one in progress, a decision table its layouts.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
from bitarray import bitarray
from numpy.typing import NDArray

from seabattle.enumerate.errors import PositionError, WeightsError
from seabattle.enumerate.layouts import (
    DEFAULT_MEMORY_GIB,
    Layouts,
    Progress,
    cell_counts,
    enumerate_layouts,
    fitting,
)
from seabattle.enumerate.picture import html_table
from seabattle.enumerate.position import Position, require_position
from seabattle.enumerate.priors.prior import MAX_TOTAL, Prior
from seabattle.enumerate.rules import AnswerMode, AnswerName, Contact, Rules

ROWS_SHOWN = 10
"""Number of rows that a notebook shows."""

UNIFORM = np.empty(0, dtype=np.int64)
"""The weights of layouts that all weigh 1."""


def check_weights(
    weights: NDArray[np.int64], rows: int, cells: int, *, listed: bool = False
) -> NDArray[np.int64]:
    """Weights as int64 ``(rows,)``; where all are 1, an array of length 0 unless ``listed``.

    Raises
    ------
    WeightsError
        If the number is wrong, one is negative or not a whole number, all are zero, or the sum is
        too large to add up misses exactly.
    """
    given = np.asarray(weights)
    if given.shape != (rows,):
        raise WeightsError(f"weights: {given.size} given for {rows} layouts; give one per layout")
    numbers = given.dtype.kind in "iuf" and (given >= 0).all() and np.isfinite(given).all()
    numbers = numbers and (given % 1 == 0).all()
    if not numbers or not given.any():
        raise WeightsError("weights: give whole numbers from 0 on, at least one of them above 0")
    total = given.sum(dtype=np.float64)
    if total * cells >= MAX_TOTAL:
        raise WeightsError(
            f"weights: their sum {total:.0f} is too large for exact totals on {cells} cells; "
            f"keep it below {MAX_TOTAL // cells}"
        )
    if (given == 1).all() and not listed:
        return UNIFORM
    return np.ascontiguousarray(given.astype(np.int64))


class DecisionTable:
    """The layouts of a game with their weights: layouts x cells. Those that weigh 0 are left out.

    Parameters
    ----------
    layouts
        All layouts of the game.
    weights
        One for each of the layouts, whole numbers from 0 on; all 1 by default.
    position
        What is known: layouts that do not fit are left out. The beginning of the game by default.
    listed
        Whether the layouts are some of the game's: then weights of 1 are weights, too.

    Attributes
    ----------
    layouts
        What the rows come from: all layouts of the game, but for some that weigh 0.
    index
        int64 ``(n_layouts,)``: number in ``layouts`` of each row.
    masks
        uint64 ``(n_layouts, words)``: the rows, read-only.
    weights
        int64 ``(n_layouts,)``, all above 0; or length 0 when every layout of the game weighs 1.
    prior
        The same for all of ``layouts``, also those that are crossed out.
    rounding
        Total variation distance between the prior that the table was built with and these whole
        numbers; 0 when they are exact. See ``WholeWeights``.
    position
        The game in progress whose layouts these are.
    is_partial
        Whether ``layouts`` are only those that fit a position (``of_fitting``).

    Raises
    ------
    PositionError
        If no layout fits the position.
    WeightsError
        If the weights are negative, not whole numbers, or too large, or all that fit weigh 0.
    FleetError
        If the cells of a layout do not say which ship lies where, see ``Fleet.shares_cells``.

    Examples
    --------
    >>> table = DecisionTable.build(Rules("3x3", "3,1,1"))
    >>> print(table.text())
    A1 B1 C1 A2 B2 C2 A3 B3 C3
     X  X  X  .  .  .  X  .  X  A1:C1 A3 C3
     X  .  X  .  .  .  X  X  X  A3:C3 A1 C1
     X  .  X  X  .  .  X  .  X  A1:A3 C1 C3
     X  .  X  .  .  X  X  .  X  C1:C3 A1 A3
    >>> table.column_counts().tolist()
    [4, 1, 4, 1, 0, 1, 4, 1, 4]
    >>> table.shoot("B1", "miss")
    <decision table of 3 layouts x 9 cells: 3x3, fleet 3,1,1, contact none, answers hit; B1 miss>
    """

    def __init__(
        self,
        layouts: Layouts,
        weights: NDArray[np.int64] | None = None,
        position: Position | None = None,
        *,
        listed: bool = False,
    ) -> None:
        self.layouts = layouts
        self.rules = layouts.rules
        self.rules.fleet.require_told_by_cells("a decision table")
        self.position = Position(layouts.rules) if position is None else position
        self.prior: NDArray[np.int64] = UNIFORM
        self.is_partial = False
        self.rounding = Fraction(0)
        if weights is not None and np.size(weights):
            cells = self.rules.board.cells
            self.prior = check_weights(weights, len(layouts), cells, listed=listed)
        keep = fitting(self.position, layouts) > 0
        if len(self.prior):
            keep &= self.prior > 0
            if not keep.any():
                raise WeightsError("weights: every layout that fits what is known weighs 0")
        self.index: NDArray[np.int64] = np.flatnonzero(keep)
        self.weights = self.prior[self.index] if len(self.prior) else UNIFORM
        self.masks = layouts.masks if keep.all() else layouts.masks[self.index]
        self.masks.flags.writeable = False

    @classmethod
    def build(
        cls,
        game: Rules | Position | DecisionTable,
        *,
        memory_limit: float = DEFAULT_MEMORY_GIB,
        progress: Progress | None = None,
        prior: Prior | NDArray[np.int64] | None = None,
        bytes_each: int = 0,
    ) -> DecisionTable:
        """Table of the layouts of a game.

        Parameters
        ----------
        game
            Rules, for all layouts; a position, for those that fit it; or a table, whose layouts
            are not enumerated again.
        memory_limit
            GiB that the layouts may take.
        progress
            Called with the number of layouts found so far.
        prior
            How likely each layout is: a prior, as ``load_prior`` reads it, or whole numbers, one
            for each of all layouts of the rules. All are equally likely by default.
        bytes_each
            Bytes that each layout will take with what is made of it, as in ``enumerate_layouts``.

        Raises
        ------
        PositionError
            If no layout fits the position.
        FleetError, TooLargeError
            If there is no layout at all, or too many; see ``enumerate_layouts``.
        WeightsError
            If the weights are wrong, the prior is of another game, or every layout that fits
            weighs 0.

        Examples
        --------
        >>> position = Position(Rules("3x3", "3,1,1")).shoot("B1", "miss")
        >>> len(DecisionTable.build(position.rules)), len(DecisionTable.build(position))
        (4, 3)
        """
        if isinstance(game, DecisionTable):
            return game if prior is None else cls._weighed(game.layouts, prior).at(game.position)
        enumerated = prior.possible_layouts if isinstance(prior, Prior) else enumerate_layouts
        layouts = enumerated(
            rules_of(game), memory_limit=memory_limit, progress=progress, bytes_each=bytes_each
        )
        return cls._weighed(layouts, prior).at(position_of(game))

    @classmethod
    def of_fitting(
        cls,
        position: Position,
        ships: NDArray[np.uint16],
        prior: Prior | NDArray[np.int64] | None = None,
    ) -> DecisionTable:
        """The table of the layouts that fit a position, where they alone are listed.

        It knows nothing of layouts that the position has ruled out: ``at`` takes positions that
        follow from its own.

        Parameters
        ----------
        position
            What is known.
        ships
            uint16 ``(n_layouts, n_ships)``: all layouts that fit, as ``Counter.layouts`` lists
            them.
        prior
            How likely they are, or whole numbers, one for each; all equally likely by default.
        """
        table = cls._weighed(Layouts(position.rules, ships), prior).at(position)
        table.is_partial = True
        return table

    @classmethod
    def _weighed(cls, layouts: Layouts, prior: Prior | NDArray[np.int64] | None) -> DecisionTable:
        """The table of all layouts under a prior, if there is one.

        Raises
        ------
        WeightsError
            As for ``build``.
        """
        if isinstance(prior, Prior):
            whole = prior.whole_weights(layouts)
            table = cls(layouts, whole.weights, listed=prior.rules_out)
            table.rounding = whole.error
            return table
        return cls(layouts, prior)

    def answering(self, answers: AnswerMode | AnswerName) -> DecisionTable:
        """The same layouts for another answer mode.

        Raises
        ------
        PositionError
            If the position has a hit, which is answered differently in each mode.
        """
        rules = self.rules.answering(answers)
        if rules == self.rules:
            return self
        if self.position.hit_mask:
            raise PositionError(f"a hit is answered differently with answers {rules.answers.value}")
        layouts = Layouts(rules, self.layouts.ships)
        return self._of(layouts, replace(self.position, rules=rules))

    def _of(self, layouts: Layouts, position: Position) -> DecisionTable:
        """The table of these layouts and a position, with this prior."""
        table = DecisionTable(layouts, self.prior, position, listed=True)
        table.is_partial, table.rounding = self.is_partial, self.rounding
        return table

    def __len__(self) -> int:
        return int(self.masks.shape[0])

    def __repr__(self) -> str:
        known = f"; {self.position.words}" if self.position.shots else ""
        weights = f", weight {self.total_weight:,}" if len(self.weights) else ""
        return (
            f"<decision table of {len(self):,} layouts x {self.rules.board.cells} cells{weights}: "
            f"{self.rules}{known}>"
        )

    @property
    def total_weight(self) -> int:
        """Sum of the weights: the number of layouts when they are uniform."""
        return int(self.weights.sum()) if len(self.weights) else len(self)

    def row(self, number: int) -> bitarray:
        """One layout as a bitarray of ``cells`` bits."""
        return bitarray(buffer=self.masks[number], endian="little")[: self.rules.board.cells]

    def column(self, cell: int | str) -> bitarray:
        """One cell as a bitarray of ``n_layouts`` bits: which layouts occupy it.

        ``solver.search.reference`` searches on these columns; it is the place to start reading: a
        shot parts the layouts still possible by one ``&``.

        >>> table = DecisionTable.build(Rules("3x3", "3,1,1"))
        >>> possible = ~table.column("B1")  # after a miss at B1
        >>> possible, (possible & table.column("B3")).count()
        (bitarray('0111'), 1)
        """
        word, place = divmod(self.rules.board.cell(cell), 64)
        bits = (self.masks[:, word] >> np.uint64(place)).astype(np.uint8) & 1
        return bitarray(buffer=np.packbits(bits, bitorder="little"), endian="little")[: len(self)]

    def column_counts(self) -> NDArray[np.int64]:
        """Weight of the layouts that occupy each cell: int64 ``(cells,)``."""
        return cell_counts(self.rules, self.layouts.ships[self.index], self.weights)

    def shoot(self, cell: str | int, answer: str | int) -> DecisionTable:
        """Sub-table left after one more shot, in every answer mode.

        Parameters
        ----------
        cell, answer
            The shot and what was answered, as in ``Position.shoot``.

        Raises
        ------
        PositionError
            If no layout gives this answer after the earlier ones, or the cell has been shot.
        BoardError, RulesError
            As for ``Position.shoot``.
        WeightsError
            If every layout left weighs 0.

        Examples
        --------
        >>> table = DecisionTable.build(Rules("5x5", "3,2,2,1,1,1", answers="sunk"))
        >>> len(table.shoot("C3", "miss").shoot("A1", "sunk"))
        184
        """
        return self.at(self.position.shoot(cell, answer))

    def at(self, position: Position) -> DecisionTable:
        """Sub-table of the layouts that fit a position, whatever this table's own position.

        Raises
        ------
        PositionError
            If no layout fits the position, or it is of another game.
        WeightsError
            If every layout that fits weighs 0.
        """
        require_position(position, self.rules)
        return self if position == self.position else self._of(self.layouts, position)

    def occupancies(self) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
        """Distinct occupancies with the rows that share each.

        Returns
        -------
        masks
            uint64 ``(n_occupancies, words)``, in order of first appearance.
        weights
            int64 ``(n_occupancies,)``, sum of the weights; length 0 when all are 1.
        group
            int64 ``(n_layouts,)``: the occupancy of each row.
        """
        alone = self.masks, self.weights, np.arange(len(self), dtype=np.int64)
        contact, at_corners = self.rules.contact, self.rules.fleet.joined_at_corners
        if contact is Contact.NONE or (contact is Contact.CORNERS and not at_corners):
            return alone  # each group of occupied cells is one ship
        _, first, inverse = np.unique(self.masks, axis=0, return_index=True, return_inverse=True)
        if len(first) == len(self):
            return alone
        order = np.argsort(first)
        group = np.argsort(order)[inverse.reshape(-1)]
        # Floats count these exactly: all weights together are below MAX_TOTAL.
        weights = np.bincount(group, self.weights if len(self.weights) else None).astype(np.int64)
        return np.ascontiguousarray(self.masks[first[order]]), weights, group

    def _repr_html_(self) -> str:
        """The first rows, their ships and weights, and how often each cell is occupied."""
        cells, shown = range(self.rules.board.cells), min(len(self), ROWS_SHOWN)
        head = ["layout", *map(self.rules.board.name, cells)]
        rows = [
            [self._ships(number), *("X" if bit else "" for bit in self.row(number))]
            for number in range(shown)
        ]
        rows.append(["occupied in", *(f"{count:,}" for count in self.column_counts().tolist())])
        if len(self.weights):
            head.insert(1, "weight")
            weights = [*self.weights[:shown].tolist(), self.total_weight]
            for row, weight in zip(rows, weights, strict=True):
                row.insert(1, f"{weight:,}")
        more = len(self) - shown
        return html_table(
            head,
            rows,
            caption=f"Decision table: {len(self):,} layouts x {len(cells)} cells, {self.rules}",
            note=f"… and {more:,} more layouts" if more else "",
        )

    def _ships(self, number: int) -> str:
        """The ships of a row by name."""
        return " ".join(self.layouts.names(int(self.index[number])))

    def text(self, *, most: int = 200) -> str:
        """The table as X and . with the layout's ships beside each row; at most ``most`` rows."""
        shown = min(most, len(self))
        names = list(map(self.rules.board.name, range(self.rules.board.cells)))
        lines = [" ".join(names)]
        for number in range(shown):
            cells = zip(names, self.row(number), strict=True)
            marks = " ".join(".X"[bit].rjust(len(name)) for name, bit in cells)
            lines.append(f"{marks}  {self._ships(number)}")
        if len(self) > most:
            lines.append(f"... {len(self) - most} more layouts")
        return "\n".join(lines)


Game = Rules | Position | DecisionTable
"""A game at its beginning, in progress, or as its layouts with their weights."""


def rules_of(game: Game) -> Rules:
    """The rules of a game."""
    return game if isinstance(game, Rules) else game.rules


def position_of(game: Game) -> Position:
    """The position of a game; rules are a game at its beginning."""
    if isinstance(game, Position):
        return game
    return game.position if isinstance(game, DecisionTable) else Position(game)
