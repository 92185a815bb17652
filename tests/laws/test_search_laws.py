"""Laws of the search: one for all engines, switches, threads, steps, modes and objectives."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from laws import engines
from laws.games import DRAWN, MIDDLE, MODES, OBJECTIVES, Game, games, law, rules_drawn
from twins import naive

from seabattle import (
    DecisionTable,
    Position,
    Rules,
    Tree,
    greedy_tree,
    play_greedily,
    replay,
    solve,
    verify,
)
from seabattle.enumerate.board import cells_of
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import MAX_SOLVED_CELLS, Problem
from seabattle.solver.search.queries import Goal

ENDGAME_OF_FORTY = Game("5x5", "3,2", answers="sunk", history=((1, "hit"), (2, "sunk")))
LARGE_WEIGHTS = Game("4x5", "2,1", kind="product", weights=tuple(range(171, 271, 5)))
"""The weights fit 32 bits, and their misses do not."""


def optimum(game: Game, objective: str) -> Any:
    """The twin's optimum, totals as means."""
    found = game.optimum[objective]
    if objective == "mean":
        return Fraction(found, game.weight)
    if objective == "worst":
        return found
    points = found if objective == "pareto" else [found]
    return [(worst, Fraction(total, game.weight)) for worst, total in points]


def cost(tree: Tree, objective: str) -> Any:
    """What a tree costs by the same measure."""
    point = tree.worst_misses, tree.mean_misses
    return {"mean": point[1], "worst": point[0]}.get(objective, [point])


def best_within(game: Game, most: int) -> list[int]:
    """Cells with which a strategy begins that finishes most; if that is all, of least total."""
    found = frozenset(game.likely)
    ranks = {}
    for cell in sorted(frozenset().union(*map(naive.cells_of, found)) - game.shot):
        parts = game.twin.parts(found, game.shot, cell).items()
        finished = sum(
            game.twin.finished(part, game.shot | {cell}, most - (told == "miss"))
            for told, part in parts
        )
        front = game.twin.after(found, game.shot, cell) if finished == game.weight else ()
        total = min((total for worst, total in front if worst <= most), default=0)
        ranks[cell] = -finished, total
    return [cell for cell, rank in ranks.items() if rank == min(ranks.values())]


def least(game: Game) -> tuple[Fraction, int]:
    """The twin's least mean and least worst case."""
    return optimum(game, "mean"), optimum(game, "worst")


def as_mean(game: Game, total: int) -> Fraction:
    """A total in the weights of the game's table as a mean."""
    return Fraction(total, game.table.total_weight)


@pytest.mark.parametrize("engine", engines.ENGINES)
@law(20)
@given(games())
@example(ENDGAME_OF_FORTY)
@example(Game("1x8", "3,3", "sides", "sunk", "none"))  # a certain hit parts what columns bound
def test_every_engine_finds_the_optimum_of_the_naive_twin(engine: str, game: Game) -> None:
    found = engines.ENGINES[engine](game)
    assume(found is not None)
    total, worst = found
    assert (as_mean(game, total), worst) == least(game)


@law(20)
@given(games(priors=False), st.integers(0, 2**32 - 1))
def test_every_engine_takes_weights_beyond_32_bits(game: Game, seed: int) -> None:
    """Each engine reaches its end, the sweep of all sets of misses too, which no size keeps out."""
    chance, least_weight = Random(seed), (1 << 32) // len(game.possible)
    weights = tuple(chance.randint(least_weight, 2 * least_weight) for _ in range(game.cells))
    wide = replace(game, kind="table", weights=weights)
    assume(wide.table.total_weight >= 1 << 32)
    for engine in engines.ENGINES.values():
        found = engine(wide)
        assert found is not None
        assert (as_mean(wide, found[0]), found[1]) == least(wide)


