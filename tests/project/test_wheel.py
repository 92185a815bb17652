"""A wheel built from a clean clone works where it is installed, away from the repository.

In the everyday tests it holds the core of this checkout; the slow ones compile what it should hold.
That wheel is the same whatever the sources were unpacked from: a clone, one on a system without
symbolic links, or the source distribution. One of them installs it with its dependencies in an
environment of its own, which downloads them: ``pytest -m slow -s tests/project/test_wheel.py``,
where ``-s`` shows the size.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.wheels import build, clone

from seabattle.enumerate.core import build_core
from seabattle.enumerate.core.library import core

ROOT = Path(__file__).resolve().parents[2]
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
    """The wheel of what is committed, with the core of this checkout in place of its own."""
    folder = tmp_path_factory.mktemp("wheel")
    source = clone(folder / "clone")
    core()  # which compiles it where it is missing
    for name in build_core.LEVELS:
        there = source / "enumerate" / "core" / f"{name}{build_core.SUFFIX}"
        shutil.copyfile(build_core.FOLDER / f"here{build_core.SUFFIX}", there)
    return build(source, folder)


@pytest.fixture(scope="module")
def compiled_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of what is committed, its cores compiled from it."""
    folder = tmp_path_factory.mktemp("compiled")
    return build(clone(folder / "clone"), folder)


def run(*command: str | Path, folder: Path, **environment: str) -> subprocess.CompletedProcess[Any]:
    """A process in a folder, with what it says."""
    return subprocess.run(
        command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


def contents(wheel: Path) -> dict[str, int]:
    """The checksum of each file in a wheel."""
    with zipfile.ZipFile(wheel) as packed:
        return {entry.filename: entry.CRC for entry in packed.infolist()}


def links_as_text(folder: Path) -> Path:
    """A clone as git makes it on Windows: each link a file that names what it would lead to."""
    source = clone(folder, "-c", "core.symlinks=false")
    assert (source / "src/seabattle/solver").read_text() == "../../solver"
    return source


def unpacked_sdist(folder: Path) -> Path:
    """The source distribution, unpacked."""
    packed = build(clone(folder / "clone"), folder / "packed", "--sdist")
    with tarfile.open(packed) as archive:
        assert not any(entry.issym() or entry.islnk() for entry in archive)
        archive.extractall(folder, filter="data")
    return folder / packed.name.removesuffix(".tar.gz")


@pytest.mark.slow
@pytest.mark.parametrize("unpack", [links_as_text, unpacked_sdist])
def test_links_do_not_matter(
    compiled_wheel: Path, tmp_path: Path, unpack: Callable[[Path], Path]
) -> None:
    source = unpack(tmp_path / "source")
    assert not any(path.is_symlink() for path in source.rglob("*"))
    assert contents(build(source, tmp_path / "built")) == contents(compiled_wheel)


def test_wheel_holds_the_three_rooms_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for room in ("enumerate", "solver", "trees"):
        for path in (ROOT / room).rglob("*.py"):
            assert f"seabattle/{path.relative_to(ROOT).as_posix()}" in names
    for folder in ("templates", "styles", "scripts"):
        for path in (ROOT / "trees" / "page" / folder).rglob("*.*"):
            assert f"seabattle/{path.relative_to(ROOT).as_posix()}" in names
    people = {name for name in names if name.startswith("seabattle/enumerate/priors/people/")}
    assert {Path(name).name for name in people} == {"people.json", "LICENSE", "README.md"}
    assert {"seabattle/py.typed", "seabattle/trees/page/seabattle.html"} <= names
    libraries = {name for name in names if name.endswith(build_core.SUFFIX)}
    assert {Path(name).stem for name in libraries} == set(build_core.LEVELS)
    assert {name.split("/")[0].split("-")[0] for name in names} == {"seabattle"}


def test_installed_wheel_works_elsewhere_without_what_windows_lacks(
    wheel: Path, tmp_path: Path
) -> None:
    target = tmp_path / "installed"
    pip = (sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-compile")
    assert run(*pip, "--target", target, wheel, folder=tmp_path).returncode == 0
    solve = ("solve", "--board", "3x3", "--fleet", "3,1,1", "--tree", "tree.json")
    done = run(
        *(sys.executable, "-c", AS_ON_WINDOWS, *solve),
        folder=tmp_path,
        PYTHONPATH=str(target),
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "misses            mean 1.5000 (6/4), worst 3" in done.stdout
    assert (tmp_path / "tree.json").exists()


@pytest.mark.slow
def test_every_library_of_a_wheel_counts_the_same(compiled_wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(compiled_wheel) as packed:
        packed.extractall(tmp_path)
    libraries = list((tmp_path / "seabattle/enumerate/core").glob(f"*{build_core.SUFFIX}"))
    assert {library.stem for library in libraries} == set(build_core.LEVELS)
    counted = [
        run(
            *(sys.executable, "-m", "seabattle", "count", "--fleet", "russian", "--no-map"),
            folder=tmp_path,
            SEABATTLE_CORE=str(library),
        ).stdout
        for library in libraries
    ]
    assert "1,855,545,978,831,780" in counted[0]
    assert len(set(counted)) == 1


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        (["solve", "--board", "3x3", "--fleet", "3,1,1"], ""),
        (["count", "--board", "3x3", "--fleet", "3,1,1", "--map", "map.png"], "matplotlib"),
        (["equilibrium", "--board", "3x3", "--fleet", "3,1,1"], "scipy"),
    ],
)
def test_packages_that_may_be_removed(tmp_path: Path, arguments: list[str], missing: str) -> None:
    """As the page on installing says."""
    removed = "scipy,matplotlib,networkx"
    done = run(
        *(sys.executable, "-c", WITHOUT, removed, *arguments),
        folder=tmp_path,
        PYTHONPATH=str(ROOT / "src"),
    )
    said = f"seabattle: this needs the package {missing}: pip install {missing}"
    assert (done.returncode, done.stderr) == ((1, f"{said}\n") if missing else (0, ""))


@pytest.mark.slow
def test_this_python_in_an_environment_of_its_own(
    compiled_wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, empty = tmp_path / "environment", tmp_path / "empty"
    empty.mkdir()
    for name in [name for name in os.environ if name.startswith("PYTHON")]:
        monkeypatch.delenv(name)
    assert run(sys.executable, "-m", "venv", made, folder=empty).returncode == 0
    own = made / "bin" / "python"
    done = run(own, "-m", "pip", "install", "-q", "--no-compile", compiled_wheel, folder=empty)
    assert done.returncode == 0, done.stderr
    size = sum(path.lstat().st_size for path in made.rglob("*")) / 1e6
    program = made / "bin" / "seabattle"
    done = run(program, "compare", "--out", "results", folder=empty)
    assert re.search(r"hit +full +optimal-mean +7 +4\.5126 +6444/1428 +proven", done.stdout)
    assert (empty / "results" / "hit-optimal-mean-misses.svg").exists()
    print(f"\n{sys.version.split()[0]}: {size:.0f} MB")
