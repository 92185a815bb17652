"""Limits and seeds that make no sense: every public function names the argument, in one line."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import pytest

import seabattle
from seabattle import Position, Rules, SeabattleError

RULES = Rules("3x3", "2,1")
TREE = seabattle.solve(RULES).tree
NUMBERS = {
    "time_limit": (-1, math.nan),
    "memory_limit": (-1, math.nan),
    "seed": (-1,),
    "threads": (0, -1),
    "workers": (0, -1),
    "games": (0, -1),
    "boards": (-1,),
    "gap": (0, math.nan),
    "tolerance": (-1, math.nan),
    "smoothing": (-1, math.nan),
}
"""Arguments that every function means alike, and values that are out of their range."""

GIVEN: dict[str, tuple[Any, ...]] = {
    "Engine": (),
    "build_strategy": (RULES, "never-written"),
    "conflict": (Position.in_order(RULES, "A1 hit, B2 hit, C3 hit"),),
    "fit_frequencies": (RULES, [[3 / 9] * 3] * 3),
    "fit_layouts": (RULES, ["A1:A2 C3"]),
    "review": (Position.in_order(RULES, "A1 miss"),),
    "tournament": (RULES, ["random"]),
    "verify": (TREE,),
}
"""What is given besides, where it is not the rules alone."""

OTHERS = {"FleetsCounter", "check_proof"}
"""The first has games as ``games``; the second reads its file before its limit is of use."""


def arguments() -> list[tuple[str, str, float]]:
    """Every public function or class with such an argument, and what it is not to take."""
    found = []
    for name in seabattle.__all__:
        made: Callable[..., object] = getattr(seabattle, name)
        if not callable(made) or hasattr(made, "__dataclass_fields__") or name in OTHERS:
            continue  # a dataclass is a result
        try:
            signature = inspect.signature(made)
        except ValueError:
            continue
        for argument in NUMBERS.keys() & signature.parameters.keys():
            found += [(name, argument, value) for value in NUMBERS[argument]]
    return sorted(found, key=str)


@pytest.mark.parametrize(("name", "argument", "value"), arguments())
def test_a_number_out_of_range_is_refused_by_its_name(
    name: str, argument: str, value: float
) -> None:
    made = getattr(seabattle, name)
    with pytest.raises(SeabattleError, match=rf"^{argument} {value}: must be [^\n]*\Z"):
        made(*GIVEN.get(name, (RULES,)), **{argument: value})
