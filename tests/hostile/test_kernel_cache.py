"""The cache of compiled kernels: shared by first runs, read-only, full, damaged, of other machines.

Whatever its state, kernels give what they should; at worst they are compiled again. A kernel of one
line stands for all of them; the first runs of the whole program are among the slow tests.
"""

from __future__ import annotations

import importlib.util
import os
import pickle
import random
import signal
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from os import _exit as end_at_once
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from hostile.disk_faults import Fault, Steps, disk_full_at, killed_at
from support.examples import some
from support.small_disks import small_disk

from seabattle.enumerate import kernels as compiler

KERNEL = textwrap.dedent("""
    from seabattle.enumerate.kernels import kernel

    @kernel
    def total(values):
        found = 0
        for value in values:
            found += value
        return found
""")
VALUES = np.arange(10)
RIGHT = 45


class Cache:
    """A cache folder of its own, and modules whose kernels are kept there."""

    def __init__(self, root: Path) -> None:
        self.folder, self.module = root / "kernels", root / "tiny.py"
        self.folder.mkdir()
        self.module.write_text(KERNEL)

    def kernel(self) -> Any:
        """The kernel as a process that has just begun has it."""
        spec = importlib.util.spec_from_file_location("tiny", self.module)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.total

    def found(self) -> int:
        """Whether the kernel was in the cache; the answer must be right."""
        kernel = self.kernel()
        assert kernel(VALUES) == RIGHT
        return sum(kernel.stats.cache_hits.values())

    def files(self) -> list[Path]:
        """The files of the cache."""
        return sorted(path for path in self.folder.rglob("*.nb?"))

    def in_children(self, *faults: Fault | None) -> list[int]:
        """Call the kernel in child processes at the same time; how each ended, 0 if it was right.

        Before each step of the writing of a child its fault is called.
        """
        children = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # threads of numerical libraries
            for fault in faults:
                child = os.fork()
                if not child:
                    status = 70
                    try:
                        signal.signal(signal.SIGALRM, signal.SIG_DFL)
                        signal.alarm(60)
                        Steps(fault).install()
                        status = int(self.kernel()(VALUES) != RIGHT)
                    finally:
                        end_at_once(status)
                children.append(child)
        return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    """An empty one."""
    found = Cache(tmp_path)
    monkeypatch.setattr(compiler, "KERNEL_FOLDER", found.folder)
    monkeypatch.syspath_prepend(str(tmp_path))  # what is kept names the module
    monkeypatch.delitem(sys.modules, "tiny", raising=False)
    return found


pytestmark = pytest.mark.skipif(compiler.INTERPRETED, reason="nothing is compiled")


def test_the_second_run_finds_what_the_first_one_kept(cache: Cache) -> None:
    assert [cache.found() for _ in range(2)] == [0, 1]


@pytest.mark.parametrize("processes", [2, 4])
def test_first_runs_at_once(cache: Cache, processes: int) -> None:
    for _ in range(3):
        for path in cache.files():
            path.unlink()
        assert cache.in_children(*[None] * processes) == [0] * processes
        assert cache.found() == 1


def test_threads_that_build_one_kernel_for_the_first_time(cache: Cache) -> None:
    for _ in range(5):
        for path in cache.files():
            path.unlink()
        kernel = cache.kernel()
        with ThreadPoolExecutor(8) as threads:
            assert list(threads.map(lambda _, k=kernel: k(VALUES), range(8))) == [RIGHT] * 8
        assert len(kernel.signatures) == 1
        assert cache.found() == 1


def test_threads_that_load_modules_with_kernels_at_once(cache: Cache) -> None:
    before = numba.config.CACHE_DIR
    with ThreadPoolExecutor(8) as threads:
        kernels = list(threads.map(lambda _: cache.kernel(), range(200)))
    assert before == numba.config.CACHE_DIR
    assert kernels[-1](VALUES) == RIGHT
    assert len(cache.files()) == 2
    assert not (cache.module.parent / "__pycache__").exists() or not list(
        (cache.module.parent / "__pycache__").glob("*.nb?")
    )


@pytest.mark.slow
def test_a_disk_that_is_full_from_any_step_on(cache: Cache) -> None:
    for number in range(14):
        for path in cache.files():
            path.unlink()
        assert cache.in_children(disk_full_at(number)) == [0]
        assert not list(cache.folder.rglob("*.tmp.*"))
        assert cache.found() in (0, 1)


@pytest.mark.slow
def test_killed_before_any_step(cache: Cache) -> None:
    left = 0
    for number in range(14):
        for path in cache.files():
            path.unlink()
        assert cache.in_children(killed_at(number)) in ([-signal.SIGKILL], [0])
        left += len(list(cache.folder.rglob("*.tmp.*")))
        if not cache.found():
            assert not list(cache.folder.rglob("*.tmp.*"))
            assert cache.found() == 1
    assert left


