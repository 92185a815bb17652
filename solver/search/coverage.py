"""Finds: how many layouts a tree can find with few misses once some cells are hit.

The words of ``bounds.words_bound`` know of a sub-table only how many cells are left to
hit. Where few ships lie on much water that is far too generous: no shot hits as many layouts as
the words allow. Here it is counted, for all hits that the game can have, with no miss yet.

Words: a *state* is a closed sub-table of mode ``sunk`` or ``hit`` after hits alone (contact rules
``none`` and ``corners``, certain hits shot at once). A layout is *found with k misses* by a tree
when its path has at most k. r(s, k) is an upper bound on the layouts of a state s that any tree
finds so. States that a symmetry of the rows turns into one another have one r, counted once.

*It holds of sub-tables with misses too.* A closed sub-table S is the layouts that contain H,
avoid M and, in mode ``sunk``, agree which groups of H are sunk (``exact_search``). Without M it
is a state s, a superset of S. Leave out of a tree of s all layouts but those of S: none gets a miss
more. So no tree of S finds more than r(s, k) layouts with k misses, and as at least
n - r(s, k) of its n layouts miss more than k times,

    total(S) >= sum over k of max(0, n - r(s, k))        worst(S) >= first k with r(s, k) >= n.

*How r is counted.* Take a tree of s (or of a part of it), and let c1, c2, ... be the shots on its
path of all misses, with a last one that hits the leaf at its end, if there is one. A layout found
with k misses is hit by one of the first k + 1. Those that the shot at c hits with m more misses
allowed go, by their answer, to states p after a hit at c. In each at most r(p, m) are found, and
no more than the layouts of p that none of the shots before has hit. So

    r(s, k) = the most that the sum over j = 0 .. k and p of min(left of p, r(p, k - j)) can be,

p after a hit at c_j, over all sequences of cells, is right, by induction on the cells left to hit.
It is only searched for the first shots; for the rest the largest term at each place is taken, and
the first j terms are never more than the sum of the j largest columns. Both can only enlarge it.

*By placements.* With columns that do not shrink the later shots of the path find too much. So the
path is also followed with one number that does shrink. Choose one ship of each layout that is not
sunk yet (the longest, the second longest, ...), and let u be the number of its placements that the
path has not hit. The next shot, at c, hits f of them for the first time. Of the layouts that it
hits and whose answer leads to p,

- those with the ship at c are in those f placements. Those of one placement a lie in the state s_a
  that is there once all of a is hit, as restricted to them the cells of a tell nothing: at most
  r(s_a, m) of them are found with m more misses;
- in those with the ship elsewhere it is in one of u - f placements: of the layouts that differ in
  it alone, all other ships in the same place, at most u - f are left.

So what is found in p is at most the lesser of r(p, m) and of the sum of both, and u - f placements
are left. The most that a path can find with k misses follows by going through k, u, c and f; which
cells it has shot before is not remembered, which can only enlarge it.

*With columns at hand.* Of a sub-table that is expanded the columns are known. There the path is
bounded once more in the same way, by its own columns and by the largest sum of r(p, m) over the p
after a hit at one cell; where no states are counted, by words of one cell less.

With weights, found layouts weigh at most the heaviest each: at least
max((n - r) * lightest, weight - r * heaviest) misses more than k times.

Counting what hits leave: which states there are, and what is found of each.

``solver.search.coverage`` says what is counted. The states are listed once. A state is counted from
those after a hit, so they are counted *level* by level: the states of as many cells hit, from the
most cells down. Within a level no state needs another, and threads take them in turn. Each writes
the numbers of its own states alone, so that what is counted is the same with any number of threads.
"""

from __future__ import annotations

from math import comb, factorial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from seabattle.solver.search import work as w
from seabattle.solver.search.answers import part_all
from seabattle.solver.search.arrays import (
    AHEAD,
    AT_CELL,
    FIND_PLANES,
    HI,
    LO,
    MOST_PLACEMENTS,
    PARTS,
    Finds,
    H,
    Placements,
    U,
)
from seabattle.solver.search.bounds import MOST_COUNTED_SHIPS

MOST_SHIPS = 4
"""With more ships words are near the truth, and the states are many: nothing is counted."""

MISSES_COUNTED = 32
"""Of more misses than this nothing is counted."""


