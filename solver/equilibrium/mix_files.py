"""Mixed strategies on disk: one folder, plain text, checked when it is read.

``equilibrium.json``
    ``format`` "seabattle-equilibrium", ``version`` 1, the rules, the bounds and the value against
    uniform layouts as fractions, and ``shooting``: for each tree its whole-number ``weight`` and
    its ``plan``. The probability of a tree is its weight over the sum of all; a drawn tree is
    turned or mirrored at random.
``hiding-weights.csv``
    ``layout,weight``: whole numbers again; layouts that are never used are left out. It is a file
    for ``--prior`` of other commands too.
``hiding.csv``
    ``layout,probability``: the same for reading, likeliest first.
``trees/NNN.json``
    The likeliest trees of the shooting mix as ordinary tree files.

Every figure but what ``made_by`` says of the run is recomputed by a check, which
``solver.equilibrium.mix_check`` explains.

A plan (``trees.plans``) is written as one letter per shot: A for the first cell in reading
order, and so on through A-Z, a-z.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.arguments import require_path, require_type, require_whole
from seabattle.enumerate.errors import (
    FileAccessError,
    SeabattleError,
    TreeError,
    WeightsError,
    quoted,
    wrong_type,
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
from seabattle.trees.plans import Grower, require_plannable

FORMAT = "seabattle-equilibrium"
VERSION = 1
MANIFEST = "equilibrium.json"
WEIGHTS = "hiding-weights.csv"
SHARES = "hiding.csv"
TREES = "trees"
"""Folder of the tree files."""

_RULES = ("board", "fleet", "contact", "answers")
_BOUNDS = ("lower_bound", "upper_bound", "uniform_value")
_FIELDS = {"format", "version", "made_by", *_RULES, "status", "value", *_BOUNDS, "shooting"}
_BOUND = re.compile("[0-9]{1,4000}(/[0-9]{1,4000})?")
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
    made_by: dict[str, object] | None = None,
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
    TypeError
        If a parameter is of the wrong type; names it.
    SeabattleError
        If ``trees`` is below 0.
    FileAccessError
        If a file cannot be written.
    """
    require_type("solved", solved, Equilibrium, "an Equilibrium, as equilibrium(game) finds it")
    require_path("folder", folder)
    _require_json("made_by", made_by)
    most = require_whole("trees", trees, 0)
    folder = Path(folder)
    rules, layouts = solved.rules, solved.layouts
    if rules.board.cells > ONE_WORD_CELLS:
        raise TreeError(f"plans are written for boards of up to {ONE_WORD_CELLS} cells")
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "made_by": made_by or {},
        "board": str(rules.board),
        "fleet": str(rules.fleet),
        "contact": rules.contact.value,
        "answers": rules.answers.value,
        **_summed_up(solved),
        "lower_bound": str(solved.lower_bound),
        "upper_bound": str(solved.upper_bound),
        "uniform_value": str(solved.uniform_value),
    }
    shooting = ",\n".join(
        json.dumps({"weight": weight, "plan": plan_text(plan)})
        for weight, plan in zip(solved.shooting, solved.plans, strict=True)
    )
    head = json.dumps(document, ensure_ascii=False, indent=1)[:-2]
    written = [folder / MANIFEST, folder / WEIGHTS, folder / SHARES]
    write_text(written[0], f'{head},\n "shooting": [\n{shooting}\n]\n}}\n')
    used = [i for i, weight in enumerate(solved.hiding) if weight]
    names = {i: " ".join(layouts.names(i)) for i in used}
    lines = [f"{names[i]},{solved.hiding[i]}" for i in used]
    write_text(written[1], "\n".join(["layout,weight", *lines]) + "\n")
    write_text(written[2], shares_text(solved))
    for number in range(min(most, len(solved.plans))):
        path = folder / TREES / f"{number + 1:03}.json"
        save_tree(solved.tree(number), path)
        written.append(path)
    return written


def shares_text(solved: Equilibrium) -> str:
    """The text of ``hiding.csv``: the layouts of the hiding mix, likeliest first."""
    total, names = sum(solved.hiding), solved.layouts.names
    used = [i for i, weight in enumerate(solved.hiding) if weight]
    used.sort(key=lambda i: -solved.hiding[i])
    lines = [f"{' '.join(names(i))},{solved.hiding[i] / total:.12g}" for i in used]
    return "\n".join(["layout,probability", *lines]) + "\n"


