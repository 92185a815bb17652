"""Priors as grids: a number for each cell, and a rule that makes a layout's weight of its cells'.

ROWS x COLUMNS numbers, one board row per line, separated by blanks or commas; whole or decimal
(``2``, ``0.25``, ``1e-3``), none negative. A layout weighs the product or the sum of the numbers on
the cells it occupies. Decimals are never rounded: every layout has the same number of cells, so all
cells may be multiplied by a common denominator, and in the end all weights are divided by their
greatest common divisor::

    2    1.5  2
    1.5  1    1.5
    2    1.5  2
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import WeightsError, quoted
from seabattle.enumerate.game.board import Board
from seabattle.enumerate.layouts.enumeration import Layouts
from seabattle.enumerate.layouts.weights import MAX_TOTAL
from seabattle.enumerate.priors._limits import MACHINE, checked, too_large
from seabattle.enumerate.priors._text import NUMBER, Line, lines_of, tokens_of

RULES = ("product", "sum")

_PLAIN = re.compile(r"\+?[0-9.]{1,40}(?:[eE][+-]?[0-9]{1,2})?")
LAYOUTS_AT_ONCE = 1 << 16
"""Layouts weighed together, so that memory stays small beside the layouts themselves."""


def weights_from_grid(
    text: str, layouts: Layouts, rule: str, *, source: str = "weights"
) -> NDArray[np.int64]:
    """Weights by the product or the sum of a grid's numbers over a layout's cells, exactly.

    The weights are in their lowest terms: divided by their greatest common divisor.

    Parameters
    ----------
    text
        The grid, top row first; see the module's text.
    layouts
        The game's layouts.
    rule
        ``product`` or ``sum``.
    source
        Name of the text in errors.

    Returns
    -------
    int64 ``(n_layouts,)``, in the order of ``layouts``.

    Raises
    ------
    WeightsError
        If the rule is unknown, a number or the grid's size is wrong, all weights are 0, or their
        sum is too large for exact totals.

    Notes
    -----
    Machine integers where no intermediate result can pass 2^62, Python's integers elsewhere.

    Examples
    --------
    >>> from seabattle.enumerate.layouts.enumeration import enumerate_layouts
    >>> from seabattle.enumerate.game.rules import Rules
    >>> layouts = enumerate_layouts(Rules("1x4", "2"))
    >>> [layouts.names(i) for i in range(len(layouts))]
    [['A1:B1'], ['B1:C1'], ['C1:D1']]
    >>> weights_from_grid("0.5 1 1.5 2", layouts, "product").tolist()
    [1, 3, 6]
    >>> weights_from_grid("0.5 1 1.5 2", layouts, "sum").tolist()
    [3, 5, 7]
    """
    kind = rule.strip().lower()
    if kind not in RULES:
        raise WeightsError(f"weights rule {quoted(rule)} is unknown; the rules are product and sum")
    values = _whole(_grid(lines_of(text, source), layouts.rules.board, source))
    if not any(values):
        raise WeightsError(f"{source}: every number is 0; at least one must be above 0")
    cells = layouts.rules.fleet.cells
    most = max(values) ** cells if kind == "product" else max(values) * cells
    combine = np.multiply if kind == "product" else np.add
    exact = np.dtype(np.int64) if most < MACHINE else np.dtype(object)

    def weigh(start: int) -> NDArray[np.int64]:
        return _combined(layouts.masks[start : start + LAYOUTS_AT_ONCE], values, combine, exact)

    starts = range(0, len(layouts), LAYOUTS_AT_ONCE)
    advice = "use smaller or rounder numbers, such as 1, 2 and 3"
    divisor = largest = 0
    for start in starts:
        part = weigh(start)
        divisor = gcd(divisor, int(np.gcd.reduce(part)))
        largest = max(largest, int(part.max()))
        if divisor and largest // divisor >= MAX_TOTAL:  # the divisor can only become smaller
            raise too_large(largest // divisor, layouts, source, advice)
    if divisor == 0:
        raise WeightsError(f"{source}: by rule {kind!r} every layout weighs 0, so none is possible")
    weights = np.empty(len(layouts), dtype=np.int64)
    for start in starts:
        weights[start : start + LAYOUTS_AT_ONCE] = (weigh(start) // divisor).astype(np.int64)
    return checked(weights, layouts, source, advice)


def _grid(lines: Sequence[Line], board: Board, source: str) -> list[Fraction]:
    """Numbers of a grid in the order of the cells."""
    values = []
    for row, (number, line) in enumerate(lines):
        tokens = tokens_of(line)
        if row >= board.rows:
            raise WeightsError(
                f"{source}, line {number}: board {board} has {board.rows} rows, this line is one "
                f"too many"
            )
        values += [_cell_value(token, f"{source}, line {number}") for token in tokens]
        if len(tokens) != board.columns:
            raise WeightsError(
                f"{source}, line {number}: {len(tokens)} numbers, and board {board} has "
                f"{board.columns} columns; write decimals with a point"
            )
    if len(lines) != board.rows:
        raise WeightsError(
            f"{source}: the grid has {len(lines)} rows, and board {board} has {board.rows}"
        )
    return values


def _cell_value(token: str, where: str) -> Fraction:
    if not token:
        raise WeightsError(f"{where}: there is nothing before or after a comma; write 0 for none")
    if not NUMBER.fullmatch(token):
        raise WeightsError(
            f"{where}: {quoted(token)} is no number; a weights rule goes with a grid of numbers"
        )
    if token.startswith("-"):
        raise WeightsError(f"{where}: {quoted(token)} is negative; weights start at 0")
    if not _PLAIN.fullmatch(token):
        raise WeightsError(f"{where}: {quoted(token)} has too many digits; round it")
    return Fraction(token)


def _whole(values: Sequence[Fraction]) -> list[int]:
    """The values times their common denominator, without their common divisor."""
    denominator = lcm(*(value.denominator for value in values))
    whole = [int(value * denominator) for value in values]
    divisor = gcd(*whole) or 1
    return [value // divisor for value in whole]


def _combined(
    masks: NDArray[np.uint64], values: Sequence[int], combine: np.ufunc, exact: np.dtype[np.generic]
) -> NDArray[np.int64]:
    """Product or sum over each mask's cells, of dtype ``exact`` (int64 or Python's integers)."""
    weights = np.full(len(masks), combine.identity, dtype=exact)
    for cell, value in enumerate(values):
        if value == combine.identity:
            continue
        occupied = (masks[:, cell // 64] >> np.uint64(cell % 64) & np.uint64(1)).astype(bool)
        weights[occupied] = combine(weights[occupied], value)
    return weights
