"""Priors by name and in files: reading, writing, and checking a ``prior`` argument.

``uniform`` is the prior under which all layouts are equally likely: None in Python. ``people`` is
shipped with the package. Everything else names a file: JSON (``priors.json_priors``) if it begins
with a brace, else CSV, whose first line says the kind of prior (``priors.csv_priors``).

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
with ``#`` are skipped. Weights are whole or decimal (``2``, ``0.25``, ``1e-3``), and none is
rounded::

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
import math
import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from importlib.resources import as_file, files
from os import PathLike
from pathlib import Path
from typing import Any

from seabattle.enumerate.board import Board
from seabattle.enumerate.errors import (
    FileAccessError,
    SeabattleError,
    WeightsError,
    quoted,
    wrong_type,
)
from seabattle.enumerate.files import json_document, read_text, write_text
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.priors.prior import (
    MOST_DIGITS,
    MOST_EXACT_JSON,
    LayoutReader,
    Prior,
    ProductPrior,
    SumPrior,
    TablePrior,
    forced_mask,
    number_text,
    parts_of,
    products_of_cells,
    read_number,
)
from seabattle.enumerate.rules import BLOCKED, Contact, Fleet, Rules, choose
from seabattle.enumerate.table import Game, rules_of

KINDS = ("layout,weight", "placement,weight", "cells,product", "cells,sum", "games")
GAME = {"board": "10x10", "fleet": "5 4 3 3 2", "contact": "sides"}
"""The fields that name a prior's game, each with an example; ``blocked`` goes with them."""

FIELDS = (*GAME, BLOCKED, "forced", "others")

_WHOLE = re.compile("[0-9]{1,1200}")

Line = tuple[int, str]
"""Number of a line, counted from 1, and its text without surrounding blanks."""


