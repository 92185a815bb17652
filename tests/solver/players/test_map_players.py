"""Players that know every layout: beside the optimum, the greedy tree, the counter and twins."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.examples import examples
from support.small_boards import cells_of_layouts
from twins import naive
from twins.listed_counter import ListedCounter
from twins.naive_trees import layouts_by_number

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import PlayerError, PositionError, WeightsError
from seabattle.enumerate.layouts import enumerate_layouts, fitting
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.files import load_prior, save_prior
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import AnswerMode, AnswerName, Contact, Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.players.exact_map import GreedyMap, MapEndgame
from seabattle.solver.players.lookahead import WORTH, Lookahead
from seabattle.solver.players.player import Player, unshot
from seabattle.solver.players.registry import believing, find_player, make_player
from seabattle.solver.players.rollout import Rollout
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.solve import solve
from seabattle.solver.tournament.layout_sources import Drawn, layout_source
from seabattle.solver.tournament.tournament import tournament
from seabattle.trees.replay import HiddenGame

SMALL = [
    Rules("4x4", "3,2,1", "none", "hit"),
    Rules("4x4", "3,2,1", "none", "sunk"),
    Rules("3x4", "3,2", "corners", "sunk"),
    Rules("3x4", "2,2,1", "none", "ship"),
    Rules("3x3", "3,2", "sides", "hit"),
    Rules("3x3", "3,2", "sides", "sunk"),
    Rules("3x3", "2,2", "sides", "ship"),
]
BELIEVED = Rules("4x4", "3,2", answers="sunk")


class Unsolved(Lookahead):
    """Without the optimal endgame."""

    most_solved = 0


def misses_of(player: Player) -> int:
    layouts = enumerate_layouts(player.rules).ships
    return int(player.play_all(layouts).sum()) - player.rules.fleet.cells * len(layouts)


@pytest.mark.parametrize("rules", SMALL, ids=repr)
def test_no_player_beats_the_optimum(rules: Rules) -> None:
    least = solve(rules).total_misses
    assert misses_of(make_player("exact", rules)) == least
    assert misses_of(make_player("map-endgame", rules)) == least  # solved from the start
    greedy = misses_of(make_player("greedy-map", rules))
    assert greedy >= least
    if rules.contact is not Contact.SIDES:
        assert greedy == greedy_tree(rules, "hits").total_misses


def test_the_counter_and_the_list_shoot_alike() -> None:
    """Listing from the start, after a while, or not at all plays the same games."""
    rules = Rules("5x5", "3,2,2,1,1,1", answers="sunk")
    prior = some_prior(rules, 3)
    layouts = enumerate_layouts(rules).ships[::200]
    for believed in (None, prior):
        records = []
        for at_once, listed in ((10**6, 0), (0, 100), (0, 0)):

            class Limited(GreedyMap):
                most_at_once = at_once
                most_listed = listed

            record = np.full((len(layouts), 25), -1, dtype=np.int16)
            Limited(rules, believed).play_all(layouts, record=record)
            records.append(record)
        assert np.array_equal(records[0], records[1])
        assert np.array_equal(records[0], records[2])


@pytest.mark.parametrize("answers", ["hit", "sunk"])
@pytest.mark.parametrize("player", [MapEndgame, Lookahead, Rollout])
def test_a_position_is_answered_alike_whatever_was_asked_before(
    player: type[MapEndgame], answers: AnswerName
) -> None:
    """In a game played from the start, and by a copy that is asked for one shot of it alone."""
    rules = Rules("6x6", "4,3", "none", answers)

    class Listing(player):  # type: ignore[misc, valid-type]
        most_at_once, most_listed, layouts = 0, 400, 100

    game = HiddenGame(rules, tuple(enumerate_layouts(rules).ships[500].tolist()))
    playing, position, listed = Listing(rules), Position(rules), 0
    while game.left():
        cell = playing.shoot(position)
        assert cell == Listing(rules).shoot(position), position
        listed += Counter(position).count() <= 400
        position = Position(rules, (*position.shots, (cell, game.shoot(cell))))
    assert 2 <= listed < len(position.shots)


@pytest.mark.parametrize("name", ["map-endgame", "lookahead", "rollout"])
def test_ships_that_may_lie_on_the_same_cells_are_found(name: str) -> None:
    """There is no decision table of them, so that nothing is solved in the end."""
    rules = Rules("4x4", "2h,2", "sides", "sunk")
    layouts = Counter(rules).layouts(most=10_000)[::40]
    record = np.full((len(layouts), 16), -1, dtype=np.int16)
    make_player(name, rules).play_all(layouts, record=record)
    ships = placement_table(rules).placements
    for cells, layout in zip(record.tolist(), layouts.tolist(), strict=True):
        assert {cell for number in layout for cell in ships[number].cells} <= set(cells)


def test_exact_from_a_position() -> None:
    rules = Rules("4x4", "3,2,1")
    start = Position.of_cells(rules, miss=["B2"], hit=["A1"])
    found = tournament(start, ["exact"], layouts="all")
    assert found.scores[0].misses.total == solve(start).total_misses
    with pytest.raises(PlayerError, match="trees of its own, which do not shoot B2 here"):
        make_player("exact", rules).shoot(Position.of_cells(rules, miss=["B2", "C2"]))


@pytest.mark.parametrize(
    ("name", "game", "told"),
    [
        ("exact", Rules("10x10", "hasbro"), "at most 6,000 layouts"),
        ("exact", Rules("9x9", "5,5"), "cells"),
        ("exact", Rules("6x6", "3,2,2,1,1,1"), "at most 6,000 layouts"),
        ("density", Rules("3x4", "x../.xx", "corners", "ship"), "joined at corners"),
        ("equilibrium", Rules("10x10", "russian"), "100 cells; the limit is 64"),
        ("equilibrium", Rules("4x4", "3,2", "sides"), "contact rules"),
        ("equilibrium", Rules("5x5", "3,2,1"), "at most 2,000 layouts"),
        ("equilibrium", Position.of_cells(SMALL[0], miss=["B2"]), "from an empty board"),
    ],
    ids=repr,
)
def test_games_that_are_refused(name: str, game: Any, told: str) -> None:
    with pytest.raises(PlayerError, match=told):
        make_player(name, game)


# The mixes of the solved game


def test_the_equilibrium_is_worth_its_value() -> None:
    """Mix against mix costs the value, whatever the seed; the best tree gains nothing on it."""
    rules = Rules("4x4", "3,2,1", answers="sunk")
    value = float(equilibrium(rules, gap=1e-3).value)
    found = tournament(rules, ["equilibrium", "exact"], layouts="equilibrium", games=4000, seed=3)
    mixed, exact = (score.misses for score in found.scores)
    assert abs(float(mixed.mean) - value) < 4 * mixed.deviation / 4000**0.5 + 1e-3
    assert float(exact.mean) > value - 4 * exact.deviation / 4000**0.5 - 1e-3


def test_mixed_layouts_travel_with_their_mixes() -> None:
    """A worker process draws what the first process would, without solving the game again."""
    rules = Rules("3x4", "2,1", answers="sunk")
    source = layout_source("equilibrium", Position(rules), seed=5)
    with pytest.raises(KeyboardInterrupt):
        layout_source("equilibrium", Position(Rules("3x4", "3")), stop=lambda: True)
    sent = pickle.loads(pickle.dumps(source))
    assert sent.take(0, 50).tolist() == source.take(0, 50).tolist()
    with pytest.raises(PositionError, match="layouts 'equilibrium' of 5x5"):
        layout_source("equilibrium", Position(Rules("5x5", "3,2,1")))


# A prior is believed


def some_prior(rules: Rules, seed: int) -> ProductPrior:
    """Cells that weigh 0 to 5."""
    weights = np.random.default_rng(seed).integers(0, 6, rules.board.cells)
    weights[0] = 5
    try:
        return ProductPrior.of_cells(rules, weights.tolist())
    except WeightsError:  # too many zeros for a ship
        return ProductPrior.of_cells(rules, (weights + 1).tolist())


@examples(40)
@given(
    st.sampled_from([("3x3", "2,1"), ("3x4", "3,1"), ("4x4", "2,2"), ("4x4", "3,1")]),
    st.sampled_from(list(Contact)),
    st.sampled_from(["hit", "sunk"]),
    st.integers(0, 1000),
    st.data(),
)
def test_greedy_play_shoots_a_likeliest_cell(
    game: tuple[str, str], contact: Contact, answers: str, seed: int, data: st.DataObject
) -> None:
    rules = Rules(*game, contact, answers)
    prior = some_prior(rules, seed)
    layouts, weights = enumerate_layouts(rules), np.array(ListedCounter(rules, prior).weights)
    assume(weights.any())
    ships = layouts.ships[data.draw(st.sampled_from(np.flatnonzero(weights).tolist()))].tolist()
    occupied = cells_of_layouts(rules).astype(np.int64)
    player, hidden = GreedyMap(rules, prior), HiddenGame(rules, tuple(ships), ())
    position = Position(rules)
    while hidden.left():
        fits = fitting(position, layouts) == 1
        chances = weights[fits] @ occupied[fits]
        cell = player.shoot(position)
        assert chances[cell] == max(chances[unshot(position)])
        position = Position(rules, (*position.shots, (cell, hidden.shoot(cell))))


def test_a_layout_that_the_prior_rules_out_is_still_found() -> None:
    class Counted(GreedyMap):
        most_at_once = 0
        most_listed = 3

    prior = ProductPrior.of_cells(BELIEVED, [1] * 12 + [0] * 4)
    layouts = enumerate_layouts(BELIEVED)
    never = layouts.ships[prior.relative_weights(layouts) == 0]
    assert len(never)
    for made in (GreedyMap, MapEndgame, Counted):
        assert made(BELIEVED, prior).play_all(never[:10]).max() <= 16


@pytest.mark.parametrize("answers", ["hit", "sunk", "ship"])
def test_exact_play_misses_least_under_the_prior(answers: str) -> None:
    rules = Rules("4x4", "3,1", answers=answers)
    prior = some_prior(rules, 8)
    table = DecisionTable.build(rules, prior=prior)
    best = solve(table).total_misses
    misses = {}
    for name in ("exact", "map-endgame", "greedy-map"):
        player = make_player(believing(find_player(name), prior), rules)
        shots = player.play_all(table.layouts.ships)
        misses[name] = int(((shots - rules.fleet.cells) * table.weights).sum())
    assert misses["exact"] == misses["map-endgame"] == best <= misses["greedy-map"]


def test_a_prior_is_named_with_the_player(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    save_prior(some_prior(BELIEVED, 1), path)
    entrant = find_player(f"greedy-map@{path}")
    assert (entrant.name, entrant.prior) == (f"greedy-map@{path}", str(path))
    assert make_player(entrant, BELIEVED).prior == load_prior(path)  # type: ignore[attr-defined]
    people = make_player("greedy-map@people", Rules(fleet="hasbro"))
    assert people.rules.board.name(people.shoot(Position(people.rules))) == "J3"
    for wrong, error, told in (
        ("density@people", PlayerError, "player 'density' takes no prior"),
        ("greedy-map@", PlayerError, "name a prior after @"),
        ("nobody@people", PlayerError, "'nobody' is unknown"),
        ("greedy-map@people", WeightsError, "not of 4x4, fleet 3,2, contact none"),
    ):
        with pytest.raises(error, match=told):
            make_player(wrong, BELIEVED)


def test_layouts_are_drawn_by_a_prior() -> None:
    from scipy.stats import chisquare

    rules = Rules("3x4", "3,1")
    prior = some_prior(rules, 6)
    source = Drawn(Position(rules), 3, prior)
    ships = source.take(0, 20_000)
    layouts = enumerate_layouts(rules)
    rows = {tuple(row): number for number, row in enumerate(layouts.ships.tolist())}
    counts = np.bincount([rows[tuple(row)] for row in ships.tolist()], minlength=len(layouts))
    weights = prior.relative_weights(layouts)
    assert not counts[weights == 0].any()
    possible = weights > 0
    expected = 20_000 * weights[possible] / weights.sum()
    assert chisquare(counts[possible], expected).pvalue > 1e-4
    assert (source.take(5_000, 5_010) == ships[5_000:5_010]).all()


# Looking ahead

AHEAD = [
    *SMALL[2:],
    Rules("3x5", "3,2", "corners", "sunk"),
    Rules("3x4", "2,2", "sides", "sunk", announce="none"),
]


def worth_in(rules: Rules) -> float:
    return 0.0 if rules.answers is AnswerMode.HIT else WORTH


def search_of(rules: Rules, layouts: Iterable[naive.Layout]) -> naive.Search:
    return naive.Search(layouts, rules.answers.value, rules.announce.value, rules.contact.value)


def simple_total(
    search: naive.Search, possible: frozenset[naive.Layout], shot: frozenset[int], worth: float
) -> int:
    """Misses of the simple rule in all layouts, by definition."""
    occupied = [naive.cells_of(layout) for layout in possible]
    open_cells = sorted(frozenset().union(*occupied) - shot)
    certain = [cell for cell in open_cells if all(cell in cells for cells in occupied)]
    if len(certain) == len(open_cells):
        return 0
    scores = {}
    for cell in open_cells:
        sizes = {told: len(part) for told, part in search.parts(possible, shot, cell).items()}
        weighed = sum(size * log2(size) for size in sizes.values())
        scores[cell] = sizes.get("miss", 0) + worth * weighed
    best = min(scores.values())
    cell = certain[0] if certain else next(c for c in open_cells if scores[c] < best + 1e-9)
    return total_after(search, possible, shot, cell, worth)


def total_after(
    search: naive.Search,
    possible: frozenset[naive.Layout],
    shot: frozenset[int],
    cell: int,
    worth: float,
) -> int:
    return sum(
        (told == "miss") * len(part) + simple_total(search, part, shot | {cell}, worth)
        for told, part in search.parts(possible, shot, cell).items()
    )


@pytest.mark.parametrize("rules", AHEAD, ids=str)
def test_no_worse_than_the_simple_rule(rules: Rules) -> None:
    found = frozenset(layouts_by_number(rules).values())
    simple = simple_total(search_of(rules, found), found, frozenset(), worth_in(rules))
    assert solve(rules).total_misses <= misses_of(Unsolved(rules)) <= simple
    assert misses_of(Lookahead(rules)) <= misses_of(Unsolved(rules))


def test_a_board_of_any_size() -> None:
    """Where the map leaves off at once, each shot is a cell that some layout occupies."""

    class Early(Lookahead):
        most_listed = 30_000

    rules = Rules("10x10", "5,4", "sides", "sunk")
    layouts = enumerate_layouts(rules).ships[::4000]
    assert (Early(rules).play_all(layouts) <= 60).all()