@law(60)
@given(games(), st.frozensets(st.sampled_from(engines.SWITCHES)), st.booleans())
def test_switches_leave_the_optimum_where_it_is(
    game: Game, off: frozenset[str], tight: bool
) -> None:
    total, worst = engines.by_search(game, off=off, tight=tight)
    assert (as_mean(game, total), worst) == least(game)


@law(40)
@given(games(), st.sampled_from(OBJECTIVES), st.sampled_from([1, 2]))
@example(Game("4x4", "3,2,1"), "pareto", 1)
@example(LARGE_WEIGHTS, "mean", 1)
def test_solve_proves_the_optimum_of_every_objective(
    game: Game, objective: str, threads: int
) -> None:
    found = solve(game.table, objective, values=True, threads=threads)
    wanted = optimum(game, objective) if game.is_within((100, 12)) else None
    costs = [cost(tree, objective) for tree in found.front or (found.tree,)]
    if objective == "pareto":
        costs = [[point for points in costs for point in points]]
    assert found.status == "optimal"
    assert found.weight == game.table.total_weight
    if wanted is not None:
        assert costs[0] == wanted
    for tree in found.front or (found.tree,):
        checked = verify(tree)
        assert checked.valid
        assert (checked.total_misses, checked.worst_misses) == (
            tree.total_misses,
            tree.worst_misses,
        )
        assert not checked.wasted
    if objective == "mean" and wanted is not None:
        free = found.values is not None
        assert free
        assert set(found.best_cells) == set(game.best_cells) or game.answers == "hit"
        for cell in game.best_cells:
            assert game.rules.board.name(cell) in found.best_shots


@law(40)
@given(games(), st.integers(0, 5))
@example(Game("4x4", "3"), 4)
def test_no_tree_finishes_more_within_a_budget(game: Game, most: int) -> None:
    """Nor any tree that begins with another shot; the front begins where all can be finished."""
    found = solve(game.table, f"within:{most}", values=True, threads=1)
    wanted = Fraction(game.twin.finished(frozenset(game.likely), game.shot, most), game.weight)
    assert found.status == "optimal"
    assert Fraction(found.finished, found.weight) == wanted
    assert found.lower_bound == found.upper_bound == found.finished
    assert verify(found.tree).valid
    assert found.tree.finished(most) == found.finished
    assert (wanted == 1) == (optimum(game, "worst") <= most)
    within = [total for worst, total in game.optimum["pareto"] if worst <= most]
    if within:
        assert found.tree.mean_misses == Fraction(min(within), game.weight)
    left = [cell for cell in range(game.cells) if cell not in game.shot]
    for cell in left:
        after = sum(
            game.twin.finished(part, game.shot | {cell}, most - (told == "miss"))
            for told, part in game.twin.parts(frozenset(game.likely), game.shot, cell).items()
        )
        assert Fraction(found.values[cell], found.weight) == Fraction(after, game.weight)
    assert list(found.best_cells) == best_within(game, most)


@law(40)
@given(games())
@example(ENDGAME_OF_FORTY)
@example(Game("3x3", "2,1", kind="product", weights=tuple(range(461, 551, 10))))
def test_masks_of_two_words_do_what_one_does(game: Game) -> None:
    """On boards of so few cells neither is wanted; what they find is the same, all shots alike.

    So are the keys, but where coverage is counted, which is done for masks of one word alone.
    """
    found, keys, counted = [], [], False
    for cells in MAX_SOLVED_CELLS, 0:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("seabattle.solver.search.problem.MAX_SOLVED_CELLS", cells)
            own = Problem(game.table, wide=True)
        search = ExactSearch(own)
        values = [search.best_shots(), ExactSearch(own).best_shots(Goal.WORST)]
        limited = [ExactSearch(own).minimize(miss_limit=most) for most in (1, 3)]
        shots = [search.shot_value(cell) for cell in cells_of(own.occupied)]
        found.append((values, limited, shots))
        keys.append(search.states)
        counted |= own.is_counted
    assert found[0] == found[1]
    assert keys[0] == keys[1] or counted


