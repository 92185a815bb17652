"""One strategy of games for all laws: rules, a position reached by play, chances of layouts.

A hidden layout is drawn with the game and answers the shots, so every position is one that play can
reach. Shots go on until what is left is small enough for the naive twin (``twins.naive``), which
works without anything of ``seabattle``.

``SEABATTLE_LAW_EXAMPLES`` multiplies the number of examples; they are the same in every run unless
it is set.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, assume, settings
from hypothesis import strategies as st
from twins import naive, naive_priors

from seabattle import DecisionTable, Position, Prior, ProductPrior, Rules, SumPrior, TablePrior
from seabattle import enumerate_layouts as list_layouts
from seabattle.enumerate.placements import placement_table

Shots = tuple[tuple[int, str], ...]
Size = tuple[int, int]

TIMES = float(os.environ.get("SEABATTLE_LAW_EXAMPLES", "0"))
BOARDS = [
    (1, 6),
    (1, 8),
    (2, 3),
    (2, 4),
    (2, 5),
    (2, 6),
    (3, 3),
    (3, 3),
    (3, 4),
    (4, 3),
    (4, 4),
    (5, 5),
]
DRAWN = {"2x2": "xx/xx", "2h": "xx=", "3v": "x/x/x=", "1x4=": "xxxx="}
"""Drawings of ships that are written otherwise."""

AT_CORNERS = ("x./.x", "x.x/.x.", "x../.xx")
FIXED = ("2h", "3v", "1x4=", "xx/x.=", "xxx/x..=")
FORMS = {
    form: DRAWN.get(form, form).count("x")
    for form in ("2x2", "xx/x.", "xxx/x..", ".x./xxx", *AT_CORNERS, *FIXED)
}
"""Ships that are not lines, joined at corners or by sides, or never turned; and their cells."""

MODES = ("hit", "sunk", "ship")
CONTACTS = ("none", "corners", "sides")
ANNOUNCEMENTS = ("none", "length")
OBJECTIVES = ("mean", "worst", "mean-worst", "worst-mean", "pareto")
MOST_LISTED = 600
"""Layouts of the whole game that the twin lists."""

SMALL = 40, 11
"""Layouts and cells in question that the naive search takes in a moment."""

MIDDLE = 200, 20
"""... and that a listing takes."""


def law(examples: int, **options: Any) -> settings:
    """Settings of a law: so many examples, the same in every run."""
    return settings(
        max_examples=max(1, int(examples * (TIMES or 1))),
        derandomize=not TIMES,
        database=None,
        deadline=None,
        print_blob=True,
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        **options,
    )


@lru_cache(maxsize=512)
def all_layouts(
    rows: int, columns: int, fleet: tuple[int | str, ...], contact: str
) -> list[naive.Layout]:
    """All layouts of a game in an order that is the same in every run."""
    found = naive.layouts(rows, columns, fleet, contact)
    return sorted(found, key=lambda layout: sorted(map(sorted, layout)))


@dataclass(frozen=True)
class Game:
    """A game in progress, in plain words, so that an example can be written down.

    Attributes
    ----------
    board, fleet, contact, answers, announce
        As ``Rules`` takes them.
    history
        Cells shot, by number, with their answers in words.
    blocked
        Cells, by number, on which no ship can lie.
    kind, weights
        How likely layouts are: "" for all equally, ``product`` or ``sum`` of a weight per cell,
        or ``table``, in which the weights are given to the listed layouts in turn.
    """

    board: str
    fleet: str
    contact: str = "none"
    answers: str = "hit"
    announce: str = "length"
    history: Shots = ()
    kind: str = ""
    weights: tuple[int, ...] = ()
    blocked: tuple[int, ...] = ()

    # What the package is asked

    @cached_property
    def rules(self) -> Rules:
        """The rules."""
        return Rules(
            self.board, self.fleet, self.contact, self.answers, self.announce, self.blocked
        )

    @cached_property
    def position(self) -> Position:
        """The position."""
        names = [(self.rules.board.name(cell), told) for cell, told in self.history]
        return Position.read(self.rules, names)

    @cached_property
    def prior(self) -> Prior | None:
        """The prior; None when all layouts are equally likely."""
        if self.kind == "product":
            return ProductPrior.of_cells(self.rules, self.weights)
        if self.kind == "sum":
            return SumPrior(self.rules, self.weights)
        if self.kind == "table":
            rows = map(tuple, list_layouts(self.rules).ships.tolist())
            return TablePrior(
                self.rules, {row: self.weight_of[self.layout_of(row)] for row in rows}
            )
        return None

    @cached_property
    def table(self) -> DecisionTable:
        """The layouts that fit, with their weights."""
        return DecisionTable.build(self.position, prior=self.prior)

    @cached_property
    def ships(self) -> list[naive.Ship]:
        """The cells of each placement of the rules, by its number."""
        return [frozenset(ship.cells) for ship in placement_table(self.rules).placements]

    def layout_of(self, numbers: Iterable[int]) -> naive.Layout:
        """A layout as the twin knows it, from the numbers of its placements."""
        return frozenset(self.ships[number] for number in numbers)

    # What the twin is asked

    @property
    def rows(self) -> int:
        """Rows of the board."""
        return int(self.board.split("x")[0])

    @property
    def columns(self) -> int:
        """Columns of the board."""
        return int(self.board.split("x")[1])

    @property
    def cells(self) -> int:
        """Cells of the board."""
        return self.rows * self.columns

    @property
    def drawn(self) -> tuple[int | str, ...]:
        """The ships as the twin takes them: lengths, and drawings by rows."""
        return tuple(int(s) if s.isdigit() else DRAWN.get(s, s) for s in self.fleet.split(","))

    @property
    def lengths(self) -> tuple[int, ...]:
        """Numbers of cells of the ships."""
        return tuple(s if isinstance(s, int) else s.count("x") for s in self.drawn)

    @property
    def spoken(self) -> tuple[str, str, str]:
        """Mode, announcement and contact rule as the twin takes them."""
        return self.answers, self.announce, self.contact

    @property
    def shot(self) -> frozenset[int]:
        """Cells shot."""
        return frozenset(cell for cell, _ in self.history)

    @cached_property
    def everything(self) -> list[naive.Layout]:
        """All layouts of the rules."""
        found = all_layouts(self.rows, self.columns, self.drawn, self.contact)
        closed = set(self.blocked)
        return [layout for layout in found if closed.isdisjoint(naive.cells_of(layout))]

    @cached_property
    def possible(self) -> list[naive.Layout]:
        """Layouts that fit the position."""
        fitting = naive.fitting(self.everything, self.history, *self.spoken)
        return [layout for layout in self.everything if layout in fitting]

    @cached_property
    def weight_of(self) -> dict[naive.Layout, int]:
        """Weight of every layout of the rules; all 1 without a prior."""
        if self.kind == "table":
            turns = len(self.weights)
            return {layout: self.weights[i % turns] for i, layout in enumerate(self.everything)}
        weigh: Callable[[naive.Layout], Fraction] = lambda layout: Fraction(1)  # noqa: E731
        cells = list(map(Fraction, self.weights))
        if self.kind == "sum":
            weigh = naive_priors.by_cells(cells)
        elif self.kind == "product":
            ships = frozenset().union(*self.everything)
            weigh = naive_priors.by_ships({ship: _product(cells, ship) for ship in ships})
        return {layout: int(weigh(layout)) for layout in self.everything}

    @cached_property
    def likely(self) -> list[naive.Layout]:
        """Layouts that fit and weigh more than 0."""
        return [layout for layout in self.possible if self.weight_of[layout]]

    @cached_property
    def weight(self) -> int:
        """Weight of the layouts that fit."""
        return naive.weight_of(self.possible, self.weight_of)

    @cached_property
    def twin(self) -> naive.Search:
        """The naive search of the position."""
        return naive.Search(self.likely, *self.spoken, weights=self.weight_of)

    @cached_property
    def optimum(self) -> dict[str, Any]:
        """The twin's optimum of every objective; totals are those of the twin's weights."""
        return naive.objectives(self.twin.optimum(self.shot))

    @cached_property
    def totals_after(self) -> dict[int, int]:
        """Least total after a shot at each cell not yet shot, by the twin."""
        left = [cell for cell in range(self.cells) if cell not in self.shot]
        found = frozenset(self.likely)
        return {
            cell: min(total for _, total in self.twin.after(found, self.shot, cell))
            for cell in left
        }

    @cached_property
    def best_cells(self) -> list[int]:
        """All cells with which a strategy of least mean begins; none when nothing can be missed."""
        if self.over:
            return []
        useful = frozenset().union(*map(naive.cells_of, self.likely)) - self.shot
        return [c for c in sorted(useful) if self.totals_after[c] == self.optimum["mean"]]

    @cached_property
    def over(self) -> bool:
        """Whether all layouts that fit and can be occupy the same cells."""
        return len(set(map(naive.cells_of, self.likely))) == 1

    @cached_property
    def unknown(self) -> int:
        """Number of cells that some layouts that fit occupy, and others not."""
        occupied = [naive.cells_of(layout) for layout in self.likely]
        return len(frozenset.union(*occupied) - frozenset.intersection(*occupied))

    def is_within(self, size: Size) -> bool:
        """Whether what is left is so small; sinkings with contact have more to find out."""
        layouts, cells = size
        return len(self.possible) <= layouts and self.unknown <= cells

    def shoot(self, cell: int, hidden: naive.Layout) -> Game:
        """The game after one more shot, answered by a layout."""
        told = naive.answer(hidden, [c for c, _ in self.history], cell, *self.spoken)
        return replace(self, history=(*self.history, (cell, told)))


def _product(weights: list[Fraction], ship: naive.Ship) -> Fraction:
    found = Fraction(1)
    for cell in ship:
        found *= weights[cell]
    return found


@st.composite
def rules_drawn(
    draw: st.DrawFn, modes: tuple[str, ...] = MODES, boards: list[Size] = BOARDS
) -> Game:
    """A game at its beginning, all layouts equally likely."""
    rows, columns = draw(st.sampled_from(boards))
    longest = st.integers(1, min(4, max(rows, columns)))
    fleet = draw(st.lists(longest, min_size=1, max_size=2 if rows * columns > 20 else 3))
    lengths = tuple(sorted(fleet, reverse=True))
    contact = draw(st.sampled_from(CONTACTS))
    assume(sum(lengths) <= rows * columns // (1 + (contact != "sides")))
    answers = draw(st.sampled_from(modes))
    announce = draw(st.sampled_from(ANNOUNCEMENTS)) if contact == "sides" else "length"
    ships = [str(length) for length in lengths]
    if min(rows, columns) > 1 and draw(st.integers(0, 3)) == 0:
        form = draw(st.sampled_from(sorted(FORMS)))
        assume(FORMS[form] not in lengths[1:] or answers != "ship")
        assume(form not in AT_CORNERS or (contact, answers) != ("corners", "sunk"))
        ships[0] = form
        told_apart = form not in ("2h", "3v", "1x4=") or FORMS[form] not in lengths[1:]
        assume(told_apart)  # which of both lies on some cells, only the counter knows
        lengths = tuple(sorted((*lengths[1:], FORMS[form]), reverse=True))
    closed = draw(st.sets(st.integers(0, rows * columns - 1), max_size=2))
    blocked = tuple(sorted(closed)) if draw(st.booleans()) else ()
    assume(sum(lengths) <= rows * columns - len(blocked))
    game = Game(
        f"{rows}x{columns}", ",".join(ships), contact, answers, announce,
        blocked=blocked,
    )  # fmt: skip
    assume(1 < len(game.everything) <= MOST_LISTED)
    return game


@st.composite
def games(
    draw: st.DrawFn,
    *,
    size: Size = SMALL,
    modes: tuple[str, ...] = MODES,
    priors: bool = True,
    over: bool = False,
) -> Game:
    """A game in progress of which little is left to find out, but something unless ``over``."""
    game = draw(rules_drawn(modes))
    chance = Random(draw(st.integers(0, 2**32 - 1)))
    hidden = chance.choice(game.everything)
    shots = chance.randrange(5)
    for cell in chance.sample(range(game.cells), game.cells):
        if len(game.history) >= shots and game.is_within(size):
            break
        after = game.shoot(cell, hidden)
        if over or not after.over:
            game = after
    assume(game.is_within(size))
    if priors and chance.random() < 0.5:
        weights = tuple(chance.choice((0, 1, 1, 2, 3)) for _ in range(game.cells))
        weighed = replace(game, kind=chance.choice(("product", "sum", "table")), weights=weights)
        if any(weights) and weighed.weight and (over or not weighed.over):
            return weighed
    return game
