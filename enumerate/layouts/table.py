"""The decision table: layouts x cells, X where a layout occupies a cell.

Rows are layouts (all of them, or those still possible in a position), columns are cells. The rows
are one block of memory, uint64 ``(n_layouts, words)`` with bit ``cell`` of the low word first; a
row or column as a ``bitarray`` is a view of that memory, and the kernels read the same memory.

Shooting a cell crosses out the rows that contradict the answer: ``restrict`` returns the
sub-table that is left. Where ships may touch, different layouts can occupy the same cells;
``occupancies`` merges such rows and adds up their weights.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from bitarray import bitarray
from numpy.typing import NDArray

from seabattle.enumerate.errors import PositionError, RulesError, WeightsError
from seabattle.enumerate.game.answers import HIT, MISS, answer_code
from seabattle.enumerate.game.board import cells_of
from seabattle.enumerate.game.placements import mask_words
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import AnswerMode, Contact, Rules
from seabattle.enumerate.layouts import _layout_kernels
from seabattle.enumerate.layouts.enumeration import (
    DEFAULT_MEMORY_GIB,
    Layouts,
    Progress,
    enumerate_layouts,
)

MAX_TOTAL = 1 << 41
"""Sum of weights x cells stays below this, so that totals fit in the search's packed words."""

_UNIFORM = np.empty(0, dtype=np.int64)


def check_weights(weights: NDArray[np.int64], rows: int, cells: int) -> NDArray[np.int64]:
    """Weights as int64 ``(rows,)``, or an array of length 0 when all are 1.

    Raises
    ------
    WeightsError
        If the number is wrong, one is negative or no whole number, all are zero, or the sum is
        too large to add up misses exactly.
    """
    given = np.asarray(weights)
    if given.shape != (rows,):
        raise WeightsError(f"weights: {given.size} given for {rows} layouts; give one per layout")
    if given.dtype.kind == "f" and not np.all(np.isfinite(given) & (given == np.floor(given))):
        raise WeightsError("weights: whole numbers are needed, so that totals stay exact")
    if given.dtype.kind not in "iuf":
        raise WeightsError("weights: whole numbers are needed")
    if (given < 0).any():
        raise WeightsError(f"weights: {int((given < 0).sum())} are negative; weights start at 0")
    if not given.any():
        raise WeightsError("weights: all are zero; at least one layout must be possible")
    total = sum(int(w) for w in given)
    if total * cells >= MAX_TOTAL:
        raise WeightsError(
            f"weights: their sum {total} is too large for exact totals on {cells} cells; "
            f"keep it below {MAX_TOTAL // cells}"
        )
    if (given == 1).all():
        return _UNIFORM
    return np.ascontiguousarray(given.astype(np.int64))


