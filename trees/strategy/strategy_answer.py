"""What a strategy file says of a position."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class StrategyAnswer:
    """Result of looking a position up in a strategy file.

    Attributes
    ----------
    best_shot, best_cell
        Name and number of a cell to shoot; None when one occupancy is left.
    certain
        Whether that shot is a certain hit.
    layouts
        Number of layouts still possible.
    value
        Least misses still to come: total over the layouts with objective ``mean``, else the
        least worst case.
    objective
        ``mean`` or ``worst``.
    """

    best_shot: str | None
    best_cell: int | None
    certain: bool
    layouts: int
    value: int
    objective: str

    @property
    def total(self) -> int | None:
        """Least total misses, if the file holds totals."""
        return self.value if self.objective == "mean" else None

    @property
    def worst(self) -> int | None:
        """Least worst case, if the file holds worst cases."""
        return self.value if self.objective == "worst" else None

    @property
    def mean(self) -> Fraction | None:
        """Least total over the layouts, if the file holds totals."""
        return Fraction(self.value, self.layouts) if self.objective == "mean" else None
