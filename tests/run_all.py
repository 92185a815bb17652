"""Everything that must pass: lint, format, types, tests with doctests and README examples.

Run by ``python tests/run_all.py``; further arguments go to pytest. It stops at the first failure.

As many processes as there are cores, at most eight, share the tests, a file at a time; ``-n 0``
runs them in one, as ``--pdb`` needs. The kernels of the search take a minute to compile when
they were changed or are new here; that is done beside the check of types, once for all processes.
Compiled kernels are kept in ``.pytest_cache/kernels`` unless ``SEABATTLE_CACHE_DIR`` names another
folder. The tests start hundreds of processes, each of which would compile the modules it imports,
so bytecode is kept even where ``PYTHONDONTWRITEBYTECODE`` is set: then in ``.pytest_cache``, too.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".pytest_cache"
COMPILING = "# trees", "# search", "# equilibria"
"""Parts of ``seabattle compile`` that most tests need: all their processes would do it at once."""
MOST_PROCESSES = 8  # of a gigabyte each
SHARED = ["--dist", "loadfile", "--no-loadscope-reorder"]


def run(*check: str) -> int:
    """Run a module in the repository; return its exit status."""
    print("$", *check, flush=True)
    return subprocess.run([sys.executable, "-m", *check], cwd=ROOT, check=False).returncode


def compile_kernels() -> None:
    """Compile the kernels of the search; what is wrong with them the tests will say."""
    for part in COMPILING:
        program = (
            "from seabattle.cli.compiling import WORK, run_lines\n"
            f"for part in WORK: part.startswith({part!r}) and run_lines(part)"
        )
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


def keep_what_is_compiled() -> None:
    """Name the folders where the processes of the tests find what others have compiled."""
    os.environ.setdefault("SEABATTLE_CACHE_DIR", str(KEPT / "kernels"))
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(KEPT / "bytecode"))


def main() -> int:
    """Run each check in the repository; return the status of the first that fails, else 0."""
    keep_what_is_compiled()
    status = run("ruff", "check", ".") or run("ruff", "format", "--check", ".")
    if status:
        return status
    with ThreadPoolExecutor(1) as beside:
        beside.submit(compile_kernels)
        status = run("mypy")
    processes = min(os.cpu_count() or 1, MOST_PROCESSES)
    shared = ["-n", str(processes), *SHARED] if processes > 1 else []
    return status or run("pytest", *shared, *sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
