"""The laws, through a core that asserts every index and is watched by the sanitizers.

``pytest -m slow tests/enumerate/core/test_sanitizers.py``; a job of the workflow runs it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from seabattle.enumerate.core.build_core import ROOT, SANITIZED, SUFFIX, compile_library

WATCHED = [
    "tests/enumerate/layouts",
    "tests/enumerate/counting",
    "tests/laws/test_counter_laws.py",
    "tests/known/test_signature.py",
    "tests/solver/search/test_within.py",
    "tests/laws/test_search_laws.py",
    "tests/laws/test_goal_laws.py",
    "tests/laws/test_proof_laws.py",
]
"""Tests whose work is the core's."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A core that the sanitizers watch."""
    if shutil.which("g++") is None:
        pytest.skip("the sanitizers are those of g++, which is not installed")
    path = tmp_path_factory.mktemp("core") / f"core{SUFFIX}"
    compile_library(path, flags=SANITIZED)
    return path


def watched(library: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A run of this Python with the core that is watched."""
    loaded = [
        subprocess.run(
            ["g++", f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={
            **os.environ,
            "SEABATTLE_CORE": str(library),
            "LD_PRELOAD": ":".join(loaded),
            "ASAN_OPTIONS": "detect_leaks=0",  # Python keeps what it has until it ends
        },
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_an_array_read_beyond_its_end_is_seen(library: Path) -> None:
    script = """
import numpy as np
from seabattle.enumerate.core.library import core
one = np.ones(1, np.uint64)
core().list_layouts(
    one, one, np.ones(1, np.uint8), np.array([0, 5, 0], np.int64), 1, 9, 9,
    np.zeros(1, np.uint16), np.zeros(1, np.int32), None)
"""
    assert watched(library, "-c", script).returncode != 0


@pytest.mark.slow
@pytest.mark.parametrize("tests", WATCHED)
def test_the_laws_are_quiet(library: Path, tests: str) -> None:
    done = watched(library, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", tests)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