class DecisionTable:
    """Layouts x cells.

    Attributes
    ----------
    layouts
        The full enumeration the rows come from.
    index
        int64 ``(n_layouts,)``: number in ``layouts`` of each row.
    masks
        uint64 ``(n_layouts, words)``: the rows, read-only.
    weights
        int64 ``(n_layouts,)``, or length 0 when every layout weighs 1.

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
    >>> len(table.restrict("B1", "miss"))
    3
    """

    def __init__(
        self,
        layouts: Layouts,
        index: NDArray[np.int64] | None = None,
        weights: NDArray[np.int64] | None = None,
    ) -> None:
        self.layouts = layouts
        self.rules = layouts.rules
        self.index = np.arange(len(layouts), dtype=np.int64) if index is None else index
        masks = layouts.masks if index is None else np.ascontiguousarray(layouts.masks[index])
        masks.flags.writeable = False
        self.masks = masks
        self.weights = _UNIFORM
        if weights is not None and len(weights):
            self.weights = check_weights(weights, len(self.masks), self.rules.board.cells)

    @classmethod
    def build(
        cls,
        rules: Rules,
        *,
        memory_limit: float = DEFAULT_MEMORY_GIB,
        progress: Progress | None = None,
    ) -> DecisionTable:
        """Table of all layouts of a game; see ``enumerate_layouts`` for limits and errors."""
        return cls(enumerate_layouts(rules, memory_limit=memory_limit, progress=progress))

    def answering(self, answers: str) -> DecisionTable:
        """The same table for another answer mode; the memory is shared."""
        rules = self.rules.answering(answers)
        layouts = Layouts(rules, self.layouts.masks, self.layouts.ships)
        whole = len(self) == len(layouts)
        return DecisionTable(layouts, None if whole else self.index, self.weights)

    def __len__(self) -> int:
        return int(self.masks.shape[0])

    def __repr__(self) -> str:
        return f"<decision table of {len(self)} layouts x {self.rules.board.cells} cells>"

    @property
    def total_weight(self) -> int:
        """Sum of the weights: the number of layouts when they are uniform."""
        return int(self.weights.sum()) if len(self.weights) else len(self)

    def row(self, number: int) -> bitarray:
        """One layout as a bitarray of ``cells`` bits."""
        cells = self.rules.board.cells
        return bitarray(buffer=self.masks[number], endian="little")[:cells]

    @cached_property
    def column_words(self) -> NDArray[np.uint64]:
        """Columns as uint64 ``(cells, ceil(n_layouts / 64))``; bit i is row i."""
        columns = np.zeros((self.rules.board.cells, (len(self) + 63) // 64), dtype=np.uint64)
        _layout_kernels.transpose_bits(self.masks, columns)
        columns.flags.writeable = False
        return columns

    def column(self, cell: int | str) -> bitarray:
        """One cell as a bitarray of ``n_layouts`` bits: which layouts occupy it.

        ``solver.search.reference`` searches on these columns; it is the place to start reading.
        """
        number = self.rules.board.cell(cell) if isinstance(cell, str) else cell
        return bitarray(buffer=self.column_words[number], endian="little")[: len(self)]

    def row_view(self) -> bitarray:
        """All rows as one read-only bitarray over the table's own memory, 64 bits per word."""
        return bitarray(buffer=self.masks, endian="little")

    def column_counts(self) -> NDArray[np.int64]:
        """Weight of the layouts that occupy each cell: int64 ``(cells,)``."""
        counts = np.zeros(self.rules.board.cells, dtype=np.int64)
        _layout_kernels.count_columns(self.masks, self.weights, counts)
        return counts

    @property
    def certain_mask(self) -> int:
        """Mask of the cells that every layout occupies."""
        return self._reduce(np.bitwise_and)

    @property
    def occupied_mask(self) -> int:
        """Mask of the cells that some layout occupies."""
        return self._reduce(np.bitwise_or)

    def _reduce(self, operation: np.ufunc) -> int:
        words = operation.reduce(self.masks, axis=0)
        return sum(int(word) << (64 * w) for w, word in enumerate(words))

    def select(self, keep: NDArray[np.uint8]) -> DecisionTable:
        """Sub-table of the rows marked 1."""
        chosen = np.flatnonzero(keep)
        weights = self.weights[chosen] if len(self.weights) else None
        if weights is not None and not weights.any():
            raise WeightsError("weights: every layout that fits what is known weighs 0")
        return DecisionTable(self.layouts, self.index[chosen], weights)

    def restrict(self, cell: int | str, answer: str | int) -> DecisionTable:
        """Sub-table left after a shot was answered ``hit`` or ``miss``.

        Other answers depend on earlier shots: use ``at`` with a ``Position``.

        Raises
        ------
        RulesError
            If the answer is neither ``hit`` nor ``miss``, or more than that would have been told.
        PositionError
            If no layout gives this answer.
        """
        number = self.rules.board.cell(cell) if isinstance(cell, str) else cell
        code = answer_code(answer) if isinstance(answer, str) else answer
        if code not in (HIT, MISS) or (code == HIT and self.rules.answers is not AnswerMode.HIT):
            raise RulesError(
                f"answer {answer!r} in mode {self.rules.answers.value!r} depends on earlier "
                f"shots: restrict the table by a position"
            )
        words = self.masks.shape[1]
        low, high = (int(w) for w in mask_words([1 << number], 2)[0])
        wanted = (low, high, 0, 0) if code == HIT else (0, 0, low, high)
        keep = np.empty(len(self), dtype=np.uint8)
        found = _layout_kernels.select_rows(self.masks, *(np.uint64(w) for w in wanted), keep)
        if not found or number >= 64 * words:
            raise PositionError(
                f"no layout fits {self.rules.board.name(number)} {answer} in this sub-table"
            )
        return self.select(keep)

    def at(self, position: Position) -> DecisionTable:
        """Sub-table of the layouts that fit a position."""
        if not position.shots:
            return self
        return self.select(position.fitting(self.layouts)[self.index])

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
        if self.rules.contact is not Contact.SIDES:
            return alone  # each side-connected group of occupied cells is one ship
        _, first, inverse = np.unique(self.masks, axis=0, return_index=True, return_inverse=True)
        if len(first) == len(self):
            return alone
        order = np.argsort(first)
        rank = np.empty(len(first), dtype=np.int64)
        rank[order] = np.arange(len(first))
        group = rank[inverse.reshape(-1)]
        weights = np.zeros(len(first), dtype=np.int64)
        np.add.at(weights, group, self.weights if len(self.weights) else 1)
        return np.ascontiguousarray(self.masks[first[order]]), weights, group

    def _repr_html_(self) -> str:
        from seabattle.enumerate.display.notebook import ROWS_SHOWN, html_table

        board = self.rules.board
        shown = min(len(self), ROWS_SHOWN)
        weighted = len(self.weights) > 0
        rows = []
        for number in range(shown):
            bits = self.row(number)
            rows.append(
                [
                    " ".join(self.layouts.names(int(self.index[number]))),
                    *([f"{int(self.weights[number]):,}"] if weighted else []),
                    *("X" if bit else "" for bit in bits),
                ]
            )
        more = len(self) - shown
        return html_table(
            ["layout", *(["weight"] if weighted else []), *map(board.name, range(board.cells))],
            rows,
            caption=f"Decision table: {len(self):,} layouts x {board.cells} cells, {self.rules}",
            note=f"… and {more:,} more layouts" if more else "",
            foot=[
                "occupied in",
                *([f"{self.total_weight:,}"] if weighted else []),
                *(f"{int(count):,}" for count in self.column_counts()),
            ],
        )

    def text(self, *, most: int = 200) -> str:
        """The table as X and . with the layout's ships beside each row; at most ``most`` rows."""
        board = self.rules.board
        names = [board.name(cell) for cell in range(board.cells)]
        lines = [" ".join(f"{name:>2}" for name in names)]
        for number in range(min(len(self), most)):
            mask = sum(int(word) << (64 * w) for w, word in enumerate(self.masks[number]))
            occupied = set(cells_of(mask))
            marks = " ".join(
                ("X" if cell in occupied else ".").rjust(max(2, len(name)))
                for cell, name in enumerate(names)
            )
            lines.append(f"{marks}  {' '.join(self.layouts.names(int(self.index[number])))}")
        if len(self) > most:
            lines.append(f"... {len(self) - most} more layouts")
        return "\n".join(lines)
