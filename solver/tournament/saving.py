"""A folder with everything that came of a tournament: tables, games, distributions and plots."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from seabattle.enumerate.arguments import require_path, require_type
from seabattle.enumerate.colours import palette_of
from seabattle.enumerate.errors import wrong_type
from seabattle.enumerate.files import write_text
from seabattle.enumerate.picture import Pictures, require_kinds, require_scale
from seabattle.solver.tournament.plots import plots
from seabattle.solver.tournament.standings import DOCUMENT, GAMES, Standings
from seabattle.solver.tournament.tables import (
    csv_text,
    distribution_rows,
    duel_rows,
    game_rows,
    score_rows,
    standings_text,
)


def save_tournament(
    standings: Standings,
    folder: str | Path,
    *,
    formats: Sequence[str] = ("svg", "png"),
    scale: float | None = None,
    theme: str = "light",
    baseline: str | None = None,
) -> list[Path]:
    """Write tables, games, distributions and plots of a tournament to a folder.

    Parameters
    ----------
    standings
        What came of it: ``TournamentResult.standings``, or what ``load_tournament`` read.
    folder
        Where; it is made if it is not there.
    formats
        Kinds of the plots: ``svg``, ``png``, ``pdf``.
    scale
        Size of the plots, times their own; by default 1, and of a PNG 2.
    theme
        Their colours: ``light``, ``dark`` or ``print``.
    baseline
        The player against whom shots are saved in the plot of differences; by default
        ``greedy-map`` where it played, else the player with the fewest misses.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    FileAccessError
        If one cannot be written.
    DrawingError
        If a format, the scale or the theme is none that there is.
    PlayerError
        If the baseline did not play.
    TypeError
        If a parameter is of the wrong type; names it.
    """
    require_type("standings", standings, Standings, "the standings of a tournament")
    require_path("folder", folder)
    if isinstance(formats, str) or not isinstance(formats, Sequence):
        raise wrong_type("formats", "a list of kinds of pictures, as in ['svg']", formats)
    kinds = tuple(map(str, formats))
    require_kinds(kinds)
    require_scale(scale)
    palette_of(theme)
    if baseline is not None:
        require_type("baseline", baseline, str, "the name of a player")
    pictures = Pictures(kinds, scale, theme)
    return save_standings(standings, Path(folder), pictures, baseline=baseline)


def save_standings(
    standings: Standings,
    folder: Path,
    pictures: Pictures,
    *,
    baseline: str | None = None,
    made_by: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write the files of ``save_tournament``, whose parameters are checked already.

    ``made_by`` is what played the tournament; by default what the standings say, else the version
    of the program and the seed.
    """
    here = {"command": "", "version": version("seabattle"), "seed": standings.seed}
    maker = dict(made_by or standings.made_by or here)
    document = {"made_by": maker, **standings.document()}
    del document["seconds"]  # the files of two runs are the same
    texts = {
        DOCUMENT: json.dumps(document, indent=2) + "\n",
        "table.txt": standings_text(standings) + "\n",
        "table.csv": csv_text(score_rows(standings)),
        "pairs.csv": csv_text(duel_rows(standings)),
        "distribution.csv": csv_text(distribution_rows(standings)),
        GAMES: csv_text(game_rows(standings)),
    }
    drawn = plots(standings, pictures.palette, baseline=baseline)
    written = []
    for name, text in texts.items():
        if text:
            write_text(folder / name, text)
            written.append(folder / name)
    for name, picture in drawn.items():
        written += pictures.save(picture, folder / name)
    return written
