"""Priors: how likely each layout is before the first shot, read from a file.

A prior is one non-negative whole number, a *weight*, per layout; only the proportions matter. The
search minimises the sum of misses times weight, so the weights stay exact integers throughout.
Three kinds of file are told apart by their content:

**Table.** CSV whose first line is ``layout,weight``. A layout is written as in a tree's leaf, its
ships joined by blanks in any order; a layout that is not listed weighs 0::

    layout,weight
    A1:A3 C1 C3,5
    C1:C3 A1 A3,2

**Grid.** ROWS x COLUMNS numbers, one board row per line, separated by blanks or commas; whole or
decimal (``2``, ``0.25``, ``1e-3``), none negative. A layout weighs the product or the sum of the
numbers on the cells it occupies. Decimals are never rounded: every layout has the same number of
cells, so all cells may be multiplied by a common denominator, and in the end all weights are
divided by their greatest common divisor::

    2    1.5  2
    1.5  1    1.5
    2    1.5  2

**Games.** Layouts seen in play, one per line, ships joined by blanks or commas, repeated as often
as they were seen. A layout weighs how often it is listed, plus ``smoothing``: with 0 a layout never
seen counts as impossible::

    A1:A3 C1 C3
    A1:A3,C1,C3

In all three, blank lines and lines that begin with ``#`` are skipped, and the text is UTF-8.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import gcd, lcm
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import Board
from seabattle.enumerate.errors import FileAccessError, SeabattleError, WeightsError, shown
from seabattle.enumerate.layouts import Layouts
from seabattle.enumerate.placements import Placement, PlacementTable, placement_table
from seabattle.enumerate.table import MAX_TOTAL, check_weights

HEADER = ("layout", "weight")
RULES = ("product", "sum")

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_PLAIN = re.compile(r"\+?[0-9.]{1,40}(?:[eE][+-]?[0-9]{1,2})?")
_SEPARATOR = re.compile(r"\s*,\s*|\s+")
_CHUNK = 1 << 16
_MACHINE = 1 << 62

_Line = tuple[int, str]
"""Number of a line, counted from 1, and its text without blanks around it."""


def read_weights(
    path: str | Path, layouts: Layouts, *, rule: str | None = None, smoothing: int = 0
) -> NDArray[np.int64]:
    """Weights of a game's layouts from a file of any of the three kinds.

    Parameters
    ----------
    path
        The file. A first line ``layout,weight`` makes it a table; a rule, or nothing but numbers,
        a grid; anything else is a list of games.
    layouts
        The game's layouts.
    rule
        ``product`` or ``sum``: how a grid weighs layouts. Other files take none.
    smoothing
        Added to the count of every layout, 0 or more. Only counts of games take it.

    Returns
    -------
    int64 ``(n_layouts,)``, in the order of ``layouts``, as ``DecisionTable`` takes them.

    Raises
    ------
    FileAccessError
        If the file cannot be read.
    WeightsError
        If its content is wrong; names the file, the line and what is wrong there.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise WeightsError(f"{path}: a weights file must be UTF-8 text") from None
    except OSError as error:
        raise FileAccessError(f"cannot read {path}: {error.strerror or error}") from None
    except ValueError as error:  # a name no file can have
        raise FileAccessError(f"cannot read {str(path)!r}: {error}") from None
    source = str(path)
    lines = _lines(text, source)
    if _is_header(lines[0][1]):
        if rule is not None:
            raise WeightsError(f"{source}: a table of layouts takes no weights rule; a grid does")
        _refuse_smoothing(smoothing, source, "a table of layouts")
        return weights_from_table(text, layouts, source=source)
    numeric = all(_NUMBER.fullmatch(token) for _, line in lines for token in _tokens(line) if token)
    if rule is None and numeric:
        raise WeightsError(
            f"{source}: a grid of numbers needs a rule: give --weights-rule product or sum"
        )
    if rule is not None:
        _refuse_smoothing(smoothing, source, "a grid")
        return weights_from_grid(text, layouts, rule, source=source)
    return weights_from_games(text, layouts, smoothing=smoothing, source=source)


