"""Laws of what is counted, listed, drawn and in conflict."""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from laws import engines
from laws.games import CONTACTS, MIDDLE, MODES, Game, Shots, games, law
from twins import naive, naive_priors

from seabattle import Counter, Position, PositionError, conflict, enumerate_layouts
from seabattle.enumerate.answers import possible_answers

NEAR = 1e-9
"""How near chances in floats are to exact ones."""


def as_sets(game: Game, rows: list[list[int]]) -> list[naive.Layout]:
    """Layouts given by the numbers of their placements, as the twin knows them."""
    return [game.layout_of(row) for row in rows]


@law(100)
@given(games(size=MIDDLE, priors=False, over=True))
def test_the_counter_counts_what_is_listed(game: Game) -> None:
    """The number of layouts, each of them, and how many have each cell and each ship."""
    counter, found = Counter(game.position), game.possible
    assert counter.count() == len(found) == len(game.table)
    assert Multiset(as_sets(game, counter.layouts(most=10_000).tolist())) == Multiset(found)
    assert Multiset(as_sets(game, game.table.layouts.ships[game.table.index].tolist())) == (
        Multiset(found)
    )
    occupied = counter.map()
    assert list(occupied.cells) == naive.occupancy(found, game.cells)
    assert sum(occupied.cells) == len(found) * sum(game.lengths)
    by_length = [occupied.of_length(length) for length in sorted(set(game.lengths))]
    for ship_map, length in zip(by_length, sorted(set(game.lengths)), strict=True):
        alone = [frozenset(s for s in layout if len(s) == length) for layout in found]
        cells = [
            sum(cell in naive.cells_of(layout) for layout in alone) for cell in range(game.cells)
        ]
        assert [number for row in ship_map.rows for number in row] == cells
    free = [cell for cell in range(game.cells) if cell not in game.shot]
    most = max((occupied.cells[cell] for cell in free), default=0)
    if most:
        assert list(occupied.best_cells) == [c for c in free if occupied.cells[c] == most]


@law(60)
@given(games(size=MIDDLE))
def test_chances_are_those_of_the_weights(game: Game) -> None:
    assume(game.kind)
    found = Counter(game.position, prior=game.prior).map()
    weigh = lambda layout: Fraction(game.weight_of[layout])  # noqa: E731
    chances = naive_priors.cell_chances(game.possible, weigh, game.cells)
    assert found.layouts == len(game.possible)
    assert list(found.cells) == pytest.approx(list(map(float, chances)), abs=NEAR)
    for length in set(game.lengths):
        rows = found.of_length(length).rows
        ships = naive_priors.ship_chances(game.possible, weigh)
        alone = [Fraction(0)] * game.cells
        for ship, chance in ships.items():
            for cell in ship if len(ship) == length else ():
                alone[cell] += chance
        assert [c for row in rows for c in row] == pytest.approx(list(map(float, alone)), abs=NEAR)
    whole = game.table.weights.tolist() or [1] * len(game.table)
    listed = as_sets(game, game.table.layouts.ships[game.table.index].tolist())
    assert [Fraction(w, sum(whole)) for w in whole] == [
        Fraction(game.weight_of[layout], game.weight) for layout in listed
    ]


@law(50)
@given(games(size=MIDDLE, priors=False, over=True))
def test_every_rank_is_one_layout(game: Game) -> None:
    rows = [tuple(row) for row in engines.every_rank(game).tolist()]
    assert len(set(rows)) == len(rows) == len(game.possible)
    assert set(as_sets(game, rows)) == set(game.possible)


@law(40)
@given(games(size=MIDDLE), st.integers(0, 10**6))
def test_what_is_drawn_fits_and_can_be(game: Game, seed: int) -> None:
    drawn = Counter(game.position, prior=game.prior).sample(50, seed)
    possible = {layout for layout in game.possible if game.weight_of[layout]}
    assert set(as_sets(game, drawn.tolist())) <= possible


@law(40)
@given(games(size=MIDDLE, priors=False, over=True), st.randoms(use_true_random=False))
def test_layouts_that_could_be_told_apart(game: Game, chance: Random) -> None:
    """Equal ships that are not sunk count in every order: the count is a whole multiple."""
    counter = Counter(game.position)
    labelled = counter.labelled()
    assert labelled % 1 == 0
    assert labelled >= counter.count()
    if not game.history:
        orders = 1
        for number in Multiset(game.lengths).values():
            for factor in range(2, number + 1):
                orders *= factor
        assert labelled == counter.count() * orders


def fits(game: Game, history: tuple[tuple[int, str], ...]) -> bool:
    """Whether some layout would have answered so, by the twin."""
    return bool(naive.fitting(game.everything, history, *game.spoken))


