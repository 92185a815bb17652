"""Greedy rules compared with the proven optimum, on the same layouts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from seabattle.enumerate.counting.counter import fitting_table
from seabattle.enumerate.errors import PositionError, RulesError, SeabattleError, Stop
from seabattle.enumerate.picture import html_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, AnswerName, Contact
from seabattle.enumerate.table import Game, position_of
from seabattle.solver.search.greedy import Manner, grow_greedy
from seabattle.solver.search.growing import GreedyRule
from seabattle.solver.search.problem import MEMORY_GIB, Problem, as_problem, refuse_large_board
from seabattle.solver.search.queries import Limits, Snapshot
from seabattle.solver.search.solve import solve_problem
from seabattle.trees.tree import Reading, Tree, distribution_document
from seabattle.trees.verify import require_valid


@dataclass(frozen=True)
class Row:
    """One strategy of a comparison, with its verified tree.

    Attributes
    ----------
    strategy
        ``greedy-half``, ``greedy-hits``, ``optimal-mean`` or ``optimal-worst``.
    tree
        What it shoots.
    interval
        Of an optimum: the proven bounds of what it minimises first, total misses (``optimal-mean``)
        or worst misses (``optimal-worst``), equal when the value is proven. None for greedy play.
    """

    strategy: str
    tree: Tree
    interval: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        """Answer mode, strategy, and the reading where it is not the full one."""
        reading = "" if self.tree.reading is Reading.FULL else f"-{self.tree.reading.value}"
        return f"{self.tree.rules.answers.value}-{self.strategy}{reading}"

    @property
    def status(self) -> str:
        """``proven``, ``heuristic``, or between which bounds a search that was stopped left it."""
        if self.tree.status != "bounded" or self.interval is None:
            return {"optimal": "proven"}.get(self.tree.status, self.tree.status)
        what = "worst" if self.strategy == "optimal-worst" else "total"
        lower, upper = self.interval
        if lower == upper:
            return f"bounded: {what} {upper:,} proven, not the rest"
        return f"bounded: {what} {lower:,} to {upper:,}"

    def cells(self) -> tuple[str, ...]:
        """The row of a table, under ``HEAD``."""
        return (
            self.tree.rules.answers.value,
            self.tree.reading.value,
            self.strategy,
            str(self.tree.worst_misses),
            f"{float(self.tree.mean_misses):.4f}",
            f"{self.tree.total_misses}/{self.tree.weight}",
            self.status,
        )

    def document(self) -> dict[str, Any]:
        """The row as a JSON object; greedy play has no bounds."""
        lower, upper = self.interval or (None, None)
        return {
            "strategy": self.strategy,
            "answers": self.tree.rules.answers.value,
            "reading": self.tree.reading.value,
            "status": self.tree.status,
            "worst_misses": self.tree.worst_misses,
            "mean_misses": float(self.tree.mean_misses),
            "total_misses": self.tree.total_misses,
            "lower_bound": lower,
            "upper_bound": upper,
            "distribution": distribution_document(self.tree.distribution),
        }

    def record(self) -> dict[str, Any]:
        """The row of a table with one unit a column; None in ``least_`` columns for greedy play."""
        told = self.document()
        least = told["lower_bound"]
        return {
            **{name: told[name] for name in ("answers", "reading", "strategy", "status")},
            "worst_misses": self.tree.worst_misses,
            "least_worst": least if self.strategy == "optimal-worst" else None,
            "mean_misses": told["mean_misses"],
            "total_misses": self.tree.total_misses,
            "least_total": least if self.strategy == "optimal-mean" else None,
        }


@dataclass(frozen=True)
class Comparison:
    """Rows for each answer mode: both greedy rules, in both readings where they differ, and
    ``optimal-mean`` and ``optimal-worst``. ``notes`` lists what could not be done.
    """

    position: Position
    rows: tuple[Row, ...]
    interrupted: bool = False
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        means = ", ".join(f"{row.name} {float(row.tree.mean_misses):.4f}" for row in self.rows)
        rules = self.position.rules
        return f"<comparison of {self.layouts:,} layouts by mean misses: {means}; {rules}>"

    @property
    def layouts(self) -> int:
        """Layouts that fit the position."""
        return self.rows[0].tree.layouts

    def document(self) -> dict[str, Any]:
        """What ``compare --json`` prints after the game.

        Fields
        ------
        layouts: layouts that fit
        weight: the weight of all layouts; their number where none has a weight of its own
        rows: one for each strategy
        rows.strategy: greedy-half, greedy-hits, optimal-mean or optimal-worst
        rows.answers: hit, sunk or ship
        rows.reading: what a plain hit tells: full or positive
        rows.status: optimal, bounded or heuristic
        rows.worst_misses: the most misses for any layout that weighs more than 0
        rows.mean_misses: misses over all layouts, divided by the weight of all layouts
        rows.total_misses: misses over all layouts, each weighed by its weight
        rows.distribution: how many layouts, or how much of their weight, cost so many misses
        rows.lower_bound: of an optimum: proven least of what it minimises first; null for greedy
        rows.upper_bound: of an optimum: what its tree reaches of it; null for greedy
        sentences: what greedy play loses, in a sentence for each answer mode
        """
        rows = [row.document() for row in self.rows]
        weight = self.rows[0].tree.weight
        told = {"layouts": self.layouts, "weight": weight, "rows": rows}
        return {**told, "sentences": self.sentences()}

    def records(self) -> list[dict[str, Any]]:
        """The rows as plain records, for a table of one's own.

        ``worst_misses`` and ``total_misses`` are those of the tree; the proven least of what an
        optimum minimises is in the column with its unit, ``least_worst`` or ``least_total``.
        """
        return [row.record() for row in self.rows]

    def sentences(self) -> list[str]:
        """What greedy play loses, for each answer mode a sentence that can be quoted.

        >>> from seabattle.enumerate.rules import Rules
        >>> print(*compare(Rules("3x3", "2,1"), ["hit"]).sentences())
        On 3 × 3 with 2,1 greedy play, at the likeliest cell, is the best there is on average, and \
