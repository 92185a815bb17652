"""Estimates of long searches against searches that were followed to their ends."""

from __future__ import annotations

import math

import pytest

from seabattle.enumerate.rules import Rules
from seabattle.solver.search.estimating import TOLD_FROM, Estimate, Forecast, gib_of
from seabattle.solver.search.limits import Limits, Snapshot
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.solve import solve_problem

STEPS = {
    "4x5 3,2,1 corners": (
        11082, [(11239, 11795, 364094, 548081), (11309, 11795, 368085, 553210),
                (11448, 11795, 389621, 590252), (11725, 11795, 493908, 776887)],
        (551002, 893278),
    ),
    "5x5 3,2 sunk": (
        2094, [(2188, 2954, 99382, 164498), (2284, 2954, 100747, 166174),
               (2475, 2954, 101621, 167744), (2856, 2954, 126903, 219283)],
        (158347, 300140),
    ),
    "4x5 3,2,1 sunk": (
        2999, [(3304, 4402, 97025, 170392), (3480, 4402, 97049, 170428),
               (3761, 4402, 97052, 170433), (4310, 4402, 98754, 175087)],
        (101815, 184217),
    ),
    "5x5 3,2,2 sunk": (
        6587, [(6924, 10300, 113527, 203638), (7347, 10300, 161801, 273170),
               (7770, 10300, 256761, 472068), (8215, 10300, 357692, 747786),
               (9060, 10300, 483637, 1081314), (9905, 10300, 628858, 1507057)],
        (846180, 2138259),
    ),
    "4x6 3,2,1": (
        22716, [(22763, 24502, 339288, 524608), (22955, 24502, 490892, 759975),
                (23064, 24502, 665650, 1101777), (23173, 24502, 808185, 1409198),
                (23282, 24502, 1077399, 2031311)],
        (1096700, 2079873),
    ),
    "5x5 3,2,1": (
        29130, [(29259, 31881, 289662, 501084), (29542, 31881, 487908, 825353),
                (29703, 31881, 707507, 1286473), (29864, 31881, 934921, 1831685),
                (29905, 31833, 1084132, 2191163), (29986, 31833, 1237443, 2584672),
                (30228, 31833, 1445204, 3103251), (31190, 31833, 2024057, 4637060)],
        (3001333, 7131952),
    ),
    "5x6 3,2": (
        6227, [(6285, 7087, 237553, 324147), (6665, 7087, 286210, 389716),
                (7050, 7087, 658396, 1005510), (7063, 7086, 751406, 1211965)],
        (785274, 1288299),
    ),
    "5x6 3,2,2": (
        43761, [(44028, 48212, 228111, 314743), (44225, 48212, 283719, 381148),
                (44356, 48212, 349781, 471773), (44487, 48212, 470489, 641526),
                (44618, 48212, 572462, 787882), (44769, 48183, 916765, 1327497),
                (45227, 48183, 1425423, 2151182), (46009, 48183, 1978007, 3063212),
                (46530, 48183, 2516697, 3991881), (47051, 48183, 3120210, 5038671),
                (47572, 48183, 3941385, 6516889), (47769, 48075, 4476678, 7512872),
                (48030, 48075, 5656443, 9612927)],
        (6030875, 10341601),
    ),
    "6x6 3,2": (
        12964, [(13024, 15162, 183296, 205014), (13258, 15162, 299554, 317861),
                (13278, 15159, 716865, 813223), (13512, 15159, 954507, 1148824),
                (13645, 15159, 1115460, 1415945), (13778, 15159, 1796970, 2526330),
                (13911, 15159, 2101032, 3063751), (14044, 15159, 2551206, 3841766),
                (14078, 15159, 2943187, 4635126), (14278, 15159, 4232027, 7241300),
                (14312, 15159, 4903788, 8671956), (14379, 15159, 6387055, 12084564),
                (14480, 15159, 8009832, 15848960)],
        (32833272, 87162002),
    ),
    "4x6 3,2,1 before": (
        22716, [(22763, 24502, 339274, 524688), (22981, 24502, 545451, 848816),
                (23199, 24502, 864249, 1512462), (23417, 24483, 1281129, 2439941),
                (23635, 24483, 1397240, 2712019), (24070, 24483, 1953624, 4068385)],
        (2676494, 5800369),
    ),
    "5x5 3,2,1 before": (
        29130, [(29259, 31881, 288369, 500587), (29587, 31881, 533185, 905265),
                (29915, 31881, 1020763, 2001191), (30243, 31833, 1424985, 2939525),
                (30571, 31833, 1463103, 3021112), (31226, 31833, 2082211, 4687971)],
        (3010532, 7065794),
    ),
}  # fmt: skip
"""Bound at the root; bounds, keys and sub-tables after each step; the latter two at the end.

*Before*: with the looser bounds of an earlier search."""

