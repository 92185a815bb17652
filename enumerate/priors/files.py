"""Priors by name and in files: reading, writing, and checking a ``prior`` argument.

``uniform`` is the prior under which all layouts are equally likely: None in Python. ``people`` is
shipped with the package. Everything else names a file: JSON if it begins
with a brace, else CSV.

Both are read into the same *contents*: the kind, fields, and a body of rows of numbers or of names
with a number each, all with the place where they stand. Numbers become exact fractions.

Priors as CSV: plain text whose first line says the kind of prior.

=================  ============================================================================
first line         the lines after it
=================  ============================================================================
layout,weight      a layout, its ships joined by blanks, and its weight, a whole number; a layout
                   that is not listed weighs 0, or N with a line ``others,N``
placement,weight   a ship and its weight; a ship that is not listed weighs 0
cells,product      ROWS lines of COLUMNS numbers, top row first, between blanks or commas: a layout
                   weighs the product of the numbers on its cells
cells,sum          the same, but a layout weighs the sum
games              a layout seen in a game, repeated as often as it was seen; ``games,N`` adds N
                   to the count of every layout of the game
=================  ============================================================================

The lines after the first may name the game that the prior belongs to, ``board,10x10``,
``fleet,5 4 3 3 2`` and ``contact,sides``; it is compared with the game that is played. For
products, ``forced,A1 C3`` names cells that every layout occupies. Blank lines and lines that begin
with ``#`` are skipped. Weights are whole, decimal or quotients (``2``, ``0.25``, ``1e-3``,
``1/3``), and none is rounded::

    cells,product
    board,3x3
    2    1.5  2
    1.5  1    1.5
    2    1.5  2

Priors as JSON: the format that keeps everything, and says where a prior comes from.

An object with ``format`` "seabattle-prior", ``version`` 1, the game (``board``, ``fleet``,
``contact``) and a ``kind``:

``cells``
    ``rule``, "product" or "sum", and ``weights``, ROWS lists of COLUMNS numbers, top row first.
``placements``
    ``weights``, an object from ships such as ``A1:A4`` to numbers; a ship that is left out weighs
    0.
``layouts``
    ``weights``, an object from layouts such as ``A1:A3 C1 C3`` to whole numbers, and ``others``,
    the weight of every layout that is left out, 0 by default.
``games``
    ``games``, an array of the layouts seen, and ``smoothing``, added to the count of every layout
    of the game, 0 by default.

Only where they apply: ``forced``, an array of cells that every layout occupies (products only);
``source`` and ``licence``, texts; ``fit``, an object. A number is a JSON number, or a text with a
decimal or a quotient: ``"0.125"``, ``"1/3"``. Nothing is rounded; ``prior_document`` writes whole
numbers as JSON numbers, finite decimals as texts, and all others as quotients.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import as_file, files
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from seabattle.enumerate.errors import FileAccessError, SeabattleError, WeightsError, quoted
from seabattle.enumerate.files import json_document, read_text, write_text
from seabattle.enumerate.placements import Placement, placement_table
from seabattle.enumerate.priors.prior import (
    Prior,
    ProductPrior,
    SumPrior,
    TablePrior,
    at,
    filled_lines,
    number_text,
    parts_of,
    read_grid,
    read_layouts,
    read_number,
)
from seabattle.enumerate.rules import BLOCKED, Rules
from seabattle.enumerate.table import Game, rules_of

FORMAT, VERSION = "seabattle-prior", 1


class Kind(NamedTuple):
    """A kind of prior in files.

    Attributes
    ----------
    first_lines
        In CSV: its first line, which may also say its first own field.
    entries
        In JSON: the field of what is weighed or was seen.
    own
        Its other fields, none of them needed.
    """

    first_lines: tuple[str, ...]
    entries: str
    own: tuple[str, ...]


KINDS = {
    "cells": Kind(("cells,product", "cells,sum"), "weights", ("rule", "forced")),
    "placements": Kind(("placement,weight",), "weights", ("forced",)),
    "layouts": Kind(("layout,weight",), "weights", ("others",)),
    "games": Kind(("games",), "games", ("smoothing",)),
}
RULES = ("product", "sum")

GAME = ("board", "fleet", "contact")
"""The fields that name a prior's game; ``blocked`` goes with them."""

