"""Games a second, one core, layouts given; and what a map costs.

    pytest tests/benchmarks -o python_files="bench_*.py" -o python_functions="bench_*" \
        -m "" --benchmark-enable --benchmark-columns=min,median,rounds

Seconds are of one machine and one day: compare rows of one run. ``extra_info`` has games a second.
"""

from __future__ import annotations

import time
from typing import Any

import pytest

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.players.chance import Chance
from seabattle.solver.players.registry import make_player
from seabattle.solver.tournament.layout_sources import Drawn, Sequential
from seabattle.solver.tournament.tournament import tournament

HASBRO = Rules("10x10", "hasbro", answers="ship")
LEAST_RATES = {
    "random": 100_000,
    "hunt-target": 100_000,
    "hunt-target-parity": 100_000,
    "density": 5_000,
    "diagonal": 0,
    "over-9000": 0,
    "learning": 0,
    "bob": 0,
}
"""Games a second that each player has to reach."""


@pytest.mark.parametrize("name", LEAST_RATES)
def bench_player(benchmark: Any, name: str) -> None:
    """Games of 10x10 with the Hasbro fleet."""
    games = 20_000 if LEAST_RATES[name] >= 100_000 else 2_000
    layouts = Sequential(Position(HASBRO), seed=1).take(0, games)
    player = make_player(name, HASBRO)
    player.play_all(layouts[:10])
    benchmark(player.play_all, layouts)
    rate = games / benchmark.stats.stats.min if benchmark.stats else float("inf")
    benchmark.extra_info.update(games_a_second=round(rate))
    assert rate >= LEAST_RATES[name]


def bench_sequential_layouts(benchmark: Any) -> None:
    """10,000 layouts, ships placed one after another."""
    source = Sequential(Position(HASBRO), seed=1)
    assert len(benchmark(source.take, 0, 10_000)) == 10_000


def bench_uniform_layouts(benchmark: Any) -> None:
    """1,000 layouts of the Russian fleet by the exact sampler."""
    source = Drawn(Position(Rules("10x10", "russian")), seed=1)
    source.take(10**6, 10**6 + 100)

    def sample() -> int:
        return len(source.take(next(starts), next(starts)))

    starts = iter(range(0, 10**6, 1_000))
    assert benchmark.pedantic(sample, rounds=1) == 1_000


@pytest.mark.parametrize("name", ["greedy-map", "lookahead"])
@pytest.mark.parametrize("fleet", ["russian", "hasbro"])
def bench_maps(benchmark: Any, fleet: str, name: str) -> None:
    """Ten games in a row of a player that makes maps: at most 4 s of one core a game."""
    rules = Rules("10x10", fleet, answers="sunk")
    layouts = Drawn(Position(rules), seed=1).take(0, 10)
    player = make_player(name, rules)
    player.play(layouts[9].tolist(), Chance(0), Position(rules))
    started = time.process_time()
    shots = benchmark.pedantic(player.play_all, (layouts,), rounds=1)
    seconds = (time.process_time() - started) / 10
    benchmark.extra_info.update(cpu_seconds_a_game=round(seconds, 2))
    assert seconds <= 4
    assert shots.max() <= 100


def bench_tournament(benchmark: Any) -> None:
    """Five players, 2,000 games, tables included."""
    rules = Rules("10x10", "hasbro", answers="sunk")
    players = ["random", "hunt-target", "density", "diagonal", "bob"]
    standings = benchmark.pedantic(
        tournament,
        (rules, players),
        {"games": 2_000, "layouts": "sequential"},
        rounds=1,
    )
    assert standings.games == 2_000
