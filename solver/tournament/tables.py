"""The tables of a tournament: as text, and as CSV.

The CSV files open in a spreadsheet, pandas or R as they are: the first line has the names of the
columns, a column holds values of one type, a cell holds one value, and what is not known is empty.

``table.csv``         a row for each player: games, mean, interval, quantiles
``pairs.csv``         a row for each pair of players, on the same layouts
``distribution.csv``  a row for each number of shots, a column for each player: how many games
``games.csv``         a row for each game of each player: game, player, shots, misses
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from seabattle.solver.tournament.standings import Standings, finite
from seabattle.solver.tournament.statistics import Spread

Row = dict[str, Any]

_QUANTILES = {
    "p01": 0.01, "p05": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95, "p99": 0.99,
}  # fmt: skip
"""Names of columns, and the share of games that does not take more shots."""


# Text


def _aligned(head: Sequence[str], body: Sequence[Sequence[str]], texts: int) -> str:
    """Lines of a table, the first ``texts`` columns to the left, the others to the right."""
    lines = [head, *body]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    rows = [
        "  ".join(
            text.ljust(width) if i < texts else text.rjust(width)
            for i, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    return "\n".join([rows[0], "-" * len(rows[0]), *rows[1:]])


def _with_interval(spread: Spread) -> str:
    low, high = spread.interval
    if spread.exact:
        return f"{float(spread.mean):.4f}"
    return f"{float(spread.mean):.3f} ± {(high - low) / 2:.3f}"


def score_table(standings: Standings) -> str:
    """Shots and misses of every player as a text table."""
    head = ("player", "mean misses", "mean shots", "1%", "25%", "median", "75%", "99%", "least",
            "most", "perfect")  # fmt: skip
    body = []
    for score in standings.scores:
        shots = score.shots
        body.append(
            (
                score.player,
                _with_interval(score.misses),
                f"{float(shots.mean):.3f}",
                *(f"{shots.quantile(level):g}" for level in (0.01, 0.25, 0.5, 0.75, 0.99)),
                str(shots.minimum),
                str(shots.maximum),
                f"{score.perfect}",
            )
        )
    return _aligned(head, body, 1)


def duel_table(standings: Standings) -> str:
    """Paired differences as a text table."""
    head = ("player", "against", "more shots", "fewer in", "as many in", "more in")
    body = []
    for duel in standings.duels:
        low, high = duel.interval
        half = "" if duel.exact else f" ± {(high - low) / 2:.3f}"
        even = duel.games - duel.wins - duel.losses
        body.append(
            (
                duel.first,
                duel.second,
                f"{duel.mean:+.3f}{half}",
                f"{duel.wins / duel.games:.1%}",
                f"{even / duel.games:.1%}",
                f"{duel.losses / duel.games:.1%}",
            )
        )
    return _aligned(head, body, 2)


def tables_text(standings: Standings) -> str:
    """Scores, then pairs."""
    parts = [score_table(standings)]
    if standings.duels:
        parts += ["", "on the same layouts, shots more (+) or fewer (-):", "",
                  duel_table(standings)]  # fmt: skip
    return "\n".join(parts)


def standings_text(standings: Standings) -> str:
    """Everything a reader wants: the game in one line, then the tables."""
    told = "" if standings.prior == "uniform" else f", prior {standings.prior}"
    played = f"layouts {Path(standings.layouts).name}{told}: {standings.games:,} games"
    return f"{standings.position.rules}, {played}\n\n{tables_text(standings)}"


# CSV


def csv_text(rows: Iterable[Row]) -> str:
    """Rows with the same columns as CSV; None as an empty cell."""
    stream = io.StringIO()
    writer = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(stream, fieldnames=list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)
    return stream.getvalue()


def score_rows(standings: Standings) -> list[Row]:
    """One row per player."""
    rows = []
    for score in standings.scores:
        shots, misses = score.shots, score.misses
        rows.append(
            {
                "player": score.player,
                "games": shots.games,
                "exact": shots.exact,
                "mean_shots": float(shots.mean),
                "mean_shots_low": finite(shots.interval[0]),
                "mean_shots_high": finite(shots.interval[1]),
                "mean_misses": float(misses.mean),
                "mean_misses_low": finite(misses.interval[0]),
                "mean_misses_high": finite(misses.interval[1]),
                "deviation": shots.deviation,
                "total_misses": misses.total,
                "shots_least": shots.minimum,
                **{f"shots_{n}": shots.quantile(level) for n, level in _QUANTILES.items()},
                "shots_most": shots.maximum,
                "perfect_games": score.perfect,
            }
        )
    return rows


def duel_rows(standings: Standings) -> list[Row]:
    """One row per pair of players."""
    return [
        {
            "first": duel.first,
            "second": duel.second,
            "games": duel.games,
            "mean_more_shots": duel.mean,
            "mean_more_shots_low": finite(duel.interval[0]),
            "mean_more_shots_high": finite(duel.interval[1]),
            "fewer": duel.wins,
            "as_many": duel.games - duel.wins - duel.losses,
            "more": duel.losses,
        }
        for duel in standings.duels
    ]


def distribution_rows(standings: Standings) -> list[Row]:
    """One row per number of shots, with a column per player."""
    counts = {score.player: dict(score.shots.items()) for score in standings.scores}
    lengths = sorted({shots for games in counts.values() for shots in games})
    return [{"shots": n, **{p: counts[p].get(n, 0) for p in counts}} for n in lengths]


def game_rows(standings: Standings) -> Iterable[Row]:
    """One row per game and player, the games numbered from 1; none where they were not kept."""
    if standings.shots is None:
        return
    to_hit = standings.scores[0].to_hit
    for game, column in enumerate(standings.shots.T.tolist(), start=1):
        for player, shots in zip(standings.players, column, strict=True):
            yield {"game": game, "player": player, "shots": shots, "misses": shots - to_hit}
