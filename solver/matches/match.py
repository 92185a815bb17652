"""A match: a person and the program each hide a fleet, and shoot in turn.

A shot is answered by the rules. With ``again`` a side that hits shoots again, else the sides
alternate. The match ends when a fleet is sunk, or when the person resigns.

A ``Match`` never changes: each shot gives the next one. So a shot of the program that fails leaves
the match as it was, and a match can be repeated from its seed and the person's shots.

*Nobody sees what is hidden from them.* Each fleet is in a ``Sealed``, which answers shots. The
program's shot is chosen by ``opponents.program_shot``, which is given the position of the
program's own shots; what a person is shown is a ``MatchView``, which holds the program's layout
only once the match is over.

Players and the drawing of layouts are loaded when they are first needed: whoever has the shots
chosen elsewhere loads neither.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from seabattle.enumerate.answers import MISS
from seabattle.enumerate.arguments import (
    require_rules,
    require_type,
    require_whole,
)
from seabattle.enumerate.errors import PositionError, wrong_type
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.plain_arguments import require_flag, require_list
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import shot_fields
from seabattle.enumerate.rules import Rules
from seabattle.solver.matches.terms import STRONGEST, First, Hiding, Side, Terms
from seabattle.solver.players.random_streams import Chance, draw, player_key
from seabattle.trees.replay import HiddenGame


class Sealed:
    """A hidden layout, which answers shots.

    Parameters
    ----------
    rules
        The game.
    ships
        Names of its ships, as a list or joined by commas or blanks.

    Raises
    ------
    LayoutError
        If the ships are not the fleet's, or break the contact rule; says where.
    BoardError
        If a ship is off the board.
    TypeError
        If a parameter is of the wrong type; names it.
    """

    def __init__(self, rules: Rules, ships: str | Iterable[str]) -> None:
        require_rules(rules)
        if isinstance(ships, str):
            ships = ships.replace(",", " ").split()
        named = require_list("ships", ships, "['A1:A3', 'C1']", of="names of ships")
        self._rules = rules
        self._numbers = placement_table(rules).parse_layout(named)

    def __repr__(self) -> str:
        return "<a hidden layout>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sealed) and self.names() == other.names()

    def __hash__(self) -> int:
        return hash((self._rules, self._numbers))

    def answer(self, position: Position, cell: int) -> Position:
        """The position after one more shot, answered by the rules."""
        game = HiddenGame(self._rules, self._numbers, position.shots)
        return position.shoot(cell, game.shoot(cell))

    def names(self) -> list[str]:
        """The ships by name: to be shown to their owner, and to the other side at the end."""
        return placement_table(self._rules).names(self._numbers)


@dataclass(frozen=True)
class MatchView:
    """What the person sees of a match.

    Attributes
    ----------
    terms
        What was agreed.
    turn
        Whose shot is next; None when the match is over.
    winner
        Who won; None until then.
    resigned
        Whether the person gave up.
    yours, program
        The shots of each side, and the answers to them.
    order
        Who made each shot, in the order of play.
    your_ships
        The person's fleet.
    its_ships
        The program's; None until the match is over.
    """

    terms: Terms
    turn: Side | None
    winner: Side | None
    resigned: bool
    yours: Position
    program: Position
    order: tuple[Side, ...]
    your_ships: tuple[str, ...]
    its_ships: tuple[str, ...] | None

    def __post_init__(self) -> None:
        require_flag("resigned", self.resigned)

    def document(self) -> dict[str, Any]:
        """The view as JSON gives it."""
        rules = self.terms.rules
        return {
            "board": str(rules.board),
            "fleet": str(rules.fleet),
            "contact": rules.contact.value,
            "answers": rules.answers.value,
            "announce": rules.announce.value,
            "options": self.terms.document(),
            "turn": self.turn and self.turn.value,
            "winner": self.winner and self.winner.value,
            "resigned": self.resigned,
            "yours": shot_fields(self.yours),
            "program": shot_fields(self.program),
            "order": [side.value for side in self.order],
            "your_ships": list(self.your_ships),
            "its_ships": None if self.its_ships is None else list(self.its_ships),
        }


Choose = Callable[[str, Position, Chance], int]
"""Who is asked for the program's shots; see ``opponents.program_shot``."""


