"""Limits of weights: the totals of the search must stay exact."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.layouts.enumeration import Layouts
from seabattle.enumerate.layouts.weights import MAX_TOTAL, check_weights

MACHINE = 1 << 62
"""Integers below this can be added once or doubled in int64 without overflow."""


def too_large(weight: int, layouts: Layouts, source: str, advice: str) -> WeightsError:
    """The error for weights whose total, or one of which, is too large."""
    cells = layouts.rules.board.cells
    size = str(weight) if weight < 10**15 else f"about 10^{int(log10(weight))}"
    return WeightsError(
        f"{source}: the weights add up to {size} or more, too large for exact totals on {cells} "
        f"cells, where the sum stays below {MAX_TOTAL // cells}; {advice}"
    )


def checked(
    weights: Sequence[int] | NDArray[np.int64], layouts: Layouts, source: str, advice: str
) -> NDArray[np.int64]:
    """Validate weights for a ``DecisionTable``: int64 ``(n_layouts,)``.

    Raises
    ------
    WeightsError
        If one is negative, all are 0, or their sum is too large; names the source.
    """
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
