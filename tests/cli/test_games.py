"""The game of every command: named fleets, options that win, implied answers, and its printing."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.known_answers import known

from seabattle.cli.games import asked_position
from seabattle.cli.printing import game_lines
from seabattle.documents.games import game_document
from seabattle.enumerate import rules
from seabattle.enumerate import rules as fleet
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import position_document, save_position
from seabattle.enumerate.rules import AnswerMode, Contact, Fleet, Rules, UsualGame

Run = Callable[..., tuple[int, str, str]]
FIELDS = ["board", "fleet", "contact", "answers", "announce"]
RUSSIAN = "4,3,3,2,2,2,1,1,1,1"
HASBRO = "5,4,3,3,2"


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more fleet with a name, whose game every command plays in no time."""
    game = UsualGame("3x3", "tiny", Contact.CORNERS, AnswerMode.SUNK)
    monkeypatch.setitem(rules.NAMED_GAMES, "tiny", game)
    monkeypatch.setitem(fleet.NAMED_FLEETS, "tiny", (2, 1))


RULES_ONLY = {
    "--fleet tiny": ("3x3", "2,1", "corners", "sunk"),
    "--fleet TINY --contact none": ("3x3", "2,1", "none", "sunk"),
    "--fleet tiny --answers hit": ("3x3", "2,1", "corners", "hit"),
    "--fleet tiny --board 3x4": ("3x4", "2,1", "corners", "sunk"),
    "--board 3x3 --fleet 2,1": ("3x3", "2,1", "none", "hit"),
    "--board 3x3 --fleet 2,1 --answers sunk": ("3x3", "2,1", "none", "sunk"),
}
SMALL = "--board 3x3 --fleet 2,1 "
WITH_SHOTS = {
    SMALL + "--sunk A1": ("3x3", "2,1", "none", "sunk"),
    SMALL + "--sunk-at A1=1": ("3x3", "2,1", "none", "sunk"),
    SMALL + "--sunk-at A1 --contact corners": ("3x3", "2,1", "corners", "sunk"),
    SMALL + "--named A1=1#1": ("3x3", "2,1", "none", "ship"),
    SMALL + "--shots C3/miss,A1/sunk": ("3x3", "2,1", "none", "sunk"),
    SMALL + "--shots A1/hit=1#1": ("3x3", "2,1", "none", "ship"),
    SMALL + "--shots A1/miss,A2/hit": ("3x3", "2,1", "none", "hit"),
    SMALL + "--hit A1 --miss C3": ("3x3", "2,1", "none", "hit"),
    "--fleet tiny --hit A1": ("3x3", "2,1", "corners", "sunk"),
    "--fleet tiny --named A1=1#1": ("3x3", "2,1", "corners", "ship"),
    "--fleet tiny --shots A1/hit=1#1": ("3x3", "2,1", "corners", "ship"),
}
HITS_ALONE = {
    SMALL + "--shots A1/miss,A2/hit",
    SMALL + "--hit A1 --miss C3",
    "--fleet tiny --hit A1",
}
"""Options with a hit that do not say which answer mode it belongs to."""
REAL = {
    "": ("5x5", "3,2,2,1,1,1", "none", "hit"),
    "--sunk A1:A2": ("5x5", "3,2,2,1,1,1", "none", "sunk"),
    "--named A1=3#1": ("5x5", "3,2,2,1,1,1", "none", "ship"),
    "--board 6x6": ("6x6", "3,2,2,1,1,1", "none", "hit"),
    "--fleet russian": ("10x10", RUSSIAN, "none", "sunk"),
    "--fleet hasbro": ("10x10", HASBRO, "sides", "sunk"),
    "--fleet Hasbro --contact none": ("10x10", HASBRO, "none", "sunk"),
    "--fleet hasbro --answers hit": ("10x10", HASBRO, "sides", "hit"),
    "--fleet hasbro --named A1=5#1": ("10x10", HASBRO, "sides", "ship"),
    "--board 8x8 --fleet hasbro": ("8x8", HASBRO, "sides", "sunk"),
    "--board 8x8 --fleet russian": ("8x8", RUSSIAN, "none", "sunk"),
    "--fleet russian --sunk A1:A4": ("10x10", RUSSIAN, "none", "sunk"),
    "--fleet 5,4,3,3,2 --board 10x10": ("10x10", HASBRO, "none", "hit"),
}

