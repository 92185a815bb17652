"""A player that looks further than the next shot: ``lookahead``.

``greedy-map`` shoots the cell that is likeliest to be occupied, whatever comes after. ``lookahead``
does the same until the layouts still possible can be listed. Then each of the ``CANDIDATES`` best
cells is tried: the game is played on from there in *every* layout of the list, by a simple rule,
and the cell with the fewest misses in all is shot. Play that is improved in this way at every shot
misses no more on average than the simple rule.

The simple rule shoots the cell for which the chance of a miss, less ``WORTH`` times what the
answer tells in bits, is least. Of two cells as likely to be occupied, it takes the one whose answer
leaves less to be found. Where answers are hit or miss only, what they tell is worth nothing to it:
there it shoots the likeliest cell.

At the end ``lookahead`` plays optimally, as ``map-endgame`` does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import KERNEL_HIT, KERNEL_SHIP, KERNEL_SUNK, kernel_mode
from seabattle.enumerate.kernels import allocating_kernel, group, kernel
from seabattle.enumerate.layouts import Layouts
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players.batches import play_tables
from seabattle.solver.players.exact_map import MapEndgame

WORTH = 0.3
"""Misses that a bit of information is worth."""
CANDIDATES = 10
"""Number of cells that are tried."""
AHEAD = 10_000
"""The game is played on in every layout once at most this many are left."""
NEAR = 1e-9
"""Scores that differ by less are equal; the first cell in reading order is taken."""


class Lookahead(MapEndgame):
    """Greedy-map that tries its best shots in every layout left, once they can be listed."""

    name = "lookahead"
    takes_prior = False
    most_listed = AHEAD

    def _best_listed(self, position: Position, layouts: Layouts) -> int:
        if self.most_solved < len(layouts) <= AHEAD:
            worth = 0.0 if self.rules.answers is AnswerMode.HIT else WORTH
            hits = np.array([cell for cell, code in position.shots if code], dtype=np.int64)
            table = ahead_of(self.rules, layouts)
            cell = int(look_ahead(table, hits, kernel_mode(self.rules), worth))
            if cell >= 0:
                return cell
        return super()._best_listed(position, layouts)


# Kernels
#
# Glossary: n layouts of s ships and h cells on a board of c cells; *told* is what an answer tells,
# a small number from 0 (a miss) on. Each layout follows one path of the tree that is played, so
# that the state of a path is kept with its layouts: the first ``open_cells`` cells of a row of
# ``cells`` are not hit yet. A cell missed is one that no layout of a sub-table occupies, and needs
# no memory. Totals are int64: fewer than 2^20 layouts times fewer than 2^8 misses.


@group
class Ahead(NamedTuple):
    """A table of layouts after the answers so far.

    Attributes
    ----------
    cells
        int16 ``(n, h)``, modified: cells of each layout; the first ones are those not hit yet.
    ship_at
        int8 ``(n, c)``: which ship is on each cell, -1 for water.
    lengths
        int64 ``(s,)``: length of each ship, the same in all layouts.
    left
        int8 ``(n, s)``, modified: cells of each ship that are not hit yet.
    group
        int8 ``(n, s)``, modified: mode ``ship`` numbers ships in the order in which they are
        first hit, from 1 on; 0 for ships not hit yet.
    """

    cells: NDArray[np.int16]
    ship_at: NDArray[np.int8]
    lengths: NDArray[np.int64]
    left: NDArray[np.int8]
    group: NDArray[np.int8]


def ahead_of(rules: Rules, layouts: Layouts) -> Ahead:
    """The table of some layouts, nothing hit yet."""
    lengths = rules.fleet.lengths
    ship_cells = play_tables(rules).ship_cells
    of_ships = [ship_cells[layouts.ships[:, d], :length] for d, length in enumerate(lengths)]
    ship_at = np.full((len(layouts), rules.board.cells), -1, dtype=np.int8)
    for d, cells in enumerate(of_ships):
        np.put_along_axis(ship_at, cells.astype(np.int64), d, axis=1)
    left = np.tile(np.array(lengths, dtype=np.int8), (len(layouts), 1))
    return Ahead(
        np.concatenate(of_ships, axis=1),
        ship_at,
        np.array(lengths, dtype=np.int64),
        left,
        np.zeros_like(left),
    )


@kernel
def told_by(table, layout, cell, mode):
    """What a layout's answer to a shot tells. table : Ahead; all others int64."""
    ship = table.ship_at[layout, cell]
    if ship < 0:
        return 0
    if mode == KERNEL_HIT:
        return 1
    if mode == KERNEL_SHIP:
        group = table.group[layout, ship]
        if group > 0:
            return 1 + table.lengths[0] + group
        return 1 + table.lengths[ship]
    if table.left[layout, ship] > 1:
        return 1
    if mode == KERNEL_SUNK:
        return 2
    return 1 + table.lengths[ship]


