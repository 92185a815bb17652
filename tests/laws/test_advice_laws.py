"""Laws of what a player is told: exact play, advice, reviews, and the solved game of hiding."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from laws import engines
from laws.games import Game, games, law, rules_drawn
from twins import naive

from seabattle import (
    Tree,
    advise,
    endgame,
    equilibrium,
    greedy_tree,
    load_mixes,
    replay,
    review,
    save_mixes,
    solve,
)

LONG = 600.0
"""Seconds that no search of these games takes."""

LINES_OF_FOUR = Game("4x4", "4", answers="sunk", history=((10, "hit"),))
SHIP_OF_THREE_LEFT = Game("5x5", "3,2", answers="sunk", history=((1, "hit"), (2, "sunk")))
SEVEN_WITH_CORNERS = Game(
    "7x7", "4,3", "corners", "sunk", history=((34, "hit"), (41, "hit"), (18, "hit"))
)
SEVEN_APART = Game("7x7", "3,3", answers="sunk", history=((39, "hit"), (23, "hit")))


def best_next(game: Game) -> set[int]:
    """All best shots by the twin: certain hits alone where they are free whenever they are shot."""
    certain = frozenset.intersection(*map(naive.cells_of, game.likely)) - game.shot
    best = set(game.best_cells)
    if game.over or game.answers != "sunk" or game.contact != "sides":
        return set(certain) or best
    return best


@law(30)
@given(games())
@example(LINES_OF_FOUR)
@example(SHIP_OF_THREE_LEFT)
@example(SEVEN_WITH_CORNERS)
@example(SEVEN_APART)
def test_endgame_solve_and_advice_agree_on_all_best_shots(game: Game) -> None:
    found = endgame(game.position, prior=game.prior)
    solved = solve(game.table, values=True, threads=1)
    advice = advise(game.position, prior=game.prior, time_limit=LONG)
    assert found.mean_misses == solved.mean_misses == advice.mean_misses
    assert set(found.best_cells) == set(advice.best_cells)
    if game.is_within((40, 16)):
        mean = Fraction(game.optimum["mean"], game.weight)
        assert found.mean_misses == mean
        assert set(found.best_cells) == best_next(game)
        assert set(solved.best_shots) >= set(found.best_shots)
    else:
        certain = solved.best_shots and set(found.best_shots) < set(solved.best_shots)
        assert certain or set(found.best_shots) == set(solved.best_shots)


@law(5)
@given(rules_drawn(), st.booleans())
def test_the_losses_of_a_player_add_up(game: Game, lazy: bool) -> None:
    """What a strategy loses, averaged over all layouts, is its mean less the optimum."""
    assume(len(game.everything) <= 12)
    tree = greedy_tree(game.table, "hits" if lazy else "half")
    lost = Fraction(0)
    for number in range(len(game.everything)):
        shots = replay(tree, game.table.layouts.names(number))
        position = replace(game, history=()).position
        for cell, told in shots:
            position = position.shoot(cell, told)
        seen = review(position, time_limit=LONG)
        for shot in seen.shots:
            assert shot.exact_loss is not None
            assert shot.exact_loss >= 0
            if shot.optimal_cells:
                assert (shot.cell in shot.optimal_cells) <= (shot.exact_loss == 0)
            lost += shot.exact_loss
    optimum = Fraction(game.optimum["mean"], game.weight)
    assert lost / len(game.everything) == tree.mean_misses - optimum


@law(20)
@given(games(), st.integers(0, 2**32 - 1))
@example(SHIP_OF_THREE_LEFT, 12)
@example(SHIP_OF_THREE_LEFT, 14)
def test_a_shot_loses_what_the_twin_says(game: Game, number: int) -> None:
    """One shot more, answered by a layout that fits."""
    assume(game.prior is None or len(game.everything) <= 100)  # earlier shots are reviewed, too
    free = [cell for cell in range(game.cells) if cell not in game.shot]
    cell = number if number in free else free[number % len(free)]
    after = game.shoot(cell, game.likely[number % len(game.likely)])
    shot = review(after.position, prior=game.prior, time_limit=LONG).shots[-1]
    lost = Fraction(game.totals_after[cell] - game.optimum["mean"], game.weight)
    assert shot.exact_loss == lost >= 0
    assert shot.optimal_cells is None or set(shot.optimal_cells) == best_next(game)


def paid(tree: Tree, game: Game) -> np.ndarray:
    """Misses of a tree against every layout of the game, by replaying it."""
    names = map(game.table.layouts.names, range(len(game.everything)))
    return np.array([sum(told == "miss" for _, told in replay(tree, name)) for name in names])


@law(12)
@given(rules_drawn(modes=("hit", "sunk")))
def test_the_interval_of_an_equilibrium_holds_for_its_mixes(
    tmp_path_factory: pytest.TempPathFactory, game: Game
) -> None:
    """Best play against the hiding mix, by the twin, and every layout against the trees turned."""
    assume(game.contact != "sides")
    assume(len(game.everything) <= 30)
    assume(game.unknown <= 9)
    solved = equilibrium(game.rules)
    folder = tmp_path_factory.mktemp("mixes") / "kept"
    save_mixes(solved, folder)
    read = load_mixes(folder)
    assert (read.hiding, read.shooting) == (solved.hiding, solved.shooting)
    assert solved.lower_bound <= solved.value <= solved.upper_bound
    weights = {
        game.layout_of(row): weight
        for row, weight in zip(solved.layouts.ships.tolist(), solved.hiding, strict=True)
    }
    against = naive.Search(game.everything, *game.spoken, weights=weights).optimum()
    least = Fraction(min(total for _, total in against), sum(weights.values()))
    assert least >= solved.lower_bound
    costs = sum(
        weight * paid(read.tree(number), game).astype(object)
        for number, weight in enumerate(solved.shooting)
    )
    images = engines.images_of_layouts(solved)
    turned = sum(costs[image] for image in images)
    assert Fraction(max(turned), len(images) * sum(solved.shooting)) <= solved.upper_bound
