"""The nodes of a tree as lines of its file, made and read piece by piece.

A tree of a 6x6 board may have millions of nodes: as Python objects all at once they would take
gigabytes. So they are turned into text, and text into arrays, some thousands at a time.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

import numpy as np

from seabattle.enumerate.answers import answer_code, answer_text
from seabattle.enumerate.errors import TreeError, quoted
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Rules
from seabattle.trees.tree.tree import Tree

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


class NodeReader:
    """Reads nodes, given as JSON objects one by one, into the arrays of a tree.

    Parameters
    ----------
    rules
        The game.
    nodes
        How many nodes there seem to be; they are numbered from 0.
    """

    def __init__(self, rules: Rules, nodes: int) -> None:
        self.rules = rules
        self.count = nodes
        self.codes: dict[str, int] = {}
        board = rules.board
        self.cells = {board.name(cell): cell for cell in range(board.cells)}
        self.table = placement_table(rules)
        self.numbers = {str(p): i for i, p in enumerate(self.table.placements)}
        self.masks = [p.mask for p in self.table.placements]
        self.halos = [p.halo(rules.contact) for p in self.table.placements]
        self.lengths = [p.length for p in self.table.placements]
        self.fleet = list(rules.fleet.lengths)
        self.shots, self.answers, self.children = array("h"), array("H"), array("i")
        self.first, self.leaf = array("q", [0]), array("q", [0])
        self.ships = array("H")

    def read(self, node: Any) -> None:
        """Read the next node.

        Raises
        ------
        TreeError, or another SeabattleError
            If it is no node, or does not fit the game or the number of nodes.
        """
        number = len(self.shots)
        if isinstance(node, dict) and node.keys() == {"shot", "next"}:
            self.shots.append(self._shot(number, node["shot"]))
            self._read_edges(number, node["next"])
        elif isinstance(node, dict) and node.keys() == {"layouts"}:
            for names in self._rows(number, node):
                self.ships.extend(self._layout(number, names))
            self.shots.append(-1)
        else:
            raise TreeError(f"node {number} must have either 'shot' and 'next' or 'layouts'")
        self.first.append(len(self.answers))
        self.leaf.append(len(self.ships) // len(self.fleet))

    def arrays(self) -> dict[str, Any]:
        """The arrays of the tree, which take over what was read.

        Raises
        ------
        TreeError
            If an answer leads to a node that was not read.
        """
        self.count = len(self.shots)
        children = np.frombuffer(self.children, dtype=np.int32)
        wrong = np.flatnonzero(children >= self.count)
        if len(wrong):
            edge = int(wrong[0])
            number = bisect_right(self.first, edge) - 1
            raise self._no_such_node(number, answer_text(self.answers[edge]), int(children[edge]))
        return {
            "shots": np.frombuffer(self.shots, dtype=np.int16),
            "first": np.frombuffer(self.first, dtype=np.int64),
            "answers": np.frombuffer(self.answers, dtype=np.uint16),
            "children": children,
            "leaf": np.frombuffer(self.leaf, dtype=np.int64),
            "ships": np.frombuffer(self.ships, dtype=np.uint16).reshape(-1, len(self.fleet)),
        }

    def _no_such_node(self, number: int, text: str, child: object) -> TreeError:
        return TreeError(
            f"node {number}: answer {quoted(text)} leads to node {quoted(child)}, "
            f"which does not exist (nodes 1 to {self.count - 1})"
        )

    def _rows(self, number: int, node: dict[str, Any]) -> list[Any]:
        rows = node["layouts"]
        if not isinstance(rows, list) or not rows:
            raise TreeError(f"node {number}: 'layouts' must be an array with at least one layout")
        return rows

    def _layout(self, number: int, names: Any) -> list[int] | tuple[int, ...]:
        """Placement numbers of a layout: looked up if it is written as usual, else parsed."""
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise TreeError(f"node {number}: a layout must be an array of ships such as 'A1:A3'")
        try:
            ships = sorted([self.numbers[name] for name in names])
        except KeyError:
            return self.table.parse_layout(names)
        if [self.lengths[ship] for ship in ships] != self.fleet:
            return self.table.parse_layout(names)  # says what is wrong
        blocked = 0
        for ship in ships:
            if self.masks[ship] & blocked:
                return self.table.parse_layout(names)
            blocked |= self.halos[ship]
        return ships

    def _shot(self, number: int, shot: Any) -> int:
        if not isinstance(shot, str):
            raise TreeError(f"node {number}: 'shot' must be the name of a cell")
        cell = self.cells.get(shot)
        return self.rules.board.cell(shot) if cell is None else cell

    def _read_edges(self, number: int, following: Any) -> None:
        if not isinstance(following, dict) or not following:
            raise TreeError(f"node {number}: 'next' must name the node for each answer")
        edges = []
        for text, child in following.items():
            if type(child) is not int or not 0 < child < MOST_NODES:
                raise self._no_such_node(number, text, child)
            if text not in self.codes:
                self.codes[text] = answer_code(text)
            edges.append((self.codes[text], child))
        for code, child in sorted(edges):
            self.answers.append(code)
            self.children.append(child)