class CsvReader:
    """Reads one text.

    Parameters
    ----------
    text
        The text.
    source
        Name of the text in errors.
    game
        The game, if it is known; otherwise the text has to name it.
    name
        What the prior is called.
    """

    def __init__(self, text: str, source: str, game: Rules | None, name: str) -> None:
        self.source, self.game, self.name = source, game, name
        found = [(number, line.strip()) for number, line in enumerate(text.split("\n"), start=1)]
        self.lines = [(number, line) for number, line in found if line and line[0] != "#"]
        if not self.lines:
            raise WeightsError(f"{source} is empty: it holds no weights")
        self.fields: dict[str, tuple[int, str]] = {}

    def read(self) -> Prior:
        """The prior.

        Raises
        ------
        WeightsError
            If the text is wrong; says in which line and why.
        """
        kind, added = self._first_line(self.lines.pop(0))
        self._read_fields("forced" if kind in KINDS[1:3] else "others" if kind == KINDS[0] else "")
        self.rules = self._rules()
        if not self.lines:
            raise WeightsError(f"{self.source}: the file has a first line and no weights")
        if kind == "layout,weight":
            return self._table()
        if kind == "placement,weight":
            return self._placements()
        if kind == "games":
            return self._games(added)
        cells = self._grid()
        if kind == "cells,sum":
            return SumPrior(self.rules, tuple(cells), name=self.name)
        return self._product(products_of_cells(self.rules, cells), cells)

    def place(self, number: int) -> str:
        """A line, as messages begin."""
        return f"{self.source}, line {number}"

    def _first_line(self, line: Line) -> tuple[str, int]:
        """The kind of prior, and the smoothing of ``games``."""
        number, text = line
        first, *rest = self._columns(number, text)
        kind = ",".join([first, *rest]).lower()
        if kind in KINDS:
            return kind, 0
        if first.lower() == "cells":
            raise WeightsError(
                f"{self.place(number)}: write cells,product or cells,sum, not {quoted(text)}"
            )
        if first.lower() == "games" and len(rest) == 1:
            if not _WHOLE.fullmatch(rest[0]):
                raise WeightsError(
                    f"{self.place(number)}: smoothing {quoted(rest[0])}: a whole number from 0 on "
                    f"is needed"
                )
            return "games", int(rest[0])
        raise WeightsError(
            f"{self.place(number)}: the first line says the kind of prior, one of "
            f"{' '.join(KINDS)}, not {quoted(text)}"
        )

    def _columns(self, number: int, line: str) -> list[str]:
        """Columns of a line, without the empty ones that a spreadsheet may add at its end."""
        try:
            columns = [column.strip() for column in next(csv.reader([line]))]
        except csv.Error as error:
            raise WeightsError(f"{self.place(number)}: this is no line of CSV ({error})") from None
        while len(columns) > 1 and not columns[-1]:
            del columns[-1]
        return columns

    def _read_fields(self, special: str) -> None:
        """Take the lines that name the game and other fields."""
        while self.lines:
            number, text = self.lines[0]
            if text.partition(",")[0].strip(' "').lower() not in FIELDS:
                return
            first, *rest = self._columns(number, text)
            name = first.lower()
            if name not in (*GAME, BLOCKED, special):
                raise WeightsError(f"{self.place(number)}: {name!r} does not go with this kind")
            if name in self.fields:
                raise WeightsError(f"{self.place(number)}: {name!r} is given twice")
            if not any(rest):
                raise WeightsError(f"{self.place(number)}: what {name!r} is, is missing")
            self.fields[name] = number, ",".join(rest)
            del self.lines[0]

    def _rules(self) -> Rules:
        """The game: the one given, which the file must not contradict, or that of the file."""
        game = self.game
        found: dict[str, Any] = {}
        for name in (*GAME, BLOCKED):
            if name not in self.fields:
                if game is None and name in GAME:
                    raise WeightsError(
                        f"{self.source} does not say its {name}: give the game, or add a line such "
                        f"as {name},{GAME[name]}"
                    )
                continue
            number, text = self.fields[name]
            try:
                if name == "board":
                    found[name] = Board.parse(text)
                elif name == "fleet":
                    found[name] = Fleet.parse(",".join(parts_of(text)))
                elif name == BLOCKED:
                    board = found.get("board") or (game.board if game else Board.parse(text))
                    found[name] = tuple(sorted(map(board.cell, parts_of(text))))
                else:
                    found[name] = choose(Contact, text, "contact rule")
            except SeabattleError as error:
                raise WeightsError(f"{self.place(number)}: {error}") from None
            if game is not None and found[name] != (played := getattr(game, name)):
                raise WeightsError(
                    f"{self.place(number)}: the prior is of {name} {found[name]}, and the game of "
                    f"{name} {played}"
                )
        if game is not None:
            return game
        try:
            return Rules(**found)
        except SeabattleError as error:
            raise WeightsError(f"{self.source}: {error}") from None

    def _forced(self) -> int:
        if "forced" not in self.fields:
            return 0
        number, text = self.fields["forced"]
        try:
            return forced_mask(self.rules, parts_of(text))
        except WeightsError as error:
            raise WeightsError(f"{self.place(number)}: {error}") from None

    def _pair(self, line: Line, what: str) -> tuple[str, str]:
        """The two columns of a line: a layout or ship, and its weight."""
        number, text = line
        columns = self._columns(number, text)
        if len(columns) == 1 and text.rstrip().endswith(","):
            raise WeightsError(f"{self.place(number)}: the weight is missing")
        if len(columns) != 2:
            raise WeightsError(
                f"{self.place(number)}: {quoted(text)} has {len(columns)} "
                f"column{'s'[: len(columns) != 1]} instead of 2: write a {what}, a comma and its "
                f"weight"
            )
        if not columns[0]:
            raise WeightsError(f"{self.place(number)}: the {what} is missing")
        return columns[0], columns[1]

    def _whole(self, number: int, weight: str) -> int:
        if _WHOLE.fullmatch(weight):
            return int(weight)
        if re.fullmatch(r"-[0-9.]+", weight):
            raise WeightsError(
                f"{self.place(number)}: weight {quoted(weight)} is negative; weights start at 0"
            )
        raise WeightsError(
            f"{self.place(number)}: weight {quoted(weight)} is no whole number such as 0, 1 or 25"
        )

    def _table(self) -> Prior:
        reader = LayoutReader(self.rules)
        weights: list[int] = []
        for line in self.lines:
            layout, weight = self._pair(line, "layout")
            weights.append(self._whole(line[0], weight))
            reader.add(self.place(line[0]), layout)
        listed: dict[tuple[int, ...], int] = {}
        for index, ships in enumerate(reader.layouts()):
            if listed.setdefault(ships, index) != index:
                raise WeightsError(
                    f"{reader.places[index]}: layout {' '.join(reader.table.names(ships))} is "
                    f"listed already in line {self.lines[listed[ships]][0]}; list each layout once"
                )
        others = self._whole(*self.fields["others"]) if "others" in self.fields else 0
        if not others and not any(weights):
            raise WeightsError(f"{self.source}: all are zero; at least one layout must be possible")
        found = {ships: weights[index] for ships, index in listed.items()}
        return TablePrior(self.rules, found, others, name=self.name)

    def _games(self, added: int) -> Prior:
        reader = LayoutReader(self.rules)
        for number, text in self.lines:
            reader.add(self.place(number), text)
        counts = Counter(reader.layouts())
        weights = {ships: count + added for ships, count in counts.items()}
        return TablePrior(self.rules, weights, added, name=self.name)

    def _placements(self) -> Prior:
        reader = LayoutReader(self.rules)
        given: dict[int, int] = {}
        weights = [Fraction(0)] * len(reader.table)
        for line in self.lines:
            ship, weight = self._pair(line, "placement")
            try:
                number = reader.ship(ship)
                weights[number] = read_number(weight)
            except SeabattleError as error:
                raise WeightsError(f"{self.place(line[0])}: {error}") from None
            if given.setdefault(number, line[0]) != line[0]:
                raise WeightsError(
                    f"{self.place(line[0])}: ship {reader.table.placements[number]} is listed "
                    f"already in line {given[number]}; list each placement once"
                )
        return self._product(weights)

    def _grid(self) -> list[Fraction]:
        """Numbers of a grid in reading order."""
        board = self.rules.board
        values: list[Fraction] = []
        for row, (number, line) in enumerate(self.lines):
            tokens = parts_of(line)
            if row >= board.rows:
                raise WeightsError(
                    f"{self.place(number)}: board {board} has {board.rows} rows, this line is one "
                    f"too many"
                )
            values += [self._cell(number, token) for token in tokens]
            if len(tokens) != board.columns:
                raise WeightsError(
                    f"{self.place(number)}: {len(tokens)} numbers, and board {board} has "
                    f"{board.columns} columns; write decimals with a point"
                )
        if len(self.lines) != board.rows:
            raise WeightsError(
                f"{self.source}: the grid has {len(self.lines)} rows, and board {board} has "
                f"{board.rows}"
            )
        if not any(values):
            raise WeightsError(f"{self.source}: every number is 0; at least one must be above 0")
        return values

    def _cell(self, number: int, token: str) -> Fraction:
        if not token:
            raise WeightsError(
                f"{self.place(number)}: there is nothing before or after a comma; write 0 for none"
            )
        try:
            return read_number(token)
        except WeightsError as error:
            raise WeightsError(f"{self.place(number)}: {error}") from None

    def _product(
        self, placements: Sequence[Fraction], cells: Sequence[Fraction] | None = None
    ) -> Prior:
        forced = self._forced()
        given = None if cells is None else tuple(cells)
        try:
            return ProductPrior(self.rules, tuple(placements), forced, given, name=self.name)
        except WeightsError as error:
            raise WeightsError(f"{self.source}: {error}") from None


