"""The checkers of proofs: that of the package, and the two of one file, which know no package."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType
from typing import Any

from seabattle import SeabattleError, check_proof

ROOT = Path(__file__).resolve().parents[2]
ONE_FILE = ROOT / "docs" / "check_proof.py"
COMPILED = ONE_FILE.with_suffix(".cpp")


def _one_file() -> ModuleType:
    spec = importlib.util.spec_from_file_location("one_file_checker", ONE_FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ALONE = _one_file()


@cache
def compiled() -> Path:
    """The compiled checker of proofs with answers ``hit``."""
    compiler = shutil.which("c++") or shutil.which("g++")
    words = [compiler] if compiler else [sys.executable, "-m", "ziglang", "c++"]
    program = Path(mkdtemp(prefix="seabattle-check-")) / "check_proof"
    options = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread"]
    subprocess.run([*words, *options, "-o", str(program), str(COMPILED)], check=True)
    return program


def fault_found_compiled(lines: list[str]) -> str:
    """What the compiled checker has against a proof; empty where it holds."""
    text = "".join(f"{line}\n" for line in lines)
    told = subprocess.run([compiled()], input=text, capture_output=True, text=True, check=False)
    assert bool(told.returncode) == bool(told.stderr)
    return told.stderr.strip()


def fault_found_alone(lines: list[str]) -> str:
    """What the checker of one file has against a proof; empty where it holds."""
    try:
        ALONE.Proof(json.loads(lines[0]), iter(lines[1:])).check()
    except (ALONE.ProofError, *ALONE.DAMAGED) as error:
        return f"{type(error).__name__}: {error}"
    return ""


def fault_found(path: Path) -> str:
    """What the package's checker has against a proof; empty where it holds."""
    try:
        return "; ".join(check_proof(path).problems)
    except SeabattleError as error:
        return str(error)


def faults(lines: list[str], path: Path) -> tuple[str, str]:
    """What both have against a proof, which is written to a file."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
    return fault_found(path), fault_found_alone(lines)


def with_header(lines: list[str], **fields: Any) -> list[str]:
    """A proof whose first line has other fields."""
    return [json.dumps(json.loads(lines[0]) | fields), *lines[1:]]
