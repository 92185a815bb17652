"""Small games for tests of priors: their layouts, in the words of files and of the naive twin."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from hypothesis import strategies as st
from twins import naive
from twins.naive_trees import layouts_by_number

from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.layouts import Layouts, enumerate_layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.priors.prior import Prior, ProductPrior, SumPrior, TablePrior
from seabattle.enumerate.rules import Rules

GAME = Rules("3x3", "3,1,1")
TINY = [
    Rules("2x3", "2"),
    Rules("3x3", "2,1"),
    Rules("3x3", "3,1,1"),
    Rules("3x4", "3,2"),
    Rules("1x7", "2,1"),
    Rules("3x3", "2,1", "corners"),
    Rules("2x3", "2,1", "sides"),
    Rules("3x3", "2,2", "sides"),
    Rules("7x10", "1"),
]


@lru_cache(maxsize=64)
def all_of(rules: Rules) -> Layouts:
    """All layouts of a game."""
    return enumerate_layouts(rules)


def naive_rows(layouts: Layouts) -> list[naive.Layout]:
    """Naive layouts in the order of the enumeration."""
    by_number = layouts_by_number(layouts.rules)
    return [by_number[tuple(row)] for row in layouts.ships.tolist()]


def in_line(layouts: Layouts, row: int) -> str:
    """A layout as files write it."""
    return " ".join(layouts.names(row))


def write(folder: Path, text: str | bytes, name: str = "weights.txt") -> Path:
    """A file with this content."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


numbers = st.one_of(
    st.integers(0, 3).map(Fraction),
    st.integers(0, 10**40).map(Fraction),
    st.fractions(0, 100),
    st.floats(0, 1e300).map(Fraction),
    st.sampled_from([Fraction(5e-324), Fraction(1, 10**30), Fraction(7, 10**11), Fraction(1, 3)]),
)


@st.composite
def priors(draw: st.DrawFn, games: Sequence[Rules] = TINY) -> Prior:
    """A prior of any kind, zeros among its weights."""
    rules = draw(st.sampled_from(games))
    kind = draw(st.sampled_from(["product", "placements", "sum", "table"]))
    cells = rules.board.cells

    def some(count: int) -> list[Fraction]:
        return draw(st.lists(numbers, min_size=count, max_size=count))

    forced = draw(st.sets(st.integers(0, cells - 1), max_size=2))
    try:
        if kind == "product":
            return ProductPrior.of_cells(rules, some(cells), forced=forced)
        if kind == "placements":
            weights = tuple(some(len(placement_table(rules))))
            return ProductPrior(rules, weights, rules.board.mask(forced))
        if kind == "sum":
            return SumPrior(rules, tuple(some(cells)))
        rows = [tuple(row) for row in all_of(rules).ships[:50].tolist()]
        listed = draw(st.sets(st.sampled_from(rows)))
        sizes = st.integers(0, 5) | st.integers(0, 10**40)
        return TablePrior(rules, {row: draw(sizes) for row in sorted(listed)}, draw(sizes))
    except WeightsError:  # no layout is possible
        return SumPrior(rules, [1] * cells)
