"""A table of command lines: what each prints as JSON, or how it ends; and five real processes."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from seabattle import load_tree, verify

Run = Callable[..., tuple[int, str, str]]

SMALL = "--board 3x3 --fleet 3,1,1"
MIDDLE = "--board 4x4 --fleet 3,2,1"

ANSWERS: list[tuple[str, dict[str, Any]]] = [
    (f"count {SMALL}", {"layouts": 4, "labelled_layouts": 8, "best": ["A1", "C1", "A3", "C3"]}),
    (f"count {SMALL} --miss B1", {"layouts": 3}),
    (f"count {MIDDLE} --answers sunk --sunk A1:A3", {"layouts": 20}),
    ("count --fleet russian --no-map", {"layouts": 1855545978831780}),
    ("count --board 10x10 --fleet 2,2 --contact sides --no-map", {"layouts": 15626}),
    (f"solve {SMALL}", {"total_misses": 6, "worst_misses": 3, "status": "optimal", "layouts": 4}),
    (f"solve {MIDDLE}", {"total_misses": 605, "lower_bound": 605, "upper_bound": 605}),
    (f"solve {MIDDLE} --answers sunk", {"total_misses": 428, "mean_misses": 428 / 176}),
    (f"solve {MIDDLE} --objective worst", {"worst_misses": 5}),
    (f"solve {MIDDLE} --threads 2", {"total_misses": 605}),
    (
        "solve --board 4x5 --fleet 4,2 --objective pareto",
        {
            "front": [
                {"worst_misses": 6, "total_misses": 475, "mean_misses": 475 / 128},
                {"worst_misses": 7, "total_misses": 465, "mean_misses": 465 / 128},
            ]
        },
    ),
    (
        "solve --board 4x4 --fleet 4 --answers sunk --hit C3",
        {"total_misses": 1, "best_shots": ["C1", "C2", "A3", "B3", "D3", "C4"]},
    ),
    (
        'solve --board 3x3 --fleet 3,2 --contact sides --answers sunk --shots "C3 hit, B3 sunk=2"',
        {"status": "optimal"},
    ),
    (f"greedy {SMALL} --rule hits", {"total_misses": 6, "worst_misses": 3}),
    (f"graph {SMALL}", {"layouts": 4, "vertices": 15, "edges": 56}),
    (f"compare {SMALL}", {}),
    (f"bound {SMALL}", {}),
    (f"players {SMALL}", {}),
    (f"hide {SMALL} --seed 1", {}),
    (f"advise {SMALL} --miss B1", {"method": "optimal"}),
    (f"advise {MIDDLE} --answers sunk --hit A1", {"method": "optimal"}),
    (f"equilibrium {SMALL}", {"lower_bound": 1.5, "upper_bound": 1.5}),
    ("verify tree.json", {"valid": True, "total_misses": 6, "worst_misses": 3, "wasted": 0}),
    ("replay tree.json --layout A1:A3,C1,C3", {"misses": 1}),
]
"""Command lines, each run with ``--json``, and fields of what they print."""

FAILURES: list[tuple[str, int, str]] = [
    ("solve --board 0x0", 2, "0x0"),
    ("solve --board 3x3 --fleet 9", 2, "9"),
    ("solve --board 3x3 --fleet 3,1,1 --miss Z9", 2, "Z9"),
    (f"solve {SMALL} --miss A1 --hit A1", 2, "A1"),
    (f"solve {SMALL} --contact sideways", 2, "sideways"),
    (f"solve {SMALL} --time-limit nan", 2, "nan"),
    (f"solve {SMALL} --unknown", 2, "--unknown"),
    ("count --board 3x3 --fleet 3,3,3,3", 2, "fleet"),
    ("count --position missing.json", 2, "missing.json"),
    ("count --fleet russian --prior missing.csv", 2, "missing.csv"),
    ("verify missing.json", 2, "missing.json"),
    ("verify text.json", 1, "text.json"),
    ("verify false.json", 1, ""),
    ("replay tree.json --layout A1", 2, "A1"),
    ("equilibrium --board 10x10 --fleet russian", 2, "10x10"),
    ("nonsense", 2, "nonsense"),
]
"""Command lines that fail, their exit status, and what their one line names."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that the commands read."""
    made = tmp_path_factory.mktemp("table")
    process("solve", *SMALL.split(), "--tree", "tree.json", folder=made)
    (made / "text.json").write_text("Dear diary\n")
    tree = (made / "tree.json").read_text()
    (made / "false.json").write_text(tree.replace('"total_misses": 6', '"total_misses": 5'))
    return made


