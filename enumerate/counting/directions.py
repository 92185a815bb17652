"""From which side a board is swept for a map.

A map does not depend on it, its cost does: the profiles met are those of the ships that cross from
one row into the next, so it is best to sweep across few open lines, and to meet what is known
early. In the middle of a game the best of the four sides often reaches half as many nodes as the
worst. Which nodes a sweep reaches is found without adding up sums, in a few percent of the time of
a map.
"""

from __future__ import annotations

from seabattle.enumerate.counting.sweep import Sweep

WORTH_IT = 200_000
"""If the sums of all nodes reached are fewer numbers than this, no other side is tried."""

FEW_RULED_OUT = 1 / 6
"""Nor if fewer than this share of the placements are ruled out: all sides are then much alike."""

GAIN = 0.9
"""Another side is taken if it reaches at most this share of the nodes."""


def cheapest(sweep: Sweep) -> Sweep:
    """The sweep from the side from which the fewest nodes are reached, given the usual one."""
    if not sweep.any_side or sweep.frontier.counted:  # then nodes cost as much as their sums
        return sweep
    if (sweep.constraints.allowed == 0).mean() < FEW_RULED_OUT:
        return sweep
    best, least = sweep, sweep.nodes_reached(2**62)
    if least * sweep.entries < WORTH_IT:
        return sweep
    rows, columns = sweep.rules.board.rows, sweep.rules.board.columns
    usual = columns > rows
    turns = (usual, not usual) if rows == columns else (usual,)
    for transposed in turns:
        for upwards in (False, True):
            if (transposed, upwards) == (usual, False):
                continue
            other = sweep.from_side(transposed, upwards)
            nodes = other.nodes_reached(int(GAIN * least))
            if nodes <= GAIN * least:
                best, least = other, nodes
    return best
