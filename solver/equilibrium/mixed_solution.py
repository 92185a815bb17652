"""The solved game of hiding and shooting: two mixes, the interval they prove, and draws from them.

``solver.equilibrium.double_oracle`` finds the mixes and ``solver.equilibrium.mix_files`` keeps them
on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.arguments import require_type, require_whole
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.errors import LayoutError, TreeError
from seabattle.enumerate.layouts import Layouts
from seabattle.enumerate.plain_arguments import require_flag
from seabattle.enumerate.rules import Rules
from seabattle.solver.equilibrium.certificate import Certificate, certify, transformed_copies
from seabattle.solver.search.limits import Limits, Snapshot
from seabattle.trees.plans import Grower
from seabattle.trees.tree import Tree, transformed


@dataclass(frozen=True)
class Step:
    """The interval at one moment: seconds since the start, bounds, trees known."""

    seconds: float
    lower: float
    upper: float
    trees: int


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
    stopped_by, interrupted
        What ended the work before the gap was reached, in words; whether it was Ctrl-C.
    subtables, sweeps
        Nodes of the graph, and best responses computed.
    seconds, history
        Time taken, and how the interval closed.

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
    stopped_by: str = ""
    interrupted: bool = False
    subtables: int = 0
    sweeps: int = 0
    seconds: float = 0.0
    history: tuple[Step, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        require_flag("interrupted", self.interrupted)

    def __repr__(self) -> str:
        return (
            f"<equilibrium of {self.rules}: between {float(self.lower_bound):.9g} and "
            f"{float(self.upper_bound):.9g}, {len(self.plans)} trees, "
            f"{self.layouts_in_support} layouts>"
        )

    def _repr_html_(self) -> str:
        from seabattle.enumerate.picture import html_table, map_html
        from seabattle.enumerate.words import counted

        lower, upper = float(self.lower_bound), float(self.upper_bound)
        facts = [
            ("game", str(self.rules)),
            ("value", f"{float(self.value):.6f} misses" + (" exactly" if self.is_exact else "")),
            *([] if self.is_exact else [("proven", f"between {lower:.9g} and {upper:.9g}")]),
            ("uniform layouts", f"{float(self.uniform_value):.6f} misses"),
            ("shooting mix", counted(len(self.plans), "tree")),
            ("hiding mix", f"{self.layouts_in_support:,} of {len(self.layouts):,} layouts"),
            *([("stopped", self.stopped_by)] if self.stopped_by else []),
        ]
        chances = self.occupancy()
        whole = lcm(*(chance.denominator for chance in chances))
        return html_table((), facts, left=(0, 1)) + map_html(
            self.rules.board,
            [int(chance * whole) for chance in chances],
            whole,
            shots={},
            best=(),
            caption="how often the hiding mix occupies each cell, in percent",
        )

    @property
    def rules(self) -> Rules:
        """The game."""
        return self.layouts.rules

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
        LayoutError
            If there is no layout of this number.
        TypeError
            If it is not a whole number.
        """
        wanted = require_whole("number", number)
        if not 0 <= wanted < len(self.hiding):
            raise LayoutError(f"number {wanted}: the layouts are 0 to {len(self.hiding) - 1} here")
        return Fraction(self.hiding[wanted], self._hiding_total)

    def shooting_chance(self, number: int) -> Fraction:
        """Probability that the shooting mix plays a tree, given by its number, in any symmetry.

        Raises
        ------
        TreeError
            If there is no tree of this number.
        TypeError
            If it is not a whole number.
        """
        return Fraction(self.shooting[self._tree_number(number)], sum(self.shooting))

    @cached_property
    def _hiding_total(self) -> int:
        return sum(self.hiding)

    @cached_property
    def _hiding_shares(self) -> NDArray[np.float64]:
        return _shares(self.hiding)

    @cached_property
    def _shooting_shares(self) -> NDArray[np.float64]:
        return _shares(self.shooting)

    @cached_property
    def _grower(self) -> Grower:
        return Grower(self.layouts)

    def tree(self, number: int) -> Tree:
        """One tree of the shooting mix, before any symmetry is applied.

        Raises
        ------
        TreeError
            If there is no tree of this number.
        TypeError
            If it is not a whole number.
        """
        plan = self.plans[self._tree_number(number)]
        return self._grower.grow(plan, objective="equilibrium")

    def _tree_number(self, number: int) -> int:
        """The number of a tree, if there is one."""
        wanted = require_whole("number", number)
        if not 0 <= wanted < len(self.plans):
            raise TreeError(f"number {wanted}: the trees are 0 to {len(self.plans) - 1} here")
        return wanted

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
        _check_generator(generator)
        return int(generator.choice(len(self.hiding), p=self._hiding_shares))

    def draw_tree(self, generator: np.random.Generator) -> Tree:
        """A random tree from the shooting mix, under a random symmetry of the board."""
        _check_generator(generator)
        number = int(generator.choice(len(self.shooting), p=self._shooting_shares))
        symmetries = self.rules.board.symmetries
        return transformed(self.tree(number), symmetries[int(generator.integers(len(symmetries)))])

    def occupancy(self) -> tuple[Fraction, ...]:
        """Probability that each cell is occupied under the hiding mix, in reading order."""
        counts = [0] * self.rules.board.cells
        for mask, weight in zip(self.layouts.masks[:, 0].tolist(), self.hiding, strict=True):
            for cell in cells_of(mask) if weight else ():
                counts[cell] += weight
        total = sum(self.hiding)
        return tuple(Fraction(count, total) for count in counts)

    def first_shots(self) -> tuple[Fraction, ...]:
        """Probability that the shooting mix begins with each cell, in reading order."""
        board = self.rules.board
        shares = [Fraction(0)] * board.cells
        total = sum(self.shooting) * len(board.symmetries)
        for number, weight in enumerate(self.shooting):
            cell = self.tree(number).root.shot
            for symmetry in board.symmetries if cell >= 0 else ():
                shares[symmetry[cell]] += Fraction(weight, total)
        return tuple(shares)

    def layout_orbits(self) -> NDArray[np.int64]:
        """Orbit of each layout under turning and mirroring: int64 ``(n_layouts,)``.

        The number of an orbit is that of its first layout.
        """
        return np.asarray(transformed_copies(self.layouts).min(axis=0))

    def certify(
        self,
        *,
        time_limit: float | None = None,
        memory_limit: float = 4.0,
        progress: Callable[[Snapshot], None] | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Certificate:
        """Recompute the interval from the mixes, by code that did not produce them.

        Parameters
        ----------
        time_limit, memory_limit, progress, stop
            As in ``solve``.

        Raises
        ------
        LimitReached
            At a limit.
        """
        limits = Limits.of(time_limit, memory_limit, progress, stop)
        trees = [self.tree(number) for number in range(len(self.plans))]
        return certify(self.layouts, self.hiding, trees, self.shooting, limits=limits)


def _check_generator(generator: object) -> None:
    require_type(
        "generator", generator, np.random.Generator, "a numpy Generator, as in default_rng(1)"
    )


def _shares(weights: tuple[int, ...]) -> NDArray[np.float64]:
    """Weights as numpy draws by them: float64, of sum 1."""
    total = sum(weights)
    shares = np.array([weight / total for weight in weights])
    return np.asarray(shares / shares.sum())
