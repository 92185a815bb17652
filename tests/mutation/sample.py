"""Mutation testing: does a test fail when one operator, number or keyword of the code is changed?

``cosmic-ray`` (``pip install -e ".[mutation]"``) proposes the changes, those in compiled functions
too; this script draws a sample of them and runs the tests against one after the other, with the
kernels as plain Python. It is no part of the test suite; a sample of 320 takes an hour or two::

    export PYTHONPATH=tests
    python -m mutation.sample map                 # which test runs which line: 15 minutes
    python -m mutation.sample run                 # draw, and try each; goes on where it was
    python -m mutation.sample again TESTS...      # the survivors against further tests
    python -m mutation.sample table               # the counts per file

Everything happens in a copy of the tree in a temporary folder (``--work``); what came of each
mutant is kept in ``results.csv`` beside this file, where ``verdict`` is written by hand.

The sample. Places (an operator, number or keyword at one position) are drawn by a seeded generator,
one change of each; most of them in kernels, at least one in each file, otherwise in proportion to
the places of a file. A change is left out only if no test can be expected to see it:

- in an annotation (never evaluated) or in an f-string (the text of a message);
- the decorator of a kernel removed (interpreted, it does nothing);
- ``==`` for ``is`` and the like;
- what no longer compiles, or is the same program.

A mutant meets the tests that run the changed line (those that run the file, for a line that is run
on import) and take less than ``LIMIT`` under ``map``, quickest first and every test file in turn,
until their times add up to ``BUDGET`` seconds. Laws are tried on few examples, and of a test with
many cases some are mapped (``plugin``). A mutant is killed when a test fails, or takes ten times as
long as it should (``timeout``); else it survived. Longer tests, and those that need compiled
kernels, may still kill it: a survivor is a question, not a verdict.
"""

from __future__ import annotations

import argparse
import ast
import csv
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from dataclasses import asdict, fields
from importlib import import_module
from pathlib import Path
from typing import Any

from mutation.mutants import SEED, Mutant, candidates, draw, mutate

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).with_name("results.csv")
TESTS = [
    *(f"tests/enumerate/{room}" for room in ("game", "layouts", "counting", "priors", "display")),
    "tests/trees/tree", "tests/solver/search",
    *(f"src/seabattle/enumerate/{room}" for room in ("game", "layouts", "counting", "priors")),
    "src/seabattle/solver/search", "src/seabattle/trees/tree",
]  # fmt: skip
LIMIT = 2.5
"""Seconds that a test may take under ``map``, with its lines recorded."""
BUDGET = 12.0
PYTEST = [
    "-q", "--tb=short", "-p", "mutation.plugin", "-p", "no:cacheprovider",
    "-p", "no:hypothesispytest",  # which fails where a law is cut short
    "-W", "ignore::RuntimeWarning", "-W", "ignore::SyntaxWarning",
]  # fmt: skip
MEMORY = 6 << 30


def copy_tree(work: Path) -> Path:
    """A fresh copy of the tree, as git knows it, with its times of writing."""
    tree = work / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    listed = ["git", "ls-files", "-co", "--exclude-standard", "--", ".", ":!outputs", ":!docs"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in names.splitlines():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).exists():
            shutil.copy2(ROOT / name, tree / name, follow_symlinks=False)
    return tree


