"""Answers that cannot stand together: which of them to doubt when no layout fits a game.

A wrong answer is rarely noticed at once: it contradicts one that is told later. ``conflict`` names
a set of answers that contradict each other, none of which can be left out, and what would resolve
it: single changes, the likeliest first, and a looser contact rule.

An answer that is left out is taken for unknown, its shot for made. What a layout answers to a shot
depends only on the ship there and the cells of that ship shot before. So a set of answers stands if
and only if there is a layout of *allowed* placements, those that contradict none of these answers
at their own cells, that occupies the cells said to be occupied: the counter tells. A set that
contradicts itself stays contradictory when answers are added; that is all the search needs.

How it is found: answers are taken in the order given, up to the first that contradicts those before
it. That one, the *newest*, belongs to every conflict among them. Of the others all misses are left
out at once, if the rest still contradicts itself; then one half of them, and the other, then
quarters, and in the end single answers, those far from the newest first. What is left is a conflict
none of whose answers can be left out. It may not be the smallest there is. When the time is up,
what is left by then is told.

Whether a layout of allowed placements occupies some cells is mostly seen without counting. Sets of
placements are masks with bit ``i`` for placement ``i``. A search puts down ships, first where there
is least choice. Most questions end within a few steps; if not, layouts are counted.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from seabattle.enumerate.answers import (
    HIT,
    HIT_SHIP,
    MISS,
    SUNK,
    SUNK_LENGTH,
    answer_text,
    possible_answers,
)
from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.deductions import Constraints, placement_masks
from seabattle.enumerate.errors import FleetError, PositionError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Announce, AnswerMode, Contact, ContactName, Rules, choose
from seabattle.enumerate.table import Game, position_of

SECONDS = 2.0
"""Seconds of CPU after which a conflict is told as it is by then, half of them for the changes."""

WEIGHED = 6
"""Changes that mend everything, of which the likeliest is sought by counting."""

STEPS = 2_000
"""Placements tried to find a layout before layouts are counted."""


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


def conflict(
    game: Game, *, memory_limit: float = 4.0, time_limit: float = SECONDS
) -> Conflict | None:
    """Answers of a game that cannot stand together, none of which can be left out.

    Parameters
    ----------
    game
        Rules, a position, or a decision table.
    memory_limit
        GiB for counting.
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
    TooLargeError
        If the board is too large to be counted.
    PositionError
        If a table has no history.

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
    position = position_of(game)
    counter = Counter(position.rules, memory_limit=memory_limit)
    answers = _Answers(position, counter)
    if answers.are_numbered and answers.stand(answers.all):
        return None
    if not answers.stand(0):
        rules = position.rules
        raise FleetError(
            f"fleet {rules.fleet}: no layout on the board {rules.board} under contact rule "
            f"{rules.contact.value!r}"
        )
    until, ends = answers.first_contradiction(), time.thread_time() + time_limit / 2
    found = answers.shrunk(until, ends)
    size = found.bit_count()
    named = position.rules.answers is AnswerMode.SHIP  # there numbers may contradict, too
    least = size < 3 or (size == 3 and answers.no_pair(until, ends))
    least = least and answers.proven and not named
    made = len(position.shots)
    shots = tuple(n for n in cells_of(found) if n < made)
    newest = min(until, made)
    return Conflict(
        position,
        tuple(shot + 1 for shot in shots),
        tuple(position.ship_names[n - made] for n in cells_of(found) if n >= made),
        least,
        _contact_that_fits(position),
        _changes(counter, position, shots, newest, time.thread_time() + time_limit / 2),
    )


Layout = tuple[int, ...]


class GivenUpError(Exception):
    """The search took more steps than it may."""


@dataclass(frozen=True)
class Neighbourhood:
    """Which placements go together.

    Attributes
    ----------
    covering
        For every cell the placements that occupy it.
    beside
        For every placement the other placements that can stand with it.
    of_kind
        For every length of the fleet its placements.
    cells
        For every placement the mask of its cells.
    """

    covering: tuple[int, ...]
    beside: tuple[int, ...]
    of_kind: dict[int, int]
    cells: tuple[int, ...]


