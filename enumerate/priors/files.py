"""Priors by name and in files: reading, writing, and checking a ``prior`` argument.

``uniform`` is the prior under which all layouts are equally likely: None in Python. ``people`` is
shipped with the package. Everything else names a file: JSON if it begins
with a brace, else CSV.

Both are read into the same *contents*: the kind, and entries with a name and a number each. Numbers
are exact fractions from the moment they are read.

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
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import as_file, files
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from seabattle.enumerate.errors import FileAccessError, SeabattleError, WeightsError, quoted
from seabattle.enumerate.files import json_document, read_text, write_text
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.priors.prior import (
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
from seabattle.enumerate.rules import BLOCKED, Rules
from seabattle.enumerate.table import Game, rules_of

FORMAT, VERSION = "seabattle-prior", 1


class Kind(NamedTuple):
    """A kind of prior in files.

    Attributes
    ----------
    first_line
        In CSV: its first line; for ``cells`` the rule follows, for ``games`` the smoothing may.
    entries
        In JSON: the field of what is weighed or was seen.
    own
        Its other fields, none of them needed.
    """

    first_line: str
    entries: str
    own: tuple[str, ...]


KINDS = {
    "cells": Kind("cells", "weights", ("rule", "forced")),
    "placements": Kind("placement,weight", "weights", ("forced",)),
    "layouts": Kind("layout,weight", "weights", ("others",)),
    "games": Kind("games", "games", ("smoothing",)),
}
FIRST_LINES = "layout,weight placement,weight cells,product cells,sum games"
RULES = ("product", "sum")

GAME = {"board": "10x10", "fleet": "5 4 3 3 2", "contact": "sides"}
"""The fields that name a prior's game, each with an example; ``blocked`` goes with them."""

FACTS = {"source": str, "licence": str, "fit": dict}
"""Facts that a JSON file may state about a prior, and their types."""

MOST_EXACT_JSON = 1 << 53
"""Every reader of JSON reads whole numbers below this exactly."""


class Entry(NamedTuple):
    """What is weighed, where it stands (for messages), and its weight."""

    place: str
    name: str
    weight: Fraction


@dataclass
class Contents:
    """What a file of either format holds.

    Attributes
    ----------
    kind
        One of ``KINDS``.
    rules
        The game.
    entries
        Layouts or placements by name; every cell, without a name; or layouts seen, each as 1.
    rule
        Of ``cells``: ``product`` or ``sum``.
    forced
        Mask of the cells that every layout occupies.
    others
        The weight of every layout not listed; of ``games`` the smoothing.
    """

    kind: str
    rules: Rules
    entries: list[Entry]
    rule: str = "product"
    forced: int = 0
    others: int = 0

    def prior(self, name: str, facts: dict[str, Any]) -> Prior:
        """The prior.

        Raises
        ------
        WeightsError
            If what is listed is not of the game, or all of it weighs 0.
        """
        rules = self.rules
        if self.kind == "cells":
            cells = tuple(entry.weight for entry in self.entries)
            if self.rule == "sum":
                return SumPrior(rules, cells, name=name, facts=facts)
            products = products_of_cells(rules, cells)
            return ProductPrior(rules, products, self.forced, cells, name=name, facts=facts)
        reader = LayoutReader(rules)
        if self.kind == "placements":
            numbers = [reader.number(entry.place, entry.name) for entry in self.entries]
            ships = dict(self._once([(number,) for number in numbers], "placement"))
            weights = tuple(ships.get((n,), Fraction(0)) for n in range(len(reader.table)))
            return ProductPrior(rules, weights, self.forced, name=name, facts=facts)
        for entry in self.entries:
            reader.add(entry.place, entry.name)
        listed: dict[tuple[int, ...], int] = {}
        if self.kind == "layouts":
            for layout, weight in self._once(reader.layouts(), "layout"):
                listed[layout] = int(weight)
        else:
            for layout in reader.layouts():
                listed[layout] = listed.get(layout, self.others) + 1
        return TablePrior(rules, listed, self.others, name=name, facts=facts)

    def _once(
        self, ships: list[tuple[int, ...]], what: str
    ) -> list[tuple[tuple[int, ...], Fraction]]:
        """What is listed with its weights, each once."""
        places: dict[tuple[int, ...], str] = {}
        for layout, entry in zip(ships, self.entries, strict=True):
            if layout in places:
                names = " ".join(placement_table(self.rules).names(layout))
                raise WeightsError(
                    f"{entry.place}: {what} {names} is listed already ({places[layout]}); list "
                    f"each {what} once"
                )
            places[layout] = entry.place
        return [(each, entry.weight) for each, entry in zip(ships, self.entries, strict=True)]


def _number(place: str, value: object) -> Fraction:
    """A weight: a number as JSON is read here, or text.

    Raises
    ------
    WeightsError
        Begins with the place.
    """
    try:
        if isinstance(value, Fraction) and value >= 0:
            return value
        if isinstance(value, str):
            return read_number(value, quotients=True)
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            raise WeightsError(f"{quoted(value)} is no number")
        return read_number(str(value))
    except WeightsError as error:
        raise WeightsError(f"{place}: {error}") from None