@kernel
def hit(table, layout, cell, open_cells, groups):
    """Take a hit into a layout's state. table : Ahead, modified; all others int64."""
    for place in range(open_cells):
        if table.cells[layout, place] == cell:
            table.cells[layout, place] = table.cells[layout, open_cells - 1]
            table.cells[layout, open_cells - 1] = cell
            break
    ship = table.ship_at[layout, cell]
    table.left[layout, ship] -= 1
    if table.group[layout, ship] == 0:
        table.group[layout, ship] = groups + 1


@kernel
def tally(table, rows, first, last, open_cells, mode, counts, touched):
    """Count the answers to a shot at each cell that is not hit in all layouts.

    table : Ahead; rows : int64 ``(n,)``, of which those from first to last are counted; counts :
    int64 ``(c, answers)``, all 0 before, modified; touched : int64 ``(c,)``, modified: the cells
    that have a count; all others int64. Returns their number.
    """
    number = 0
    for at in range(first, last):
        layout = rows[at]
        for place in range(open_cells):
            cell = table.cells[layout, place]
            if counts[cell, 0] == 0:
                touched[number] = cell
                number += 1
            counts[cell, 0] += 1
            counts[cell, told_by(table, layout, cell, mode)] += 1
    return number


@kernel
def best_cell(counts, touched, number, layouts, worth, logs):
    """The cell that misses least, what the answer tells deducted; -1 where nothing is left to ask.

    A cell that all layouts occupy is shot first unless all cells are such. counts : int64
    ``(c, answers)``, occupancy in column 0; touched : int64 ``(c,)``, ``number`` of them; layouts,
    number : int64; worth : float64, misses that a bit of information is worth; logs : float64
    ``(n + 1,)``, x log2 x.
    """
    best, least, sure = -1, 0.0, -1
    for place in range(number):
        cell = touched[place]
        occupied = counts[cell, 0]
        if occupied == layouts:
            if sure < 0 or cell < sure:
                sure = cell
            continue
        score = float(layouts - occupied)
        if worth > 0.0:
            score += worth * logs[layouts - occupied]
            for told in range(1, counts.shape[1]):
                score += worth * logs[counts[cell, told]]
        if best < 0 or score < least - NEAR or (score < least + NEAR and cell < best):
            least = min(score, least) if best >= 0 else score
            best = cell
    if best >= 0 and sure >= 0:
        return sure
    return best


@kernel
def split(table, rows, first, last, cell, mode, open_cells, groups, told, sorted_rows, ends):
    """Sort layouts by their answers to a shot, and take in the hits.

    rows : int64 ``(n,)``, modified from first to last; told : int64 ``(n,)`` and sorted_rows :
    int64 ``(n,)``, scratch; ends : int64 ``(answers + 1,)``, modified: layouts with answer a are
    those from ``ends[a]`` to ``ends[a + 1]``; table : Ahead, modified; all others int64.
    """
    for answer in range(ends.shape[0]):
        ends[answer] = 0
    for at in range(first, last):  # ends[a + 1]: how many layouts have answer a
        told[at] = told_by(table, rows[at], cell, mode)
        ends[told[at] + 1] += 1
    ends[0] = first
    for answer in range(1, ends.shape[0]):  # where they end
        ends[answer] += ends[answer - 1]
    for answer in range(ends.shape[0] - 2, -1, -1):  # where they begin, and the next one is put
        ends[answer + 1] = ends[answer]
    for at in range(first, last):  # when all are put, where they end again
        sorted_rows[ends[told[at] + 1]] = rows[at]
        ends[told[at] + 1] += 1
    ends[0] = first
    for at in range(first, last):
        rows[at] = sorted_rows[at]
        if at >= ends[1]:
            hit(table, rows[at], cell, open_cells, groups)


