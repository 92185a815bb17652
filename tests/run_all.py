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
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".pytest_cache"
COMPILING = [
    [
        "from seabattle.solver.search.kernels import answer_search, rollout\n"
        "from seabattle.__main__ import main\n"
        "main()",
        *["compare", "--board", "3x3", "--fleet", "3,1,1"],
    ],
    [
        "from seabattle.solver.search.kernels import hit_search, set_search, graph\n"
        "from seabattle.solver.equilibrium import _state_kernels\n"
        "from seabattle.enumerate.rules import Rules\n"
        "from seabattle.solver.search.exact_search import ExactSearch\n"
        "from seabattle.solver.search.problem import as_problem\n"
        "ExactSearch(as_problem(Rules('3x3', '2,1', answers='sunk'))).prepare()",
    ],
]
"""Two programs with as much to do, and the arguments of one; in this order neither compiles what
the other does. What is imported is compiled then: all processes of the tests would do it at once.
"""
MOST_PROCESSES = 8  # of a gigabyte each
SHARED = ["--dist", "loadfile", "--no-loadscope-reorder"]


def run(*check: str) -> int:
    """Run a module in the repository; return its exit status."""
    print("$", *check, flush=True)
    return subprocess.run([sys.executable, "-m", *check], cwd=ROOT, check=False).returncode


@contextmanager
def kernels_compiled() -> Iterator[None]:
    """Compile the kernels of the search meanwhile; what is wrong with them the tests will say."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with ExitStack() as processes:  # which waits for them
        for program in COMPILING:
            processes.enter_context(
                subprocess.Popen([sys.executable, "-c", *program], cwd=ROOT, **quiet)
            )
        yield


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
    with kernels_compiled():
        status = run("mypy")
    processes = min(os.cpu_count() or 1, MOST_PROCESSES)
    shared = ["-n", str(processes), *SHARED] if processes > 1 else []
    return status or run("pytest", *shared, *sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
