"""Counting from several threads of one process is right."""

from __future__ import annotations

import random
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules

GAMES = [
    Rules("8x8", "4,3,2,2,1,1", answers="sunk"),
    Rules("7x7", "4,3,3,2", "sides", "sunk"),
    Rules("6x9", "3,3,2,1", "corners"),
]


def positions(rules: Rules, count: int) -> list[Position]:
    """The beginning, and positions after misses that some layout allows."""
    chance = random.Random(7)
    found = [Position(rules)]
    while len(found) < count:
        position = found[0]
        for cell in chance.sample(range(rules.board.cells), chance.randint(1, 8)):
            position = position.shoot(cell, "miss")
        found.append(position)
    return found


@pytest.mark.parametrize("own", [False, True], ids=["one counter", "counters of their own"])
def test_many_threads_count_what_one_counts(own: bool) -> None:
    work = [(rules, position) for rules in GAMES for position in positions(rules, 12)] * 3
    random.Random(1).shuffle(work)
    counters = {rules: Counter(rules) for rules in GAMES}
    expected = {place: counters[place[0]].at(place[1]).map() for place in set(work)}

    def count(place: tuple[Rules, Position]) -> bool:
        rules, position = place
        counter = (Counter(rules) if own else counters[rules]).at(position)
        found = counter.map()
        right = expected[place]
        return (found.placements, found.layouts, found.labelled_layouts) == (
            right.placements, right.layouts, right.labelled_layouts,
        )  # fmt: skip

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(count, work))


def test_a_counter_can_be_handed_to_another_process() -> None:
    counter = Counter(GAMES[0])
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        assert processes.submit(Counter.count, counter).result() == counter.count()
