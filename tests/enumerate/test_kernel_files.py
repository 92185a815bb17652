"""Compiled kernels shared by processes: nothing lost, nothing mistaken, damage harmless."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from seabattle.enumerate.kernels import SharedKernelFile

STAMP = (1.0, 10)


def file_in(folder: Path) -> SharedKernelFile:
    """The files of one function."""
    return SharedKernelFile(str(folder), "module.function-1.py311", STAMP)


def test_what_is_kept_is_found_again(tmp_path: Path) -> None:
    file_in(tmp_path).save(("int64", "x86"), ("code", 1))
    file_in(tmp_path).save(("uint64", "x86"), ("code", 2))
    assert file_in(tmp_path).load(("int64", "x86")) == ("code", 1)
    assert file_in(tmp_path).load(("uint64", "x86")) == ("code", 2)
    assert file_in(tmp_path).load(("float64", "x86")) is None
    other = SharedKernelFile(str(tmp_path), "module.function-1.py311", (2.0, 10))
    assert other.load(("int64", "x86")) is None


def test_processes_that_keep_signatures_at_once_lose_none_and_mistake_none(tmp_path: Path) -> None:
    writing = textwrap.dedent("""
        import sys
        from seabattle.enumerate.kernels import SharedKernelFile

        folder, process = sys.argv[1:]
        kept = SharedKernelFile(folder, "module.function-1.py311", (1.0, 10))
        sys.stdin.readline()
        for number in range(40):
            kept.save((process, number), f"code {process} {number}")
    """)
    processes = [
        subprocess.Popen([sys.executable, "-c", writing, str(tmp_path), name],
                         stdin=subprocess.PIPE, text=True)
        for name in "abcd"
    ]  # fmt: skip
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        process.communicate()
        assert process.returncode == 0
    kept = file_in(tmp_path)
    for name in "abcd":
        for number in range(40):
            assert kept.load((name, number)) == f"code {name} {number}"


def test_damaged_files_are_as_good_as_none(tmp_path: Path) -> None:
    file_in(tmp_path).save("signature", "code")
    [index] = tmp_path.glob("*.nbi")
    [data] = tmp_path.glob("*.nbc")
    for path in (data, index):
        whole = path.read_bytes()
        for content in (b"", whole[: len(whole) // 2], b"\x80\x05garbage", os.urandom(200)):
            path.write_bytes(content)
            assert file_in(tmp_path).load("signature") in (None, "code")
        path.write_bytes(whole)
    assert file_in(tmp_path).load("signature") == "code"
    index.write_bytes(b"garbage")
    file_in(tmp_path).save("signature", "new code")
    assert file_in(tmp_path).load("signature") == "new code"


def test_what_cannot_be_kept_is_no_failure(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    file_in(gone).save("signature", "code")
    assert file_in(gone).load("signature") is None
    if os.geteuid() == 0:
        return
    tmp_path.chmod(0o500)
    file_in(tmp_path).save("signature", "code")
    assert file_in(tmp_path).load("signature") is None


@pytest.mark.slow
def test_two_first_runs_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "seabattle", "solve", "--board", "3x3", "--fleet", "3,1,1"]
    environment = {**os.environ, "SEABATTLE_CACHE_DIR": str(tmp_path)}
    both = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    told = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    one, other = (out.decode().splitlines()[:6] for out, _ in told)
    assert one == other
