"""A tournament's result as text, JSON, CSV and files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Any

from seabattle.cli.output_files import made_by
from seabattle.cli.pictures import Pictures
from seabattle.documents.games import game_document
from seabattle.enumerate.display.game_words import contact_words, game_words
from seabattle.enumerate.display.palette import Palette
from seabattle.enumerate.game.board import Board
from seabattle.enumerate.game.position import Position
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.writing import write_text
from seabattle.solver.tournament.statistics import LEVELS, Duel, Score, Spread, wilson
from seabattle.solver.tournament.tournament import TournamentResult


def _number(value: float) -> float | None:
    """A number JSON can hold."""
    return value if abs(value) != float("inf") else None


def _spread_document(spread: Spread) -> dict[str, Any]:
    return {
        "mean": float(spread.mean),
        "interval": [_number(end) for end in spread.interval],
        "deviation": spread.deviation,
        "median": spread.quantile(0.5),
        "quantiles": {f"{level:g}": spread.quantile(level) for level in LEVELS},
        "minimum": spread.minimum,
        "maximum": spread.maximum,
    }


def score_document(score: Score) -> dict[str, Any]:
    """One player's games as a JSON object."""
    return {
        "player": score.player,
        "games": score.shots.games,
        "exact": score.shots.exact,
        "total_misses": score.misses.total,
        "shots": _spread_document(score.shots),
        "misses": _spread_document(score.misses),
        "perfect_games": score.perfect,
        "perfect_share": score.perfect / score.shots.games,
        "perfect_interval": list(wilson(score.perfect, score.shots.games)),
        "distribution": {str(shots): games for shots, games in score.shots.items()},
    }


def duel_document(duel: Duel) -> dict[str, Any]:
    """Two players, paired, as a JSON object; positive means more shots for the first."""
    return {
        "first": duel.first,
        "second": duel.second,
        "mean_more_shots": float(duel.more_shots.mean),
        "interval": [_number(end) for end in duel.more_shots.interval],
        "fewer": duel.wins,
        "as_many": duel.more_shots.games - duel.wins - duel.losses,
        "more": duel.losses,
    }


def result_document(result: TournamentResult, layouts: str, seed: int) -> dict[str, Any]:
    """The whole result as a JSON object."""
    return {
        **game_document(result.position),
        "layouts": layouts,
        "prior": "uniform" if result.prior is None else result.prior.name,
        "seed": seed,
        "games": result.games,
        "games_wanted": result.wanted,
        "status": "stopped" if result.interrupted else "complete",
        "players": [score_document(score) for score in result.scores],
        "pairs": [duel_document(duel) for duel in result.duels],
        "seconds": result.seconds,
    }


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


def score_table(result: TournamentResult) -> str:
    """Shots and misses of every player as a text table."""
    head = ("player", "mean misses", "mean shots", "1%", "25%", "median", "75%", "99%", "least",
            "most", "perfect")  # fmt: skip
    body = []
    for score in result.scores:
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


def duel_table(result: TournamentResult) -> str:
    """Paired differences as a text table."""
    head = ("player", "against", "more shots", "fewer in", "as many in", "more in")
    body = []
    for duel in result.duels:
        games = duel.more_shots.games
        low, high = duel.more_shots.interval
        half = "" if duel.more_shots.exact else f" ± {(high - low) / 2:.3f}"
        even = games - duel.wins - duel.losses
        body.append(
            (
                duel.first,
                duel.second,
                f"{float(duel.more_shots.mean):+.3f}{half}",
                f"{duel.wins / games:.1%}",
                f"{even / games:.1%}",
                f"{duel.losses / games:.1%}",
            )
        )
    return _aligned(head, body, 2)


def title(result: TournamentResult, layouts: str) -> str:
    """The game in one line."""
    told = "" if result.prior is None else f", prior {result.prior.name}"
    return f"{result.rules}, layouts {Path(layouts).name}{told}: {result.games:,} games"


def plot_title(rules: Rules, layouts: str, prior: str | None, games: int) -> str:
    """The game in words, and the games below it."""
    told = "" if prior is None else f", prior {prior}"
    played = f"{games:,} games, layouts {Path(layouts).name}{told}"
    return f"{rules.board}, {game_words(rules)}\n{played}"


def result_text(result: TournamentResult, layouts: str) -> str:
    """Everything a reader wants: the game, then the tables."""
    return f"{title(result, layouts)}\n\n{result_tables(result)}"


def result_tables(result: TournamentResult) -> str:
    """Scores, then pairs."""
    parts = [score_table(result)]
    if result.duels:
        parts += ["", "on the same layouts, shots more (+) or fewer (-):", "", duel_table(result)]
    return "\n".join(parts)


