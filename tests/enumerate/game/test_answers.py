"""Answers: texts and codes, what each mode can say, and what layouts say to shots."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

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
from seabattle.enumerate.rules import Rules


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
