"""The command line of the counter."""

import itertools
import json
import re
from fractions import Fraction

import numpy as np
import pytest
from support.known_answers import known

from seabattle.enumerate.board import Board
from seabattle.enumerate.counting import counter
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


def test_row_classes_are_printed(run):
    found = answer(run("count", *SMALL, "--row-classes", "--json"))
    assert len(found["classes_after_row"]) == 3
    status, out, _ = run("count", *SMALL, "--row-classes")
    assert status == 0
    assert f"classes after row 3  {found['classes_after_row'][2]}" in out


def test_a_count_without_a_map(run):
    found = answer(run("count", *GAME, "--no-map", "--miss", "C1", "--json"))
    assert found["layouts"] == 1379750734899553
    assert "occupancy" not in found
    status, out, _ = run("count", *SMALL, "--no-map")
    assert status == 0
    assert re.search(r"^layouts +4$", out, re.M)


def test_a_map_in_words(run):
    status, out, err = run("count", *SMALL)
    assert (status, err) == (0, "")
    assert re.search(r"^layouts +4$", out, re.M)
    assert " 1 4 1 4" in out
    status, out, err = run("count", *SMALL, "--percent", "--miss", "B1")
    assert (status, err) == (0, "")
    assert re.search(r"^likeliest cells +A1 C1 A3 C3: 100 %$", out, re.M)
    assert "33" in out


def test_pictures_are_saved(run, tmp_path, monkeypatch):
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
    for option, says in (
        (["--scale", "100"], "scale 100.0: write a number from 0.1 to 20, such as 2"),
        (["--scale", "nan"], "scale nan: write a number"),
        (["--theme", "blue"], "'blue' is not one of 'light', 'dark', 'print'"),
    ):
        status, out, err = run("count", *SMALL, "--map", str(tmp_path / "map.svg"), *option)
        assert (status, out) == (2, "")
        assert says in err
    status, out, err = run("count", *SMALL, "--theme", "dark")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "--theme is of the picture of --map, which is not given" in err
    monkeypatch.setattr(counter, "Counter", None)  # refused before anything is counted
    status, out, err = run("count", *SMALL, "--map", str(tmp_path / "map.bmp"))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "map.bmp: .bmp is no picture; write a .svg, .png or .pdf file" in err


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


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((*GAME, "--miss", "K1"), "'K1' is off the board 10x10"),
        ((*GAME, "--miss", "A1", "--hit", "a1"), "A1 is given twice, as miss and as hit"),
        ((*GAME, "--sunk", "A1:B2"), "neither in one row nor in one column"),
        ((*GAME, "--sunk", "A1:A5"), "has no ship of length 5"),
        ((*GAME, "--sunk", "A1:A4,C1:C4"), "only 1 of length 4"),
        ((*GAME, "--answers", "hit", "--sunk", "A1"), "does not belong to these rules"),
        (("--board", "17x17", "--fleet", "2"), "shorter side is 17"),
        (("--board", "14x14", "--fleet", "russian", "--memory-limit", "0.1"), "needs about"),
        ((*SMALL, "--row-classes", "--map", "x.svg"), "--row-classes prints no map"),
        ((*SMALL, "--row-classes", "--miss-path"), "leave out --row-classes"),
        ((*SMALL, "--row-classes", "--miss", "A1"), "leave out the shots"),
        ((*SMALL, "--contact", "sides", "--row-classes"), "defined for contact rule 'none'"),
        ((*SMALL, "--ship", "2"), "length 2: the fleet 3,1,1 has no such ship"),
        ((*SMALL, "--ship", "0"), "--ship"),
        ((*SMALL, "--ship", "3", "--no-map"), "--no-map prints no map: leave out --ship"),
        ((*SMALL, "--sample", "0"), "--sample"),
        ((*SMALL, "--seed", "3"), "--seed is the seed of --sample, which is not given"),
        ((*SMALL, "--memory-limit", "0"), "--memory-limit 0"),
        ((*SMALL, "--hit", "B2"), "no layout of 3,1,1 fits these answers: B2 hit"),
        (("--board", "2x2", "--fleet", "2,2"), "no layout on the board 2x2"),
        (("--board", "1000000x1000000"), "1000000x1000000: 1,000,000,000,000 cells, at most 1"),
        (("--board", "\uff15x5"), "board '\uff15x5': write ROWSxCOLUMNS"),
        (("--board", "x" * 9999), "xxx': write ROWSxCOLUMNS"),
        (("--fleet", "9" * 9999), "999': ship length of 9999 digits is out of range, 1 to 9999"),
        (("--fleet", "3,2," + "y" * 9999), "yyy' is no ship length"),
        (("--contact", "z" * 9999), "zzz' is unknown; the contact rules are none, corners, sides"),
        (("--miss", "A" * 9999), "AAA': write a letter and a number, from A1 to E5"),
        (("--sunk", "A1:"), "ship 'A1:': write its two ends, as in A1:A4, or its one cell"),
        (("--sunk-at", "A1=\u00b2"), "sunk at 'A1=\u00b2': write the cell and the length"),
        (("--sunk-at", "A1=\uff11"), "sunk at 'A1=\uff11': write the cell and the length"),
        (("--sunk-at", "=3"), "sunk at '=3': write the cell and the length, as in C7=3, or C7"),
        (("--answers", "ship", "--named", "A1=3"), "named hit 'A1=3': write the cell and the ship"),
        (("--answers", "ship", "--named", "A1=3#0"), "named hit 'A1=3#0': write the cell and the"),
        (("--answers", "ship", "--named", "=3#1"), "named hit '=3#1': write the cell and the ship"),
        (("--shots", "A1 sunk=x"), "shot 'A1 sunk=x': write miss, hit, sunk, sunk=LENGTH or hit="),
        (("--position", "a\nb.json"), "cannot read a\\nb.json: No such file"),
    ],
)
def test_bad_input_is_one_line(run, arguments, why):
    status, out, err = run("count", *arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert why in err
    assert len(err) < 300


def test_chances_are_fractions_of_the_layouts(run):
    found = answer(run("count", *SMALL, "--percent", "--json"))
    for counts, shares in zip(found["occupancy"], found["percent"], strict=True):
        assert shares == [float(Fraction(100 * n, found["layouts"])) for n in counts]
    assert np.array(found["percent"]).shape == (3, 3)
    assert Board.parse(found["board"]).cells == 9