PLAYING = [
    "solve",
    "greedy",
    "graph",
    "compare",
    "count",
    "count --no-map",
    "count --miss-path",
    "count --sample 2",
    "advise",
    "tournament --players random --games 2 --workers 1",
    "players",
    "layouts --games 20",
    "strategy build -o built",
]
FROM_THE_START = ["equilibrium", "hide --seed 1", "count --row-classes --contact none"]


def words(options: str) -> list[str]:
    """Options as a list; a slash stands for a blank within one of them."""
    return [word.replace("/", " ") for word in options.split()]


def game_of(document: dict[str, Any]) -> tuple[str, ...]:
    assert list(document)[:5] == FIELDS
    assert document["announce"] == "length"
    return tuple(document[field] for field in FIELDS[:4])


def refused(command: str, options: str, answers: str) -> str:
    """Why a command does not play a game; the answers show in the reason, or do not matter."""
    if command == "graph" and answers != "hit":
        return f"defined for answers 'hit', not '{answers}'"
    if command.startswith("layouts") and options in WITH_SHOTS:
        return "No such option"
    if command == "compare" and options in HITS_ALONE:
        return "hits are answered differently in each mode: compare one, --answers"
    return ""


@pytest.mark.parametrize("options", [*RULES_ONLY, *WITH_SHOTS])
@pytest.mark.parametrize("command", PLAYING)
def test_every_command_plays_the_same_game(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, options: str
) -> None:
    monkeypatch.chdir(tmp_path)
    expected = (RULES_ONLY | WITH_SHOTS)[options]
    status, out, err = run(*words(command), *words(options), "--json")
    refusal = refused(command, options, expected[3])
    if refusal:
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert refusal in err
        return
    assert (status, err) == (0, "")
    document = json.loads(out)
    if command == "compare" and options in RULES_ONLY and "--answers" not in options:
        assert {row["answers"] for row in document["rows"]} == {"hit", "sunk", "ship"}
        expected = (*expected[:3], "all")
    assert game_of(document) == expected
    assert ("shots" in document) == (options in WITH_SHOTS)


@pytest.mark.parametrize("options", RULES_ONLY)
@pytest.mark.parametrize("command", FROM_THE_START)
def test_every_command_without_shots_plays_the_same_game(
    run: Run, command: str, options: str
) -> None:
    expected = RULES_ONLY[options]
    if "--contact" in command:
        expected = (*expected[:2], "none", expected[3])
    status, out, err = (
        run(*words(options), "--json")
        if not command
        else run(*words(command)[:1], *words(options), *words(command)[1:], "--json")
    )
    assert (status, err) == (0, "")
    assert game_of(json.loads(out)) == expected


@pytest.mark.parametrize("options", ["--fleet tiny", SMALL + "--shots C3/miss,A1/sunk"])
@pytest.mark.parametrize("command", [*PLAYING, *FROM_THE_START[:2]])
def test_every_command_prints_the_game_it_played(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, options: str
) -> None:
    if (command in FROM_THE_START or command.startswith("layouts")) and "--shots" in options:
        options = SMALL
    if command == "graph":
        options = f"{options} --answers hit".replace(" --shots C3/miss,A1/sunk", " --hit A1")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    status, out, err = run(*words(command), *words(options))
    assert status == 0
    told = err if "--sample" in command else out
    known_game = asked_position(**options_of(options))
    expected = game_lines(known_game)
    if command == "compare" and not known_game.shots:
        expected = [("game", expected[0][1].replace("answers sunk", "answers all"))]
    shown = [line.split(maxsplit=1) for line in told.splitlines()[: len(expected)]]
    assert shown == [[name, text] for name, text in expected]


