"""Tree files: round trips, and one clear line for every file that is none."""

import copy
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from twins.naive_trees import greedy_tree, optimal_tree

from seabattle.enumerate import files as lined_json
from seabattle.enumerate.errors import FileAccessError, SeabattleError, TreeError
from seabattle.enumerate.files import write_text
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.trees import files as tree_files
from seabattle.trees.files import (
    load_tree,
    read_document,
    save_tree,
    tree_document,
)
from seabattle.trees.tree import Node, Reading
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


def test_unknown_fields_of_a_position_are_refused():
    document = tree_document(TREES["position"])
    document["position"] = {"shots": document["position"], "sorted": True}
    with pytest.raises(TreeError, match="position: the field 'sorted' is unknown"):
        read_document(document)


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


def plain_text(tree):
    """The text of a tree file, made of one Python object per node."""
    document = {k: v for k, v in tree_document(tree).items() if k != "nodes"}
    nodes = []
    for v in range(len(tree)):
        node = Node(tree, v)
        inner = {"shot": tree.rules.board.name(node.shot), "next": {}} if node.shot >= 0 else {}
        for text, child in node.children.items():
            inner["next"][text] = child.index
        nodes.append(inner or {"layouts": node.layouts})
    body = ",\n".join(json.dumps(node, ensure_ascii=False) for node in nodes)
    return f'{json.dumps(document, ensure_ascii=False)[:-1]}, "nodes": [\n{body}\n]}}\n'


@trees
@pytest.mark.parametrize("at_once", [1, 2, 3, 1000])
def test_pieces_make_the_text_that_was_always_written(name, at_once, tmp_path, monkeypatch):
    monkeypatch.setattr(tree_files, "NODES_AT_ONCE", at_once)
    monkeypatch.setattr(lined_json, "LINES_AT_ONCE", at_once)
    path = tmp_path / "tree.json"
    save_tree(TREES[name], path)
    text = path.read_text(encoding="utf-8")
    assert text == plain_text(TREES[name])
    assert same(load_tree(path), TREES[name])


@trees
@pytest.mark.parametrize("indent", [None, 1])
def test_a_file_that_is_not_in_lines_is_read_as_a_whole(name, indent, tmp_path):
    path = tmp_path / "tree.json"
    path.write_text(json.dumps(tree_document(TREES[name]), indent=indent), encoding="utf-8")
    assert same(load_tree(path), TREES[name])


LINES = plain_text(TREES["hit"]).splitlines(keepends=True)


@pytest.mark.parametrize(
    "lines",
    [
        [*LINES[:3], "\n", *LINES[3:]],  # an empty line
        [*LINES[:2], LINES[2][:-1] + " " + LINES[3], *LINES[4:]],  # two nodes on a line
        [*LINES[:-1], LINES[-1][:-1]],  # no line break at the end
        [*LINES, "\n"],
        [line.replace("\n", "\r\n") for line in LINES],
        [LINES[0][:-1], *LINES[1:]],
    ],
)
def test_other_line_breaks_are_no_fault(lines, tmp_path, monkeypatch):
    path = tmp_path / "tree.json"
    path.write_bytes("".join(lines).encode())
    for at_once in (1, 2, 1000):
        monkeypatch.setattr(lined_json, "LINES_AT_ONCE", at_once)
        assert same(load_tree(path), TREES["hit"])


@pytest.mark.parametrize(
    "lines",
    [
        LINES[:-1],
        [*LINES[:2], LINES[2][:-2] + "\n", *LINES[3:]],  # a comma is missing
        [*LINES[:-2], LINES[-2][:-1] + ",\n", LINES[-1]],  # one too many
        [*LINES, "{}\n"],
        [*LINES[:2], "],[\n", *LINES[2:]],
        [LINES[0].replace('"nodes"', '"x": {"nodes"'), *LINES[1:]],
        [*LINES[:2], "nonsense,\n", *LINES[2:]],
    ],
)
def test_what_is_no_json_is_refused_in_lines_too(lines, tmp_path, monkeypatch):
    path = tmp_path / "tree.json"
    path.write_bytes("".join(lines).encode())
    for at_once in (1, 2, 1000):
        monkeypatch.setattr(lined_json, "LINES_AT_ONCE", at_once)
        with pytest.raises(TreeError, match=rf"^{re.escape(str(path))} is no JSON"):
            load_tree(path)


