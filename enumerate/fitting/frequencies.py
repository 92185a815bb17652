"""Priors fitted to how often each cell was occupied.

Among all distributions of layouts under which every cell is occupied as often as was observed, the
prior found here has maximum entropy [Jaynes1957]: it reproduces the frequencies and assumes nothing
else. It is a product of weights of cells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isfinite
from numbers import Rational, Real

import numpy as np

from seabattle.enumerate.errors import WeightsError, is_iterable, quoted, whole_number, wrong_type
from seabattle.enumerate.fitting.features import Weighing, features_of
from seabattle.enumerate.fitting.fit import PriorFit, fit, target_of
from seabattle.enumerate.fitting.watch import FitProgress, Watch
from seabattle.enumerate.game.arguments import require_memory, require_number, require_rules
from seabattle.enumerate.game.rules import Rules

TOLERANCE = 1e-6
"""Largest deviation of a fitted frequency, unless another is asked for."""

ROUNDED = Fraction(1, 10**6)
"""How far decimals may be from their right sum, as a share of it; they were rounded."""

Grid = Sequence[Sequence[Real | float]]


def fit_frequencies(
    rules: Rules,
    frequencies: Grid,
    *,
    games: int | float | None = None,
    tolerance: float = TOLERANCE,
    time_limit: float | None = None,
    memory_limit: float = 4.0,
    progress: Callable[[FitProgress], None] | None = None,
    stop: Callable[[], bool] | None = None,
    name: str = "",
) -> PriorFit:
    """The product prior of cell weights under which cells are occupied with given frequencies.

    Among all distributions of layouts with these frequencies, it is the one of maximum entropy.

    Parameters
    ----------
    rules
        The game.
    frequencies
        Rows of frequencies in [0, 1], or of counts, top row first.
    games
        How many games the counts are from. By default whole numbers are taken to be counts, whose
        sum is the number of games times the cells of the fleet, and other numbers frequencies.
    tolerance
        The largest deviation of a cell's chance from its frequency.
    time_limit
        Seconds after which the best prior so far is returned.
    memory_limit
        GiB for counting.
    progress
        Called with a ``FitProgress`` after every map.
    stop
        Called often; when it returns true, the best prior so far is returned.
    name
        Name of the prior.

    Raises
    ------
    ImpossibleFrequencies
        If no distribution of layouts has these frequencies; carries a certificate.
    WeightsError
        If the shape, a number, or the sum is wrong; says by how much.
    TypeError
        If a parameter is of the wrong type; names it.

    Notes
    -----
    The chances are unique, the weights are so up to a common factor. Cells of frequency 0 become
    forbidden and cells of frequency 1 forced; the weights of the others have geometric mean 1.

    Examples
    --------
    >>> found = fit_frequencies(Rules("1x4", "2"), [[0.5, 0.75, 0.5, 0.25]])
    >>> [round(float(weight), 4) for weight in found.prior.placements]
    [1.4142, 0.7071, 0.7071]
    >>> round(found.bits, 4)
    0.085
    """
    require_rules(rules)
    tolerance = require_number("tolerance", tolerance, "games", above=0, most=1)
    memory_limit = require_memory(memory_limit, zero=False)
    watch = Watch(time_limit, progress, stop)
    wanted, games_seen = shares(rules, frequencies, games)
    target = target_of(rules, features_of(rules, Weighing.CELLS), wanted)
    return fit(
        target,
        watch,
        games=games_seen,
        smoothing=Fraction(0),
        tolerance=tolerance,
        memory_limit=memory_limit,
        inside=False,
        name=name,
    )


def shares(
    rules: Rules, frequencies: Grid, games: int | float | None = None
) -> tuple[tuple[Fraction, ...], Fraction | None]:
    """Frequencies as exact fractions that sum to the fleet's cells, and the number of games.

    Raises
    ------
    WeightsError, TypeError
        See ``fit_frequencies``.

    Examples
    --------
    >>> shares(Rules("1x4", "2"), [[2, 3, 2, 1]])
    ((Fraction(1, 2), Fraction(3, 4), Fraction(1, 2), Fraction(1, 4)), Fraction(4, 1))
    """
    values = _values(rules, frequencies)
    cells, total = rules.fleet.cells, sum(values)
    whole = all(value.denominator == 1 for value in values)
    count: Fraction | None = None
    if games is not None:
        number = require_number("games", games, "games", above=0)
        if not isfinite(number):
            raise WeightsError(f"games {number:g}: must be a finite number")
        count = Fraction(games)
    elif whole:
        count = Fraction(total, cells)
        if count.denominator != 1 or count == 0:
            nearest = max(1, round(count)) * cells
            raise WeightsError(
                f"the counts sum to {total}, which is no multiple of the fleet's {cells} cells: "
                f"{_missing(nearest - total)} of {nearest}"
            )
    per_game = count or Fraction(1)
    wanted = [value / per_game for value in values]
    what = "counts" if count else "frequencies"
    for cell, share in enumerate(wanted):
        if not 0 <= share <= 1:
            seen = _text(values[cell])
            among = f" in {_text(per_game)} games" if count else ""
            raise WeightsError(
                f"cell {rules.board.name(cell)}: {seen}{among} is outside [0, 1]"
                + ("" if games or share < 0 else "; say the number of games if these are counts")
            )
    right = cells * per_game
    if (whole and total != right) or abs(total - right) > ROUNDED * right:
        raise WeightsError(
            f"the {what} sum to {_text(Fraction(total))}, and the fleet's {cells} cells need "
            f"{_text(right)}: {_missing(right - total)}"
        )
    sure = sum((share for share in wanted if share == 1), Fraction(0))
    rest = sum(wanted) - sure
    if rest and rest != cells - sure:  # decimals that were rounded
        factor = (cells - sure) / rest
        wanted = [share if share == 1 else min(share * factor, Fraction(1)) for share in wanted]
    return tuple(wanted), count


def _missing(difference: Fraction | int) -> str:
    size = _text(abs(Fraction(difference)))
    return f"{size} too few" if difference > 0 else f"{size} too many"


def _text(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else f"{float(number):.9g}"


def _values(rules: Rules, frequencies: Grid) -> list[Fraction]:
    """The numbers of a grid in reading order, exactly.

    Raises
    ------
    WeightsError, TypeError
        See ``fit_frequencies``.
    """
    board = rules.board
    given = isinstance(frequencies, Sequence | np.ndarray) and is_iterable(frequencies)
    if isinstance(frequencies, str | bytes) or not given:
        raise wrong_type(
            "frequencies", f"{board.rows} rows of {board.columns} numbers", frequencies
        )
    rows = [list(row) if isinstance(row, Sequence | np.ndarray) else [row] for row in frequencies]
    if len(rows) != board.rows or any(len(row) != board.columns for row in rows):
        shape = f"{len(rows)}x{len(rows[0]) if rows else 0}"
        raise WeightsError(f"frequencies of {shape}: the board is {board}")
    found = []
    for cell, value in enumerate(value for row in rows for value in row):
        if isinstance(value, bool) or not isinstance(value, Real):
            raise wrong_type("frequencies", "numbers", value)
        if not isinstance(value, Rational) and not isfinite(value):
            raise WeightsError(f"cell {board.name(cell)}: {quoted(value)} is not a finite number")
        whole = whole_number(value)
        exact = value if isinstance(value, Fraction) else float(value)
        found.append(Fraction(exact if whole is None else whole))
    return found
