"""What files state, judged by slow and obvious code: nothing of ``seabattle`` is imported.

Each function reads the files by itself and recomputes every figure from the rules. It returns what
is false, in words; nothing, when everything stated is true.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from twins import naive, naive_equilibrium

Layout = naive.Layout
_EQUILIBRIA = Path(__file__).parents[1] / "known" / "equilibrium.json"
_MADE_BY = {"command", "version", "seed", "row_limit_seconds", "equilibrium_limit_seconds"}


class Unclear(Exception):  # noqa: N818
    """A document that can be read in two ways."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = [name for name, _ in pairs if not re.match("(miss|hit|sunk)(:|$)", name)]
    if len(set(fields)) < len(fields):
        raise Unclear("a field occurs twice")
    return dict(pairs)


def document_of(path: Path) -> Any:
    """The document of a JSON file; every field may occur once, but of answers the last counts."""
    return json.loads(path.read_text(encoding="utf-8-sig"), object_pairs_hook=_once)


class Game:
    """A game as a file names it, by the twins."""

    def __init__(self, document: dict[str, Any]) -> None:
        rows, _, columns = document["board"].lower().partition("x")
        self.rows, self.columns = int(rows), int(columns)
        self.cells = self.rows * self.columns
        self.fleet = sorted(map(int, document["fleet"].split(",")), reverse=True)
        self.contact = document["contact"].strip().lower()
        self.mode = document.get("answers", "hit").strip().lower()
        self.announce = document.get("announce", "length").strip().lower()
        self.layouts = naive.layouts(self.rows, self.columns, self.fleet, self.contact)

    def cell(self, name: str) -> int:
        """Number of a cell; the boards here have up to 26 columns."""
        column = ord(name.strip().upper()[0]) - ord("A")
        row = int(name.strip()[1:]) - 1
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            raise ValueError(name)
        return row * self.columns + column

    def ship(self, text: str) -> naive.Ship:
        """Cells of a ship by its ends."""
        ends = [self.cell(part) for part in text.split(":")]
        low, high = min(ends), max(ends)
        step = 1 if low // self.columns == high // self.columns else self.columns
        return frozenset(range(low, high + 1, step))

    def layout(self, names: list[str]) -> Layout:
        """Ships of a layout."""
        return frozenset(map(self.ship, names))

    def fitting(self, shots: list[list[str]]) -> set[Layout]:
        """Layouts that answer so."""
        history = [(self.cell(cell), answer.strip().lower()) for cell, answer in shots]
        return naive.fitting(self.layouts, history, self.mode, self.announce, self.contact)

    def told(self, layout: Layout, before: list[int], cell: int) -> str:
        """What a layout answers."""
        return naive.answer(layout, before, cell, self.mode, self.announce, self.contact)


def _claims(pairs: dict[str, tuple[Any, Any]]) -> Iterator[str]:
    for name, (stated, true) in pairs.items():
        if type(stated) is not type(true) or stated != true:
            yield f"{name} is {str(true)[:60]}, not {str(stated)[:60]}"


def _judged(check: Callable[[Path], Iterator[str]]) -> Callable[[Path], list[str]]:
    def judge(path: Path) -> list[str]:
        try:
            return list(check(path))
        except Unclear as error:
            return [str(error)]

    judge.__doc__ = check.__doc__
    return judge


# Trees


