"""The counter: counts, maps and samples agree with listing every layout."""

from collections import Counter as Tally
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2
from support.examples import examples
from support.known_answers import known
from twins import naive
from twins.naive_trees import naive_rows, position_of, spoken

from seabattle.enumerate.answers import HIT, MISS, is_sunk, possible_answers
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.counting.frontier import Frontier
from seabattle.enumerate.counting.sweep import Sweep
from seabattle.enumerate.deductions import constrain
from seabattle.enumerate.errors import FleetError, PositionError, TooLargeError
from seabattle.enumerate.layouts import enumerate_layouts, fitting
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Announce, AnswerMode, Contact, Rules

GAMES = [
    ("3x3", "3,2,1"),
    ("3x4", "2,1"),
    ("2x5", "2,2,1"),
    ("4x4", "3,2"),
    ("4x3", "2,2"),
    ("1x6", "2,1"),
    ("6x1", "3,1"),
    ("4x4", "2,1,1"),
]
RUSSIAN, HASBRO = Rules("10x10", "russian"), Rules("10x10", "hasbro")

any_game = (
    st.sampled_from(GAMES),
    st.sampled_from(list(Contact)),
    st.sampled_from(list(AnswerMode)),
    st.sampled_from(list(Announce)),
)


def cells_count(rules, rows):
    """Naive occupancy: how many of the layouts occupy each cell."""
    met = Tally(cell for row in rows for ship in row for cell in ship)
    return tuple(met[cell] for cell in range(rules.board.cells))


def naive_history(rules, rows, data):
    """Shots answered by one layout, the history as cells and texts."""
    target = data.draw(st.sampled_from(rows))
    cells = data.draw(st.lists(st.integers(0, rules.board.cells - 1), unique=True, max_size=9))
    return [
        (cell, naive.answer(target, cells[:i], cell, *spoken(rules)))
        for i, cell in enumerate(cells)
    ]


@examples(300)
@given(*any_game, st.data())
def test_maps_are_those_of_the_layouts_that_fit(game, contact, answers, announce, data):
    rules = Rules(*game, contact, answers, announce)
    rows = naive_rows(rules)
    if not rows:
        with pytest.raises(FleetError, match="no layout"):
            Counter(rules).map()
        return
    history = naive_history(rules, rows, data)
    expected = naive.fitting(rows, history, *spoken(rules))
    position = position_of(rules, history)
    found = Counter(position).map()
    assert found.layouts == len(expected) == Counter(position).count()
    assert found.cells == cells_count(rules, expected)
    table = placement_table(rules)
    ships = Tally(frozenset(ship) for row in expected for ship in row)
    assert found.placements == tuple(ships[frozenset(p.cells)] for p in table.placements)


def some_order_fits(row, cells, told, rules):
    """Whether a layout gives these answers to the cells in some order: a slow, obvious check.

    Ships do not speak for each other, so an order of each ship's own hits decides.
    """
    from itertools import permutations

    for ship in row:
        mine = [cell for cell in cells if cell in ship]
        if not any(
            all(
                naive.answer(row, order[:i], cell, *spoken(rules)) == told[cell]
                or (told[cell] == "sunk" and set(ship) == set(order[: i + 1]))
                for i, cell in enumerate(order)
            )
            for order in permutations(mine)
        ):
            return False
    occupied = {cell for ship in row for cell in ship}
    return all((told[cell] != "miss") == (cell in occupied) for cell in cells)


@examples(150)
@given(
    st.sampled_from(GAMES),
    st.sampled_from(list(Contact)),
    st.sampled_from(list(Announce)),
    st.booleans(),
    st.data(),
)
def test_cells_without_order_count_what_fits_some_order(game, contact, announce, told_length, data):
    rules = Rules(*game, contact, "sunk", announce)
    rows = naive_rows(rules)
    if not rows:
        return
    told = dict(naive_history(rules, rows, data))
    name = rules.board.name
    sunk_at = []
    for cell, text in told.items():
        if text.startswith("sunk"):
            length = text.removeprefix("sunk:") if ":" in text and told_length else ""
            sunk_at.append(name(cell) + (f"={length}" if length else ""))
            if not length:
                told[cell] = "sunk"
    position = Position.of_cells(
        rules,
        miss=[name(cell) for cell, text in told.items() if text == "miss"],
        hit=[name(cell) for cell, text in told.items() if text == "hit"],
        sunk_at=sunk_at,
    )
    expected = [row for row in rows if some_order_fits(row, list(told), told, rules)]
    assert expected
    found = Counter(position).map()
    assert found.layouts == len(expected)
    assert found.cells == cells_count(rules, expected)
    layouts = enumerate_layouts(rules)
    assert int(fitting(position, layouts).sum()) == len(expected)


