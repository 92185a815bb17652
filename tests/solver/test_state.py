"""One game told in three ways, rules and shots, a position, or a table, has one answer.

Every public function that takes a game is asked about small games in every answer mode and under
every contact rule, from the beginning, after a miss, and after an answered hit. Trees are verified
by their rules, strategies read back and checked; what a function cannot do it refuses in one line.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seabattle.enumerate.answers import MISS, possible_answers
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import PositionError, SeabattleError, WeightsError
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.enumerate.table import DecisionTable, Game
from seabattle.solver.advice import advise
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.search.endgame import endgame
from seabattle.solver.search.graph import graph_size
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.solve import solve
from seabattle.solver.studies.building import build_strategy
from seabattle.solver.studies.compare import compare
from seabattle.trees.strategy.check import check
from seabattle.trees.tree import Tree
from seabattle.trees.verify import verify

EXAMPLE = Position(Rules("4x4", "3,2,1")).shoot("B2", "miss").shoot("A1", "hit")
"""What went wrong once: a tree that is not valid, a strategy that ``strategy verify`` rejects."""

Ask = Callable[[Game, Path], Any]


def told(tree: Tree) -> tuple[object, ...]:
    """What a tree is, verified from the rules; two trees of one game may differ in their order."""
    checked = verify(tree)
    assert checked, checked.problems
    assert (checked.total_misses, checked.worst_misses) == (tree.total_misses, tree.worst_misses)
    return tree.position, tree.total_misses, tree.worst_misses, tree.layouts, tree.weight


def solved(objective: str) -> Ask:
    def ask(game: Game, folder: Path) -> object:
        found = solve(game, objective, values=True)
        trees = found.front or (found.tree,)
        assert (found.rules, found.position) == (found.tree.rules, found.tree.position)
        best = tuple(found.rules.board.name(cell) for cell in found.best_cells)
        assert best == found.best_shots
        return found.status, best, found.values, [told(tree) for tree in trees]

    return ask


def greedy(rule: str) -> Ask:
    return lambda game, folder: told(greedy_tree(game, rule))


def built(objective: str, complete: bool) -> Ask:
    def ask(game: Game, folder: Path) -> object:
        strategy = build_strategy(game, folder / "s", objective=objective, complete=complete)
        found = check(strategy)
        assert found.valid, found.problems
        return strategy.value, strategy.states, strategy.position, told(strategy.tree())

    return ask


def compared(game: Game, folder: Path) -> object:
    mode = (game if isinstance(game, Rules) else game.rules).answers
    found = compare(game, [mode])
    return [(row.name, told(row.tree)) for row in found.rows]


def mapped(game: Game, folder: Path) -> object:
    counter = Counter(game)
    found = counter.map()
    assert counter.count() == found.layouts == len(counter.layouts())
    assert found.best_shots == tuple(map(counter.rules.board.name, found.best_cells))
    return found.position, found.cells, found.best_cells, counter.sample(3, 1).tolist()


def advised(game: Game, folder: Path) -> object:
    found = advise(game, time_limit=60)
    chances = [found.chance(cell) for cell in found.best_shots]
    assert chances == [found.chance(cell) for cell in found.best_cells]
    assert all(isinstance(chance, Fraction) for chance in chances)
    return found.position, found.method, found.best_shots, found.total_misses


def ended(game: Game, folder: Path) -> object:
    found = endgame(game)
    assert found.best_shots == tuple(map(found.position.rules.board.name, found.best_cells))
    return found.position, found.total_misses, found.worst_misses, found.best_shots


ASKED: dict[str, Ask] = {
    **{f"solve {name}": solved(name)
       for name in ("mean", "worst", "mean-worst", "worst-mean", "pareto")},
    "greedy half": greedy("half"),
    "greedy hits": greedy("hits"),
    "graph": lambda game, folder: graph_size(game),
    "strategy": built("mean", complete=False),
    "complete strategy": built("mean", complete=True),
    "strategy, worst": built("worst", complete=False),
    "compare": compared,
    "counter": mapped,
    "advice": advised,
    "endgame": ended,
    "equilibrium": lambda game, folder: equilibrium(game).value,
}  # fmt: skip


def answer(ask: Ask, game: Game, folder: Path) -> object:
    """The answer, or the refusal in one line."""
    try:
        return ask(game, folder)
    except SeabattleError as error:
        refusal = type(error), str(error)
    assert "\n" not in refusal[1]
    return refusal


def refuses(name: str, position: Position) -> bool:
    """Whether a function may refuse a game: what it does is not defined there."""
    rules = position.rules
    sides = rules.contact is Contact.SIDES
    if name == "graph":
        return rules.answers is not AnswerMode.HIT
    if "strategy" in name:
        return sides and rules.answers is AnswerMode.SUNK
    if name == "equilibrium":
        return sides or rules.answers is AnswerMode.SHIP or bool(position.shots)
    return False


def histories(rules: Rules) -> list[Position]:
    """The beginning, a miss, and two answered hits that some layouts fit."""
    start = Position(rules).shoot("B2", "miss")
    table = DecisionTable.build(start)
    begun = [
        position
        for code in reversed(possible_answers(rules))
        if code != MISS and (position := fits(table, start.shoot("A1", code))) is not None
    ]
    return [Position(rules), start, *begun[:2]]


def fits(table: DecisionTable, position: Position) -> Position | None:
    try:
        table.at(position)
    except PositionError:
        return None
    return position


EVERYDAY = (0, 2)
"""Numbers of the histories that the everyday run asks about: the beginning, and after a hit.

