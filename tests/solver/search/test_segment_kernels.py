"""Segments and hash tables of the search, one kernel at a time against lists, sets and dicts."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from seabattle.enumerate import layouts as subsets
from seabattle.solver.search.kernels import arrays as a
from seabattle.solver.search.kernels import segments, transposition, work
from seabattle.solver.search.kernels.transposition import EMPTY, NO_SHOT

FULL = (1 << 12) - 1
UNWEIGHTED = np.zeros(0, dtype=np.int64)
KNOWN_LIMITS = (0, 1, 5, work.MOST_MISSES, work.WORST_CASE, work.NO_LIMIT)


def some_rows(rng: random.Random, count: int) -> list[int]:
    return [rng.randrange(1, FULL + 1) | 1 << 63 for _ in range(count)]


def words(numbers: list[int]) -> NDArray[np.uint64]:
    return np.array(numbers, dtype=np.uint64)


def scratch() -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Arrays of one level, full of what an earlier sub-table left there."""
    counts = np.full((a.COUNT_PLANES, 64), 777, dtype=np.int64)
    return counts, np.full((a.MASK_PLANES, 64), 0x5555, dtype=np.uint64)


def closure(rows: list[int]) -> tuple[int, int]:
    certain, occupied = FULL | 1 << 63, 0
    for row in rows:
        certain, occupied = certain & row, occupied | row
    return certain, occupied


@pytest.mark.parametrize("weighted", [False, True])
def test_columns_and_children_are_those_of_the_rows(weighted: bool) -> None:
    rng, full = random.Random(1), np.uint64(FULL | 1 << 63)
    for _ in range(60):
        rows, lo = some_rows(rng, 12), rng.randint(0, 3)
        hi = rng.randint(lo + 1, 12)
        weights = np.array([rng.randint(0, 9) for _ in rows]) if weighted else UNWEIGHTED
        weight = [int(w) for w in weights] if weighted else [1] * len(rows)
        part = range(lo, hi)
        certain, occupied = segments.close_rows(words(rows), lo, hi, full)
        assert (int(certain), int(occupied)) == closure(rows[lo:hi])
        assert segments.weight_of(weights, lo, hi) == sum(weight[lo:hi])
        counts, masks = scratch()
        segments.count_and_close(
            words(rows), weights, lo, hi, certain, occupied, full, counts, masks
        )
        for cell in range(64):
            if not int(occupied & ~certain) >> cell & 1:
                assert (counts[:, cell] == 777).all()
                continue
            hit = [i for i in part if rows[i] >> cell & 1]
            missed = [i for i in part if i not in hit]
            assert counts[a.ROWS, cell] == len(hit)
            assert counts[a.WEIGHT, cell] == sum(weight[i] for i in hit)
            for child, left in ((a.HIT, hit), (a.MISS, missed)):
                found = masks[child + a.CERTAIN, cell], masks[child + a.OCCUPIED, cell]
                assert tuple(map(int, found)) == closure([rows[i] for i in left])


@pytest.mark.parametrize("weighted", [False, True])
def test_a_partition_puts_the_rows_without_the_cells_first(weighted: bool) -> None:
    rng = random.Random(2)
    for _ in range(60):
        rows, lo = some_rows(rng, 12), rng.randint(0, 3)
        hi, cells = rng.randint(lo, 12), rng.choice([1, 6, 1 << 5, 1 << 63, 0])
        weights = np.arange(12) if weighted else UNWEIGHTED
        moved, kept = words(rows), weights.copy()
        mid = segments.partition(moved, kept, lo, hi, np.uint64(cells))
        pairs = list(zip(moved.tolist(), kept if weighted else moved.tolist(), strict=True))
        before = list(zip(rows, weights if weighted else rows, strict=True))
        assert pairs[:lo] + pairs[hi:] == before[:lo] + before[hi:]
        assert sorted(pairs[lo:hi]) == sorted(before[lo:hi])
        assert all(not row & cells for row in moved[lo:mid].tolist())
        assert all(row & cells for row in moved[mid:hi].tolist())
        ids = np.arange(12, dtype=np.int32)
        assert subsets.part_segment(ids, lo, hi, np.uint64(cells), words(rows)) == mid
        assert sorted(ids[lo:hi].tolist()) == list(range(lo, hi))
        assert all(not rows[i] & cells for i in ids[lo:mid])
        assert all(rows[i] & cells for i in ids[mid:hi])


