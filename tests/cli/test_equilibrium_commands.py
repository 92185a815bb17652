"""The commands ``equilibrium`` and ``hide``: output, files, exit statuses, bad input."""

from __future__ import annotations

import json
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from seabattle.__main__ import main
from seabattle.solver.search.limits import LimitReached, Limits
from seabattle.trees.files import load_tree
from seabattle.trees.verify import verify

Run = Callable[..., tuple[int, str, str]]
GAME = ["--board", "3x4", "--fleet", "2,1", "--answers", "sunk"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Mixes of a small game, written by the command."""
    path = tmp_path_factory.mktemp("mixes")
    patch = pytest.MonkeyPatch()
    patch.setattr(sys, "argv", ["seabattle", "equilibrium", *GAME, "--out", str(path)])
    hears = signal.getsignal(signal.SIGINT)
    with pytest.raises(SystemExit) as stop:
        main()
    signal.signal(signal.SIGINT, hears)  # which a program that ends no longer hears
    patch.undo()
    assert not stop.value.code
    return path


def test_json_has_every_key(run: Run) -> None:
    status, out, err = run("equilibrium", *GAME, "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["exact"]["value"] == "945/262"
    assert found["value"] == found["lower_bound"] == found["upper_bound"] == 945 / 262
    assert found["uniform_value"] == 266 / 74
    assert found["status"] == "exact"
    assert found["trees"] >= 19
    assert found["layouts_in_support"] == found["layouts"] == 74
    assert [row["shooter"] for row in found["matchups"]] == [
        "greedy", "greedy, turned", "optimal", "optimal, turned", "equilibrium",
    ]  # fmt: skip


def test_text_says_what_was_found(run: Run) -> None:
    status, out, _ = run("equilibrium", *GAME)
    assert status == 0
    assert "value         3.606870 (945/262) misses" in out
    assert "uniform       3.594595 (133/37) misses when all layouts are alike" in out
    assert re.search(r"^equilibrium +3\.\d{4} +3\.6069 +3\.6069$", out, re.MULTILINE)


def test_files(folder: Path) -> None:
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*"))
    assert names == [
        "equilibrium.json", "first-shots.svg", "hiding-weights.csv", "hiding.csv", "interval.svg",
        "likeliest.svg", "matchups.csv", "matchups.txt", "occupancy.svg", "summary.json",
        "trees/001.json", "trees/002.json", "trees/003.json",
    ]  # fmt: skip
    for path in folder.glob("*.svg"):
        assert ElementTree.parse(path).getroot().tag.endswith("svg")
    lines = (folder / "hiding.csv").read_text().splitlines()
    assert lines[0] == "layout,probability"
    assert sum(float(line.rsplit(",", 1)[1]) for line in lines[1:]) == pytest.approx(1)
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["made_by"]["command"].startswith("seabattle equilibrium --board 3x4")
    assert verify(load_tree(folder / "trees" / "001.json"))


def test_the_hiding_mix_is_a_prior_for_other_commands(run: Run, folder: Path) -> None:
    weights = str(folder / "hiding-weights.csv")
    _, out, _ = run("solve", *GAME, "--prior", weights, "--json")
    found = json.loads(out)
    assert found["total_misses"] * 262 == 945 * found["weight"]


def test_check_accepts_what_was_written(run: Run, folder: Path) -> None:
    status, out, _ = run("equilibrium", "--check", str(folder), "--json")
    assert status == 0
    assert json.loads(out)["valid"] is True


def test_check_refuses_a_tampered_mix(run: Run, folder: Path, tmp_path: Path) -> None:
    for name in ("equilibrium.json", "hiding-weights.csv"):
        (tmp_path / name).write_text((folder / name).read_text())
    path = tmp_path / "hiding-weights.csv"
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:-1]) + "\n")
    status, out, _ = run("equilibrium", "--check", str(tmp_path))
    assert status == 1
    assert "the mixes claim the lower bound 945/262" in out


def test_hide_draws_the_same_layout_for_a_seed(run: Run, folder: Path, tmp_path: Path) -> None:
    picture = tmp_path / "layout.svg"
    arguments = ("hide", "--from", str(folder), "--seed", "5", "-o", str(picture))
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    assert "   A B C D" in out
    assert "<svg" in picture.read_text()
    _, again, _ = run(*arguments, "--json")
    found = json.loads(again)
    assert " ".join(found["layout"]) in out
    assert 0 < found["probability"] < 1
    layouts = {json.loads(run("hide", "--from", str(folder), "--seed", str(s), "--json")[1])
               ["layout"][0] for s in range(8)}  # fmt: skip
    assert len(layouts) > 1


def test_hide_solves_the_game_itself(run: Run) -> None:
    status, out, _ = run("hide", "--board", "3x3", "--fleet", "3,1,1", "--seed", "1", "--json")
    assert status == 0
    assert len(json.loads(out)["layout"]) == 3


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (["equilibrium", "--gap", "0"], "gap 0: must be a number above 0"),
        (["equilibrium", "--gap", "nan"], "gap nan: must be a number above 0"),
        (["equilibrium", "--time-limit", "-1"], "--time-limit -1"),
        (["equilibrium", "--board", "10x10", "--fleet", "russian"], "too large"),
        (["equilibrium", "--answers", "ship"], "answers 'hit' and 'sunk'"),
        (["equilibrium", "--contact", "sides"], "contact rules 'none' and 'corners'"),
        (["equilibrium", "--out", "/proc/none"], "cannot write the output folder /proc/none"),
        (["equilibrium", "--check", "/nowhere"], "cannot read /nowhere"),
        (["equilibrium", "--check", "/nowhere", "--board", "5x5"], "leave out --board"),
        (["hide", "--from", "/nowhere"], "cannot read /nowhere"),
        (["hide", "--from", "/nowhere", "--fleet", "2"], "leave out --fleet"),
        (["hide", "--from", "/nowhere", "--gap", "0.5"], "leave out --gap"),
        (["hide", "--from", ""], "Invalid value for '--from': '' names no file or folder"),
        (["hide", "--fleet", ""], "fleet is empty"),
        (["hide", "--answers", "maybe"], "the answer modes are hit, sunk, ship"),
        (["equilibrium", "--board", ""], "board '': write ROWSxCOLUMNS"),
        (["equilibrium", "--answers", ""], "answer mode '' is unknown"),
        (["equilibrium", "--out", ""], "'' names no file or folder"),
        (
            ["equilibrium", "--check", "/nowhere", "--out", "x", "--trees", "1"],
            "leave out --out, --trees",
        ),
        (["hide", "-o", "layout.bmp"], "write a .svg, .png or .pdf file"),
        (["hide", "--theme", "dark"], "--theme is of the picture of -o, which is not given"),
        (["hide", "-o", "layout.png", "--scale", "0"], "scale 0.0: write a number from 0.1 to 20"),
        (["equilibrium", "--formats", "png"], "--formats is of the pictures of --out"),
        (["equilibrium", "--out", "x", "--formats", "gif"], "'gif' is no kind of picture"),
        (["hide", "--seed", "-1"], "must be 0 or above"),
    ],
)
def test_bad_input_gets_one_clear_line(run: Run, arguments: list[str], match: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert match in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--board", "10x10", "--fleet", "russian"],
        ["--answers", "ship"],
        ["--time-limit", "0.0001"],
    ],
    ids=" ".join,
)
def test_no_empty_folder_is_left(run: Run, tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "old").mkdir()
    for folder in ("old", "old/new", "new/deep"):
        status, out, err = run("equilibrium", *arguments, "--out", str(tmp_path / folder))
        assert (status in (1, 2), out, err.count("\n")) == (True, "", 1)
    assert [path.name for path in tmp_path.rglob("*")] == ["old"]


def test_a_limit_of_the_check_is_no_verdict(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reached(*arguments: object, limits: Limits, **options: object) -> None:
        assert limits.deadline is not None
        raise LimitReached("the time limit was reached")

    monkeypatch.setattr("seabattle.solver.equilibrium.mixed_solution.certify", reached)
    status, out, err = run("equilibrium", "--check", str(folder), "--time-limit", "60")
    assert (status, out, err) == (1, "", "seabattle: the time limit was reached\n")


def test_help_names_both_commands(run: Run) -> None:
    _, out, _ = run("--help")
    assert "equilibrium" in out
    assert "hide" in out
