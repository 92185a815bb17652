"""Priors from play: layouts as they were seen, each weighing how often that was.

One layout per line, ships joined by blanks or commas, repeated as often as it was seen. A layout
weighs how often it is listed, plus ``smoothing``: with 0 a layout never seen counts as impossible::

    A1:A3 C1 C3
    A1:A3,C1,C3
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import WeightsError, quoted
from seabattle.enumerate.layouts.enumeration import Layouts
from seabattle.enumerate.layouts.weights import MAX_TOTAL
from seabattle.enumerate.priors._limits import checked, too_large
from seabattle.enumerate.priors._text import NUMBER, LayoutReader, Line, lines_of, tokens_of


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
    >>> from seabattle.enumerate.layouts.enumeration import enumerate_layouts
    >>> from seabattle.enumerate.game.rules import Rules
    >>> layouts = enumerate_layouts(Rules("3x3", "3,1,1"))
    >>> seen = "A1:A3 C1 C3\nA1:C1 A3 C3\nC1,C3,A1:A3\n"
    >>> weights_from_games(seen, layouts).tolist()
    [1, 0, 2, 0]
    >>> weights_from_games(seen, layouts, smoothing=1).tolist()
    [2, 1, 3, 1]
    """
    if isinstance(smoothing, bool) or not isinstance(smoothing, int | np.integer) or smoothing < 0:
        raise WeightsError(f"smoothing {quoted(smoothing)}: a whole number from 0 on is needed")
    lines = lines_of(text, source)
    _refuse_lost_header(lines[0], source)
    reader = LayoutReader(layouts, source)
    for line in lines:
        reader.add(line, _game_row)
    counts = np.bincount(reader.rows(), minlength=len(layouts))
    total = int(counts.sum()) + int(smoothing) * len(layouts)
    if total * layouts.rules.board.cells >= MAX_TOTAL:
        raise too_large(total, layouts, source, "use a smaller smoothing")
    return checked(counts + int(smoothing), layouts, source, "use a smaller smoothing")


def _refuse_lost_header(line: Line, source: str) -> None:
    """A table whose header is wrong or missing is no list of games: say so."""
    number, text = line
    if re.search("layout|weight", text, re.IGNORECASE):
        raise WeightsError(
            f"{source}, line {number}: the header of a table must be 'layout,weight', "
            f"not {quoted(text)}"
        )
    *_, last = tokens_of(text)
    if NUMBER.fullmatch(last):
        raise WeightsError(
            f"{source}, line {number}: {quoted(text)} ends in a number; a table of layouts and "
            f"weights needs 'layout,weight' as its first line"
        )


def _game_row(line: str) -> tuple[str, int]:
    """Layout of a line of a list of games, seen once."""
    return line, 1
