"""Laws of files: what is saved reads back, and writing it again changes no byte."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from laws.games import MIDDLE, OBJECTIVES, Game, games, law
from twins import naive

from seabattle import (
    DecisionTable,
    Strategy,
    build_strategy,
    load_position,
    load_prior,
    load_tree,
    save_position,
    save_prior,
    save_tree,
    solve,
    verify,
)


@law(40)
@given(games(size=MIDDLE, priors=False, over=True))
def test_positions(tmp_path_factory: pytest.TempPathFactory, game: Game) -> None:
    folder = tmp_path_factory.mktemp("position")
    save_position(game.position, folder / "one.json")
    read = load_position(folder / "one.json")
    assert read == game.position
    save_position(read, folder / "two.json")
    assert (folder / "one.json").read_bytes() == (folder / "two.json").read_bytes()


@law(40)
@given(games())
def test_priors(tmp_path_factory: pytest.TempPathFactory, game: Game) -> None:
    """In both forms; what is read weighs every layout as before."""
    assume(game.kind)
    folder = tmp_path_factory.mktemp("prior")
    for suffix in (".json", ".csv"):
        path = folder / f"prior{suffix}"
        save_prior(game.prior, path)
        read = load_prior(path, game.rules)
        assert read == game.prior
        table = DecisionTable.build(game.position, prior=read)
        assert table.weights.tolist() == game.table.weights.tolist()


@law(25)
@given(games(), st.sampled_from(OBJECTIVES[:4]))
def test_trees(tmp_path_factory: pytest.TempPathFactory, game: Game, objective: str) -> None:
    folder = tmp_path_factory.mktemp("tree")
    tree = solve(game.table, objective, threads=1).tree
    save_tree(tree, folder / "one.json")
    read = load_tree(folder / "one.json")
    assert verify(read) == verify(tree)
    save_tree(read, folder / "two.json")
    assert (folder / "one.json").read_bytes() == (folder / "two.json").read_bytes()


@law(15)
@given(games(priors=False), st.booleans(), st.sampled_from(OBJECTIVES[:2]))
def test_strategies(
    tmp_path_factory: pytest.TempPathFactory, game: Game, complete: bool, objective: str
) -> None:
    """A strategy file knows the optimum; a complete one that of every shot."""
    assume(game.answers == "hit" or (game.answers == "sunk" and game.contact != "sides"))
    path = tmp_path_factory.mktemp("strategy") / "kept"
    build_strategy(game.position, path, objective=objective, complete=complete)
    strategy = Strategy.open(path)
    assert strategy.value == game.optimum[objective]
    tree = strategy.tree()
    assert (tree.total_misses if objective == "mean" else tree.worst_misses) == strategy.value
    if complete and objective == "mean":
        useful = frozenset().union(*map(naive.cells_of, game.likely)) - game.shot
        for cell, total in strategy.cell_values(game.position).items():
            assert total == game.totals_after[cell] or cell not in useful
