"""The files of a tournament, in a folder.

``table.json``        everything but the single games, as ``--json`` prints it
``table.txt``         the table as it is printed
``table.csv``         a row for each player: games, mean, interval, quantiles
``pairs.csv``         a row for each pair of players, on the same layouts
``distribution.csv``  a row for each number of shots, a column for each player: how many games
``games.csv``         a row for each game of each player: game, player, shots, misses, and luck
                      where it was counted

and three plots (``solver.tournament.plots``), unless none are wanted.

The CSV files open in a spreadsheet, pandas or R as they are: the first line has the names of the
columns, a column holds values of one type, a cell holds one value, and what is not known is empty.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import PlayerError, SeabattleError
from seabattle.enumerate.files import (
    csv_text,
    read_json,
    read_text,
    require_known,
    require_same,
    write_texts,
)
from seabattle.enumerate.picture import Pictures
from seabattle.enumerate.position_files import SHOT_FIELDS, read_shot_fields
from seabattle.enumerate.rules import DOCUMENT_FIELDS, Rules
from seabattle.solver.tournament.plots import baseline_of, pictures_of
from seabattle.solver.tournament.standings import Standings, games_by_shots
from seabattle.solver.tournament.statistics import Duel, Estimate, Interval, Score

DOCUMENT = "table.json"
GAMES = "games.csv"

FIELDS = (
    "made_by", *DOCUMENT_FIELDS, *SHOT_FIELDS, "layouts", "prior", "seed", "games", "games_wanted",
    "status", "players", "pairs", "seconds",
)  # fmt: skip
"""Fields of ``table.json``."""

MOST_ROWS = 1_048_575
"""Games are written one by one while all players' are no more than a spreadsheet has rows."""


