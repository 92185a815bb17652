"""Answers are said in the same words by the pages' scripts and by Python."""

from __future__ import annotations

import re

import pytest
from support import browsing

from seabattle.enumerate.answers import answer_code, answer_text, answer_words
from seabattle.enumerate.rules import Fleet
from seabattle.trees.page.assembly import template

FLEETS = ["3,2,2,1,1,1", "russian", "hasbro", "4,3,2", "2,2,2,2,2,2,2", "1", ",".join("1" * 23)]


def answers(fleet: Fleet) -> list[int]:
    """Every answer that a game with this fleet knows, whatever its rules."""
    texts = ["miss", "hit", "sunk"]
    for length, count in fleet.counts.items():
        texts += [f"sunk:{length}", *(f"hit:{length}#{n}" for n in range(1, count + 1))]
    return [answer_code(text) for text in texts]


@pytest.mark.skipif(bool(browsing.why_no_browser()), reason=browsing.why_no_browser())
def test_scripts_say_what_python_says() -> None:
    games = [(list(fleet.lengths), answers(fleet)) for fleet in map(Fleet.parse, FLEETS)]
    with browsing.browser() as running:
        page = running.new_page()
        page.add_script_tag(content=template("answers.js"))
        said = page.evaluate(
            """games => games.map(([fleet, codes]) => codes.map((code) =>
                [answerText(code), answerWords(code, fleet), answerShort(code, fleet)]))""",
            games,
        )
    for (lengths, codes), spoken in zip(games, said, strict=True):
        fleet = Fleet(lengths)
        for code, (text, words, short) in zip(codes, spoken, strict=True):
            assert text == answer_text(code)
            assert words == answer_words(code, fleet)
            ship = re.fullmatch(r"hit:(\d+)#1", text)
            alone = ship is not None and fleet.counts[int(ship[1])] == 1
            plain = text.replace(":", " ")
            assert short == (plain.removesuffix("#1") if alone else plain)


@pytest.mark.parametrize(
    ("number", "word"),
    [
        (1, "first"),
        (6, "sixth"),
        (7, "7th"),
        (11, "11th"),
        (21, "21st"),
        (22, "22nd"),
        (23, "23rd"),
    ],
)
def test_ships_are_numbered_in_english(number: int, word: str) -> None:
    fleet = Fleet([1] * 23)
    told = answer_words(answer_code(f"hit:1#{number}"), fleet)
    assert told == f"hit, the {word} ship of length 1 to be hit"
