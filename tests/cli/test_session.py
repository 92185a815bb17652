"""Sessions: what is typed is understood or answered in one line, and never ends in an exception."""

import functools
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.examples import examples

from seabattle.cli.session import Session
from seabattle.enumerate.answers import answer_text
from seabattle.enumerate.map import heatmap_text
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import load_asked, load_position, save_position
from seabattle.enumerate.rules import Rules
from seabattle.solver.advice import CounterAdviser

SUNK = Rules("5x5", "3,2,1", answers="sunk")
GREEDY = functools.lru_cache(maxsize=None)(functools.partial(CounterAdviser, time_limit=0))


def shots(position):
    """The shots as text."""
    name = position.rules.board.name
    return ", ".join(f"{name(cell)} {answer_text(code)}" for cell, code in position.shots)


def session(rules=SUNK, **options):
    return Session(Position(rules), GREEDY, **options)


SIDES = Rules("5x5", "3,3,2", "sides", "sunk")
UNTOLD = Rules("5x5", "3,3,2", "sides", "sunk", "none")
SHIP = Rules("5x5", "3,2,2", answers="ship")
HIT = Rules("5x5", "3,2,1", answers="hit")

UNDERSTOOD = [
    (SUNK, "c1 MISS", "C1 miss"),
    (SUNK, "miss c1", "C1 miss"),
    (SUNK, "C1 m ; D4 hit;", "C1 miss, D4 hit"),
    (SUNK, "C1 D4 E5 miss", "C1 miss, D4 miss, E5 miss"),
    (SUNK, "miss A1:A3", "A1 miss, A2 miss, A3 miss"),
    (SUNK, "hit 1c", "C1 hit"),
    (SUNK.lettered("russian"), "В1 hit, а 3 miss", "В1 hit, А3 miss"),
    (SUNK, "killed A 1:A 3", "A1 hit, A2 hit, A3 sunk"),
    (SUNK, "C1 hit, C2 sunk:2", "C1 hit, C2 sunk"),
    (SUNK, "A2 sunk A1:A3", "A1 hit, A3 hit, A2 sunk"),
    (SUNK, "a3 hit, a1 hit, sunk a1:a3", "A3 hit, A1 hit, A2 sunk"),
    (SIDES, "A 1 hit, 2A s 2", "A1 hit, A2 sunk:2"),
    (Rules("8x8", "2,1"), "H 8 h, h H 7", "H8 hit, H7 hit"),
    (SIDES, "A1 hit, A2 sunk", "A1 hit, A2 sunk:2"),
    (SIDES, "A1 hit, A2 hit, sunk A1:A3", "A1 hit, A2 hit, A3 sunk:3"),
    (UNTOLD, "A1 hit, A2 hit, A3 sunk, sunk A2:A3", "A1 hit, A2 hit, A3 sunk"),
    (Rules("5x5", "xx/x.,2", answers="sunk"), "sunk A1+b1 + 2A", "A1 hit, B1 hit, A2 sunk"),
    (SHIP, "A1 3#1", "A1 hit:3#1"),
    (SHIP, "A1 hit 3", "A1 hit:3#1"),
    (SHIP, "A1:A2 hit 2, E5 hit 2", "A1 hit:2#1, A2 hit:2#1, E5 hit:2#2"),
]


@pytest.mark.parametrize(("rules", "line", "expected"), UNDERSTOOD)
def test_answers_are_understood(rules, line, expected):
    game = session(rules)
    reply = game.tell(line)
    assert (reply.lines, reply.changed, reply.end) == ((), True, False)
    assert shots(game.position) == expected


def test_an_answer_without_a_cell_is_that_to_the_shot_advised():
    game = session()
    name = SUNK.board.name(game.advice.best_cells[0])
    game.tell("HIT")
    assert shots(game.position) == f"{name} hit"
    second = SUNK.board.name(game.advice.best_cells[0])
    game.tell("m, E5 miss")
    assert shots(game.position) == f"{name} hit, {second} miss, E5 miss"


def test_known_cells_of_a_sunk_ship_count_where_ships_touch():
    told = "B1 hit, A2 hit, A3 hit, B2 sunk"
    one, two = session(UNTOLD), session(UNTOLD)
    assert one.tell(told).lines == two.tell(told).lines == ()
    assert two.tell("sunk B1:B2").lines == ()
    assert two.position.ship_names == ["B1:B2"]
    assert two.position.shots == one.position.shots
    assert two.advice.layouts < one.advice.layouts
    assert "sunk ships known: B1:B2" in two.tell("history").lines
    assert two.tell("sunk B1:B2").lines == ("nothing has changed",)