def csv_text(prior: Prior) -> str:
    """A prior as CSV, with the game that it belongs to.

    Raises
    ------
    WeightsError
        If a weight has no finite decimal.

    Examples
    --------
    >>> print(csv_text(SumPrior(Rules("1x4", "2"), [0.5, 1, 1, 2])), end="")
    cells,sum
    board,1x4
    fleet,2
    contact,none
    0.5,1,1,2
    """
    rules, table = prior.rules, placement_table(prior.rules)
    more: list[str] = []
    if isinstance(prior, TablePrior):
        first = "layout,weight"
        more += [f"others,{prior.others}"] if prior.others else []
        body = [
            f"{' '.join(table.names(ships))},{number_text(Fraction(weight))}"
            for ships, weight in prior.weights.items()
        ]
    elif isinstance(prior, ProductPrior) and prior.cells is None:
        first = "placement,weight"
        body = [
            f"{placement},{number_text(weight)}"
            for placement, weight in zip(table.placements, prior.placements, strict=True)
            if weight
        ]
    elif isinstance(prior, ProductPrior | SumPrior):
        first = "cells,sum" if isinstance(prior, SumPrior) else "cells,product"
        numbers = [number_text(weight) for weight in prior.cells or ()]
        columns = rules.board.columns
        body = [",".join(numbers[i : i + columns]) for i in range(0, len(numbers), columns)]
    else:
        raise wrong_type("prior", "a ProductPrior, SumPrior or TablePrior", prior)
    if isinstance(prior, ProductPrior) and prior.forced:
        more.append(f"forced,{' '.join(rules.board.names(prior.forced))}")
    fleet = str(rules.fleet).replace(",", " ")
    head = [first, f"board,{rules.board}", f"fleet,{fleet}", f"contact,{rules.contact.value}"]
    if rules.blocked:
        head.append(f"{BLOCKED},{' '.join(map(rules.board.name, rules.blocked))}")
    return "\n".join([*head, *more, *body]) + "\n"


