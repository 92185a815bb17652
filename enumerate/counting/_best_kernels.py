"""Kernels that find the heaviest layout along the steps of a frontier sweep.

The same recursion as in ``_sum_kernels``, with the maximum in place of the sum and the sum in place
of the product: every placement has a *gain*, and a layout weighs the sum of its ships' gains.

``best``
    int64 ``(nodes, entries)``: the most that the ships still to come can gain from a node, when
    the ships of choice u are used so far; below ``NOTHING // 2`` where the fleet cannot be
    completed.
``gains``
    int64 ``(width * kinds,)`` by code: the gain of the ship that begins with a step, 0 elsewhere.

Gains of all ships of a layout add up to less than 2**60 in absolute value, so ``NOTHING`` plus any
of them stays in int64 and below ``NOTHING // 2``.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.counting._profile_kernels import FIRST_SHIP
from seabattle.enumerate.kernels import ZERO, kernel

NOTHING = -(1 << 62)


@kernel
def best_row(best, begun, steps, row, gains):
    """Best gains of all layers of one row from those of the last.

    best : given for the last layer, written for the nodes of ``begun``
    begun : int32 (n,), the nodes before the last layer, in increasing order of layers
    steps : the steps out of each node
    row : RowRules
    """
    kinds = len(row.shifts)
    entries = best.shape[1]
    for node in begun[::-1]:
        most = best[node]
        most[:] = NOTHING
        for e in range(steps.starts[node], steps.starts[node + 1]):
            code = steps.codes[e]
            if not row.opened[steps.classes[e]]:
                continue
            shift, mask = row.shifts[code % kinds], row.masks[code % kinds]
            after = best[steps.others[e]]
            for u in range(entries - shift):
                gain = after[u + shift] + gains[code]
                if mask[u] != ZERO and gain > most[u]:
                    most[u] = gain


@kernel
def follow_row(best, layers, steps, row, gains, at, used, ships, found):
    """Follow a heaviest layout through one row; among equally heavy ones the first met.

    best : the best gains of the row
    layers : int64 (width + 2,), first node of each layer, and the end
    at : node of layer 0, from which the fleet can be completed
    used : the entry that says which ships are used
    ships : int64 (n_ships,), modified: codes of the ships met, from place ``found`` on
    found : how many are written before this row
    Returns the number in the last layer, the entry and how many ships are written.
    """
    kinds = len(row.shifts)
    last = layers[len(layers) - 2]
    node = np.int64(at)
    while node < last:
        wanted = best[node, used]
        for e in range(steps.starts[node], steps.starts[node + 1]):
            code = steps.codes[e]
            kind = code % kinds
            if not row.opened[steps.classes[e]]:
                continue
            if row.masks[kind, used] == ZERO:
                continue
            target = np.int64(steps.others[e])
            if best[target, used + row.shifts[kind]] + gains[code] == wanted:
                node = target
                used += row.shifts[kind]
                if kind >= FIRST_SHIP:
                    ships[found] = code
                    found += 1
                break
    return node - last, used, found
