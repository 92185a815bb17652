"""How fleets are hidden: by the three ways, the same for a seed, and refused with a reason."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from seabattle.enumerate.errors import FleetError, RulesError
from seabattle.enumerate.layouts import count_layouts, enumerate_layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.equilibrium.mixed_player import refuses
from seabattle.solver.hiding import (
    MOST_MIXED,
    SUMMARIES,
    Hiding,
    draw_from_mix,
    draw_layout,
    why_not_hidden,
)

SMALL = Rules("3x3", "3,1,1")


def test_a_seed_draws_the_same_layout() -> None:
    rules = Rules("4x4", "3,2,1")
    drawn = [draw_layout(rules, "random", seed) for seed in range(40)]
    assert drawn == [draw_layout(rules, "random", seed) for seed in range(40)]
    assert len({layout.ships for layout in drawn}) > 20
    for layout in drawn:
        assert placement_table(rules).parse_layout(layout.names) == tuple(sorted(layout.ships))
        assert layout.chance == pytest.approx(1 / 176)


def test_every_layout_is_equally_likely_at_random() -> None:
    seen = Counter(tuple(sorted(draw_layout(SMALL, "random", seed).ships)) for seed in range(800))
    assert set(seen) == {tuple(row) for row in enumerate_layouts(SMALL).ships.tolist()}
    assert all(150 < number < 250 for number in seen.values())


def test_the_mix_is_drawn_by_its_chances() -> None:
    rules = Rules("3x4", "2,1")
    solved = equilibrium(rules)
    generator = np.random.default_rng(1)
    drawn = [draw_from_mix(solved, generator) for _ in range(200)]
    numbers = {tuple(row): n for n, row in enumerate(solved.layouts.ships.tolist())}
    for layout in drawn:
        assert layout.chance == float(solved.hiding_chance(numbers[layout.ships])) > 0
    assert draw_layout(rules, "equilibrium", 3).how == drawn[0].how
    assert "4.3378 times or more on average" in drawn[0].promise


def test_people_hide_on_the_board_that_is_known_of_them() -> None:
    drawn = draw_layout(Rules(fleet="hasbro"), "people", 2)
    assert drawn.how == "by the prior people"
    assert drawn.names == ["A10:E10", "I4:I7", "H3:J3", "A5:C5", "J1:J2"]


def test_every_way_has_a_summary() -> None:
    assert set(SUMMARIES) == set(Hiding)


@pytest.mark.parametrize(
    ("rules", "ways"),
    [
        (Rules("4x4", "3,2,1"), {"random", "equilibrium"}),
        (Rules("5x5", "3,2,2,1,1,1"), {"random"}),
        (Rules("4x4", "3,2", "sides", "sunk"), {"random"}),
        (Rules(fleet="hasbro"), {"random", "people"}),
        (Rules(fleet="russian"), {"random"}),
        (Rules("20x20", "5,4"), {"random"}),
    ],
)
def test_ways_that_cannot_be_had_are_refused(rules: Rules, ways: set[str]) -> None:
    assert {way.value for way in Hiding if not why_not_hidden(rules, way)} == ways
    for way in set(Hiding) - {Hiding(name) for name in ways}:
        with pytest.raises(RulesError, match=f"hiding '{way}' cannot be had for .*: "):
            draw_layout(rules, way)


def test_nobody_waits_for_mixes() -> None:
    rules = Rules("5x5", "4,2", answers="sunk")
    assert not refuses(rules, Position(rules))
    assert count_layouts(rules) > MOST_MIXED
    assert why_not_hidden(rules, "equilibrium") == (
        f"the mixes are found in a moment among at most {MOST_MIXED} layouts only"
    )


def test_bad_input_is_named() -> None:
    with pytest.raises(RulesError, match="hiding 'cellar' is unknown; the hidings are random"):
        draw_layout(SMALL, "cellar")
    with pytest.raises(FleetError, match="no layout on the board 3x3"):
        draw_layout(Rules("3x3", "3,3,1"))
    with pytest.raises(TypeError, match="rules: give Rules"):
        draw_layout("3x3")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="seed"):
        draw_layout(SMALL, seed="one")  # type: ignore[arg-type]