@law(60)
@given(games(), st.sampled_from(["half", "hits"]))
@example(Game("1x9", "2,2,1", answers="sunk"), "half")
@example(Game("4x4", "3,2,1", answers="ship"), "hits")
def test_greedy_trees_are_those_of_the_twin(game: Game, rule: str) -> None:
    shots = [cell for cell, _ in game.history]
    total, worst = naive.greedy(
        game.likely, game.cells, rule, *game.spoken, weights=game.weight_of, shots=shots
    )
    tree = greedy_tree(game.table, rule)
    assert (tree.mean_misses, tree.worst_misses) == (Fraction(total, game.weight), worst)
    assert (tree.reading, tree.objective, tree.status) == ("full", f"greedy-{rule}", "heuristic")
    found = verify(tree)
    assert found.valid
    assert not found.wasted


@law(20)
@given(games(size=MIDDLE), st.sampled_from(["half", "hits"]))
def test_greedy_play_costs_what_its_tree_does(game: Game, rule: str) -> None:
    tree, play = greedy_tree(game.table, rule), play_greedily(game.table, rule)
    assert play.distribution == tree.distribution
    assert (play.layouts, play.weight) == (tree.layouts, tree.weight)
    assert (play.total_misses, play.worst_misses) == (tree.total_misses, tree.worst_misses)
    assert (play.first_shot, play.shots) == (tree.root.shot, int((tree.shots >= 0).sum()))


