"""Answers: texts and codes, what each mode can say, and what layouts say to shots."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from twins import naive
from twins.naive_trees import layouts_by_number, naive_rows, spoken

from seabattle.enumerate.answers import (
    HIT,
    HIT_SHIP,
    MISS,
    SUNK,
    SUNK_LENGTH,
    answer_code,
    answer_symbol,
    answer_text,
    is_miss,
    is_sunk,
    possible_answers,
)
from seabattle.enumerate.errors import FleetError, PositionError, RulesError
from seabattle.enumerate.layouts import enumerate_layouts, fitting
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import MAX_SHIPS, Fleet, Rules

TOLD = [
    ("none", "hit", "length"),
    ("corners", "hit", "none"),
    ("sides", "hit", "length"),
    ("none", "sunk", "length"),
    ("corners", "sunk", "none"),
    ("sides", "sunk", "length"),
    ("sides", "sunk", "none"),
    ("none", "ship", "length"),
    ("sides", "ship", "none"),
]


@examples(100)
@given(st.integers(1, 128), st.integers(1, 63))
def test_texts_and_codes_round_trip(length, number):
    codes = [MISS, HIT, SUNK, SUNK_LENGTH + length, HIT_SHIP + 64 * length + number]
    assert len(set(codes)) == 5
    for code in codes:
        assert answer_code(answer_text(code)) == code
        assert code < 1 << 16
    assert answer_text(codes[-1]) == f"hit:{length}#{number}"
    assert [is_miss(code) for code in codes] == [True, False, False, False, False]
    assert [is_sunk(code) for code in codes] == [False, False, True, True, False]
    assert [answer_symbol(code) for code in codes] == [
        ".",
        "x",
        "X",
        f"X{length}",
        f"x{length}#{number}",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hit",
        "hit ",
        "sink",
        "sunk:",
        "sunk:0",
        "sunk:129",
        "sunk:-1",
        "sunk:3#1",
        "hit:3",
        "hit:3#0",
        "hit:3#64",
        "hit:129#1",
        "hit:#",
        "hit:3#1\n",
        "miss:1",
        "sunk:" + "9" * 5000,
        "hit:" + "9" * 5000 + "#1",
        "hit:1#" + "9" * 5000,
    ],
    ids=lambda text: text[:10],
)
def test_what_is_no_answer_is_refused(text):
    with pytest.raises(RulesError, match="write miss, hit, sunk, sunk:LENGTH") as caught:
        answer_code(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("contact", "answers", "announce", "texts"),
    [
        ("none", "hit", "length", "miss hit"),
        ("sides", "hit", "length", "miss hit"),
        ("none", "sunk", "length", "miss hit sunk"),
        ("corners", "sunk", "length", "miss hit sunk"),
        ("sides", "sunk", "none", "miss hit sunk"),
        ("sides", "sunk", "length", "miss hit sunk:3 sunk:2"),
        ("none", "ship", "none", "miss hit:3#1 hit:2#1 hit:2#2"),
        ("sides", "ship", "length", "miss hit:3#1 hit:2#1 hit:2#2"),
    ],
)
def test_what_each_mode_can_say(contact, answers, announce, texts):
    rules = Rules("5x5", "3,2,2", contact, answers, announce)
    assert [answer_text(code) for code in possible_answers(rules)] == texts.split()


def test_every_ship_of_the_largest_fleet_has_a_name_of_its_own():
    fleet = Fleet([1] * MAX_SHIPS)
    codes = possible_answers(Rules("10x10", fleet, "sides", "ship"))
    assert len({answer_code(answer_text(code)) for code in codes}) == MAX_SHIPS + 1
    with pytest.raises(FleetError, match="at most"):
        Fleet([1] * (MAX_SHIPS + 1))


@pytest.mark.parametrize(("contact", "answers", "announce"), TOLD)
@pytest.mark.parametrize(("board", "fleet"), [("3x4", "2,2,1"), ("3x5", "3,2,1"), ("8x9", "2,2")])
def test_only_possible_answers_are_given_and_all_of_them(board, fleet, contact, answers, announce):
    """Shots along the top row and back, at every layout, in the naive and in the coded game."""
    rules = Rules(board, fleet, contact, answers, announce)
    layouts = enumerate_layouts(rules)
    by_number = layouts_by_number(rules)
    possible = {answer_text(code) for code in possible_answers(rules)}
    told_by = spoken(rules)
    heard = set()
    for number in range(0, len(layouts), 1 + len(layouts) // 60):
        layout = by_number[tuple(layouts.ships[number].tolist())]
        shots, history = [], []
        for cell in sorted(naive.cells_of(layout) | {0, 1, 2}, key=lambda c: (c * 7) % 11):
            told = naive.answer(layout, shots, cell, *told_by)
            heard.add(told)
            shots.append(cell)
            history.append((cell, answer_code(told)))
        assert fitting(Position(rules, tuple(history)), layouts)[number] == 1
        for k, (cell, code) in enumerate(history):
            for other in set(possible_answers(rules)) - {code}:
                wrong = (*history[:k], (cell, other))
                assert not fits(rules, wrong, layouts)[number]
    assert heard <= possible
    assert heard == possible or board == "8x9"


def fits(rules, history, layouts):
    """Which layouts fit a history; all zero where none does."""
    try:
        return fitting(Position(rules, history), layouts)
    except PositionError:
        return [0] * len(layouts)


@examples(60)
@given(
    st.sampled_from([("3x3", "2,2", "sides"), ("3x4", "2,2,1", "none"), ("2x4", "2,1,1", "sides")]),
    st.data(),
)
def test_names_by_first_hit_part_layouts_as_the_groups_of_hit_cells_do(game, data):
    """The argument on which the naive search of mode ``ship`` rests."""
    rules = Rules(*game, answers="ship")
    found = naive_rows(rules)
    target = data.draw(st.sampled_from(found))
    cells = data.draw(st.permutations(range(rules.board.cells)))
    stop = data.draw(st.integers(0, rules.board.cells - 1))
    shots, left = [], set(found)
    for cell in cells[:stop]:
        told = naive.answer(target, shots, cell, "ship")
        left = {x for x in left if naive.answer(x, shots, cell, "ship") == told}
        shots.append(cell)
    cell = cells[stop]
    by_name, by_group = {}, {}
    for layout in left:
        by_name.setdefault(naive.answer(layout, shots, cell, "ship"), set()).add(layout)
        told = naive.outcome(layout, shots, cell, "ship", "length", "none")
        by_group.setdefault(told, set()).add(layout)
    assert sorted(map(len, by_name.values())) == sorted(map(len, by_group.values()))
    assert {frozenset(p) for p in by_name.values()} == {frozenset(p) for p in by_group.values()}


def test_codes_are_answers_too():
    for code in (MISS, HIT, 2, 0x103, 0x4000 + 64 * 3 + 1):
        assert answer_code(code) == answer_code(answer_text(code)) == code
    with pytest.raises(RulesError, match="answer code 7 belongs to no answer"):
        answer_code(7)
    for nonsense in (None, 1.0, True):
        with pytest.raises(TypeError, match=r"^answer: give text such as 'miss', or its code, not"):
            answer_code(nonsense)
