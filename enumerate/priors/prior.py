r"""Priors: how likely each layout is before the first shot.

A prior gives every layout of a game a *weight*, a number from 0 on; only proportions matter. There
are three kinds:

``ProductPrior``
    A layout weighs the product of the weights of its placements. These can also be given by
    weights of cells: a placement then weighs the product of the weights of its cells. The counter
    takes such a prior on boards of any size.
``SumPrior``
    A layout weighs the sum of the weights of the cells that it occupies.
``TablePrior`` (``priors.table_prior``)
    Layouts are weighed one by one: those of a table, or those seen in earlier games.

The last two need the layouts themselves, so they are for boards whose layouts can be enumerated.

Weights are kept as exact fractions, as they were written. The search adds up whole numbers and
takes ``whole_weights``; the counter takes floating-point numbers.

Weights as exact fractions, from the numbers that a program gives or a file holds.

Files hold decimals (``2``, ``0.25``, ``1e-3``), and JSON also quotients of whole numbers (``1/3``).
Nothing is rounded. The length of a number is bounded, because ``1e999999999`` would take hours to
read; the bound leaves room for every floating-point number written out in full.

Whole-number weights of the layouts: exact, or rounded by a stated rule.

The search adds up whole numbers. For its totals to be exact, the sum of the weights must stay below
a limit (``layouts.weights``); let L be the largest sum allowed.

- The weights of a table are whole numbers already. If their sum is at most L, they are used as
  written.
- Otherwise the weights are brought to *lowest terms*: in a common unit in which all of them are
  whole, they are divided by their greatest common divisor. This gives every layout a whole number
  v. If the sum S of all v is at most L, these are the weights, and nothing is rounded.
- Otherwise v is scaled and rounded to the nearest whole number, but a positive weight stays at
  least 1: r = 0 if v = 0, else max(1, round(v (L - n) / S)), where n is the number of positive
  weights. Rounding adds at most 1 to each, so the sum T of all r is at most L.

The *rounding error* is the total variation distance between the prior and the rounded one, the sum
of max(0, v / S - r / T) over all layouts. It is the largest difference between the two in the
probability of any set of layouts. Rounding changes the mean misses of a tree, with at most w misses
on any path, by at most w times this error. Everything here is exact: the error is a fraction.

What all priors have in common: a game, a name, and whole-number weights for the search.

A prior belongs to a game: a board, a fleet and a contact rule. How shots are answered does not
matter.

Layouts listed by the names of their ships: read one by one, checked all at once.

A layout is written as its ships in any order, joined by blanks or commas: ``A1:A3 C1 C3``. No
layouts are enumerated, so lists can be read for boards of any size.

Priors of layouts that are weighed one by one: those of a table, or those seen in games.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm, log, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import (
    BoardError,
    LayoutError,
    SeabattleError,
    WeightsError,
    quoted,
)
from seabattle.enumerate.layouts import Layouts, enumerate_layouts, first_impossible
from seabattle.enumerate.placements import (
    Placement,
    PlacementTable,
    mask_words,
    placement_table,
)
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import MAX_TOTAL, WholeWeights

NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
MOST_DIGITS = 1200
"""Longest number that is read or written: a floating-point number has up to 1,075 digits."""

_BOUNDED = re.compile(rf"\+?[0-9.]{{1,{MOST_DIGITS}}}(?:[eE][+-]?[0-9]{{1,3}})?")
_QUOTIENT = re.compile(r"([+-]?[0-9]+)/([0-9]+)")


def read_number(text: str, *, quotients: bool = False) -> Fraction:
    """A weight as a file writes it.

    Parameters
    ----------
    text
        The number.
    quotients
        Whether quotients such as ``1/3`` are read, too.

    Raises
    ------
    WeightsError
        If it is no number, is negative, or has too many digits.

    Examples
    --------
    >>> read_number("2.50"), read_number("2/6", quotients=True)
    (Fraction(5, 2), Fraction(1, 3))
    """
    parts = _QUOTIENT.fullmatch(text) if quotients else None
    if parts is None and not NUMBER.fullmatch(text):
        raise WeightsError(f"{quoted(text)} is no number")
    if text.startswith("-"):
        raise WeightsError(f"{quoted(text)} is negative; weights start at 0")
    if parts is not None:
        if max(map(len, parts.groups())) > MOST_DIGITS:
            raise WeightsError(f"{quoted(text)} has too many digits; round it")
        if not int(parts[2]):
            raise WeightsError(f"{quoted(text)} divides by 0")
        return Fraction(int(parts[1]), int(parts[2]))
    if not _BOUNDED.fullmatch(text):
        raise WeightsError(f"{quoted(text)} has too many digits; round it")
    return Fraction(text)


def number_text(weight: Fraction, *, quotients: bool = False) -> str:
    """A weight as ``read_number`` reads it, exactly: a decimal where a finite one exists.

    Parameters
    ----------
    weight
        The weight.
    quotients
        Whether weights without a finite decimal may be written as quotients.

    Raises
    ------
    WeightsError
        If it has too many digits, or no finite decimal and quotients are not allowed.

    Examples
    --------
    >>> number_text(Fraction(1, 8)), number_text(Fraction(1, 3), quotients=True)
    ('0.125', '1/3')
    """
    numerator, denominator = weight.numerator, weight.denominator
    twos = (denominator & -denominator).bit_length() - 1
    rest, fives = denominator >> twos, 0
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest == 1:
        scaled = numerator * 10**places // denominator
        if _digits(scaled) < MOST_DIGITS > places:
            text = str(scaled).rjust(places + 1, "0")
            return f"{text[:-places]}.{text[-places:]}" if places else text
    elif not quotients:
        raise WeightsError(
            f"weight {quoted(weight)} has no finite decimal; write it to a .json file, or round it"
        )
    elif max(_digits(numerator), _digits(denominator)) <= MOST_DIGITS:
        return f"{numerator}/{denominator}"
    raise WeightsError(f"a weight has more than {MOST_DIGITS} digits, too many to write; round it")


def _digits(number: int) -> int:
    """Number of decimal digits, or one more; Python refuses to print very long numbers."""
    return int(number.bit_length() * math.log10(2)) + 1


def exact(name: str, value: Number) -> Fraction:
    """A weight that a program gives, as a fraction.

    Parameters
    ----------
    name
        The parameter, for messages.
    value
        A number of Python or numpy.

    Raises
    ------
    WeightsError
        If it is negative or not finite.

    Examples
    --------
    >>> exact("cells", 0.5)
    Fraction(1, 2)
    """
    if not isinstance(value, Fraction) and not math.isfinite(value):
        raise WeightsError(f"{name}: {value} is not finite; weights are numbers from 0 on")
    found = Fraction(value.item() if isinstance(value, np.generic) else value)  # type: ignore[arg-type]
    if found < 0:
        raise WeightsError(f"{name}: {quoted(value)} is negative; weights start at 0")
    return found


def exact_weights(
    name: str, values: Iterable[Number], count: int, what: str
) -> tuple[Fraction, ...]:
    """One weight each, as fractions.

    Parameters
    ----------
    name
        The parameter, for messages.
    values
        Numbers of Python or numpy.
    count, what
        How many are needed, and for what: ``cells``, for example.

    Raises
    ------
    WeightsError
        If one is negative or not finite, or their number is wrong.
    """
    found = tuple(exact(name, value) for value in values)
    if len(found) != count:
        raise WeightsError(f"{name}: {len(found)} given for {count} {what}; give one each")
    return found


MACHINE = 1 << 62
"""Integers below this can be added once or doubled in int64 without overflow."""

MOST_BITS = 1 << 17
"""With longer whole numbers than this, in bits, weighing the layouts would take hours."""

LAYOUTS_AT_ONCE = 1 << 16
"""Layouts weighed together, so that memory stays small beside the layouts themselves."""

BITS_AT_ONCE = 1 << 28
"""Bits of the numbers of layouts weighed together, where numbers are very long."""

Weigh = Callable[[NDArray[np.uint16]], NDArray[np.int64]]
"""Weights of some layouts in a common unit, exactly: whole numbers, int64 or Python's."""