def test_what_a_miss_leaves_is_known_without_a_look_at_the_rows() -> None:
    """Where two columns have all rows together, a miss in one makes the other certain."""
    rng, full, simple = random.Random(4), np.uint64(FULL | 1 << 63), 0
    for _ in range(120):
        rows, hi = some_rows(rng, 12), rng.randint(2, 12)
        ids, ones = np.arange(12, dtype=np.int32), np.ones(12, dtype=np.int64)
        counts, together = scratch()[0], np.full(64, 0x5555, dtype=np.uint64)
        certain, occupied = map(np.uint64, closure(rows[:hi]))
        unknown = occupied & ~certain
        count = segments.count_cells(ids, 0, hi, words(rows), ones, unknown, full, counts, together)
        for cell in counts[a.BY_ROWS, :count].tolist():
            missed = [row for row in rows[:hi] if not row >> cell & 1]
            after = segments.occupied_after_miss(cell, occupied, unknown, together)
            assert int(after) == closure(missed)[1]
            if segments.is_simple_miss(cell, hi, count, counts):
                assert closure(missed)[0] == int(certain)
                simple += 1
    assert simple > 20


def test_cells_are_counted_and_sorted() -> None:
    rng, full = random.Random(3), np.uint64(FULL | 1 << 63)
    for _ in range(60):
        rows, weights = some_rows(rng, 12), np.array([rng.randint(0, 9) for _ in range(12)])
        ids = np.array(rng.sample(range(12), 12), dtype=np.int32)
        lo = rng.randint(0, 3)
        hi = rng.randint(lo + 1, 12)
        part = ids[lo:hi].tolist()
        certain, occupied = subsets.close_segment(ids, lo, hi, words(rows), full)
        assert (int(certain), int(occupied)) == closure([rows[i] for i in part])
        counts, together = scratch()[0], np.full(64, 0x5555, dtype=np.uint64)
        unknown = occupied & ~certain
        count = segments.count_cells(
            ids, lo, hi, words(rows), weights, unknown, full, counts, together
        )
        cells = [cell for cell in range(64) if int(unknown) >> cell & 1]
        assert count == len(cells)
        for cell in cells:
            hit = [i for i in part if rows[i] >> cell & 1]
            assert counts[a.ROWS, cell] == len(hit)
            assert counts[a.WEIGHT, cell] == weights[hit].sum()
            assert int(together[cell]) == closure([rows[i] for i in hit])[0]
        for order, by in ((a.BY_ROWS, a.ROWS), (a.BY_WEIGHT, a.WEIGHT)):
            listed = counts[order, :count].tolist()
            assert listed == sorted(cells, key=lambda cell: (-counts[by, cell], cell))
        for cell in cells:
            alike = int(together[cell] & unknown) & ~(1 << cell)
            better = [
                d for d in cells
                if alike >> d & 1 and (counts[a.ROWS, d] > counts[a.ROWS, cell] or d < cell)
            ]  # fmt: skip
            assert segments.is_dominated(cell, np.uint64(alike), counts) == bool(better)


def test_packed_words_keep_what_is_proven() -> None:
    moves = np.arange(64).reshape(1, -1)[:, ::-1].copy()
    for misses in (0, 1, 12345, work.INFEASIBLE):
        for worst in (0, 3, 127):
            for limit in KNOWN_LIMITS:
                exact = np.uint64(transposition.pack(misses, worst, True, 40, limit))
                bound = np.uint64(transposition.pack(misses, worst, False, 40, limit))
                assert transposition.is_exact(exact)
                assert not transposition.is_exact(bound)
                assert transposition.misses_of(exact) == transposition.misses_of(bound) == misses
                assert transposition.value_of(exact) == misses << 7 | worst
                assert int(exact) & 127 == int(bound) & 127 == limit
                assert transposition.pack(misses, 9, False, NO_SHOT, limit) == bound
                for allowed in (worst - 1, worst):
                    narrowed = np.uint64(transposition.within(exact, allowed))
                    assert transposition.is_exact(narrowed) == (allowed >= worst)
                    assert transposition.misses_of(narrowed) == misses
                counters = np.full(work.COUNTERS, -5)
                transposition.store_best_shot(exact, 0, moves, counters)
                assert counters[work.SHOT] == 63 - 40
                counters[work.SHOT] = -1
                transposition.store_best_shot(bound, 0, moves, counters)
                assert counters.tolist().count(-5) == work.COUNTERS - 1
                assert counters[work.SHOT] == -1
    assert transposition.within(EMPTY, 3) == EMPTY


@pytest.mark.parametrize("width", [2, 3])
def test_the_table_of_mode_hit_is_a_dict(width: int) -> None:
    rng, table, known = random.Random(4), np.full((8, width), EMPTY, dtype=np.uint64), {}
    for number in range(150):
        if (len(known) + 1) * 4 > len(table) * 3:
            larger = np.full((2 * len(table), width), EMPTY, dtype=np.uint64)
            assert transposition.rehash(table, larger) == len(known)
            table = larger
        word, second = (
            rng.choice([number, number % 128 << 57]),
            rng.randrange(9) if width == 3 else 0,
        )
        for limit in rng.sample(KNOWN_LIMITS, 2):
            slot = transposition.find_slot(table, np.uint64(word), np.uint64(second), limit)
            if (word, second, limit) in known or (len(known) + 1) * 4 > len(table) * 3:
                continue
            assert table[slot, transposition.PACKED] == EMPTY
            packed = transposition.pack(number, 0, False, NO_SHOT, limit)
            table[slot, :2] = word, packed
            if width == 3:
                table[slot, transposition.HIGH_WORD] = second
            known[word, second, limit] = number
        for (low, high, limit), misses in known.items():
            slot = transposition.find_slot(table, np.uint64(low), np.uint64(high), limit)
            assert transposition.misses_of(table[slot, transposition.PACKED]) == misses
    assert len(known) > 150


