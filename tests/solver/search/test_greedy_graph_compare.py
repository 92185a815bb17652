"""Greedy rules, the sub-table graph, and the comparison."""

from __future__ import annotations

import pytest
from twins import naive
from twins.naive_trees import naive_layouts

from seabattle.enumerate.layouts import enumerate_layouts, fitting
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.search.graph import graph_size
from seabattle.solver.search.solve import solve
from seabattle.solver.studies.compare import compare

GAMES = [
    ("3x3", "3,1,1"), ("2x6", "2,1"), ("4x4", "2,2,1"), ("1x9", "3,2"),
]  # fmt: skip


@pytest.mark.slow
def test_graph_of_the_source() -> None:
    size = graph_size(Rules("5x5", "3,2,2,1,1,1"))
    assert (size.vertices, size.edges) == (10_191_257, 214_464_800)
    assert size.orbits < size.vertices / 7


@pytest.mark.parametrize(("board", "fleet"), [*GAMES[:2], ("4x4", "3,3")])
def test_graph_agrees_with_the_naive_twin(board: str, fleet: str) -> None:
    rules = Rules(board, fleet)
    expected = naive.graph(naive_layouts(rules), rules.board.cells)
    by_orbits = graph_size(rules)
    singly = graph_size(rules, orbits=False)
    assert (by_orbits.vertices, by_orbits.edges) == expected
    assert (singly.vertices, singly.edges) == expected
    assert singly.orbits == singly.vertices
    assert by_orbits.orbits <= singly.orbits


def test_comparison_keeps_all_a_position_says() -> None:
    """Answers in no order leave more layouts here, and a known ship fewer."""
    rules = Rules("3x3", "2,2,1", "sides", "sunk", "none")
    shots = Position.in_order(rules, "A1 hit, B1 sunk, C1 hit").shots
    layouts = []
    for told in (
        Position(rules, shots),
        Position(rules, shots, ordered=False),
        Position(rules, shots, ordered=False, ships=((1,),)),
    ):
        result = compare(told, ["sunk"])
        assert {row.tree.position for row in result.rows} == {told}
        optimal = {row.strategy: row.tree.total_misses for row in result.rows}["optimal-mean"]
        assert optimal == solve(told).total_misses
        assert result.layouts == fitting(told, enumerate_layouts(rules)).sum()
        layouts.append(result.layouts)
    assert layouts[1] > max(layouts[0], layouts[2])


def test_a_time_limit_is_shared_and_no_row_is_lost() -> None:
    """The least total of this game is 2,865; a second does not prove it."""
    result = compare(Rules("5x5", "3,2", answers="ship"), ["ship"], time_limit=2)
    rows = {row.strategy: row for row in result.rows}
    assert list(rows) == ["greedy-half", "greedy-hits", "optimal-mean", "optimal-worst"]
    mean, worst = rows["optimal-mean"], rows["optimal-worst"]
    assert mean.interval is not None
    assert mean.interval[0] <= 2865 <= mean.interval[1]
    assert mean.status == "proven" or mean.status == "bounded: total {:,} to {:,}".format(
        *mean.interval
    )
    assert worst.interval is not None
    assert worst.tree.worst_misses == worst.interval[1]
    assert rows["greedy-hits"].document()["lower_bound"] is None
