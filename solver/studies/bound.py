"""How near to the best: lower bounds on the mean misses of every strategy, on full boards, too.

No strategy of a game misses less on average, over all its layouts, than ``miss_bound`` says. The
bound joins three arguments, each with a proof in the documentation (*How near to the best*) and
each with a switch:

``show``
    Show some ships to the shooter beforehand and count how many layouts of the *hidden* ones can be
    found with few misses: by the ``words`` of answers, and by touches (``touches.py``). With N
    layouts, R layouts of the ships shown, W(k) of the hidden ones found with at most k misses, and
    m ways to choose which ships of a layout are hidden, at least N - R W(k) / m layouts miss more
    than k times; the sum over k is a bound. Every choice of hidden ships is tried. Without the
    switch all are hidden.
``beside``
    Misses on cells that ships shown forbid to all others tell nothing of the hidden ships. They
    are not counted in words, and there must be some of them: those of ``beside_ships``.
``first_shots``
    The first j shots that miss are j cells fixed beforehand, which hit no more than j times the
    layouts that the likeliest cell hits, and j/2 times those that the best two cells hit
    (``first_hits``); so at most this many layouts, and as many as there are words of k - j misses,
    have at most k misses. It cannot be joined with ``beside``; the better of the two counts.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import chain, product, takewhile
from itertools import count as count_from
from math import ceil, comb, factorial, prod
from operator import attrgetter, mul
from typing import Any

import numpy as np
from scipy import sparse

from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.deductions import Constraints, constrain, contradiction
from seabattle.enumerate.errors import PositionError, RulesError, Stop, why_stopped, within
from seabattle.enumerate.layouts import fleet_does_not_fit
from seabattle.enumerate.picture import html_table
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Contact, Fleet, Rules, form_of, ship_text
from seabattle.enumerate.table import Game, position_of
from seabattle.enumerate.words import counted
from seabattle.solver.search.queries import LimitReached, Limits
from seabattle.solver.studies.programs import Look, solved
from seabattle.solver.studies.touches import boards_left, found_on_boards, packed
from seabattle.trees.tree import transformed_placements


@dataclass(frozen=True)
class MissBound:
    """A lower bound on the mean misses of every strategy, and what it is made of.

    Attributes
    ----------
    rules
        The game, all layouts equally likely.
    layouts
        Number of layouts.
    hidden
        Lengths of the ships that are hidden; all others are shown.
    words
        Mean misses that finding the hidden ships costs at least.
    beside
        Mean misses beside the ships shown, at least.
    first_shots
        Whether the first shots play a part.
    interrupted, stopped_by
        Whether Ctrl-C ended the search for a better bound, and what ended it in words, empty when
        nothing did.
    """

    rules: Rules
    layouts: int
    hidden: tuple[int, ...]
    words: Fraction
    beside: Fraction
    first_shots: bool
    interrupted: bool = False
    stopped_by: str = ""

    @property
    def mean_misses(self) -> Fraction:
        """No strategy misses less on average."""
        return self.words + self.beside

    @property
    def mean_shots(self) -> Fraction:
        """No strategy needs fewer shots on average: misses and fleet cells."""
        return self.mean_misses + self.rules.fleet.cells

    @property
    def total_misses(self) -> int:
        """The least whole number of misses over all layouts that the bound allows."""
        return ceil(self.mean_misses * self.layouts)

    def __repr__(self) -> str:
        return (
            f"<at least {float(self.mean_misses):.4f} misses on average: "
            f"{float(self.words):.4f} to find {_lengths(self.hidden)}, "
            f"{float(self.beside):.4f} beside {_lengths(self.shown)}; {self.rules}>"
        )

    @property
    def shown(self) -> tuple[int, ...]:
        """Lengths of the ships that are shown to the shooter."""
        lengths = Multiset(self.rules.fleet.lengths) - Multiset(self.hidden)
        return tuple(sorted(lengths.elements(), reverse=True))

    def document(self) -> dict[str, Any]:
        """What ``bound --json`` prints after the game.

        Fields
        ------
        layouts: layouts of the game, all equally likely
        mean_misses: misses that every strategy needs on average, at least
        mean: the same as a quotient
        mean_shots: the same with the cells of the fleet
        total_misses: the least whole number of misses over all layouts that the bound allows
        hidden: lengths of the ships that are to be found
        shown: lengths of the ships that are shown to the shooter
        misses_to_find: what finding the hidden ships costs at least, on average
        misses_beside: misses on cells that the ships shown forbid to others, at least
        first_shots: whether what the first shots can hit plays a part
        stopped_by: what ended the search for a better bound; empty when nothing did
        """
        return {
            "layouts": self.layouts,
            "mean_misses": float(self.mean_misses),
            "mean": str(self.mean_misses),
            "mean_shots": float(self.mean_shots),
            "total_misses": self.total_misses,
            "hidden": list(self.hidden),
            "shown": list(self.shown),
            "misses_to_find": float(self.words),
            "misses_beside": float(self.beside),
            "first_shots": self.first_shots,
            "stopped_by": self.stopped_by,
        }

    def facts(self) -> list[tuple[str, str]]:
        """The bound as labels and texts, the game apart."""
        cells = self.rules.fleet.cells
        hidden, shown = _lengths(self.hidden), _lengths(self.shown)
        facts = [
            ("layouts", f"{self.layouts:,}"),
            ("misses", f"at least {float(self.mean_misses):.4f} on average"),
            ("shots", f"at least {float(self.mean_shots):.4f}, with the "
                      f"{counted(cells, 'cell')} of the fleet"),
        ]  # fmt: skip
        if self.shown:
            facts.append(("shown", f"{shown}, which costs nothing"))
        if self.hidden:
            facts.append(("to find", f"{float(self.words):.4f} misses at least for {hidden}"))
        if self.beside:
            facts.append(("beside", f"{float(self.beside):.4f} misses at least beside ships shown"))
        if self.first_shots:
            facts.append(("first shots", "hit no more than the likeliest cell each"))
        if self.stopped_by:
            facts.append(("stopped", f"{self.stopped_by}; a better bound may be proven"))
        if not self.mean_misses:
            facts.append(("note", "these arguments prove nothing about this game"))
        return facts

    def _repr_html_(self) -> str:
        return html_table((), [("game", str(self.rules)), *self.facts()], left=(0, 1))


def _lengths(lengths: tuple[int, ...]) -> str:
    return f"ships {','.join(map(str, lengths))}" if lengths else "no ship"


def game_left(position: Position) -> Rules:
    """The game that is left after some shots, as one at its beginning.

    Cells that are known to be water are blocked, and ships that are sunk leave the fleet. Every
    strategy of the position is one of this game, with as many misses in every layout.

    Raises
    ------
    PositionError
        If a ship is hit and not sunk, or none is left.

    Examples
    --------
    >>> rules = Rules("3x3", "2,1", answers="sunk")
    >>> game_left(Position.in_order(rules, "C1 miss, A1 hit, A2 sunk"))
    Rules('3x3', '1', contact='none', answers='sunk', announce='length', \
blocked='A1,B1,C1,A2,B2,A3,B3')
    """
    rules = position.rules
    if not position.shots:
        return rules
    told, table = constrain(position), placement_table(rules)
    known = mask_of(cell for number in told.fixed for cell in table.placements[number].cells)
    unknown = told.required | (known & ~position.hit_mask)
    if unknown:
        name = rules.board.names(unknown & position.hit_mask or known & position.hit_mask)[0]
        raise PositionError(
            f"hit {name}: the mean is bounded where every ship that was hit is sunk; here only "
            f"the shots that must hit are"
        )
    kinds = dict(zip(rules.fleet.kinds, rules.fleet.ships, strict=True))
    ships = [ship_text(kinds[kind]) for kind, number in told.left.items() for _ in range(number)]
    if not ships:
        raise PositionError("every ship is sunk: there is nothing left to bound")
    free = np.flatnonzero((table.covering & told.allowed).any(axis=1)).tolist()
    if len(free) < sum(len(form_of(kinds[kind])) * n for kind, n in told.left.items()):
        raise contradiction(position)
    return replace(rules, fleet=Fleet(ships), blocked=tuple({*range(rules.board.cells)} - {*free}))


def miss_bound(
    game: Game,
    *,
    show: bool = True,
    beside: bool = True,
    first_shots: bool = True,
    boards: int = 20_000,
    time_limit: float | None = None,
    memory_limit: float = 4.0,
    progress: Callable[[], object] = lambda: None,
    stop: Stop | None = None,
) -> MissBound:
    """The best lower bound on the mean misses of every strategy that these arguments prove.

    Parameters
    ----------
    game
        The game, and the shots made; the layouts of a table count as all that fit. Then it is the
        misses to come that are bounded, in the game that is left (``game_left``).
    show, beside, first_shots
        Which arguments are used; see the module.
    boards
        Where the ships shown have no more layouts than this, the water that each of them leaves is
        looked at by itself, if they are the best choice before.
    time_limit
        Seconds after which the best bound known so far is returned.
    memory_limit
        GiB that counting may take.
    progress
        Called before each count, each map and each board, and often besides.
    stop
        Called often; when it returns true, or why in words, the work ends as if by Ctrl-C, with the
        best bound known so far.

    Returns
    -------
    bound
        The best one, with the fewest hidden ships where several are as good.

    Raises
    ------
    LimitReached, KeyboardInterrupt
        If the work was ended before there was any bound.
    FleetError
        If the fleet has no layout.
    PositionError
        If a ship is hit and not sunk.
    TooLargeError
        If counting needs too much memory.

    Examples
    --------
    >>> from seabattle.solver.search.solve import solve
    >>> rules = Rules("4x4", "2,1,1", contact="none", answers="sunk")
    >>> miss_bound(rules).total_misses, solve(rules).total_misses
    (1565, 1743)
    """
    within("boards", boards, 0)
    rules = game_left(position_of(game))
    whole, fleet = rules.fleet.lengths, Multiset(rules.fleet.lengths)
    if not rules.fleet.all_lines:
        raise RulesError(f"fleet {rules.fleet}: the bound is for ships that are lines")
    limits = Limits.of(time_limit, memory_limit, stop=stop)

    def look() -> None:
        progress()
        limits.require_time()

    @cache
    def layouts_of(lengths: tuple[int, ...]) -> int:
        """Number of layouts of some of the ships."""
        if not lengths:
            return 1
        fewer = replace(rules, fleet=Fleet(lengths), answers=AnswerMode.HIT)
        look()
        return _counter(fewer, look, memory_limit).count()

    layouts = layouts_of(whole)
    if not layouts:
        raise fleet_does_not_fit(rules)

    @cache
    def around(length: int) -> Fraction:
        """Misses beside the ships of a length that are shown, on average, at least."""
        if not beside:
            return Fraction(0)
        return beside_ships(rules, length, look, memory_limit) / layouts

    @cache
    def touched(hidden: tuple[int, ...], each_board: bool) -> list[int]:
        """Layouts with a choice of hidden ships that are finished with k misses, by touches."""
        shown = tuple(sorted((fleet - Multiset(hidden)).elements(), reverse=True))
        if each_board:
            return found_on_boards(rules, hidden, boards_left(rules, shown), look)
        water = {packed(np.zeros(rules.board.cells, dtype=bool)): layouts_of(shown)}
        return found_on_boards(rules, hidden, water, look)

    @cache
    def likeliest() -> tuple[int, int]:
        """Layouts that a cell hits, and that one of two cells hits, at most."""
        return first_hits(rules, look, memory_limit)

    def hit_by(shots: int) -> Fraction:
        """Layouts that so many cells hit, at most."""
        one, pair = likeliest() if shots else (0, 0)
        return Fraction(one) if shots == 1 else Fraction(pair * shots, 2)

    def bound_of(hidden: tuple[int, ...], first: bool, each_board: bool = False) -> MissBound:
        """The bound for a choice of hidden ships, by the first shots or by misses beside ships."""
        part, shown = Multiset(hidden), fleet - Multiset(hidden)
        others = layouts_of(tuple(sorted(shown.elements(), reverse=True)))
        choices = layouts * prod(comb(fleet[n], part[n]) for n in part)
        by_touches = touched(hidden, each_board)

        @cache
        def found(misses: int) -> Fraction:
            """The part of the layouts with a choice that is finished with so many misses."""
            most, by_words = by_touches[misses], words(rules, hidden, misses)
            if by_words is not None:
                most = min(most, others * by_words)
            return Fraction(most, choices)

        def done(misses: int) -> Fraction:
            """The part of the layouts that is finished with so many misses, at most."""
            look()
            return min(
                hit_by(shots) / layouts + found(misses - shots)
                for shots in range(misses + 1 if first else 1)
            )

        parts = takewhile(lambda part: part < 1, map(done, count_from()))
        to_find = sum((1 - part for part in parts), start=Fraction(0))
        near = sum((around(n) * shown[n] / fleet[n] for n in shown if not first), Fraction(0))
        return MissBound(rules, layouts, hidden, to_find, near, first)

    ways = product([False, True] if first_shots else [False], _choices(fleet) if show else [whole])
    soon = bound_of(whole, first=False)
    known: list[MissBound] = []
    try:
        for first, hidden in ways:
            known.append(bound_of(hidden, first))
        best = max(known, key=attrgetter("mean_misses"))
        if best.shown and layouts_of(best.shown) <= boards:
            by_board = bound_of(best.hidden, best.first_shots, each_board=True)
            best = max(best, by_board, key=attrgetter("mean_misses"))
    except (LimitReached, KeyboardInterrupt) as ended:
        interrupted = isinstance(ended, KeyboardInterrupt)
        best = max([*known, soon], key=attrgetter("mean_misses"))
        return replace(best, interrupted=interrupted, stopped_by=why_stopped(ended))
    return best


def _choices(fleet: Multiset[int]) -> list[tuple[int, ...]]:
    """Every choice of ships to hide, the fewest first."""
    alike = ([(n,) * number for number in range(most + 1)] for n, most in fleet.items())
    choices = (tuple(chain(*parts)) for parts in product(*alike))
    return sorted(choices, key=lambda lengths: (len(lengths), lengths))


def first_hits(rules: Rules, look: Look, memory_limit: float = 4.0) -> tuple[int, int]:
    """The most layouts that a cell occupies, and the most that occupy one of two cells.

    Parameters
    ----------
    rules
        The game; the answer mode does not matter.
    look
        Called before each map, and often; what it raises ends the work.
    memory_limit
        GiB that counting may take.

    Examples
    --------
    >>> first_hits(Rules("3x3", "2,1"), lambda: None)
    (10, 18)
    """
    rules = rules.answering("hit")
    counter, pair, seen = _counter(rules, look, memory_limit), 0, set[int]()
    look()
    occupied = counter.map().cells
    for cell in sorted(range(len(occupied)), key=lambda cell: -occupied[cell]):
        if cell in seen:
            continue
        if 2 * occupied[cell] <= pair:  # the other cell of a better pair is no likelier
            break
        seen |= {image[cell] for image in rules.symmetries}
        look()
        with suppress(PositionError):  # no layout is without the cell
            missed = Position.of_cells(rules, miss=[rules.board.name(cell)])
            pair = max(pair, int(occupied[cell] + max(counter.at(missed).map().cells)))
    return int(max(occupied)), max(pair, int(max(occupied)))


# ------------------------------------------------------------------------------------------------
# Words: how many layouts a strategy can finish with few misses, when hits do not name ships.
#
# A strategy turns a layout into a *word*: how often it misses before the first hit on a hidden
# ship, between that hit and the next, and so on. Different layouts have different words, so that
# with at most k misses only so many can be finished as there are words of at most k misses. With h
# hidden cells there are C(k + h, h), in mode ``sunk`` as many for each way in which hits can sink
# ships; for ships of one and two cells the order in which lengths are touched says that, too.


LONGEST_IN_ORDER = 2
"""Of longer ships two cells that do not touch can be hit, and it is open whose they are."""


def words(rules: Rules, hidden: tuple[int, ...], misses: int) -> int | None:
    """Words of at most so many misses; None where they do not tell layouts apart.

    Parameters
    ----------
    rules
        The game; of its fleet only ``hidden`` counts.
    hidden
        Lengths of the ships that are hidden.
    misses
        The most misses of a layout that is counted.

    Examples
    --------
    >>> russian = Rules("10x10", "russian", contact="none", answers="sunk")
    >>> words(russian, (1, 1, 1, 1), 10) == comb(10 + 4, 4)
    True
    """
    if rules.contact is Contact.SIDES or rules.answers is AnswerMode.SHIP:
        return None  # a layout is not known by its cells, or hits name ships
    cells, ships, sinkings = sum(hidden), len(hidden), 1
    if rules.answers is AnswerMode.SUNK and ships:
        sinkings = comb(cells - 1, ships - 1)
        if max(hidden) <= LONGEST_IN_ORDER:
            sinkings = min(sinkings, orders(hidden))
    return comb(misses + cells, cells) * sinkings


def orders(lengths: tuple[int, ...]) -> int:
    """Number of orders of lengths, equal ones not told apart.

    >>> orders((4, 3, 3, 2, 2, 2, 1, 1, 1, 1))
    12600
    """
    return factorial(len(lengths)) // prod(factorial(n) for n in Multiset(lengths).values())


# ------------------------------------------------------------------------------------------------
# Misses beside ships: two layouts that differ by one ship moved a little cost a miss.
#
# Let two layouts agree in all ships but one, which lies on s in the first and on s' in the second,
# and let each cell of s that is not in s' be one where s' forbids ships, and the other way round.
# Every strategy plays both layouts alike until it first shoots a cell that only one of s and s'
# has. That shot hits in one layout and misses in the other, *beside the ship there*, on a cell that
# the ship forbids to all others. So of the pairs of layouts of this kind each costs a miss.
#
# A miss of a layout on a cell x can pay for several pairs, those of all s that contain x. Pairs
# therefore get *weights* such that the pairs that one miss can pay for weigh 1 at most together;
# the weights of all pairs then add up to a lower bound on the misses beside ships, summed over all
# layouts. The best weights are the solution of a linear program. What it finds in floating-point
# numbers becomes fractions, and these are made smaller where they are too large for a miss, so that
# the bound is exact whatever the program found.
#
# A cell of s that is not in s' can be forbidden in the second layout by no other ship than s',
# since all others are in the first layout, too. So no miss is counted for two ships.


PARTS = 60
"""Weights are rounded to fractions whose denominators are at most so large."""


def beside_ships(rules: Rules, length: int, look: Look, memory_limit: float = 4.0) -> Fraction:
    """A lower bound on the misses beside the ships of one length, summed over all layouts.

    Parameters
    ----------
    rules
        The game, in any answer mode.
    length
        A length of the fleet.
    look
        Called before each count, and often; what it raises ends the work.
    memory_limit
        GiB that counting may take.

    Examples
    --------
    >>> beside_ships(Rules("1x4", "2"), 2, lambda: None)  # each of A1:B1, B1:C1, C1:D1 and the next
    Fraction(2, 1)
    """
    if rules.contact is Contact.SIDES:  # ships forbid nothing but their own cells
        return Fraction(0)
    alone = placement_table(replace(rules, fleet=Fleet((length,)), answers=AnswerMode.HIT))
    ships = [ship.mask for ship in alone.placements]
    halos = [ship.halo(rules.contact) for ship in alone.placements]
    turned = [transformed_placements(alone, symmetry).tolist() for symmetry in rules.symmetries]
    at: dict[int, list[int]] = {}  # placements by their first cell
    for number, ship in enumerate(alone.placements):
        at.setdefault(min(ship.cells), []).append(number)
    groups: dict[tuple[int, ...], list[tuple[int, int]]] = {}  # pairs that the symmetries join
    for one in range(len(ships)):
        look()
        near = (other for cell in cells_of(halos[one]) for other in at.get(cell, ()))
        for other in sorted(near):
            if one < other and not (ships[one] & ~halos[other] or ships[other] & ~halos[one]):
                group = min(tuple(sorted((image[one], image[other]))) for image in turned)
                groups.setdefault(group, []).append((one, other))
    count = _rest_counter(rules, length, look, memory_limit)
    paid, layouts = [], []  # of each group: how often a miss pays for it, and its pairs of layouts
    for (one, other), pairs in groups.items():
        look()
        number = count(halos[one] | halos[other])
        if number:
            layouts.append(number * len(pairs))
            paid.append(
                Multiset(
                    (there, cell)  # a miss: the ship that is there, and the cell shot
                    for pair in pairs
                    for there, moved in (pair, pair[::-1])
                    for cell in cells_of(ships[moved] & ~ships[there])
                )
            )
    return sum(map(mul, _weights(paid, layouts, look), layouts), start=Fraction(0))


def _weights(
    paid: list[Multiset[tuple[int, int]]], layouts: list[int], look: Look
) -> list[Fraction]:
    """A weight for each group of pairs such that no miss pays for more than weight 1."""
    if not paid:
        return []
    of_miss: dict[tuple[int, int], list[tuple[int, int]]] = {}  # groups that a miss pays for
    for place, group in enumerate(paid):
        for miss, times in group.items():
            of_miss.setdefault(miss, []).append((place, times))
    rows = sorted({*map(tuple, of_miss.values())})
    starts = np.cumsum([0, *map(len, rows)])
    places, times = np.array(list(chain(*rows)), dtype=float).T
    uses = sparse.csr_array((times, places.astype(int), starts), shape=(len(rows), len(paid)))
    gains = np.array(layouts, dtype=float)
    found = solved(-gains / gains.max(), look, A_ub=uses, b_ub=np.ones(len(rows)))
    if found.x is None:  # no weights are always right
        return [Fraction(0)] * len(paid)
    weights = [Fraction(max(0.0, float(x))).limit_denominator(PARTS) for x in found.x]
    most = max(sum(weights[place] * times for place, times in row) for row in rows)
    return [weight / max(most, 1) for weight in weights]


def _counter(rules: Rules, look: Look, memory_limit: float) -> Counter:
    """A counter that looks around at each row of a sweep."""

    def at_row(row: int, rows: int) -> None:
        look()

    return Counter(rules, memory_limit=memory_limit, progress=at_row)


def _rest_counter(
    rules: Rules, length: int, look: Look, memory_limit: float
) -> Callable[[int], int]:
    """Counts the layouts of all ships but one of a length that leave the cells of a mask free."""
    lengths = list(rules.fleet.lengths)
    lengths.remove(length)
    if not lengths:
        return lambda taken: 1
    rest = replace(rules, fleet=Fleet(lengths), answers=AnswerMode.HIT)
    counter = _counter(rest, look, memory_limit)
    masks = [ship.mask for ship in placement_table(rest).placements]

    def count(taken: int) -> int:
        allowed = np.array([mask & taken == 0 for mask in masks], dtype=np.uint8)
        return counter.count_under(Constraints(allowed, 0, dict(rest.fleet.counts), ()))

    return count
