"""What results show of themselves in a notebook."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.advice import advise
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.search.solve import solve
from seabattle.solver.studies.bound import miss_bound
from seabattle.solver.studies.building import build_strategy
from seabattle.solver.tournament.tournament import tournament

RULES = Rules("3x3", "3,1,1")


def rows(html: str) -> list[list[str]]:
    """Texts of the cells, row by row."""
    found = re.findall(r"<tr>(.*?)</tr>", html)
    cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in found]
    return [[unescape(cell) for cell in row] for row in cells]


def test_advice_shows_shot_and_map() -> None:
    shown = advise(
        Position(Rules("4x4", "3,2,1", answers="sunk")).shoot("B2", "miss")
    )._repr_html_()
    facts = dict(row for row in rows(shown) if len(row) == 2)
    assert facts["shoot"] == "D1 A4"
    assert facts["method"] == "optimal"
    assert facts["misses to come"].endswith(", worst 5")
    assert len(rows(shown)) == 4 + 1 + 4  # the facts; the head of the map and its rows
    over = Position(Rules("1x3", "1")).shoot("B1", "hit")
    assert "the game is over" in advise(over)._repr_html_()
    large = Rules("8x8", "4,3,2")
    assert ["method", "greedy-map"] in rows(advise(large, time_limit=0)._repr_html_())


@pytest.mark.parametrize("objective", ["mean", "worst"])
def test_strategies_show_what_they_hold(tmp_path: Path, objective: str) -> None:
    built = build_strategy(RULES, tmp_path / "strategy", objective=objective, complete=True)
    facts = dict(rows(built._repr_html_()))
    solution = solve(RULES, objective)
    told = f"worst {solution.worst_misses}" if objective == "worst" else (
        f"mean {float(solution.mean_misses):.4f} ({solution.total_misses}/4)"
    )  # fmt: skip
    assert facts["misses"] == told
    assert facts["holds"].startswith(f"every position: {built.states:,} states")


def test_equilibria_show_value_and_hiding() -> None:
    solved = equilibrium(Rules("3x3", "2,1"))
    shown = rows(solved._repr_html_())
    facts = dict(row for row in shown if len(row) == 2)
    assert facts["value"] == f"{float(solved.value):.6f} ({solved.value}) misses"
    chances = np.array([float(each) for each in solved.occupancy()]).reshape(3, 3)
    table = np.array([[float(text) for text in row[1:]] for row in shown[-3:]])
    assert np.allclose(table, 100 * chances, atol=0.06)


def test_tournaments_show_the_players_best_first() -> None:
    result = tournament(Rules("5x5", "3,2,1"), ["random", "hunt-target"], games=50, seed=1)
    shown = rows(result._repr_html_())
    best_first = [each.player for each in sorted(result.scores, key=lambda s: s.misses.mean)]
    assert [row[0] for row in shown] == ["player", *best_first]
    best = next(score for score in result.scores if score.player == best_first[0])
    assert shown[1][1] == f"{float(best.shots.mean):.3f}"
    assert "50 games" in result._repr_html_()


def test_lower_bounds_show_what_they_are_made_of() -> None:
    rules = Rules("4x4", "2,1,1", contact="none", answers="sunk")
    bound = miss_bound(rules)
    facts = dict(rows(bound._repr_html_()))
    assert facts["layouts"] == f"{bound.layouts:,}"
    assert facts["misses"] == f"at least {float(bound.mean_misses):.4f} on average"
    assert facts["shots"].startswith(f"at least {float(bound.mean_misses) + 4:.4f}, with the 4 ")
    told = [float(facts[part].partition(" ")[0]) for part in ("to find", "beside") if part in facts]
    assert sum(told) == pytest.approx(float(bound.mean_misses), abs=1e-4)
