"""Priors as CSV: plain text whose first line says the kind of prior.

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
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from seabattle.enumerate.errors import SeabattleError, WeightsError, quoted, wrong_type
from seabattle.enumerate.game.board import Board
from seabattle.enumerate.game.fleet import Fleet
from seabattle.enumerate.game.placements import placement_table
from seabattle.enumerate.game.rules import Contact, Rules, choose
from seabattle.enumerate.priors.base import Prior
from seabattle.enumerate.priors.layout_lists import LayoutReader, parts_of
from seabattle.enumerate.priors.numbers import number_text, read_number
from seabattle.enumerate.priors.prior import ProductPrior, SumPrior, forced_mask, products_of_cells
from seabattle.enumerate.priors.table_prior import TablePrior

KINDS = ("layout,weight", "placement,weight", "cells,product", "cells,sum", "games")
GAME = {"board": "10x10", "fleet": "5 4 3 3 2", "contact": "sides"}
"""The fields that name a prior's game, each with an example."""

FIELDS = (*GAME, "forced", "others")

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
            if name not in (*GAME, special):
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
        found: dict[str, Board | Fleet | Contact] = {}
        for name in GAME:
            if name not in self.fields:
                if game is None:
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
            return Rules(*(found[name] for name in GAME))  # type: ignore[arg-type]
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
    fleet = " ".join(map(str, rules.fleet.lengths))
    head = [first, f"board,{rules.board}", f"fleet,{fleet}", f"contact,{rules.contact.value}"]
    return "\n".join([*head, *more, *body]) + "\n"
