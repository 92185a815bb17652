"""A wheel built from a clean clone works where it is installed, away from the repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from seabattle.enumerate.compiler import kernel_sources

ROOT = Path(__file__).resolve().parents[2]
COMPILED = """
import numpy as np
from seabattle.enumerate import compiler
from seabattle.enumerate.layouts import _layout_kernels
print(*compiler.kernel_sources(), sep="\\n")
print(_layout_kernels.count_bits(np.array([7, 2**64 - 1], dtype=np.uint64)))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of what is committed."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("a clean clone needs git and the repository's history")
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(["git", "clone", "-q", str(ROOT), str(folder / "clone")], check=True)
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(folder)],
        cwd=folder / "clone",
        check=True,
        capture_output=True,
    )
    return next(folder.glob("*.whl"))


def test_wheel_holds_the_three_rooms_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for room in ("enumerate", "solver", "trees"):
        for path in (ROOT / room).rglob("*.py"):
            assert f"seabattle/{path.relative_to(ROOT).as_posix()}" in names
    for path in (ROOT / "trees" / "page" / "templates").iterdir():
        assert f"seabattle/trees/page/templates/{path.name}" in names
    people = {name for name in names if name.startswith("seabattle/enumerate/priors/people/")}
    assert {Path(name).name for name in people} == {"people.json", "LICENSE", "README.md"}
    assert "seabattle/py.typed" in names
    tops = {name.split("/")[0] for name in names}
    assert {top.split("-")[0] for top in tops} == {"seabattle"}


def test_installed_wheel_works_elsewhere(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "installed"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-compile",
         "--target", str(target), str(wheel)],
        check=True, capture_output=True,
    )  # fmt: skip
    cache = tmp_path / "cache"
    environment = {**os.environ, "PYTHONPATH": str(target), "SEABATTLE_CACHE_DIR": str(cache)}
    told = subprocess.run(
        [sys.executable, "-c", COMPILED],
        cwd=tmp_path, env=environment, check=True, capture_output=True, text=True,
    ).stdout.splitlines()  # fmt: skip
    assert all(Path(path).is_relative_to(target) for path in told[:-1])
    assert len(told[:-1]) == len(kernel_sources())
    assert told[-1] == "67"
    assert len(list(cache.rglob("*count_bits*.nbc"))) == 1
    # Compiling every kernel once more for the new place would take half a minute.
    environment["NUMBA_DISABLE_JIT"] = "1"
    done = subprocess.run(
        [str(target / "bin" / "seabattle"), "compare", "--board", "3x3", "--fleet", "3,1,1",
         "--out", "out"],
        cwd=tmp_path, env=environment, check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert re.search(r"hit +full +optimal-mean +3 +1\.5000 +6/4 +proven", done.stdout)
    assert (tmp_path / "out" / "hit-optimal-mean-tree.svg").exists()