def damages(content: bytes, chance: random.Random) -> Iterator[bytes]:
    """A file emptied, cut short, edited, overwritten."""
    yield b""
    yield chance.randbytes(len(content))
    yield b"\x80\x05garbage"
    yield pickle.dumps("0.1.0") + content
    yield pickle.dumps(numba.__version__) + pickle.dumps({"a": 1})
    for _ in range(10):
        yield content[: chance.randrange(len(content))]
        place = chance.randrange(len(content))
        yield (
            content[:place]
            + bytes([content[place] ^ chance.randrange(1, 256)])
            + (content[place + 1 :])
        )


def test_damaged_files(cache: Cache) -> None:
    cache.found()
    chance = random.Random(5)
    whole = {path: path.read_bytes() for path in cache.files()}
    tried = 0
    for path, content in whole.items():
        for damaged in damages(content, chance):
            path.write_bytes(damaged)
            cache.found()
            assert cache.found() == 1, "what was damaged is kept anew"
            tried += 1
            for each in cache.files():
                each.unlink()
            for each, kept in whole.items():
                each.write_bytes(kept)
    assert tried == 50


def test_a_folder_that_goes_away_or_is_none(cache: Cache) -> None:
    kernel = cache.kernel()
    cache.folder.rename(cache.folder.with_name("gone"))
    cache.folder.write_text("a file")
    assert kernel(VALUES) == RIGHT


def called(cache: Cache, **environment: str) -> subprocess.CompletedProcess[str]:
    """The kernel called by a process of its own: where it is kept, its answer, whether found."""
    script = (
        "import numpy, tiny; from seabattle.enumerate import compiler;"
        "print(compiler.KERNEL_FOLDER); print(tiny.total(numpy.arange(10)));"
        "print(sum(tiny.total.stats.cache_hits.values()))"
    )
    where = os.pathsep.join([str(cache.module.parent), *sys.path])
    home = cache.module.with_name("no home")
    home.write_text("")
    nowhere = {"HOME": str(home / "x"), "XDG_CACHE_HOME": str(home / "x"), "TMPDIR": str(home)}
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False,
        env={**os.environ, **nowhere, "PYTHONPATH": where, **environment},
    )  # fmt: skip


@pytest.mark.slow
def test_kernels_of_another_processor_are_not_run(cache: Cache) -> None:
    found = []
    for processor in ("generic", "", "generic", ""):
        named = {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": ""} if processor else {}
        done = called(cache, SEABATTLE_CACHE_DIR=str(cache.folder), **named)
        assert (done.returncode, done.stderr) == (0, "")
        found.append(done.stdout.split()[1:])
    assert found == [["45", "0"], ["45", "0"], ["45", "1"], ["45", "1"]]


@pytest.mark.parametrize("place", some(["a file", "/proc/kernels", "/dev/null/kernels"], 1))
def test_no_folder_at_all(cache: Cache, place: str) -> None:
    (cache.folder / "a file").write_text("")
    done = called(cache, SEABATTLE_CACHE_DIR=str(cache.folder / place))
    if "/tmp" not in done.stdout:  # else the machine's own temporary folder
        assert done.stdout.split() == ["None", "45", "0"]
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def mount(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Mounts a small file system, or mounts it again with other options."""
    with small_disk(tmp_path / "mounted") as call:
        yield call


def test_a_read_only_cache(cache: Cache, mount: Callable[[str], Path]) -> None:
    folder = mount("size=1m")
    assert called(cache, SEABATTLE_CACHE_DIR=str(folder)).stdout.split()[1:] == ["45", "0"]
    mount("remount,ro")
    done = called(cache, SEABATTLE_CACHE_DIR=str(folder))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split()[1] == "45"


@pytest.mark.parametrize("free", [0, 4096, 8192, 16384])
def test_a_full_cache(cache: Cache, mount: Callable[[str], Path], free: int) -> None:
    folder = mount("size=256k")
    (folder / "filler").write_bytes(bytes(256 * 1024 - free))
    done = called(cache, SEABATTLE_CACHE_DIR=str(folder))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split()[1] == "45"
    assert not list(folder.rglob("*.tmp.*"))


@pytest.mark.slow
@pytest.mark.parametrize("processes", [2, 4])
def test_first_runs_of_the_program_at_once(tmp_path: Path, processes: int) -> None:
    commands = [
        ["solve", "--board", "3x3", "--fleet", "3,1,1", "--json"],
        ["count", "--board", "3x3", "--fleet", "3,1,1", "--json"],
    ]
    environment = {**os.environ, "SEABATTLE_CACHE_DIR": str(tmp_path)}
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "seabattle", *commands[number % 2]],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for number in range(processes)
    ]  # fmt: skip
    told = [process.communicate() for process in started]
    assert [process.returncode for process in started] == [0] * processes
    assert all(err == "" for _, err in told)
    assert all('"layouts": 4' in out for out, _ in told)
