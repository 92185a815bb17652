"""What is committed, as a clean clone; and the distributions that are built from sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def build(source: Path, folder: Path, kind: str = "--wheel") -> Path:
    """The wheel, or with ``--sdist`` the source distribution, of sources.

    The core in it is compiled quickly, not to be quick.
    """
    subprocess.run(
        [sys.executable, "-m", "build", kind, "--no-isolation", "-o", str(folder)],
        cwd=source, env={**os.environ, "CXXFLAGS": "-O0"}, check=True, capture_output=True,
    )  # fmt: skip
    return next(path for path in folder.iterdir() if path.suffix in (".whl", ".gz"))


def clone(folder: Path, *options: str) -> Path:
    """What is committed, in a folder."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("a clean clone needs git and the repository's history")
    subprocess.run(["git", "clone", "-q", *options, str(ROOT), str(folder)], check=True)
    return folder
