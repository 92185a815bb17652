"""Where there is no browser, a run of the tests says so, and in CI it fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import browsing

ROOT = Path(__file__).resolve().parents[2]
ONE = "tests/page/test_looks.py::test_board_and_answers_fit_a_phone"


def test_it_is_skipped_and_the_end_says_what_was_not_run(tmp_path: Path) -> None:
    """In a run of one browser test, with no program on the path."""
    own = {name: value for name, value in os.environ.items() if name != "CI"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", ONE],
        cwd=ROOT, env={**own, "PATH": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    *_, told, counts = done.stdout.strip().splitlines()
    assert told == (
        "1 browser test was not run: there is no program named chromium "
        "(Debian: apt install chromium). To run it: pytest tests/page tests/trees/page"
    )
    assert counts.startswith("1 skipped")


def test_in_ci_it_fails_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception) as failed:
        browsing.require_browser()
    assert "there is no program named chromium (Debian: apt install chromium)" in str(failed.value)
