"""A frontier sweep over one board: numbers of layouts, or their weights, by adding along its steps.

The sweep follows the steps of a frontier row by row and adds up, for every profile, a *sum vector*:
one number for each choice of how many ships of every length are used. Forward sums say in how many
ways a profile is reached, backward sums in how many ways the fleet can be completed from it; where
both meet at a step that begins a ship, their product is the number of layouts with that ship.
Walks along the backward sums draw layouts.

The same kernels add two types of number, for which they are compiled apart. Whole numbers, modulo
2**(64 words), count every layout as 1; ``weights`` is then None. In floating point a layout counts
as much as the product of its placements' weights, its *mass*: ``weights`` is float64
``(width * kinds,)`` by code, the weight of the placement that begins with the step, above 0 where
it is allowed; 1 where none begins. No mass is negative and nothing is subtracted, so every rounding
changes a sum by at most one part in 2**53 and errors only add up: ``Sweep.error`` counts them. This
holds as long as no number leaves the range of normal float64, 2.3e-308 to 1.7e308; ``weighed``
scales the weights so that none can. A branch for whole numbers is compiled for masses too, which
never take it: hence its ``np.uint64``, which leave whole numbers as they are.

Profiles, layers, steps and their kinds are those of ``frontier``. The profiles of all layers are
numbered consecutively, layer by layer; a profile of a layer is called a *node* here, as in a graph
whose edges are the steps. A step is *open* when the ship that begins with it, if any, is allowed to
lie there, and none of the cells that it makes water is required to be occupied.

Arrays that several kernels take, none of them modified unless a kernel says so:

``sums``
    uint64 or float64 ``(nodes, words, entries)``: the sum vector of each node, ``words`` words to a
    number, least significant first; 1 in floating point.
``reached``
    ``Reached``: the nodes reached in one row of the board.
``steps``
    ``Steps``: the steps out of each node.
``row``
    ``RowRules``: which steps one row of the board allows, and what they do to a sum vector.
``layers``
    int64 ``(width + 2,)``: first node of each layer, and the end.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import takewhile
from math import comb, fsum
from operator import eq
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting.frontier import FIRST_SHIP, Frontier, frontier, grid, strides_of
from seabattle.enumerate.deductions import Constraints
from seabattle.enumerate.kernels import ZERO, kernel
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Rules

WORD_BITS = 64
LOW_HALF = np.uint64(0xFFFFFFFF)
HALF_BITS = np.uint64(32)

FEW = 8
"""Where fewer than one node of a layer in this many is reached, only those on the list are seen."""

BLOCK = 1024
"""The masses of so many nodes are summed up by themselves, so that long sums round less."""

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST_FACTOR, SECOND_FACTOR = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
ROUNDING = 2.0**-53
"""Largest relative error of one rounding."""

MEMORY = 1 << 32
"""Bytes that sums may take by default."""

MOST_KEPT = 1 << 29
"""The sums of all rows are kept if they take no more bytes than this."""

BYTES_REACHED = 5
"""Bytes for one node of ``Reached``."""

Vectors = NDArray[Any]
Boundary = tuple[NDArray[np.int64], Vectors]
"""Profiles alive before a row, and their sums."""

Progress = Callable[[int, int], None]


class Reached(NamedTuple):
    """The nodes reached in one row of the board.

    Attributes
    ----------
    alive
        uint8 ``(nodes,)``: 1 where a node is reached.
    listed
        int32 ``(nodes,)``: the nodes reached in each layer, from that layer's first place on.
    counts
        int64 ``(width + 1,)``: how many they are.
    """

    alive: NDArray[np.uint8]
    listed: NDArray[np.int32]
    counts: NDArray[np.int64]


class RowRules(NamedTuple):
    """What one row of the board allows, and how steps move the entries of a sum vector.

    Attributes
    ----------
    opened
        uint8 ``(classes,)``: 1 where the steps of a class are open.
    shifts
        int64 ``(kinds,)``: by how many entries a step of this kind moves a vector up.
    masks
        ``(kinds, entries)``, 0 where an entry may not be moved; elsewhere all ones of a uint64, or
        1.0.
    """

    opened: NDArray[np.uint8]
    shifts: NDArray[np.int64]
    masks: Vectors


@kernel
def is_open(steps, e, row):
    """Whether step number ``e`` is open in a row of the board."""
    return row.opened[steps.classes[e]] != 0


@kernel
def _add(total, share, mask, up, down, weights, code):
    """Add ``share``, its entries moved up by ``up`` or down by ``down``, to ``total``.

    total : (words, entries), modified
    share : (words, entries), to be multiplied by the weight of the code, if any
    mask : (entries,), of ``row.masks``, counted from the first entry moved
    up, down : integers, one of them 0
    """
    words, entries = total.shape
    moved = entries - up - down
    if weights is not None:
        into, add, weight = total[0, up:], share[0, down:], weights[code]
        for u in range(moved):
            into[u] += add[u] * (mask[u] * weight)
        return
    if words == 1:
        into, add = total[0, up:], share[0, down:]
        for u in range(moved):
            into[u] += np.uint64(add[u]) & np.uint64(mask[u])
        return
    if words == 2:
        into, high = total[0, up:], total[1, up:]
        add, add_high = share[0, down:], share[1, down:]
        for u in range(moved):
            part = np.uint64(add[u]) & np.uint64(mask[u])
            after = into[u] + part
            high[u] += (np.uint64(add_high[u]) & np.uint64(mask[u])) + np.uint64(after < part)
            into[u] = after
        return
    for u in range(moved):
        if mask[u] == 0:
            continue
        carry = ZERO
        for w in range(words):
            before = total[w, u + up]
            partly = before + share[w, u + down]
            after = partly + carry
            carry = np.uint64(partly < before) | np.uint64(after < partly)
            total[w, u + up] = after


@kernel
def is_dense(reached, layers, c):
    """Whether so many nodes of layer ``c`` are reached that they are visited in their own order.

    Nodes that lie close together then are visited together, which is faster; else the list is.
    """
    return reached.counts[c] * FEW > layers[c + 1] - layers[c]


@kernel
def note(reached, layers, c, node):
    """Note that a node is reached by a step from layer ``c``; ``reached`` is modified."""
    reached.alive[node] = 1
    to = c + 1
    while node >= layers[to + 1]:
        to += 1
    reached.listed[layers[to] + reached.counts[to]] = node
    reached.counts[to] += 1


@kernel
def forget(reached, layers):
    """Strike off all nodes; ``reached`` is modified."""
    for c in range(len(reached.counts)):
        if is_dense(reached, layers, c):  # one stroke is faster
            reached.alive[layers[c] : layers[c + 1]] = 0
        else:
            for i in range(layers[c], layers[c] + reached.counts[c]):
                reached.alive[reached.listed[i]] = 0
        reached.counts[c] = 0


@kernel
def _weighed(number, weights, code):
    """A sum, multiplied by the weight of a step, if any."""
    if weights is None:
        return number
    return number * weights[code]


@kernel
def forward_row(sums, reached, layers, steps, row, weights):
    """Sums of all layers of one row from those of layer 0: in how many ways a node is reached.

    sums : given for the nodes of layer 0 that are reached, written for the others reached
    reached : modified; given for layer 0, filled for the other layers
    """
    kinds = len(row.shifts)
    single = sums.reshape(-1)
    is_single = sums.shape[1] == 1 and sums.shape[2] == 1
    for c in range(len(layers) - 2):
        dense = is_dense(reached, layers, c)
        for i in range(layers[c + 1] - layers[c] if dense else reached.counts[c]):
            node = layers[c] + i
            if not dense:
                node = np.int64(reached.listed[node])
            elif reached.alive[node] == 0:
                continue
            first, stop = steps.starts[node], steps.starts[node + 1]
            if is_single:  # the same, of single numbers
                number = single[node]
                for e in range(first, stop):
                    if is_open(steps, e, row):
                        target, share = steps.others[e], _weighed(number, weights, steps.codes[e])
                        if reached.alive[target]:
                            single[target] += share
                        else:
                            note(reached, layers, c, target)
                            single[target] = share
                continue
            for e in range(first, stop):
                if is_open(steps, e, row):
                    target, code = steps.others[e], steps.codes[e]
                    if reached.alive[target] == 0:
                        note(reached, layers, c, target)
                        sums[target][:] = 0
                    mask, up = row.masks[code % kinds], row.shifts[code % kinds]
                    _add(sums[target], sums[node], mask, up, 0, weights, code)


@kernel
def _dot(ahead, behind, mask, shift, weights, code, digits):
    """Add the scalar product of two sum vectors to a number.

    ahead, behind : (words, entries), entry u of the first times entry u + shift of the second
    mask : (entries,), 0 where entry u is left out
    digits : (2 * words,), modified, of ``starts`` in ``backward_row``
    To digits of 32 bits a call adds less than 2**34 * words * entries; ``_carry`` is called before
    one can reach 2**64.
    """
    words, entries = ahead.shape
    if weights is not None:
        mass, two = 0.0, behind[0, shift:]
        for u in range(entries - shift):
            mass += ahead[0, u] * mask[u] * two[u]
        digits[1] += mass * weights[code]
        return
    if words == 1:
        one, two = ahead[0], behind[0, shift:]
        total = ZERO
        for u in range(entries - shift):
            total += (np.uint64(one[u]) & np.uint64(mask[u])) * np.uint64(two[u])
        digits[0] += total
        return
    for u in range(entries - shift):
        if mask[u] == 0:
            continue
        for i in range(2 * words):
            a = np.uint64(ahead[i // 2, u])
            a = a >> HALF_BITS if i & 1 else a & LOW_HALF
            if a == ZERO:
                continue
            for j in range(2 * words - i):
                b = np.uint64(behind[j // 2, u + shift])
                b = b >> HALF_BITS if j & 1 else b & LOW_HALF
                product = a * b
                digits[i + j] += product & LOW_HALF
                if i + j + 1 < len(digits):
                    digits[i + j + 1] += product >> HALF_BITS


@kernel
def _carry(digits, words, weights):
    """Bring every digit of a number to the base 2**32 below 2**32.

    digits : uint64 (2 * words,), modified; left as it is with one word, and of masses
    """
    if weights is None and words > 1:
        for i in range(2 * words):
            if i + 1 < 2 * words:
                digits[i + 1] += np.uint64(digits[i]) >> HALF_BITS
            digits[i] = np.uint64(digits[i]) & LOW_HALF


@kernel
def _close_block(starts):
    """Add the masses of a block to those of the blocks before; ``starts`` is modified."""
    for code in range(len(starts)):
        starts[code, 0] += starts[code, 1]
        starts[code, 1] = 0


@kernel
def backward_row(sums, reached, layers, steps, row, weights, ahead, starts):
    """Sums of all layers of one row from those of the last: in how many ways a fleet is completed.

    sums : given for the nodes of the last layer that are reached, written for the others reached;
        entry u of a node counts the completions when the ships of choice u are used so far
    ahead : (nodes, words, entries), the forward sums of the row, if starts are wanted
    starts : (width * kinds, 2 * words), modified, zero on entry: the number of layouts in which a
        ship begins with each code, as digits to the base 2**32, with one word the number itself
        modulo 2**64 in the first column; masses in the first column too, the second is scratch;
        of length 0 if starts are not wanted
    Starts are exact when there are fewer layouts than 2**(64 words). A node has at most one step of
    a code, so that ``BLOCK`` masses at most are added up by themselves.
    """
    kinds, words = len(row.shifts), sums.shape[1]
    single, before = sums.reshape(-1), ahead.reshape(-1)
    is_single = words == 1 and sums.shape[2] == 1
    wanted = len(starts) > 0
    in_blocks, seen = wanted and weights is not None, 0
    column = 0 if weights is None else 1
    for c in range(len(layers) - 3, -1, -1):
        dense = is_dense(reached, layers, c)
        for i in range(layers[c + 1] - layers[c] if dense else reached.counts[c]):
            node = layers[c] + i
            if not dense:
                node = np.int64(reached.listed[node])
            elif reached.alive[node] == 0:
                continue
            if in_blocks:
                seen += 1
                if seen % BLOCK == 0:
                    _close_block(starts)
            first, stop = steps.starts[node], steps.starts[node + 1]
            if is_single:
                number = sums.dtype.type(0)
                for e in range(first, stop):
                    if is_open(steps, e, row):
                        code = steps.codes[e]
                        rest = _weighed(single[steps.others[e]], weights, code)
                        number += rest
                        if wanted:  # for steps that begin no ship too, which is faster
                            starts[code, column] += before[node] * rest
                single[node] = number
                continue
            sums[node][:] = 0
            for e in range(first, stop):
                if is_open(steps, e, row):
                    code, rests = steps.codes[e], sums[steps.others[e]]
                    kind = code % kinds
                    mask, shift = row.masks[kind], row.shifts[kind]
                    _add(sums[node], rests, mask, 0, shift, weights, code)
                    if wanted and kind >= FIRST_SHIP:
                        _dot(ahead[node], rests, mask, shift, weights, code, starts[code])
                        _carry(starts[code], words, weights)
    if in_blocks:
        _close_block(starts)


@kernel
def _next_share(luck, walk):
    """A random number of 53 bits from 0 to below 1 from one of the streams (splitmix64).

    luck : uint64 (walks, 1), modified
    """
    luck[walk, 0] += GOLDEN
    word = luck[walk, 0]
    word = (word ^ (word >> np.uint64(30))) * FIRST_FACTOR
    word = (word ^ (word >> np.uint64(27))) * SECOND_FACTOR
    word ^= word >> np.uint64(31)
    return np.float64(word >> np.uint64(11)) * ROUNDING


@kernel
def _by_rank(sums, steps, row, node, used, ranks):
    """The step of a walk of some rank among the layouts still ahead of it.

    A step is taken when the rank is below the sum at its end; otherwise that sum is subtracted from
    the rank and the next step is tried.

    ranks : uint64 (words,), modified: below the sum at the node and entry
    """
    kinds, words = len(row.shifts), len(ranks)
    for e in range(steps.starts[node], steps.starts[node + 1]):
        kind = steps.codes[e] % kinds
        if not is_open(steps, e, row) or row.masks[kind, used] == 0:
            continue
        ahead = sums[steps.others[e], :, used + row.shifts[kind]]
        below = False
        for w in range(words - 1, -1, -1):
            if ranks[w] != ahead[w]:
                below = ranks[w] < ahead[w]
                break
        if below:
            return e
        borrow = ZERO
        for w in range(words):
            before = ranks[w]
            partly = before - ahead[w]
            ranks[w] = partly - borrow
            borrow = np.uint64(partly > before) | np.uint64(ranks[w] > partly)
    return steps.starts[node + 1]


@kernel
def _by_share(sums, steps, row, weights, node, used, share):
    """The step below which lies a share of the mass of the layouts beyond a node.

    share : float64 of 53 bits, from 0 to below 1
    Times the sum of some numbers it rounds to less than that sum, and the same numbers are added up
    in the same order, so that one step is always taken.
    """
    kinds, first, stop = len(row.shifts), steps.starts[node], steps.starts[node + 1]
    drawn = 0.0
    for again in range(2):
        total = 0.0
        for e in range(first, stop):
            code = steps.codes[e]
            kind = code % kinds
            if is_open(steps, e, row) and row.masks[kind, used] > 0.0:
                total += weights[code] * sums[steps.others[e], 0, used + row.shifts[kind]]
                if again and drawn < total:
                    return e
        drawn = share * total
    return stop


@kernel
def walk_row(sums, layers, steps, row, weights, at, used, luck, ships, found):
    """Take walks through one row: each by its rank, or step by step at random by mass.

    sums : the backward sums of the row
    at : int64 (walks,), modified: node of layer 0; on return the number in the last layer
    used : int64 (walks,), modified: the entry of a sum vector that says which ships are used
    luck : uint64 (walks, words), modified: ranks among the layouts ahead; or, where layouts have
        masses, states of random numbers, of which every step takes a fresh one
    ships : int64 (walks, n_ships), modified: codes of the ships met
    found : int64 (walks,), modified: how many of them are written
    """
    kinds = len(row.shifts)
    last = layers[len(layers) - 2]
    for walk in range(len(at)):
        node = at[walk]
        while node < last:
            if weights is None:
                e = _by_rank(sums, steps, row, node, used[walk], luck[walk])
            else:
                share = _next_share(luck, walk)
                e = _by_share(sums, steps, row, weights, node, used[walk], share)
            code = steps.codes[e]
            used[walk] += row.shifts[code % kinds]
            node = np.int64(steps.others[e])
            if code % kinds >= FIRST_SHIP:
                ships[walk, found[walk]] = code
                found[walk] += 1
        at[walk] = node - last


class Kept(NamedTuple):
    """What the arrays of all rows hold: the forward sums of a sweep.

    Attributes
    ----------
    rules
        What they depend on: the frontier with the ships to be found, then row by row what the row
        allows and weighs.
    boundaries
        As in ``Sweep``.
    """

    rules: list[Any]
    boundaries: list[Boundary]


class BufferPool(threading.local):
    """Arrays reused by one sweep after another: allocating new ones takes half as long as a sweep.

    Every thread has arrays of its own, so sweeps of several threads may share a pool.

    Attributes
    ----------
    kept
        What the arrays of all rows hold; None while they are being written.
    """

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[np.uint64]] = {}
        self._reached: dict[str, Reached] = {}
        self.kept: Kept | None = None

    def __reduce__(self) -> tuple[type[BufferPool], tuple[()]]:
        return BufferPool, ()  # what the arrays hold is of no use elsewhere

    def get(self, name: str, size: int) -> NDArray[np.uint64]:
        """A uint64 array of ``size`` with arbitrary content; the same memory for the same name."""
        if name not in self._arrays or len(self._arrays[name]) < size:
            self._arrays[name] = np.empty(size, dtype=np.uint64)
        return self._arrays[name][:size]

    def reached(self, name: str, nodes: int, width: int) -> Reached:
        """Memory for the nodes reached in a row, reused as in ``get``; its content is arbitrary."""
        known = self._reached.get(name)
        if known is None or (len(known.alive), len(known.counts)) != (nodes, width + 1):
            known = self._reached[name] = Reached(
                np.zeros(nodes, dtype=np.uint8),
                np.empty(nodes, dtype=np.int32),
                np.zeros(width + 1, dtype=np.int64),
            )
        return known


class Sweep:
    """Sums over the layouts that satisfy the constraints.

    Parameters
    ----------
    rules
        Board, fleet and contact rule.
    constraints
        Allowed placements and required cells of the ships still to be found.
    weights
        float64 ``(n_placements,)``: above 0 for every placement that is allowed, and such that no
        sum leaves the range of float64 (see ``weighed``); None to count layouts.
    words
        Words of 64 bits in every count. Counts are modulo 2**(64 words), exact when there are fewer
        layouts than that; by default no number of layouts can reach it.
    steps
        The frontier to sweep with.
    pool
        Memory to reuse, for one sweep at a time.
    progress
        Called before each row that is swept, with its number and the number of rows.
    memory
        Bytes that sums may take. If they suffice, the sums of all rows are kept, so that they need
        not be computed twice.

    Attributes
    ----------
    entries
        Length of a sum vector, not counting the words that each number may have.
    shifts
        int64 ``(kinds,)``: by how many entries a step of each kind shifts a vector up.
    movable
        bool ``(kinds, entries)``: which entries a step of each kind may shift.
    allowed
        uint8 ``(rows, width * kinds)`` by code: 1 where a step is allowed.
    opened
        uint8 ``(rows, classes)``: 1 where the steps of a class are open, as they are allowed and
        make no cell water that must be occupied.
    """

    def __init__(
        self,
        rules: Rules,
        constraints: Constraints,
        weights: NDArray[np.float64] | None = None,
        *,
        words: int | None = None,
        steps: Frontier | None = None,
        pool: BufferPool | None = None,
        progress: Progress | None = None,
        memory: int = MEMORY,
    ) -> None:
        self.rules, self.constraints, self.weights = rules, constraints, weights
        self.words = 1 if weights is not None else words or words_needed(rules, constraints)
        self.dtype: Any = np.uint64 if weights is None else np.float64
        self.cells, self.starts = grid(rules)
        self.height, self.width = map(int, self.cells.shape)
        self.frontier = steps or frontier(self.width, rules.contact, rules.fleet.lengths)
        self.pool = pool or BufferPool()
        self.progress = progress
        self.memory = memory
        self._set_axis()
        self._set_allowed()

    def _set_axis(self) -> None:
        """Set how steps move along the axis of ships used, and where a sweep begins and ends."""
        front = self.frontier
        left = tuple(self.constraints.left[length] for length in front.lengths)
        self.first, strides, self.entries = 0, (0,) * len(left), 1
        if front.counted:
            found = zip(front.strides, front.ships, left, strict=True)
            begin = sum(stride * (ships - afloat) for stride, ships, afloat in found)
            self.first = int(np.flatnonzero(front.keys == begin * front.base**front.width)[0])
        else:
            strides, self.entries = strides_of(left)
        self.shifts = np.repeat([0, *strides], 2)  # a type of ship has two kinds of steps
        self.movable = np.ones((front.kinds, self.entries), dtype=bool)
        for t, (stride, afloat) in enumerate(zip(strides, left, strict=True)):
            if stride:
                all_used = np.arange(self.entries) // stride % (afloat + 1) == afloat
                self.movable[FIRST_SHIP + 2 * t : FIRST_SHIP + 2 * t + 2, all_used] = False

    def _set_allowed(self) -> None:
        """Set which steps each row allows and which of its cells must be occupied."""
        front, rows, width = self.frontier, self.height, self.width
        allowed = np.zeros((rows, width, front.kinds), dtype=np.uint8)
        allowed.reshape(-1)[self.starts] = self.constraints.allowed
        allowed[:, :, :FIRST_SHIP] = 1
        self.allowed = allowed.reshape(rows, -1)
        occupied = np.array(
            [self.constraints.required >> int(cell) & 1 for cell in self.cells.ravel()]
        ).reshape(rows, width)
        required = (occupied << np.arange(width)).sum(axis=1)
        dry = (front.class_waters & required[:, None]) == 0
        self.opened = self.allowed[:, front.class_codes] & dry

    @cached_property
    def rows(self) -> list[RowRules]:
        """The rules of every row of the board, as the kernels take them."""
        masks: Vectors = self.movable.astype(self.dtype)
        if self.weights is None:
            masks = ZERO - masks  # all ones
        return [RowRules(opened, self.shifts, masks) for opened in self.opened]

    @cached_property
    def row_weights(self) -> list[NDArray[np.float64] | None]:
        """The weights of the steps in every row of the board, as the kernels take them."""
        if self.weights is None:
            return [None] * self.height
        by_code = self.allowed.astype(np.float64)
        by_code.reshape(-1)[self.starts] *= self.weights
        return list(by_code)

    @property
    def vector_bytes(self) -> int:
        """Bytes of a sum vector."""
        return self.words * self.entries * 8

    @property
    def count_bytes(self) -> int:
        """Bytes of the sums that ``count`` holds: a row of layers, and its end."""
        return (self.frontier.nodes + self.frontier.profiles) * self.vector_bytes

    @property
    def map_bytes(self) -> int:
        """Bytes of the sums of a map: two rows of layers, and the end of every row."""
        vectors = 2 * self.frontier.nodes + self.height * self.frontier.profiles
        return vectors * self.vector_bytes

    def _vectors(self, name: str) -> Vectors:
        """Buffer for the sums of one row; the same memory for the same name."""
        nodes = self.frontier.nodes
        buffer: Vectors = self.pool.get(name, nodes * self.words * self.entries).view(self.dtype)
        return buffer.reshape(nodes, self.words, self.entries)

    def _buffers(self, name: str) -> tuple[Vectors, Reached]:
        """Buffers for the sums of a row and its nodes reached."""
        front = self.frontier
        return self._vectors(name), self.pool.reached(name, front.nodes, front.width)

    def _name(self, row: int) -> str:
        """The name of the buffers of a row's forward sums; shared unless rows are kept."""
        return f"forward {row}" if self._keeps_rows else "forward"

    @property
    def _keeps_rows(self) -> bool:
        """Whether the sums of all rows are kept, so that they need not be computed twice."""
        a_row = self.frontier.nodes * (self.vector_bytes + BYTES_REACHED)
        all_rows = self.height * a_row
        return all_rows <= min(MOST_KEPT, self.memory - self.map_bytes)

    def _forward(self, sums: Vectors, reached: Reached, row: int, begin: Boundary) -> None:
        """Nodes reached in a row and their sums, from the profiles at its beginning and theirs."""
        front, (numbers, vectors) = self.frontier, begin
        forget(reached, front.layers)
        reached.alive[numbers] = 1
        reached.listed[: len(numbers)] = numbers
        reached.counts[0] = len(numbers)
        sums[self._index(numbers)] = vectors
        rules, weights = self.rows[row], self.row_weights[row]
        forward_row(sums, reached, front.layers, front.steps_out, rules, weights)

    def _boundaries(
        self, name: Callable[[int], str], known: Sequence[Boundary] = ()
    ) -> Iterator[Boundary]:
        """Profiles alive before each row, and after the last, with their sums.

        The sums of each row are left in the buffers of the given name, where those of the rows
        between ``known`` boundaries are already.
        """
        last = int(self.frontier.layers[-2])
        vectors = np.zeros((1, self.words, self.entries), dtype=self.dtype)
        vectors.reshape(-1)[0] = 1
        known = known or [(np.array([self.first]), vectors)]
        yield from known
        numbers, vectors = known[-1]
        for row in range(len(known) - 1, self.height):
            self._report(row)
            sums, reached = self._buffers(name(row))
            self._forward(sums, reached, row, (numbers, vectors))
            # Truths are looked through faster than bytes.
            numbers = np.flatnonzero(reached.alive[last:].view(np.bool_))
            index = self._index(numbers)
            vectors = sums[last:][index]  # a copy already, if not all of them are taken
            vectors = vectors.copy() if isinstance(index, slice) else vectors
            yield numbers, vectors

    @cached_property
    def kept(self) -> Kept:
        """The forward sums, in the arrays of all rows where these are kept.

        Rows above the first that differs from the sweep before are not swept again.
        """
        start = self.frontier, self.constraints.left, self.words, self.dtype
        by_row = zip(self.opened, self.row_weights, strict=True)
        rules = [start, *((o.tobytes(), w is not None and w.tobytes()) for o, w in by_row)]
        before, self.pool.kept = self.pool.kept, None
        known: list[Boundary] = []
        if before is not None and self._keeps_rows:
            alike = takewhile(bool, map(eq, rules, before.rules))
            known = before.boundaries[: sum(alike)]
        found = Kept(rules, list(self._boundaries(self._name, known)))
        if self._keeps_rows:
            self.pool.kept = found
        return found

    @property
    def boundaries(self) -> list[Boundary]:
        """Profiles alive before each row, and after the last, with their sums."""
        return self.kept.boundaries

    def _index(self, numbers: NDArray[np.int64]) -> NDArray[np.int64] | slice:
        """Index of profiles in their layer; a slice, which is faster, when it is all of them."""
        return slice(self.frontier.profiles) if len(numbers) == self.frontier.profiles else numbers

    def _is_end(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which profiles after the last row can have used the whole fleet.

        All of them if ships used are an axis of the vectors; its last entry is the whole fleet.
        """
        front = self.frontier
        if not front.counted:
            return np.ones(len(numbers), dtype=bool)
        whole = np.uint64((front.uses - 1) * front.base**front.width)
        return np.asarray(front.keys[numbers] >= whole)

    def _report(self, row: int) -> None:
        if self.progress is not None:
            self.progress(row, self.height)

    def _end(self) -> Vectors:
        """Backward sums after the last row: 1 where the whole fleet is used."""
        numbers, _ = self.boundaries[-1]
        vectors = np.zeros((len(numbers), self.words, self.entries), dtype=self.dtype)
        vectors[self._is_end(numbers), 0, -1] = 1
        return vectors

    def _start_sums(self) -> Vectors:
        """For each step, the sum over the layouts in which a ship begins with it.

        Shape ``(rows, codes, 2 * words)``, as the kernel writes them.
        """
        starts = np.zeros((*self.allowed.shape, 2 * self.words), dtype=self.dtype)
        after = self._end()
        for row in range(self.height - 1, -1, -1):
            self._report(row)
            after = self._backward(row, after, starts[row])
        return starts

    def _backward(self, row: int, after: Vectors, starts: Vectors | None = None) -> Vectors:
        """Compute backward sums of the nodes reached in a row; return a view of the first ones."""
        starts = np.empty((0, 2), dtype=self.dtype) if starts is None else starts
        front, boundaries, sums = self.frontier, self.boundaries, self._vectors("backward")
        ahead, reached = self._buffers(self._name(row))
        if self.pool.kept is not self.kept:
            self.pool.kept = None
            self._forward(ahead, reached, row, boundaries[row])
        sums[int(front.layers[-2]) :][self._index(boundaries[row + 1][0])] = after
        rules, weights = self.rows[row], self.row_weights[row]
        backward_row(sums, reached, front.layers, front.steps_out, rules, weights, ahead, starts)
        found: Vectors = sums[self._index(boundaries[row][0])]
        return found

    @cached_property
    def completions(self) -> list[Vectors]:
        """Backward sums of the profiles alive before each row, and after the last."""
        found = [self._end()]
        for row in range(self.height - 1, -1, -1):
            found.append(self._backward(row, found[-1]).copy())
        return found[::-1]

    def count(self) -> int:
        """Number of layouts, as ``total``, in less memory: the ends of rows are not kept."""
        end = deque(self._boundaries(lambda row: "backward"), maxlen=1)
        return int(self._sum_of_ends(*end[0]))

    @cached_property
    def total(self) -> Any:
        """Number of layouts modulo 2**(64 words), or their mass; 0 only if there are none."""
        return self._sum_of_ends(*self.boundaries[-1])

    def _sum_of_ends(self, numbers: NDArray[np.int64], vectors: Vectors) -> int | float:
        """Sum over the profiles after the last row that have used the whole fleet."""
        ends = vectors[self._is_end(numbers)][:, :, -1]
        if self.weights is not None:
            return fsum(ends[:, 0])
        total = sum(sum(map(int, ends[:, w])) << (WORD_BITS * w) for w in range(self.words))
        return total % (1 << (WORD_BITS * self.words))

    def placement_sums(self) -> list[Any]:
        """Number of layouts that have each placement, or their mass, by placement number."""
        found = self._start_sums().reshape(-1, 2 * self.words)[self.starts]
        if self.words == 1:
            return list(found[:, 0].tolist())
        whole, half = 1 << (WORD_BITS * self.words), WORD_BITS // 2
        return [
            sum(int(digit) << (half * i) for i, digit in enumerate(digits)) % whole
            for digits in found
        ]

    @property
    def error(self) -> float:
        """Bound on the relative error of a chance or of the total mass; numbers are exact.

        Counts the roundings that the weight of a layout goes through: those of its way through the
        rows, and a few more. The mass of a placement is a sum of products of a forward and a
        backward sum, added up over the entries of a vector, the nodes of a block and the blocks,
        times a weight. The chance of a placement divides this by the total, and the chance of a
        cell adds up several. Each weight is itself rounded once.
        """
        if self.weights is None:
            return ROUNDING
        front = self.frontier
        blocks = -(-front.nodes // BLOCK)
        ships = len(self.rules.fleet.lengths)
        once = 6 + self.entries + BLOCK + blocks + 2 * ships
        roundings = (front.roundings * self.height + once) * ROUNDING
        return roundings / (1 - roundings)

    def layouts(self, luck: Sequence[int]) -> NDArray[np.int64]:
        """Layouts by their rank in the order of the sweep, or drawn by their mass.

        Parameters
        ----------
        luck
            Ranks, each below the total; of masses, the seed of each layout's random numbers, each
            below 2**64.

        Returns
        -------
        ships
            int64 ``(count, ships still to be found)``: numbers of placements.
        """
        count, front, mask = len(luck), self.frontier, (1 << WORD_BITS) - 1
        numbers = [[n >> WORD_BITS * w & mask for w in range(self.words)] for n in luck]
        words = np.array(numbers, dtype=np.uint64).reshape(count, self.words)
        at = np.full(count, self.first, dtype=np.int64)
        used = np.zeros(count, dtype=np.int64)
        found = np.zeros(count, dtype=np.int64)
        ships = np.zeros((count, sum(self.constraints.left.values())), dtype=np.int64)
        codes = self.width * self.frontier.kinds
        placement_at = np.full(self.height * codes, -1, dtype=np.int64)
        placement_at[self.starts] = np.arange(len(self.starts))
        completions, sums = self.completions, self._vectors("backward")
        place = np.arange(ships.shape[1])
        for row in range(self.height):
            self._backward(row, completions[row + 1])
            before = found.copy()
            rules, weights = self.rows[row], self.row_weights[row]
            walk_row(
                sums, front.layers, front.steps_out, rules, weights, at, used, words, ships, found
            )
            new = (place >= before[:, None]) & (place < found[:, None])
            ships[new] = placement_at[row * codes + ships[new]]
        return ships


def layouts_bound(constraints: Constraints, lengths: NDArray[np.int64]) -> int:
    """A number that the layouts do not exceed, from how many placements each ship has left.

    Parameters
    ----------
    constraints
        What the layouts satisfy.
    lengths
        int64 ``(n_placements,)``: length of each placement.
    """
    bound = 1
    for length, ships in constraints.left.items():
        bound *= comb(int(constraints.allowed[lengths == length].sum()), ships)
    return bound


def words_needed(rules: Rules, constraints: Constraints) -> int:
    """Words of 64 bits that hold any possible number of layouts."""
    lengths = np.array(placement_table(rules).lengths)
    return max(1, -(-layouts_bound(constraints, lengths).bit_length() // WORD_BITS))


def random_numbers(count: int, total: int, rng: np.random.Generator) -> list[int]:
    """So many uniform random numbers below ``total``, of any size."""
    if total <= 1 << WORD_BITS:
        return list(rng.integers(0, total, size=count, dtype=np.uint64).tolist())
    chance = Random(int(rng.integers(1 << 62)))
    return [chance.randrange(total) for _ in range(count)]
