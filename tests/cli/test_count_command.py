"""The command line of the counter."""

import itertools
import json
import re
from fractions import Fraction

import numpy as np
from support.known_answers import known

from seabattle.enumerate.board import Board
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Rules

GAME = ("--board", "10x10", "--fleet", "russian")
SMALL = ("--board", "3x3", "--fleet", "3,1,1")


def answer(told):
    """The JSON of a command that succeeded."""
    status, out, err = told
    assert (status, err) == (0, "")
    return json.loads(out)


def test_the_published_map_digit_by_digit(run):
    """The map of "Again Sea battle" (Habr), in units of 10^9 layouts, top row first."""
    found = answer(run("count", *GAME, "--json"))
    assert found["layouts"] == 1855545978831780
    assert found["labelled_layouts"] == 1855545978831780 * 24 * 6 * 2
    published = known("published_maps")[0]
    assert [[n // 10**9 for n in row] for row in found["occupancy"]] == published["empty"]
    assert found["best"] == ["C1", "H1", "A3", "J3", "A8", "J8", "C10", "H10"]
    assert len(found["states"]) == 10
    after = answer(run("count", *GAME, "--miss", "C1", "--json"))
    # the source prints this map with its rows from the bottom up
    assert [[n // 10**9 for n in row] for row in after["occupancy"]][::-1] == published["after_C1"]
    assert after["best"] == ["J8"]


def test_the_published_miss_path(run):
    entry = known("greedy_miss_path")[0]
    found = answer(run("count", *GAME, "--miss-path", "--json"))["path"]
    assert [shot["cell"] for shot in found] == entry["shots"]
    assert found[23]["layouts"] == 239529088298
    assert found[34]["layouts"] == found[34]["occupancy"] == 15769102
    assert [n for n, shot in enumerate(found, start=1) if shot["ties"]] == [1, 3, 5, 7, 9]
    for before, after in itertools.pairwise(found):
        assert before["layouts"] - before["occupancy"] == after["layouts"]


def test_pictures_are_saved(run, tmp_path):
    begins = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}
    for suffix, begin in begins.items():
        path = tmp_path / f"map.{suffix}"
        status, _, err = run("count", *SMALL, "--map", str(path), "--theme", "print")
        assert (status, err) == (0, "")
        assert path.read_bytes().startswith(begin)
    small, large = tmp_path / "small.png", tmp_path / "large.png"
    assert run("count", *SMALL, "--map", str(small), "--scale", "1")[0] == 0
    assert run("count", *SMALL, "--map", str(large), "--scale", "3")[0] == 0
    sizes = [int.from_bytes(path.read_bytes()[16:20]) for path in (small, large)]
    assert sizes[1] == 3 * sizes[0]


def test_layouts_are_drawn_by_seed(run):
    drawn = answer(run("count", *SMALL, "--sample", "40", "--seed", "3", "--json"))["layouts"]
    table = placement_table(Rules("3x3", "3,1,1"))
    assert len({table.parse_layout(row) for row in drawn}) == 4
    status, out, _ = run("count", *SMALL, "--sample", "40", "--seed", "3")
    assert status == 0
    assert [line.split() for line in out.splitlines()] == drawn
    assert answer(run("count", *SMALL, "--sample", "40", "--json"))["layouts"] != drawn


def test_under_sides_the_order_of_shots_counts(run):
    game = ("--board", "3x3", "--fleet", "3,2", "--contact", "sides", "--announce", "none")
    early = answer(run("count", *game, "--shots", "C3 hit, B3 sunk, A3 hit", "--json"))
    late = answer(run("count", *game, "--shots", "C3 hit, A3 hit, B3 sunk", "--json"))
    some = answer(run("count", *game, "--hit", "C3,A3", "--sunk-at", "B3", "--json"))
    assert (early["layouts"], late["layouts"]) == (1, 9)
    assert some["layouts"] >= 9
    assert sum(map(sum, some["occupancy"])) == 5 * some["layouts"]


def test_where_the_ship_of_one_length_can_be(run, tmp_path):
    whole = answer(run("count", *SMALL, "--percent", "--json"))
    assert "ship" not in whole
    found = answer(run("count", *SMALL, "--ship", "3", "--percent", "--json"))
    ship = found.pop("ship")
    assert ship == {
        "length": 3,
        "occupancy": [[2, 1, 2], [1, 0, 1], [2, 1, 2]],
        "best": ["A1", "C1", "A3", "C3"],
        "percent": [[50.0, 25.0, 50.0], [25.0, 0.0, 25.0], [50.0, 25.0, 50.0]],
    }
    del whole["seconds"], found["seconds"]
    assert found == whole
    status, out, err = run("count", *SMALL, "--ship", "3", "--miss", "B1")
    assert (status, err) == (0, "")
    assert re.search(r"^likeliest for length 3 +A3 C3: 66.67 %$", out, re.M)
    assert "layouts in which a ship of length 3 occupies each cell:" in out
    assert " 1 1 0 1" in out.splitlines()[-3]
    picture = tmp_path / "three.svg"
    status, out, _ = run("count", *SMALL, "--ship", "1", "--percent", "--map", str(picture))
    assert (status, "How likely a ship of length 1 occupies each cell" in out) == (0, True)
    assert "a ship of length 1 occupies each cell" in picture.read_text(encoding="utf-8")


def test_chances_are_fractions_of_the_layouts(run):
    found = answer(run("count", *SMALL, "--percent", "--json"))
    for counts, shares in zip(found["occupancy"], found["percent"], strict=True):
        assert shares == [float(Fraction(100 * n, found["layouts"])) for n in counts]
    assert np.array(found["percent"]).shape == (3, 3)
    assert Board.parse(found["board"]).cells == 9
