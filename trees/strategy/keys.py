"""The format of strategy files: solved positions in sorted arrays on disk.

A strategy file is a folder. For every position it holds it gives a best shot and the misses that
optimal play still costs. Positions are stored by *closed keys*, one for each symmetry orbit.

A position leaves a set of layouts S possible. Let H be the cells all of them occupy and M the
cells none does. A cell of H not shot yet is a *certain hit*: it costs nothing, and (answers
``sunk`` and ``ship``) shooting it first never hurts, so a key stands for a position in which every
certain hit has been shot. Which layouts belong to it:

* answers ``hit``: those that contain H and avoid M;
* answers ``sunk`` where ships share no side: of those, the ones that occupy a cell beside every
  group of H that has a cell beside it outside M (such a group was not answered sunk);
* answers ``ship``: those whose ships cover H as the key names them.

Under contact rule ``sides`` with answers ``sunk`` there is no such key, and no strategy file.

========================  ================  ====================================================
file                      dtype, shape      meaning
========================  ================  ====================================================
``manifest.json``         –                 what the file is about, and the checksums of all else
``key0.npy``              uint64 (n,)       boards of up to 40 cells: each cell as a digit to the
                                            base 3 (0 unknown, 1 in H, 2 in M), A1 the lowest;
                                            larger boards: the mask of H
``key1.npy``              uint64 (n,)       answers ``ship``: the ships in the cells of H, a digit
                                            each to the base n_ships, the first cell the highest
                                            (ships are numbered by their place in the fleet, equal
                                            ones in the order they are met); larger boards: the
                                            mask of M; else the file is absent
``values.npy``            unsigned (n,)     misses still to come: total, or in the worst case
``shots.npy``             uint8 (n,)        a best shot
``layouts.npy``           uint16            placement numbers of the layouts
                          (n_layouts,
                          n_ships)
========================  ================  ====================================================

Numbers are little-endian. Keys increase; of the images of a position under the symmetries of the
game the least key is stored, and the shot is the image's. Positions with one occupancy left are not
stored: nothing more is missed.

The manifest has ``format`` "seabattle-strategy", ``version`` 1, the rules, ``objective``
(``mean`` or ``worst``), ``scope`` (``reachable``: what optimal play can meet; ``complete``: every
position), ``position`` (shots before the strategy begins), ``symmetries`` (numbers of the board's
symmetries that keep the layouts), ``states``, ``layouts``, ``value`` (misses from the start),
``files`` (bytes and SHA-256 of each array), ``made_by`` (a text), and ``sha256`` of the manifest
without this field. ``trees.strategy.strategy`` reads and writes it. Opening checks version,
manifest, types and shapes; ``trees.strategy.check.check`` reads everything.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import CORE_HIT, CORE_SHIP, CORE_SUNK, core_mode
from seabattle.enumerate.core.library import core, memory_for
from seabattle.enumerate.errors import StrategyError, TooLargeError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import AnswerMode, Rules

OBJECTIVES = ("mean", "worst")
SCOPES = ("reachable", "complete")
MOST_CELLS = 64
ONE_WORD_CELLS = 40
"""3**40 is below 2**64: boards of up to this many cells have keys of one word."""


def refuse_rules(rules: Rules) -> None:
    """Reject a game whose positions have no closed key.

    Raises
    ------
    StrategyError
        For answers ``sunk`` under contact rule ``sides``.
    TooLargeError
        For boards of more than 64 cells, or 40 with answers ``ship``.
    """
    if rules.order_matters:
        raise StrategyError(
            "strategy files cannot hold answers 'sunk' under contact rule 'sides', where the "
            "order of shots matters: save the tree instead (solve --tree FILE)"
        )
    most = ONE_WORD_CELLS if rules.answers is AnswerMode.SHIP else MOST_CELLS
    if rules.board.cells > most:
        raise TooLargeError(
            f"board {rules.board}: strategy files with answers {rules.answers.value!r} hold boards "
            f"of up to {most} cells, this one has {rules.board.cells}"
        )


class SortedKeys(NamedTuple):
    """The keys of a strategy file in increasing order.

    Attributes
    ----------
    low, high
        uint64 ``(n_states,)``: their two words; ``high`` has length 0 where one word is enough.
    """

    low: NDArray[np.uint64]
    high: NDArray[np.uint64]


NO_KEYS = SortedKeys(np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.uint64))

FAMILIES = {CORE_SUNK: 1, CORE_SHIP: 3, CORE_HIT: 4}
"""What the core calls the answer modes that have closed keys."""


class Positions:
    """The layouts of a strategy file in the core: keys of positions, and their places in the file.

    What answers tell and how keys are packed is the same code as the search's, which makes the
    files: ``solver/search/answers.hpp`` and ``keys.hpp``.

    Parameters
    ----------
    rules
        The game.
    layouts
        uint16 ``(n_layouts, n_ships)``: placement numbers.
    symmetries
        Those in use; the identity first.
    keys
        The keys of the file.

    Attributes
    ----------
    rows
        uint64 ``(n_layouts,)``: cells of each layout.
    mode
        Answer mode, ``answers.CORE_HIT``, ``CORE_SUNK`` or ``CORE_SHIP``.
    full
        Mask of all cells.
    wide
        Whether key word 0 is the mask of H and word 1 that of M.
    words
        Number of words of a key.
    moves, back
        int64 ``(n_symmetries, cells)``: the image of each cell, and the cell of each image.
    """

    def __init__(
        self,
        rules: Rules,
        layouts: NDArray[np.uint16],
        symmetries: tuple[tuple[int, ...], ...],
        keys: SortedKeys = NO_KEYS,
    ) -> None:
        self._given = rules, layouts, symmetries, keys
        board = rules.board
        ships = np.ascontiguousarray(placement_table(rules).masks[layouts, 0])
        self.rows: NDArray[np.uint64] = np.bitwise_or.reduce(ships, axis=1)
        self.mode = core_mode(rules)
        self.full = np.uint64(board.full_mask)
        self.wide = board.cells > ONE_WORD_CELLS
        self.words = 2 if self.wide or self.mode == CORE_SHIP else 1
        self.moves: NDArray[np.int64] = np.array(symmetries, dtype=np.int64)
        self.back = np.argsort(self.moves, axis=1)
        game = {
            "family": FAMILIES[self.mode],
            "cells": board.cells,
            "words": 1,
            "key_words": self.words,
            "rows": self.rows,
            "weights": np.ones(len(layouts), dtype=np.int64),
            "ships": None if self.mode == CORE_HIT else ships,
            "lengths": np.array(rules.fleet.lengths, dtype=np.int64),
            "sides": np.array(rules.beside, dtype=np.uint64),
            "moves": self.moves,
            **dict.fromkeys(_NOT_SEARCHED, 0),
            **dict.fromkeys(("images", "patterns", "lines"), None),
        }
        self._game = core().structure("search_game", game)  # the core looks at its arrays
        self._keys = SortedKeys(*map(np.ascontiguousarray, keys))
        self._memory = memory_for(
            lambda memory: core().strategy_make(self._game, *self._keys, memory)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._given  # what the core made stays where it is

    def keys_of(
        self, layouts: NDArray[np.int32], certain: NDArray[np.uint64], water: NDArray[np.uint64]
    ) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
        """Keys of closed sub-tables, from any layout of each, and from their H and M.

        Returns
        -------
        keys
            uint64 ``(n, words)``.
        symmetries
            int32 ``(n,)``: number of the first symmetry that gives each.
        """
        keys = np.zeros((len(layouts), self.words), dtype=np.uint64)
        symmetries = np.zeros(len(layouts), dtype=np.int32)
        core().strategy_keys(self._memory, layouts, certain, water, keys, symmetries)
        return keys, symmetries

    def look_up(self, layouts: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Shoot all certain hits of some layouts, and look their parts up.

        Parameters
        ----------
        layouts
            int32 ``(n,)``: numbers of the layouts that are left.

        Returns
        -------
        places
            int64 ``(n_parts,)``: where the file holds each part of more than one occupancy; -1
            where it does not.
        symmetries
            int32 ``(n_parts,)``: number of the symmetry that gives the key of each.
        """
        places = np.empty(len(layouts), dtype=np.int64)
        symmetries = np.empty(len(layouts), dtype=np.int32)
        parts = core().strategy_look_up(self._memory, layouts, places, symmetries)
        return places[:parts], symmetries[:parts]

    def check(
        self,
        first: int,
        end: int,
        values: NDArray[np.int64],
        shots: NDArray[np.uint8],
        *,
        every: bool,
        worst: bool,
    ) -> tuple[int, int]:
        """Check the states ``first:end`` of the file, each from its key alone.

        The layouts of each key are found anew; the key must be closed and the least of its orbit;
        its value must be what its shot and the values below it make; and with ``every`` no other
        shot may be better, and all that follows any shot must be in the file.

        Parameters
        ----------
        first, end
            A range of states.
        values, shots
            int64 and uint8 ``(n_states,)``: misses to come, and a best shot.
        every
            Whether to look at every shot.
        worst
            Whether the values are worst cases, not totals.

        Returns
        -------
        fault, state
            What is wrong, a number of ``FAULTS``, and in which state; 0 where nothing is.
        """
        wrong = np.zeros(1, dtype=np.int64)
        fault = core().strategy_check(
            self._memory, first, end, int(every), int(worst), values, shots, wrong
        )
        return int(fault), int(wrong[0])


_NOT_SEARCHED = (
    "parts", "announced", "bounds", "ordering", "dominance", "lookahead", "budgets", "coverage",
    "reveal_rows",
)  # fmt: skip
"""What the core takes for a search alone."""

FAULTS = (
    "",
    "no layout belongs to its key",
    "its key is not closed, or is of one occupancy",
    "its key is not the least of its orbit",
    "its shot is not a cell that some but not all of its layouts occupy",
    "what follows a shot is not in the file",
    "its value is not what its shot costs",
    "another shot costs less",
)
"""What can be wrong with a state, as ``Fault`` of ``positions.hpp`` numbers it."""
