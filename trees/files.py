"""Tree files: JSON, versioned, and validated on reading.

The format is plain JSON in UTF-8: ``format`` "seabattle-tree", ``version`` 1, the rules
(``board``, ``fleet``, ``contact``, ``answers``, ``announce``), ``reading``, ``objective``,
``status``, ``total_misses``, ``worst_misses``, ``nodes``, and where they apply ``blocked`` and
``letters`` as in a position file, ``weights`` (one whole number per layout, in the order the leaves
list them) and ``position``, what was shot before the tree begins: an array of ``[cell, answer]`` in
order, or an object with the fields ``shots``, ``ordered`` and ``ships`` of a position file when the
order is unknown or sunk ships are known. An inner node is
``{"shot": "C3", "next": {"miss": 1, "hit": 2}}``, a leaf
``{"layouts": [["A1:A3", "C1"]]}``. Reading checks every field and every reference;
``verify`` checks the claimed cost.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import answer_code, answer_text
from seabattle.enumerate.errors import SeabattleError, TreeError, quoted
from seabattle.enumerate.files import (
    Source,
    lined_json,
    name_of,
    require_format,
    require_known,
    write_whole,
)
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import SHOT_FIELDS, read_shot_fields
from seabattle.enumerate.rules import DOCUMENT_FIELDS, Rules
from seabattle.enumerate.table import check_weights
from seabattle.trees.tree import Reading, Tree

FORMAT = "seabattle-tree"
VERSION = 1
FIELDS = (
    "format", "version", *DOCUMENT_FIELDS, "reading", "objective", "status", "total_misses",
    "worst_misses", "weights", "position", "nodes",
)  # fmt: skip
STATUSES = ("optimal", "bounded", "heuristic")


def tree_claims(tree: Tree) -> dict[str, Any]:
    """What a tree says of itself: the game, what was minimised, and what it costs."""
    return {
        **tree.rules.document(),
        "reading": tree.reading.value,
        "objective": tree.objective,
        "status": tree.status,
        "total_misses": tree.total_misses,
        "worst_misses": tree.worst_misses,
    }


def save_tree(tree: Tree, path: str | Path) -> None:
    """Write a tree file, one node per line, piece by piece."""
    document = {"format": FORMAT, "version": VERSION, **tree_claims(tree)}
    if len(tree.weights):
        document["weights"] = tree.weights.tolist()
    if tree.position != Position(tree.rules):
        fields = tree.position.shot_fields()
        document["position"] = fields["shots"] if fields.keys() == {"shots"} else fields
    head = f'{json.dumps(document, ensure_ascii=False)[:-1]}, "nodes": [\n'

    def write(stream: BinaryIO) -> None:
        stream.write(head.encode("utf-8"))
        for lines in node_lines(tree):
            stream.write(lines.encode("utf-8"))
        stream.write(b"\n]}\n")

    write_whole(path, write)


def load_tree(path: Source) -> Tree:
    """Read a tree file.

    Parameters
    ----------
    path
        The file, or a stream.

    Raises
    ------
    FileAccessError
        If the file cannot be read.
    TreeError
        If it is not a tree file, is of another version, or is damaged.
    """
    lines, name = lined_json(path, "nodes", "tree file", TreeError), name_of(path)
    document = next(lines)
    try:
        return read_document(document, lines)
    except TreeError as error:
        said = str(error)
        raise TreeError(said if said.startswith(name) else f"{name}: {said}") from None
    except SeabattleError as error:
        raise TreeError(f"{name} is not a valid tree file: {error}") from None


def _check_head(document: Any) -> None:
    """Reject what is not a tree file of this version, or has plain fields of the wrong kind."""
    require_format(document, FORMAT, VERSION, TreeError)
    for name, known in (("status", STATUSES), ("reading", tuple(Reading)), ("objective", None)):
        text = document.get(name)
        if not isinstance(text, str) or not text.isprintable():
            raise TreeError(f"the field {name!r} must be printable text on one line")
        if known and text not in known:
            raise TreeError(f"{name} {quoted(text)}: must be one of {', '.join(known)}")
    for name in ("total_misses", "worst_misses"):
        if type(document.get(name)) is not int or not 0 <= document[name] < 1 << 62:
            raise TreeError(f"the field {name!r} must be a whole number, 0 or more")
    if not isinstance(document.get("nodes"), list):
        raise TreeError("the field 'nodes' must be an array")


def _read_position(rules: Rules, field: Any) -> Position:
    """The position a tree starts from: an array of shots, or an object with further fields."""
    if not isinstance(field, dict):
        return read_shot_fields(rules, {"shots": field}, "position")
    require_known(field, SHOT_FIELDS, TreeError, of="the position")
    return read_shot_fields(rules, field)


def read_document(document: Any, more: Iterable[Any] = ()) -> Tree:
    """Tree from the JSON document of its file.

    Parameters
    ----------
    document
        The document.
    more
        Nodes that follow those of the document.

    Raises
    ------
    TreeError, or another SeabattleError
        If a field is missing, of the wrong kind, or does not fit the others.
    """
    _check_head(document)
    require_known(document, FIELDS, TreeError)
    rules = Rules.of_document(document)
    position = _read_position(rules, document.get("position", []))
    arrays = _read_nodes(rules, chain(document["nodes"], more))
    weights = np.empty(0, dtype=np.int64)
    if "weights" in document:
        given = document["weights"]
        if not isinstance(given, list) or not all(
            type(w) is int and abs(w) < 1 << 62 for w in given
        ):
            raise TreeError("the field 'weights' must be an array of whole numbers")
        weights = np.array(given, dtype=np.int64)
        weights = check_weights(weights, len(arrays["ships"]), rules.board.cells, listed=True)
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


# ------------------------------------------------------------------------------------------------
# The nodes of a tree as lines of its file, made and read piece by piece.
#
# A tree of a 6x6 board may have millions of nodes: as Python objects all at once they would take
# gigabytes. So they are turned into text, and text into arrays, some thousands at a time.


NODES_AT_ONCE = 20_000
"""Nodes of one piece of text: a megabyte or two."""


def node_lines(tree: Tree) -> Iterator[str]:
    """The nodes as JSON, one per line, with a comma and a line break between any two.

    Yields
    ------
    str
        The text of the next ``NODES_AT_ONCE`` nodes; the pieces follow each other as they are.
    """
    board = tree.rules.board
    names = [f'{{"shot": "{board.name(cell)}", "next": {{' for cell in range(board.cells)]
    placed = [f'"{placement}"' for placement in placement_table(tree.rules).placements]
    texts = {int(code): f'"{answer_text(int(code))}": ' for code in np.unique(tree.answers)}
    for start in range(0, len(tree), NODES_AT_ONCE):
        stop = min(len(tree), start + NODES_AT_ONCE)
        first, leaf = (a[start : stop + 1] for a in (tree.first, tree.leaf))
        edges, rows = slice(first[0], first[-1]), slice(leaf[0], leaf[-1])
        answers, children = tree.answers[edges].tolist(), tree.children[edges].tolist()
        branches = [f"{texts[a]}{child}" for a, child in zip(answers, children, strict=True)]
        layouts = [
            f"[{', '.join([placed[number] for number in row])}]"
            for row in tree.ships[rows].tolist()
        ]
        first, leaf = (first - first[0]).tolist(), (leaf - leaf[0]).tolist()
        lines = [
            f'{{"layouts": [{", ".join(layouts[leaf[v] : leaf[v + 1]])}]}}'
            if cell < 0
            else f"{names[cell]}{', '.join(branches[first[v] : first[v + 1]])}}}}}"
            for v, cell in enumerate(tree.shots[start:stop].tolist())
        ]
        yield (",\n" if start else "") + ",\n".join(lines)


MOST_NODES = 1 << 31
"""More nodes than any tree has: their numbers are kept in 32 bits."""


def _read_nodes(rules: Rules, nodes: Iterable[Any]) -> dict[str, NDArray[Any]]:
    """The arrays of a tree from its nodes, given as JSON values one by one.

    Raises
    ------
    TreeError, or another SeabattleError
        If one is not a node or does not fit the game, or an answer leads to a node not there.
    """
    table = placement_table(rules)
    cell_of, code_of = cache(rules.board.cell), cache(answer_code)
    shots, answers, children = array("h"), array("H"), array("i")
    first, leaf, ships = array("q", [0]), array("q", [0]), array("H")
    fleet = len(rules.fleet.lengths)
    for number, node in enumerate(nodes):
        shot, following, rows = (
            map(node.get, ("shot", "next", "layouts")) if isinstance(node, dict) else (None,) * 3
        )
        if isinstance(shot, str) and isinstance(following, dict) and following and len(node) == 2:
            shots.append(cell_of(shot))
            for text, child in following.items():
                if type(child) is not int or not 0 < child < MOST_NODES:
                    raise _no_such_node(number, text, child)
            for code, child in sorted(
                zip(map(code_of, following), following.values(), strict=True)
            ):
                answers.append(code)
                children.append(child)
        elif isinstance(rows, list) and rows and len(node) == 1:
            shots.append(-1)
            for names in rows:
                if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
                    raise TreeError(
                        f"node {number}: a layout must be an array of ships such as 'A1:A3'"
                    )
                ships.extend(table.parse_layout(names))
        else:
            raise TreeError(
                f"node {number} must have either 'shot', a cell, and 'next', the node for each "
                f"answer, or 'layouts', an array of at least one"
            )
        first.append(len(answers))
        leaf.append(len(ships) // fleet)
    if not shots:
        raise TreeError("the field 'nodes' is empty")
    arrays: dict[str, NDArray[Any]] = {
        "shots": np.frombuffer(shots, dtype=np.int16),
        "first": np.frombuffer(first, dtype=np.int64),
        "answers": np.frombuffer(answers, dtype=np.uint16),
        "children": np.frombuffer(children, dtype=np.int32),
        "leaf": np.frombuffer(leaf, dtype=np.int64),
        "ships": np.frombuffer(ships, dtype=np.uint16).reshape(-1, fleet),
    }
    for edge in np.flatnonzero(arrays["children"] >= len(shots))[:1]:
        number = int(np.searchsorted(arrays["first"], edge, side="right")) - 1
        raise _no_such_node(number, answer_text(answers[edge]), children[edge])
    return arrays


def _no_such_node(number: int, text: str, child: object) -> TreeError:
    return TreeError(
        f"node {number}: answer {quoted(text)} leads to node {quoted(child)}, which does not exist"
    )
