"""Reviews: chances by listing every layout, losses by the naive search, and laws of both."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples, some
from support.search_games import CLOSED, HIT, NAMED, OPEN
from twins import naive, naive_priors
from twins.naive_trees import naive_layouts, naive_rows, position_of, spoken

from seabattle.enumerate.errors import PositionError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.solver.review import percent, review
from seabattle.solver.search.solve import solve

LISTED = [("3x3", "3,2,1"), ("3x4", "2,1,1"), ("2x5", "2,2,1"), ("4x4", "3,2"), ("4x3", "2,2")]
SEARCHED = [
    rules
    for games in (HIT, CLOSED, OPEN, NAMED)
    for rules in games
    if 2 <= len(naive_layouts(rules)) <= 24 and rules.board.cells <= 9
]
PLAYED = [
    Rules("3x3", "3,1,1", answers="hit"),
    Rules("3x3", "3,1,1", answers="sunk"),
    Rules("3x3", "2,1", "corners", "sunk"),
    Rules("3x3", "3,2", "sides", "sunk"),
    Rules("2x4", "2,2", "sides", "sunk", "none"),
    Rules("2x4", "2,2", "sides", "ship"),
    Rules("2x4", "2,1", "corners", "hit"),
]


def shots_of(rules, layout, cells):
    """The history of shooting some cells until the fleet is sunk."""
    history = []
    for i, cell in enumerate(cells):
        if naive.cells_of(layout) <= set(cells[:i]):
            break
        history.append((cell, naive.answer(layout, cells[:i], cell, *spoken(rules))))
    return history


def drawn_history(data, rules, least=1, most=16):
    """Random shots answered by a random layout, and the layout."""
    layout = data.draw(st.sampled_from(naive_rows(rules)))
    cells = st.integers(0, rules.board.cells - 1)
    return shots_of(
        rules, layout, data.draw(st.lists(cells, unique=True, min_size=least, max_size=most))
    )


@cache
def search_of(rules):
    """The naive search of a game, which keeps what it works out."""
    mode, announce, contact = spoken(rules)
    return naive.Search(naive_layouts(rules), mode, announce, contact)


@examples(250)
@given(st.sampled_from(SEARCHED), st.data())
def test_losses_are_those_of_the_naive_search(rules, data):
    history = drawn_history(data, rules)
    found = review(position_of(rules, history), time_limit=60)
    search = search_of(rules)
    for i, shot in enumerate(found.shots):
        left = frozenset(naive.fitting(naive_rows(rules), history[:i], *spoken(rules)))
        before = frozenset(cell for cell, _ in history[:i])
        least = min(total for _, total in search.front(left, before))
        value = {
            cell: min(total for _, total in search.after(left, before, cell))
            for cell in range(rules.board.cells)
            if cell not in before
        }
        assert shot.exact_loss == shot.lost == Fraction(value[shot.cell] - least, len(left))
        optimal = {cell for cell, total in value.items() if total == least}
        assert set(shot.optimal_cells) <= optimal
        certain = {c for c in value if all(c in naive.cells_of(row) for row in left)}
        if not certain:
            assert set(shot.optimal_cells) == optimal
    assert found.is_exact
    assert found.misses_lost == found.lost_exactly


def play_all(rules, choose):
    """The histories of a strategy against every layout, ending when the fleet is sunk."""
    for layout in naive_rows(rules):
        cells, history = [], []
        while not naive.cells_of(layout) <= set(cells):
            cell = choose(rules, tuple(history))
            history.append((cell, naive.answer(layout, cells, cell, *spoken(rules))))
            cells.append(cell)
        yield history


def in_reading_order(rules, history):
    """A player who does not think."""
    return len(history)


def backwards_by_parity(rules, history):
    """Another one: every other cell first, from the end."""
    shot = {cell for cell, _ in history}
    cells = range(rules.board.cells)
    return max((c for c in cells if c not in shot), key=lambda c: (c % 2, c))


def likeliest(rules, history):
    """A player who takes the likeliest cell."""
    return first_best(rules, history, 0)


def optimal(rules, history):
    """A player without fault."""
    return first_best(rules, history, 60)


@cache
def first_best(rules, history, seconds):
    """The first of the best cells of a program's advice."""
    from seabattle.solver.advice import CounterAdviser

    return (
        CounterAdviser(rules, time_limit=seconds).advise(position_of(rules, history)).best_cells[0]
    )