def _require_json(name: str, value: object) -> None:
    """Reject what is neither None nor a dictionary that JSON can hold."""
    right = "a dictionary of what JSON can hold"
    if value is not None:
        require_type(name, value, dict, right)
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except TypeError:
        raise wrong_type(name, right, value) from None
    except (ValueError, RecursionError):
        raise SeabattleError(f"{name}: give {right}") from None


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
    require_path("folder", folder)
    folder = Path(folder)
    path = folder / MANIFEST
    document = read_json(path, "equilibrium file", TreeError, once=True)
    try:
        return _read(document, folder)
    except FileAccessError:
        raise
    except SeabattleError as error:
        text = str(error)
        raise TreeError(text if str(folder) in text else f"{path}: {text}") from None


def _read(document: Any, folder: Path) -> Equilibrium:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise TreeError(f"its 'format' is not {FORMAT!r}")
    if type(document.get("version")) is not int or document["version"] != VERSION:
        raise TreeError(
            f"version {quoted(document.get('version'))} is unknown; this program reads version "
            f"{VERSION}"
        )
    for name in _RULES:
        if not isinstance(document.get(name), str):
            raise TreeError(f"the field {name!r} must be text")
    for name in document.keys() - _FIELDS:
        raise TreeError(f"the field {quoted(name)} is unknown")
    if not isinstance(document.get("made_by"), dict):
        raise TreeError("the field 'made_by' must be an object")
    rules = Rules(*(document[name] for name in _RULES))
    require_plannable(rules)
    if rules.board.cells > ONE_WORD_CELLS:
        raise TreeError(f"board {rules.board}: mixes are for up to {ONE_WORD_CELLS} cells")
    layouts = enumerate_layouts(rules)
    grower = Grower(layouts)
    shooting = document.get("shooting")
    if not isinstance(shooting, list) or not shooting:
        raise TreeError("the field 'shooting' must be an array with at least one tree")
    weights, plans = [], []
    for number, entry in enumerate(shooting):
        if not isinstance(entry, dict) or entry.keys() != {"weight", "plan"}:
            raise TreeError(f"tree {number} must have 'weight' and 'plan'")
        weight, plan = entry["weight"], entry["plan"]
        if type(weight) is not int or weight < 1:
            raise TreeError(f"tree {number}: 'weight' must be a whole number above 0")
        if not isinstance(plan, str):
            raise TreeError(f"tree {number}: 'plan' must be text")
        weights.append(weight)
        plans.append(plan_from_text(plan))
        try:
            grower.grow(plans[-1])
        except TreeError as error:
            raise TreeError(f"tree {number}: {error}") from None
    hiding = _hiding_weights(folder / WEIGHTS, layouts)
    lower, upper, uniform = (_fraction(document, name) for name in _BOUNDS)
    solved = Equilibrium(
        layouts=layouts,
        hiding=tuple(hiding.tolist()),
        plans=tuple(plans),
        shooting=tuple(weights),
        lower_bound=lower,
        upper_bound=upper,
        uniform_value=uniform,
    )
    for name, right in _summed_up(solved).items():
        stated = document.get(name)
        if type(stated) is not type(right) or stated != right:
            raise TreeError(
                f"the field {name!r} is {quoted(stated)}; by the bounds it is {right!r}"
            )
    return solved


def _summed_up(solved: Equilibrium) -> dict[str, str | float]:
    """The fields that follow from the bounds."""
    return {
        "status": "exact" if solved.is_exact else "bounded",
        "value": float(solved.value),
    }


def _hiding_weights(path: Path, layouts: Layouts) -> NDArray[np.int64]:
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
    return whole.weights


def _fraction(document: dict[str, Any], name: str) -> Fraction:
    """A bound: the mean misses of a game, so from 0 up to the number of its cells."""
    text = document.get(name)
    try:
        if isinstance(text, str) and _BOUND.fullmatch(text):
            found = Fraction(text)
            if found <= ONE_WORD_CELLS and str(found) == text:
                return found
    except ZeroDivisionError:
        pass
    raise TreeError(
        f"the field {name!r} must be a fraction in lowest terms such as '321/74', not above "
        f"{ONE_WORD_CELLS}"
    )


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
    found = solved.certify(
        time_limit=time_limit, memory_limit=memory_limit, progress=progress, stop=stop
    )
    problems = []
    limits = Limits.of(time_limit, memory_limit, progress, stop)
    uniform = best_response_value(solved.layouts, [1] * len(solved.layouts), limits=limits)
    for name, claimed, shown in (
        ("lower", solved.lower_bound, found.lower_bound),
        ("upper", solved.upper_bound, found.upper_bound),
    ):
        if claimed != shown:
            problems.append(
                f"the mixes claim the {name} bound {claimed} ({float(claimed):.9g}), they show "
                f"{shown} ({float(shown):.9g})"
            )
    if solved.uniform_value != uniform:
        problems.append(
            f"the value against uniform layouts is claimed to be {solved.uniform_value} "
            f"({float(solved.uniform_value):.9g}), it is {uniform} ({float(uniform):.9g})"
        )
    return problems
