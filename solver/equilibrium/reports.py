"""What an equilibrium is worth, told: each way to shoot against each hider, and pictures.

The hiders are *uniform* (all layouts equally likely), *equilibrium* (the hiding mix), and
*knowing*: the one who knows the shooter's strategy, though not its dice, and takes the layout that
costs it most. The shooters are the greedy tree and the tree that is best against uniform layouts,
each as it is and under a random symmetry of the board, and the shooting mix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from operator import mul
from pathlib import Path
from typing import Any

from seabattle.enumerate.answers import game_words
from seabattle.enumerate.colours import LIGHT, Palette
from seabattle.enumerate.picture import Pictures
from seabattle.enumerate.table import DecisionTable
from seabattle.enumerate.words import table_text
from seabattle.solver.equilibrium.certificate import shooting_costs, transformed_copies
from seabattle.solver.equilibrium.mix_files import save_mixes
from seabattle.solver.equilibrium.mixed_solution import Equilibrium
from seabattle.solver.search.greedy import greedy_tree
from seabattle.solver.search.solve import solve
from seabattle.trees.drawing.layout_pictures import CellMap, cell_maps_svg, layouts_svg
from seabattle.trees.verify import verify

LIKELIEST = 10
MOST_SECONDS = 60.0
"""Seconds that a picture may take."""

HIDERS = ("uniform", "equilibrium", "knowing")


def matchups(solved: Equilibrium, **limits: Any) -> list[dict[str, Any]]:
    """Mean misses of each way to shoot (``shooter``) against each of the three hiders.

    They are computed exactly from the trees' misses against every layout.

    Parameters
    ----------
    solved
        The equilibrium.
    limits
        Keyword limits of the search for the optimal tree, as in ``solve``; when one is reached,
        the best tree found takes its place, and the row is named after it.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.equilibrium.double_oracle import equilibrium
    >>> for row in matchups(equilibrium(Rules("3x4", "2,1", answers="sunk"))):
    ...     print(f"{row['shooter']:17}{row['knowing']:.3f}")
    greedy           8.000
    greedy, turned   5.000
    optimal          7.000
    optimal, turned  6.000
    equilibrium      3.607
    """
    layouts = solved.layouts
    table = DecisionTable(layouts)
    # One thread, so that the tree is the same in every run where several are best.
    optimal = solve(table, "mean", threads=1, **limits)
    name = "optimal" if optimal.status == "optimal" else "best found"
    rows = []
    for shooter, tree in (("greedy", greedy_tree(table, "hits")), (name, optimal.tree)):
        rows.append((shooter, verify(tree, layouts=layouts).misses.tolist(), 1))
        rows.append((f"{shooter}, turned", *shooting_costs(layouts, [tree], [1])))
    rows.append(("equilibrium", *shooting_costs(layouts, solved.trees, solved.shooting)))
    hidden = sum(solved.hiding)
    return [
        {
            "shooter": shooter,
            "uniform": sum(costs) / (scale * len(costs)),
            "equilibrium": sum(map(mul, costs, solved.hiding)) / (scale * hidden),
            "knowing": max(costs) / scale,
        }
        for shooter, costs, scale in rows
    ]


def matchups_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """The table as text."""
    body = [(row["shooter"], *(f"{row[hider]:.4f}" for hider in HIDERS)) for row in rows]
    return table_text(("shooter", *HIDERS), body, ruled=True)


def save_equilibrium(
    solved: Equilibrium,
    rows: Sequence[Mapping[str, Any]],
    folder: Path,
    *,
    trees: int,
    pictures: Pictures,
    made_by: Mapping[str, Any],
    **limits: Any,
) -> list[Path]:
    """Write everything about an equilibrium to a folder; returns the files written.

    What cannot be found within ``limits``, as in ``solve``, and ``MOST_SECONDS``, is left out of
    the pictures.
    """
    written = save_mixes(solved, folder, made_by=made_by, trees=trees, matchups=rows)
    game = f"{solved.rules.board}, {game_words(solved.rules)}"
    colours = pictures.palette
    drawn = {
        "occupancy": occupancy_svg(solved, game, colours),
        "first-shots": first_shots_svg(solved, game, colours, **limits),
        "likeliest": likeliest_svg(solved, game, colours),
    }
    for name, picture in drawn.items():
        written += pictures.save(picture, folder / name)
    return written


def occupancy_svg(solved: Equilibrium, game: str, palette: Palette = LIGHT) -> str:
    """How likely each cell is occupied under the hiding mix, beside the uniform one."""
    table = DecisionTable(solved.layouts)
    uniform = [Fraction(count, len(table)) for count in table.column_counts().tolist()]
    maps = [CellMap("all layouts alike", uniform), CellMap("hiding mix", solved.occupancy())]
    title = "How likely each cell is occupied, in percent"
    return cell_maps_svg(solved.rules, maps, title, game, palette)


def first_shots_svg(solved: Equilibrium, game: str, palette: Palette = LIGHT, **limits: Any) -> str:
    """Where the shooting mix shoots first, and what another first shot loses."""
    chances = solved.first_shots()
    begun = [cell for cell, chance in enumerate(chances) if chance]
    maps = [CellMap("how often the shooting mix begins there", chances, begun)]
    losses = first_shot_losses(solved, **limits)
    title = "Where to shoot first"
    if losses is not None:
        told = "misses lost by beginning there"
        maps.append(
            CellMap(told, losses, begun, unit="misses", write=_loss_text, least_deepest=True)
        )
        title += ", and what it costs to begin elsewhere"
        game += "; lost against the hiding mix, by the best play after that shot"
    return cell_maps_svg(solved.rules, maps, title, game, palette)


def _loss_text(loss: Fraction | float) -> str:
    if not loss:
        return "best"
    return f"+{float(loss):.2f}" if loss >= 0.005 else "≈0"


def first_shot_losses(
    solved: Equilibrium, *, time_limit: float | None = None, **limits: Any
) -> list[float] | None:
    """Mean misses by which each first shot is worse than the best, against the hiding mix.

    None where that cannot be found within the limits, as in ``solve``, and ``MOST_SECONDS``.
    """
    seconds = MOST_SECONDS if time_limit is None else min(time_limit, MOST_SECONDS)
    found = solve(solved.hidden, values=True, time_limit=seconds, **limits)
    if found.values is None:
        return None
    least = min(found.values)
    return [float(Fraction(value - least, sum(solved.hiding))) for value in found.values]


def likeliest_svg(solved: Equilibrium, game: str, palette: Palette = LIGHT) -> str:
    """The likeliest layouts of the hiding mix, one of each orbit."""
    even = 1 / len(solved.layouts)
    orbits = transformed_copies(solved.layouts).min(axis=0).tolist()
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
