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
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from seabattle.enumerate.arguments import require_path, require_type
from seabattle.enumerate.errors import SeabattleError, TreeError, quoted
from seabattle.enumerate.files import (
    HEAD,
    NotLinedError,
    kind_of,
    lined_json,
    read_json,
    write_whole,
)
from seabattle.enumerate.layouts import MAX_ENUMERATED_CELLS
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import read_shot_fields, shot_fields
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import check_weights
from seabattle.trees.tree.node_lines import NodeReader, node_lines
from seabattle.trees.tree.tree import Reading, Tree

FORMAT = "seabattle-tree"
VERSION = 1
STATUSES = ("optimal", "bounded", "heuristic")


def tree_document(tree: Tree) -> dict[str, Any]:
    """The tree as the JSON document of its file."""
    return {**_head(tree), "nodes": json.loads(f"[{''.join(node_lines(tree))}]")}


def _head(tree: Tree) -> dict[str, Any]:
    """The document of a tree's file, without the nodes."""
    rules = tree.rules
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "board": str(rules.board),
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
    return document


def save_tree(tree: Tree, path: str | Path) -> None:
    """Write a tree file, one node per line, piece by piece."""
    require_type("tree", tree, Tree, "a Tree, such as solve(game).tree")
    require_path("path", path)
    head = f'{json.dumps(_head(tree), ensure_ascii=False)[:-1]}, "nodes": [\n'

    def write(stream: BinaryIO) -> None:
        stream.write(head.encode("utf-8"))
        for lines in node_lines(tree):
            stream.write(lines.encode("utf-8"))
        stream.write(b"\n]}\n")

    write_whole(path, write, kind_of(head.encode("utf-8")[:HEAD]))


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
    with _named(path), suppress(NotLinedError), lined_json(path, "nodes") as lined:
        return _read(lined.head, lined, lined.elements)
    # Which of two children for one answer counts is this reader's choice: verification judges it.
    document = read_json(path, "tree file", TreeError, once=True, may_repeat=_is_answer)
    with _named(path):
        return read_document(document)


def _is_answer(name: str) -> bool:
    return name.partition(":")[0] in ("miss", "hit", "sunk")


@contextmanager
def _named(path: str | Path) -> Iterator[None]:
    """Errors about a tree file name it."""
    try:
        yield
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


def _read_position(rules: Rules, field: Any) -> Position:
    """The position a tree starts from: an array of shots, or an object with further fields."""
    if not isinstance(field, dict):
        return read_shot_fields(rules, {"shots": field}, "position")
    for name in field.keys() - {"shots", "ordered", "ships"}:
        raise TreeError(f"position: the field {quoted(name)} is unknown")
    return read_shot_fields(rules, field)


def read_document(document: Any) -> Tree:
    """Tree from the JSON document of its file.

    Raises
    ------
    TreeError, or another SeabattleError
        If a field is missing, of the wrong kind, or does not fit the others.
    """
    nodes = document.get("nodes") if isinstance(document, dict) else None
    nodes = nodes if isinstance(nodes, list) else []
    return _read(document, nodes, len(nodes))


def _read(document: Any, nodes: Iterable[Any], count: int) -> Tree:
    """Tree from a document, with its nodes one by one in place of the document's own."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise TreeError(f"no tree file: its 'format' is not {FORMAT!r}")
    if type(document.get("version")) is not int or document["version"] != VERSION:
        raise TreeError(
            f"version {quoted(document.get('version'))} of the tree format is unknown; "
            f"this program reads version {VERSION}"
        )
    _check_fields(document)
    if not count:
        raise TreeError("the field 'nodes' is empty")
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
    reader = NodeReader(rules, count)
    for node in nodes:
        reader.read(node)
    arrays = reader.arrays()
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
