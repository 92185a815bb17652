"""What is agreed before a match, in words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from seabattle.enumerate.arguments import require_choice, require_rules, require_type
from seabattle.enumerate.plain_arguments import require_flag
from seabattle.enumerate.rules import Rules

STRONGEST = "greedy-map"
"""Who shoots unless somebody else is named: it plays every game, and well."""


class Side(StrEnum):
    """Who shoots."""

    YOU = "you"
    PROGRAM = "program"

    @property
    def other(self) -> Side:
        """Who is shot at."""
        return Side.PROGRAM if self is Side.YOU else Side.YOU


class First(StrEnum):
    """Who begins."""

    YOU = "you"
    PROGRAM = "program"
    TOSS = "toss"


class Hiding(StrEnum):
    """How a fleet is hidden; see ``hiding``."""

    RANDOM = "random"
    PEOPLE = "people"
    EQUILIBRIUM = "equilibrium"


@dataclass(frozen=True)
class Terms:
    """What is agreed before a match; ``opponents.require_terms`` says whether it can be kept.

    Parameters
    ----------
    rules
        The game.
    player
        Who shoots for the program: the name of a player.
    hide
        How the program hides: ``random``, ``people`` or ``equilibrium``.
    first
        Who begins: ``you``, ``program`` or ``toss``.
    again
        Whether a side that hits shoots again.

    Raises
    ------
    RulesError
        If a word is unknown; lists the right ones.
    TypeError
        If a parameter is of the wrong type; names it.
    """

    rules: Rules
    player: str = STRONGEST
    hide: Hiding | str = Hiding.RANDOM
    first: First | str = First.TOSS
    again: bool = True

    def __post_init__(self) -> None:
        require_rules(self.rules)
        require_type("player", self.player, str, "the name of a player")
        hide = require_choice("hide", self.hide, Hiding, "hiding")
        first = require_choice("first", self.first, First, "opening side")
        object.__setattr__(self, "hide", hide)
        object.__setattr__(self, "first", first)
        object.__setattr__(self, "again", require_flag("again", self.again))

    def document(self) -> dict[str, Any]:
        """The terms beside the rules, as JSON gives them."""
        return {
            "hide": str(self.hide),
            "player": self.player,
            "first": str(self.first),
            "again": self.again,
        }
