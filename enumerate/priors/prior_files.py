"""Priors: how likely each layout is before the first shot, read from a file.

A prior is one non-negative whole number, a *weight*, per layout; only the proportions matter. The
search minimises the sum of misses times weight, so the weights stay exact integers throughout.
There are three kinds of file, recognised by their content: a *table* of layouts and weights
(``priors.tables``), a *grid* of numbers for the cells (``priors.grids``), and a list of the layouts
seen in *games* (``priors.observed``). In all three, blank lines and lines that begin with ``#`` are
skipped, and the text is UTF-8.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.files import read_text
from seabattle.enumerate.layouts.enumeration import Layouts
from seabattle.enumerate.priors._text import NUMBER, lines_of, tokens_of
from seabattle.enumerate.priors.grids import weights_from_grid
from seabattle.enumerate.priors.observed import weights_from_games
from seabattle.enumerate.priors.tables import is_header, weights_from_table

__all__ = ["read_weights", "weights_from_games", "weights_from_grid", "weights_from_table"]


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
        ``product`` or ``sum``: how a grid weights layouts. For grids only.
    smoothing
        Added to the count of every layout, 0 or more. For lists of games only.

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
    not_text = WeightsError(f"{path}: a weights file must be UTF-8 text")
    text = read_text(path, not_text, encoding="utf-8-sig")
    source = str(path)
    lines = lines_of(text, source)
    if is_header(lines[0][1]):
        if rule is not None:
            raise WeightsError(f"{source}: a table of layouts takes no weights rule; a grid does")
        _refuse_smoothing(smoothing, source, "a table of layouts")
        return weights_from_table(text, layouts, source=source)
    numeric = all(
        NUMBER.fullmatch(token) for _, line in lines for token in tokens_of(line) if token
    )
    if rule is None and numeric:
        raise WeightsError(
            f"{source}: a grid of numbers needs a rule: give --weights-rule product or sum"
        )
    if rule is not None:
        _refuse_smoothing(smoothing, source, "a grid")
        return weights_from_grid(text, layouts, rule, source=source)
    return weights_from_games(text, layouts, smoothing=smoothing, source=source)


def _refuse_smoothing(smoothing: int, source: str, what: str) -> None:
    if smoothing:
        raise WeightsError(f"{source}: {what} takes no smoothing; counts of games do")
