"""Threads that solve, count, compare and advise at the same time, as in a service: right answers.

Each piece of work is done once by one thread alone; then several threads do a seeded mix of all
pieces, each of them several times, and must find the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import seabattle as sb

Work = Callable[[], Any]

GAMES = [
    sb.Rules("3x3", "3,1,1"),
    sb.Rules("3x4", "3,2", answers="sunk"),
    sb.Rules("4x4", "3,2,1"),
    sb.Rules("4x4", "3,2", "corners", "ship"),
    sb.Rules("3x4", "2,2", "sides", "sunk"),
]
COUNTED = [sb.Rules("7x7", "4,3,2,1", answers="sunk"), sb.Rules("6x6", "3,3,2", "sides", "sunk")]


def solved(rules: sb.Rules, objective: str) -> Work:
    def work() -> Any:
        found = sb.solve(rules, objective=objective)
        return found.total_misses, found.worst_misses, found.status, sorted(found.best_shots)

    return work


def greedy(rules: sb.Rules, rule: str) -> Work:
    def work() -> Any:
        tree = sb.greedy_tree(rules, rule)
        return tree.total_misses, tree.worst_misses, tree.shots.tolist(), sb.verify(tree).valid

    return work


def compared(rules: sb.Rules) -> Work:
    def work() -> Any:
        rows = sb.compare(rules).rows
        return [(row.strategy, row.tree.total_misses, row.tree.worst_misses) for row in rows]

    return work


def mapped(rules: sb.Rules, counter: sb.Counter | None = None) -> Work:
    def work() -> Any:
        found = (counter or sb.Counter(rules)).map()
        return found.placements, found.layouts, found.labelled_layouts

    return work


def advised(rules: sb.Rules) -> Work:
    def work() -> Any:
        position = sb.Position(rules)
        return sb.advise(position.shoot(4, "miss")).document()

    return work


def balanced(rules: sb.Rules) -> Work:
    def work() -> Any:
        found = sb.equilibrium(rules)
        return found.lower_bound, found.upper_bound

    return work


def played(rules: sb.Rules) -> Work:
    def work() -> Any:
        found = sb.tournament(rules, ["random", "hunt-target"], games=20, seed=3, workers=1)
        return [(score.player, score.misses.total) for score in found.scores]

    return work


def built(rules: sb.Rules, folder: Path) -> Work:
    def work() -> Any:
        strategy = sb.build_strategy(rules, folder)
        return strategy.value, strategy.states

    return work


def all_work(folder: Path) -> list[Work]:
    """Every kind of work on games for which it takes a moment."""
    counters = {rules: sb.Counter(rules) for rules in COUNTED}
    return [
        *(solved(rules, objective) for rules in GAMES for objective in ("mean", "worst")),
        *(greedy(rules, rule) for rules in GAMES for rule in ("half", "hits")),
        *(compared(rules) for rules in (GAMES[0], GAMES[1])),
        *(mapped(rules) for rules in COUNTED),
        *(mapped(rules, counter) for rules, counter in counters.items()),
        *(advised(rules) for rules in (*GAMES[:3], *COUNTED)),
        *(balanced(rules) for rules in (GAMES[0], sb.Rules("3x3", "2,1"))),
        *(played(rules) for rules in GAMES[1:3]),
        built(GAMES[0], folder / "one"),
        built(GAMES[2], folder / "other"),
        lambda: sb.graph_size(GAMES[0]),
        lambda: sb.draw_layout(GAMES[0], seed=4).ships,
    ]


def assert_threads_agree(folder: Path, times: int, threads: int) -> None:
    """Do all work once, and then several times in several threads."""
    work = all_work(folder)
    expected = [piece() for piece in work]
    order = [number for number in range(len(work)) for _ in range(times)]
    random.Random(8).shuffle(order)
    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(lambda number: work[number](), order))
    wrong = [n for n, answer in zip(order, found, strict=True) if answer != expected[n]]
    assert not wrong
    assert len(found) == times * len(work)


def test_some_threads(tmp_path: Path) -> None:
    assert_threads_agree(tmp_path, 2, 4)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [2, 8, 16])
def test_many_threads(tmp_path: Path, threads: int) -> None:
    assert_threads_agree(tmp_path, 20, threads)