@pytest.mark.parametrize(("line", "fields"), ANSWERS, ids=[line for line, _ in ANSWERS])
def test_answers(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, line: str, fields: dict[str, Any]
) -> None:
    monkeypatch.chdir(folder)
    status, out, _ = run(*shlex.split(line), "--json")
    assert status == 0
    document = json.loads(out)
    assert {name: document.get(name) for name in fields} == fields


@pytest.mark.parametrize(("line", "wanted", "named"), FAILURES, ids=[row[0] for row in FAILURES])
def test_failures(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, line: str, wanted: int, named: str
) -> None:
    monkeypatch.chdir(folder)
    status, out, told = run(*shlex.split(line))
    assert status == wanted
    assert named in told + out
    assert "Traceback" not in told
    assert told.count("\n") == 1 or (out and not told)


COMMAND = [sys.executable, "-m", "seabattle"]


def process(*arguments: str, folder: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own."""
    return subprocess.run(
        [*COMMAND, *arguments], cwd=folder, capture_output=True, text=True, check=False, **options
    )


def test_a_process_ends_with_the_status_of_its_command(tmp_path: Path) -> None:
    found = process("verify", "missing.json", folder=tmp_path)
    assert (found.returncode, found.stdout, found.stderr.count("\n")) == (2, "", 1)


def test_a_reader_that_leaves_hears_no_complaint(tmp_path: Path) -> None:
    count = f"{shlex.join(COMMAND)} count --board 5x5 --fleet 3,2,1 --sample 100000"
    found = subprocess.run(
        ["bash", "-c", f"{count} | head -1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.count("\n") == 1
    assert "cannot" not in found.stderr
    assert "Traceback" not in found.stderr


def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    line = f"{shlex.join(COMMAND)} count {SMALL} > /dev/full"
    found = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, stderr=subprocess.PIPE, text=True, check=False
    )
    assert found.returncode == 1
    assert found.stderr.count("\n") == 1


def seconds_of_work(number: int) -> float:
    """Processor time that a process has taken."""
    fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_ctrl_c_leaves_whole_files(tmp_path: Path) -> None:
    """In a game that takes hours; while kernels are still compiled no tree is there."""
    game = shlex.split("solve --board 6x6 --fleet 3,2,2,1 --tree tree.json --checkpoint keys.npz")
    with subprocess.Popen(
        [*COMMAND, *game], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as solving:
        try:
            until = time.monotonic() + 200
            while seconds_of_work(solving.pid) < 6 and time.monotonic() < until:
                time.sleep(0.2)
            solving.send_signal(signal.SIGINT)
            _, told = solving.communicate(timeout=200)
        finally:
            solving.kill()
    assert solving.returncode == 130
    assert "Traceback" not in told
    left = set(os.listdir(tmp_path))
    assert left <= {"keys.npz", "tree.json"}
    if "tree.json" in left:
        assert verify(load_tree(tmp_path / "tree.json")).valid


def test_no_progress_is_shown_where_there_is_no_terminal(tmp_path: Path) -> None:
    found = process(*f"solve {MIDDLE} --json".split(), folder=tmp_path)
    assert found.returncode == 0
    assert not re.search(r"\r|\x1b|it/s", found.stderr)
    assert json.loads(found.stdout)["total_misses"] == 605
