"""Validation of plain arguments: flags, lists and shots, which boards and positions take, too.

``arguments`` holds the doors for everything else; they know positions, so positions cannot use
them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from seabattle.enumerate.errors import is_iterable, wrong_type


def require_flag(name: str, value: object) -> bool:
    """The value as a flag: other values would count as true without a word, ``"no"`` among them.

    Parameters
    ----------
    name
        The parameter.
    value
        What was given: a bool of Python or numpy.

    Raises
    ------
    TypeError
        Names the parameter.

    Examples
    --------
    >>> require_flag("ordered", "no")
    Traceback (most recent call last):
    TypeError: ordered: give True or False, not 'str'
    """
    # Whoever has a bool of numpy has imported numpy; for others it would be slow to import.
    numpy = sys.modules.get("numpy")
    if not isinstance(value, bool) and (numpy is None or not isinstance(value, numpy.bool_)):
        raise wrong_type(name, "True or False", value)
    return bool(value)


def require_list(name: str, value: Any, example: str, *, of: str = "texts") -> list[Any]:
    """The value as a list: the characters of a text would be read one by one.

    Parameters
    ----------
    name
        The parameter.
    value
        What was given: anything that can be iterated over, except text and bytes.
    example, of
        What would be right, and what it consists of, for the message.

    Raises
    ------
    TypeError
        Names the parameter.

    Examples
    --------
    >>> require_list("hit", "C1", "['C1', 'E5']")
    Traceback (most recent call last):
    TypeError: hit: give a list of texts, as in ['C1', 'E5'], not 'str'
    """
    right = f"a list of {of}, as in {example}"
    if isinstance(value, str | bytes) or not is_iterable(value):
        raise wrong_type(name, right, value)
    return list(value)


def require_shots(shots: Iterable[Any]) -> tuple[tuple[Any, Any], ...]:
    """Shots as pairs; what the pairs hold is not checked here.

    Raises
    ------
    TypeError
        Names the parameter ``shots``.
    """
    right = "pairs of a cell and its answer, as in [('C3', 'miss'), ('A1', 'hit')]"
    if isinstance(shots, str) or not is_iterable(shots):
        raise wrong_type("shots", right, shots)
    pairs = tuple(shots)
    for pair in pairs:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise wrong_type("shots", right, pair)
    return pairs
