"""A solved game: the best tree, and the proven interval."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.picture import html_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.words import counted, interval_text, mean_text
from seabattle.solver.search.queries import read_objective
from seabattle.trees.files import save_tree
from seabattle.trees.tree import Tree, distribution_document, distribution_text


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
        Of ``tree``: in the total a layout counts as often as it weighs; the worst case is that of
        every layout that fits what is known and weighs more than 0.
    lower_bound, upper_bound
        Proven interval of the objective's first component: total misses, worst misses, or with
        ``within`` the weight finished, of which the tree reaches the lower bound.
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
        Least total for every first shot in reading order, whatever the objective, but with
        ``within`` the most weight finished; None unless requested, and when the search stopped
        before they were known. A cell shot already has the value of the position.
    search_seconds
        Time of the search alone.
    interrupted, stopped_by
        Whether Ctrl-C stopped the search, and what stopped it in words, empty when nothing did.
        After a stop that follows the proof the status is "optimal", and the words end with what
        is not known: the best first shots, the values, or both.
    progress
        For a large game: (seconds, total misses) of each tree tried on the way.
    within
        With objective ``within`` the misses allowed.
    lemmas
        How many the proof has that was written; None without one.
    unwritten
        Whether the checkpoint or the proof could not be written; ``stopped_by`` says why.
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
    within: int | None = None
    lemmas: int | None = None
    unwritten: bool = False

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
    def finished(self) -> int | None:
        """With ``within``: weight of the layouts that the tree finishes with so many misses."""
        return None if self.within is None else self.tree.finished(self.within)

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
        known = f"; {self.position.words}" if self.position.shots else ""
        return (
            f"<solution: objective {self.objective}, {self.status}{interval}, "
            f"mean {mean} = {float(mean):.4f}, worst {self.worst_misses}, "
            f"first shots {' '.join(self.best_shots) or self._no_shots}; {self.rules}{known}>"
        )

    @property
    def work(self) -> str:
        """What the proof took, in words: keys, sub-tables and, if any, sets of misses."""
        keys = counted(self.states, "key")
        words = f"{keys} stored, {counted(self.nodes, 'sub-table')} expanded"
        return words + (f", {self.sets:,} sets of misses weighed" if self.sets else "")

    def save(self, path: str | Path) -> list[Path]:
        """Write the tree, or of a front a file for each point, the worst case in its name."""
        path = Path(path)
        places = {path: self.tree}
        if self.front:
            stem, suffix = path.stem, path.suffix or ".json"
            named = {f"{stem}-worst{tree.worst_misses}{suffix}": tree for tree in self.front}
            places = {path.with_name(name): tree for name, tree in named.items()}
        for place, tree in places.items():
            save_tree(tree, place)
        return list(places)

    def document(self) -> dict[str, Any]:
        """What ``solve --json`` prints after the game.

        Fields
        ------
        objective: what was asked for: mean, worst, mean-worst, worst-mean, pareto or within:K
        within: with the objective within:K: the misses allowed
        finished: and the layouts, or their weight, that the tree finishes with at most so many
        layouts: layouts that fit
        status: optimal if the value is proven, else bounded
        total_misses: misses over all layouts, each weighed by its weight
        mean_misses: the same divided by the weight of all layouts
        worst_misses: the most misses for any layout that weighs more than 0
        distribution: how many layouts, or how much of their weight, cost so many misses
        weight: the weight of all layouts; their number where none has a weight of its own
        lower_bound: proven least of what the objective counts first
        upper_bound: what the tree reaches of it; with within:K the tree reaches the lower bound,
            and no tree finishes more than the upper one
        states: sub-tables kept with their values (keys)
        nodes: sub-tables looked into
        sets: sets of misses weighed; 0 where the search proved it alone
        best_shots: every first shot of a best strategy; empty if that is not known
        stopped_by: what stopped the search; empty when nothing did
        search_seconds: of the search that found it, now or earlier
        progress: with a limit: when better trees were found
        progress.seconds: since the start
        progress.total_misses: of the best tree by then
        front: with the objective pareto: the trees that none beats in both
        front.worst_misses: the most misses for any layout that weighs more than 0
        front.total_misses: misses over all layouts
        front.mean_misses: the same divided by the weight of all layouts
        lemmas: with --proof: how many the proof has; missing where none was written
        values: with --values: least total of misses after each first shot, top row first; with
            within:K the most layouts, or their weight, finished after each. A cell shot already
            has the value of the position
        """
        document: dict[str, Any] = {
            "objective": self.objective,
            "layouts": self.layouts,
            "status": self.status,
            "total_misses": self.total_misses,
            "mean_misses": float(self.mean_misses),
            "worst_misses": self.worst_misses,
            "distribution": distribution_document(self.tree.distribution),
            "weight": self.weight,
            "lower_bound": self.lower_bound,
            "upper_bound": self.upper_bound,
            "states": self.states,
            "nodes": self.nodes,
            "sets": self.sets,
            "best_shots": list(self.best_shots),
            "stopped_by": self.stopped_by,
            "search_seconds": self.search_seconds,
        }
        if self.within is not None:
            document |= {"within": self.within, "finished": self.finished}
        if self.progress:
            document["progress"] = [
                {"seconds": round(seconds, 3), "total_misses": total}
                for seconds, total in self.progress
            ]
        if self.front:
            document["front"] = [
                {
                    "worst_misses": tree.worst_misses,
                    "total_misses": tree.total_misses,
                    "mean_misses": float(tree.mean_misses),
                }
                for tree in self.front
            ]
        if self.lemmas is not None:
            document["lemmas"] = self.lemmas
        if self.values is not None:
            document["values"] = list(map(list, self.rules.board.by_rows(self.values)))
        return document

    def facts(self) -> list[tuple[str, str]]:
        """The solution as labels and texts, the game apart."""
        interval = f": {self.interval}" if self.status == "bounded" else ""
        facts = [
            ("layouts", f"{self.layouts:,}"),
            ("objective", self.objective),
            ("status", f"{self.status}{interval}; tree verified"),
            ("misses", mean_text(self.total_misses, self.weight, self.worst_misses)),
            ("by misses", distribution_text(self.tree.distribution)),
            *self._within_facts(),
            *(
                ("front", f"worst {t.worst_misses}, {mean_text(t.total_misses, self.weight)}")
                for t in self.front
            ),
        ]
        if self.lemmas is not None:
            facts.append(("proof", f"{self.lemmas:,} lemmas prove {self.lower_bound} at least"))
        if self.best_shots:
            facts.append(("best first shots", " ".join(self.best_shots)))
        facts.append(("search", f"{self.work}, {self.search_seconds:.2f} s"))
        if self.stopped_by:
            facts.append(("stopped", self.stopped_by.removeprefix("stopped ")))
        if self.status == "bounded":
            gap = self.upper_bound - self.lower_bound
            share = 100 * gap / max(1, self.upper_bound)
            facts.append(("gap", f"{gap:,}, {share:.2f} %: {self.interval}"))
        return facts

    @property
    def interval(self) -> str:
        """The bounds in words, and what they are of."""
        of = read_objective(self.objective).goal.bounded
        return f"{of} {interval_text(f'{self.lower_bound:,}', f'{self.upper_bound:,}')}"

    def _within_facts(self) -> list[tuple[str, str]]:
        """What is finished with the misses allowed, and where that stands in the Pareto front."""
        if self.within is None:
            return []
        most = self.within
        told = f"{self.finished} of {self.weight} with at most {counted(most, 'miss')}"
        if self.worst_misses <= most:
            place = f"worst {self.worst_misses}; no tree of worst {most} or less has a lower mean"
        else:
            place = f"before its first point: no tree has a worst case of {most} or less"
        facts = [("finished", told)]
        return [*facts, ("in the front", place)] if self.status == "optimal" else facts

    def text(self) -> str:
        """What each first shot is worth, as a board; empty where that was not asked for."""
        if self.values is None:
            return ""
        if self.within is not None:
            best, texts = set(self.best_cells), [str(value) for value in self.values]
            head = f"finished with at most {counted(self.within, 'miss')}"
        else:
            shot = set(cells_of(self.position.shot_mask))
            left = {cell: value for cell, value in enumerate(self.values) if cell not in shot}
            best = {cell for cell, value in left.items() if value == min(left.values())}
            texts = [f"{float(Fraction(value, self.weight)):.3f}" for value in self.values]
            head = "mean misses"
        stars = "best ones marked *"
        if self.finished == self.weight:
            stars = "all can be finished: those of least mean marked *"
        elif self.within is None and self.objective != "mean":
            stars = (
                f"least mean marked *; the best first shots above are those of objective "
                f"{self.objective}"
            )
        cells = [text + ("*" if cell in best else " ") for cell, text in enumerate(texts)]
        return f"{head} after each first shot ({stars}):\n{self.rules.board.grid(cells)}"

    def _repr_html_(self) -> str:
        table = html_table((), [("game", str(self.rules)), *self.facts()], left=(0, 1))
        return f'{table}<div style="overflow-x:auto">{self.tree._repr_svg_()}</div>'