REFUSED = [
    (SUNK, "C1 mis", "did you mean miss?"),
    (SUNK, "C1 fish; \u0107 1; C1 miss!; C1, D1 miss; A1:A3; F1 miss; A0 miss", ""),
    (SUNK, "C1 hit miss; C1 D1 sunk; A1:A2 B1:B2 sunk; A1:B2 sunk; A1:A2 sunk 3", ""),
    (SUNK, "C1 sunk A1:A2; C1 sunk 2; C1 hit 3#1; C1 hit 3; C1 miss 3", ""),
    (SUNK, "(1,1) hit; 1,1 hit; (1,1); hit (1,1", "write a letter for the column"),
    (SUNK, "C1 hit, C1 miss", "C1 was shot already and answered hit; change C1 miss"),
    (SUNK, "C1 miss, hit", "which cell?"),
    (SUNK, "A2 miss, sunk A1:A3", "A2 was a miss"),
    (SUNK, "A3 hit, sunk A1:A2", "the hit A3 beside it would belong to it"),
    (SUNK, "A1:A2 hit, sunk A1:A2", "which shot sank it?"),
    (HIT, "C1 sunk; sunk A1:A2", "does not belong to these rules"),
    (SIDES, "A1 sunk", "no ship there has all its other cells hit"),
    (SIDES, "A1:A2 hit, A3 sunk", "of what length, 3 or 2?"),
    (SIDES, "A1 hit, A2 sunk 999999999", "write miss, hit, sunk"),
    (UNTOLD, "A1 hit, A2 sunk 2", "does not belong to these rules"),
    (SHIP, "A1 hit; A1 hit 4; A1 hit 3#2; A1 sunk", ""),
    (SUNK, "undo now; best now; undo -1; undo 2; undo; redo; change; change C1 hit", ""),
    (SUNK, "change A1:A2 sunk; change C1 D1 hit; change hit; change C1 fish", ""),
    (SUNK, "remove; remove C6; remove C5; contact; contact free; contact none; new", ""),
    (SUNK, "save; save .; save a\0b; save /proc/none/map.svg; load; load no/such/file", ""),
]


@pytest.mark.parametrize(("rules", "lines", "message"), REFUSED)
def test_what_cannot_be_is_answered_in_one_line(rules, lines, message):
    for line in lines.split("; "):
        game = session(rules)
        reply = game.tell(line)
        (said,) = reply.lines
        assert message in said, line
        assert "\n" not in said
        assert (reply.changed, reply.end) == (False, False)
        assert game.position == Position(rules)


def test_commands_show_tell_and_end():
    game = session()
    assert "C3: " in game.tell("c3").lines[0]
    assert game.tell("map").changed
    assert any("shoot" in line for line in game.tell("BEST").lines)
    assert game.tell("").changed is False
    assert max(len(line) for line in game.tell("?").lines) < 80
    assert [game.tell(word).end for word in ("quit", "exit", "Q", "map")] == [True] * 3 + [False]
    game.tell("C1 miss")
    assert game.tell("C1").lines == ("C1 was shot already and answered miss",)
    assert game.tell("history").lines == ("  1  C1   miss",)
    assert game.tell("new").changed
    assert game.position == Position(SUNK)


