"""The loader refuses what would have the core write out of bounds, and reads every declaration."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seabattle.enumerate.core.build_core import FOLDER, SUFFIX
from seabattle.enumerate.core.library import Declaration, core
from seabattle.enumerate.errors import CoreError

ONE = np.ones(1, np.uint64)
GIVEN: dict[str, Any] = {
    "masks": ONE,
    "halos": ONE,
    "allowed": np.ones(1, np.uint8),
    "slots": np.array([0, 1, 0], np.int64),
    "words": 1,
    "most": 10,
    "allowance": 10,
    "placed": np.zeros(1, np.uint16),
    "ship": np.zeros(1, np.int32),
    "layouts": np.zeros(1, np.uint16),
}
"""A ship that has one placement."""


def test_a_call_as_declared() -> None:
    assert core().list_layouts(*GIVEN.values()) == 1


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("masks", np.ones(1, np.int64), "masks is int64, not an array of uint64"),
        ("masks", [1], "masks is list, not an array of uint64"),
        ("halos", np.ones(4, np.uint64)[::2], "halos is not contiguous"),
        ("placed", np.broadcast_to(np.zeros(1, np.uint16), 1), "placed may not be written"),
        ("halos", np.ones(2, np.uint64), "arrays that do not go together"),
        ("allowed", None, "arrays that do not go together"),
    ],
)
def test_arrays_that_are_wrong_are_refused(name: str, given: Any, said: str) -> None:
    with pytest.raises(CoreError, match=said):
        core().list_layouts(*{**GIVEN, name: given}.values())


def test_a_declaration_that_cannot_be_read() -> None:
    with pytest.raises(CoreError, match=r"'unsigned long long n' cannot be read"):
        Declaration("f", "const uint64_t* rows, size_t rows_size, unsigned long long n")


def test_every_exported_function_is_declared_and_every_declared_one_is_there() -> None:
    text = (FOLDER / "seabattle.h").read_text("utf-8")
    declared = re.findall(r"SEABATTLE_API\s+\w+\s+seabattle_(\w+)\(", text)
    assert declared
    assert all(callable(getattr(core(), name)) for name in declared)


def test_a_library_that_does_not_load_is_one_line(tmp_path: Path) -> None:
    broken = tmp_path / f"core{SUFFIX}"
    broken.write_bytes(b"no library")
    done = subprocess.run(
        [sys.executable, "-m", "seabattle", "solve", "--board", "3x3", "--fleet", "2"],
        env={"SEABATTLE_CORE": str(broken), "PYTHONPATH": "src"},
        capture_output=True, text=True, check=False, cwd=FOLDER.parents[1],
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith(f"seabattle: {broken}: the compiled core does not load")
    assert "Traceback" not in done.stderr


def test_the_package_imports_without_the_core() -> None:
    loaded = "import sys, seabattle; print('seabattle.enumerate.core.library' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", loaded], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
