"""Compiled games of ``over-9000``, ``learning`` and ``bob``. Arrays and scalars only.

``_player_kernels`` says what the arrays hold that all players share. A placement is *alive* while
it may be a ship that was not hit yet (with named hits) or any ship (without).
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import allocating_kernel, kernel
from seabattle.solver.players._hunt_kernels import draw, fraction, hide, weigh

LEAST_OTHER = 1e-6


@allocating_kernel
def count_placements(count, total, base, class_of, alive):
    """The empty board: every placement alive; count, total and alive are modified."""
    count[:] = base
    total[:] = 0
    for p in range(class_of.shape[0]):
        total[class_of[p]] += 1
    alive[:] = 1


@kernel
def rule_out(count, total, ship_cells, class_of, alive, p):
    """Placement p is ruled out; count : int64 (classes, cells), total : int64, both modified."""
    if alive[p] == 1:
        alive[p] = 0
        weigh(count, ship_cells, class_of[p], p, -1)
        total[class_of[p]] -= 1


@allocating_kernel
def play_by_named_ships(
    layouts,
    ship_cells,
    class_of,
    lengths,
    ships_of,
    base,
    through_first,
    through,
    touching_first,
    touching,
    cell_weights,
    noise,
    growth,
    block,
    prefix,
    key,
    first_game,
    shots,
    record,
):
    """Games of ``over-9000`` and ``learning``: chances of each ship by itself, hits name the ship.

    cell_weights : float64 (cells,), factor of each cell's chance
    noise : float64, greatest random number added to a chance
    growth : float64, added to a cell's weight for every hit there in an earlier game of the same
        ``block`` games, counted from game 0
    """
    cells = base.shape[1]
    classes = lengths.shape[0]
    ships = layouts.shape[1]
    ship_at = np.empty(cells, np.int16)
    left = np.empty(ships, np.int64)
    shot_time = np.empty(cells, np.int64)
    count = np.empty((classes, cells), np.int64)
    total_of = np.empty(classes, np.int64)
    alive = np.empty(class_of.shape[0], np.uint8)
    apart = np.empty(class_of.shape[0], np.uint8)
    named = np.empty((classes, ships), np.int64)
    names = np.empty(classes, np.int64)
    first_hit = np.empty(ships, np.int64)
    missing = np.empty(cells, np.float64)
    own = np.empty(cells, np.int64)
    factor = cell_weights.copy()
    for g in range(layouts.shape[0]):
        if growth > 0.0 and (first_game + g) % block == 0:
            factor[:] = cell_weights
        total = hide(layouts[g], ship_cells, ship_at, left)
        seed = draw(key, first_game + g)
        shot_time[:] = -1
        count_placements(count, total_of, base, class_of, alive)
        apart[:] = 1
        names[:] = 0
        first_hit[:] = -1
        t = 0
        while total > 0:
            cell = -1
            if t < prefix.shape[0]:
                cell = prefix[t]
            else:
                missing[:] = 1.0
                for row in range(classes):
                    for n in range(names[row]):
                        d = named[row, n]
                        if left[d] == 0:
                            continue
                        own[:] = 0
                        ways = 0
                        struck = lengths[row] - left[d]
                        start = first_hit[d]
                        for i in range(through_first[start], through_first[start + 1]):
                            p = through[i]
                            if class_of[p] != row or apart[p] == 0:
                                continue
                            mine = 0
                            fits = True
                            for j in range(ship_cells.shape[1]):
                                x = ship_cells[p, j]
                                if x < 0:
                                    break
                                if shot_time[x] >= 0:
                                    if ship_at[x] == d:
                                        mine += 1
                                    else:
                                        fits = False
                                        break
                            if fits and mine == struck:
                                ways += 1
                                weigh(own.reshape(1, cells), ship_cells, 0, p, 1)
                        for x in range(cells):
                            if own[x] > 0:
                                missing[x] *= 1.0 - own[x] / ways
                    unhit = ships_of[row] - names[row]
                    if unhit > 0 and total_of[row] > 0:
                        for x in range(cells):
                            other = 1.0 - count[row, x] / total_of[row]
                            for _ in range(unhit):
                                missing[x] *= other
                most = -1.0
                for x in range(cells):
                    if shot_time[x] < 0:
                        chance = (1.0 - missing[x]) * factor[x]
                        if noise > 0.0:
                            chance += noise * fraction(seed, t * cells + x)
                        if chance > most:
                            most = chance
                            cell = x
            if record.shape[0] > 0:
                record[g, t] = cell
            shot_time[cell] = t
            t += 1
            for i in range(through_first[cell], through_first[cell + 1]):
                rule_out(count, total_of, ship_cells, class_of, alive, through[i])
            d = np.int64(ship_at[cell])
            if d < 0:
                continue
            total -= 1
            left[d] -= 1
            if first_hit[d] < 0:
                first_hit[d] = cell
                row = class_of[layouts[g, d]]
                named[row, names[row]] = d
                names[row] += 1
            for i in range(touching_first[cell], touching_first[cell + 1]):
                apart[touching[i]] = 0
                rule_out(count, total_of, ship_cells, class_of, alive, touching[i])
        if growth > 0.0:
            for x in range(cells):
                if ship_at[x] >= 0:
                    factor[x] += growth
        shots[g] = t - prefix.shape[0]


@allocating_kernel
def play_by_unnamed_ships(
    layouts,
    ship_cells,
    class_of,
    lengths,
    ships_of,
    base,
    through_first,
    through,
    touching_first,
    touching,
    prefix,
    key,
    first_game,
    shots,
    record,
):
    """Games of ``bob``: chances of each ship by itself, hits do not name the ship."""
    cells = base.shape[1]
    classes = lengths.shape[0]
    placements = class_of.shape[0]
    ship_at = np.empty(cells, np.int16)
    left = np.empty(layouts.shape[1], np.int64)
    shot_time = np.empty(cells, np.int64)
    count = np.empty((classes, cells), np.int64)
    total_of = np.empty(classes, np.int64)
    alive = np.empty(placements, np.uint8)
    hits = np.empty(placements, np.int64)
    weight = np.empty((classes, cells), np.float64)
    weight_of = np.empty(classes, np.float64)
    telling = np.ones((classes, cells), np.float64)
    hit_cells = np.empty(cells, np.int64)
    missing = np.empty(cells, np.float64)
    for g in range(layouts.shape[0]):
        total = hide(layouts[g], ship_cells, ship_at, left)
        shot_time[:] = -1
        count_placements(count, total_of, base, class_of, alive)
        hits[:] = 0
        struck = 0
        t = 0
        while total > 0:
            cell = -1
            if t < prefix.shape[0]:
                cell = prefix[t]
            else:
                for i in range(struck):
                    x = hit_cells[i]
                    for row in range(classes):
                        none = 1.0
                        for other in range(classes):
                            absent = 1.0 - count[other, x] / max(1, total_of[other])
                            for _ in range(ships_of[other] - (1 if other == row else 0)):
                                none *= absent
                        telling[row, x] = 1.0 / max(1.0 - none, LEAST_OTHER)
                for row in range(classes):
                    weight_of[row] = total_of[row]
                    for x in range(cells):
                        weight[row, x] = count[row, x]
                for p in range(placements):
                    if alive[p] == 0 or hits[p] == 0:
                        continue
                    row = class_of[p]
                    more = 1.0
                    for j in range(ship_cells.shape[1]):
                        x = ship_cells[p, j]
                        if x < 0:
                            break
                        if shot_time[x] >= 0:
                            more *= telling[row, x]
                    more -= 1.0
                    weight_of[row] += more
                    for j in range(ship_cells.shape[1]):
                        x = ship_cells[p, j]
                        if x < 0:
                            break
                        weight[row, x] += more
                missing[:] = 1.0
                for row in range(classes):
                    if total_of[row] > 0:
                        for x in range(cells):
                            other_chance = 1.0 - weight[row, x] / weight_of[row]
                            for _ in range(ships_of[row]):
                                missing[x] *= other_chance
                most = -1.0
                for x in range(cells):
                    if shot_time[x] < 0 and 1.0 - missing[x] > most:
                        most = 1.0 - missing[x]
                        cell = x
            if record.shape[0] > 0:
                record[g, t] = cell
            shot_time[cell] = t
            t += 1
            if ship_at[cell] < 0:
                for i in range(through_first[cell], through_first[cell + 1]):
                    rule_out(count, total_of, ship_cells, class_of, alive, through[i])
                continue
            total -= 1
            hit_cells[struck] = cell
            struck += 1
            for i in range(through_first[cell], through_first[cell + 1]):
                hits[through[i]] += 1
            for i in range(touching_first[cell], touching_first[cell + 1]):
                rule_out(count, total_of, ship_cells, class_of, alive, touching[i])
        shots[g] = t - prefix.shape[0]
