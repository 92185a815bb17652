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
``fleet,5 4 3 3 2`` and ``contact,sides``, and its blocked cells, ``blocked,A1 B2``; it is compared
with the game that is played. What is not said is as in that game; where board, fleet and contact
all are said, cells are blocked only by a line that says so, and named in Russian letters only where
one says ``letters,russian``. For products, ``forced,A1 C3`` names
cells that every layout occupies. Blank lines and what follows a ``#`` are skipped. Weights are
whole, decimal or quotients (``2``, ``0.25``, ``1e-3``, ``1/3``), and none is rounded::

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
decimal or a quotient: ``"0.125"``, ``"1/3"``. Nothing is rounded; ``prior_text`` writes whole
numbers as JSON numbers, finite decimals as texts, and all others as quotients.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from seabattle.enumerate.errors import SeabattleError, WeightsError, quoted
from seabattle.enumerate.files import (
    Source,
    json_document,
    name_of,
    read_text,
    require_format,
    require_known,
    write_text,
)
from seabattle.enumerate.placements import Placement, placement_table
from seabattle.enumerate.priors.prior import (
    Prior,
    ProductPrior,
    SumPrior,
    TablePrior,
    at,
    filled_lines,
    number_text,
    read_grid,
    read_layouts,
    read_number,
)
from seabattle.enumerate.rules import BLOCKED, LAYOUT_FIELDS, LETTERS, Rules
from seabattle.enumerate.table import Game, rules_of

FORMAT, VERSION = "seabattle-prior", 1


KINDS = {
    "cells": ("rule", "forced"),
    "placements": ("forced",),
    "layouts": ("others",),
    "games": ("smoothing",),
}
"""The kinds of priors, and the fields of each beside its weights or games."""

FIRST_LINES = {
    "cells,product": "cells",
    "cells,sum": "cells",
    "placement,weight": "placements",
    "layout,weight": "layouts",
    "games": "games",
}
"""First lines of CSV, with the kind of prior that each says."""

RULES = ("product", "sum")

FACTS = ("source", "licence", "fit")
"""Facts that a JSON file may state about a prior."""

MOST_EXACT_JSON = 1 << 53
"""Every reader of JSON reads whole numbers below this exactly."""


@dataclass
class Contents:
    """What a file of either format holds, as it is written.

    Attributes
    ----------
    kind
        One of ``KINDS``.
    rules
        The game.
    fields
        The fields of the kind: the place of each, and its text.
    body
        For each row of cells, ship, layout or game its place, its text, and that of its weight,
        which is 1 for a game and empty for cells.
    """

    kind: str
    rules: Rules
    fields: dict[str, tuple[str, str]]
    body: list[tuple[str, str, str]]

    def prior(self, source: str, name: str, facts: dict[str, Any]) -> Prior:
        """The prior of the contents.

        Raises
        ------
        WeightsError
            If what is listed is not of the game, is listed twice, or all of it weighs 0.
        """
        rules, table = self.rules, placement_table(self.rules)
        _, rule = self.fields.get("rule", ("", RULES[0]))
        place, forced = self.fields.get("forced", ("forced", ""))
        with at(place):
            if forced and rule == "sum":
                raise WeightsError("'forced' goes with rule 'product'")
            mask = rules.board.mask(rules.board.listed(forced))
        if self.kind == "cells":
            numbers = read_grid(rules.board, [row[:2] for row in self.body], source)
            if rule == "sum":
                return SumPrior(rules, tuple(numbers), name=name, facts=facts)
            cells = rules.board.names(mask)
            return ProductPrior.of_cells(rules, numbers, forced=cells, name=name, facts=facts)
        if self.kind == "placements":
            ships: list[tuple[int, ...]] = []
            for place, ship, _ in self.body:
                with at(place):
                    ships.append((table.number(Placement.parse(ship, rules.board)),))
            weights = [Fraction(0)] * len(table)
            for (number,), value in self._once(ships).items():
                weights[number] = value
            return ProductPrior(rules, tuple(weights), mask, name=name, facts=facts)
        layouts = read_layouts(rules, (entry[:2] for entry in self.body))
        place, other = self.fields.get(KINDS[self.kind][0], ("", "0"))
        with at(place):
            others = _whole(other)
        if self.kind == "layouts":
            listed = {layout: int(weight) for layout, weight in self._once(layouts).items()}
        else:
            listed = {layout: seen + others for layout, seen in Counter(layouts).items()}
        return TablePrior(rules, listed, others, name=name, facts=facts)

    def _once(self, listed: list[tuple[int, ...]]) -> dict[tuple[int, ...], Fraction]:
        """The weights of what is listed, given as placement numbers; each may be listed once."""
        found: dict[tuple[int, ...], Fraction] = {}
        places: dict[tuple[int, ...], str] = {}
        for ships, (place, _, weight) in zip(listed, self.body, strict=True):
            with at(place):
                if ships in found:
                    names = " ".join(placement_table(self.rules).names(ships))
                    what = f"{self.kind[:-1]} {names}"
                    raise WeightsError(f"{what} is listed already ({places[ships]}); list it once")
                number = _whole(weight) if self.kind == "layouts" else read_number(weight)
            found[ships], places[ships] = Fraction(number), place
        return found


