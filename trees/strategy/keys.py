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

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import KERNEL_HIT, KERNEL_SHIP, KERNEL_SUNK, kernel_mode
from seabattle.enumerate.board import Board
from seabattle.enumerate.errors import StrategyError, TooLargeError
from seabattle.enumerate.kernels import ONE, ZERO, allocating_kernel, group, kernel, lowest_bit
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.enumerate.segments import close_segment, group_of, part_segment

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


# Kernels compile the fields of these groups in. The cache of compiled kernels notices a change
# because this file names seabattle.enumerate.kernels, whose digest covers every file that does.


@group
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
        sides[: board.cells] = rules.beside
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


@group
class SortedKeys(NamedTuple):
    """The keys of a strategy file in increasing order.

    Attributes
    ----------
    low, high
        uint64 ``(n_states,)``: their two words; ``high`` has length 0 where one word is enough.
    """

    low: NDArray[np.uint64]
    high: NDArray[np.uint64]


@group
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


# ------------------------------------------------------------------------------------------------
# Compiled loops of strategy files: keys, looking positions up, checking a file from the rules.
#
# The keys are defined at the top. A *segment* is a range ``lo:hi`` of ``ids``,
# int64 ``(n,)``, the layouts still possible; ``certain`` (H) is the mask of the cells all of them
# occupy, ``occupied`` of the cells some do, ``water`` (M) of the others, uint64 each. A segment is
# *closed* when all certain hits have been shot: then all its layouts agree on the answers to those
# shots. Groups of arrays, defined in this file:
#
#     game : ``KeyArrays``, the layouts of a game and its symmetries; never modified
#     keys : ``SortedKeys``, the keys of a file; never modified
#     scratch : ``Scratch``; modified
#
# Values stay below n_layouts * cells, far from overflow. Nothing here uses the search: the keys
# that ``solver.search.keys`` makes are made here once more, so that a check shares nothing with it.


FAULTS = (
    "",
    "no layout belongs to its key",
    "its key is not closed, or is of one occupancy",
    "its key is not the least of its orbit",
    "its shot is no cell that some but not all of its layouts occupy",
    "what follows a shot is not in the file",
    "its value is not what its shot costs",
    "another shot costs less",
)
"""What can be wrong with a state; nothing for ``FINE``."""

FINE, EMPTY_STATE, NOT_CLOSED, NOT_LEAST, BAD_SHOT, MISSING, WRONG_VALUE, BETTER_SHOT = range(8)

_BYTE = np.uint64(255)
_EIGHT = np.uint64(8)
_THREE = np.uint64(3)


@allocating_kernel
def names_word(layout, certain, symmetry, game):
    """Ships of a layout in the cells of H under a symmetry, as digits to the base n_ships: uint64.

    The cells are read in the order of their images, the first as the highest digit. A digit is a
    place in the fleet: ships of one length take theirs in the order in which they are met. The
    caller sees to it that n_ships to the power of the cells fits in 64 bits.
    """
    ships, lengths = game.ships, game.lengths
    count = lengths.shape[0]
    place = np.full(count, -1, np.int64)
    images = ZERO
    left = certain
    while left != ZERO:
        images |= ONE << np.uint64(game.moves[symmetry, lowest_bit(left)])
        left &= left - ONE
    word = ZERO
    while images != ZERO:
        cell = game.back[symmetry, lowest_bit(images)]
        images &= images - ONE
        d = 0
        while (ships[layout, d] >> np.uint64(cell)) & ONE == ZERO:
            d += 1
        if place[d] < 0:
            place[d] = 0
            for e in range(count):
                if lengths[e] > lengths[d] or (
                    lengths[e] == lengths[d] and e != d and place[e] >= 0
                ):
                    place[d] += 1
        word = word * np.uint64(count) + np.uint64(place[d])
    return word


