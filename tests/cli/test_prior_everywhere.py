"""``--prior`` in count, advise, tournament and hide: figures beside exact fractions, bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.priors.files import load_prior
from seabattle.enumerate.rules import Rules

Run = Callable[..., tuple[int, str, str]]
SMALL = ["--board", "4x4", "--fleet", "3,1", "--answers", "sunk"]
RULES = Rules("4x4", "3,1", answers="sunk")
GRID = "cells,product\n3 2 2 3\n2 1 1 2\n2 1 1 0\n3 2 2 3\n"


@pytest.fixture
def prior(tmp_path: Path) -> str:
    """A prior file."""
    path = tmp_path / "edges.csv"
    path.write_text(GRID, encoding="utf-8")
    return str(path)


def exact(prior: str) -> tuple[list[Fraction], int]:
    """Chance of every cell by the definition, and the number of layouts."""
    weights = load_prior(prior, RULES).placements
    layouts = enumerate_layouts(RULES)
    total, cells = Fraction(0), [Fraction(0)] * 16
    for row in range(len(layouts)):
        weight = Fraction(1)
        for ship in layouts.ships[row].tolist():
            weight *= weights[ship]
        total += weight
        for placement in layouts.placements(row):
            for cell in placement.cells:
                cells[cell] += weight
    return [cell / total for cell in cells], len(layouts)


def test_count_answers_chances(run: Run, prior: str) -> None:
    status, out, err = run("count", *SMALL, "--prior", prior, "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    chances, layouts = exact(prior)
    flat = [chance for row in found["chances"] for chance in row]
    assert np.allclose(flat, [float(chance) for chance in chances], rtol=1e-10, atol=0)
    assert sum(flat) == pytest.approx(RULES.fleet.cells, rel=1e-12)
    assert (found["layouts"], found["prior"]) == (layouts, "edges.csv")
    assert "occupancy" not in found
    assert {"chances_seconds", "layouts_seconds"} <= set(found)
    best = max(chances)
    names = [RULES.board.name(cell) for cell, chance in enumerate(chances) if chance == best]
    assert found["best"] == names
    text = run("count", *SMALL, "--prior", prior)[1]
    assert "prior                       edges.csv" in text
    assert "chance in percent" in text


def test_count_draws_pictures_samples_and_paths(run: Run, prior: str, tmp_path: Path) -> None:
    picture = tmp_path / "map.svg"
    assert run("count", *SMALL, "--prior", prior, "--map", str(picture))[0] == 0
    assert "prior edges.csv" in picture.read_text(encoding="utf-8")
    drawn = json.loads(run("count", *SMALL, "--prior", prior, "--sample", "200", "--json")[1])
    assert not any("D3" in ship for layout in drawn["layouts"] for ship in layout)
    path = json.loads(run("count", *SMALL, "--prior", prior, "--miss-path", "--json")[1])["path"]
    assert all(0 < shot["chance"] <= 1 for shot in path)
    assert path[-1]["chance"] == pytest.approx(1)
    whole = run("count", *SMALL, "--prior", prior, "--no-map", "--json")[1]
    assert json.loads(whole)["layouts"] == exact(prior)[1]


def test_advise_takes_a_prior(run: Run, prior: str) -> None:
    known = ["--miss", "A1", "--hit", "B2"]
    status, out, _ = run("advise", *SMALL, *known, "--prior", prior, "--json")
    assert status == 0
    found = json.loads(out)
    assert found["prior"] == "edges.csv"
    assert "chances" in found
    assert found["method"] == "optimal"
    uniform = json.loads(run("advise", *SMALL, *known, "--json")[1])
    assert uniform["layouts"] == found["layouts"]
    assert uniform["mean_misses"] != found["mean_misses"]
    greedy = json.loads(run("advise", *SMALL, "--prior", prior, "--think", "0", "--json")[1])
    assert greedy["method"] == "greedy-map"
    assert greedy["best"] == json.loads(run("count", *SMALL, "--prior", prior, "--json")[1])["best"]


def test_a_tournament_says_its_prior(run: Run, prior: str) -> None:
    players = f"greedy-map,greedy-map@uniform,density,exact@{prior}"
    arguments = ["tournament", *SMALL, "--players", players, "--layouts", f"prior {prior}"]
    status, out, _ = run(*arguments, "--prior", prior, "--games", "200", "--workers", "1", "--json")
    assert status == 0
    found = json.loads(out)
    assert found["prior"] == "edges.csv"
    means = {row["player"]: row["misses"]["mean"] for row in found["players"]}
    assert set(means) == {"greedy-map", "greedy-map@uniform", "density", f"exact@{prior}"}
    assert means["greedy-map"] < means["greedy-map@uniform"]
    text = run(*arguments, "--prior", prior, "--games", "20", "--workers", "1")[1]
    assert "prior    edges.csv" in text


def test_hide_draws_by_a_prior(run: Run, prior: str) -> None:
    status, out, _ = run("hide", *SMALL, "--prior", prior, "--seed", "3", "--json")
    assert status == 0
    found = json.loads(out)
    assert (found["prior"], found["drawn"]) == ("edges.csv", "by the prior edges.csv")
    again = json.loads(run("hide", *SMALL, "--prior", prior, "--seed", "3", "--json")[1])
    assert again["layout"] == found["layout"]
    layouts = enumerate_layouts(RULES)
    names = [layouts.names(row) for row in range(len(layouts))]
    weights = load_prior(prior, RULES).relative_weights(layouts)
    row = names.index(found["layout"])
    assert found["probability"] == pytest.approx(weights[row] / weights.sum(), rel=1e-9)


def test_hide_on_a_full_board_is_uniform_and_says_so(run: Run) -> None:
    status, out, err = run("hide", "--fleet", "hasbro", "--seed", "1")
    assert status == 0
    assert "drawn    uniformly among 15,046,987,768 layouts" in out
    assert "is not known, because this game is not solved" in out
    assert err.startswith("seabattle: no equilibrium: ")
    assert "drawn uniformly instead (--prior uniform); --prior people hides as people" in err
    assert len(err.splitlines()) == 1
    status, out, _ = run("hide", "--fleet", "hasbro", "--prior", "people", "--seed", "1", "--json")
    found = json.loads(out)
    assert (status, found["prior"]) == (0, "people")
    assert 0 < found["probability"] < 1e-6
    status, _, err = run("hide", "--fleet", "hasbro", "--prior", "uniform", "--seed", "1")
    assert (status, err) == (0, "")
    assert "--prior people" not in run("hide", "--fleet", "russian", "--seed", "1")[2]


def test_hide_says_why_a_game_is_not_solved(run: Run) -> None:
    status, out, err = run("hide", "--board", "6x6", "--seed", "1")
    assert status == 0
    assert "drawn    uniformly among 894,296 layouts" in out
    assert "about 3.8e+09 sub-tables" in err


def test_people_are_where_they_were_seen(run: Run) -> None:
    found = json.loads(run("count", "--fleet", "hasbro", "--prior", "people", "--json")[1])
    assert found["layouts"] == 15_046_987_768
    counts = Path(__file__).resolve().parents[2] / "enumerate" / "priors" / "people" / "counts.csv"
    wanted = np.loadtxt(counts, delimiter=",") / 54_652
    assert np.abs(np.array(found["chances"]) - wanted).max() <= 1e-6
