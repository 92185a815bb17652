"""The wheel with its dependencies, in a clean environment of every Python that is here.

Downloads the dependencies and compiles the kernels, which takes a minute or two for each Python:
``pytest -m slow -s tests/project/test_fresh_machines.py``, where ``-s`` shows the sizes. CI does it
for the Python it runs on, with ``-k this_python``. Others are found on the ``PATH`` as
``python3.12`` and so on, and where ``pyenv`` and ``uv`` keep them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.wheels import build, clone

OLDEST = (3, 11)
LARGE_MB = 20
"""Packages of at least so many megabytes are shown."""


def pythons() -> Iterator[Path]:
    """Every interpreter of this machine that may do, this one apart."""
    for minor in range(OLDEST[1], 20):
        if found := shutil.which(f"python3.{minor}"):
            yield Path(found)
    for kept in (".pyenv/versions", ".local/share/uv/python"):
        yield from sorted(Path.home().joinpath(kept).glob("*/bin/python"))


def version_of(python: Path) -> tuple[int, ...]:
    """The version of an interpreter; empty if it does not run."""
    asked = "import sys; print(*sys.version_info[:2])"
    try:
        told = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ()
    return tuple(map(int, told.stdout.split()))


def others() -> dict[str, Path]:
    """An interpreter of each other version that the wheel is for."""
    found = {version_of(python): python for python in pythons()}
    return {
        ".".join(map(str, version)): python
        for version, python in sorted(found.items())
        if version >= OLDEST and version != sys.version_info[:2]
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of what is committed."""
    folder = tmp_path_factory.mktemp("wheel")
    return build(clone(folder / "clone"), folder)


@pytest.mark.slow
def test_this_python(wheel: Path, tmp_path: Path) -> None:
    assert_installs_and_runs(Path(sys.executable), wheel, tmp_path)


@pytest.mark.slow
def test_every_other_python(wheel: Path, tmp_path: Path) -> None:
    found = others()
    if not found:
        pytest.skip("this machine has no other Python that the wheel is for")
    for name, python in found.items():
        assert_installs_and_runs(python, wheel, tmp_path / name)


def assert_installs_and_runs(python: Path, wheel: Path, folder: Path) -> None:
    """Install the wheel in an environment of its own, and run the main line in an empty folder."""
    made, empty = folder / "environment", folder / "empty"
    empty.mkdir(parents=True)
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTHON")
    }
    environment["SEABATTLE_CACHE_DIR"] = str(folder / "kernels")

    def run(*command: str | Path) -> str:
        done = subprocess.run(
            command, cwd=empty, env=environment, check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run(python, "-m", "venv", made)
    own = made / "bin" / "python"
    run(own, "-m", "pip", "install", "-q", "--no-compile", wheel)
    size = sum(path.lstat().st_size for path in made.rglob("*")) / 1e6
    large = sizes(next(made.glob("lib/python*/site-packages")))
    told = run(made / "bin" / "seabattle", "compare", "--out", "results")
    assert re.search(r"hit +full +optimal-mean +7 +4\.5126 +6444/1428 +proven", told)
    assert (empty / "results" / "hit-optimal-mean-misses.svg").exists()
    run(made / "bin" / "seabattle", "verify", "results/hit-optimal-mean.json")
    version = run(own, "--version").strip()
    shown = ", ".join(f"{name} {round(mb)}" for name, mb in large if mb >= LARGE_MB)
    print(f"\n{version}: {size:.0f} MB; {shown}")


def sizes(packages: Path) -> list[tuple[str, float]]:
    """Megabytes of each package, its libraries included, largest first."""
    found: dict[str, float] = {}
    for path in packages.iterdir():
        name = path.name.removesuffix(".libs")
        parts = path.rglob("*") if path.is_dir() else (path,)
        found[name] = found.get(name, 0) + sum(part.lstat().st_size for part in parts) / 1e6
    return sorted(found.items(), key=lambda entry: -entry[1])
