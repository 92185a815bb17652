"""Compiled games of the quick players, a batch of layouts in one call. Arrays and scalars only.

Every kernel plays what the player of the same name in ``ordered_players``, ``placement_players``
or ``ship_players`` chooses shot by shot, and must play the same games. What they share:

layouts : uint16 (n_games, n_ships), placement numbers of each hidden layout
ship_cells : int16 (n_placements, longest), cells of each placement, -1 behind the last
class_of : int64 (n_placements,), which length a placement has: 0 the longest of the fleet
prefix : int64 (k,), cells that are shot first and not counted
key : uint64, the player's key (``chance.player_key``); first_game : int64, number of row 0
shots : int32 (n_games,), modified: shots until the fleet was sunk, the prefix not counted
record : int16 (n_games, cells), or (0, 0) for none, modified: cells in the order shot, the
    prefix first; what lies behind the last shot is left alone
through, touching : int64, with ``through_first``, ``touching_first`` int64 (cells + 1,): the
    placements that cover a cell, and those that do not but that no ship on the cell allows

Counts are int64: at most 2^11 placements, each of a weight below 2^37, times 63 ships.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate._compile import kernel

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST_MIX = np.uint64(0xBF58476D1CE4E5B9)
SECOND_MIX = np.uint64(0x94D049BB133111EB)
LOW_HALF = np.uint64(0xFFFFFFFF)
FRACTIONS = 1 << 20
HUNTED = 1_000_000
LEAST_OTHER = 1e-6


@kernel
def draw(seed, index):
    """Number ``index`` of the random stream ``seed`` (splitmix64): uint64, uint64 -> uint64."""
    x = seed + (np.uint64(index) + np.uint64(1)) * GAMMA
    x = (x ^ (x >> np.uint64(30))) * FIRST_MIX
    x = (x ^ (x >> np.uint64(27))) * SECOND_MIX
    return x ^ (x >> np.uint64(31))


@kernel
def fill_deck(seed, deck):
    """Put the cells in random order, each order equally likely (Fisher and Yates; Lemire 2019).

    deck : int16 (cells,), modified
    """
    cells = deck.shape[0]
    for i in range(cells):
        deck[i] = i
    index = 0
    for i in range(cells - 1, 0, -1):
        size = np.uint64(i + 1)
        product = (draw(seed, index) >> np.uint64(32)) * size
        index += 1
        if (product & LOW_HALF) < size:
            least = (np.uint64(1 << 32) - size) % size
            while (product & LOW_HALF) < least:
                product = (draw(seed, index) >> np.uint64(32)) * size
                index += 1
        j = np.int64(product >> np.uint64(32))
        deck[i], deck[j] = deck[j], deck[i]


@kernel
def fraction(seed, index):
    """A number from 0 to 1, exclusive, in steps of 2^-53; float64."""
    return np.float64(draw(seed, FRACTIONS + index) >> np.uint64(11)) * 2.0**-53


@kernel
def hide(layout, ship_cells, ship_at, left):
    """Put one layout on the board; return its number of cells.

    layout : uint16 (n_ships,); ship_at : int16 (cells,), modified: the ship on each cell, -1 water
    left : int64 (n_ships,), modified: cells of each ship
    """
    for cell in range(ship_at.shape[0]):
        ship_at[cell] = -1
    total = 0
    for d in range(layout.shape[0]):
        left[d] = 0
        for j in range(ship_cells.shape[1]):
            cell = ship_cells[layout[d], j]
            if cell < 0:
                break
            ship_at[cell] = d
            left[d] += 1
        total += left[d]
    return total


@kernel
def place_in_sequence(slot_first, slot_stop, ship_cells, halo_cells, key, first_game, out):
    """Place ships one after another, longest first, each at random where it still fits.

    A ship that fits nowhere starts the layout anew.

    slot_first, slot_stop : int64 (n_ships,), placements of each ship
    ship_cells, halo_cells : int16 (n_placements, ...), cells covered; cells forbidden to others
    out : uint16 (n_games, n_ships), modified. Returns 0, or 1 when a layout failed 100,000 times
    """
    ships = slot_first.shape[0]
    cells = 0
    for p in range(halo_cells.shape[0]):
        for j in range(halo_cells.shape[1]):
            cells = max(cells, halo_cells[p, j] + 1)
    blocked = np.zeros(cells, np.uint8)
    free = np.empty(ship_cells.shape[0], np.int64)
    for g in range(out.shape[0]):
        seed = draw(key, first_game + g)
        index = 0
        d = 0
        failures = 0
        while d < ships:
            if d == 0:
                blocked[:] = 0
            n = 0
            for p in range(slot_first[d], slot_stop[d]):
                fits = True
                for j in range(ship_cells.shape[1]):
                    cell = ship_cells[p, j]
                    if cell < 0:
                        break
                    if blocked[cell] == 1:
                        fits = False
                        break
                if fits:
                    free[n] = p
                    n += 1
            if n == 0:
                failures += 1
                if failures == 100_000:
                    return 1
                d = 0
                continue
            share = (draw(seed, index) >> np.uint64(32)) * np.uint64(n)
            p = free[np.int64(share >> np.uint64(32))]
            index += 1
            out[g, d] = p
            for j in range(halo_cells.shape[1]):
                if halo_cells[p, j] < 0:
                    break
                blocked[halo_cells[p, j]] = 1
            d += 1
        for d in range(1, ships):  # equal ships by placement number
            p = out[g, d]
            e = d
            while e > 0 and out[g, e - 1] > p:
                out[g, e] = out[g, e - 1]
                e -= 1
            out[g, e] = p
    return 0


@kernel
def play_in_order(
    layouts,
    ship_cells,
    neighbours,
    hunted_first,
    follow,
    prefix,
    key,
    first_game,
    shots,
    record,
):
    """Games of ``random`` and of hunting with a queue of neighbours.

    neighbours : int16 (cells, 4), in the order north, south, east, west, -1 off the board
    hunted_first : uint8 (cells,), 1 for cells to hunt before the others
    follow : 1 to shoot the neighbours of hits, first found first shot
    """
    cells = neighbours.shape[0]
    ship_at = np.empty(cells, np.int16)
    left = np.empty(layouts.shape[1], np.int64)
    deck = np.empty(cells, np.int16)
    shot = np.empty(cells, np.uint8)
    queue = np.empty(4 * cells, np.int16)
    for g in range(layouts.shape[0]):
        total = hide(layouts[g], ship_cells, ship_at, left)
        fill_deck(draw(key, first_game + g), deck)
        shot[:] = 0
        head = 0
        tail = 0
        at = 0
        first = 1
        t = 0
        while total > 0:
            cell = -1
            if t < prefix.shape[0]:
                cell = prefix[t]
            elif follow == 1:
                while cell < 0 and head < tail:
                    if shot[queue[head]] == 0:
                        cell = np.int64(queue[head])
                    head += 1
            while cell < 0:
                if at == cells:
                    at = 0
                    first = 0
                x = deck[at]
                at += 1
                if shot[x] == 0 and hunted_first[x] == first:
                    cell = np.int64(x)
            if record.shape[0] > 0:
                record[g, t] = cell
            t += 1
            shot[cell] = 1
            if ship_at[cell] >= 0:
                total -= 1
                if follow == 1:
                    for j in range(4):
                        x = neighbours[cell, j]
                        if x >= 0 and shot[x] == 0:
                            queue[tail] = x
                            tail += 1
        shots[g] = t - prefix.shape[0]


@kernel
def weigh(score, ship_cells, row, p, change):
    """Add to the scores of the cells of placement p; score : int64 (classes, cells), modified."""
    for j in range(ship_cells.shape[1]):
        cell = ship_cells[p, j]
        if cell < 0:
            break
        score[row, cell] += change


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


@kernel
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
    """The cell ``diagonal`` hunts at: see ``placement_players.Diagonal``; -1 when none is left.

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


@kernel
def play_by_counts(
    layouts,
    ship_cells,
    class_of,
    lengths,
    ships_of,
    base,
    weights,
    through_first,
    through,
    touching_first,
    touching,
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

    lengths, ships_of : int64 (classes,), length of the ships of a class, and how many there are
    base : int64 (classes, cells), scores of the empty board
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


@kernel
def rule_out(count, total, ship_cells, class_of, alive, p):
    """Placement p is ruled out; count : int64 (classes, cells), total : int64, both modified."""
    if alive[p] == 1:
        alive[p] = 0
        weigh(count, ship_cells, class_of[p], p, -1)
        total[class_of[p]] -= 1


@kernel
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
        count[:] = base
        total_of[:] = 0
        for p in range(class_of.shape[0]):
            total_of[class_of[p]] += 1
        alive[:] = 1
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


@kernel
def play_by_unnamed_ships(
    layouts,
    ship_cells,
    class_of,
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
    classes = ships_of.shape[0]
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
        count[:] = base
        total_of[:] = 0
        for p in range(placements):
            total_of[class_of[p]] += 1
        alive[:] = 1
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
