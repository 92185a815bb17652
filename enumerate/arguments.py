"""Validation of arguments: public functions check theirs first and reject each in one line.

A value of the wrong type is a ``TypeError`` that names the parameter; a wrong value of the right
type is a ``SeabattleError``. Positions number their cells, so a position from another board would
silently be taken for a different one: it is rejected, too.
"""

from __future__ import annotations

import math
from enum import StrEnum
from numbers import Real
from os import PathLike
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import (
    LayoutError,
    PositionError,
    SeabattleError,
    is_iterable,
    quoted,
    whole_number,
    wrong_type,
)
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules, choose

_Choice = TypeVar("_Choice", bound=StrEnum)


MOST_BITS = 1024
"""No whole number that is longer is believed; Python does not write out very long ones."""

MOST_GIB = 1e6
"""No limit of memory is higher."""


def require_position(
    position: object, rules: Rules | None = None, *, name: str = "position"
) -> None:
    """Reject what is not a position, or a position of other rules.

    Parameters
    ----------
    position
        What was given.
    rules
        The game; any if None.
    name
        The parameter.

    Raises
    ------
    TypeError
        If it is not a position.
    PositionError
        If it is of another game; names that game.
    """
    if not isinstance(position, Position):
        raise wrong_type(name, "a Position, as in Position(rules).shoot('C3', 'miss')", position)
    if rules is not None and position.rules is not rules and position.rules != rules:
        raise PositionError(
            f"the position is of another game: of {position.rules!r}, not of {rules!r}"
        )


def require_placements(
    layouts: NDArray[np.integer[Any]], rules: Rules, name: str = "layouts"
) -> None:
    """Reject what are not placement numbers of this game: kernels would read outside their tables.

    Parameters
    ----------
    layouts
        What was given: integers ``(games, ships)``.
    rules
        The game.
    name
        The parameter.

    Raises
    ------
    TypeError
        If it is not an array of whole numbers.
    LayoutError
        If its shape or a number is wrong; says what would be right.
    """
    if not isinstance(layouts, np.ndarray) or not np.issubdtype(layouts.dtype, np.integer):
        raise wrong_type(name, "an array of placement numbers", layouts)
    ships, placements = len(rules.fleet.lengths), len(placement_table(rules).placements)
    if layouts.ndim != 2 or layouts.shape[1] != ships:
        raise LayoutError(
            f"{name} of shape {layouts.shape}: give an array (games, {ships}) of placement numbers"
        )
    for number in (int(layouts.min()), int(layouts.max())) if len(layouts) else ():
        if not 0 <= number < placements:
            raise LayoutError(
                f"{name} with placement {number}: numbers are 0 to {placements - 1} here"
            )


def require_numbers(name: str, value: object, count: int) -> None:
    """Reject what is not an array of numbers below a count: negative ones count from the end.

    Raises
    ------
    TypeError
        If it is not a one-dimensional array of whole numbers.
    LayoutError
        If a number is out of range.
    """
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "iu" or value.ndim != 1:
        raise wrong_type(name, "a one-dimensional array of layout numbers", value)
    for number in (int(value.min()), int(value.max())) if len(value) else ():
        if not 0 <= number < count:
            raise LayoutError(f"{name} with layout {number}: numbers are 0 to {count - 1} here")


def require_whole(
    name: str, value: object, least: int | None = None, most: int | None = None
) -> int:
    """The value as an integer.

    Parameters
    ----------
    name
        The parameter.
    value
        What was given: an integer of Python or numpy.
    least, most
        The smallest and the largest value allowed.

    Raises
    ------
    TypeError
        If it is not a whole number.
    SeabattleError
        If it is below ``least`` or above ``most``, or has more than ``MOST_BITS`` bits.
    """
    number = whole_number(value)
    if number is None:
        raise wrong_type(name, "a whole number", value)
    if number.bit_length() > MOST_BITS:
        raise SeabattleError(f"{name}: give a whole number of up to {MOST_BITS} bits")
    if least is not None and number < least:
        raise SeabattleError(f"{name} {quoted(number)}: must be {least} or above")
    if most is not None and number > most:
        raise SeabattleError(f"{name} {quoted(number)}: must be {most:,} or below")
    return number


def require_number(
    name: str,
    value: object,
    unit: str,
    *,
    least: float | None = None,
    above: float | None = None,
    most: float | None = None,
) -> float:
    """The value as a number.

    Parameters
    ----------
    name, unit
        The parameter, and what it counts, such as ``seconds``.
    value
        What was given.
    least, above
        The smallest value allowed, or a value that the number has to exceed.
    most
        The largest value allowed.

    Raises
    ------
    TypeError
        If it is not a number.
    SeabattleError
        If it is too small or too large, or not a number (NaN).
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise wrong_type(name, unit, value)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf if value > 0.0 else -math.inf  # type: ignore[operator]
    if least is not None and not number >= least:
        raise SeabattleError(f"{name} {number:g}: must be a number of {unit}, {least:g} or above")
    if above is not None and not number > above:
        raise SeabattleError(f"{name} {number:g}: must be a number of {unit} above {above:g}")
    if most is not None and number > most:
        raise SeabattleError(f"{name} {number:g}: must be a number of {unit}, {most:g} or below")
    if math.isnan(number):
        raise SeabattleError(f"{name} {number:g}: must be a number of {unit}")
    return number


def require_memory(value: object, *, zero: bool = True) -> float:
    """A memory limit in GiB; one that no machine has is as good as a million.

    Raises
    ------
    TypeError
        If it is not a number.
    SeabattleError
        If it is below 0 or not a number (NaN), or 0 where that leaves nothing to work with.
    """
    least = {"least": 0.0} if zero else {"above": 0.0}
    return min(require_number("memory_limit", value, "GiB", **least), MOST_GIB)


def require_path(name: str, value: object) -> None:
    """Reject what is neither text nor a path.

    Raises
    ------
    TypeError
        Names the parameter.
    """
    if not isinstance(value, str | PathLike):
        raise wrong_type(name, "a path", value)


def require_numbers_each(name: str, values: object, count: int, what: str) -> tuple[float, ...]:
    """The values as finite numbers, one for each of so many things.

    Raises
    ------
    TypeError
        If they are no numbers.
    SeabattleError
        If there are more or fewer.
    """
    right = f"one number for each of the {count} {what}"
    if isinstance(values, str | bytes) or not is_iterable(values):
        raise wrong_type(name, right, values)
    found = list(values)
    for value in found:
        if isinstance(value, bool) or not isinstance(value, Real) or value != value:
            raise wrong_type(name, right, value)
    if len(found) != count:
        raise SeabattleError(f"{name}: {len(found)} given for {count} {what}; give one each")
    return tuple(found)


def require_choice(name: str, value: object, kind: type[_Choice], what: str) -> _Choice:
    """Member of an enumeration, given itself or as text.

    Parameters
    ----------
    name
        The parameter.
    value
        What was given.
    kind, what
        The enumeration, and what its members are called in messages.

    Raises
    ------
    TypeError
        If it is not text.
    RulesError
        If it is unknown; lists the right ones.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Contact
    >>> require_choice("contact", "sides", Contact, "contact rule")
    <Contact.SIDES: 'sides'>
    """
    if not isinstance(value, str):
        raise wrong_type(name, "one of " + ", ".join(repr(m.value) for m in kind), value)
    return choose(kind, value, what)
