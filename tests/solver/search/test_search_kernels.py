"""Bounds, keys, tables and segments of the search, one kernel at a time against plain Python.

The searches are tested as a whole elsewhere; here every kernel is asked directly, about random
arrays, so that what merely weakens a bound or moves a key is noticed as well.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

from seabattle.enumerate.rules import Rules
from seabattle.solver.search import arrays as a
from seabattle.solver.search import keys
from seabattle.solver.search.bounds import few_alike, few_weighted
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.work import INFEASIBLE


def words(*numbers: int) -> np.ndarray:
    return np.array(numbers, dtype=np.uint64)


def cells_of(mask: int) -> list[int]:
    return [cell for cell in range(64) if mask >> cell & 1]


def value(misses: int, worst: int) -> int:
    return misses << 7 | worst


@cache
def front(rows: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    """Worst case and total misses of every tree that is worth having, for (row, weight) pairs."""
    if len(rows) == 1:
        return frozenset([(0, 0)])
    found = set()
    for bit in (1 << cell for cell in range(8)):
        hit = frozenset(row for row in rows if row[0] & bit)
        missed = rows - hit
        if hit and missed:
            weight = sum(weight for _, weight in missed)
            found |= {
                (max(a, 1 + b), x + y + weight)
                for (a, x), (b, y) in product(front(hit), front(missed))
            }
    return frozenset(found)


def least_total(rows: frozenset[tuple[int, int]], limit: int) -> int | None:
    return min((total for worst, total in front(rows) if worst <= limit), default=None)


def test_few_rows_have_the_value_of_the_best_tree() -> None:
    rng = random.Random(2)
    masks = [sum(1 << cell for cell in cells) for cells in combinations(range(6), 3)]
    for n, _ in product((3, 4), range(150)):
        chosen = rng.sample(masks, n)
        best = front(frozenset((row, 1) for row in chosen))
        ids = np.arange(n, dtype=np.int32)
        found = few_alike(np.concatenate((ids[:1], ids)), 1, n, words(*chosen))
        assert found == value(min(t for _, t in best), min(w for w, _ in best))


def test_few_weighted_rows_have_the_value_of_the_best_tree() -> None:
    rng = random.Random(3)
    masks = [sum(1 << cell for cell in cells) for cells in combinations(range(6), 3)]
    for n, limit, _ in product((3,), (1, 2, 3), range(100)):
        chosen, weights = rng.sample(masks, n), [rng.randint(0, 9) for _ in range(n)]
        rows = frozenset(zip(chosen, weights, strict=True))
        ids = np.array([0, 2, 0, 1], dtype=np.int32)
        found = few_weighted(ids, 1, words(*chosen), np.array(weights), limit)
        least = least_total(rows, limit)
        if least is None:
            assert found >> 7 == INFEASIBLE
        else:
            worst = min(w for w, total in front(rows) if total == least)
            assert found >> 7 == least
            assert worst <= found & 127 <= limit


def plain_key(certain: int, water: int, moves: np.ndarray, g: int, wide: bool) -> tuple[int, int]:
    hits = [int(moves[g, cell]) for cell in cells_of(certain)]
    misses = [int(moves[g, cell]) for cell in cells_of(water)]
    if wide:
        return sum(1 << image for image in hits), sum(1 << image for image in misses)
    return sum(3**image for image in hits) + 2 * sum(3**image for image in misses), 0


@pytest.mark.parametrize(
    ("board", "fleet"), [("4x4", "2"), ("5x5", "2"), ("3x5", "2"), ("6x7", "2"), ("7x7", "2")]
)
@pytest.mark.parametrize("orbits", [False, True])
def test_keys_are_the_least_images(board: str, fleet: str, orbits: bool) -> None:
    problem, rng = as_problem(Rules(board, fleet)), random.Random(6)
    shares, moves = (problem if orbits else problem.without_symmetry()).symmetry_arrays()
    for _ in range(40):
        certain = rng.randrange(1 << problem.cells) & rng.randrange(1 << problem.cells)
        water = rng.randrange(1 << problem.cells) & ~certain
        if rng.random() < 0.2:  # as symmetric as can be: several images are the least
            certain, water = 0, rng.choice([0, problem.full])
        images = [plain_key(certain, water, moves, g, problem.two_words) for g in range(len(moves))]
        low, high, symmetry = keys.canonical_key(
            np.uint64(certain), np.uint64(water), shares, problem.two_words
        )
        assert (int(low), int(high)) == min(images)
        assert symmetry == images.index(min(images))


@pytest.mark.parametrize("words", [1, 2])
@pytest.mark.parametrize("fleet", ["2,2", "2,1,1", "3,2", "2,2,1"])
def test_names_are_alike_where_the_ships_hit_are(fleet: str, words: int) -> None:
    """Equal ships are numbered as they are first met, in the order of the images."""
    problem = as_problem(Rules("2x4", fleet, "sides", "ship"))
    _, moves = problem.symmetry_arrays()
    lengths = np.array(problem.rules.fleet.lengths, dtype=np.int64)
    counts = np.full((a.COUNT_PLANES, 64), 777, dtype=np.int64)
    key = np.zeros(1 + words, dtype=np.uint64)
    words_of: dict[tuple[int, int, bytes], set[tuple[tuple[int, int], ...]]] = {}
    named: dict[tuple[int, int, tuple[tuple[int, int], ...]], set[bytes]] = {}
    for g, mask in product(range(len(moves)), range(1, 1 << problem.cells, 3)):
        for row in range(len(problem)):
            ships = [int(ship) for ship in problem.ships[row]]
            if mask & ~sum(ships):
                continue
            met: list[int] = []
            names = []
            for cell in sorted(cells_of(mask), key=lambda cell: moves[g, cell]):
                ship = next(d for d, cells in enumerate(ships) if cells >> cell & 1)
                met += [ship] if ship not in met else []
                equal = [d for d in met if lengths[d] == lengths[ship]]
                names.append((int(lengths[ship]), equal.index(ship)))
            arrays = moves, problem.ships, lengths, counts
            keys.put_names(row, np.uint64(mask), g, *arrays, 1, key)
            words_of.setdefault((g, mask, key[1:].tobytes()), set()).add(tuple(names))
            named.setdefault((g, mask, tuple(names)), set()).add(key[1:].tobytes())
    assert all(len(met) == 1 for met in (*words_of.values(), *named.values()))
    assert len(words_of) > 100