def test_games_are_saved_and_loaded(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = session()
    game.tell("C1 miss, A1 hit")
    assert game.unsaved
    assert game.tell("SAVE My game.json").lines == ("saved in My game.json",)
    assert not game.unsaved
    assert load_position("My game.json") == game.position
    before = game.position
    game.tell("A2 sunk")
    assert game.tell("save").lines == ("saved in My game.json",)
    other = Position.in_order(SHIP, "A1 hit:3#1")
    save_position(other, "other.json")
    reply = game.tell("load 'other.json'")
    assert reply.changed
    assert "5x5, fleet 3,2,2" in reply.lines[-1]
    assert game.position == other
    assert game.tell("A2 hit 3").changed
    game.tell("undo")
    game.tell("undo")
    game.tell("undo")
    assert game.position == before
    assert game.tell("D4 miss").changed
    wrong = Position.in_order(SUNK, "C1 hit, D2 hit")
    save_position(wrong, "wrong.json")
    Path("board.txt").write_text(".o..#\n" + ".....\n" * 4)
    assert game.tell("load board.txt").changed
    assert shots(game.position) == "B1 miss, E1 sunk"
    game.tell("undo")
    assert "loaded" in game.tell("load wrong.json").lines[0]
    assert (game.position, str(game.state)) == (wrong, "C1 hit, D2 hit")


def test_the_game_goes_on_when_answers_contradict_each_other():
    game = session()
    game.tell("A5 miss")
    game.tell("C1 hit")
    reply = game.tell("D2 hit, E5 miss")
    assert (reply.lines, reply.changed) == ((), True)
    assert shots(game.position) == "A5 miss, C1 hit, D2 hit, E5 miss"
    assert game.advice is None
    assert [text for _, text in game.state.facts()] == [
        "C1 hit (shot 2) · D2 hit (shot 3)",
        "change D2 miss · change C1 miss",
        "remove D2 · remove C1 · undo",
        "contact corners",
    ]
    assert game.tell("A4 miss").changed
    assert game.tell("hit").lines == ("'hit': which cell?",)
    assert "not known while answers contradict" in game.tell("B4").lines[0]
    assert "no map is known" in game.tell("save map.svg").lines[0]
    assert game.tell("change c1 MISS").changed
    assert shots(game.position) == "A5 miss, C1 miss, D2 hit, E5 miss, A4 miss"
    assert game.advice.layouts > 0
    game.tell("undo")
    assert game.advice is None
    game.tell("remove D2 a4")
    assert shots(game.position) == "A5 miss, C1 hit, E5 miss"
    assert game.advice is not None
    game.tell("undo")
    game.tell("contact corners")
    assert game.position.rules.contact.value == "corners"
    assert game.advice is not None
    game.tell("undo 3")
    assert shots(game.position) == "A5 miss, C1 hit"
    assert "undo 9: from 1 to 2 can be given" in game.tell("undo 9").lines[0]
    game.tell("undo 2")
    assert game.position == Position(SUNK)
    game.tell("redo 2")
    assert shots(game.position) == "A5 miss, C1 hit"
    assert game.advice is not None


CONTRADICTIONS = [
    (SUNK, "A1 sunk, C1 sunk", "A1 sunk, C1 sunk"),
    (SUNK, "sunk A1:A4", None),
    (SHIP, "A1 hit 2#2", "A1 hit:2#2"),
    (SUNK, "A1:E1 miss, A2:E2 miss, A3:E3 miss, A4:E4 miss", None),
    (SIDES, "A1 hit, A2 sunk 2, E5 hit, E4 sunk 2", "A2 sunk:2, E4 sunk:2"),
    (SHIP, "A1 hit 3#1, E5 hit 3#1", "A1 hit:3#1, E5 hit:3#1"),
]


@pytest.mark.parametrize(("rules", "line", "expected"), CONTRADICTIONS)
def test_what_contradicts_each_other_is_kept_and_named(rules, line, expected):
    game = session(rules)
    assert game.tell(line).changed
    assert game.advice is None
    assert expected is None or str(game.state) == expected
    until = game.state.shots[-1]
    offers = [
        word
        for _, text in game.state.facts()
        for word in text.split(" · ")
        if word.startswith(("change", "contact"))
    ]
    assert offers
    for offer in offers:
        assert game.tell(offer).changed, offer
        assert game.advice is not None or game.state.shots[-1] > until, offer
        game.tell("undo")
        assert game.advice is None


def test_corrections_take_the_words_of_answers():
    game = session(SIDES)
    game.tell("A1 hit, A2 hit, A3 sunk 3, E5 miss")
    game.tell("change A3 hit")
    assert shots(game.position) == "A1 hit, A2 hit, A3 hit, E5 miss"
    game.tell("change A 2 killed")
    assert shots(game.position) == "A1 hit, A2 sunk:2, A3 hit, E5 miss"
    game.tell("change E5 hit, A3 miss")
    assert shots(game.position) == "A1 hit, A2 sunk:2, A3 miss, E5 hit"
    assert game.tell("change E5 hit").lines == ("nothing has changed",)
    game = session(SHIP)
    game.tell("A1 hit 2, E5 hit 2")
    game.tell("change A1 miss")
    assert shots(game.position) == "A1 miss, E5 hit:2#1"


def test_the_map_is_saved_as_a_picture(tmp_path):
    game = session()
    game.tell("C3 miss")
    for name in ("map.svg", "map.PNG"):
        reply = game.tell(f"save {tmp_path / name}")
        assert reply.lines == (f"saved a picture of the map in {tmp_path / name}",)
        assert (tmp_path / name).stat().st_size > 1000
    assert game.unsaved
    assert game.tell("save").lines == ("save to which file? Write save game.json",)


@examples(25)
@given(st.sampled_from([SUNK, SIDES, SHIP, HIT]), st.integers(0, 10**6), st.data())
def test_undo_and_redo_walk_over_every_state(rules, seed, data):
    rng = random.Random(seed)
    game = session(rules)
    states = [game.position]
    for _ in range(6):
        cell = rules.board.name(rng.randrange(rules.board.cells))
        answer = rng.choice(["miss", "miss", "hit", "hit 3", "sunk", "sunk 2"])
        if game.tell(f"{cell} {answer}").changed:
            states.append(game.position)
        else:
            assert game.position == states[-1]
    back = data.draw(st.integers(0, len(states) - 1))
    for state in reversed(states[:-1]):
        game.tell("undo")
        assert game.position == state
    for state in states[1:]:
        game.tell("redo")
        assert game.position == state
    for _ in range(back):
        game.tell("undo")
    here = game.position
    if game.tell("E5 miss").changed:
        assert game.tell("redo").lines == ("nothing to redo",)
        game.tell("undo")
        assert game.position == here


PIECES = (
    "C1 c3 A1:A3 E5:E4 D9 B 2 4D change remove contact corners sides killed x.svg "
    "miss hit sunk 3 2#1 3#1 , ; : = undo redo save load map best history new "
    "help x.json ' \" ~ # quit now sunk:3 hit:2#1 C1=3 A1:B2 \u0130 \u017f \ud800 \x00 \x1b[0m"
)
WORDS = st.sampled_from(PIECES.split(" "))
LINES = st.one_of(
    st.text(max_size=30), st.lists(WORDS, max_size=6).map(" ".join), st.lists(WORDS).map("".join)
)


@examples(150)
@example(SUNK, ["save ~\x00", "load ~\ud800"])
@given(st.sampled_from([SUNK, SIDES, UNTOLD, SHIP, HIT]), st.lists(LINES, max_size=12))
def test_nothing_typed_ends_in_an_exception(tmp_path_factory, rules, lines):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("fuzz"))
        game = session(rules)
        for line in lines:
            before = game.position
            reply = game.tell(line.replace("/", "|"))
            assert all("\n" not in text for text in reply.lines)
            assert reply.changed or game.position == before
            assert game.state.position == game.position
            assert game.state.facts()
            if game.advice is None:
                continue
            assert game.advice.layouts > 0
            assert heatmap_text(game.advice.shown)


