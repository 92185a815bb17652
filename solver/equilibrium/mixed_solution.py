"""The solved game of hiding and shooting: two mixes, the interval they prove, and draws from them.

``solver.equilibrium.double_oracle`` finds the mixes and ``solver.equilibrium.mix_files`` keeps them
on disk.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import within
from seabattle.enumerate.layouts import Layouts
from seabattle.enumerate.map import HeatMap
from seabattle.enumerate.picture import html_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.equilibrium.certificate import best_response_value, shooting_costs
from seabattle.solver.search.queries import Limits
from seabattle.trees.plans import Grower
from seabattle.trees.tree import Tree, transformed

MOST_DIGITS = 30
"""Fractions of more digits are shown as decimals only."""


def _fraction_text(value: Fraction) -> str:
    """A number, and as a fraction where that is short.

    >>> _fraction_text(Fraction(321, 74))
    '4.337838 (321/74)'
    """
    text = f"{float(value):.6f}"
    return f"{text} ({value})" if len(str(value)) <= MOST_DIGITS else text


BOUNDS = ("lower_bound", "upper_bound", "uniform_value")
"""Figures of an equilibrium that are kept as fractions."""


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A hiding mix and a shooting mix with the interval they prove.

    Attributes
    ----------
    layouts
        All layouts of the game.
    hiding
        Whole-number weight of each layout, in the order of ``layouts``; ``hiding_chance`` is weight
        over sum. Symmetric layouts weigh the same.
    plans, shooting
        The trees of the shooting mix as plans (``trees.plans``), and their whole-number
        weights. The shooter applies a random symmetry to the drawn tree.
    lower_bound, upper_bound
        Mean misses that the hiding mix guarantees the placer, and that the shooting mix allows at
        most; equal when the game is solved exactly.
    uniform_value
        Mean misses of the best tree when all layouts are equally likely.
    interrupted, stopped_by
        Whether Ctrl-C ended the work before the gap was reached, and what ended it in words, empty
        when nothing did.
    subtables, sweeps
        Nodes of the graph, and best responses computed.
    seconds
        Time taken.
    sought
        The gap that was asked for.

    Examples
    --------
    >>> from seabattle.solver.equilibrium.double_oracle import equilibrium
    >>> solved = equilibrium(Rules("3x4", "2,1"))
    >>> solved.value, solved.uniform_value, solved.layouts_in_support
    (Fraction(321, 74), Fraction(321, 74), 74)
    >>> generator = np.random.default_rng(1)
    >>> solved.hiding_chance(0), sum(map(solved.shooting_chance, range(len(solved.plans))))
    (Fraction(1, 74), Fraction(1, 1))
    >>> len(solved.draw_layout(generator))
    2
    >>> solved.draw_tree(generator).layouts
    74
    """

    layouts: Layouts
    hiding: tuple[int, ...]
    plans: tuple[NDArray[np.int8], ...]
    shooting: tuple[int, ...]
    lower_bound: Fraction
    upper_bound: Fraction
    uniform_value: Fraction
    interrupted: bool = False
    stopped_by: str = ""
    subtables: int = 0
    sweeps: int = 0
    seconds: float = 0.0
    sought: float = 0.0

    def __repr__(self) -> str:
        return (
            f"<equilibrium of {self.rules}: between {float(self.lower_bound):.9g} and "
            f"{float(self.upper_bound):.9g}, {len(self.plans)} trees, "
            f"{self.layouts_in_support} layouts>"
        )

    def _repr_html_(self) -> str:
        facts = [("game", str(self.rules)), *self.facts()]
        hidden = tuple(map(float, self.occupancy()))
        title = "How often the hiding mix occupies each cell"
        found = HeatMap(Position(self.rules), 0, hidden, title=title, marked=())
        return html_table((), facts, left=(0, 1)) + found._repr_svg_()

    @property
    def status(self) -> str:
        """``exact``, ``closed`` where the gap that was asked for is reached, else ``bounded``."""
        if self.is_exact:
            return "exact"
        return "closed" if self.gap <= Fraction(self.sought) else "bounded"

    def document(self) -> dict[str, Any]:
        """What ``equilibrium --json`` prints after the game, the matchups apart.

        Fields
        ------
        layouts: layouts of the game
        status: exact if the bounds meet, closed if the gap asked for is reached, else bounded
        value: misses to be expected when both sides play their mixes
        lower_bound: misses that the hiding mix costs every shooter at least, on average
        upper_bound: misses that the shooting mix needs at most, on average, against any layout
        gap: the upper bound less the lower
        uniform_value: least mean of misses where every layout is equally likely
        exact: the same figures as quotients
        exact.value: of value; null if it is not known exactly
        exact.lower_bound: of lower_bound
        exact.upper_bound: of upper_bound
        exact.uniform_value: of uniform_value
        trees: trees in the shooting mix
        layouts_in_support: layouts that the hiding mix uses
        subtables: sub-tables in each sweep
        sweeps: best trees computed
        stopped_by: what stopped it; empty when nothing did
        """
        return {
            "layouts": len(self.layouts),
            "status": self.status,
            **{
                name: float(getattr(self, name))
                for name in ("value", "lower_bound", "upper_bound", "gap", "uniform_value")
            },
            "exact": {
                "value": str(self.value) if self.is_exact else None,
                **{name: str(getattr(self, name)) for name in BOUNDS},
            },
            "trees": len(self.plans),
            "layouts_in_support": self.layouts_in_support,
            "subtables": self.subtables,
            "sweeps": self.sweeps,
            "stopped_by": self.stopped_by,
        }

    def facts(self) -> list[tuple[str, str]]:
        """The equilibrium as labels and texts, the game apart."""
        gain = self.value - self.uniform_value
        more = f", {100 * float(gain / self.uniform_value):.2f} %" if self.uniform_value else ""
        told = "exact" if self.is_exact else f"interval {float(self.gap):.1e} wide"
        if self.status == "bounded":
            told += f", {self.stopped_by or 'rounding allows no less'}"
        uniform = _fraction_text(self.uniform_value)
        return [
            ("layouts", f"{len(self.layouts):,}, {self.layouts_in_support:,} in the hiding mix"),
            ("value", f"{_fraction_text(self.value)} misses"),
            ("status", f"{told}; bounds recomputed from the mixes, trees verified"),
            ("interval", f"{float(self.lower_bound):.10f} to {float(self.upper_bound):.10f}"),
            ("uniform", f"{uniform} misses when all layouts are alike"),
            ("hiding gains", f"{float(gain):.6f} misses{more}"),
            ("shooting mix", f"{len(self.plans)} trees, each turned or mirrored at random"),
            ("work", f"{self.subtables:,} sub-tables, {self.sweeps} best trees, "
                     f"{self.seconds:.1f} s"),
        ]  # fmt: skip

    @property
    def rules(self) -> Rules:
        """The game."""
        return self.layouts.rules

    @property
    def hidden(self) -> DecisionTable:
        """The layouts with their weights in the hiding mix."""
        return DecisionTable(self.layouts, np.array(self.hiding, dtype=np.int64))

    @property
    def is_exact(self) -> bool:
        """Whether the bounds are equal."""
        return self.lower_bound == self.upper_bound

    @property
    def value(self) -> Fraction:
        """The value of the game where it is known exactly, else the middle of the interval."""
        return (self.lower_bound + self.upper_bound) / 2

    @property
    def gap(self) -> Fraction:
        """Width of the interval."""
        return self.upper_bound - self.lower_bound

    @property
    def layouts_in_support(self) -> int:
        """Number of layouts that the hiding mix uses."""
        return sum(weight > 0 for weight in self.hiding)

    def hiding_chance(self, number: int) -> Fraction:
        """Probability that the hiding mix places a layout, given by its number in ``layouts``.

        Raises
        ------
        SeabattleError
            If there is no layout of this number.
        """
        return _share(self.hiding, number)

    def shooting_chance(self, number: int) -> Fraction:
        """Probability that the shooting mix plays a tree, given by its number, in any symmetry.

        Raises
        ------
        SeabattleError
            If there is no tree of this number.
        """
        return _share(self.shooting, number)

    @cached_property
    def _grower(self) -> Grower:
        return Grower(self.layouts)

    def tree(self, number: int) -> Tree:
        """One tree of the shooting mix, before any symmetry is applied.

        Raises
        ------
        SeabattleError
            If there is no tree of this number, or the plan is none of the game.
        """
        plan = self.plans[within("number", number, 0, len(self.plans) - 1)]
        return self._grower.grow(plan, objective="equilibrium")

    @property
    def trees(self) -> list[Tree]:
        """All of them."""
        return list(map(self.tree, range(len(self.plans))))

    def draw_layout(self, generator: np.random.Generator) -> list[str]:
        """A layout at random from the hiding mix: the names of its ships.

        Parameters
        ----------
        generator
            A numpy ``Generator``; the same state draws the same layout.
        """
        return self.layouts.names(self.draw_layout_number(generator))

    def draw_layout_number(self, generator: np.random.Generator) -> int:
        """As ``draw_layout``, but the layout's number in ``layouts``."""
        return _drawn(self.hiding, generator)

    def draw_tree(self, generator: np.random.Generator) -> Tree:
        """A random tree from the shooting mix, under a random symmetry of the board."""
        number = _drawn(self.shooting, generator)
        symmetries = self.rules.symmetries
        return transformed(self.tree(number), symmetries[int(generator.integers(len(symmetries)))])

    def occupancy(self) -> tuple[Fraction, ...]:
        """Probability that each cell is occupied under the hiding mix, in reading order."""
        counts = self.hidden.column_counts().tolist()
        return tuple(Fraction(count, sum(self.hiding)) for count in counts)

    def first_shots(self) -> tuple[Fraction, ...]:
        """Probability that the shooting mix begins with each cell, in reading order."""
        symmetries = self.rules.symmetries
        shares = [Fraction(0)] * self.rules.board.cells
        total = sum(self.shooting) * len(symmetries)
        for tree, weight in zip(self.trees, self.shooting, strict=True):
            cell = tree.root.shot
            for symmetry in symmetries if cell >= 0 else ():
                shares[symmetry[cell]] += Fraction(weight, total)
        return tuple(shares)

    def certify(self, limits: Limits | None = None) -> Equilibrium:
        """The mixes with the interval recomputed from them, by code that did not produce them.

        The lower bound is the mean of the best tree against the hiding mix, the upper bound that of
        the shooting mix against the layout that costs it most.

        Parameters
        ----------
        limits
            Of the search for that tree.

        Raises
        ------
        LimitReached
            At a limit.
        WeightsError
            If a weight is negative, all are 0, their number is wrong, or their sum is too large.
        TreeError
            If a plan is none of the game.
        """
        costs, scale = shooting_costs(self.layouts, self.trees, self.shooting)
        lower = best_response_value(self.layouts, self.hiding, limits=limits)
        return replace(self, lower_bound=lower, upper_bound=Fraction(max(costs), scale))


def _share(weights: tuple[int, ...], number: int) -> Fraction:
    """What a weight is of all of them."""
    return Fraction(weights[within("number", number, 0, len(weights) - 1)], sum(weights))


def _drawn(weights: tuple[int, ...], generator: np.random.Generator) -> int:
    """A number at random, as likely as its weight says."""
    total = sum(weights)
    shares = np.array([weight / total for weight in weights])
    return int(generator.choice(len(weights), p=shares / shares.sum()))