FORMAT = "seabattle-prior"
VERSION = 1
JSON_GAME = ("board", "fleet", "contact")
FACTS = {"source": str, "licence": str, "fit": dict}
"""Facts that a file may state about a prior, and their types."""

JSON_FIELDS = {
    "cells": {"rule", "weights", "forced"},
    "placements": {"weights", "forced"},
    "layouts": {"weights", "others"},
    "games": {"games", "smoothing"},
}
"""Every kind with its own fields."""

OPTIONAL = {"forced", "others", "smoothing"}


class _Written(str):
    """A number with a point or an exponent, as it is written."""


def read_json_prior(text: str, source: str, name: str) -> Prior:
    """The prior of the text of a JSON file.

    Parameters
    ----------
    text
        The text.
    source
        Name of the text in errors.
    name
        What the prior is called.

    Raises
    ------
    WeightsError
        If the text is wrong; names the field or entry.
    """
    document = json_document(text, source, "prior file", WeightsError, once=True, decimals=_Written)
    try:
        return read_document(document, name)
    except SeabattleError as error:
        raise WeightsError(f"{source} is no valid prior file: {error}") from None


def read_document(document: Any, name: str) -> Prior:
    """The prior of a JSON document.

    Raises
    ------
    WeightsError, or another SeabattleError
        If a field is missing, of the wrong type, unknown, or contradicts the others.
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise WeightsError(f"its 'format' is not {FORMAT!r}")
    version = document.get("version")
    if type(version) is not int or version != VERSION:
        raise WeightsError(
            f"version {quoted(version)} of the format is unknown; this program reads version "
            f"{VERSION}"
        )
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in JSON_FIELDS:
        raise WeightsError(
            f"kind {quoted(kind)} is unknown; the kinds are {', '.join(JSON_FIELDS)}"
        )
    for field in (*JSON_GAME, *sorted(JSON_FIELDS[kind] - OPTIONAL)):
        if field not in document:
            raise WeightsError(f"the field {field!r} is missing")
    # A misspelt "forced" or "others" would change every weight without a word.
    known = {"format", "version", "kind", *JSON_GAME, BLOCKED, *JSON_FIELDS[kind], *FACTS}
    for field in document.keys() - known:
        raise WeightsError(f"the field {quoted(field)} is unknown in a prior of kind {kind!r}")
    game = {name: document[name] for name in (*JSON_GAME, BLOCKED) if name in document}
    rules = Rules.of_document(game, JSON_GAME)
    facts = _facts(document)
    if kind == "layouts":
        listed, others = _layout_weights(rules, document), _whole(document.get("others", 0))
        return TablePrior(rules, listed, others, name=name, facts=facts)
    if kind == "games":
        added = _whole(document.get("smoothing", 0))
        counts = _games(rules, document["games"])
        weights = {ships: count + added for ships, count in counts.items()}
        return TablePrior(rules, weights, added, name=name, facts=facts)
    forced = _forced(rules, document)
    if kind == "placements":
        placements = _placement_weights(rules, document)
        return ProductPrior(rules, placements, forced, name=name, facts=facts)
    cells = _grid(rules, document["weights"])
    if document["rule"] == "sum":
        if forced:
            raise WeightsError("'forced' goes with rule 'product'")
        return SumPrior(rules, cells, name=name, facts=facts)
    if document["rule"] != "product":
        raise WeightsError(
            f"rule {quoted(document['rule'])} is unknown; the rules are product, sum"
        )
    products = products_of_cells(rules, cells)
    return ProductPrior(rules, products, forced, cells, name=name, facts=facts)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not isinstance(value, _Written)


def _number(value: object) -> Fraction:
    """A weight: a JSON number or a text."""
    if isinstance(value, str):
        return read_number(value, quotients=_is_text(value))
    if isinstance(value, bool) or not isinstance(value, int):
        raise WeightsError(f"{quoted(value)} is no number")
    if value < 0:
        raise WeightsError(f"{quoted(value)} is negative; weights start at 0")
    if value.bit_length() > MOST_DIGITS * math.log2(10):
        raise WeightsError(f"{quoted(value)} has too many digits; round it")
    return Fraction(value)


def _whole(value: object) -> int:
    number = _number(value)
    if number.denominator != 1:
        raise WeightsError(f"{quoted(value)} is no whole number such as 0, 1 or 25")
    return int(number)


def _object(document: dict[str, Any], example: str) -> dict[str, Any]:
    weights = document["weights"]
    if not isinstance(weights, dict):
        raise WeightsError(f"the field 'weights' must be an object such as {example}")
    return weights


def _grid(rules: Rules, rows: object) -> tuple[Fraction, ...]:
    board = rules.board
    if (
        not isinstance(rows, list)
        or len(rows) != board.rows
        or not all(isinstance(row, list) and len(row) == board.columns for row in rows)
    ):
        raise WeightsError(
            f"the field 'weights' must be {board.rows} arrays of {board.columns} numbers, one for "
            f"each cell of board {board}"
        )
    found = []
    for cell, value in enumerate(value for row in rows for value in row):
        try:
            found.append(_number(value))
        except WeightsError as error:
            raise WeightsError(f"cell {board.name(cell)}: {error}") from None
    return tuple(found)


def _placement_weights(rules: Rules, document: dict[str, Any]) -> tuple[Fraction, ...]:
    weights = _object(document, '{"A1:A3": 2}')
    reader = LayoutReader(rules)
    found: dict[int, Fraction] = {}
    for ship, value in weights.items():
        try:
            number = reader.ship(ship)
            if number in found:
                raise WeightsError("it is listed already; list each placement once")
            found[number] = _number(value)
        except SeabattleError as error:
            raise WeightsError(f"placement {quoted(ship)}: {error}") from None
    return tuple(found.get(number, Fraction(0)) for number in range(len(reader.table)))


def _layout_weights(rules: Rules, document: dict[str, Any]) -> dict[tuple[int, ...], int]:
    weights = _object(document, '{"A1:A3 C1 C3": 5}')
    reader = LayoutReader(rules)
    values = []
    for layout, value in weights.items():
        reader.add(f"layout {quoted(layout)}", layout)
        try:
            values.append(_whole(value))
        except WeightsError as error:
            raise WeightsError(f"layout {quoted(layout)}: {error}") from None
    found: dict[tuple[int, ...], int] = {}
    for ships, value, place in zip(reader.layouts(), values, reader.places, strict=True):
        if ships in found:
            raise WeightsError(f"{place}: it is listed already; list each layout once")
        found[ships] = value
    return found


def _games(rules: Rules, games: object) -> Counter[tuple[int, ...]]:
    if not isinstance(games, list) or not all(map(_is_text, games)):
        raise WeightsError("the field 'games' must be an array of layouts such as 'A1:A3 C1 C3'")
    reader = LayoutReader(rules)
    for number, layout in enumerate(games, start=1):
        reader.add(f"game {number}", layout)
    return Counter(reader.layouts())


def _forced(rules: Rules, document: dict[str, Any]) -> int:
    cells = document.get("forced", [])
    if not isinstance(cells, list) or not all(map(_is_text, cells)):
        raise WeightsError("the field 'forced' must be an array of cells such as 'A1'")
    return forced_mask(rules, cells)


def _facts(document: dict[str, Any]) -> dict[str, Any]:
    facts = {}
    for field, kind in FACTS.items():
        if field in document:
            if not isinstance(document[field], kind) or isinstance(document[field], _Written):
                what = "text" if kind is str else "an object"
                raise WeightsError(f"the field {field!r} must be {what}")
            facts[field] = _plain(document[field])
    return facts


def _plain(value: Any) -> Any:
    """A part of a document with its numbers as Python's; its content is kept but not used."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, _Written):
        number = float(value)
        if not math.isfinite(number):
            raise WeightsError(f"{quoted(str(value))} is too large a number")
        return number
    return value


