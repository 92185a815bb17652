"""Certificates: whole numbers for the cells that show why frequencies cannot be reached.

Give every cell a coefficient, and call the sum of the coefficients on a layout's cells the layout's
*value*. If no layout has a value above ``most``, then the mean value is at most ``most`` too,
however layouts are drawn. But the mean value is determined by the frequencies: it is the sum over
the cells of coefficient times frequency, called ``needed``. So frequencies with ``needed`` above
``most`` are impossible. If ``needed`` equals ``most``, every layout drawn has exactly this value.
Such frequencies lie on a *face* of the possible ones: layouts of lower value have probability 0,
which a product of positive weights reaches only in the limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from seabattle.enumerate.counting.heaviest import heaviest
from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.game.placements import placement_table
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.layouts.enumeration import Layouts

ROUNDED = Fraction(1, 10**12)
"""Frequencies are believed to be rounded by so much; what is impossible by less is on a face."""

MANY = 6
"""Largest number of cells that are named one by one."""


@dataclass(frozen=True)
class Certificate:
    """Coefficients of cells under which no layout has a value above what the frequencies need.

    Attributes
    ----------
    rules
        The game.
    coefficients
        A whole number per cell.
    most
        The largest value of any layout.
    needed
        The mean value that the frequencies need: the sum of coefficient times frequency.
    """

    rules: Rules
    coefficients: tuple[int, ...]
    most: int
    needed: Fraction

    @property
    def impossible(self) -> bool:
        """Whether the frequencies need a clearly higher mean value than any layout has."""
        return self.needed - self.most > ROUNDED * sum(map(abs, self.coefficients))

    def __str__(self) -> str:
        needed, said = float(self.needed), _sum_text(self.rules, self.coefficients)
        if self.impossible and max(self.coefficients) <= 0:
            said = _sum_text(self.rules, [-c for c in self.coefficients])
            return f"{said} is at least {-self.most} in every layout, but they give {-needed:.10g}"
        if self.impossible:
            return f"{said} is at most {self.most} in every layout, but they give {needed:.10g}"
        return f"{said} is {self.most} in every layout drawn, the most that any layout has"

    def document(self) -> dict[str, object]:
        """The certificate for JSON: coefficients by rows, top row first."""
        columns = self.rules.board.columns
        return {
            "coefficients": [
                list(self.coefficients[start : start + columns])
                for start in range(0, self.rules.board.cells, columns)
            ],
            "most": self.most,
            "needed": float(self.needed),
            "needed_exactly": str(self.needed),
        }


def _sum_text(rules: Rules, coefficients: Sequence[int]) -> str:
    """A weighted sum of cells as a formula; if it has many cells, just their number."""
    used = [(c, rules.board.name(cell)) for cell, c in enumerate(coefficients) if c]
    if len(used) > MANY:
        return f"a weighted sum of {len(used)} cells"
    terms = [f"{'-' if c < 0 else '+'} {'' if abs(c) == 1 else f'{abs(c)} '}{n}" for c, n in used]
    text = " ".join(terms)
    return text[2:] if text.startswith("+") else f"-{text[2:]}"


def most_of(rules: Rules, coefficients: Sequence[int], layouts: Layouts | None = None) -> int:
    """The largest value of any layout under these coefficients.

    Parameters
    ----------
    rules
        The game.
    coefficients
        A whole number per cell.
    layouts
        The game's layouts, if each of them is to be looked at instead of sweeping the board.
    """
    if layouts is None:
        found = heaviest(rules, list(coefficients))
        if found is None:
            raise WeightsError(f"fleet {rules.fleet} has no layout on the board {rules.board}")
        return found.gain
    gains = [sum(coefficients[cell] for cell in p.cells) for p in placement_table(rules).placements]
    return int(np.array(gains, dtype=object)[layouts.ships].sum(axis=1).max())


def check_certificate(
    certificate: Certificate,
    frequencies: Sequence[Fraction | int | float],
    *,
    layouts: Layouts | None = None,
) -> bool:
    """Whether a certificate is true for some frequencies: every number is computed anew.

    Parameters
    ----------
    certificate
        What is claimed.
    frequencies
        One per cell, top row first; floats are taken as the binary fractions that they are.
    layouts
        The game's layouts, if each of them is to be looked at instead of sweeping the board.

    Examples
    --------
    >>> certificate = Certificate(Rules("1x4", "2"), (1, 0, 0, 1), 1, Fraction(3, 2))
    >>> check_certificate(certificate, [0.75, 0.25, 0.25, 0.75])
    True
    """
    pairs = zip(certificate.coefficients, frequencies, strict=True)
    needed = sum((c * Fraction(f) for c, f in pairs), Fraction(0))
    most = most_of(certificate.rules, certificate.coefficients, layouts)
    return needed == certificate.needed and most == certificate.most <= needed


class ImpossibleFrequencies(WeightsError):  # noqa: N818
    """Frequencies that no distribution of layouts has, with the certificate that shows it.

    Attributes
    ----------
    certificate
        The certificate.
    """

    def __init__(self, certificate: Certificate) -> None:
        self.certificate = certificate
        super().__init__(f"the frequencies are impossible: {certificate}")
