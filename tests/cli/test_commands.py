"""The command line: results, files, exit statuses, and one clear line for bad input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from seabattle.cli.progress import Bar, ctrl_c_remembered
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import save_position
from seabattle.enumerate.rules import Rules
from seabattle.solver.search import answer_problem
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


def test_solve_json_has_every_key(run: Run) -> None:
    found = as_json(run("solve", *GAME, "--json", "--values"))
    assert found["layouts"] == found["weight"] == 4
    assert found["status"] == "optimal"
    assert found["total_misses"] == found["lower_bound"] == found["upper_bound"] == 6
    assert found["mean_misses"] == 1.5
    assert found["worst_misses"] == 3
    assert found["states"] >= 1
    assert found["nodes"] >= 1
    assert found["values"] == [[6, 6, 6], [6, 10, 6], [6, 6, 6]]
    assert found["best_shots"] == ["A1", "B1", "C1", "A2", "C2", "A3", "B3", "C3"]
    assert 0 <= found["search_seconds"] <= found["seconds"]


def test_bounds_are_on_the_first_component(run: Run) -> None:
    found = as_json(run("solve", "--board", "4x5", "--fleet", "4,2", "--json", "--objective",
                        "worst-mean"))  # fmt: skip
    assert found["lower_bound"] == found["upper_bound"] == found["worst_misses"] == 6
    assert found["total_misses"] == 475


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


def test_mid_game(run: Run) -> None:
    found = as_json(run("solve", "--json", "--miss", "c3", "--hit", "A1"))
    assert found["layouts"] == 374
    assert not {"A1", "C3"} & set(found["best_shots"])
    status, out, _ = run("solve", "--miss", "C3", "--hit", "A1")
    assert status == 0
    assert "C3 miss, A1 hit" in out


def test_solve_prints_values_as_a_board(run: Run) -> None:
    status, out, err = run("solve", *GAME, "--values")
    assert (status, err) == (0, "")
    assert "1.500 (6/4)".replace("1.500", "1.5000") in out
    assert " 2 1.500* 2.500  1.500*" in out


def test_greedy(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "greedy.json"
    found = as_json(run("greedy", "--rule", "half", "--json", "--tree", str(file)))
    assert (found["total_misses"], found["worst_misses"]) == (7726, 10)
    assert found["status"] == "heuristic"
    assert "lower_bound" not in found
    assert verify(load_tree(file))
    one = as_json(run("greedy", "--rule", "half", "--ties", "random", "--seed", "5", "--json"))
    two = as_json(run("greedy", "--rule", "half", "--ties", "random", "--seed", "5", "--json"))
    assert one["total_misses"] == two["total_misses"]
    status, out, _ = run("greedy", *GAME)
    assert status == 0
    assert "heuristic; tree verified" in out


def test_graph(run: Run) -> None:
    found = as_json(run("graph", *GAME, "--json"))
    assert {k: found[k] for k in ("layouts", "vertices", "edges", "orbits")} == {
        "layouts": 4, "vertices": 15, "edges": 56, "orbits": 5,
    }  # fmt: skip
    status, out, _ = run("graph", "--board", "4x4", "--fleet", "3,2,1")
    assert status == 0
    assert "42,290" in out


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
    assert "hit      full     optimal-mean       3  1.5000    6/4  proven" in out
    assert "sunk" not in out


def test_compare_leaves_out_what_is_too_large(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    sides = ["compare", "--board", "3x3", "--fleet", "3,2", "--contact", "sides", "--json"]
    found = as_json(run(*sides, "--answers", "all"))
    assert {row["answers"] for row in found["rows"]} == {"hit", "sunk", "ship"}
    monkeypatch.setattr(answer_problem, "MOST_OPEN_LAYOUTS", found["layouts"] - 1)
    status, out, err = run(*sides, "--answers", "all")
    assert status == 0
    assert "left out: 3x3 with 3,2 has 36 layouts" in err
    assert {row["answers"] for row in json.loads(out)["rows"]} == {"hit", "ship"}
    status, out, err = run(*sides, "--answers", "sunk")
    assert (status, out, err.count("\n")) == (2, "", 1)
    status, _, err = run("compare", "--hit", "A1")
    assert (status, err.count("\n")) == (2, 1)
    assert "hits are answered differently in each mode: compare one, --answers" in err
    found = as_json(run("compare", "--miss", "C3", "--answers", "sunk", "--json"))
    assert {row["reading"] for row in found["rows"]} == {"full"}


def test_modes_rules_and_histories(run: Run) -> None:
    found = as_json(run("solve", "--answers", "sunk", "--json"))
    assert (found["total_misses"], found["worst_misses"]) == (2490, 3)
    assert found["best_shots"] == ["A1", "E1", "A5", "E5"]
    sides = ["--board", "3x3", "--fleet", "3,2", "--contact", "sides", "--answers", "sunk"]
    for history, layouts in (("C3 hit, B3 sunk, A3 hit", 1), ("C3 hit, A3 hit, B3 sunk", 9)):
        found = as_json(run("solve", *sides, "--announce", "none", "--shots", history, "--json"))
        assert found["layouts"] == layouts
    found = as_json(run("solve", *sides, "--shots", "C3 hit, A3 hit, B3 sunk=2", "--json"))
    assert 0 < found["layouts"] < 9
    found = as_json(run("solve", "--answers", "sunk", "--sunk", "A1:A2", "--miss", "C3", "--json"))
    assert found["layouts"] == 41
    found = as_json(run("solve", "--answers", "ship", "--named", "A1=3#1,B1=3#1", "--json"))
    assert found["status"] == "optimal"
    found = as_json(run("greedy", "--answers", "sunk", "--reading", "positive", "--json"))
    assert (found["total_misses"], found["worst_misses"], found["reading"]) == (2876, 4, "positive")
    assert found["wasted"] > 0


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


def test_verify_replay_render(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "tree.json"
    assert run("solve", *GAME, "--tree", str(file))[0] == 0
    found = as_json(run("verify", str(file), "--json"))
    assert found == {"board": "3x3", "fleet": "3,1,1", "contact": "none", "answers": "hit",
                     "announce": "length", "valid": True, "kind": "tree", "total_misses": 6,
                     "worst_misses": 3, "layouts": 4, "wasted": 0, "problems": []}  # fmt: skip
    played = as_json(run("replay", str(file), "--layout", "A1:C1,A3,C3", "--json"))
    assert played["misses"] == sum(shot["answer"] == "miss" for shot in played["shots"])
    assert {shot["cell"] for shot in played["shots"] if shot["answer"] == "hit"} == {
        "A1", "B1", "C1", "A3", "C3",
    }  # fmt: skip
    for name, begins in (("t.svg", "<svg "), ("t.txt", "3x3, fleet 3,1,1"), ("t.dot", "digraph ")):
        status, _, err = run("render", str(file), "-o", str(tmp_path / name))
        assert (status, err) == (0, "")
        assert (tmp_path / name).read_text().startswith(begins)
    assert run("render", str(file), "-o", str(tmp_path / "p.svg"), "--path", "misses")[0] == 0


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


def test_verify_knows_strategies_and_equilibria(run: Run, tmp_path: Path) -> None:
    """Folders are checked as by the commands of their own."""
    solved, mixed = tmp_path / "strategy", tmp_path / "mixes"
    run("strategy", "build", *GAME, "-o", str(solved))
    run("equilibrium", *GAME, "--out", str(mixed))
    same = {
        "strategy": (solved, "manifest.json", ("strategy", "verify")),
        "equilibrium": (mixed, "equilibrium.json", ("equilibrium", "--check")),
    }
    for kind, (folder, manifest, command) in same.items():
        found = as_json(run("verify", str(folder), "--json"))
        assert (found["kind"], found["valid"]) == (kind, True)
        assert found == as_json(run("verify", str(folder / manifest), "--json"))
        assert found == as_json(run(*command, str(folder), "--json"))
        assert f"{kind}" in run("verify", str(folder))[1]
        text = (folder / manifest).read_text()
        (folder / manifest).write_text(text.replace("3,1,1", "2,1,1"))
        status, out, _ = run("verify", str(folder), "--json")
        assert (status, json.loads(out)["valid"]) == (1, False)


def test_verify_says_what_it_does_not_check(run: Run, tmp_path: Path) -> None:
    files = {
        "game.json": ('{"format": "seabattle-position", "version": 1}', "advise --position {}"),
        "prior.json": ('{"format": "seabattle-prior", "version": 1}', "count --prior {}"),
        "prior.csv": ("layout,weight\nA1,1\n", "count --prior {}"),
        "atlas/rows.jsonl": ('{"format": "seabattle-atlas"}', "atlas --out {}"),
    }
    for name, (text, command) in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        asked = path if path.parent == tmp_path else path.parent
        status, out, err = run("verify", str(asked))
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert f"'seabattle {command.format(asked)}'" in err
    kept = tmp_path / "kept"
    run("solve", *GAME, "--answers", "sunk", "--checkpoint", str(kept))
    assert f"'seabattle solve --checkpoint {kept}'" in run("verify", str(kept))[2]
    status, _, err = run("verify", str(tmp_path))
    assert status == 2
    assert "a folder without manifest.json or equilibrium.json" in err


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


BAD = [
    (["solve", "--board", "3x3", "--fleet", "3,3,3"], "fleet 3,3,3 does not fit"),
    (["solve", "--board", "3x3", "--fleet", "4"], "length 4 is longer than the board 3x3"),
    (["solve", "--fleet", ""], "fleet is empty"),
    (["solve", "--fleet", "0"], "ship length 0 is out of range"),
    (["solve", "--fleet=-2,1"], "ship length -2 is out of range"),
    (["solve", "--fleet", "2,two"], "'two' is no ship length"),
    (["solve", "--fleet", "2,,1"], "'' is no ship length"),
    (["solve", "--fleet", "german"], "or a name (hasbro, russian)"),
    (["solve", "--fleet", "999999999999"], "out of range"),
    (["solve", "--board", "0x5"], "at least 1 row and 1 column"),
    (["solve", "--board", "5"], "write ROWSxCOLUMNS"),
    (["solve", "--board", "999x999"], "at most 1,024 are supported"),
    (["solve", "--board", "10x10", "--fleet", "russian"], "too large to solve exactly"),
    (["solve", "--board", "8x8", "--fleet", "hasbro", "--memory-limit", "1"], "layouts, which"),
    (["graph", "--board", "12x12", "--fleet", "2"], "the limit is 64 cells"),
    (["solve", "--contact", "loose"], "the contact rules are none, corners, sides"),
    (["solve", "--answers", "maybe"], "the answer modes are hit, sunk, ship"),
    (["solve", "--objective", "median"], "the objectives are mean, worst"),
    (["greedy", "--rule", "best"], "the greedy rules are half, hits"),
    (["greedy", "--ties", "last"], "the tie rules are first, random"),
    (["greedy", "--seed", "x"], "Invalid value for '--seed'"),
    (["solve", "--miss", "Z9"], "cell 'Z9' is off the board 5x5, A1 to E5"),
    (["solve", "--miss", "11"], "write a letter and a number"),
    (["solve", "--miss", "A1", "--hit", "a1"], "cell A1 is given twice, as miss and as hit"),
    (["solve", "--hit", "A1,B2"], "no layout of 3,2,2,1,1,1 fits these answers"),
    (["solve", "--time-limit", "0"], "--time-limit 0: must be a number above 0"),
    (["solve", "--memory-limit", "nan"], "--memory-limit nan: must be a number above 0"),
    (["solve", "--time-limit", "soon"], "Invalid value for '--time-limit'"),
    (["compare", *GAME, "--out", "/dev/null/x"], "cannot write the output folder /dev/null/x"),
    (["solve", *GAME, "--tree", "/dev/null/x.json"], "cannot write /dev/null/x.json"),
    (["verify", "/nowhere/tree.json"], "cannot read /nowhere/tree.json"),
    (["replay", "/nowhere/tree.json", "--layout", "A1"], "cannot read /nowhere/tree.json"),
    (["render", "/nowhere/tree.json", "-o", "x.svg"], "cannot read /nowhere/tree.json"),
    (["solve", "--announce", "none"], "--announce none is about sinkings"),
    (["solve", "--answers", "ship", "--announce", "none"], "it goes with --answers sunk"),
    (["solve", "--announce", "colour"], "the announcements are none, length"),
    (["solve", "--answers", "hit", "--sunk", "A1"], "does not belong to these rules"),
    (["solve", "--answers", "sunk", "--named", "A1=3#1"], "does not belong to these rules"),
    (["solve", "--answers", "ship", "--hit", "A1"], "does not belong to these rules"),
    (["solve", "--answers", "ship", "--named", "A1"], "write the cell and the ship, as in E5=3#1"),
    (["solve", "--answers", "sunk", "--sunk", "A1:A3,C1:C3"], "has only 1 of length 3"),
    (
        ["solve", "--answers", "sunk", "--contact", "sides", "--sunk-at", "A1=3"],
        "no ship of length 3",
    ),
    (["solve", "--shots", "A1"], "write a cell and its answer"),
    (["solve", "--shots", "A1 hit", "--miss", "B1"], "--shots gives all shots in order"),
    (["solve", "--shots", "A1 wet"], "write miss, hit, sunk"),
    (["greedy", "--reading", "loose"], "the readings are full, positive"),
    (["greedy", "--reading", "positive"], "only with answers 'sunk'"),
    (["graph", "--answers", "sunk"], "defined for answers 'hit', not 'sunk'"),
    (["solve", "--prior", "/nowhere/w.csv"], "cannot read /nowhere/w.csv"),
    (["solve", "--weights", "w.csv"], "No such option"),
    (["sink"], "No such command 'sink'"),
    (["solve", "--bored", "5x5"], "No such option"),
    (["verify"], "Missing argument 'FILE'"),
]


@pytest.mark.parametrize(("arguments", "told"), BAD, ids=[" ".join(a)[:40] for a, _ in BAD])
def test_bad_input_gets_one_line(run: Run, arguments: list[str], told: str) -> None:
    status, out, err = run(*arguments)
    assert status == 2
    assert out == ""
    assert err.startswith("seabattle: ")
    assert err.count("\n") == 1
    assert told in err


def test_bad_files_and_layouts(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "tree.json"
    run("solve", *GAME, "--tree", str(file))
    for layout, told in (
        ("A1:B1,A3,C3", "its ships are 2,1,1, not 3,1,1"),
        ("A1:C1,A1,C3", "overlap"),
        ("A1:C1,A2,C3", "touch, which contact rule 'none' forbids"),
        ("A1:B2,A3,C3", "neither in one row nor in one column"),
        ("A9:C9,A3,C3", "off the board"),
    ):
        status, _, err = run("replay", str(file), "--layout", layout)
        assert (status, err.count("\n")) == (2, 1)
        assert told in err
    status, _, err = run("render", str(file), "-o", str(tmp_path / "t.bmp"))
    assert status == 2
    assert "write a .svg, .png, .pdf, .dot or .txt file" in err
    other = tmp_path / "other.json"
    other.write_text('{"format": "something"}')
    status, _, err = run("render", str(other), "-o", str(tmp_path / "t.svg"))
    assert status == 2
    assert "no tree file" in err


def test_large_requests_are_announced(run: Run) -> None:
    status, out, err = run("solve", "--board", "5x6", "--fleet", "3,2,2,1,1,1", "--time-limit",
                           "0.01", "--json")  # fmt: skip
    assert status == 0
    assert "46,440 layouts; what a proof takes is estimated once the search has run" in err
    found = json.loads(out)
    assert found["status"] == "bounded"
    assert 0 < found["lower_bound"] < found["upper_bound"] == found["total_misses"]


@pytest.mark.parametrize("words", [(), ("strategy",)])
def test_no_command_shows_the_help_as_it_is_written(run: Run, words: tuple[str, ...]) -> None:
    status, out, err = run(*words)
    asked = run(*words, "--help")
    assert asked[0] == 0
    assert (out + err).strip() == asked[1].strip()
    assert "\nOptions:\n" in out + err
    assert status in (0, 2)  # releases of click differ


def test_help_needs_no_numba() -> None:
    code = (
        "import sys; sys.argv = ['seabattle', '--help']\n"
        "from seabattle.__main__ import main\n"
        "try: main()\n"
        "except SystemExit as stop: assert not stop.code\n"
        "assert not {'numba', 'numpy', 'threadpoolctl'} & sys.modules.keys()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "compare" in done.stdout


def test_every_command_has_help(run: Run) -> None:
    from seabattle.cli.commands import commands as group

    assert len(group.commands) >= 17
    for command in group.commands:
        status, out, err = run(command, "--help")
        assert (status, err) == (0, "")
        usage = out.splitlines()[0]  # click names the program as it was started
        assert usage.startswith("Usage: ")
        assert f"seabattle {command} " in usage


@pytest.mark.slow  # hostile/test_stopping.py stops one such search in every run
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


def test_a_swallowed_ctrl_c_is_remembered() -> None:
    """Code that calls back into Python may drop the exception; the next long work raises it."""
    begun = []
    with ctrl_c_remembered():
        with Bar("before"):
            begun.append("before")
        with suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt), Bar("after"):
            begun.append("after")
    assert begun == ["before"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with ctrl_c_remembered(), Bar("the next command"):
        begun.append("next")
    assert begun == ["before", "next"]


def test_an_ignored_ctrl_c_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with ctrl_c_remembered():
            os.kill(os.getpid(), signal.SIGINT)
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


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


@pytest.mark.parametrize(
    ("extra", "named"),
    [
        (["--board", "5x5"], "--board"),
        (["--miss", "A1", "--fleet", "3,1,1"], "--fleet, --miss"),
        (["--answers", "hit"], "--answers"),
        (["--shots", "A1 hit"], "--shots"),
    ],
)
def test_a_position_file_stands_alone(
    run: Run, tmp_path: Path, extra: list[str], named: str
) -> None:
    path = tmp_path / "game.json"
    save_position(Position(Rules("3x3", "3,1,1")), path)
    status, out, err = run("solve", "--position", str(path), *extra)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert err.endswith(f"leave out {named}\n")


def test_a_bad_position_file_is_told_in_one_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text("{}")
    for command in ("solve", "graph", "greedy"):
        status, out, err = run(command, "--position", str(path))
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert f"{path} is no valid position file" in err
