"""What came of a tournament: one table, and what is told of it.

``solver.tournament.plots`` draws it, ``solver.tournament.files`` keeps it in a folder.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import PlayerError, quoted
from seabattle.enumerate.picture import html_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.words import table_text
from seabattle.solver.tournament.statistics import (
    QUANTILES,
    Duel,
    Estimate,
    Score,
    Spread,
    finite,
    with_interval,
)

HEAD = ("player", "mean misses", "mean shots", "1%", "25%", "median", "75%", "99%", "least", "most",
        "perfect")  # fmt: skip
"""Columns of the tables for people; behind the second, where luck was counted, ``LESS_LUCK``."""

PAIR_HEAD = ("player", "against", "more shots", "fewer in", "as many in", "more in")
"""The same of the pairs, and there behind the third."""

LESS_LUCK = "less luck"

Row = dict[str, Any]


@dataclass(frozen=True, repr=False)
class Standings:
    """What came of a tournament.

    Attributes
    ----------
    position
        The game, and what the players knew at the start.
    scores
        One per player, in the order asked for.
    duels
        One per pair of players.
    shots
        int16 ``(n_players, n_games)``, shots of each game; None where that is not known.
    luck
        float64 ``(n_players, n_games)``, the shots that chance alone cost in each game; None where
        it was not counted, or is not known.
    layouts, prior, seed
        Where the layouts came from, what players that weigh layouts believed, and the seed.
    wanted
        Games asked for.
    seconds
        Time of play; None where that is not known.
    made_by
        Command, version and seed that played it, as in its files; None where no file says it.
    """

    position: Position
    scores: tuple[Score, ...]
    duels: tuple[Duel, ...]
    shots: NDArray[np.int16] | None = field(default=None, compare=False)
    luck: NDArray[np.float64] | None = field(default=None, compare=False)
    layouts: str = "uniform"
    prior: str = "uniform"
    seed: int = 0
    wanted: int = 0
    seconds: float | None = None
    made_by: dict[str, Any] | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        means = [f"{s.player} {float(s.misses.mean):.4g}" for s in self.scores]
        return (
            f"<standings of {self.position.rules}: {self.games:,} games, misses {', '.join(means)}>"
        )

    def _repr_html_(self) -> str:
        best_first = sorted(self.scores, key=lambda score: score.misses.mean)
        played = f"{self.position.rules}: {self.games:,} games"
        note = f"stopped after {self.games:,} of {self.wanted:,} games" if self.interrupted else ""
        return html_table(self._head(), map(_cells, best_first), caption=played, note=note)

    @property
    def games(self) -> int:
        """Games played by each player."""
        return self.scores[0].shots.games

    @property
    def less_luck(self) -> bool:
        """Whether means are told less luck, too."""
        return self.scores[0].shots.less_luck is not None

    @property
    def interrupted(self) -> bool:
        """Whether fewer games were played than asked for."""
        return self.games < self.wanted

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players, in the order asked for."""
        return tuple(score.player for score in self.scores)

    def score(self, player: str) -> Score:
        """One player's games.

        Raises
        ------
        PlayerError
            If nobody of that name played.
        """
        if player not in self.players:
            raise PlayerError(f"player {quoted(player)} is not one of {', '.join(self.players)}")
        return self.scores[self.players.index(player)]

    def duel(self, first: str, second: str) -> Duel:
        """Two players, paired, whichever of them was named first.

        Raises
        ------
        PlayerError
            As for ``score``, or if they are the same.
        """
        if self.score(first) is self.score(second):
            raise PlayerError(f"player {quoted(first)} is named twice")
        duels = {(duel.first, duel.second): duel for duel in self.duels}
        return duels.get((first, second)) or duels[second, first].reversed()

    def facts(self) -> list[tuple[str, str]]:
        """Labels and texts of what was played, the game and the tables apart."""
        told = [] if self.prior == "uniform" else [("prior", self.prior)]
        of = f" of {self.wanted:,}" if self.interrupted else ""
        return [("layouts", self.layouts), *told, ("games", f"{self.games:,}{of}")]

    def document(self) -> dict[str, Any]:
        """What ``tournament --json`` prints.

        Fields
        ------
        layouts: where the layouts came from
        prior: what players that weigh layouts believed
        seed: what everything random followed from
        games: games that each player played
        games_wanted: games asked for
        status: complete, or stopped before all games were played
        players: the games of each player, in the order asked for
        players.player: its name
        players.games: its games
        players.exact: whether every layout was played equally often by a player without chance
        players.total_misses: sum over the games
        players.shots: mean, 95 % interval, deviation, quantiles, least and most of the shots
        players.misses: the same of the misses
        players.shots.less_luck: with --luck: mean, 95 % interval and deviation of shots less luck
        players.misses.less_luck: the same of the misses
        players.perfect_games: games without a miss
        players.perfect_share: their share
        players.perfect_interval: 95 % interval of the share
        players.distribution: games by their number of shots
        pairs: two players each, on the same layouts
        pairs.mean_more_shots: shots of the first less those of the second, on average
        pairs.interval: 95 % interval of that mean
        pairs.less_luck: with --luck: mean, 95 % interval and deviation of that less luck
        pairs.fewer: games in which the first took fewer shots
        pairs.as_many: games in which both took as many
        pairs.more: games in which the first took more
        seconds: time of play
        """
        return {
            **self.position.document(),
            "layouts": self.layouts,
            "prior": self.prior,
            "seed": self.seed,
            "games": self.games,
            "games_wanted": self.wanted,
            "status": "stopped" if self.interrupted else "complete",
            "players": [score.document() for score in self.scores],
            "pairs": [duel.document() for duel in self.duels],
            "seconds": self.seconds,
        }

    # Tables

    def records(self) -> list[Row]:
        """One row per player, as pandas and polars take them.

        Examples
        --------
        >>> from seabattle.enumerate.rules import Rules
        >>> from seabattle.solver.tournament.tournament import tournament
        >>> played = tournament(Rules("3x3", "2,1"), ["greedy-map"], layouts="all")
        >>> [(row["player"], row["games"], row["total_misses"]) for row in played.records()]
        [('greedy-map', 24, 62)]
        """
        return [
            {
                "player": score.player,
                "games": score.shots.games,
                "exact": score.shots.exact,
                **_mean_columns("mean_shots", score.shots),
                **_mean_columns("mean_misses", score.misses),
                "deviation": score.shots.deviation,
                "total_misses": score.misses.total,
                "shots_least": score.shots.minimum,
                **{f"shots_{n}": score.shots.quantile(level) for n, level in QUANTILES.items()},
                "shots_most": score.shots.maximum,
                "perfect_games": score.perfect,
            }
            for score in self.scores
        ]

    def pair_records(self) -> list[Row]:
        """One row per pair of players, on the same layouts."""
        return [
            {
                "first": duel.first,
                "second": duel.second,
                "games": duel.games,
                **_mean_columns("mean_more_shots", duel),
                "fewer": duel.wins,
                "as_many": duel.even,
                "more": duel.losses,
            }
            for duel in self.duels
        ]

    def distribution_records(self) -> list[Row]:
        """One row per number of shots, with a column per player: how many games."""
        counts = {score.player: dict(score.shots.items()) for score in self.scores}
        lengths = sorted({shots for games in counts.values() for shots in games})
        return [{"shots": n, **{p: counts[p].get(n, 0) for p in counts}} for n in lengths]

    def game_records(self) -> list[Row]:
        """One row per game and player, the games numbered from 1; none where they are not known."""
        if self.shots is None:
            return []
        to_hit = self.scores[0].to_hit
        rows: list[Row] = [
            {"game": game, "player": player, "shots": shots, "misses": shots - to_hit}
            for game, column in enumerate(self.shots.T.tolist(), start=1)
            for player, shots in zip(self.players, column, strict=True)
        ]
        if self.luck is None:
            return rows
        return [{**row, "luck": luck} for row, luck in zip(rows, self.luck.T.flat, strict=True)]

    def text(self) -> str:
        """Scores, then pairs, as text tables."""
        parts = [table_text(self._head(), list(map(_cells, self.scores)), ruled=True)]
        if self.duels:
            pairs = [
                (
                    duel.first,
                    duel.second,
                    with_interval(duel, 3, "+"),
                    *([with_interval(duel.less_luck, 3, "+")] if duel.less_luck else []),
                    *(f"{n / duel.games:.1%}" for n in (duel.wins, duel.even, duel.losses)),
                )
                for duel in self.duels
            ]
            parts += ["", "on the same layouts, shots more (+) or fewer (-):", "",
                      table_text(self._head(PAIR_HEAD, 3), pairs, (0, 1), ruled=True)]  # fmt: skip
        return "\n".join(parts)

    def _head(self, head: tuple[str, ...] = HEAD, place: int = 2) -> tuple[str, ...]:
        """The columns of a table for people."""
        return (*head[:place], LESS_LUCK, *head[place:]) if self.less_luck else head