def test_a_game_that_is_loaded_is_asked_about_as_it_was(tmp_path: Path) -> None:
    seen: list[dict[str, Any]] = []

    def advisers(rules: Rules, **asked: Any) -> CounterAdviser:
        seen.append(asked)
        return CounterAdviser(rules, time_limit=0)

    rules, asked = Rules("3x3", "2,1"), {"prior": "people", "salvo": 2}
    save_position(Position.in_order(rules, "A1 miss"), tmp_path / "weighed.json", asked)
    save_position(Position.in_order(rules, "C3 miss"), tmp_path / "plain.json")
    session = Session(Position(rules), advisers, asked={"think": 0})
    session.tell(f"load {tmp_path}/plain.json")
    assert session.asked == {"think": 0}
    reply = session.tell(f"load {tmp_path}/weighed.json")
    assert reply.lines[-1].endswith("; asked about with prior people, salvo 2")
    session.tell("B2 miss")
    session.tell("save")
    assert load_asked(tmp_path / "weighed.json") == asked
    assert seen == [{"think": 0}, asked]
    session.tell("undo 2")
    assert session.asked == {"think": 0}
    save_position(session.position, tmp_path / "bad.json", {"salvo": 0})
    assert "'salvo' of asked must be" in session.tell(f"load {tmp_path}/bad.json").lines[0]
