r"""Priors: how likely each layout is before the first shot.

A prior gives every layout of a game a *weight*, a number from 0 on; only proportions matter. There
are three kinds:

``ProductPrior``
    A layout weighs the product of the weights of its placements. These can also be given by
    weights of cells: a placement then weighs the product of the weights of its cells. The counter
    takes such a prior on boards of any size.
``SumPrior``
    A layout weighs the sum of the weights of the cells that it occupies.
``TablePrior``
    Layouts are weighed one by one: those of a table, or those seen in earlier games.

The last two need the layouts themselves, so they are for boards whose layouts can be enumerated.

A prior belongs to a game: a board, a fleet and a contact rule. How shots are answered does not
matter. A layout is written as its ships in any order, joined by blanks or commas: ``A1:A3 C1 C3``.
No layouts are enumerated to read it, so lists can be read for boards of any size.

Weights are kept as exact fractions, as they were written: files hold decimals (``2``, ``0.25``,
``1e-3``) and quotients of whole numbers (``1/3``), and nothing is rounded. The length of a number
is bounded, because ``1e999999999`` would take hours to read; the bound leaves room for every
floating-point number written out in full.

The counter takes floating-point numbers, the search whole ones (``whole_weights``). For its totals
to be exact, the sum of the weights must stay below a limit; let L be the largest sum allowed.

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
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from decimal import Context, Decimal, Inexact, localcontext
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm, log, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import Board
from seabattle.enumerate.errors import SeabattleError, WeightsError, quoted
from seabattle.enumerate.layouts import Layouts, enumerate_layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import LAYOUT_FIELDS, Rules
from seabattle.enumerate.words import parts_of

MAX_TOTAL = 1 << 41
"""Sum of weights x cells stays below this, so that totals fit in the search's packed words."""

MOST_DIGITS = 1200
"""Longest number that is read or written: a floating-point number has up to 1,075 digits."""

_NUMBER = re.compile(rf"\+?[0-9./]{{1,{MOST_DIGITS}}}(?:[eE][+-]?[0-9]{{1,3}})?")

Number = Fraction | float | np.number[Any]
"""A weight as programs may give it; a floating-point number stands for its exact value."""


@contextmanager
def at(place: str) -> Iterator[None]:
    """Errors of what is read here begin with the place where it stands, and are of weights.

    Raises
    ------
    WeightsError
        Names the place.
    """
    try:
        yield
    except SeabattleError as error:
        raise WeightsError(f"{place}: {error}") from None


def read_number(text: str) -> Fraction:
    """A weight as a file writes it: a decimal, or a quotient of whole numbers.

    Raises
    ------
    WeightsError
        If it is not a number from 0 on, or has too many digits.

    Examples
    --------
    >>> read_number("2.50"), read_number("2/6")
    (Fraction(5, 2), Fraction(1, 3))
    """
    try:
        return Fraction(text if _NUMBER.fullmatch(text) else "")
    except (ValueError, ZeroDivisionError):
        raise WeightsError(
            f"{quoted(text)} is not a weight: write a number from 0 on, such as 2, 0.25, 1e-3 or "
            f"1/3, of at most {MOST_DIGITS} digits"
        ) from None


def number_text(weight: Fraction) -> str:
    """A weight as ``read_number`` reads it, exactly: a decimal where a finite one exists.

    Raises
    ------
    WeightsError
        If it has too many digits.

    Examples
    --------
    >>> number_text(Fraction(1, 8)), number_text(Fraction(1, 3))
    ('0.125', '1/3')
    """
    numerator, denominator = weight.as_integer_ratio()
    with localcontext(Context(prec=MOST_DIGITS, Emin=-MOST_DIGITS, traps=[Inexact])):
        try:
            text = format(Decimal(numerator) / denominator, "f")
        except Inexact:
            text = f"{numerator}/{denominator}"
    if len(text) > MOST_DIGITS:
        raise WeightsError(f"a weight has more than {MOST_DIGITS} digits to write; round it")
    return text


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
        If one is negative or not finite, their number is wrong, or all are 0.

    Examples
    --------
    >>> exact_weights("cells", [0.5, 2], 2, "cells")
    (Fraction(1, 2), Fraction(2, 1))
    """
    found: list[Fraction] = []
    for value in values:
        if not isinstance(value, Fraction) and not math.isfinite(value):
            raise WeightsError(f"{name}: {value} is not finite; weights are numbers from 0 on")
        number: Any = value.item() if isinstance(value, np.generic) else value
        if number < 0:
            raise WeightsError(f"{name}: {quoted(number)} is negative; weights start at 0")
        found.append(Fraction(number))
    if len(found) != count:
        raise WeightsError(f"{name}: {len(found)} given for {count} {what}; give one each")
    if not any(found):
        raise WeightsError(f"{name}: every number is 0; at least one must be above 0")
    return tuple(found)


def filled_lines(text: str, source: str) -> list[tuple[str, str]]:
    """The lines of a text with their places, without comments after # and blank lines."""
    written = (line.partition("#")[0].strip() for line in text.split("\n"))
    return [(f"{source}, line {n}", line) for n, line in enumerate(written, start=1) if line]


