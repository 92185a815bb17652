"""What results show of themselves in a notebook: their facts, and maps with their numbers."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import numpy as np

from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.advice import advise
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.studies.bound import miss_bound
from seabattle.solver.studies.building import build_strategy
from seabattle.solver.tournament.tournament import tournament


def rows(html: str) -> list[list[str]]:
    """Texts of the cells, row by row."""
    found = re.findall(r"<tr>(.*?)</tr>", html)
    cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in found]
    return [[unescape(cell) for cell in row] for row in cells]


def test_results_show_their_facts(tmp_path: Path) -> None:
    rules = Rules("3x3", "3,1,1", answers="sunk")
    for result in (
        advise(Position(rules)),
        build_strategy(rules, tmp_path / "strategy", complete=True),
        equilibrium(rules),
        miss_bound(rules),
    ):
        shown = rows(result._repr_html_())
        assert all([label, value] in shown for label, value in result.facts())


def test_equilibria_show_where_they_hide() -> None:
    solved = equilibrium(Rules("3x3", "2,1"))
    shown = re.findall(r'<text[^>]*font-size="16"[^>]*>([^<]*)</text>', solved._repr_html_())
    assert np.allclose(
        [float(text) for text in shown], 100 * np.array(solved.occupancy(), float), atol=0.06
    )


def test_tournaments_show_the_players_best_first() -> None:
    result = tournament(Rules("5x5", "3,2,1"), ["random", "hunt-target"], games=50, seed=1)
    shown = rows(result._repr_html_())
    best_first = [each.player for each in sorted(result.scores, key=lambda s: s.misses.mean)]
    assert [row[0] for row in shown] == ["player", *best_first]
