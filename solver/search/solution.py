"""A solved game: its objective, the best tree, and the proven interval."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from seabattle.enumerate.deductions import answers_in_words
from seabattle.enumerate.picture import html_table
from seabattle.enumerate.plain_arguments import require_flag
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.words import counted
from seabattle.trees.tree import Tree


class Objective(StrEnum):
    """What an optimal tree minimises."""

    MEAN = "mean"
    WORST = "worst"
    MEAN_WORST = "mean-worst"
    WORST_MEAN = "worst-mean"
    PARETO = "pareto"


@dataclass(frozen=True)
class Solution:
    """A solved game.

    Attributes
    ----------
    status
        ``optimal``, or ``bounded`` when a limit or Ctrl-C stopped the search.
    tree
        The best tree; with objective ``pareto`` the one of least worst case.
    front
        With ``pareto``: a tree for every pair (worst, total), least worst first.
    total_misses, mean_misses, worst_misses
        Of ``tree``: in the total a layout counts as often as it weighs, one of weight 0 not at
        all; the worst case is that of every layout that fits what is known, those of weight 0
        included.
    lower_bound, upper_bound
        Proven interval of the objective's first component: total misses, or worst misses.
    states, nodes
        Distinct keys stored, sub-tables expanded, when the value was proven.
    sets
        Sets of misses weighed, where they were worked out beside the search; else 0.
    best_shots
        Names of all optimal first shots, in reading order: those with which a tree can begin that
        is optimal by the whole objective; with ``pareto`` the trees of the front's first point, so
        that they are those of ``worst-mean``. A certain hit is one too, as it costs nothing. Empty
        if the value is not proven, if nothing is left to hit, or if ``stopped_by`` says that they
        are not known.
    values
        Least total for every first shot in reading order, whatever the objective; None unless
        requested, and when the search stopped before they were known.
    search_seconds
        Time of the search alone, kernels already compiled.
    interrupted, stopped_by
        Whether Ctrl-C stopped the search, and what stopped it in words, empty when nothing did.
        After a stop that follows the proof the status is "optimal", and the words end with what
        is not known: the best first shots, the values, or both.
    progress
        For a large game: (seconds, total misses) of each tree tried on the way.
    """

    rules: Rules
    position: Position
    objective: str
    status: str
    layouts: int
    weight: int
    tree: Tree
    front: tuple[Tree, ...]
    lower_bound: int
    upper_bound: int
    states: int
    nodes: int
    best_shots: tuple[str, ...]
    values: tuple[int, ...] | None
    search_seconds: float
    interrupted: bool = False
    stopped_by: str = ""
    progress: tuple[tuple[float, int], ...] = ()
    sets: int = 0

    def __post_init__(self) -> None:
        require_flag("interrupted", self.interrupted)

    @property
    def total_misses(self) -> int:
        """Total misses of the tree."""
        return self.tree.total_misses

    @property
    def worst_misses(self) -> int:
        """Misses of the tree in the worst case."""
        return self.tree.worst_misses

    @property
    def mean_misses(self) -> Fraction:
        """Total over weight."""
        return Fraction(self.total_misses, self.weight)

    @property
    def _no_shots(self) -> str:
        if self.status == "bounded":
            return "not proven"
        return "not known" if self.stopped_by else "none: the layout is known"

    @property
    def best_cells(self) -> tuple[int, ...]:
        """Numbers of all optimal first shots, in reading order."""
        return tuple(map(self.rules.board.cell, self.best_shots))

    def __repr__(self) -> str:
        bounded = self.status == "bounded"
        interval = f" between {self.lower_bound:,} and {self.upper_bound:,}" if bounded else ""
        mean = self.mean_misses
        known = f"; {answers_in_words(self.position)}" if self.position.shots else ""
        return (
            f"<solution: objective {self.objective}, {self.status}{interval}, "
            f"mean {mean} = {float(mean):.4f}, worst {self.worst_misses}, "
            f"first shots {' '.join(self.best_shots) or self._no_shots}; {self.rules}{known}>"
        )

    @property
    def work(self) -> str:
        """What the proof took, in words: keys, sub-tables and, if any, sets of misses."""
        keys = counted(self.states, "key", separator=",")
        words = f"{keys} stored, {counted(self.nodes, 'sub-table', separator=',')} expanded"
        return words + (f", {self.sets:,} sets of misses weighed" if self.sets else "")

    def _repr_html_(self) -> str:
        bounded = self.status == "bounded"
        interval = f", between {self.lower_bound:,} and {self.upper_bound:,}" if bounded else ""
        mean = f"{float(self.mean_misses):.4f} ({self.total_misses}/{self.weight})"
        facts = [
            ("game", str(self.rules)),
            ("layouts", f"{self.layouts:,}"),
            ("objective", self.objective),
            ("status", f"{self.status}{interval}; tree verified"),
            ("misses", f"mean {mean}, worst {self.worst_misses}"),
            *((f"front {n}", f"worst {t.worst_misses}, total {t.total_misses:,}")
              for n, t in enumerate(self.front, start=1)),
            *([("stopped", self.stopped_by)] if self.stopped_by else []),
            ("best first shots", " ".join(self.best_shots) or self._no_shots),
            ("search", self.work),
        ]  # fmt: skip
        table = html_table((), facts, left=(0, 1))
        return f'{table}<div style="overflow-x:auto">{self.tree._repr_svg_()}</div>'


def left_open(shots: tuple[str, ...] | None, costs: tuple[int, ...] | None, *, values: bool) -> str:
    """What a stop after the proof leaves unknown, in words."""
    unknown = ["the best first shots"] if shots is None else []
    unknown += ["the values"] if values and costs is None else []
    return ", after the proof" + (f": {' and '.join(unknown)} are not known" if unknown else "")
