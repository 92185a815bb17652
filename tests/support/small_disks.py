"""File systems of a few pages, where the machine allows them to be mounted."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path) -> Iterator[Callable[[str], Path]]:
    """Mounts a file system in memory on a folder with the options given, or again with others."""
    folder.mkdir()
    mounted = False

    def mount(options: str) -> Path:
        nonlocal mounted
        line = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
        try:
            done = subprocess.run(line, capture_output=True, check=False).returncode == 0
        except OSError:
            done = False
        if not done:
            pytest.skip("no file system can be mounted here")
        mounted = True
        return folder

    try:
        yield mount
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=True)