misses as many at worst, 4, as the tree of least mean.
        """
        modes = list(dict.fromkeys(row.tree.rules.answers for row in self.rows))
        found = (_sentence(self, mode, several=len(modes) > 1) for mode in modes)
        return [sentence for sentence in found if sentence]

    def text(self) -> str:
        """The rows as a text table."""
        return "\n".join(map(table_line, (HEAD, *(row.cells() for row in self.rows))))

    def _repr_html_(self) -> str:
        rules = self.position.rules
        caption = (
            f"{rules.board}, fleet {rules.fleet}, contact {rules.contact.value}: "
            f"{self.layouts:,} layouts"
        )
        cells = (row.cells() for row in self.rows)
        note = "; ".join(self.notes)
        return html_table(HEAD, cells, caption=caption, note=note, left=(0, 1, 2, 6))


BEST = "On {board} with {fleet} greedy play, at the likeliest cell, is the best there is on average, and misses {worst}."  # noqa: E501
WORSE = "On {board} with {fleet} greedy play, at the likeliest cell, misses {more} % more on average, and {worst}; at the cell that halves best, {half} %."  # noqa: E501
KNOWN = "On {board} with {fleet} the best tree known misses {mean} times on average."
SAME_WORST = "as many at worst, {worst}, as the tree of least mean"
OTHER_WORST = "{greedy} at worst, where the tree of least mean misses {worst}"
"""The sentences of the page's tab *Solve*, word for word."""


def _sentence(result: Comparison, mode: str, *, several: bool) -> str:
    """The sentence of an answer mode; empty where a tree is missing."""
    rules = result.position.rules
    trees = {
        row.strategy: row.tree
        for row in result.rows
        if row.tree.rules.answers == mode and row.tree.reading is Reading.FULL
    }
    if not trees.keys() >= {"optimal-mean", "greedy-hits", "greedy-half"}:
        return ""
    best, hits, half = (trees[name] for name in ("optimal-mean", "greedy-hits", "greedy-half"))
    names = {
        "board": str(rules.board).replace("x", " × "),
        "fleet": f"{rules.fleet}, answers {mode}," if several else str(rules.fleet),
    }
    if best.status != "optimal":
        return KNOWN.format(mean=f"{float(best.mean_misses):.3f}", **names)
    said = SAME_WORST if hits.worst_misses == best.worst_misses else OTHER_WORST
    worst = said.format(greedy=hits.worst_misses, worst=best.worst_misses)
    if hits.total_misses == best.total_misses:
        return BEST.format(worst=worst, **names)
    more, other = (
        f"{100 * (tree.total_misses / best.total_misses - 1):.1f}" for tree in (hits, half)
    )
    return WORSE.format(more=more, worst=worst, half=other, **names)


HEAD = ("answers", "reading", "strategy", "worst", "mean", "total", "status")
"""The columns of a comparison."""

_FORMS = ("<7", "<8", "<13", ">5", ">8", ">15", "")
"""Their widths in the text table, enough for what may come."""