def test_nodes_are_written_one_a_line(tmp_path):
    save_tree(TREES["sunk"], tmp_path / "tree.json")
    lines = (tmp_path / "tree.json").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(TREES["sunk"]) + 2
    for line, node in zip(lines[1:-1], tree_document(TREES["sunk"])["nodes"], strict=True):
        assert json.loads(line.rstrip(",")) == node


def test_a_file_is_replaced_whole_and_nothing_is_left_behind(tmp_path):
    path = tmp_path / "tree.json"
    save_tree(TREES["sunk"], path)
    save_tree(TREES["hit"], path)
    assert same(load_tree(path), TREES["hit"])
    assert [p.name for p in tmp_path.iterdir()] == ["tree.json"]


def test_places_that_cannot_be_written_get_one_line(tmp_path):
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "file" / "tree.json", tmp_path):
        with pytest.raises(FileAccessError, match="cannot write") as caught:
            save_tree(TREES["hit"], path)
        assert "\n" not in str(caught.value)


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "tree.json"
    write_text(path, "tree: old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(FileAccessError, match=r"tree\.json: No space left on device"):
        write_text(path, "tree: new")
    assert [p.name for p in tmp_path.iterdir()] == ["tree.json"]
    assert path.read_text() == "tree: old"


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


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is no JSON, or was cut short: line 1"),
        (b"hello", "is no JSON"),
        (b"\xff\xfe\x00", "it is not UTF-8 text"),
        (b"\xef\xbb\xbf{}", "is no JSON"),
        (b"\x00" * 50, "is no JSON"),
        (b"[" * 100_000, "is no JSON"),
        (b"null", "no tree file: its 'format'"),
        (b"[]", "no tree file: its 'format'"),
        (b"17", "no tree file: its 'format'"),
        (b'"seabattle-tree"', "no tree file: its 'format'"),
        (b"{}", "no tree file: its 'format'"),
        (b'{"format": "seabattle-position", "version": 1}', "no tree file: its 'format'"),
        (b'{"format": ["seabattle-tree"]}', "no tree file: its 'format'"),
        (b'{"format": "seabattle-tree"}', "version None of the tree format is unknown"),
        (b'{"format": "seabattle-tree", "version": 2}', "version 2 .* reads version 1"),
        (b'{"format": "seabattle-tree", "version": "1"}', "version '1'"),
        (b'{"format": "seabattle-tree", "version": true}', "version True"),
        (b'{"format": "seabattle-tree", "version": NaN}', "NaN is no number"),
        (b'{"format": "seabattle-tree", "version": ' + b"9" * 5000 + b"}", "is no JSON"),
        (b'{"format": "seabattle-tree", "version": 1}', "field 'board' is missing"),
    ],
    ids=lambda value: repr(value[:40]) if isinstance(value, bytes) else "",
)
def test_foreign_files_are_refused(content, why, tmp_path):
    path = tmp_path / "foreign.json"
    path.write_bytes(content)
    assert re.search(why, refused(path))


@pytest.mark.parametrize("depth", [200, 900, 930, 960, 980, 990, 2000])
def test_nesting_is_refused_at_every_depth(depth, tmp_path):
    path = tmp_path / "deep.json"
    nested = "[" * depth + "]" * depth
    path.write_text(f'{{"format": "seabattle-tree", "version": {nested}}}')
    assert re.search("is no JSON|nested too deeply|is unknown", refused(path))
    document = tree_document(TREES["hit"])
    text = json.dumps(document).replace('"miss": 1', f'"miss": {nested}')
    path.write_text(text)
    assert re.search("is no JSON|nested too deeply|which does not exist", refused(path))


def test_files_that_are_not_there_are_refused(tmp_path):
    missing = refused(tmp_path / "nothing.json", FileAccessError)
    assert re.search("cannot read .*No such file", missing)
    assert re.search("cannot read .*directory", refused(tmp_path, FileAccessError))


MISSING = object()

