"""Compile the core; the build backend of this project (PEP 517).

``pip install`` asks this module for a wheel: it compiles the core beside its sources and lets
setuptools pack the rest. The compiler is that of ``CXX``, else the first of ``c++``, ``g++`` and
``clang++`` that knows C++20, with the flags of ``CXXFLAGS``; where there is none, the compiler of
the package ``ziglang`` is asked for, and only then. The library has no Python in it, so that one
wheel serves every version.

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
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
UNIT = "enumerate/core/seabattle.cpp"
ROOMS = "enumerate", "trees", "solver"
ZIG = "ziglang==0.15.2"

SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")


def levels(machine: str) -> dict[str, str]:
    """Libraries that are built for a kind of machine, and the processors that they are for."""
    is_x86 = machine.lower() in ("x86_64", "amd64")
    return {"core": "x86-64", "core-v3": "x86-64-v3"} if is_x86 else {"core": ""}


LEVELS = levels(platform.machine())
"""What a wheel holds."""
HERE = {"here": "native" if len(LEVELS) > 1 else ""}
"""What a checkout is run with: one library, for the processor that compiled it."""
TARGETS = {
    "manylinux_2_17_x86_64": ("x86_64-linux-gnu.2.17", ".so"),
    "manylinux_2_17_aarch64": ("aarch64-linux-gnu.2.17", ".so"),
    "macosx_11_0_arm64": ("aarch64-macos.11.0", ".dylib"),
    "macosx_11_0_x86_64": ("x86_64-macos.11.0", ".dylib"),
    "win_amd64": ("x86_64-windows-gnu", ".dll"),
    "win_arm64": ("aarch64-windows-gnu", ".dll"),
}
"""Platforms that wheels are built for, and what zig calls them."""
PACK = """
import sys
from setuptools import build_meta
build_meta.build_wheel(sys.argv[1], {"--build-option": sys.argv[2:]})
"""

FLAGS = [
    "-std=c++20", "-O3", "-fno-exceptions", "-fno-rtti", "-fvisibility=hidden", "-Wno-psabi",
    "-ffp-contract=off", "-fno-tree-vectorize", "-fopenmp-simd", "-Wno-pass-failed",
]  # fmt: skip
"""Every product and every sum is rounded, so that floats are the same on all targets. Loops become
vectors where ``omp simd`` says so: few gain by it, and to try all takes a fifth of the time.
"""

CHECKED = ["-O1", "-g", "-DSEABATTLE_CHECKED"]
SANITIZED = [*CHECKED, "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
PROBE = """#include <bit>
template <class T> concept Any = true;
Any auto count(auto mask) { return std::popcount(mask); }
using Four [[gnu::vector_size(16)]] = int;
Four turned(Four v) { return __builtin_shufflevector(v, v, 1, 2, 3, 0); }
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


def is_stale(libraries: Iterable[str]) -> bool:
    """Whether one of some libraries is missing, or older than a source."""
    built = [FOLDER / f"{name}{SUFFIX}" for name in libraries]
    if not all(path.exists() for path in built):
        return True
    oldest = min(path.stat().st_mtime for path in built)
    return any(path.stat().st_mtime > oldest for path in sources())


def _by_zig(program: list[str], target: list[str], flags: list[str], out: Path) -> list[list[str]]:
    """The commands by which zig compiles a library.

    It is linked as C, since for a library of C++ zig would compile its own standard library first.
    """
    compiled = out.with_suffix(".o")
    compile_ = [*program, "c++", "-c", *target, *FLAGS, "-fno-sanitize=undefined", *flags]
    return [
        [*compile_, "-I", ".", UNIT, "-o", str(compiled)],
        [*program, "cc", *target, "-shared", "-s", str(compiled), "-o", str(out)],
    ]


def _zig_level(level: str) -> list[str]:
    return [f"-mcpu={level.replace('-', '_')}"] if level else []


def _zig_or_error(why: str) -> list[str]:
    program = zig()
    if program is None:
        raise BuildError(f"seabattle: {why}: pip install {ZIG}")
    return program


def _steps(flags: list[str], level: str, out: Path) -> list[list[str]]:
    """The commands that compile a library for processors of a level of this machine."""
    compiler = system_compiler()
    if compiler is None:
        program = _zig_or_error(
            "no compiler for C++20 was found (CXX, c++, g++, clang++), nor the package ziglang"
        )
        return _by_zig(program, [], ["-fPIC", *_zig_level(level), *flags], out)
    shared = ["-dynamiclib"] if sys.platform == "darwin" else ["-shared", "-fPIC"]
    march = [f"-march={level}"] if level else []
    given = shlex.split(os.environ.get("CXXFLAGS", ""))
    return [[*compiler, *FLAGS, *march, *flags, *given, "-I", ".", *shared, UNIT, "-o", str(out)]]


