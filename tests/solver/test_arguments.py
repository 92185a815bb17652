"""Nonsense given to the solver's functions from Python: one line that says what would be right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seabattle.enumerate.board import Board
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import SeabattleError
from seabattle.enumerate.layouts import Layouts, enumerate_layouts
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.advice import CounterAdviser, StrategyAdviser, advise
from seabattle.solver.equilibrium.certificate import best_response_value, shooting_costs
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.equilibrium.mix_files import save_mixes
from seabattle.solver.players.hunt_target import HuntTarget
from seabattle.solver.players.player_spec import PlayerSpec
from seabattle.solver.players.random_streams import Chance
from seabattle.solver.players.registry import make_player
from seabattle.solver.search.dispatch import as_problem
from seabattle.solver.search.endgame import endgame, solve_endgame
from seabattle.solver.search.graph import graph_size
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.solve import solve
from seabattle.solver.studies.building import build_strategy
from seabattle.solver.studies.compare import compare
from seabattle.solver.tournament.layout_sources import Uniform, layout_source, occupancy_of
from seabattle.solver.tournament.tournament import tournament
from seabattle.trees.drawing.export import to_dot
from seabattle.trees.drawing.heatmap import HeatMap, heatmap_text
from seabattle.trees.drawing.tree_svg import svg
from seabattle.trees.page.explorer import explorer_page
from seabattle.trees.replay import replay
from seabattle.trees.verify import verify

RULES: Any = Rules("3x4", "2,1", answers="sunk")
OTHER = Position.in_order(Rules("3x3", "3,1,1", answers="sunk"), "A1 miss")
TEXT: Any = "A1 miss"
ROWS: Any = [[1, 2]]
PROBLEM: Any = as_problem(RULES)
LAYOUTS: Any = enumerate_layouts(RULES).ships
GAME: Any = "5x5"
NUMBER: Any = 1.5
NAN = float("nan")
HIT = Position(RULES).shoot("A1", "hit")
HALVES: Any = [0.5] * 74
TREE: Any = greedy_tree(Rules("3x3", "3,1,1"))

TABLE: Any = DecisionTable.build(RULES)
MASKS: Any = TABLE.masks
HUNTER: Any = HuntTarget


def spec(**wrong: Any) -> PlayerSpec:
    right: Any = {"name": "mine", "summary": "mine", "needs": "hit", "source": HuntTarget}
    return PlayerSpec(**{**right, **wrong})


def play(players: Any = ("random",), **options: Any) -> object:
    return tournament(options.pop("rules", RULES), players, **{"games": 2, **options})


NO_GAME = "game: give Rules, a Position or a DecisionTable, not 'str'"
NO_RULES = "rules: give Rules, as in Rules('5x5', '3,2,1'), not 'str'"
NO_POSITION = "position: give a Position, as in Position(rules).shoot('C3', 'miss'), not 'str'"
NO_START = NO_POSITION.replace("position:", "start:")

WRONG_TYPES: list[tuple[Callable[[], object], str]] = [
    (lambda: solve(GAME, "3,2,1"), NO_GAME),
    (lambda: solve(PROBLEM), "game: give Rules, a Position or a DecisionTable, not 'A"),
    (lambda: solve(RULES, None), "objective: give one of 'mean', 'worst', 'mean-worst', "),
    (lambda: solve(RULES, time_limit=TEXT), "time_limit: give seconds, not 'str'"),
    (lambda: solve(RULES, memory_limit=TEXT), "memory_limit: give GiB, not 'str'"),
    (lambda: solve(RULES, progress=TEXT), "progress: give a function, not 'str'"),
    (lambda: solve(RULES, stop=TEXT), "stop: give a function, not 'str'"),
    (lambda: solve(RULES, checkpoint=NUMBER), "checkpoint: give a path, not 'float'"),
    (lambda: greedy_tree(GAME), NO_GAME),
    (lambda: greedy_tree(RULES, NUMBER), "rule: give one of 'half', 'hits', not 'float'"),
    (lambda: greedy_tree(RULES, seed=NUMBER), "seed: give a whole number, not 'float'"),
    (lambda: graph_size(GAME), NO_GAME),
    (lambda: compare(GAME), NO_GAME),
    (lambda: compare(PROBLEM), "game: give Rules, a Position or a DecisionTable"),
    (lambda: compare(RULES, "sunk"), "answers: give a list of answer modes, as in ['hit', 'su"),
    (lambda: compare(RULES, [NUMBER]), "answers: give one of 'hit', 'sunk', 'ship', not"),
    (lambda: build_strategy(GAME, "nowhere"), NO_GAME),
    (lambda: build_strategy(RULES, NUMBER), "path: give a path, not 'float'"),
    (lambda: equilibrium(GAME), NO_GAME),
    (lambda: equilibrium(PROBLEM), "game: give Rules, a Position or a DecisionTable"),
    (lambda: equilibrium(RULES, gap=TEXT), "gap: give misses, a number above 0 such as 1e-6"),
    (lambda: equilibrium(RULES, progress=TEXT), "progress: give a function, not 'str'"),
    (lambda: Counter(GAME), NO_GAME),
    (lambda: Counter(RULES, memory_limit=TEXT), "memory_limit: give GiB, not 'str'"),
    (lambda: Counter(RULES, progress=TEXT), "progress: give a function, not 'str'"),
    (lambda: Counter(RULES).at(TEXT), NO_POSITION),
    (lambda: Counter(RULES).sample(TEXT), "count: give a whole number, not 'str'"),
    (lambda: Counter(RULES).sample(1, TEXT), "seed: give a whole number, not 'str'"),
    (lambda: Counter(RULES).layouts(most=NUMBER), "most: give a whole number, not 'float'"),
    (lambda: Counter(RULES).map().chance(NUMBER), "cell: give a name such as 'C3', or its num"),
    (lambda: advise(GAME), NO_GAME),
    (lambda: CounterAdviser(GAME), NO_RULES),
    (lambda: CounterAdviser(RULES, time_limit=TEXT), "time_limit: give seconds, not 'str'"),
    (lambda: CounterAdviser(RULES).advise(TEXT), NO_POSITION),
    (lambda: CounterAdviser(RULES, progress=TEXT), "progress: give a function, not 'str'"),
    (lambda: advise(RULES, progress=TEXT), "progress: give a function, not 'str'"),
    (lambda: StrategyAdviser(GAME, CounterAdviser(RULES)), "strategy: give a Strategy, as in"),
    (lambda: endgame(GAME), NO_GAME),
    (lambda: endgame(RULES, most=TEXT), "most: give a whole number, not 'str'"),
    (lambda: play(rules=GAME), NO_GAME),
    (lambda: play("random"), "players: give a list of players, as in ['random', 'density'], not"),
    (lambda: play(3), "players: give a list of players, as in ['random', 'density'], not 'int'"),
    (lambda: play([None]), "player: give a name, a class derived from Player, a function or a"),
    (lambda: play(games=1.5), "games: give a whole number, not 'float'"),
    (lambda: play(seed="x"), "seed: give a whole number, not 'str'"),
    (lambda: play(stop=TEXT), "stop: give a function, not 'str'"),
    (lambda: play(progress=TEXT), "progress: give a function, not 'str'"),
    (lambda: verify(greedy_tree(RULES), layouts=TEXT), "layouts: give Layouts, as in enumerate_"),
    (lambda: replay(greedy_tree(RULES), NUMBER), "layout: give the names of its ships, such as"),
    (lambda: svg(greedy_tree(RULES), depth=TEXT), "depth: give a whole number, not 'str'"),
    (lambda: equilibrium(RULES).draw_tree(NUMBER), "generator: give a numpy Generator, as in"),
    (lambda: equilibrium(RULES).draw_layout(NUMBER), "generator: give a numpy Generator, as in"),
    (lambda: equilibrium(RULES).hiding_chance(TEXT), "number: give a whole number, not 'str'"),
    (lambda: equilibrium(RULES).shooting_chance(TEXT), "number: give a whole number, not 'str'"),
    (lambda: equilibrium(RULES).tree(TEXT), "number: give a whole number, not 'str'"),
    (lambda: play(workers="2"), "workers: give a whole number, not 'str'"),
    (lambda: layout_source("all", RULES), NO_POSITION.replace("str", "Rules")),
    (lambda: make_player("random", GAME), NO_GAME),
    (lambda: make_player("random", RULES).play_all(LAYOUTS, seed=TEXT), "seed: give a whole"),
    (lambda: make_player("random", RULES).play_all(LAYOUTS, first_game=TEXT), "first_game: give a"),
    (lambda: make_player("random", RULES).play_all(LAYOUTS, start=TEXT), NO_START),
    (lambda: make_player("exact", RULES).play_all(LAYOUTS, start=TEXT), NO_START),
    (lambda: make_player("random", RULES).play_all(LAYOUTS, record=TEXT), "record: give an int16"),
    (lambda: make_player("exact", RULES).play_all(ROWS),
     "ships: give an array of placement numbers, not 'list'"),
    (lambda: HeatMap(3, [[1]], 1), "board: give a Board or text such as '10x10', not 'int'"),
    (lambda: HeatMap("1x1", 3, 1), "counts: give rows of whole numbers, not 'int'"),
    (lambda: HeatMap("1x1", [["x"]], 1), "counts: give rows of whole numbers, not 'list'"),
    (lambda: HeatMap("1x1", [[1]], "1"), "total: give a whole number, not 'str'"),
    (lambda: HeatMap("1x1", [[1]], 1, [3]), "shots: give pairs of a cell and an answer code"),
    (lambda: HeatMap("1x1", [[1]], 1, (), 3), "best_cells: give a list of cells, not 'int'"),
    (lambda: HeatMap("1x1", [[1]], 1, title=3), "title: give text, not 'int'"),
    (lambda: HeatMap.at(TEXT, [[1]], 1), NO_POSITION),
    (lambda: HeatMap("1x1", [[1]], 1).count(1.5), "cell: give a name such as 'C3', or its num"),
    (lambda: heatmap_text(HeatMap("1x1", [[1]], 1), width=TEXT), "width: give a whole number"),
    (lambda: svg(TREE, title=3), "title: give text, not 'int'"),
    (lambda: Board(3, 4).mask(TEXT), "cells: give a list of cells, as in ['A1', 'C3'], not 'str'"),
    (lambda: Board(3, 4).mask([NUMBER]), "cell: give a name such as 'C3', or its number, not 'f"),
    (lambda: Board(1, 1).grid(NUMBER), "text: give a list of texts, as in ['1', 'X'], not 'float'"),
    (lambda: Board(1, 1).grid(ROWS[0]), "text: give a list of texts, as in ['1', 'X'], not 'int'"),
    (lambda: Board(1, 1).grid("X", align=NUMBER), "align: give one of '<', '>', '^', not 'float'"),
    (lambda: Layouts(GAME, MASKS, LAYOUTS), NO_RULES),
    (lambda: Layouts(RULES, ROWS, LAYOUTS), "masks: give a uint64 array (layouts, words), not 'l"),
    (lambda: Layouts(RULES, MASKS, ROWS), "ships: give a uint16 array (layouts, ships), not 'lis"),
    (lambda: Position(RULES, ships=[NUMBER]), "ships: give a list of tuples of cell numbers, as"),
    (lambda: TREE.follow(TEXT), "answers: give a list of answers, as in ['miss', 'hit'], not 's"),
    (lambda: TREE.follow([NUMBER]), "answer: give text such as 'miss', or its code, not 'float'"),
    (lambda: replace(TREE, shots=ROWS), "shots: give an array of whole numbers, not 'list'"),
    (lambda: svg(TREE, path=NUMBER), "path: give a list of ships, as in ['A1:A3', 'C1'], not 'fl"),
    (lambda: to_dot(TREE, title=NUMBER), "title: give text, not 'float'"),
    (lambda: Chance(TEXT), "seed: give a whole number, not 'str'"),
    (lambda: Chance(1).deck(TEXT), "cells: give a whole number, not 'str'"),
    (lambda: Chance(1).fraction(TEXT), "index: give a whole number, not 'str'"),
    (lambda: Chance.of(seed=TEXT, player="x", game=0), "seed: give a whole number, not 'str'"),
    (lambda: Chance.of(seed=1, player=NUMBER, game=0), "player: give the name of a player, not '"),
    (lambda: Chance.of(seed=1, player="x", game=TEXT), "game: give a whole number, not 'str'"),
    (lambda: HUNTER(GAME), NO_RULES),
    (lambda: HUNTER(RULES).shoot(HIT, TEXT), "chance: give a Chance, as in Chance(seed), not 'str"),
    (lambda: HUNTER(RULES).finish(TEXT), NO_POSITION),
    (lambda: HUNTER(RULES).play(NUMBER, Chance(1), HIT), "ships: give a list of placement numbers"),
    (lambda: HUNTER(RULES).play([NUMBER], Chance(1), HIT), "ships: give a whole number, not 'flo"),
    (lambda: HUNTER(RULES).play(LAYOUTS[0], TEXT, HIT), "chance: give a Chance, as in Chance(see"),
    (lambda: HUNTER(RULES).play(LAYOUTS[0], Chance(1), TEXT), NO_START),
    (lambda: spec(name=3), "name: give text, not 'int'"),
    (lambda: spec(summary=3), "summary: give text, not 'int'"),
    (lambda: spec(needs=3), "needs: give one of 'hit', 'sunk', 'ship', not 'int'"),
    (lambda: spec(source=3), "source: give a class derived from Player, a function, or its place"),
    (lambda: spec(refuses=TEXT), "refuses: give a function, not 'str'"),
    (lambda: spec(prepare=TEXT), "prepare: give a function, not 'str'"),
    (lambda: spec(read_strategy=TEXT), "read_strategy: give a function, not 'str'"),
    (lambda: PlayerSpec.at(NUMBER), "place: give text such as 'mine.py:Center', not 'float'"),
    (lambda: spec().why_not(GAME), NO_RULES),
    (lambda: spec().why_not(RULES, TEXT), NO_POSITION),
    (lambda: spec().require(GAME), NO_RULES),
    (lambda: spec().make(GAME), NO_RULES),
    (lambda: spec().prepared(TEXT), NO_POSITION),
    (lambda: spec().prepared(HIT, strategy=NUMBER), "strategy: give a path, not 'float'"),
    (lambda: spec().prepared(HIT, stop=TEXT), "stop: give a function, not 'str'"),
    (lambda: Counter(RULES).labelled(TEXT), "total: give a whole number, not 'str'"),
    (lambda: DecisionTable.build(TABLE, memory_limit=TEXT), "memory_limit: give GiB, not 'str'"),
    (lambda: DecisionTable.build(TABLE, progress=TEXT), "progress: give a function, not 'str'"),
    (lambda: CounterAdviser(RULES).advise_from(TEXT), "found: give an OccupancyMap, as Counter(ga"),
    (lambda: build_strategy(RULES, "nowhere", made_by=NUMBER), "made_by: give text, not 'float'"),
    (lambda: save_mixes(equilibrium(RULES), "x", trees=TEXT), "trees: give a whole number, not 's"),
    (lambda: save_mixes(equilibrium(RULES), "x", made_by=3), "made_by: give a dictionary of what"),
    (lambda: save_mixes(equilibrium(RULES), "x", made_by={"a": TREE}), "made_by: give a dict"),
    (lambda: explorer_page([TREE], names=[3]), "name: give text, not 'int'"),
    (lambda: explorer_page(TREE), "trees: give a list of Tree, such as [solve(game).tree], not"),
    (lambda: explorer_page([TREE], names=TEXT), "names: give a list of names, not 'str'"),
]  # fmt: skip

WRONG_VALUES: list[tuple[Callable[[], object], str]] = [
    (lambda: solve(RULES, "best"), "objective 'best' is unknown; the objectives are mean"),
    (lambda: solve(RULES, time_limit=-1), "time_limit -1: must be a number of seconds, 0 or above"),
    (lambda: solve(RULES, time_limit=NAN), "time_limit nan: must be a number of seconds, 0 or"),
    (lambda: solve(RULES, memory_limit=0), "memory_limit 0: must be a number of GiB above 0"),
    (lambda: solve(RULES, memory_limit=NAN), "memory_limit nan: must be a number of GiB above 0"),
    (lambda: solve(RULES, checkpoint="/proc/none/x"), "cannot write /proc/none/x"),
    (lambda: solve(RULES, checkpoint="a\0b"), "cannot read 'a\\x00b': no possible file name"),
    (lambda: Counter(RULES).sample(10**30), "a sample of 1,000,"),
    (lambda: DecisionTable.build(RULES).at(OTHER), "of another game: of Rules('3x3', '3,1,1'"),
    (lambda: greedy_tree(RULES, seed=-1), "seed -1: must be 0 or above"),
    (lambda: compare(RULES, []), "answers: give at least one answer mode"),
    (lambda: compare(RULES, ["bang"]), "answer mode 'bang' is unknown"),
    (lambda: compare(HIT, ["hit"]), "hits are answered differently in each mode: compare 'sunk'"),
    (lambda: compare(HIT), "hits are answered differently in each mode: compare one"),
    (lambda: equilibrium(RULES, gap=-1), "gap -1: must be a number above 0, such as 1e-6"),
    (lambda: equilibrium(HIT), "starts at the beginning, not after A1 hit"),
    (lambda: equilibrium(RULES).hiding_chance(-1), "number -1: the layouts are 0 to 73 here"),
    (lambda: equilibrium(RULES).shooting_chance(99), "number 99: the trees are 0 to "),
    (lambda: equilibrium(RULES).tree(99), "number 99: the trees are 0 to "),
    (lambda: Limits(memory=float("nan")), "memory nan: give GiB above 0"),
    (lambda: Limits(deadline=TEXT), "deadline 'A1 miss': give a value of time.monotonic"),
    (lambda: Limits(deadline=NAN), "deadline nan: give a value of time.monotonic"),
    (lambda: play(seed=-1), "seed -1: must be 0 or above"),
    (lambda: play(layouts=None), "layouts None: name uniform"),
    (lambda: play(layouts=Uniform(OTHER)), "the layouts are for games from another position"),
    (lambda: layout_source("all", Position(RULES), -1), "seed -1: must be 0 or above"),
    (lambda: make_player("density", RULES).shoot(OTHER), "of another game"),
    (lambda: make_player("exact", RULES).play_all(np.full((1, 2), 999, dtype=np.uint16)),
     "ships with placement 999: numbers are 0 to"),
    (lambda: make_player("density", RULES).play_all(np.full((1, 2), 999, dtype=np.uint16)),
     "ships with placement 999: numbers are 0 to"),
    (lambda: make_player("random", RULES).play_all(LAYOUTS, start=OTHER), "of another game"),
    (lambda: make_player("random", RULES).play_all(LAYOUTS, first_game=-1), "first_game -1: must"),
    (lambda: make_player("random", RULES).play_all(LAYOUTS, record=np.zeros((1, 2), np.int16)),
     "record of shape (1, 2): give one of shape (74, 12)"),
    (lambda: make_player("random", RULES).play_all(np.array([[-1, 2]])),
     "ships with placement -1: numbers are 0 to"),
    (lambda: make_player("random", RULES).play_all(np.zeros((1, 3), dtype=np.uint16)),
     "ships of shape (1, 3): give an array (games, 2) of placement numbers"),
    (lambda: Board(3, 4).mask([12]), "cell 12: board 3x4 has cells 0 to 11"),
    (lambda: Board(3, 4).grid("X"), "text of 1 cells: board 3x4 has 12"),
    (lambda: Board(1, 1).grid("X", align="="), "align '=': give '<', '>' or '^'"),
    (lambda: Layouts(RULES, MASKS[:1], LAYOUTS), "masks of shape (1, 1): give one of shape (74"),
    (lambda: Layouts(RULES, MASKS, LAYOUTS[:, :1]), "ships of shape (74, 1): give an array (game"),
    (lambda: Layouts(RULES, MASKS, LAYOUTS + np.uint16(99)), "ships with placement 99: numbers"),
    (lambda: Position(RULES, ships=[[]]), "ships: a sunk ship has at least one cell"),
    (lambda: TREE.follow(["bang"]), "answer 'bang': write miss, hit, sunk"),
    (lambda: TREE.follow(["sunk"]), "the tree has no answer 'sunk' at node 0"),
    (lambda: Chance(-1), "seed -1: must be 0 or above"),
    (lambda: Chance(1 << 64), "seed 18446744073709551616: must be below 2**64"),
    (lambda: Chance(1).deck(-1), "cells -1: must be 0 or above"),
    (lambda: Chance(1).deck(10**6), "cells 1000000: a board has up to 1024"),
    (lambda: Chance.of(seed=1, player="x", game=-1), "game -1: must be 0 or above"),
    (lambda: HUNTER(RULES).finish(OTHER), "of another game"),
    (lambda: HUNTER(RULES).play([1], Chance(1), HIT), "ships of shape (1, 1): give an array"),
    (lambda: HUNTER(RULES).play([-1, 2], Chance(1), HIT), "ships with placement -1: numbers are"),
    (lambda: HUNTER(RULES).play(LAYOUTS[-1], Chance(1), HIT), "they do not fit the position"),
    (lambda: HUNTER(RULES).play(LAYOUTS[0], Chance(1), OTHER), "of another game"),
    (lambda: HUNTER(RULES).play_all(LAYOUTS, first_game=1 << 63), "first_game 9223372036854775808"),
    (lambda: spec(name="a,b"), "player name 'a,b': give a word or two, without commas"),
    (lambda: spec(needs="x"), "answer mode 'x' is unknown"),
    (lambda: spec().why_not(RULES, OTHER), "of another game"),
    (lambda: Counter(RULES).labelled(-1), "total -1: must be 0 or above"),
    (lambda: DecisionTable.build(TABLE, memory_limit=NAN), "memory_limit nan: must be a number of"),
    (lambda: CounterAdviser(RULES).advise_from(Counter(TREE.rules).map()), "of another game"),
    (lambda: save_mixes(equilibrium(RULES), "x", trees=-1), "trees -1: must be 0 or above"),
    (lambda: Counter(RULES).at(OTHER), "of another game"),
    (lambda: Counter(RULES).map().chance("E5"), "cell 'E5' is off the board 3x4"),
    (lambda: CounterAdviser(RULES, time_limit=-1), "time_limit -1: must be a number of seconds"),
    (lambda: CounterAdviser(RULES, memory_limit=NAN), "memory_limit nan: must be a number of GiB"),
    (lambda: CounterAdviser(RULES).advise(OTHER), "of another game"),
    (lambda: endgame(RULES, most=3), "74 layouts fit, and at most 3 are listed"),
    (lambda: solve_endgame(OTHER, np.zeros((0, 3), dtype=np.uint16)), "at least one"),
    (lambda: solve_endgame(OTHER, np.zeros((2, 2), dtype=np.uint16)),
     "one row of 3 placement numbers"),
    (lambda: best_response_value(enumerate_layouts(RULES), HALVES),
     "weight 0.5: the weights of a mix are whole numbers"),
    (lambda: shooting_costs(enumerate_layouts(RULES), [greedy_tree(RULES)], HALVES[:1]),
     "weight 0.5"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "why"), WRONG_TYPES)
def test_a_wrong_type_is_refused_by_the_name_of_the_parameter(
    call: Callable[[], object], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_refused(call, TypeError, why, tmp_path, monkeypatch)


@pytest.mark.parametrize(("call", "why"), WRONG_VALUES)
def test_a_wrong_value_is_refused_in_one_line(
    call: Callable[[], object], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_refused(call, SeabattleError, why, tmp_path, monkeypatch)


def assert_refused(
    call: Callable[[], object],
    error: type[Exception],
    why: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(error) as refusal:
        call()
    assert why in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert list(folder.iterdir()) == []


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    told: Any = {"games": np.int64(2), "seed": np.uint8(3), "workers": np.int32(1)}
    assert tournament(RULES, ["random"], **told).games == 2


def test_progress_of_placing_layouts() -> None:
    source = Uniform(Position(RULES))
    done: list[int] = []
    counted = occupancy_of(source, 25_000, progress=done.append)
    assert done == [0, 10_000, 20_000]
    assert counted.sum() == 25_000 * RULES.fleet.cells
