"""The counter: counts, maps and samples agree with listing every layout."""

import gc
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.games import MIDDLE, Game, games, law
from scipy.stats import chi2

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.counting.frontier import Frontier, grid
from seabattle.enumerate.counting.sweep import Sweep, Workspace
from seabattle.enumerate.deductions import constrain
from seabattle.enumerate.errors import FleetError, TooLargeError
from seabattle.enumerate.layouts import enumerate_layouts, fitting
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import ContactName, Rules

RUSSIAN, HASBRO = Rules("10x10", "russian"), Rules("10x10", "hasbro")


@law(60)
@given(games(size=MIDDLE, priors=False, over=True))
def test_every_way_to_sweep_gives_the_same(game: Game) -> None:
    """In sums of any width, with or without a count of the ships, a map before or after."""
    rules, position = game.rules, game.position
    plain, propagated = constrain(position, propagate=False), constrain(position)
    reference = Counter(position).map()
    sure = [reference.layouts if i in propagated.fixed else 0 for i in range(len(plain.allowed))]
    for words, counted in product((1, 2, 3), (False, True)):
        space = Workspace(rules, Frontier(grid(rules).ships, counted=counted))
        for constraints, known_ships in ((plain, [0] * len(sure)), (propagated, sure)):
            sweep = Sweep(space, constraints, words=words)
            assert sweep.total == sweep.count() == reference.layouts
            counts = zip(sweep.placement_sums(), known_ships, strict=True)
            assert tuple(a + b for a, b in counts) == reference.placements
            assert Sweep(space, constraints).total == sweep.total


@law(25)
@given(games(size=MIDDLE), st.data())
def test_a_counter_goes_from_position_to_position(game: Game, data: st.DataObject) -> None:
    """What it keeps of sweeps and samples before is as summed up anew."""
    counter = Counter(game.rules, prior=game.prior)
    told = [(game.rules.board.name(cell), answer) for cell, answer in game.history]
    for shots in data.draw(st.permutations(range(len(told) + 1))):
        position = Position.read(game.rules, told[:shots])
        found, anew = counter.at(position).map(), Counter(position, prior=game.prior).map()
        assert (found.layouts, found.placements) == (anew.layouts, anew.placements)
        here, alone = counter.at(position), Counter(position, prior=game.prior)
        for seed in range(3):
            assert (here.sample(3, seed) == alone.sample(3, seed)).all()
            if seed:
                counter.map()  # in the same memory


@pytest.mark.parametrize("contact", ["none", "corners", "sides"])
def test_a_board_without_room_for_any_ship_has_no_layout(contact: ContactName) -> None:
    """Every placement lies on a blocked cell, so that a sweep has no shapes."""
    counter = Counter(Rules("2x2", "2", contact, blocked=["A1", "B2"]))
    assert counter.count() == 0
    with pytest.raises(FleetError, match="there is no layout"):
        counter.map()


def test_totals_beyond_64_bits_are_exact():
    counter = Counter(Rules("16x12", [1] * 12, "sides"))
    assert counter.count() == comb(192, 12) > 1 << 60
    assert Counter(Rules("16x16", [1] * 30, "sides")).count() == comb(256, 30) > 1 << 128
    big = Counter(Rules("16x16", [1] * 14, "sides"))
    found = big.map()
    assert found.layouts == comb(256, 14) > 1 << 70
    assert set(found.cells) == {comb(255, 13)}
    drawn = big.sample(500, 5)
    assert len(np.unique(drawn, axis=0)) == 500
    assert (np.diff(drawn.astype(int), axis=1) > 0).all()
    met = np.bincount(drawn.ravel(), minlength=256)
    assert chi2.sf(((met - 500 * 14 / 256) ** 2 / (500 * 14 / 256)).sum(), 255) > 1e-4


@pytest.mark.parametrize(
    ("rules", "shots"),
    [
        (Rules("4x4", "2,1", "none"), []),
        (Rules("4x4", "2,1,1", "none", "sunk"), [("A1", "miss"), ("B2", "hit")]),
        (Rules("4x4", "3,2", "sides", "sunk"), [("B1", "hit"), ("B2", "hit"), ("C3", "miss")]),
    ],
)
def test_every_layout_is_drawn_equally_often(rules, shots):
    position = Position.read(rules, shots)
    layouts = enumerate_layouts(rules)
    fit = layouts.ships[fitting(position, layouts) == 1]
    number = {tuple(row): i for i, row in enumerate(fit.tolist())}
    drawn = Counter(position).sample(200 * len(fit), np.random.default_rng(7))
    met = np.bincount([number[tuple(row)] for row in drawn.tolist()], minlength=len(fit))
    statistic = float(((met - 200) ** 2 / 200).sum())
    assert 1e-4 < chi2.sf(statistic, len(fit) - 1) < 1 - 1e-4


