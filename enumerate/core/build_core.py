"""Compile the core; the build backend of this project (PEP 517).

``pip install`` asks this module for a wheel: it compiles the core beside its sources and lets
setuptools pack the rest. The compiler is that of ``CXX``, else the first of ``c++``, ``g++`` and
``clang++`` that knows C++20; where there is none, the compiler of the package ``ziglang`` is asked
for, and only then. The library has no Python in it, so that one wheel serves every version.

Run as a program, it compiles the core in place: ``python enumerate/core/build_core.py``; with
``--checked`` one that asserts every index, with ``--sanitize`` under the sanitizers for addresses
and undefined behaviour, with ``--wasm`` for the page, each into the file that ``--into`` names.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
UNIT = "enumerate/core/seabattle.cpp"
ROOMS = "enumerate", "trees", "solver"
ZIG = "ziglang==0.15.2"

SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
IS_X86 = platform.machine().lower() in ("x86_64", "amd64")
LEVELS = {"core": "x86-64", "core-v3": "x86-64-v3"} if IS_X86 else {"core": ""}
"""Libraries that are built, and the processors that they are for."""

FLAGS = ["-std=c++20", "-O3", "-fno-exceptions", "-fno-rtti", "-fvisibility=hidden", "-Wno-psabi"]
CHECKED = ["-O1", "-g", "-DSEABATTLE_CHECKED"]
SANITIZED = [*CHECKED, "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
PROBE = """#include <bit>
template <class T> concept Any = true;
Any auto count(auto mask) { return std::popcount(mask); }
"""


class BuildError(Exception):
    """The core cannot be compiled; the text says why, with the compiler's own lines."""


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command in the repository and keep what it prints."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def knows_cpp20(compiler: list[str]) -> bool:
    """Whether a compiler compiles C++20."""
    with tempfile.TemporaryDirectory() as folder:
        probe = Path(folder, "probe.cpp")
        probe.write_text(PROBE)
        command = [*compiler, "-std=c++20", "-c", str(probe), "-o", str(probe.with_suffix(".o"))]
        try:
            return run(command).returncode == 0
        except OSError:
            return False


def system_compiler() -> list[str] | None:
    """The compiler of ``CXX``, or the first on the PATH that knows C++20."""
    if os.environ.get("CXX"):
        return shlex.split(os.environ["CXX"])
    for name in ("c++", "g++", "clang++"):
        path = shutil.which(name)
        if path is None:
            continue
        if knows_cpp20([path]):
            return [path]
        print(f"seabattle: {path} does not compile C++20 and is passed over", file=sys.stderr)
    return None


def zig() -> list[str] | None:
    """The compiler of the package ziglang, if it is installed."""
    return [sys.executable, "-m", "ziglang"] if importlib.util.find_spec("ziglang") else None


def sources() -> list[Path]:
    """Every file that the core is compiled from."""
    found = [path for room in ROOMS for path in (ROOT / room).rglob("*.hpp")]
    return [*found, FOLDER / "seabattle.h", FOLDER / "seabattle.cpp", Path(__file__).resolve()]


def is_stale() -> bool:
    """Whether a library is missing, or older than a source."""
    built = [FOLDER / f"{name}{SUFFIX}" for name in LEVELS]
    if not all(path.exists() for path in built):
        return True
    oldest = min(path.stat().st_mtime for path in built)
    return any(path.stat().st_mtime > oldest for path in sources())


def _steps(compiler: list[str] | None, flags: list[str], level: str, out: Path) -> list[list[str]]:
    """The commands that compile a library for processors of a level."""
    if compiler is not None:
        shared = ["-dynamiclib"] if sys.platform == "darwin" else ["-shared", "-fPIC"]
        march = [f"-march={level}"] if level else []
        return [[*compiler, *FLAGS, *march, *flags, "-I", ".", *shared, UNIT, "-o", str(out)]]
    program = zig()
    if program is None:
        raise BuildError(
            "seabattle: no compiler for C++20 was found (CXX, c++, g++, clang++) and the package "
            f"ziglang is not installed: pip install '{ZIG}', or install a compiler"
        )
    # Linked as C, since a library of C++ would have zig compile its own standard library first.
    compiled = out.with_suffix(".o")
    quiet = ["-fno-sanitize=undefined", "-fPIC"]
    quiet += [f"-mcpu={level.replace('-', '_')}"] if level else []
    return [
        [*program, "c++", "-c", *FLAGS, *quiet, *flags, "-I", ".", UNIT, "-o", str(compiled)],
        [*program, "cc", "-shared", str(compiled), "-o", str(out)],
    ]


