"""Weights as exact fractions, from the numbers that a program gives or a file holds.

Files hold decimals (``2``, ``0.25``, ``1e-3``), and JSON also quotients of whole numbers (``1/3``).
Nothing is rounded. The length of a number is bounded, because ``1e999999999`` would take hours to
read; the bound leaves room for every floating-point number written out in full.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np

from seabattle.enumerate.errors import WeightsError, is_iterable, quoted, whole_number, wrong_type

NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
MOST_DIGITS = 1200
"""Longest number that is read or written: a floating-point number has up to 1,075 digits."""

_BOUNDED = re.compile(rf"\+?[0-9.]{{1,{MOST_DIGITS}}}(?:[eE][+-]?[0-9]{{1,3}})?")
_QUOTIENT = re.compile(r"([+-]?[0-9]+)/([0-9]+)")

MOST_EXACT_JSON = 1 << 53
"""Every reader of JSON reads whole numbers below this exactly."""


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


def exact(name: str, value: object) -> Fraction:
    """A weight that a program gives, as a fraction.

    Parameters
    ----------
    name
        The parameter, for messages.
    value
        A number of Python or numpy.

    Raises
    ------
    TypeError
        If it is not a number.
    WeightsError
        If it is negative or not finite.

    Examples
    --------
    >>> exact("cells", 0.5)
    Fraction(1, 2)
    """
    whole = whole_number(value)
    if whole is not None:
        found = Fraction(whole)
    elif isinstance(value, Fraction):
        found = value
    elif isinstance(value, float | np.floating | Decimal):
        if not math.isfinite(value):
            raise WeightsError(f"{name}: {value} is not finite; weights are numbers from 0 on")
        found = Fraction(value if isinstance(value, Decimal) else float(value))
    else:
        raise wrong_type(name, "numbers from 0 on", value)
    if found < 0:
        raise WeightsError(f"{name}: {quoted(value)} is negative; weights start at 0")
    return found


def exact_weights(name: str, values: object, count: int, what: str) -> tuple[Fraction, ...]:
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
    TypeError
        If they are not numbers.
    WeightsError
        If one is negative or not finite, or their number is wrong.
    """
    if isinstance(values, str | bytes) or not is_iterable(values):
        raise wrong_type(name, f"one number for each of the {count} {what}", values)
    found = tuple(exact(name, value) for value in values)
    if len(found) != count:
        raise WeightsError(f"{name}: {len(found)} given for {count} {what}; give one each")
    return found
