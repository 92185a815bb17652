"""The equilibrium as text and as files: mixes, pictures, the table, and what made them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from seabattle.enumerate.answers import game_words
from seabattle.enumerate.board import cells_of
from seabattle.enumerate.colours import LIGHT, Palette
from seabattle.enumerate.files import write_text
from seabattle.enumerate.picture import Pictures
from seabattle.solver.equilibrium.exploitability import Matchup
from seabattle.solver.equilibrium.mix_files import save_mixes
from seabattle.solver.equilibrium.mixed_solution import Equilibrium
from seabattle.trees.drawing.layout_pictures import CellMap, cell_maps_svg, layouts_svg

LIKELIEST = 10
MOST_SECONDS = 60.0
"""Seconds that a picture may take."""

SUMMARY = "summary.json"


def save_equilibrium(
    solved: Equilibrium,
    rows: Sequence[Matchup],
    folder: Path,
    *,
    trees: int,
    pictures: Pictures,
    made_by: Mapping[str, Any],
) -> list[Path]:
    """Write everything about an equilibrium to a folder; returns the files written."""
    written = save_mixes(solved, folder, made_by=dict(made_by), trees=trees)

    def keep(name: str, text: str) -> None:
        write_text(folder / name, text)
        written.append(folder / name)

    work = {"subtables": solved.subtables, "sweeps": solved.sweeps, "stopped_by": solved.stopped_by}
    summary = {
        "made_by": {**made_by, **work},
        "game": str(solved.rules),
        "layouts": len(solved.layouts),
        "layouts_in_support": solved.layouts_in_support,
        "trees": len(solved.plans),
        "value": float(solved.value),
        "lower_bound": str(solved.lower_bound),
        "upper_bound": str(solved.upper_bound),
        "uniform_value": str(solved.uniform_value),
        "matchups": [row.document() for row in rows],
    }
    keep(SUMMARY, json.dumps(summary, indent=1) + "\n")
    game = f"{solved.rules.board}, {game_words(solved.rules)}"
    colours = pictures.palette
    drawn = {
        "occupancy": occupancy_svg(solved, game, colours),
        "first-shots": first_shots_svg(solved, game, colours),
        "likeliest": likeliest_svg(solved, game, colours),
    }
    for name, picture in drawn.items():
        written += pictures.save(picture, folder / name)
    return written


def occupancy_svg(solved: Equilibrium, game: str, palette: Palette = LIGHT) -> str:
    """How likely each cell is occupied under the hiding mix, beside the uniform one."""
    board = solved.rules.board
    counts = [0] * board.cells
    for mask in solved.layouts.masks[:, 0].tolist():
        for cell in cells_of(mask):
            counts[cell] += 1
    uniform = [Fraction(count, len(solved.layouts)) for count in counts]
    maps = [CellMap("all layouts alike", uniform), CellMap("hiding mix", solved.occupancy())]
    return cell_maps_svg(board, maps, "How likely each cell is occupied, in percent", game, palette)


def first_shots_svg(solved: Equilibrium, game: str, palette: Palette = LIGHT) -> str:
    """Where the shooting mix shoots first, and what another first shot loses."""
    chances = solved.first_shots()
    begun = [cell for cell, chance in enumerate(chances) if chance]
    maps = [CellMap("how often the shooting mix begins there", chances, begun)]
    losses = first_shot_losses(solved)
    title = "Where to shoot first"
    if losses is not None:
        maps.append(
            CellMap(
                "misses lost by beginning there",
                losses,
                begun,
                unit="misses",
                write=_loss_text,
                least_deepest=True,
            )
        )
        title += ", and what it costs to begin elsewhere"
        game += "; lost against the hiding mix, by the best play after that shot"
    return cell_maps_svg(solved.rules.board, maps, title, game, palette)


def _loss_text(loss: Fraction | float) -> str:
    if not loss:
        return "best"
    return f"+{float(loss):.2f}" if loss >= 0.005 else "≈0"


def first_shot_losses(solved: Equilibrium) -> list[float] | None:
    """Mean misses by which each first shot is worse than the best, against the hiding mix.

    None where that cannot be found within ``MOST_SECONDS``.
    """
    import numpy as np

    from seabattle.enumerate.table import DecisionTable
    from seabattle.solver.search.solve import solve

    weight = sum(solved.hiding)
    if weight >> 62:
        return None
    table = DecisionTable(solved.layouts, None, np.array(solved.hiding, dtype=np.int64))
    found = solve(table, values=True, time_limit=MOST_SECONDS)
    if found.values is None:
        return None
    least = min(found.values)
    return [float(Fraction(value - least, weight)) for value in found.values]


def likeliest_svg(solved: Equilibrium, game: str, palette: Palette = LIGHT) -> str:
    """The likeliest layouts of the hiding mix, one of each orbit."""
    even = 1 / len(solved.layouts)
    orbits = solved.layout_orbits().tolist()
    firsts = [number for number, orbit in enumerate(orbits) if number == orbit]
    firsts.sort(key=lambda number: -solved.hiding[number])
    shown: list[tuple[Sequence[int], str]] = []
    for number in firsts[:LIKELIEST]:
        chance = float(solved.hiding_chance(number))
        text = f"{100 * chance:.2f} % (x {chance / even:.2f})"
        shown.append((solved.layouts.ships[number].tolist(), text))
    told = (
        f"{game}; one of each set of turned and mirrored copies, with its chance (and that over "
        f"the chance when all layouts are alike)"
    )
    return layouts_svg(
        solved.rules, shown, "The likeliest layouts of the hiding mix", told, palette
    )
