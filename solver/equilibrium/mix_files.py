"""Mixed strategies on disk: one folder, plain text, checked when it is read.

``equilibrium.json``
    ``format`` "seabattle-equilibrium", ``version`` 1, ``made_by``, how other ways to shoot fare
    (``matchups``), the rules, ``status`` and ``value``, the bounds and the value against uniform
    layouts as fractions, and ``shooting``: for each tree its whole-number ``weight`` and its
    ``plan``. The probability of a tree is its weight over the sum of all; a drawn tree is turned or
    mirrored at random.
``hiding-weights.csv``
    ``layout,weight``: whole numbers again; layouts that are never used are left out. It is a file
    for ``--prior`` of other commands too.
``trees/NNN.json``
    The likeliest trees of the shooting mix as ordinary tree files.

``check_mixes`` recomputes what the mixes claim from the mixes alone.

A plan (``trees.plans``) is written as one letter per shot: A for the first cell in reading
order, and so on through A-Z, a-z.
"""

from __future__ import annotations

import json
import string
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import FileAccessError, SeabattleError, Stop, TreeError
from seabattle.enumerate.files import (
    read_json,
    require_format,
    require_known,
    require_same,
    write_texts,
)
from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.priors.files import load_prior
from seabattle.enumerate.priors.prior import read_number
from seabattle.enumerate.rules import DOCUMENT_FIELDS, GAME_FIELDS, Rules
from seabattle.solver.equilibrium.certificate import best_response_value
from seabattle.solver.equilibrium.mixed_solution import BOUNDS, Equilibrium
from seabattle.solver.search.queries import Limits, Snapshot
from seabattle.trees.files import save_tree
from seabattle.trees.plans import require_plannable

FORMAT = "seabattle-equilibrium"
VERSION = 1
MANIFEST = "equilibrium.json"
WEIGHTS = "hiding-weights.csv"
TREES = "trees"
"""Folder of the tree files."""

_LETTERS = string.ascii_uppercase + string.ascii_lowercase


def plan_text(plan: NDArray[np.int8]) -> str:
    """A plan as letters.

    >>> plan_text(np.array([0, 12, 25, 26], dtype=np.int8))
    'AMZa'
    """
    return "".join(_LETTERS[cell] for cell in plan.tolist())


def plan_from_text(text: str) -> NDArray[np.int8]:
    """The plan of a text of letters.

    Raises
    ------
    ValueError
        If a character is not a letter.
    """
    return np.array([_LETTERS.index(letter) for letter in text], dtype=np.int8)


def save_mixes(
    solved: Equilibrium,
    folder: str | Path,
    *,
    made_by: Mapping[str, Any] | None = None,
    trees: int = 3,
    matchups: Sequence[Mapping[str, Any]] = (),
) -> list[Path]:
    """Write the mixes to a folder; returns the files written.

    Parameters
    ----------
    solved
        The equilibrium.
    folder
        Made if need be; files of these names in it are replaced.
    made_by
        What to say of where it comes from, as JSON can hold it.
    trees
        How many of the likeliest trees to write as tree files too.
    matchups
        How other ways to shoot fare, as JSON can hold it.

    Raises
    ------
    FileAccessError
        If a file cannot be written.
    """
    folder = Path(folder)
    work = {"subtables": solved.subtables, "sweeps": solved.sweeps, "stopped_by": solved.stopped_by}
    made = {**(made_by or {}), **work}
    document = {"format": FORMAT, "made_by": made, "matchups": matchups, **_document(solved)}
    lines = [
        f"{' '.join(solved.layouts.names(number))},{weight}"
        for number, weight in enumerate(solved.hiding)
        if weight
    ]
    texts = {
        MANIFEST: json.dumps(document, ensure_ascii=False, indent=1) + "\n",
        WEIGHTS: "\n".join(["layout,weight", *lines, ""]),
    }
    written = write_texts(folder, texts)
    for number in range(min(trees, len(solved.plans))):
        written.append(folder / TREES / f"{number + 1:03}.json")
        save_tree(solved.tree(number), written[-1])
    return written