def pytest_in_child(work: Path, plan: dict[str, Any], tests: list[str], hard: float) -> Any:
    """Run tests in a forked process that has imported nothing of the package; its report."""
    tree, report = work / "tree", work / "report.json"
    report.unlink(missing_ok=True)
    told = plan | {"root": str(tree), "report": str(report), "limit": plan.get("limit", LIMIT)}
    (work / "plan.json").write_text(json.dumps(told), encoding="utf-8")
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            os.chdir(tree)
            log = os.open(work / "log.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(log, 1), os.dup2(log, 2)
            paths = [str(tree / "src"), str(tree / "tests")]
            sys.path[:0], os.environ["PYTHONPATH"] = paths, os.pathsep.join(paths)
            os.environ["MUTATION_PLAN"] = str(work / "plan.json")
            os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
            sys.dont_write_bytecode = not plan.get("lines")
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            import pytest

            stop = [] if plan.get("lines") else ["-x"]
            pytest.main([*PYTEST, *stop, *tests])
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush(), sys.stderr.flush()
            signal.raise_signal(signal.SIGKILL)  # ends without what the parent does at its end
    end = time.monotonic() + hard
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > end:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return {"status": -9, "outcomes": {}, "seconds": {}}
        time.sleep(0.02)
    if not report.exists():  # could not be collected: the changed module cannot be imported
        return {"status": 4, "outcomes": {}, "seconds": {}}
    return json.loads(report.read_text(encoding="utf-8"))


def in_turn(names: set[str], seconds: dict[str, float]) -> list[str]:
    """Tests quickest first, the files in turn, up to the budget."""
    files: dict[str, list[str]] = defaultdict(list)
    for name in sorted(names, key=lambda name: (seconds[name], name)):
        files[name.partition("::")[0]].append(name)
    ranked = sorted((i, seconds[name], name) for f in files.values() for i, name in enumerate(f))
    chosen, spent = [], 0.0
    for _, cost, name in ranked:
        spent += cost
        if spent > BUDGET:
            break
        chosen.append(name)
    return chosen


def chosen_tests(known: dict[str, Any], tree: Path, mutant: Mutant) -> list[str]:
    """The tests that run what a mutant changes."""
    lines = known["lines"].get(mutant.file, {})
    text = (tree / mutant.file).read_text(encoding="utf-8")
    statements = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.stmt)]
    around = [n for n in statements if n.lineno <= mutant.line <= (n.end_lineno or 0)]
    innermost = max(around, key=lambda n: n.lineno, default=None)  # none: a decorator
    on_import = isinstance(innermost, ast.FunctionDef | ast.ClassDef | None) or not any(
        isinstance(n, ast.FunctionDef) for n in around
    )
    last = mutant.line
    if innermost is not None:  # the header of a compound statement, the whole of another
        body = getattr(innermost, "body", [])
        last = max(last, body[0].lineno - 1 if body else innermost.end_lineno or 0)
    asked = lines if on_import else range(innermost.lineno, last + 1)
    names = {name for at in asked for name in lines.get(str(at), ()) if name}
    return in_turn(names & known["seconds"].keys(), known["seconds"])


def record_lines(work: Path, paths: list[str]) -> None:
    """Run the tests once, unchanged, and note which pass in time and what each executes."""
    kept = work / "map.json"
    known = json.loads(kept.read_text()) if kept.exists() else {"seconds": {}, "lines": {}}
    tree = work / "tree"
    files = [
        str(file.relative_to(tree))
        for path in paths
        for file in (
            sorted((tree / path).glob("*.py")) if (tree / path).is_dir() else [tree / path]
        )
        if not file.name.startswith("_") and (path.startswith("src") or "test_" in file.name)
    ]
    for path in files:
        found = pytest_in_child(work, {"lines": True}, [path], 3600)
        passed = {name for name, outcome in found["outcomes"].items() if outcome == "passed"}
        known["seconds"] |= {name: round(found["seconds"][name], 2) for name in passed}
        for file, lines in found.get("lines", {}).items():
            there = known["lines"].setdefault(str(Path(file).relative_to(work / "tree")), {})
            for line, names in lines.items():
                there[line] = sorted({*there.get(line, ()), *names} & known["seconds"].keys())
        kept.write_text(json.dumps(known), encoding="utf-8")
        print(f"{path}: {len(passed)} of {len(found['outcomes'])} tests pass in time", flush=True)


def tried(work: Path, mutant: Mutant, plan: dict[str, Any], tests: list[str]) -> tuple[str, str]:
    """What becomes of a mutant, and by which test."""
    path = work / "tree" / mutant.file
    text, status = path.read_bytes(), path.stat()
    path.write_text(mutant.source, encoding="utf-8")
    try:
        hard = 60 + 4 * sum(plan.get("limits", {"": 300}).values())
        found = pytest_in_child(work, plan, tests, min(hard, 600))
    finally:
        path.write_bytes(text)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    bad = [(name, how) for name, how in found["outcomes"].items() if how in ("failed", "timeout")]
    if found["status"] == 0:
        return "survived", ""
    if bad:
        return ("timeout" if bad[0][1] == "timeout" else "killed"), bad[0][0]
    return ("timeout" if found["status"] == -9 else "killed"), f"exit {found['status']}"


def load(work: Path) -> list[Mutant]:
    """The sample as it was drawn, with what is known of it; drawn now if there is none."""
    kept = work / "sample.json"
    if not kept.exists():
        kept.write_text(json.dumps([asdict(mutant) for mutant in draw(work / "tree")]))
    return [Mutant(**fields) for fields in json.loads(kept.read_text(encoding="utf-8"))]


def save(work: Path, sample: list[Mutant]) -> None:
    """Keep what is known."""
    (work / "sample.json").write_text(json.dumps([asdict(m) for m in sample]), encoding="utf-8")


