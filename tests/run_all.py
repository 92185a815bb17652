"""Everything that must pass: lint, format, types, tests with doctests and README examples.

Run by ``python tests/run_all.py``; further arguments go to pytest. It stops at the first failure.

As many processes as there are cores, at most eight, share the tests, a file at a time; ``-n 0``
runs them in one, as ``--pdb`` needs. The kernels of the search take half a minute to compile when
they were changed or are new here; that is done beside the check of types, once for all processes.
Compiled kernels are kept in ``.pytest_cache/kernels`` unless ``SEABATTLE_CACHE_DIR`` names another
folder.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMPILING = ["seabattle", "compare", "--board", "3x3", "--fleet", "3,1,1"]
MOST_PROCESSES = 8  # of a gigabyte each
SHARED = ["--dist", "loadfile", "--no-loadscope-reorder"]


def run(*check: str) -> int:
    """Run a module in the repository; return its exit status."""
    print("$", *check, flush=True)
    return subprocess.run([sys.executable, "-m", *check], cwd=ROOT, check=False).returncode


@contextmanager
def kernels_compiled() -> Iterator[None]:
    """Compile the kernels of the search meanwhile; what is wrong with them the tests will say."""
    with subprocess.Popen(
        [sys.executable, "-m", *COMPILING],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        yield
        process.wait()


def main() -> int:
    """Run each check in the repository; return the status of the first that fails, else 0."""
    os.environ.setdefault("SEABATTLE_CACHE_DIR", str(ROOT / ".pytest_cache" / "kernels"))
    status = run("ruff", "check", ".") or run("ruff", "format", "--check", ".")
    if status:
        return status
    with kernels_compiled():
        status = run("mypy")
    processes = min(os.cpu_count() or 1, MOST_PROCESSES)
    shared = ["-n", str(processes), *SHARED] if processes > 1 else []
    return status or run("pytest", *shared, *sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
