"""Nonsense given to the solver's functions from Python: one line that says what would be right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seabattle.enumerate.errors import SeabattleError
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.layouts.enumeration import enumerate_layouts
from seabattle.solver.advice.advisers import CounterAdviser
from seabattle.solver.equilibrium.certificate import best_response_value, shooting_costs
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.players.player import make_player
from seabattle.solver.search.dispatch import as_problem
from seabattle.solver.search.endgame import endgame
from seabattle.solver.search.graph import graph_size
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.solve import solve
from seabattle.solver.search.workspace import Limits
from seabattle.solver.studies.compare import compare
from seabattle.solver.studies.strategy_building import build_strategy
from seabattle.solver.tournament.layout_sources import Uniform, layout_source, occupancy_of
from seabattle.solver.tournament.tournament import tournament

RULES: Any = Rules("3x4", "2,1", answers="sunk")
OTHER = Position.in_order(Rules("3x3", "3,1,1", answers="sunk"), "A1 miss")
TEXT: Any = "A1 miss"
ROWS: Any = [[1, 2]]
PROBLEM: Any = as_problem(RULES)
GAME: Any = "5x5"
HALVES: Any = [0.5] * 74


def play(players: Any = ("random",), **options: Any) -> object:
    return tournament(options.pop("rules", RULES), players, **{"games": 2, **options})


BAD: list[tuple[Callable[[], object], str]] = [
    (lambda: solve(GAME, "3,2,1"), "game '5x5': give Rules, as in Rules('5x5', '3,2,1')"),
    (lambda: solve(RULES, position=OTHER), "of another game: of Rules('3x3', '3,1,1'"),
    (lambda: solve(RULES, position=Position(OTHER.rules)), "of another game"),
    (lambda: solve(RULES, position=TEXT), "position 'A1 miss': give a Position"),
    (lambda: solve(RULES, checkpoint="/proc/none/x"), "cannot write the checkpoint /proc/none/x"),
    (lambda: greedy_tree(GAME), "game '5x5': give Rules"),
    (lambda: greedy_tree(RULES, position=OTHER), "of another game"),
    (lambda: graph_size(GAME), "game '5x5': give Rules"),
    (lambda: compare(GAME), "game '5x5': give Rules"),
    (lambda: compare(RULES, ["sunk"], position=OTHER), "of another game"),
    (lambda: compare(PROBLEM), "a Problem is of one answer mode: give Rules or a DecisionTable"),
    (lambda: build_strategy(GAME, "nowhere"), "game '5x5': give Rules"),
    (lambda: build_strategy(RULES, "nowhere", position=OTHER), "of another game"),
    (lambda: equilibrium(GAME), "game '5x5': give Rules"),
    (lambda: equilibrium(RULES, gap=TEXT), "gap 'A1 miss': must be a number above 0"),
    (lambda: equilibrium(PROBLEM), "a Problem is of one answer mode"),
    (lambda: Limits(memory=float("nan")), "memory nan: give GiB above 0"),
    (lambda: Limits(memory=0), "memory 0: give GiB above 0"),
    (lambda: Limits(memory=TEXT), "memory 'A1 miss': give GiB above 0"),
    (lambda: Limits(deadline=TEXT), "deadline 'A1 miss': give a value of time.monotonic"),
    (lambda: Limits(deadline=float("nan")), "deadline nan: give a value of time.monotonic"),
    (lambda: play("random"), "players 'random': give a list of names"),
    (lambda: play(3), "players 3: give a list of names"),
    (lambda: play([None]), "player None is unknown"),
    (lambda: play(rules=GAME), "rules '5x5': give Rules"),
    (lambda: play(games=1.5), "games 1.5: must be a whole number"),
    (lambda: play(seed=-1), "seed -1: must be 0 or above"),
    (lambda: play(seed="x"), "seed 'x': must be a whole number"),
    (lambda: play(workers="2"), "workers '2': must be a whole number"),
    (lambda: play(position=OTHER), "of another game"),
    (lambda: play(position=TEXT), "give a Position"),
    (lambda: play(layouts=None), "layouts None: name uniform"),
    (lambda: play(layouts=Uniform(OTHER)), "the layouts are for games from another position"),
    (lambda: layout_source("all", Position(RULES), -1), "seed -1: must be 0 or above"),
    (lambda: layout_source("all", RULES), "give a Position"),
    (lambda: make_player("random", GAME), "rules '5x5': give Rules"),
    (lambda: make_player("exact", RULES, OTHER), "of another game"),
    (lambda: make_player("density", RULES).shoot(OTHER), "of another game"),
    (lambda: make_player("exact", RULES).play_all(np.full((1, 2), 999, dtype=np.uint16)),
     "layouts with placement 999: numbers are 0 to"),
    (lambda: make_player("density", RULES).play_all(np.full((1, 2), 999, dtype=np.uint16)),
     "layouts with placement 999: numbers are 0 to"),
    (lambda: make_player("random", RULES).play_all(np.array([[-1, 2]])),
     "layouts with placement -1: numbers are 0 to"),
    (lambda: make_player("exact", RULES).play_all(ROWS),
     "layouts [[1, 2]]: give an array of placement numbers"),
    (lambda: make_player("random", RULES).play_all(np.zeros((1, 3), dtype=np.uint16)),
     "layouts of shape (1, 3): give an array (games, 2) of placement numbers"),
    (lambda: CounterAdviser(GAME), "rules '5x5': give Rules"),
    (lambda: CounterAdviser(RULES, seconds=-1), "seconds -1: must be a number, 0 or above"),
    (lambda: CounterAdviser(RULES, memory_limit=float("nan")), "memory_limit nan: must be"),
    (lambda: CounterAdviser(RULES).advise(OTHER), "of another game"),
    (lambda: CounterAdviser(RULES).advise(TEXT), "give a Position"),
    (lambda: endgame(OTHER, np.zeros((0, 3), dtype=np.uint16)), "at least one"),
    (lambda: endgame(OTHER, np.zeros((2, 2), dtype=np.uint16)), "one row of 3 placement numbers"),
    (lambda: best_response_value(enumerate_layouts(RULES), HALVES),
     "weight 0.5: the weights of a mix are whole numbers"),
    (lambda: shooting_costs(enumerate_layouts(RULES), [greedy_tree(RULES)], HALVES[:1]),
     "weight 0.5"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "told"), BAD, ids=[told for _, told in BAD])
def test_nonsense_is_refused_in_one_line(
    call: Callable[[], object], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SeabattleError) as refusal:
        call()
    assert told in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert list(tmp_path.iterdir()) == []


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    told: Any = {"games": np.int64(2), "seed": np.uint8(3), "workers": np.int32(1)}
    assert tournament(RULES, ["random"], **told).games == 2


def test_progress_of_placing_layouts() -> None:
    source = Uniform(Position(RULES))
    done: list[int] = []
    counted = occupancy_of(source, 25_000, progress=done.append)
    assert done == [0, 10_000, 20_000]
    assert counted.sum() == 25_000 * RULES.fleet.cells
