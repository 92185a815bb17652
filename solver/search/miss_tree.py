"""A best tree, grown from the values of every set of misses.

The tree follows the answers of the rules, layout by layout; the sweep is asked for nothing but the
shot. A node knows the block it is in, and the symmetry that moves its layouts there. After a hit
whose answer leaves several parts of the block together, the certain hits that are due tell them
apart.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import HIT, MISS, kernel_mode
from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.layouts import name_all
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.solver.search import work as w
from seabattle.solver.search.miss_sweep import MissSweep
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.tree_building import tree_of_nodes
from seabattle.trees.tree import Tree

NODES_PER_LOOK = 256

UNKNOWN = -1
"""In place of a block: before the first shot."""


class Place(NamedTuple):
    """Where a node is: in a block, moved by a symmetry, or in a part after the shot ``pending``."""

    block: int
    symmetry: int
    pending: int | None = None


class Node(NamedTuple):
    """A node still to be grown: ``rows`` of the problem, and how it was come to."""

    rows: NDArray[np.int64]
    place: Place
    shots: list[int]
    missed: int
    misses: int
    parent: int
    code: int


class MissTree:
    """A tree as it grows.

    Parameters
    ----------
    problem
        The problem, whose position the tree begins at.
    sweep
        The values of its blocks.
    """

    def __init__(self, problem: Problem, sweep: MissSweep) -> None:
        self.problem = problem
        self.sweep = sweep
        self.blocks = sweep.blocks
        self.plain = self.blocks.problem.mode == w.PLAIN
        rules = problem.rules
        self.masks = placement_table(rules).masks
        self.lengths = np.array(rules.fleet.lengths, dtype=np.int64)
        self.mode = kernel_mode(rules)

    def _arrived(self, rows: NDArray[np.int64], place: Place) -> Place:
        """The block that some rows are in; the place itself while that depends on certain hits."""
        if place.pending is None:
            return place
        blocks = self.blocks
        moved = blocks.images[place.symmetry, rows]
        if place.block == UNKNOWN:
            before, hit = np.arange(len(self.problem), dtype=np.int32), blocks.hit
        else:
            block = blocks.found[place.block]
            occupied = self.problem.rows[block.rows] >> np.uint64(place.pending) & np.uint64(1)
            before, hit = block.rows[occupied.astype(bool)], block.hit
        for part, members in blocks.parts_of(before, place.pending, hit):
            inside = np.isin(moved, members)
            if inside.all():
                return Place(part.block, blocks.after[place.symmetry][part.symmetry])
            if inside.any():
                break
        return place

    def _follow(self, rows: NDArray[np.int64], place: Place, hit: int) -> Place:
        """Where some rows are after hits at cells of a mask that all of them occupy."""
        while place.pending is None:
            cells = self.blocks.found[place.block].cells
            images = self.blocks.moves[place.symmetry, list(cells_of(hit))].tolist()
            image = next((image for image in images if image in cells), None)
            if image is None:
                break
            place = self._arrived(rows, Place(place.block, place.symmetry, image))
        return place

    def _missed(self, place: Place, missed: int) -> int:
        """The missed cells of the board as a set of misses of the block."""
        cells = self.blocks.found[place.block].cells
        images = {int(self.blocks.moves[place.symmetry, cell]) for cell in cells_of(missed)}
        return sum(1 << bit for bit, cell in enumerate(cells) if cell in images)

    def _cell(self, place: Place, image: int) -> int:
        """The cell of the board that the place's symmetry moves to a cell of the block."""
        return int(np.flatnonzero(self.blocks.moves[place.symmetry] == image)[0])

    def _weight(self, rows: NDArray[np.int64]) -> int:
        return int(self.sweep.weights[rows].sum())

    def shot_costs(
        self, rows: NDArray[np.int64], place: Place, missed: int
    ) -> list[tuple[int, int]]:
        """What every shot that some row occupies costs, and its cell in the block.

        Parameters
        ----------
        rows
            Rows of the problem that are left.
        place
            Of these rows, nothing pending.
        missed
            Mask of the cells missed so far.
        """
        sweep, blocks = self.sweep, self.blocks
        block = blocks.found[place.block]
        already = self._missed(place, missed)
        bit_of = {cell: bit for bit, cell in enumerate(block.cells)}
        masks = self.problem.rows[rows]
        costs = []
        for shot in range(blocks.first_shot[place.block], blocks.first_shot[place.block + 1]):
            image = blocks.shot_cells[shot]
            cell = self._cell(place, image)
            water = rows[masks >> np.uint64(cell) & np.uint64(1) == 0]
            if len(water) == len(rows):
                continue
            on_miss = 0
            if image in bit_of:
                if already >> bit_of[image] & 1:
                    continue
                if len(water):
                    on_miss = sweep.value(place.block, already | 1 << bit_of[image])
                    on_miss += 1 if sweep.worst else self._weight(water)
            on_hit = sweep.after_hit(place.block, shot, already)
            costs.append((max(on_miss, on_hit) if sweep.worst else on_miss + on_hit, image))
        return costs

    def _codes(self, rows: NDArray[np.int64], shots: list[int], cell: int) -> NDArray[np.int64]:
        """The answer of every row to a shot."""
        table = self.problem.table
        if self.plain:
            occupied = (self.problem.rows[rows] >> np.uint64(cell) & np.uint64(1)).astype(bool)
            return np.where(occupied, HIT, MISS)
        codes = np.empty(len(rows), dtype=np.int64)
        name_all(
            table.index[rows], self.masks, table.layouts.ships, self.lengths,
            np.array(shots, dtype=np.int64), cell, self.mode, codes,
        )  # fmt: skip
        return codes

    def _shot(self, node: Node, certain: int) -> tuple[int, Place]:
        """The next shot of a node, and where a hit leads (pending)."""
        blocks = self.blocks
        place = self._arrived(node.rows, node.place)
        if not blocks.open:
            shot_mask = mask_of(node.shots)
            # What misses have made certain leads on to other blocks: once it was shot, and in mode
            # hit, where it tells nothing and trees leave it out, at once.
            place = self._follow(node.rows, place, certain if self.plain else certain & shot_mask)
            due = [] if self.plain else list(cells_of(certain & ~shot_mask))
            if due:
                image = int(blocks.moves[place.symmetry, due[0]])
                if place.pending is None and image in blocks.found[place.block].cells:
                    place = Place(place.block, place.symmetry, image)
                return due[0], place
        assert place.pending is None
        cost, image = min(self.shot_costs(node.rows, place, node.missed))
        assert cost == self.sweep.value(place.block, self._missed(place, node.missed))
        return self._cell(place, image), Place(place.block, place.symmetry, image)

    def grow(
        self,
        position: Position,
        *,
        objective: str,
        status: str,
        look: Callable[[], None] = lambda: None,
    ) -> Tree:
        """The whole tree.

        Parameters
        ----------
        position, objective, status
            Recorded in the tree.
        look
            Called every few hundred nodes; what it raises ends the growing.
        """
        problem = self.problem
        table_weights = problem.weights
        shots_of, leaf, members = array("h"), array("q", [0]), array("q")
        parents, codes_of = array("q", [-1]), array("H", [0])
        total = worst = 0
        everything = np.arange(len(problem), dtype=np.int64)
        history = [cell for cell, _ in position.shots]
        start = Place(UNKNOWN, 0, -1)
        stack = [Node(everything, start, history, 0, 0, -1, 0)]
        while stack:
            node = stack.pop()
            number = len(shots_of)
            if number % NODES_PER_LOOK == 0:
                look()
            if node.parent >= 0:
                parents.append(node.parent)
                codes_of.append(node.code)
            certain, occupied = problem.closure(node.rows)
            if certain == occupied:
                shots_of.append(-1)
                members.extend(node.rows.tolist())
                leaf.append(len(members))
                weight = table_weights[node.rows].sum() if len(table_weights) else len(node.rows)
                total += node.misses * int(weight)
                worst = max(worst, node.misses)
                continue
            cell, on_hit = self._shot(node, certain)
            shots_of.append(cell)
            leaf.append(len(members))
            codes = self._codes(node.rows, node.shots, cell)
            shots = [*node.shots, cell]
            for answer in np.unique(codes)[::-1].tolist():
                rows = node.rows[codes == answer]
                if answer == MISS:
                    place = Place(on_hit.block, on_hit.symmetry)
                    missed, misses = node.missed | 1 << cell, node.misses + 1
                else:
                    place, missed, misses = on_hit, node.missed, node.misses
                stack.append(Node(rows, place, shots, missed, misses, number, answer))
        return tree_of_nodes(
            problem,
            np.array(shots_of, dtype=np.int16),
            np.array(parents, dtype=np.int64),
            np.array(codes_of, dtype=np.uint16),
            np.array(leaf[1:], dtype=np.int64),
            np.array(members, dtype=np.int64),
            total,
            worst,
            position=position,
            objective=objective,
            status=status,
        )
