"""Games that people play beyond plain lines on small boards, and the ways in which they write."""

from __future__ import annotations

from collections import Counter as Tally
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2

from seabattle import Counter, advise, draw_layout, load_position, solve, verify
from seabattle.engine import answer
from seabattle.enumerate.board import Board
from seabattle.enumerate.counting.placing import draw_by_placing
from seabattle.enumerate.errors import BoardError, FleetError, PositionError, RulesError
from seabattle.enumerate.layouts import count_layouts, enumerate_layouts
from seabattle.enumerate.placements import Placement, placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import position_of_text
from seabattle.enumerate.priors.prior import TablePrior
from seabattle.enumerate.rules import Fleet, Rules
from seabattle.enumerate.table import DecisionTable

FAR = Rules("8x8", "4,3,2", "sides", "sunk", "none")


@pytest.mark.parametrize("name", ["B3", "b3", " 3B", "3 b"])
def test_a_cell_in_the_ways_people_write_it(name: str) -> None:
    assert Board(5, 5).cell(name) == 11


@pytest.mark.parametrize("name", ["(1,1)", "1,1", "(1", "1;1", "11"])
def test_cells_as_pairs_of_numbers_are_told_how_to_be_written(name: str) -> None:
    with pytest.raises(BoardError, match=r"write a letter for the column and a number for the row"):
        Board(5, 5).cell(name)


SAMPLES = [
    ("....\n.ox.\n....\no..x", "3,2,1", 132),
    (".O.O\n.OO.\n...O\n....\n", "4,3,2,1", 6),
    ("..\n..\n", "2,2", 4),
]
"""Boards, fleets and layouts with the ships told apart: the samples of "Mini Battleship"
(open.kattis.com/problems/minibattleship), which writes O for a hit and X for a miss."""


@pytest.mark.parametrize(("board", "fleet", "layouts"), SAMPLES)
def test_a_board_as_text_is_a_position(
    tmp_path: Path, board: str, fleet: str, layouts: int
) -> None:
    path = tmp_path / "board.txt"
    path.write_text(board)
    game: dict[str, str | None] = {"fleet": fleet, "contact": "sides"}
    position = load_position(path, **game)
    assert Counter(position).labelled() == layouts
    rows = [f"{number} {' '.join(row)}" for number, row in enumerate(board.split(), start=1)]
    head = " ".join("ABCD"[: position.rules.board.columns])
    assert position_of_text("\n".join([f"  {head}", *rows]), **game) == position
    asked = {"command": "count", "position": board, "options": {**game, "no_map": True}}
    assert answer(asked)["answer"]["labelled_layouts"] == layouts
    assert answer({**asked, "command": "check", "options": game})["answer"]["valid"]


@pytest.mark.parametrize(
    "board", [".....\n.hq..", "4 3\n....", "...\n..", ".x!\n...", "(1,1)\n..."]
)
def test_a_board_that_cannot_be_read_is_refused_in_a_line(board: str) -> None:
    for asked in ({"command": name, "position": board} for name in ("count", "check")):
        found = answer({**asked, "options": {"fleet": "2"}})
        assert (found["status"], "\n" in found["error"]) == (2, False)


def test_sunk_cells_of_a_board_are_ships() -> None:
    position = position_of_text("##.\n..o\n#..", fleet="2,1")
    assert position == Position.of_cells(
        Rules("3x3", "2,1", answers="sunk"), miss=["C2"], sunk=["A1:B1", "A3"]
    )
    with pytest.raises(PositionError, match="can be several sets of ships"):
        position_of_text("####\n....", fleet="2,2,4", contact="sides")
    with pytest.raises(PositionError, match="row 2 of the board has 2 cells, and the first has 3"):
        position_of_text("...\n..", fleet="2")
    with pytest.raises(PositionError, match="board 8x8 without a fleet"):
        position_of_text("........\n" * 8)


