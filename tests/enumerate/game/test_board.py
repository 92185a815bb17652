"""Boards: cell names both ways, neighbours, masks, symmetries, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from seabattle.enumerate.board import MAX_CELLS, Board, cells_of
from seabattle.enumerate.errors import BoardError

boards = st.builds(Board, st.integers(1, 12), st.integers(1, 30))
small_boards = st.builds(Board, st.integers(1, 6), st.integers(1, 6))
quick = examples(60)


@quick
@given(boards, st.data())
def test_cell_names_round_trip(board, data):
    cell = data.draw(st.integers(0, board.cells - 1))
    name = board.name(cell)
    assert board.cell(name) == board.cell(name.lower()) == board.cell(f" {name} ") == cell


@quick
@given(small_boards)
def test_neighbours_share_a_side_or_a_corner(board):
    for cell in range(board.cells):
        row, column = divmod(cell, board.columns)
        sides, corners = set(), set()
        for other in range(board.cells):
            down, right = abs(row - other // board.columns), abs(column - other % board.columns)
            if down + right == 1:
                sides.add(other)
            if down == right == 1:
                corners.add(other)
        assert set(board.neighbours(cell)) == set(cells_of(board.side_masks[cell])) == sides
        assert list(board.neighbours(cell)) == sorted(sides)
        assert set(cells_of(board.corner_masks[cell])) == corners


@quick
@given(small_boards)
def test_symmetries_are_the_distances_kept(board):
    """Each keeps side contact, the set is a group, and there are as many as there should be."""
    symmetries = set(board.symmetries)
    assert board.symmetries[0] == tuple(range(board.cells))
    assert len(symmetries) == len(board.symmetries)
    rows, columns = board.rows, board.columns
    of_square, of_rectangle = (1, 2) if 1 in (rows, columns) else (8, 4)
    assert len(symmetries) == (of_square if rows == columns else of_rectangle)
    for g in symmetries:
        assert sorted(g) == list(range(board.cells))
        for cell in range(board.cells):
            image = board.mask(g[other] for other in board.neighbours(cell))
            assert image == board.side_masks[g[cell]]
        for h in symmetries:
            assert tuple(g[h[cell]] for cell in range(board.cells)) in symmetries


@pytest.mark.parametrize(
    "text", ["", "5", "5x", "x5", "0x5", "5x0", "-1x5", "5x5x5", "5.5x2", "a x b", "1e3x2", "5by5"]
)
def test_boards_that_do_not_exist_are_refused(text):
    with pytest.raises(BoardError, match="board") as caught:
        Board.parse(text)
    assert "\n" not in str(caught.value)


def test_boards_too_large_are_refused_at_once():
    assert Board(50, 50).cells == MAX_CELLS
    with pytest.raises(BoardError, match="at most 2,500"):
        Board(41, 61)
    with pytest.raises(BoardError, match="at most 2,500"):
        Board.parse("999999x999999")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "write a letter for the column"),
        ("A0", "off the board 5x6"),
        ("AA1", "off the board 5x6"),
        ("Ä1", "write a letter for the column"),
        ("A" + "9" * 5000, "off the board|write a letter"),
    ],
    ids=lambda text: text[:12],
)
def test_cells_that_do_not_exist_are_refused(name, why):
    with pytest.raises(BoardError, match=why) as caught:
        Board(5, 6).cell(name)
    assert "\n" not in str(caught.value)
