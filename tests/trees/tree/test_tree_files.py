"""Tree files: round trips, and one clear line for every file that is none."""

import copy
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from twins.naive_trees import greedy_tree, optimal_tree

from seabattle.enumerate.errors import SeabattleError, TreeError
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.trees.files import (
    load_tree,
    read_document,
    save_tree,
    tree_document,
)
from seabattle.trees.tree import Reading
from seabattle.trees.verify import verify

ARRAYS = ("shots", "first", "answers", "children", "leaf", "ships", "weights")
FIELDS = (
    "rules",
    "reading",
    "objective",
    "status",
    "total_misses",
    "worst_misses",
    "position",
)

TREES = {
    "hit": greedy_tree(Rules("3x3", "3,1,1")),
    "sunk": greedy_tree(Rules("3x4", "2,1,1", "corners", "sunk"), "half"),
    "sides": greedy_tree(Rules("3x3", "2,2", "sides", "sunk")),
    "ship": greedy_tree(Rules("3x3", "2,2", "sides", "ship")),
    "optimal": optimal_tree(Rules("3x3", "2,1")),
    "weighted": greedy_tree(Rules("3x3", "2,1"), weights=lambda row: sum(row) % 5),
    "positive": greedy_tree(Rules("3x3", "2,1", answers="sunk"), reading=Reading.POSITIVE),
    "position": greedy_tree(
        Rules("3x3", "3,2", "sides", "sunk"), history=[(8, "hit"), (6, "hit"), (7, "sunk:3")]
    ),
    "one leaf": greedy_tree(Rules("1x3", "3")),
    "wide": greedy_tree(Rules("2x36", "36")),
}
trees = pytest.mark.parametrize("name", TREES)


def same(one, two):
    """Whether two trees are equal in every field."""
    return all(getattr(one, field) == getattr(two, field) for field in FIELDS) and all(
        np.array_equal(getattr(one, array), getattr(two, array))
        and getattr(one, array).dtype == getattr(two, array).dtype
        for array in ARRAYS
    )


@pytest.mark.parametrize(("ordered", "ships"), [(False, ((0, 3),)), (True, ((0, 3),)), (False, ())])
def test_what_is_known_of_order_and_ships_is_kept(ordered, ships, tmp_path):
    shots = ((0, 1), (3, 0x102), (6, 1))
    position = Position(Rules("3x3", "3,2", "sides", "sunk"), shots, ordered, ships)
    tree = replace(TREES["position"], position=position)
    save_tree(tree, tmp_path / "tree.json")
    assert load_tree(tmp_path / "tree.json").position == position


