"""Answers that cannot stand together: which of them to doubt when no layout fits a game.

A wrong answer is rarely noticed at once: it contradicts one that is told later. ``conflict`` names
a set of answers that contradict each other, none of which can be left out, and what would resolve
it: single changes, the likeliest first, and a looser contact rule.

An answer that is left out is taken for unknown, its shot for made. What a layout answers to a shot
depends only on the ship there and the cells of that ship shot before. So a set of answers stands if
and only if there is a layout of *allowed* placements, those that contradict none of these answers
at their own cells, that occupies the cells said to be occupied. In mode ``ship`` an answer also
says how many ships of the same length were hit before, and the shots left out count: the ship with
number k of its length has k - 1 others hit before its own first hit. A set that contradicts itself
stays contradictory when answers are added; that is all the search needs.

Whether there is such a layout is a small linear program in whole numbers, a variable for each
placement: HiGHS [Huangfu2018] solves one for 10x10 in about 10 ms, whatever the position.

How a conflict is found: answers are taken in the order given, up to the first that contradicts
those before it. That one, the *newest*, belongs to every conflict among them. Of the others all
misses are left out at once, if the rest still contradicts itself; then one half of them, and the
other, then quarters, and in the end single answers. What is left is a conflict none of whose
answers can be left out. It may not be the smallest there is. When the time is up, what is left by
then is told.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from seabattle.enumerate.answers import HIT_SHIP, MISS, answer_text, possible_answers
from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.deductions import contradictions
from seabattle.enumerate.errors import PositionError, RulesError, within
from seabattle.enumerate.layouts import fleet_does_not_fit
from seabattle.enumerate.map import MOST_NAMED
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Announce, AnswerMode, Contact, ContactName, Rules, choose
from seabattle.enumerate.table import Game, position_of
from seabattle.enumerate.words import first_of

if TYPE_CHECKING:
    from scipy.optimize import LinearConstraint

SECONDS = 2.0
"""Seconds of CPU after which a conflict is told as it is by then, half of them for the changes."""

SECONDS_WITHOUT_PRESOLVE = 0.5
"""Seconds after which it is asked again, with presolve, whether answers can stand together."""

TIME_IS_UP = 1
"""A status of ``scipy.optimize.milp``."""

WEIGHED = 6
"""Changes that mend everything, of which the likeliest is sought by counting."""

GIB_TO_WEIGH = 0.25
"""What counting may take for that: what takes more to count takes many seconds."""


@dataclass(frozen=True)
class Conflict:
    """Answers that cannot stand together.

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
        Whether it is proven that no set of fewer answers that stood until that answer contradicts
        it.
    contact_that_fits
        The strictest looser contact rule under which all answers fit; None if none was found.
    changes
        Pairs (cell name, answer text): changing this one answer of the conflict makes the answers
        up to that one fit. Changes that make all answers fit come first, and among these those
        that leave more layouts.
    """

    position: Position
    shots: tuple[int, ...]
    ships: tuple[str, ...]
    least: bool
    contact_that_fits: Contact | None
    changes: tuple[tuple[str, str], ...]

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
        """The conflict as JSON.

        Fields
        ------
        answers: the answers, each its cell and what was answered
        shots: the numbers of their shots, from 1
        ships: known sunk ships that belong to it
        least: whether it is proven that no fewer answers contradict each other
        contact_that_fits: a looser contact rule under which all answers fit, or null
        changes: answers that would resolve it, each a cell and another answer, the best first
        """
        return {
            "answers": [list(answer) for answer in self.answers],
            "shots": list(self.shots),
            "ships": list(self.ships),
            "least": self.least,
            "contact_that_fits": self.contact_that_fits,
            "changes": [list(change) for change in self.changes],
        }

    def facts(self) -> list[tuple[str, str]]:
        """Which answers cannot stand together, and what to type to mend it."""
        told = [
            f"{cell} {answer} (shot {number})"
            for (cell, answer), number in zip(self.answers, self.shots, strict=True)
        ]
        told += [f"ship {ship} sunk" for ship in self.ships]
        changes = [f"change {cell} {answer.replace(':', ' ', 1)}" for cell, answer in self.changes]
        back = [f"remove {cell}" for cell, _ in reversed(self.answers)]
        named = [
            ("cannot stand together" if len(told) > 1 else "cannot be right", told),
            ("one of these mends it", changes or ["none; change or remove several"]),
            ("or take back", [*back, "undo"]),
        ]
        facts = [(label, first_of(parts, MOST_NAMED, " · ")) for label, parts in named]
        if self.contact_that_fits is not None:
            where = "at corners" if self.contact_that_fits is Contact.CORNERS else "anywhere"
            facts.append((f"or ships touch {where}", f"contact {self.contact_that_fits.value}"))
        return facts


def conflict(
    game: Game, *, memory_limit: float = 4.0, time_limit: float = SECONDS
) -> Conflict | None:
    """Answers of a game that cannot stand together, none of which can be left out.

    Parameters
    ----------
    game
        Rules, a position, or a decision table.
    memory_limit
        GiB for counting, which tells the likeliest change; a quarter of one at most is used.
    time_limit
        Seconds of CPU after which it is told as it is by then: answers may be left that could be
        left out, and changes may be missing.

    Returns
    -------
    conflict
        None if some layout fits all answers.

    Raises
    ------
    FleetError
        If the fleet has no layout on the board.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> position = Position.in_order(Rules(fleet="russian"), "C4 hit, A1 miss, J7 miss, D5 hit")
    >>> conflict(position)
    <conflict of C4 hit, D5 hit>
    >>> conflict(position).shots, conflict(position).contact_that_fits.value
    ((1, 4), 'corners')
    >>> sorted(conflict(position).changes)
    [('C4', 'miss'), ('D5', 'miss')]
    >>> conflict(position.change("C4", "miss")) is None
    True
    """
    within("memory_limit", memory_limit, 0)
    within("time_limit", time_limit, 0)
    position = position_of(game)
    answers = _Answers(position)
    if answers.fit(len(answers.order)):
        return None
    if not answers.stand(0):
        raise fleet_does_not_fit(position.rules)
    until = bisect_left(range(len(answers.order)), True, key=lambda n: not answers.fit(n))
    found, done = answers.shrunk(until, time.thread_time() + time_limit / 2)
    least = done and (len(found) < 3 or (len(found) == 3 and answers.no_pair(until)))
    shots = tuple(n for n, (cell, _) in enumerate(position.shots) if cell in found)
    names = enumerate(position.ship_names, start=position.rules.board.cells)
    return Conflict(
        position,
        tuple(shot + 1 for shot in shots),
        tuple(name for answer, name in names if answer in found),
        least,
        _contact_that_fits(position),
        _changes(position, shots, until, time.thread_time() + time_limit / 2, memory_limit),
    )


_TOGETHER = {
    Contact.NONE: ((2, 2),),
    Contact.CORNERS: ((1, 2), (2, 1)),
    Contact.SIDES: ((1, 1),),
}
"""Shapes of the rectangles of cells that two ships may not share."""


@lru_cache(maxsize=16)
def _fleet_laid(rules: Rules) -> LinearConstraint:
    """Every kind of ship lies as often as the fleet has it, and no two ships too close."""
    from scipy.optimize import LinearConstraint
    from scipy.sparse import csr_array, vstack

    board, table = rules.board, placement_table(rules)
    lies = table.covering.reshape(board.rows, board.columns, -1)
    of_kind = np.array(table.kinds) == np.array(list(rules.fleet.kind_counts))[:, None]
    rows = [csr_array(of_kind)]
    for shape in _TOGETHER[rules.contact]:
        windows = sliding_window_view(lies, np.minimum(shape, lies.shape[:2]), axis=(0, 1))
        rows.append(csr_array(windows.max(axis=(3, 4)).reshape(-1, len(table))))
    laid = vstack(rows, format="csr", dtype=np.float64)
    ships = list(rules.fleet.kind_counts.values())
    most = np.ones(laid.shape[0])
    least = np.zeros(laid.shape[0])
    most[: len(ships)] = least[: len(ships)] = ships
    return LinearConstraint(laid, least, most)


def find_layout(
    rules: Rules,
    allowed: NDArray[np.bool_],
    required: int,
    also: Sequence[LinearConstraint] = (),
) -> tuple[int, ...] | None:
    """A layout of allowed placements on all required cells; None if there is none.

    Parameters
    ----------
    rules
        The game.
    allowed
        bool ``(n_placements,)``.
    required
        Mask of the cells.
    also
        What else it has to obey; variables are whether each placement lies.

    Returns
    -------
    layout
        Placement numbers.

    Examples
    --------
    >>> rules = Rules("1x4", "2")
    >>> find_layout(rules, np.array([True, True, False]), 0b100)
    (1,)
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    numbers = np.flatnonzero(allowed)  # the others are no variables
    if not len(numbers):
        return None
    conditions = [_fleet_laid(rules), *also]
    if required:
        covering = placement_table(rules).covering[list(cells_of(required))]
        conditions.append(LinearConstraint(covering, 1))
    # After its presolve HiGHS may print a line of its own. Few questions take long without.
    for options in ({"presolve": False, "time_limit": SECONDS_WITHOUT_PRESOLVE}, {}):
        found = milp(
            np.zeros(len(numbers)),
            integrality=np.ones(len(numbers)),
            options=options,
            bounds=Bounds(0, 1),
            constraints=[LinearConstraint(c.A[:, numbers], c.lb, c.ub) for c in conditions],
        )
        if found.status != TIME_IS_UP:
            break
    return None if found.x is None else tuple(numbers[found.x > 0.5].tolist())


