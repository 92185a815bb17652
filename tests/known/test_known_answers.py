"""Known answers, published or computed by programs of other people: each is given once more."""

from __future__ import annotations

import json
import shlex
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support.known_answers import FOLDER, known, known_rules, label
from support.page_examples import run_here
from support.sweeps import figures, known_figures, known_sweep

from seabattle import Counter, Position, equilibrium, graph_size, greedy_tree, solve, verify

Entry = dict[str, Any]


def answers(name: str) -> Any:
    """A test for every answer of a file."""
    return pytest.mark.parametrize("entry", known(name), ids=label)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_every_answer_names_its_source(path: Any) -> None:
    if path.stem == "golden_games":  # one source for all: the release that played them
        assert json.loads(path.read_text(encoding="utf-8"))["made_by"].startswith("seabattle 0.2.0")
        return
    entries = known(path.stem)
    assert entries
    assert all(len(entry["source"]) >= len("computed") for entry in entries)


@answers("layout_counts")
def test_numbers_of_layouts(entry: Entry) -> None:
    rules = known_rules(entry)
    counter = Counter(rules)
    if "layouts" in entry:
        assert counter.count() == entry["layouts"]
    else:
        assert counter.labelled() == entry["labelled_layouts"]
    found = counter.map() if "labelled_probability" in entry else None
    for name, chance in entry.get("labelled_probability", {}).items():
        assert found is not None
        digits = len(str(chance).partition(".")[2])
        assert round(float(found.chance(name)), digits) == chance


@answers("sweeps")
def test_sweeps(entry: Entry) -> None:
    assert figures(known_sweep(entry)) == known_figures(entry)


@answers("occupancy")
def test_maps(entry: Entry) -> None:
    position = Position.of_cells(known_rules(entry), miss=entry.get("misses", []))
    found = Counter(position).map()
    assert found.layouts == entry.get("layouts", found.layouts)
    if "map" in entry:
        assert [list(row) for row in found.rows] == entry["map"]
    for name, count in entry.get("cells", {}).items():
        assert found.cells[position.rules.board.cell(name)] == count
    for name, chance in entry.get("chances", {}).items():
        assert round(float(found.chance(name)), 3) == chance
    board = position.rules.board
    best = [board.name(cell) for cell in found.best_cells]
    assert best == entry.get("best", best)


@answers("published_maps")
@pytest.mark.parametrize("after", ["empty", "after_C1"])
def test_maps_as_they_were_printed(entry: Entry, after: str) -> None:
    """In units of a thousand million layouts; the second from the bottom row up."""
    rules = known_rules(entry)
    found = Counter(Position.of_cells(rules, miss=["C1"] if after == "after_C1" else [])).map()
    rows = [[count // 10**9 for count in row] for row in found.rows]
    assert (rows if after == "empty" else rows[::-1]) == entry[after]


@answers("greedy_miss_path")
def test_likeliest_shots_when_every_shot_misses(entry: Entry) -> None:
    """The first few; ties are broken as printed."""
    position = Position(known_rules(entry))
    for shot in entry["shots"][:12]:
        assert shot in Counter(position).map().best_shots
        position = position.shoot(shot, "miss")


@answers("trees")
def test_optimal_trees(entry: Entry) -> None:
    rules = known_rules(entry)
    if "total" in entry:
        found = solve(rules, threads=1)
        assert (found.total_misses, found.status) == (entry["total"], "optimal")
        assert verify(found.tree).valid
    if "worst" in entry:
        assert solve(rules, "worst", threads=1).worst_misses == entry["worst"]
    if "front" in entry:
        front = solve(rules, "pareto", threads=1).front
        assert [[t.worst_misses, t.total_misses] for t in front] == entry["front"]
    if entry.get("graph_vertices", 10**7) < 10**6:
        size = graph_size(rules)
        assert size.vertices == entry["graph_vertices"]
        assert size.edges == entry.get("graph_edges", size.edges)


@answers("greedy")
def test_greedy_trees(entry: Entry) -> None:
    tree = greedy_tree(known_rules(entry), entry["rule"], reading=entry["reading"])
    assert verify(tree).valid
    assert (tree.total_misses, tree.worst_misses) == (entry["total"], entry["worst"])


@answers("equilibrium")
@pytest.mark.parametrize("mode", ["hit", "sunk"])
def test_games_of_hiding_and_shooting(entry: Entry, mode: str) -> None:
    solved = equilibrium(known_rules(entry).answering(mode))
    assert solved.is_exact
    assert solved.value == Fraction(entry[mode])


@answers("twins")
def test_what_the_naive_twin_has_found(entry: Entry) -> None:
    """Every objective and all best first shots, as ``python -m twins.results`` wrote them."""
    rules = known_rules(entry)
    for objective, point in (
        ("mean-worst", entry["mean-worst"]),
        ("worst-mean", entry["front"][0]),
    ):
        tree = solve(rules, objective, threads=1).tree
        assert [tree.worst_misses, tree.total_misses] == point
    found = solve(rules, threads=1, values=True)
    assert found.total_misses == entry["mean-worst"][1]
    assert set(found.best_shots) == set(entry["best_shots"])
    front = solve(rules, "pareto", threads=1).front
    assert [[t.worst_misses, t.total_misses] for t in front] == entry["front"]


def test_keys_of_the_flagship() -> None:
    """One thread looks at the same sub-tables in every run."""
    (entry,) = known("headline")
    found = solve(known_rules(entry), threads=1)
    assert (found.total_misses, found.states) == (entry["total"], entry["keys"])


def field(document: dict[str, Any], key: str) -> Any:
    """What an answer says under a key of ``asked.json``."""
    if key.startswith("#"):
        return len(document[key[1:]])
    name, _, most = key.partition("<=")
    if most:
        return sum(n for misses, n in document[name].items() if int(misses) <= int(most))
    name, _, cell = key.partition(".")
    if cell:
        return document[name][int(cell[1:]) - 1][ord(cell[0]) - ord("A")]
    return document[name]


@pytest.mark.parametrize("entry", known("asked"), ids=lambda entry: entry["command"][:60])
def test_what_people_asked(entry: Entry, tmp_path: Path) -> None:
    command = entry["command"].replace("{known}", str(FOLDER))
    status, printed, said = run_here([*shlex.split(command), "--json"], tmp_path, "")
    assert (status, said) == (0, "")
    document = json.loads(printed)
    for key, wanted in entry["expected"].items():
        found = field(document, key)
        if isinstance(wanted, float):
            found = round(found, len(str(wanted).partition(".")[2]))
        assert found == wanted, key
