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
without this field. ``trees.strategy.strategy_folder`` reads and writes it. Opening checks version,
manifest, sizes, types and shapes; ``strategy_check.check`` reads everything.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import KERNEL_SHIP, kernel_mode
from seabattle.enumerate.board import Board
from seabattle.enumerate.errors import StrategyError, TooLargeError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import AnswerMode, Contact, Rules

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
    if rules.answers is AnswerMode.SUNK and rules.contact is Contact.SIDES:
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


# Kernels compile the fields of these groups in. The cache of compiled kernels notices a change
# because this file names seabattle.enumerate.kernels, whose digest covers every file that does.


class KeyArrays(NamedTuple):
    """The layouts of a game and its symmetries, from which the kernels make keys.

    Attributes
    ----------
    rows
        uint64 ``(n_layouts,)``: cells of each layout.
    ships
        uint64 ``(n_layouts, n_ships)``: cells of each ship.
    lengths
        int64 ``(n_ships,)``.
    sides
        uint64 ``(64,)``: for each cell the mask of the cells that share a side with it.
    mode
        Answer mode, ``answers.KERNEL_HIT``, ``KERNEL_SUNK`` or ``KERNEL_SHIP``.
    full
        Mask of all cells.
    wide
        Whether key word 0 is the mask of H and word 1 that of M.
    shares
        uint64 ``(n_symmetries, bytes, 256)``: see ``key_shares``.
    moves, back
        int64 ``(n_symmetries, 64)``: the image of each cell, and the cell of each image.
    """

    rows: NDArray[np.uint64]
    ships: NDArray[np.uint64]
    lengths: NDArray[np.int64]
    sides: NDArray[np.uint64]
    mode: int
    full: np.uint64
    wide: bool
    shares: NDArray[np.uint64]
    moves: NDArray[np.int64]
    back: NDArray[np.int64]

    @classmethod
    def of(
        cls, rules: Rules, layouts: NDArray[np.uint16], symmetries: tuple[tuple[int, ...], ...]
    ) -> KeyArrays:
        """Arrays of a game, its layouts as placement numbers, and the symmetries in use."""
        board = rules.board
        ships = np.ascontiguousarray(placement_table(rules).masks[layouts, 0])
        sides = np.zeros(64, dtype=np.uint64)
        sides[: board.cells] = board.side_masks
        wide = board.cells > ONE_WORD_CELLS
        moves = np.full((len(symmetries), 64), -1, dtype=np.int64)
        back = np.full((len(symmetries), 64), -1, dtype=np.int64)
        for g, symmetry in enumerate(symmetries):
            moves[g, : board.cells] = symmetry
            back[g, list(symmetry)] = np.arange(board.cells)
        return cls(
            rows=np.bitwise_or.reduce(ships, axis=1),
            ships=ships,
            lengths=np.array(rules.fleet.lengths, dtype=np.int64),
            sides=sides,
            mode=kernel_mode(rules),
            full=np.uint64(board.full_mask),
            wide=wide,
            shares=key_shares(board, symmetries, wide=wide),
            moves=moves,
            back=back,
        )

    @property
    def words(self) -> int:
        """Number of words of a key."""
        return 2 if self.wide or self.mode == KERNEL_SHIP else 1


class SortedKeys(NamedTuple):
    """The keys of a strategy file in increasing order.

    Attributes
    ----------
    low, high
        uint64 ``(n_states,)``: their two words; ``high`` has length 0 where one word is enough.
    """

    low: NDArray[np.uint64]
    high: NDArray[np.uint64]


class Scratch(NamedTuple):
    """Memory of ``locate``, at least as long as the segment it is given.

    Attributes
    ----------
    ends
        int64 ``(n,)``: ends of the segments waiting.
    places, symmetries
        int64 ``(n,)``: for each closed part its place in the file (-1: not there) and the number
        of the symmetry that gives its key.
    """

    ends: NDArray[np.int64]
    places: NDArray[np.int64]
    symmetries: NDArray[np.int64]


def key_shares(
    board: Board, symmetries: tuple[tuple[int, ...], ...], *, wide: bool
) -> NDArray[np.uint64]:
    """Each byte's share of key word 0 under each symmetry: uint64 ``(n_symmetries, bytes, 256)``.

    The share of a byte of H is the sum over its cells of 3^image, or with wide keys the mask of
    the images; that of a byte of M is twice the sum, or the mask of key word 1.
    """
    shares = np.zeros((len(symmetries), (board.cells + 7) // 8, 256), dtype=np.uint64)
    for g, symmetry in enumerate(symmetries):
        for cell, image in enumerate(symmetry):
            holds = np.arange(256) >> (cell % 8) & 1 == 1
            shares[g, cell // 8, holds] += np.uint64(1 << image if wide else 3**image)
    return shares
