"""The rules of a game in one frozen object: board, fleet, contact rule, answer mode, announcement.

*Contact rule*: ``none`` (ships do not touch, even diagonally), ``corners`` (diagonal contact
allowed), ``sides`` (any contact, no overlap). *Answer mode*: ``hit`` (a shot is answered hit or
miss), ``sunk`` (hit, miss, or sunk when the shot completes a ship), ``ship`` (a hit also names
the ship). *Announcement*: what a sinking tells in mode ``sunk`` under ``sides``: ``length`` or
``none``; under the other contact rules the hit cells themselves show the length.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from seabattle.enumerate.errors import FleetError, RulesError, quoted
from seabattle.enumerate.game.board import Board
from seabattle.enumerate.game.fleet import Fleet


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
    """What the answer ``sunk`` tells beyond the sinking."""

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


@dataclass(frozen=True, init=False)
class Rules:
    """Board, fleet and everything that decides which layouts exist and what shots are answered.

    Parameters
    ----------
    board
        A ``Board`` or text such as ``5x5``.
    fleet
        A ``Fleet``, lengths, or text such as ``3,2,2,1,1,1`` or ``russian``.
    contact
        Contact rule; by default the one a named fleet is usually played with, else ``none``.
    answers, announce
        Answer mode, and what a sinking tells under contact rule ``sides``.

    Raises
    ------
    FleetError
        If a ship is longer than the board or the fleet has more cells than the board.
    BoardError, RulesError
        If a part cannot be read or is unknown.

    Examples
    --------
    >>> Rules("3x3", "3,1,1")
    Rules('3x3', '3,1,1', contact='none', answers='hit', announce='length')
    >>> Rules("10x10", "hasbro").contact
    <Contact.SIDES: 'sides'>
    """

    board: Board
    fleet: Fleet
    contact: Contact
    answers: AnswerMode
    announce: Announce

    def __init__(
        self,
        board: Board | str,
        fleet: Fleet | str | tuple[int, ...] | list[int],
        contact: str | None = None,
        answers: str = "hit",
        announce: str = "length",
    ) -> None:
        board = Board.parse(board) if isinstance(board, str) else board
        if contact is None:
            contact = Fleet.usual_contact(fleet) if isinstance(fleet, str) else "none"
        if isinstance(fleet, str):
            fleet = Fleet.parse(fleet)
        elif not isinstance(fleet, Fleet):
            fleet = Fleet(fleet)
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
        object.__setattr__(self, "contact", choose(Contact, contact, "contact rule"))
        object.__setattr__(self, "answers", choose(AnswerMode, answers, "answer mode"))
        object.__setattr__(self, "announce", choose(Announce, announce, "announcement"))

    def answering(self, answers: str) -> Rules:
        """The same game with another answer mode."""
        return Rules(self.board, self.fleet, self.contact, answers, self.announce)

    def __repr__(self) -> str:
        return (
            f"Rules({str(self.board)!r}, {str(self.fleet)!r}, contact={self.contact.value!r}, "
            f"answers={self.answers.value!r}, announce={self.announce.value!r})"
        )

    def __str__(self) -> str:
        return (
            f"{self.board}, fleet {self.fleet}, contact {self.contact.value}, "
            f"answers {self.answers.value}"
        )
