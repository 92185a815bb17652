"""The command that checks what was solved, from the rules alone: verify."""

from __future__ import annotations

import os
from pathlib import Path

import click

from seabattle.cli.equilibrium import check_folder
from seabattle.cli.limits import check_limits, memory_option
from seabattle.cli.options import PATH, json_option
from seabattle.cli.printing import mean_text, print_verdict
from seabattle.cli.progress import Bar
from seabattle.cli.strategy import verify_folder

_MANIFEST = "manifest.json"
_MIXES = "equilibrium.json"
_ATLAS = ("table.json", "rows.jsonl")

_READ_BY = {
    "seabattle-position": (
        "a position file, which claims nothing to be checked; it is read by --position, as in "
        "'seabattle advise --position {0}', and by 'seabattle review {0}'"
    ),
    "seabattle-prior": (
        "a prior, which claims nothing to be checked; it is read by --prior, as in "
        "'seabattle count --prior {0}', and by 'seabattle prior show {0}'"
    ),
    "seabattle-checkpoint": (
        "a checkpoint of a search; it is read by 'seabattle solve --checkpoint {0}' with the "
        "options of that search, which checks it and goes on from it"
    ),
    "seabattle-atlas": (
        "an atlas; it is read by 'seabattle atlas --out {0}', which proves its rows again"
    ),
}
"""Files that are not verified: what they are, and what reads them."""


@click.command()
@click.argument("file", type=PATH)
@memory_option("Memory for enumerating the layouts anew.")
@json_option
def verify(file: Path, memory_limit: float, as_json: bool) -> int:
    """Check what was solved from the rules alone.

    FILE is a tree file, whose layouts are enumerated anew and whose coverage, worst case and total
    are checked; or a folder: that of a strategy is checked as by 'strategy verify', one that
    'equilibrium --out' wrote as by 'equilibrium --check'. Exit status 1 when something is wrong.
    """
    from seabattle.enumerate.errors import SeabattleError

    check_limits(None, memory_limit)
    kind, place = _kind(file)
    if kind == "seabattle-strategy":
        return verify_folder(place, memory_limit, as_json)
    if kind == "seabattle-equilibrium":
        return check_folder(place, None, memory_limit, as_json=as_json)
    if kind in _READ_BY:
        raise SeabattleError(f"{file} is {_READ_BY[kind].format(place)}")
    if os.path.isdir(file):
        raise SeabattleError(
            f"{file} is a folder without {_MANIFEST} or {_MIXES}: name a tree file, the folder of "
            f"a strategy, or one that 'seabattle equilibrium --out' wrote"
        )
    return _verify_tree(file, memory_limit, as_json)


def _kind(path: Path) -> tuple[str, Path]:
    """The format of what a path names, and the file or folder that holds all of it."""
    if os.path.isdir(path):  # which never raises an error
        if os.path.exists(path / _MANIFEST):
            return "seabattle-strategy", path
        if os.path.exists(path / _MIXES):
            return "seabattle-equilibrium", path
        for name in _ATLAS:
            if _format(path / name) == "seabattle-atlas":
                return "seabattle-atlas", path
        return "", path
    kind = _format(path)
    if kind in ("seabattle-strategy", "seabattle-equilibrium", "seabattle-atlas"):
        return kind, path.parent
    return kind, path


def _format(path: Path) -> str:
    """The format of a file as its first bytes tell it; empty where they tell none."""
    from seabattle.enumerate.files import CHECKPOINT, HEAD, PRIOR_TABLE, kind_of, of_format

    try:
        with path.open("rb") as stream:
            kind = kind_of(stream.read(HEAD))
    except (OSError, ValueError):  # said where the file is read
        return ""
    if kind == PRIOR_TABLE:
        return "seabattle-prior"
    if kind == CHECKPOINT:
        return "seabattle-checkpoint"
    return kind.removeprefix(of_format("")) if kind.startswith(of_format("")) else ""


def _verify_tree(file: Path, memory_limit: float, as_json: bool) -> int:
    """Check a tree file."""
    from seabattle.enumerate.errors import FileAccessError, TooLargeError, TreeError
    from seabattle.trees.files import load_tree
    from seabattle.trees.verify import Verification
    from seabattle.trees.verify import verify as verify_tree

    tree = None
    with Bar("verify", at_once=True):
        try:
            tree = load_tree(file)
            found = verify_tree(tree, memory_limit=memory_limit)
        except (FileAccessError, TooLargeError):
            raise
        except TreeError as error:
            found = Verification(False, 0, 0, 0, 0, 0, (str(error),))
    lines = []
    if found.layouts:
        mean = mean_text(found.total_misses, max(1, found.weight))
        lines = [
            ("layouts", f"{found.layouts:,}"),
            ("misses", f"mean {mean}, worst {found.worst_misses}"),
            ("wasted shots", str(found.wasted)),
        ]
    return print_verdict(
        tree.position if tree is not None else None,
        "tree",
        found.problems,
        as_json=as_json,
        found={
            "total_misses": found.total_misses,
            "worst_misses": found.worst_misses,
            "layouts": found.layouts,
            "wasted": found.wasted,
        },
        lines=lines,
    )