@law(100)
@given(games(size=(10_000, 30), priors=False, over=True), st.integers(0, 2**32 - 1))
@example(Game("12x1", "4,2,2,1", "corners", "ship"), -1)
def test_a_conflict_is_one_and_no_part_of_it_is(game: Game, seed: int) -> None:
    """Answers of which some are changed at random; in mode ``ship`` numbers follow first hits."""
    if seed < 0:
        position = Position.in_order(game.rules, "A10 hit=1#1")
    else:
        position = changed(game, Random(seed))
    assert is_checked_conflict(game, position) == (not fits(game, told_of(position)))


@pytest.mark.parametrize("contact", CONTACTS)
@pytest.mark.parametrize("answers", MODES)
def test_no_answer_of_a_conflict_can_be_left_out(answers: str, contact: str) -> None:
    """Of answers that nobody need have given, ships numbered as they are first hit."""
    chance = Random(7)
    for board, fleet in ("3x2", "2,2"), ("1x7", "2,2,1"), ("2x4", "2,1,1"), ("3x3", "3,2"):
        game = Game(board, fleet, contact, answers)
        if not game.everything:
            continue
        codes = possible_answers(game.rules)
        for _ in range(12):
            cells = chance.sample(range(game.cells), chance.randint(2, 4))
            shots = tuple((cell, chance.choice(codes)) for cell in cells)
            shots = Position(game.rules).renumbered(shots)
            try:
                position = Position(game.rules, shots)
            except PositionError:
                continue
            assert is_checked_conflict(game, position) == (not fits(game, told_of(position)))


def told_of(position: Position) -> Shots:
    """The shots of a position with their answers in words."""
    return tuple((cell, name_of(position, cell)) for cell, _ in position.shots)


def is_checked_conflict(game: Game, position: Position) -> bool:
    """Whether a position has a conflict; no part of it is one, and its changes mend it."""
    found = conflict(position)
    told = told_of(position)
    if found is None:
        return False
    numbers = set(found.shots)
    kept = [shot for number, shot in enumerate(told, start=1) if number in numbers]
    until = max(numbers)
    assert not stands(game, told, kept)
    for part in combinations(kept, len(kept) - 1):
        assert stands(game, told, part)
    if found.least and len(kept) > 1:
        for few in combinations(told[: until - 1], len(kept) - 2):
            assert stands(game, told, [*few, told[until - 1]])
    for cell, answer in found.changes:
        number = game.rules.board.cell(cell)
        after = position.change(cell, answer)
        assert (number, answer) == (number, name_of(after, number))
        shots = tuple((c, name_of(after, c)) for c, _ in after.shots[:until])
        assert fits(game, shots)
    return True


def stands(game: Game, told: Shots, kept: Iterable[tuple[int, str]]) -> bool:
    """Whether some layout gives some of the answers, all shots being made in their order."""
    order = [cell for cell, _ in told]
    asked = [(order[: order.index(cell)], cell, answer) for cell, answer in kept]
    return any(
        all(naive.answer(layout, *shot, *game.spoken) == answer for *shot, answer in asked)
        for layout in game.everything
    )


def changed(game: Game, chance: Random) -> Position:
    """The position with one answer or two that another layout would have given."""
    position = game.position
    for cell, _ in game.history:
        if chance.random() < 0.4:
            other = chance.choice(game.everything)
            before = [c for c, _ in game.history[: [c for c, _ in game.history].index(cell)]]
            told = naive.answer(other, before, cell, *game.spoken)
            position = position.change(cell, told)
    return position


def name_of(position: Position, cell: int) -> str:
    """The answer at a cell, in words."""
    return engines.answer_at(position, cell)


@law(50)
@given(games(size=MIDDLE, priors=False, over=True), st.integers(0, 2**32 - 1))
def test_the_order_of_shots_matters_to_sinkings_with_contact_alone(game: Game, seed: int) -> None:
    """Options that say "in some order" leave the same layouts wherever order tells nothing."""
    unordered = replace(game.position, ordered=False)
    counted = Counter(unordered).count()
    if game.answers == "sunk" and game.contact == "sides":
        assert counted >= len(game.possible)
    else:
        assert counted == len(game.possible)


@law(40)
@given(games(priors=False))
def test_all_layouts_are_listed_once(game: Game) -> None:
    listed = enumerate_layouts(game.rules)
    assert Multiset(as_sets(game, listed.ships.tolist())) == Multiset(game.everything)
    masks = [
        sum(1 << cell for cell in naive.cells_of(game.layout_of(row)))
        for row in listed.ships.tolist()
    ]
    assert [int(mask) for mask in listed.masks[:, 0]] == masks