class _Answers:
    """The answers of a position one by one, and which of them can stand together.

    An answer is numbered as its cell, and known sunk ships after the last cell of the board, as
    ``contradictions`` does; sets of answers are masks.

    Attributes
    ----------
    order
        The answers, in the order of the shots; known sunk ships last.
    says
        For each answer the mask of the cells that it says are occupied.
    """

    def __init__(self, position: Position) -> None:
        self.position, self.rules = position, position.rules
        self.against = list(contradictions(position, range(len(placement_table(self.rules)))))
        self.says = {cell: 0 if code == MISS else 1 << cell for cell, code in position.shots}
        known = enumerate(position.ships, start=self.rules.board.cells)
        self.says |= {answer: mask_of(ship) for answer, ship in known}
        self.order = list(self.says)
        self.stand = cache(self._stand)

    def _stand(self, kept: int) -> bool:
        """Whether some layout gives all of some answers."""
        required = 0
        for answer in cells_of(kept):
            required |= self.says[answer]
        allowed = [any(way & kept == 0 for way in ways) for ways in self.against]
        also = self._numbered(kept) if self.rules.answers is AnswerMode.SHIP else []
        return find_layout(self.rules, np.array(allowed), required, also) is not None

    def _numbered(self, kept: int) -> list[LinearConstraint]:
        """Equal ships have the numbers that some answers give them.

        A placement p that lies on a cell of number k needs k - 1 others of its length whose first
        hit came earlier: their sum is at least (k - 1) x_p, and at most k - 1 where x_p is 1. Where
        the order of shots is not known, it is enough that k ships of the length are hit.
        """
        from scipy.optimize import LinearConstraint

        table, position = placement_table(self.rules), self.position
        lengths = np.array(table.lengths)
        shots = [cell for cell, _ in position.shots]
        first = np.full(len(table), len(shots))  # shot that hits each placement first
        for number, cell in reversed(list(enumerate(shots))):
            first[table.covering[cell].astype(bool)] = number
        named: dict[tuple[int, int], int] = {}
        for cell, code in position.shots:
            if code != MISS and kept >> cell & 1:
                name = ((code - HIT_SHIP) // 64, (code - HIT_SHIP) % 64)
                named[name] = named.get(name, 0) | 1 << cell
        rows, least, most = [], [], []
        for (length, number), cells in named.items():
            equal, ships = lengths == length, self.rules.fleet.counts.get(length, 0)
            if not position.ordered:
                rows.append(1.0 * (equal & (first < len(shots))))
                least.append(number)
                most.append(ships)
                continue
            for p in np.flatnonzero(equal & table.covering[list(cells_of(cells))].any(axis=0)):
                before = 1.0 * (equal & (first < first[p]))
                itself = np.arange(len(table)) == p
                rows += [before - (number - 1) * itself, before + ships * itself]
                least += [0, 0]
                most += [ships, ships + number - 1]
        return [LinearConstraint(np.array(rows), least, most)] if rows else []

    def fit(self, until: int) -> bool:
        """Whether a layout gives the first answers."""
        return bool(self.stand(mask_of(self.order[:until])))

    def shrunk(self, until: int, ends: float) -> tuple[list[int], bool]:
        """Some of the first answers that contradict each other, as few as leaving out gives.

        Returns them, and whether the time sufficed.
        """
        *others, newest = self.order[:until]
        found = sorted(others, key=lambda answer: self.says[answer] != 0)
        size = sum(not self.says[answer] for answer in others) or max(1, len(found) // 2)
        while size:
            at = 0
            while at < len(found):
                if time.thread_time() > ends:
                    return [*found, newest], False
                fewer = found[:at] + found[at + size :]
                if self.stand(mask_of([*fewer, newest])):
                    at += size
                else:
                    found = fewer
            size = max(1, min(size, len(found)) // 2) if size > 1 else 0
        return [*found, newest], True

    def no_pair(self, until: int) -> bool:
        """Whether the newest of the first answers contradicts none of the others alone."""
        *others, newest = self.order[:until]
        return all(self.stand(mask_of([answer, newest])) for answer in others)


def _contact_that_fits(position: Position) -> Contact | None:
    """The strictest looser contact rule under which all answers fit."""
    rules = list(Contact)
    for contact in rules[rules.index(position.rules.contact) + 1 :]:
        try:
            looser = _Answers(with_contact(position, contact))
        except (PositionError, RulesError):  # or ships joined at corners under this rule
            continue
        if looser.fit(len(looser.order)):
            return contact
    return None


def with_contact(position: Position, contact: Contact | ContactName) -> Position:
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
    >>> from seabattle.enumerate.rules import Rules
    >>> position = Position(Rules("5x5", "3,2,1", answers="sunk")).shoot("A1", "sunk")
    >>> with_contact(position, "sides").rules
    Rules('5x5', '3,2,1', contact='sides', answers='sunk', announce='none')
    """
    old = position.rules
    silent = old.contact is not Contact.SIDES and old.answers is AnswerMode.SUNK
    announce = Announce.NONE if silent and contact == Contact.SIDES else old.announce
    rules = replace(old, contact=choose(Contact, contact, "contact rule"), announce=announce)
    return Position(rules, position.shots, position.ordered, position.ships)


def _changes(
    position: Position, shots: tuple[int, ...], until: int, ends: float, memory_limit: float
) -> tuple[tuple[str, str], ...]:
    """Single changes that make the answers up to the newest fit: those that mend all first."""
    mending, others = [], []
    for shot, code in product(shots, possible_answers(position.rules)):
        if time.thread_time() > ends:
            break
        cell, told = position.shots[shot]
        try:
            changed = position.change(cell, code)
        except PositionError:
            continue
        if code == told or changed.shots[shot] != (cell, code):
            continue  # the second is another number of equal ships: nobody can give it
        change = (position.rules.board.name(cell), answer_text(code))
        answers = _Answers(changed)
        if answers.fit(len(answers.order)):
            mending.append((change, changed))
        elif answers.fit(until):
            others.append(change)
    counter = None
    if len(mending) > 1 and time.thread_time() <= ends:
        counter = Counter(position.rules, memory_limit=min(memory_limit, GIB_TO_WEIGH))
    if counter is not None and counter.too_large is None:
        likeliest = sorted(mending[:WEIGHED], key=lambda change: -counter.at(change[1]).count())
        mending[:WEIGHED] = likeliest
    return *(change for change, _ in mending), *others