@pytest.mark.parametrize("choose", [in_reading_order, backwards_by_parity, likeliest, optimal])
@pytest.mark.parametrize("rules", some(PLAYED, 3), ids=str)
def test_laws_over_all_layouts(rules, choose):
    """Luck has mean 0, and losses add up to what is missed more than the optimum, exactly."""
    reviews = [review(position_of(rules, h), time_limit=60) for h in play_all(rules, choose)]
    assert sum(found.luck for found in reviews) == 0
    assert all(found.is_exact for found in reviews)
    least = solve(rules).total_misses
    missed = sum(found.misses for found in reviews)
    assert missed - least == sum(found.misses_lost for found in reviews)
    for found in reviews:
        assert list(found.mistakes) == sorted(
            (s for s in found.shots if s.lost), key=lambda s: (-s.lost, s.number)
        )
        if choose is optimal:
            assert found.misses_lost == 0
            assert found.mistakes == ()
            assert missed == least
        if choose is likeliest:
            assert all(shot.lost_at_once == 0 for shot in found.shots)


@examples(60)
@given(
    st.sampled_from(LISTED),
    st.sampled_from(list(Contact)),
    st.sampled_from(list(AnswerMode)),
    st.data(),
)
def test_under_a_prior(game, contact, answers, data):
    rules = Rules(*game, contact, answers)
    rows = naive_rows(rules)
    if not rows:
        return
    history = drawn_history(data, rules, most=6)
    weights = [data.draw(st.integers(1, 4)) for _ in range(rules.board.cells)]
    prior = ProductPrior.of_cells(rules, weights, name="mine")
    placements = placement_table(rules).placements
    weigh = naive_priors.by_ships(
        {frozenset(p.cells): Fraction(np.prod([weights[c] for c in p.cells]).item())
         for p in placements}
    )  # fmt: skip
    found = review(position_of(rules, history), prior=prior, time_limit=0)
    assert found.prior_name == "mine"
    for i, shot in enumerate(found.shots):
        left = sorted(naive.fitting(rows, history[:i], *spoken(rules)), key=str)
        chances = naive_priors.cell_chances(left, weigh, rules.board.cells)
        free = [c for c in range(rules.board.cells) if c not in {c for c, _ in history[:i]}]
        unsure = max((chances[cell] for cell in free if chances[cell] < 1), default=0)
        assert shot.layouts_before == len(left)
        assert shot.chance == pytest.approx(float(chances[shot.cell]))
        assert shot.best_chance == pytest.approx(float(max(chances[cell] for cell in free)))
        assert shot.is_certain == (chances[shot.cell] == 1)
        lost = 0 if shot.is_certain else float(unsure - chances[shot.cell])
        assert shot.lost_at_once == pytest.approx(lost)
        assert (shot.lost_at_once == 0) == (lost == 0)
        assert shot.exact_loss == (1 if chances[shot.cell] == 0 else None)


