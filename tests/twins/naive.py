"""Slow, obvious twins of the enumerator, the answers and the search, for tiny games.

Nothing of ``seabattle`` is imported: a cell is its number in reading order, a ship a frozenset of
cells, a *layout* a frozenset of ships. Ships never overlap, so a set is enough, and identical
ships are interchangeable by themselves.

State of the search
-------------------
A state is (layouts still possible, cells shot). Nothing more of the history is needed:

* ``hit``: a layout answers a shot by itself alone.
* ``sunk``: whether a shot completes a ship of a layout depends on which of that ship's cells were
  shot before, hence on the layout and the *set* of cells shot. The length announced is the
  layout's own. This holds under every contact rule; under ``sides`` the order of shots matters
  only through which layouts it leaves, and those are in the state.
* ``ship``: the cells hit so far fall into groups, one for each ship hit. Every layout still
  possible has been given the same names, so all agree on the groups: they are the nonempty
  ``ship & shot``. Only the numbers among equal lengths depend on the order of shots, and they are
  the same for all layouts left, so renumbering renames answers and parts no two layouts. The next
  answer may therefore be written as (length, group of the ship hit), an empty group for a new one.

A cell that no possible layout occupies is never shot: the state stays what it was but for a cell
that matters to nobody, and one more miss is paid. Nor is in mode ``hit`` a cell that every possible
layout occupies: that costs nothing and tells nothing. Nothing else is assumed; in particular in the
other modes certain hits need not come first, unless ``certain_hits_first`` says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

Ship = frozenset[int]
Layout = frozenset[Ship]
Weights = Mapping[Layout, int] | None
Front = tuple[tuple[int, int], ...]
"""Points (worst, total), least worst first, none as good as another in both."""


# Layouts


def ships_of_length(rows: int, columns: int, length: int) -> set[Ship]:
    """Every way to put one ship on the board."""
    across = {
        frozenset(r * columns + c + i for i in range(length))
        for r in range(rows)
        for c in range(columns - length + 1)
    }
    down = {
        frozenset((r + i) * columns + c for i in range(length))
        for r in range(rows - length + 1)
        for c in range(columns)
    }
    return across | down


def ships_of_form(rows: int, columns: int, drawing: str) -> set[Ship]:
    """Every way to put a ship drawn by rows (``xx/x.``) on the board.

    It is turned and mirrored, unless an equals sign behind it says that it lies as drawn.
    """
    lines = drawing.rstrip("=").split("/")
    places = {(r, c) for r, line in enumerate(lines) for c, sign in enumerate(line) if sign == "x"}
    turned = [places]
    if not drawing.endswith("="):
        for _ in range(3):
            turned.append({(c, -r) for r, c in turned[-1]})
        turned += [{(r, -c) for r, c in each} for each in turned]
    found = set()
    for each in turned:
        for down in range(-9, rows + 9):
            for right in range(-9, columns + 9):
                moved = [(r + down, c + right) for r, c in each]
                if all(0 <= r < rows and 0 <= c < columns for r, c in moved):
                    found.add(frozenset(r * columns + c for r, c in moved))
    return found


def may_stand(columns: int, ship: Ship, other: Ship, contact: str) -> bool:
    """Whether two ships neither overlap nor touch where the contact rule forbids it."""
    for a in ship:
        for b in other:
            down, right = abs(a // columns - b // columns), abs(a % columns - b % columns)
            if contact == "none" and max(down, right) <= 1:
                return False
            if contact == "corners" and down + right <= 1:
                return False
            if a == b:
                return False
    return True


def layouts(
    rows: int, columns: int, fleet: Iterable[int | str], contact: str = "none"
) -> set[Layout]:
    """Every layout of the fleet, each once; ships are lengths, or drawn by rows.

    >>> len(layouts(3, 3, [3, 1, 1]))
    4
    """
    found: set[Layout] = {frozenset()}
    for length in fleet:
        ships = (
            ships_of_form(rows, columns, length)
            if isinstance(length, str)
            else ships_of_length(rows, columns, length)
        )
        found = {
            layout | {ship}
            for layout in found
            for ship in ships
            if all(may_stand(columns, ship, other, contact) for other in layout)
        }
    return found


@lru_cache(maxsize=1 << 16)
def cells_of(layout: Layout) -> frozenset[int]:
    """Cells that a layout occupies."""
    return frozenset().union(*layout)


@lru_cache(maxsize=1 << 16)
def ship_at(layout: Layout) -> dict[int, Ship]:
    """The ship on each cell that a layout occupies."""
    return {cell: ship for ship in layout for cell in ship}


@lru_cache(maxsize=1 << 16)
def cells_of_some_and_all(found: frozenset[Layout]) -> tuple[frozenset[int], frozenset[int]]:
    """Cells that some of the layouts occupy, and those that all of them do."""
    occupied = list(map(cells_of, found))
    return frozenset().union(*occupied), frozenset.intersection(*occupied)


def weight_of(found: Iterable[Layout], weights: Weights = None) -> int:
    """Number of layouts, or the sum of their weights."""
    return sum(1 if weights is None else weights[layout] for layout in found)


def occupancy(found: Collection[Layout], cells: int, weights: Weights = None) -> list[int]:
    """For every cell, the layouts (or their weight) that occupy it."""
    return [
        weight_of((layout for layout in found if cell in cells_of(layout)), weights)
        for cell in range(cells)
    ]


# Answers


def answer(
    layout: Layout,
    shots_before: Sequence[int],
    cell: int,
    mode: str,
    announce: str = "length",
    contact: str = "none",
) -> str:
    """Answer of a layout to a shot, after the shots made before in that order."""
    ship = ship_at(layout).get(cell)
    if ship is None:
        return "miss"
    if mode == "ship":
        hit: list[Ship] = []
        for shot in [*shots_before, cell]:
            hit += [s for s in layout if shot in s and len(s) == len(ship) and s not in hit]
        return f"hit:{len(ship)}#{hit.index(ship) + 1}"
    if mode == "sunk" and not ship.difference(shots_before, [cell]):
        return f"sunk:{len(ship)}" if contact == "sides" and announce == "length" else "sunk"
    return "hit"


def fitting(
    found: Iterable[Layout],
    history: Sequence[tuple[int, str]],
    mode: str,
    announce: str = "length",
    contact: str = "none",
) -> set[Layout]:
    """Layouts that would have given every answer of an ordered history."""
    shots = [cell for cell, _ in history]
    return {
        layout
        for layout in found
        if all(
            answer(layout, shots[:i], cell, mode, announce, contact) == told
            for i, (cell, told) in enumerate(history)
        )
    }


def outcome(
    layout: Layout, shot: Collection[int], cell: int, mode: str, announce: str, contact: str
) -> Hashable:
    """What a shot tells in a state: as ``answer``, a ship's name replaced by its cells hit."""
    ship = ship_at(layout).get(cell)
    if ship is None:
        return "miss"
    if mode == "ship":
        return len(ship), ship & frozenset(shot)
    return answer(layout, tuple(shot), cell, mode, announce, contact)


