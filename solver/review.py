"""Looking back at a game: how likely each shot was to hit, and how many misses it lost.

Luck is kept apart from skill: a shot that misses is not a mistake if there was no better one, and a
shot that hits can be a mistake. There are two measures of what a shot lost, both in misses:

*exact*    the mean number of misses still to come if this shot is made and play is optimal
           afterwards, its own possible miss included, minus that of optimal play. Averaged over
           all layouts, a player's losses add up to the number of misses by which the player's
           mean exceeds the optimum. Known where the game can be solved: on small boards, and
           everywhere towards the end.
*at once*  the chance of the likeliest cell minus the chance of the cell shot: how many more misses
           to expect from this one shot. It is neither an upper nor a lower bound on the exact
           loss: the likeliest cell is often not optimal, and a cell passed over can be shot later.

Certain hits cost nothing whenever they are shot, so losses at once are measured against cells that
are not certain: shooting elsewhere before finishing off a ship counts as no loss.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from seabattle.enumerate.answers import MISS, answer_text
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import PositionError, Stop, TooLargeError, end_if, why_stopped
from seabattle.enumerate.map import HeatMap
from seabattle.enumerate.picture import html_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.table import Game
from seabattle.enumerate.words import counted, first_of, table_text
from seabattle.solver.search.queries import LimitReached, Limits

MOST_LAYOUTS = 10_000
"""With more layouts than this, exact play is not tried."""

SECONDS = 10.0
"""Default of the seconds spent searching for exact losses, for all shots together."""

Progress = Callable[[str, int, int], None]
"""Called with what is worked out, the number of the shot, and the number of shots."""


def review(
    game: Game,
    *,
    prior: Prior | str | Path | None = None,
    time_limit: float = SECONDS,
    memory_limit: float = 4.0,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Review:
    """Look back at a game, finished or not: each shot's chance, the best chance, and what it lost.

    Parameters
    ----------
    game
        A position whose shots are in the order in which they were made. If it names the cells of a
        sunk ship, these count as known from the ship's last hit on.
    prior
        How likely the layouts are: a prior, its name or its file; all equally likely by default. If
        its weights have to be rounded to whole numbers, exact losses are those for the rounded
        weights.
    time_limit
        Seconds for the search for exact losses, for all shots together; 0 to skip it.
    memory_limit
        GiB for counting.
    progress
        Called before each shot with what is worked out (``chances`` or ``exact play``), the
        number of the shot, and the number of shots.
    stop
        Called often; when it returns true, or why in words, the review ends as if by Ctrl-C, with
        the shots done so far.

    Raises
    ------
    PositionError
        If there is no shot, the order of the shots is not known, a shot was made after the fleet
        was sunk, or no layout fits the answers.
    TooLargeError
        If the counter needs more memory.
    WeightsError
        If the game is a table with weights, or the prior is of another game or rules out what
        was answered.
    FileAccessError
        If the file of the prior cannot be read.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> game = Position.in_order(Rules("4x4", "3,2,1", answers="sunk"), "B2 miss, A1 hit, A2 hit")
    >>> found = review(game)
    >>> found
    <review of 3 shots: 0.5840 misses lost; luck +0.7463 hits>
    >>> worst = found.mistakes[0]
    >>> worst.name, worst.lost, worst.optimal_shots
    ('B2', Fraction(9, 16), ('A1', 'D1', 'A4', 'D4'))
    """

    def tell(what: str = "", number: int = 0) -> None:
        end_if(stop)
        if what and progress is not None:
            progress(what, number, count)

    def before(number: int) -> HeatMap:
        tell("chances", number)
        return counter.at(position.undo(count - number + 1)).map()

    counter = Counter(
        game, prior=prior, memory_limit=memory_limit, progress=lambda row, rows: tell()
    )
    position, count = counter.position, len(counter.position.shots)
    _check_shots(position)
    shots: list[ReviewedShot] = []
    layouts, stopped_by = 0, ""
    try:
        layouts = counter.count()  # a contradiction is told before any other work
        found = before(1)
        for number, (cell, code) in enumerate(position.shots, start=1):
            after = before(number + 1) if number < count else None
            left = layouts if after is None else after.layouts
            shots.append(ReviewedShot(number, found, cell, code, left, _plain_loss(found, cell)))
            found = after or found
        limits = Limits.of(time_limit, memory_limit / 2, stop=stop)
        # From the last shot backwards: the earlier a shot, the harder to solve.
        with suppress(TooLargeError, LimitReached):
            for index, shot in reversed(list(enumerate(shots))):
                if shot.map.layouts > MOST_LAYOUTS or not time_limit:
                    break
                tell("exact play", shot.number)
                shots[index] = _solved(counter.at(shot.map.position), shot, limits)
    except KeyboardInterrupt as pressed:
        stopped_by = why_stopped(pressed)
    name = "" if counter.prior is None else counter.prior.name or "without a name"
    return Review(position, name, tuple(shots), layouts, stopped_by)


def _check_shots(position: Position) -> None:
    """Reject a position that is not the history of a game.

    Raises
    ------
    PositionError
        Says why.
    """
    if not position.shots:
        raise PositionError("there is no shot to review")
    if not position.ordered:
        raise PositionError(
            "a review needs the order of the shots, which this position does not tell"
        )
    hits = 0
    for number, (cell, code) in enumerate(position.shots, start=1):
        if hits == position.rules.fleet.cells:
            raise PositionError(
                f"shot {number} at {position.rules.board.name(cell)}: the fleet was sunk before it"
            )
        hits += code != MISS


def _plain_loss(found: HeatMap, cell: int) -> Fraction | None:
    """The exact loss of a shot if it is known without a search."""
    if not found.cells[cell]:  # a miss that gives no information
        return Fraction(1)
    rules, certain = found.position.rules, found.certain_cells
    free = not rules.order_matters or len(certain) == rules.fleet.cells
    # Chances cannot tell 1 from what is close to it.
    return Fraction(0) if found.counts_layouts and cell in certain and free else None


def _solved(counter: Counter, shot: ReviewedShot, limits: Limits) -> ReviewedShot:
    """The shot with its exact loss; the counter is at the position before it."""
    from seabattle.solver.endgame import search_of

    search = search_of(counter, MOST_LAYOUTS, limits)
    best = search.solve()
    lost = Fraction(search.total_after(shot.cell) - best.total_misses, best.weight)
    return replace(shot, exact_loss=lost, optimal_cells=best.best_cells)


# ------------------------------------------------------------------------------------------------
# What a review of a game found: each shot, and all of them together.


Chance = Fraction | float
"""A probability or a number of misses, exact if there is no prior."""


HEAD, LEFT = ("shot", "cell", "answer", "chance %", "best %", "lost", "best cells"), (1, 2, 6)
"""The columns of a review as a table, and which of them are aligned to the left."""

MANY_CELLS, MANY_MISTAKES = 4, 5
"""The most best cells, and the most mistakes, that are named one by one."""


@dataclass(frozen=True)
class ReviewedShot:
    """One shot, looked back at.

    Attributes
    ----------
    number
        Its place among the shots, from 1 on.
    map
        How likely each cell was occupied before it, of the position that was known.
    cell, answer
        Number of the cell, and code of the answer.
    layouts_after
        Number of layouts that fitted after its answer.
    exact_loss
        Mean misses still to come with this shot and optimal play afterwards, its own possible miss
        included, minus those of optimal play; None where optimal play is not known.
    optimal_cells
        Numbers of the optimal shots, as in ``Endgame``; None where optimal play is not known.
    """

    number: int
    map: HeatMap
    cell: int
    answer: int
    layouts_after: int
    exact_loss: Fraction | None = None
    optimal_cells: tuple[int, ...] | None = None

    @property
    def name(self) -> str:
        """Name of the cell."""
        return self.map.position.rules.board.name(self.cell)

    @property
    def chance(self) -> Chance:
        """How likely it was to hit: a ``Fraction``, or a float under a prior."""
        return self.map.chance(self.cell)

    @property
    def best_chance(self) -> Chance:
        """The highest chance of a cell not yet shot."""
        return self.map.chance(self.map.best_cells[0])

    @cached_property
    def lost_at_once(self) -> Chance:
        """The highest chance of a cell that was no certain hit, minus ``chance``, in misses.

        0 for a certain hit.
        """
        certain = self.map.certain_cells
        unsure = [0 if at in certain else part for at, part in enumerate(self.map.cells)]
        likeliest = self.map.likeliest(unsure)
        if self.cell in (*certain, *likeliest) or not likeliest:
            return Fraction(0)
        return self.map.chance(likeliest[0]) - self.chance

    @property
    def is_exact(self) -> bool:
        """Whether ``lost`` is exact."""
        return self.exact_loss is not None

    @property
    def lost(self) -> Chance:
        """Misses lost: the exact loss where it is known, else the loss at once."""
        return self.lost_at_once if self.exact_loss is None else self.exact_loss

    @property
    def optimal_shots(self) -> tuple[str, ...] | None:
        """Names of the optimal shots; None where optimal play is not known."""
        name = self.map.position.rules.board.name
        return None if self.optimal_cells is None else tuple(map(name, self.optimal_cells))

    def document(self) -> dict[str, Any]:
        """The shot as JSON: cells by name.

        Fields
        ------
        number: from 1
        cell: the cell
        answer: its answer
        chance: how likely it was to hit
        best_chance: how likely the best cell was to hit
        best: the cells of that chance
        certain: whether a certain hit was there to be shot
        layouts_before: layouts that fitted before the shot
        layouts_after: and after its answer
        lost: misses that the shot lost against the best one
        exact: whether they are those of the rest of the game, or at once
        lost_at_once: how much less likely it was to hit than the best
        optimal: with an exact loss: the shots that lose nothing
        """
        document: dict[str, Any] = {
            "number": self.number,
            "cell": self.name,
            "answer": answer_text(self.answer),
            "chance": float(self.chance),
            "best_chance": float(self.best_chance),
            "best": list(self.map.best_shots),
            "certain": self.cell in self.map.certain_cells,
            "layouts_before": self.map.layouts,
            "layouts_after": self.layouts_after,
            "lost": float(self.lost),
            "exact": self.is_exact,
            "lost_at_once": float(self.lost_at_once),
        }
        if self.optimal_shots is not None:
            document["optimal"] = list(self.optimal_shots)
        return document

    @property
    def loss_text(self) -> str:
        """What the shot lost; a small loss is not shown as 0."""
        lost = float(self.lost)
        text = f"{lost:.3f}" if lost >= 0.001 else "<0.001" if lost else "0"
        return text if self.is_exact else f"~{text}"

    def cells(self) -> tuple[str, ...]:
        """The shot as a row of a table, under ``HEAD``."""
        best = self.map.best_shots if self.optimal_shots is None else self.optimal_shots
        chances = [self.map.percent(at, decimals=2) for at in (self.cell, self.map.best_cells[0])]
        named = first_of(best, MANY_CELLS)
        answer = answer_text(self.answer)
        return (str(self.number), self.name, answer, *chances, self.loss_text, named)

    def __repr__(self) -> str:
        how = "exactly" if self.is_exact else "at once"
        return (
            f"<shot {self.number}, {self.name} {answer_text(self.answer)}: chance "
            f"{float(self.chance):.4f} of {float(self.best_chance):.4f}, "
            f"{float(self.lost):.4f} misses lost {how}>"
        )


@dataclass(frozen=True)
class Review:
    """How likely a player's shots were to hit, and how many misses they lost.

    ``misses_lost`` sums up how well the player shot; ``luck`` is how kind the answers were.

    Attributes
    ----------
    position
        The game, with all its shots.
    prior_name
        How the prior is called; empty when all layouts are equally likely.
    shots
        The shots in order; fewer than the position has if the review was stopped.
    layouts
        Number of layouts that fit all answers; 0 if the review was stopped before it was known.
    stopped_by
        What stopped the review, in words; empty when nothing did.
    """

    position: Position
    prior_name: str
    shots: tuple[ReviewedShot, ...]
    layouts: int
    stopped_by: str = ""

    @property
    def interrupted(self) -> bool:
        """Whether the review was stopped."""
        return bool(self.stopped_by)

    @property
    def hits(self) -> int:
        """Shots reviewed that met a ship."""
        return sum(shot.answer != MISS for shot in self.shots)

    @property
    def misses(self) -> int:
        """Shots reviewed that met water."""
        return len(self.shots) - self.hits

    @property
    def expected_hits(self) -> Chance:
        """Sum of the chances of the shots."""
        return sum((shot.chance for shot in self.shots), Fraction(0))

    @property
    def luck(self) -> Chance:
        """Hits beyond expectation: ``hits`` minus ``expected_hits``.

        Whatever strategy is played, its mean over all layouts is 0; above 0, the answers were kind.
        """
        return self.hits - self.expected_hits

    @property
    def misses_lost(self) -> Chance:
        """Misses lost by the choice of shots: the sum of ``lost`` over the shots."""
        return sum((shot.lost for shot in self.shots), Fraction(0))

    @property
    def lost_exactly(self) -> Fraction:
        """The part of ``misses_lost`` that is exact."""
        return sum((shot.exact_loss or Fraction(0) for shot in self.shots), Fraction(0))

    @property
    def lost_at_once(self) -> Chance:
        """The part of ``misses_lost`` that is not exact: losses at once."""
        parts = (shot.lost_at_once for shot in self.shots if not shot.is_exact)
        return sum(parts, Fraction(0))

    @property
    def is_exact(self) -> bool:
        """Whether every shot's loss is exact."""
        return all(shot.is_exact for shot in self.shots)

    @property
    def mistakes(self) -> tuple[ReviewedShot, ...]:
        """The shots that lost something, the worst first."""
        lost = [shot for shot in self.shots if shot.lost > 0]
        return tuple(sorted(lost, key=lambda shot: (-shot.lost, shot.number)))

    def document(self) -> dict[str, Any]:
        """The review as JSON: cells by name, ``mistakes`` by the numbers of their shots.

        Fields
        ------
        prior: the name of the prior
        shots: one for each shot, in order
        hits: number of hits
        misses: number of misses
        layouts: layouts that fit at the end
        misses_lost: misses that all shots lost
        exact: whether all of them are those of the rest of the game
        lost_exactly: the part that is
        lost_at_once: the part that is not
        luck: hits beyond expectation
        expected_hits: hits to be expected of these shots
        mistakes: numbers of the shots that lost most, worst first
        stopped_by: what stopped the review; empty when nothing did
        """
        return {
            **({"prior": self.prior_name} if self.prior_name else {}),
            "shots": [shot.document() for shot in self.shots],
            "hits": self.hits,
            "misses": self.misses,
            "layouts": self.layouts,
            "misses_lost": float(self.misses_lost),
            "exact": self.is_exact,
            "lost_exactly": float(self.lost_exactly),
            "lost_at_once": float(self.lost_at_once),
            "luck": float(self.luck),
            "expected_hits": float(self.expected_hits),
            "mistakes": [shot.number for shot in self.mistakes],
            "stopped_by": self.stopped_by,
        }

    def records(self) -> list[dict[str, Any]]:
        """One row per shot, as pandas and polars take them; lists of cells are joined by spaces.

        ``optimal`` is None where the loss is not exact.
        """
        rows = [shot.document() for shot in self.shots]
        return [
            row
            | {"best": " ".join(row["best"])}
            | {"optimal": " ".join(row["optimal"]) if "optimal" in row else None}
            for row in rows
        ]

    def facts(self) -> list[tuple[str, str]]:
        """The review as labels and texts, the game apart."""
        facts = [
            *([("prior", self.prior_name)] if self.prior_name else []),
            ("shots", f"{len(self.shots)}: {counted(self.hits, 'hit')}, "
                      f"{counted(self.misses, 'miss')}"),
            ("layouts left", f"{self.layouts:,}"),
            ("misses lost", self._lost_text()),
            ("luck", f"{float(self.luck):+.2f} hits: {self.hits}, expected "
                     f"{float(self.expected_hits):.2f}"),
        ]  # fmt: skip
        named = [f"{s.number} {s.name} ({s.loss_text})" for s in self.mistakes]
        if named:
            facts.append(("worst mistakes", first_of(named, MANY_MISTAKES, ", ")))
        if self.stopped_by:
            made = counted(len(self.position.shots), "shot")
            facts.append(("review", f"{self.stopped_by} after {len(self.shots)} of {made}"))
        return facts

    def _lost_text(self) -> str:
        """The number that sums the player up, and how much of it is exact."""
        lost, exactly, at_once = (
            f"{float(part):.2f}"
            for part in (self.misses_lost, self.lost_exactly, self.lost_at_once)
        )
        known = sum(shot.is_exact for shot in self.shots)
        if self.is_exact:
            return f"{lost} exactly"
        if not known:
            return f"{lost} at once, none known exactly"
        shots = counted(known, "shot")
        return f"{lost}: {exactly} exactly in {shots}, {at_once} at once in the others"

    def text(self) -> str:
        """The shots as a table."""
        lines = [table_text(HEAD, [shot.cells() for shot in self.shots], LEFT)]
        if not self.is_exact:
            lines += ["", "~ the chance given away at once, in misses; other losses are exact"]
        return "\n".join(lines)

    def __repr__(self) -> str:
        how = "" if self.is_exact else ", partly at once" if self.lost_exactly else ", at once"
        shots = counted(len(self.shots), "shot")
        return (
            f"<review of {shots}: {float(self.misses_lost):.4f} misses lost{how}; "
            f"luck {float(self.luck):+.4f} hits>"
        )

    def _repr_html_(self) -> str:
        rows = [shot.cells() for shot in self.shots]
        note = f"misses lost {self._lost_text()}, luck {float(self.luck):+.4f} hits"
        return html_table(HEAD, rows, caption=str(self.position.rules), note=note, left=LEFT)
