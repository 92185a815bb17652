"""The explorer: strategies as one self-contained page, to be walked shot by shot.

The page needs no network and no server. It holds the trees in preorder, so that the layouts below
a node are one range of rows and everything shown (layouts left, misses to come, how likely each
cell is) is a sum over a range. The page is made of the files of ``trees/page/templates/``, which
read one JSON document:

``game``
    ``rows``, ``columns``, ``fleet``, ``contact``, and ``placements``: the cells of every placement.
``about``
    The game in words.
``strategies``
    For each: ``name``, ``answers``, ``told`` (the possible answers in words), ``possible`` (their
    codes), ``reading``, ``objective``, ``status``, ``position`` (pairs of cell and answer code),
    ``weights`` (or null), and two arrays of 16-bit words, low byte first, in base64: ``ships``, the
    placement numbers of every layout, and ``nodes``. An inner node is its cell + 1, the number of
    its answers, and their codes; a leaf is 0 and the number of its layouts in two words, the low
    one first. With its complete strategy file a strategy also has ``complete``, as
    ``trees.page.complete_files`` makes it, and any cell can be shot.

Trees may come from anyone. They are verified from the rules before they are embedded, texts are
escaped, the page builds what it shows from text nodes alone, and its content security policy
allows no script but its own.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from seabattle.enumerate.answers import (
    KERNEL_HIT,
    KERNEL_SHIP,
    KERNEL_SUNK,
    kernel_mode,
    possible_answers,
)
from seabattle.enumerate.errors import SeabattleError, TooLargeError, TreeError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Contact, Rules
from seabattle.trees.page.complete_files import MOST_BYTES, complete_document
from seabattle.trees.page.frame import assembled, script_safe
from seabattle.trees.strategy.strategy import Strategy
from seabattle.trees.tree import Tree

MOST_LAYOUTS = 200_000
"""Most layouts of all strategies of a page together: some 6 MB, two CPU seconds to open."""

_SCRIPTS = ("strategy.js", "overview.js", "complete.js", "explorer.js", "costs.js", "watch.js")
_STYLES = ("page.css", "costs.css")

_TOUCHING = {
    Contact.NONE: "ships do not touch",
    Contact.CORNERS: "ships may touch at corners",
    Contact.SIDES: "ships may touch",
}


_STATUSES = {"optimal": "Optimal", "bounded": "Best found", "heuristic": "Heuristic"}
_IN_WHAT_SENSE = {
    "mean": "on average",
    "worst": "in the worst case",
    "mean-worst": "on average",
    "worst-mean": "in the worst case",
}


def strategy_name(tree: Tree) -> str:
    """Default name of a strategy, from its objective and status.

    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.greedy import greedy_tree
    >>> strategy_name(greedy_tree(Rules("3x3", "3,1,1"), "hits"))
    'Greedy (hits)'
    """
    sense = _IN_WHAT_SENSE.get(tree.objective)
    rule = tree.objective.removeprefix("greedy-")
    if rule != tree.objective:
        name = f"Greedy ({rule})"
    elif tree.objective == "pareto":
        name = f"{_STATUSES[tree.status]} for a worst case of {tree.worst_misses}"
    elif sense is not None and tree.status != "heuristic":
        name = f"{_STATUSES[tree.status]} {sense}"
    else:
        name = f"{_STATUSES[tree.status]}, {tree.objective}"
    return f"{name}, positive reading" if tree.reading == "positive" else name


def _answers_text(rules: Rules) -> str:
    """The possible answers to a shot, in words."""
    return {
        KERNEL_HIT: "hit or miss",
        KERNEL_SUNK: "hit, miss or sunk",
        KERNEL_SHIP: "miss, or hit with the ship's name",
    }.get(kernel_mode(rules), "hit, miss, or sunk with the ship's length")


def _names(trees: Sequence[Tree]) -> list[str]:
    """Names that distinguish the strategies, by their answers or, failing that, by a number."""
    names = [strategy_name(tree) for tree in trees]
    if len({tree.rules.answers for tree in trees}) > 1:
        names = [f"{name} · {t.rules.answers.value}" for name, t in zip(names, trees, strict=True)]
    repeated = {name for name in names if names.count(name) > 1}
    return [f"{n} #{i}" if n in repeated else n for i, n in enumerate(names, start=1)]


def _words(values: Sequence[int]) -> str:
    return base64.b64encode(np.array(values, dtype="<u2").tobytes()).decode("ascii")


def _packed(tree: Tree) -> tuple[list[int], list[int]]:
    """Nodes in preorder as words, and the rows of the leaves' layouts in that order."""
    shots, first, leaf = tree.shots.tolist(), tree.first.tolist(), tree.leaf.tolist()
    answers, children = tree.answers.tolist(), tree.children.tolist()
    words: list[int] = []
    rows: list[int] = []
    stack = [0]
    while stack:
        v = stack.pop()
        if shots[v] < 0:
            count = leaf[v + 1] - leaf[v]
            words += (0, count & 0xFFFF, count >> 16)
            rows += range(leaf[v], leaf[v + 1])
        else:
            edges = slice(first[v], first[v + 1])
            words += (shots[v] + 1, edges.stop - edges.start, *answers[edges])
            stack += reversed(children[edges])
    return words, rows