def test_no_more_layouts_are_listed_than_asked_for():
    counter = Counter(Rules("2x3", "2,1"))
    count = counter.count()
    assert len(counter.layouts(most=count)) == count
    for most in (0, count - 1):
        with pytest.raises(TooLargeError, match=f"{count} layouts fit, and at most {most} are"):
            counter.layouts(most=most)


def test_labelled_layouts_tell_apart_ships_not_sunk():
    none = Rules("4x4", "2,2,1", "none", "sunk")
    counter = Counter(none)
    assert counter.labelled() == 2 * counter.count()
    after = Position.of_cells(none, sunk=["A1:A2"])
    assert counter.at(after).labelled() == counter.at(after).count()
    ship = Rules("4x4", "2,2,1", "none", "ship")
    named = Position.of_cells(ship, named=["A1=2#1"])
    assert Counter(named).labelled() == 2 * Counter(named).count()
    both = Position.of_cells(ship, named=["A1=2#1", "A2=2#1"])
    assert Counter(both).labelled() == Counter(both).count()
    sure = Position.of_cells(Rules("1x8", "3,3", "none", "ship"), named=["A1=3#1", "C1=3#1"])
    assert Counter(sure).labelled() == 2 * Counter(sure).count()


def test_labelled_layouts_sum_over_the_ships_a_sinking_may_mean():
    rules = Rules("3x3", "3,2,2", "sides", "sunk", "none")
    shots = [("A1", "hit"), ("A2", "hit"), ("B1", "hit"), ("C1", "sunk")]
    position = Position.read(rules, shots)
    expected = 0
    layouts = enumerate_layouts(rules)
    table = placement_table(rules)
    for row in layouts.ships[fitting(position, layouts) == 1].tolist():
        sunk = next(p for p in map(table.placements.__getitem__, row) if 2 in p.cells)
        expected += 2 if sunk.length == 3 else 1
    assert Counter(position).labelled() == expected
    assert expected > int(fitting(position, layouts).sum())


@pytest.mark.parametrize(
    ("known_cells", "why"),
    [
        ({"hit": ["A1"], "miss": ["A1"]}, "A1 is given twice, as miss and as hit"),
        ({"hit": ["A1", "B2"]}, "hit A1: no ship can lie there"),
        ({"sunk": ["A1:A5"]}, "sunk ships of length 5: 1, and"),
        ({"sunk": ["A1:A2", "B3"]}, "hit A1: no ship can lie there"),
        ({"sunk": ["A1:A2"], "hit": ["A3"]}, "hit A3 beside it would belong to it"),
        ({"sunk_at": ["A1"], "hit": ["A2", "B1"]}, "hit A2: no ship can lie there"),
        ({"sunk_at": ["A1=3"], "hit": ["A2"]}, "a ship of length 2"),
    ],
)
def test_contradictions_are_named(known_cells, why):
    rules = RUSSIAN.answering("sunk")
    with pytest.raises(ValueError, match=why) as caught:
        Counter(Position.of_cells(rules, **known_cells)).map()
    assert "\n" not in str(caught.value)


def test_boards_too_wide_are_refused():
    with pytest.raises(TooLargeError, match=r"shorter side is 17; at most 16 is supported"):
        Counter(Rules("17x17", "2,1")).count()
    with pytest.raises(TooLargeError, match=r"a board 12 wide .* raise --memory-limit"):
        Counter(Rules("12x12", "russian"), memory_limit=0.02).count()
    counter = Counter(Rules("9x9", "russian"), memory_limit=0.05)
    with pytest.raises(TooLargeError, match=r"a map needs .* GiB, .* count with --no-map"):
        counter.map()
    assert counter.count() == Counter(counter.rules).count()
    with pytest.raises(TooLargeError, match=r"does not fit in 128 bits"):
        Counter(Rules("16x16", "16")).count()


def test_what_a_sweep_holds_is_let_go_at_once():
    """Hundreds of MB on a full board, which would stay until the collector of cycles comes by."""

    def sweeps():
        return sum(isinstance(held, Sweep) for held in gc.get_objects())

    gc.collect()
    gc.disable()
    try:
        before = sweeps()
        Counter(Rules("5x5", "3,2")).map()
        assert sweeps() == before
    finally:
        gc.enable()
