"""A match: answers by the rules, turns in order, nothing shown before its time, an end."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seabattle.enumerate.answers import MISS
from seabattle.enumerate.errors import (
    BoardError,
    LayoutError,
    PlayerError,
    PositionError,
    RulesError,
    SeabattleError,
)
from seabattle.enumerate.layouts import Layouts, enumerate_layouts, fitting
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.matches.hiding import draw_layout
from seabattle.solver.matches.match import Match, Sealed
from seabattle.solver.matches.opponents import program_layout, program_shot
from seabattle.solver.matches.terms import First, Side, Terms
from seabattle.solver.players.random_streams import Chance
from seabattle.trees.replay import HiddenGame

GAMES = [
    Rules("4x4", "3,2,1", answers="sunk"),
    Rules("3x4", "3,2", "sides", "sunk"),
    Rules("3x4", "2,2", "sides", "sunk", "none"),
    Rules("3x5", "2,2", "corners", "ship"),
    Rules("1x9", "3,2"),
]
LAYOUTS: dict[Rules, Layouts] = {rules: enumerate_layouts(rules) for rules in GAMES}
SMALL = GAMES[0]
FLEET = "A1:A3 C1:D1 C4"

rules_of_games = st.sampled_from(GAMES)
numbers = st.integers(0, 2**32)


def in_a_row(player: str, position: Position, chance: Chance) -> int:
    """A program that shoots the cells in the order of its deck."""
    deck = chance.deck(position.rules.board.cells)
    return next(cell for cell in deck if not position.shot_mask >> cell & 1)


def fleet(rules: Rules, number: int) -> tuple[list[str], tuple[int, ...]]:
    """One of all layouts: names and placement numbers."""
    layouts = LAYOUTS[rules]
    row = number % len(layouts)
    return layouts.names(row), tuple(layouts.ships[row].tolist())


def opened(
    rules: Rules, yours: list[str], its: list[str], again: bool, seed: int, first: str = "toss"
) -> Match:
    terms = Terms(rules, "random", "random", first, again)
    return Match.opening(terms, Sealed(rules, yours), Sealed(rules, its), seed).reply(in_a_row)


def shown(match: Match) -> str:
    return json.dumps(match.view.document())


@settings(deadline=None)
@given(rules_of_games, numbers, numbers, st.booleans(), numbers, st.randoms())
def test_both_sides_are_answered_by_the_rules_and_shoot_in_turn(
    rules: Rules, first: int, second: int, again: bool, seed: int, random: object
) -> None:
    yours, your_numbers = fleet(rules, first)
    its, its_numbers = fleet(rules, second)
    cells = list(range(rules.board.cells))
    random.shuffle(cells)  # type: ignore[attr-defined]
    match = opened(rules, yours, its, again, seed)
    for cell in cells:
        if match.turn is None:
            break
        assert match.turn is Side.YOU
        match = match.shoot(cell, in_a_row)
    assert match.turn is None
    for side, numbers_of_fleet, position in (
        (Side.YOU, its_numbers, match.yours),
        (Side.PROGRAM, your_numbers, match.program),
    ):
        game = HiddenGame(rules, numbers_of_fleet)
        assert position.shots == tuple((cell, game.shoot(cell)) for cell, _ in position.shots)
        assert len(position.shots) == match.order.count(side)
        assert (not game.left()) == (match.winner is side)
    left = {Side.YOU: list(match.yours.shots), Side.PROGRAM: list(match.program.shots)}
    for side, following in zip(match.order, match.order[1:], strict=False):
        hit = left[side].pop(0)[1] != MISS
        assert following is (side if hit and again else side.other)
    assert match.order[-1] is match.winner
    assert left[match.order[-1]][0][1] != MISS
    assert match.view.its_ships == tuple(its)


@settings(deadline=None)
@given(rules_of_games, numbers, numbers, st.booleans(), numbers, st.integers(0, 8), st.randoms())
def test_what_is_shown_does_not_depend_on_what_is_hidden(
    rules: Rules, first: int, second: int, again: bool, seed: int, shots: int, random: object
) -> None:
    """Any other layout that answers alike would show the same, to the byte."""
    yours, _ = fleet(rules, first)
    its, _ = fleet(rules, second)
    cells = list(range(rules.board.cells))
    random.shuffle(cells)  # type: ignore[attr-defined]
    states = [opened(rules, yours, its, again, seed)]
    for cell in cells[:shots]:
        if states[-1].turn is not None:
            states.append(states[-1].shoot(cell, in_a_row))
    before_the_end = [state for state in states if state.turn is not None]
    if not before_the_end:
        return
    layouts = LAYOUTS[rules]
    rows = np.flatnonzero(fitting(before_the_end[-1].yours, layouts))
    for row in rows[:: 1 + len(rows) // 20].tolist():
        names = layouts.names(row)
        game = HiddenGame(rules, tuple(layouts.ships[row].tolist()))
        told = before_the_end[-1].yours.shots
        if any(game.shoot(cell) != answer for cell, answer in told):
            continue
        match = opened(rules, yours, names, again, seed)
        for number, state in enumerate(before_the_end):
            assert shown(match) == shown(state)
            assert repr(match) == repr(state)
            assert match.view == state.view
            if number + 1 < len(before_the_end):
                match = match.shoot(cells[number], in_a_row)


@settings(deadline=None)
@given(rules_of_games, numbers, st.booleans(), numbers, st.randoms())
def test_the_program_is_told_its_own_shots_only(
    rules: Rules, number: int, again: bool, seed: int, random: object
) -> None:
    yours, _ = fleet(rules, number)
    its, _ = fleet(rules, number // 7)
    asked: list[tuple[object, ...]] = []

    def choose(*told: object) -> int:
        asked.append(told)
        return in_a_row(*told)  # type: ignore[arg-type]

    terms = Terms(rules, "random", "random", "program", again)
    match = Match.opening(terms, Sealed(rules, yours), Sealed(rules, its), seed).reply(choose)
    cells = list(range(rules.board.cells))
    random.shuffle(cells)  # type: ignore[attr-defined]
    for cell in cells:
        if match.turn is not None:
            match = match.shoot(cell, choose)
    shots = match.program.shots
    seen = [(player, position) for player, position, _ in asked]
    assert seen == [("random", Position(rules, shots[:count])) for count in range(len(shots))]
    chances = {repr(chance) for _, _, chance in asked}
    assert chances == {repr(Chance.of(seed=seed, player="random", game=0))}
    assert pickle.loads(pickle.dumps(asked[-1]))[1] == seen[-1][1]


@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize("player", ["random", "hunt-target", "diagonal", "greedy-map"])
def test_a_match_can_be_repeated(player: str, again: bool) -> None:
    def played(seed: int) -> list[str]:
        match = Match.begin(SMALL, FLEET, player=player, again=again, seed=seed)
        states = [shown(match)]
        for cell in range(16):
            if match.turn is not None:
                match = match.shoot(cell)
                states.append(shown(match))
        return states

    assert played(3) == played(3)
    assert len({tuple(played(seed)) for seed in range(5)}) == 5


def test_whoever_has_shots_chosen_elsewhere_loads_no_player() -> None:
    """The front process of the service keeps matches and chooses no shot."""
    code = (
        "import sys\n"
        "from seabattle.enumerate.rules import Rules\n"
        "from seabattle.solver.matches.match import Match, Sealed\n"
        "from seabattle.solver.matches.terms import Terms\n"
        "rules = Rules('4x4', '3,2,1', answers='sunk')\n"
        f"fleet = Sealed(rules, {FLEET!r})\n"
        "match = Match.opening(Terms(rules, first='you', again=False), fleet, fleet, 1)\n"
        "match = match.shoot('A1', lambda *told: 5)\n"
        "print(match.view.document()['program'], 'numba' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "{'shots': [['B2', 'miss']]} False\n"


def test_who_begins() -> None:
    def begins(first: str, seed: int | None = None) -> Side:
        match = opened(SMALL, FLEET.split(), FLEET.split(), False, seed or 0, first)
        return match.order[0] if match.order else Side.YOU

    assert {begins("you", seed) for seed in range(9)} == {Side.YOU}
    assert {begins("program", seed) for seed in range(9)} == {Side.PROGRAM}
    tosses = [begins("toss", seed) for seed in range(400)]
    assert 150 < tosses.count(Side.YOU) < 250
    assert Match.begin(SMALL, FLEET, player="random").terms.first is First.TOSS


def test_matches_without_a_seed_differ() -> None:
    fleets = {
        tuple(Match.begin(SMALL, FLEET, player="random").resign().view.its_ships or ())
        for _ in range(12)
    }
    assert len(fleets) > 1


def test_the_program_does_not_hide_as_the_person_with_the_same_seed() -> None:
    terms = Terms(SMALL, "random")
    alike = [draw_layout(SMALL, seed=s).names == program_layout(terms, s) for s in range(30)]
    assert sum(alike) < 5


def test_a_failed_shot_of_the_program_leaves_the_match_as_it_was() -> None:
    def fails(player: str, position: Position, chance: Chance) -> int:
        raise PlayerError("player 'random' failed at the first shot: ValueError")

    match = Match.begin(SMALL, FLEET, player="random", first="you", again=False, seed=1)
    before = shown(match)
    with pytest.raises(PlayerError, match="failed"):
        match.shoot("A1", fails)
    assert shown(match) == before
    assert match.shoot("A1", in_a_row).order == (Side.YOU, Side.PROGRAM)


def test_a_match_that_is_over_takes_no_more() -> None:
    match = Match.begin(SMALL, FLEET, player="random", first="you", seed=1)
    over = match.shoot("A1").resign()
    assert (over.turn, over.winner, over.resigned) == (None, Side.PROGRAM, True)
    for again in (lambda: over.shoot("A2"), lambda: over.after("A2"), over.resign):
        with pytest.raises(PositionError, match="the match is over"):
            again()
    assert over.reply() is over
    assert over.view.document()["winner"] == "program"
    assert over.view.document()["its_ships"] is not None


def test_a_hidden_layout_does_not_show_itself() -> None:
    match = Match.begin(SMALL, FLEET, player="random", first="you", seed=1)
    assert repr(match.its_fleet) == "<a hidden layout>"
    assert "fleet=" not in repr(match)
    assert "Chance" not in repr(match)


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"ships": "A1:A3 C1:D1"}, LayoutError, "its ships are 3,2, not 3,2,1"),
        ({"ships": "A1:A3 B1:C1 C4"}, LayoutError, "A1:A3 and B1:C1 touch, which contact rule"),
        ({"ships": ["A1:A3", "A3:B3", "C4"]}, LayoutError, "A1:A3 and A3:B3 overlap"),
        ({"ships": "A1:A3 C1:D1 E4"}, BoardError, "E4"),
        ({"ships": 3}, TypeError, "ships"),
        ({"ships": ["A1:A3", 5, "C4"]}, TypeError, "two ends as text"),
        ({"rules": "4x4"}, TypeError, "rules: give Rules"),
        ({"player": "nobody"}, PlayerError, "'nobody' is unknown"),
        ({"player": "over-9000"}, PlayerError, "must be told which ship is hit"),
        ({"player": "learning"}, PlayerError, "a match is one game"),
        ({"player": 1}, TypeError, "player"),
        ({"hide": "cellar"}, RulesError, "the hidings are random, people, equilibrium"),
        ({"hide": "people"}, RulesError, "hiding 'people' cannot be had for 4x4"),
        ({"first": "me"}, RulesError, "opening side 'me' is unknown"),
        ({"again": "no"}, TypeError, "again"),
        ({"seed": -1}, SeabattleError, "seed -1: must be 0 or above"),
        ({"seed": 0.5}, TypeError, "seed"),
    ],
)
def test_bad_input_is_named_in_one_line(
    given: dict[str, object], error: type[Exception], said: str
) -> None:
    asked = {"rules": SMALL, "ships": FLEET, "player": "random", **given}
    with pytest.raises(error, match=said) as caught:
        Match.begin(**asked)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("cell", "error", "said"),
    [
        ("A1", PositionError, "you have shot A1 before"),
        ("E1", BoardError, "E1"),
        (16, BoardError, "16"),
        (1.5, TypeError, "cell"),
    ],
)
def test_bad_shots_are_named_in_one_line(cell: object, error: type[Exception], said: str) -> None:
    match = Match.begin(SMALL, FLEET, player="random", first="you", seed=1).shoot("A1")
    with pytest.raises(error, match=said):
        match.shoot(cell)  # type: ignore[arg-type]


def test_nobody_shoots_out_of_turn() -> None:
    terms = Terms(SMALL, "random", first="program")
    match = Match.opening(terms, Sealed(SMALL, FLEET), Sealed(SMALL, FLEET), 1)
    with pytest.raises(PositionError, match="it is the program's turn"):
        match.shoot("A1")
    with pytest.raises(PositionError, match="the program has shot A1 before"):
        match.after("A1").after("B1").after("B2").after("A1")


QUICK = ["random", "hunt-target", "hunt-target-parity", "density", "diagonal", "over-9000", "bob"]


@pytest.mark.parametrize("player", [*QUICK, "greedy-map", "map-endgame", "lookahead", "exact"])
def test_a_whole_match_against_every_player(player: str) -> None:
    rules = Rules("4x4", "3,2,1", answers="ship")
    match = Match.begin(rules, FLEET, player=player, first="program", seed=4)
    while match.turn is not None:
        match = match.shoot(program_shot("hunt-target", match.yours, Chance(5)))
    assert match.winner is not None
    for position in (match.yours, match.program):
        assert position.ordered
        assert fitting(position, enumerate_layouts(rules)).sum() >= 1
    assert match.view.document()["turn"] is None


def test_a_whole_match_on_a_full_board() -> None:
    rules = Rules(fleet="russian")
    yours = draw_layout(rules, "random", 1)
    match = Match.begin(rules, yours.names, player="greedy-map", first="you", seed=2)
    while match.turn is not None:
        match = match.shoot(program_shot("density", match.yours, Chance(1)))
    assert match.winner is Side.PROGRAM
    assert (len(match.program.shots), match.program.hit_mask.bit_count()) == (49, 20)
    sealed = Sealed(rules, match.view.its_ships or ())
    game = HiddenGame(rules, placement_table(rules).parse_layout(sealed.names()))
    assert match.yours.shots == tuple((cell, game.shoot(cell)) for cell, _ in match.yours.shots)