FACTS: dict[str, type] = {"source": str, "licence": str, "fit": dict}
"""Facts that a JSON file may state about a prior, and their types."""

MOST_EXACT_JSON = 1 << 53
"""Every reader of JSON reads whole numbers below this exactly."""


@dataclass
class Contents:
    """What a file of either format holds, as it is written.

    Attributes
    ----------
    kind
        One of ``KINDS``.
    fields
        The other fields by name: the place of each, and its value.
    body
        Of cells: the numbers in reading order. Else the place, the name of a ship or layout, and
        its number, of a game 1.
    """

    kind: str
    fields: dict[str, tuple[str, Any]]
    body: list[Any]

    def prior(self, rules: Rules, name: str, facts: dict[str, Any]) -> Prior:
        """The prior of the contents.

        Raises
        ------
        WeightsError
            If what is listed is not of the game, is listed twice, or all of it weighs 0.
        """
        _, rule = self.fields.get("rule", ("", "product"))
        place, forced = self.fields.get("forced", ("forced", ()))
        with at(place):
            if forced and rule == "sum":
                raise WeightsError("'forced' goes with rule 'product'")
            cells = forced if isinstance(forced, list) else parts_of(forced) if forced else []
            mask = rules.board.mask(cells)
        if self.kind == "cells":
            numbers = tuple(self.body)
            if rule == "sum":
                return SumPrior(rules, numbers, name=name, facts=facts)
            return ProductPrior.of_cells(
                rules, numbers, forced=rules.board.names(mask), name=name, facts=facts
            )
        if self.kind == "placements":
            table = placement_table(rules)
            ships: list[tuple[int, ...]] = []
            for place, ship, _ in self.body:
                with at(place):
                    ships.append((table.number(Placement.parse(ship, rules.board)),))
            weights = [Fraction(0)] * len(table)
            for (number,), value in self._once(rules, ships):
                weights[number] = value
            return ProductPrior(rules, tuple(weights), mask, name=name, facts=facts)
        layouts = read_layouts(rules, ((place, layout) for place, layout, _ in self.body))
        place, other = self.fields.get(KINDS[self.kind].own[0], ("", 0))
        with at(place):
            others = int(_whole(other))
        if self.kind == "layouts":
            listed = {layout: int(weight) for layout, weight in self._once(rules, layouts)}
        else:
            listed = {layout: seen + others for layout, seen in Counter(layouts).items()}
        return TablePrior(rules, listed, others, name=name, facts=facts)

    def _once(
        self, rules: Rules, listed: list[tuple[int, ...]]
    ) -> list[tuple[tuple[int, ...], Fraction]]:
        """What is listed, as placement numbers, with its weights; each may be listed once."""
        places: dict[tuple[int, ...], str] = {}
        found = []
        for ships, (place, _, weight) in zip(listed, self.body, strict=True):
            with at(place):
                if ships in places:
                    names = " ".join(placement_table(rules).names(ships))
                    raise WeightsError(
                        f"{self.kind[:-1]} {names} is listed already ({places[ships]}); list "
                        f"each {self.kind[:-1]} once"
                    )
                number = _whole(weight) if self.kind == "layouts" else _number(weight)
            places[ships] = place
            found.append((ships, number))
        return found

    def rules(self, game: Mapping[str, str]) -> Rules:
        """The game that the fields say; what they do not say is taken from another."""
        said = dict(game)
        for name in (*GAME, BLOCKED):
            if name in self.fields:
                said[name] = self.fields[name][1]
        for name in ("fleet", BLOCKED):
            if isinstance(said.get(name), str):
                said[name] = ",".join(parts_of(said[name]))
        return Rules.of_document(said, GAME)


def _number(value: object) -> Fraction:
    """A weight: a number as JSON is read here, or text."""
    if isinstance(value, bool) or not isinstance(value, str | int | Fraction):
        raise WeightsError(f"{quoted(value)} is no number")
    return read_number(str(value))


def _whole(value: object) -> Fraction:
    """A weight that has to be a whole number."""
    number = _number(value)
    if number.denominator != 1:
        raise WeightsError(f"{quoted(number_text(number))} is no whole number such as 0 or 25")
    return number


def _decimal(text: str) -> Fraction:
    """A decimal as JSON writes it, exactly; facts may be negative."""
    return -read_number(text[1:]) if text.startswith("-") else read_number(text)


