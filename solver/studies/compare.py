"""Greedy rules beside the proven optimum, on the same layouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from seabattle.enumerate.display.notebook import html_table
from seabattle.enumerate.errors import PositionError, TooLargeError
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import AnswerMode, Contact, Rules
from seabattle.enumerate.layouts.table import DecisionTable
from seabattle.solver.arguments import require_position
from seabattle.solver.search.dispatch import as_problem, check_table
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.solve import solve
from seabattle.solver.search.workspace import Limits
from seabattle.trees.tree.tree import Reading, Tree
from seabattle.trees.tree.verify import require_valid


@dataclass(frozen=True)
class Row:
    """One strategy of a comparison, with its verified tree."""

    strategy: str
    tree: Tree

    @property
    def name(self) -> str:
        """Answer mode, strategy, and the reading where it is not the full one."""
        reading = "" if self.tree.reading is Reading.FULL else f"-{self.tree.reading.value}"
        return f"{self.tree.rules.answers.value}-{self.strategy}{reading}"

    @property
    def mean_misses(self) -> Fraction:
        """Total over weight."""
        return self.tree.mean_misses

    def document(self) -> dict[str, Any]:
        """The row as a JSON object."""
        return {
            "strategy": self.strategy,
            "answers": self.tree.rules.answers.value,
            "reading": self.tree.reading.value,
            "status": self.tree.status,
            "worst_misses": self.tree.worst_misses,
            "mean_misses": float(self.mean_misses),
            "total_misses": self.tree.total_misses,
        }


@dataclass(frozen=True)
class Comparison:
    """Rows for each answer mode: both greedy rules, in both readings where they differ, and
    ``optimal-mean`` and ``optimal-worst``. ``notes`` says what could not be done.
    """

    rules: Rules
    position: Position
    layouts: int
    weight: int
    rows: tuple[Row, ...]
    interrupted: bool = False
    notes: tuple[str, ...] = ()

    def _repr_html_(self) -> str:
        rules = self.rules
        return html_table(
            ("answers", "reading", "strategy", "worst", "mean", "total", "status"),
            [
                (
                    row.tree.rules.answers.value,
                    row.tree.reading.value,
                    row.strategy,
                    str(row.tree.worst_misses),
                    f"{float(row.mean_misses):.4f}",
                    f"{row.tree.total_misses}/{self.weight}",
                    "proven" if row.tree.status == "optimal" else row.tree.status,
                )
                for row in self.rows
            ],
            caption=f"{rules.board}, fleet {rules.fleet}, contact {rules.contact.value}: "
            f"{self.layouts:,} layouts",
            note="; ".join(self.notes),
            left=(0, 1, 2, 6),
        )


def compare(
    game: Rules | DecisionTable,
    answers: Sequence[str] = ("hit", "sunk", "ship"),
    *,
    position: Position | None = None,
    limits: Limits | None = None,
) -> Comparison:
    """Trees of both greedy rules and of the optimum for each answer mode, each verified.

    ``optimal-mean`` has the least total and among those trees the least worst case,
    ``optimal-worst`` the least worst case and among those the least total.

    Parameters
    ----------
    game
        The rules, or the decision table before any shot.
    answers
        Answer modes to compare.
    position
        Shots made before; with hits among them only one answer mode can be compared.
    limits
        When to stop; they hold for every search.

    Examples
    --------
    >>> for row in compare(Rules("3x3", "2,1"), ["hit", "sunk"]).rows:
    ...     print(row.name, row.tree.worst_misses, row.tree.total_misses)
    hit-greedy-half 4 62
    hit-greedy-hits 4 62
    hit-optimal-mean 4 62
    hit-optimal-worst 4 62
    sunk-greedy-half 4 48
    sunk-greedy-hits 4 46
    sunk-greedy-half-positive 4 48
    sunk-greedy-hits-positive 4 46
    sunk-optimal-mean 4 46
    sunk-optimal-worst 4 46
    """
    check_table(game)
    table = DecisionTable.build(game) if isinstance(game, Rules) else game
    start = Position(table.rules) if position is None else position
    require_position(start, table.rules.answering(start.rules.answers))
    if start.hit_mask and len(answers) > 1:
        raise PositionError("hits are answered differently in each mode: compare one, --answers")
    rows: list[Row] = []
    notes: list[str] = []
    interrupted = False
    for mode in answers:
        here = replace(start, rules=table.rules.answering(mode))
        try:
            problem = as_problem(table.answering(mode).at(here))
            rows += _greedy_rows(problem, here, limits)
            for name, objective in _OBJECTIVES.items():
                if not interrupted:
                    solution = solve(problem, objective, position=here, limits=limits)
                    interrupted = solution.interrupted
                    rows.append(Row(name, solution.tree))
        except TooLargeError as error:
            notes.append(f"answers {mode} left out: {error}")
        if interrupted:
            break
    if not rows:
        raise TooLargeError("; ".join(notes))
    return Comparison(
        rules=table.rules,
        position=start,
        layouts=rows[0].tree.layouts,
        weight=rows[0].tree.weight,
        rows=tuple(rows),
        interrupted=interrupted,
        notes=tuple(notes),
    )


_OBJECTIVES = {"optimal-mean": "mean-worst", "optimal-worst": "worst-mean"}


def _greedy_rows(problem: Problem, position: Position, limits: Limits | None) -> list[Row]:
    """Both greedy rules, in both readings where they differ, verified."""
    rules = problem.rules
    readings = ["full"]
    if rules.answers is AnswerMode.SUNK and rules.contact is not Contact.SIDES:
        readings += [] if position.shots else ["positive"]
    rows = []
    for reading in readings:
        for rule in ("half", "hits"):
            tree = greedy_tree(problem, rule, reading=reading, position=position, limits=limits)
            require_valid(tree, layouts=problem.table.layouts)
            rows.append(Row(f"greedy-{rule}", tree))
    return rows