def standings_of(
    position: Position,
    exact: Mapping[str, bool],
    shots: NDArray[np.int16],
    luck: NDArray[np.float64] | None = None,
    **about: Any,
) -> Standings:
    """The standings of games.

    Parameters
    ----------
    position
        What the players knew at the start.
    exact
        The players, and whether the games of each are all that there are, not a sample.
    shots
        int16 ``(n_players, n_games)``.
    luck
        float64 ``(n_players, n_games)``, or None if it was not counted.
    about
        Other attributes of ``Standings``.
    """
    names = list(exact)
    scores = [
        Score.of(
            name,
            position,
            games_by_shots(position, shots[row]),
            exact[name],
            None if luck is None else Estimate.of(shots[row], luck[[row]], exact=exact[name]),
        )
        for row, name in enumerate(names)
    ]
    duels = [
        Duel.of(
            names[a],
            names[b],
            shots[[a, b]],
            None if luck is None else luck[[a, b]],
            exact=exact[names[a]] and exact[names[b]],
        )
        for a, b in itertools.combinations(range(len(names)), 2)
    ]
    return Standings(position, tuple(scores), tuple(duels), shots, luck, **about)


def games_by_shots(position: Position, shots: NDArray[np.int16]) -> NDArray[np.int64]:
    """How many games took each number of shots."""
    return np.bincount(shots, minlength=position.rules.board.cells + 1)


def _mean_columns(name: str, found: Spread | Duel | Estimate) -> Row:
    """A mean and the ends of its interval, and the same less luck where that was counted."""
    low, high = map(finite, found.interval)
    columns = {name: float(found.mean), f"{name}_low": low, f"{name}_high": high}
    left = None if isinstance(found, Estimate) else found.less_luck
    return columns if left is None else {**columns, **_mean_columns(f"{name}_less_luck", left)}


def _cells(score: Score) -> tuple[str, ...]:
    """A player's row of the tables for people."""
    shots, misses = score.shots, score.misses
    return (
        score.player,
        *(with_interval(m, 4 if shots.exact else 3) for m in (misses, misses.less_luck) if m),
        f"{float(shots.mean):.3f}",
        *(f"{shots.quantile(level):g}" for level in (0.01, 0.25, 0.5, 0.75, 0.99)),
        f"{shots.minimum}",
        f"{shots.maximum}",
        f"{score.perfect}",
    )