@trees
def test_files_round_trip(name, tmp_path):
    tree = TREES[name]
    path = tmp_path / "deep" / "down" / "tree.json"
    save_tree(tree, path)
    again = load_tree(path)
    assert same(again, tree)
    assert verify(again) == verify(tree)
    assert verify(again).valid
    save_tree(again, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()
    assert json.loads(path.read_text(encoding="utf-8")) == tree_document(tree)
    assert same(read_document(tree_document(tree)), tree)


def test_the_document_is_the_format_described():
    document = tree_document(TREES["hit"])
    nodes = document.pop("nodes")
    assert document == {
        "format": "seabattle-tree",
        "version": 1,
        "board": "3x3",
        "fleet": "3,1,1",
        "contact": "none",
        "answers": "hit",
        "announce": "length",
        "reading": "full",
        "objective": "hits",
        "status": "heuristic",
        "total_misses": 6,
        "worst_misses": 3,
    }
    assert nodes[0] == {"shot": "B1", "next": {"miss": 1, "hit": 6}}
    assert nodes[6] == {"layouts": [["A1:C1", "A3", "C3"]]}
    assert "weights" in tree_document(TREES["weighted"])
    position = tree_document(TREES["position"])["position"]
    assert position == [["C3", "hit"], ["A3", "hit"], ["B3", "sunk:3"]]


def refused(path, error=TreeError):
    """The one line, naming it, in which a file is refused."""
    with pytest.raises(error) as caught:
        load_tree(path)
    text = str(caught.value)
    assert str(path) in text
    assert "\n" not in text
    return text


@trees
def test_files_cut_short_are_refused(name, tmp_path):
    path = tmp_path / "tree.json"
    save_tree(TREES[name], path)
    whole = path.read_bytes()
    step = max(1, len(whole) // 60)
    for length in [*range(0, len(whole) - 2, step), len(whole) - 3, len(whole) - 2]:
        path.write_bytes(whole[:length])
        assert "is no JSON, or was cut short: line" in refused(path)


MISSING = object()

EDITS = [
    (("board",), MISSING, "the field 'board' is missing"),
    (("board",), 5, "the field 'board' must be text"),
    (("board",), "3", "ROWSxCOLUMNS"),
    (("board",), "99999x99999", "at most 1,024"),
    (("board",), "12x12", "up to 128 cells, this one has 144"),
    (("fleet",), "4,1", "length 4 is longer than the board 3x3"),
    (("contact",), "all", "contact rule 'all' is unknown"),
    (("answers",), "maybe", "answer mode 'maybe' is unknown"),
    (("reading",), "negative", "must be full or positive"),
    (("status",), "perfect", "must be one of optimal, bounded, heuristic"),
    (("objective",), "two\nlines", "the field 'objective'"),
    (("total_misses",), "6", "must be a whole number"),
    (("total_misses",), True, "must be a whole number"),
    (("total_misses",), -1, "'total_misses' is out of range"),
    (("worst_misses",), 10**400, "'worst_misses' is out of range"),
    (("weights",), [1, 2], "2 given for 4 layouts"),
    (("weights",), [1, 2, 3, 4.5], "must be an array of whole numbers"),
    (("weights",), [1, 2, 3, 2**61], "too large for exact totals"),
    (("weights",), [1, 2, 3, -4], "1 are negative"),
    (("weights",), [0, 0, 0, 0], "all are zero"),
    (("position",), [["A1"]], "must be an array of .cell, answer."),
    (("position",), [["A1", "hit"], ["A1", "miss"]], "A1 is given twice"),
    (("position",), [["A1", "sunk"]], "'sunk' does not belong to these rules"),
    (("position",), [["J1", "hit"]], "off the board"),
    (("nodes",), [], "'nodes' is empty"),
    (("nodes", 0), None, "node 0 must have either"),
    (("nodes", 0, "layouts"), [], "node 0 must have either"),
    (("nodes", 0, "shot"), 1, "node 0: 'shot' must be the name of a cell"),
    (("nodes", 0, "shot"), "J1", "off the board"),
    (("nodes", 0, "shot"), "A" + "9" * 5000, "write a letter and a number"),
    (("nodes", 0, "next"), {}, "node 0: 'next' must name the node"),
    (("nodes", 0, "next", "miss"), 0, "leads to node 0, which does not exist"),
    (("nodes", 0, "next", "miss"), 7, "leads to node 7, which does not exist .nodes 1 to 6."),
    (("nodes", 0, "next", "miss"), -1, "leads to node -1, which does not exist"),
    (("nodes", 0, "next", "miss"), True, "leads to node True, which does not exist"),
    (("nodes", 0, "next", "splash"), 2, "answer 'splash'"),
    (("nodes", 0, "next", "sunk:" + "9" * 5000), 2, "answer 'sunk:9"),
    (("nodes", 6, "layouts"), [], "at least one layout"),
    (("nodes", 6, "layouts", 0), "A1:C1", "a layout must be an array of ships"),
    (("nodes", 6, "layouts", 0), ["A1:C1", "A3"], "its ships are 3,1, not 3,1,1"),
    (("nodes", 6, "layouts", 0), ["A1:C1", "A2", "C3"], "A1:C1 and A2 touch"),
    (("nodes", 6, "layouts", 0), ["A1:B3", "A3", "C3"], "neither in one row"),
]


@pytest.mark.parametrize(
    ("path", "value", "why"),
    EDITS,
    ids=[f"{'.'.join(map(str, path))[:30]}-{n}" for n, (path, _, _) in enumerate(EDITS)],
)
def test_edited_files_are_refused(path, value, why, tmp_path):
    document = copy.deepcopy(tree_document(TREES["hit"]))
    place = document
    for key in path[:-1]:
        place = place[key]
    if value is MISSING:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    with pytest.raises(SeabattleError, match=why):
        read_document(document)
    (tmp_path / "tree.json").write_text(json.dumps(document))
    assert re.search(why, refused(tmp_path / "tree.json"))


def test_references_given_twice_are_left_to_verification(tmp_path):
    """Which of two equal keys counts is the reader's choice; the tree is wrong either way."""
    path = tmp_path / "tree.json"
    save_tree(TREES["hit"], path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"hit": 6', '"hit": 6, "hit": 1'))
    assert verify(load_tree(path)).problems == (
        "the nodes are no tree: a node has no parent or more than one",
    )
    path.write_text(text.replace('"hit": 6', '"hit": 1, "hit": 6'))
    assert verify(load_tree(path)).valid
    save_tree(TREES["ship"], path)
    text = path.read_text(encoding="utf-8")
    assert '"hit:2#1"' in text
    first = json.loads(text)["nodes"][0]["next"]["hit:2#1"]
    path.write_text(
        text.replace(f'"hit:2#1": {first}', f'"hit:2#1": {first}, "hit:2#01": {first}', 1)
    )
    assert not verify(load_tree(path)).valid