# The exact search


def pareto(points: Iterable[tuple[int, int]]) -> Front:
    """Points (worst, total) that no other beats in one and equals in the other."""
    best: list[tuple[int, int]] = []
    for worst, total in sorted(set(points)):
        if not best or total < best[-1][1]:
            best.append((worst, total))
    return tuple(best)


class Search:
    """Fronts of all states of one game, each worked out once.

    Parameters
    ----------
    found
        The layouts possible at the start.
    mode, announce, contact
        How shots are answered.
    weights
        Whole number for every layout; all 1 by default.
    certain_hits_first
        Shoot a cell that every possible layout occupies before anything else.
    """

    def __init__(
        self,
        found: Iterable[Layout],
        mode: str = "hit",
        announce: str = "length",
        contact: str = "none",
        weights: Weights = None,
        certain_hits_first: bool = False,
    ) -> None:
        self.found = frozenset(found)
        self.mode, self.announce, self.contact = mode, announce, contact
        self.weights = weights
        self.certain_hits_first = certain_hits_first
        self.known: dict[tuple[frozenset[Layout], frozenset[int]], Front] = {}
        self.most: dict[tuple[frozenset[Layout], frozenset[int], int], int] = {}

    def parts(
        self, possible: frozenset[Layout], shot: frozenset[int], cell: int
    ) -> dict[Hashable, frozenset[Layout]]:
        """Layouts left after each answer to a shot."""
        parts: dict[Hashable, set[Layout]] = defaultdict(set)
        for layout in possible:
            told = outcome(layout, shot, cell, self.mode, self.announce, self.contact)
            parts[told].add(layout)
        return {told: frozenset(part) for told, part in parts.items()}

    def after(self, possible: frozenset[Layout], shot: frozenset[int], cell: int) -> Front:
        """Front of a state when its next shot is given."""
        points = [(0, 0)]
        for told, part in self.parts(possible, shot, cell).items():
            missed = int(told == "miss")
            paid = weight_of(part, self.weights) if missed else 0
            points = [
                (max(worst, more_worst + missed), total + more_total + paid)
                for worst, total in points
                for more_worst, more_total in self.front(part, shot | {cell})
            ]
        return pareto(points)

    def front(self, possible: frozenset[Layout], shot: frozenset[int]) -> Front:
        """All pairs (worst, total) worth having that a strategy from this state can reach."""
        some, all_ = cells_of_some_and_all(possible)
        if some == all_:
            return ((0, 0),)
        # What is water for all tells nothing any more, nor in mode hit what all occupy.
        shot = all_ if self.mode == "hit" else shot & some
        state = (possible, shot)
        if state not in self.known:
            cells = sorted(some - shot)
            certain = sorted(all_ - shot)
            if self.certain_hits_first and certain:
                cells = certain[:1]
            self.known[state] = pareto(
                point for cell in cells for point in self.after(possible, shot, cell)
            )
        return self.known[state]

    def finished(self, possible: frozenset[Layout], shot: frozenset[int], left: int) -> int:
        """Most weight of layouts that a strategy from this state finishes with so many misses."""
        if left < 0:
            return 0
        some, all_ = cells_of_some_and_all(possible)
        if some == all_:
            return weight_of(possible, self.weights)
        shot = all_ if self.mode == "hit" else shot & some
        cells = sorted(some - shot)
        state = (possible, shot, left)
        if state not in self.most:
            self.most[state] = max(
                sum(
                    self.finished(part, shot | {cell}, left - (told == "miss"))
                    for told, part in self.parts(possible, shot, cell).items()
                )
                for cell in cells
            )
        return self.most[state]

    def optimum(self, shot: Collection[int] = ()) -> Front:
        """Front of the whole game, or of the layouts given after some cells were shot."""
        return self.front(self.found, frozenset(shot))