def _decimal(text: str) -> Fraction:
    """A decimal as JSON writes it, exactly; facts may be negative."""
    return -read_number(text[1:]) if text.startswith("-") else read_number(text)


def _whole(place: str, value: object) -> int:
    number = _number(place, value)
    if number.denominator != 1:
        written = quoted(number_text(number, quotients=True))
        raise WeightsError(f"{place}: {written} is no whole number such as 0 or 25")
    return int(number)


def _csv_contents(text: str, source: str, game: Rules | None) -> Contents:
    """What a CSV file holds; a game that is given must not be contradicted.

    Raises
    ------
    WeightsError
        If the text is wrong; says in which line and why.
    """
    numbered = [(f"{source}, line {n}", line.strip()) for n, line in enumerate(text.split("\n"), 1)]
    lines = [(place, line) for place, line in numbered if line and line[0] != "#"]
    if not lines:
        raise WeightsError(f"{source} is empty: it holds no weights")
    place, line = lines.pop(0)
    first, *more = _columns(place, line)
    kind = next(
        (
            name
            for name, each in KINDS.items()
            if ",".join([first, *more]).lower() == each.first_line
            or (each.first_line == first.lower() in ("cells", "games") and len(more) == 1)
        ),
        "",
    )
    if not kind or (kind == "cells" and ",".join(more).lower() not in RULES):
        raise WeightsError(
            f"{place}: the first line says the kind of prior, one of {FIRST_LINES}, not "
            f"{quoted(line)}"
        )
    fields: dict[str, tuple[str, str]] = {}
    known = (*GAME, BLOCKED, *KINDS[kind].own)
    while lines and lines[0][1].partition(",")[0].strip(' "').lower() in (*GAME, BLOCKED, "forced",
                                                                         "others"):  # fmt: skip
        place, line = lines.pop(0)
        name, *rest = _columns(place, line)
        name = name.lower()
        if name not in known:
            raise WeightsError(f"{place}: {name!r} does not go with this kind")
        if name in fields:
            raise WeightsError(f"{place}: {name!r} is given twice")
        if not any(rest):
            raise WeightsError(f"{place}: what {name!r} is, is missing")
        fields[name] = place, ",".join(rest)
    if not lines:
        raise WeightsError(f"{source}: the file has a first line and no weights")
    rules = _csv_rules(fields, source, game)
    found = Contents(kind, rules, [])
    if kind == "cells":
        found.rule = more[0].lower()
        found.entries = _csv_grid(lines, source, rules)
    elif kind == "games":
        found.entries = [Entry(place, line, Fraction(1)) for place, line in lines]
        found.others = _whole(place, more[0]) if more else 0
    else:
        for place, line in lines:
            columns = _columns(place, line)
            if len(columns) != 2 or not columns[0]:
                raise WeightsError(
                    f"{place}: {quoted(line)} is no {kind[:-1]}, a comma and its weight"
                )
            found.entries.append(Entry(place, columns[0], _csv_number(place, columns[1], kind)))
        if "others" in fields:
            found.others = _whole(*fields["others"])
    if "forced" in fields:
        place, cells = fields["forced"]
        found.forced = _forced(rules, parts_of(cells), f"{place}: ", found.rule)
    return found


def _columns(place: str, line: str) -> list[str]:
    """Columns of a line, without the empty ones that a spreadsheet may add at its end."""
    try:
        columns = [column.strip() for column in next(csv.reader([line]))]
    except csv.Error as error:
        raise WeightsError(f"{place}: this is no line of CSV ({error})") from None
    while len(columns) > 1 and not columns[-1]:
        del columns[-1]
    return columns


def _csv_number(place: str, text: str, kind: str) -> Fraction:
    """A weight; CSV has no quotients, and layouts have whole numbers."""
    if "/" in text:
        raise WeightsError(f"{place}: {quoted(text)} is no number")
    return Fraction(_whole(place, text)) if kind == "layouts" else _number(place, text)


def _csv_rules(fields: dict[str, tuple[str, str]], source: str, game: Rules | None) -> Rules:
    """The game: the one given, which the file must not contradict, or that of the file."""
    said = {name: fields[name][1] for name in (*GAME, BLOCKED) if name in fields}
    for name in ("fleet", BLOCKED):
        if name in said:
            said[name] = ",".join(parts_of(said[name]))
    if game is None:
        for name, example in GAME.items():
            if name not in said:
                raise WeightsError(
                    f"{source} does not say its {name}: give the game, or add a line such as "
                    f"{name},{example}"
                )
        try:
            return Rules.of_document(said, tuple(GAME))
        except SeabattleError as error:
            raise WeightsError(f"{source}: {error}") from None
    for name in said:
        place = fields[name][0]
        try:
            other = Rules.of_document({**game.document(), name: said[name]}, ())
        except SeabattleError as error:
            raise WeightsError(f"{place}: {error}") from None
        if getattr(other, name) != getattr(game, name):
            raise WeightsError(
                f"{place}: the prior is of {name} {getattr(other, name)}, and the game of {name} "
                f"{getattr(game, name)}"
            )
    return game