EDITS = [
    (("board",), MISSING, "the field 'board' is missing"),
    (("nodes",), MISSING, "the field 'nodes' is missing"),
    (("worst_misses",), MISSING, "the field 'worst_misses' is missing"),
    (("board",), 5, "the field 'board' must be text"),
    (("board",), "3", "ROWSxCOLUMNS"),
    (("board",), "99999x99999", "at most 1,024"),
    (("board",), "12x12", "up to 128 cells, this one has 144"),
    (("fleet",), [3, 1, 1], "the field 'fleet' must be text"),
    (("fleet",), "4,1", "length 4 is longer than the board 3x3"),
    (("fleet",), "", "fleet is empty"),
    (("contact",), "all", "contact rule 'all' is unknown"),
    (("answers",), "maybe", "answer mode 'maybe' is unknown"),
    (("announce",), None, "the field 'announce' must be text"),
    (("reading",), "negative", "must be full or positive"),
    (("status",), "perfect", "must be one of optimal, bounded, heuristic"),
    (("objective",), 1, "the field 'objective' must be text"),
    (("objective",), "two\nlines", "the field 'objective'"),
    (("objective",), "\ud800", "the field 'objective'"),
    (("total_misses",), "6", "must be a whole number"),
    (("total_misses",), 6.0, "must be a whole number"),
    (("total_misses",), True, "must be a whole number"),
    (("total_misses",), None, "must be a whole number"),
    (("total_misses",), -1, "'total_misses' is out of range"),
    (("worst_misses",), 10**400, "'worst_misses' is out of range"),
    (("weights",), [1, 2], "2 given for 4 layouts"),
    (("weights",), [1, 2, 3, 4.5], "must be an array of whole numbers"),
    (("weights",), [1, 2, 3, True], "must be an array of whole numbers"),
    (("weights",), [1, 2, 3, 10**30], "must be an array of whole numbers"),
    (("weights",), [1, 2, 3, 2**61], "too large for exact totals"),
    (("weights",), [1, 2, 3, -4], "1 are negative"),
    (("weights",), [0, 0, 0, 0], "all are zero"),
    (("weights",), {"0": 1}, "must be an array of whole numbers"),
    (("position",), [["A1"]], "must be an array of .cell, answer."),
    (("position",), "A1 hit", "must be an array of .cell, answer."),
    (("position",), [["A1", 1]], "must be an array of .cell, answer."),
    (("position",), [["A1", "hit"], ["A1", "miss"]], "A1 is given twice"),
    (("position",), [["A1", "sunk"]], "'sunk' does not belong to these rules"),
    (("position",), [["J1", "hit"]], "off the board"),
    (("position",), [["A1", "boom"]], "answer 'boom'"),
    (("nodes",), [], "'nodes' is empty"),
    (("nodes",), {"0": {}}, "'nodes' must be an array"),
    (("nodes", 0), None, "node 0 must have either"),
    (("nodes", 0), [], "node 0 must have either"),
    (("nodes", 0), {}, "node 0 must have either"),
    (("nodes", 0), {"shot": "B1"}, "node 0 must have either"),
    (("nodes", 0, "layouts"), [], "node 0 must have either"),
    (("nodes", 0, "shot"), 1, "node 0: 'shot' must be the name of a cell"),
    (("nodes", 0, "shot"), "J1", "off the board"),
    (("nodes", 0, "shot"), "", "write a letter and a number"),
    (("nodes", 0, "shot"), "A" + "9" * 5000, "write a letter and a number"),
    (("nodes", 0, "next"), {}, "node 0: 'next' must name the node"),
    (("nodes", 0, "next"), [1, 6], "node 0: 'next' must name the node"),
    (("nodes", 0, "next", "miss"), 0, "leads to node 0, which does not exist"),
    (("nodes", 0, "next", "miss"), 7, "leads to node 7, which does not exist .nodes 1 to 6."),
    (("nodes", 0, "next", "miss"), -1, "leads to node -1, which does not exist"),
    (("nodes", 0, "next", "miss"), 2**40, "which does not exist"),
    (("nodes", 0, "next", "miss"), 1.0, "leads to node 1.0, which does not exist"),
    (("nodes", 0, "next", "miss"), True, "leads to node True, which does not exist"),
    (("nodes", 0, "next", "miss"), None, "leads to node None, which does not exist"),
    (("nodes", 0, "next", "splash"), 2, "answer 'splash'"),
    (("nodes", 0, "next", "sunk:" + "9" * 5000), 2, "answer 'sunk:9"),
    (("nodes", 6, "layouts"), [], "at least one layout"),
    (("nodes", 6, "layouts"), "A1", "must be an array with at least one layout"),
    (("nodes", 6, "layouts", 0), "A1:C1", "a layout must be an array of ships"),
    (("nodes", 6, "layouts", 0), [1, 2, 3], "a layout must be an array of ships"),
    (("nodes", 6, "layouts", 0), [], "its ships are no ship, not 3,1,1"),
    (("nodes", 6, "layouts", 0), ["A1:C1", "A3"], "its ships are 3,1, not 3,1,1"),
    (("nodes", 6, "layouts", 0), ["A1:C1", "A2", "C3"], "A1:C1 and A2 touch"),
    (("nodes", 6, "layouts", 0), ["A1:B3", "A3", "C3"], "neither in one row"),
    (("nodes", 6, "layouts", 0), ["A1:J1", "A3", "C3"], "off the board"),
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


values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 12),
    st.sampled_from([2**31, 2**63, -(2**63), 2**64, 10**30, 10**400]),
    st.floats(),
    st.sampled_from(["A1", "B2", "C3", "Z9", "A1:A2", "C1:A1", "A1:B2", "AA1"]),
    st.sampled_from(["miss", "hit", "sunk", "sunk:2", "hit:2#1", "sides", "ship", "optimal"]),
    st.sampled_from(["1x1", "2x2", "3x3", "4x4", "10x10", "12x12", "1x1000", "0x0"]),
    st.sampled_from(["2", "2,1", "3,2,2", "1,1,1,1", "russian", "", "\x00", "é\n"]),
    st.text(max_size=8),
    st.lists(st.sampled_from(["A1", "A1:A2", 1, None, []]), max_size=3),
    st.dictionaries(st.sampled_from(["miss", "hit", "shot", "layouts"]), st.integers(0, 5)),
)


