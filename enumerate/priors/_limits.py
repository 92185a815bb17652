"""The weights that the search can hold: their total must stay exact."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.layouts.enumeration import Layouts
from seabattle.enumerate.layouts.weights import MAX_TOTAL, check_weights

MACHINE = 1 << 62
"""Whole numbers below this are safe in int64, whatever is done with them in one step."""


def too_large(weight: int, layouts: Layouts, source: str, advice: str) -> WeightsError:
    """The error for weights of this total, or for one weight that is too large alone."""
    cells = layouts.rules.board.cells
    size = str(weight) if weight < 10**15 else f"about 10^{int(log10(weight))}"
    return WeightsError(
        f"{source}: the weights add up to {size} or more, too large for exact totals on {cells} "
        f"cells, where the sum stays below {MAX_TOTAL // cells}; {advice}"
    )


def checked(
    weights: Sequence[int] | NDArray[np.int64], layouts: Layouts, source: str, advice: str
) -> NDArray[np.int64]:
    """Weights that ``DecisionTable`` takes, or the error that says why it would not."""
    if not isinstance(weights, np.ndarray) or len(weights) * int(weights.max()) >= MACHINE:
        total = sum(int(weight) for weight in weights)
        if total * layouts.rules.board.cells >= MAX_TOTAL:
            raise too_large(total, layouts, source, advice)
    elif int(weights.sum()) * layouts.rules.board.cells >= MAX_TOTAL:
        raise too_large(int(weights.sum()), layouts, source, advice)
    result = np.array(weights, dtype=np.int64)
    try:
        check_weights(result, len(layouts), layouts.rules.board.cells)
    except WeightsError as error:
        raise WeightsError(f"{source}: {error}") from None
    return result