def optimum(found: Iterable[Layout], mode: str = "hit", **options: object) -> dict[str, object]:
    """Optimum of every objective; ``options`` as for ``Search``.

    Returns
    -------
    dict
        ``mean`` (least total), ``worst`` (least worst), ``mean-worst`` and ``worst-mean`` (both
        as pairs (worst, total)) and ``pareto`` (the whole front).

    >>> optimum(layouts(3, 3, [3, 1, 1]))["pareto"]
    ((3, 6),)
    """
    return objectives(Search(found, mode, **options).optimum())  # type: ignore[arg-type]


def objectives(front: Front) -> dict[str, object]:
    """Optimum of every objective, read off a front; keys as in ``optimum``."""
    return {
        "mean": min(total for _, total in front),
        "worst": min(worst for worst, _ in front),
        "mean-worst": min(front, key=lambda point: (point[1], point[0])),
        "worst-mean": min(front),
        "pareto": front,
    }


def first_shot_totals(
    found: Iterable[Layout], cells: int, mode: str = "hit", **options: object
) -> dict[int, int]:
    """Least total of a strategy that begins with each cell, for every cell of the board."""
    search = Search(found, mode, **options)  # type: ignore[arg-type]
    return {
        cell: min(total for _, total in search.after(search.found, frozenset(), cell))
        for cell in range(cells)
    }


def optimal_first_shots(
    found: Iterable[Layout], cells: int, mode: str = "hit", **options: object
) -> list[int]:
    """Every cell that some strategy of least total shoots first.

    In mode ``hit`` a cell that all layouts occupy is always among them: it costs and tells
    nothing.
    """
    totals = first_shot_totals(found, cells, mode, **options)
    return [cell for cell, total in totals.items() if total == min(totals.values())]


# Greedy strategies

Choose = Callable[[frozenset[Layout], Sequence[int]], int]
"""Next shot, given the layouts thought possible and the cells shot so far, in order."""