def read_grid(board: Board, lines: list[tuple[str, str]], source: str) -> list[Fraction]:
    """The numbers of a grid in reading order, from its rows as lines, each with its place.

    Raises
    ------
    WeightsError
        If a number is wrong, or their number; says where.
    """
    found: list[Fraction] = []
    for place, line in lines:
        numbers = parts_of(line.rstrip(",;"))
        with at(place):
            found += map(read_number, numbers)
        if len(numbers) != board.columns:
            raise WeightsError(
                f"{place}: {len(numbers)} numbers, and board {board} has {board.columns} columns; "
                f"write decimals with a point"
            )
    if len(lines) != board.rows:
        raise WeightsError(f"{source}: the grid has {len(lines)} rows, and board {board} "
                           f"has {board.rows}")  # fmt: skip
    return found


def read_layouts(
    rules: Rules, layouts: Iterable[tuple[str, str | Sequence[str]]]
) -> list[tuple[int, ...]]:
    """Layouts as placement numbers in increasing order, from the names of their ships.

    Parameters
    ----------
    rules
        The game.
    layouts
        The place where each layout stands, for the beginning of messages, and its ships: as one
        text, or the name of each.

    Raises
    ------
    WeightsError
        If a ship cannot be read, or the ships of a layout are not the fleet's, overlap or touch.
    """
    table = placement_table(rules)
    found: list[tuple[int, ...]] = []
    for place, ships in layouts:
        names = parts_of(ships) if isinstance(ships, str) else ships
        with at(place):
            found.append(table.parse_layout(names))
    return found


MACHINE = 1 << 62
"""Integers below this can be added once or doubled in int64 without overflow."""

LAYOUTS_AT_ONCE = 1 << 16
"""Layouts weighed together, so that memory stays small beside the layouts themselves."""

BITS_AT_ONCE = 1 << 28
"""Bits of the numbers of layouts weighed together, where numbers are very long."""

Weigh = Callable[[NDArray[np.uint16]], NDArray[np.int64]]
"""Weights of some layouts in a common unit, exactly: whole numbers, int64 or Python's."""


def in_common_unit(values: Sequence[Fraction]) -> tuple[list[int], int]:
    """The values as whole numbers of one unit, and how many units make 1.

    >>> in_common_unit([Fraction(1, 2), Fraction(2, 3)])
    ([3, 4], 6)
    """
    unit = lcm(*(value.denominator for value in values))
    return [int(value * unit) for value in values], unit


def log_of(weight: Fraction) -> float:
    """Natural logarithm, even of weights too large or too small for a float."""
    return log(weight.numerator) - log(weight.denominator) if weight else -math.inf


def machine_integers(values: Sequence[int], most: int) -> NDArray[np.int64]:
    """The values as machine integers if no result, at most ``most``, reaches 2^62."""
    return np.array(values, dtype=np.int64 if most < MACHINE else object)


def game_of(rules: Rules) -> tuple[object, ...]:
    """What of a game a prior belongs to."""
    return tuple(getattr(rules, name) for name in LAYOUT_FIELDS)


def game_text(rules: Rules) -> str:
    """The game that a prior belongs to, as text.

    >>> game_text(Rules(fleet="hasbro"))
    '10x10, fleet 5,4,3,3,2, contact sides'
    """
    return str(rules).partition(", answers ")[0]