@examples(60)
@given(st.sampled_from(GAMES), st.sampled_from(list(Contact)), st.data())
def test_known_sunk_ships_leave_the_layouts_that_have_them(game, contact, data):
    rules = Rules(*game, contact, "sunk")
    rows = naive_rows(rules)
    if not rows:
        return
    target = data.draw(st.sampled_from(rows))
    ships = data.draw(st.lists(st.sampled_from(sorted(target, key=sorted)), unique=True))
    table = placement_table(rules)
    names = [str(table.placements[table.number_of_cells(tuple(sorted(s)))]) for s in ships]
    position = Position.of_cells(rules, sunk=names)
    expected = [row for row in rows if all(ship in row for ship in ships)]
    assert Counter(position).map().cells == cells_count(rules, expected)


@examples(60)
@given(*any_game, st.data())
def test_every_way_to_sweep_gives_the_same(game, contact, answers, announce, data):
    rules = Rules(*game, contact, answers, announce)
    rows = naive_rows(rules)
    if not rows:
        return
    history = naive_history(rules, rows, data)
    position = position_of(rules, history)
    plain = constrain(position, propagate=False)
    propagated = constrain(position)
    reference = Counter(position).map()
    sure = [reference.layouts if i in propagated.fixed else 0 for i in range(len(plain.allowed))]
    for transposed, words, counted in product((False, True), (1, 2, 3), (False, True)):
        width = rules.board.rows if transposed else rules.board.columns
        steps = Frontier(width, rules.contact, rules.fleet.lengths, counted=counted)
        for constraints, known_ships in ((plain, None), (propagated, sure)):
            sweep = Sweep(
                rules,
                constraints,
                words=words,
                steps=steps,
                transposed=transposed,
                upwards=data.draw(st.booleans()),
                memory=data.draw(st.sampled_from([0, 1 << 32])),  # rows computed twice, or kept
            )
            assert sweep.total == reference.layouts
            assert sweep.count_thriftily() == reference.layouts
            counts = sweep.placement_counts()
            if known_ships is not None:
                counts = [a + b for a, b in zip(counts, known_ships, strict=True)]
            assert tuple(counts) == reference.placements


@examples(60)
@given(*any_game, st.data())
def test_the_maps_after_each_answer_add_up_to_the_map(game, contact, answers, announce, data):
    rules = Rules(*game, contact, answers, announce)
    rows = naive_rows(rules)
    if not rows:
        return
    history = naive_history(rules, rows, data)
    position = position_of(rules, history)
    free = [c for c in range(rules.board.cells) if not position.shot_mask >> c & 1]
    if not free:
        return
    cell = data.draw(st.sampled_from(free))
    counter = Counter(rules)
    whole = counter.at(position).map()
    total, sums = 0, [0] * rules.board.cells
    for code in possible_answers(rules):
        try:
            part = counter.at(position.shoot(cell, code)).map()
        except PositionError:
            continue
        total += part.layouts
        sums = [a + b for a, b in zip(sums, part.cells, strict=True)]
    assert total == whole.layouts
    assert tuple(sums) == whole.cells
    assert sum(whole.cells) == whole.layouts * rules.fleet.cells


@pytest.mark.parametrize("entry", known("layout_counts"))
def test_known_counts(entry):
    rules = Rules(entry["board"], entry["fleet"], entry["contact"])
    counter = Counter(rules)
    if "layouts" in entry:
        assert counter.count() == entry["layouts"]
    if "labelled_layouts" in entry:
        assert counter.labelled() == entry["labelled_layouts"]
    if "labelled_probability" in entry:
        found = counter.map()
        for name, chance in entry["labelled_probability"].items():
            digits = len(str(chance).partition(".")[2])
            cell = rules.board.cell(name)
            assert round(float(found.chance(cell)), digits) == chance
    assert {"layouts", "labelled_layouts", "labelled_probability"} & set(entry)


@pytest.mark.parametrize("entry", known("occupancy"))
def test_known_maps(entry):
    rules = Rules(entry["board"], entry["fleet"], entry["contact"])
    position = Position.of_cells(rules, miss=entry.get("misses", []))
    found = Counter(position).map()
    assert found.layouts == entry.get("layouts", found.layouts)
    if "map" in entry:
        assert [list(row) for row in found.occupancy] == entry["map"]
    for name, count in entry.get("cells", {}).items():
        assert found.cells[rules.board.cell(name)] == count
    assert "map" in entry or "cells" in entry


