"""Slow, obvious twins of some players, told in sets and lists; nothing of ``seabattle`` is used.

A history is a list of (cell, answer text) in the order shot. Each function returns the next cell.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Sequence

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


def counts(
    rows: int,
    columns: int,
    fleet: Sequence[int],
    contact: str,
    history: History,
    weight: Callable[[int], int],
) -> tuple[Counter[int], dict[int, Counter[int]]]:
    """What follows from hits, misses and sinkings, whatever the contact rule.

    A sunk ship may lie wherever it covers the last shot, all its cells were hit by then, and it has
    the length announced. The cells that all these places share are sunk: no other ship is there.

    Returns
    -------
    The ships afloat by length, and for each length the weight of the ships that fit over each cell,
    where ``weight`` is that of a ship with so many cells hit.
    """
    ships = {s for length in set(fleet) for s in naive.ships_of_length(rows, columns, length)}
    misses = {cell for cell, told in history if told == "miss"}
    hits = {cell for cell, told in history if told != "miss"}
    fitting = {
        ship for ship in ships if not ship & misses and _apart(columns, ship, hits - ship, contact)
    }
    sinkings: list[tuple[set[naive.Ship], set[int]]] = []
    for number, (cell, told) in enumerate(history):
        if told.startswith("sunk"):
            by_then = {c for c, text in history[: number + 1] if text != "miss"}
            length = int(told.partition(":")[2] or 0)
            places = {
                ship
                for ship in ships
                if cell in ship and ship <= by_then and length in (0, len(ship))
            }
            sinkings.append((places, {length} - {0}))
    news = True
    while news:
        news = False
        for places, lengths in sinkings:
            left = places & fitting
            if not left:
                continue
            if len({len(ship) for ship in left}) == 1:
                lengths |= {len(ship) for ship in left}
            common = frozenset.intersection(*left)
            if len(left) == 1:
                places.clear()  # its place is known: nothing more to find out
            wrong = {s for s in fitting if s & common and (s not in left or len(left) == 1)}
            news = news or bool(wrong)
            fitting -= wrong
    afloat = Counter(fleet)
    afloat.subtract(length for _, lengths in sinkings for length in lengths)
    found: dict[int, Counter[int]] = {length: Counter() for length in set(fleet)}
    for ship in fitting:
        for cell in ship:
            found[len(ship)][cell] += weight(len(ship & hits))
    return afloat, found


def _apart(columns: int, ship: naive.Ship, hits: Collection[int], contact: str) -> bool:
    """Whether hits of other ships may lie there."""
    return all(naive.may_stand(columns, ship, frozenset([hit]), contact) for hit in hits)


def _sums(afloat: Counter[int], found: dict[int, Counter[int]]) -> Counter[int]:
    sums: Counter[int] = Counter()
    for length, weights in found.items():
        for cell, weight in weights.items():
            sums[cell] += max(0, afloat[length]) * weight
    return sums


def heaviest(
    rows: int,
    columns: int,
    fleet: Sequence[int],
    contact: str,
    history: History,
    weight: Callable[[int], int],
) -> int:
    """``density`` and ``odds`` under every contact rule."""
    sums = _sums(*counts(rows, columns, fleet, contact, history, weight))
    shot = {cell for cell, _ in history}
    return min(set(range(rows * columns)) - shot, key=lambda cell: (-sums[cell], cell))


def diagonal(
    rows: int,
    columns: int,
    fleet: Sequence[int],
    contact: str,
    history: History,
    hunted: int,
    order: Sequence[int],
) -> int:
    """Every n-th diagonal until the longest ship afloat is found; then by counts."""
    afloat, found = counts(
        rows, columns, fleet, contact, history,
        lambda hits: hunted * 4 ** min(hits - 1, 8) if hits else 1,
    )  # fmt: skip
    shot = {cell for cell, _ in history}
    sums = _sums(afloat, found)
    best = min(set(range(rows * columns)) - shot, key=lambda cell: (-sums[cell], cell))
    if sums[best] >= hunted:
        return best
    for length in sorted(set(fleet), reverse=True):
        worth = [cell for cell in order if cell not in shot and found[length][cell]]
        if afloat[length] > 0 and worth:
            offsets = Counter((cell // columns + cell % columns) % length for cell in worth)
            offset = min(offsets, key=lambda offset: (offsets[offset], offset))
            return next(c for c in worth if (c // columns + c % columns) % length == offset)
    return best


def unnamed(
    rows: int, columns: int, fleet: Sequence[int], contact: str, history: History
) -> dict[int, float]:
    """Chance that each cell not shot is occupied, told of hits and misses only.

    Each hit makes a placement over it likelier by one over the chance that the hit is another
    ship's.
    """
    misses = {cell for cell, told in history if told == "miss"}
    hits = {cell for cell, told in history if told != "miss"}
    fitting = {
        length: [
            ship
            for ship in naive.ships_of_length(rows, columns, length)
            if not ship & misses and _apart(columns, ship, hits - ship, contact)
        ]
        for length in set(fleet)
    }
    share = {
        (length, hit): sum(hit in ship for ship in ships) / max(1, len(ships))
        for length, ships in fitting.items()
        for hit in hits
    }
    missing = {cell: 1.0 for cell in range(rows * columns) if cell not in misses | hits}
    for length, ships in fitting.items():
        others = list((Counter(fleet) - Counter([length])).elements())
        weights = []
        for ship in ships:
            weight = 1.0
            for hit in ship & hits:
                weight /= max(1 - math.prod(1 - share[other, hit] for other in others), 1e-6)
            weights.append(weight)
        for cell in missing:
            mine = sum(w for ship, w in zip(ships, weights, strict=True) if cell in ship)
            if ships:
                missing[cell] *= (1 - mine / sum(weights)) ** fleet.count(length)
    return {cell: 1 - chance for cell, chance in missing.items()}


def independent(
    rows: int, columns: int, fleet: Sequence[int], history: History, contact: str = "sides"
) -> dict[int, float]:
    """Chance that each cell not shot is occupied, ships taken one by one.

    Hits name the ship, as ``hit:3#1``.
    """
    shot = {cell for cell, _ in history}
    hits = {cell for cell, told in history if told != "miss"}
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
            ship
            for ship in naive.ships_of_length(rows, columns, length)
            if ship & shot == cells and _apart(columns, ship, hits - cells, contact)
        ]
        for cell in missing:
            missing[cell] *= 1 - sum(cell in ship for ship in fitting) / len(fitting)
    return {cell: 1 - chance for cell, chance in missing.items()}
