"""Positions: histories of shots and answers, and the layouts that fit them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import naive
from twins.naive_trees import layouts_by_number, naive_layouts, naive_rows, position_of, spoken

from seabattle.enumerate.errors import BoardError, PositionError, RulesError
from seabattle.enumerate.game.answers import HIT, MISS
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import Announce, AnswerMode, Contact, Rules
from seabattle.enumerate.layouts.enumeration import enumerate_layouts

GAMES = [("3x3", "2,2"), ("3x3", "3,2,1"), ("3x4", "2,1"), ("2x5", "2,2,1"), ("4x4", "3,2")]
LARGE = ("6x12", "2,2")

histories = settings(max_examples=80, deadline=None)


def layouts_with_naive(rules):
    """Enumerated layouts, and the naive layout of each row."""
    layouts = enumerate_layouts(rules)
    by_number = layouts_by_number(rules)
    return layouts, [by_number[tuple(row)] for row in layouts.ships.tolist()]


def random_history(rules, rows, data):
    """Shots in random order answered by one layout, sometimes with one answer changed."""
    target = data.draw(st.sampled_from(rows))
    cells = data.draw(st.lists(st.integers(0, rules.board.cells - 1), unique=True, max_size=9))
    history = [
        (cell, naive.answer(target, cells[:i], cell, *spoken(rules)))
        for i, cell in enumerate(cells)
    ]
    if history and data.draw(st.booleans()):
        i = data.draw(st.integers(0, len(history) - 1))
        other = data.draw(st.sampled_from(rows))
        history[i] = (cells[i], naive.answer(other, cells[:i], cells[i], *spoken(rules)))
    return history


@histories
@given(
    st.sampled_from([*GAMES, LARGE]),
    st.sampled_from(list(Contact)),
    st.sampled_from(list(AnswerMode)),
    st.sampled_from(list(Announce)),
    st.data(),
)
def test_fitting_layouts_are_the_ones_that_would_answer_so(game, contact, answers, announce, data):
    rules = Rules(*game, contact, answers, announce)
    if not naive_layouts(rules):
        return
    layouts, rows = layouts_with_naive(rules)
    history = random_history(rules, rows, data)
    expected = naive.fitting(rows, history, *spoken(rules))
    position = position_of(rules, history)
    if expected:
        keep = position.fitting(layouts)
        assert keep.dtype == np.uint8
        assert [row for row, kept in zip(rows, keep, strict=True) if kept] == [
            row for row in rows if row in expected
        ]
        assert set(keep.tolist()) <= {0, 1}
    else:
        with pytest.raises(PositionError, match=r"no layout of .* fits these answers") as caught:
            position.fitting(layouts)
        assert "\n" not in str(caught.value)


@histories
@given(st.sampled_from(GAMES[:4]), st.sampled_from(["none", "corners"]), st.data())
def test_order_does_not_matter_in_mode_hit(game, contact, data):
    rules = Rules(*game, contact, "hit")
    if not naive_layouts(rules):
        return
    layouts, rows = layouts_with_naive(rules)
    target = data.draw(st.sampled_from(rows))
    cells = data.draw(st.lists(st.integers(0, rules.board.cells - 1), unique=True, max_size=6))
    shots = [(cell, HIT if cell in naive.cells_of(target) else MISS) for cell in cells]
    mixed = data.draw(st.permutations(shots))
    one, two = Position(rules, tuple(shots)), Position(rules, tuple(mixed))
    assert one.fitting(layouts).tolist() == two.fitting(layouts).tolist()
    names = {told: [rules.board.name(c) for c, t in shots if t == told] for told in (HIT, MISS)}
    three = Position.of_cells(rules, miss=names[MISS], hit=names[HIT])
    assert three.fitting(layouts).tolist() == one.fitting(layouts).tolist()
    assert three.hit_mask == one.hit_mask
    assert three.shot_mask == one.shot_mask


@pytest.mark.parametrize("announce", ["none", "length"])
def test_order_matters_under_sides_where_sinkings_are_announced(announce):
    rules = Rules("3x3", "3,2", "sides", "sunk", announce)
    layouts = enumerate_layouts(rules)
    sunk = "sunk:2" if announce == "length" else "sunk"
    early = Position.read(rules, [("C3", "hit"), ("B3", sunk), ("A3", "hit")])
    late = Position.read(rules, [("C3", "hit"), ("A3", "hit"), ("B3", sunk)])
    if announce == "none":
        assert (early.fitting(layouts).sum(), late.fitting(layouts).sum()) == (1, 9)
    else:
        assert early.fitting(layouts).sum() == 1
        assert late.fitting(layouts).sum() < 9


@pytest.mark.parametrize(
    ("contact", "answers", "shots", "why"),
    [
        ("none", "sunk", [("A2", "sunk"), ("A1", "hit")], "A1: it would belong to the ship alrea"),
        ("corners", "sunk", [("A1", "sunk"), ("C1", "miss"), ("B1", "hit")], "already sunk at A1"),
        ("none", "ship", [("A1", "hit:2#2"), ("C1", "hit:2#1")], "2#2 is named before 2#1"),
        ("sides", "ship", [("A1", "hit:2#2"), ("B1", "hit:2#1")], "2#2 is named before 2#1"),
    ],
)
def test_a_sequence_that_cannot_be_is_fine_where_it_is_none(contact, answers, shots, why):
    rules = Rules("4x4", "2,2", contact, answers)
    layouts = enumerate_layouts(rules)
    with pytest.raises(PositionError, match=why):
        Position.read(rules, shots).fitting(layouts)
    unordered = Position.read(rules, shots, ordered=False).fitting(layouts)
    turned = Position.read(rules, shots[::-1]).fitting(layouts)
    assert unordered.tolist() == turned.tolist()


@pytest.mark.parametrize(
    ("answers", "shots", "why"),
    [
        ("sunk", [("A1", "sunk"), ("A2", "sunk")], "^sunk at A1 and at A2: both would be the same"),
        ("ship", [("A1", "hit:2#2")], "^hit A1: ship 2#2 is named before 2#1, but equal ships"),
    ],
)
def test_what_no_order_explains_is_refused(answers, shots, why):
    rules = Rules("4x4", "2,2", "none", answers)
    with pytest.raises(PositionError, match=why) as caught:
        Position.read(rules, shots, ordered=False).fitting(enumerate_layouts(rules))
    assert "\n" not in str(caught.value)


@histories
@given(
    st.sampled_from(GAMES),
    st.sampled_from(list(AnswerMode)),
    st.sampled_from(list(Announce)),
    st.data(),
)
def test_repr_round_trips(game, answers, announce, data):
    rules = Rules(*game, "sides", answers, announce)
    rows = naive_rows(rules)
    history = random_history(rules, rows, data)
    position = position_of(rules, history)
    assert eval(repr(position)) == position
    assert position.shot_mask == rules.board.mask(cell for cell, _ in history)
    assert position.hit_mask == rules.board.mask(cell for cell, t in history if t != "miss")


def test_an_empty_position_fits_everything():
    rules = Rules("3x3", "3,1,1")
    assert Position(rules).fitting(enumerate_layouts(rules)).tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("answers", "contact", "shots", "error", "why"),
    [
        ("hit", "none", [("A1", "hit"), ("a1", "hit")], PositionError, "A1 is given twice$"),
        (
            "hit",
            "none",
            [("A1", "hit"), ("A1", "miss")],
            PositionError,
            "A1 is given twice, as hit and as miss",
        ),
        ("hit", "none", [("A1", "sunk")], PositionError, "whose answers are miss, hit$"),
        ("sunk", "none", [("A1", "sunk:2")], PositionError, "whose answers are miss, hit, sunk$"),
        ("sunk", "sides", [("A1", "sunk")], PositionError, "miss, hit, sunk:3, sunk:2$"),
        ("sunk", "sides", [("A1", "sunk:1")], PositionError, "'sunk:1' does not belong"),
        ("ship", "none", [("A1", "hit")], PositionError, "'hit' does not belong"),
        ("ship", "none", [("A1", "hit:2#2")], PositionError, "'hit:2#2' does not belong"),
        ("hit", "none", [("F1", "hit")], BoardError, "off the board"),
        ("hit", "none", [("A1", "bang")], RulesError, "answer 'bang'"),
    ],
)
def test_histories_that_make_no_sense_are_refused(answers, contact, shots, error, why):
    with pytest.raises(error, match=why) as caught:
        Position.read(Rules("5x5", "3,2", contact, answers), shots)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("shots", [((25, HIT),), ((-1, HIT),), ((0, 7),), ((0, -1),)])
def test_cells_and_codes_that_do_not_exist_are_refused(shots):
    with pytest.raises((BoardError, RulesError, PositionError)):
        Position(Rules("5x5", "3,2"), shots)


def test_answers_that_no_layout_gives_are_told_in_words():
    rules = Rules("3x3", "3,1,1")
    with pytest.raises(
        PositionError, match="no layout of 3,1,1 fits these answers: A1 miss, B2 hit"
    ):
        Position.of_cells(rules, hit=["B2"], miss=["A1"]).fitting(enumerate_layouts(rules))
    with pytest.raises(PositionError, match="B1 hit, A2 hit"):
        Position.of_cells(rules, hit=["B1", "A2"]).fitting(enumerate_layouts(rules))
