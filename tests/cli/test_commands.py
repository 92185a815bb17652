"""The command line: results, files, exit statuses, and one clear line for bad input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import save_position
from seabattle.enumerate.rules import Rules
from seabattle.trees.files import load_tree
from seabattle.trees.verify import verify

Run = Callable[..., tuple[int, str, str]]
GAME = ["--board", "3x3", "--fleet", "3,1,1"]


def as_json(answer: tuple[int, str, str]) -> dict[str, Any]:
    status, out, err = answer
    assert (status, err) == (0, "")
    document = json.loads(out)
    assert isinstance(document, dict)
    return document


def test_pareto_writes_a_tree_per_point(run: Run, tmp_path: Path) -> None:
    game = ["--board", "4x5", "--fleet", "4,2", "--objective", "pareto"]
    found = as_json(run("solve", *game, "--json", "--tree", str(tmp_path / "front.json")))
    assert found["front"] == [
        {"worst_misses": 6, "total_misses": 475, "mean_misses": 475 / found["weight"]},
        {"worst_misses": 7, "total_misses": 465, "mean_misses": 465 / found["weight"]},
    ]
    for worst, total in ((6, 475), (7, 465)):
        tree = load_tree(tmp_path / f"front-worst{worst}.json")
        assert verify(tree)
        assert tree.total_misses == total
    status, out, _ = run("solve", *game)
    assert status == 0
    assert "worst 6, mean 3.7109 (475/128)" in out


def test_compare_writes_table_trees_and_pictures(run: Run, tmp_path: Path) -> None:
    out_folder = tmp_path / "new" / "out"
    found = as_json(run("compare", *GAME, "--json", "--out", str(out_folder)))
    rows = [(row["answers"], row["reading"], row["strategy"]) for row in found["rows"]]
    greedy = ["greedy-half", "greedy-hits"]
    optimal = ["optimal-mean", "optimal-worst"]
    assert rows == [
        *(("hit", "full", name) for name in greedy + optimal),
        *(("sunk", "full", name) for name in greedy),
        *(("sunk", "positive", name) for name in greedy),
        *(("sunk", "full", name) for name in optimal),
        *(("ship", "full", name) for name in greedy + optimal),
    ]
    for row in found["rows"]:
        expected = (3, 6, 1.5) if row["answers"] == "hit" else (0, 0, 0.0)
        if row["reading"] == "full" and row["answers"] != "ship":
            assert (row["worst_misses"], row["total_misses"], row["mean_misses"]) == expected
    names = [
        f"{answers}-{strategy}" + ("-positive" if reading == "positive" else "")
        for answers, reading, strategy in rows
    ]
    files = {path.name for path in out_folder.iterdir()}
    expected = {f"{name}{end}" for name in names for end in (".json", "-misses.svg", "-tree.svg")}
    assert files == expected | {"table.csv", "table.json", "table.txt"}
    for name in names:
        assert verify(load_tree(out_folder / f"{name}.json"))
    table = json.loads((out_folder / "table.json").read_text())
    assert table["made_by"]["command"].startswith("seabattle compare --board 3x3")
    status, out, err = run("compare", *GAME, "--answers", "hit")
    assert (status, err) == (0, "")
    assert "hit      full      optimal-mean       3    1.5000              6/4  proven" in out
    assert "sunk" not in out


def test_checkpoint_option(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "run.checkpoint"
    game = ["--board", "4x4", "--fleet", "3,2,1", "--json", "--checkpoint", str(file)]
    first = as_json(run("solve", *game))
    again = as_json(run("solve", *game))
    assert file.exists()
    assert again["total_misses"] == first["total_misses"] == 605
    assert again["nodes"] < first["nodes"]
    status, _, err = run("solve", *game, "--answers", "sunk")
    assert (status, err.count("\n")) == (2, 1)
    assert "belongs to another problem" in err


def test_verify_says_no(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "tree.json"
    run("solve", *GAME, "--tree", str(file))
    document = json.loads(file.read_text())
    document["total_misses"] = 5
    file.write_text(json.dumps(document))
    status, out, err = run("verify", str(file), "--json")
    assert (status, err) == (1, "")
    told = json.loads(out)
    assert told["valid"] is False
    assert told["problems"] == ["the tree claims 5 misses in total, it has 6"]
    file.write_text(file.read_text()[:100])
    status, out, err = run("verify", str(file), "--json")
    assert (status, err) == (1, "")
    assert json.loads(out)["valid"] is False
    status, out, _ = run("verify", str(file))
    assert status == 1
    assert "cut short" in out


def test_the_length_of_a_sinking_is_told_where_it_is_open(run: Run) -> None:
    """Under contact 'sides' a history may leave lengths out, as the lines of advise may."""
    small = ["solve", "--board", "3x3", "--fleet", "3,2", "--contact", "sides", "--json"]
    told = as_json(run(*small, "--shots", "C3 hit, B3 sunk"))
    assert told["shots"] == [["C3", "hit"], ["B3", "sunk:2"]]
    status, _, err = run(*small, "--shots", "A3 hit, C3 hit, B3 sunk")
    assert (status, err) == (
        2, "seabattle: --shots: B3 sunk: of what length, 3 or 2? Write B3 sunk=3\n"
    )  # fmt: skip


def test_a_greedy_tree_is_whole_or_there_is_none(run: Run) -> None:
    asked = ("greedy", "--board", "6x6", "--fleet", "4,3,2,1", "--answers", "sunk")
    status, out, err = run(*asked, "--time-limit", "0.001")
    assert (status, out) == (1, "")
    assert err == (
        "seabattle: the time limit was reached while the tree was grown; a greedy tree is whole "
        "or it is none\n"
    )
    for command in (["greedy"], ["graph"], ["strategy", "build"]):
        told = " ".join(run(*command, "--help")[1].split())
        assert "Give up after this time: then there is no answer, and the exit status is 1" in told
        assert "with what is proven by then" not in told


@pytest.mark.slow  # test_processes.py stops one such search in every run
def test_ctrl_c_in_the_search(tmp_path: Path) -> None:
    """SIGINT ends a long search with status 130, an interval, and the tree that was asked for."""
    file = tmp_path / "tree.json"
    command = [sys.executable, "-m", "seabattle", "solve", "--board", "5x6", "--json", "--tree"]
    with subprocess.Popen(
        [*command, str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        cwd=tmp_path, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:  # fmt: skip
        try:
            assert process.stderr is not None
            assert "46,440 layouts" in process.stderr.readline()  # the search is about to start
            time.sleep(2)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=120)
        finally:
            process.kill()
    assert process.returncode == 130, err
    found = json.loads(out)
    assert found["status"] == "bounded"
    assert 0 < found["lower_bound"] < found["upper_bound"]
    assert verify(load_tree(file))


def test_a_position_file_gives_game_and_shots(run: Run, tmp_path: Path) -> None:
    game = ["--board", "3x3", "--fleet", "3,2", "--contact", "sides", "--answers", "sunk"]
    shots = "C3 hit, A3 hit, B3 sunk=2"
    path = tmp_path / "game.json"
    save_position(Position.in_order(Rules("3x3", "3,2", "sides", "sunk"), shots), path)
    told = ("total_misses", "layouts", "best_shots")
    one = as_json(run("solve", *game, "--shots", shots, "--json"))
    two = as_json(run("solve", "--position", str(path), "--json"))
    assert [one[key] for key in told] == [two[key] for key in told]
    rows = as_json(run("compare", "--position", str(path), "--json"))["rows"]
    assert {row["answers"] for row in rows} == {"sunk"}