def options_of(options: str) -> dict[str, str]:
    given = words(options)
    return {
        name.removeprefix("--").replace("-", "_"): value
        for name, value in zip(given[::2], given[1::2], strict=True)
    }


@pytest.mark.parametrize("options", REAL)
def test_the_games_of_the_options(options: str) -> None:
    position = asked_position(**options_of(options))
    assert position.rules == Rules(*REAL[options])
    assert game_of(game_document(position)) == REAL[options]


@pytest.mark.parametrize("options", [o for o in REAL if o != "--board 8x8 --fleet russian"])
def test_the_games_of_the_options_on_the_command_line(run: Run, options: str) -> None:
    status, out, err = run("players", *words(options), "--json")
    assert (status, err) == (0, "")
    assert game_of(json.loads(out)) == REAL[options]


@pytest.mark.parametrize("name", ["russian", "hasbro"])
def test_a_named_fleet_has_the_known_number_of_layouts(run: Run, name: str) -> None:
    lengths = list(Fleet.parse(name).lengths)
    (entry,) = known("layout_counts", fleet=lengths, board="10x10")
    status, out, err = run("count", "--fleet", name, "--no-map", "--json")
    assert (status, err) == (0, "")
    counted = {"layouts", "labelled_layouts"} & entry.keys()
    assert counted
    assert all(json.loads(out)[field] == entry[field] for field in counted)


CONTRADICTIONS = {
    "--sunk A1 --named B2=3#1": "--sunk implies --answers sunk, --named implies --answers ship: a "
    "game has one of them",
    "--sunk-at A1=3 --named B2=3#1": "--sunk-at implies --answers sunk, --named implies",
    "--shots A1/sunk,B2/hit=3#1": "the shot 'A1 sunk' implies --answers sunk, the shot "
    "'B2 hit=3#1' implies --answers ship: a game has one of them",
    "--shots A1/hit --named B2=3#1": "--shots gives all shots in order: leave out --miss",
    "--shots A1/sunk --named B2=3#1": "--shots gives all shots in order: leave out --miss",
    "--shots A1/sunk --hit B2": "--shots gives all shots in order: leave out --miss",
    "--answers hit --sunk A1": "shot A1: answer 'sunk' does not belong to these rules",
    "--answers hit --shots A1/sunk": "shot A1: answer 'sunk' does not belong to these rules",
    "--answers sunk --named A1=3#1": "shot A1: answer 'hit:3#1' does not belong to these rules",
    "--answers ship --sunk A1": "shot A1: answer 'sunk' does not belong to these rules",
    "--named A1=3#1 --hit B2": "shot B2: answer 'hit' does not belong to these rules",
    "--named A1=3#1 --announce none": "--announce none is about sinkings, which answers 'ship' do "
    "not announce; it goes with --answers sunk",
    "--announce none": "--announce none is about sinkings, which answers 'hit' do not announce",
    "--contact sides --announce none --sunk-at C3=2": "with --announce none no length is told",
    "--fleet russian --board 3x3": "length 4 is longer than the board 3x3",
    "--fleet 6": "a ship of length 6 is longer than the board 5x5",
    "--fleet roman": "or a name (hasbro, russian",
    "--board ''": "board",
    "--answers ''": "answer mode",
    "--position nowhere.json --fleet tiny": "leave out --fleet",
    "--position nowhere.json --sunk A1 --named A1=3#1": "leave out --sunk, --named",
}


@pytest.mark.parametrize("options", CONTRADICTIONS)
@pytest.mark.parametrize("command", ["solve", "compare", "count", "advise --json", "players"])
def test_contradictions_are_told_in_one_line(run: Run, command: str, options: str) -> None:
    if command == "compare" and options == "--announce none":
        return  # among all answer modes there is one that announces
    status, out, err = run(*words(command), *(w.strip("'") for w in words(options)))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert CONTRADICTIONS[options] in err


