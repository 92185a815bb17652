"""What a request may ask, and which questions are one question."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import SeabattleError
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.web.questions import Kind, Question, canonical, read_position, read_question
from seabattle.web.refusals import Refused, refusal
from seabattle.web.settings import Settings

LIMITS = Settings(seconds=20, memory=1.5)


def rules_of(**fields: Any) -> Rules:
    return read_position(fields, LIMITS).rules


def test_what_is_left_out_is_as_on_the_command_line() -> None:
    assert rules_of() == Rules()
    assert rules_of(fleet="Hasbro") == Rules(fleet="hasbro")
    assert rules_of(fleet="russian", board="8x8", contact="corners") == Rules(
        "8x8", "russian", "corners"
    )
    assert rules_of(shots=[["A1", "hit"], ["A2", "sunk"]]) == Rules(answers="sunk")
    assert rules_of(shots=[["A1", "hit:3#1"]]) == Rules(answers="ship")
    assert rules_of(fleet="3,2,1", board="4x4", answers="sunk") == Rules(
        "4x4", "3,2,1", answers="sunk"
    )


def test_options_have_the_defaults_of_the_commands() -> None:
    def options(kind: Kind) -> dict[str, Any]:
        return dict(read_question(kind, {}, LIMITS).options)

    assert options(Kind.COUNT) == {
        "prior": "uniform", "ship": None, "percent": False, "no_map": False,
    }  # fmt: skip
    assert options(Kind.ADVISE) == {"prior": "uniform", "think": 2.0}
    assert options(Kind.REVIEW) == {"prior": "uniform", "think": 10.0}
    assert options(Kind.SOLVE)["memory_limit"] == 1.5


@pytest.mark.parametrize(
    ("kind", "options", "said"),
    [
        (Kind.ADVISE, {"think": -1}, "option 'think': -1 must be from 0 to 10"),
        (Kind.ADVISE, {"think": 11}, "option 'think': 11 must be from 0 to 10"),
        (Kind.ADVISE, {"think": "2"}, "option 'think': '2' must be a number"),
        (Kind.ADVISE, {"think": True}, "option 'think': True must be a number"),
        (Kind.SOLVE, {"time_limit": 0}, "option 'time_limit': 0 must be above 0"),
        (Kind.SOLVE, {"time_limit": 21}, "option 'time_limit': 21 must be from 0 to 20"),
        (Kind.SOLVE, {"memory_limit": 2}, "option 'memory_limit': 2 must be from 0 to 1.5"),
        (Kind.SOLVE, {"memory_limit": 10**400}, "option 'memory_limit': 1"),
        (Kind.SOLVE, {"objective": "best"}, "option 'objective': 'best' is none of mean, worst"),
        (Kind.POSITION, {"prior": "people"}, "option 'prior' is unknown; there are none"),
        (Kind.COUNT, {"map": "x"}, "option 'map' is unknown; the options are prior, ship"),
        (Kind.COUNT, {"no_map": True, "ship": 3}, "'no_map' gives no map: leave out 'ship'"),
    ],
)
def test_wrong_options_are_named(kind: Kind, options: dict[str, Any], said: str) -> None:
    with pytest.raises(Refused) as refused:
        read_question(kind, {"options": options}, LIMITS)
    assert said in str(refused.value)


def test_refusals_go_to_another_process_and_back() -> None:
    told = Refused("no", 413, {"answers": []})
    again = pickle.loads(pickle.dumps(told))
    assert (str(again), again.status, again.conflict) == ("no", 413, {"answers": []})
    assert refusal(again) is again
    question = read_question(Kind.COUNT, {"fleet": "hasbro", "shots": [["A1", "hit"]]}, LIMITS)
    assert pickle.loads(pickle.dumps(question)) == question
    assert hash(pickle.loads(pickle.dumps(question))) == hash(question)


GAMES = [
    Rules("4x4", "3,2,1", "none", "sunk"),
    Rules("4x4", "2,2,1", "corners", "sunk"),
    Rules("4x4", "3,2,2", "none", "hit"),
    Rules("4x4", "2,2,1", "sides", "ship"),
    Rules("4x4", "3,2,2", "sides", "sunk"),
    Rules("4x4", "2,2,2", "sides", "sunk", "none"),
    Rules("4x4", "3,2", "sides", "hit"),
]
COUNTERS = {rules: Counter(rules) for rules in GAMES}


def answer_to(position: Position) -> Any:
    try:
        found = COUNTERS[position.rules].at(position).map()
    except SeabattleError:
        return None
    return found.placements, found.labelled_layouts, found.states, found.best_shots


@examples(150)
@given(data=st.data())
def test_the_canonical_question_has_the_same_answer(data: st.DataObject) -> None:
    """Also where the answers contradict each other: it is not made to fit by another order."""
    rules = data.draw(st.sampled_from(GAMES))
    chance = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    ships = COUNTERS[rules].sample(1, chance)[0].tolist()
    position = played(rules, ships, chance)
    if data.draw(st.booleans()):
        order = data.draw(st.permutations(position.shots))
        position = replace(position, shots=tuple(order), ordered=data.draw(st.booleans()))
    question = Question(Kind.COUNT, position)
    key = canonical(question)
    assert canonical(key) == key
    assert answer_to(key.position) == answer_to(position)
    misses_last = sorted(position.shots, key=lambda shot: shot[1] == 0)
    moved = replace(position, shots=tuple(misses_last))
    assert canonical(Question(Kind.COUNT, moved)) == key or answer_to(position) is None


def played(rules: Rules, ships: list[int], chance: np.random.Generator) -> Position:
    """Some shots at a layout."""
    from seabattle.enumerate.placements import placement_table

    placements = [placement_table(rules).placements[i] for i in ships]
    position = Position(rules)
    numbers: dict[int, str] = {}
    for cell in chance.permutation(16).tolist()[: chance.integers(1, 12)]:
        at = next((i for i, ship in enumerate(placements) if ship.mask >> cell & 1), None)
        if at is None:
            position = position.shoot(cell, "miss")
            continue
        length = placements[at].length
        sunk = not placements[at].mask & ~(position.hit_mask | 1 << cell)
        if rules.answers.value == "ship":
            like = [name for name in numbers.values() if name.startswith(f"{length}#")]
            numbers.setdefault(at, f"{length}#{len(like) + 1}")
            position = position.shoot(cell, f"hit:{numbers[at]}")
        elif rules.answers.value == "sunk" and sunk:
            told = rules.contact.value == "sides" and rules.announce.value == "length"
            position = position.shoot(cell, f"sunk:{length}" if told else "sunk")
        else:
            position = position.shoot(cell, "hit")
    return position


def test_a_review_keeps_the_order() -> None:
    told = Position.in_order(Rules("4x4", "3,2,1"), "B2 miss, A1 hit")
    assert canonical(Question(Kind.REVIEW, told)).position.shots == told.shots
    assert canonical(Question(Kind.CONFLICT, told)).position.shots == told.shots