def open_patterns(lengths: tuple[int, ...], *, announced: bool, alike: int) -> NDArray[np.int64]:
    """Layouts that share their misses, at most, where ships may touch and sinkings are announced.

    After a leaf the rest of the fleet is sunk in reading order. Every ship cell that is left is
    then one letter, *hit* or *sunk*, in the order in which they were shot, and the last one is
    *sunk*. With h cells and f ships left there are C(h - 1, f - 1) ways to place the sinkings, and
    where lengths are announced as many times more as there are orders of the lengths. Layouts of
    the same word have the same leaf, hence the same cells: there are no more than ``alike``.

    Parameters
    ----------
    lengths
        Ship lengths.
    announced
        Whether a sinking tells the length.
    alike
        Most layouts of the game that occupy the same cells.

    Returns
    -------
    patterns
        int64 ``(2^n_ships, fleet cells + 1)``, at most 2^40: by the set of ships left (the answers
        tell how many, and which lengths where they are announced) and the number of their cells
        that are hit. 0 (nothing is counted) with more than 12 ships.

    Examples
    --------
    >>> open_patterns((2, 1), announced=True, alike=1)[0b11].tolist()  # three cells left: 2 x 2
    [4, 2, 0, 0]
    """
    if len(lengths) > MOST_COUNTED_SHIPS:
        return np.zeros((1, 1), dtype=np.int64)
    patterns = np.zeros((1 << len(lengths), sum(lengths) + 1), dtype=np.int64)
    for afloat in range(1, 1 << len(lengths)):
        left = [length for d, length in enumerate(lengths) if afloat >> d & 1]
        orders = factorial(len(left)) if announced else 1
        if announced:
            for length in set(left):
                orders //= factorial(left.count(length))
        for hit in range(sum(left) - len(left) + 1):
            ways = comb(sum(left) - hit - 1, len(left) - 1)
            patterns[afloat, hit] = min(alike * orders * ways, 1 << 40)
    return patterns


def more_states(finds: Finds, states: int, *, symmetries: int = 1) -> Finds:
    """The same arrays with room for more states."""
    from seabattle.solver.search.bounds import move_states

    found = np.zeros((states, *finds.found.shape[1:]), dtype=np.int32)
    found[: len(finds.found)] = finds.found
    slots = _slots_for(states, symmetries)
    move_states(finds.slots, slots)
    return finds._replace(found=found, slots=slots)


def _slots_for(states: int, symmetries: int) -> NDArray[np.uint64]:
    """An empty table for the numbers of states, at most half full."""
    slots = max(2, 2 * states * symmetries)
    return np.zeros((1 << (slots - 1).bit_length(), 3), dtype=np.uint64)


def no_finds() -> Finds:
    """The arrays where nothing is counted."""
    return finds_for(0, 0)


