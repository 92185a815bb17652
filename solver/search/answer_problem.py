"""The rows of a game where an answer says more than hit or miss: its layouts, each with its ships.

``solver.search.answer_search`` says which family of states the rules take, and why.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import AnswerMode, Contact
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.kernels import work as w
from seabattle.solver.search.problem import ONE_WORD_CELLS, Problem

MOST_OPEN_LAYOUTS = 1 << 14
"""Most layouts of a game whose keys hold a bit per layout."""


def _word_of_each(numbers: NDArray[np.int64], placements: int) -> NDArray[np.void | np.int64]:
    """Each layout's placement numbers as one value, to sort and to search."""
    if placements ** numbers.shape[1] < 2**63:
        return numbers @ placements ** np.arange(numbers.shape[1], dtype=np.int64)
    rows = np.ascontiguousarray(numbers.astype(">u2"))  # bytes that sort like the numbers
    return rows.view(f"V{rows.itemsize * rows.shape[1]}").ravel()


class AnswerProblem(Problem):
    """A problem in mode ``sunk`` or ``ship``: one row per layout, with its ships.

    Attributes
    ----------
    mode
        Family of the search: ``CLOSED_SUNK``, ``OPEN_SUNK`` or ``NAMED``.
    ships
        uint64 ``(n_layouts, n_ships)``: cells of each ship, in the fleet's order.
    """

    def __init__(self, table: DecisionTable) -> None:
        super().__init__(table, merge=False)
        rules = self.rules
        placements = placement_table(rules)
        self.numbers = table.layouts.ships[table.index].astype(np.int64)
        self.ships = np.ascontiguousarray(placements.masks[self.numbers, 0])
        self.choose_mode()

    def choose_mode(self) -> None:
        """The family of the search that the rules take.

        Raises
        ------
        TooLargeError
            If its keys would be too long.
        """
        rules = self.rules
        if rules.answers is AnswerMode.SHIP:
            self.mode = w.NAMED
            digits = rules.fleet.cells * np.log2(max(2, len(rules.fleet.lengths)))
            if self.cells > ONE_WORD_CELLS or digits > 64:
                raise TooLargeError(
                    f"{rules.board} with {rules.fleet} is too large for answer mode 'ship', which "
                    f"takes boards of up to {ONE_WORD_CELLS} cells and smaller fleets"
                )
        elif rules.contact is Contact.SIDES:
            self.mode = w.OPEN_SUNK
            self.hits_are_free = False
            if len(self) > MOST_OPEN_LAYOUTS:
                raise TooLargeError(
                    f"{rules.board} with {rules.fleet} has {len(self)} layouts: with answers "
                    f"'sunk' under contact rule 'sides' up to {MOST_OPEN_LAYOUTS} are solved"
                )
        else:
            self.mode = w.CLOSED_SUNK

    @property
    def key_words(self) -> int:
        """Words of a key."""
        if self.mode == w.OPEN_SUNK:
            return 1 + (len(self) + 63) // 64
        return 2 if self.mode == w.NAMED or self.two_words else 1

    @cached_property
    def _images(self) -> list[tuple[tuple[int, ...], NDArray[np.int32]]]:
        """Symmetries that keep the table, each with the row that every row becomes, if asked for.

        Keys ask for it where they are sets of rows, and weights, which have to be kept too.
        """
        return self._find_images(asked=self.mode == w.OPEN_SUNK or len(self.weights) > 0)

    def _find_images(self, *, asked: bool) -> list[tuple[tuple[int, ...], NDArray[np.int32]]]:
        placements = placement_table(self.rules)
        own = _word_of_each(self.numbers, len(placements.placements))
        order = np.argsort(own, kind="stable")
        known = own[order]
        kept = []
        for symmetry in self.rules.board.symmetries:
            moved = np.array(
                [
                    placements.number_of_cells(tuple(sorted(symmetry[c] for c in p.cells)))
                    for p in placements.placements
                ]
            )
            words = _word_of_each(np.sort(moved[self.numbers], axis=1), len(moved))
            if not np.array_equal(np.sort(words), known):
                continue
            images = np.zeros(0, dtype=np.int32)
            if asked:
                images = order[np.searchsorted(known, words)].astype(np.int32)
            if len(self.weights) and not np.array_equal(self.weights[images], self.weights):
                continue
            kept.append((symmetry, images))
        return kept

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Symmetries of the board that map layouts to layouts of equal weight."""
        return tuple(symmetry for symmetry, _ in self._images)

    def row_images(self) -> tuple[tuple[tuple[int, ...], ...], NDArray[np.int32]]:
        """The symmetries, and the row each row becomes: int32 ``(n_symmetries, n_layouts)``."""
        found = self._find_images(asked=True)
        return tuple(symmetry for symmetry, _ in found), np.stack([image for _, image in found])

    def image_array(self, *, orbits: bool) -> NDArray[np.int32]:
        """Row that each row becomes under each symmetry: int32 ``(n_symmetries, n_layouts)``."""
        if self.mode != w.OPEN_SUNK:
            return np.zeros((1, 1), dtype=np.int32)
        images = [image for _, image in self._images]
        return np.ascontiguousarray(np.stack(images if orbits else images[:1]))
