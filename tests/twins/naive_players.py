"""Slow, obvious twins of some players, told in sets and lists; nothing of ``seabattle`` is used.

A history is a list of (cell, answer text) in the order shot. Each function returns the next cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from twins import naive

History = Sequence[tuple[int, str]]


def hunt_target(rows: int, columns: int, history: History, order: Sequence[int]) -> int:
    """Targets in the order they were found, else the first cell left of a random order."""
    targets: list[int] = []
    visited: set[int] = set()
    for cell, told in history:
        visited.add(cell)
        row, column = divmod(cell, columns)
        around = [(row - 1, column), (row + 1, column), (row, column + 1), (row, column - 1)]
        if told != "miss":
            targets += [
                r * columns + c
                for r, c in around
                if 0 <= r < rows and 0 <= c < columns and r * columns + c not in visited
            ]
    left = [cell for cell in targets if cell not in visited]
    return left[0] if left else next(cell for cell in order if cell not in visited)


def density(
    rows: int, columns: int, fleet: Sequence[int], contact: str, history: History, heavy: int
) -> int:
    """Counts of the placements of the ships afloat, where ships keep apart.

    Then the group of hits around the shot that sank a ship is that ship.
    """
    assert contact in ("none", "corners")
    misses = {cell for cell, told in history if told == "miss"}
    hits = {cell for cell, told in history if told != "miss"}
    sunk: list[frozenset[int]] = []
    for cell, told in history:
        if told == "sunk":
            group = {cell}
            while more := {
                other
                for other in hits - group
                if any(not naive.may_stand(columns, frozenset([other]), frozenset([c]), "corners")
                       for c in group)
            }:  # fmt: skip
                group |= more
            sunk.append(frozenset(group))
    afloat = list((Counter(fleet) - Counter(map(len, sunk))).elements())
    wounded = hits - frozenset().union(*sunk)
    counts: Counter[int] = Counter()
    for length in afloat:
        for ship in naive.ships_of_length(rows, columns, length):
            others = [*sunk, *(frozenset([cell]) for cell in wounded - ship)]
            if ship & misses or not all(
                naive.may_stand(columns, ship, other, contact) for other in others
            ):
                continue
            for cell in ship:
                counts[cell] += 1 + heavy * len(ship & wounded)
    return max(
        (cell for cell in range(rows * columns) if cell not in misses | hits),
        key=lambda cell: (counts[cell], -cell),
    )


def independent(
    rows: int, columns: int, fleet: Sequence[int], history: History
) -> dict[int, float]:
    """Chance that each cell not shot is occupied, ships that may touch taken one by one.

    Hits name the ship, as ``hit:3#1``.
    """
    shot = {cell for cell, _ in history}
    missing = {cell: 1.0 for cell in range(rows * columns) if cell not in shot}
    named: dict[str, set[int]] = {}
    for cell, told in history:
        if told != "miss":
            named.setdefault(told, set()).add(cell)
    left = Counter(fleet)
    own: list[tuple[int, set[int]]] = []
    for name, cells in named.items():
        length = int(name.removeprefix("hit:").partition("#")[0])
        left[length] -= 1
        own.append((length, cells))
    own += [(length, set()) for length in left.elements()]
    for length, cells in own:
        fitting = [
            ship for ship in naive.ships_of_length(rows, columns, length) if ship & shot == cells
        ]
        for cell in missing:
            missing[cell] *= 1 - sum(cell in ship for ship in fitting) / len(fitting)
    return {cell: 1 - chance for cell, chance in missing.items()}