def save_tournament(
    standings: Standings,
    folder: str | Path,
    *,
    formats: Sequence[str] = ("svg", "png"),
    scale: float | None = None,
    theme: str = "light",
    baseline: str | None = None,
    made_by: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write tables, games, distributions and plots to a folder.

    Parameters
    ----------
    standings
        What came of the tournament.
    folder
        Where; it is made if it is not there.
    formats
        Kinds of the plots: ``svg``, ``png``, ``pdf``; none for no plots.
    scale
        Size of the plots, times their own; by default 1, and of a PNG 2.
    theme
        Their colours: ``light``, ``dark`` or ``print``.
    baseline
        The player against whom shots are saved in the plot of differences; by default
        ``greedy-map`` where it played, else the player with the fewest misses.
    made_by
        What played the tournament; by default what is known of that, else the version of the
        program and the seed.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    FileAccessError
        If one cannot be written.
    DrawingError
        If a format or the scale is none that there is.
    RulesError
        If the theme is none that there is.
    PlayerError
        If the baseline did not play.
    """
    folder = Path(folder)
    pictures = Pictures(tuple(formats), scale, theme)
    against, colours = baseline_of(standings, baseline), pictures.palette
    drawn = pictures_of(standings, colours, baseline=against) if pictures.formats else {}
    here = {"command": "", "version": version("seabattle"), "seed": standings.seed}
    document = {"made_by": dict(made_by or standings.made_by or here), **standings.document()}
    del document["seconds"]  # the files of two runs are the same
    told = "" if standings.prior == "uniform" else f", prior {standings.prior}"
    played = f"layouts {Path(standings.layouts).name}{told}: {standings.games:,} games"
    few = standings.shots is not None and standings.shots.size <= MOST_ROWS
    texts = {
        DOCUMENT: json.dumps(document, indent=2) + "\n",
        "table.txt": f"{standings.position.rules}, {played}\n\n{standings.text()}\n",
        "table.csv": csv_text(standings.records()),
        "pairs.csv": csv_text(standings.pair_records()),
        "distribution.csv": csv_text(standings.distribution_records()),
        GAMES: csv_text(standings.game_records()) if few else "",
    }
    written = write_texts(folder, {name: text for name, text in texts.items() if text})
    for name, picture in drawn.items():
        written += pictures.save(picture, folder / name)
    return written


def load_tournament(folder: str | Path) -> Standings:
    """What came of a tournament, from the folder that it was saved to.

    ``save_tournament`` draws the plots anew from it, without playing again.

    Parameters
    ----------
    folder
        What ``seabattle tournament --out`` or ``save_tournament`` wrote: ``table.json`` and, where
        it is there, ``games.csv``. Without the games there are no bands in the plot of differences.

    Raises
    ------
    FileAccessError
        If a file cannot be read.
    PlayerError
        If one is damaged, or they are not of the same tournament.
    """
    path, games = Path(folder) / DOCUMENT, Path(folder) / GAMES
    document = read_json(path, "table of a tournament", PlayerError)
    try:
        found = _standings_read(document)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        told = f": {error}" if isinstance(error, SeabattleError) else ""
        raise PlayerError(f"{path} is not a table of a tournament, or is damaged{told}") from None
    if not games.exists():
        return found
    shots, luck = _games_read(games, found)
    return replace(found, shots=shots, luck=luck if found.less_luck else None)


def _games_read(path: Path, found: Standings) -> tuple[NDArray[np.int16], NDArray[np.float64]]:
    """The shots of each game of a tournament, and its luck, from its ``games.csv``.

    Raises
    ------
    PlayerError
        If they are not those of the tournament; names the line.
    """
    left = {(game, name) for game in range(1, found.games + 1) for name in found.players}
    names = {player: row for row, player in enumerate(found.players)}
    shots = np.full((len(names), found.games), -1, dtype=np.int16)
    luck = np.zeros(shots.shape)
    to_hit, most = found.scores[0].to_hit, found.position.rules.board.cells
    rows = csv.reader(read_text(path).splitlines(), strict=True)
    try:
        columns = ["game", "player", "shots", "misses"] + ["luck"] * found.less_luck
        if next(rows, None) != columns:
            raise ValueError
        for game, player, number, missed, *by_chance in rows:
            left.remove((int(game), player))
            if not to_hit <= int(number) == int(missed) + to_hit <= most:
                raise ValueError
            shots[names[player], int(game) - 1] = int(number)
            (luck[names[player], int(game) - 1],) = by_chance or ["0"]
    except (KeyError, ValueError, csv.Error):
        raise PlayerError(
            f"{path}, line {rows.line_num}: is not a game of {DOCUMENT} beside it: remove the file"
        ) from None
    counts = (games_by_shots(found.position, played) for played in shots)
    lucks = luck[:, None] if found.less_luck else [None] * len(shots)
    means = (Estimate.of(*game).mean for game in zip(shots, lucks, strict=True))
    if (
        left
        or not np.isfinite(luck).all()
        or any(
            not np.array_equal(count, score.shots.counts)
            or not np.isclose(mean, float((score.shots.less_luck or score.shots).mean), atol=1e-9)
            for count, mean, score in zip(counts, means, found.scores, strict=True)
        )
    ):
        raise PlayerError(f"{path} does not have the games of {DOCUMENT} beside it: remove it")
    return shots, luck


def _standings_read(document: dict[str, Any]) -> Standings:
    """The standings of a document; an error of Python's own if it is not what is written."""
    require_known(document, FIELDS, PlayerError)
    position = read_shot_fields(Rules.of_document(document), {"shots": [], **document})
    scores = {}
    for each in document["players"]:
        counts = np.zeros(position.rules.board.cells + 1, dtype=np.int64)
        for shots, games in each["distribution"].items():
            counts[int(shots)] = games
        exact = each["exact"]
        left = _estimate_read(each["shots"].get("less_luck"), exact=exact)
        scores[each["player"]] = Score.of(each["player"], position, counts, exact, left)
    duels = []
    for each in document["pairs"]:
        first, second = scores[each["first"]], scores[each["second"]]
        interval = _interval_read(each["interval"])
        mean = float(first.shots.mean - second.shots.mean)
        exact = first.shots.exact and second.shots.exact
        played = each["first"], each["second"], first.shots.games
        duels.append(
            Duel(
                *played,
                mean,
                interval,
                wins=each["fewer"],
                losses=each["more"],
                exact=exact,
                less_luck=_estimate_read(each.get("less_luck"), exact=exact),
            )
        )
    found = Standings(
        position,
        tuple(scores.values()),
        tuple(duels),
        layouts=document["layouts"],
        prior=document.get("prior", "uniform"),
        seed=document["seed"],
        wanted=document["games_wanted"],
        made_by=dict(document["made_by"]),
    )
    about = {"seconds": document.get("seconds"), "prior": found.prior}
    right = {**found.document(), **about, "made_by": document["made_by"]}
    require_same({**about, **document}, right, PlayerError)
    return found


def _estimate_read(found: dict[str, Any] | None, *, exact: bool) -> Estimate | None:
    """A mean less luck, where there is one."""
    if found is None:
        return None
    interval = _interval_read(found["interval"])
    return Estimate(float(found["mean"]), interval, float(found["deviation"]), exact)


def _interval_read(ends: list[float | None]) -> Interval:
    """An interval, whose ends that are nowhere are left out."""
    low, high = ends
    return -math.inf if low is None else low, math.inf if high is None else high