def _strategy(tree: Tree, name: str) -> dict[str, Any]:
    words, rows = _packed(tree)
    return {
        "name": name,
        "answers": tree.rules.answers.value,
        "told": _answers_text(tree.rules),
        "possible": possible_answers(tree.rules),
        "reading": tree.reading.value,
        "objective": tree.objective,
        "status": tree.status,
        "position": tree.position.shots,
        "weights": tree.weights[rows].tolist() if len(tree.weights) else None,
        "ships": _words(tree.ships[rows].reshape(-1).tolist()),
        "nodes": _words(words),
    }


def _check(trees: Sequence[Tree]) -> None:
    if not trees:
        raise TreeError("the explorer needs at least one strategy")
    games = list(
        dict.fromkeys(
            f"{tree.rules.board}, fleet {tree.rules.fleet}, contact {tree.rules.contact}"
            for tree in trees
        )
    )
    if len(games) > 1:
        raise TreeError(
            f"strategies of one page are compared on one hidden fleet: {games[1]} is another game "
            f"than {games[0]}"
        )
    layouts = sum(tree.layouts for tree in trees)
    if layouts > MOST_LAYOUTS:
        raise TooLargeError(
            f"the strategies have {layouts:,} layouts together; a page holds at most "
            f"{MOST_LAYOUTS:,}: start from a position, or take a smaller game"
        )


def _printable(text: str, what: str) -> str:
    if not text.strip() or not text.isprintable():
        raise SeabattleError(f"{what} {text!r}: must be printable text on one line")
    return text


def _completed(
    strategies: list[dict[str, Any]],
    trees: Sequence[Tree],
    files: Sequence[Strategy | None],
    checked: bool,
) -> list[dict[str, Any]]:
    """The strategies' documents, with the complete strategy files of those that have one."""
    if files and len(files) != len(trees):
        raise TreeError(
            f"{len(files)} strategy files for {len(trees)} strategies: give one, or None, for each"
        )
    left = MOST_BYTES
    for document, tree, file in zip(strategies, trees, files or [None] * len(trees), strict=True):
        if file is None:
            continue
        value = tree.total_misses if file.objective == "mean" else tree.worst_misses
        same = (tree.rules, tree.position, value) == (file.rules, file.position, file.value)
        if not same or len(tree.weights):
            raise TreeError(
                f"{file.path} is not the file of its strategy, {document['name']!r}: give the "
                f"tree of the file, as Strategy.tree() makes it"
            )
        document["complete"] = complete_document(file, checked=checked, most_bytes=left)
        left -= len(document["complete"].get("packed", ""))
    return strategies


def explorer_document(
    trees: Sequence[Tree],
    names: Sequence[str] | None = None,
    files: Sequence[Strategy | None] = (),
    checked: bool = False,
) -> dict[str, Any]:
    """The JSON document that the page reads; parameters and errors as ``explorer_page``."""
    for name in names or ():
        _printable(name, "name")
    _check(trees)
    if names is None:
        names = _names(trees)
    if len(names) != len(trees):
        raise TreeError(f"{len(names)} names for {len(trees)} strategies: give one for each")
    rules = trees[0].rules
    return {
        "about": f"{rules.board.rows} × {rules.board.columns} board · fleet {rules.fleet} · "
        f"{_TOUCHING[rules.contact]}",
        "game": {
            "rows": rules.board.rows,
            "columns": rules.board.columns,
            "fleet": rules.fleet.lengths,
            "contact": rules.contact.value,
            "placements": [p.cells for p in placement_table(rules).placements],
        },
        "strategies": _completed(
            [_strategy(tree, name) for tree, name in zip(trees, names, strict=True)],
            trees,
            files,
            checked,
        ),
    }


def explorer_page(
    trees: Sequence[Tree],
    *,
    names: Sequence[str] | None = None,
    title: str = "Sea battle explorer",
    files: Sequence[Strategy | None] = (),
    checked: bool = False,
) -> str:
    """An HTML page in which the strategies can be walked, watched and compared.

    Parameters
    ----------
    trees
        Strategies of one board, fleet and contact rule; answer modes, positions and weights may
        differ. They are taken to be valid (``verify.require_valid``).
    names
        Name of each; by default its objective and status.
    title
        Heading of the page.
    files
        For each strategy None, or the complete strategy file that it is the tree of: then any cell
        can be shot in the page, which shows what each shot costs. A file that would make the page
        larger than 12 MB is left out, and the page says so.
    checked
        Whether the files have been checked (``strategy_check.check``): the page says it.

    Returns
    -------
    str
        A page of UTF-8 text that loads nothing.

    Raises
    ------
    TreeError
        If there is no strategy, or they are of different games, or a file is of another strategy.
    StrategyError
        If a file does not hold every position.
    TooLargeError
        If they have more than 200,000 layouts together.
    SeabattleError
        If the title or a name is not printable.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.greedy import greedy_tree
    >>> page = explorer_page([greedy_tree(Rules("3x3", "3,1,1"), "hits")])
    >>> page.splitlines()[0]
    '<!DOCTYPE html>'
    """
    return document_page(explorer_document(trees, names, files, checked), title)


def document_page(document: dict[str, Any], title: str) -> str:
    """The page that reads a document of ``explorer_document``; as ``explorer_page``."""
    return assembled(
        "explorer.html",
        _printable(title, "title"),
        {"data": script_safe(json.dumps(document, separators=(",", ":")))},
        styles=_STYLES,
        scripts=_SCRIPTS,
    )
