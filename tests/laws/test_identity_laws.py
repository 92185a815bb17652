"""Laws of the identity of a game: what is kept of one game is never taken for another's.

Two games that differ in one thing are kept side by side wherever games are kept or compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from laws.games import BOARDS, CONTACTS, MODES, SMALL, Game, games, law, rules_drawn

from seabattle import (
    CheckpointError,
    Counter,
    PlayerError,
    Position,
    Rules,
    SeabattleError,
    StrategyError,
    SumPrior,
    WeightsError,
    build_strategy,
    equilibrium,
    load_mixes,
    load_position,
    load_prior,
    load_tournament,
    load_tree,
    save_mixes,
    save_position,
    save_prior,
    save_tournament,
    save_tree,
    solve,
    tournament,
)
from seabattle.engine import answer
from seabattle.enumerate.rules import GAME_FIELDS, LAYOUT_FIELDS
from seabattle.solver.studies.atlas import atlas_row, solve_atlas

OTHERS: dict[str, tuple[Any, ...]] = {
    "board": ("2x5", "5x2", "3x4", "4x3"),
    "fleet": (
        "2,1",
        "3,1",
        "1,1",
        "xx/x.",
        "2x2",
        "xxx/x..,1",
        ".x./xxx,1",
        "2h,1",
        "2v,1",
        "x./.x",
        "xx/x.=",
        "2x3=",
        "3x2=",
    ),
    "contact": CONTACTS,
    "answers": MODES,
    "announce": ("none", "length"),
    "blocked": ((), (0,), (1, 5)),
}
"""What each field of a game is changed to."""


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, Game, Game]:
    """Two games that differ in the field that is named, of a few dozen layouts at most."""
    one = draw(rules_drawn(boards=[b for b in BOARDS if b[0] * b[1] <= 10]))
    field = draw(st.sampled_from(GAME_FIELDS))
    other = replace(one, **{field: draw(st.sampled_from(OTHERS[field]))})
    assume(other != one)
    try:
        assume(one.rules.document() != other.rules.document())
    except SeabattleError:  # a ship longer than the board, say
        assume(False)
    assume(all(1 < len(game.everything) <= SMALL[0] for game in (one, other)))
    return field, one, other


def both_ways(one: Game, other: Game) -> Iterator[tuple[Game, Game]]:
    yield one, other
    yield other, one


@law(200)
@given(pairs())
def test_rules_and_positions(pair: tuple[str, Game, Game]) -> None:
    """Games are equal, and hash alike, if and only if their documents are the same."""
    field, one, other = pair
    assert one.rules != other.rules
    assert Position(one.rules) != Position(other.rules)
    for game in (one, other):
        document = game.rules.document()
        again = Rules.of_document(document)
        assert set(document) >= set(GAME_FIELDS) - {"blocked"}
        assert (again, hash(again), again.document()) == (game.rules, hash(game.rules), document)
        spelt = Rules(**{name: text.upper() for name, text in document.items()})
        assert (spelt, hash(spelt)) == (game.rules, hash(game.rules))
        assert hash(Position(again)) == hash(Position(game.rules))
        assert eval(repr(again), {"Rules": Rules}) == game.rules
    differing = {n for n in GAME_FIELDS if getattr(one.rules, n) != getattr(other.rules, n)}
    assert differing == {field}


@law(100)
@given(games(priors=False, over=True), st.data())
def test_shots(game: Game, data: st.DataObject) -> None:
    """The shots, their order and whether it is known are of a position's identity."""
    position = game.position
    others = {Position(game.rules, position.shots, ordered=False)}
    if position.shots:
        others.add(position.undo())
    shuffled = data.draw(st.permutations(position.shots))
    if tuple(shuffled) != position.shots:
        others.add(Position(game.rules, tuple(shuffled)))
    again = Position(game.rules, position.shots)
    assert (again, hash(again)) == (position, hash(position))
    assert position not in others


@law(60)
@given(pairs())
def test_counts_in_one_process(pair: tuple[str, Game, Game]) -> None:
    """What is remembered of one game does not count another."""
    _, one, other = pair
    for game in (one, other, one):
        assert Counter(game.rules).count() == len(game.everything)
        asked = {"command": "count", "position": game.rules.document()}
        told = answer(asked)
        assert told["status"] == 0, told
        assert Rules.of_document(told["answer"]) == game.rules
        assert told["answer"]["layouts"] == len(game.everything)


@cache
def row_alone(rules: Rules) -> Any:
    """The row of a game, solved by itself."""
    return atlas_row(rules, equilibrium_seconds=0)


@law(40)
@given(pairs())
def test_atlas_rows(tmp_path_factory: pytest.TempPathFactory, pair: tuple[str, Game, Game]) -> None:
    """Both games in one folder have the rows that each has by itself."""
    _, one, other = pair
    folder = tmp_path_factory.mktemp("atlas")
    for game in (one, other, one):
        rows = solve_atlas([game.rules], folder, equilibrium_seconds=0)
        assert rows == [row_alone(game.rules)]
        assert rows[0].layouts == len(game.everything)


