"""Percentages that say 0 or 100 only where that is exact."""

from __future__ import annotations

from fractions import Fraction


def percent_text(count: int, total: int, *, decimals: int = 1) -> str:
    """Percentage without its sign; 0 and 100 only where that is exact.

    >>> [percent_text(n, 2000) for n in (0, 1, 250, 1998, 2000)]
    ['0', '0.1', '12.5', '99.9', '100']
    >>> percent_text(1, 10**18), percent_text(10**18 - 1, 10**18), percent_text(1, 3, decimals=0)
    ('<0.1', '>99.9', '33')
    """
    if count in (0, total):
        return "100" if count else "0"
    share = Fraction(100 * count, total)
    step = Fraction(1, 10**decimals)
    # Rounded half up, exactly: formatting a float would round 12.25 to even.
    steps = int(share / step + Fraction(1, 2))
    if steps < 1:
        return f"<{float(step):g}"
    if steps >= 100 * 10**decimals:
        return f">{100 - float(step):g}"
    return f"{steps / 10**decimals:.{decimals}f}"