def places(document):
    """Every (container, key) of a JSON document."""
    found, waiting = [], [document]
    while waiting:
        place = waiting.pop()
        keys = list(place) if isinstance(place, dict) else range(len(place))
        for key in keys:
            found.append((place, key))
            if isinstance(place[key], (dict, list)):
                waiting.append(place[key])
    return found


@examples(300)
@given(st.sampled_from([*TREES]), st.integers(1, 3), st.data())
def test_damaged_documents_are_refused_or_can_be_verified(name, times, data):
    document = copy.deepcopy(tree_document(TREES[name]))
    for _ in range(times):
        found = places(document)
        if not found:
            break
        top = [pair for pair in found if pair[0] is document] or found
        place, key = data.draw(st.sampled_from(data.draw(st.sampled_from([found, top]))))
        kind = data.draw(st.sampled_from(["replace", "replace", "remove", "copy"]))
        if kind == "replace":
            place[key] = data.draw(values)
        elif kind == "remove":
            del place[key]
        else:
            other, its_key = data.draw(st.sampled_from(found))
            place[key] = copy.deepcopy(other[its_key]) if its_key in keys_of(other) else None
    tree = result_of(read_document, document)
    found = None if tree is None else result_of(verify, tree, memory_limit=0.001)
    if tree is None or found is None:
        return
    assert found.valid == (not found.problems)
    assert all("\n" not in problem for problem in found.problems)
    assert "\n" not in repr(tree)
    json.dumps(tree_document(tree), ensure_ascii=False).encode()


def result_of(work, *args, **options):
    """What the work returns, or None when it refuses in one line; no other error is let pass."""
    try:
        return work(*args, **options)
    except SeabattleError as error:
        text = str(error)
    assert text
    assert "\n" not in text
    return None


def keys_of(place):
    """Keys of a dict or indices of a list."""
    return place.keys() if isinstance(place, dict) else range(len(place))


@examples(150)
@given(name=st.sampled_from([*TREES]), data=st.data())
def test_damaged_bytes_are_refused_or_can_be_verified(name, data, tmp_path_factory):
    path = tmp_path_factory.mktemp("damaged") / "tree.json"
    save_tree(TREES[name], path)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 2))] = data.draw(
            st.one_of(st.binary(max_size=2), st.sampled_from([b"9", b"-", b'"', b"{", b"}", b","]))
        )
    path.write_bytes(bytes(content))
    tree = result_of(load_tree, path)
    if tree is None:
        assert refused(path)
        return
    found = result_of(verify, tree, memory_limit=0.001)
    assert found is None or found.valid == (not found.problems)
