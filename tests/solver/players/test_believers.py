"""Players that are told how likely the layouts are, and layouts that are drawn so."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare
from support.examples import examples

from seabattle.enumerate.errors import PlayerError, WeightsError
from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.files import load_prior, save_prior
from seabattle.enumerate.priors.prior import ProductPrior, SumPrior, TablePrior
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.players.exact_map import GreedyMap, MapEndgame
from seabattle.solver.players.player import Player
from seabattle.solver.players.registry import make_player, player_spec
from seabattle.solver.search.solve import solve
from seabattle.solver.tournament.layout_sources import ByPrior, layout_source
from seabattle.solver.tournament.tournament import tournament

GAMES = [("3x3", "2,1"), ("3x4", "3,1"), ("4x4", "2,2"), ("4x4", "3,1")]
SMALL = Rules("4x4", "3,2", answers="sunk")


def some_prior(rules, seed):
    """Cells that weigh 0 to 5."""
    weights = np.random.default_rng(seed).integers(0, 6, rules.board.cells)
    weights[0] = 5
    try:
        return ProductPrior.of_cells(rules, weights.tolist())
    except WeightsError:  # too many zeros for a ship
        return ProductPrior.of_cells(rules, (weights + 1).tolist())


def exact_chances(position, prior):
    """Chance of every cell by the definition, as fractions; None where nothing is possible."""
    from seabattle.enumerate.layouts import fitting

    layouts = enumerate_layouts(position.rules)
    placements = placement_table(position.rules).placements
    mass, cells = Fraction(0), [Fraction(0)] * position.rules.board.cells
    for row in np.flatnonzero(fitting(position, layouts)):
        ships = layouts.ships[row].tolist()
        weight = prod((prior.placements[ship] for ship in ships), start=Fraction(1))
        mass += weight
        for ship in ships:
            for cell in placements[ship].cells:
                cells[cell] += weight
    return [cell / mass for cell in cells] if mass else None


def hidden_game(rules, prior, data):
    """A layout that the prior allows, and the order in which cells are shot."""
    layouts = enumerate_layouts(rules)
    possible = np.flatnonzero(prior.relative_weights(layouts))
    row = int(data.draw(st.sampled_from(possible.tolist())))
    return layouts.placements(row)


@examples(60)
@given(
    st.sampled_from(GAMES),
    st.sampled_from(list(Contact)),
    st.sampled_from(["hit", "sunk"]),
    st.integers(0, 1000),
    st.data(),
)
def test_greedy_play_shoots_a_likeliest_cell(game, contact, answers, seed, data):
    rules = Rules(*game, contact, answers)
    prior = some_prior(rules, seed)
    try:
        ships = hidden_game(rules, prior, data)
    except Exception:  # the fleet has no layout of positive weight here
        return
    player = make_player(player_spec("greedy-map").believing(prior), rules)
    position, left = Position(rules), {ship: set(ship.cells) for ship in ships}
    while any(left.values()):
        chances = exact_chances(position, prior)
        cell = player.shoot(position)
        open_cells = [c for c in range(rules.board.cells) if not position.shot_mask >> c & 1]
        assert chances[cell] == max(chances[c] for c in open_cells)
        answer = "miss"
        for ship, cells in left.items():
            if cell in cells:
                cells.remove(cell)
                sunk = answers == "sunk" and not cells
                length = f"={ship.length}" if sunk and contact is Contact.SIDES else ""
                answer = f"sunk{length}" if sunk else "hit"
        position = position.shoot(cell, answer)


def test_the_counter_and_the_list_shoot_alike(monkeypatch):
    from seabattle.solver.players import exact_map

    rules = Rules("5x5", "3,2", answers="sunk")
    prior = some_prior(rules, 3)
    listed = make_player(player_spec("greedy-map").believing(prior), rules)
    monkeypatch.setattr(exact_map, "_all_listed", lambda rules: None)
    monkeypatch.setattr(exact_map, "LISTED", 20)
    counted = GreedyMap(rules, prior)
    assert counted._root is None
    ships = ByPrior(Position(rules), 5, prior).take(0, 40)
    assert counted.play_all(ships).tolist() == listed.play_all(ships).tolist()


def test_a_layout_that_the_prior_rules_out_is_still_found():
    prior = ProductPrior.of_cells(SMALL, [1] * 12 + [0] * 4)
    layouts = enumerate_layouts(SMALL)
    never = layouts.ships[prior.relative_weights(layouts) == 0]
    assert len(never)
    for name in ("greedy-map", "map-endgame"):
        player = make_player(player_spec(name).believing(prior), SMALL)
        assert player.play_all(never).max() <= 16


def test_a_counted_layout_that_the_prior_rules_out_is_still_found(monkeypatch):
    from seabattle.solver.players import exact_map

    monkeypatch.setattr(exact_map, "_all_listed", lambda rules: None)
    monkeypatch.setattr(exact_map, "LISTED", 3)
    prior = ProductPrior.of_cells(SMALL, [1] * 12 + [0] * 4)
    layouts = enumerate_layouts(SMALL)
    never = layouts.ships[prior.relative_weights(layouts) == 0]
    assert GreedyMap(SMALL, prior).play_all(never[:10]).max() <= 16


@pytest.mark.parametrize("answers", ["hit", "sunk", "ship"])
def test_exact_play_misses_least_under_the_prior(answers):
    rules = Rules("4x4", "3,1", answers=answers)
    prior = some_prior(rules, 8)
    table = DecisionTable.build(rules, prior=prior)
    best = solve(table).total_misses
    misses = {}
    for name in ("exact", "map-endgame", "greedy-map"):
        player = make_player(player_spec(name).believing(prior), rules)
        shots = player.play_all(table.layouts.ships)
        misses[name] = int(((shots - rules.fleet.cells) * table.weights).sum())
    assert misses["exact"] == best
    assert misses["map-endgame"] == best  # few layouts: optimal from the start
    assert misses["greedy-map"] >= best


def test_priors_of_every_kind_are_believed():
    layouts = enumerate_layouts(SMALL)
    listed = tuple(int(ship) for ship in layouts.ships[7])
    priors = [
        ProductPrior.of_cells(SMALL, range(16)),
        SumPrior(SMALL, tuple(map(Fraction, range(16)))),
        TablePrior(SMALL, {listed: 50}, 1),
    ]
    for prior in priors:
        player = make_player(player_spec("greedy-map").believing(prior), SMALL)
        assert player.play_all(layouts.ships[:20]).max() <= 16
    first = make_player(player_spec("greedy-map").believing(priors[2]), SMALL)
    assert first.play_all(layouts.ships[7:8]).tolist() == [SMALL.fleet.cells]


def test_a_prior_is_named_with_the_player(tmp_path):
    path = tmp_path / "mine.json"
    save_prior(some_prior(SMALL, 1), path)
    spec = player_spec(f"greedy-map@{path}")
    assert (spec.name, spec.prior, spec.takes_prior) == (f"greedy-map@{path}", str(path), True)
    assert make_player(spec, SMALL).prior == load_prior(path)
    assert make_player("greedy-map@uniform", SMALL).prior is None
    people = make_player("greedy-map@people", Rules(fleet="hasbro"))
    assert people.rules.board.name(people.shoot(Position(people.rules))) == "J3"


def test_what_takes_no_prior_says_so(tmp_path):
    with pytest.raises(PlayerError, match="player 'density' takes no prior"):
        player_spec("density@people")
    with pytest.raises(PlayerError, match="name a prior after @"):
        player_spec("greedy-map@")
    with pytest.raises(PlayerError, match="'nobody' is unknown"):
        player_spec("nobody@people")
    with pytest.raises(WeightsError, match="not of 4x4, fleet 3,2, contact none"):
        make_player("greedy-map@people", SMALL)
    prior = some_prior(SMALL, 2)
    with pytest.raises(PlayerError, match="none of the players density, bob weighs layouts"):
        tournament(SMALL, ["density", "bob"], prior=prior, games=1)
    spec = player_spec("exact").believing(prior)
    with pytest.raises(PlayerError, match="leave out the file or the prior"):
        spec.prepared(Position(SMALL), strategy=tmp_path)


def test_a_tournament_tells_all_players_its_prior():
    prior = some_prior(SMALL, 4)
    own = player_spec("greedy-map").believing(prior, name="told")
    every = tournament(SMALL, ["greedy-map", "greedy-map@uniform"], prior=prior, layouts="all")
    apart = tournament(SMALL, [own, "greedy-map"], layouts="all")
    totals = [[score.misses.total for score in result.scores] for result in (every, apart)]
    assert totals[0] == totals[1]
    assert totals[0][0] != totals[0][1]
    assert every.prior == prior
    assert apart.prior is None


def test_players_of_ones_own_are_told_too():
    class Believer(Player):
        """Shoots the heaviest cell that is left."""

        takes_prior = True

        def __init__(self, rules, prior=None):
            super().__init__(rules)
            self.prior = prior

        def choose(self, position, chance):
            weights = [1] * 16 if self.prior is None else self.prior.cells
            left = [cell for cell in range(16) if not position.shot_mask >> cell & 1]
            return max(left, key=lambda cell: weights[cell])

    prior = ProductPrior.of_cells(SMALL, range(16))
    result = tournament(SMALL, [Believer], prior=prior, games=3)
    assert result.games == 3
    player = make_player(player_spec(Believer).believing(prior), SMALL)
    assert player.shoot(Position(SMALL)) == 15


def test_results_do_not_depend_on_the_workers():
    prior = some_prior(SMALL, 5)
    one, two = (
        tournament(
            SMALL,
            ["greedy-map", "map-endgame"],
            prior=prior,
            layouts=ByPrior(Position(SMALL), 1, prior),
            seed=1,
            games=60,
            workers=workers,
            solo_seconds=0.0,
        )
        for workers in (1, 2)
    )
    for mine, other in zip(one.scores, two.scores, strict=True):
        assert mine.shots.counts.tolist() == other.shots.counts.tolist()


def test_layouts_are_drawn_by_a_prior(tmp_path):
    rules = Rules("3x4", "3,1")
    prior = some_prior(rules, 6)
    path = tmp_path / "mine.json"
    save_prior(prior, path)
    source = layout_source(f"prior {path}", Position(rules), 3)
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


def test_people_hide_at_the_edge():
    rules = Rules(fleet="hasbro")
    source = layout_source("people", Position(rules), 1)
    table = placement_table(rules)
    cells = np.zeros(100)
    for row in source.take(0, 4_000).tolist():
        for ship in row:
            cells[list(table.placements[ship].cells)] += 1
    found = cells / 4_000
    assert found[rules.board.cell("A1")] == pytest.approx(10204 / 54652, abs=0.02)
    assert found[rules.board.cell("E5")] == pytest.approx(8402 / 54652, abs=0.02)


def test_sources_without_a_prior_say_so():
    with pytest.raises(PlayerError, match="name a prior"):
        layout_source("prior", Position(SMALL))
    with pytest.raises(WeightsError, match="not of 4x4"):
        layout_source("people", Position(SMALL))


def test_endgames_under_a_prior_are_optimal():
    """The optimal player and the one that solves late agree once few layouts are left."""
    rules = Rules("4x4", "2,2", answers="hit")
    prior = some_prior(rules, 9)
    player = MapEndgame(rules, prior)
    table = DecisionTable.build(rules, prior=prior)
    assert len(table) <= player.most_solved
    assert player.needs is AnswerMode.HIT
    cell = player.shoot(Position(rules))
    assert rules.board.name(cell) in solve(table).best_shots


def test_a_prior_file_that_is_missing_is_named():
    missing = Path("nowhere.json")
    with pytest.raises(Exception, match=r"nowhere\.json"):
        make_player(f"greedy-map@{missing}", SMALL)
