"""The files beside the mixes of an equilibrium: whether they say what the mixes say.

``mix_files.load_mixes`` reads the mixes and refuses what contradicts itself, and
``mix_files.check_mixes`` recomputes the bounds they claim. What is checked here was written from
the mixes for reading: ``hiding.csv`` must be, letter for letter, what they give, and each tree file
the tree of the plan whose number it has.
"""

from __future__ import annotations

import re
from pathlib import Path

from seabattle.enumerate.errors import FileAccessError, SeabattleError
from seabattle.enumerate.files import read_text
from seabattle.solver.equilibrium.mix_files import SHARES, TREES, shares_text
from seabattle.solver.equilibrium.mixed_solution import Equilibrium
from seabattle.trees.files import load_tree, tree_document

_TREE = re.compile(r"([0-9]{3,9})\.json")


def check_files(solved: Equilibrium, folder: str | Path) -> list[str]:
    """Problems with the files beside the mixes; files that are not there state nothing.

    Parameters
    ----------
    solved
        The mixes, as ``load_mixes`` read them, whose trees are valid.
    folder
        The folder.

    Raises
    ------
    FileAccessError
        If a file cannot be read.
    """
    folder = Path(folder)
    problems = differs(folder / SHARES, shares_text(solved), "the mix")
    for path in sorted((folder / TREES).glob("*.json")):
        number = _TREE.fullmatch(path.name)
        if number is None or not 1 <= int(number[1]) <= len(solved.plans):
            problems.append(f"{path} has not the number of a tree of the mix")
            continue
        try:
            there = tree_document(load_tree(path))
        except FileAccessError:
            raise
        except SeabattleError as error:
            problems.append(str(error))
            continue
        if there != tree_document(solved.tree(int(number[1]) - 1)):
            problems.append(f"{path} is not tree {int(number[1])} of the mix")
    return problems


def differs(path: Path, right: str, source: str) -> list[str]:
    """A problem if a file is there and is not what it should be, letter for letter."""
    if not path.exists():
        return []
    try:
        there = read_text(path, SeabattleError(f"{path} is no UTF-8 text"), most=2 * len(right) + 1)
    except FileAccessError as error:
        return [str(error)]
    except SeabattleError as error:
        return [str(error)]
    if there == right:
        return []
    lines = zip(there.split("\n"), right.split("\n"), strict=False)
    at = next((n for n, (one, other) in enumerate(lines, 1) if one != other), None)
    where = "is cut short or goes on" if at is None else f"differs in line {at}"
    return [f"{path} is not what {source} gives: it {where}"]