def whole_weights(
    weigh: Callable[[slice], NDArray[np.int64]],
    count: int,
    cells: int,
    source: str,
    *,
    most: int = MACHINE,
    as_written: bool = False,
) -> WholeWeights:
    """Weights of all layouts by the rule of this module.

    Parameters
    ----------
    weigh
        Gives the weights of a slice of the layouts, int64 or object ``(n,)``.
    count
        Number of layouts.
    cells
        Cells of the board.
    source
        What the weights come from, for messages.
    most
        Upper bound of the weights, in the unit of ``weigh``.
    as_written
        Whether weights whose sum is small enough stay as ``weigh`` gives them.

    Raises
    ------
    WeightsError
        If every layout weighs 0, or more layouts have positive weights than the limit allows.
    """
    limit = (MAX_TOTAL - 1) // cells
    size = max(1, min(LAYOUTS_AT_ONCE, BITS_AT_ONCE // most.bit_length()))
    slices = [slice(start, start + size) for start in range(0, count, size)]
    divisor = total = positive = 0
    for part in slices:
        given = weigh(part)
        divisor = gcd(divisor, int(np.gcd.reduce(given)))
        total += _sum(given)
        positive += int(np.count_nonzero(given))
    if not total:
        raise WeightsError(f"{source}: every layout weighs 0, so none is possible")
    if as_written and total <= limit:
        divisor = 1
    total //= divisor
    weights = np.empty(count, dtype=np.int64)
    if total <= limit:
        for part in slices:
            weights[part] = weigh(part) // divisor
        return WholeWeights(weights, Fraction(0))
    room = limit - positive
    if room < 1:
        raise WeightsError(
            f"{source}: {positive:,} layouts have a weight, too many for exact totals on {cells} "
            f"cells, where the sum of whole numbers stays below {limit + 1:,}"
        )
    for part, lowest in _lowest(weigh, slices, divisor):
        nearest = (lowest * (2 * room) + total) // (2 * total)
        weights[part] = np.maximum(nearest, lowest > 0).astype(np.int64)
    rounded = int(weights.sum())
    excess = 0
    for part, lowest in _lowest(weigh, slices, divisor):
        beyond = lowest * rounded - weights[part].astype(object) * total
        excess += int(np.maximum(beyond, 0).sum())
    return WholeWeights(weights, Fraction(excess, total * rounded))


def _lowest(
    weigh: Callable[[slice], NDArray[np.int64]], slices: list[slice], divisor: int
) -> Iterator[tuple[slice, NDArray[np.object_]]]:
    """The weights in lowest terms, as Python's integers, because their products can be long."""
    for part in slices:
        yield part, weigh(part).astype(object) // divisor


def _sum(weights: NDArray[np.int64]) -> int:
    """Exact sum of whole numbers, even where it exceeds a machine word."""
    if weights.dtype == object or len(weights) * int(weights.max()) >= MACHINE:
        return sum(weights.tolist())
    return int(weights.sum())


def in_common_unit(values: Sequence[Fraction]) -> tuple[list[int], int]:
    """The values as whole numbers of one unit, and how many units make 1.

    >>> in_common_unit([Fraction(1, 2), Fraction(2, 3)])
    ([3, 4], 6)
    """
    unit = lcm(*(value.denominator for value in values))
    return [int(value * unit) for value in values], unit


def log_of(weight: Fraction) -> float:
    """Natural logarithm, even of weights too large or too small for a float."""
    return log(weight.numerator) - log(weight.denominator) if weight else -float("inf")


def machine_integers(values: Sequence[int], most: int, source: str) -> NDArray[np.int64]:
    """The values as machine integers if no result, at most ``most``, reaches 2^62."""
    if most.bit_length() > MOST_BITS:
        raise WeightsError(
            f"{source}: in whole numbers the weights have up to {most.bit_length():,} bits; "
            f"{MOST_BITS:,} are allowed: round them"
        )
    return np.array(values, dtype=np.int64 if most < MACHINE else object)


def same_game(one: Rules, other: Rules) -> bool:
    """Whether two games share their priors: board, blocked cells, fleet and contact are equal."""
    return one is other or game_text(one) == game_text(other)


def game_text(rules: Rules) -> str:
    """The game that a prior belongs to, as text.

    >>> game_text(Rules(fleet="hasbro"))
    '10x10, fleet 5,4,3,3,2, contact sides'
    """
    return str(rules).partition(", answers ")[0]


@dataclass(frozen=True, eq=False, repr=False)
class Prior(ABC):
    """Base class of all priors.

    Two priors are equal when they are of the same kind and game and have equal weights, whatever
    their names.

    Attributes
    ----------
    rules
        The game: its board, fleet and contact rule; how shots are answered does not matter.
    name
        How the prior is called in results: ``people``, or the name of its file.
    facts
        Facts about the prior: ``source`` and ``licence``, texts, and ``fit``, a JSON object.
    """

    rules: Rules
    name: str = field(default="", kw_only=True)
    facts: Mapping[str, Any] = field(default_factory=dict, kw_only=True)

    def whole_weights(self, layouts: Layouts) -> WholeWeights:
        """Whole-number weights of layouts: exact, or rounded by a stated rule.

        Where their sum is small enough for exact totals, the weights of a table are taken as
        written, and all others are reduced to lowest terms. Otherwise they are scaled and rounded
        to the nearest whole number, positive weights to at least 1; the error is then the exact
        total variation distance between the prior and the rounded one. See
        ``priors.whole_numbers``.

        Parameters
        ----------
        layouts
            The game's layouts.

        Raises
        ------
        WeightsError
            If the layouts are of another game, or all of them weigh 0.
        TypeError
            If they are not ``Layouts``.

        Examples
        --------
        >>> from seabattle.enumerate.priors.prior import ProductPrior
        >>> rules = Rules("1x4", "2")
        >>> prior = ProductPrior.of_cells(rules, [0.5, 1, 1.5, 2])
        >>> found = prior.whole_weights(enumerate_layouts(rules))
        >>> found.weights.tolist(), found.error
        ([1, 3, 6], Fraction(0, 1))
        """
        self.require_game(layouts.rules)
        weigh, most, _ = self.weigher()
        cells, written = self.rules.board.cells, isinstance(self, TablePrior)
        return whole_weights(
            lambda part: weigh(layouts.ships[part]),
            len(layouts), cells, self.called, most=most, as_written=written,
        )  # fmt: skip

    def possible_layouts(self, rules: Rules, **limits: Any) -> Layouts:
        """Layouts of the game among which are all that weigh more than 0.

        Parameters
        ----------
        rules
            The game, with the answers that are played.
        limits
            As ``enumerate_layouts`` takes them.

        Raises
        ------
        FleetError, TooLargeError
            If there is none, or too many.
        WeightsError
            If it is another game.
        """
        self.require_game(rules)
        return enumerate_layouts(rules, **limits)

    @property
    def rules_out(self) -> bool:
        """Whether there may be layouts that weigh 0."""
        return True

    def relative_weights(self, layouts: Layouts) -> NDArray[np.float64]:
        """Weights of layouts as floating-point numbers, the largest of them 1; for quick play.

        Parameters
        ----------
        layouts
            Layouts of the game.

        Returns
        -------
        float64 ``(n_layouts,)``; all 0 where every layout weighs 0.

        Raises
        ------
        WeightsError
            If the layouts are of another game.
        """
        logs = self.log_weights(layouts)
        most = logs.max(initial=-np.inf)
        return np.zeros(len(logs)) if most == -np.inf else np.exp(logs - most)

    def log_weights(self, layouts: Layouts) -> NDArray[np.float64]:
        """Natural logarithms of the weights of layouts; minus infinity for 0.

        Parameters, result and errors are as for ``relative_weights``.
        """
        self.require_game(layouts.rules)
        return self._log_weights(layouts)

    @abstractmethod
    def _log_weights(self, layouts: Layouts) -> NDArray[np.float64]:
        """Natural logarithms of the weights of layouts; minus infinity for 0."""

    @abstractmethod
    def weigher(self) -> tuple[Weigh, int, Fraction]:
        """What weighs layouts, uint16 ``(n, n_ships)``, exactly in one unit.

        Returns
        -------
        weigh, most, unit
            The function; the most that it gives; and what its unit weighs.
        """

    def require_game(self, rules: Rules) -> None:
        """Reject any game other than the prior's own.

        Raises
        ------
        WeightsError
            Names both games.
        TypeError
            If these are no rules.
        """
        if not same_game(self.rules, rules):
            raise WeightsError(
                f"{self.called} is of {game_text(self.rules)}, not of {game_text(rules)}"
            )

    @property
    def called(self) -> str:
        """What messages call the prior."""
        return f"prior {self.name}" if self.name else "the prior"

    @property
    @abstractmethod
    def _weights(self) -> tuple[object, ...]:
        """What two priors compare by: equal priors have equal values."""

    @property
    @abstractmethod
    def _kind(self) -> str:
        """How layouts are weighed, in words."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return same_game(self.rules, other.rules) and self._weights == other._weights

    def __hash__(self) -> int:
        rules = self.rules
        return hash((type(self), game_text(rules), *self._weights))

    def __repr__(self) -> str:
        name = f" {self.name}" if self.name else ""
        return f"<prior{name}: {self._kind}; {game_text(self.rules)}>"


_SEPARATOR = re.compile(r"\s*,\s*|\s+")
_LONGEST_NAME = 40


def parts_of(text: str) -> list[str]:
    """The parts of a line between commas or blanks; two commas in a row enclose an empty part.

    >>> parts_of("A1:A3, C1 C3"), parts_of("1,,2")
    (['A1:A3', 'C1', 'C3'], ['1', '', '2'])
    """
    return _SEPARATOR.split(text)


class LayoutReader:
    """Reads layouts by the names of their ships.

    Parameters
    ----------
    rules
        The game.
    """

    def __init__(self, rules: Rules) -> None:
        self.table: PlacementTable = placement_table(rules)
        self.rules = rules
        self.size = len(rules.fleet.lengths)
        self.numbers: dict[str, int] = {}
        self.places: list[str] = []
        self.found: list[tuple[int, ...]] = []

    def ship(self, name: str) -> int:
        """Number of the placement of a ship.

        Raises
        ------
        SeabattleError
            If it cannot be read, or the fleet has no such ship.
        """
        known = self.numbers.get(name)
        if known is None:
            if not name:
                raise WeightsError("there is nothing between two separators; a ship is missing")
            if len(name) > _LONGEST_NAME:
                raise WeightsError(f"ship {quoted(name)} cannot be read; write it as A1:A3 or C1")
            known = self.table.number(Placement.parse(name, self.rules.board))
            self.numbers[name] = known
        return known

    def number(self, place: str, name: str) -> int:
        """``ship``, whose errors then begin with a place."""
        try:
            return self.ship(name)
        except SeabattleError as error:
            raise WeightsError(f"{place}: {error}") from None

    def add(self, place: str, text: str) -> None:
        """Read one layout.

        Parameters
        ----------
        place
            Where it stands, for the beginning of messages: ``weights.csv, line 4``.
        text
            Its ships.

        Raises
        ------
        WeightsError
            If a ship cannot be read, or they are not the ships of the fleet.
        """
        try:
            names = parts_of(text)
            ships = tuple(sorted(map(self.ship, names)))
            if len(ships) != self.size:
                self.table.parse_layout(names)  # names the ships of the fleet
        except SeabattleError as error:
            raise WeightsError(f"{place}: {error}") from None
        self.places.append(place)
        self.found.append(ships)

    def layouts(self) -> list[tuple[int, ...]]:
        """Placement numbers of the layouts read, in increasing order.

        Raises
        ------
        WeightsError
            If the ships of a layout are not the fleet's, overlap or touch.
        """
        wrong = first_impossible(self.rules, self.found)
        if wrong is not None:
            try:
                self.table.parse_layout(self.table.names(self.found[wrong]))
            except LayoutError as error:
                raise WeightsError(f"{self.places[wrong]}: {error}") from None
        return self.found


def layout_keys(ships: NDArray[np.integer]) -> NDArray[np.bytes_]:
    """Rows of placement numbers as byte strings, which sort in the same order as the rows."""
    bytes_each = 2 * ships.shape[1]
    return np.ascontiguousarray(ships, dtype=">u2").view(f"S{bytes_each}").reshape(-1)


__all__ = ["Prior", "ProductPrior", "SumPrior"]

Number = Fraction | float | np.number[Any]
"""A weight as programs may give it; a floating-point number stands for its exact value."""


@dataclass(frozen=True, eq=False, repr=False)
class ProductPrior(Prior):
    """A layout weighs the product of the weights of its placements.

    Attributes
    ----------
    placements
        One weight per placement, in the order of the rules' placement table.
    forced
        Mask of the cells that every layout must occupy; layouts that do not weigh 0.
    cells
        The weights of the cells that the placements' weights are products of, by cell number;
        None when weights were given to the placements directly.

    Raises
    ------
    WeightsError
        If a weight is negative or not finite, their number is wrong, every placement of a ship
        weighs 0, or the forced cells are not cells of the board or too many for the fleet.

    Examples
    --------
    >>> prior = ProductPrior.of_cells(Rules("1x4", "2"), [2, 1, 1, 3])
    >>> [int(weight) for weight in prior.placements]
    [2, 1, 3]
    >>> prior
    <prior: product of the weights of 4 cells; 1x4, fleet 2, contact none>
    """

    placements: tuple[Fraction, ...]
    forced: int = 0
    cells: tuple[Fraction, ...] | None = None

    def __post_init__(self) -> None:
        table, board = placement_table(self.rules), self.rules.board
        given = exact_weights("placements", self.placements, len(table), "placements")
        object.__setattr__(self, "placements", given)
        for first, stop in dict.fromkeys(table.slots):
            if not any(given[first:stop]):
                raise WeightsError(
                    f"placements: those of a ship of length {table.placements[first].length} all "
                    f"weigh 0, so no layout is possible"
                )
        if not 0 <= self.forced <= board.full_mask:
            raise WeightsError(f"forced: a cell is off the board {board}")
        if self.forced.bit_count() > self.rules.fleet.cells:
            raise WeightsError(
                f"forced: {self.forced.bit_count()} cells are given, and the fleet "
                f"{self.rules.fleet} has {self.rules.fleet.cells}"
            )
        if self.cells is not None:
            cells = exact_weights("cells", self.cells, board.cells, "cells")
            object.__setattr__(self, "cells", cells)

    @classmethod
    def of_cells(
        cls,
        rules: Rules,
        cells: Iterable[Number],
        *,
        forced: Iterable[str | int] = (),
        name: str = "",
        facts: Mapping[str, Any] | None = None,
    ) -> ProductPrior:
        """The prior whose placements weigh the product of the weights of their cells.

        Parameters
        ----------
        rules
            The game.
        cells
            A weight per cell, top row first.
        forced
            Cells that every layout must occupy.
        name, facts
            See ``Prior``.

        Raises
        ------
        WeightsError, TypeError
            As for the class; a forced cell that does not exist is a ``WeightsError``, too.
        """
        weights = exact_weights("cells", cells, rules.board.cells, "cells")
        if not any(weights):
            raise WeightsError("cells: every number is 0; at least one must be above 0")
        placements = products_of_cells(rules, weights)
        required = forced_mask(rules, forced)
        return cls(
            rules, placements, required, weights, name=name, facts={} if facts is None else facts
        )

    def _log_weights(self, layouts: Layouts) -> NDArray[np.float64]:
        found: NDArray[np.float64] = np.add.reduce(self._logs[layouts.ships], axis=1)
        if self.forced:
            needed = mask_words([self.forced], layouts.masks.shape[1])
            found[((layouts.masks & needed) != needed).any(axis=1)] = -np.inf
        return found

    @cached_property
    def _logs(self) -> NDArray[np.float64]:
        """Natural logarithms of the placements' weights."""
        return np.array([log_of(weight) for weight in self.placements])

    def weigher(self) -> tuple[Weigh, int, Fraction]:
        """What weighs layouts exactly in one unit."""
        table = placement_table(self.rules)
        values, unit = [], Fraction(1)
        for first, stop in dict.fromkeys(table.slots):
            whole, parts = in_common_unit(self.placements[first:stop])
            divisor = gcd(*whole)
            values += [value // divisor for value in whole]
            unit *= Fraction(divisor, parts) ** table.slots.count((first, stop))
        most = prod(max(values[first:stop]) for first, stop in table.slots)
        numbers = machine_integers(values, most, self.called)
        forced = [(each.mask & self.forced).bit_count() for each in table.placements]
        covers = np.array(forced, dtype=np.int64)

        def weigh(ships: NDArray[np.uint16]) -> NDArray[np.int64]:
            found: NDArray[np.int64] = np.multiply.reduce(numbers[ships], axis=1)
            if self.forced:
                found[covers[ships].sum(axis=1) < self.forced.bit_count()] = 0
            return found

        return weigh, most, unit

    @property
    def _weights(self) -> tuple[object, ...]:
        return self.placements, self.forced

    @property
    def rules_out(self) -> bool:
        """Whether there may be layouts that weigh 0."""
        return bool(self.forced) or not all(self.placements)

    def possible_layouts(self, rules: Rules, **limits: Any) -> Layouts:
        """Layouts of placements that weigh more than 0."""
        self.require_game(rules)
        allowed = np.array([weight > 0 for weight in self.placements])
        return enumerate_layouts(rules, allowed=allowed, **limits)

    @property
    def _kind(self) -> str:
        what = "placements" if self.cells is None else "cells"
        forced = " ".join(self.rules.board.names(self.forced))
        return (
            f"product of the weights of {len(self.cells or self.placements)} {what}"
            f"{', forced ' + forced if forced else ''}"
        )


@dataclass(frozen=True, eq=False, repr=False)
class SumPrior(Prior):
    """A layout weighs the sum of the weights of the cells that it occupies.

    Attributes
    ----------
    cells
        The weights of the cells, by cell number.

    Raises
    ------
    WeightsError
        If a weight is negative or not finite, their number is wrong, or all are 0.

    Examples
    --------
    >>> SumPrior(Rules("1x4", "2"), [0.5, 1, 1.5, 2]).cells[0]
    Fraction(1, 2)
    """

    cells: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        given = exact_weights("cells", self.cells, self.rules.board.cells, "cells")
        if not any(given):
            raise WeightsError("cells: every number is 0; at least one must be above 0")
        object.__setattr__(self, "cells", given)

    def _log_weights(self, layouts: Layouts) -> NDArray[np.float64]:
        most = max(self.cells)  # so that no sum is too large or too small for a float
        values = np.array(
            [
                float(sum(self.cells[cell] for cell in placement.cells) / most)
                for placement in placement_table(self.rules).placements
            ]
        )
        with np.errstate(divide="ignore"):
            found: NDArray[np.float64] = np.log(np.add.reduce(values[layouts.ships], axis=1))
        return found + log_of(most)

    def weigher(self) -> tuple[Weigh, int, Fraction]:
        """What weighs layouts exactly in one unit."""
        cells, unit = in_common_unit(self.cells)
        placements = placement_table(self.rules).placements
        values = [sum(cells[cell] for cell in placement.cells) for placement in placements]
        most = max(values) * len(self.rules.fleet.lengths)
        numbers = machine_integers(values, most, self.called)
        return lambda ships: np.add.reduce(numbers[ships], axis=1), most, Fraction(1, unit)

    @property
    def _weights(self) -> tuple[object, ...]:
        return (self.cells,)

    @property
    def _kind(self) -> str:
        return f"sum of the weights of {len(self.cells)} cells"


def products_of_cells(rules: Rules, cells: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The weight of every placement: the product of the weights of its cells."""
    return tuple(
        prod((cells[cell] for cell in placement.cells), start=Fraction(1))
        for placement in placement_table(rules).placements
    )


def forced_mask(rules: Rules, cells: Iterable[str | int]) -> int:
    """Mask of the cells that every layout must occupy.

    Raises
    ------
    WeightsError
        If a cell does not exist.
    """
    try:
        return rules.board.mask(rules.board.cell(cell) for cell in cells)
    except BoardError as error:
        raise WeightsError(f"forced: {error}") from None


@dataclass(frozen=True, eq=False, repr=False)
class TablePrior(Prior):
    """Layouts are weighed one by one.

    Attributes
    ----------
    weights
        The weight of each listed layout. The keys are its placement numbers in increasing order.
    others
        The weight of every other layout.

    Raises
    ------
    WeightsError
        If a weight is negative, all are 0, or what is listed is no layout of the game.

    Examples
    --------
    >>> prior = TablePrior.of_games(Rules("3x3", "3,1,1"), ["A1:A3 C1 C3"] * 2, smoothing=1)
    >>> prior
    <prior: 1 layout listed, every other weighs 1; 3x3, fleet 3,1,1, contact none>
    """

    weights: Mapping[tuple[int, ...], int]
    others: int = 0

    def __post_init__(self) -> None:
        given = {_ships(self.rules, ships): int(n) for ships, n in self.weights.items()}
        object.__setattr__(self, "weights", given)
        if min(self.others, *given.values(), 0) < 0:
            raise WeightsError("weights: one is negative; weights start at 0")
        if not self.others and not any(given.values()):
            raise WeightsError("weights: all are zero; at least one layout must be possible")
        listed = list(given)
        wrong = first_impossible(self.rules, listed)
        if wrong is not None:
            raise WeightsError(
                f"weights: placements {listed[wrong]} are no layout of {game_text(self.rules)}"
            )

    @classmethod
    def of_games(
        cls,
        rules: Rules,
        layouts: Iterable[str | Sequence[str]],
        *,
        smoothing: int = 0,
        name: str = "",
        facts: Mapping[str, Any] | None = None,
    ) -> TablePrior:
        """The prior of layouts seen in earlier games: each weighs how often it was seen.

        Parameters
        ----------
        rules
            The game.
        layouts
            The layouts seen, each as its ships: ``A1:A3 C1 C3`` or a list of these names.
        smoothing
            Added to the count of every layout of the game. With 0, layouts never seen are
            impossible.
        name, facts
            See ``Prior``.

        Raises
        ------
        WeightsError
            If one is no layout of the game, or none is given and ``smoothing`` is 0.
        """
        if smoothing < 0:
            raise WeightsError(f"smoothing {smoothing}: a whole number from 0 on is needed")
        reader = LayoutReader(rules)
        for number, layout in enumerate(layouts, start=1):
            names = layout if isinstance(layout, str) else " ".join(map(str, layout))
            reader.add(f"layout {number}", names)
        counts = Counter(reader.layouts())
        weights = {ships: count + smoothing for ships, count in counts.items()}
        return cls(rules, weights, smoothing, name=name, facts={} if facts is None else facts)

    @cached_property
    def _values(self) -> list[int]:
        """The weights of the layouts listed, in the order of ``_keys``, and of every other."""
        return [*(self.weights[ships] for ships in sorted(self.weights)), self.others]

    @cached_property
    def _keys(self) -> NDArray[np.bytes_]:
        """The layouts listed, in increasing order."""
        ships = len(self.rules.fleet.lengths)
        return layout_keys(np.array(sorted(self.weights), dtype=np.int64).reshape(-1, ships))

    def _places(self, ships: NDArray[np.uint16]) -> NDArray[np.int64]:
        """For each layout, the index of its weight in ``_values``."""
        keys, wanted = self._keys, layout_keys(ships)
        place: NDArray[np.int64] = np.searchsorted(keys, wanted)
        there = np.flatnonzero(place < len(keys))
        place[there[keys[place[there]] != wanted[there]]] = len(keys)
        return place

    def _log_weights(self, layouts: Layouts) -> NDArray[np.float64]:
        logs = np.array([log(value) if value else -np.inf for value in self._values])
        found: NDArray[np.float64] = logs[self._places(layouts.ships)]
        return found

    def weigher(self) -> tuple[Weigh, int, Fraction]:
        """What weighs layouts exactly in one unit."""
        most = max(self._values)
        numbers = machine_integers(self._values, most, self.called)
        return lambda ships: numbers[self._places(ships)], most, Fraction(1)

    @property
    def _weights(self) -> tuple[object, ...]:
        return frozenset(self.weights.items()), self.others

    @property
    def listed(self) -> NDArray[np.uint16]:
        """The layouts of weight above 0 where all others weigh 0: uint16 ``(n, n_ships)``."""
        rows = sorted(ships for ships, weight in self.weights.items() if weight)
        return np.array(rows, dtype=np.uint16).reshape(-1, len(self.rules.fleet.lengths))

    @property
    def rules_out(self) -> bool:
        """Whether there may be layouts that weigh 0."""
        return not self.others or not all(self.weights.values())

    def possible_layouts(self, rules: Rules, **limits: Any) -> Layouts:
        """The layouts listed, where all others weigh 0."""
        if self.others:
            return super().possible_layouts(rules, **limits)
        self.require_game(rules)
        return Layouts.of_ships(rules, self.listed)

    @property
    def _kind(self) -> str:
        count = len(self.weights)
        return f"{count:,} layout{'s'[: count != 1]} listed, every other weighs {self.others:,}"


def _ships(rules: Rules, layout: tuple[int, ...]) -> tuple[int, ...]:
    """Placement numbers of a listed layout, in increasing order."""
    ships = tuple(map(int, layout))
    if len(ships) != len(rules.fleet.lengths) or list(ships) != sorted(ships):
        raise WeightsError(
            f"weights: {quoted(layout)} is no layout; give one placement number for each of the "
            f"{len(rules.fleet.lengths)} ships, in increasing order"
        )
    return ships
