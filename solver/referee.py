"""A referee: it hides a fleet and answers shots, for programs that learn or compete.

It is the other side of every player here: what it answers is what ``Position.shoot`` reads, word
for word, so that a program needs no rules of its own. Two of them make a match of two sides.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from seabattle.enumerate.answers import MISS, answer_text
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import LayoutError, PositionError, SeabattleError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.files import require_prior
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.words import split_list
from seabattle.trees.replay import HiddenGame


class Referee:
    """Hides a fleet and answers shots at it by the rules.

    Parameters
    ----------
    rules
        The game.
    ships
        Names of the hidden ships, as a list or joined by commas or spaces, or the numbers of their
        placements, as ``Counter.sample`` draws them; by default they are drawn.
    seed
        Of the draw, a whole number from 0 on: the same fleet each time. By default any.
    prior
        By which ships are drawn; by default every layout is equally likely.

    Attributes
    ----------
    position
        What the shots so far have told: every function that takes a game takes it.
    seed
        By which the ships were drawn; None where they were given.

    Raises
    ------
    LayoutError
        If the ships given break the rules.
    WeightsError
        If the prior is of another game.
    TooLargeError
        If a layout cannot be drawn, as the board has too many.
    SeabattleError
        If the ships are given and so is how to draw them.

    Examples
    --------
    >>> referee = Referee(Rules("5x5", "3,2", answers="sunk"), ["A1:A3", "E4:E5"])
    >>> [referee.shoot(cell) for cell in ("B2", "A1", "A2", "A3")]
    ['miss', 'hit', 'hit', 'sunk']
    >>> referee.misses, referee.over
    (1, False)
    >>> referee.salvo(["E4", "E5"])
    ['hit', 'sunk']
    >>> referee.over
    True
    """

    def __init__(
        self,
        rules: Rules,
        ships: str | Iterable[str] | Iterable[int] | None = None,
        *,
        seed: int | None = None,
        prior: Prior | None = None,
    ) -> None:
        self.rules = rules
        self.position = Position(rules)
        self.seed: int | None = None
        if ships is not None:
            if seed is not None or prior is not None:
                raise SeabattleError(
                    "give the ships, or a seed and a prior by which they are drawn"
                )
            numbers = _numbers_of(rules, ships)
        else:
            require_prior(prior, rules)
            self.seed = secrets.randbits(32) if seed is None else seed
            counter = Counter(rules, prior=prior)
            numbers = tuple(counter.sample(1, self.seed)[0].tolist())
        self._numbers = tuple(sorted(numbers))
        self._game = HiddenGame(rules, self._numbers)

    def shoot(self, cell: str | int) -> str:
        """Answer a shot, as text: ``miss``, ``hit``, ``sunk``, ``sunk:3``, ``hit:3#1``.

        Parameters
        ----------
        cell
            By name or number.

        Raises
        ------
        BoardError
            If there is no such cell.
        PositionError
            If it was shot before, or is blocked, or the game is over.
        """
        return self.salvo([cell])[0]

    def salvo(self, cells: Iterable[str | int]) -> list[str]:
        """Answer several shots of one turn, in their order; all of them, or none is taken.

        Raises
        ------
        BoardError, PositionError
            As for ``shoot``, or if a cell is named twice.
        """
        numbers = [self.rules.board.cell(cell) for cell in cells]
        if self.over:
            raise PositionError(f"the game is over after {len(self.shots)} shots")
        shot = self.position.shot_mask
        for cell in numbers:
            if shot >> cell & 1:
                raise PositionError(f"{self.rules.board.name(cell)} was shot before")
            if cell in self.rules.blocked:
                raise PositionError(f"{self.rules.board.name(cell)} is blocked: it cannot be shot")
            shot |= 1 << cell
        answers = []
        for cell in numbers:
            code = self._game.shoot(cell)
            self.position = self.position.shoot(cell, code)
            answers.append(answer_text(code))
        return answers

    @property
    def shots(self) -> list[tuple[str, str]]:
        """Cells and answers so far, by name and as text."""
        name = self.rules.board.name
        return [(name(cell), answer_text(code)) for cell, code in self._game.shots]

    @property
    def misses(self) -> int:
        """Shots so far that hit nothing."""
        return sum(code == MISS for _, code in self._game.shots)

    @property
    def afloat(self) -> int:
        """How many ships are not sunk."""
        return sum(mask & ~self._game.shot != 0 for mask in self._game.ships)

    @property
    def over(self) -> bool:
        """Whether every ship is sunk."""
        return not self._game.left()

    @property
    def ships(self) -> list[str]:
        """Names of the hidden ships, for those who may look."""
        return placement_table(self.rules).names(self._numbers)

    def __repr__(self) -> str:
        state = "over" if self.over else "playing"
        return f"<referee: {self.rules}, {len(self.shots)} shots, {self.misses} misses, {state}>"


def _numbers_of(rules: Rules, ships: str | Iterable[str] | Iterable[int]) -> tuple[int, ...]:
    """Placement numbers of a layout given by names or numbers.

    Raises
    ------
    LayoutError
        If it breaks the rules.
    """
    table = placement_table(rules)
    given: list[str | int] = []
    given.extend(split_list(ships) if isinstance(ships, str) else ships)
    names = [each for each in given if isinstance(each, str)]
    if names:
        return table.parse_layout(names)
    numbers = tuple(sorted(map(int, given)))
    if not table.is_layout(numbers):
        raise LayoutError(f"placements {', '.join(map(str, numbers))} are no layout of {rules}")
    return numbers


class Match:
    """Two sides, each with a fleet hidden by a referee, shoot in turn until one fleet is sunk.

    Parameters
    ----------
    first, second
        What the sides 0 and 1 shoot at: the referee that hides the fleet of the *other* side.
    again
        Whether who hits shoots again at once.
    salvo
        Whether a turn has a shot for each ship that the side has afloat, all answered together.

    Attributes
    ----------
    turn
        The side that shoots next, 0 or 1; the winner's once the match is over.

    Raises
    ------
    PositionError
        If both rules for turns are asked for, or a referee was shot at before.

    Examples
    --------
    >>> rules = Rules("1x4", "2", answers="sunk")
    >>> match = Match(Referee(rules, "A1:B1"), Referee(rules, "C1:D1"))
    >>> [match.shoot(cell) for cell in ("A1", "A1", "B1")]
    ['hit', 'miss', 'sunk']
    >>> match.winner, match.over
    (0, True)
    """

    def __init__(
        self, first: Referee, second: Referee, *, again: bool = False, salvo: bool = False
    ) -> None:
        if again and salvo:
            raise PositionError("a match is played with again or with salvo, not with both")
        if first is second or first.shots or second.shots:
            raise PositionError("a match needs two referees that were not shot at yet")
        self.referees = first, second
        self.again, self._salvo = again, salvo
        self.turn = 0

    @property
    def target(self) -> Referee:
        """What the side whose turn it is shoots at."""
        return self.referees[self.turn]

    @property
    def winner(self) -> int | None:
        """The side that sank the other's fleet; None while the match lasts."""
        return self.turn if self.over else None

    @property
    def over(self) -> bool:
        """Whether a fleet is sunk."""
        return any(referee.over for referee in self.referees)

    @property
    def allowed(self) -> int:
        """How many shots the turn has: 1, or with salvos one for each ship afloat."""
        if not self._salvo:
            return 1
        rules, shot = self.target.rules, self.target.position.shot_mask
        return min(self.referees[1 - self.turn].afloat, (rules.open_mask & ~shot).bit_count())

    def shoot(self, cell: str | int) -> str:
        """Answer the shot of a turn that has one; see ``salvo``."""
        return self.salvo([cell])[0]

    def salvo(self, cells: Iterable[str | int]) -> list[str]:
        """Answer all shots of the turn, in their order, and pass the turn on.

        Raises
        ------
        BoardError, PositionError
            As for ``Referee.salvo``, or if the match is over or the turn has another number of
            shots; nothing has changed then.
        """
        cells = list(cells)
        if self.over:
            raise PositionError(f"the match is over: side {self.turn} has won")
        if len(cells) != self.allowed:
            raise PositionError(f"the turn has {self.allowed} shots, not {len(cells)}")
        answers = self.target.salvo(cells)
        if not self.over and not (self.again and answers[0] != "miss"):
            self.turn = 1 - self.turn
        return answers

    def __repr__(self) -> str:
        state = f"won by side {self.turn}" if self.over else f"side {self.turn} shoots"
        return f"<match: {self.referees[0]!r}, {self.referees[1]!r}, {state}>"