SAID = {
    "4x5 3,2,1 corners": (2, 5), "5x5 3,2 sunk": (3, 12), "4x5 3,2,1 sunk": (3, 12),
    "5x5 3,2,2 sunk": (5, 26), "4x6 3,2,1": (1, 37), "5x5 3,2,1": (2, 39), "5x6 3,2": (3, 3),
    "5x6 3,2,2": (6, 10), "6x6 3,2": (8, 5), "4x6 3,2,1 before": (4, 23),
    "5x5 3,2,1 before": (3, 30),
}  # fmt: skip
"""After how many of those steps there is an upper end, and how many times too long that may be."""

ROUNDS = [(30, 24641), (100, 60976), (333, 238961), (1110, 916257), (3700, 3889380)]
"""Of 5x6 3,2,2,1,1,1: rows and keys of each round of trees; 46,440 layouts, 61,927,375 keys."""


class Clock:
    """A clock that shows what it is told."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("game", STEPS)
def test_what_was_said_at_each_step_came_true(game: str) -> None:
    """Sub-tables stand for seconds, which they are nearly in proportion to."""
    root, steps, (keys, nodes) = STEPS[game]
    clock = Clock()
    forecast = Forecast(2, clock)
    forecast.begin(root)
    told = 0
    for step, (lower, upper, keys_now, nodes_now) in enumerate(steps):
        clock.now = float(nodes_now)
        forecast.note(lower, upper, keys_now, nodes_now)
        estimate = forecast.estimate
        assert estimate is not None
        assert not estimate.told or (step > 0 and estimate.closed >= TOLD_FROM)
        assert estimate.least <= nodes
        assert estimate.least_gib <= gib_of(keys, 2)
        if estimate.told:
            told += 1
            assert nodes <= estimate.most <= SAID[game][1] * nodes
            assert gib_of(keys, 2) <= estimate.most_gib
        assert estimate.left(clock)[0] == max(0.0, estimate.least - nodes_now)
    assert told == SAID[game][0]


def test_rounds_of_a_large_game_foretell_the_rest() -> None:
    clock = Clock()
    forecast = Forecast(2, clock)
    forecast.begin(342378)
    for count, (rows, keys) in enumerate(ROUNDS):
        clock.now = float(keys)
        forecast.round_done(rows, 46440, keys)
        forecast.note(342378, 357413, keys, keys)
        estimate = forecast.estimate
        if count < 2:
            assert estimate is None
            continue
        assert estimate is not None
        assert estimate.least <= 61_927_375 <= estimate.most
        assert estimate.least_gib <= 3.0 <= estimate.most_gib


def test_nothing_is_said_of_what_is_not_known() -> None:
    forecast = Forecast(2)
    forecast.note(10, 20, 100, 100)
    forecast.round_done(30, 1000, 5)
    assert forecast.estimate is None  # the search has not begun
    forecast.begin(10)
    forecast.note(10, 20, 1000, 1000)
    assert forecast.estimate is None  # nothing is closed
    forecast.note(11, 31, 1000, 1000)
    assert forecast.estimate is not None
    assert not forecast.estimate.told
    assert math.isinf(forecast.estimate.most_gib)


def test_keys_of_a_checkpoint_are_no_work_of_this_search() -> None:
    clock = Clock()
    fresh, resumed = (Forecast(2, clock) for _ in range(2))
    fresh.begin(100)
    resumed.begin(100, 10**7)
    for step in (1, 2):
        clock.now = 5.0 * step
        fresh.note(100 + 25 * step, 200, step * 10**5, step * 10**5)
        resumed.note(100 + 25 * step, 200, (100 + step) * 10**5, step * 10**5)
    assert fresh.estimate is not None
    assert resumed.estimate is not None
    assert resumed.estimate.most == fresh.estimate.most
    assert resumed.estimate.most_gib > fresh.estimate.most_gib


def test_memory_is_that_of_the_table_and_the_one_it_grows_from() -> None:
    assert gib_of(1, 2) == 1.5 * 65536 * 16 / 2**30
    assert gib_of(0.75 * 2**20, 3) == 1.5 * 2**20 * 24 / 2**30
    assert gib_of(0.76 * 2**20, 3) == 1.5 * 2**21 * 24 / 2**30


@pytest.mark.parametrize("objective", ["mean", "worst"])
def test_a_search_estimates_until_the_proof_and_only_the_mean(objective: str) -> None:
    seen: list[Snapshot] = []
    limits = Limits(rows_per_step=1, report=seen.append)
    problem = as_problem(Rules("4x5", "3,2,1"))
    solve_problem(problem, objective, options=SearchOptions(sets=False), limits=limits)
    estimates: list[Estimate] = [s.estimate for s in seen if s.estimate is not None]
    assert bool(estimates) == (objective == "mean")
    assert all(0 < estimate.least <= estimate.most for estimate in estimates)
    assert not any(s.estimate for s in seen if s.stage == "first shots")
