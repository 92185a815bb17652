"""Tree files: JSON, versioned, and validated on reading.

The format is plain JSON in UTF-8: ``format`` "seabattle-tree", ``version`` 1, the rules
(``board``, ``fleet``, ``contact``, ``answers``, ``announce``), ``reading``, ``objective``,
``status``, ``total_misses``, ``worst_misses``, ``nodes``, and where they apply ``weights`` (one
whole number per layout, in the order the leaves list them) and ``position``, what was shot before
the tree begins: an array of ``[cell, answer]`` in order, or an object with the fields ``shots``,
``ordered`` and ``ships`` of a position file when the order is unknown or sunk ships are known. An
inner node is ``{"shot": "C3", "next": {"miss": 1, "hit": 2}}``, a leaf ``{"layouts": [["A1:A3",
"C1"]]}``. Reading checks every field and every reference; ``verify`` checks the claimed cost.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from seabattle.enumerate.errors import SeabattleError, TreeError, quoted
from seabattle.enumerate.files import read_json
from seabattle.enumerate.game.answers import answer_code, answer_text
from seabattle.enumerate.game.arguments import require_path, require_type
from seabattle.enumerate.game.placements import placement_table
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.position_files import read_shot_fields, shot_fields
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.layouts.enumeration import MAX_ENUMERATED_CELLS
from seabattle.enumerate.layouts.weights import check_weights
from seabattle.enumerate.writing import write_text
from seabattle.trees.tree.tree import Reading, Tree, tree_arrays

FORMAT = "seabattle-tree"
VERSION = 1
STATUSES = ("optimal", "bounded", "heuristic")


def tree_document(tree: Tree) -> dict[str, Any]:
    """The tree as the JSON document of its file."""
    rules = tree.rules
    board = rules.board
    table = placement_table(rules)
    names = [board.name(cell) for cell in range(board.cells)]
    placed = [str(p) for p in table.placements]
    texts = {int(code): answer_text(int(code)) for code in np.unique(tree.answers)}
    shots, first, leaf = tree.shots.tolist(), tree.first.tolist(), tree.leaf.tolist()
    answers, children = tree.answers.tolist(), tree.children.tolist()
    ships = tree.ships.tolist()
    nodes: list[dict[str, Any]] = []
    for v, cell in enumerate(shots):
        if cell < 0:
            rows = ships[leaf[v] : leaf[v + 1]]
            nodes.append({"layouts": [[placed[n] for n in row] for row in rows]})
        else:
            edges = range(first[v], first[v + 1])
            nodes.append(
                {"shot": names[cell], "next": {texts[answers[e]]: children[e] for e in edges}}
            )
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "board": str(board),
        "fleet": str(rules.fleet),
        "contact": rules.contact.value,
        "answers": rules.answers.value,
        "announce": rules.announce.value,
        "reading": tree.reading.value,
        "objective": tree.objective,
        "status": tree.status,
        "total_misses": tree.total_misses,
        "worst_misses": tree.worst_misses,
    }
    if len(tree.weights):
        document["weights"] = tree.weights.tolist()
    if tree.position != Position(rules):
        fields = shot_fields(tree.position)
        document["position"] = fields["shots"] if fields.keys() == {"shots"} else fields
    document["nodes"] = nodes
    return document


def save_tree(tree: Tree, path: str | Path) -> None:
    """Write a tree file, one node per line."""
    require_type("tree", tree, Tree, "a Tree, such as solve(game).tree")
    require_path("path", path)
    document = tree_document(tree)
    nodes = document.pop("nodes")
    head = json.dumps(document, ensure_ascii=False)[:-1]
    body = ",\n".join(json.dumps(node, ensure_ascii=False) for node in nodes)
    write_text(path, f'{head}, "nodes": [\n{body}\n]}}\n')


def load_tree(path: str | Path) -> Tree:
    """Read a tree file.

    Raises
    ------
    FileAccessError
        If the file cannot be read.
    TreeError
        If it is no tree file, is of another version, or is damaged.
    """
    require_path("path", path)
    document = read_json(path, "tree file", TreeError, once=True)
    try:
        return read_document(document)
    except RecursionError:
        raise TreeError(f"{path} is no tree file: it is nested too deeply") from None
    except TreeError as error:
        raise TreeError(f"{path}: {error}") from None
    except SeabattleError as error:
        raise TreeError(f"{path} is no valid tree file: {error}") from None


_KINDS: dict[str, tuple[type, str]] = {
    "board": (str, "text"),
    "fleet": (str, "text"),
    "contact": (str, "text"),
    "answers": (str, "text"),
    "announce": (str, "text"),
    "reading": (str, "text"),
    "objective": (str, "text"),
    "status": (str, "text"),
    "total_misses": (int, "a whole number"),
    "worst_misses": (int, "a whole number"),
    "nodes": (list, "an array"),
}


def _check_fields(document: dict[str, Any]) -> None:
    for name, (kind, what) in _KINDS.items():
        if name not in document:
            raise TreeError(f"the field {name!r} is missing")
        if not isinstance(document[name], kind) or isinstance(document[name], bool):
            raise TreeError(f"the field {name!r} must be {what}")
    if document["status"] not in STATUSES:
        raise TreeError(
            f"status {quoted(document['status'])}: must be one of {', '.join(STATUSES)}"
        )
    if document["reading"] not in list(Reading):
        raise TreeError(f"reading {quoted(document['reading'])}: must be full or positive")
    for name in ("total_misses", "worst_misses"):
        if not 0 <= document[name] < 1 << 62:
            raise TreeError(f"the field {name!r} is out of range")
    if not document["objective"].isprintable():
        raise TreeError("the field 'objective' must be printable text on one line")
    if not document["nodes"]:
        raise TreeError("the field 'nodes' is empty")


def _read_position(rules: Rules, field: Any) -> Position:
    """The position a tree starts from: an array of shots, or an object with further fields."""
    if not isinstance(field, dict):
        return read_shot_fields(rules, {"shots": field}, "position")
    for name in field.keys() - {"shots", "ordered", "ships"}:
        raise TreeError(f"position: the field {quoted(name)} is unknown")
    return read_shot_fields(rules, field)


_Node = tuple[int, list[tuple[int, int]], list[tuple[int, ...]]]


class _NodeReader:
    """Reads nodes; remembers the layouts and answers it has parsed, which repeat a lot."""

    def __init__(self, rules: Rules, nodes: int) -> None:
        self.rules = rules
        self.table = placement_table(rules)
        self.count = nodes
        self.layouts: dict[tuple[str, ...], tuple[int, ...]] = {}
        self.codes: dict[str, int] = {}

    def read(self, number: int, node: Any) -> _Node:
        if isinstance(node, dict) and node.keys() == {"layouts"}:
            return -1, [], [self._layout(number, names) for names in self._rows(number, node)]
        if isinstance(node, dict) and node.keys() == {"shot", "next"}:
            return self._shot(number, node["shot"]), self._edges(number, node["next"]), []
        raise TreeError(f"node {number} must have either 'shot' and 'next' or 'layouts'")

    def _rows(self, number: int, node: dict[str, Any]) -> list[Any]:
        rows = node["layouts"]
        if not isinstance(rows, list) or not rows:
            raise TreeError(f"node {number}: 'layouts' must be an array with at least one layout")
        return rows

    def _layout(self, number: int, names: Any) -> tuple[int, ...]:
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise TreeError(f"node {number}: a layout must be an array of ships such as 'A1:A3'")
        key = tuple(names)
        if key not in self.layouts:
            self.layouts[key] = self.table.parse_layout(names)
        return self.layouts[key]

    def _shot(self, number: int, shot: Any) -> int:
        if not isinstance(shot, str):
            raise TreeError(f"node {number}: 'shot' must be the name of a cell")
        return self.rules.board.cell(shot)

    def _edges(self, number: int, following: Any) -> list[tuple[int, int]]:
        if not isinstance(following, dict) or not following:
            raise TreeError(f"node {number}: 'next' must name the node for each answer")
        edges = []
        for text, child in following.items():
            if not isinstance(child, int) or isinstance(child, bool) or not 0 < child < self.count:
                raise TreeError(
                    f"node {number}: answer {quoted(text)} leads to node {quoted(child)}, "
                    f"which does not exist (nodes 1 to {self.count - 1})"
                )
            if text not in self.codes:
                self.codes[text] = answer_code(text)
            edges.append((self.codes[text], child))
        return sorted(edges)


def read_document(document: Any) -> Tree:
    """Tree from the JSON document of its file.

    Raises
    ------
    TreeError, or another SeabattleError
        If a field is missing, of the wrong kind, or does not fit the others.
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise TreeError(f"no tree file: its 'format' is not {FORMAT!r}")
    if type(document.get("version")) is not int or document["version"] != VERSION:
        raise TreeError(
            f"version {quoted(document.get('version'))} of the tree format is unknown; "
            f"this program reads version {VERSION}"
        )
    _check_fields(document)
    rules = Rules(
        document["board"], document["fleet"], document["contact"], document["answers"],
        document["announce"],
    )  # fmt: skip
    if rules.board.cells > MAX_ENUMERATED_CELLS:
        raise TreeError(
            f"board {rules.board}: trees are for boards of up to {MAX_ENUMERATED_CELLS} cells, "
            f"this one has {rules.board.cells}"
        )
    position = _read_position(rules, document.get("position", []))
    reader = _NodeReader(rules, len(document["nodes"]))
    nodes = [reader.read(number, node) for number, node in enumerate(document["nodes"])]
    arrays = tree_arrays(nodes, len(rules.fleet.lengths))
    weights = np.empty(0, dtype=np.int64)
    if "weights" in document:
        given = document["weights"]
        if not isinstance(given, list) or not all(
            isinstance(w, int) and not isinstance(w, bool) and abs(w) < 1 << 62 for w in given
        ):
            raise TreeError("the field 'weights' must be an array of whole numbers")
        weights = check_weights(
            np.array(given, dtype=np.int64), len(arrays["ships"]), rules.board.cells
        )
    return Tree(
        rules=rules,
        weights=weights,
        reading=Reading(document["reading"]),
        objective=document["objective"],
        status=document["status"],
        total_misses=document["total_misses"],
        worst_misses=document["worst_misses"],
        position=position,
        **arrays,
    )
