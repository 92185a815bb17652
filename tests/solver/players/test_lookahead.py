"""The player that looks further: its totals beside a slow twin, its play beside the simple rule."""

from __future__ import annotations

from collections.abc import Iterable
from math import log2

import numpy as np
import pytest
from twins import naive
from twins.naive_trees import layouts_by_number

from seabattle.enumerate.layouts import Layouts, enumerate_layouts, fitting
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players import exact_map, lookahead
from seabattle.solver.players.lookahead import WORTH, misses_ahead
from seabattle.solver.players.player import Player
from seabattle.solver.players.registry import make_player, player_spec
from seabattle.solver.search.solve import solve

GAMES = [
    Rules("4x4", "2,2,1", "none", "hit"),
    Rules("4x4", "3,2,1", "none", "sunk"),
    Rules("3x5", "3,2", "corners", "sunk"),
    Rules("3x4", "3,2", "corners", "ship"),
    Rules("4x4", "2,2,1", "none", "ship"),
    Rules("3x3", "3,2", "sides", "hit"),
    Rules("3x4", "3,2", "sides", "sunk"),
    Rules("3x4", "2,2", "sides", "sunk", announce="none"),
    Rules("3x3", "2,2", "sides", "ship"),
]


def worth_in(rules: Rules) -> float:
    return 0.0 if rules.answers is AnswerMode.HIT else WORTH


def search_of(rules: Rules, layouts: Iterable[naive.Layout]) -> naive.Search:
    return naive.Search(layouts, rules.answers.value, rules.announce.value, rules.contact.value)


def weighed(sizes: Iterable[int]) -> float:
    return sum(size * log2(size) for size in sizes)


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
        parts = search.parts(possible, shot, cell)
        sizes = {told: len(part) for told, part in parts.items()}
        scores[cell] = sizes.get("miss", 0) + worth * weighed(sizes.values())
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


def after_misses_and_hits(rules: Rules, seed: int, shots: int) -> tuple[Position, Layouts]:
    """A position some shots into a game, with the layouts that fit it."""
    layouts = enumerate_layouts(rules)
    rng = np.random.default_rng(seed)
    player = make_player("random", rules)
    record = np.full((1, rules.board.cells), -1, dtype=np.int16)
    player.play_all(layouts.ships[[rng.integers(len(layouts))]], seed=seed, record=record)
    hidden = layouts.ships[[rng.integers(len(layouts))]]
    cells = [int(cell) for cell in record[0] if cell >= 0][:shots]
    position = Position(rules)
    table = layouts_by_number(rules)
    whole = table[tuple(hidden[0].tolist())]
    for i, cell in enumerate(cells):
        told = naive.answer(
            whole, cells[:i], cell, rules.answers.value, rules.announce.value, rules.contact.value
        )
        position = position.shoot(cell, told)
    rows = np.flatnonzero(fitting(position, layouts))
    return position, Layouts(rules, layouts.masks[rows], layouts.ships[rows])


@pytest.mark.parametrize(
    ("rules", "worth"),
    [(rules, worth) for rules in GAMES for worth in sorted({0.0, worth_in(rules)})],
)
def test_totals_are_those_of_the_definition(rules: Rules, worth: float) -> None:
    tried = 0
    for seed in range(6):
        position, layouts = after_misses_and_hits(rules, seed, seed)
        numbered = layouts_by_number(rules)
        possible = frozenset(numbered[tuple(row)] for row in layouts.ships.tolist())
        search = search_of(rules, possible)
        shot = frozenset(cell for cell, _ in position.shots)
        found = misses_ahead(position, layouts, worth, rules.board.cells)
        occupied = [naive.cells_of(layout) for layout in possible]
        open_cells = frozenset().union(*occupied) - shot
        certain = {cell for cell in open_cells if all(cell in cells for cells in occupied)}
        if certain == open_cells:
            assert not found
        elif certain:
            assert found == {min(certain): 0}
        else:
            totals = {c: total_after(search, possible, shot, c, worth) for c in open_cells}
            least = min(totals.values())
            assert set(found) == open_cells
            assert min(found.values()) == least
            for cell, total in found.items():
                assert total == totals[cell] if totals[cell] == least else least < total
                assert total <= totals[cell]
            tried += 1
    assert tried >= 2


def misses_of(player: Player) -> int:
    layouts = enumerate_layouts(player.rules).ships
    return int(player.play_all(layouts).sum()) - player.rules.fleet.cells * len(layouts)


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_no_worse_than_the_simple_rule(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_map, "SOLVED", 0)
    found = frozenset(layouts_by_number(rules).values())
    simple = simple_total(search_of(rules, found), found, frozenset(), worth_in(rules))
    assert solve(rules).total_misses <= misses_of(make_player("lookahead", rules)) <= simple


@pytest.mark.parametrize(
    "rules", [g for g in GAMES if len(enumerate_layouts(g)) <= exact_map.SOLVED], ids=str
)
def test_optimal_once_few_layouts_are_left(rules: Rules) -> None:
    assert misses_of(make_player("lookahead", rules)) == solve(rules).total_misses


@pytest.mark.parametrize(
    ("answers", "least", "most"),
    [("sunk", 2490, 2595), pytest.param("hit", 6443, 6561, marks=pytest.mark.slow)],
)
def test_beats_the_map_on_the_main_fleet(
    answers: str, least: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every layout of 5x5 once, without the exact endgame."""
    monkeypatch.setattr(exact_map, "SOLVED", 0)
    rules = Rules("5x5", "3,2,2,1,1,1", answers=answers)
    ahead = misses_of(make_player("lookahead", rules))
    assert least <= ahead < most == misses_of(make_player("greedy-map", rules))


def test_a_board_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the map leaves off at once, each shot is a cell that some layout occupies."""
    monkeypatch.setattr(lookahead, "AHEAD", 30_000)
    rules = Rules("10x10", "5,4", "sides", "sunk")
    player = make_player("lookahead", rules)
    layouts = enumerate_layouts(rules).ships[::4000]
    assert (player.play_all(layouts) <= 60).all()


def test_how_it_is_registered() -> None:
    spec = player_spec("lookahead")
    assert (spec.chance, spec.quick, spec.takes_prior, spec.learns) == (False,) * 4
