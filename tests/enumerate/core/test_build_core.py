"""The core is compiled by what a machine has, and a failure is one message."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from seabattle.enumerate.core import build_core
from seabattle.enumerate.core.build_core import BuildError

ROOT = build_core.ROOT
WARNINGS = [
    "-std=c++20", "-fopenmp-simd", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-Wno-psabi",
]  # fmt: skip


def program(folder: Path, name: str, text: str) -> Path:
    """A program of its own in a folder that is a PATH."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def has_zig() -> bool:
    """Whether zig is installed, as ``.[test]`` does."""
    return importlib.util.find_spec("ziglang") is not None


def test_an_old_compiler_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = program(tmp_path, "c++", "exit 1")
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert build_core.system_compiler() is None
    assert (
        capsys.readouterr().err == f"seabattle: {old} does not compile C++20 and is passed over\n"
    )
    assert build_core.get_requires_for_build_wheel()[-1] == build_core.ZIG


def test_a_compiler_that_is_named_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "ccache g++")
    assert build_core.system_compiler() == ["ccache", "g++"]
    assert build_core.ZIG not in build_core.get_requires_for_build_wheel()


def test_without_any_compiler_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(build_core, "zig", lambda: None)
    with pytest.raises(BuildError, match="no compiler for C\\+\\+20 was found"):
        build_core.compile_library(tmp_path / "core.so")
    assert list(tmp_path.iterdir()) == []


def test_what_the_compiler_says_is_shown(tmp_path: Path) -> None:
    failing = program(tmp_path, "g++", "echo seabattle.cpp:7: error: no such thing >&2; exit 1")
    done = subprocess.run(
        [sys.executable, build_core.__file__, "--checked", "--into", tmp_path / "core.so"],
        env={**os.environ, "CXX": str(failing)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "the core does not compile" in done.stderr
    assert "seabattle.cpp:7: error: no such thing" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
def test_no_warning_of_gcc() -> None:
    done = subprocess.run(
        ["g++", *WARNINGS, "-fsyntax-only", "-I", ".", build_core.UNIT],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not has_zig(), reason="ziglang is not installed: pip install '.[test]'")
def test_no_warning_of_clang(tmp_path: Path) -> None:
    clang = [*(build_core.zig() or []), "c++", "-O0", "-c"]
    # clang counts conversions of signs as -Wconversion, gcc does not.
    warnings = [*WARNINGS, "-Wno-sign-conversion"]
    done = subprocess.run(
        [*clang, *warnings, "-I", ".", build_core.UNIT, "-o", tmp_path / "core.o"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_sources_are_formatted() -> None:
    paths = [str(path) for path in build_core.sources() if path.suffix == ".hpp"]
    done = subprocess.run(
        [Path(sys.executable).with_name("clang-format"), "--dry-run", "-Werror", *paths],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
