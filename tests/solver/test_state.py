"""One game told in several ways, rules and shots, a position, or a table, has one answer.

Every public function that takes a game is asked. What a function cannot do it refuses in one line.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from laws.games import Game as Drawn
from laws.games import games, law

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import SeabattleError
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable, Game
from seabattle.solver.advice import advise
from seabattle.solver.endgame import endgame
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.search.graph import graph_size
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.solve import solve
from seabattle.solver.studies.building import build_strategy
from seabattle.solver.studies.compare import compare
from seabattle.trees.strategy.check import check
from seabattle.trees.tree import Tree
from seabattle.trees.verify import verify

Ask = Callable[[Game, Path], Any]


def told(tree: Tree) -> tuple[object, ...]:
    """What a tree is, verified from the rules; two trees of one game may differ in their order."""
    checked = verify(tree)
    assert checked, checked.problems
    assert (checked.total_misses, checked.worst_misses) == (tree.total_misses, tree.worst_misses)
    return tree.position, tree.total_misses, tree.worst_misses, tree.layouts, tree.weight


def solved(objective: str) -> Ask:
    def ask(game: Game, folder: Path) -> object:
        found = solve(game, objective, values=True, threads=1)
        assert found.best_shots == tuple(map(found.rules.board.name, found.best_cells))
        return found.best_shots, found.values, list(map(told, found.front or (found.tree,)))

    return ask


def built(game: Game, folder: Path) -> object:
    strategy = build_strategy(game, folder / "s", complete=True)
    assert check(strategy).valid
    return strategy.value, strategy.states, strategy.position, told(strategy.tree())


def compared(game: Game, folder: Path) -> object:
    mode = (game if isinstance(game, Rules) else game.rules).answers
    return [(row.name, told(row.tree)) for row in compare(game, [mode]).rows]


def mapped(game: Game, folder: Path) -> object:
    counter = Counter(game)
    found = counter.map()
    return found.position, found.cells, found.best_cells, counter.sample(3, 1).tolist()


def advised(game: Game, folder: Path) -> object:
    found = advise(game, time_limit=60)
    return found.position, found.method, found.best_shots, found.total_misses


def ended(game: Game, folder: Path) -> object:
    found = endgame(game)
    return found.position, found.total_misses, found.worst_misses, found.best_shots


ASKED: dict[str, Ask] = {
    "solve": solved("mean"),
    "front": solved("pareto"),
    "greedy": lambda game, folder: told(greedy_tree(game, "half")),
    "graph": lambda game, folder: graph_size(game),
    "strategy": built,
    "compare": compared,
    "counter": mapped,
    "advice": advised,
    "endgame": ended,
    "equilibrium": lambda game, folder: equilibrium(game).value,
}


def answer(name: str, game: Game, folder: Path) -> object:
    """The answer, or the refusal in one line."""
    try:
        return ASKED[name](game, folder)
    except SeabattleError as error:
        refusal = type(error), str(error)
    assert "\n" not in refusal[1]
    return refusal


def refuses(name: str, game: Drawn) -> bool:
    """Whether a function may refuse a game: what it does is not defined there."""
    if name == "graph":
        return game.answers != "hit"
    if name == "equilibrium":
        return game.contact == "sides" or game.answers == "ship" or bool(game.history)
    return name == "strategy" and game.contact == "sides" and game.answers == "sunk"


@pytest.mark.parametrize("name", ASKED)
@law(12)
@given(drawn=games(size=(40, 10), priors=False))
def test_one_game_has_one_answer(
    tmp_path_factory: pytest.TempPathFactory, name: str, drawn: Drawn
) -> None:
    position, folder = drawn.position, tmp_path_factory.mktemp("state")
    whole = DecisionTable.build(position.rules)
    shot = whole
    for cell, code in position.shots:
        shot = shot.shoot(cell, code)
    ways: list[Game] = [position, whole.at(position), shot, DecisionTable.build(position)]
    if not position.shots:
        ways.append(position.rules)
    found = [answer(name, way, folder) for way in ways]
    assert all(other == found[0] for other in found), found
    refused = isinstance(found[0], tuple) and isinstance(found[0][0], type)
    assert refused == refuses(name, drawn), found[0]


@pytest.mark.parametrize("name", ["counter", "advice", "endgame", "strategy"])
def test_what_takes_no_weights_says_so(tmp_path: Path, name: str) -> None:
    table = DecisionTable.build(Rules("4x4", "3,2,1"), prior=np.arange(176))
    found = answer(name, table, tmp_path)
    assert isinstance(found, tuple)
    assert "weights" in found[1] or "equally likely" in found[1]