@_judged
def faults_of_tree(path: Path) -> Iterator[str]:
    """What a tree file states that is false."""
    document = document_of(path)
    game, nodes = Game(document), document["nodes"]
    begun = document.get("position", [])
    shots = begun["shots"] if isinstance(begun, dict) else begun
    weights = document.get("weights")
    listed = [
        (v, game.layout(names)) for v, node in enumerate(nodes) for names in node.get("layouts", [])
    ]
    weight_of = dict(
        zip((layout for _, layout in listed), weights or [1] * len(listed), strict=True)
    )
    fitting = game.fitting(shots)
    if {layout for _, layout in listed} != fitting or len(listed) != len(fitting):
        yield "the leaves do not list every layout once"
        return
    total = worst = 0
    ends, used = [], set()
    for layout in fitting:
        node, before, misses = 0, [game.cell(cell) for cell, _ in shots], 0
        while "shot" in nodes[node]:
            cell = game.cell(nodes[node]["shot"])
            answer = game.told(layout, before, cell)
            before.append(cell)
            misses += answer == "miss"
            used.add((node, answer))
            node = nodes[node]["next"][answer]
        ends.append((node, layout))
        total += misses * weight_of[layout]
        worst = max(worst, misses)
    if sorted(ends, key=str) != sorted(listed, key=str):
        yield "a layout does not end where it is listed"
    if used != {(v, a) for v, node in enumerate(nodes) for a in node.get("next", ())}:
        yield "an answer that never comes"
    yield from _claims(
        {
            "total_misses": (document["total_misses"], total),
            "worst_misses": (document["worst_misses"], worst),
        }
    )
    if document["status"] == "optimal" and not weights and not shots:
        best = naive.optimum(fitting, game.mode)
        if document["objective"] in ("mean", "worst"):
            reached = total if document["objective"] == "mean" else worst
            if reached != best[document["objective"]]:
                yield "it is not optimal"


# Positions


@_judged
def faults_of_count(path: Path) -> Iterator[str]:
    """What ``count`` said of a position: the file beside it, ``told.json``."""
    document, told = document_of(path), json.loads((path.parent / "told.json").read_text())
    game = Game(document)
    fitting = game.fitting(document["shots"])
    if not document.get("ordered", True):
        return  # judged only where the order is known
    for ship in document.get("ships", []):
        fitting = {layout for layout in fitting if game.ship(ship) in layout}
    heights = naive.occupancy(fitting, game.cells)
    columns = game.columns
    rows = [heights[at : at + columns] for at in range(0, game.cells, columns)]
    yield from _claims(
        {"layouts": (told["layouts"], len(fitting)), "occupancy": (told["occupancy"], rows)}
    )


# Priors


def weights_of(path: Path, game: Game) -> dict[Layout, Fraction]:
    """The weight of each layout by a prior file."""
    text = path.read_text(encoding="utf-8-sig")
    if text.lstrip().startswith("{"):
        return _json_weights(json.loads(
            text, object_pairs_hook=_once, parse_float=_short, parse_int=_short), game)  # fmt: skip
    rows = list(csv.reader(text.splitlines()))
    ends = [(row[0], ",".join(row[1:])) for row in rows[1:] if row]
    kind = rows[0][0].strip()
    facts = {name.strip(): value for name, value in ends if name.strip() in _CSV_FACTS}
    if kind == "layout":
        named = [(name, value) for name, value in ends if name.strip() not in _CSV_FACTS]
        listed = {game.layout(name.split()): _short(value.strip()) for name, value in named}
        if len(listed) < len(named) or len(facts) + len(named) < len(ends):
            raise Unclear("a line occurs twice")
        others = _short(facts.get("others", "0").strip())
        return {layout: listed.get(layout, others) for layout in game.layouts}
    raise ValueError(kind)


_CSV_FACTS = {"board", "fleet", "contact", "others"}


def _short(text: str) -> Fraction:
    if len(text) > 100 or ("e" in text and len(text.split("e")[1]) > 4):
        raise ValueError("a long number")
    return Fraction(text)


