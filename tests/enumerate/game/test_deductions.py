"""What a position says about each placement, beside a twin that looks at one after another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from support.random_games import random_positions

from seabattle.enumerate.answers import possible_answers
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.deductions import (
    Constraints,
    check_answers,
    constrain,
    placement_masks,
)
from seabattle.enumerate.errors import PositionError
from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules

GAMES = [
    Rules(board, fleet, contact, answers)
    for board, fleet in (("4x4", "3,2,1"), ("3x5", "2,2,1"), ("5x5", "3,2,2"))
    for contact in ("none", "corners", "sides")
    for answers in ("hit", "sunk", "ship")
]


def naive_constrain(position: Position) -> Constraints:
    """``constrain``, one placement after another, from the placements allowed."""
    masks, halos, lengths = placement_masks(position.rules)
    allowed = set(np.flatnonzero(check_answers(position)).tolist())
    left, required, fixed = dict(position.rules.fleet.counts), position.hit_mask, []
    while True:
        for cell in cells_of(required):
            ways = [i for i in sorted(allowed) if masks[i] >> cell & 1]
            if len(ways) <= 1:
                break
        else:
            break
        if not ways:
            raise PositionError("no ship")
        fixed += ways
        required &= ~masks[ways[0]]
        left[lengths[ways[0]]] -= 1
        allowed = {i for i in allowed if not masks[i] & halos[ways[0]] and left[lengths[i]] != 0}
        if left[lengths[ways[0]]] < 0:
            raise PositionError("too many")
    numbers = np.array([i in allowed for i in range(len(masks))], dtype=np.uint8)
    return Constraints(numbers, required, left, tuple(sorted(fixed)))


def some_positions(rules: Rules) -> Iterator[Position]:
    """Positions of games, and the same with one answer changed."""
    rng = np.random.default_rng(8)
    answers = possible_answers(rules)
    for position in random_positions(rules, enumerate_layouts(rules).ships, 25, seed=1):
        yield position
        if position.shots:
            shots = list(position.shots)
            at = int(rng.integers(len(shots)))
            shots[at] = (shots[at][0], answers[int(rng.integers(len(answers)))])
            yield Position(rules, tuple(shots), ordered=bool(rng.integers(2)))


@pytest.mark.parametrize("rules", GAMES, ids=repr)
def test_constraints_are_those_of_the_twin(rules: Rules) -> None:
    contradicted = 0
    for position in some_positions(rules):
        try:
            expected = naive_constrain(position)
        except PositionError:
            with pytest.raises(PositionError, match="fits these answers"):
                constrain(position)
            contradicted += 1
            continue
        found = constrain(position)
        assert found.allowed.tolist() == expected.allowed.tolist(), position
        assert found.allowed.dtype == np.uint8
        assert (found.required, found.left, found.fixed) == (
            expected.required,
            expected.left,
            expected.fixed,
        )
    assert contradicted or rules.answers == "hit"
