"""The command that helps in a game: whole games piped through it, its JSON, and bad input."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from twins import naive
from twins.naive_trees import naive_layouts, spoken

from seabattle import build_strategy
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import load_position, position_document, position_text
from seabattle.enumerate.rules import Rules

Run = Callable[..., tuple[int, str, str]]
GAME = ["--board", "3x3", "--fleet", "3,1,1"]
CTRL_C = b"\x03"


class Opponent(io.StringIO):
    """Standard input of somebody who hides a layout and answers every shot advised."""

    def __init__(self, rules: Rules, layout: naive.Layout, output: io.StringIO) -> None:
        super().__init__()
        self.rules, self.layout, self.output = rules, layout, output
        self.shots: list[int] = []
        self.misses = 0

    def readline(self, size: int | None = -1, /) -> str:
        said = self.output.getvalue()
        if "the game is over" in said:
            return ""
        name = re.findall(r"^shoot +(\w+)", said, re.MULTILINE)[-1]
        cell = self.rules.board.cell(name)
        told = naive.answer(self.layout, self.shots, cell, *spoken(self.rules))
        self.shots.append(cell)
        self.misses += told == "miss"
        return f"{told}\n" if len(self.shots) % 2 else f"{name.lower()} {told}\n"


@pytest.mark.parametrize(
    "rules",
    [
        Rules("3x3", "3,1,1", answers="hit"),
        Rules("3x3", "3,1,1", answers="sunk"),
        Rules("3x3", "3,2", "sides", "sunk"),
        Rules("3x3", "2,1", "corners", "ship"),
    ],
    ids=str,
)
def test_whole_games_miss_as_often_as_the_first_advice_says(
    rules: Rules, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = ["--board", str(rules.board), "--fleet", str(rules.fleet), "--contact", rules.contact,
            "--answers", rules.answers]  # fmt: skip
    status, out, err = run("advise", *game, "--json", "--think", "60")
    assert (status, err) == (0, "")
    told = json.loads(out)
    misses = []
    for layout in naive_layouts(rules):
        output = io.StringIO()
        opponent = Opponent(rules, layout, output)
        monkeypatch.setattr(sys, "stdin", opponent)
        monkeypatch.setattr(sys, "stdout", output)
        status, _, err = run("advise", *game, "--think", "60")
        assert (status, err) == (0, "")
        said = output.getvalue()
        end = re.findall(r"over after (\d+) shots with (\d+) miss", said)
        assert end == [(str(len(opponent.shots)), str(opponent.misses))]
        assert "\x1b" not in said
        misses.append(opponent.misses)
    assert (len(misses), sum(misses)) == (told["layouts"], told["total_misses"])
    assert max(misses) <= told["worst_misses"]


RUSSIAN = ["--fleet", "russian", "--json"]


@pytest.mark.parametrize(
    ("text", "shots"),
    [
        ("C1 miss\n\nj 8 hit; 9J killed\n", [["C1", "miss"], ["J8", "hit"], ["J9", "sunk"]]),
        ("C1 miss\nJ8 hit\nchange C1 hit\nremove J8", [["C1", "hit"]]),
        ("C4 hit\nD5 hit\nchange D5 miss", [["C4", "hit"], ["D5", "miss"]]),
        ("", []),
    ],
)
def test_answers_piped_to_json_are_played(
    run: Run, monkeypatch: pytest.MonkeyPatch, text: str, shots: list[list[str]]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    status, out, err = run("advise", *RUSSIAN)
    assert (status, err) == (0, "")
    assert json.loads(out).get("shots", []) == shots


@pytest.mark.parametrize(
    "text",
    ["C1 miss\nc4 hti\n", "hit\n", "change C1 hit", "C1 miss\nC1 hit", "\ufffd\x00",
     "A1 miss\nD5 hit\nC4 hit"],
)  # fmt: skip
def test_answers_piped_to_json_are_refused_in_one_line(
    run: Run, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    status, out, err = run("advise", *RUSSIAN)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert re.search("line [12] of standard input|cannot stand together", err)


def test_what_seeks_a_conflict_prints_nothing() -> None:
    """Not even past Python: another program reads the output."""
    hits = ["D8", "D3", "C5", "J1", "B10", "C8", "J3", "J6"]
    shots = (
        "D8 G9 C9 D3 B1 C5 H6 A5 G8 J7 F3 E10 J1 B5 I9 D9 E8 B10 H7 F10 J8 F8 G1 C8 E1 B8 D7 C7 A3 "
        "F7 J9 A7 J3 G6 J6"
    )
    told = [f"{cell} {'hit' if cell in hits else 'miss'}" for cell in shots.split()]
    done = subprocess.run(
        [sys.executable, "-m", "seabattle", "advise", "--fleet", "hasbro", "--json"],
        input="\n".join(told), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("seabattle: cannot stand together: D8 hit (shot 1) · D9 miss")


def test_a_position_is_read_from_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.in_order(Rules("3x3", "3,1,1"), "A2 miss")
    for command in ("advise", "count", "solve"):
        monkeypatch.setattr(sys, "stdin", io.StringIO(position_text(position)))
        status, out, err = run(command, "--position", "-", "--json")
        assert (status, err) == (0, "")
        assert json.loads(out)["shots"] == [["A2", "miss"]]
    monkeypatch.setattr(sys, "stdin", io.StringIO(position_text(position)))
    status, out, err = run("advise", "--position", "-")
    assert (status, err) == (0, "")
    assert "shoot           A1 " in out
    for text in ("", "A2 miss"):
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        status, out, err = run("advise", "--position", "-", "--json")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert re.search("standard input is (no|empty)", err)


def test_a_contradictory_game_goes_on_from_its_file(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    game = ["--board", "4x4", "--fleet", "3,2,1", "--answers", "sunk", "--autosave", str(path)]
    monkeypatch.setattr(sys, "stdin", io.StringIO("C1 hit\nD2 hit\nA4 miss\n"))
    status, out, err = run("advise", *game)
    assert (status, err) == (0, "")
    assert "cannot stand together      C1 hit (shot 1) · D2 hit (shot 2)" in out
    assert len(load_position(path, contradictory=True).shots) == 3
    status, out, err = run("advise", "--position", str(path), "--json")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "cannot stand together: C1 hit (shot 1) · D2 hit (shot 2)" in err
    monkeypatch.setattr(sys, "stdin", io.StringIO("change D2 miss\n"))
    status, out, err = run("advise", "--position", str(path), "--autosave", str(path))
    assert (status, err) == (0, "")
    assert out.count("cannot stand together") == 1
    assert load_position(path).shots == ((2, 1), (7, 0), (12, 0))


def test_autosave_keeps_the_game(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "auto.json"
    monkeypatch.setattr(sys, "stdin", io.StringIO("A2 miss\nA1 hit\n"))
    status, out, _ = run("advise", *GAME, "--answers", "hit", "--autosave", str(path))
    assert status == 0
    assert out.endswith(f"saved in {path}; to go on: seabattle advise --position {path}\n")
    assert load_position(path).shots == ((3, 0), (0, 1))
    monkeypatch.setattr(sys, "stdin", io.StringIO("C1 hit\n"))
    status, out, _ = run("advise", "--position", str(path), "--autosave", str(path))
    assert len(load_position(path).shots) == 3
    status, out, err = run("advise", *GAME, "--autosave", str(path))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"go on from it with --position {path}" in err


def test_the_order_of_a_board_is_not_known_when_it_is_saved(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, path = tmp_path / "board.txt", tmp_path / "auto.json"
    board.write_text("o...\n.x..\n....\n...o\n")
    rules = ["--fleet", "2,1", "--autosave", str(path)]
    for told in (["--position", str(board)], ["--board", "4x4", "--miss", "A1,D4", "--hit", "B2"]):
        monkeypatch.setattr(sys, "stdin", io.StringIO("C2 hit\n"))
        status, _, err = run("advise", *told, *rules)
        assert (status, err) == (0, "")
        saved = load_position(path)
        assert (len(saved.shots), saved.ordered) == (4, False)
        assert "needs the order of the shots" in run("review", str(path))[2]
        path.unlink()
    monkeypatch.setattr(sys, "stdin", io.StringIO("C2 hit\n"))
    run("advise", "--board", "4x4", "--shots", "A1 miss, D4 miss, B2 hit", *rules)
    assert load_position(path).ordered


def test_a_game_goes_on_as_it_was_asked_about(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, weights = tmp_path / "game.json", tmp_path / "weights.csv"
    weights.write_text("cells,product\n9,1,1,1\n1,1,1,1\n1,1,1,1\n1,1,1,1\n")
    asked = ["--prior", str(weights), "--think", "0", "--salvo", "3"]
    game = ["--board", "4x4", "--fleet", "2,1"]

    def advice(*options: str) -> tuple[str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO("D4 miss\n" if "--fleet" in options else ""))
        status, out, err = run("advise", *options)
        assert status == 0, err
        return out[out.rindex("chance") if "chance" in out else 0 :].partition("\n\n")[2], err

    first, _ = advice(*game, *asked, "--autosave", str(path))
    kept = {"prior": str(weights), "think": 0.0, "salvo": 3}
    assert json.loads(path.read_text())["asked"] == kept
    again, _ = advice("--position", str(path))
    assert first.partition("saved in")[0].strip() == again.strip()
    assert "salvo" in again
    other, _ = advice("--position", str(path), "--prior", "uniform", "--salvo", "1")
    assert other != again
    monkeypatch.setattr(sys, "stdin", io.StringIO("C4 miss\n"))
    run("advise", "--position", str(path), "--salvo", "2", "--autosave", str(path))
    assert json.loads(path.read_text())["asked"] == {**kept, "salvo": 2}
    reviewed = json.loads(run("review", str(path), "--json")[1])
    weighed = json.loads(run("review", str(path), "--prior", str(weights), "--json")[1])
    assert reviewed["shots"] == weighed["shots"]
    assert (
        reviewed["shots"]
        != json.loads(run("review", str(path), "--prior", "uniform", "--json")[1])["shots"]
    )


CORNER = "cells,product\n9,1,1\n1,1,1\n1,1,1\n"


def test_a_prior_is_found_from_another_folder_and_from_standard_input(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "weights.csv").write_text(CORNER)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO("C3 miss\n"))
    game = ["--board", "3x3", "--fleet", "2,1", "--think", "0"]
    run("advise", *game, "--prior", "weights.csv", "--autosave", "game.json")
    monkeypatch.chdir(tmp_path / "elsewhere")
    text = (tmp_path / "game.json").read_text()
    found = []
    for options, piped in (
        (["--position", "../game.json"], ""),
        (["--position", "-"], text),
        ([*game, "--miss", "C3", "--prior", "../weights.csv"], ""),
    ):
        monkeypatch.setattr(sys, "stdin", io.StringIO(piped))
        status, out, err = run("advise", *options, "--json")
        assert (status, err) == (0, "")
        found.append(json.loads(out))
    assert found[0] == found[1] == found[2]
    for command in (["review", "-"], ["review", "../game.json"]):
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        assert json.loads(run(*command, "--json")[1])["prior"] == "weights.csv"


def test_a_strategy_is_named_to_go_on_with(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_strategy(Rules("3x3", "3,1,1"), tmp_path / "kept here")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO("A2 miss\n"))
    asked = ["--strategy", "kept here", "--autosave", "a game.json"]
    status, out, err = run("advise", *GAME, *asked)
    assert (status, err) == (0, "")
    assert out.endswith(
        "to go on: seabattle advise --position 'a game.json' --strategy 'kept here'\n"
    )


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"priro": "people"}, "the field 'priro' of asked is unknown; did you mean 'prior'?"),
        ({"salvo": "two"}, "the field 'salvo' of asked must be a whole number, 1 or above"),
        ({"salvo": -3}, "the field 'salvo' of asked must be a whole number, 1 or above"),
        ({"within": 1.5}, "the field 'within' of asked must be a whole number, 0 or above"),
        ({"think": -1}, "the field 'think' of asked must be a number, 0 or above"),
        ({"prior": 7}, "the field 'prior' of asked must be a text"),
        (["people"], "the field 'asked' must be an object"),
    ],
)
def test_how_a_game_is_asked_about_is_refused_in_a_line(
    run: Run, tmp_path: Path, asked: object, said: str
) -> None:
    path = tmp_path / "game.json"
    document = position_document(Position(Rules("3x3", "2,1")))
    path.write_text(json.dumps({**document, "asked": asked}))
    for command in (["advise", "--position"], ["review"], ["count", "--position"]):
        assert run(*command, str(path))[::2] == (
            2,
            f"seabattle: {path} is not a valid position file: {said}\n",
        )


def test_a_turn_of_several_shots_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    status, out, _ = run("advise", *GAME, "--salvo", "5")
    assert status == 0
    assert "salvo           A1 C1 A3 C3 B1: 4.25 hits to expect" in out


def at_a_terminal(
    folder: Path, *arguments: str, keys: list[bytes], columns: int = 80
) -> tuple[int, str]:
    """What a terminal shows when the keys are typed, each after the prompt before it."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, columns))
    environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": ""}
    for name in ("COLUMNS", "LINES"):  # which would be believed before the terminal
        environment.pop(name, None)
    process = subprocess.Popen(
        [sys.executable, "-m", "seabattle", "advise", *arguments],
        stdin=slave, stdout=slave, stderr=slave, close_fds=True, start_new_session=True,
        preexec_fn=_take_terminal, env=environment, cwd=folder,
    )  # fmt: skip
    os.close(slave)
    shown = b""
    left = list(keys)
    typed = b""
    fresh = b""
    end = time.monotonic() + 240
    while time.monotonic() < end:
        if not select.select([master], [], [], 1)[0]:
            ended = process.poll() is not None  # what it wrote before it ended comes first
            if ended and not select.select([master], [], [], 0)[0]:
                break
            # Python's readline does not hear a signal that comes between its prompt and its
            # waiting for keys, which only a typist as fast as this one can hit.
            if typed == CTRL_C and not ended:
                os.write(master, typed)
            continue
        try:
            part = os.read(master, 65536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        shown += part
        fresh += part
        if left and re.search(rb"(answer> |\]: )$", fresh):
            typed = left.pop(0)
            os.write(master, typed)
            fresh = b""
    os.close(master)
    return process.wait(timeout=60), shown.decode(errors="replace").replace("\r", "")


def _take_terminal() -> None:
    import fcntl

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_a_terminal_is_asked_for_the_game_and_keeps_it(tmp_path: Path) -> None:
    keys = [b"4by4\n", b"4x4\n", b"3,2,1\n", b"\n", b"all\n", b"\n", b"A1 miss\n", b"\x04"]
    status, shown = at_a_terminal(tmp_path, keys=keys)
    assert status == 0
    assert "Board, rows x columns [10x10]: " in shown
    assert "board '4by4': write ROWSxCOLUMNS" in shown
    assert "answer mode 'all' is unknown" in shown
    assert "4x4, fleet 3,2,1, contact none, answers sunk" in shown
    assert "\x1b[1;38;5;" in shown
    (kept,) = tmp_path.iterdir()
    assert f"seabattle advise --position {kept.name}" in shown
    assert load_position(kept).shots == ((0, 0),)


def test_ctrl_c_keeps_the_game(tmp_path: Path) -> None:
    game = ["--board", "4x4", "--fleet", "3,2,1", "--answers", "sunk"]
    keys = [b"C1 hit\n", b"D2 hit\n", CTRL_C]
    status, shown = at_a_terminal(tmp_path, *game, keys=keys)
    assert status == 130
    assert "Traceback" not in shown
    (kept,) = tmp_path.iterdir()
    assert len(load_position(kept, contradictory=True).shots) == 2


def test_a_pipe_that_stays_open_is_not_waited_for() -> None:
    """As where another program starts the command and never writes to it."""
    command = [sys.executable, "-m", "seabattle", "advise", "--board", "3x3", "--fleet", "3,1,1"]
    with subprocess.Popen(
        [*command, "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        found = json.loads(process.stdout.readline())
        assert process.wait(60) == 0
    assert found["layouts"] == 4