def _json_weights(document: dict[str, Any], game: Game) -> dict[Layout, Fraction]:
    kind, given = document["kind"], document.get("weights", {})
    if kind == "layouts":
        listed = {game.layout(n.split()): Fraction(w) for n, w in given.items()}
        others = Fraction(document.get("others", 0))
        return {layout: listed.get(layout, others) for layout in game.layouts}
    if kind == "games":
        seen = [game.layout(names.split()) for names in document["games"]]
        added = Fraction(document.get("smoothing", 0))
        return {layout: seen.count(layout) + added for layout in game.layouts}
    forced = {game.cell(name) for name in document.get("forced", [])}
    found = {}
    for layout in game.layouts:
        weight = Fraction(0 if document.get("rule") == "sum" else 1)
        if kind == "placements":
            by_ship = {game.ship(name): Fraction(w) for name, w in given.items()}
            for ship in layout:
                weight *= by_ship.get(ship, Fraction(0))
        else:
            cells = [Fraction(w) for row in given for w in row]
            for cell in naive.cells_of(layout):
                weight = weight + cells[cell] if document["rule"] == "sum" else weight * cells[cell]
        found[layout] = weight if forced <= naive.cells_of(layout) else Fraction(0)
    return found


@_judged
def faults_of_chances(path: Path) -> Iterator[str]:
    """What ``count --prior`` said: the file beside it, ``told.json``."""
    told = json.loads((path.parent / "told.json").read_text())
    game = Game(told)
    weights = weights_of(path, game)
    whole = sum(weights.values())
    shown = [chance for row in told["chances"] for chance in row]
    for cell, chance in enumerate(shown):
        right = sum(w for layout, w in weights.items() if cell in naive.cells_of(layout)) / whole
        if abs(float(right) - chance) > 1e-9:
            yield f"cell {cell} is occupied with {float(right)}, not {chance}"


# The atlas


@_judged
def faults_of_atlas(path: Path) -> Iterator[str]:
    """What the table of an atlas states that is false."""
    document = document_of(path)
    if document.keys() != {"format", "version", "made_by", "columns", "rows"}:
        yield f"it has the fields {sorted(document)}"
    for row in document["rows"]:
        yield from faults_of_row(row)


_KNOWN_ROWS: dict[tuple[Any, ...], tuple[Any, ...]] = {}


@cache
def _value_of(board: str, fleet: tuple[int, ...], contact: str, answers: str) -> Fraction:
    """Value of the equilibrium: known, or found in some seconds by its twin."""
    for known in json.loads(_EQUILIBRIA.read_text(encoding="utf-8"))["answers"]:
        if (known["board"], tuple(known["fleet"]), known["contact"]) == (board, fleet, contact):
            return Fraction(known[answers])
    rows, columns = map(int, board.split("x"))
    return naive_equilibrium.oracle_value(rows, columns, fleet, answers, contact)


def faults_of_row(row: dict[str, Any]) -> Iterator[str]:
    """What a row states that is false."""
    game = Game(row)
    key = (row["board"], tuple(game.fleet), row["contact"], row["answers"])
    if key not in _KNOWN_ROWS:
        best = naive.optimum(game.layouts, game.mode)
        shots = naive.optimal_first_shots(game.layouts, game.cells, game.mode)
        _KNOWN_ROWS[key] = (best["worst"], best["mean"], shots, len(game.layouts))
    worst, total, shots, count = _KNOWN_ROWS[key]
    yield from _claims(
        {
            "layouts": (row["layouts"], count),
            "worst_misses": (row["worst_misses"], worst),
            "worst_lower_bound": (row["worst_lower_bound"], worst),
            "total_misses": (row["total_misses"], total),
            "total_lower_bound": (row["total_lower_bound"], total),
            "mean": (row["mean"], f"{total}/{count}"),
            "mean_misses": (row["mean_misses"], total / count),
            "status": (row["status"], "proven"),
            "best_first_shots": (sorted(map(game.cell, row["best_first_shots"])), sorted(shots)),
        }
    )
    if row.get("equilibrium_misses") is None:
        return
    value = _value_of(row["board"], tuple(game.fleet), row["contact"], row["answers"])
    lower, upper = row["equilibrium_lower_bound"], row["equilibrium_misses"]
    if row["equilibrium"] is not None:
        yield from _claims(
            {
                "equilibrium": (row["equilibrium"], str(value)),
                "equilibrium_misses": (upper, float(value)),
                "equilibrium_lower_bound": (lower, float(value)),
            }
        )
    elif not Fraction(lower) <= value <= Fraction(upper):
        yield f"the equilibrium is {value}, not from {lower} to {upper}"