def prior_document(prior: Prior) -> dict[str, Any]:
    """A prior as the JSON document of its file; its numbers are kept exactly.

    Raises
    ------
    WeightsError
        If a weight has too many digits.
    TypeError
        If it is no prior.

    Examples
    --------
    >>> document = prior_document(SumPrior(Rules("1x4", "2"), [0.5, 1, 1, 2]))
    >>> document["kind"], document["rule"], document["weights"]
    ('cells', 'sum', [['0.5', 1, 1, 2]])
    """
    rules, table = prior.rules, placement_table(prior.rules)
    found: dict[str, Any]
    if isinstance(prior, TablePrior):
        listed = {
            " ".join(table.names(ships)): _value(Fraction(weight))
            for ships, weight in prior.weights.items()
        }
        found = {"kind": "layouts", "weights": listed}
        found |= {"others": _value(Fraction(prior.others))} if prior.others else {}
    elif isinstance(prior, ProductPrior) and prior.cells is None:
        found = {
            "kind": "placements",
            "weights": {
                str(placement): _value(weight)
                for placement, weight in zip(table.placements, prior.placements, strict=True)
                if weight
            },
        }
    elif isinstance(prior, ProductPrior | SumPrior):
        values, columns = [_value(weight) for weight in prior.cells or ()], rules.board.columns
        found = {
            "kind": "cells",
            "rule": "sum" if isinstance(prior, SumPrior) else "product",
            "weights": [values[i : i + columns] for i in range(0, len(values), columns)],
        }
    else:
        raise wrong_type("prior", "a ProductPrior, SumPrior or TablePrior", prior)
    if isinstance(prior, ProductPrior) and prior.forced:
        found["forced"] = rules.board.names(prior.forced)
    weights = found.pop("weights")
    return {
        "format": FORMAT,
        "version": VERSION,
        **{name: text for name, text in rules.document().items() if name in (*JSON_GAME, BLOCKED)},
        **{field: prior.facts[field] for field in FACTS if field in prior.facts},
        **found,
        "weights": weights,
    }