def _columns(place: str, line: str) -> list[str]:
    """Columns of a line, without the empty ones that a spreadsheet may add at its end."""
    try:
        columns = [column.strip() for column in next(csv.reader([line]))]
    except csv.Error as error:
        raise WeightsError(f"{place}: this is no line of CSV ({error})") from None
    while len(columns) > 1 and not columns[-1]:
        del columns[-1]
    return columns


def _csv_contents(text: str, source: str, game: Rules | None) -> tuple[Contents, Rules]:
    """What a CSV file holds, and its game; what it does not say of it is taken from another.

    Raises
    ------
    WeightsError
        If the text is wrong; says in which line and why.
    """
    lines = filled_lines(text, source)
    if not lines:
        raise WeightsError("it is empty: it holds no weights")
    place, line = lines.pop(0)
    first, *more = _columns(place, line)
    whole = ",".join([first, *more]).lower()
    kinds = (name for name, each in KINDS.items()
             if whole in each.first_lines or (name == first.lower() == "games" and len(more) == 1)
             )  # fmt: skip
    kind = next(kinds, "")
    if not kind:
        known = " ".join(line for each in KINDS.values() for line in each.first_lines)
        raise WeightsError(
            f"{place}: the first line says the kind of prior, one of {known}, not {quoted(line)}"
        )
    fields: dict[str, tuple[str, Any]] = {}
    if kind in ("cells", "games") and more:
        fields[KINDS[kind].own[0]] = place, more[0].lower()
    while lines:
        place, line = lines[0]
        name, *rest = _columns(place, line)
        name = name.lower()
        if name not in (*GAME, BLOCKED, "forced", "others"):
            break
        if name in ("forced", "others") and name not in KINDS[kind].own:
            raise WeightsError(f"{place}: {name!r} does not go with this kind")
        if name in fields or not any(rest):
            twice = "given twice" if name in fields else "not said"
            raise WeightsError(f"{place}: {name!r} is {twice}")
        fields[name] = place, ",".join(rest)
        del lines[0]
    if not lines:
        raise WeightsError("the file has a first line and no weights")
    found = Contents(kind, fields, [])
    rules = found.rules({} if game is None else game.document())
    if kind == "cells":
        found.body = read_grid(rules.board, lines, source)
    for place, line in lines if kind != "cells" else ():
        columns = [line, "1"] if kind == "games" else _columns(place, line)
        if len(columns) != 2 or not columns[0]:
            raise WeightsError(f"{place}: {quoted(line)} is no {kind[:-1]}, a comma and its weight")
        found.body.append((place, *columns))
    return found, rules