@kernel
def answers_word(layout, certain, game):
    """Answers of a layout to shooting all cells of H, as one number: uint64.

    Mode hit: 0. Mode sunk: a bit per group of H, 1 where the layout occupies no cell beside it.
    Mode ship: the ship in each cell.
    """
    if game.mode == KERNEL_SHIP:
        return names_word(layout, certain, 0, game)
    answers = ZERO
    if game.mode == KERNEL_SUNK:
        left = certain
        while left != ZERO:
            group, around = group_of(left & (~left + ONE), certain, game.sides)
            left &= ~group
            answers = answers << ONE | (ONE if game.rows[layout] & around == ZERO else ZERO)
    return answers


@kernel
def least_key(layout, certain, water, game):
    """Least key of a closed segment over the symmetries, from any of its layouts.

    Returns word 0, word 1 (0 where one is enough) and the number of the symmetry.
    """
    best = ZERO
    second = ZERO
    symmetry = -1
    for g in range(game.shares.shape[0]):
        word = ZERO
        other = ZERO
        h = certain
        m = water
        for b in range(game.shares.shape[1]):
            if game.wide:
                word |= game.shares[g, b, h & _BYTE]
                other |= game.shares[g, b, m & _BYTE]
            else:
                word += game.shares[g, b, h & _BYTE] + (game.shares[g, b, m & _BYTE] << ONE)
            h >>= _EIGHT
            m >>= _EIGHT
        if symmetry >= 0 and word > best:
            continue
        if game.mode == KERNEL_SHIP:
            other = names_word(layout, certain, g, game)
        if symmetry < 0 or word < best or other < second:
            best = word
            second = other
            symmetry = g
    return best, second, symmetry


@kernel
def find_key(keys, word, second):
    """Place of a key of these two words in the file, -1 when it is not there."""
    low, high = keys.low, keys.high
    wide = high.shape[0] > 0
    a = 0
    b = low.shape[0]
    while a < b:
        middle = (a + b) >> 1
        if low[middle] < word or (wide and low[middle] == word and high[middle] < second):
            a = middle + 1
        else:
            b = middle
    if a < low.shape[0] and low[a] == word and (not wide or high[a] == second):
        return a
    return -1


@kernel
def locate(ids, lo, hi, game, keys, scratch):
    """Shoot all certain hits of a segment and look its closed parts up.

    ids : modified within ``lo:hi`` (layouts change places)
    scratch : the places and symmetries of the parts of more than one occupancy are written
    Returns the number of such parts.
    """
    ends, places, symmetries = scratch.ends, scratch.places, scratch.symmetries
    found = 0
    ends[0] = hi
    height = 1
    while height > 0:
        end = ends[height - 1]
        certain, occupied = close_segment(ids, lo, end, game.rows, game.full)
        if certain == occupied:
            lo = end
            height -= 1
            continue
        middle = end
        if game.mode != KERNEL_HIT:
            answers = answers_word(ids[lo], certain, game)
            middle = lo + 1
            for i in range(lo + 1, end):
                if answers == answers_word(ids[i], certain, game):
                    swap = ids[i]
                    ids[i] = ids[middle]
                    ids[middle] = swap
                    middle += 1
        if middle < end:
            ends[height] = middle
            height += 1
            continue
        word, second, g = least_key(ids[lo], certain, game.full & ~occupied, game)
        places[found] = find_key(keys, word, second)
        symmetries[found] = g
        found += 1
        lo = end
        height -= 1
    return found


@kernel
def write_keys(layouts, certain, water, game, words, symmetries):
    """Least keys of many closed sub-tables.

    layouts : int64 (n,), a layout of each; certain, water : uint64 (n,)
    words : uint64 (n, 2), symmetries : int64 (n,), modified: as ``least_key`` returns them
    """
    for i in range(layouts.shape[0]):
        words[i, 0], words[i, 1], symmetries[i] = least_key(layouts[i], certain[i], water[i], game)


