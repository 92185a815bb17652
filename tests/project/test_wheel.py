"""A wheel built from a clean clone works where it is installed, away from the repository.

The wheel is the same whatever the sources were unpacked from: a clone, one on a system without
symbolic links, or the source distribution. ``test_fresh_machines`` installs it with its
dependencies.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from support.wheels import build, clone

from seabattle.enumerate.kernels import kernel_sources

ROOT = Path(__file__).resolve().parents[2]
COMPILED = """
import numpy as np
from seabattle.enumerate import kernels as compiler
from seabattle.enumerate.layouts import count_bits
print(*compiler.kernel_sources(), sep="\\n")
print(count_bits(np.array([7, 2**64 - 1], dtype=np.uint64)))
"""

WITHOUT = """
import sys
for name in sys.argv.pop(1).split(","):
    sys.modules[name] = None  # an import fails
from seabattle.__main__ import main
main()
"""
AS_ON_WINDOWS = """
import os, signal, sys
for name in ("fcntl", "grp", "pwd", "readline", "resource", "termios", "tty"):
    sys.modules[name] = None  # an import fails
for module, names in {
    os: ("fork", "getuid", "sched_getaffinity", "sysconf"),
    signal: ("SIGHUP", "SIGKILL", "pthread_sigmask"),
}.items():
    for name in names:
        delattr(module, name)
import seabattle.solver
assert "installed" in seabattle.solver.__file__
from seabattle.__main__ import main
main()
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of what is committed."""
    folder = tmp_path_factory.mktemp("wheel")
    return build(clone(folder / "clone"), folder)


def contents(wheel: Path) -> dict[str, int]:
    """The checksum of each file in a wheel."""
    with zipfile.ZipFile(wheel) as packed:
        return {entry.filename: entry.CRC for entry in packed.infolist()}


def links_as_text(folder: Path) -> Path:
    """A clone as git makes it on Windows: each link a file that names what it would lead to."""
    source = clone(folder, "-c", "core.symlinks=false")
    assert (source / "src/seabattle/solver").read_text() == "../../solver"
    return source


def no_links(folder: Path) -> Path:
    """A clone whose links were lost on the way, as by some archives."""
    source = clone(folder)
    for path in (source / "src" / "seabattle").iterdir():
        if path.is_symlink():
            path.unlink()
    return source


def unpacked_sdist(folder: Path) -> Path:
    """The source distribution, unpacked."""
    packed = build(clone(folder / "clone"), folder / "packed", "--sdist")
    with tarfile.open(packed) as archive:
        assert not any(entry.issym() or entry.islnk() for entry in archive)
        archive.extractall(folder, filter="data")
    return folder / packed.name.removesuffix(".tar.gz")


@pytest.mark.parametrize("unpack", [links_as_text, no_links, unpacked_sdist])
def test_links_do_not_matter(wheel: Path, tmp_path: Path, unpack: Callable[[Path], Path]) -> None:
    source = unpack(tmp_path / "source")
    assert not any(path.is_symlink() for path in source.rglob("*"))
    found, expected = contents(build(source, tmp_path / "built")), contents(wheel)
    assert found == expected


def test_sources_without_links_install_and_run(tmp_path: Path) -> None:
    """Without what Windows lacks: links, and the modules of Python that are for Unix alone."""
    source, target = links_as_text(tmp_path / "source"), tmp_path / "installed"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-compile",
         "--no-build-isolation", "--target", str(target), str(source)],
        check=True, capture_output=True,
    )  # fmt: skip
    empty = tmp_path / "empty"
    empty.mkdir()
    environment = {
        **os.environ,
        "PYTHONPATH": str(target),
        "SEABATTLE_CACHE_DIR": str(tmp_path / "cache"),
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONWARNINGS": "ignore",  # interpreted kernels warn where they overflow, as they should
    }
    done = subprocess.run(
        [sys.executable, "-c", AS_ON_WINDOWS, "solve", "--board", "3x3", "--fleet", "3,1,1",
         "--tree", "tree.json"],
        cwd=empty, env=environment, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "misses            mean 1.5000 (6/4), worst 3" in done.stdout
    assert (empty / "tree.json").exists()


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


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        (["solve", "--board", "3x3", "--fleet", "3,1,1"], ""),
        (["play", "--no-browser"], ""),
        (["count", "--board", "3x3", "--fleet", "3,1,1", "--map", "map.png"], "matplotlib"),
        (["equilibrium", "--board", "3x3", "--fleet", "3,1,1"], "scipy"),
    ],
)
def test_packages_that_may_be_removed(tmp_path: Path, arguments: list[str], missing: str) -> None:
    """As the page on installing says."""
    removed = "scipy,matplotlib,networkx"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, removed, *arguments],
        cwd=tmp_path, env=environment, check=False, capture_output=True, text=True,
    )  # fmt: skip
    said = f"seabattle: this needs the package {missing}: pip install {missing}"
    assert (done.returncode, done.stderr) == ((1, f"{said}\n") if missing else (0, ""))


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