def _value(weight: Fraction) -> int | str:
    if weight.denominator == 1 and weight < MOST_EXACT_JSON:
        return int(weight)
    return number_text(weight, quotients=True)


def json_text(prior: Prior) -> str:
    """A prior as the text of its JSON file, one row, ship or layout per line."""
    document = prior_document(prior)
    weights = document.pop("weights")
    head = "".join(
        f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False, allow_nan=False)},\n"
        for name, value in document.items()
    )
    if isinstance(weights, list):
        lines = ",\n".join(json.dumps(row) for row in weights)
        return f'{{{head}"weights": [\n{lines}\n]}}\n'
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(w)}" for name, w in weights.items())
    return f'{{{head}"weights": {{\n{lines}\n}}}}\n'


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
    if not text.lstrip().startswith(("{", "[")):
        return CsvReader(text, source, rules, name).read()
    prior = read_json_prior(text, source, name)
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
        ``facts``, and weights without a finite decimal.

    Raises
    ------
    FileAccessError
        If the file cannot be written.
    WeightsError
        If a weight cannot be written; see ``path``.
    """
    table = str(path).lower().endswith(".csv")
    write_text(path, csv_text(prior) if table else json_text(prior))


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
    TypeError
        If it is anything else.

    Examples
    --------
    >>> require_prior(3, Rules("5x5"))
    Traceback (most recent call last):
    TypeError: prior: give a Prior, or the name or file of one, not 'int'
    """
    if prior is None:
        return None
    if isinstance(prior, str | PathLike):
        return load_prior(prior if isinstance(prior, str) else Path(prior), rules)
    if not isinstance(prior, Prior):
        raise wrong_type("prior", "a Prior, or the name or file of one", prior)
    prior.require_game(rules)
    return prior