@lru_cache(maxsize=16)
def neighbourhood(rules: Rules) -> Neighbourhood:
    """Which placements of a game go together."""
    masks, halos, _ = placement_masks(rules)
    kinds = placement_table(rules).kinds
    covering = [0] * rules.board.cells
    of_kind = dict.fromkeys(rules.fleet.kind_counts, 0)
    for i, (mask, kind) in enumerate(zip(masks, kinds, strict=True)):
        of_kind[kind] |= 1 << i
        for cell in cells_of(mask):
            covering[cell] |= 1 << i
    everything = (1 << len(masks)) - 1
    beside = []
    for i, halo in enumerate(halos):
        near = 1 << i
        for cell in cells_of(halo):
            near |= covering[cell]
        if rules.fleet.kind_counts[kinds[i]] == 1:
            near |= of_kind[kinds[i]]
        beside.append(everything & ~near)
    return Neighbourhood(tuple(covering), tuple(beside), of_kind, masks)


class LayoutSearch:
    """A search for one layout.

    Parameters
    ----------
    rules
        Board, fleet and contact rule.
    cost
        For every placement how unwelcome it is; the cheapest is tried first.
    steps
        Most placements that are tried.
    """

    def __init__(self, rules: Rules, *, cost: Sequence[int], steps: int) -> None:
        self.near = neighbourhood(rules)
        self.counts = rules.fleet.kind_counts
        self.kinds = placement_table(rules).kinds
        self.cost = cost
        self.left = steps

    def find(self, allowed: int, required: int) -> Layout | None:
        """A layout of allowed placements on all required cells, or None if there is none.

        Raises
        ------
        GivenUpError
            If that took too many steps.
        """
        return self._go(allowed, required, dict(self.counts), ())

    def _go(
        self, allowed: int, required: int, left: dict[int, int], ships: Layout
    ) -> Layout | None:
        if not left:
            return None if required else ships
        options = self._least_choice(allowed, required, left)
        for ship in sorted(cells_of(options), key=self.cost.__getitem__):
            if self.left <= 0:
                raise GivenUpError
            self.left -= 1
            allowed &= ~(1 << ship)  # what comes later has no layout with it
            kind = self.kinds[ship]
            fewer = {**left, kind: left[kind] - 1}
            rest = allowed & self.near.beside[ship]
            if not fewer[kind]:
                del fewer[kind]
                rest &= ~self.near.of_kind[kind]
            found = self._go(rest, required & ~self.near.cells[ship], fewer, (*ships, ship))
            if found is not None:
                return found
        return None

    def _least_choice(self, allowed: int, required: int, left: dict[int, int]) -> int:
        """Placements of which the layout has at least one, as few as there are; 0 if it fails."""
        best, fewest = 0, None
        for cell in cells_of(required):
            options = allowed & self.near.covering[cell]
            if fewest is None or options.bit_count() < fewest:
                best, fewest = options, options.bit_count()
        for kind, count in left.items():
            options = allowed & self.near.of_kind[kind]
            choice = options.bit_count()
            if choice < count:
                return 0
            if not required and (fewest is None or choice < fewest):
                best, fewest = options, choice
        return best