def compile_library(out: Path, level: str = "", flags: list[str] | None = None) -> None:
    """Compile the core into a library, beside it first.

    Raises
    ------
    BuildError
        If there is no compiler, or it fails.
    """
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".build-") as folder:
        built = Path(folder, out.name)
        for command in _steps(system_compiler(), flags or [], level, built):
            done = run(command)
            if done.returncode:
                said = "\n".join((done.stderr or done.stdout).strip().splitlines()[:40])
                raise BuildError(
                    f"seabattle: the core does not compile\n$ {shlex.join(command)}\n{said}"
                )
        os.replace(built, out)


def build() -> None:
    """Compile the libraries for this machine, where they are missing or older than a source."""
    if not is_stale():
        return
    with ThreadPoolExecutor() as beside:
        made = [
            beside.submit(compile_library, FOLDER / f"{name}{SUFFIX}", level)
            for name, level in LEVELS.items()
        ]
        for one in made:
            one.result()


def build_wasm(out: Path) -> None:
    """Compile the core to WebAssembly with vector instructions, by zig alone: one source, one file.

    Its memory grows as JavaScript asks for it, and holds what JavaScript puts there.

    Raises
    ------
    BuildError
        If zig is not installed, or fails.
    """
    program = zig()
    if program is None:
        raise BuildError(f"seabattle: WebAssembly is built by zig: pip install '{ZIG}'")
    flags = [flag for flag in FLAGS if not flag.startswith("-O")]
    target = ["-target", "wasm32-wasi", "-mcpu=generic+simd128+bulk_memory", "-O3"]
    flags.append("-fno-sanitize=undefined")
    with tempfile.TemporaryDirectory(prefix="seabattle-") as folder:
        compiled, built = Path(folder, "core.o"), Path(folder, "core.wasm")
        linked = ["-nostdlib", "-Wl,--no-entry", "-Wl,--export-dynamic", "-Wl,--export=__heap_base"]
        for command in (
            [*program, "c++", "-c", *target, *flags, "-I", ".", UNIT, "-o", str(compiled)],
            [*program, "cc", *target, *linked, "-s", str(compiled), "-o", str(built)],
        ):
            done = run(command)
            if done.returncode:
                raise BuildError(
                    f"seabattle: no WebAssembly\n$ {shlex.join(command)}\n{done.stderr}"
                )
        shutil.move(built, out)


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """What setuptools needs, and zig where no compiler is found."""
    return [*_setuptools().get_requires_for_build_wheel(config_settings), *_compiler_needed()]


def get_requires_for_build_editable(config_settings: Any = None) -> list[str]:
    """What setuptools needs, and zig where no compiler is found."""
    return [*_setuptools().get_requires_for_build_editable(config_settings), *_compiler_needed()]


def get_requires_for_build_sdist(config_settings: Any = None) -> list[str]:
    """What setuptools needs; nothing is compiled."""
    return list(_setuptools().get_requires_for_build_sdist(config_settings))


def build_wheel(folder: str, config_settings: Any = None, metadata: str | None = None) -> str:
    """Compile the core and pack a wheel for every Python on this platform."""
    _build_or_exit()
    options = {**(config_settings or {}), "--build-option": [f"--plat-name={_platform()}"]}
    return str(_setuptools().build_wheel(folder, options, metadata))


def build_editable(folder: str, config_settings: Any = None, metadata: str | None = None) -> str:
    """Compile the core in place and pack a wheel that points here."""
    _build_or_exit()
    return str(_setuptools().build_editable(folder, config_settings, metadata))


def build_sdist(folder: str, config_settings: Any = None) -> str:
    """Pack the sources."""
    return str(_setuptools().build_sdist(folder, config_settings))


def _setuptools() -> Any:
    from setuptools import build_meta

    return build_meta


def _compiler_needed() -> list[str]:
    return [] if system_compiler() else [ZIG]


def _platform() -> str:
    """Tag of the platform for wheels."""
    import sysconfig

    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def _build_or_exit() -> None:
    """Compile, or end with the message alone, which pip shows."""
    try:
        build()
    except BuildError as error:
        sys.exit(str(error))


def main() -> None:
    """Compile what the command line names."""
    parser = argparse.ArgumentParser(description="compile the core of seabattle")
    kind = parser.add_mutually_exclusive_group()
    for name, text in (
        ("checked", "assert every index"),
        ("sanitize", "look for wrong addresses and undefined behaviour while it runs"),
        ("wasm", "WebAssembly for the page"),
    ):
        kind.add_argument(f"--{name}", action="store_true", help=text)
    parser.add_argument("--into", type=Path, help="the file; by default beside the sources")
    given = parser.parse_args()
    try:
        if given.wasm:
            build_wasm(given.into or FOLDER / "core.wasm")
        elif given.checked or given.sanitize:
            flags = SANITIZED if given.sanitize else CHECKED
            compile_library(given.into or FOLDER / f"core-checked{SUFFIX}", flags=flags)
        else:
            build()
    except BuildError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