@allocating_kernel
def play_on(table, rows, cell, open_cells, groups, mode, worth, logs, most):
    """Misses of all layouts when a cell is shot, and then the best one until they are told apart.

    table : Ahead, modified; rows : int64 ``(n,)``, modified: the numbers of the layouts; cell :
    int64; open_cells, groups : int64, cells not hit and ships hit, the same in all layouts; mode :
    int64; worth, logs : as for ``best_cell``; most : int64, more misses than this need not be
    counted. Returns int64.
    """
    answers = 2 + table.lengths[0] + table.lengths.shape[0]
    cells = table.ship_at.shape[1]
    counts = np.zeros((cells, answers), np.int64)
    touched = np.empty(cells, np.int64)
    told = np.empty(rows.shape[0], np.int64)
    sorted_rows = np.empty(rows.shape[0], np.int64)
    ends = np.empty(answers + 1, np.int64)
    stack = np.empty((answers * (cells + 1) + 1, 4), np.int64)
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0, rows.shape[0], open_cells, groups
    height = 1
    total = 0
    while height > 0 and total <= most:
        height -= 1
        begin, end = stack[height, 0], stack[height, 1]
        left, named = stack[height, 2], stack[height, 3]
        if end - begin < 2:
            continue
        if cell < 0:
            number = tally(table, rows, begin, end, left, mode, counts, touched)
            cell = best_cell(counts, touched, number, end - begin, worth, logs)
            for place in range(number):
                for answer in range(answers):
                    counts[touched[place], answer] = 0
            if cell < 0:
                continue
        split(table, rows, begin, end, cell, mode, left, named, told, sorted_rows, ends)
        cell = -1
        total += ends[1] - ends[0]
        for answer in range(answers):
            if ends[answer + 1] > ends[answer]:
                stack[height, 0], stack[height, 1] = ends[answer], ends[answer + 1]
                stack[height, 2], stack[height, 3] = left, named
                if answer > 0:
                    stack[height, 2] = left - 1
                    if 1 < answer <= 1 + table.lengths[0]:  # a new ship, in mode ``ship``
                        stack[height, 3] = named + 1
                height += 1
    return total


@allocating_kernel
def look_ahead(table, hits, mode, worth):
    """The best of the ``CANDIDATES`` shots that score best, played on by the same score.

    A cell that all layouts occupy is shot at once. table : Ahead, modified; hits : int64, the cells
    hit before, in order; mode : int64; worth : float64. Returns the cell, int64; -1 where nothing
    is left to ask.
    """
    layouts, open_cells = table.cells.shape
    groups = 0
    for cell in hits:
        groups += table.group[0, table.ship_at[0, cell]] == 0
        for layout in range(layouts):
            hit(table, layout, cell, open_cells, groups - 1)
        open_cells -= 1
    logs = np.zeros(layouts + 1, np.float64)
    for number in range(2, layouts + 1):
        logs[number] = number * np.log2(number)
    cells = table.ship_at.shape[1]
    counts = np.zeros((cells, 2 + table.lengths[0] + table.lengths.shape[0]), np.int64)
    touched = np.empty(cells, np.int64)
    rows = np.arange(layouts)
    number = tally(table, rows, 0, layouts, open_cells, mode, counts, touched)
    left, group = table.left.copy(), table.group.copy()
    best, least = -1, np.int64(1) << 62
    for _ in range(CANDIDATES):
        cell = best_cell(counts, touched, number, layouts, worth, logs)
        if cell < 0 or counts[cell, 0] == layouts:
            return best if cell < 0 else cell
        for place in range(number):  # not to be tried again
            if touched[place] == cell:
                touched[place] = touched[number - 1]
                number -= 1
                break
        for at in range(layouts):
            rows[at] = at
        table.left[:, :] = left
        table.group[:, :] = group
        total = play_on(table, rows, cell, open_cells, groups, mode, worth, logs, least)
        if total < least or (total == least and cell < best):
            best, least = cell, total
    return best
