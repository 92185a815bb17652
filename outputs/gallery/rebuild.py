"""Draw the gallery: ``python outputs/gallery/rebuild.py``.

For every game: solve it (least mean, and among those trees the least worst case), draw the path
on which every shot misses, and the whole tree if it is small. The pictures, ``index.html`` and
``gallery.json`` are written beside this file; the last two record the commands.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path
from typing import Any

from seabattle.cli.shared import made_by
from seabattle.enumerate.files import write_text
from seabattle.trees.page.frame import page, scrolled

HERE = Path(__file__).resolve().parent

SMALL = 40
"""Trees for at most this many layouts are also drawn whole."""

GAMES = [
    ("3x3", "3,1,1", "none", "hit"),
    ("3x3", "3,1,1", "none", "sunk"),
    ("3x3", "3,2", "sides", "sunk"),
    ("4x4", "3,2,1", "none", "hit"),
    ("4x4", "3,2,1", "none", "sunk"),
    ("4x4", "2,2,1", "none", "hit"),
    ("4x4", "2,2,1", "none", "sunk"),
    ("4x5", "4,2", "none", "hit"),
    ("5x5", "3,2,2,1,1,1", "none", "hit"),
    ("5x5", "3,2,2,1,1,1", "none", "sunk"),
    ("5x5", "3,2,2,1,1,1", "none", "ship"),
    ("5x5", "3,2,2", "none", "hit"),
    ("5x5", "3,2,2", "none", "sunk"),
]
"""Board, fleet, contact rule, answer mode: the fleets of the sources, and some beside them."""

ANSWERS = {
    "hit": "shots are answered hit or miss",
    "sunk": "shots are answered hit, miss or sunk",
    "ship": "a hit names the ship",
}


STYLE = """
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; } h2 + p { margin: 0; color: var(--grey); }
details div { overflow-wrap: anywhere; }
"""


def seabattle(*arguments: str) -> str:
    """Run the program and return its output."""
    return subprocess.run(
        [sys.executable, "-m", "seabattle", *arguments], check=True, capture_output=True, text=True
    ).stdout


def draw(board: str, fleet: str, contact: str, answers: str, folder: Path) -> dict[str, Any]:
    """Solve one game and draw it; return its entry of the page."""
    name = f"{board}-{fleet}-{contact}-{answers}"
    game = ["--board", board, "--fleet", fleet, "--contact", contact, "--answers", answers]
    solve = ["solve", *game, "--objective", "mean-worst", "--tree", "tree.json"]
    tree = folder / f"{name}.json"
    found = json.loads(seabattle(*solve[:-1], str(tree), "--json"))
    entry = {key: found[key] for key in (
        "board", "fleet", "contact", "answers", "layouts", "status", "total_misses",
        "worst_misses", "best_shots",
    )}  # fmt: skip
    entry["pictures"] = []
    commands = [" ".join(["seabattle", *solve])]
    parts = [("misses", ["--path", "misses"])]
    if found["layouts"] <= SMALL:
        parts.append(("tree", []))
    for part, options in parts:
        file = f"{name}-{part}.svg"
        seabattle("render", str(tree), *options, "-o", str(HERE / file))
        commands.append(" ".join(["seabattle render tree.json", *options, "-o", file]))
        entry["pictures"].append(file)
    entry["commands"] = commands
    return entry


def figure(entry: dict[str, Any]) -> str:
    """HTML of one game."""
    game = (
        f"{entry['board']} with ships {entry['fleet']}, "
        + ("which do not touch" if entry["contact"] == "none" else "which may touch")
        + f"; {ANSWERS[entry['answers']]}."
    )
    proof = "Proven" if entry["status"] == "optimal" else "Best known"
    cost = (
        f"{proof}: {entry['total_misses']:,}/{entry['layouts']:,} = "
        f"{entry['total_misses'] / entry['layouts']:.4f} misses on average are the least, and "
        f"{entry['worst_misses']} in the worst case the least among the strategies of that mean."
    )
    images = "\n".join(
        scrolled(f'<img src="{file}" alt="{escape(game)} {what}">', what)
        for file, what in zip(entry["pictures"], ("Miss path", "Whole tree"), strict=False)
    )
    commands = "<br>".join(f"<code>{escape(line)}</code>" for line in entry["commands"])
    heading = f"{ANSWERS[entry['answers']][0].upper()}{ANSWERS[entry['answers']][1:]}"
    return (
        f"<figure>\n<h3>{heading}</h3>\n{images}\n<figcaption>{escape(cost)}</figcaption>\n"
        f'<details><summary>Commands</summary><div class="small">{commands}</div></details>\n'
        f"</figure>"
    )


def section(entries: list[dict[str, Any]]) -> str:
    """HTML of the games of one fleet."""
    first = entries[0]
    name = f"{first['board'].replace('x', ' × ')}, ships {first['fleet']}"
    touch = "" if first["contact"] == "none" else " that may touch"
    return (
        f'<h2 id="{anchor(first)}">{name}{touch}</h2>\n<p>{first["layouts"]:,} layouts.</p>\n'
        + "\n".join(map(figure, entries))
    )


def anchor(entry: dict[str, Any]) -> str:
    """Id of a fleet's section of the page."""
    return f"{entry['board']}-{entry['fleet']}"


def main() -> None:
    """Solve and draw every game, then write the page."""
    with tempfile.TemporaryDirectory() as folder:
        entries = []
        for game in GAMES:
            print(*game, flush=True)
            entries.append(draw(*game, Path(folder)))
    write_page(entries)


def write_page(entries: list[dict[str, Any]]) -> None:
    """Write the entries as JSON and as a page."""
    made = {"command": "python outputs/gallery/rebuild.py", "version": made_by()["version"]}
    document = {"format": "seabattle-gallery", "version": 1, "made_by": made, "games": entries}
    write_text(HERE / "gallery.json", json.dumps(document, indent=1) + "\n")
    fleets: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        fleets.setdefault(anchor(entry), []).append(entry)
    links = " ".join(
        f'<a href="#{name}">{found[0]["board"].replace("x", " × ")}: {found[0]["fleet"]}</a>'
        for name, found in fleets.items()
    )
    intro = (
        "<p>Optimal strategies along their <i>miss path</i>: the branch on which every shot "
        "misses. The next shot is red, misses are dots; the last board shows where the ships must "
        "be. Dashed boxes say how many layouts go another way, and how many more misses may come "
        "there. Every tree is proven to have the least mean, and verified from the rules.</p>\n"
        f'<nav aria-label="Fleets">{links}</nav>\n'
    )
    body = intro + "\n".join(map(section, fleets.values()))
    made_text = f"Made by: {made['command']}, version {made['version']}"
    text = page("Gallery of optimal strategies", body, style=STYLE, made_by=made_text)
    write_text(HERE / "index.html", text)


if __name__ == "__main__":
    main()
