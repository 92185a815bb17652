"""Layouts found by touches: never fewer than the best tree finds, however it is searched."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Rules
from seabattle.solver.studies.touches import (
    boards_left,
    found_by_touches,
    found_on_boards,
    most_touched,
    packed,
)

quick = examples(40)
Layout = tuple[int, ...]


def most_found(layouts: frozenset[Layout], cells: int) -> Callable[[int], int]:
    """The most layouts that any tree finds with k misses, its answers naming the ships hit.

    A layout is a mask for each ship; ships are told apart from the start, which is more than any
    answer mode tells.
    """

    @cache
    def found(left: frozenset[Layout], misses: int) -> int:
        if misses < 0 or not left:
            return 0
        if len(left) == 1 or misses >= cells:
            return len(left)
        most = 0
        for cell in range(cells):
            parts: dict[int | None, set[Layout]] = {}
            for layout in left:
                hit = next((d for d, ship in enumerate(layout) if ship >> cell & 1), None)
                parts.setdefault(hit, set()).add(layout)
            if len(parts) > 1:
                answers = ((hit, frozenset(part)) for hit, part in parts.items())
                most = max(most, sum(found(part, misses - (hit is None)) for hit, part in answers))
        return most

    return lambda misses: found(layouts, misses)


@quick
@given(st.sampled_from(("1x7", "2x4", "3x3", "3x4")), st.sampled_from((2, 3)), st.data())
def test_no_cells_cover_more_placements(board: str, length: int, data: st.DataObject) -> None:
    covering = placement_table(Rules(board, (length,))).covering.T
    chosen = data.draw(st.lists(st.booleans(), min_size=len(covering), max_size=len(covering)))
    some = covering[np.array(chosen)]
    most = most_touched(some)
    cells = range(covering.shape[1])
    for shots in range(len(most)):
        best = max(
            int(some[:, list(tried)].any(axis=1).sum()) for tried in combinations(cells, shots)
        )
        assert best <= most[shots]
        assert shots > 1 or best == most[shots]  # the first shot is known


def test_prices_tell_more_than_columns() -> None:
    """On open water 33 cells meet every ship of 3, and 24 cannot meet the 144 of their columns."""
    most = most_touched(placement_table(Rules("10x10", "3")).covering.T)
    assert (most[12], most[20], most[24]) == (72, 112, 128)
    assert most[33] == 160


@pytest.mark.parametrize("contact", ["none", "corners", "sides"])
@pytest.mark.parametrize(
    ("board", "lengths"),
    [
        ("1x7", (3,)), ("3x3", (2,)), ("3x4", (3,)), ("1x7", (1, 1)), ("2x3", (1, 1)),
        ("1x7", (2, 1)), ("1x8", (3, 2)), ("1x9", (2, 2)), ("2x4", (2, 1)), ("2x4", (2, 2)),
        ("1x8", (2, 1, 1)), ("2x3", (1, 1, 1)),
    ],
)  # fmt: skip
def test_no_tree_finds_more(board: str, lengths: tuple[int, ...], contact: str) -> None:
    rules = Rules(board, lengths, contact=contact)
    table = placement_table(rules)
    layouts = frozenset(
        tuple(table.own[number] for number in ships)
        for ships in product(*(range(*slot) for slot in table.slots))
        if not any(table.own[a] & table.closed[b] for a, b in combinations(ships, 2))
    )
    covering = {n: placement_table(Rules(board, (n,))).covering.T for n in lengths}
    most = [np.array([most_touched(covering[length])]) for length in lengths]
    found = most_found(layouts, rules.board.cells)
    bound = found_by_touches(lengths, most)[0].tolist()
    assert all(found(misses) <= bound[misses] for misses in range(rules.board.cells))


def test_ships_of_one_cell_are_counted_as_by_words() -> None:
    most = [np.array([most_touched(np.eye(10, dtype=np.uint8))])] * 3
    found = found_by_touches((1, 1, 1), most)[0].tolist()
    assert found[:5] == [(k + 1) * (k + 2) * (k + 3) for k in range(5)]


@pytest.mark.parametrize("contact", ["none", "corners", "sides"])
def test_boards_are_those_that_the_shown_ships_leave(contact: str) -> None:
    rules = Rules("3x4", "3,2,1", contact=contact, blocked="A1")
    boards = boards_left(rules, (3, 2))
    shown = enumerate_layouts(Rules("3x4", "3,2", contact=contact, blocked="A1"))
    table = placement_table(shown.rules)
    closed = [mask_of(c for n in row for c in cells_of(table.closed[n])) for row in shown.ships]
    assert sum(boards.values()) == len(closed)
    turned = {
        packed(np.array([mask >> g[cell] & 1 for cell in range(12)]))
        for mask in closed
        for g in rules.symmetries
    }
    assert boards.keys() <= turned
    assert len(boards) < len(closed)
    # The single ship lies on a free cell of each board, and k + 1 shots find k + 1 of them.
    free = [bin(~mask & rules.open_mask).count("1") for mask in closed]
    found = found_on_boards(rules, (1,), boards, lambda: None)
    assert found == [sum(min(k + 1, cells) for cells in free) for k in range(12)]