def test_the_table_of_the_other_modes_is_a_dict() -> None:
    rng, known = random.Random(5), {}
    table = np.full((8, 3), EMPTY, dtype=np.uint64)
    keys = np.zeros((2, 5), dtype=np.uint64)
    for number in range(150):
        if (len(known) + 1) * 4 > len(table) * 3:
            larger = np.full((2 * len(table), 3), EMPTY, dtype=np.uint64)
            transposition.rehash_rows(table, larger, np.zeros((1, 2), dtype=np.uint64))
            table = larger
        key, limit = (number // 3, rng.randrange(3)), rng.choice(KNOWN_LIMITS)
        keys[1, 2:4] = key
        slot = transposition.find_row(table, keys, 1, 2, limit)
        if (key, limit) not in known:
            assert table[slot, transposition.ROW_PACKED] == EMPTY
            table[slot] = transposition.pack(number, 0, False, NO_SHOT, limit), *key
            known[key, limit] = number
        for (other, at), misses in known.items():
            keys[0, 1:3] = other
            slot = transposition.find_row(table, keys, 0, 1, at)
            assert transposition.misses_of(table[slot, transposition.ROW_PACKED]) == misses


def test_the_table_of_the_graph_is_a_dict() -> None:
    keys, nodes = np.full(8, EMPTY, dtype=np.uint64), np.zeros(8, dtype=np.int32)
    for number in range(100):
        if (number + 1) * 4 > len(keys) * 3:
            more = np.full(2 * len(keys), EMPTY, dtype=np.uint64)
            moved = np.zeros(len(more), dtype=np.int32)
            transposition.move_keys(keys, nodes, more, moved)
            keys, nodes = more, moved
        slot = transposition.find_key(keys, np.uint64(number * number))
        assert keys[slot] == EMPTY
        keys[slot], nodes[slot] = number * number, number
        for each in range(number + 1):
            assert nodes[transposition.find_key(keys, np.uint64(each * each))] == each


def test_keys_spread_over_the_tables() -> None:
    """Of 1,000 keys that differ in a few bits as many share a slot as by chance, about 100."""
    hit, wide, rows, keys = (
        np.full(shape, EMPTY, dtype=np.uint64) for shape in [(4096, 2), (4096, 3), (4096, 3), 4096]
    )
    at, zero = np.zeros((1, 2), dtype=np.uint64), np.uint64(0)
    for step in (1, 3**5, 1 << 20, 1 << 44):
        slots: list[list[int]] = [[] for _ in range(7)]
        for number in range(1000):
            word = np.uint64(number * step)
            slots[0].append(transposition.first_slot(hit, word, zero, work.NO_LIMIT))
            slots[1].append(transposition.first_slot(wide, word, zero, 3))
            slots[2].append(transposition.first_slot(wide, zero, word, work.NO_LIMIT))
            at[0] = word, 0
            slots[3].append(transposition.first_row(rows, at, 0, 0, work.NO_LIMIT))
            at[0] = 0, word
            slots[4].append(transposition.first_row(rows, at, 0, 0, work.NO_LIMIT))
            at[0] = 5, word
            slots[5].append(transposition.first_row(rows, at, 0, 0, 3))
            slots[6].append(transposition.find_key(keys, word))  # empty: its first slot
        assert all(len(set(met)) > 800 for met in slots), step


def test_work_is_limited() -> None:
    assert [work.limits_misses(limit) for limit in KNOWN_LIMITS] == [True] * 4 + [False] * 2
    assert [work.after_miss(limit) for limit in KNOWN_LIMITS] == [-1, 0, 4, 124, 126, 127]
    counters = np.zeros(work.COUNTERS, dtype=np.int64)
    counters[work.ALLOWANCE], counters[work.CAPACITY] = 5, 2
    assert [bool(work.spend(2, counters)) for _ in range(3)] == [True, True, False]
    assert counters[work.STATUS] == work.ALLOWANCE_USED
    counters[work.ALLOWANCE] = 2
    assert work.spend(2, counters)
    assert [bool(work.has_room(counters)) for _ in range(3)] == [True, True, False]
    assert counters[work.STATES] == 2
    assert counters[work.STATUS] == work.FULL_TABLE
