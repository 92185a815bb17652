"""Full boards: whether one is a fleet, in how many ways, and which."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from seabattle import (
    FleetError,
    Layouts,
    PositionError,
    Rules,
    TooLargeError,
    enumerate_layouts,
)

GAMES = [
    Rules(board, fleet, contact)
    for board, fleet in (("3x4", "2,2,1"), ("4x4", "3,2,1"), ("3x3", "2x2,1"), ("2x5", "2,2,2"))
    for contact in ("none", "corners", "sides")
]

quick = examples(60)


@quick
@given(st.sampled_from(GAMES), st.data())
def test_the_layouts_of_a_board_are_those_with_its_cells(rules, data):
    try:
        everything = enumerate_layouts(rules)
    except FleetError:
        everything = Layouts(rules, np.empty((0, len(rules.fleet.ships)), np.uint16))
    cells = rules.board.cells
    if len(everything) and data.draw(st.booleans()):
        mask = int(everything.masks[data.draw(st.integers(0, len(everything) - 1)), 0])
    else:
        mask = data.draw(st.integers(0, 2**cells - 1))
    rows = [[mask >> (r * rules.board.columns + c) & 1 for c in range(rules.board.columns)]
            for r in range(rules.board.rows)]  # fmt: skip
    drawn = rules.board.grid(".#"[mask >> cell & 1] for cell in range(cells))
    same = everything.ships[everything.masks[:, 0] == mask]
    for board in (rows, np.array(rows), np.array(rows, dtype=bool), drawn):
        assert np.array_equal(Layouts.of_board(rules, board).ships, same)


@pytest.mark.parametrize(("contact", "ways"), [("sides", 26_258), ("corners", 0), ("none", 0)])
def test_a_block_of_twenty_cells(contact, ways):
    """The Russian fleet in a block of 4x5 cells, counted by an exact cover of another program."""
    board = np.zeros((10, 10), dtype=int)
    board[3:7, 2:7] = 1
    assert len(Layouts.of_board(Rules(fleet="russian", contact=contact), board)) == ways


def test_a_board_without_water_is_looked_at_part_by_part():
    """Placed ship by ship it would take for ever."""
    looked_at = []
    fives, pairs = (Rules("10x10", ",".join([n] * (100 // int(n))), "sides") for n in "52")
    found = Layouts.of_board(fives, np.ones((10, 10), dtype=int), progress=looked_at.append)
    assert len(found)
    assert looked_at[-1] < 1000
    with pytest.raises(TooLargeError, match="more layouts than the limit of 2 GiB holds"):
        Layouts.of_board(pairs, np.ones((10, 10), dtype=int))


def test_a_board_of_dominoes():
    """Tilings of 6x6, as Kasteleyn counted them (Physica 27, 1961)."""
    rules = Rules("6x6", ",".join(["2"] * 18), "sides")
    assert len(Layouts.of_board(rules, np.ones((6, 6), dtype=int))) == 6728


def test_what_is_no_full_board_is_refused():
    rules = Rules("2x3", "2")
    with pytest.raises(PositionError, match="of which o is not known"):
        Layouts.of_board(rules, ".o.\n.o.")
    assert len(Layouts.of_board(rules, ".o.\n.o.", "o=ship")) == 1
    with pytest.raises(PositionError, match="the board 2x3 is given, and rows of 3x3 cells"):
        Layouts.of_board(rules, "...\n...\n.##")
