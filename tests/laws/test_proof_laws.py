"""Laws of proofs: both checkers accept that of every solve, and none of more misses."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from laws.games import MODES, Game, games, law
from support.proof_checkers import (
    fault_found,
    fault_found_alone,
    faults,
    with_header,
)

from seabattle import solve


def drawn_alone(game: Game) -> bool:
    """Whether the checker of one file knows the ships."""
    return game.rules.fleet.all_lines


def proof_of(game: Game, objective: str, path: Path) -> list[str]:
    """The lines of the proof of a game, which is what its twin says."""
    solution = solve(game.table, objective, proof=path, threads=1)
    lines = path.read_text("ascii").splitlines()
    claim = json.loads(lines[0])["claim"]
    assert claim == solution.lower_bound == solution.upper_bound
    if not game.kind:
        assert claim == game.optimum[objective]
    assert solution.lemmas == len(lines) - 1
    return lines


@pytest.mark.parametrize("mode", MODES)
@law(20)
@given(st.data(), st.sampled_from(("mean", "worst")))
def test_proofs_hold_and_false_ones_do_not(mode: str, data: st.DataObject, objective: str) -> None:
    game = data.draw(games(modes=(mode,)))
    assume(not game.rules.order_matters)
    chance = Random(data.draw(st.integers(0, 2**32 - 1)))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "proof.txt"
        lines = proof_of(game, objective, path)
        assert fault_found(path) == ""
        alone = drawn_alone(game)
        assert not alone or fault_found_alone(lines) == ""
        claim = json.loads(lines[0])["claim"]
        false = [with_header(lines, claim=claim + 1)]
        for number in chance.sample(range(1, len(lines)), min(3, len(lines) - 1)):
            *known, bound = lines[number].split(" ")
            higher = " ".join([*known, str(int(bound) + 1)])
            false.append([*lines[:number], higher, *lines[number + 1 :]])
            false.append([*lines[:number], *lines[number + 1 :]])
        for changed in false:
            found, found_alone = faults(changed, path)
            assert not alone or bool(found) == bool(found_alone), (found, found_alone, changed)
        assert faults(false[0], path)[0]
