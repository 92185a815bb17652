"""The command ``bound``: what no strategy can do better than."""

import json

import pytest

from seabattle import Rules, miss_bound, solve

SMALL = ["--board", "4x4", "--fleet", "2,1,1", "--answers", "sunk"]


def test_a_bound_is_told_with_what_it_is_made_of(run):
    rules = Rules("4x4", "2,1,1", answers="sunk")
    found = miss_bound(rules)
    status, out, err = run("bound", *SMALL, "--json")
    told = json.loads(out)
    assert (status, err) == (0, "")
    assert told["total_misses"] == found.total_misses <= solve(rules).total_misses
    assert told["mean_misses"] == float(found.mean_misses)
    assert told["mean_shots"] == float(found.mean_misses + 4)
    assert told["misses_to_find"] + told["misses_beside"] == pytest.approx(told["mean_misses"])
    assert sorted(told["hidden"] + told["shown"]) == [1, 1, 2]
    assert told["layouts"] == found.layouts
    status, out, err = run("bound", *SMALL)
    assert (status, err) == (0, "")
    assert f"at least {float(found.mean_misses):.4f} on average" in out
    assert f"at least {float(found.mean_shots):.4f}, with the 4 cells of the fleet" in out


@pytest.mark.parametrize(
    ("first_shots", "line"), [("0", None), ("1", "best 1 cell"), ("2", "best 2 cells")]
)
def test_first_shots_are_searched_if_asked(run, first_shots, line):
    game = ["--board", "4x4", "--fleet", "1,1", "--answers", "hit"]
    status, out, _ = run("bound", *game, "--first-shots", first_shots)
    found = miss_bound(Rules("4x4", "1,1"), first_shots=int(first_shots))
    assert status == 0
    assert f"at least {float(found.mean_misses):.4f} on average" in out
    assert ("first shots" in out) == bool(found.first_shots)
    if found.first_shots and line:
        assert line in out


def test_where_nothing_is_proven_a_line_says_so(run):
    status, out, _ = run("bound", "--board", "2x2", "--fleet", "2,2", "--contact", "sides")
    assert status == 0
    assert "these arguments prove nothing about this game" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--first-shots", "-1"], "-1: must be 0 to 4"),
        (["--first-shots", "5"], "5: must be 0 to 4"),
        (["--board", "3x3", "--fleet", "4"], "longer than the board"),
        (["--board", "3x3", "--fleet", "2,2,2,2", "--contact", "none"], "no layout on the board"),
        (["--answers", "maybe"], "the answer modes are hit, sunk, ship"),
    ],
)
def test_bad_input_gets_one_line(run, arguments, message):
    status, out, err = run("bound", *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