def weights_from_table(
    text: str, layouts: Layouts, *, source: str = "weights"
) -> NDArray[np.int64]:
    r"""Weights as a CSV table lists them; a layout that is not listed weighs 0.

    Parameters
    ----------
    text
        The table, header ``layout,weight`` first; see the module's text.
    layouts
        The game's layouts.
    source
        Name of the text in errors.

    Returns
    -------
    int64 ``(n_layouts,)``, in the order of ``layouts``.

    Raises
    ------
    WeightsError
        If a line is wrong, a layout is listed twice, all weights are 0 or their sum is too large.

    Examples
    --------
    >>> from seabattle.enumerate.layouts import enumerate_layouts
    >>> from seabattle.enumerate.rules import Rules
    >>> layouts = enumerate_layouts(Rules("3x3", "3,1,1"))
    >>> [" ".join(layouts.names(i)) for i in range(len(layouts))]
    ['A1:C1 A3 C3', 'A3:C3 A1 C1', 'A1:A3 C1 C3', 'C1:C3 A1 A3']
    >>> table = "layout,weight\nC3 C1 A1:A3,5\nC1:C3 A1 A3,2\n"
    >>> weights_from_table(table, layouts).tolist()
    [0, 0, 5, 2]
    """
    (number, header), *lines = _lines(text, source)
    if not _is_header(header):
        raise WeightsError(
            f"{source}, line {number}: the header must be 'layout,weight', not {shown(header)}"
        )
    if not lines:
        raise WeightsError(f"{source}: the table has a header and no layout")
    reader = _LayoutReader(layouts, source)
    weights = [reader.add(line, _table_row) for line in lines]
    rows = reader.rows()
    _refuse_repeats(rows, reader.lines, layouts, source)
    result = [0] * len(layouts)
    for row, weight in zip(rows.tolist(), weights, strict=True):
        result[row] = weight
    return _checked(result, layouts, source, "use smaller or rounder weights")


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
    >>> from seabattle.enumerate.layouts import enumerate_layouts
    >>> from seabattle.enumerate.rules import Rules
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
        raise WeightsError(f"weights rule {shown(rule)} is unknown; the rules are product and sum")
    values = _whole(_grid(_lines(text, source), layouts.rules.board, source))
    if not any(values):
        raise WeightsError(f"{source}: every number is 0; at least one must be above 0")
    cells = layouts.rules.fleet.cells
    most = max(values) ** cells if kind == "product" else max(values) * cells
    combine = np.multiply if kind == "product" else np.add
    exact = np.dtype(np.int64) if most < _MACHINE else np.dtype(object)

    def weigh(start: int) -> NDArray[np.int64]:
        return _combined(layouts.masks[start : start + _CHUNK], values, combine, exact)

    starts = range(0, len(layouts), _CHUNK)
    advice = "use smaller or rounder numbers, such as 1, 2 and 3"
    divisor = largest = 0
    for start in starts:
        part = weigh(start)
        divisor = gcd(divisor, int(np.gcd.reduce(part)))
        largest = max(largest, int(part.max()))
        if divisor and largest // divisor >= MAX_TOTAL:  # the divisor can only become smaller
            raise _too_large(largest // divisor, layouts, source, advice)
    if divisor == 0:
        raise WeightsError(f"{source}: by rule {kind!r} every layout weighs 0, so none is possible")
    weights = np.empty(len(layouts), dtype=np.int64)
    for start in starts:
        weights[start : start + _CHUNK] = (weigh(start) // divisor).astype(np.int64)
    return _checked(weights, layouts, source, advice)


def weights_from_games(
    text: str, layouts: Layouts, *, smoothing: int = 0, source: str = "weights"
) -> NDArray[np.int64]:
    r"""Weights by how often each layout was seen, plus ``smoothing``.

    Parameters
    ----------
    text
        The layouts seen, one per line; see the module's text.
    layouts
        The game's layouts.
    smoothing
        Added to every count, 0 or more: from 1 on every layout stays possible.
    source
        Name of the text in errors.

    Returns
    -------
    int64 ``(n_layouts,)``, in the order of ``layouts``.

    Raises
    ------
    WeightsError
        If a line is no layout of the game, the smoothing is negative, or the sum is too large.

    Examples
    --------
    >>> from seabattle.enumerate.layouts import enumerate_layouts
    >>> from seabattle.enumerate.rules import Rules
    >>> layouts = enumerate_layouts(Rules("3x3", "3,1,1"))
    >>> seen = "A1:A3 C1 C3\nA1:C1 A3 C3\nC1,C3,A1:A3\n"
    >>> weights_from_games(seen, layouts).tolist()
    [1, 0, 2, 0]
    >>> weights_from_games(seen, layouts, smoothing=1).tolist()
    [2, 1, 3, 1]
    """
    if isinstance(smoothing, bool) or not isinstance(smoothing, int | np.integer) or smoothing < 0:
        raise WeightsError(f"smoothing {shown(smoothing)}: a whole number from 0 on is needed")
    lines = _lines(text, source)
    _refuse_lost_header(lines[0], source)
    reader = _LayoutReader(layouts, source)
    for line in lines:
        reader.add(line, _game_row)
    counts = np.bincount(reader.rows(), minlength=len(layouts))
    total = int(counts.sum()) + int(smoothing) * len(layouts)
    if total * layouts.rules.board.cells >= MAX_TOTAL:
        raise _too_large(total, layouts, source, "use a smaller smoothing")
    return _checked(counts + int(smoothing), layouts, source, "use a smaller smoothing")


# Reading lines


def _lines(text: str, source: str) -> list[_Line]:
    """Lines that say something, with their numbers."""
    found = [(number, line.strip()) for number, line in enumerate(text.split("\n"), start=1)]
    found = [(number, line) for number, line in found if line and not line.startswith("#")]
    if not found:
        raise WeightsError(f"{source} is empty: it holds no weights")
    return found


def _tokens(line: str) -> list[str]:
    """Parts of a line between commas or blanks; two commas in a row leave an empty one."""
    return _SEPARATOR.split(line)


def _columns(line: str) -> list[str]:
    try:
        return [column.strip() for column in next(csv.reader([line]))]
    except csv.Error as error:
        raise WeightsError(f"this is no line of a CSV table ({error})") from None


def _is_header(line: str) -> bool:
    parts = [part.strip().strip('"').lower() for part in line.split(",")]
    return tuple(parts) == HEADER


def _refuse_smoothing(smoothing: int, source: str, what: str) -> None:
    if smoothing:
        raise WeightsError(f"{source}: {what} takes no smoothing; counts of games do")


def _refuse_lost_header(line: _Line, source: str) -> None:
    """A table whose header is wrong or missing is no list of games: say so."""
    number, text = line
    if re.search("layout|weight", text, re.IGNORECASE):
        raise WeightsError(
            f"{source}, line {number}: the header of a table must be 'layout,weight', "
            f"not {shown(text)}"
        )
    *_, last = _tokens(text)
    if _NUMBER.fullmatch(last):
        raise WeightsError(
            f"{source}, line {number}: {shown(text)} ends in a number; a table of layouts and "
            f"weights needs 'layout,weight' as its first line"
        )


def _table_row(line: str) -> tuple[str, int]:
    """Layout and weight of a table's line."""
    columns = _columns(line)
    if len(columns) != 2:
        raise WeightsError(
            f"{shown(line)} has {len(columns)} column{'s'[: len(columns) != 1]} instead of 2: "
            f"write a layout, its ships joined by blanks, a comma and its weight"
        )
    layout, weight = columns
    if not layout or not weight:
        raise WeightsError(f"the {'weight' if layout else 'layout'} is missing")
    if re.fullmatch("[0-9]{1,40}", weight):
        return layout, int(weight)
    if _NUMBER.fullmatch(weight) and weight.startswith("-"):
        raise WeightsError(f"weight {shown(weight)} is negative; weights start at 0")
    raise WeightsError(f"weight {shown(weight)} is no whole number such as 0, 1 or 25")


def _game_row(line: str) -> tuple[str, int]:
    """Layout of a line of a list of games, seen once."""
    return line, 1


class _LayoutReader:
    """Reads layouts line by line, then finds them among the game's layouts all at once.

    Whether ships fit together is decided by the finding: a layout that is not found is read again
    by the rules, for the error.
    """

    def __init__(self, layouts: Layouts, source: str) -> None:
        self.layouts = layouts
        self.source = source
        self.table: PlacementTable = placement_table(layouts.rules)
        self.size = len(layouts.rules.fleet.lengths)
        self.numbers: dict[str, int] = {}
        self.lines: list[int] = []
        self.found: list[list[int]] = []
        self.names: list[list[str]] = []

    def add(self, line: _Line, parse: Callable[[str], tuple[str, int]]) -> int:
        """Note a line's layout, and return the number that goes with it."""
        number, text = line
        try:
            layout, weight = parse(text)
            names = _tokens(layout)
            ships = sorted(self._ship(name) for name in names)
            if len(ships) != self.size:
                self.table.parse_layout(names)  # tells which ships the fleet has
        except SeabattleError as error:
            raise self._wrong(number, error) from None
        self.lines.append(number)
        self.found.append(ships)
        self.names.append(names)
        return weight

    def _wrong(self, number: int, error: SeabattleError) -> WeightsError:
        return WeightsError(f"{self.source}, line {number}: {error}")

    def _ship(self, name: str) -> int:
        known = self.numbers.get(name)
        if known is None:
            if not name:
                raise WeightsError("there is nothing between two separators; a ship is missing")
            if len(name) > 40:
                raise WeightsError(f"ship {shown(name)} cannot be read; write it as A1:A3 or C1")
            known = self.table.number(Placement.parse(name, self.layouts.rules.board))
            self.numbers[name] = known
        return known

    def rows(self) -> NDArray[np.int64]:
        """Rows in ``layouts`` of the layouts read, int64 ``(n_lines,)``."""
        wanted, inverse = np.unique(
            _keys(np.array(self.found, dtype=np.uint16)), return_inverse=True
        )
        keys = _keys(self.layouts.ships)
        place = np.minimum(np.searchsorted(wanted, keys), len(wanted) - 1)
        there = np.flatnonzero(wanted[place] == keys)
        row = np.full(len(wanted), -1, dtype=np.int64)
        row[place[there]] = there
        rows: NDArray[np.int64] = row[inverse.reshape(-1)]
        missing = np.flatnonzero(rows < 0)
        if len(missing):
            first = int(missing[0])
            error: SeabattleError
            try:
                self.table.parse_layout(self.names[first])
                error = WeightsError("this layout is not among the layouts that can be weighed")
            except SeabattleError as why:
                error = why
            raise self._wrong(self.lines[first], error)
        return rows


def _keys(ships: NDArray[np.uint16]) -> NDArray[np.bytes_]:
    """Rows of placement numbers as byte strings, which sort as the rows do."""
    bytes_each = 2 * ships.shape[1]
    return np.ascontiguousarray(ships, dtype=">u2").view(f"S{bytes_each}").reshape(-1)


def _refuse_repeats(
    rows: NDArray[np.int64], lines: Sequence[int], layouts: Layouts, source: str
) -> None:
    """A table lists every layout at most once."""
    order = np.argsort(rows, kind="stable")
    again = order[1:][np.diff(rows[order]) == 0]
    if len(again):
        second = int(again.min())
        first = int(np.flatnonzero(rows == rows[second])[0])
        names = " ".join(layouts.names(int(rows[second])))
        raise WeightsError(
            f"{source}, line {lines[second]}: layout {names} is listed already in line "
            f"{lines[first]}; list each layout once"
        )


# Grids


def _grid(lines: Sequence[_Line], board: Board, source: str) -> list[Fraction]:
    """Numbers of a grid in the order of the cells."""
    values = []
    for row, (number, line) in enumerate(lines):
        tokens = _tokens(line)
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
    if not _NUMBER.fullmatch(token):
        raise WeightsError(
            f"{where}: {shown(token)} is no number; a weights rule goes with a grid of numbers"
        )
    if token.startswith("-"):
        raise WeightsError(f"{where}: {shown(token)} is negative; weights start at 0")
    if not _PLAIN.fullmatch(token):
        raise WeightsError(f"{where}: {shown(token)} has too many digits; round it")
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


# What the search can hold


def _too_large(weight: int, layouts: Layouts, source: str, advice: str) -> WeightsError:
    cells = layouts.rules.board.cells
    size = str(weight) if weight < 10**15 else f"about 10^{len(str(weight)) - 1}"
    return WeightsError(
        f"{source}: the weights add up to {size} or more, too large for exact totals on {cells} "
        f"cells, where the sum stays below {MAX_TOTAL // cells}; {advice}"
    )


def _checked(
    weights: Sequence[int] | NDArray[np.int64], layouts: Layouts, source: str, advice: str
) -> NDArray[np.int64]:
    """Weights that ``DecisionTable`` takes, or the error that says why it would not."""
    if not isinstance(weights, np.ndarray) or len(weights) * int(weights.max()) >= _MACHINE:
        total = sum(int(weight) for weight in weights)
        if total * layouts.rules.board.cells >= MAX_TOTAL:
            raise _too_large(total, layouts, source, advice)
    elif int(weights.sum()) * layouts.rules.board.cells >= MAX_TOTAL:
        raise _too_large(int(weights.sum()), layouts, source, advice)
    result = np.array(weights, dtype=np.int64)
    try:
        check_weights(result, len(layouts), layouts.rules.board.cells)
    except WeightsError as error:
        raise WeightsError(f"{source}: {error}") from None
    return result
