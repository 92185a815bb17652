"""How much memory commands really take.

    python tests/benchmarks/memory_of_process.py

Every command runs as a child with several values of ``--memory-limit``; the resident memory of the
child and of its own children is sampled, and must stay within 1.25 times the limit plus 0.4 GiB.
One process is judged by the highest resident size that the system recorded, several by the sum of
what each has for itself and its share of what they have in common (Linux only: ``/proc``).

``--root DIR`` measures another copy of the program, ``--only TEXT`` takes the cases whose name
contains the text, ``--limits 0.2,1`` chooses the limits.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

FACTOR = 1.25
EXTRA_GIB = 0.4
"""The promise: resident memory of at most ``FACTOR`` times the limit, and ``EXTRA_GIB``."""

LIMITS = (0.2, 0.5, 1.0, 2.0)
SECONDS_BETWEEN = 0.02

_LARGE = "--board 6x6 --fleet 3,2,2,1,1,1"
_MIDDLE = "--board 6x6 --fleet 4,3,2,1"
_TOUCHING = "--board 6x6 --fleet 3,2,2,1 --contact sides"

CASES = {
    "solve small": "solve",
    "solve hit": f"solve {_LARGE} --time-limit 20 --tree {{folder}}/t.json",
    "solve hit, checkpoint": f"solve {_LARGE} --time-limit 20 --checkpoint {{folder}}/c.npz",
    "solve hit, touching": f"solve {_TOUCHING} --time-limit 20",
    "solve hit, 7x7": "solve --board 7x7 --fleet 3,2,2,1 --time-limit 20",
    "solve many": "solve --board 6x6 --fleet 3,2,2,1,1 --contact sides --time-limit 30",
    "solve many, apart": "solve --board 7x7 --fleet 3,2,2,1,1 --time-limit 30",
    "solve many, sunk": "solve --board 7x7 --fleet 3,2,2,1 --answers sunk --time-limit 30",
    "solve sunk": f"solve {_MIDDLE} --answers sunk --time-limit 20",
    "solve ship": f"solve {_MIDDLE} --answers ship --time-limit 20",
    "solve sunk, touching": "solve --board 5x5 --fleet 3,2,2 --contact sides --answers sunk "
    "--time-limit 20",
    "solve position": "solve --board 10x10 --fleet russian --shots 'A1 miss' --time-limit 20",
    "greedy": f"greedy {_LARGE} --tree {{folder}}/t.json",
    "greedy many": "greedy --board 7x7 --fleet 3,2,2,1 --contact sides --time-limit 60",
    "greedy sunk": f"greedy {_LARGE} --answers sunk --time-limit 60",
    "graph": "graph --board 5x5 --fleet 3,2,1 --time-limit 20",
    "compare": "compare --board 5x5 --fleet 3,2,1,1 --time-limit 20",
    "count russian": "count --fleet russian",
    "count russian 12x12": "count --fleet russian --board 12x12",
    "count russian 13x13": "count --fleet russian --board 13x13",
    "count hasbro": "count --fleet hasbro",
    "count hasbro 12x12": "count --fleet hasbro --board 12x12",
    "count hasbro people": "count --fleet hasbro --prior people",
    "count hasbro no map": "count --fleet hasbro --board 13x13 --no-map",
    "count sample": "count --fleet russian --sample 2000000",
    "count ship": "count --fleet russian --ship 3",
    "equilibrium sunk": "equilibrium --answers sunk --time-limit 20",
    "equilibrium hit": "equilibrium --time-limit 20",
    "equilibrium 6x6": "equilibrium --board 5x6 --fleet 3,2,2,1,1,1 --answers sunk --time-limit 20",
    "strategy build": "strategy build --output {folder}/s --board 5x5 --fleet 3,2,1,1 "
    "--time-limit 40",
    "strategy complete": "strategy build --output {folder}/s --board 5x5 --fleet 3,2,2,1 "
    "--complete --time-limit 40",
    "tournament 2": "tournament --fleet russian --players density,greedy-map --games 20 "
    "--workers 2",
    "tournament 4": "tournament --fleet hasbro --players hunt-target,greedy-map --games 12 "
    "--workers 4",
    "tournament exact": "tournament --answers sunk --players exact,density "
    "--games 20000 --workers 2",
}
"""Commands, without their limit."""


def processes(first: int) -> Iterator[int]:
    """A process and all that descend from it."""
    yield first
    try:
        text = Path(f"/proc/{first}/task/{first}/children").read_text()
    except OSError:
        return
    for child in text.split():
        yield from processes(int(child))


def _field(path: str, name: str) -> int:
    """A line of a table of the system, in bytes; 0 when the process has ended."""
    try:
        for line in Path(path).read_text().splitlines():
            if line.startswith(name):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def peak_of(command: list[str]) -> tuple[int, int, float, str]:
    """Exit status, highest memory in bytes, seconds, and the last line that a command said."""
    started = time.monotonic()
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said)
        alone = peak = 0
        while child.poll() is None:
            everyone = list(processes(child.pid))
            alone = max(alone, _field(f"/proc/{child.pid}/status", "VmHWM:"))
            if len(everyone) > 1:
                peak = max(peak, sum(_field(f"/proc/{p}/smaps_rollup", "Pss:") for p in everyone))
            time.sleep(SECONDS_BETWEEN)
        said.seek(0)
        lines = said.read().decode().strip().splitlines()
    seconds = time.monotonic() - started
    return child.returncode, max(peak, alone), seconds, lines[-1] if lines else ""


def main() -> None:
    """Measure and print the table; exit with 1 if a command takes more than it may."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[2])
    parser.add_argument("--only", default="")
    parser.add_argument("--limits", default=",".join(map(str, LIMITS)))
    asked = parser.parse_args()
    os.environ["PYTHONPATH"] = str(asked.root / "src")
    broken = 0
    print(f"{'case':24} {'limit':>6} {'peak':>6} {'ratio':>6} {'allowed':>8}  ok   exit seconds")
    for name, text in CASES.items():
        if asked.only not in name:
            continue
        for limit in map(float, asked.limits.split(",")):
            with tempfile.TemporaryDirectory() as folder:
                import shlex

                words = shlex.split(text.format(folder=folder))
                command = [sys.executable, "-m", "seabattle", *words, "--memory-limit", str(limit)]
                status, peak, seconds, last = peak_of(command)
            allowed = FACTOR * limit + EXTRA_GIB
            gib = peak / 2**30
            good = gib <= allowed
            broken += not good
            print(
                f"{name:24} {limit:6g} {gib:6.2f} {gib / limit:6.2f} {allowed:8.2f}  "
                f"{'ok' if good else 'OVER':4} {status:4} {seconds:7.1f}  {last[:110]}",
                flush=True,
            )
    print(f"{broken} above what is allowed")
    sys.exit(broken > 0)


if __name__ == "__main__":
    main()
