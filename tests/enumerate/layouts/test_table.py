"""The decision table: rows and columns as bits, restriction, counts, occupancies, weights, text."""

import numpy as np
import pytest
from twins import naive
from twins.naive_trees import layouts_by_number

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.errors import PositionError, WeightsError
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import MAX_TOTAL
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import (
    DecisionTable,
    check_weights,
)

GAMES = [
    Rules("3x3", "3,1,1"),
    Rules("4x4", "3,2,1"),
    Rules("3x4", "2,2,1", "corners"),
    Rules("3x3", "3,2", "sides"),
    Rules("3x3", "2,2", "sides"),
    Rules("7x10", "2,1", "none"),
]


def name_of(rules):
    return f"{rules.board}-{rules.fleet}-{rules.contact.value}"


games = pytest.mark.parametrize("rules", GAMES, ids=name_of)


def rows_of(rules, table):
    """Naive layouts in the order of the table's rows."""
    by_number = layouts_by_number(rules)
    return [by_number[tuple(table.layouts.ships[i].tolist())] for i in table.index]


@games
def test_rows_and_columns_are_the_naive_ones(rules):
    table = DecisionTable.build(rules)
    rows = rows_of(rules, table)
    cells = rules.board.cells
    weighted = DecisionTable.build(rules, prior=np.arange(len(table)))
    assert len(table) == len(rows)
    for number, layout in enumerate(rows):
        row = table.row(number)
        assert len(row) == cells
        assert set(row.search(1)) == naive.cells_of(layout)
    for cell in range(cells):
        column = table.column(cell)
        expected = [int(cell in naive.cells_of(layout)) for layout in rows]
        assert column.tolist() == expected
        assert table.column(rules.board.name(cell)) == column
        assert column.count() == table.column_counts()[cell]
        assert sum(column.search(1)) == weighted.column_counts()[cell]


def test_a_table_keeps_the_weights_of_all_layouts():
    rules = Rules("3x3", "3,1,1")
    table = DecisionTable.build(rules, prior=np.array([1, 2, 3, 4]))
    part = table.shoot("B1", "miss")
    assert (part.weights.tolist(), part.prior.tolist()) == ([2, 3, 4], [1, 2, 3, 4])
    assert part.at(Position(rules).shoot("B1", "hit")).weights.tolist() == [1]
    assert part.at(Position(rules).shoot("B3", "hit")).weights.tolist() == [2]
    assert part.at(Position(rules)).weights.tolist() == [1, 2, 3, 4]
    built = DecisionTable.build(part.position, prior=table.prior)
    assert built.weights.tolist() == [2, 3, 4]
    assert DecisionTable.build(part, prior=[1, 1, 1, 5]).weights.tolist() == [1, 1, 5]
    with pytest.raises(WeightsError, match="every layout that fits what is known weighs 0"):
        DecisionTable.build(rules, prior=np.array([1, 0, 0, 0])).shoot("B1", "miss")


def test_another_answer_mode_keeps_the_history_that_it_can():
    table = DecisionTable.build(Rules("3x3", "2,1", answers="sunk"), prior=np.arange(1, 25))
    missed = table.shoot("B2", "miss")
    named = missed.answering("ship")
    assert named.position == Position(table.rules.answering("ship")).shoot("B2", "miss")
    assert named.weights.tolist() == missed.weights.tolist()
    assert table.answering("hit").position == Position(table.rules.answering("hit"))
    with pytest.raises(PositionError):
        missed.shoot("A1", "hit").answering("hit")
    assert missed.answering("sunk") is missed


@games
def test_occupancies_merge_rows_of_the_same_cells(rules):
    table = DecisionTable.build(rules)
    given_weights = 1 + np.arange(len(table), dtype=np.int64) % 5
    rows = rows_of(rules, table)
    for weights in (None, given_weights):
        weighted = DecisionTable(table.layouts, weights)
        masks, sums, group = weighted.occupancies()
        occupied = [sum(int(word) << (64 * w) for w, word in enumerate(mask)) for mask in masks]
        assert len(set(occupied)) == len(occupied)
        assert group.shape == (len(table),)
        expected = dict.fromkeys(range(len(masks)), 0)
        for number, layout in enumerate(rows):
            assert set(cells_of(occupied[group[number]])) == naive.cells_of(layout)
            expected[int(group[number])] += 1 if weights is None else int(weights[number])
        order = list(dict.fromkeys(group.tolist()))
        assert order == list(range(len(masks))), "in order of first appearance"
        assert (sums.tolist() or [1] * len(masks)) == list(expected.values())
        assert sum(expected.values()) == weighted.total_weight


@pytest.mark.parametrize(
    ("weights", "why"),
    [
        ([1, 2], "2 given for 3 layouts"),
        ([1, -1, -2], "whole numbers"),
        ([0, 0, 0], "above 0"),
        ([1.5, 1, 1], "whole numbers"),
        (["a", "b", "c"], "whole numbers"),
        ([np.inf, 1, 1], "whole numbers"),
        ([np.nan, 1, 1], "whole numbers"),
        ([2**62, 2**62, 2**62], "too large for exact totals"),
    ],
)
def test_weights_that_make_no_sense_are_refused(weights, why):
    with pytest.raises(WeightsError, match=why) as caught:
        check_weights(np.array(weights), 3, 9)
    assert "\n" not in str(caught.value)


def test_equal_weights_of_one_are_no_weights():
    assert len(check_weights(np.ones(5, dtype=np.int32), 5, 9)) == 0
    assert check_weights(np.array([1.0, 2.0]), 2, 9).dtype == np.int64
    largest = (MAX_TOTAL - 1) // 9
    assert check_weights(np.array([largest, 0]), 2, 9).tolist() == [largest, 0]
    with pytest.raises(WeightsError, match=f"keep it below {MAX_TOTAL // 9}"):
        check_weights(np.array([largest, 1]), 2, 9)
