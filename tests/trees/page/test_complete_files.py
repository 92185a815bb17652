"""Complete strategy files as a page holds them: unpacked again, and what is refused."""

from __future__ import annotations

import base64
import gzip
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from seabattle.cli.commands import commands
from seabattle.enumerate import errors
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.studies.building import build_strategy
from seabattle.trees.page.complete_files import complete_document, variable_length
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


def test_variable_length_numbers_are_read_back() -> None:
    given = [0, 1, 127, 128, 16383, 16384, 2**32 - 1, 2**32, 2**53, 2**63, 2**64 - 1]
    assert numbers(variable_length(np.array(given, dtype=np.uint64))) == given
    assert variable_length(np.empty(0, dtype=np.uint64)) == b""


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
    with pytest.raises(TypeError, match=r"^files: give an open Strategy or None"):
        explorer_page([strategy.tree()], files=["whole"])
    assert complete_document(strategy, checked=True, most_bytes=3000) == {
        "left_out": strategy.states
    }


def test_the_command_verifies_the_file_and_says_what_became_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_strategy(SUNK, tmp_path / "whole", complete=True)
    command = ["explore", str(tmp_path / "whole"), "-o", str(tmp_path / "page.html")]
    done = CliRunner().invoke(commands, command)
    assert done.exit_code == 0
    assert "2,146 states, verified" in done.output
    monkeypatch.setattr("seabattle.trees.page.explorer.MOST_BYTES", 100)
    done = CliRunner().invoke(commands, command)
    assert "left out: with the 2,146 states" in done.output
    file = tmp_path / "whole" / "values.npy"
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(bytes(data))
    (tmp_path / "page.html").unlink()
    done = CliRunner().invoke(commands, command)
    assert done.exit_code != 0
    assert "whole" in str(done.output) + str(done.exception)
    assert not (tmp_path / "page.html").exists()