@law(20)
@given(pairs())
def test_journals(tmp_path_factory: pytest.TempPathFactory, pair: tuple[str, Game, Game]) -> None:
    """A journal goes on with its own game alone; a folder says whose games it has."""
    _, one, other = pair
    for begun, asked in both_ways(one, other):
        folder = tmp_path_factory.mktemp("tournament")
        how: dict[str, Any] = {"games": 2, "journal": folder / "journal", "resume": True}
        played = tournament(begun.rules, ["random"], **how)
        other = "not a journal of this tournament, with other position"
        with pytest.raises(PlayerError, match=other):
            tournament(asked.rules, ["random"], **how)
        if begun is one:  # its plots take long
            save_tournament(played, folder, formats=())
            assert load_tournament(folder).position == Position(begun.rules)


@law(40)
@given(pairs())
def test_trees_and_positions(
    tmp_path_factory: pytest.TempPathFactory, pair: tuple[str, Game, Game]
) -> None:
    """Files say the whole game."""
    _, one, other = pair
    folder = tmp_path_factory.mktemp("files")
    texts = []
    for game in (one, other):
        save_tree(solve(game.rules, threads=1).tree, folder / "tree.json")
        assert load_tree(folder / "tree.json").rules == game.rules
        save_position(Position(game.rules), folder / "game.json")
        assert load_position(folder / "game.json") == Position(game.rules)
        texts.append((folder / "game.json").read_text(encoding="utf-8"))
    assert texts[0] != texts[1]


@law(40)
@given(pairs())
def test_checkpoints(
    tmp_path_factory: pytest.TempPathFactory, pair: tuple[str, Game, Game]
) -> None:
    """A checkpoint of another game is refused."""
    _, one, other = pair
    for begun, asked in both_ways(one, other):
        path = tmp_path_factory.mktemp("checkpoint") / "kept.npz"
        solve(begun.rules, threads=1, checkpoint=path)
        if path.exists():  # nothing is kept where one shot settles all
            with pytest.raises(CheckpointError, match="belongs to another problem"):
                solve(asked.rules, threads=1, checkpoint=path)


@law(40)
@given(pairs())
def test_strategies(tmp_path_factory: pytest.TempPathFactory, pair: tuple[str, Game, Game]) -> None:
    """A strategy file tells nothing of another game, and nobody plays it there."""
    _, one, other = pair
    for begun, asked in both_ways(one, other):
        path = tmp_path_factory.mktemp("strategy") / "kept"
        try:
            strategy = build_strategy(begun.rules, path)
        except StrategyError:  # without closed keys
            continue
        assert strategy.rules == begun.rules
        with pytest.raises(SeabattleError, match="another game"):
            strategy.probe(Position(asked.rules))
        if asked.answers == begun.answers and asked.contact == begun.contact:
            with pytest.raises(PlayerError, match="strategy file") as caught:
                tournament(asked.rules, ["exact"], games=1, strategy=path)
            is_of, asked_for = str(caught.value).split(" is for ")[1].split(", and the games are ")
            assert is_of != asked_for


@law(30)
@given(pairs())
def test_equilibria(tmp_path_factory: pytest.TempPathFactory, pair: tuple[str, Game, Game]) -> None:
    """A folder of mixes says the whole game."""
    for game in pair[1:]:
        if game.answers == "ship" or game.contact == "sides":
            continue
        folder = tmp_path_factory.mktemp("mixes")
        save_mixes(equilibrium(game.rules, gap=0.5), folder)
        assert load_mixes(folder).rules == game.rules


@law(60)
@given(pairs())
def test_priors(tmp_path_factory: pytest.TempPathFactory, pair: tuple[str, Game, Game]) -> None:
    """A prior is of all games that have its layouts, and of no other."""
    field, one, other = pair
    for made, asked in both_ways(one, other):
        prior = SumPrior(made.rules, range(1, made.cells + 1))
        for ending in ("json", "csv"):
            path = tmp_path_factory.mktemp("prior") / f"prior.{ending}"
            save_prior(prior, path)
            if field not in LAYOUT_FIELDS:
                assert load_prior(path, asked.rules) == prior
                continue
            with pytest.raises(WeightsError):
                load_prior(path, asked.rules)


@law(40)
@given(games(priors=False), st.data())
def test_another_prior(
    tmp_path_factory: pytest.TempPathFactory, game: Game, data: st.DataObject
) -> None:
    """A checkpoint and a journal know the prior, too, whatever it is called."""
    weights = st.lists(st.integers(1, 9), min_size=game.cells, max_size=game.cells)
    folder = tmp_path_factory.mktemp("priors")
    one, other = (SumPrior(game.rules, data.draw(weights), name="mine") for _ in range(2))
    weighed = [prior.whole_weights(game.table.layouts).weights.tolist() for prior in (one, other)]
    assume(one != other)
    played = [f"greedy-map@{folder / name}" for name in ("one.json",)]
    for number, prior in enumerate((one, other)):
        save_prior(prior, folder / "one.json")
        how: dict[str, Any] = {"games": 2, "journal": folder / "journal", "resume": True}
        if number == 0:
            tournament(game.rules, played, **how)
        else:
            with pytest.raises(PlayerError, match="with other players' code and priors"):
                tournament(game.rules, played, **how)
    if weighed[0] != weighed[1]:
        assert len({one, other}) == 2