class _Answers:
    """The answers of a position one by one, and which of them can stand together.

    They are numbered as their shots, and the known sunk ships after the last shot; sets of them are
    masks. In mode ``ship`` it does not matter here which of the equal ships was hit first.

    Parameters
    ----------
    position
        What was answered.
    counter
        Counts the layouts of the game; None to take for impossible what is not found.

    Attributes
    ----------
    cells
        For each answer the mask of the cells that it says are occupied.
    against
        For each placement its *ways*, the masks of the answers that it contradicts. A sunk ship has
        as many as cells where the order of shots is not known, as any may have been shot last.
    proven
        Whether what was found cannot be shortened any more.
    """

    def __init__(self, position: Position, counter: Counter | None, steps: int = STEPS) -> None:
        self.position, self.counter, self.steps = position, counter, steps
        self.rules, shots = position.rules, position.shots
        self.order = {cell: number for number, (cell, _) in enumerate(shots)}
        self.cells = [0 if code == MISS else 1 << cell for cell, code in shots]
        self.cells += map(mask_of, position.ships)
        self.masks, _, self.lengths = placement_masks(self.rules)
        placements = zip(self.masks, self.lengths, strict=True)
        self.against = [self._ways(mask, length) for mask, length in placements]
        self.cost = [min(map(int.bit_count, ways)) for ways in self.against]
        self.proven = True
        self._refuted: set[int] = set()
        self._failing: list[int] = []

    @property
    def are_numbered(self) -> bool:
        """Whether equal ships are numbered as they are first hit."""
        return self.position.renumbered(self.position.shots) == self.position.shots

    @property
    def all(self) -> int:
        """Mask of all answers."""
        return (1 << len(self.cells)) - 1

    def _ways(self, mask: int, length: int) -> list[int]:
        """The answers that a placement contradicts, for each of its ways."""
        shots, cells = self.position.shots, list(cells_of(mask & self.position.shot_mask))
        codes = {cell: shots[self.order[cell]][1] for cell in cells}
        crossed = sum(
            1 << number
            for number, ship in enumerate(self.cells[len(shots) :], start=len(shots))
            if ship & mask and ship != mask
        )
        if self.rules.answers is AnswerMode.SHIP:
            names = {c for c in codes.values() if c >= HIT_SHIP and (c - HIT_SHIP) // 64 == length}
            here = mask_of(self.order[cell] for cell in cells)
            named = [mask_of(n for n, (_, code) in enumerate(shots) if code == c) for c in names]
            return [crossed | here ^ own for own in named] or [crossed | here]
        lasts: list[int | None] = [None]
        if self.rules.answers is AnswerMode.SUNK and len(cells) == length:
            ordered = self.position.ordered
            lasts = [max(cells, key=self.order.__getitem__)] if ordered else list(cells)
        sunk = (SUNK, SUNK_LENGTH + length)
        return [
            crossed
            | mask_of(
                self.order[cell]
                for cell, code in codes.items()
                if not (code in sunk if cell == last else code == HIT)
            )
            for last in lasts
        ]

    def stand(self, kept: int) -> bool:
        """Whether some layout gives all of some answers."""
        if any(failing & kept == 0 for failing in self._failing):
            return True
        if kept in self._refuted:
            return False
        required = 0
        for number in cells_of(kept):
            required |= self.cells[number]
        allowed = mask_of(
            i for i, ways in enumerate(self.against) if any(way & kept == 0 for way in ways)
        )
        stands = self._is_layout(kept, allowed, required)
        if not stands:
            self._refuted.add(kept)
        return stands

    def _is_layout(self, kept: int, allowed: int, required: int) -> bool:
        try:
            search = LayoutSearch(self.rules, cost=self.cost, steps=self.steps)
            found = search.find(allowed, required)
        except GivenUpError:
            if self.counter is None:
                return False
            numbers = np.zeros(len(self.masks), dtype=np.uint8)
            numbers[list(cells_of(allowed))] = 1
            fleet = dict(self.rules.fleet.kind_counts)
            return self.counter.count_under(Constraints(numbers, required, fleet, ())) > 0
        if found is not None:
            self._failing.append(self._fails(found, kept))
        return found is not None

    def _fails(self, layout: Layout, kept: int) -> int:
        """The answers that a layout contradicts, read so that those kept are met."""
        occupied = failing = 0
        for ship in layout:
            occupied |= self.masks[ship]
            ways = (way for way in self.against[ship] if way & kept == 0)
            failing |= min(ways, key=int.bit_count)
        return failing | mask_of(n for n, cells in enumerate(self.cells) if cells & ~occupied)

    def first_contradiction(self) -> int:
        """Number of answers up to the first that contradicts those before it.

        In mode ``ship`` that is also the first number that leaves one out.
        """
        shots = self.position.shots
        begun = (shots[:number] for number in range(1, len(shots) + 1))
        wrong = (len(some) for some in begun if self.position.renumbered(some) != some)
        stands, fails = 0, len(self.cells)
        if not self.are_numbered:
            fails = next(wrong, fails)
            if self.stand((1 << fails) - 1):
                return fails
        while fails - stands > 1:
            middle = (stands + fails) // 2
            if self.stand((1 << middle) - 1):
                stands = middle
            else:
                fails = middle
        return fails

    def shrunk(self, until: int, ends: float) -> int:
        """Some of the first answers that contradict each other, as few as leaving out gives."""
        newest = 1 << until - 1
        begun = self.position.shots[:until]
        if self.position.renumbered(begun) != begun:  # a wrong number is told alone
            return newest
        far = sorted(range(until - 1), key=lambda number: -self._distance(number, until - 1))
        misses_first = sorted(far, key=lambda number: self.cells[number] != 0)
        found = (self._shrunk(newest, order, ends) for order in (misses_first, far))
        return min(found, key=int.bit_count)

    def _shrunk(self, newest: int, found: list[int], ends: float) -> int:
        misses = sum(self.cells[number] == 0 for number in found)
        size = misses if misses and not self.cells[found[0]] else max(1, len(found) // 2)
        while size:
            at = 0
            while at < len(found):
                if time.thread_time() > ends:
                    self.proven = False
                    return newest | mask_of(found)
                fewer = found[:at] + found[at + size :]
                if self.stand(newest | mask_of(fewer)):
                    at += size
                else:
                    found = fewer
            size = max(1, min(size, len(found)) // 2) if size > 1 else 0
        return newest | mask_of(found)

    def _distance(self, number: int, other: int) -> int:
        """How far two answers are apart on the board."""
        columns = self.rules.board.columns

        def place(answer: int) -> tuple[int, int]:
            shots, ships = self.position.shots, self.position.ships
            known = answer < len(shots)
            return divmod(shots[answer][0] if known else ships[answer - len(shots)][0], columns)

        (row, column), (other_row, other_column) = place(number), place(other)
        return abs(row - other_row) + abs(column - other_column)

    def no_pair(self, until: int, ends: float) -> bool:
        """Whether the newest of the first answers contradicts none of the others alone."""
        for number in range(until - 1):
            if time.thread_time() > ends or not self.stand(1 << number | 1 << until - 1):
                return False
        return True


def _prefix(position: Position, number: int) -> Position:
    """The first answers of a position, the shots after them not made."""
    shots = position.shots[:number]
    made = {cell for cell, _ in shots}
    ships = tuple(ship for ship in position.ships if made.issuperset(ship))
    return Position(position.rules, shots, position.ordered, ships)


def _fits(position: Position, counter: Counter | None, steps: int = STEPS) -> bool:
    """Whether a layout fits a position; where it is not counted, whether one is found."""
    answers = _Answers(position, counter, steps)
    return answers.are_numbered and answers.stand(answers.all)


def _contact_that_fits(position: Position) -> Contact | None:
    """A looser contact rule; counting under it would need tables that take seconds to make."""
    rules = list(Contact)
    for contact in rules[rules.index(position.rules.contact) + 1 :]:
        try:
            looser = with_contact(position, contact)
        except PositionError:
            continue
        if _fits(looser, None, 10 * STEPS):
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
    announce = old.announce
    silent = old.contact is not Contact.SIDES and old.answers is AnswerMode.SUNK
    if silent and contact == Contact.SIDES:
        announce = Announce.NONE
    rules = replace(old, contact=choose(Contact, contact, "contact rule"), announce=announce)
    return Position(rules, position.shots, position.ordered, position.ships)


def _changes(
    counter: Counter, position: Position, shots: tuple[int, ...], until: int, ends: float
) -> tuple[tuple[str, str], ...]:
    """Single changes that make the answers up to the newest fit: those that mend all first."""
    found = []
    for shot, code, changed in _other_answers(position, shots):
        if time.thread_time() > ends:
            break
        mends_all = _fits(changed, counter)
        if mends_all or _fits(_prefix(changed, until), counter):
            name = position.rules.board.name(position.shots[shot][0])
            found.append((mends_all, changed, (name, answer_text(code))))

    found.sort(key=lambda change: not change[0])
    mending = [change for change in found if change[0]][:WEIGHED]
    mending.sort(key=lambda change: -counter.at(change[1]).count())
    return tuple(change for *_, change in [*mending, *found[len(mending) :]])


def _other_answers(
    position: Position, shots: tuple[int, ...]
) -> Iterator[tuple[int, int, Position]]:
    """Every other answer to some shots that somebody can give, and the position with it."""
    for shot in shots:
        cell, told = position.shots[shot]
        for code in possible_answers(position.rules):
            if code == told:
                continue
            try:
                changed = position.change(cell, code)
            except PositionError:
                continue
            if changed.shots[shot] == (cell, code):  # else another number: nobody can give it
                yield shot, code, changed
