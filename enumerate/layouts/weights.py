"""Weights of layouts: whole numbers that keep totals exact, or an empty array when all are 1."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import WeightsError, wrong_type

if TYPE_CHECKING:
    from seabattle.enumerate.layouts.enumeration import Layouts

MAX_TOTAL = 1 << 41
"""Sum of weights x cells stays below this, so that totals fit in the search's packed words."""

UNIFORM = np.empty(0, dtype=np.int64)
"""The weights of layouts that all weigh 1."""


@dataclass(frozen=True, eq=False)
class WholeWeights:
    """A prior as whole numbers.

    Attributes
    ----------
    weights
        int64 ``(n_layouts,)``: the weight of each layout, from 0 on.
    error
        Total variation distance between the prior and these weights; 0 when they are exact. The
        mean misses of any tree differ by at most this times its misses in the worst case.
    """

    weights: NDArray[np.int64]
    error: Fraction


@runtime_checkable
class WeighsLayouts(Protocol):
    """What a decision table needs of a prior, such as those of ``enumerate.priors.prior``."""

    def whole_weights(self, layouts: Layouts) -> WholeWeights:
        """Whole-number weights of all layouts of a game, in their order."""


def check_weights(weights: NDArray[np.int64], rows: int, cells: int) -> NDArray[np.int64]:
    """Weights as int64 ``(rows,)``, or an array of length 0 when all are 1.

    Raises
    ------
    WeightsError
        If the number is wrong, one is negative or not a whole number, all are zero, or the sum is
        too large to add up misses exactly.
    TypeError
        If it is not a list or an array.
    """
    given = np.asarray(weights)
    if given.ndim == 0:
        raise wrong_type("weights", "an array of whole numbers, one per layout", weights)
    if given.shape != (rows,):
        raise WeightsError(f"weights: {given.size} given for {rows} layouts; give one per layout")
    if given.dtype.kind == "f" and not np.all(np.isfinite(given) & (given == np.floor(given))):
        raise WeightsError("weights: whole numbers are needed, so that totals stay exact")
    if given.dtype.kind not in "iuf":
        raise WeightsError("weights: whole numbers are needed")
    if (given < 0).any():
        raise WeightsError(f"weights: {int((given < 0).sum())} are negative; weights start at 0")
    if not given.any():
        raise WeightsError("weights: all are zero; at least one layout must be possible")
    total = sum(int(w) for w in given)
    if total * cells >= MAX_TOTAL:
        raise WeightsError(
            f"weights: their sum {total} is too large for exact totals on {cells} cells; "
            f"keep it below {MAX_TOTAL // cells}"
        )
    if (given == 1).all():
        return UNIFORM
    return np.ascontiguousarray(given.astype(np.int64))
