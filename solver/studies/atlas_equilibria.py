"""The equilibrium of a game for its row of the atlas: its value, or a narrow interval of it.

The value is what is missed on average when the hider knows the shooter's plan, the shooter the
hider's, and neither can improve on it (``solver.equilibrium.double_oracle``). Small games are
solved exactly; of others the value is known to within a millionth of a miss. Both come from a
certificate that uses the two mixes alone, so that an interval, too, is proven.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from seabattle.enumerate.compile_notice import seconds_compiling
from seabattle.enumerate.errors import RulesError, SeabattleError, TooLargeError
from seabattle.enumerate.rules import Rules
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.trees.tree.plans import require_plannable

EQUILIBRIUM_SECONDS = 60.0
"""Time limit of the equilibrium of a row, in CPU seconds."""

WIDEST = Fraction(1, 10**6)
"""Greatest width of an interval of a row, in misses."""

_BUILDING = 0.2  # share of the time limit that the enumeration of the sub-tables may take
_SOUGHT = 8e-7  # width that is sought; with its ends rounded outwards it is at most WIDEST
_GRID = 10**7  # ends of an interval that is not exact are multiples of one over this
_MOST_MISSES = 4096  # more than a board has cells
_EXACT = re.compile(r"[0-9]{1,400}(/[0-9]{1,400})?")
_FIELDS = "equilibrium", "equilibrium_misses", "equilibrium_lower_bound"


class _OverError(Exception):
    """The limit has come."""


@dataclass(frozen=True)
class GameValue:
    """A proven interval of the value of a game, in misses; a single number where it is exact.

    >>> GameValue(Fraction(321, 74), Fraction(321, 74)).document()["equilibrium"]
    '321/74'
    >>> GameValue.of(Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**9)).document()
    {'equilibrium': None, 'equilibrium_misses': 0.3333334, 'equilibrium_lower_bound': 0.3333333}
    """

    lower: Fraction
    upper: Fraction

    @classmethod
    def of(cls, lower: Fraction, upper: Fraction) -> GameValue:
        """From proven bounds: those that differ are rounded outwards to seven digits."""
        if lower == upper:
            return cls(lower, upper)
        return cls(
            Fraction(math.floor(lower * _GRID), _GRID), Fraction(math.ceil(upper * _GRID), _GRID)
        )

    @property
    def is_exact(self) -> bool:
        """Whether the value itself is known."""
        return self.lower == self.upper

    def __str__(self) -> str:
        return str(self.lower) if self.is_exact else f"{float(self.lower)} to {float(self.upper)}"

    def document(self) -> dict[str, Any]:
        """The fields of a row."""
        exact = str(self.lower) if self.is_exact else None
        return dict(zip(_FIELDS, (exact, float(self.upper), float(self.lower)), strict=True))


NO_VALUE: dict[str, Any] = dict.fromkeys(_FIELDS)
"""The fields of a row whose value was not found within the limit."""


def read_value(document: Mapping[str, Any]) -> GameValue | None:
    """The value in the fields of a row; None where they are null.

    Whether the decimals are those of the fraction is left to whoever writes the fields again and
    compares.

    Raises
    ------
    SeabattleError
        If a field is of the wrong type, or the interval is out of range or too wide.
    """
    exact, upper, lower = (document.get(name) for name in _FIELDS)
    if exact is upper is lower is None:
        return None
    if exact is not None:
        if not isinstance(exact, str) or not _EXACT.fullmatch(exact):
            raise SeabattleError("'equilibrium' must be null or a quotient such as '321/74'")
        above, _, below = exact.partition("/")
        if int(below or 1) == 0:
            raise SeabattleError("'equilibrium' divides by 0")
        value = Fraction(int(above), int(below or 1))
        bounds = value, value
    else:
        for name, number in (("equilibrium_misses", upper), ("equilibrium_lower_bound", lower)):
            if type(number) is not float or not 0 <= number < _MOST_MISSES:
                raise SeabattleError(f"{name!r} must be null or a number of misses with a point")
        bounds = Fraction(repr(lower)), Fraction(repr(upper))
    if not bounds[0] <= bounds[1] < _MOST_MISSES or bounds[1] - bounds[0] > WIDEST:
        raise SeabattleError("the interval of the equilibrium is empty, too wide or out of range")
    return GameValue(*bounds)


def has_equilibrium(rules: Rules) -> bool:
    """Whether games of this kind are solved: answers hit or sunk, ships that share no sides.

    >>> has_equilibrium(Rules("3x4", "2,1")), has_equilibrium(Rules("3x4", "2,1", answers="ship"))
    (True, False)
    """
    try:
        require_plannable(rules)
    except RulesError:
        return False
    return True


def game_value(rules: Rules, *, limits: Limits, seconds: float) -> GameValue | None:
    """The value of a game, if it is found within the limits.

    Parameters
    ----------
    rules
        The game.
    limits
        Memory, and how to stop.
    seconds
        Time limit, in CPU seconds; what is compiled meanwhile does not count, nor does the
        certificate of mixes that were found in time. A game whose sub-tables alone take more than
        a fifth of it is given up at once: what follows takes at least four times as long.

    Returns
    -------
    GameValue or None
        None at a limit, after a stop, and for games of another kind.

    Examples
    --------
    >>> print(game_value(Rules("4x4", "3,2,1"), limits=Limits(), seconds=60))
    55/16
    """
    if not has_equilibrium(rules):
        return None
    begun = time.process_time() - seconds_compiling()
    enumerated = False

    def progress(text: str) -> None:
        nonlocal enumerated
        enumerated = enumerated or text.startswith("between")

    def stop() -> bool:
        used = time.process_time() - seconds_compiling() - begun
        if used > (seconds if enumerated else seconds * _BUILDING):
            raise _OverError  # else what is open would be certified first
        if limits.stop is not None and limits.stop():
            raise _OverError
        return False

    try:
        solved = equilibrium(
            rules, gap=_SOUGHT, memory_limit=limits.memory, progress=progress, stop=stop
        )
    except (_OverError, LimitReached, TooLargeError):
        return None
    value = GameValue.of(solved.lower_bound, solved.upper_bound)
    return value if value.upper - value.lower <= WIDEST else None