def _whole(text: str) -> int:
    """A weight that has to be a whole number."""
    number = read_number(text)
    if number.denominator != 1:
        raise WeightsError(f"{quoted(text)} is not a whole number such as 0 or 25")
    return int(number)


def _columns(place: str, line: str) -> list[str]:
    """Columns of a line, without the empty ones that a spreadsheet may add at its end."""
    try:
        columns = [column.strip() for column in next(csv.reader([line]))]
    except csv.Error as error:
        raise WeightsError(f"{place}: this line is not CSV ({error})") from None
    while len(columns) > 1 and not columns[-1]:
        del columns[-1]
    return columns or [""]


def _csv_contents(text: str, source: str, game: Rules | None) -> Contents:
    """What a CSV file holds; what it does not say of its game is taken from another.

    Raises
    ------
    WeightsError
        If the text is wrong; says in which line and why.
    """
    lines = filled_lines(text, source)
    place, line = lines.pop(0) if lines else (source, "")
    first, *more = [column.lower() for column in _columns(place, line)]
    counted = first == "games" and len(more) == 1
    kind = FIRST_LINES.get(first if counted else ",".join([first, *more]))
    if kind is None:
        raise WeightsError(
            f"{place}: the first line says the kind of prior, one of {' '.join(FIRST_LINES)}, "
            f"not {quoted(line)}"
        )
    fields = {KINDS[kind][0]: (place, more[0])} if counted or kind == "cells" else {}
    while lines:
        place, line = lines[0]
        name, *rest = _columns(place, line)
        name = name.lower()
        if name not in (*LAYOUT_FIELDS, LETTERS, *KINDS[kind]):
            break
        if name in fields:
            raise WeightsError(f"{place}: {name!r} is given twice")
        fields[name] = place, ",".join(rest)
        del lines[0]
    said = {name: value for name, (_, value) in fields.items()}
    whole = said.keys() >= {*LAYOUT_FIELDS} - {BLOCKED}  # then no line for blocked cells says none
    taken = game.lettered(said.get(LETTERS, game.letters)).document() if game and not whole else {}
    found = Contents(kind, Rules.of_document({**taken, **said}, LAYOUT_FIELDS), fields, [])
    for place, line in lines:
        columns = [line, "1"] if kind in ("cells", "games") else _columns(place, line)
        if len(columns) != 2:
            raise WeightsError(
                f"{place}: {quoted(line)}: write a {kind[:-1]}, a comma and its weight"
            )
        found.body.append((place, columns[0], columns[1]))
    return found


def _json_contents(document: Any) -> Contents:
    """What a JSON document holds, its decimals as texts.

    Raises
    ------
    WeightsError, or another SeabattleError
        If a field is missing, of the wrong type, or unknown.
    """
    require_format(document, FORMAT, VERSION, WeightsError)
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise WeightsError(f"kind {quoted(kind)} is unknown; the kinds are {', '.join(KINDS)}")
    entries = "games" if kind == "games" else "weights"
    if kind == "cells" and document.get("rule") not in RULES:
        raise WeightsError(f"the field 'rule' must be one of {', '.join(RULES)}")
    # A misspelt "forced" or "others" would change every weight without a word.
    known = ("format", "version", "kind", *LAYOUT_FIELDS, LETTERS, entries, *KINDS[kind], *FACTS)
    require_known(document, known, WeightsError, of=f"a prior of kind {kind!r}")
    fields = {name: (name, _text(document[name])) for name in KINDS[kind] if name in document}
    found = Contents(kind, Rules.of_document(document, LAYOUT_FIELDS), fields, [])
    values = document.get(entries)
    if kind in ("cells", "games") and isinstance(values, list):
        what = "row" if kind == "cells" else "game"
        found.body = [(f"{what} {n}", _text(each), "1") for n, each in enumerate(values, start=1)]
    elif kind in ("placements", "layouts") and isinstance(values, dict):
        found.body = [(f"{kind[:-1]} {quoted(n)}", n, _text(value)) for n, value in values.items()]
    else:
        what = "an array" if kind in ("cells", "games") else 'an object such as {"A1:A3": 2}'
        raise WeightsError(f"the field {entries!r} must be {what}")
    return found


