"""Rebuild everything in this folder: ``python outputs/rebuild.py``.

Each folder is written by one command, which is also recorded in its ``table.json``. The atlas takes
some hours; if it is interrupted, the next run resumes it. Rows that are there stay, also those that
took longer than the limits given here, and ``--retry-bounded`` goes on with what they leave open.
A game is searched by one thread. Searches of most games take less than a second, those of games
that stay open all of their limit; a proof takes a few times as long to find, and about a second of
processor time for each 6,000 lemmas to check.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

COMMANDS = [
    "compare --board 3x3 --fleet 3,1,1 --out outputs/3x3-3,1,1",
    "compare --board 5x5 --fleet 3,2,2,1,1,1 --out outputs/5x5-3,2,2,1,1,1",
    "solve --board 3x3 --fleet 2,1 --threads 1 --proof outputs/proofs/3x3-hit.txt",
    "solve --board 4x5 --fleet 3,2,1 --threads 1 --proof outputs/proofs/4x5-hit.txt.xz",
    *(
        f"solve --board {board} --fleet {fleet} --answers {answers} --threads 1"
        f" --proof outputs/proofs/{board}-{answers}.txt.xz"
        for board, fleet in (("4x4", "3,2,1"), ("5x5", "3,2,2,1,1,1"))
        for answers in ("hit", "sunk", "ship")
    ),
    "atlas --out outputs/atlas --row-limit 30 --proof-limit 60",
    "equilibrium --answers hit --trees 1 --out outputs/equilibrium-5x5-3,2,2,1,1,1-hit",
    "equilibrium --answers sunk --trees 1 --out outputs/equilibrium-5x5-3,2,2,1,1,1-sunk",
    "tournament --formats svg --board 10x10 --fleet hasbro"
    " --players density,hunt-target-parity,hunt-target,random --games 1000000 --seed 1"
    " --out outputs/tournament-10x10-hasbro",
    "tournament --formats svg --board 10x10 --fleet hasbro --answers ship"
    " --players learning,over-9000,density,diagonal,bob --games 100000 --seed 1"
    " --out outputs/tournament-10x10-hasbro-ship",
    *(
        f"tournament --formats svg --board 10x10 {game}"
        f" --players lookahead,map-endgame,greedy-map,{others}bob,"
        f"hunt-target-parity,hunt-target,random --games 2000 --seed 1 --resume"
        f" --out outputs/tournament-10x10-{name}"
        for name, game, others in (
            ("russian", "--fleet russian", "density,diagonal,"),
            ("russian-hit", "--fleet russian --answers hit", ""),
            ("hasbro-map", "--fleet hasbro", "density,diagonal,"),
            (
                "hasbro-ship-map",
                "--fleet hasbro --answers ship",
                "learning,over-9000,density,diagonal,",
            ),
        )
    ),
    *(
        "tournament --formats svg --board 10x10 --fleet hasbro --contact none"
        f" --players lookahead,greedy-map,density {games} --seed 1 --resume --workers 1"
        f" --out outputs/tournament-10x10-hasbro-apart{name}"
        for name, games in (
            ("", "--games 2000"),
            ("-sequential", "--layouts sequential --games 1000"),
        )
    ),
    *(
        f"tournament --formats svg --answers {answers}"
        f" --players exact,map-endgame,greedy-map,{others}"
        "bob,hunt-target-parity,hunt-target,random --layouts all --seed 1"
        f" --out outputs/tournament-5x5-3,2,2,1,1,1-{answers}"
        for answers, others in (
            ("hit", ""),
            ("sunk", "density,diagonal,"),
            ("ship", "learning,over-9000,density,diagonal,"),
        )
    ),
]

SCRIPTS = [
    "maps/rebuild.py",
    "people/rebuild.py",
    "gallery/rebuild.py",
    "explorer/rebuild.py",
    "play/rebuild.py",
    "notebook/rebuild.py",
]
"""Folders rebuilt by a script of their own."""


def main() -> None:
    """Run every command and script from the repository's root."""
    for command in COMMANDS:
        print("$ seabattle", command, flush=True)
        subprocess.run(
            [sys.executable, "-m", "seabattle", *command.split()], cwd=HERE.parent, check=True
        )
    for script in SCRIPTS:
        print("$ python", f"outputs/{script}", flush=True)
        subprocess.run([sys.executable, str(HERE / script)], cwd=HERE.parent, check=True)


if __name__ == "__main__":
    main()
