"""The rules of a game in one frozen object: board, fleet, contact rule, answer mode, announcement.

*Contact rule*: ``none`` (ships do not touch, even diagonally), ``corners`` (diagonal contact
allowed), ``sides`` (any contact, no overlap). *Answer mode*: ``hit`` (a shot is answered hit or
miss), ``sunk`` (hit, miss, or sunk when the shot completes a ship), ``ship`` (a hit also names
the ship). *Announcement*: what a sinking reveals in mode ``sunk`` under ``sides``: ``length`` or
``none``; under the other contact rules the hit cells themselves show the length.

The fleet: a multiset of ship lengths, by name or in figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from operator import index
from typing import Any, Literal, TypeVar

from seabattle.enumerate.board import Board
from seabattle.enumerate.errors import FleetError, RulesError, is_iterable, quoted, wrong_type

NAMED_FLEETS: dict[str, tuple[int, ...]] = {
    "russian": (4, 3, 3, 2, 2, 2, 1, 1, 1, 1),
    "hasbro": (5, 4, 3, 3, 2),
}
"""Lengths of the fleets that have a name; ``rules`` has the games they are played in."""

MAX_SHIPS = 63
"""Ships of one length are numbered 1 to 63 in the answers of mode ``ship``."""


@dataclass(frozen=True, init=False)
class Fleet:
    """Lengths of the ships, longest first; ships of one length are interchangeable.

    Parameters
    ----------
    lengths
        Ship lengths in cells, in any order, at least one.

    Raises
    ------
    FleetError
        If there is no ship or a length is below 1.
    TypeError
        If the lengths are not whole numbers.

    Examples
    --------
    >>> fleet = Fleet([1, 2, 1, 3, 2, 1])
    >>> fleet, fleet.cells
    (Fleet((3, 2, 2, 1, 1, 1)), 10)
    >>> Fleet.parse("hasbro")
    Fleet((5, 4, 3, 3, 2))
    """

    lengths: tuple[int, ...]

    def __init__(self, lengths: Iterable[int]) -> None:
        try:
            given = tuple(lengths) if is_iterable(lengths) else (lengths,)
            if (
                isinstance(lengths, bytes)
                or not is_iterable(lengths)
                or any(isinstance(length, bool) for length in given)
            ):
                raise TypeError
            ordered = tuple(sorted(map(index, given), reverse=True))
        except TypeError:
            raise TypeError(
                f"lengths: give whole numbers, as in Fleet([3, 2, 1]), not {quoted(lengths)}; "
                f"Fleet.parse reads text"
            ) from None
        if not ordered:
            raise FleetError("fleet is empty: give ship lengths such as 3,2,2,1,1,1")
        if ordered[-1] < 1:
            raise FleetError(
                f"fleet has a ship of length {quoted(ordered[-1])}: lengths start at 1"
            )
        if len(ordered) > MAX_SHIPS:
            raise FleetError(f"fleet has {len(ordered)} ships: at most {MAX_SHIPS} are supported")
        object.__setattr__(self, "lengths", ordered)

    def __repr__(self) -> str:
        return f"Fleet({self.lengths!r})"

    def __str__(self) -> str:
        return ",".join(map(str, self.lengths))

    @classmethod
    def parse(cls, text: str) -> Fleet:
        """Read lengths joined by commas, or the name of a fleet."""
        if not isinstance(text, str):
            raise wrong_type("text", "ship lengths such as '3,2,1', or the name of a fleet", text)
        named = NAMED_FLEETS.get(text.strip().lower())
        if named is not None:
            return cls(named)
        known = ", ".join(sorted(NAMED_FLEETS))
        parts = [part.strip() for part in text.split(",")] if text.strip() else []
        for part in parts:
            if not part.removeprefix("-").isascii() or not part.removeprefix("-").isdigit():
                near = get_close_matches(text.strip().lower(), NAMED_FLEETS, n=1)
                raise FleetError(
                    f"fleet {quoted(text)}: {quoted(part)} is no ship length"
                    f"{f' (did you mean {near[0]}?)' if near else ''}; write whole numbers "
                    f"joined by commas, as in 3,2,2,1,1,1, or a name ({known})"
                )
            if not 1 <= int(part[:9]) <= 9999 or len(part) > 4:
                length = part if len(part) < 20 else f"of {len(part)} digits"
                raise FleetError(
                    f"fleet {quoted(text)}: ship length {length} is out of range, 1 to 9999"
                )
        return cls(int(part) for part in parts)

    @property
    def cells(self) -> int:
        """Number of cells the whole fleet occupies."""
        return sum(self.lengths)

    @property
    def counts(self) -> dict[int, int]:
        """Number of ships of each length, longest first."""
        return dict(Counter(self.lengths))

    @property
    def rearrangements(self) -> int:
        """Number of ways to tell identical ships apart: the product of factorials of counts."""
        product = 1
        for count in self.counts.values():
            for factor in range(2, count + 1):
                product *= factor
        return product


def too_few(fleet: Fleet, length: int) -> str:
    """How many ships of a length a fleet has, to say that they are too few.

    >>> too_few(Fleet((3, 2)), 3), too_few(Fleet((3, 2)), 6)
    ('only 1 of length 3', 'no ship of length 6')
    """
    count = fleet.counts.get(length, 0)
    return f"only {count} of length {length}" if count else f"no ship of length {length}"


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
        The name of a fleet, lengths such as ``3,2,2,1,1,1`` or ``(3, 2, 1)``, or a ``Fleet``,
        which has no name; by default 3,2,2,1,1,1.
    contact
        Contact rule: ``none``, ``corners`` or ``sides``.
    answers
        Answer mode: ``hit``, ``sunk`` or ``ship``.
    announce
        What a sinking reveals under contact rule ``sides``: ``length`` (the default) or ``none``.

    Raises
    ------
    FleetError
        If a ship is longer than the board or the fleet has more cells than the board.
    BoardError, RulesError
        If a part cannot be read or is unknown.
    TypeError
        If an argument is of another type.

    Examples
    --------
    >>> Rules("3x3", "3,1,1")
    Rules('3x3', '3,1,1', contact='none', answers='hit', announce='length')
    >>> Rules(fleet="hasbro")
    Rules('10x10', '5,4,3,3,2', contact='sides', answers='sunk', announce='length')
    >>> Rules("8x8", "russian", answers="ship")
    Rules('8x8', '4,3,3,2,2,2,1,1,1,1', contact='none', answers='ship', announce='length')
    """

    board: Board
    fleet: Fleet
    contact: Contact
    answers: AnswerMode
    announce: Announce

    def __init__(
        self,
        board: Board | str | None = None,
        fleet: Fleet | str | Iterable[int] | None = None,
        contact: Contact | ContactName | None = None,
        answers: AnswerMode | AnswerName | None = None,
        announce: Announce | AnnounceName | None = None,
    ) -> None:
        usual = usual_game(fleet)
        board = _board(usual.board if board is None else board)
        fleet = _fleet(usual.fleet if fleet is None else fleet)
        touching = _text(usual.contact if contact is None else contact, "contact")
        mode = _text(usual.answers if answers is None else answers, "answers")
        told = _text(usual.announce if announce is None else announce, "announce")
        longest = max(board.rows, board.columns)
        if fleet.lengths[0] > longest:
            raise FleetError(
                f"fleet {fleet}: a ship of length {fleet.lengths[0]} is longer than the "
                f"board {board}, whose longer side is {longest}"
            )
        if fleet.cells > board.cells:
            raise FleetError(
                f"fleet {fleet}: its {fleet.cells} cells do not fit on the board {board} "
                f"of {board.cells} cells"
            )
        object.__setattr__(self, "board", board)
        object.__setattr__(self, "fleet", fleet)
        object.__setattr__(self, "contact", choose(Contact, touching, "contact rule"))
        object.__setattr__(self, "answers", choose(AnswerMode, mode, "answer mode"))
        object.__setattr__(self, "announce", choose(Announce, told, "announcement"))

    @classmethod
    def read(
        cls,
        board: str | None = None,
        fleet: str | None = None,
        contact: str | None = None,
        answers: str | None = None,
        announce: str | None = None,
    ) -> Rules:
        """The game that texts say, as files and options hold them; otherwise as ``Rules``.

        >>> Rules.read(fleet="russian", answers="HIT").answers
        <AnswerMode.HIT: 'hit'>
        """
        names: Any = {"contact": contact, "answers": answers, "announce": announce}
        return cls(board, fleet, **names)

    def answering(self, answers: AnswerMode | AnswerName) -> Rules:
        """The same game with another answer mode."""
        return Rules(self.board, self.fleet, self.contact, answers, self.announce)

    def __repr__(self) -> str:
        return (
            f"Rules({str(self.board)!r}, {str(self.fleet)!r}, contact={self.contact.value!r}, "
            f"answers={self.answers.value!r}, announce={self.announce.value!r})"
        )

    def __str__(self) -> str:
        text = (
            f"{self.board}, fleet {self.fleet}, contact {self.contact.value}, "
            f"answers {self.answers.value}"
        )
        silent = self.contact is Contact.SIDES and self.announce is Announce.NONE
        return f"{text}, announce none" if silent and self.answers is AnswerMode.SUNK else text


def _board(board: object) -> Board:
    if isinstance(board, str):
        return Board.parse(board)
    if not isinstance(board, Board):
        raise TypeError(f"board: give a Board or text such as '5x5', not {type(board).__name__!r}")
    return board


def _fleet(fleet: object) -> Fleet:
    if isinstance(fleet, Fleet):
        return fleet
    if isinstance(fleet, str):
        return Fleet.parse(fleet)
    if not is_iterable(fleet):
        raise TypeError(
            f"fleet: give a Fleet, lengths, or text such as '3,2,1', not {type(fleet).__name__!r}"
        )
    return Fleet(fleet)


def _text(choice: object, name: str) -> str:
    if not isinstance(choice, str):
        raise TypeError(f"{name}: give text, not {type(choice).__name__!r}")
    return choice