def _csv_grid(lines: list[tuple[str, str]], source: str, rules: Rules) -> list[Entry]:
    """The numbers of a grid in reading order."""
    board = rules.board
    found = []
    for place, line in lines:
        tokens = parts_of(line)
        found += [Entry(place, "", _csv_number(place, token, "cells")) for token in tokens]
        if len(tokens) != board.columns:
            raise WeightsError(
                f"{place}: {len(tokens)} numbers, and board {board} has {board.columns} columns; "
                f"write decimals with a point"
            )
    if len(lines) != board.rows:
        raise WeightsError(
            f"{source}: the grid has {len(lines)} rows, and board {board} has {board.rows}"
        )
    return found


def _forced(rules: Rules, cells: Sequence[str], place: str, rule: str) -> int:
    if rule == "sum":
        raise WeightsError(f"{place}'forced' goes with rule 'product'")
    try:
        return forced_mask(rules, cells)
    except WeightsError as error:
        raise WeightsError(f"{place}{error}") from None


def _json_contents(document: Any) -> Contents:
    """What a JSON document holds, its decimals read as fractions.

    Raises
    ------
    WeightsError, or another SeabattleError
        If a field is missing, of the wrong type, unknown, or contradicts the others.
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
    _, field, own = KINDS[kind]
    for name in (*GAME, field, *(["rule"] if kind == "cells" else [])):
        if name not in document:
            raise WeightsError(f"the field {name!r} is missing")
    # A misspelt "forced" or "others" would change every weight without a word.
    known = {"format", "version", "kind", *GAME, BLOCKED, field, *own, *FACTS}
    for name in document.keys() - known:
        raise WeightsError(f"the field {quoted(name)} is unknown in a prior of kind {kind!r}")
    game = {name: document[name] for name in (*GAME, BLOCKED) if name in document}
    rules = Rules.of_document(game, tuple(GAME))
    found = Contents(kind, rules, [], document.get("rule", "product"))
    if found.rule not in RULES:
        raise WeightsError(
            f"rule {quoted(found.rule)} is unknown; the rules are {', '.join(RULES)}"
        )
    values = document[field]
    if kind == "cells":
        board = rules.board
        rows = values if isinstance(values, list) else []
        if len(rows) != board.rows or not all(
            isinstance(row, list) and len(row) == board.columns for row in rows
        ):
            raise WeightsError(
                f"the field 'weights' must be {board.rows} arrays of {board.columns} numbers, one "
                f"for each cell of board {board}"
            )
        for cell, value in enumerate(value for row in rows for value in row):
            found.entries.append(Entry("", "", _number(f"cell {board.name(cell)}", value)))
    elif kind == "games":
        for number, layout in enumerate(_texts(values, "games", "A1:A3 C1 C3"), start=1):
            found.entries.append(Entry(f"game {number}", layout, Fraction(1)))
    else:
        if not isinstance(values, dict):
            raise WeightsError("the field 'weights' must be an object such as {\"A1:A3\": 2}")
        read = _whole if kind == "layouts" else _number
        for name, value in values.items():
            place = f"{kind[:-1]} {quoted(name)}"
            found.entries.append(Entry(place, name, Fraction(read(place, value))))
    if cells := _texts(document.get("forced", []), "forced", "A1"):
        found.forced = _forced(rules, cells, "", found.rule)
    for name in ("others", "smoothing"):
        found.others += _whole(name, document[name]) if name in document else 0
    return found


def _texts(values: object, field: str, example: str) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        raise WeightsError(f"the field {field!r} must be an array of texts such as {example!r}")
    return values


def _facts(document: dict[str, Any]) -> dict[str, Any]:
    facts = {}
    for name, kind in FACTS.items():
        if name in document:
            if not isinstance(document[name], kind):
                what = "text" if kind is str else "an object"
                raise WeightsError(f"the field {name!r} must be {what}")
            facts[name] = _plain(document[name])
    return facts


def _plain(value: Any) -> Any:
    """A part of a document with its decimals as Python's; its content is kept but not used."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, Fraction) and abs(value) > sys.float_info.max:
        raise WeightsError("a number of the facts is too large")
    return float(value) if isinstance(value, Fraction) else value


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
        If a weight has too many digits; in CSV, if it has no finite decimal.

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
        head = [f"cells,{rule}" if cells is not None else KINDS[kind].first_line]
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
    return number_text(weight, quotients=True)


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
    if not text.lstrip().startswith(("{", "[")):
        contents, facts, wrong = _csv_contents(text, source, rules), {}, source
    else:
        wrong = f"{source} is no valid prior file"
        try:
            document = json_document(
                text, source, "prior file", WeightsError, once=True, decimals=_decimal
            )
            contents, facts = _json_contents(document), _facts(document)
        except SeabattleError as error:
            message = str(error)
            raise WeightsError(message if source in message else f"{wrong}: {error}") from None
    try:
        prior = contents.prior(name, facts)
    except SeabattleError as error:
        message = str(error)
        raise WeightsError(message if message.startswith(source) else f"{wrong}: {error}") from None
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
