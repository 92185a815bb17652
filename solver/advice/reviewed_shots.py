"""What a review of a game found: each shot, and all of them together."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from seabattle.enumerate.answers import MISS, answer_text
from seabattle.enumerate.map import SURE
from seabattle.enumerate.position import Position
from seabattle.enumerate.words import counted, percent_text

Chance = Fraction | float
"""A probability or a number of misses, exact if there is no prior."""


def percent(chance: Chance) -> str:
    """A chance in percent, without the sign; 0 and 100 only if the chance is exactly 0 or 1.

    >>> percent(Fraction(1, 3)), percent(0.125), percent(Fraction(10**9 - 1, 10**9))
    ('33.33', '12.50', '>99.99')
    """
    if not isinstance(chance, Fraction):
        chance = Fraction(1 if chance >= 1 - SURE else chance)
    return percent_text(chance.numerator, chance.denominator, decimals=2)


@dataclass(frozen=True)
class ReviewedShot:
    """One shot, looked back at.

    Attributes
    ----------
    number
        Its place among the shots, from 1 on.
    position
        What was known before it.
    cell, answer
        Number of the cell, and code of the answer.
    chance
        How likely it was to hit: a ``Fraction``, or a float under a prior.
    best_chance, best_cells
        The highest chance of a cell not yet shot, and the numbers of all cells with this chance.
    open_chance
        The highest chance among the cells that were not certain hits; 0 if there were none.
    layouts_before, layouts_after
        Number of layouts that fitted before the shot, and after its answer.
    lost_at_once
        ``open_chance`` minus ``chance``, in misses; 0 for a certain hit.
    exact_loss
        Mean misses still to come with this shot and optimal play afterwards, its own possible miss
        included, minus those of optimal play; None where optimal play is not known.
    optimal_cells
        Numbers of the optimal shots, as in ``Endgame``; None where optimal play is not known.
    """

    number: int
    position: Position
    cell: int
    answer: int
    chance: Chance
    best_chance: Chance
    best_cells: tuple[int, ...]
    open_chance: Chance
    layouts_before: int
    layouts_after: int
    lost_at_once: Chance
    exact_loss: Fraction | None = None
    optimal_cells: tuple[int, ...] | None = None

    @property
    def name(self) -> str:
        """Name of the cell."""
        return self.position.rules.board.name(self.cell)

    @property
    def answer_text(self) -> str:
        """The answer as text."""
        return answer_text(self.answer)

    @property
    def is_hit(self) -> bool:
        """Whether it met a ship."""
        return self.answer != MISS

    @property
    def is_certain(self) -> bool:
        """Whether it was certain to hit, as far as chances under a prior can tell."""
        return self.chance >= (1 if isinstance(self.chance, Fraction) else 1 - SURE)

    @property
    def is_exact(self) -> bool:
        """Whether ``lost`` is exact."""
        return self.exact_loss is not None

    @property
    def lost(self) -> Chance:
        """Misses lost: the exact loss where it is known, else the loss at once."""
        return self.lost_at_once if self.exact_loss is None else self.exact_loss

    @property
    def luck(self) -> Chance:
        """Hits beyond expectation: 1 for a hit or 0 for a miss, minus ``chance``."""
        return int(self.is_hit) - self.chance

    @property
    def best_shots(self) -> tuple[str, ...]:
        """Names of the cells that had the best chance."""
        return tuple(map(self.position.rules.board.name, self.best_cells))

    @property
    def optimal_shots(self) -> tuple[str, ...] | None:
        """Names of the optimal shots; None where optimal play is not known."""
        if self.optimal_cells is None:
            return None
        return tuple(map(self.position.rules.board.name, self.optimal_cells))

    def document(self) -> dict[str, Any]:
        """The shot as JSON: cells by name."""
        document: dict[str, Any] = {
            "number": self.number,
            "cell": self.name,
            "answer": self.answer_text,
            "chance": float(self.chance),
            "best_chance": float(self.best_chance),
            "best": list(self.best_shots),
            "certain": self.is_certain,
            "layouts_before": self.layouts_before,
            "layouts_after": self.layouts_after,
            "lost": float(self.lost),
            "exact": self.is_exact,
            "lost_at_once": float(self.lost_at_once),
        }
        if self.optimal_shots is not None:
            document["optimal"] = list(self.optimal_shots)
        return document

    def __repr__(self) -> str:
        how = "exactly" if self.is_exact else "at once"
        return (
            f"<shot {self.number}, {self.name} {self.answer_text}: chance "
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
    def hits(self) -> int:
        """Shots reviewed that met a ship."""
        return sum(shot.is_hit for shot in self.shots)

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
        """The review as JSON: cells by name, ``mistakes`` by the numbers of their shots."""
        prior = {"prior": self.prior_name} if self.prior_name else {}
        return {
            **prior,
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

    def __repr__(self) -> str:
        how = "" if self.is_exact else ", partly at once" if self.lost_exactly else ", at once"
        shots = counted(len(self.shots), "shot")
        return (
            f"<review of {shots}: {float(self.misses_lost):.4f} misses lost{how}; "
            f"luck {float(self.luck):+.4f} hits>"
        )

    def _repr_html_(self) -> str:
        from seabattle.enumerate.picture import html_table

        head = ("shot", "cell", "answer", "chance %", "best %", "at", "lost", "")
        rows = [
            (str(shot.number), shot.name, shot.answer_text, percent(shot.chance),
             percent(shot.best_chance), " ".join(shot.best_shots[:4]),
             f"{float(shot.lost):.4f}", "exactly" if shot.is_exact else "at once")
            for shot in self.shots
        ]  # fmt: skip
        note = f"{float(self.misses_lost):.4f} misses lost, luck {float(self.luck):+.4f} hits"
        caption = str(self.position.rules)
        return html_table(head, rows, caption=caption, note=note, left=(1, 2, 5, 7))