def test_what_a_review_says():
    rules = Rules("4x4", "3,2,1", answers="sunk")
    found = review(Position.in_order(rules, "B2 miss, A1 hit, A2 hit"))
    values = solve(rules, values=True)
    b2 = found.shots[0]
    assert b2.exact_loss == Fraction(values.values[5] - values.total_misses, 176) == Fraction(9, 16)
    assert found.mistakes[0] is b2
    assert b2.optimal_shots == values.best_shots
    assert repr(found) == "<review of 3 shots: 0.5840 misses lost; luck +0.7463 hits>"
    assert repr(b2) == ("<shot 1, B2 miss: chance 0.1591 of 0.5000, 0.5625 misses lost exactly>")
    document = found.document()
    assert document["misses_lost"] == float(found.misses_lost)
    assert document["mistakes"] == [1, 3, 2]
    assert document["shots"][0] == {
        "number": 1,
        "cell": "B2",
        "answer": "miss",
        "chance": 28 / 176,
        "best_chance": 0.5,
        "best": ["A1", "D1", "A4", "D4"],
        "certain": False,
        "layouts_before": 176,
        "layouts_after": 148,
        "lost": 0.5625,
        "exact": True,
        "lost_at_once": 60 / 176,
        "optimal": ["A1", "D1", "A4", "D4"],
    }
    quick = review(found.position, time_limit=0)
    assert repr(quick).startswith("<review of 3 shots: 0.3409 misses lost, at once; ")
    assert "optimal" not in quick.document()["shots"][0]
    assert "at once" in quick._repr_html_()
    assert "exactly" in found._repr_html_()
    assert [percent(1 - 1e-12), percent(0.0), percent(Fraction(1))] == ["100", "0", "100"]


def test_the_end_of_a_large_game_is_exact():
    rules = Rules("10x10", "2,1", answers="sunk")
    position = Position.in_order(
        rules, "A1 miss, J10 sunk, E5 hit, E4 miss, D5 miss, A9 miss, F5 sunk"
    )
    found = review(position, time_limit=2)
    exact = [shot.number for shot in found.shots if shot.exact_loss is not None]
    assert exact == [4, 5, 6, 7]
    assert [shot.lost for shot in found.shots[3:]] == [0, 0, 1, 0]
    assert found.mistakes[0].name == "A9"
    assert not found.is_exact
    assert ", partly at once" in repr(found)


def test_a_review_that_is_stopped_keeps_what_is_done():
    rules = Rules("4x4", "3,2,1", answers="sunk")
    position = Position.in_order(rules, "B2 miss, A1 hit, A2 hit, C4 miss")
    whole = review(position, time_limit=0)
    told = []

    def progress(what, number, count):
        told.append((what, number, count))

    found = review(position, progress=progress, stop=lambda: len(told) >= 3)
    assert told == [("chances", 1, 4), ("chances", 2, 4), ("chances", 3, 4)]
    assert found.stopped_by == "stopped by Ctrl-C"
    assert found.shots == whole.shots[:1]
    told.clear()
    found = review(position, progress=progress, stop=lambda: len(told) >= 6)
    assert [what for what, *_ in told] == ["chances"] * 4 + ["exact play"] * 2
    assert len(found.shots) == 4
    assert found.stopped_by
    assert found.shots[:2] == whole.shots[:2]
    assert found.shots[3].optimal_cells is not None
    told.clear()
    assert review(position, progress=progress).stopped_by == ""
    assert told[-1] == ("exact play", 1, 4)
    assert review(position, stop=lambda: True).shots == ()


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (Rules("3x3", "3,1,1"), "there is no shot to review"),
        (
            Position.of_cells(Rules("3x3", "3,2", "sides", "sunk"), sunk=["A1:A2"]),
            "needs the order of the shots, which is not known",
        ),
        (
            Position.in_order(Rules("3x3", "1"), "A1 hit, B2 miss, C3 miss"),
            "shot 2 at B2: the fleet was sunk before it",
        ),
        (
            Position.in_order(Rules("3x3", "3,1,1", answers="sunk"), "A1 miss, A3 miss, C1 miss"),
            "no layout of 3,1,1 fits these answers: A1 miss, A3 miss, C1 miss",
        ),
    ],
)
def test_what_is_no_history_is_refused(game, why):
    with pytest.raises(PositionError, match=why):
        review(game)