def _csv(rows: Sequence[dict[str, Any]]) -> str:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def score_rows(result: TournamentResult) -> list[dict[str, Any]]:
    """One flat row per player, for CSV."""
    rows = []
    for score in result.scores:
        low, high = score.misses.interval
        rows.append(
            {
                "player": score.player,
                "games": score.shots.games,
                "mean_shots": float(score.shots.mean),
                "mean_misses": float(score.misses.mean),
                "mean_misses_low": low,
                "mean_misses_high": high,
                "total_misses": score.misses.total,
                **{f"shots_{level:g}": score.shots.quantile(level) for level in LEVELS},
                "shots_least": score.shots.minimum,
                "shots_most": score.shots.maximum,
                "perfect_games": score.perfect,
            }
        )
    return rows


def save_result(
    result: TournamentResult, layouts: str, seed: int, folder: Path, pictures: Pictures
) -> list[Path]:
    """Write tables, distributions and plots, and what made them."""
    written = []

    def keep(name: str, text: str) -> None:
        write_text(folder / name, text)
        written.append(folder / name)

    document = {
        "made_by": made_by(seed, without="--resume"),
        **result_document(result, layouts, seed),
    }
    del document["seconds"]  # the files of two runs are the same
    keep("table.json", json.dumps(document, indent=2) + "\n")
    keep("table.txt", result_text(result, layouts) + "\n")
    keep("table.csv", _csv(score_rows(result)))
    if result.duels:
        keep("pairs.csv", _csv([duel_document(duel) for duel in result.duels]))
    counts = {score.player: dict(score.shots.items()) for score in result.scores}
    lengths = sorted({shots for games in counts.values() for shots in games})
    keep(
        "distribution.csv",
        _csv([{"shots": n, **{p: counts[p].get(n, 0) for p in counts}} for n in lengths]),
    )
    prior = None if result.prior is None else result.prior.name
    heading = plot_title(result.rules, layouts, prior, result.games)
    for name in ("histogram", "cumulative"):
        written += pictures.save(
            distribution_svg(result.scores, heading, name == "cumulative", pictures.palette),
            folder / name,
        )
    return written


def distribution_svg(
    scores: Sequence[Score], title: str, cumulative: bool, palette: Palette
) -> str:
    """The distributions of the number of shots as an SVG document."""
    from seabattle.cli.plots import colours_of, distribution_plot, figure_svg

    with colours_of(palette):
        return figure_svg(distribution_plot(scores, title, cumulative=cumulative, palette=palette))


def layouts_document(
    position: Position, counts: Sequence[int], whole: int, placed: Sequence[int], games: int
) -> dict[str, Any]:
    """Uniform layouts (exact) and layouts placed in sequence (counted), as a JSON object."""
    columns = position.rules.board.columns

    def by_rows(values: Sequence[Any]) -> list[list[Any]]:
        return [list(values[i : i + columns]) for i in range(0, len(values), columns)]

    return {
        **game_document(position),
        "layouts": whole,
        "occupancy": by_rows(counts),
        "sequential_games": games,
        "sequential_occupancy": by_rows(placed),
        "more_or_fewer": by_rows(
            [b * whole / (a * games) - 1 if a else 0.0 for a, b in zip(counts, placed, strict=True)]
        ),
        "largest_standard_error": max(sqrt(max(0, 1 - b / games) / b) for b in placed if b),
    }


def layouts_text(document: dict[str, Any]) -> str:
    """How much more (+) or less (-) often each cell is occupied in sequence."""
    board = Board.parse(document["board"])
    cells = [100 * share for row in document["more_or_fewer"] for share in row]
    return (
        f"cells occupied more (+) or less (-) often by {document['sequential_games']:,} layouts "
        f"placed ship after ship than by uniform ones, in % "
        f"(standard error {100 * document['largest_standard_error']:.2f} or less):\n\n"
        + board.grid([f"{value:+.1f}" for value in cells])
    )


def save_layouts(
    document: dict[str, Any], seed: int, folder: Path, pictures: Pictures
) -> list[Path]:
    """Write the comparison of uniform and sequential layouts: JSON, text, picture."""
    from seabattle.cli.plots import colours_of, figure_svg, occupancy_plot

    write_text(
        folder / "table.json", json.dumps({"made_by": made_by(seed), **document}, indent=2) + "\n"
    )
    game = f"{document['board']}, fleet {document['fleet']}, contact {document['contact']}"
    text = f"{game}: {document['layouts']:,} layouts\n{layouts_text(document)}\n"
    write_text(folder / "table.txt", text)
    board = Board.parse(document["board"])
    shares = [
        [n / document[whole] for row in document[name] for n in row]
        for name, whole in (
            ("occupancy", "layouts"),
            ("sequential_occupancy", "sequential_games"),
        )
    ]
    with colours_of(pictures.palette):
        picture = figure_svg(
            occupancy_plot(
                list(zip(("uniform", "ship after ship"), shares, strict=True)),
                board.rows,
                board.columns,
                f"{board}, fleet {document['fleet']}; {contact_words(document['contact'])}",
                pictures.palette,
            )
        )
    return [
        folder / "table.json",
        folder / "table.txt",
        *pictures.save(picture, folder / "occupancy"),
    ]