@kernel
def fits_key(layout, certain, water, names, game):
    """Whether a layout that contains H and avoids M belongs to the sub-table of a key.

    names : uint64, the key's word of ship names in mode ship, as at the top of the module. In mode
    hit every such layout belongs to it.
    """
    if game.mode == KERNEL_SUNK:
        left = certain
        while left != ZERO:
            group, around = group_of(left & (~left + ONE), certain, game.sides)
            left &= ~group
            if around & ~water != ZERO and game.rows[layout] & around == ZERO:
                return False
    if game.mode == KERNEL_SHIP:
        return names == names_word(layout, certain, 0, game)
    return True


@kernel
def shot_value(ids, lo, hi, cell, worst, game, keys, values, scratch):
    """Misses of a shot and of all that follows it, from the file; -1 where the file lacks a part.

    ids : modified within ``lo:hi``; cell : the shot
    worst : 1 for the worst case, 0 for the total; values : int64 (n_states,), misses to come
    """
    middle = part_segment(ids, lo, hi, ONE << np.uint64(cell), game.rows)
    value = 0
    for half in range(2):
        a = lo if half == 0 else middle
        b = middle if half == 0 else hi
        if a == b:
            continue
        missed = 1 if half == 0 else 0
        value = max(value, missed) if worst == 1 else value + missed * (b - a)
        parts = locate(ids, a, b, game, keys, scratch)
        for p in range(parts):
            if scratch.places[p] < 0:
                return -1
            below = values[scratch.places[p]]
            value = max(value, missed + below) if worst == 1 else value + below
    return value


@kernel
def read_key(state, cells, game, keys):
    """The cells in H and in M of a key, as masks, and the word of the ships' names (mode ship)."""
    if game.wide:
        return keys.low[state], keys.high[state], ZERO
    h = ZERO
    m = ZERO
    left = keys.low[state]
    for cell in range(cells):
        digit = left % _THREE
        left //= _THREE
        if digit == ONE:
            h |= ONE << np.uint64(cell)
        elif digit != ZERO:
            m |= ONE << np.uint64(cell)
    return h, m, keys.high[state] if game.mode == KERNEL_SHIP else ZERO


@kernel
def check_states(first, last, every, worst, cells, game, keys, values, shots, ids, scratch):
    """Check the states ``first:last`` of a file; return the first wrong one and what is wrong.

    The layouts of each key are found anew; the key must be closed and the least of its orbit; its
    value must be what its shot and the values below it make; and with ``every`` no other shot may
    be better, and all that follows any shot must be in the file.

    every : 1 or 0; worst : as in ``shot_value``; cells : of the board
    values, shots : int64 (n_states,), misses to come and best shot of each state
    ids : int64 (n_layouts,), modified: scratch
    Returns the number of a state and the fault, ``FINE`` when all are right.
    """
    full = (ONE << np.uint64(cells)) - ONE if cells < 64 else ~ZERO
    for state in range(first, last):
        h, m, names = read_key(state, cells, game, keys)
        n = 0
        for i in range(game.rows.shape[0]):
            row = game.rows[i]
            if row & h == h and row & m == ZERO and fits_key(i, h, m, names, game):
                ids[n] = i
                n += 1
        if n == 0:
            return state, EMPTY_STATE
        certain, occupied = close_segment(ids, 0, n, game.rows, full)
        if certain != h or full & ~occupied != m or certain == occupied:
            return state, NOT_CLOSED
        word, second, _ = least_key(ids[0], certain, full & ~occupied, game)
        if word != keys.low[state] or (keys.high.shape[0] > 0 and second != keys.high[state]):
            return state, NOT_LEAST
        unknown = occupied & ~certain
        shot = shots[state]
        if shot >= cells or (unknown >> np.uint64(shot)) & ONE == ZERO:
            return state, BAD_SHOT
        for cell in range(cells):
            if (unknown >> np.uint64(cell)) & ONE == ZERO or (every == 0 and cell != shot):
                continue
            value = shot_value(ids, 0, n, cell, worst, game, keys, values, scratch)
            if value < 0:
                return state, MISSING
            if cell == shot and value != values[state]:
                return state, WRONG_VALUE
            if value < values[state]:
                return state, BETTER_SHOT
    return last, FINE
