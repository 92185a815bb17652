"""Compiled games of ``density`` and ``diagonal``. Arrays and scalars only.

``_player_kernels`` says what the arrays hold that all players share. A placement is *alive* while
no answer rules it out; its weight depends on how many of its cells were hit.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import allocating_kernel, kernel
from seabattle.solver.players._hunt_kernels import draw, fill_deck, hide, weigh

HUNTED = 1_000_000


@kernel
def strike(score, ship_cells, class_of, weights, hits, alive, p):
    """Placement p is ruled out. score : int64 (classes, cells), alive : uint8, both modified."""
    if alive[p] == 1:
        alive[p] = 0
        weigh(score, ship_cells, class_of[p], p, -weights[hits[p]])


@kernel
def is_candidate(ship_cells, class_of, shot_time, alive, hits, p, cell, kind):
    """Whether the ship sunk by the shot at ``cell`` can be placement p, of length class ``kind``.

    All its cells were hit by then. kind : -1 when the length was not told
    """
    if alive[p] == 0 or (kind >= 0 and class_of[p] != kind):
        return False
    length = 0
    for j in range(ship_cells.shape[1]):
        x = ship_cells[p, j]
        if x < 0:
            break
        if shot_time[x] < 0 or shot_time[x] > shot_time[cell]:
            return False
        length += 1
    return hits[p] == length


@allocating_kernel
def settle_sinkings(
    score,
    ship_cells,
    class_of,
    weights,
    hits,
    alive,
    through_first,
    through,
    shot_time,
    afloat,
    sunk_at,
    sunk_kind,
    settled,
    count,
):
    """Work out where the sunk ships lie, as far as it is certain, until nothing more follows.

    score, alive, afloat (int64 (classes,)), sunk_kind and settled are modified
    sunk_at, sunk_kind : int64, cell and length class (-1 unknown) of the first ``count`` sinkings
    settled : uint8, 1 for sinkings whose ship is known
    """
    chosen = np.empty(through.shape[0], np.int64)
    again = True
    while again:
        again = False
        for s in range(count):
            if settled[s] == 1:
                continue
            cell = sunk_at[s]
            n = 0
            same = True
            for i in range(through_first[cell], through_first[cell + 1]):
                p = through[i]
                if is_candidate(
                    ship_cells, class_of, shot_time, alive, hits, p, cell, sunk_kind[s]
                ):
                    chosen[n] = p
                    n += 1
                    same = same and class_of[p] == class_of[chosen[0]]
            if n == 0:
                continue
            if same and sunk_kind[s] < 0:
                sunk_kind[s] = class_of[chosen[0]]
                afloat[sunk_kind[s]] -= 1
            for j in range(ship_cells.shape[1]):
                x = ship_cells[chosen[0], j]
                if x < 0:
                    break
                common = True
                for c in range(1, n):
                    covers = False
                    for e in range(ship_cells.shape[1]):
                        covers = covers or ship_cells[chosen[c], e] == x
                    common = common and covers
                if not common:
                    continue
                for i in range(through_first[x], through_first[x + 1]):
                    p = through[i]
                    if alive[p] == 0:
                        continue
                    keep = False
                    for c in range(n):
                        keep = keep or (n > 1 and chosen[c] == p)
                    if not keep:
                        strike(score, ship_cells, class_of, weights, hits, alive, p)
                        again = True
            if n == 1:
                settled[s] = 1
                again = True


@kernel
def hunt_diagonals(score, afloat, lengths, shot_time, deck, columns):
    """The cell ``diagonal`` hunts at: see ``density.Diagonal``; -1 when none is left.

    score : int64 (classes, cells), counts of placements; lengths : int64 (classes,)
    deck : int16 (cells,), the order in which cells of one kind are shot
    """
    cells = deck.shape[0]
    for row in range(lengths.shape[0]):
        if afloat[row] == 0:
            continue
        spacing = lengths[row]
        best = -1
        fewest = cells + 1
        for offset in range(spacing):
            n = 0
            for cell in range(cells):
                if (
                    shot_time[cell] < 0
                    and score[row, cell] > 0
                    and (cell // columns + cell % columns) % spacing == offset
                ):
                    n += 1
            if 0 < n < fewest:
                fewest = n
                best = offset
        if best < 0:
            continue
        for i in range(cells):
            cell = np.int64(deck[i])
            if (
                shot_time[cell] < 0
                and score[row, cell] > 0
                and (cell // columns + cell % columns) % spacing == best
            ):
                return cell
    return -1


@allocating_kernel
def play_by_counts(
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
    weights,
    told_length,
    diagonal,
    columns,
    prefix,
    key,
    first_game,
    shots,
    record,
):
    """Games of ``density`` and ``diagonal``, whose counts follow each answer.

    weights : int64 (longest + 1,), weight of a placement by the number of cells hit on it
    told_length : 1 when a sinking tells the length; diagonal : 1 to hunt along diagonals
    columns : columns of the board
    """
    cells = base.shape[1]
    classes = lengths.shape[0]
    ships = layouts.shape[1]
    ship_at = np.empty(cells, np.int16)
    left = np.empty(ships, np.int64)
    deck = np.empty(cells, np.int16)
    shot_time = np.empty(cells, np.int64)
    score = np.empty((classes, cells), np.int64)
    value = np.empty(cells, np.int64)
    alive = np.empty(class_of.shape[0], np.uint8)
    hits = np.empty(class_of.shape[0], np.int64)
    afloat = np.empty(classes, np.int64)
    sunk_at = np.empty(ships, np.int64)
    sunk_kind = np.empty(ships, np.int64)
    settled = np.empty(ships, np.uint8)
    for g in range(layouts.shape[0]):
        total = hide(layouts[g], ship_cells, ship_at, left)
        if diagonal == 1:
            fill_deck(draw(key, first_game + g), deck)
        shot_time[:] = -1
        score[:] = base
        alive[:] = 1
        hits[:] = 0
        afloat[:] = ships_of
        settled[:] = 0
        sinkings = 0
        t = 0
        while total > 0:
            cell = -1
            if t < prefix.shape[0]:
                cell = prefix[t]
            else:
                value[:] = 0
                for row in range(classes):
                    if afloat[row] > 0:
                        for x in range(cells):
                            value[x] += afloat[row] * score[row, x]
                most = -1
                for x in range(cells):
                    if shot_time[x] < 0 and value[x] > most:
                        most = value[x]
                        cell = x
                if diagonal == 1 and most < HUNTED:
                    hunted = hunt_diagonals(score, afloat, lengths, shot_time, deck, columns)
                    if hunted >= 0:
                        cell = hunted
            if record.shape[0] > 0:
                record[g, t] = cell
            shot_time[cell] = t
            t += 1
            d = ship_at[cell]
            if d < 0:
                for i in range(through_first[cell], through_first[cell + 1]):
                    strike(score, ship_cells, class_of, weights, hits, alive, through[i])
                continue
            total -= 1
            left[d] -= 1
            for i in range(through_first[cell], through_first[cell + 1]):
                p = through[i]
                if alive[p] == 1:
                    change = weights[hits[p] + 1] - weights[hits[p]]
                    weigh(score, ship_cells, class_of[p], p, change)
                hits[p] += 1
            for i in range(touching_first[cell], touching_first[cell + 1]):
                strike(score, ship_cells, class_of, weights, hits, alive, touching[i])
            if left[d] == 0:
                sunk_at[sinkings] = cell
                sunk_kind[sinkings] = -1
                if told_length == 1:
                    kind = class_of[layouts[g, d]]
                    sunk_kind[sinkings] = kind
                    afloat[kind] -= 1
                sinkings += 1
                settle_sinkings(
                    score,
                    ship_cells,
                    class_of,
                    weights,
                    hits,
                    alive,
                    through_first,
                    through,
                    shot_time,
                    afloat,
                    sunk_at,
                    sunk_kind,
                    settled,
                    sinkings,
                )
        shots[g] = t - prefix.shape[0]
