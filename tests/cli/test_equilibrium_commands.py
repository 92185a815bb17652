"""The commands ``equilibrium`` and ``hide``: output, files, exit statuses, bad input."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from seabattle.__main__ import main
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


def test_files(folder: Path) -> None:
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*"))
    assert names == [
        "equilibrium.json", "first-shots.svg", "hiding-weights.csv", "interval.svg",
        "likeliest.svg", "occupancy.svg", "summary.json", "trees/001.json", "trees/002.json",
        "trees/003.json",
    ]  # fmt: skip
    for path in folder.glob("*.svg"):
        assert ElementTree.parse(path).getroot().tag.endswith("svg")
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["made_by"]["command"].startswith("seabattle equilibrium --board 3x4")
    assert verify(load_tree(folder / "trees" / "001.json"))


def test_the_hiding_mix_is_a_prior_for_other_commands(run: Run, folder: Path) -> None:
    weights = str(folder / "hiding-weights.csv")
    _, out, _ = run("solve", *GAME, "--prior", weights, "--json")
    found = json.loads(out)
    assert found["total_misses"] * 262 == 945 * found["weight"]


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
