"""The frontier of a sweep over a board: its profiles and the steps between them.

They depend on the width of the sweep, the contact rule and the fleet only, so they are found once
per process; what is known of a game only forbids steps. See ``_profile_kernels`` for what a
profile and a step are. Of the decision diagram that the steps are [Minato2016] no more is kept.

The ships used so far can be kept in two ways: as the axis of a vector of sums for each profile,
which is fast when most of its entries are met, or as part of the profile, which is fast when few
are, as for a handful of ships that may touch. The frontier counts both ways and takes the faster.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting import _profile_kernels as kernels
from seabattle.enumerate.counting._sum_kernels import Steps
from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.rules import Contact

MAX_WIDTH = 16
"""Widest narrow side of a board that can be swept."""

FIRST_CAPACITY = 1 << 12
"""Profiles there is room for at first; the arrays double until all have found room."""

FULL_ENOUGH = 0.25
"""A vector of sums for each profile is faster when at least this share of its entries is met."""

_CONTACTS = {
    Contact.NONE: kernels.NONE,
    Contact.CORNERS: kernels.CORNERS,
    Contact.SIDES: kernels.SIDES,
}


Classes = NDArray[np.uint16] | NDArray[np.uint32]
"""The class of each of some steps."""


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
        Whether the ships used are part of the profile; by default whichever is faster.

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
        counts = Counter(fleet)
        self.width, self.contact = width, contact
        self.lengths = tuple(sorted(counts, reverse=True))
        self.ships = tuple(counts[length] for length in self.lengths)
        self.kinds = kernels.FIRST_SHIP + 2 * len(self.lengths)
        self.strides, self.uses = strides_of(self.ships)
        self._most = most
        self.base = self.lengths[0] + 1
        if self.base**width >= 1 << 63:
            raise TooLargeError(
                f"ships of length {self.lengths[0]} on a board {width} cells wide: a frontier "
                f"does not fit in 64 bits; with this narrow side ships are at most "
                f"{_longest_ship(width)} long"
            )
        if counted is None:
            counted = self.base**width * self.uses < 1 << 63 and self._is_sparse()
        self.counted = counted
        self.keys, layers, order, found = self._find(counted)
        self.layers, sources, targets, codes, waters = self._joined(layers, order, found)
        classes = self._classify(codes, waters)
        self.steps_out = _steps_by(self.nodes, sources, targets, codes, classes)

    def _is_sparse(self) -> bool:
        """Whether few choices of used ships are possible with each profile.

        Decided on a narrow board: the share only falls with the width.
        """
        narrow = Frontier(min(self.width, 7), self.contact, self._fleet, counted=False)
        pairs = kernels.feasible_uses(
            narrow.keys, np.uint64(self.base), narrow.width, *self._types()
        )
        return bool(pairs < FULL_ENOUGH * narrow.profiles * self.uses)

    @property
    def _fleet(self) -> tuple[int, ...]:
        return tuple(n for n, c in zip(self.lengths, self.ships, strict=True) for _ in range(c))

    def _types(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return np.array(self.lengths, dtype=np.int64), np.array(self.ships, dtype=np.int64)

    def _find(
        self, counted: bool
    ) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
        """Find every profile and step; the arrays grow as needed.

        Returns the profiles between rows of the board in the order of their keys; the first node
        of each layer; the nodes in the order of their keys, layer by layer; the steps, int32
        ``(n, STEP_COLUMNS)``.
        """
        capacity, n_steps = FIRST_CAPACITY, np.zeros(1, dtype=np.int64)
        strides = np.array(self.strides, dtype=np.int64) * int(counted)
        homes = np.arange(self.width + 1)
        if self.contact is Contact.SIDES:  # a ship forbids nothing beside it: layers are alike
            homes[:] = 0
        counts = np.zeros(homes[-1] + 1, dtype=np.int64)
        counts[[0, -1]] = 1
        done = np.zeros(self.width + 1, dtype=np.int64)
        keys = np.zeros((len(counts), 0), dtype=np.uint64)
        steps = np.zeros((0, kernels.STEP_COLUMNS), dtype=np.int32)
        while True:
            if counts.max() + self.kinds > keys.shape[1]:
                keys = np.pad(keys, ((0, 0), (0, capacity - keys.shape[1])))
                slots = np.zeros((len(counts), 2 * capacity), dtype=np.int32)
                kernels.rehash(keys, counts, slots)
                capacity *= 2
            if int(n_steps[0]) + self.kinds > len(steps):
                steps = np.concatenate([steps, np.zeros((8 * capacity, steps.shape[1]), np.int32)])
            status = kernels.find_profiles(
                self.width,
                _CONTACTS[self.contact],
                *self._types(),
                strides,
                homes,
                keys,
                counts,
                slots,
                steps,
                n_steps,
                done,
            )
            if counts.max() > self._most:
                raise TooLargeError(f"more than {self._most:,} profiles between two cells")
            if status == kernels.DONE:
                break
        # Sorted by key, profiles that a step connects are close together in memory.
        orders = [np.argsort(keys[home, : counts[home]]) for home in range(len(counts))]
        layers = np.append(0, np.cumsum(counts[homes]))
        order = np.concatenate(
            [first + orders[home] for first, home in zip(layers, homes, strict=False)]
        )
        return keys[0, orders[0]], layers, order, steps[: int(n_steps[0])]

    def _joined(
        self, layers: NDArray[np.int64], order: NDArray[np.int64], steps: NDArray[np.int32]
    ) -> tuple[
        NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32],
        NDArray[np.uint16],
    ]:  # fmt: skip
        """Leave out the profiles that offer no choice.

        Returns the first node of each layer; sources, targets, codes and water masks of the steps.
        """
        number = np.empty(layers[-1], dtype=np.int32)
        ends = np.empty((3, len(steps)), dtype=np.int32)
        waters = np.empty(len(steps), dtype=np.uint16)
        left = kernels.join_steps(
            layers, order, steps, self.kinds, self._water(), number, *ends, waters
        )
        sources, targets, codes = ends[:, :left]
        kept = np.append(0, np.cumsum(number >= 0))[layers]
        return kept, sources, targets, codes, waters[:left]

    def _classify(self, codes: NDArray[np.int32], waters: NDArray[np.uint16]) -> Classes:
        """The class of every step; sets the codes and water masks of the classes."""
        pairs = codes.astype(np.int64) << self.width | waters
        met = np.zeros(self.width * self.kinds << self.width, dtype=bool)
        met[pairs] = True
        of_class = np.flatnonzero(met)
        self.class_codes = of_class >> self.width
        self.class_waters = (of_class & (1 << self.width) - 1).astype(np.uint16)
        number = np.zeros(len(met), dtype=np.uint16 if len(of_class) < 1 << 16 else np.uint32)
        number[of_class] = np.arange(len(of_class))
        classes: Classes = number[pairs]
        return classes

    def _water(self) -> NDArray[np.uint16]:
        """Mask of the columns whose cells a step makes water itself: uint16, by code."""
        masks = np.zeros((self.width, self.kinds), dtype=np.uint16)
        for column in range(self.width):
            masks[column, kernels.WATER] = 1 << column
            if self.contact is Contact.SIDES:
                continue
            # The cell after a ship: a horizontal one is as wide as it is long.
            wide = [1] * self.kinds
            wide[kernels.FIRST_SHIP + 1 :: 2] = self.lengths
            for kind in range(kernels.NEXT_CELL, self.kinds):
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
    def most_into_layers(self) -> int:
        """Over the layers after the first, the sum of one more than the most steps into a node."""
        steps = np.bincount(self.steps_out.others, minlength=self.nodes)
        return _most_by_layer(steps, self.layers[1:])

    @cached_property
    def most_out_of_layers(self) -> int:
        """The same of the steps out of a node, over the layers before the last."""
        return _most_by_layer(np.diff(self.steps_out.starts), self.layers[:-1])

    @property
    def nbytes(self) -> int:
        """Bytes of the steps."""
        return sum(array.nbytes for array in self.steps_out)

    def __repr__(self) -> str:
        return f"<frontier of {self.profiles:,} profiles, width {self.width}>"


def _most_by_layer(steps: NDArray[np.int64], layers: NDArray[np.int64]) -> int:
    """Sum over layers, given by their ends, of one more than the most steps of a node."""
    return sum(int(steps[a:b].max(initial=0)) + 1 for a, b in pairwise(layers))


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


def _longest_ship(width: int) -> int:
    """Longest ship whose profiles fit in 64 bits."""
    longest = 1
    while (longest + 2) ** width < 1 << 63:
        longest += 1
    return longest


def _steps_by(
    count: int,
    nodes: NDArray[np.int32],
    others: NDArray[np.int32],
    codes: NDArray[np.int32],
    classes: Classes,
) -> Steps:
    """Steps sorted by the given one of their ends, which is below ``count``."""
    starts = np.zeros(count + 1, dtype=np.int64)
    found = Steps(starts, np.empty_like(others), np.empty_like(codes), np.empty_like(classes))
    kernels.sort_steps(nodes, others, codes, classes, *found)
    return found


@lru_cache(maxsize=8)
def frontier(width: int, contact: Contact, fleet: tuple[int, ...], most: int = 1 << 31) -> Frontier:
    """The frontier of boards with this shorter side, built once per process."""
    return Frontier(width, contact, fleet, most)
