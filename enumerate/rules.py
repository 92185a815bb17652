"""The rules of a game in one frozen object: board, fleet, contact rule, answer mode, announcement.

*Contact rule*: ``none`` (ships do not touch, even diagonally), ``corners`` (diagonal contact
allowed), ``sides`` (any contact, no overlap). *Answer mode*: ``hit`` (a shot is answered hit or
miss), ``sunk`` (hit, miss, or sunk when the shot completes a ship), ``ship`` (a hit also names
the ship). *Announcement*: what a sinking reveals in mode ``sunk`` under ``sides``: ``length`` or
``none``; under the other contact rules the hit cells themselves show the length.

The fleet: a multiset of ships, by name or in figures. An element is a length (``3``), a rectangle
(``2x2``) or a drawing by rows (``xx/x.``), which may be turned and mirrored. *Blocked*
cells are those on which no ship can lie; they are part of the rules, and everybody knows them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from functools import cached_property
from operator import index
from typing import Any, Literal, TypeVar

from seabattle.enumerate.board import Board, cells_of, mask_of
from seabattle.enumerate.errors import FleetError, RulesError, quoted

NAMED_FLEETS: dict[str, tuple[int, ...]] = {
    "russian": (4, 3, 3, 2, 2, 2, 1, 1, 1, 1),
    "hasbro": (5, 4, 3, 3, 2),
}
"""Lengths of the fleets that have a name; ``rules`` has the games they are played in."""

LONGEST = 10_000
"""No ship has as many cells."""

MAX_SHIPS = 63
"""Ships of one length are numbered 1 to 63 in the answers of mode ``ship``."""


Form = tuple[tuple[int, int], ...]
"""Cells of a ship that is no line, as rows and columns from its corner, in reading order."""


def turned_forms(form: Form) -> set[Form]:
    """A form in all ways to turn and mirror it."""
    found = set()
    for mirrored in (False, True):
        cells = [(row, -column) if mirrored else (row, column) for row, column in form]
        for _ in range(4):
            cells = [(column, -row) for row, column in cells]
            top, left = min(row for row, _ in cells), min(column for _, column in cells)
            found.add(tuple(sorted((row - top, column - left) for row, column in cells)))
    return found


def read_form(text: str) -> int | Form:
    """A ship as text: a length, a rectangle such as ``2x2``, or a drawing such as ``xx/x.``.

    Returns
    -------
    ship
        The length of a line, else its form, the same for drawings that are turned or mirrored.

    Raises
    ------
    FleetError
        If it is none of these, or its cells are not joined by sides.

    Examples
    --------
    >>> read_form("3"), read_form("1x3"), read_form("x/x/x")
    (3, 3, 3)
    >>> read_form("xx/x.") == read_form(".x/xx")
    True
    """
    drawn = text.strip().lower()
    sides = _RECTANGLE.fullmatch(drawn)
    if sides:
        drawn = "/".join(["x" * int(sides[2])] * int(sides[1]))
    if drawn.isascii() and drawn.isdigit() and len(drawn) <= 4 and int(drawn):
        return int(drawn)
    if not drawn or set(drawn) - set("x./") or "x" not in drawn:
        raise FleetError(
            f"fleet: {quoted(text)} is no ship; write a length such as 3, a rectangle such as 2x2 "
            f"or a drawing by rows such as xx/x."
        )
    cells = {
        (row, column)
        for row, line in enumerate(drawn.split("/"))
        for column, sign in enumerate(line)
        if sign == "x"
    }
    joined, edge = set(), [min(cells)]
    while edge:
        row, column = edge.pop()
        joined.add((row, column))
        beside = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)}
        edge += (beside & cells) - joined
    if joined != cells:
        raise FleetError(f"fleet: the cells of {quoted(text)} are not joined by sides")
    form = max(turned_forms(tuple(cells)), key=lambda turned: [(-row, -col) for row, col in turned])
    return len(form) if not any(row for row, _ in form) else form


def form_text(ship: int | Form) -> str:
    """A ship as text: a length, or a drawing by rows.

    >>> form_text(read_form(".x/xx")), form_text(read_form("3x2")), form_text(4)
    ('xx/x.', '2x3', '4')
    """
    if isinstance(ship, int):
        return str(ship)
    rows, columns = (1 + max(place[side] for place in ship) for side in (0, 1))
    if len(ship) == rows * columns:
        return f"{rows}x{columns}"
    return "/".join(
        "".join(".x"[(row, column) in ship] for column in range(columns)) for row in range(rows)
    )


_RECTANGLE = re.compile("([0-9]{1,3})x([0-9]{1,3})")
_DRAWN = re.compile("[0-9]{1,3}x[0-9]{1,3}|[x./]{2,}")


@dataclass(frozen=True, init=False)
class Fleet:
    """The ships, those of most cells first; ships of one form are interchangeable.

    Parameters
    ----------
    ships
        Ship lengths in cells, or texts as ``read_form`` takes them, in any order, at least one.

    Attributes
    ----------
    lengths
        Number of cells of each ship.
    forms
        The form of each ship that is no line, None for a line.

    Raises
    ------
    FleetError
        If there is no ship, a length is below 1, or a text is no ship.

    Examples
    --------
    >>> fleet = Fleet([1, 2, 1, 3, 2, 1])
    >>> fleet, fleet.cells
    (Fleet((3, 2, 2, 1, 1, 1)), 10)
    >>> Fleet.parse("hasbro"), Fleet([2, "x/xx", "2x2"])
    (Fleet((5, 4, 3, 3, 2)), Fleet(('2x2', 'xx/x.', 2)))
    """

    lengths: tuple[int, ...]
    forms: tuple[Form | None, ...]

    def __init__(self, ships: Iterable[int | str]) -> None:
        read = [read_form(s) if isinstance(s, str) else index(s) for s in ships]
        found: list[tuple[int, Form | None]] = [
            (ship, None) if isinstance(ship, int) else (len(ship), ship) for ship in read
        ]
        found.sort(key=lambda ship: (-ship[0], ship[1] or ()))
        if not found:
            raise FleetError("fleet is empty: give ship lengths such as 3,2,2,1,1,1")
        if found[-1][0] < 1:
            raise FleetError(
                f"fleet has a ship of length {quoted(found[-1][0])}: lengths start at 1"
            )
        if len(found) > MAX_SHIPS:
            raise FleetError(f"fleet has {len(found)} ships: at most {MAX_SHIPS} are supported")
        object.__setattr__(self, "lengths", tuple(length for length, _ in found))
        object.__setattr__(self, "forms", tuple(form for _, form in found))

    def __repr__(self) -> str:
        texts = tuple(
            form_text(form) if form else length
            for length, form in zip(self.lengths, self.forms, strict=True)
        )
        return f"Fleet({texts!r})"

    def __str__(self) -> str:
        ships = zip(self.lengths, self.forms, strict=True)
        return ",".join(form_text(form or length) for length, form in ships)

    @classmethod
    def parse(cls, text: str) -> Fleet:
        """Read lengths joined by commas, or the name of a fleet."""
        named = NAMED_FLEETS.get(text.strip().lower())
        if named is not None:
            return cls(named)
        known = ", ".join(sorted(NAMED_FLEETS))
        ships: list[int | str] = []
        for part in map(str.strip, text.split(",") if text.strip() else ()):
            digits = part.removeprefix("-")
            if _DRAWN.fullmatch(part.lower()):
                ships.append(part)
            elif not digits.isascii() or not digits.isdigit():
                near = get_close_matches(text.strip().lower(), NAMED_FLEETS, n=1)
                raise FleetError(
                    f"fleet {quoted(text)}: {quoted(part)} is no ship length"
                    f"{f' (did you mean {near[0]}?)' if near else ''}; write whole numbers "
                    f"joined by commas, as in 3,2,2,1,1,1, or a name ({known})"
                )
            elif not 1 <= int(part[:9]) <= 9999 or len(part) > 4:
                length = part if len(part) < 20 else f"of {len(part)} digits"
                raise FleetError(
                    f"fleet {quoted(text)}: ship length {length} is out of range, 1 to 9999"
                )
            else:
                ships.append(int(part))
        return cls(ships)

    @property
    def cells(self) -> int:
        """Number of cells the whole fleet occupies."""
        return sum(self.lengths)

    @property
    def counts(self) -> dict[int, int]:
        """Number of ships of each length, longest first."""
        return dict(Counter(self.lengths))

    @property
    def all_lines(self) -> bool:
        """Whether every ship is a line."""
        return not any(self.forms)

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """The kind of each ship: equal ships have equal kinds, and a line that of its length."""
        forms = list(dict.fromkeys(filter(None, self.forms)))
        ships = zip(self.lengths, self.forms, strict=True)
        return tuple(LONGEST + forms.index(form) if form else length for length, form in ships)

    @cached_property
    def kind_counts(self) -> dict[int, int]:
        """Number of ships of each kind, in the order of the ships."""
        return dict(Counter(self.kinds))


ContactName = Literal["none", "corners", "sides"]
AnswerName = Literal["hit", "sunk", "ship"]
AnnounceName = Literal["none", "length"]


class Contact(StrEnum):
    """Whether ships may touch."""

    NONE = "none"
    CORNERS = "corners"
    SIDES = "sides"


class AnswerMode(StrEnum):
    """What a shot reveals."""

    HIT = "hit"
    SUNK = "sunk"
    SHIP = "ship"


class Announce(StrEnum):
    """What the answer ``sunk`` reveals beyond the sinking."""

    NONE = "none"
    LENGTH = "length"


_Choice = TypeVar("_Choice", bound=StrEnum)


def choose(kind: type[_Choice], text: str, what: str) -> _Choice:
    """Member of an enumeration by its text; the error lists the right ones.

    >>> choose(Contact, "Sides", "contact rule")
    <Contact.SIDES: 'sides'>
    """
    try:
        return kind(str(text).strip().lower())
    except ValueError:
        right = ", ".join(member.value for member in kind)
        raise RulesError(f"{what} {quoted(text)} is unknown; the {what}s are {right}") from None


@dataclass(frozen=True)
class UsualGame:
    """The game that a fleet is usually played in: what holds wherever nothing else is said."""

    board: str
    fleet: str
    contact: Contact = Contact.NONE
    answers: AnswerMode = AnswerMode.HIT
    announce: Announce = Announce.LENGTH


SMALL_GAME = UsualGame("5x5", "3,2,2,1,1,1")
"""What holds for every fleet without a name."""

SMALL_CELLS = 49
"""On larger boards nobody plays with the fleet of the small game: they need one of their own."""

NAMED_GAMES: dict[str, UsualGame] = {
    "russian": UsualGame("10x10", "russian", Contact.NONE, AnswerMode.SUNK),
    "hasbro": UsualGame("10x10", "hasbro", Contact.SIDES, AnswerMode.SUNK),
}
"""The game that each named fleet brings."""


def usual_game(fleet: object) -> UsualGame:
    """The usual game of a fleet given by name, and the small game for everything else.

    >>> usual_game(" Hasbro ").contact, usual_game("5,4,3,3,2").contact
    (<Contact.SIDES: 'sides'>, <Contact.NONE: 'none'>)
    """
    name = fleet.strip().lower() if isinstance(fleet, str) else ""
    return NAMED_GAMES.get(name, SMALL_GAME)


GAME_FIELDS = ("board", "fleet", "contact", "answers", "announce")
"""Fields that say a game in files and answers."""

BLOCKED = "blocked"
"""The field of the blocked cells, which only games have that have some."""


@dataclass(frozen=True, init=False)
class Rules:
    """Board, fleet and everything that decides which layouts exist and what shots are answered.

    The name of a fleet stands for a whole game: ``russian`` is played on 10x10 with contact rule
    ``none`` and answers ``sunk``, ``hasbro`` on 10x10 with ``sides`` and ``sunk``. Any other fleet
    is played on 5x5 with ``none`` and ``hit``. What is given explicitly always wins.

    Parameters
    ----------
    board
        A ``Board`` or text such as ``5x5``.
    fleet
        The name of a fleet, ships such as ``3,2,2,1,1,1``, ``(3, 2, 1)`` or ``2x2,xx/x.,3``, or a
        ``Fleet``, which has no name; by default 3,2,2,1,1,1.
    contact
        Contact rule: ``none``, ``corners`` or ``sides``.
    answers
        Answer mode: ``hit``, ``sunk`` or ``ship``.
    announce
        What a sinking reveals under contact rule ``sides``: ``length`` (the default) or ``none``.
    blocked
        Cells on which no ship can lie, by name or number, or as text such as ``C3,D4``.

    Raises
    ------
    FleetError
        If a ship is longer than the board, the fleet has more cells than the board, or a board of
        more than 49 cells is given without a fleet.
    BoardError, RulesError
        If a part cannot be read or is unknown.

    Examples
    --------
    >>> Rules("3x3", "3,1,1")
    Rules('3x3', '3,1,1', contact='none', answers='hit', announce='length')
    >>> Rules(fleet="hasbro")
    Rules('10x10', '5,4,3,3,2', contact='sides', answers='sunk', announce='length')
    >>> Rules("8x8", "russian", answers="ship")
    Rules('8x8', '4,3,3,2,2,2,1,1,1,1', contact='none', answers='ship', announce='length')
    >>> str(Rules("5x5", "3,2", blocked="C3"))
    '5x5 without C3, fleet 3,2, contact none, answers hit'
    """

    board: Board
    fleet: Fleet
    contact: Contact
    answers: AnswerMode
    announce: Announce
    blocked: tuple[int, ...]

    def __init__(
        self,
        board: Board | str | None = None,
        fleet: Fleet | str | Iterable[int | str] | None = None,
        contact: Contact | ContactName | None = None,
        answers: AnswerMode | AnswerName | None = None,
        announce: Announce | AnnounceName | None = None,
        blocked: str | Iterable[str | int] | None = None,
    ) -> None:
        usual = usual_game(fleet)
        board = _board(usual.board if board is None else board)
        if fleet is None and board.cells > SMALL_CELLS:
            raise FleetError(
                f"board {board} without a fleet: give ship lengths such as {usual.fleet}, or a "
                f"name ({', '.join(sorted(NAMED_FLEETS))})"
            )
        fleet = _fleet(usual.fleet if fleet is None else fleet)
        touching = usual.contact if contact is None else contact
        mode = usual.answers if answers is None else answers
        told = usual.announce if announce is None else announce
        longest = max(board.rows, board.columns)
        for length, form in zip(fleet.lengths, fleet.forms, strict=True):
            if form is None and length > longest:
                raise FleetError(
                    f"fleet {fleet}: a ship of length {length} is longer than the "
                    f"board {board}, whose longer side is {longest}"
                )
            sides = sorted(1 + max(place[side] for place in form or ((0, 0),)) for side in (0, 1))
            if sides[1] > longest or sides[0] > min(board.rows, board.columns):
                raise FleetError(
                    f"fleet {fleet}: the ship {form_text(form or 1)} does not fit on the board "
                    f"{board}"
                )
        closed = mask_of(map(board.cell, _parts(blocked)))
        left = board.cells - closed.bit_count()
        if fleet.cells > left:
            raise FleetError(
                f"fleet {fleet}: its {fleet.cells} cells do not fit on the board {board} "
                f"of {left} {'open ' if closed else ''}cells"
            )
        answering = choose(AnswerMode, mode, "answer mode")
        if answering is AnswerMode.SHIP and len(fleet.kind_counts) > len(fleet.counts):
            raise RulesError(
                f"fleet {fleet} with answers 'ship': a hit names the number of cells of the ship, "
                f"and two ships of as many cells have other forms"
            )
        object.__setattr__(self, "board", board)
        object.__setattr__(self, "fleet", fleet)
        object.__setattr__(self, "contact", choose(Contact, touching, "contact rule"))
        object.__setattr__(self, "answers", answering)
        object.__setattr__(self, "announce", choose(Announce, told, "announcement"))
        object.__setattr__(self, "blocked", tuple(cells_of(closed)))

    @classmethod
    def read(
        cls,
        board: str | None = None,
        fleet: str | None = None,
        contact: str | None = None,
        answers: str | None = None,
        announce: str | None = None,
        blocked: str | None = None,
    ) -> Rules:
        """The game that texts say, as files and options hold them; otherwise as ``Rules``.

        >>> Rules.read(fleet="russian", answers="HIT").answers
        <AnswerMode.HIT: 'hit'>
        """
        names: Any = {"contact": contact, "answers": answers, "announce": announce}
        return cls(board, fleet, blocked=blocked, **names)

    def answering(self, answers: AnswerMode | AnswerName) -> Rules:
        """The same game with another answer mode."""
        return replace(self, answers=choose(AnswerMode, answers, "answer mode"))

    @cached_property
    def open_mask(self) -> int:
        """Mask of the cells that are not blocked."""
        return self.board.full_mask & ~mask_of(self.blocked)

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Symmetries of the board that keep the blocked cells; the identity comes first.

        >>> len(Rules("5x5", "3,2").symmetries), len(Rules("5x5", "3,2", blocked="A1").symmetries)
        (8, 2)
        """
        closed = set(self.blocked)
        return tuple(g for g in self.board.symmetries if {g[cell] for cell in closed} == closed)

    def document(self) -> dict[str, str]:
        """The rules as the fields of every file and answer; ``blocked`` only where cells are.

        >>> Rules("3x3", "2,1", blocked=["B2"]).document()
        {'board': '3x3', 'fleet': '2,1', 'contact': 'none', 'answers': 'hit', \
'announce': 'length', 'blocked': 'B2'}
        """
        fields = {name: str(getattr(self, name)) for name in GAME_FIELDS}
        if self.blocked:
            fields[BLOCKED] = ",".join(map(self.board.name, self.blocked))
        return fields

    @classmethod
    def of_document(cls, document: Mapping[str, Any], needed: Sequence[str] = GAME_FIELDS) -> Rules:
        """The rules from the fields of a file; those not ``needed`` may be missing.

        Raises
        ------
        SeabattleError
            If a field is missing, is no text, or cannot be read.
        """
        given = {name: document.get(name) for name in (*GAME_FIELDS, BLOCKED) if name in document}
        for name in needed:
            if name not in given:
                raise RulesError(f"the field {name!r} is missing")
        for name, value in given.items():
            if not isinstance(value, str):
                raise RulesError(f"the field {name!r} must be text")
        return cls(**given)

    def __repr__(self) -> str:
        blocked = f", blocked={self.document()[BLOCKED]!r}" if self.blocked else ""
        return (
            f"Rules({str(self.board)!r}, {str(self.fleet)!r}, contact={self.contact.value!r}, "
            f"answers={self.answers.value!r}, announce={self.announce.value!r}{blocked})"
        )

    def __str__(self) -> str:
        without = " ".join(map(self.board.name, self.blocked))
        text = (
            f"{self.board}{f' without {without}' if without else ''}, fleet {self.fleet}, "
            f"contact {self.contact.value}, answers {self.answers.value}"
        )
        silent = self.contact is Contact.SIDES and self.announce is Announce.NONE
        return f"{text}, announce none" if silent and self.answers is AnswerMode.SUNK else text


def _board(board: Board | str) -> Board:
    return Board.parse(board) if isinstance(board, str) else board


def _fleet(fleet: Fleet | str | Iterable[int | str]) -> Fleet:
    if isinstance(fleet, Fleet):
        return fleet
    return Fleet.parse(fleet) if isinstance(fleet, str) else Fleet(fleet)


def _parts(cells: str | Iterable[str | int] | None) -> Iterable[str | int]:
    """Cells given one by one, or as text."""
    return cells.replace(",", " ").split() if isinstance(cells, str) else cells or ()
