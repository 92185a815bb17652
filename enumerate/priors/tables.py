"""Priors as tables: CSV with the header ``layout,weight`` and a line for each layout that counts.

A layout is written as in a tree's leaf, its ships joined by blanks in any order; a layout that is
not listed weighs 0::

    layout,weight
    A1:A3 C1 C3,5
    C1:C3 A1 A3,2
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import WeightsError, quoted
from seabattle.enumerate.layouts.enumeration import Layouts
from seabattle.enumerate.priors._limits import checked
from seabattle.enumerate.priors._text import NUMBER, LayoutReader, lines_of

HEADER = ("layout", "weight")


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
    >>> from seabattle.enumerate.layouts.enumeration import enumerate_layouts
    >>> from seabattle.enumerate.game.rules import Rules
    >>> layouts = enumerate_layouts(Rules("3x3", "3,1,1"))
    >>> [" ".join(layouts.names(i)) for i in range(len(layouts))]
    ['A1:C1 A3 C3', 'A3:C3 A1 C1', 'A1:A3 C1 C3', 'C1:C3 A1 A3']
    >>> table = "layout,weight\nC3 C1 A1:A3,5\nC1:C3 A1 A3,2\n"
    >>> weights_from_table(table, layouts).tolist()
    [0, 0, 5, 2]
    """
    (number, header), *lines = lines_of(text, source)
    if not is_header(header):
        raise WeightsError(
            f"{source}, line {number}: the header must be 'layout,weight', not {quoted(header)}"
        )
    if not lines:
        raise WeightsError(f"{source}: the table has a header and no layout")
    reader = LayoutReader(layouts, source)
    weights = [reader.add(line, _table_row) for line in lines]
    rows = reader.rows()
    _refuse_repeats(rows, reader.lines, layouts, source)
    result = [0] * len(layouts)
    for row, weight in zip(rows.tolist(), weights, strict=True):
        result[row] = weight
    return checked(result, layouts, source, "use smaller or rounder weights")


def is_header(line: str) -> bool:
    """Whether a line is the header of a table."""
    parts = [part.strip().strip('"').lower() for part in line.split(",")]
    return tuple(parts) == HEADER


def _columns(line: str) -> list[str]:
    try:
        return [column.strip() for column in next(csv.reader([line]))]
    except csv.Error as error:
        raise WeightsError(f"this is no line of a CSV table ({error})") from None


def _table_row(line: str) -> tuple[str, int]:
    """Layout and weight of a table's line."""
    columns = _columns(line)
    if len(columns) != 2:
        raise WeightsError(
            f"{quoted(line)} has {len(columns)} column{'s'[: len(columns) != 1]} instead of 2: "
            f"write a layout, its ships joined by blanks, a comma and its weight"
        )
    layout, weight = columns
    if not layout or not weight:
        raise WeightsError(f"the {'weight' if layout else 'layout'} is missing")
    if re.fullmatch("[0-9]{1,40}", weight):
        return layout, int(weight)
    if NUMBER.fullmatch(weight) and weight.startswith("-"):
        raise WeightsError(f"weight {quoted(weight)} is negative; weights start at 0")
    raise WeightsError(f"weight {quoted(weight)} is no whole number such as 0, 1 or 25")


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
