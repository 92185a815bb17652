"""Boards: cell names both ways, neighbours, masks, symmetries, and what is refused."""

import numpy as np
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
@given(boards)
def test_repr_and_text_round_trip(board):
    assert eval(repr(board)) == board
    assert Board.parse(str(board)) == board
    assert Board.parse(f" {board.rows} X {board.columns} ") == board


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


@quick
@given(boards, st.data())
def test_masks_and_cells_are_the_same_thing(board, data):
    cells = data.draw(st.sets(st.integers(0, board.cells - 1)))
    mask = board.mask(cells)
    assert list(cells_of(mask)) == sorted(cells)
    assert board.names(mask) == [board.name(cell) for cell in sorted(cells)]
    assert mask & board.full_mask == mask


def test_grid_lays_out_rows_from_the_top():
    lines = Board(2, 3).grid(["1", "20", "3", "4", "5", "6"]).splitlines()
    assert [line.split() for line in lines] == [
        ["A", "B", "C"],
        ["1", "1", "20", "3"],
        ["2", "4", "5", "6"],
    ]
    assert len({line.rindex(last) for line, last in zip(lines, "C36", strict=True)}) == 1


@pytest.mark.parametrize(
    "text", ["", "5", "5x", "x5", "0x5", "5x0", "-1x5", "5x5x5", "5.5x2", "a x b", "1e3x2", "5by5"]
)
def test_boards_that_do_not_exist_are_refused(text):
    with pytest.raises(BoardError, match="board") as caught:
        Board.parse(text)
    assert "\n" not in str(caught.value)


def test_boards_too_large_are_refused_at_once():
    assert Board(32, 32).cells == MAX_CELLS
    with pytest.raises(BoardError, match="1,025 cells, at most 1,024"):
        Board(25, 41)
    with pytest.raises(BoardError, match="at most 1,024"):
        Board.parse("999999x999999")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "write a letter and a number"),
        ("A", "write a letter and a number"),
        ("1A", "write a letter and a number"),
        ("A1B", "write a letter and a number"),
        ("A-1", "write a letter and a number"),
        ("A0", "off the board 5x6"),
        ("A6", "off the board 5x6"),
        ("G1", "off the board 5x6"),
        ("AA1", "off the board 5x6"),
        ("Ä1", "write a letter and a number"),
        ("A" + "9" * 5000, "off the board|write a letter"),
        ("A" * 5000 + "1", "off the board|write a letter"),
    ],
    ids=lambda text: text[:12],
)
def test_cells_that_do_not_exist_are_refused(name, why):
    with pytest.raises(BoardError, match=why) as caught:
        Board(5, 6).cell(name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("cell", [-1, 30, 10**6])
def test_cell_numbers_off_the_board_have_no_name(cell):
    with pytest.raises(BoardError, match="cells 0 to 29"):
        Board(5, 6).name(cell)
    with pytest.raises(BoardError, match="cells 0 to 29"):
        Board(5, 6).cell(cell)
    with pytest.raises(BoardError, match="cells 0 to 29"):
        Board(5, 6).neighbours(cell)


def test_cells_are_taken_by_name_or_number():
    assert Board(5, 6).name("c2") == Board(5, 6).name(8) == "C2"
    assert Board(5, 6).neighbours("A1") == Board(5, 6).neighbours(0) == (1, 6)


def test_cells_are_given_by_name_or_number():
    board = Board(5, 6)
    assert [board.cell(cell) for cell in ("c2", 8, np.int16(8))] == [8, 8, 8]
    assert type(board.cell(np.uint8(8))) is int


@pytest.mark.parametrize(("rows", "columns", "name"), [("5", 5, "rows"), (5, 5.0, "columns")])
def test_sides_are_whole_numbers(rows, columns, name):
    with pytest.raises(TypeError, match=f"^{name}: give a whole number, not"):
        Board(rows, columns)
