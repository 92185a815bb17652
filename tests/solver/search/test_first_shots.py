"""The best first shots of a game: found along with a long proof, and as for a short one."""

from __future__ import annotations

from typing import Any

import pytest
from support.search_games import name_of

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.search import pausing
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.first_shots import FirstShots
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.proven import Proven
from seabattle.solver.search.queries import Goal
from seabattle.solver.search.solve import solve_problem

LONG = [
    Rules("4x5", "2,2"),
    Rules("4x4", "2,1", "sides"),
    Rules("4x5", "2,1", "none", "sunk"),
    Rules("4x4", "3,2", "sides", "sunk"),
    Rules("4x5", "2,2", "corners", "ship"),
]
"""Games whose search takes a pause, where it may be short."""


def asked_at(monkeypatch: pytest.MonkeyPatch, rules: Rules) -> list[tuple[str, bool]]:
    """Stages at which a search is asked for all best shots, and whether it finds them."""
    kind = type(ExactSearch(as_problem(rules)))
    ask = kind.best_shots
    asked = []

    def noted(search: ExactSearch, *args: Any, **named: Any) -> Any:
        value, cells = ask(search, *args, **named)
        asked.append((search.stage, value.exact))
        return value, cells

    monkeypatch.setattr(kind, "best_shots", noted)
    return asked


@pytest.mark.parametrize("rules", LONG, ids=name_of)
def test_a_long_proof_finds_the_best_shots_on_its_way(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last budget is asked of every shot, so that none has to be refuted a second time."""
    plain = solve_problem(as_problem(rules), improving=False)
    asked = asked_at(monkeypatch, rules)
    monkeypatch.setattr(pausing, "PAUSES", ((1, 1),))
    short_steps = Limits(rows_per_step=100)
    options = SearchOptions(sets=False)
    long = solve_problem(as_problem(rules), options=options, limits=short_steps)
    assert long.best_shots == plain.best_shots
    assert long.total_misses == plain.total_misses
    assert [stage for stage, exact in asked if exact] == ["mean"]


@pytest.mark.parametrize("rules", LONG, ids=name_of)
def test_a_short_proof_asks_for_them_afterwards(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asked_at(monkeypatch, rules)
    solution = solve_problem(as_problem(rules), improving=False)
    assert solution.best_shots
    assert asked == [("first shots", True)]


@pytest.mark.parametrize("contact", ["none", "corners", "sides"])
@pytest.mark.parametrize("answers", ["hit", "sunk", "ship"])
def test_they_are_the_shots_whose_values_are_least(answers: str, contact: str) -> None:
    """From the empty board, and where a hit has made other hits certain."""
    rules = Rules("3x4", "2,2", contact, answers)
    hit = "hit:2#1" if answers == "ship" else "hit"
    for position in (Position(rules), Position(rules).shoot("B1", hit)):
        search = ExactSearch(as_problem(position))
        optimum = Proven(Goal.TOTAL, None, search.minimize().misses, None, None)
        first = FirstShots(search, position)
        values = list(first.values(optimum.value, None))
        best = {rules.board.name(c) for c, v in enumerate(values) if v == optimum.value}
        shot = set(rules.board.names(position.shot_mask))
        assert set(first.best(optimum, None)) == best - shot
        assert first.best(optimum, None)
