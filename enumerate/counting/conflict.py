"""Answers that cannot stand together: which of them to doubt when no layout fits a game.

A wrong answer is rarely noticed at once: it contradicts one that is told later. ``conflict`` names
a set of answers that contradict each other, none of which can be left out, and what would resolve
it. An answer that is left out is taken for unknown, its shot for made (see
``seabattle.enumerate.counting.claims``).

How it is found
---------------
Answers are taken in the order given, up to the first one that contradicts those before: that one,
the *newest*, belongs to every conflict among them. QuickXplain [1]_ halves the answers to find the
others, first with the cheap proof that looks at pairs of placements, in several orders, and the
smallest set found is then thinned by exact questions. A conflict is of least size if no smaller set
has an answer in common with each *correction*, a set of answers that all fail in some layout [2]_.

References
----------
.. [1] U. Junker, "QuickXplain: Preferred Explanations and Relaxations for Over-Constrained
   Problems", AAAI 2004.
.. [2] A. Ignatiev, A. Previti, M. Liffiton, J. Marques-Silva, "Smallest MUS Extraction with
   Minimal Hitting Set Dualization", CP 2015.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from seabattle.enumerate.answers import answer_text, possible_answers
from seabattle.enumerate.arguments import require_memory
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.counting.claims import Claims
from seabattle.enumerate.counting.least_set import least_hitting_set
from seabattle.enumerate.counting.standing import Standing
from seabattle.enumerate.errors import FleetError, PositionError, TooLargeError
from seabattle.enumerate.plain_arguments import require_flag
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.enumerate.table import Game, position_of

CORRECTIONS = 150
"""Corrections that are looked for to show that a conflict is of least size."""

PATIENCE = 10
"""Searching takes longer under another contact rule, whose counting has tables yet to be made."""


@dataclass(frozen=True)
class Conflict:
    """Answers that cannot stand together, none of which can be left out.

    Attributes
    ----------
    position
        The position whose answers they are.
    shots
        Numbers of their shots in the position, from 1, increasing. The last is the answer that
        first contradicted those before it.
    ships
        Known sunk ships that belong to the conflict, by name.
    least
        Whether no set of fewer answers that stood until that answer contradicts it.
    contact_that_fits
        The strictest looser contact rule under which the answers up to that one fit; None if there
        is none.
    changes
        Pairs (cell name, answer text): changing this one answer of the conflict makes the answers
        up to that one fit.
    """

    position: Position
    shots: tuple[int, ...]
    ships: tuple[str, ...]
    least: bool
    contact_that_fits: Contact | None
    changes: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        require_flag("least", self.least)

    @property
    def answers(self) -> tuple[tuple[str, str], ...]:
        """The answers as pairs (cell name, answer text)."""
        name = self.position.rules.board.name
        made = (self.position.shots[number - 1] for number in self.shots)
        return tuple((name(cell), answer_text(code)) for cell, code in made)

    def __str__(self) -> str:
        parts = [" ".join(answer) for answer in self.answers]
        return ", ".join([*parts, *(f"ship {ship} sunk" for ship in self.ships)])

    def __repr__(self) -> str:
        return f"<conflict of {self}>"

    def document(self) -> dict[str, Any]:
        """The conflict as JSON."""
        return {
            "answers": [list(answer) for answer in self.answers],
            "shots": list(self.shots),
            "ships": list(self.ships),
            "least": self.least,
            "contact_that_fits": self.contact_that_fits,
            "changes": [list(change) for change in self.changes],
        }


def conflict(game: Game, *, memory_limit: float = 4.0) -> Conflict | None:
    """Answers of a game that cannot stand together, none of which can be left out.

    Parameters
    ----------
    game
        Rules, a position, or a decision table.
    memory_limit
        GiB for counting, where that is needed.

    Returns
    -------
    conflict
        None if some layout fits all answers.

    Raises
    ------
    FleetError
        If the fleet has no layout on the board.
    TooLargeError
        If the board is too large to be counted and nothing simpler answers.
    PositionError
        If a table has no history.
    TypeError
        If a parameter is of the wrong type; names it.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> position = Position.in_order(Rules(fleet="russian"), "C4 hit, A1 miss, J7 miss, D5 hit")
    >>> conflict(position)
    <conflict of C4 hit, D5 hit>
    >>> conflict(position).shots, conflict(position).contact_that_fits.value
    ((1, 4), 'corners')
    >>> conflict(position).changes
    (('C4', 'miss'), ('D5', 'miss'))
    >>> conflict(position.change("C4", "miss")) is None
    True
    """
    position = position_of(game)
    memory = require_memory(memory_limit)
    claims = Claims(position)
    standing = Standing(claims, memory_limit=memory)
    if standing.stands(claims.all):
        return None
    if not standing.stands(0):
        rules = position.rules
        raise FleetError(
            f"fleet {rules.fleet}: no layout on the board {rules.board} under contact rule "
            f"{rules.contact.value!r}"
        )
    until = _first_contradiction(standing)
    found = _small_conflict(standing, until)
    found, least = _least_conflict(standing, until, found)
    members = [claims.claims[i] for i in cells_of(found)]
    shots = tuple(claim.shot for claim in members if claim.shot is not None)
    names = position.ship_names
    return Conflict(
        position,
        tuple(shot + 1 for shot in shots),
        tuple(names[claim.ship] for claim in members if claim.ship is not None),
        least,
        _contact_that_fits(position, until, memory),
        tuple(_changes(position, shots, until, memory)),
    )


def _first_contradiction(standing: Standing) -> int:
    """Number of the first claims that contradict each other, the last of which they need."""
    stands, fails = 0, len(standing.claims.claims)
    middle = fails - 1
    while stands < middle:
        if standing.stands((1 << middle) - 1):
            stands = middle
        else:
            fails = middle
        middle = fails - 1 if stands == fails - 2 else (stands + fails) // 2
    return fails


def _small_conflict(standing: Standing, until: int) -> int:
    """Some of the first claims that contradict each other, none of which can be left out."""
    newest = 1 << until - 1

    def fails(kept: int) -> bool:
        return not standing.stands(kept)

    proof = standing.refuted if standing.refuted((1 << until) - 1) else fails
    found = (_explain(proof, newest, order) for order in _orders(standing, until))
    best = min(found, key=int.bit_count)
    for i in cells_of(best & ~newest):
        if fails(best & ~(1 << i)):
            best &= ~(1 << i)
    return best


def _orders(standing: Standing, until: int) -> list[list[int]]:
    """Claims before the newest in orders of how welcome they are in a conflict."""
    claims = standing.claims
    board = claims.rules.board
    recent = list(range(until - 2, -1, -1))

    def places(claim: int) -> list[tuple[int, int]]:
        made = claims.claims[claim]
        shots = claims.position.shots
        cells = [shots[made.shot][0]] if made.shot is not None else list(cells_of(made.cells))
        return [divmod(cell, board.columns) for cell in cells]

    here = places(until - 1)

    def distance(claim: int) -> int:
        return min(abs(r - s) + abs(c - d) for r, c in here for s, d in places(claim))

    return [
        sorted(recent, key=distance),
        sorted(recent, key=lambda claim: not claims.claims[claim].cells),
        recent,
    ]


def _explain(fails: Callable[[int], bool], kept: int, order: Sequence[int]) -> int:
    """QuickXplain: claims that fail with those kept, which are among the result."""

    def go(kept: int, added: bool, order: Sequence[int]) -> int:
        if added and fails(kept):
            return 0
        if len(order) == 1:
            return 1 << order[0]
        half = len(order) // 2
        first, second = order[:half], order[half:]
        of_first = sum(1 << claim for claim in first)
        from_second = go(kept | of_first, True, second)
        return go(kept | from_second, bool(from_second), first) | from_second

    if fails(kept) or not order:
        return kept
    return kept | go(kept, False, order)


def _least_conflict(standing: Standing, until: int, found: int) -> tuple[int, bool]:
    """A conflict of least size among the first claims, and whether that is proven."""
    everything = (1 << until) - 1
    corrections: list[int] = []
    smaller: int | None = 1 << until - 1
    while smaller is not None and smaller.bit_count() < found.bit_count():
        failing = standing.failing(smaller)
        if failing is None:
            return smaller, True
        if len(corrections) == CORRECTIONS:
            return found, False
        corrections.append(_correction(standing, everything, failing & everything))
        try:
            smaller = least_hitting_set(corrections, found.bit_count())
        except TimeoutError:
            return found, False
    return found, True


def _correction(standing: Standing, everything: int, failing: int) -> int:
    """Some of the claims that fail together, so few that none of them can be met as well."""
    for i in cells_of(failing):
        if failing >> i & 1:
            fewer = standing.failing(everything & ~failing | 1 << i)
            if fewer is not None:
                failing &= fewer & ~(1 << i)
    return failing


def _fits(position: Position, until: int, memory_limit: float, patience: int = 1) -> bool:
    """Whether the first claims of a position stand; not if it is too large to be known."""
    standing = Standing(Claims(position), memory_limit=memory_limit, patience=patience)
    try:
        return standing.stands((1 << until) - 1)
    except TooLargeError:
        return False


def _contact_that_fits(position: Position, until: int, memory_limit: float) -> Contact | None:
    rules = list(Contact)
    for contact in rules[rules.index(position.rules.contact) + 1 :]:
        if _fits(with_contact(position, contact), until, memory_limit, PATIENCE):
            return contact
    return None


def with_contact(position: Position, contact: Contact | str) -> Position:
    """The same answers under another contact rule.

    Where ships that could not lie side by side now may, sinkings told no length: the announcement
    is then ``none``.

    Raises
    ------
    PositionError
        If the rules have no such answer, as a length where the hits show it.
    RulesError
        If there is no such contact rule.

    Examples
    --------
    >>> position = Position(Rules("5x5", "3,2,1", answers="sunk")).shoot("A1", "sunk")
    >>> with_contact(position, "sides").rules
    Rules('5x5', '3,2,1', contact='sides', answers='sunk', announce='none')
    """
    old = position.rules
    announce = old.announce
    silent = old.contact is not Contact.SIDES and old.answers is AnswerMode.SUNK
    if silent and contact == Contact.SIDES:
        announce = type(announce).NONE
    rules = Rules(old.board, old.fleet, contact, old.answers, announce)
    return Position(rules, position.shots, position.ordered, position.ships)


def _changes(
    position: Position, shots: Iterable[int], until: int, memory_limit: float
) -> Iterable[tuple[str, str]]:
    for shot in shots:
        cell, told = position.shots[shot]
        for code in possible_answers(position.rules):
            if code == told:
                continue
            try:
                changed = position.change(cell, code)
            except PositionError:
                continue
            if changed.shots[shot] != (cell, code):  # another number; nobody can give this one
                continue
            if _fits(changed, until, memory_limit):
                yield position.rules.board.name(cell), answer_text(code)
