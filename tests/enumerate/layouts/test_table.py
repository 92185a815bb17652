"""The decision table: rows and columns as bits, restriction, counts, occupancies, weights, text."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from twins import naive
from twins.naive_trees import layouts_by_number

from seabattle.enumerate.answers import HIT, MISS, possible_answers
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.errors import LayoutError, PositionError, SeabattleError, WeightsError
from seabattle.enumerate.layouts import count_layouts, enumerate_layouts, fitting
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.enumerate.table import (
    MAX_TOTAL,
    DecisionTable,
    as_table,
    check_weights,
    position_of,
    rules_of,
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


@games
def test_counts_are_the_occupancy(rules):
    table = DecisionTable.build(rules)
    rows = rows_of(rules, table)
    counts = table.column_counts()
    assert counts.dtype == np.int64
    assert counts.tolist() == naive.occupancy(rows, rules.board.cells)
    assert counts.sum() == len(table) * rules.fleet.cells
    certain = {c for c in range(rules.board.cells) if counts[c] == len(table)}
    assert set(cells_of(table.certain_mask)) == certain
    assert set(cells_of(table.occupied_mask)) == set(np.flatnonzero(counts).tolist())


@games
def test_a_shot_keeps_the_rows_that_fit(rules):
    table = DecisionTable.build(rules)
    rows = rows_of(rules, table)
    for cell in range(rules.board.cells):
        name = rules.board.name(cell)
        for text, code in (("hit", HIT), ("miss", MISS)):
            left = [x for x in rows if (cell in naive.cells_of(x)) == (text == "hit")]
            if not left:
                with pytest.raises(PositionError, match=f"fits these answers: {name} {text}"):
                    table.shoot(cell, text)
                continue
            part = table.shoot(cell, text)
            assert rows_of(rules, part) == left
            assert part.index.tolist() == table.shoot(name.lower(), code).index.tolist()
            with pytest.raises(PositionError, match=f"cell {name} is given twice"):
                part.shoot(cell, text)


@games
def test_two_shots_are_a_position(rules):
    table = DecisionTable.build(rules)
    names = [rules.board.name(cell) for cell in cells_of(table.occupied_mask)]
    part = table.shoot(names[0], "hit")
    assert table.at(Position(rules)) is table
    for name in names[1:]:
        for text in ("hit", "miss"):
            position = Position.read(rules, [(names[0], "hit"), (name, text)])
            try:
                expected = part.shoot(name, text)
            except PositionError:
                with pytest.raises(PositionError):
                    table.at(position)
                continue
            assert table.at(position).index.tolist() == expected.index.tolist()
            assert part.at(position).index.tolist() == expected.index.tolist()


@pytest.mark.parametrize("contact", list(Contact))
@pytest.mark.parametrize("answers", list(AnswerMode))
def test_shots_in_every_mode_are_the_position(answers, contact):
    rules = Rules("3x3", "2,1", contact, answers)
    table = DecisionTable.build(rules)
    for first in possible_answers(rules):
        for second in possible_answers(rules):
            position = Position(rules, ((4, first), (0, second)))
            try:
                expected = np.flatnonzero(fitting(position, table.layouts))
            except PositionError as error:
                with pytest.raises(PositionError, match=re.escape(str(error)[-20:])):
                    table.at(position)
                continue
            part = table.at(position)
            assert part.index.tolist() == expected.tolist()
            assert part.position == position
            assert part.shoot("C3", "miss").index.tolist() == [
                row for row in expected if not int(table.masks[row, 0]) >> 8 & 1
            ]
            assert part.at(Position(rules)).index.tolist() == table.index.tolist()
            for game in (position, part):
                assert DecisionTable.build(game).index.tolist() == expected.tolist()
            with pytest.raises(PositionError, match="cell A1 is given twice"):
                part.shoot("a1", second)


def test_a_table_keeps_the_weights_of_all_layouts():
    rules = Rules("3x3", "3,1,1")
    table = DecisionTable.build(rules, prior=np.array([1, 2, 3, 4]))
    part = table.shoot("B1", "miss")
    assert (part.weights.tolist(), part.prior.tolist()) == ([2, 3, 4], [1, 2, 3, 4])
    assert part.at(Position(rules).shoot("B1", "hit")).weights.tolist() == []
    assert part.at(Position(rules).shoot("B3", "hit")).weights.tolist() == [2]
    assert part.at(Position(rules)).weights.tolist() == [1, 2, 3, 4]
    assert part.select(np.array([0, 1, 1], dtype=np.uint8)).prior.tolist() == [1, 2, 3, 4]
    built = DecisionTable.build(part.history, prior=table.prior)
    assert built.weights.tolist() == [2, 3, 4]
    assert DecisionTable.build(part, prior=[1, 1, 1, 5]).weights.tolist() == [1, 1, 5]
    with pytest.raises(WeightsError, match="every layout that fits what is known weighs 0"):
        DecisionTable.build(rules, prior=np.array([1, 0, 0, 0])).shoot("B1", "miss")


def test_a_selected_table_has_no_history():
    table = DecisionTable.build(Rules("3x3", "3,1,1"))
    part = table.select(np.array([1, 1, 0, 0], dtype=np.uint8))
    assert part.position is None
    why = "made by select and has no history: build it from a Position"
    for ask in (lambda: part.history, lambda: part.shoot("B1", "miss"), lambda: position_of(part)):
        with pytest.raises(PositionError, match=why):
            ask()
    left = part.at(Position(table.rules).shoot("B1", "miss"))
    assert (left.index.tolist(), left.position) == ([1], None)


def test_another_answer_mode_keeps_the_history_that_it_can():
    table = DecisionTable.build(Rules("3x3", "2,1", answers="sunk"), prior=np.arange(1, 25))
    missed = table.shoot("B2", "miss")
    named = missed.answering("ship")
    assert named.position == Position(table.rules.answering("ship")).shoot("B2", "miss")
    assert named.weights.tolist() == missed.weights.tolist()
    assert table.answering("hit").position == Position(table.rules.answering("hit"))
    assert missed.shoot("A1", "hit").answering("hit").position is None
    assert missed.answering("sunk") is missed


@pytest.mark.parametrize(
    "ask",
    [
        lambda table: DecisionTable.build("5x5"),
        lambda table: as_table(None),
        lambda table: rules_of(3),
        lambda table: position_of("5x5"),
        lambda table: table.at("A1 miss"),
        lambda table: table.shoot(1.5, "miss"),
        lambda table: table.shoot("A1", None),
        lambda table: table.column(2.0),
        lambda table: DecisionTable(table.rules),
        lambda table: DecisionTable(table.layouts, index=[1, 2]),
        lambda table: DecisionTable(table.layouts, index=np.array([0.5])),
        lambda table: DecisionTable(table.layouts, weights=3),
        lambda table: DecisionTable.build(table.rules, progress=3),
        lambda table: table.select("A1"),
        lambda table: table.select(lambda row: True),
        lambda table: table.row("A1"),
        lambda table: table.text(most="all"),
        lambda table: table.layouts.names("A1"),
        lambda table: table.layouts.picture(None),
        lambda table: count_layouts(table.rules, most="all"),
        lambda table: count_layouts(table.rules, progress=3),
    ],
)
def test_what_is_no_game_is_refused_in_one_line(ask):
    with pytest.raises(TypeError, match=r"^\w+: give .*, not '\w+'$"):
        ask(DecisionTable.build(Rules("3x3", "3,1,1")))


@pytest.mark.parametrize(
    ("ask", "error", "why"),
    [
        (lambda t: t.select([1]), LayoutError, r"^keep of shape \(1,\): give one mark per row, 4$"),
        (lambda t: t.select([0] * 4), PositionError, "^keep: no row is marked, so no layout"),
        (lambda t: t.row(-1), LayoutError, "^number -1: the rows are 0 to 3 here"),
        (lambda t: t.row(4), LayoutError, "^number 4: the rows are 0 to 3 here"),
        (lambda t: t.layouts.names(4), LayoutError, "^index 4: layouts are numbered 0 to 3 here"),
        (lambda t: t.layouts.picture(-1), LayoutError, "^index -1: layouts are numbered 0 to 3"),
        (lambda t: DecisionTable(t.layouts, np.array([4])), LayoutError, "^index with layout 4"),
        (lambda t: DecisionTable(t.layouts, np.array([-1])), LayoutError, "^index with layout -1"),
        (
            lambda t: t.select([1, 0, 0, 0]).at(Position(t.rules).shoot("B1", "miss")),
            PositionError,
            "^no layout of this table fits the position$",
        ),
        (lambda t: t.text(most=-1), SeabattleError, "^most -1: must be 0 or above$"),
        (lambda t: count_layouts(t.rules, most=-1), SeabattleError, "^most -1: must be 0 or above"),
    ],
)
def test_rows_that_do_not_exist_are_rejected(ask, error, why):
    with pytest.raises(error, match=why):
        ask(DecisionTable.build(Rules("3x3", "3,1,1")))


@games
def test_occupancies_merge_rows_of_the_same_cells(rules):
    table = DecisionTable.build(rules)
    given_weights = np.arange(len(table), dtype=np.int64) % 5
    rows = rows_of(rules, table)
    for weights in (None, given_weights):
        weighted = DecisionTable(table.layouts, None, weights)
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


def test_the_game_of_equal_ships_side_by_side_has_fewer_occupancies():
    table = DecisionTable.build(Rules("3x3", "2,2", "sides"))
    masks, weights, _ = table.occupancies()
    assert len(table) == 44
    assert len(masks) < 44
    assert weights.sum() == 44
    assert weights.max() == 2  # two ways to cover a 2x2 square


@examples(40)
@given(st.lists(st.integers(0, 9), min_size=16, max_size=16).filter(any), st.integers(0, 8))
def test_weights_weigh_columns_and_follow_restriction(weights, cell):
    rules = Rules("3x3", "2,1")
    layouts = enumerate_layouts(rules)
    weights = (weights * len(layouts))[: len(layouts)]
    table = DecisionTable(layouts, None, np.array(weights))
    rows = rows_of(rules, table)
    weigh = dict(zip(rows, weights, strict=True))
    assert table.column_counts().tolist() == naive.occupancy(rows, 9, weigh)
    assert table.total_weight == sum(weights)
    left = [x for x in rows if cell not in naive.cells_of(x)]
    if naive.weight_of(left, weigh):
        part = table.shoot(cell, "miss")
        assert part.column_counts().tolist() == naive.occupancy(left, 9, weigh)
        assert part.total_weight == naive.weight_of(left, weigh)


@pytest.mark.parametrize(
    ("weights", "why"),
    [
        ([1, 2], "2 given for 3 layouts"),
        ([[1, 2, 3]], "3 given for 3 layouts; give one per layout"),
        ([1, -1, -2], "2 are negative"),
        ([0, 0, 0], "all are zero"),
        ([1.5, 1, 1], "whole numbers"),
        ([float("nan"), 1, 1], "whole numbers"),
        ([float("inf"), 1, 1], "whole numbers"),
        (["a", "b", "c"], "whole numbers are needed"),
        ([True, False, True], "whole numbers are needed"),
        ([MAX_TOTAL, 0, 0], "too large for exact totals"),
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


def test_rows_and_columns_are_views_of_the_same_memory(small_table):
    table = small_table
    view = table.row_view()
    assert view.readonly
    assert np.shares_memory(np.frombuffer(view, dtype=np.uint64), table.masks)
    assert np.shares_memory(table.masks, table.layouts.masks)
    assert len(view) == 64 * len(table)
    assert all(view[64 * i : 64 * i + 16] == table.row(i) for i in range(len(table)))
    assert table.column_words is table.column_words
    for words in (table.masks, table.column_words):
        with pytest.raises(ValueError, match="read-only"):
            words[0, 0] = 0


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 127, 128])
def test_columns_take_as_many_words_as_the_rows_need(small_table, rows):
    table = small_table.select(np.arange(len(small_table)) < rows)
    assert table.column_words.shape == (16, -(-rows // 64))