def _follow(steps: list[list[str]]) -> None:
    """Run commands one after the other.

    Raises
    ------
    BuildError
        If one fails; the message holds what it says.
    """
    for command in steps:
        done = run(command)
        if done.returncode:
            said = "\n".join((done.stderr or done.stdout).strip().splitlines()[:40])
            raise BuildError(
                f"seabattle: the core does not compile\n$ {shlex.join(command)}\n{said}"
            )


def compile_library(out: Path, level: str = "", flags: list[str] | None = None) -> None:
    """Compile the core into a library, beside it first.

    Raises
    ------
    BuildError
        If there is no compiler, or it fails.
    """
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".build-") as folder:
        built = Path(folder, out.name)
        _follow(_steps(flags or [], level, built))
        os.replace(built, out)


def build(libraries: Mapping[str, str] = HERE) -> None:
    """Compile libraries for this machine, where one is missing or older than a source."""
    if not is_stale(libraries):
        return
    with ThreadPoolExecutor() as beside:
        made = [
            beside.submit(compile_library, FOLDER / f"{name}{SUFFIX}", level)
            for name, level in libraries.items()
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
    program = _zig_or_error("WebAssembly is built by zig")
    target = ["-target", "wasm32-wasi", "-mcpu=generic+simd128+bulk_memory", "-O2"]
    linked = ["-nostdlib", "-Wl,--no-entry", "-Wl,--export-dynamic", "-Wl,--export=__heap_base"]
    with tempfile.TemporaryDirectory(prefix="seabattle-") as folder:
        built = Path(folder, "core.wasm")
        compile_, link = _by_zig(program, target, [], built)
        _follow([compile_, [*(word for word in link if word != "-shared"), *linked]])
        shutil.move(built, out)


def build_wheels(folder: Path) -> None:
    """Build the wheels of all platforms on this machine, by zig.

    Raises
    ------
    BuildError
        If zig is not installed, or fails.
    """
    program = _zig_or_error("wheels for other systems are built by zig")
    for tag, (target, suffix) in TARGETS.items():
        with tempfile.TemporaryDirectory(prefix="seabattle-") as copied:
            copy = Path(copied, "seabattle")
            shutil.copytree(ROOT, copy, symlinks=True, ignore=_not_a_source)
            into = copy / FOLDER.relative_to(ROOT)
            for name, level in levels(tag.partition("_")[2]).items():
                named = ["-target", target]
                _follow(_by_zig(program, named, _zig_level(level), into / f"{name}{suffix}"))
            pack = [sys.executable, "-c", PACK, str(folder), f"--plat-name={tag}"]
            done = subprocess.run(pack, cwd=copy, check=False)
            if done.returncode:
                raise BuildError(f"seabattle: no wheel for {tag}")


def _not_a_source(folder: str, names: list[str]) -> list[str]:
    """Names of a folder that no wheel is made of."""
    built = (".so", ".dylib", ".dll", ".wasm")
    return [n for n in names if n.startswith(".") or n == "build" or n.endswith(built)]


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
    _build_or_exit(LEVELS)
    options = {**(config_settings or {}), "--build-option": [f"--plat-name={_platform()}"]}
    return str(_setuptools().build_wheel(folder, options, metadata))


def build_editable(folder: str, config_settings: Any = None, metadata: str | None = None) -> str:
    """Compile the core in place and pack a wheel that points here."""
    _build_or_exit(HERE)
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


def _build_or_exit(libraries: Mapping[str, str]) -> None:
    """Compile, or end with the message alone, which pip shows."""
    try:
        build(libraries)
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
        ("wheels", "a wheel for every system, into the folder that --into names"),
    ):
        kind.add_argument(f"--{name}", action="store_true", help=text)
    parser.add_argument("--into", type=Path, help="the file; by default beside the sources")
    given = parser.parse_args()
    try:
        if given.wasm:
            build_wasm(given.into or FOLDER / "core.wasm")
        elif given.wheels:
            build_wheels((given.into or ROOT / "dist").resolve())
        elif given.checked or given.sanitize:
            flags = SANITIZED if given.sanitize else CHECKED
            compile_library(given.into or FOLDER / f"core-checked{SUFFIX}", flags=flags)
        else:
            build()
    except BuildError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