def test_an_announcement_goes_with_implied_answers() -> None:
    told = asked_position(board="3x3", fleet="3,2", contact="sides", announce="none", sunk_at="B3",
                          hit="A3,C3")  # fmt: skip
    assert told.rules == Rules("3x3", "3,2", "sides", "sunk", "none")
    assert game_lines(told) == [
        ("game", "3x3, fleet 3,2, contact sides, answers sunk, announce none"),
        ("known", "A3 hit, C3 hit, B3 sunk, in some order"),
    ]


def test_the_game_in_json_is_that_of_a_position_file() -> None:
    told = asked_position(board="5x5", fleet="3,3,2", contact="sides", sunk="B1:B2", miss="B3")
    document = position_document(told)
    del document["format"], document["version"]
    assert game_document(told) == document
    assert (document["ships"], document["ordered"]) == (["B1:B2"], False)
    assert game_lines(told)[1][1].endswith("in some order; sunk ships B1:B2")
    assert list(game_document(told.rules)) == FIELDS


def test_commands_that_read_files_print_the_game(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    position = Position.in_order(Rules("3x3", "2,1", "none", "sunk"), "A1 miss")
    save_position(position, "game.json")
    for command in ("solve --tree tree.json", "strategy build --complete -o file"):
        assert run(*words(command), "--position", "game.json")[0] == 0
    assert run("equilibrium", "--fleet", "tiny", "--out", "mixes")[0] == 0
    lines = "".join(f"{name:<5}  {text}\n" for name, text in game_lines(position))
    for command in (
        "verify tree.json",
        "replay tree.json --layout B1:C1,B3",
        "render tree.json -o tree.svg",
        "explore tree.json -o page.html",
        "strategy info file",
        "strategy probe file",
        "strategy verify file",
    ):
        status, out, err = run(*words(command))
        assert (status, err) == (0, "")
        assert " ".join(out.split()).startswith(" ".join(lines.split())), command
        if command.split()[0] in ("render", "explore"):
            continue
        document = json.loads(run(*words(command), "--json")[1])
        assert game_of(document) == ("3x3", "2,1", "none", "sunk")
        if command.startswith("replay"):
            assert document["position"] == {"shots": [["A1", "miss"]]}
            assert document["shots"][-1].keys() == {"cell", "answer"}
        else:
            assert document["shots"] == [["A1", "miss"]]
    for command in ("equilibrium --check mixes", "hide --from mixes --seed 1"):
        status, out, err = run(*words(command))
        assert (status, err) == (0, "")
        game = " ".join(out.splitlines()[0].split())
        assert game == "game 3x3, fleet 2,1, contact corners, answers sunk"
        document = json.loads(run(*words(command), "--json")[1])
        assert game_of(document) == ("3x3", "2,1", "corners", "sunk")


def test_a_file_that_cannot_be_read_has_no_game(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    path.write_text("{}")
    status, out, _ = run("verify", str(path), "--json")
    assert (status, next(iter(json.loads(out)))) == (1, "valid")
    status, out, _ = run("verify", str(path))
    assert (status, out.split()[:4]) == (1, ["kind", "tree", "valid", "no"])


def test_the_help_says_every_default_once(run: Run) -> None:
    from seabattle.cli.commands import commands as group

    pairs = [((name,), command) for name, command in group.commands.items()]
    pairs += [
        (("strategy", name), command)
        for name, command in group.commands["strategy"].commands.items()
    ]
    for path, command in pairs:
        text = " ".join(run(*path, "--help")[1].split())
        assert "x>=" not in text
        for parameter in command.params:
            said = " ".join((getattr(parameter, "help", None) or "").split())
            shown = bool(getattr(parameter, "show_default", None))
            assert said.count("[default: ") + shown <= 1, (path, parameter.name)
        if any(parameter.name == "board" for parameter in command.params):
            answers = "all, whatever the fleet" if path == ("compare",) else "hit"
            for default in ("5x5", "3,2,2,1,1,1", "none", answers):
                assert f"[default: {default}]" in text


def test_the_list_of_commands_is_readable(run: Run) -> None:
    for words_before in ((), ("strategy",), ("prior",)):
        listed = run(*words_before, "--help")[1].partition("Commands:")[2]
        assert listed
        assert "..." not in listed
