"""The page's own counter equals the one of the library."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

import numpy as np
import pytest
from support.page_desk import Desk, desk

from seabattle.enumerate.answers import answer_text, is_sunk, possible_answers
from seabattle.enumerate.counting.conflict import conflict
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.counting.estimate import PARTICLES, Estimator, estimate
from seabattle.enumerate.counting.several import FleetsCounter, several_fleets
from seabattle.enumerate.deductions import constrain
from seabattle.enumerate.errors import (
    FleetError,
    PositionError,
    SeabattleError,
    TooLargeError,
)
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import position_document
from seabattle.enumerate.rules import AnswerMode, Fleet, Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.endgame import EndgameSearch
from seabattle.solver.review import review
from seabattle.solver.search.queries import LimitReached, Limits
from seabattle.solver.search.solve import solve
from seabattle.trees.replay import HiddenGame

FEW = 20
"""Layouts with which the page always finds exact play, given enough work."""

TWIN_SECONDS = 10.0
"""Most seconds that the library searches for the same."""


def think(layouts: int) -> int:
    """Steps that the page may search for exact play here."""
    return 50_000_000 if layouts <= FEW else 2_000_000


FORMS = "2x2", "xx/x.", "2x3", ".x./xxx", "x.x/xxx"
"""Ships that are no lines."""


def any_rules(rng: random.Random, most: int) -> Rules:
    """A game on any board that has a layout."""
    while True:
        rows, columns = rng.randint(1, most), rng.randint(2, most)
        lengths = [rng.choice((1, 1, 2, 2, 3, 3, 4, 5)) for _ in range(rng.randint(1, 6))]
        lengths = [length for length in lengths if length <= max(rows, columns)]
        if not lengths or 3 * sum(lengths) > rows * columns:
            continue
        ships = [
            *map(str, lengths),
            *(rng.choices(FORMS, k=rng.randint(1, 2)) if rng.random() < 0.3 else ()),
        ]
        try:
            rules = Rules(
                f"{rows}x{columns}",
                ",".join(ships),
                rng.choice(("none", "corners", "sides")),
                rng.choice(("hit", "sunk", "ship")),
                "length",
            )
        except SeabattleError:  # a form is too large, or a name would say nothing
            continue
        if 2 * rules.fleet.cells > rules.board.cells:
            continue
        if rules.answers == "sunk" and rng.random() < 0.5:
            rules = Rules(rules.board, rules.fleet, rules.contact, "sunk", "none")
        if rng.random() < 0.2:
            rules = replace(rules, blocked=tuple(rng.sample(range(rows * columns), 2)))
        if Counter(rules).count():
            return rules


def any_position(rng: random.Random, rules: Rules) -> Position:
    """What some shots at a hidden layout have told, sometimes without their order."""
    hidden = tuple(Counter(rules).sample(1, rng.randrange(2**32))[0].tolist())
    game = HiddenGame(rules, hidden, ())
    position = Position(rules)
    aimed, shots = rng.random(), rng.randint(0, rules.board.cells - 1)
    while len(position.shots) < shots and game.left():
        left = [c for c in range(rules.board.cells) if not position.shot_mask >> c & 1]
        ships = [c for c in left if game.occupied >> c & 1]
        cell = rng.choice(ships if ships and rng.random() < aimed else left)
        position = position.shoot(cell, game.shoot(cell))
    if rng.random() < 0.2:
        position = Position(rules, position.shots, ordered=False)
    return position


def assert_counted_alike(page: Desk, position: Position) -> None:
    """The same layouts, map, best cells and map of one length."""
    length = position.rules.fleet.lengths[-1]
    counted = Counter(position).map()
    found = page.ask("count", position, ship=length)
    if "estimated" in found:
        assert_estimated_alike(found, position)
        return
    assert found["layouts"] == counted.layouts, position
    assert found["occupancy"] == counted.document()["occupancy"], position
    assert found["best"] == list(counted.best_shots), position
    assert found["ship"] == counted.of_length(length).document(), position
    assert page.ask("sinkings", position) == open_sinkings(position, counted.placements), position
    if counted.layouts <= 2_000:
        assert_endgame_alike(page, position, counted.layouts)


def assert_estimated_alike(found: dict[str, Any], position: Position) -> None:
    """The same estimate, from the same layouts drawn, with the map of one length."""
    known, board = estimate(position), position.rules.board
    cells, ship = known.cells(), known.cells(found["ship"]["length"])
    assert found["estimated"]["samples"] == known.samples
    assert found["estimated"]["effective"] == round(known.effective)
    assert found["layouts"] == pytest.approx(known.layouts, rel=1e-9)
    assert [chance for row in found["chances"] for chance in row] == pytest.approx(
        cells.chances, abs=1e-9
    )
    assert {board.cell(name) for name in found["best"]} == set(cells.best)
    assert [chance for row in found["ship"]["chances"] for chance in row] == pytest.approx(
        ship.chances, abs=1e-9
    )


def open_sinkings(position: Position, layouts: Sequence[float]) -> list[dict[str, object]]:
    """The sinkings whose ship can lie in several ways, and the placements that it can be."""
    rules, table = position.rules, placement_table(position.rules)
    possible = [ship for ship, n in zip(table.placements, layouts, strict=True) if n]
    ways = {
        rules.board.name(cell): [str(ship) for ship in possible if cell in ship.cells]
        for cell, code in position.shots
        if rules.answers is AnswerMode.SUNK and is_sunk(code)
    }
    return [{"shot": shot, "ships": ships} for shot, ships in ways.items() if len(ships) > 1]


def assert_endgame_alike(page: Desk, position: Position, layouts: int) -> None:
    """Exact play, where the page finds it, costs as little."""
    advice = page.ask("advise", position, think=think(layouts))
    if "total_misses" not in advice:
        assert layouts > FEW, position
        return
    ships = Counter(position).layouts()
    try:
        solved = EndgameSearch(position, ships, limits=Limits.of(TWIN_SECONDS)).solve()
    except LimitReached:
        return
    assert advice["total_misses"] == solved.total_misses, position
    if advice["total_misses"]:
        assert set(advice["best"]) == set(solved.best_shots), position
    if layouts <= FEW and position.rules.board.cells <= 128:  # larger trees cannot be verified
        assert_finish_alike(
            page, DecisionTable.of_fitting(position, ships), solved.worst_misses // 2
        )


def assert_finish_alike(page: Desk, table: DecisionTable, left: int) -> None:
    """With so many misses more, as many layouts are finished; certain hits are named alone."""
    position = table.position
    missed = (position.shot_mask ^ position.hit_mask).bit_count()
    advice = page.ask("advise", position, think=think(len(table)), within=missed + left)
    try:
        solved = solve(table, objective=f"within:{left}", threads=1)
    except TooLargeError:  # keys that name ships are too long for a whole tree
        return
    assert advice["finishes"] == pytest.approx(solved.finished / solved.weight), position
    assert set(advice["best"]) <= set(solved.best_shots), position


def test_positions_of_all_rules(page: Desk) -> None:
    rng = random.Random(20261126)
    for _ in range(60):
        assert_counted_alike(page, any_position(rng, any_rules(rng, 7)))


def test_ships_known_to_be_sunk(page: Desk) -> None:
    """What answers leave open where ships touch: which cells a sunk ship lies on."""
    rng = random.Random(11)
    for _ in range(20):
        rules = Rules("6x6", "3,2,2,1", "sides", "sunk", rng.choice(("length", "none")))
        hidden = Counter(rules).sample(1, rng.randrange(2**32))[0].tolist()
        ships = [placement_table(rules).placements[number] for number in hidden[:2]]
        game, position = HiddenGame(rules, tuple(hidden)), Position(rules)
        shots = [cell for ship in ships for cell in ship.cells] + rng.sample(range(36), 8)
        for cell in dict.fromkeys(rng.sample(shots, len(shots))):
            position = position.shoot(cell, game.shoot(cell))
        known = rng.sample(ships, rng.randint(1, 2))
        assert_counted_alike(page, replace(position, ships=tuple(ship.cells for ship in known)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(50))
def test_ten_thousand_positions(page: Desk, seed: int) -> None:
    """Of each seed four positions of fifty games, which take about half a minute."""
    rng = random.Random(seed)
    for _ in range(50):
        rules = any_rules(rng, 12)
        for _ in range(4):
            assert_counted_alike(page, any_position(rng, rules))


CONSTRAINTS = """
((document) => {
  const found = desk_position.constrain(desk_position.Position.read(document));
  if (!found) return "null";
  const { allowed, required, left, fixed } = found;
  const plain = [Array.from(allowed), Array.from(required), left, fixed.sort((a, b) => a - b)];
  return JSON.stringify(plain);
})
"""
"""What a position says, as the page finds it."""


def test_positions_say_the_same(page: Desk) -> None:
    """Which placements are allowed, and which ships are certain; contradictions are found alike."""
    rng = random.Random(8)
    refused = 0
    for _ in range(120):
        position = any_position(rng, any_rules(rng, 7))
        if position.shots and rng.random() < 0.5:
            name = position.rules.board.name(rng.choice(position.shots)[0])
            answer = rng.choice(possible_answers(position.rules))
            position = position.change(name, answer_text(answer))
        try:
            found = constrain(position)
        except PositionError:
            said = None
            refused += 1
        else:
            cells = range(position.rules.board.cells)
            required = [found.required >> cell & 1 for cell in cells]
            left = list(found.left.values())
            said = [found.allowed.tolist(), required, left, list(found.fixed)]
        document = json.dumps(position_document(position))
        assert page.run(f"{CONSTRAINTS}({document})") == said, position
    assert refused > 10


FIRST_BATCH = """
((document) => {
  const core = desk_core.theCore(), { structure, estimate } = core, told = {};
  const plain = ({ items }) => Array.from(items, items instanceof BigUint64Array ? String : Number);
  core.structure = (name, fields) => {
    const numbers = (value) => (value.items ? plain(value) : value);
    told.laying = Object.entries(fields).map(([field, value]) => [field, numbers(value)]);
    return structure.call(core, name, fields);
  };
  core.estimate = (laying, seed, batch, particles, memory, means, chances, totals) => {
    const met = estimate.call(core, laying, seed, batch, particles, memory, means, chances, totals);
    told.drawn = [seed, batch, particles];
    told.chances = plain(chances);
    return met;
  };
  const drawn = desk_estimate.estimate(desk_position.Position.read(document));
  drawn.next();
  drawn.return();
  Object.assign(core, { structure, estimate });
  return JSON.stringify(told);
})
"""
"""What the page hands to the core for the first batch of an estimate, and its chances."""

ESTIMATED = [
    Rules("9x8", "4,3,3,2,2,1,1", "none", "sunk"),
    Rules("9x11", "4,3,3,2,2,1", "corners", "ship"),
    Rules("8x7", "5,4,3,3,2", "sides", "sunk"),
    Rules("9x9", "2x2,2x3,3,2x2", "none", "hit"),
    Rules("8x8", "4,xxx/.x.,3,xx/x.,2", "corners", "sunk", "none", blocked=["D5", "E7", "A1"]),
    Rules("8x9", "xx/x.,xx/x.,x.x/xxx,3", "sides", "sunk"),
    Rules("9x8", "3h,3v,2x3=,xx/x.=,2", "corners", "sunk"),
    Rules("3x12", "5,2x2,3v", "none", "sunk", blocked=["A1", "C2"]),
    Rules("12x3", ".x./xxx,3h,4,1", "corners", "hit", blocked=["B2"]),
]
"""Lines, rectangles, drawings, ships that may not be turned, and blocked cells."""


@pytest.mark.parametrize("rules", ESTIMATED, ids=lambda rules: f"{rules.fleet}-{rules.contact}")
def test_layouts_are_drawn_from_the_same_numbers(page: Desk, rules: Rules) -> None:
    """What is handed to the core for an estimate is what Python hands to it."""
    rng = random.Random(17)
    for _ in range(6):
        position = any_position(rng, rules)
        told = page.run(f"{FIRST_BATCH}({json.dumps(position_document(position))})")
        estimator = Estimator(position)
        estimator.draw()
        handed = dict(told["laying"])
        for field, given in estimator.laying.items():
            numbers = np.asarray(given)
            same = numbers.astype(str) if numbers.dtype == np.uint64 else numbers
            assert handed.pop(field) == same.tolist(), (field, position)
        assert (handed, told["drawn"]) == ({}, [0, 0, PARTICLES])
        (chances,) = estimator.estimate().placements_of
        assert told["chances"] == pytest.approx(chances, abs=1e-9), position


@pytest.mark.parametrize("fleet", ["russian", pytest.param("hasbro", marks=pytest.mark.slow)])
def test_named_games(page: Desk, fleet: str) -> None:
    rng = random.Random(3)
    rules = Rules(fleet=fleet)
    assert_counted_alike(page, Position(rules))
    assert_counted_alike(page, any_position(rng, rules))


@pytest.mark.slow  # the tables of this fleet take some seconds
def test_people(page: Desk) -> None:
    position = Position.in_order(Rules(fleet="hasbro"), "A1 miss, E5 hit, J10 hit")
    found = page.ask("count", position, prior="people", ship=3)
    counted = Counter(position, prior="people").map()
    assert found["layouts"] == counted.layouts
    for mine, other in (
        (found["chances"], counted.rows),
        (found["ship"]["chances"], counted.of_length(3).rows),
    ):
        assert [part for row in mine for part in row] == pytest.approx(
            [part for row in other for part in row], abs=1e-9
        )


def test_beyond_whole_numbers_it_says_so(page: Desk) -> None:
    rules = Rules("10x10", "2,2,2,2,2,2,1,1,1,1,1,1,1")
    found = page.ask("count", Position(rules))
    counted = Counter(rules).map()
    assert found["about"]
    assert found["layouts"] == pytest.approx(counted.layouts, rel=1e-9)
    assert found["occupancy"][0][0] == pytest.approx(counted.rows[0][0], rel=1e-9)


def test_conflicts_cannot_be_smaller_and_changes_repair(page: Desk) -> None:
    rng = random.Random(5)
    tried = 0
    while tried < 25:
        rules = any_rules(rng, 6)
        position = any_position(rng, rules)
        if not position.shots:
            continue
        cell, _ = rng.choice(position.shots)
        code = rng.choice(["miss", "hit", "sunk"])
        try:
            wrong = position.change(rules.board.name(cell), code)
        except SeabattleError:
            continue
        expected = conflict(wrong)
        found = page.ask("conflict", wrong)
        assert (found is None) == (expected is None), wrong
        if found is None:
            continue
        tried += 1
        assert found["shots"][-1:] == list(expected.shots[-1:]) or found["ships"], wrong
        for name, answer in found["changes"][: found["repairs"]]:
            assert conflict(wrong.change(name, answer)) is None, wrong


def test_a_conflict_of_named_ships_has_nothing_to_spare(page: Desk) -> None:
    """The second of two equal ships was hit first: that alone cannot be."""
    rules = Rules("6x6", "xxx/x.x,xxx/x.x,4,3,1", "sides", "ship")
    told = (
        "C5 hit:3#1, E4 hit:5#1, B1 hit:5#2, C1 hit:5#2, A5 hit:4#1, D2 miss, B3 hit:5#2, "
        "F4 hit:5#1, F6 hit:5#1, D5 hit:3#1, B2 hit:5#1"
    )
    shots = [each.split() for each in told.split(", ")]
    found = page.ask("conflict", {**rules.document(), "shots": shots})
    assert found["answers"] == [["B1", "hit:5#2"], ["B2", "hit:5#1"]]


FIRST_SHOTS = Position.in_order(
    Rules("5x5", "3,2,1", answers="sunk"), "A1 miss, B2 miss, C3 hit, C2 miss"
)
WHOLE_GAME = Position.in_order(
    Rules("5x5", "3,2,1", answers="sunk"),
    "A1 miss, B2 miss, C3 hit, C2 miss, D3 sunk, E1 miss, A3 miss, C1 miss, B5 hit, C5 hit, "
    "D5 sunk",
)
CONTRADICTION = {
    "board": "10x10",
    "fleet": "4,3,3,2,2,2,1,1,1,1",
    "contact": "none",
    "answers": "sunk",
    "announce": "length",
    "shots": [["C4", "hit"], ["A1", "miss"], ["J7", "miss"], ["D5", "hit"], ["H9", "hit"]],
}
BUSY = "{ let now = 0; Date.now = performance.now = () => (now += 1000); }"
"""A machine on which a second goes by between any two looks at the clock."""


def test_what_is_said_does_not_depend_on_how_busy_the_machine_is(page: Desk) -> None:
    asked = [("review", WHOLE_GAME), ("advise", FIRST_SHOTS), ("conflict", CONTRADICTION)]
    with desk("var performance = {};" + BUSY) as busy:
        for kind, game in asked:
            assert busy.ask(kind, game) == page.ask(kind, game), kind


def test_only_the_worker_looks_at_a_clock() -> None:
    """It does so to hear in between what else is asked."""
    sources = files("seabattle.trees.page") / "scripts" / "desk"
    looks = {
        file.name
        for file in sources.iterdir()
        if re.search(r"\b(Date|performance|setTimeout)\b", file.read_text("utf-8"))
    }
    assert looks == {"worker.js"}


def test_reviews_of_small_games(page: Desk) -> None:
    rng = random.Random(7)
    for _ in range(12):
        rules = any_rules(rng, 4)
        position = any_position(rng, rules)
        if not position.shots or not position.ordered:
            continue
        mine, other = page.ask("review", position), review(position).document()
        assert mine["luck"] == pytest.approx(other["luck"], abs=1e-9)
        for shot, known in zip(mine["shots"], other["shots"], strict=True):
            assert shot["best"] == known["best"], position
            for name in ("chance", "best_chance", "layouts_before", "layouts_after"):
                assert shot[name] == pytest.approx(known[name], abs=1e-9), position
            assert shot["lost_at_once"] == pytest.approx(known["lost_at_once"], abs=1e-9), position
            if shot["exact"] and known["exact"]:
                assert shot["lost"] == pytest.approx(known["lost"], abs=1e-9), position


GAME = {
    "board": "4x4",
    "fleet": "3,2,1",
    "contact": "sides",
    "answers": "hit",
    "announce": "length",
}


@pytest.mark.parametrize(
    ("text", "layouts"),
    [
        ("....\n.OX.\n....\nO..X", 132),  # HackerRank, Battleship
        ("  A B C D\n1 # . o .\n2 # . . .\n3 . . . x\n4 . . . .", 30),
        ("b2 miss; A4 мимо, 2C h\nD4 x", 132),
        ("🟦🟦🟦🟦\n🟦🌊💥🟦\n🟦🟦🟦🟦\n🌊🟦🟦💥", 132),
        (
            "| | 1 | 2 | 3 | 4 |\n|---|---|---|---|---|\n| A | | | | |\n| B | | o | x | |\n"
            "| C | | | | |\n| D | o | | | x |",
            132,
        ),
        ("~~~~\n~MX~\n~~~~\nM~~X", 132),
        ("~=unknown, !=miss, *=hit\n~~~~\n~!*~\n~~~~\n!~~*", 132),
        ("0,0,0,0\n0,o,1,0\n0,0,0,0\no,0,0,1", 132),
        ("А . . . .\nБ . o x .\nВ . . . .\nГ o . . x", 132),
        ("1. B2 miss\n2) A-4: miss\n3. hit C2; D4 - hit", 132),
        ("[['.','.','.','.'], ['.','o','x','.'], ['.','.','.','.'], ['o','.','.','x']]", 132),
        (
            "\ufeff| | | | |\n|:-:|:-:|:-:|:-:|\n| | | | |\n| | o | x | |\n"
            "| | | | |\n| o | | | x |",
            132,
        ),
        ("\t\t\t\n\to\tx\t\n\t\t\t\no\t\t\tx\n", 132),
        ("\tA\tB\tC\tD\r\n1\t\t\t\t\r\n2\t\to\tx\r\n3\t\t\t\t\r\n4\to\t\t\tx\r\n", 132),
        ("B2\tmiss\nC2\thit\nA4\tmiss\nD4\thit\n", 132),
        ("\t. . . .\n\t. o x .\n\t. . . .\n\to . . x\n", 132),
    ],
)
def test_boards_and_answers_as_people_write_them(page: Desk, text: str, layouts: int) -> None:
    read = page.ask("read", {**GAME, "text": text})
    assert page.ask("count", read)["layouts"] == layouts


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("C4 hit (1,1)", "“C4 hit (1”: write a cell and its answer"),
        ("..\n...", "row “. . .” has 3 cells, and the first row 2"),
        ("#.#.\n" * 4, "sunk cells A1, C1, A2, C2, A3, C3, A4, C4: they are no ships of the fleet"),
        ("[[0, 0, 1], [0, 1", "the array of rows is cut short"),
        ("nothing", "“nothing”: write a cell and its answer"),
        ("E9 miss", "there is no cell “E9” on this board"),
        (".!\n..", "the board has the signs . !, of which ! are not known"),
        (".~\n~x", "the board has the signs . ~, which can all mean the same"),
        ("🌊x\nx🌊", "the board has the sign 🌊 for water, shot or not"),
        ("В2 miss", "is written with a Russian letter: B2 as it looks, or C2 as column 3?"),
        ("Г2 miss, C3 miss", "cell “Г2” is written with a Russian letter: type D2"),
        ("1 . .\n2 . !", "the board has the signs . !"),
    ],
)
def test_a_text_that_is_no_game_is_refused(page: Desk, text: str, said: str) -> None:
    assert said in page.ask("read", {**GAME, "text": text})["error"]


def test_columns_in_russian_letters(page: Desk) -> None:
    """В2 is the third column; what looks like it in Latin letters is asked back."""
    game = {**GAME, "letters": "russian"}
    read = page.ask("read", {**game, "text": "Б2 мимо; а4 мимо, 2В ранил\nГ4 попал"})
    assert read["shots"] == [["Б2", "miss"], ["А4", "miss"], ["В2", "hit"], ["Г4", "hit"]]
    counted = page.ask("count", {**game, "shots": [["Б2", "miss"], ["А4", "miss"]]})
    latin = page.ask("count", {**GAME, "shots": [["B2", "miss"], ["A4", "miss"]]})
    assert counted["occupancy"] == latin["occupancy"]
    assert [name.translate(str.maketrans("АБВГ", "ABCD")) for name in counted["best"]] == latin[
        "best"
    ]
    said = page.ask("read", {**game, "text": "B2 miss"})["error"]
    assert said.startswith(
        "cell “B2” is written with a Latin letter: В2 as it looks, or Б2 as column 2"
    )


def test_one_of_several_fleets(page: Desk) -> None:
    """As Python counts over them, whatever is known; a sinking may rule some of them out."""
    fleets = "3,2|4,2|3,3"
    game = {"board": "6x6", "fleet": fleets, "contact": "sides", "answers": "sunk"}
    shots = [["C3", "hit"], ["B2", "miss"], ["C4", "hit"], ["C5", "sunk:3"]]
    for made in range(len(shots) + 1):
        known = [(cell, answer) for cell, answer in shots[:made]]
        if made == 4:  # which a fleet without a ship of that length cannot answer
            assert page.ask("advise", {**game, "shots": shots})["fleets"][1]["layouts"] == 0
            continue
        games = several_fleets(fleets, board="6x6", contact="sides", answers="sunk")
        counted = FleetsCounter([Position.read(rules, known) for rules in games]).map()
        found = page.ask("advise", {**game, "shots": shots[:made]}, ship=[4, 2])
        assert found["layouts"] == counted.layouts
        assert found["fleets"] == counted.document()["fleets"]
        assert found["occupancy"] == counted.document()["occupancy"]
        assert found["best"] == list(counted.best_shots)
        assert found["ship"]["occupancy"] == counted.of_length(4, 2).document()["occupancy"]
    assert "one fleet here" in page.ask("review", {**game, "shots": shots})["error"]


def test_the_map_of_ships_of_two_lengths(page: Desk) -> None:
    rules = Rules("7x7", "5,4,3,3,2", contact="sides", answers="sunk")
    found = page.ask("count", Position(rules, ()), ship=[5, 4])["ship"]
    assert found == Counter(rules).map().of_length(5, 4).document()


def test_cells_without_ships(page: Desk) -> None:
    game = {"board": "5x5", "fleet": "3,2"}
    assert page.ask("count", {**game, "blocked": "C3"})["layouts"] == 424
    lines = page.ask("count", {**game, "blocked": "A1:C1,E5,E4:E2"})["layouts"]
    assert lines == Counter(Rules(**game, blocked="A1:C1,E5,E4:E2")).count()
    assert "ends" in page.ask("count", {**game, "blocked": "A1:B2"})["error"]
    assert "no cell" in page.ask("count", {**game, "blocked": "A1+B2"})["error"]


@pytest.mark.parametrize(
    "fleet",
    [
        "1x4,2x3,3x2,4x1",
        "4x1,3x2,2x3,1x4",
        "1x2,2x1,2x2",
        "2x2,1x3",
        "2x3,2x2",
        "1x4",
        "4x1,3x1",
        "1x3=,2x2",
    ],
)
def test_numbers_of_ships_are_not_taken_for_rectangles(page: Desk, fleet: str) -> None:
    """Which texts these are, the page says as the program does."""
    found = page.ask("fits", {"board": "10x10", "fleet": fleet})
    try:
        written = str(Fleet.parse(fleet))
    except FleetError:
        assert "numbers of ships? 2x3 is one ship" in found["error"]
    else:
        assert found["fleet"] == written


def test_a_board_without_room_for_any_ship(page: Desk) -> None:
    """Every placement lies on a blocked cell: that is said, whatever was shot."""
    game = {"board": "2x2", "fleet": "2", "contact": "sides", "blocked": "A1,B2"}
    for shots in [], [["A2", "miss"]]:
        for kind in "count", "advise", "conflict":
            assert "no layout" in page.ask(kind, {**game, "shots": shots})["error"]