def test_blocked_cells_are_part_of_the_rules() -> None:
    rules = Rules("5x5", "3,2", blocked="C3")
    assert count_layouts(rules) == Counter(rules).count() == 424
    assert Counter(Position.of_cells(Rules("5x5", "3,2"), miss=["C3"])).count() == 424
    assert eval(repr(rules)) == rules == Rules.of_document(rules.document())
    assert (rules.blocked, len(rules.symmetries)) == ((12,), 8)
    assert "blocked" not in Rules("5x5", "3,2").document()
    with pytest.raises(FleetError, match="do not fit on the board 2x2 of 3 open cells"):
        Rules("2x2", "2,2", "sides", blocked=["A1"])


def test_ships_that_are_no_lines() -> None:
    fleet = Fleet.parse("2, .x/xx, 2x2, 1x3")
    assert str(fleet) == "2x2,3,xx/x.,2"
    assert Fleet.parse(str(fleet)) == eval(repr(fleet)) == fleet
    assert Counter(Rules("4x4", "xxx/x..")).count() == 48
    rules = Rules("4x4", "xxx/x..,2")
    assert len(enumerate_layouts(rules)) == Counter(rules).count() == 136
    ship = Placement.parse("C3+A2+B2+C2", rules.board)
    assert str(ship) == "A2+B2+C2+C3"
    assert placement_table(rules).placements[placement_table(rules).number(ship)] == ship
    tree = solve(Rules("4x4", "xxx/x..,2", answers="sunk"), threads=1).tree
    assert verify(tree)
    for wrong in ("x.x", "xx/...x", "0x2", "y"):
        with pytest.raises(FleetError):
            Fleet.parse(f"{wrong},2x2")
    with pytest.raises(RulesError, match="two ships of one size differ in form"):
        Rules("5x5", "3,xx/x.", answers="ship")


def test_layouts_that_weigh_nothing_leave_the_table() -> None:
    rows = {"A1:A4 C1:C3 H7:H8": 25, "B2:E2 G3:G5 A7:A8": 24, "D4:G4 A1:C1 H1:H2": 24,
            "E5:E8 A1:A3 B1:B2": 1}  # fmt: skip
    table = placement_table(FAR)
    prior = TablePrior(FAR, {table.parse_layout(names.split()): n for names, n in rows.items()})
    listed = DecisionTable.build(FAR, prior=prior)
    assert (len(listed), listed.total_weight) == (4, 74)
    solved = solve(listed, threads=1)
    assert verify(solved.tree).weight == 74
    advice = advise(FAR, prior=prior)
    assert (advice.total_misses, advice.weight) == (solved.total_misses, 74)
    assert solved.worst_misses <= 3


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (Rules("4x4", "2,1,1", "none", "sunk"), "A1 miss, B2 hit"),
        (Rules("3x4", "2,2,1", "sides"), "B2 hit, C2 hit"),
        (Rules("4x4", "2x2,2", "corners"), "A1 miss"),
    ],
)
def test_layouts_that_are_placed_at_random_are_equally_likely(rules: Rules, told: str) -> None:
    position = Position.in_order(rules, told)
    layouts = Counter(position).count()
    drawn = draw_by_placing(position, 60 * layouts, np.random.default_rng(7))
    met = Tally(map(tuple, drawn.tolist()))
    assert len(met) == layouts
    assert chi2.sf(sum((n - 60) ** 2 / 60 for n in met.values()), layouts - 1) > 1e-4


def test_boards_too_large_to_count_are_drawn_on() -> None:
    assert len(draw_layout(Rules("50x50", "5,4,3"), "random").names) == 3


def test_a_board_without_a_fleet_takes_none_quietly() -> None:
    with pytest.raises(FleetError, match="board 10x10 without a fleet"):
        Rules("10x10")
    assert Rules("5x5") == Rules()
    assert Rules("6x7").fleet == Rules().fleet