def greedy_choice(rule: str, cells: int, mode: str = "hit", weights: Weights = None) -> Choose:
    """Choice of rule ``half`` or ``hits``; the first cell in reading order where cells tie.

    ``hits`` shoots the cell that most layouts occupy, ``half`` the one that is occupied in a
    share of them closest to 1/2. A cell that no layout occupies is never shot. One that every
    layout occupies is skipped in mode ``hit``, where it tells nothing, and shot at once in the
    other modes, where it is free and may tell something.
    """

    def choose(possible: frozenset[Layout], shot: Sequence[int]) -> int:
        whole = weight_of(possible, weights)
        heights = occupancy(possible, cells, weights)
        numbers = occupancy(possible, cells)
        free = [cell for cell in range(cells) if numbers[cell] > 0 and cell not in shot]
        certain = [cell for cell in free if numbers[cell] == len(possible)]
        if mode == "hit":
            free = [cell for cell in free if cell not in certain]
        elif certain:
            return certain[0]
        if rule == "hits":
            return max(free, key=lambda cell: heights[cell])
        return min(free, key=lambda cell: abs(Fraction(heights[cell], whole or 1) - Fraction(1, 2)))

    return choose


def may_be(layout: Layout, shots: Sequence[int], told: str, mode: str) -> bool:
    """Whether the last shot's answer fits a layout when ``hit`` only says "occupied"."""
    cell = shots[-1]
    if told == "hit":
        return cell in cells_of(layout)
    return answer(layout, shots[:-1], cell, mode).partition(":")[0] == told.partition(":")[0]


def play_all(
    found: Iterable[Layout],
    choose: Choose,
    mode: str = "hit",
    announce: str = "length",
    contact: str = "none",
    reading: str = "full",
    shots: Sequence[int] = (),
) -> dict[Layout, int]:
    """Misses of a strategy against every layout, after some shots if any are given.

    Under reading ``positive`` the strategy is shown all layouts in which the cells answered
    ``hit`` are occupied, also those in which the answer would have been ``sunk`` (contact rules
    ``none`` and ``corners`` only).
    """
    misses: dict[Layout, int] = {}

    def play(
        possible: frozenset[Layout], thought: frozenset[Layout], shots: list[int], missed: int
    ) -> None:
        if len({cells_of(layout) for layout in thought}) == 1:
            misses.update(dict.fromkeys(possible, missed))
            return
        cell = choose(thought, shots)
        parts: dict[str, set[Layout]] = defaultdict(set)
        for layout in possible:
            parts[answer(layout, shots, cell, mode, announce, contact)].add(layout)
        for told, part in parts.items():
            after = [*shots, cell]
            believed = frozenset(part)
            if reading == "positive":
                believed = frozenset(x for x in thought if may_be(x, after, told, mode))
            play(frozenset(part), believed, after, missed + (told == "miss"))

    everything = frozenset(found)
    play(everything, everything, list(shots), 0)
    return misses


def greedy(
    found: Collection[Layout],
    cells: int,
    rule: str,
    mode: str = "hit",
    announce: str = "length",
    contact: str = "none",
    weights: Weights = None,
    reading: str = "full",
    shots: Sequence[int] = (),
) -> tuple[int, int]:
    """(total, worst) of a greedy strategy, ties broken by the first cell in reading order.

    >>> greedy(layouts(3, 3, [3, 1, 1]), 9, "hits")
    (6, 3)
    """
    choose = greedy_choice(rule, cells, mode, weights)
    misses = play_all(found, choose, mode, announce, contact, reading, shots)
    total = sum(missed * weight_of([layout], weights) for layout, missed in misses.items())
    return total, max(misses.values())


# The graph of sub-tables


def graph(found: Iterable[Layout], cells: int) -> tuple[int, int]:
    """Vertices and edges of the graph of all sub-tables in mode ``hit``.

    A vertex is a set of layouts that shots can leave, sets of one layout included; two edges
    (miss, hit) leave it for every cell whose content differs between its layouts.

    >>> graph(layouts(3, 3, [3, 1, 1]), 9)
    (15, 56)
    """
    start = frozenset(cells_of(layout) for layout in found)
    seen, waiting, edges = {start}, [start], 0
    while waiting:
        vertex = waiting.pop()
        for cell in range(cells):
            hit = frozenset(occupied for occupied in vertex if cell in occupied)
            if 0 < len(hit) < len(vertex):
                edges += 2
                new = {hit, vertex - hit} - seen
                seen |= new
                waiting += new
    return len(seen), edges
