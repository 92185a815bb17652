"""Rebuild everything in this folder: ``python outputs/rebuild.py``.

Each folder is written by one command, which is also kept in its ``table.json``.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

COMMANDS = [
    "compare --board 3x3 --fleet 3,1,1 --out outputs/3x3-3,1,1",
    "compare --board 5x5 --fleet 3,2,2,1,1,1 --out outputs/5x5-3,2,2,1,1,1",
]


def main() -> None:
    """Run every command from the repository's root."""
    for command in COMMANDS:
        print("$ seabattle", command, flush=True)
        subprocess.run(
            [sys.executable, "-m", "seabattle", *command.split()], cwd=HERE.parent, check=True
        )


if __name__ == "__main__":
    main()