def table_line(cells: Sequence[str]) -> str:
    """A line of the text table."""
    return "  ".join(map(format, cells, _FORMS)).rstrip()


def compare(
    game: Game,
    answers: Sequence[AnswerMode | AnswerName] = ("hit", "sunk", "ship"),
    *,
    time_limit: float | None = None,
    memory_limit: float = MEMORY_GIB,
    progress: Callable[[Snapshot], None] | None = None,
    stop: Stop | None = None,
    found: Callable[[Row], None] = lambda row: None,
) -> Comparison:
    """Trees of both greedy rules and of the optimum for each answer mode, each verified.

    ``optimal-mean`` has the least total and among those trees the least worst case,
    ``optimal-worst`` the least worst case and among those the least total.

    Parameters
    ----------
    game
        Rules, a position, or a decision table. With hits in its position only the answer mode of
        the game itself can be compared.
    answers
        Answer modes to compare.
    time_limit
        Seconds from now for all strategies together. Each search for an optimum gets its share of
        what is left by then, and what it does not need passes on to those after it; a tree that is
        not proven by the end of its share is "bounded", and its row has the proven interval.
    memory_limit, progress, stop
        As in ``solve``, for every search.
    found
        Called with each row as soon as it is there.

    Raises
    ------
    PositionError
        If the position has hits and another answer mode is requested, or no layout fits it.
    RulesError
        If an answer mode is unknown, or none is given.
    TooLargeError
        If the game is too large in every answer mode.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
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
    start = position_of(game)
    modes = [start.rules.answering(mode).answers for mode in answers]
    if not modes:
        raise RulesError("answers: give at least one answer mode, such as hit")
    if start.hit_mask and any(mode is not start.rules.answers for mode in modes):
        one = "one, --answers" if len(modes) > 1 else f"{start.rules.answers.value!r}"
        raise PositionError(f"hits are answered differently in each mode: compare {one}")
    limits = Limits.of(time_limit, memory_limit, progress, stop)
    refuse_large_board(start.rules, len(start.shots))
    table = fitting_table(game, memory_limit=memory_limit / 2)
    asked = [(mode, name, reading) for mode in modes for name, reading in _strategies(mode, start)]
    problem_of = lru_cache(maxsize=1)(lambda mode: as_problem(table.answering(mode)))
    rows: list[Row] = []
    notes: list[str] = []
    failures: list[Exception] = []
    interrupted = False
    for number, (mode, name, reading) in enumerate(asked):
        optima = sum(later in _OBJECTIVES for _, later, _ in asked[number:])
        own = limits.share(optima) if name in _OBJECTIVES else limits
        try:
            row, interrupted = _row(problem_of(mode), name, reading, own)
            rows.append(row)
            found(row)
        except (SeabattleError, MemoryError) as error:
            failures.append(error)
            left_out = name if reading is Reading.FULL else f"{name} read {reading}"
            notes.append(f"answers {mode}, {left_out}, left out: {error or 'out of memory'}")
        except KeyboardInterrupt:
            if not rows:
                raise
            interrupted = True
        if interrupted:
            break
    if not rows:
        raise failures[0]
    return Comparison(start, tuple(rows), interrupted, tuple(notes))


_OBJECTIVES = {"optimal-mean": "mean-worst", "optimal-worst": "worst-mean"}


def _strategies(mode: AnswerMode, start: Position) -> list[tuple[str, Reading]]:
    """Both greedy rules, in both readings where they differ, and both optima."""
    readings = [Reading.FULL]
    if mode is AnswerMode.SUNK and start.rules.contact is not Contact.SIDES and not start.shots:
        readings += [Reading.POSITIVE]
    greedy = [(f"greedy-{rule}", reading) for reading in readings for rule in GreedyRule]
    return greedy + [(name, Reading.FULL) for name in _OBJECTIVES]


def _row(problem: Problem, name: str, reading: Reading, limits: Limits) -> tuple[Row, bool]:
    """The row of a strategy, verified, and whether Ctrl-C stopped it."""
    if name in _OBJECTIVES:
        solution = solve_problem(problem, _OBJECTIVES[name], limits=limits)
        interval = (solution.lower_bound, solution.upper_bound)
        return Row(name, solution.tree, interval), solution.interrupted
    rule = GreedyRule(name.removeprefix("greedy-"))
    tree = grow_greedy(problem, Manner(rule, reading=reading), limits=limits)
    require_valid(tree, layouts=problem.table.layouts)
    return Row(name, tree), False
