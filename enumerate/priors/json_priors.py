"""Priors as JSON: the format that keeps everything, and says where a prior comes from.

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

import json
import math
from collections import Counter
from fractions import Fraction
from typing import Any

from seabattle.enumerate.errors import SeabattleError, WeightsError, quoted, wrong_type
from seabattle.enumerate.files import json_document
from seabattle.enumerate.game.placements import placement_table
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.priors.base import Prior
from seabattle.enumerate.priors.layout_lists import LayoutReader
from seabattle.enumerate.priors.numbers import (
    MOST_DIGITS,
    MOST_EXACT_JSON,
    number_text,
    read_number,
)
from seabattle.enumerate.priors.prior import ProductPrior, SumPrior, forced_mask, products_of_cells
from seabattle.enumerate.priors.table_prior import TablePrior

FORMAT = "seabattle-prior"
VERSION = 1
GAME = ("board", "fleet", "contact")
FACTS = {"source": str, "licence": str, "fit": dict}
"""Facts that a file may state about a prior, and their types."""

FIELDS = {
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
    if not isinstance(kind, str) or kind not in FIELDS:
        raise WeightsError(f"kind {quoted(kind)} is unknown; the kinds are {', '.join(FIELDS)}")
    for field in (*GAME, *sorted(FIELDS[kind] - OPTIONAL)):
        if field not in document:
            raise WeightsError(f"the field {field!r} is missing")
    for field in GAME:
        if not _is_text(document[field]):
            raise WeightsError(f"the field {field!r} must be text")
    # A misspelt "forced" or "others" would change every weight without a word.
    known = {"format", "version", "kind", *GAME, *FIELDS[kind], *FACTS}
    for field in document.keys() - known:
        raise WeightsError(f"the field {quoted(field)} is unknown in a prior of kind {kind!r}")
    rules = Rules(*(document[field] for field in GAME))
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
        "board": str(rules.board),
        "fleet": str(rules.fleet),
        "contact": rules.contact.value,
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