Without contact it asks about all of them.
"""

CASES = [
    pytest.param(
        position,
        id=f"{contact}-{answers}-{number}",
        marks=[] if contact is Contact.NONE or number in EVERYDAY else pytest.mark.slow,
    )
    for contact in Contact
    for answers in AnswerMode
    for number, position in enumerate(histories(Rules("3x3", "2,1", contact, answers)))
]


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("position", CASES)
def test_one_game_has_one_answer(position: Position, name: str, tmp_path: Path) -> None:
    whole = DecisionTable.build(position.rules)
    shot = whole
    for cell, code in position.shots:
        shot = shot.shoot(cell, code)
    games: list[Game] = [position, whole.at(position), shot, DecisionTable.build(position)]
    if not position.shots:
        games.append(position.rules)
    found = [answer(ASKED[name], game, tmp_path) for game in games]
    assert all(other == found[0] for other in found), found
    refused = isinstance(found[0], tuple) and isinstance(found[0][0], type)
    assert refused == refuses(name, position), found[0]


@pytest.mark.parametrize("name", ASKED)
def test_what_went_wrong_is_impossible(name: str, tmp_path: Path) -> None:
    table = DecisionTable.build(EXAMPLE.rules)
    found = answer(ASKED[name], EXAMPLE, tmp_path)
    assert answer(ASKED[name], table.at(EXAMPLE), tmp_path) == found
    if name == "equilibrium":
        assert "starts at the beginning, not after B2 miss, A1 hit" in str(found)
    else:
        assert not isinstance(found, tuple) or not isinstance(found[0], type), found


@pytest.mark.parametrize("name", sorted(ASKED.keys() - {"graph"}))
def test_a_table_without_history_is_refused(name: str, tmp_path: Path) -> None:
    table = DecisionTable.build(EXAMPLE)
    selected = table.select(np.ones(len(table), dtype=np.uint8))
    why = (PositionError, "this table was made by select and has no history: build it from a "
           "Position, or use table.at(position)")  # fmt: skip
    assert answer(ASKED[name], selected, tmp_path) == why
    assert not any(tmp_path.iterdir())


def test_the_graph_needs_no_history() -> None:
    table = DecisionTable.build(EXAMPLE)
    selected = table.select(np.ones(len(table), dtype=np.uint8))
    assert graph_size(selected) == graph_size(EXAMPLE)


@pytest.mark.parametrize("ask", [solve, greedy_tree, compare])
def test_a_function_takes_nothing_else_about_the_game(ask: Callable[..., object]) -> None:
    for name in ("position", "limits", "switches"):
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
            ask(EXAMPLE, **{name: None})


@pytest.mark.parametrize("name", ["counter", "advice", "endgame", "strategy"])
def test_what_takes_no_weights_says_so(name: str, tmp_path: Path) -> None:
    table = DecisionTable.build(EXAMPLE.rules, prior=np.arange(176))
    found = answer(ASKED[name], table.at(EXAMPLE), tmp_path)
    assert isinstance(found, tuple)
    assert issubclass(found[0], SeabattleError)
    assert "weights" in found[1] or "equally likely" in found[1]


@pytest.mark.parametrize("answers", list(AnswerMode))
def test_the_prior_goes_with_the_position(answers: AnswerMode) -> None:
    rules = Rules("3x3", "2,1", "none", answers)
    table = DecisionTable.build(rules)
    table = DecisionTable.build(table, prior=np.arange(len(table)) % 4)
    for position in histories(rules)[1:]:
        left = table.at(position)
        weighed = dict(zip(left.index.tolist(), left.weights.tolist(), strict=True))
        assert weighed == {i: i % 4 for i in left.index.tolist()}
        tree = solve(left).tree
        told(tree)
        assert tree.weight == sum(weighed.values())
        told(greedy_tree(left))
    with pytest.raises(WeightsError, match="weights: 2 given"):
        DecisionTable.build(Position(rules).shoot("B2", "miss"), prior=[1, 2])


@pytest.mark.parametrize("answers", ["sunk", "ship"])
def test_a_strategy_after_shots_in_no_order_is_valid(answers: str, tmp_path: Path) -> None:
    rules = Rules("4x4", "2,2,1", answers=answers)
    shots = {
        "sunk": [("B1", "sunk"), ("A1", "hit"), ("D4", "miss")],
        "ship": [("D4", "hit:2#2"), ("A1", "hit:2#1"), ("B1", "hit:2#1")],
    }
    position = Position.read(rules, shots[answers], ordered=False)
    strategy = build_strategy(position, tmp_path / "s")
    found = check(strategy)
    assert found.valid, found.problems
    assert strategy.value == solve(position).total_misses