def _document(solved: Equilibrium) -> dict[str, Any]:
    """What ``equilibrium.json`` says of mixes."""
    mix = zip(solved.shooting, solved.plans, strict=True)
    return {
        "format": FORMAT,
        "version": VERSION,
        **solved.rules.document(),
        "status": "exact" if solved.is_exact else "bounded",
        "value": float(solved.value),
        **{name: str(getattr(solved, name)) for name in BOUNDS},
        "shooting": [{"weight": weight, "plan": plan_text(plan)} for weight, plan in mix],
    }


def load_mixes(folder: str | Path) -> Equilibrium:
    """Read the mixes of a folder that ``save_mixes`` wrote.

    The bounds are those the file claims; ``Equilibrium.certify`` recomputes them.

    Raises
    ------
    FileAccessError
        If a file cannot be read.
    SeabattleError
        If one is damaged, of another version, or does not fit the other.
    """
    path = Path(folder) / MANIFEST
    document = read_json(path, "equilibrium file", TreeError)
    try:
        return _read(document, path.parent)
    except FileAccessError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        text = "its fields are missing or contradict each other"
        if isinstance(error, SeabattleError):
            text = str(error)
        elif isinstance(error, KeyError):
            text = f"the field {error} is missing"
        raise TreeError(text if str(folder) in text else f"{path}: {text}") from None


def _read(document: Any, folder: Path) -> Equilibrium:
    """The mixes of a document; an error of Python's own where it is not what is written of them."""
    require_format(document, FORMAT, VERSION, TreeError)
    fields = ("format", "version", "status", "value", *BOUNDS, "shooting", "matchups", "made_by")
    require_known(document, (*DOCUMENT_FIELDS, *fields), TreeError)
    rules = Rules.of_document(document, GAME_FIELDS[:4])  # older files say no announcement
    require_plannable(rules)
    layouts = enumerate_layouts(rules)
    prior = load_prior(folder / WEIGHTS, rules)
    if prior is None:
        raise ValueError
    lower, upper, uniform = (read_number(document[name]) for name in BOUNDS)
    solved = Equilibrium(
        layouts,
        tuple(prior.whole_weights(layouts).weights.tolist()),
        tuple(plan_from_text(tree["plan"]) for tree in document["shooting"]),
        tuple(tree["weight"] for tree in document["shooting"]),
        lower,
        upper,
        uniform,
    )
    if not solved.trees or not all(type(w) is int and w > 0 for w in solved.shooting):
        raise ValueError
    about = {name: document[name] for name in ("matchups", "made_by") if name in document}
    said = {"announce": rules.announce.value, **document}
    require_same(said, {**_document(solved), **about}, TreeError)
    return solved


def check_mixes(
    solved: Equilibrium,
    *,
    time_limit: float | None = None,
    memory_limit: float = 4.0,
    progress: Callable[[Snapshot], None] | None = None,
    stop: Stop | None = None,
) -> list[str]:
    """Problems with the claims of a solution, recomputed from its mixes; empty when there are none.

    Both bounds are recomputed from the mixes, and the value against uniform layouts by search.

    The limits are as in ``solve``. A shooting mix whose trees are not valid, or a
    hiding mix without weights, raises an error; see ``Equilibrium.certify``.
    """
    limits = Limits.of(time_limit, memory_limit, progress, stop)
    shown = solved.certify(limits)
    uniform = best_response_value(solved.layouts, [1] * len(solved.layouts), limits=limits)
    return [
        f"the mixes claim {what} {claimed} ({float(claimed):.9g}), they show {found} "
        f"({float(found):.9g})"
        for what, claimed, found in (
            ("the lower bound", solved.lower_bound, shown.lower_bound),
            ("the upper bound", solved.upper_bound, shown.upper_bound),
            ("the value against uniform layouts", solved.uniform_value, uniform),
        )
        if claimed != found
    ]