def _text(value: object) -> str:
    """A value of a document as CSV has it."""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


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
    rules, places, rule = prior.rules, placement_table(prior.rules), "product"
    own: dict[str, Any] = {}
    rows: tuple[tuple[Fraction, ...], ...] = ()
    if isinstance(prior, TablePrior):
        kind = "layouts"
        if prior.others:
            own = {"others": _json_number(Fraction(prior.others))}
        listed = {" ".join(places.names(s)): Fraction(w) for s, w in prior.weights.items()}
    elif isinstance(prior, ProductPrior) and prior.cells is None:
        kind = "placements"
        pairs = zip(places.placements, prior.placements, strict=True)
        listed = {str(placement): weight for placement, weight in pairs if weight}
    else:
        assert isinstance(prior, ProductPrior | SumPrior)
        kind, rule, listed = "cells", "sum" if isinstance(prior, SumPrior) else rule, {}
        rows = rules.board.by_rows(prior.cells or ())
    if isinstance(prior, ProductPrior) and prior.forced:
        own = {"forced": rules.board.names(prior.forced)}
    kept = (*LAYOUT_FIELDS, LETTERS)
    game = {name: text for name, text in rules.document().items() if name in kept}
    if table:
        first = next(line for line, says in FIRST_LINES.items() if says == kind)
        head = [first.replace("product", rule)]
        head += [f"{name},{_text(said).replace(',', ' ')}" for name, said in (game | own).items()]
        body = [",".join(map(number_text, row)) for row in rows]
        body += [f"{name},{number_text(weight)}" for name, weight in listed.items()]
        return "\n".join([*head, *body]) + "\n"
    document: dict[str, Any] = {"format": FORMAT, "version": VERSION, **game}
    document |= {field: prior.facts[field] for field in FACTS if field in prior.facts}
    document |= {"kind": kind} | ({"rule": rule} if rows else {}) | own
    start = "".join(
        f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False, allow_nan=False)},\n"
        for name, value in document.items()
    )
    lines = [json.dumps([_json_number(weight) for weight in row]) for row in rows]
    lines += [f"{json.dumps(n)}: {json.dumps(_json_number(w))}" for n, w in listed.items()]
    opening, closing = "[]" if rows else "{}"
    inside = ",\n".join(lines)
    return f'{{{start}"weights": {opening}\n{inside}\n{closing}}}\n'


def _json_number(weight: Fraction) -> int | str:
    if weight.denominator == 1 and weight < MOST_EXACT_JSON:
        return int(weight)
    return number_text(weight)


UNIFORM = "uniform"
SHIPPED = {"people": "people/people.json"}
"""Priors that come with the package, by name, and their files in this room."""


def load_prior(name_or_path: Source, game: Game | None = None) -> Prior | None:
    """A prior by its name, or read from its file.

    Parameters
    ----------
    name_or_path
        ``uniform``, ``people``, or a file, or a stream.
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
    if known in SHIPPED:
        text = read_text(Path(__file__).parent / SHIPPED[known])
        return read_prior(text, f"prior {known}", known, rules)
    source = name_of(name_or_path)
    return read_prior(read_text(name_or_path), source, Path(source).name, rules)


def _require_facts(facts: dict[str, Any]) -> None:
    """Refuse facts that cannot be told.

    Raises
    ------
    WeightsError
        If ``fit`` is no object, or a number is beyond those that JSON is read with.
    """
    if not isinstance(facts.get("fit", {}), dict):
        raise WeightsError("the field 'fit' must be an object")
    try:
        json.dumps(facts, allow_nan=False)
    except ValueError:
        raise WeightsError("a number in source, licence or fit is too large") from None


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
            contents = _json_contents(
                json_document(text, source, "prior file", WeightsError, decimals=str)
            )
            plain = json.loads(text)  # whose numbers are not weights
            facts = {name: plain[name] for name in FACTS if name in plain}
            _require_facts(facts)
        else:
            contents = _csv_contents(text, source, rules)
        prior = contents.prior(source, name, facts)
    except SeabattleError as error:
        message = str(error)
        if not message.startswith(source):
            message = f"{source} is not a valid prior file: {message}"
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


def require_prior(prior: Prior | str | Path | None, rules: Rules) -> Prior | None:
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
    if isinstance(prior, str | Path):
        return load_prior(prior, rules)
    if prior is not None:
        prior.require_game(rules)
    return prior