def _json_contents(document: Any) -> tuple[Contents, Rules]:
    """What a JSON document holds, its decimals read as fractions, and its game.

    Raises
    ------
    WeightsError, or another SeabattleError
        If a field is missing, of the wrong type, or unknown.
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise WeightsError(f"its 'format' is not {FORMAT!r}")
    if document.get("version") != VERSION:
        raise WeightsError(
            f"version {quoted(document.get('version'))} of the format is unknown; this program "
            f"reads version {VERSION}"
        )
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise WeightsError(f"kind {quoted(kind)} is unknown; the kinds are {', '.join(KINDS)}")
    _, entries, own = KINDS[kind]
    for name in (*GAME, entries, *(["rule"] if kind == "cells" else [])):
        if name not in document:
            raise WeightsError(f"the field {name!r} is missing")
    # A misspelt "forced" or "others" would change every weight without a word.
    known = {"format", "version", "kind", *GAME, BLOCKED, entries, *own, *FACTS}
    for name in document.keys() - known:
        raise WeightsError(f"the field {quoted(name)} is unknown in a prior of kind {kind!r}")
    if document.get("rule", RULES[0]) not in RULES:
        raise WeightsError(
            f"rule {quoted(document['rule'])} is unknown; the rules are {', '.join(RULES)}"
        )
    found = Contents(kind, {name: (name, value) for name, value in document.items()}, [])
    rules = found.rules({})
    _require_texts("forced", document.get("forced", []), "A1")
    values = document[entries]
    if kind == "cells":
        board = rules.board
        rows = values if isinstance(values, list) else []
        sizes = [len(row) if isinstance(row, list) else 0 for row in rows]
        if sizes != [board.columns] * board.rows:
            raise WeightsError(
                f"the field 'weights' must be {board.rows} arrays of {board.columns} numbers, one "
                f"for each cell of board {board}"
            )
        for cell, value in enumerate(value for row in rows for value in row):
            with at(f"cell {board.name(cell)}"):
                found.body.append(_number(value))
    elif kind == "games":
        _require_texts("games", values, "A1:A3 C1 C3")
        found.body = [(f"game {n}", layout, 1) for n, layout in enumerate(values, start=1)]
    elif isinstance(values, dict):
        found.body = [(f"{kind[:-1]} {quoted(n)}", n, value) for n, value in values.items()]
    else:
        raise WeightsError("the field 'weights' must be an object such as {\"A1:A3\": 2}")
    return found, rules


def _require_texts(field: str, values: object, example: str) -> None:
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        raise WeightsError(f"the field {field!r} must be an array of texts such as {example!r}")


def _facts(document: dict[str, Any]) -> dict[str, Any]:
    """The facts that a document states."""
    facts = {name: document[name] for name in FACTS if name in document}
    for name, value in facts.items():
        if not isinstance(value, FACTS[name]):
            what = "text" if FACTS[name] is str else "an object"
            raise WeightsError(f"the field {name!r} must be {what}")
    return facts


def prior_text(prior: Prior, *, table: bool = False) -> str:
    """A prior as the text of its file, one row, ship or layout per line, its numbers exact.

    Parameters
    ----------
    prior
        The prior.
    table
        Whether as CSV, without the prior's facts, rather than as JSON.

    Raises
    ------
    WeightsError
        If a weight has too many digits.

    Examples
    --------
    >>> print(prior_text(SumPrior(Rules("1x4", "2"), [0.5, 1, 1, 2]), table=True), end="")
    cells,sum
    board,1x4
    fleet,2
    contact,none
    0.5,1,1,2
    >>> json.loads(prior_text(SumPrior(Rules("1x4", "2"), [0.5, 1, 1, 2])))["weights"]
    [['0.5', 1, 1, 2]]
    """
    rules, places = prior.rules, placement_table(prior.rules)
    kind, rule, own, cells = "cells", "", {}, None
    forced = rules.board.names(prior.forced) if isinstance(prior, ProductPrior) else []
    if isinstance(prior, TablePrior):
        kind, own = "layouts", {"others": prior.others} if prior.others else {}
        listed = {" ".join(places.names(s)): Fraction(w) for s, w in prior.weights.items()}
    elif isinstance(prior, ProductPrior) and prior.cells is None:
        kind = "placements"
        pairs = zip(places.placements, prior.placements, strict=True)
        listed = {str(placement): weight for placement, weight in pairs if weight}
    else:
        assert isinstance(prior, ProductPrior | SumPrior)
        cells, rule = prior.cells or (), "sum" if isinstance(prior, SumPrior) else "product"
        rows = [
            cells[at : at + rules.board.columns] for at in range(0, len(cells), rules.board.columns)
        ]
    game = {name: text for name, text in rules.document().items() if name in (*GAME, BLOCKED)}
    if table:
        head = [f"cells,{rule}" if cells is not None else KINDS[kind].first_lines[0]]
        head += [f"{name},{text.replace(',', ' ')}" for name, text in game.items()]
        head += [f"others,{number}" for number in own.values()]
        head += [f"forced,{' '.join(forced)}"] if forced else []
        if cells is not None:
            body = [",".join(map(number_text, row)) for row in rows]
        else:
            body = [f"{name},{number_text(weight)}" for name, weight in listed.items()]
        return "\n".join([*head, *body]) + "\n"
    document: dict[str, Any] = {"format": FORMAT, "version": VERSION, **game}
    document |= {field: prior.facts[field] for field in FACTS if field in prior.facts}
    document |= {"kind": kind} | ({"rule": rule} if rule else {})
    document |= {name: _json_number(Fraction(number)) for name, number in own.items()}
    document |= {"forced": forced} if forced else {}
    start = "".join(
        f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False, allow_nan=False)},\n"
        for name, value in document.items()
    )
    if cells is not None:
        opening, closing = "[", "]"
        lines = [json.dumps([_json_number(weight) for weight in row]) for row in rows]
    else:
        opening, closing = "{", "}"
        lines = [f"{json.dumps(n)}: {json.dumps(_json_number(w))}" for n, w in listed.items()]
    inside = ",\n".join(lines)
    return f'{{{start}"weights": {opening}\n{inside}\n{closing}}}\n'


def _json_number(weight: Fraction) -> int | str:
    if weight.denominator == 1 and weight < MOST_EXACT_JSON:
        return int(weight)
    return number_text(weight)


UNIFORM = "uniform"
SHIPPED = {"people": "people/people.json"}
"""Priors that come with the package, by name, and their files in this room."""

MOST_CHARACTERS = 1 << 28
"""Longer files are refused before they fill the memory."""


def load_prior(name_or_path: str | Path, game: Game | None = None) -> Prior | None:
    """A prior by its name, or read from its file.

    Parameters
    ----------
    name_or_path
        ``uniform``, ``people``, or a file.
    game
        Rules, a position or a decision table. Not needed for a file that names its game. A prior of
        another game is refused.

    Returns
    -------
    Prior or None
        None for ``uniform``.

    Raises
    ------
    FileAccessError
        If the file cannot be read.
    WeightsError
        If its content is wrong, or it is of another game; names the file and, in CSV, the line.

    Examples
    --------
    >>> load_prior("uniform") is None
    True
    """
    rules = None if game is None else rules_of(game)
    known = name_or_path.strip().lower() if isinstance(name_or_path, str) else ""
    if known == UNIFORM:
        return None
    if known not in SHIPPED:
        return _read(Path(name_or_path), str(name_or_path), Path(name_or_path).name, rules)
    with as_file(files("seabattle.enumerate.priors") / SHIPPED[known]) as path:
        try:
            return _read(path, f"prior {known}", known, rules)
        except FileAccessError:
            raise WeightsError(f"prior {known}: its file is missing in this installation") from None


def _read(path: Path, source: str, name: str, rules: Rules | None) -> Prior:
    not_text = WeightsError(f"{source}: a prior file must be UTF-8 text")
    text = read_text(path, not_text, encoding="utf-8-sig", most=MOST_CHARACTERS)
    return read_prior(text, source, name, rules)


def read_prior(text: str, source: str, name: str, rules: Rules | None = None) -> Prior:
    """The prior of the text of a file.

    Parameters
    ----------
    text
        The text, JSON or CSV.
    source
        Name of the text in errors.
    name
        What the prior is called.
    rules
        The game that it must be of; a CSV text need not name it then.

    Raises
    ------
    WeightsError
        If the text is wrong; names the field, entry or line.
    """
    facts: dict[str, Any] = {}
    try:
        if text.lstrip().startswith(("{", "[")):
            kind = "prior file"
            document = json_document(text, source, kind, WeightsError, decimals=_decimal)
            contents, said = _json_contents(document)
            facts = _facts(json.loads(text))  # whose numbers are not weights
        else:
            contents, said = _csv_contents(text, source, rules)
        prior = contents.prior(said, name, facts)
    except SeabattleError as error:
        message = str(error)
        if not message.startswith(source):
            message = f"{source} is no valid prior file: {message}"
        raise WeightsError(message) from None
    if rules is not None:
        prior.require_game(rules)
    return prior


def save_prior(prior: Prior, path: str | Path) -> None:
    """Write a prior to a file, whole or not at all; its weights are kept exactly.

    Parameters
    ----------
    prior
        The prior.
    path
        The file: CSV if its name ends in ``.csv``, else JSON. Only JSON keeps the prior's
        ``facts``.

    Raises
    ------
    FileAccessError
        If the file cannot be written.
    WeightsError
        If a weight has too many digits.
    """
    write_text(path, prior_text(prior, table=str(path).lower().endswith(".csv")))


def require_prior(prior: Prior | str | PathLike[str] | None, rules: Rules) -> Prior | None:
    """The prior that a function was given, for its game; None when all layouts are equally likely.

    Parameters
    ----------
    prior
        A prior, the name or file of one (see ``load_prior``), or None.
    rules
        The game.

    Raises
    ------
    FileAccessError, WeightsError
        As for ``load_prior``; a prior of another game is a ``WeightsError`` that names both.
    """
    if prior is None:
        return None
    if isinstance(prior, str | PathLike):
        return load_prior(prior if isinstance(prior, str) else Path(prior), rules)
    prior.require_game(rules)
    return prior
