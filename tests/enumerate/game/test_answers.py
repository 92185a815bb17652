"""Answers: texts and codes, what each mode can say, and what layouts say to shots."""

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
    is_sunk,
)


@examples(100)
@given(st.integers(1, 128), st.integers(1, 63))
def test_texts_and_codes_round_trip(length, number):
    codes = [MISS, HIT, SUNK, SUNK_LENGTH + length, HIT_SHIP + 64 * length + number]
    assert len(set(codes)) == 5
    for code in codes:
        assert answer_code(answer_text(code)) == code
        assert code < 1 << 16
    assert answer_text(codes[-1]) == f"hit:{length}#{number}"
    assert [is_sunk(code) for code in codes] == [False, False, True, True, False]
    assert [answer_symbol(code) for code in codes] == [
        ".",
        "x",
        "X",
        f"X{length}",
        f"x{length}#{number}",
    ]
