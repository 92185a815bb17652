"""The frontier of a sweep over a board: its profiles and the steps between them.

They depend on the width of the sweep, the contact rule and the fleet only, so they are found once
per process; what is known of a game only forbids steps. Of the decision diagram that the steps are
[Minato2016] no more is kept.

The sweep visits the cells of a board row by row, ``width`` cells to a row. A *profile* records, for
every column, what its next cell to be visited must be: a digit 0 free, 1 water, ``k + 1`` (k >= 1)
a cell of a vertical ship of which k cells are still to come; the digits are packed into a uint64
to the base ``longest + 1``. Profiles met before cell ``c`` of a row form layer ``c``; layer
``width`` is layer 0 of the next row, number for number. A *step* leads from a profile to a
profile of a later layer: water on a cell, the next cell of a ship begun above, or a whole ship
beginning here, horizontal ones at once. Where ships may not touch side by side, the cell after a
ship in its row is water and the step passes over it too.

Kinds of steps: ``WATER``; ``NEXT_CELL``, the next cell of a ship begun above; from ``FIRST_SHIP``
on whole ships, two kinds for the t-th length: ``FIRST_SHIP + 2 * t`` going down (or of length 1),
``FIRST_SHIP + 2 * t + 1`` going right. There are ``kinds = FIRST_SHIP + 2 * types`` of them. The
*code* of a step is ``column * kinds + kind``.

Most profiles within a row leave no choice: one step leads on from them, and no ship begins with it.
``join_steps`` leaves them out, and joins the steps that lead to them with the one that leads on.

The ships used so far can be kept in two ways: as the axis of a vector of sums for each profile,
which is fast when most of its entries are met, or as part of the profile, which is fast when few
are: where ships may touch, as profiles are then many and each says more of the ships above it.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.kernels import ONE, allocating_kernel, kernel
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Contact, Rules

NONE, CORNERS, SIDES = 0, 1, 2
"""Contact rules, in the order of ``Contact``."""

WATER, NEXT_CELL, FIRST_SHIP = 0, 1, 2
"""Kinds of steps."""

SOURCE, LAYER, TARGET, CODE = 0, 1, 2, 3
"""Columns of the table of steps: number of the source in its layer, layer of the target, number
of the target in it, code (whose column is the source's layer)."""

STEP_COLUMNS = 4

FREE, BLOCKED = 0, 1
"""Digits of a profile; a greater digit d is a ship of which d - 1 cells are still to come."""


MAX_WIDTH = 16
"""Widest narrow side of a board that can be swept."""

FIRST_CAPACITY = 1 << 12
"""Profiles of a layer there is room for at first; the arrays double until all have found room."""

BYTES_PER_PROFILE = 100
"""Approximate memory for a profile of a layer and its steps while they are being found."""


class Steps(NamedTuple):
    """The steps of one row of a sweep, sorted by their first node, in CSR form.

    Attributes
    ----------
    starts
        int64 ``(nodes + 1,)``: the steps of node v are ``starts[v]`` to ``starts[v + 1] - 1``.
    others
        int32 ``(steps,)``: the node that the step leads to.
    codes
        int32 ``(steps,)``: column times kinds plus kind.
    classes
        uint16 or uint32 ``(steps,)``: the class of the step; those of a class have the same code
        and make the same cells water.
    """

    starts: NDArray[np.int64]
    others: NDArray[np.int32]
    codes: NDArray[np.int32]
    classes: NDArray[Any]


@lru_cache(maxsize=32)
def grid(rules: Rules) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How the board of a game is swept: row by row, or by columns if these are shorter.

    Returns
    -------
    cells
        int64 ``(height, width)``: the board's cell at each place.
    starts
        int64 ``(n_placements,)``: for each placement ``row * width * kinds + code`` of its first
        cell, a code being ``column * kinds + kind``.
    """
    board = rules.board
    cells = np.arange(board.cells).reshape(board.rows, board.columns)
    if board.columns > board.rows:
        cells = cells.T
    width = cells.shape[1]
    place = np.empty(board.cells, dtype=np.int64)
    place[cells.ravel()] = np.arange(board.cells)
    lengths = list(rules.fleet.counts)
    kinds = FIRST_SHIP + 2 * len(lengths)
    starts = []
    for placement in placement_table(rules).placements:
        places = place[list(placement.cells)]
        along = placement.length > 1 and places.max() - places.min() == placement.length - 1
        along = along and width > 1
        kind = FIRST_SHIP + 2 * lengths.index(placement.length) + int(along)
        starts.append(int(places.min()) * kinds + kind)
    return np.ascontiguousarray(cells), np.array(starts, dtype=np.int64)


@kernel
def _slot(slots, keys, key):
    """Slot of a profile in an open-addressing hash table, or of the gap where it belongs.

    slots : int32 (2**k,), numbers plus one, 0 in gaps, of which there is at least one
    keys : uint64 (n,), the profiles by number; key : uint64
    """
    size = np.uint64(len(slots) - 1)
    slot = (key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32) & size
    while slots[slot] != 0 and keys[slots[slot] - 1] != key:
        slot = (slot + ONE) & size
    return slot


@kernel
def _fits(digits, longer):
    """Whether the fleet has the vertical ships that a profile is in the middle of.

    digits : int64 (width,), of the profile; longer : int64 (longest,), ships longer than k cells
    """
    for k in range(1, len(longer)):
        begun = 0
        for digit in digits:
            if digit > k:
                begun += 1
        if begun > longer[k]:
            return False
    return True


@kernel
def _lead(kind, c, here, used, digits, power, lengths, ships, strides, longer, contact):
    """Layer to which a step from a cell leads, and what it adds to the key; -1 if there is none.

    kind : int64, kind of the step; c : the cell's column; here : its digit
    used : int64, digits of the ships used so far, where they are part of a profile
    digits : int64 (width,), of the profile, modified and restored
    power, lengths, ships, strides, longer, contact : as in ``find_profiles``
    """
    width, counted = len(digits), strides[0] > 0
    if kind == WATER:
        return c + 1, -here * power[c]
    long, down, delta = 1, 0, 0
    if kind == NEXT_CELL:
        if here <= BLOCKED:
            return -1, 0
        down = here - 2
    else:
        t = (kind - FIRST_SHIP) // 2
        if (kind - FIRST_SHIP) & 1:
            long = lengths[t]
            if long == 1:
                return -1, 0
        else:
            down = lengths[t] - 1
        if counted:
            if used // strides[t] % (ships[t] + 1) == ships[t]:
                return -1, 0
            delta = strides[t] * power[width]
    end = c + long
    free = end <= width
    for i in range(c + 1, min(end, width)):
        free = free and digits[i] == FREE
    if contact != SIDES and end < width:
        free = free and digits[end] <= BLOCKED
    if not free:
        return -1, 0
    below = FREE if contact == SIDES else BLOCKED
    if down > 0:
        below = down + 1
    if kind >= FIRST_SHIP and down > 0 and not counted:
        digits[c] = below
        fits = _fits(digits, longer)
        digits[c] = here
        if not fits:
            return -1, 0
    for i in range(c, end):
        delta += (below - digits[i]) * power[i]
    to = end
    if contact != SIDES:
        edge = BLOCKED if down > 0 or contact == NONE else FREE
        if c > 0 and edge == BLOCKED:
            delta += (BLOCKED - digits[c - 1]) * power[c - 1]
        if end < width:
            delta += (edge - digits[end]) * power[end]
            to = end + 1
    return to, delta


@kernel
def _follow(
    c, keys, counts, slots, steps, n_steps, done, homes, digits, power, lengths, ships, strides,
    longer, contact,
):  # fmt: skip
    """Follow the steps from the profiles of layer ``c`` while there is room; returns ``n_steps``.

    keys, counts, steps, homes, power, lengths, ships, strides, longer, contact : as in
        ``find_profiles``; the first three are modified, and ``n_steps`` says how many steps there
        are
    slots : int32 (lists, 2**k), modified: the hash table of each list, see ``_slot``
    done : int64 (width,), modified: how many profiles of each layer have all their steps
    digits : int64 (width,), scratch
    """
    width, kinds, base = len(digits), FIRST_SHIP + 2 * len(lengths), np.uint64(lengths[0] + 1)
    while done[c] < counts[homes[c]]:
        for home in range(len(counts)):
            if counts[home] + kinds > keys.shape[1]:
                return n_steps
        if n_steps + kinds > len(steps):
            return n_steps
        source = done[c]
        key = keys[homes[c], source]
        rest = key
        for i in range(width):
            digits[i] = np.int64(rest % base)
            rest //= base
        here, used = digits[c], np.int64(rest)
        first, last = WATER, kinds
        if here == BLOCKED:
            last = NEXT_CELL
        elif here > BLOCKED:
            first, last = NEXT_CELL, FIRST_SHIP
        for kind in range(first, last):
            to, delta = _lead(
                kind, c, here, used, digits, power, lengths, ships, strides, longer, contact
            )
            if to < 0:
                continue
            after = np.uint64(np.int64(key) + delta)
            home = homes[to]
            slot = _slot(slots[home], keys[home], after)
            if slots[home, slot] == 0:
                keys[home, counts[home]] = after
                counts[home] += 1
                slots[home, slot] = counts[home]
            step = steps[n_steps]
            step[SOURCE], step[LAYER] = source, to
            step[TARGET], step[CODE] = slots[home, slot] - 1, c * kinds + kind
            n_steps += 1
        done[c] += 1
    return n_steps


@allocating_kernel
def find_profiles(width, contact, lengths, ships, strides, power, longer, homes, most):
    """Every profile of every layer and every step between them, from the empty one.

    width : cells in a row; contact : ``NONE``, ``CORNERS`` or ``SIDES``
    lengths, ships : int64 (types,), distinct lengths, longest first, and how many ships of each
    strides : int64 (types,), 0, or the digits of the ships used so far are part of a profile,
        above those of its columns
    power : int64 (width + 1,), powers of the base of keys, which is ``longest + 1``
    longer : int64 (longest,), ships longer than k cells
    homes : int64 (width + 1,), the list of profiles that each layer uses (layers may share one)
    most : the search ends when a list has more profiles

    Returns uint64 (lists, ...), the profiles found, of which the first of the lists of layers 0 and
    ``width`` is the empty one; int64 (lists,), how many they are; int32 (n_steps, STEP_COLUMNS),
    the steps, those of a profile one after the other. A key is below ``(longest + 1) ** width``
    times the number of choices of used ships, which the caller keeps below 2**63.
    """
    digits = np.empty(width, dtype=np.int64)
    kinds = FIRST_SHIP + 2 * len(lengths)
    counts = np.zeros(homes[width] + 1, dtype=np.int64)
    counts[0] = counts[homes[width]] = 1
    done = np.zeros(width, dtype=np.int64)
    keys = np.zeros((len(counts), FIRST_CAPACITY), dtype=np.uint64)
    slots = np.zeros((len(counts), 2 * FIRST_CAPACITY), dtype=np.int32)
    slots[0, 0] = slots[homes[width], 0] = 1
    steps, n_steps = np.zeros((8 * FIRST_CAPACITY, STEP_COLUMNS), dtype=np.int32), 0
    finished = False
    while not finished:
        finished = True
        for c in range(width):
            while done[c] < counts[homes[c]]:
                finished = False
                if counts.max() + kinds > keys.shape[1]:
                    if counts.max() > most:
                        return keys, counts, steps[:0]
                    keys = np.hstack((keys, np.zeros_like(keys)))
                    slots = np.zeros((len(counts), 2 * keys.shape[1]), dtype=np.int32)
                    for home in range(len(counts)):
                        for i in range(counts[home]):
                            slots[home, _slot(slots[home], keys[home], keys[home, i])] = i + 1
                if n_steps + kinds > len(steps):
                    steps = np.concatenate((steps, np.zeros_like(steps)))
                n_steps = _follow(
                    c, keys, counts, slots, steps, n_steps, done, homes, digits, power, lengths,
                    ships, strides, longer, contact,
                )  # fmt: skip
        end_of_row = homes[width]
        for i in range(counts[0], counts[end_of_row]):
            keys[0, i] = keys[end_of_row, i]
        finished = finished and counts[0] == counts[end_of_row]
        counts[0] = counts[end_of_row]
    return keys, counts, steps[:n_steps]


@allocating_kernel
def join_steps(layers, order, steps, kinds, water):
    """Leave out the profiles within a row of the board that leave no choice.

    Profiles of all layers are numbered consecutively: nodes, as in ``sweep``.

    layers : int64 (width + 2,), first node of each layer, and the end
    order : int64 (nodes,), the nodes in the order in which they are to be renumbered
    steps : int32 (n_steps, STEP_COLUMNS), as ``find_profiles`` returns them; kinds : how many
    water : uint16 (width * kinds,) by code, mask of the columns whose cells a step makes water

    Returns bool (nodes,), whether each node is kept; int64 (kept + 1,), the first step of each node
    kept, and the end; int32, int32 and uint16 (n_steps,), the new end, code and water mask of each
    step.
    """
    nodes = layers[len(layers) - 1]
    starts = np.zeros(nodes, dtype=np.int64)
    count = np.zeros(nodes, dtype=np.int32)
    for e in range(len(steps) - 1, -1, -1):
        node = layers[steps[e, CODE] // kinds] + steps[e, SOURCE]
        count[node] += 1
        starts[node] = e
    onto = np.arange(nodes).astype(np.int32)
    follows = np.zeros(nodes, dtype=np.uint16)
    for node in range(layers[len(layers) - 2] - 1, layers[1] - 1, -1):
        e = starts[node]
        if count[node] == 1 and steps[e, CODE] % kinds < FIRST_SHIP:
            target = layers[steps[e, LAYER]] + steps[e, TARGET]
            onto[node] = onto[target]
            follows[node] = water[steps[e, CODE]] | follows[target]
    number = np.empty(nodes, dtype=np.int32)
    left = n_steps = 0
    for node in order:
        if onto[node] == node:
            number[node] = left
            left += 1
            n_steps += count[node]
    first = np.empty(left + 1, dtype=np.int64)
    targets, codes = np.empty(n_steps, dtype=np.int32), np.empty(n_steps, dtype=np.int32)
    waters = np.empty(n_steps, dtype=np.uint16)
    left = n_steps = 0
    for node in order:
        if onto[node] != node:
            continue
        first[left] = n_steps
        left += 1
        for e in range(starts[node], starts[node] + count[node]):
            target = layers[steps[e, LAYER]] + steps[e, TARGET]
            codes[n_steps] = steps[e, CODE]
            targets[n_steps], waters[n_steps] = (
                number[onto[target]],
                water[codes[n_steps]] | follows[target],
            )
            n_steps += 1
    first[left] = n_steps
    return onto == np.arange(nodes), first, targets, codes, waters


class Frontier:
    """Profiles and steps of one row of a sweep, as the kernels read them.

    Parameters
    ----------
    width
        Cells in a row of the sweep.
    contact
        Contact rule.
    fleet
        Ship lengths.
    most
        Largest number of profiles allowed in one layer.
    counted
        Whether the ships used are part of the profile; by default where ships may touch.

    Attributes
    ----------
    lengths, ships
        Distinct ship lengths, longest first, and how many ships of each.
    strides
        What a ship of each length adds to the number that says which ships are used.
    layers
        int64 ``(width + 2,)``: first node of each layer, and the end. Nodes are the profiles of
        all layers, numbered consecutively; within a row of the board only profiles that leave a
        choice are kept.
    steps_out
        Steps out of each node.
    class_codes, class_waters
        int64 and uint16 ``(classes,)``: code and water mask of the steps of each class, which are
        open or not together.
    keys
        uint64 ``(profiles,)``: the profiles between two rows of the board.

    Raises
    ------
    TooLargeError
        If there are more than ``most`` profiles, or a profile does not fit in 64 bits.
    """

    def __init__(
        self,
        width: int,
        contact: Contact,
        fleet: tuple[int, ...],
        most: int = 1 << 31,
        *,
        counted: bool | None = None,
    ) -> None:
        counts, self._fleet = Counter(fleet), fleet
        self.width, self.contact = width, contact
        self.lengths = tuple(sorted(counts, reverse=True))
        self.ships = tuple(counts[length] for length in self.lengths)
        self.kinds = FIRST_SHIP + 2 * len(self.lengths)
        self.strides, self.uses = strides_of(self.ships)
        self.base = self.lengths[0] + 1
        if self.base**width >= 1 << 63:
            raise TooLargeError(
                f"ships of length {self.lengths[0]} on a board {width} cells wide: a frontier "
                f"does not fit in 64 bits"
            )
        if counted is None:
            counted = contact is Contact.SIDES and self.base**width * self.uses < 1 << 63
        self.counted = counted
        self.keys, layers, order, found = self._find(most)
        water = self._water()
        kept, starts, targets, codes, waters = join_steps(layers, order, found, self.kinds, water)
        self.layers = np.append(0, np.cumsum(kept))[layers]
        self.steps_out = Steps(starts, targets, codes, self._classify(codes, waters))

    def _find(
        self, most: int
    ) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
        """Find every profile and step.

        Returns the profiles between rows of the board in the order of their keys; the first node
        of each layer; the nodes in the order of their keys, layer by layer; the steps, int32
        ``(n, STEP_COLUMNS)``.
        """
        homes = np.arange(self.width + 1)
        if self.contact is Contact.SIDES:  # a ship forbids nothing beside it: layers are alike
            homes[:] = 0
        contact = list(Contact).index(self.contact)
        lengths, ships = np.array(self.lengths), np.array(self.ships)
        strides = np.array(self.strides) * int(self.counted)
        power = np.array([self.base**c for c in range(self.width + 1)])
        longer = np.array([ships[lengths > k].sum() for k in range(self.lengths[0])])
        keys, counts, steps = find_profiles(
            self.width, contact, lengths, ships, strides, power, longer, homes, most
        )
        if counts.max() > most:
            raise TooLargeError(
                f"a board {self.width} wide with fleet {','.join(map(str, self._fleet))}: more "
                f"than the {most:,} profiles between two cells that fit the limit of memory; "
                f"raise --memory-limit or take a board whose shorter side is below {self.width}"
            )
        # Sorted by key, profiles that a step connects are close together in memory.
        orders = [np.argsort(keys[home, : counts[home]]) for home in range(len(counts))]
        layers = np.append(0, np.cumsum(counts[homes]))
        order = [first + orders[home] for first, home in zip(layers, homes, strict=False)]
        return keys[0, orders[0]], layers, np.concatenate(order), steps

    def _classify(self, codes: NDArray[np.int32], waters: NDArray[np.uint16]) -> NDArray[Any]:
        """The class of every step; sets the codes and water masks of the classes."""
        pairs = codes.astype(np.int64) << self.width | waters
        met = np.zeros(self.width * self.kinds << self.width, dtype=bool)
        met[pairs] = True
        of_class = np.flatnonzero(met)
        self.class_codes = of_class >> self.width
        self.class_waters = (of_class & (1 << self.width) - 1).astype(np.uint16)
        number = np.zeros(len(met), dtype=np.uint16 if len(of_class) < 1 << 16 else np.uint32)
        number[of_class] = np.arange(len(of_class))
        classes: NDArray[Any] = number[pairs]
        return classes

    def _water(self) -> NDArray[np.uint16]:
        """Mask of the columns whose cells a step makes water itself: uint16, by code."""
        masks = np.zeros((self.width, self.kinds), dtype=np.uint16)
        for column in range(self.width):
            masks[column, WATER] = 1 << column
            if self.contact is Contact.SIDES:
                continue
            # The cell after a ship: a horizontal one is as wide as it is long.
            wide = [1] * self.kinds
            wide[FIRST_SHIP + 1 :: 2] = self.lengths
            for kind in range(NEXT_CELL, self.kinds):
                if column + wide[kind] < self.width:
                    masks[column, kind] = 1 << column + wide[kind]
        return masks.reshape(-1)

    @property
    def nodes(self) -> int:
        """Number of profiles in all layers together."""
        return int(self.layers[-1])

    @property
    def profiles(self) -> int:
        """Number of profiles between two rows of the board."""
        return int(self.layers[1])

    @cached_property
    def roundings(self) -> int:
        """How often a sum is rounded at most on its way through a row: twice into nodes, once out.

        In every layer it passes through at most one node, which adds up the steps into it (or out
        of it): one rounding for each step and one for the weight.
        """
        into, out = np.bincount(self.steps_out.others), np.diff(self.steps_out.starts)
        most_into = np.maximum.reduceat(into, self.layers[1:-1]).sum()
        most_out = np.maximum.reduceat(out, self.layers[:-2]).sum()
        return int(2 * most_into + most_out) + 3 * self.width

    @property
    def nbytes(self) -> int:
        """Bytes of the steps."""
        return sum(array.nbytes for array in self.steps_out)


def strides_of(ships: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """Mixed-radix strides of the number that says how many ships of each length are used.

    Returns what one ship of each length adds to that number, and how many numbers there are.

    >>> strides_of((1, 2, 3))
    ((1, 2, 6), 24)
    """
    strides, total = [], 1
    for count in ships:
        strides.append(total)
        total *= count + 1
    return tuple(strides), total


@lru_cache(maxsize=8)
def frontier(width: int, contact: Contact, fleet: tuple[int, ...], most: int = 1 << 31) -> Frontier:
    """The frontier of boards with this shorter side, built once per process."""
    return Frontier(width, contact, fleet, most)


def affordable_frontier(rules: Rules, memory_limit: float) -> Frontier:
    """The profiles and steps of a game's sweep.

    Parameters
    ----------
    rules
        The game.
    memory_limit
        GiB that the profiles may take while they are being found.

    Raises
    ------
    TooLargeError
        If they take more, the board is too wide, or a ship is no line.
    """
    if not rules.fleet.all_lines:
        raise TooLargeError(f"fleet {rules.fleet}: no sweep carries ships of other forms")
    width = min(rules.board.rows, rules.board.columns)
    most = int(memory_limit * 2**30) // (BYTES_PER_PROFILE * (width + 1))
    if width > MAX_WIDTH:
        raise TooLargeError(
            f"board {rules.board}: its shorter side is {width}; at most {MAX_WIDTH} is supported"
        )
    return frontier(width, rules.contact, rules.fleet.lengths, most)
