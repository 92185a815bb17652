"""The page of ``seabattle play``: one file for advice, games against the program and reviews.

``python -m seabattle.trees.page.play FILE ...`` assembles it from ``templates``, ``styles`` and the
modules of ``scripts``: ``page.js``, which shows, and ``desk/worker.js``, which counts and plays. It
needs no program behind it: the worker starts from a text in the page, and nothing is loaded from
anywhere.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
import sys
import tempfile
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from seabattle.enumerate.core.build_core import FOLDER, build_wasm
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.rules import Rules
from seabattle.trees.page.frame import assembled, page_text, template
from seabattle.trees.page.modules import classic

TABS = ("advise", "match", "review", "solve")
"""The tabs in their order; each has ``NAME.html`` and a folder of scripts."""

NAMED_GAMES = (("russian", "uniform"), ("hasbro", "uniform"), ("hasbro", "people"))
"""Games whose first map is stored in the page, with the prior."""

PARTS = ("walk_board", "walk_panels")
"""Parts of a tab that the explorer has, too."""

_STYLES = ("page", "play", "advise", "match", "review", "solve")


def page_path() -> Path:
    """Where the assembled page lies.

    >>> page_path().name
    'seabattle.html'
    """
    with as_file(files("seabattle.trees.page") / "seabattle.html") as path:
        return path


def people() -> dict[str, Any]:
    """The prior ``people`` as the page holds it: its game, and a weight for every cell."""
    text = (files("seabattle.enumerate.priors") / "people" / "people.json").read_text("utf-8")
    known = json.loads(text)
    game = {name: known[name] for name in ("board", "fleet", "contact")}
    return {**game, "weights": [[float(weight) for weight in row] for row in known["weights"]]}


def stored_advice() -> dict[str, Any]:
    """The advice for the empty boards of the named games, as the worker would count it."""
    found = {}
    for name, prior in NAMED_GAMES:
        rules = Rules(fleet=name)
        counted = Counter(rules, prior=None if prior == "uniform" else prior).map()
        game = f"{rules.board} {rules.fleet} {rules.contact} {rules.answers} {rules.announce}"
        document = counted.document()
        del document["labelled_layouts"]  # of which the page says nothing
        found[f"{game} {prior}"] = {
            "layouts": counted.layouts,
            "about": False,
            **document,
            "chance": float(counted.chance(counted.best_cells[0])),
            "method": "greedy-map",
        }
    return found


def header() -> str:
    """The declarations of the core, without comments."""
    text = re.sub(r"/\*.*?\*/", " ", (FOLDER / "seabattle.h").read_text("utf-8"), flags=re.DOTALL)
    return " ".join(text.split())


def packed_core() -> str:
    """The core as WebAssembly, packed by gzip, in base 64.

    Raises
    ------
    BuildError
        If zig is not installed, which compiles it.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "core.wasm")
        build_wasm(path)
        packed = gzip.compress(path.read_bytes(), compresslevel=9, mtime=0)
    return base64.b64encode(packed).decode("ascii")


def desk_script(entry: str = "desk", stored: dict[str, Any] | None = None, core: str = "") -> str:
    """The modules that count and play as one classic script.

    Parameters
    ----------
    entry
        ``desk``, which answers questions, or ``worker``, which has a browser send them.
    stored
        Answers that are known without counting, as ``stored_advice`` makes them.
    core
        The core that the worker loads, as ``packed_core`` makes it.
    """
    data = (
        f"export const CORE = {json.dumps(core)};\n"
        f"export const HEADER = {json.dumps(header())};\n"
        f"export const PEOPLE = {json.dumps(people())};\n"
        f"export const STORED = {json.dumps(stored or {})};\n"
        f"export const PHASES = {page_text('phases.json').strip()};\n"
    )
    return classic(f"desk/{entry}.js", {"desk/data.js": data})


def _tab(name: str) -> str:
    """The body of a tab, with what it shares with the explorer."""
    body = template(name)
    for part in PARTS:
        body = body.replace(f"{{{{{part}}}}}", template(part))
    return body


def play_page(title: str = "Sea battle") -> str:
    """The page, which asks nobody anything.

    Examples
    --------
    >>> play_page().splitlines()[0]
    '<!DOCTYPE html>'
    """
    engine = desk_script("worker", stored_advice(), packed_core())
    return assembled(
        "play",
        title,
        {
            **{name: _tab(name) for name in TABS},
            "engine": engine,
        },
        styles=_STYLES,
        entry="page.js",
        made="Made with seabattle",  # without a version, so that it changes only where it differs
        runs=" 'wasm-unsafe-eval'",
        allowed="worker-src blob: 'self'; manifest-src 'self'; img-src blob: data:; ",
    )


if __name__ == "__main__":
    text = play_page()
    for path in sys.argv[1:] or [str(page_path())]:
        Path(path).write_text(text, encoding="utf-8")
