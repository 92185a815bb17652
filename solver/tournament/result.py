"""What a tournament returns."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import PlayerError
from seabattle.enumerate.plain_arguments import require_flag
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.rules import Rules
from seabattle.solver.players.player_spec import PlayerSpec
from seabattle.solver.tournament.saving import save_tournament
from seabattle.solver.tournament.standings import Standings
from seabattle.solver.tournament.statistics import Duel, Score, Tally

MOST_ROWS = 1_048_575
"""Games are kept one by one while all players' are no more than a spreadsheet has rows."""


@dataclass(frozen=True, repr=False)
class TournamentResult:
    """A tournament's result.

    Attributes
    ----------
    rules, position
        The game, and what the players knew at the start.
    specs
        The players, in the order asked for.
    tally
        All games counted.
    wanted
        Games asked for; fewer were played when ``interrupted``.
    complete
        Whether every layout of the game was played equally often.
    interrupted
        Whether it was stopped early.
    seconds
        Time of play.
    prior
        How likely players that weigh layouts took them to be, unless they had a prior of their
        own; None where all were equally likely.
    layouts, seed
        Where the layouts came from, and what everything random followed from.
    shots
        int16 ``(n_players, n_games)``, shots of each game; None where they are more than
        ``MOST_ROWS``.
    """

    rules: Rules
    position: Position
    specs: tuple[PlayerSpec, ...]
    tally: Tally
    wanted: int
    complete: bool
    interrupted: bool
    seconds: float
    prior: Prior | None = None
    layouts: str = "uniform"
    seed: int = 0
    shots: NDArray[np.int16] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        require_flag("complete", self.complete)
        require_flag("interrupted", self.interrupted)

    def __repr__(self) -> str:
        means = [f"{s.player} {float(s.misses.mean):.4g}" for s in self.scores if self.games]
        return f"<tournament of {self.rules}: {self.games:,} games, misses {', '.join(means)}>"

    def _repr_html_(self) -> str:
        from seabattle.enumerate.picture import html_table

        head = ("player", "mean shots", "95 % interval", "median", "mean misses", "without a miss")
        rows = []
        for score in sorted(self.scores, key=lambda each: each.misses.mean) if self.games else ():
            shots, (low, high) = score.shots, score.shots.interval
            between = "exact" if shots.exact else f"{float(low):.3f} to {float(high):.3f}"
            rows.append(
                (score.player, f"{float(shots.mean):.3f}", between, f"{shots.quantile(0.5):g}",
                 f"{float(score.misses.mean):.3f}", f"{100 * score.perfect / self.games:.2f} %")
            )  # fmt: skip
        played = f"{self.rules}: {self.games:,} games"
        note = f"stopped after {self.games:,} of {self.wanted:,} games" if self.interrupted else ""
        return html_table(head, rows, caption=played, note=note)

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players, in the order asked for."""
        return tuple(spec.name for spec in self.specs)

    @property
    def games(self) -> int:
        """Games played by each player."""
        return self.tally.games

    @property
    def to_hit(self) -> int:
        """Cells that had to be hit in each game."""
        return self.rules.fleet.cells - self.position.hit_mask.bit_count()

    @property
    def standings(self) -> Standings:
        """What came of it, as tables, files and plots tell it.

        Raises
        ------
        PlayerError
            If no game was played.
        """
        if not self.games:
            raise PlayerError("no game was played, so that there are no standings")
        return Standings(
            position=self.position,
            layouts=self.layouts,
            prior="uniform" if self.prior is None else self.prior.name,
            seed=self.seed,
            wanted=self.wanted,
            scores=tuple(self.scores),
            duels=tuple(self.duels),
            shots=self.shots,
            seconds=self.seconds,
        )

    def save(
        self,
        folder: str | Path,
        *,
        formats: Sequence[str] = ("svg", "png"),
        scale: float | None = None,
        theme: str = "light",
        baseline: str | None = None,
    ) -> list[Path]:
        """Write tables, games, distributions and plots, as ``seabattle tournament --out`` does.

        Parameters
        ----------
        folder, formats, scale, theme, baseline
            As for ``save_tournament``.

        Returns
        -------
        list of Path
            The files.

        Raises
        ------
        SeabattleError
            As for ``save_tournament``, or if no game was played.
        """
        return save_tournament(
            self.standings, folder, formats=formats, scale=scale, theme=theme, baseline=baseline
        )

    def _exact(self, *names: str) -> bool:
        specs = [spec for spec in self.specs if spec.name in names]
        return self.complete and not any(spec.chance or spec.learns for spec in specs)

    @property
    def scores(self) -> list[Score]:
        """One per player, in the order asked for."""
        return [
            self.tally.score(name, self.to_hit, exact=self._exact(name)) for name in self.players
        ]

    @property
    def duels(self) -> list[Duel]:
        """One per pair of players."""
        return [
            self.tally.duel(a, b, exact=self._exact(a, b))
            for a, b in itertools.combinations(self.players, 2)
        ]