def _choose(player: str, position: Position, chance: Chance) -> int:
    from seabattle.solver.matches.opponents import program_shot

    return program_shot(player, position, chance)


@dataclass(frozen=True)
class Match:
    """One game between a person and the program; ``Match.begin`` makes one.

    Attributes
    ----------
    terms
        What was agreed.
    turn
        Whose shot is next; None when the match is over.
    yours, program
        The shots of each side at the other's fleet, and the answers.
    your_fleet, its_fleet
        What each side hides.
    chance
        The random numbers of the program's player.
    order
        Who made each shot, in the order of play.
    resigned
        Whether the person gave up.

    Examples
    --------
    >>> rules = Rules("4x4", "3,2,1", answers="sunk")
    >>> match = Match.begin(rules, "A1:A3 C1:D1 C4", player="density", first="you", seed=1)
    >>> match = match.shoot("B2").shoot("C3")
    >>> document = match.view.document()
    >>> document["yours"], document["program"]
    ({'shots': [['B2', 'hit'], ['C3', 'miss']]}, {'shots': [['B2', 'miss']]})
    >>> match.view.its_ships is None, match.resign().view.its_ships
    (True, ('D1:D3', 'A2:B2', 'B4'))
    """

    terms: Terms
    turn: Side | None
    yours: Position
    program: Position
    your_fleet: Sealed = field(repr=False)
    its_fleet: Sealed = field(repr=False)
    chance: Chance = field(repr=False, compare=False)
    order: tuple[Side, ...] = ()
    resigned: bool = False

    def __post_init__(self) -> None:
        require_flag("resigned", self.resigned)

    @classmethod
    def begin(
        cls,
        rules: Rules,
        ships: str | Iterable[str],
        *,
        player: str = STRONGEST,
        hide: Hiding | str = Hiding.RANDOM,
        first: First | str = First.TOSS,
        again: bool = True,
        seed: int | None = None,
        choose: Choose = _choose,
    ) -> Match:
        """A match at its beginning; if the program begins, after the shots of its first turn.

        Parameters
        ----------
        rules
            The game.
        ships
            The person's fleet: names of its ships, as a list or joined by commas or blanks.
        player
            Who shoots for the program: the name of a player, such as ``density``.
        hide
            How the program hides: ``random``, ``people`` or ``equilibrium``.
        first
            Who begins: ``you``, ``program`` or ``toss``.
        again
            Whether a side that hits shoots again.
        seed
            Everything random follows from it; a new one by default.
        choose
            Who is asked for the program's shots.

        Raises
        ------
        LayoutError
            If the fleet is not the game's, or breaks the contact rule; says where.
        PlayerError, RulesError
            If the player cannot play, or the fleet cannot be hidden so; says why.
        SeabattleError
            If the seed is below 0.
        TypeError
            If a parameter is of the wrong type; names it.
        """
        from seabattle.solver.matches.opponents import program_layout, require_terms

        terms = Terms(rules, player, hide, first, again)
        yours = Sealed(rules, ships)
        require_terms(terms)
        number = secrets.randbits(64) if seed is None else require_whole("seed", seed, 0)
        its = Sealed(rules, program_layout(terms, number))
        return cls.opening(terms, yours, its, number).reply(choose)

    @classmethod
    def opening(cls, terms: Terms, yours: Sealed, its: Sealed, seed: int) -> Match:
        """A match before its first shot, between fleets that are hidden already.

        Parameters
        ----------
        terms
            What was agreed.
        yours, its
            The fleets of the person and of the program.
        seed
            Who begins and the player's random numbers follow from it.

        Raises
        ------
        SeabattleError
            If the seed is below 0.
        TypeError
            If a parameter is of the wrong type; names it.
        """
        require_type("terms", terms, Terms, "Terms, as in Terms(rules)")
        for name, fleet in ("yours", yours), ("its", its):
            require_type(name, fleet, Sealed, "a Sealed layout, as in Sealed(rules, ships)")
        number = require_whole("seed", seed, 0)
        if terms.first is First.TOSS:
            turn = (Side.YOU, Side.PROGRAM)[draw(player_key(number, "match toss"), 0) & 1]
        else:
            turn = Side(terms.first)
        start = Position(terms.rules)
        chance = Chance.of(seed=number, player=terms.player, game=0)
        return cls(terms, turn, start, start, yours, its, chance)

    @property
    def winner(self) -> Side | None:
        """Who won; None until the match is over."""
        if self.resigned or _sunk(self.program):
            return Side.PROGRAM
        return Side.YOU if _sunk(self.yours) else None

    @property
    def view(self) -> MatchView:
        """What the person sees."""
        over = self.turn is None
        return MatchView(
            self.terms,
            self.turn,
            self.winner,
            self.resigned,
            self.yours,
            self.program,
            self.order,
            tuple(self.your_fleet.names()),
            tuple(self.its_fleet.names()) if over else None,
        )

    def after(self, cell: str | int) -> Match:
        """The match after one shot of the side whose turn it is.

        Raises
        ------
        PositionError
            If the match is over, or this side has shot the cell before.
        BoardError
            If there is no such cell.
        TypeError
            If it is neither a name nor a number.
        """
        if self.turn is None:
            raise PositionError("the match is over")
        side = self.turn
        mine = self.yours if side is Side.YOU else self.program
        number = self.terms.rules.board.cell(cell)
        if mine.shot_mask >> number & 1:
            who = "you have" if side is Side.YOU else "the program has"
            raise PositionError(f"{who} shot {self.terms.rules.board.name(number)} before")
        fleet = self.its_fleet if side is Side.YOU else self.your_fleet
        mine = fleet.answer(mine, number)
        hit = mine.shots[-1][1] != MISS
        turn = None if _sunk(mine) else side if hit and self.terms.again else side.other
        shot = replace(self, turn=turn, order=(*self.order, side))
        return replace(shot, yours=mine) if side is Side.YOU else replace(shot, program=mine)

    def reply(self, choose: Choose = _choose) -> Match:
        """The match after the program's shots, until it is the person's turn or over."""
        _require_choose(choose)
        match = self
        while match.turn is Side.PROGRAM:
            match = match.after(choose(match.terms.player, match.program, match.chance))
        return match

    def shoot(self, cell: str | int, choose: Choose = _choose) -> Match:
        """The match after the person's shot and, if that ends the turn, the program's.

        Parameters
        ----------
        cell
            The cell shot, by name or number.
        choose
            Who is asked for the program's shots.

        Raises
        ------
        PositionError
            If it is not the person's turn, or the person has shot the cell before.
        BoardError
            If there is no such cell.
        PlayerError
            If the program's player fails.
        TypeError
            If the cell is neither a name nor a number.
        """
        _require_choose(choose)
        if self.turn is Side.PROGRAM:
            raise PositionError("it is the program's turn")
        return self.after(cell).reply(choose)

    def resign(self) -> Match:
        """The match given up by the person.

        Raises
        ------
        PositionError
            If it is over.
        """
        if self.turn is None:
            raise PositionError("the match is over")
        return replace(self, turn=None, resigned=True)


def _require_choose(choose: object) -> None:
    """Refuse what cannot be asked for a shot."""
    if not callable(choose):
        raise wrong_type("choose", "a function (player, position, chance) -> cell", choose)


def _sunk(position: Position) -> bool:
    """Whether all ships are sunk."""
    return position.hit_mask.bit_count() == position.rules.fleet.cells