def finds_for(
    rows: int,
    states: int,
    *,
    symmetries: int = 1,
    ships: NDArray[np.uint64] | None = None,
    told: bool = False,
) -> Finds:
    """Empty arrays for the states of a game.

    Parameters
    ----------
    rows
        Layouts of the game.
    states
        Most states; 0 counts none.
    symmetries
        Those that share a number.
    ships
        uint64 ``(rows, n_ships)``: cells of each ship, where the answers tell what is sunk.
    told
        Whether the answers to a hit are told apart, and placements are counted.
    """
    misses = MISSES_COUNTED if states else 1
    return Finds(
        np.zeros((rows, 0), dtype=np.uint64) if ships is None else ships,
        _slots_for(states, symmetries),
        np.zeros((states, FIND_PLANES, misses), dtype=np.int32),
        np.zeros((64 if states else 1, PARTS + 1, misses), dtype=np.int64),
        np.zeros(64, dtype=np.int64),
        np.zeros((64, rows if told else 0), dtype=np.uint8),
        np.zeros((AHEAD + 1, rows), dtype=np.uint64),
        np.zeros((AHEAD + 1, rows), dtype=np.int32),
        np.zeros((AHEAD + 1, 2 + PARTS, 64), dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


def placements_for(rows: int, ships: int = 1, misses: int = MISSES_COUNTED) -> Placements:
    """Scratch for the bound by placements, for states of so many rows at most."""
    cells = 64 if rows else 1
    by_part = (cells, PARTS, AT_CELL)
    heads = 1 << (2 * rows - 1).bit_length() if rows else 0
    return Placements(
        place=np.zeros(rows, dtype=np.int32),
        masks=np.zeros(MOST_PLACEMENTS, dtype=np.uint64),
        through=np.zeros((cells, AT_CELL), dtype=np.int64),
        number=np.zeros(cells, dtype=np.int64),
        size=np.zeros(by_part, dtype=np.int64),
        common=np.zeros(by_part, dtype=np.uint64),
        any=np.zeros(by_part, dtype=np.uint64),
        first=np.zeros(by_part, dtype=np.int64),
        gain=np.zeros((*by_part, misses), dtype=np.int64),
        largest=np.zeros((cells, PARTS, AT_CELL + 1), dtype=np.int64),
        beside=np.zeros((cells, PARTS, MOST_PLACEMENTS + 1), dtype=np.int64),
        together=np.zeros(PARTS, dtype=np.int64),
        heads=np.zeros(heads, dtype=np.int32),
        next=np.zeros(rows, dtype=np.int32),
        rest=np.zeros(rows, dtype=np.uint64),
        best=np.zeros((ships, misses + 1, MOST_PLACEMENTS + 1), dtype=np.int64),
        places=np.zeros((ships, rows), dtype=np.int32),
        numbers=np.zeros(ships, dtype=np.int64),
    )


if TYPE_CHECKING:
    from seabattle.solver.search.exact_search import ExactSearch

FIRST_STATES = 1 << 11
"""States that there is room for at first. It doubles: memory that is not used takes time, too."""

MOST_STATES = 1 << 17
"""States of one game; where there are more, the bound is used for those that were listed."""

MOST_ROWS_IN_PARTS = 1 << 17
"""In games of more layouts than this the answers to a hit are not told apart: 64 bytes a layout."""


class StateCount:
    """The states of a search, listed and counted once.

    Parameters
    ----------
    search
        The search whose ``finds`` are filled.

    Attributes
    ----------
    hits
        uint64 ``(states, 2)``: H of each state, and the cells of its sunk ships.
    counted
        Whether all states are.
    """

    def __init__(self, search: ExactSearch) -> None:
        self.search = search
        self.hits = np.zeros((0, 2), dtype=np.uint64)
        self.counted = False
        self.may_grow = True
        self.order: NDArray[np.int64] | None = None  # states, those of most hits first
        self.done = np.zeros(1, dtype=np.int64)  # how many of them are counted

    def count_once(self) -> None:
        """List the states and count each, unless that is done; once stopped, it goes on next time.

        Raises
        ------
        LimitReached, Paused, KeyboardInterrupt
            As a query of the search does.
        """
        if self.order is None:
            self._list()
        if not self.counted:
            self._count()

    def make_room(self) -> None:
        """Make room for twice as many states, if there may be more."""
        search = self.search
        have = len(self.hits)
        states = min(2 * have, self._most_states())
        self.may_grow = states > have
        if self.may_grow:
            search.finds = more_states(search.finds, states, symmetries=len(search.moves))
            self.hits = np.concatenate((self.hits, np.zeros((states - have, 2), dtype=np.uint64)))

    def _most_states(self) -> int:
        """States that are worth counting: a layout has so many sets of hits, and memory ends."""
        search = self.search
        problem = search.problem
        sets = len(problem) << min(problem.rules.fleet.cells, 17)
        bytes_of_one = 4 * FIND_PLANES * MISSES_COUNTED + 48 * len(search.moves)
        memory = int(search.limits.memory * 2**30 / 32) // bytes_of_one
        return max(1, min(MOST_STATES, sets, memory))

    def _list(self) -> None:
        # compiled when first imported
        from seabattle.solver.search.kernels.coverage import list_state

        search = self.search
        problem = search.problem
        n = len(problem)
        if len(self.hits) == 0:
            first = min(FIRST_STATES, self._most_states())
            search.finds = finds_for(
                n,
                first,
                symmetries=len(search.moves),
                ships=search.game.ships if problem.mode == w.CLOSED_SUNK else None,
                told=n <= MOST_ROWS_IN_PARTS,
            )
            self.hits = np.zeros((first, 2), dtype=np.uint64)
        ids = np.arange(n, dtype=np.int32)
        hit = np.uint64(search.hit)

        def step() -> int:
            arrays = search.count_arrays()
            entries, masks, _ = arrays.arena
            value = int(part_all(ids, -1, hit, arrays))
            for p in range(int(search.counters[w.ARENA_TOP]) if self.may_grow else 0):
                if value != w.STOP and masks[p, H] != masks[p, U]:
                    part = int(entries[p, LO]), int(entries[p, HI]), masks[p, H], masks[p, U]
                    value = int(list_state(ids, *part, 0, self.hits, arrays))
            return value

        search.run(step)
        hits = self.hits[: search.finds.size[0], 0].tolist()
        cells = np.array([cells.bit_count() for cells in hits], dtype=np.int64)
        self.order = np.argsort(-cells, kind="stable")

    def _columns(self) -> NDArray[np.uint64]:
        """The decision table by cells, in bits: the rows that occupy each cell, and all rows."""
        rows = self.search.problem.rows
        bits = np.zeros((65, -(-len(rows) // 64) * 64), dtype=bool)
        for cell in range(64):
            bits[cell, : len(rows)] = rows >> np.uint64(cell) & np.uint64(1)
        bits[64, : len(rows)] = True
        return np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)

    def _count(self) -> None:
        """Count every state."""
        # compiled when first imported
        from seabattle.solver.search.kernels.coverage import count_states

        search = self.search
        assert self.order is not None
        rows, ships = len(search.problem), search.problem.ships.shape[1]
        search.placements = placements_for(rows, ships)
        ids = np.zeros(rows, dtype=np.int32)
        given = ids, self.order, self.hits, self._columns(), self.done
        try:
            search.run(lambda: int(count_states(*given, search.count_arrays())))
        finally:
            search.placements = placements_for(0)
        self.counted = True
