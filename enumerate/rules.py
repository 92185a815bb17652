"""The rules of a game in one frozen object: board, fleet, contact rule, answer mode, announcement.

*Contact rule*: ``none`` (ships do not touch, even diagonally), ``corners`` (diagonal contact
allowed), ``sides`` (any contact, no overlap). *Answer mode*: ``hit`` (a shot is answered hit or
miss), ``sunk`` (hit, miss, or sunk when the shot completes a ship), ``ship`` (a hit also names
the ship). *Announcement*: what a sinking reveals in mode ``sunk`` under ``sides``: ``length`` or
``none``; under the other contact rules the hit cells themselves show the length.

The fleet: a multiset of ships, by name or in figures. An element is a length (``3``), a rectangle
(``2x2``) or a drawing by rows (``xx/x.``), joined by sides or corners, which may be turned and
mirrored. A ship that may not: a line that lies along a row (``3h``) or a column (``3v``), and
anything else as it is drawn, with an equals sign behind it (``2x3=``, ``xx/x.=``). *Blocked*
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
from operator import gt, or_
from typing import Any, Literal, TypeVar

from seabattle.enumerate.board import Board, Letters, cells_of, mask_of
from seabattle.enumerate.errors import BoardError, FleetError, RulesError, quoted
from seabattle.enumerate.words import parts_of

SMALL_GAME = {
    "board": "5x5", "fleet": "3,2,2,1,1,1", "contact": "none", "answers": "hit",
    "announce": "length",
}  # fmt: skip
"""What holds where nothing else is said, for every fleet without a name."""

SMALL_CELLS = 49
"""On larger boards nobody plays with the fleet of the small game: they need one of their own."""

NAMED_GAMES = {
    "russian": {"board": "10x10", "fleet": "4,3,3,2,2,2,1,1,1,1", "answers": "sunk"},
    "hasbro": {"board": "10x10", "fleet": "5,4,3,3,2", "contact": "sides", "answers": "sunk"},
}
"""What each named fleet brings."""

LONGEST = 10_000
"""No ship has as many cells."""

MAX_SHIPS = 63
"""Ships of one length are numbered 1 to 63 in the answers of mode ``ship``."""


Form = tuple[tuple[int, int], ...]
"""Cells of a ship, as rows and columns from its corner, in reading order."""

_RECTANGLE = re.compile("([0-9]{1,3})x([0-9]{1,3})")
_TIMES = str.maketrans({"\u00d7": "x", "\u0445": "x"})  # a sign, and a letter of Russian keyboards
_FIXED_LINE = re.compile("([0-9]{1,3})([hv])")


@dataclass(frozen=True)
class Fixed:
    """A ship that may be neither turned nor mirrored: its form as it is drawn."""

    form: Form


Ship = int | Form | Fixed
"""A ship of a fleet: the length of a line, a form that may be turned, or one that may not."""


def at_corner(cells: Iterable[tuple[int, int]]) -> Form:
    """Cells moved to the corner of the board, in reading order."""
    cells = list(cells)
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return tuple(sorted((row - top, column - left) for row, column in cells))


def turned_forms(form: Form) -> set[Form]:
    """A form in all ways to turn and mirror it."""
    found = set()
    for mirrored in (False, True):
        cells = [(row, -column) if mirrored else (row, column) for row, column in form]
        for _ in range(4):
            cells = [(column, -row) for row, column in cells]
            found.add(at_corner(cells))
    return found


def ways_to_lie(ship: Ship) -> list[Form]:
    """The forms that a ship may have on the board, in their order; of lines, horizontal first.

    >>> ways_to_lie(2), ways_to_lie(read_ship("2v"))
    ([((0, 0), (0, 1)), ((0, 0), (1, 0))], [((0, 0), (1, 0))])
    """
    return [ship.form] if isinstance(ship, Fixed) else sorted(turned_forms(form_of(ship)))


def extent(form: Form) -> tuple[int, int]:
    """How many rows and columns a form takes."""
    return 1 + max(row for row, _ in form), 1 + max(column for _, column in form)


def read_ship(text: str) -> Ship:
    """A ship as text: a length, a rectangle such as ``2x2``, or a drawing such as ``xx/x.``.

    ``3h`` and ``3v`` are lines that lie along a row and along a column, and an equals sign behind a
    rectangle or a drawing says that it lies as drawn.

    Returns
    -------
    ship
        The length of a line, else its form, the same for drawings that are turned or mirrored, or
        what may be neither. Where turning changes nothing, as of ``2x2=``, the ship is not fixed.

    Raises
    ------
    FleetError
        If it is none of these, or its cells are not joined by sides or corners.

    Examples
    --------
    >>> read_ship("3"), read_ship("1x3"), read_ship("x/x/x")
    (3, 3, 3)
    >>> read_ship("xx/x.") == read_ship(".x/xx")
    True
    >>> read_ship("3h") == read_ship("1x3="), read_ship("2x2=") == read_ship("2x2")
    (True, True)
    """
    drawn = text.strip().lower().translate(_TIMES)
    if drawn.isascii() and drawn.isdigit() and 0 < int(drawn[:9]) < LONGEST:
        return int(drawn)
    line = _FIXED_LINE.fullmatch(drawn)
    if line:
        drawn = f"1x{line[1]}=" if line[2] == "h" else f"{line[1]}x1="
    fixed, drawn = drawn.endswith("="), drawn.removesuffix("=")
    alone = drawn == "x"
    sides = _RECTANGLE.fullmatch(drawn)
    if sides:
        drawn = "/".join(["x" * int(sides[2])] * int(sides[1]))
    if set(drawn) - set("x./") or "x" not in drawn or alone:
        raise FleetError(
            f"fleet: {quoted(text)} is not a ship; write ships with commas between, each a length "
            f"such as 3, a rectangle such as 2x2 or a drawing by rows such as xx/x., or for all of "
            f"them a name, {' or '.join(NAMED_GAMES)}"
        )
    rows = drawn.split("/")
    try:
        board = Board(len(rows), max(map(len, rows)))
    except BoardError:
        raise FleetError(f"fleet: {quoted(text)} is larger than any board") from None
    signs = "".join(row.ljust(board.columns, ".") for row in rows)
    cells = [cell for cell, sign in enumerate(signs) if sign == "x"]
    if board.group(mask_of(cells), cells[0], corners=True) != mask_of(cells):
        raise FleetError(f"fleet: the cells of {quoted(text)} are not joined by sides or corners")
    form = at_corner(divmod(cell, board.columns) for cell in cells)
    turned = turned_forms(form)
    if fixed and len(turned) > 1:
        return Fixed(form)
    form = min(turned)
    return form if extent(form)[0] > 1 else len(form)


def _may_be_numbers(ships: Sequence[str]) -> bool:
    """Whether a fleet may be numbers of ships: 1x4,2x3,3x2,4x1 as one of length 4, two of 3, ...

    So are three rectangles or more, and nothing else, where some are lines and some are none.
    """
    found = [_RECTANGLE.fullmatch(ship.lower().translate(_TIMES)) for ship in ships]
    high, wide = ({int(sides[k]) for sides in found if sides} for k in (1, 2))
    return len(ships) > 2 and all(found) and 1 in high | wide and {1} not in (high, wide)


def ship_text(ship: Ship) -> str:
    """A ship as text: a length, or a drawing by rows.

    >>> ship_text(read_ship(".x/xx")), ship_text(read_ship("3x2")), ship_text(4)
    ('xx/x.', '2x3', '4')
    >>> ship_text(read_ship("x/x=")), ship_text(read_ship("3x2=")), ship_text(read_ship(".x/xx="))
    ('2v', '3x2=', '.x/xx=')
    """
    if isinstance(ship, int):
        return str(ship)
    form, fixed = (ship.form, "=") if isinstance(ship, Fixed) else (ship, "")
    rows, columns = extent(form)
    if fixed and len(form) in (rows, columns) and 1 in (rows, columns):
        return f"{len(form)}{'h' if rows == 1 else 'v'}"
    if len(form) == rows * columns:
        return f"{rows}x{columns}{fixed}"
    signs = (
        "".join(".x"[(row, column) in form] for column in range(columns)) for row in range(rows)
    )
    return "/".join(signs) + fixed


def form_of(ship: Ship) -> Form:
    """The form of a ship, also of a line, which lies in a row."""
    if isinstance(ship, Fixed):
        return ship.form
    return tuple((0, column) for column in range(ship)) if isinstance(ship, int) else ship


def _rank(ship: Ship) -> tuple[int, bool, Form]:
    """The order of ships in a fleet."""
    form = form_of(ship)
    return -len(form), isinstance(ship, Fixed), () if isinstance(ship, int) else form


@dataclass(frozen=True, init=False, repr=False)
class Fleet:
    """The ships, those of most cells first; ships of one form are interchangeable.

    Of ships with as many cells lines come first, then other forms, then those that may not be
    turned. A ship that may be turned and one of its form that may not are told apart.

    Parameters
    ----------
    ships
        Ship lengths in cells, or texts as ``read_ship`` takes them, in any order, at least one.

    Attributes
    ----------
    ships
        Each ship: the length of a line, its form, or what may not be turned (``Fixed``).

    Raises
    ------
    FleetError
        If there is no ship, a length is below 1, or a text is not a ship.

    Examples
    --------
    >>> fleet = Fleet([1, 2, 1, 3, 2, 1])
    >>> fleet, fleet.cells
    (Fleet((3, 2, 2, 1, 1, 1)), 10)
    >>> Fleet.parse("hasbro"), Fleet([2, "x/xx", "2x2"])
    (Fleet((5, 4, 3, 3, 2)), Fleet(('2x2', 'xx/x.', 2)))
    >>> Fleet(["3v", 3, "2x3=", "3v"])
    Fleet(('2x3=', 3, '3v', '3v'))
    """

    ships: tuple[Ship, ...]

    def __init__(self, ships: Iterable[int | str]) -> None:
        read = [read_ship(str(ship)) for ship in ships]
        if not read:
            raise FleetError("fleet is empty: give ship lengths such as 3,2,2,1,1,1")
        if len(read) > MAX_SHIPS:
            raise FleetError(f"fleet has {len(read)} ships: at most {MAX_SHIPS} are supported")
        read.sort(key=_rank)
        object.__setattr__(self, "ships", tuple(read))

    def __repr__(self) -> str:
        ships = (ship if isinstance(ship, int) else ship_text(ship) for ship in self.ships)
        return f"Fleet({tuple(ships)!r})"

    def __str__(self) -> str:
        return ",".join(map(ship_text, self.ships))

    @classmethod
    def parse(cls, text: str) -> Fleet:
        """Read ships joined by commas, semicolons or blanks, or the name of a fleet.

        Raises
        ------
        FleetError
            As for ``Fleet``, or if the text may give numbers of ships, as 1x4,2x3,3x2,4x1 does.

        Examples
        --------
        >>> Fleet.parse("3 2 1") == Fleet.parse("3, 2; 1") == Fleet((3, 2, 1))
        True
        """
        name = text.strip().lower()
        near = get_close_matches(name, NAMED_GAMES, n=1)
        if near and name != near[0]:
            raise FleetError(f"fleet {quoted(text)} is unknown; did you mean {near[0]}?")
        if "|" in text:
            raise FleetError(
                f"fleet {quoted(text)}: one of several fleets is for 'count' alone; give one here"
            )
        if near:
            return cls(NAMED_GAMES[name]["fleet"].split(","))
        ships = parts_of(text.strip()) if name else []
        if "" in ships:
            raise FleetError(f"fleet {quoted(text)}: a ship is missing at a comma; leave that out")
        if _may_be_numbers(ships):
            raise FleetError(
                f"fleet {quoted(text)}: are these forms, or numbers of ships? 2x3 is one ship of 2 "
                f"rows and 3 columns; write two ships of length 3 as 3,3, and a line of 4 as 4"
            )
        return cls(ships)

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """Number of cells of each ship."""
        return tuple(len(form_of(ship)) for ship in self.ships)

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
        """Whether every ship is a line that may be turned."""
        return all(isinstance(ship, int) for ship in self.ships)

    @cached_property
    def joined_at_corners(self) -> bool:
        """Whether some ship is joined at corners only: its cells are not all joined by sides."""
        for form in map(form_of, self.ships):
            rows, columns = extent(form)
            board = Board(rows, columns)
            cells = [row * columns + column for row, column in form]
            if board.group(mask_of(cells), cells[0]) != mask_of(cells):
                return True
        return False

    @cached_property
    def shares_cells(self) -> bool:
        """Whether ships of two kinds may lie on the same cells, as 3 and ``3h``.

        Then the cells of a layout's ships do not say which ship lies where.
        """
        forms = [form for ship in dict.fromkeys(self.ships) for form in ways_to_lie(ship)]
        return len(set(forms)) < len(forms)

    def require_told_by_cells(self, what: str) -> None:
        """Refuse what knows ships by their cells alone.

        Raises
        ------
        FleetError
            If ships of two kinds may lie on the same cells.
        """
        if self.shares_cells:
            raise FleetError(
                f"fleet {self}: {what} cannot tell a ship that may be turned from one of its form "
                f"that may not; counting can"
            )

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """The kind of each ship: equal ships have equal kinds, and a line that of its length."""
        forms = [ship for ship in dict.fromkeys(self.ships) if not isinstance(ship, int)]
        return tuple(
            ship if isinstance(ship, int) else LONGEST + forms.index(ship) for ship in self.ships
        )

    @cached_property
    def kind_counts(self) -> dict[int, int]:
        """Number of ships of each kind, in the order of the ships."""
        return dict(Counter(self.kinds))


ContactName = Literal["none", "corners", "sides"]
AnswerName = Literal["hit", "sunk", "ship"]
AnnounceName = Literal["none", "length"]
LettersName = Literal["latin", "russian"]


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


BLOCKED = "blocked"
"""The field of the blocked cells, which only documents of games have that have some."""

LETTERS = "letters"
"""The field of the letters that name columns, which only documents have that are not in Latin."""

GAME_FIELDS = ("board", "fleet", "contact", "answers", "announce", BLOCKED)
"""What makes a game, wherever one is kept or compared: attributes of ``Rules``, and fields of files
and answers. Games that differ in one of them are never taken for each other."""

DOCUMENT_FIELDS = (*GAME_FIELDS, LETTERS)
"""Fields of a game in files and answers: what makes it, and how its cells are named there."""

LAYOUT_FIELDS = ("board", "fleet", "contact", BLOCKED)
"""Those of them that say which layouts there are; a prior belongs to these."""


@dataclass(frozen=True, init=False)
class Rules:
    """Board, fleet and everything that decides which layouts exist and what shots are answered.

    Two games are equal, and hash alike, if all of ``GAME_FIELDS`` are; ``document`` writes them.
    The letters of the columns are not among them: they say how a game is written and shown.

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
        Cells on which no ship can lie, by name or number, or as text such as ``C3,A1:C1``.
    letters
        Letters that name the columns: ``latin`` or ``russian``; by default those of the board.

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
        letters: Letters | LettersName | None = None,
    ) -> None:
        named = NAMED_GAMES.get(fleet.strip().lower(), {}) if isinstance(fleet, str) else {}
        given = {
            "board": board, "fleet": fleet, "contact": contact, "answers": answers,
            "announce": announce,
        }  # fmt: skip
        told: dict[str, Any] = SMALL_GAME | named
        told |= {name: value for name, value in given.items() if value is not None}
        asked, ships = told["board"], told["fleet"]
        read_board = Board.parse(asked) if isinstance(asked, str) else asked
        if letters is not None:
            read_board = read_board.lettered(choose(Letters, letters, "alphabet"))
        self._set("board", read_board)
        if fleet is None and self.board.cells > SMALL_CELLS:
            raise FleetError(
                f"board {self.board} without a fleet: give ship lengths such as {ships}, "
                f"or a name ({', '.join(NAMED_GAMES)})"
            )
        read = Fleet.parse if isinstance(ships, str) else Fleet
        self._set("fleet", ships if isinstance(ships, Fleet) else read(ships))
        self._set("contact", choose(Contact, told["contact"], "contact rule"))
        self._set("answers", choose(AnswerMode, told["answers"], "answer mode"))
        self._set("announce", choose(Announce, told["announce"], "announcement"))
        self._set("blocked", tuple(cells_of(mask_of(self.board.listed(blocked or ())))))
        self._check_fit()

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check_fit(self) -> None:
        board, fleet = self.board, self.fleet
        sides = board.rows, board.columns
        for ship in dict.fromkeys(fleet.ships):
            if all(any(map(gt, extent(form), sides)) for form in ways_to_lie(ship)):
                raise FleetError(
                    f"fleet {fleet}: the ship {ship_text(ship)} does not fit on the board {board}"
                )
        left = self.open_mask.bit_count()
        if fleet.cells > left:
            raise FleetError(
                f"fleet {fleet}: its {fleet.cells} cells do not fit on the board {board} "
                f"of {left} {'open ' if self.blocked else ''}cells"
            )
        if self.answers is AnswerMode.SHIP and len(fleet.kind_counts) > len(fleet.counts):
            raise RulesError(
                f"fleet {fleet} with answers 'ship': a hit names a ship by its number of cells, "
                f"and two ships of one size differ in form"
            )
        hidden = self.answers is AnswerMode.SUNK and self.contact is Contact.CORNERS
        if hidden and fleet.joined_at_corners:
            raise RulesError(
                f"fleet {fleet} with answers 'sunk' and contact 'corners': a ship is joined at "
                f"corners, where ships may touch, so that hits do not show which ship is sunk; "
                f"take contact 'none' or 'sides'"
            )

    @classmethod
    def read(cls, *texts: Any, **more: Any) -> Rules:
        """The game that texts say, as files and options hold them; otherwise as ``Rules``.

        >>> Rules.read(fleet="russian", answers="HIT").answers
        <AnswerMode.HIT: 'hit'>
        """
        return cls(*texts, **more)

    def answering(self, answers: AnswerMode | AnswerName) -> Rules:
        """The same game with another answer mode."""
        return replace(self, answers=choose(AnswerMode, answers, "answer mode"))

    @property
    def letters(self) -> Letters:
        """The letters that name the columns."""
        return self.board.letters

    def lettered(self, letters: str) -> Rules:
        """The same game with its columns named in other letters.

        >>> Rules("3x3", "2,1", blocked="C1").lettered("russian")
        Rules('3x3', '2,1', contact='none', answers='hit', announce='length', blocked='В1', \
letters='russian')
        """
        return replace(self, board=self.board.lettered(choose(Letters, letters, "alphabet")))

    @property
    def order_matters(self) -> bool:
        """Whether the order of shots tells something: of ships side by side, which one was sunk.

        >>> Rules("3x3", "2,1", contact="sides", answers="sunk").order_matters
        True
        """
        return self.answers is AnswerMode.SUNK and self.contact is Contact.SIDES

    @cached_property
    def open_mask(self) -> int:
        """Mask of the cells that are not blocked."""
        return self.board.full_mask & ~mask_of(self.blocked)

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Symmetries of the board that keep the blocked cells and the fleet; the identity first.

        A quarter turn makes a ship that lies along a row one that lies along a column.

        >>> len(Rules("5x5", "3,2").symmetries), len(Rules("5x5", "3,2", blocked="A1").symmetries)
        (8, 2)
        >>> [len(Rules("5x5", fleet).symmetries) for fleet in ("3h,2", "3h,3v,2", "xx/x.=")]
        [4, 8, 2]
        """
        closed, columns = set(self.blocked), self.board.columns
        fixed = Counter(ship.form for ship in self.fleet.ships if isinstance(ship, Fixed))

        def moved(form: Form, g: tuple[int, ...]) -> Form:
            return at_corner(divmod(g[row * columns + column], columns) for row, column in form)

        def keeps(g: tuple[int, ...]) -> bool:
            if {g[cell] for cell in closed} != closed:
                return False
            return Counter(moved(form, g) for form in fixed.elements()) == fixed

        return tuple(filter(keeps, self.board.symmetries))

    @cached_property
    def beside(self) -> tuple[int, ...]:
        """For every cell, the mask of the cells beside it that may be of its ship.

        Under contact rules ``none`` and ``corners`` a ship on both is one.
        """
        board = self.board
        if not self.fleet.joined_at_corners:
            return board.side_masks
        return tuple(map(or_, board.side_masks, board.corner_masks))

    def group(self, mask: int, cell: int) -> int:
        """Mask of the cells of a mask that are joined with one of them as cells of a ship are.

        >>> Rules("3x3", "x./.x").group(0b100_000_011, 0), Rules("3x3", "x./.x").group(0b10_100, 2)
        (3, 20)
        """
        return self.board.group(mask, cell, corners=self.fleet.joined_at_corners)

    def document(self) -> dict[str, str]:
        """The rules as the fields of every file and answer.

        ``blocked`` is there only where cells are, and ``letters`` only where they are not Latin.

        >>> Rules("3x3", "2,1", blocked=["B2"]).document()
        {'board': '3x3', 'fleet': '2,1', 'contact': 'none', 'answers': 'hit', \
'announce': 'length', 'blocked': 'B2'}
        """
        fields = {name: str(getattr(self, name)) for name in GAME_FIELDS if name != BLOCKED}
        if self.blocked:
            fields[BLOCKED] = ",".join(map(self.board.name, self.blocked))
        if self.letters is not Letters.LATIN:
            fields[LETTERS] = self.letters.value
        return fields

    @classmethod
    def of_document(cls, document: Mapping[str, Any], needed: Sequence[str] = GAME_FIELDS) -> Rules:
        """The rules from the fields of a file; those not ``needed`` may be missing.

        So may ``blocked`` and ``letters`` in any case.

        Raises
        ------
        SeabattleError
            If a field is missing, is not text, or cannot be read.
        """
        given = {name: document[name] for name in DOCUMENT_FIELDS if name in document}
        for name in needed:
            if name not in given and name != BLOCKED:
                raise RulesError(f"the field {name!r} is missing")
        for name, value in given.items():
            if not isinstance(value, str):
                raise RulesError(f"the field {name!r} must be text")
        return cls(**given)

    def __repr__(self) -> str:
        told = self.document()
        more = "".join(f", {name}={told[name]!r}" for name in (BLOCKED, LETTERS) if name in told)
        return (
            f"Rules({str(self.board)!r}, {str(self.fleet)!r}, contact={self.contact.value!r}, "
            f"answers={self.answers.value!r}, announce={self.announce.value!r}{more})"
        )

    def __str__(self) -> str:
        without = " ".join(map(self.board.name, self.blocked))
        text = (
            f"{self.board}{f' without {without}' if without else ''}, fleet {self.fleet}, "
            f"contact {self.contact.value}, answers {self.answers.value}"
        )
        silent = self.contact is Contact.SIDES and self.announce is Announce.NONE
        return f"{text}, announce none" if silent and self.answers is AnswerMode.SUNK else text
