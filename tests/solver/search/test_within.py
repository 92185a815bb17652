"""``within:K``: the most layouts finished, and of what finishes all the least total.

Every small game is held against the naive twin, which tries every strategy.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, islice, product

import pytest
from laws.games import ANNOUNCEMENTS, CONTACTS, MODES, Game
from laws.test_search_laws import best_within
from twins import naive

from seabattle import Position, Rules, solve
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.queries import SearchOptions
from seabattle.solver.search.solve import solve_problem

BOARDS = (1, 4), (1, 6), (2, 3), (3, 3)
MOST_LAYOUTS = 14


def small_games() -> Iterator[Game]:
    """Every game of up to three ships on some boards that leaves so few layouts."""
    for rows, columns in BOARDS:
        lengths = range(max(rows, columns), 0, -1)
        fleets = [f for n in (1, 2, 3) for f in combinations_with_replacement(lengths, n)]
        for fleet in fleets:
            for contact in CONTACTS:
                listed = naive.layouts(rows, columns, fleet, contact)
                if not 1 < len(listed) <= MOST_LAYOUTS:
                    continue
                for answers in MODES:
                    tells = contact == "sides" and answers == "sunk"
                    for announce in ANNOUNCEMENTS if tells else ("length",):
                        board, ships = f"{rows}x{columns}", ",".join(map(str, fleet))
                        yield Game(board, ships, contact, answers, announce)


@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_the_first_shots_of_every_small_game_are_those_of_the_naive_twin(every: int) -> None:
    """Every seventh of them, of all boards, contact rules and modes; the slow test takes all."""
    tried = list(islice(small_games(), 0, None, every))
    assert {(game.contact, game.answers) for game in tried} == {*product(CONTACTS, MODES)}
    assert len({game.board for game in tried}) == len(BOARDS)
    wrong = []
    for game in tried:
        for most in range(game.optimum["worst"] + 2):
            found = solve(game.table, f"within:{most}", threads=1)
            if not game.over and list(found.best_cells) != best_within(game, most):
                wrong.append((game, most, found.best_shots))
    assert not wrong, f"{len(wrong)} lists, the first of {wrong[0]}"


@pytest.mark.parametrize("options", [SearchOptions(bounds=False), SearchOptions.plain()])
def test_without_bounds_as_many_layouts_are_finished(options: SearchOptions) -> None:
    for game in islice(small_games(), 0, None, 14):
        problem = as_problem(game.table)
        for most in range(game.optimum["worst"] + 2):
            best = solve_problem(problem, f"within:{most}")
            plain = solve_problem(problem, f"within:{most}", options=options)
            assert plain.finished == best.finished, (game, most)
            if best.finished == best.layouts:  # then the least total is sought, too
                assert plain.total_misses == best.total_misses, (game, most)


def starred(text: str) -> list[int]:
    """Numbers of the cells that a board in words marks with a star."""
    values = [word for line in text.splitlines()[2:] for word in line.split()[1:]]
    return [number for number, word in enumerate(values) if word.endswith("*")]


@pytest.mark.parametrize("objective", ["mean", "within:1", "within:5"])
@pytest.mark.parametrize("shots", ["", "B1 miss", "A1 hit", "A1 hit, C2 miss"])
def test_only_best_shots_are_starred(objective: str, shots: str) -> None:
    """Neither a cell that no layout occupies, nor one that was shot."""
    rules = Rules("3x3", "3,1,1")
    position = Position.in_order(rules, shots) if shots else Position(rules)
    found = solve(position, objective, values=True, threads=1)
    assert starred(found.text()) == list(found.best_cells)


@pytest.mark.parametrize("objective", ["worst", "mean-worst", "worst-mean", "pareto"])
def test_least_means_are_starred_whatever_else_is_sought(objective: str) -> None:
    position = Position.in_order(Rules("4x4", "3,2,1"), "B2 miss, A1 hit")
    found = solve(position, objective, values=True, threads=1)
    assert starred(found.text()) == list(solve(position, threads=1).best_cells)
