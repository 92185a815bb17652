"""Complete strategy files as a page holds them: unpacked again, and what is refused."""

from __future__ import annotations

import base64
import gzip
from pathlib import Path

import numpy as np
import pytest

from seabattle.enumerate import errors
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.studies.building import build_strategy
from seabattle.trees.page.complete_files import complete_document
from seabattle.trees.page.explorer import explorer_page

SUNK = Rules("4x4", "3,2,1", answers="sunk")
SHIP = Rules("4x4", "2,2,1", answers="ship")
WIDE = Rules("6x7", "4")


def numbers(data: bytes) -> list[int]:
    """Variable-length numbers, read one byte after the other."""
    found, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            found.append(value)
            value = shift = 0
    return found


@pytest.mark.parametrize("rules", [SUNK, SHIP, WIDE], ids=str)
def test_the_arrays_are_there_in_their_order(tmp_path: Path, rules: Rules) -> None:
    shots = [("D3", "hit")] if rules is WIDE else []  # else there are far too many positions
    strategy = build_strategy(Position.read(rules, shots), tmp_path / "file", complete=True)
    document = complete_document(strategy, checked=True)
    data = gzip.decompress(base64.b64decode(document["packed"]))
    n, used = strategy.states, document["bytes"]
    assert list(data[:n]) == strategy.shots.tolist()
    planes = np.frombuffer(data[n : n * (1 + used)], dtype=np.uint8).reshape(used, n)
    assert sum(planes[b].astype(int) << 8 * b for b in range(used)).tolist() == (
        strategy.values.tolist()
    )
    words = numbers(data[n * (1 + used) :])
    assert np.cumsum(np.array(words[:n], dtype=np.uint64)).tolist() == strategy.keys.low.tolist()
    assert words[n:] == strategy.keys.high.tolist()
    assert document["words"] == (1 if rules is SUNK else 2)
    assert document["wide"] is (rules is WIDE)


def test_files_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    strategy = build_strategy(SUNK, tmp_path / "whole", complete=True)
    part = build_strategy(SUNK, tmp_path / "part")
    with pytest.raises(errors.StrategyError, match="needs a file of every position"):
        explorer_page([part.tree()], files=[part])
    with pytest.raises(errors.TreeError, match="is not the file of its strategy"):
        explorer_page([greedy_tree(SUNK, "half")], files=[strategy])
    with pytest.raises(errors.TreeError, match="2 strategy files for 1 strategies"):
        explorer_page([strategy.tree()], files=[strategy, None])
    assert complete_document(strategy, checked=True, most_bytes=3000) == {
        "left_out": strategy.states
    }
