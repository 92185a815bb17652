"""The option ``--prior``: what it changes, what is said of it, and every wrong one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
GRID = "cells,product\n3 1 1\n1 1 1\n1 1 1\n"
ROUNDED = "cells,product\n0.3 1.1 0.123456789012\n1 1 1\n1.7 1 0.9999\n"
SMALL = ["--board", "3x3", "--fleet", "2,1"]


def prior(folder: Path, text: str) -> list[str]:
    path = folder / "prior.csv"
    path.write_text(text)
    return [*SMALL, "--prior", str(path)]


def test_every_solving_command_takes_a_prior(run: Run, tmp_path: Path) -> None:
    for command in ("solve", "greedy"):
        _, out, _ = run(command, *prior(tmp_path, GRID), "--json")
        found = json.loads(out)
        assert (found["layouts"], found["weight"]) == (24, 44)  # 10 of the layouts occupy A1
        assert found["mean_misses"] == found["total_misses"] / found["weight"]
        assert (found["prior"], found["prior_rounding"]) == ("prior.csv", 0)
    _, out, _ = run("compare", *prior(tmp_path, GRID), "--answers", "hit", "--json")
    compared = json.loads(out)
    assert (compared["weight"], compared["prior"], compared["prior_rounding"]) == (
        44,
        "prior.csv",
        0,
    )
    _, out, _ = run("solve", *prior(tmp_path, GRID))
    assert "\nprior             prior.csv\n" in out


def test_uniform_is_the_default_and_is_not_mentioned(run: Run) -> None:
    _, plain, _ = run("solve", *SMALL, "--json")
    _, uniform, _ = run("solve", *SMALL, "--prior", "uniform", "--json")
    keys = json.loads(plain).keys()
    assert keys == json.loads(uniform).keys()
    assert not {"prior", "prior_rounding"} & keys
    assert json.loads(plain)["total_misses"] == json.loads(uniform)["total_misses"]


@pytest.mark.parametrize("command", ["solve", "greedy", "compare"])
def test_rounded_weights_are_told(run: Run, tmp_path: Path, command: str) -> None:
    _, out, _ = run(command, *prior(tmp_path, ROUNDED), "--answers", "hit")
    told = [line for line in out.splitlines() if line.startswith("prior ")]
    assert len(told) == 1
    assert "prior.csv: weights rounded to whole numbers, total variation 9.6e-12" in told[0]
    _, out, _ = run(command, *prior(tmp_path, ROUNDED), "--answers", "hit", "--json")
    assert 0 < json.loads(out)["prior_rounding"] < 1e-11


def test_a_comparison_keeps_the_name_of_its_prior(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    run("compare", *prior(tmp_path, GRID), "--answers", "hit", "--out", str(folder))
    table = json.loads((folder / "table.json").read_text())
    assert (table["prior"], table["prior_rounding"]) == ("prior.csv", 0)


def test_a_prior_goes_with_what_is_known(run: Run, tmp_path: Path) -> None:
    _, out, _ = run("solve", *prior(tmp_path, GRID), "--miss", "C3", "--json")
    known = json.loads(out)
    assert (known["layouts"], known["weight"]) == (14, 26)  # 6 of them occupy A1
    only = "layout,weight\nA1:B1 C3,1\n"
    status, _, err = run("solve", *prior(tmp_path, only), "--miss", "A1")
    assert (status, err.count("\n")) == (2, 1)
    assert "every layout that fits what is known weighs 0" in err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("3 1 1\n1 1 1\n1 1 1\n", "line 1: the first line says the kind of prior"),
        ("cells,mean\n1 1 1\n", "line 1: write cells,product or cells,sum"),
        ("cells,sum\n-3 1 1\n1 1 1\n1 1 1\n", "line 2: '-3' is negative"),
        ("cells,sum\nnan 1 1\n1 1 1\n1 1 1\n", "line 2: 'nan' is no number"),
        ("cells,sum\n1 inf 1\n1 1 1\n1 1 1\n", "line 2: 'inf' is no number"),
        ("cells,sum\n0 0 0\n0 0 0\n0 0 0\n", "every number is 0"),
        ("cells,sum\n1 1 1\n1 1 1\n", "the grid has 2 rows, and board 3x3 has 3"),
        ("cells,sum\n1 1 1 1\n1 1 1 1\n1 1 1 1\n", "line 2: 4 numbers, and board 3x3 has 3"),
        ("cells,sum\nboard,5x5\n", "line 2: the prior is of board 5x5, and the game of board 3x3"),
        ("layout,weight\nA1:B1 D4,3\n", "line 2: cell 'D4' is off the board"),
        ("layout,weight\nA1:B1 C3,0\n", "all are zero"),
        ("placement,weight\nA1:B1,1\nA1,-1\n", "line 3: '-1' is negative"),
        ("games,x\nA1:B1 C3\n", "line 1: smoothing 'x'"),
        ("", "is empty"),
        ('{"format": "seabattle-prior", "version": 1, "kind": "guess"}', "kind 'guess' is unknown"),
        ('{"format": "seabattle-tree"}', "its 'format' is not 'seabattle-prior'"),
    ],
)
def test_bad_files_get_one_line(run: Run, tmp_path: Path, text: str, told: str) -> None:
    arguments = prior(tmp_path, text)
    for command in ("solve", "compare"):
        status, out, err = run(command, *arguments)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "prior.csv" in err
        assert told in err


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("", "--prior '': write uniform, people or the name of a file"),
        (" ", "--prior ' ': write uniform"),
        ("peopel", "cannot read peopel"),
        (".", "cannot read .: Is a directory"),
    ],
)
def test_bad_names_get_one_line(run: Run, name: str, told: str) -> None:
    status, out, err = run("solve", *SMALL, "--prior", name)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert told in err
