"""Where weights make shots tie in total, the objective still tells them apart by the worst case.

Layouts of weight 0 cost nothing in total and count in the worst case, so with many of them there
are many trees of least total, and few of those have its least worst case. Positive weights tie as
well: to miss a layout of weight 2 costs what it costs to miss two of weight 1.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import THOROUGH, examples
from twins import naive
from twins.naive_trees import layouts_by_number, position_of, spoken

from seabattle.enumerate.layouts import fitting
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.solution import Objective, Solution
from seabattle.solver.search.solve import solve, solve_problem
from seabattle.trees.verify import verify

History = Sequence[tuple[int, str]]

GAMES = [
    Rules(*game.split(), contact, answers, announce)
    for contact, games in {
        "none": [
            "1x6 2",
            "1x7 2",
            "1x8 3",
            "1x6 2,1",
            "2x3 2",
            "2x4 2",
            "2x4 2,1",
            "3x3 3",
            "3x3 3,1",
        ],
        "corners": ["1x7 2,1", "2x3 2,1", "2x4 2,2", "3x3 3,3"],
        "sides": ["1x6 2,1", "1x6 3,2", "2x3 2", "2x3 1,1", "2x3 2,2"],
    }.items()
    for game in games
    for answers in ("hit", "sunk", "ship")
    for announce in (("none", "length") if (contact, answers) == ("sides", "sunk") else ("length",))
]
LARGER = [
    Rules(*game.split(), contact, answers)
    for contact, game in [
        ("none", "3x3 2"), ("none", "3x3 2,1"), ("corners", "2x4 2,1"),
        ("corners", "3x3 3,1"), ("sides", "1x6 2,2"), ("sides", "2x4 3,2"), ("sides", "2x3 2,1"),
    ]
    for answers in ("hit", "sunk", "ship")
]  # fmt: skip
"""Games on which the naive search takes longer."""

RANK: dict[str, Callable[[naive.Front], object]] = {
    "mean": lambda front: min(total for _, total in front),
    "worst": lambda front: min(worst for worst, _ in front),
    "mean-worst": lambda front: min((total, worst) for worst, total in front),
    "worst-mean": min,
    "pareto": tuple,
}
OPTIONS = [  # ``shares`` has tests of its own
    field.name for field in fields(SearchOptions) if field.name != "shares"
]


def score(solution: Solution) -> object:
    """What the objective of a solution compares, as ``RANK`` gives it."""
    worst, total = solution.worst_misses, solution.total_misses
    return {
        "mean": total,
        "worst": worst,
        "mean-worst": (total, worst),
        "worst-mean": (worst, total),
        "pareto": tuple((tree.worst_misses, tree.total_misses) for tree in solution.front),
    }[solution.objective]


class Weighted:
    """A game with weights, in a position: as the package takes it, and its naive search.

    ``weights`` are in the order of the enumeration.
    """

    def __init__(self, rules: Rules, weights: Sequence[int], history: History = ()) -> None:
        self.rules = rules
        self.position = position_of(rules, history)
        layouts = DecisionTable.build(rules).layouts
        table = DecisionTable(layouts, None, np.array(weights, dtype=np.int64))
        self.table = table.at(self.position)
        by_number = layouts_by_number(rules)
        rows = [by_number[tuple(sorted(map(int, row)))] for row in layouts.ships]
        weigh = dict(zip(rows, weights, strict=True))
        self.shot = frozenset(cell for cell, _ in history)
        left = naive.fitting(rows, history, *spoken(rules))
        self.naive = naive.Search(left, *spoken(rules), weights=weigh)
        self.front = self.naive.optimum(self.shot)

    @classmethod
    def listed(cls, rules: Rules, weights: dict[str, int], history: History = ()) -> Weighted:
        """With a weight for some layouts by their names; the others weigh 0."""
        layouts = DecisionTable.build(rules).layouts
        names = [" ".join(layouts.names(i)) for i in range(len(layouts))]
        assert set(weights) <= set(names)
        return cls(rules, [weights.get(name, 0) for name in names], history)

    def solve(self, objective: str, options: SearchOptions | None = None) -> Solution:
        return solve_problem(as_problem(self.table), objective, options=options)

    def best_shots(self, objective: str) -> tuple[str, ...]:
        """Cells that a tree of the optimum begins with; with ``pareto`` one of its first tree."""
        rank = RANK[objective] if objective != "pareto" else min
        possible = frozenset().union(*map(naive.cells_of, self.naive.found)) - self.shot
        return tuple(
            self.rules.board.name(cell)
            for cell in sorted(possible)
            if rank(self.naive.after(self.naive.found, self.shot, cell)) == rank(self.front)
        )

    def check(self, objective: str, options: SearchOptions | None = None) -> None:
        """Solve, and compare everything with the naive search."""
        solution = self.solve(objective, options)
        about = self.rules, self.table.weights.tolist(), self.position, objective, options
        assert score(solution) == RANK[objective](self.front), about
        assert solution.status == "optimal"
        for tree in solution.front or (solution.tree,):
            assert verify(tree, layouts=self.table.layouts), about
        if len({naive.cells_of(layout) for layout in self.naive.found}) > 1:
            assert solution.best_shots == self.best_shots(objective), about


def draw(rules: Rules, rng: random.Random) -> Weighted:
    """Random weights, many of them 0, now and then in a position."""
    count = len(DecisionTable.build(rules))
    history: list[tuple[int, str]] = []
    if rng.random() < 0.3:
        layout = rng.choice(list(layouts_by_number(rules).values()))
        cells = rng.sample(range(rules.board.cells), rng.randint(1, 3))
        history = [
            (cell, naive.answer(layout, cells[:i], cell, *spoken(rules)))
            for i, cell in enumerate(cells)
        ]
    fits = fitting(position_of(rules, history), DecisionTable.build(rules).layouts) == 1
    zeros, most = rng.choice([0, 0.3, 0.5, 0.7, 0.85]), rng.choice([1, 2, 3, 9])
    while True:
        weights = [0 if rng.random() < zeros else rng.randint(1, most) for _ in range(count)]
        if np.array(weights)[fits].any():
            return Weighted(rules, weights, history)


# Examples by name

EXAMPLES = {
    "1x6": (Rules("1x6", "2"), {"A1:B1": 1, "C1:D1": 2, "E1:F1": 1}, "", (3, 2)),
    "1x8": (Rules("1x8", "3"), {"B1:D1": 1, "D1:F1": 1}, "", (1, 2)),
    "2x4": (Rules("2x4", "2"), {"B1:C1": 1, "C2:D2": 1, "A1:A2": 1, "C1:C2": 1}, "", (4, 4)),
    "3x4": (Rules("3x4", "2"), {"A3:B3": 1, "B3:C3": 1, "D2:D3": 1}, "B2,C1", (2, 4)),
    "no weight of 0": (
        Rules("1x6", "2"),
        {"A1:B1": 2, "B1:C1": 2, "C1:D1": 3, "D1:E1": 1, "E1:F1": 1},
        "",
        (9, 2),
    ),
}
"""Game, weights (what is not listed weighs 0), cells missed, least total and its worst case."""


@pytest.mark.parametrize("name", EXAMPLES)
def test_of_all_trees_of_least_total_the_best_in_the_worst_case(name: str) -> None:
    rules, weights, missed, best = EXAMPLES[name]
    history = [(rules.board.cell(cell), "miss") for cell in missed.split(",") if cell]
    game = Weighted.listed(rules, weights, history)
    assert RANK["mean-worst"](game.front) == best
    for objective in Objective:
        game.check(objective)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_command_finds_it_too(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path, name: str
) -> None:
    rules, weights, missed, (total, worst) = EXAMPLES[name]
    file = tmp_path / "weights.csv"
    lines = [f"{layout},{weight}" for layout, weight in weights.items()]
    file.write_text("\n".join(["layout,weight", *lines]), encoding="utf-8")
    game = ["--board", str(rules.board), "--fleet", str(rules.fleet), "--prior", str(file)]
    position = ["--miss", missed] if missed else []
    status, out, _ = run("solve", *game, *position, "--objective", "mean-worst")
    assert status == 0
    assert "optimal; tree verified" in out
    assert f"({total}/{sum(weights.values())}), worst {worst}\n" in out


# Every mode, contact rule and objective


@pytest.mark.parametrize("answers", ["hit", "sunk", "ship"])
def test_weights_with_zeros_agree_with_the_naive_search(answers: str) -> None:
    rng = random.Random(answers)
    for rules in GAMES:
        if rules.answers.value == answers:
            game = draw(rules, rng)
            for objective in Objective:
                game.check(objective)


@examples(40)
@given(st.sampled_from([rules for rules in GAMES if rules.board.cells < 8]), st.data())
def test_any_weights_agree_with_the_naive_search(rules: Rules, data: st.DataObject) -> None:
    count = len(DecisionTable.build(rules))
    weigh = st.lists(st.sampled_from([0, 0, 0, 1, 1, 2, 3]), min_size=count, max_size=count)
    game = Weighted(rules, data.draw(weigh.filter(any)))
    for objective in Objective:
        game.check(objective)


@pytest.mark.parametrize("answers", ["hit", "sunk", "ship"])
@pytest.mark.parametrize("game", ["1x6 2", "1x8 3", "2x4 2", "3x4 2"])
def test_one_miss_less_never_keeps_the_least_total(game: str, answers: str) -> None:
    """Asked of the search alone, so that many more weights can be tried."""
    rules = Rules(*game.split(), answers=answers)
    layouts = DecisionTable.build(rules).layouts
    rng = random.Random(game)
    for _ in range(25):
        weights = [rng.choice([0, 0, 0, 1]) for _ in range(len(layouts) - 1)] + [1]
        problem = as_problem(DecisionTable(layouts, None, np.array(weights, dtype=np.int64)))
        search, solution = ExactSearch(problem), solve_problem(problem, "mean-worst")
        assert solution.total_misses == search.minimize().misses
        one_less = search.minimize(miss_limit=solution.worst_misses - 1)
        assert one_less.misses > solution.total_misses, weights


@pytest.mark.slow
@pytest.mark.parametrize("rules", GAMES + LARGER, ids=str)
def test_many_weights_and_any_switches_agree_with_the_naive_search(rules: Rules) -> None:
    rng = random.Random(str(rules))
    for _ in range(20):
        game = draw(rules, rng)
        for objective in Objective:
            some = SearchOptions(**{name: rng.random() < 0.5 for name in OPTIONS})
            for options in (None, SearchOptions.plain(), some):
                game.check(objective, options)


# Options


@pytest.mark.parametrize("name", OPTIONS)
def test_each_option_off_with_weights_of_0(name: str) -> None:
    rng = random.Random(name)
    without = replace(SearchOptions(), **{name: False})
    for rules in GAMES[::4]:
        game = draw(rules, rng)
        for objective in Objective:
            game.check(objective, without)


@pytest.mark.parametrize(
    ("rules", "weights"),
    [
        (Rules("1x6", "2"), [1, 0, 2, 0, 1]),
        pytest.param(Rules("1x8", "3"), [0, 1, 0, 1, 0, 0], marks=pytest.mark.slow),
        pytest.param(Rules("2x3", "2"), [0, 0, 0, 0, 4, 0, 0], marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_options_do_not_move_the_optimum(rules: Rules, weights: list[int]) -> None:
    game = Weighted(rules, weights)
    combinations = itertools.product((False, True), repeat=len(OPTIONS))
    for states in itertools.islice(combinations, 0, None, 1 if THOROUGH else 3):
        game.check("mean-worst", SearchOptions(**dict(zip(OPTIONS, states, strict=True))))


# A tree that is not the one proven


@pytest.mark.parametrize("objective", list(Objective))
def test_a_tree_that_is_not_the_one_proven_is_an_error(
    objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = Rules("1x8", "2")
    other = greedy_tree(rules, "half")
    assert (other.worst_misses, other.total_misses) == (4, 13)  # 3 and 12 can be had
    monkeypatch.setattr(
        ExactSearch, "grow", lambda *_, miss_limit, position, **claims: replace(other, **claims)
    )
    with pytest.raises(AssertionError, match=r"the tree grown has \d+ misses .*, proven are \d+"):
        solve(rules, objective)


def test_a_tree_of_least_total_with_too_large_a_worst_case_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Were the limit of misses forgotten while the tree is grown."""
    rules, weights, _, (total, worst) = EXAMPLES["1x6"]
    grow = ExactSearch.grow
    monkeypatch.setattr(
        ExactSearch, "grow", lambda self, goal, *, miss_limit, **claims: grow(self, goal, **claims)
    )
    game = Weighted.listed(rules, weights)
    solution = game.solve("mean")
    assert (solution.total_misses, solution.worst_misses) == (total, worst + 1)
    with pytest.raises(AssertionError, match="has 3 misses in the worst case, proven are 2"):
        game.solve("mean-worst")
