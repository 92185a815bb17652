"""Everything that must pass: lint, format, types, tests with doctests and README examples.

Run by ``python tests/run_all.py``; further arguments go to pytest. It stops at the first failure.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Run each check in the repository; return the status of the first that fails, else 0."""
    for check in (
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy"],
        ["pytest", *sys.argv[1:]],
    ):
        print("$", *check, flush=True)
        status = subprocess.run([sys.executable, "-m", *check], cwd=ROOT, check=False).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
