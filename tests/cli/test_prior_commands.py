"""The commands ``prior fit`` and ``prior show``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.priors.files import load_prior
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Rules

Run = Callable[..., tuple[int, str, str]]
ROW = ["--board", "1x4", "--fleet", "2"]
SMALL = ["--board", "4x4", "--fleet", "3,2,1"]


@pytest.fixture
def seen(tmp_path: Path) -> Path:
    """How often each cell of a small board is occupied under some product prior."""
    prior = ProductPrior.of_cells(Rules("4x4", "3,2,1"), [1 + cell % 3 for cell in range(16)])
    cells = Counter(prior.rules, prior=prior).chances().cells.reshape(4, 4)
    path = tmp_path / "seen.csv"
    path.write_text("# chances\n" + "\n".join(",".join(map(repr, row.tolist())) for row in cells))
    return path


def test_frequencies_are_fitted_saved_and_shown(run: Run, seen: Path, tmp_path: Path) -> None:
    output = tmp_path / "new" / "prior.json"
    status, out, err = run("prior", "fit", *SMALL, "--cells", str(seen), "-o", str(output))
    assert (status, err) == (0, "")
    assert f"saved       {output}\n" in out
    assert "bits over equally likely layouts" in out
    prior = load_prior(output)
    assert isinstance(prior, ProductPrior)
    assert prior.cells is not None
    ratios = np.array([float(w) / (1 + cell % 3) for cell, w in enumerate(prior.cells)])
    assert ratios == pytest.approx(np.full(16, ratios[0]), rel=1e-3)
    assert prior.facts["fit"]["deviation"] <= 1e-6
    status, out, err = run("prior", "show", str(output))
    assert (status, err) == (0, "")
    assert "fit: bits" in out
    assert "chance of each cell" in out
    _, out, _ = run("prior", "show", str(output), "--json")
    shown = json.loads(out)
    wanted = np.loadtxt(seen, delimiter=",")
    assert np.abs(np.array(shown["chances"]) - wanted).max() <= 1.01e-6
    assert shown["fit"]["reached"]


def test_the_json_of_a_fit(run: Run, seen: Path, tmp_path: Path) -> None:
    output = tmp_path / "prior.json"
    fit = ["prior", "fit", *SMALL, "--cells", str(seen), "-o", str(output), "--json"]
    status, out, err = run(*fit)
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["board"] == "4x4"
    assert found["reached"] is True
    assert found["deviation"] <= 1e-6
    assert found["bits"] > 0
    assert found["saved"] == str(output)
    assert {"iterations", "maps", "games", "entropy_bits", "seconds"} <= found.keys()


@pytest.mark.parametrize("weights", ["cells", "classes", "placements"])
def test_layouts_are_fitted(run: Run, tmp_path: Path, weights: str) -> None:
    games, output = tmp_path / "games.txt", tmp_path / "prior.csv"
    games.write_text("A1:C1 A3:B3 D4\nA1:A3,C1:C2,D4\n")
    status, out, err = run(
        "prior", "fit", *SMALL, "--layouts", str(games), "--weights", weights, "--smoothing", "3",
        "-o", str(output), "--json",
    )  # fmt: skip
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert (found["weights"], found["games"], found["smoothing"]) == (weights, 2, 3)
    prior = load_prior(output, Rules("4x4", "3,2,1"))
    assert isinstance(prior, ProductPrior)
    assert (prior.cells is None) == (weights == "placements")


def test_impossible_frequencies_are_refused(run: Run, tmp_path: Path) -> None:
    cells, output = tmp_path / "cells.csv", tmp_path / "prior.json"
    cells.write_text("0.75 0.25 0.25 0.75\n")
    status, out, err = run("prior", "fit", *ROW, "--cells", str(cells), "-o", str(output))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"{cells}: the frequencies are impossible: " in err
    assert not output.exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty: it holds no frequencies"),
        ("0.5 x 0.5 0.25\n", "line 1: 'x' is no number"),
        ("# a\n\n0.5 -0.75 0.5 0.25\n", "line 3: '-0.75' is negative"),
        ("0.5 0.75 0.5\n", "line 1: 3 numbers, and board 1x4 has 4 columns"),
        ("2 3 2 1\n1 1 1 1\n", "the grid has 2 rows, and board 1x4 1"),
        ("0.5,,0.5 0.25\n", "line 1: '' is no number"),
        ("0.5 0.75 0.5 0.3\n", "the frequencies sum to 2.05, .* need 2: 0.05 too many"),
        ("2 3 2 2\n", "the counts sum to 9, .*: 1 too many"),
        ("0.5 1e999 0.5 0.3\n", r"cell B1: .*is outside \[0, 1\]"),
    ],
)
def test_wrong_grids_are_refused_in_one_line(
    run: Run, tmp_path: Path, text: str, message: str
) -> None:
    cells = tmp_path / "cells.csv"
    cells.write_text(text)
    status, out, err = run("prior", "fit", *ROW, "--cells", str(cells), "-o", str(tmp_path / "p"))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert str(cells) in err
    assert re.search(message, err), err


def test_show_needs_a_prior(run: Run, tmp_path: Path) -> None:
    assert run("prior", "show", "uniform")[0] == 2
    status, _, err = run("prior", "show", str(tmp_path / "none.json"))
    assert status == 2
    assert err.count("\n") == 1
    table = tmp_path / "table.csv"
    table.write_text("cells,sum\n1 2 3 4\n")
    assert run("prior", "show", str(table))[0] == 2
    status, out, _ = run("prior", "show", str(table), *ROW)
    assert status == 0
    assert "chance of each cell" in out
