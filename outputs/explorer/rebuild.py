"""Rebuild this folder: ``python outputs/explorer/rebuild.py``.

Makes the explorer pages of the 5x5 game from the trees kept beside them, one more from a complete
strategy file, in which any cell can be shot, and takes screenshots of them in Chromium (see
``tests/support/browsing.py``), in both themes, wide and as narrow as a phone.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TREES = "outputs/5x5-3,2,2,1,1,1"
LAYOUT = "A1:A3 C1:D1 D5:E5 C3 E3 A5"

PAGES = {
    "5x5-hit": ["hit-optimal-mean", "hit-greedy-hits", "hit-greedy-half"],
    "5x5-sunk": ["sunk-optimal-mean", "sunk-greedy-hits"],
}

COMPLETE = {"5x5-costs": ["--answers", "sunk"]}
"""Pages of complete strategy files, built anew in a temporary folder, and their games."""

WIDE, PHONE = (1280, 860), (390, 844)

# By screenshot: page, place in it (with a hidden layout: the shot), window size, theme.
SHOTS = {
    "answer-light": ("5x5-hit", "answer.0.0.0", WIDE, "light"),
    "answer-dark": ("5x5-sunk", "answer.0.0.1.2", WIDE, "dark"),
    "compare-light": ("5x5-hit", "hide.9", WIDE, "light"),
    "compare-dark": ("5x5-sunk", "hide.9", WIDE, "dark"),
    "costs-light": ("5x5-costs", "answer.0.0.C3", WIDE, "light"),
    "costs-dark": ("5x5-costs", "answer.0.B2.0.2.E5", WIDE, "dark"),
    "phone-costs-light": ("5x5-costs", "answer.0.0.C3.0", (360, 780), "light"),
    "phone-answer-light": ("5x5-sunk", "answer.0.0.1", PHONE, "light"),
    "phone-compare-dark": ("5x5-hit", "hide.9", PHONE, "dark"),
}


def write_pages() -> None:
    """One page for each answer mode."""
    for page, names in PAGES.items():
        trees = [f"{TREES}/{name}.json" for name in names]
        _run("explore", *trees, "-o", f"outputs/explorer/{page}.html")
    for page, game in COMPLETE.items():
        with tempfile.TemporaryDirectory() as folder:
            _run("strategy", "build", *game, "--complete", "-o", f"{folder}/{page}")
            _run("explore", f"{folder}/{page}", "-o", f"outputs/explorer/{page}.html")


def _run(*command: str) -> None:
    print("$ seabattle", *command, flush=True)
    subprocess.run([sys.executable, "-m", "seabattle", *command], cwd=ROOT, check=True)


def take_screenshots() -> None:
    """One picture for each place worth showing."""
    sys.path.insert(0, str(ROOT / "tests"))
    from support import browsing

    from seabattle.enumerate.placements import placement_table
    from seabattle.enumerate.rules import Rules

    if why := browsing.why_no_browser():
        sys.exit(f"no screenshots: {why}")
    numbers = placement_table(Rules("5x5", "3,2,2,1,1,1")).parse_layout(LAYOUT.split())
    hidden = ".".join(map(str, numbers))
    with browsing.browser() as chromium:
        for name, (page, place, (width, height), theme) in SHOTS.items():
            tab = chromium.new_page(
                viewport={"width": width, "height": height},
                color_scheme=theme,
                reduced_motion="reduce",
            )
            address = f"{place}.{hidden}" if place.startswith("hide") else place
            tab.goto(f"{(HERE / page).as_uri()}.html#{address}")
            if page in COMPLETE:
                tab.locator("#costs:not(:disabled)").wait_for()
                tab.check("#costs")
            tab.screenshot(path=HERE / f"{name}.png", full_page=width < WIDE[0])
            tab.close()
            print(f"{name}.png")


if __name__ == "__main__":
    write_pages()
    take_screenshots()
