"""Maps of boards of full size: ``python outputs/maps/rebuild.py``.

Each JSON file holds what a command printed, with the command and the version that made it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent
RUSSIAN = "count --board 10x10 --fleet russian"
HASBRO = "count --board 10x10 --fleet hasbro"
COMMANDS = {
    "russian": f"{RUSSIAN} --map russian.svg",
    "russian-after-C1": f"{RUSSIAN} --miss C1 --map russian-after-C1.svg",
    "russian-miss-path": f"{RUSSIAN} --miss-path",
    "hasbro": f"{HASBRO} --map hasbro.svg",
    "hasbro-in-a-game": f"{HASBRO} --miss E5,F6,D3,G7 --hit C3 --map hasbro-in-a-game.svg",
    "12x12-russian": "count --board 12x12 --fleet russian --no-map",
    "14x14-russian": "count --board 14x14 --fleet russian --no-map",
}


def main() -> None:
    """Run every command in this folder."""
    for name, command in COMMANDS.items():
        print("$ seabattle", command, flush=True)
        done = subprocess.run(
            [sys.executable, "-m", "seabattle", *command.split(), "--json"],
            cwd=HERE, check=True, capture_output=True, text=True,
        )  # fmt: skip
        found = json.loads(done.stdout)
        del found["seconds"]
        record = {"command": f"seabattle {command}", "version": version("seabattle"), **found}
        lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in record.items()]
        text = "{\n" + ",\n".join(lines) + "\n}\n"
        (HERE / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
