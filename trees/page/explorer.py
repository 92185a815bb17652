"""The explorer: strategies as one self-contained page, to be walked shot by shot.

The page needs no network and no server. It holds the trees in preorder, so that the layouts below
a node are one range of rows and everything shown (layouts left, misses to come, how likely each
cell is) is a sum over a range. Its scripts (``trees/page/scripts/explorer``) read one
JSON document:

``game``
    ``rows``, ``columns``, ``fleet``, ``ships`` (the same as text), ``contact``, ``placements``:
    the cells of every placement.
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

from seabattle.enumerate.answers import possible_answers, told_words
from seabattle.enumerate.errors import RulesError, SeabattleError, TooLargeError, TreeError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import ways_to_lie
from seabattle.trees.page.complete_files import MOST_BYTES, complete_document
from seabattle.trees.page.frame import assembled, script_safe, template
from seabattle.trees.strategy.strategy import Strategy
from seabattle.trees.tree import Tree

MOST_LAYOUTS = 200_000
"""Most layouts of all strategies of a page together: some 6 MB, two CPU seconds to open."""

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
        "told": told_words(tree.rules),
        "possible": possible_answers(tree.rules),
        "reading": tree.reading.value,
        "objective": tree.objective,
        "status": tree.status,
        "position": tree.position.shots,
        "weights": tree.weights[rows].tolist() if len(tree.weights) else None,
        "ships": _words(tree.ships[rows].reshape(-1).tolist()),
        "nodes": _words(words),
    }


def _printable(text: str, what: str) -> str:
    if not text.strip() or not text.isprintable():
        raise SeabattleError(f"{what} {text!r}: must be printable text on one line")
    return text


def _complete(tree: Tree, file: Strategy, checked: bool, most_bytes: int) -> dict[str, Any]:
    """The complete strategy file of a tree, as the page reads it."""
    value = tree.total_misses if file.objective == "mean" else tree.worst_misses
    same = (tree.rules, tree.position, value) == (file.rules, file.position, file.value)
    if not same or len(tree.weights):
        raise TreeError(
            f"{file.path} is not the file of its strategy: give the tree of the file, as "
            f"Strategy.tree() makes it"
        )
    return complete_document(file, checked=checked, most_bytes=most_bytes)


def explorer_document(
    trees: Sequence[Tree],
    names: Sequence[str] | None = None,
    files: Sequence[Strategy | None] = (),
    checked: bool = False,
) -> dict[str, Any]:
    """The JSON document that the page reads; parameters and errors as ``explorer_page``."""
    names = _names(trees) if names is None else [_printable(name, "name") for name in names]
    files = files or [None] * len(trees)
    if not trees or {len(names), len(files)} != {len(trees)}:
        raise TreeError(
            f"{len(trees)} strategies, {len(names)} names, {len(files)} strategy files: give at "
            f"least one strategy, and one of the others, or None, for each"
        )
    rules = trees[0].rules
    board, fleet = rules.board, rules.fleet
    for tree in trees:
        if (tree.rules.board, tree.rules.fleet, tree.rules.contact) != (
            board, fleet, rules.contact
        ):  # fmt: skip
            raise TreeError(
                f"strategies of one page are compared on one hidden fleet: {tree.rules} is "
                f"another game than {rules}"
            )
    layouts = sum(tree.layouts for tree in trees)
    if layouts > MOST_LAYOUTS:
        raise TooLargeError(
            f"the strategies have {layouts:,} layouts together; a page holds at most "
            f"{MOST_LAYOUTS:,}: start from a position, or take a smaller game"
        )
    if fleet.joined_at_corners:  # its scripts take cells joined by sides for a ship
        raise RulesError(f"fleet {fleet}: the page shows no ships that are joined at corners only")
    strategies, left = [], MOST_BYTES
    for tree, name, file in zip(trees, names, files, strict=True):
        strategies.append(_strategy(tree, name))
        if file is not None:
            complete = _complete(tree, file, checked, left)
            strategies[-1]["complete"] = complete
            left -= len(complete.get("packed", ""))
    return {
        "game": {
            "rows": board.rows,
            "columns": board.columns,
            "fleet": fleet.lengths,
            "ships": str(fleet),
            "ways": [ways_to_lie(ship) for ship in fleet.ships],
            "contact": rules.contact.value,
            "placements": [p.cells for p in placement_table(rules).placements],
        },
        "strategies": strategies,
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
        Whether the files have been checked (``trees.strategy.check.check``): the page says it.

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
        "explorer",
        _printable(title, "title"),
        {
            "data": script_safe(json.dumps(document, separators=(",", ":"))),
            **{part: template(part) for part in ("walk_board", "walk_panels")},
        },
        styles=("page", "costs"),
        entry="explorer/explorer.js",
    )