@dataclass(frozen=True, eq=False)
class WholeWeights:
    """A prior as whole numbers.

    Attributes
    ----------
    weights
        int64 ``(n_layouts,)``: the weight of each layout, from 0 on.
    error
        Total variation distance between the prior and these weights; 0 when they are exact. The
        mean misses of any tree differ by at most this times its misses in the worst case.
    """

    weights: NDArray[np.int64]
    error: Fraction


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

    rules: Rules = field(compare=False)
    name: str = field(default="", kw_only=True, compare=False)
    facts: Mapping[str, Any] = field(default_factory=dict, kw_only=True, compare=False)

    def whole_weights(self, layouts: Layouts) -> WholeWeights:
        """Whole-number weights of layouts, by the rule of this module: exact, or rounded.

        Parameters
        ----------
        layouts
            The game's layouts.

        Raises
        ------
        WeightsError
            If the layouts are of another game, all of them weigh 0, or more of them have positive
            weights than the limit allows.

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
        limit, count = (MAX_TOTAL - 1) // self.rules.board.cells, len(layouts)
        size = max(1, min(LAYOUTS_AT_ONCE, BITS_AT_ONCE // most.bit_length()))
        slices = [slice(start, start + size) for start in range(0, count, size)]
        divisor = total = positive = 0
        for part in slices:
            given = weigh(layouts.ships[part])
            divisor = gcd(divisor, int(np.gcd.reduce(given)))
            total += int(given.sum(dtype=object))  # even beyond a machine word
            positive += int(np.count_nonzero(given))
        if not total:
            raise WeightsError(f"{self.called}: every layout weighs 0, so none is possible")
        if isinstance(self, TablePrior) and total <= limit:
            divisor = 1
        total //= divisor
        weights = np.empty(count, dtype=np.int64)
        if total <= limit:
            for part in slices:
                weights[part] = weigh(layouts.ships[part]) // divisor
            return WholeWeights(weights, Fraction(0))
        room = limit - positive
        if room < 1:
            raise WeightsError(
                f"{self.called}: {positive:,} layouts have a weight, too many for exact totals: "
                f"the sum of whole numbers stays below {limit + 1:,}"
            )

        def lowest(part: slice) -> NDArray[np.object_]:
            """The weights in lowest terms, as Python's integers: their products can be long."""
            return weigh(layouts.ships[part]).astype(object) // divisor

        for part in slices:
            values = lowest(part)
            nearest = (values * (2 * room) + total) // (2 * total)
            weights[part] = np.maximum(nearest, values > 0).astype(np.int64)
        rounded, excess = int(weights.sum()), 0
        for part in slices:
            beyond = lowest(part) * rounded - weights[part].astype(object) * total
            excess += int(np.maximum(beyond, 0).sum())
        return WholeWeights(weights, Fraction(excess, total * rounded))

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
        weigh, _, unit = self.weigher()
        weights = weigh(layouts.ships).tolist()
        return np.array([log(n) if n else -np.inf for n in weights], np.float64) + log_of(unit)

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
        """
        if game_of(self.rules) != game_of(rules):
            raise WeightsError(
                f"{self.called} is of {game_text(self.rules)}, not of {game_text(rules)}"
            )

    @property
    def called(self) -> str:
        """What messages call the prior."""
        return f"prior {self.name}" if self.name else "the prior"

    @property
    @abstractmethod
    def _kind(self) -> str:
        """How layouts are weighed, in words."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        same = (getattr(self, each.name) == getattr(other, each.name)
                for each in fields(self) if each.compare)  # fmt: skip
        return game_of(self.rules) == game_of(other.rules) and all(same)

    def __hash__(self) -> int:
        return hash((type(self), game_of(self.rules)))

    def __repr__(self) -> str:
        name = f"prior {self.name}".strip()
        return f"<{name}: {self._kind}; {game_text(self.rules)}>"


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
        If a weight is negative or not finite, their number is wrong, or every placement of a ship
        weighs 0.

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
    cells: tuple[Fraction, ...] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        table = placement_table(self.rules)
        given = exact_weights("placements", self.placements, len(table), "placements")
        object.__setattr__(self, "placements", given)
        for first, stop in dict.fromkeys(table.slots):
            if not any(given[first:stop]):
                raise WeightsError(
                    f"placements: those of a ship of length {table.placements[first].length} all "
                    f"weigh 0, so no layout is possible"
                )

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
        WeightsError
            As for the class, and if a forced cell does not exist.
        """
        weights = exact_weights("cells", cells, rules.board.cells, "cells")
        placements = tuple(
            prod((weights[cell] for cell in placement.cells), start=Fraction(1))
            for placement in placement_table(rules).placements
        )
        with at("forced"):
            required = rules.board.mask(forced)
        return cls(rules, placements, required, weights, name=name, facts=facts or {})

    @cached_property
    def logs(self) -> NDArray[np.float64]:
        """Natural logarithms of the placements' weights: float64 ``(n_placements,)``."""
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
        numbers = machine_integers(values, most)
        forced = [(each.mask & self.forced).bit_count() for each in table.placements]
        covers = np.array(forced, dtype=np.int64)

        def weigh(ships: NDArray[np.uint16]) -> NDArray[np.int64]:
            found: NDArray[np.int64] = np.multiply.reduce(numbers[ships], axis=1)
            if self.forced:
                found[covers[ships].sum(axis=1) < self.forced.bit_count()] = 0
            return found

        return weigh, most, unit

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
        object.__setattr__(self, "cells", given)

    def weigher(self) -> tuple[Weigh, int, Fraction]:
        """What weighs layouts exactly in one unit."""
        cells, unit = in_common_unit(self.cells)
        placements = placement_table(self.rules).placements
        values = [sum(cells[cell] for cell in placement.cells) for placement in placements]
        most = max(values) * len(self.rules.fleet.lengths)
        numbers = machine_integers(values, most)
        return lambda ships: np.add.reduce(numbers[ships], axis=1), most, Fraction(1, unit)

    @property
    def _kind(self) -> str:
        return f"sum of the weights of {len(self.cells)} cells"


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
        If a weight is negative, all are 0, or what is listed is not a layout of the game.

    Examples
    --------
    >>> prior = TablePrior.of_games(Rules("3x3", "3,1,1"), ["A1:A3 C1 C3"] * 2, smoothing=1)
    >>> prior
    <prior: 1 layout listed, every other weighs 1; 3x3, fleet 3,1,1, contact none>
    """

    weights: Mapping[tuple[int, ...], int]
    others: int = 0

    def __post_init__(self) -> None:
        given = {tuple(map(int, ships)): int(n) for ships, n in self.weights.items()}
        object.__setattr__(self, "weights", given)
        exact_weights("weights", [self.others, *given.values()], 1 + len(given), "layouts")
        table = placement_table(self.rules)
        for ships in given:
            if list(ships) != sorted(ships) or not table.is_layout(ships):
                raise WeightsError(
                    f"weights: {quoted(ships)} is not a layout of {game_text(self.rules)}: give "
                    f"one placement number for each of the {len(table.slots)} ships, in increasing "
                    f"order"
                )

    @classmethod
    def of_games(
        cls, rules: Rules, layouts: Iterable[str | Sequence[str]], *, smoothing: int = 0
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

        Raises
        ------
        WeightsError
            If one is not a layout of the game, or none is given and ``smoothing`` is 0.
        """
        numbered = enumerate(layouts, start=1)
        seen = read_layouts(rules, ((f"layout {n}", ships) for n, ships in numbered))
        weights = {ships: count + smoothing for ships, count in Counter(seen).items()}
        return cls(rules, weights, smoothing)

    def weigher(self) -> tuple[Weigh, int, Fraction]:
        """What weighs layouts exactly in one unit."""
        most = max([self.others, *self.weights.values()])

        def weigh(ships: NDArray[np.uint16]) -> NDArray[np.int64]:
            listed = (self.weights.get(tuple(row), self.others) for row in ships.tolist())
            return machine_integers(list(listed), most)

        return weigh, most, Fraction(1)

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
        return Layouts(rules, self.listed)

    @property
    def _kind(self) -> str:
        count = len(self.weights)
        return f"{count:,} layout{'s'[: count != 1]} listed, every other weighs {self.others:,}"
