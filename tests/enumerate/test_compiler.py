"""The cache of compiled kernels: keyed by their text, and never in the way."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba.core.errors import TypingError

from seabattle.enumerate import compiler

VARIABLES = ("SEABATTLE_CACHE_DIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA", "TMPDIR")


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """No candidate can be written but the ones a test names; a path below a file never can."""
    blocked = tmp_path / "a file"
    blocked.write_text("")
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(blocked / "home"))
    monkeypatch.setenv("USERPROFILE", str(blocked / "home"))
    monkeypatch.setenv("LOCALAPPDATA", str(blocked / "home"))
    monkeypatch.setattr("tempfile.tempdir", str(blocked / "temporary"))
    return blocked


ROOMS = ("enumerate", "trees", "solver")
DECORATORS = tuple(f"@{name}" for name in vars(compiler) if name.endswith("kernel"))


def test_all_kernel_sources_are_known():
    package = Path(compiler.__file__).resolve().parent.parent
    expected = {
        path
        for room in ROOMS
        for path in (package / room).rglob("*.py")
        if any(line.startswith(DECORATORS) for line in path.read_text("utf-8").splitlines())
    }
    found = set(compiler.kernel_sources())
    assert expected < found
    assert len(expected) >= 10
    assert Path(compiler.__file__).resolve() in found


@compiler.group
class Inner(NamedTuple):
    rows: Any
    number: int


@compiler.group
class Outer(NamedTuple):
    first: Any
    inner: Inner
    factor: float


def test_kernels_hand_on_groups_of_arrays():
    add = compiler.kernel(lambda inner, i: inner.rows[i, 1] + inner.number)
    take = compiler.kernel(lambda outer, i: outer.factor * (outer.first[i] + add(outer.inner, i)))
    rows = np.arange(6).reshape(3, 2)
    for first in (np.arange(3) * 10, np.arange(3.0) * 10):
        outer = Outer(first, Inner(rows, 7), 0.5)
        assert [take(outer, i) for i in range(3)] == [0.5 * (10 * i + 2 * i + 8) for i in range(3)]


START = 7


def use_arrays(cube, plane, i):
    """What kernels do with arrays: elements and parts, by numbers of any kind; no index is < 0."""
    best = START
    part = cube[i]
    row = part[np.uint8(1)]
    for k in range(plane.shape[1]):
        row[k] += plane[k, np.int32(i)]
        best = max(best, row[k])
        plane[i, k] = min(best, 2 * k)
    part[0, 1:] = best
    return best, part.size, cube[i, 0, 2] + row[i], plane[:, 1][i] + part.reshape(6)[3]


@pytest.mark.parametrize("decorate", [compiler.kernel, compiler.allocating_kernel])
@pytest.mark.parametrize("number", [np.int16, np.float64])
def test_kernels_use_arrays_as_python_does(decorate, number):
    compiled = decorate(use_arrays)
    results = []
    for use in (use_arrays, compiled, compiled):
        cube, plane = np.arange(18).astype(number).reshape(3, 2, 3), np.arange(18).reshape(3, 6)
        results.append((use(cube, plane[:, ::2], 1), cube.tolist(), plane.tolist()))
    assert results[0] == results[1] == results[2]


def test_a_mask_and_a_number_are_not_one_variable():
    @compiler.kernel
    def mix(mask, number):
        found = mask
        if number > 0:
            found = number
        return found

    with pytest.raises(TypingError, match="unify"):
        mix(np.uint64(1), 2)


def test_a_group_is_let_go_after_a_call():
    @compiler.allocating_kernel
    def read(outer):
        outer.first[:] = outer.inner.rows[:, 0]
        return outer.first[0]

    arrays = np.arange(3), np.arange(6).reshape(3, 2)
    outer = Outer(arrays[0], Inner(arrays[1], 7), 0.5)
    read(outer)
    before = [sys.getrefcount(array) for array in arrays]
    assert [read(outer) for _ in range(5)] == [0] * 5
    assert [sys.getrefcount(array) for array in arrays] == before


def test_the_folder_is_named_by_the_digest(nowhere, tmp_path, monkeypatch):
    monkeypatch.setenv("SEABATTLE_CACHE_DIR", str(tmp_path / "chosen"))
    first = compiler.cache_folder()
    assert first == tmp_path / "chosen" / f"kernels-{compiler.source_digest()}"
    assert first.is_dir()
    changed = tmp_path / "kernel.py"
    changed.write_text("changed")
    monkeypatch.setattr(compiler, "kernel_sources", lambda: [changed])
    second = compiler.cache_folder()
    assert second.parent == first.parent
    assert second != first


def run(program, **environment):
    """Output of a Python program that sees none of the cache variables but the given ones."""
    kept = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=kept | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


COUNT = """
import numpy as np
from seabattle.solver.search.segments import shoot
shot = np.zeros(2, np.uint64)
shoot(65, shot)
print(*shot)
"""


def test_kernels_are_kept_in_the_folder_and_used_again(tmp_path):
    assert run(COUNT, SEABATTLE_CACHE_DIR=str(tmp_path)) == "0 2"
    (folder,) = tmp_path.iterdir()
    assert folder.name.startswith("kernels-")
    (code,) = folder.rglob("shoot*.nbc")
    written = code.stat().st_mtime_ns
    assert run(COUNT, SEABATTLE_CACHE_DIR=str(tmp_path)) == "0 2"
    assert code.stat().st_mtime_ns == written
    content = code.read_bytes()
    code.write_bytes(content[:-9])  # cut short
    assert run(COUNT, SEABATTLE_CACHE_DIR=str(tmp_path)) == "0 2"
    assert code.read_bytes() == content


def test_where_nothing_can_be_written_kernels_are_compiled_in_memory(tmp_path):
    blocked = tmp_path / "a file"
    blocked.write_text("")
    program = f"""
import tempfile
tempfile.tempdir = {str(blocked / "t")!r}
import seabattle.enumerate.compiler as c
assert c.KERNEL_FOLDER is None
{COUNT}"""
    nowhere = str(blocked / "x")
    assert run(program, HOME=nowhere, USERPROFILE=nowhere, LOCALAPPDATA=nowhere) == "0 2"
    assert [path.name for path in tmp_path.iterdir()] == ["a file"]


def test_interpreted_runs_leave_the_cache_alone(tmp_path):
    program = f"{COUNT}\nimport sys; assert 'numba' not in sys.modules"
    assert run(program, NUMBA_DISABLE_JIT="1", SEABATTLE_CACHE_DIR=str(tmp_path)) == "0 2"
    assert list(tmp_path.iterdir()) == []
