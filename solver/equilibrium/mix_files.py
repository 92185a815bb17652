"""Mixed strategies on disk: one folder, plain text, checked when it is read.

``equilibrium.json``
    ``format`` "seabattle-equilibrium", ``version`` 1, ``made_by``, the rules, ``status`` and
    ``value``, the bounds and the value against uniform layouts as fractions, and ``shooting``: for
    each tree its whole-number ``weight`` and its ``plan``. The probability of a tree is its weight
    over the sum of all; a drawn tree is turned or mirrored at random.
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
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import (
    FileAccessError,
    SeabattleError,
    TreeError,
    WeightsError,
)
from seabattle.enumerate.files import read_json, write_text
from seabattle.enumerate.layouts import Layouts, enumerate_layouts
from seabattle.enumerate.priors.files import load_prior
from seabattle.enumerate.priors.prior import TablePrior
from seabattle.enumerate.rules import Rules
from seabattle.solver.equilibrium.certificate import best_response_value
from seabattle.solver.equilibrium.mixed_solution import Equilibrium
from seabattle.solver.search.limits import Limits, Snapshot
from seabattle.solver.search.problem import ONE_WORD_CELLS
from seabattle.trees.files import save_tree
from seabattle.trees.plans import require_plannable

FORMAT = "seabattle-equilibrium"
VERSION = 1
MANIFEST = "equilibrium.json"
WEIGHTS = "hiding-weights.csv"
TREES = "trees"
"""Folder of the tree files."""

_RULES = ("board", "fleet", "contact", "answers")
_BOUNDS = ("lower_bound", "upper_bound", "uniform_value")
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
    TreeError
        If a character is no letter.
    """
    cells = [_LETTERS.find(letter) for letter in text]
    if min(cells, default=0) < 0:
        raise TreeError(f"a plan is written in letters, not {text[cells.index(-1)]!r}")
    return np.array(cells, dtype=np.int8)


def save_mixes(
    solved: Equilibrium,
    folder: str | Path,
    *,
    made_by: Mapping[str, Any] | None = None,
    trees: int = 3,
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

    Raises
    ------
    TreeError
        If the board has more cells than plans can name.
    FileAccessError
        If a file cannot be written.
    """
    folder = Path(folder)
    rules = solved.rules
    if rules.board.cells > ONE_WORD_CELLS:
        raise TreeError(f"plans are written for boards of up to {ONE_WORD_CELLS} cells")
    shooting = ",\n".join(map(json.dumps, _shooting(solved)))
    head = json.dumps(_head(solved, dict(made_by or {})), ensure_ascii=False, indent=1)[:-2]
    lines = [
        f"{' '.join(solved.layouts.names(number))},{weight}"
        for number, weight in enumerate(solved.hiding)
        if weight
    ]
    write_text(folder / MANIFEST, f'{head},\n "shooting": [\n{shooting}\n]\n}}\n')
    write_text(folder / WEIGHTS, "\n".join(["layout,weight", *lines]) + "\n")
    written = [folder / MANIFEST, folder / WEIGHTS]
    for number in range(min(trees, len(solved.plans))):
        written.append(folder / TREES / f"{number + 1:03}.json")
        save_tree(solved.tree(number), written[-1])
    return written


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
    folder = Path(folder)
    path = folder / MANIFEST
    document = read_json(path, "equilibrium file", TreeError)
    try:
        return _read(document, folder)
    except FileAccessError:
        raise
    except SeabattleError as error:
        text = str(error)
        raise TreeError(text if str(folder) in text else f"{path}: {text}") from None


def _head(solved: Equilibrium, made_by: dict[str, Any]) -> dict[str, Any]:
    """The fields of ``equilibrium.json`` but the shooting mix."""
    rules = solved.rules
    return {
        "format": FORMAT,
        "version": VERSION,
        "made_by": made_by,
        **{name: text for name, text in rules.document().items() if name != "announce"},
        "status": "exact" if solved.is_exact else "bounded",
        "value": float(solved.value),
        **{name: str(getattr(solved, name)) for name in _BOUNDS},
    }


def _shooting(solved: Equilibrium) -> list[dict[str, Any]]:
    """The shooting mix: whole-number weights and plans."""
    mix = zip(solved.shooting, solved.plans, strict=True)
    return [{"weight": weight, "plan": plan_text(plan)} for weight, plan in mix]


def _read(document: Any, folder: Path) -> Equilibrium:
    """The mixes of a document, which has to be what is written of them."""
    if not isinstance(document, dict):
        raise TreeError("it is no JSON object")
    if (document.get("format"), document.get("version")) != (FORMAT, VERSION):
        raise TreeError(f"it is not of format {FORMAT!r}, version {VERSION}, which is read here")
    try:
        rules = Rules.of_document(document, _RULES)
        require_plannable(rules)
        lower, upper, uniform = (Fraction(document[name]) for name in _BOUNDS)
        layouts = enumerate_layouts(rules)
        solved = Equilibrium(
            layouts=layouts,
            hiding=_hiding(folder / WEIGHTS, layouts),
            plans=tuple(plan_from_text(tree["plan"]) for tree in document["shooting"]),
            shooting=tuple(tree["weight"] for tree in document["shooting"]),
            lower_bound=lower,
            upper_bound=upper,
            uniform_value=uniform,
        )
        right = {**_head(solved, dict(document["made_by"])), "shooting": _shooting(solved)}
        same = json.dumps(right, sort_keys=True) == json.dumps(document, sort_keys=True)
        whole = all(type(weight) is int and weight > 0 for weight in solved.shooting)
        same = same and whole and bool(solved.plans)
    except SeabattleError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError):
        same = False
    if not same:
        raise TreeError("its fields are missing, unknown or contradict each other")
    for number in range(len(solved.plans)):
        try:
            solved.tree(number)
        except TreeError as error:
            raise TreeError(f"tree {number}: {error}") from None
    return solved


def _hiding(path: Path, layouts: Layouts) -> tuple[int, ...]:
    """Weights of the hiding mix, which must be exact.

    Raises
    ------
    WeightsError
        If they are wrong, or too large for exact totals.
    """
    prior = load_prior(path, layouts.rules)
    if not isinstance(prior, TablePrior):
        raise WeightsError(f"{path}: the first line must be 'layout,weight'")
    whole = prior.whole_weights(layouts)
    if whole.error:
        raise WeightsError(f"{path}: the weights are too large for exact totals")
    return tuple(whole.weights.tolist())


def check_mixes(
    solved: Equilibrium,
    *,
    time_limit: float | None = None,
    memory_limit: float = 4.0,
    progress: Callable[[Snapshot], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> list[str]:
    """Problems with the claims of a solution, recomputed from its mixes; empty when there are none.

    Both bounds are recomputed from the mixes, and the value against uniform layouts by search.

    The limits are those of ``Equilibrium.certify``. A shooting mix whose trees are not valid, or a
    hiding mix without weights, raises an error; see
    ``solver.equilibrium.certificate.certify``.
    """
    limits = Limits.of(time_limit, memory_limit, progress, stop)
    shown = solved.certify(
        time_limit=time_limit, memory_limit=memory_limit, progress=progress, stop=stop
    )
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