@law(25)
@given(games(priors=False), st.sampled_from([*OBJECTIVES, "within:2"]))
def test_an_endgame_is_worth_the_same_on_a_larger_board(game: Game, objective: str) -> None:
    """Where all else is water: the same values, best shots, trees."""
    blocked = [9 * (cell // game.columns) + cell % game.columns for cell in game.blocked]
    rules = Rules("9x9", game.fleet, game.contact, game.answers, game.announce, blocked)
    names = [rules.board.name(cell) for cell in range(rules.board.cells)]
    own = {game.rules.board.name(cell) for cell in range(game.cells)}
    told = [(game.rules.board.name(cell), answer) for cell, answer in game.history]
    large = Position.read(rules, [*((n, "miss") for n in names if n not in own), *told])
    small = solve(game.table, objective, values=True, threads=1)
    found = solve(large, objective, values=True, threads=1)
    assert (found.status, found.layouts) == ("optimal", small.layouts)
    assert (found.lower_bound, found.upper_bound) == (small.lower_bound, small.upper_bound)
    assert found.best_shots == small.best_shots
    here = dict(zip(names, found.values, strict=True))
    board = game.rules.board
    assert all(here[board.name(cell)] == small.values[cell] for cell in range(game.cells))
    for one, other in zip(found.front, small.front, strict=True):
        assert (one.total_misses, one.worst_misses) == (other.total_misses, other.worst_misses)
    for tree in (found.tree, greedy_tree(large)):
        checked = verify(tree)
        assert checked.valid, checked.problems
        assert checked.layouts == small.layouts
    assert play_greedily(large).distribution == play_greedily(game.table).distribution


@law(30)
@given(games(), st.integers(0, 6))
def test_miss_limits_are_those_of_the_front(game: Game, limit: int) -> None:
    within = [total for worst, total in game.optimum["pareto"] if worst <= limit]
    found = engines.with_miss_limit(game, limit)
    assert (found is None) == (not within)
    if found is not None:
        assert as_mean(game, found) == Fraction(min(within), game.weight)


@law(40)
@given(games(), st.sampled_from(OBJECTIVES))
@example(Game("1x7", "2,2,2", "sides", "sunk", history=((3, "hit"), (1, "hit"))), "mean")
def test_best_first_shots_are_those_that_keep_the_optimum(game: Game, objective: str) -> None:
    """In the example the layouts left are symmetric, the cells shot are not."""
    assume(not game.over)
    rank = "worst-mean" if objective == "pareto" else objective
    useful = frozenset().union(*map(naive.cells_of, game.likely)) - game.shot
    after = {c: game.twin.after(frozenset(game.likely), game.shot, c) for c in sorted(useful)}
    best = [c for c, front in after.items() if naive.objectives(front)[rank] == game.optimum[rank]]
    assert list(solve(game.table, objective, threads=1).best_cells) == best


@law(30)
@given(games(), st.booleans(), st.integers(1, 60))
def test_budgets_are_fail_soft(game: Game, of_worst: bool, budget: int) -> None:
    """Below its budget a value is exact; else it is a bound no greater than the optimum."""
    goal = Goal.WORST if of_worst else Goal.TOTAL
    least, search = engines.search_of(game).minimize(goal).misses, engines.search_of(game)
    for asked in (budget, least, least + 1):
        value = search.minimize(goal, budget=asked)
        assert value.exact == (least < asked)
        assert min(asked, least) <= value.misses <= least


@law(30)
@given(games())
def test_the_value_of_every_shot(game: Game) -> None:
    occupied = set().union(*map(naive.cells_of, game.likely)) - game.shot
    certain = frozenset.intersection(*map(naive.cells_of, game.likely))
    cells = sorted(occupied - certain)
    for cell, total in engines.shot_values(game, cells).items():
        assert as_mean(game, total) == Fraction(game.totals_after[cell], game.weight)


@law(30)
@given(games())
@example(ENDGAME_OF_FORTY)
def test_no_bound_is_above_the_value(game: Game) -> None:
    mean, worst = least(game)
    for name, of_worst, bound in engines.bounds(game):
        assert (bound if of_worst else as_mean(game, bound)) <= (worst if of_worst else mean), name


@law(25)
@given(games())
def test_best_first_rises_to_the_value(game: Game) -> None:
    found = engines.best_first(game)
    assume(found is not None)
    bounds, proven = found
    assert bounds == sorted(bounds)
    assert as_mean(game, bounds[-1]) <= least(game)[0]
    assert not proven or as_mean(game, bounds[-1]) == least(game)[0]


@law(25)
@given(games())
def test_verify_gives_what_play_costs(game: Game) -> None:
    """Of every tree, best or not; and the misses of each layout that is replayed add up to it."""
    trees = [solve(game.table, threads=1).tree, *engines.heuristic_trees(game)]
    trees += [tree for tree in [engines.tree_by_sets(game, worst=False)] if tree is not None]
    mean, worst = least(game)
    for tree in trees:
        checked = verify(tree)
        assert checked.valid, checked.problems
        assert checked.layouts == len(game.likely)
        assert (tree.total_misses, tree.worst_misses) == (
            checked.total_misses,
            checked.worst_misses,
        )
        assert (mean, worst) <= (checked.mean_misses, checked.worst_misses)
        missed = []
        for number, row in enumerate(game.table.index.tolist()):
            answers = replay(tree, game.table.layouts.names(row))
            weights = game.table.weights
            weight = int(weights[number]) if len(weights) else 1
            missed.append((sum(told == "miss" for _, told in answers), weight))
        assert sum(misses * weight for misses, weight in missed) == tree.total_misses
        spread = {k: sum(w for misses, w in missed if misses == k) for k in range(game.cells)}
        assert tree.distribution == checked.distribution == {k: w for k, w in spread.items() if w}
        assert max(misses for misses, _ in missed) == tree.worst_misses
    assert as_mean(game, trees[-1].total_misses) == mean or len(trees) < 5


def turned_ship(ship: str, turns: int, mirror: bool) -> str:
    """A ship as a fleet writes it, seen from there; only of a fixed one it makes a difference."""
    drawing = DRAWN.get(ship, ship)
    if not drawing.endswith("="):
        return ship
    lines = drawing[:-1].split("/")
    for _ in range(turns):
        lines = ["".join(column) for column in zip(*reversed(lines), strict=True)]
    return "/".join(line[::-1] if mirror else line for line in lines) + "="


def turned(game: Game, turns: int, mirror: bool) -> Game:
    """The same game seen from another side of the table."""
    rows, columns = game.rows, game.columns
    where = {cell: divmod(cell, columns) for cell in range(game.cells)}
    for _ in range(turns):
        where = {cell: (column, rows - 1 - row) for cell, (row, column) in where.items()}
        rows, columns = columns, rows
    if mirror:
        where = {cell: (row, columns - 1 - column) for cell, (row, column) in where.items()}
    to = {cell: row * columns + column for cell, (row, column) in where.items()}
    fleet = ",".join(turned_ship(ship, turns, mirror) for ship in game.fleet.split(","))
    weights = [0] * game.cells if game.kind else []
    for cell, weight in enumerate(game.weights):
        weights[to[cell]] = weight
    return Game(
        f"{rows}x{columns}", fleet, game.contact, game.answers, game.announce,
        tuple((to[cell], told) for cell, told in game.history), game.kind, tuple(weights),
        tuple(sorted(to[cell] for cell in game.blocked)),
    )  # fmt: skip


@law(30)
@given(games(size=(200, 20)), st.integers(0, 3), st.booleans(), st.sampled_from(OBJECTIVES))
def test_a_game_seen_from_another_side_is_worth_the_same(
    game: Game, turns: int, mirror: bool, objective: str
) -> None:
    assume(game.kind != "table")  # whose weights have no place on the board
    assume(game.answers == "hit" or game.is_within((60, 14)))
    one, other = (
        solve(side.table, objective, threads=1) for side in (game, turned(game, turns, mirror))
    )
    assert Fraction(one.lower_bound, one.weight) == Fraction(other.lower_bound, other.weight)
    assert len(one.best_shots) == len(other.best_shots)
    assert [(t.worst_misses, t.mean_misses) for t in one.front] == [
        (t.worst_misses, t.mean_misses) for t in other.front
    ]


@law(20)
@given(rules_drawn(), st.sampled_from(OBJECTIVES[:2]))
def test_answers_that_say_more_cost_no_more(game: Game, objective: str) -> None:
    assume(len(game.everything) <= 100)
    fleet = game.rules.fleet
    assume(game.contact != "corners" or not fleet.joined_at_corners)  # no sunk there
    assume(len(set(zip(fleet.kinds, fleet.lengths, strict=True))) == len(set(fleet.lengths)))
    table = game.table
    costs = []
    for mode in MODES:
        found = solve(table.answering(mode), objective, threads=1)
        assert found.status == "optimal"
        costs.append(found.lower_bound)
    assert costs == sorted(costs, reverse=True)


@law(25)
@given(games(), st.integers(0, 12))
def test_the_interval_of_a_stopped_search_brackets_the_value(game: Game, steps: int) -> None:
    lower, upper, tree = engines.stopped_after(game, steps)
    assert as_mean(game, lower) <= least(game)[0] <= as_mean(game, upper)
    assert verify(tree).valid
    assert tree.total_misses == upper


@law(20)
@given(games(), st.sampled_from(OBJECTIVES[:4]))
def test_a_checkpoint_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, game: Game, objective: str
) -> None:
    path = Path(tmp_path_factory.mktemp("kept")) / "checkpoint.npz"
    total, worst = engines.solved_in_slices(game, objective, path)
    fresh = solve(game.table, objective, threads=1)
    if objective != "worst":
        assert total == fresh.total_misses
    if objective != "mean":
        assert worst == fresh.worst_misses


@law(25)
@given(games())
def test_a_table_and_its_position_are_one_game(game: Game) -> None:
    assume(not game.kind)
    one, other = solve(game.position, threads=1), solve(game.table, threads=1)
    third = solve(DecisionTable.build(game.rules).at(game.position), threads=1)
    assert one.total_misses == other.total_misses == third.total_misses
    assert one.best_shots == other.best_shots == third.best_shots
