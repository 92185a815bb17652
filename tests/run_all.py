"""Everything that must pass: lint, format, types, tests with doctests and README examples.

Run by ``python tests/run_all.py``; further arguments go to pytest. It stops at the first failure.
mypy runs beside the first tests, and ends them if it finds fault.

Before the tests one process collects them, and what it has compiled, each module and the asserts of
each test, all that share the tests find: they begin at once, and each would do all of it again.

One process more than there are cores, at most eight, share the tests, a file at a time: there is
always one that waits for a page or for a limit of time. ``-n 0`` runs them in one, as ``--pdb``
needs. The tests start hundreds of processes, each of which would compile the modules it imports,
so bytecode is kept even where ``PYTHONDONTWRITEBYTECODE`` is set: then in ``.pytest_cache``.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".pytest_cache"
MOST_PROCESSES = 8  # of a gigabyte each
SHARED = ["--dist", "loadfile", "--no-loadscope-reorder"]


def begin(*check: str) -> subprocess.Popen[bytes]:
    """Run a module in the repository."""
    print("$", *check, flush=True)
    return subprocess.Popen([sys.executable, "-m", *check], cwd=ROOT)


def keep_what_is_compiled() -> None:
    """Name the folder where the processes of the tests find what others have compiled."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(KEPT / "bytecode"))


def main() -> int:
    """Run each check in the repository; return the status of the first that fails, else 0."""
    keep_what_is_compiled()
    for check in (["ruff", "check", "."], ["ruff", "format", "--check", "."]):
        if status := begin(*check).wait():
            return status
    processes = min((os.cpu_count() or 1) + 1, MOST_PROCESSES)
    types = begin("mypy")
    subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-qq", *sys.argv[1:]],
        cwd=ROOT, stdout=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    tests = begin("pytest", "-n", str(processes), *SHARED, *sys.argv[1:])
    wrong_types = types.wait()
    if wrong_types:
        tests.send_signal(signal.SIGINT)
    failed = tests.wait()
    return wrong_types or failed


if __name__ == "__main__":
    sys.exit(main())