def test_totals_beyond_64_bits_are_exact():
    counter = Counter(Rules("16x12", [1] * 12, "sides"))
    assert counter.count() == comb(192, 12) > 1 << 60
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
    with pytest.raises(ValueError, match=r"^most -1"):
        counter.layouts(most=-1)


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
        ({"hit": ["A1", "B2"]}, "hits A1 and B2 touch at a corner, which contact rule 'none'"),
        ({"hit": ["A1", "A2", "A3", "A4", "A5"]}, "hits A1 A2 A3 A4 A5: the longest ship"),
        ({"hit": ["A1", "A2", "B2"]}, "hits A1 and B2 touch at a corner"),
        ({"sunk": ["A1:A5"]}, "sunk ship A1:A5: the fleet .* has no ship of length 5"),
        ({"sunk": ["A1:A4", "C1:C4"]}, "sunk ship C1:C4: .* has only 1 of length 4"),
        ({"sunk": ["A1:B2"]}, "neither in one row nor in one column"),
        ({"sunk": ["A1:A2", "B3"]}, "touch, which contact rule 'none' forbids"),
        ({"sunk": ["A1:A2"], "hit": ["A3"]}, "hit A3 beside it would belong to it"),
        ({"sunk_at": ["A1"], "hit": ["A2", "B1"]}, "sunk ship A1 B1 A2: not a straight ship"),
        ({"sunk_at": ["A1=3"], "hit": ["A2"]}, "a ship of length 2"),
        ({"miss": ["K1"]}, "off the board"),
    ],
)
def test_contradictions_are_named(known_cells, why):
    rules = RUSSIAN.answering("sunk")
    with pytest.raises(ValueError, match=why) as caught:
        Counter(Position.of_cells(rules, **known_cells)).map()
    assert "\n" not in str(caught.value)


def test_contradictions_under_sides_are_named():
    rules = Rules("10x10", "hasbro", answers="sunk")
    with pytest.raises(PositionError, match="sunk at C7: no ship of length 3 there has all"):
        Position.of_cells(rules, sunk_at=["C7=3"])
    with pytest.raises(PositionError, match="answer 'sunk:6' does not belong to these rules"):
        Position.of_cells(rules, hit=["A1", "A2", "A3", "A4", "A5"], sunk_at=["A6=6"])
    quiet = Rules("10x10", "hasbro", answers="sunk", announce="none")
    with pytest.raises(PositionError, match="no length is told; write C7 alone"):
        Position.of_cells(quiet, sunk_at=["C7=3"])


def test_boards_too_wide_are_refused_with_what_they_would_need():
    with pytest.raises(TooLargeError, match=r"shorter side is 17; at most 16 is supported"):
        Counter(Rules("17x17", "2,1"))
    with pytest.raises(
        TooLargeError, match=r"is 17; at most 16 is supported \(it .* about \S+ GiB"
    ):
        Counter(Rules("17x17", "5,4,3,3,2", "sides"))
    for width, need in ((12, "0.17"), (14, "1")):  # a frontier grows about 2.5 times per column
        told = f"needs about {need} GiB, more than the limit of 0.05"
        with pytest.raises(TooLargeError, match=told):
            Counter(Rules(f"{width}x{width}", "russian"), memory_limit=0.05)
    counter = Counter(Rules("9x9", "russian"), memory_limit=0.05)
    with pytest.raises(TooLargeError, match=r"a map needs .* GiB, .* count with --no-map"):
        counter.map()
    assert counter.count() == Counter(counter.rules).count()
    with pytest.raises(TooLargeError, match=r"ships are at most 14 long"):
        Counter(Rules("16x16", "16"))


def test_positions_are_counted_alike_in_the_middle_of_a_game():
    """A hit that sinks nothing, on 10x10: conditioning against the map without it."""
    rules = RUSSIAN.answering("sunk")
    counter = Counter(rules)
    shots = [("C1", "miss"), ("E5", "hit")]
    position = Position.read(rules, shots)
    found = counter.at(position).map()
    name = rules.board.cell
    more = {told: Position.read(rules, [*shots, ("E6", told)]) for told in ("miss", "hit", "sunk")}
    assert sum(counter.at(p).count() for p in more.values()) == found.layouts
    hits = counter.at(more["hit"]).count() + counter.at(more["sunk"]).count()
    assert hits == found.cells[name("E6")]
    assert found.cells[name("D4")] == 0
    assert found.cells[name("E5")] == found.layouts
    assert not any(is_sunk(code) or code not in (MISS, HIT) for _, code in position.shots)