# Equilibria


def _tree_of_plan(game: Game, plan: str) -> dict[Layout, int]:
    """Misses of the tree of a plan against each layout; see the text of ``trees.plans``."""
    letters = iter([ord(c) - ord("A") for c in plan])
    found: dict[Layout, int] = {}

    def walk(possible: set[Layout], before: list[int], misses: int) -> None:
        while True:
            if len(possible) == 1:
                found[next(iter(possible))] = misses
                return
            heights = naive.occupancy(possible, game.cells)
            certain = [c for c, n in enumerate(heights) if n == len(possible) and c not in before]
            sure = game.mode == "sunk" and certain
            cell = certain[0] if sure else next(letters)
            if not sure and not 0 < heights[cell] < len(possible):
                raise ValueError("no choice")
            parts: dict[str, set[Layout]] = {}
            for layout in possible:
                parts.setdefault(game.told(layout, before, cell), set()).add(layout)
            if len(parts) == 1:
                before = [*before, cell]
                continue
            for answer in ("miss", "hit", "sunk"):
                if answer in parts:
                    walk(parts[answer], [*before, cell], misses + (answer == "miss"))
            return

    walk(set(game.layouts), [], 0)
    if next(letters, None) is not None:
        raise ValueError("the plan goes on")
    return found


def _copies(game: Game, layout: Layout) -> list[Layout]:
    """The layout turned and mirrored in every way that the board allows."""
    rows, columns = game.rows, game.columns
    ways = [
        lambda r, c: (r, c),
        lambda r, c: (rows - 1 - r, c),
        lambda r, c: (r, columns - 1 - c),
        lambda r, c: (rows - 1 - r, columns - 1 - c),
    ]
    if rows == columns:
        ways += [lambda r, c, w=way: w(c, r) for way in ways[:4]]
    return [
        frozenset(
            frozenset((p := way(*divmod(cell, columns)))[0] * columns + p[1] for cell in ship)
            for ship in layout
        )
        for way in ways
    ]


@_judged
def faults_of_equilibrium(folder: Path) -> Iterator[str]:
    """What the files of an equilibrium state that is false."""
    document = document_of(folder / "equilibrium.json")
    game = Game(document)
    rows = list(csv.reader((folder / "hiding-weights.csv").read_text().splitlines()))
    hiding = {game.layout(name.split()): int(weight) for name, weight in rows[1:]}
    scale = sum(hiding.values())
    every = {layout: hiding.get(layout, 0) for layout in game.layouts}
    lower = Fraction(naive.optimum(
        {layout for layout in every if every[layout]}, game.mode, weights=every)["mean"], scale)  # type: ignore[arg-type]  # fmt: skip
    costs = dict.fromkeys(game.layouts, Fraction(0))
    plans = document["shooting"]
    turns = len(_copies(game, next(iter(game.layouts))))
    drawn = sum(plan["weight"] for plan in plans)
    for plan in plans:
        misses = _tree_of_plan(game, plan["plan"])
        for layout in game.layouts:
            for copy in _copies(game, layout):
                costs[layout] += Fraction(plan["weight"] * misses[copy], drawn * turns)
    upper = max(costs.values())
    uniform = Fraction(naive.optimum(game.layouts, game.mode)["mean"], len(game.layouts))  # type: ignore[arg-type]
    right = {
        "status": "exact" if lower == upper else "bounded",
        "value": float((lower + upper) / 2),
        "lower_bound": str(lower),
        "upper_bound": str(upper),
        "uniform_value": str(uniform),
    }
    yield from _claims({name: (document.get(name), value) for name, value in right.items()})
    known = {
        "format",
        "version",
        "made_by",
        "board",
        "fleet",
        "contact",
        "answers",
        "shooting",
        *right,
    }
    if unknown := document.keys() - known:
        yield f"it has the fields {sorted(unknown)}"
