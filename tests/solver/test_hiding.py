"""How fleets are hidden: by the equilibrium where there is one, at random, and as people do."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from seabattle.enumerate.errors import FleetError, RulesError
from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Rules
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.hiding import WAYS, draw_from_mix, draw_layout

SMALL = Rules("3x3", "3,1,1")


def test_a_seed_draws_the_same_layout() -> None:
    rules = Rules("4x4", "3,2,1")
    drawn = [draw_layout(rules, "random", seed) for seed in range(40)]
    assert drawn[:3] == [draw_layout(rules, "random", seed) for seed in range(3)]
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
    assert "4.3378 times or more on average" in drawn[0].promise
    for hiding in (None, "equilibrium"):  # what is small is solved, asked for or not
        assert draw_layout(rules, hiding, 3).how == drawn[0].how
    assert list(drawn[0].document()) == ["layout", "probability", "drawn", "value", "gap"]


def test_what_cannot_be_solved_is_drawn_uniformly() -> None:
    for rules in (Rules("4x4", "3,2", "sides", "sunk"), Rules(fleet="russian")):
        assert draw_layout(rules).how.startswith("uniformly among ")


def test_people_hide_on_the_board_that_is_known_of_them() -> None:
    drawn = draw_layout(Rules(fleet="hasbro"), "people", 2)
    assert drawn.how == "by the prior people"
    assert drawn.names == ["A10:E10", "I4:I7", "H3:J3", "A5:C5", "J1:J2"]


@pytest.mark.parametrize(
    ("rules", "refused"),
    [
        (Rules("4x4", "3,2,1"), ["people"]),
        (Rules("4x4", "3,2", "sides", "sunk"), ["people", "equilibrium"]),
        (Rules(fleet="hasbro"), ["equilibrium"]),
        (Rules("20x20", "5,4"), ["people", "equilibrium"]),
        (Rules("5x5", "3,2,2,1"), ["people", "equilibrium"]),
    ],
)
def test_ways_that_cannot_be_had_are_refused(rules: Rules, refused: list[str]) -> None:
    for way in WAYS:
        if way in refused:
            with pytest.raises(RulesError, match=f"hiding '{way}' cannot be had for .*: "):
                draw_layout(rules, way)
        else:
            assert draw_layout(rules, way).rules == rules
    with pytest.raises(RulesError, match="hiding 'cellar' is unknown; the ways are random"):
        draw_layout(SMALL, "cellar")
    with pytest.raises(FleetError, match="does not fit on the board 3x3"):
        draw_layout(Rules("3x3", "3,3,1"))
