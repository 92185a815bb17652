"""Laws of goals beside misses: turns of several shots, and one ship at worst."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from laws.games import Game, games, law
from twins import naive

from seabattle import Counter, Rules, open_water, solve, solve_salvo

TINY = 12, 7


def turns(game: Game, possible: frozenset[naive.Layout], shot: frozenset[int], k: int) -> int:
    """Least weight of turns until all ships are sunk, by trying every set of cells."""
    if all(naive.cells_of(layout) <= shot for layout in possible):
        return 0
    cells = sorted(frozenset().union(*map(naive.cells_of, possible)) - shot)
    totals = []
    for chosen in combinations(cells, min(k, len(cells))):
        states = [(possible, shot)]
        for cell in chosen:
            states = [
                (part, before | {cell})
                for left, before in states
                for part in game.twin.parts(left, before, cell).values()
            ]
        totals.append(sum(turns(game, part, after, k) for part, after in states))
    return min(totals) + naive.weight_of(possible, game.weight_of)


@law(20)
@given(games(size=TINY), st.integers(1, 3))
def test_no_play_takes_fewer_turns(game: Game, salvo: int) -> None:
    found = solve_salvo(game.table, salvo)
    assume(len(game.possible) <= TINY[0])
    wanted = Fraction(turns(game, frozenset(game.likely), game.shot, salvo), game.weight)
    assert found.mean_turns == wanted
    assert all(len(set(cells)) == len(cells) <= salvo for cells in found.best_salvos)
    assert bool(found.best_salvos) == (found.total_turns > 0)


@law(20)
@given(games(priors=False), st.integers(1, 6))
def test_no_turn_has_more_hits_to_expect(game: Game, shots: int) -> None:
    turn = Counter(game.position).map().salvo(shots)
    left = [cell for cell in range(game.cells) if cell not in game.shot]
    hits = [
        sum(len(naive.cells_of(layout) & set(chosen)) for layout in game.possible)
        for chosen in combinations(left, min(shots, len(left)))
    ]
    assert turn.hits == pytest.approx(max(hits) / len(game.possible))


@law(25)
@given(st.integers(1, 3), st.integers(1, 4), st.integers(1, 4), st.booleans())
def test_one_ship_in_open_water(rows: int, columns: int, length: int, tall: bool) -> None:
    assume(length <= max(rows, columns))
    rules = Rules(f"{columns}x{rows}" if tall else f"{rows}x{columns}", str(length))
    water = open_water(rules)
    ships = [frozenset(layout) for layout in naive.ships_of_length(
        rules.board.rows, rules.board.columns, length
    )]  # fmt: skip
    least = solve(rules, "worst", threads=1).worst_misses
    assert water.lower_bound <= least <= water.upper_bound
    assert water.disjoint <= water.must_hit_at_least <= water.must_hit
    cells = {rules.board.cell(name) for name in water.cells}
    assert all(ship & cells for ship in ships)
    fewer = combinations(range(rules.board.cells), water.must_hit_at_least - 1)
    assert not any(all(ship & set(few) for ship in ships) for few in fewer)
