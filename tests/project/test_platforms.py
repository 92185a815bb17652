"""Every dependency has a wheel where people play: resolved for other systems, nothing installed.

Asks the package registry, and takes some minutes:
``pytest -m slow -s tests/project/test_platforms.py``, where ``-s`` shows what was found. A system
is given by the tags of its wheels, as in ``pip --platform``; pip itself adds those of older macOS.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SYSTEMS = {
    "Windows": ["win_amd64"],
    "macOS on Apple processors": ["macosx_14_0_arm64"],
    "macOS on Intel processors": ["macosx_14_0_x86_64"],
    "Linux": [f"manylinux_2_{n}_x86_64" for n in (28, 27, 24, 17)] + ["manylinux2014_x86_64"],
    "Linux on ARM": [f"manylinux_2_{n}_aarch64" for n in (28, 27, 24, 17)]
    + ["manylinux2014_aarch64"],
}
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
ABSENT = {("macOS on Intel processors", "3.14"): "numba"}
"""What has no wheel yet, or none any more."""
HARD = ("numba", "llvmlite", "scipy")
"""Those that are last to support anything new, to be shown."""


@pytest.mark.slow
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_dependency_has_a_wheel(system: str, python: str, tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    report = tmp_path / "report.json"
    tags = [word for tag in SYSTEMS[system] for word in ("--platform", tag)]
    found = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed",
         "--only-binary", ":all:", "--target", str(tmp_path / "nowhere"), "--report", str(report),
         "--python-version", python, *tags, *project["dependencies"]],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    errors = [line for line in found.stderr.splitlines() if line.startswith("ERROR")]
    if absent := ABSENT.get((system, python)):
        assert found.returncode
        assert f"No matching distribution found for {absent}" in errors[-1]
        return
    assert found.returncode == 0, errors
    packages = {
        entry["metadata"]["name"].lower(): entry["metadata"]["version"]
        for entry in json.loads(report.read_text())["install"]
    }
    versions = ", ".join(f"{name} {packages[name]}" for name in HARD)
    print(f"\n{system}, Python {python}: {len(packages)} wheels; {versions}")