def run(work: Path, only: str) -> None:
    """Try each mutant of some files that was not tried yet."""
    sample, known = load(work), json.loads((work / "map.json").read_text(encoding="utf-8"))
    order = random.Random(SEED).sample(sample, len(sample))  # a part of the run is a sample, too
    for number, mutant in enumerate(order):
        if mutant.before or not mutant.file.startswith(only):
            continue
        begun = time.monotonic()
        tests = chosen_tests(known, work / "tree", mutant)
        limits = {name: 5 + 10 * known["seconds"][name] for name in tests}
        named = sorted({name.partition("::")[0] for name in tests})
        outcome = tried(work, mutant, {"limits": limits}, named) if tests else ("survived", "")
        mutant.before, mutant.by = outcome
        mutant.seconds = round(time.monotonic() - begun, 1)
        save(work, sample)
        print(number, mutant.file, mutant.line, mutant.operator, len(tests), mutant.seconds,
              *outcome, flush=True)  # fmt: skip


def again(work: Path, tests: list[str], only: str) -> None:
    """Try the survivors of some files against further tests, in the tree as it is now."""
    sample, now = load(work), defaultdict(list)
    for file in {mutant.file for mutant in sample if mutant.file.startswith(only)}:
        for _, mutant in candidates(work / "tree", work / "tree" / file):
            now[file, mutant.function, mutant.operator.partition("#")[0]].append(mutant)
    for mutant in sample:
        tried_before = mutant.before != "survived" or mutant.after in ("killed", "timeout")
        if tried_before or mutant.verdict or not mutant.file.startswith(only):
            continue
        text = (work / "tree" / mutant.file).read_text(encoding="utf-8").splitlines()
        named = now[mutant.file, mutant.function, mutant.operator.partition("#")[0]]
        same = [m for m in named if text[m.line - 1].strip() in mutant.old]
        found = [
            m for m in same
            if mutate(work / "tree", m) and (m.old, m.new) == (mutant.old, mutant.new)
        ]  # fmt: skip
        if found:
            near = min(found, key=lambda m: abs(m.line - mutant.line))
            mutant.after, mutant.by = tried(work, near, {"limit": 40.0}, tests)
        else:
            mutant.after, mutant.by = "gone", ""
        save(work, sample)
        print(mutant.file, mutant.line, mutant.operator, mutant.after, mutant.by, flush=True)


def table(work: Path) -> None:
    """Write the results, with the verdicts given so far, and print the counts per file."""
    sample, names = load(work), [field.name for field in fields(Mutant) if field.name != "source"]
    given = {}
    if RESULTS.exists():
        with RESULTS.open(newline="", encoding="utf-8") as stream:
            given = {(r["file"], r["operator"]): r["verdict"] for r in csv.DictReader(stream)}
    with RESULTS.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, names, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for mutant in sample:
            mutant.verdict = mutant.verdict or given.get((mutant.file, mutant.operator), "")
            writer.writerow(asdict(mutant))
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for mutant in sample:
        for row in (mutant.file, "kernels" if mutant.kernel else "other code", "all"):
            last = mutant.after or mutant.before
            counts[row].update(["drawn", f"before {mutant.before}", f"after {last}"])
    columns = ["drawn", *(f"{when} {how}" for when in ("before", "after")
                          for how in ("killed", "timeout", "survived")), "after gone"]  # fmt: skip
    print("| file |", " | ".join(columns), "|\n|" + " --- |" * (len(columns) + 1))
    for row in sorted(counts, key=lambda row: ("/" not in row, row)):
        print(f"| {row} |", " | ".join(str(counts[row][column]) for column in columns), "|")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("step", choices=["map", "run", "again", "table"])
    parser.add_argument("tests", nargs="*", help="for map and again")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "mutation")
    parser.add_argument("--only", default="", help="for run and again: files that begin so")
    asked = parser.parse_args()
    work: Path = asked.work
    work.mkdir(exist_ok=True)
    os.environ |= {"NUMBA_DISABLE_JIT": "1", "SEABATTLE_CACHE_DIR": str(work / "cache")}
    if asked.step != "table":
        for slow in ("coverage", "networkx", "numba", "pytest", "scipy.optimize"):
            import_module(slow)
    if asked.step in ("map", "again"):
        copy_tree(work)
    if asked.step == "map":
        record_lines(work, asked.tests or TESTS)
    elif asked.step == "run":
        run(work, asked.only)
    elif asked.step == "again":
        again(work, asked.tests, asked.only)
    else:
        table(work)


if __name__ == "__main__":
    main()
