"""The command that counts layouts and maps boards of full size: count."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from seabattle.cli.options import (
    STARTED,
    Bar,
    Request,
    check_limits,
    game_options,
    given_options,
    json_option,
)
from seabattle.cli.printing import position_line, print_json, print_lines

if TYPE_CHECKING:
    from seabattle.enumerate.counting.counter import Counter, OccupancyMap

MANY_TIES = 12


@click.command()
@game_options(answers="sunk")
@click.option(
    "--map",
    "map_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Save the map as a picture: .svg or .png.",
)
@click.option("--percent", is_flag=True, help="Show chances in percent in place of layouts.")
@click.option(
    "--no-map",
    is_flag=True,
    help="Only count: less work, and on very large boards much less memory.",
)
@click.option(
    "--miss-path",
    is_flag=True,
    help="Shoot the likeliest cell again and again, each shot a miss, until one must hit.",
)
@click.option(
    "--row-classes",
    is_flag=True,
    help="Count the classes of fillings after each row instead, as published for 10x10.",
)
@click.option(
    "--sample",
    type=click.IntRange(min=1, max=10_000_000),
    default=None,
    metavar="N",
    help="Draw N layouts instead, all equally likely, one per line.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True,
              help="Seed of --sample.")  # fmt: skip
@click.option(
    "--memory-limit",
    type=float,
    default=4.0,
    show_default=True,
    metavar="GIB",
    help="Memory for the sweep.",
)
@json_option
def count(
    map_file: Path | None,
    percent: bool,
    no_map: bool,
    miss_path: bool,
    row_classes: bool,
    sample: int | None,
    seed: int,
    memory_limit: float,
    as_json: bool,
    **game: Any,
) -> None:
    """Count the layouts that fit what is known, and map how likely each cell is occupied.

    Exact, for boards of full size. Try:

    \b
      seabattle count --board 10x10 --fleet russian --percent
      seabattle count --board 10x10 --fleet hasbro --miss E5,F6 --hit C3 --map map.svg
    """  # noqa: D301  # fmt: skip
    from seabattle.enumerate.counting.counter import Counter
    from seabattle.enumerate.errors import SeabattleError

    check_limits(None, memory_limit)
    chosen = {
        "--no-map": no_map,
        "--miss-path": miss_path,
        "--row-classes": row_classes,
        "--sample": sample is not None,
    }
    asked = [name for name, on in chosen.items() if on]
    if len(asked) > 1 or (asked and (map_file is not None or percent)):
        others = asked[1:] or ["--map or --percent"]
        raise SeabattleError(f"{asked[0]} prints no map: leave out {others[0]}")
    if sample is None and given_options("seed"):
        raise SeabattleError("--seed is the seed of --sample, which is not given: leave it out")
    if map_file is not None:
        from seabattle.trees.drawing.heatmap import require_picture

        require_picture(map_file)
    request = Request.read(**game)
    with Bar("count") as bar:
        if row_classes:
            _print_classes(request, memory_limit, bar, as_json)
            return
        bar.say("finding the steps of the sweep")

        def progress(row: int, rows: int) -> None:
            if bar.interrupted:
                raise KeyboardInterrupt
            bar.say(f"row {row + 1} of {rows}")

        counter = Counter(request.position, memory_limit=memory_limit, progress=progress)
        if sample is not None:
            _print_sample(counter, sample, seed, as_json)
            return
        if no_map:
            _print_count(counter, request, as_json)
            return
        if miss_path:
            _print_miss_path(counter, request, bar, as_json)
            return
        found = counter.map()
    if map_file is not None:
        from seabattle.trees.drawing.heatmap import HeatMap, save_heatmap

        heat = HeatMap.at(
            found.position, found.occupancy, found.layouts, best_cells=found.best_cells
        )
        save_heatmap(heat, map_file)
    _print_map(found, request, percent, map_file, as_json)


def _print_count(counter: Counter, request: Request, as_json: bool) -> None:
    """The number of layouts without a map."""
    layouts = counter.count()
    labelled = counter.labelled(layouts)
    if as_json:
        print_json(
            {
                "layouts": layouts,
                "labelled_layouts": labelled,
                "seconds": time.monotonic() - STARTED,
            }
        )
        return
    print_lines(
        [
            ("game", str(request.rules)),
            *position_line(request),
            ("layouts", f"{layouts:,}"),
            ("identical ships told apart", f"{labelled:,}"),
        ]
    )


def _chance(part: int, whole: int) -> str:
    from seabattle.trees.drawing.heatmap import percent_text

    return f"{percent_text(part, whole, decimals=2)} %"


def _print_map(
    found: OccupancyMap, request: Request, percent: bool, map_file: Path | None, as_json: bool
) -> None:
    from seabattle.trees.drawing.heatmap import HeatMap, heatmap_text, terminal_colours

    rules = request.rules
    best = list(found.best_shots)
    if as_json:
        document: dict[str, Any] = {
            "board": str(rules.board),
            "fleet": str(rules.fleet),
            "contact": rules.contact.value,
            "answers": rules.answers.value,
            "layouts": found.layouts,
            "labelled_layouts": found.labelled_layouts,
            "occupancy": [list(row) for row in found.occupancy],
            "best": best,
            "states": list(found.states),
            "seconds": time.monotonic() - STARTED,
        }
        if percent:
            document["percent"] = [
                [100 * cell / found.layouts for cell in row] for row in found.occupancy
            ]
        print_json(document)
        return
    pairs = [
        ("game", str(rules)),
        *position_line(request),
        ("layouts", f"{found.layouts:,}"),
        ("identical ships told apart", f"{found.labelled_layouts:,}"),
    ]
    if found.best_cells:
        most = found.cells[found.best_cells[0]]
        shown = " ".join(best[:MANY_TIES]) + (" ..." if len(best) > MANY_TIES else "")
        pairs.append(("likeliest cells", f"{shown}: {_chance(most, found.layouts)}"))
    if map_file is not None:
        pairs.append(("saved", str(map_file)))
    print_lines(pairs)
    click.echo()
    if percent:
        heat = HeatMap.at(
            found.position, found.occupancy, found.layouts, best_cells=found.best_cells
        )
        click.echo(heatmap_text(heat, colours=terminal_colours(sys.stdout)))
    else:
        click.echo("layouts that occupy each cell:")
        click.echo(rules.board.grid(map(str, found.cells)))


def _print_classes(request: Request, memory_limit: float, bar: Bar, as_json: bool) -> None:
    """Classes after each row, by the definition of the source."""
    from seabattle.enumerate.counting.row_classes import row_classes
    from seabattle.enumerate.errors import PositionError

    if request.position.shots:
        raise PositionError("--row-classes counts fillings of an empty board: leave out the shots")

    def progress(classes: int) -> None:
        if bar.interrupted:
            raise KeyboardInterrupt
        bar.say(f"{classes:,} classes")

    sizes = row_classes(request.rules, memory_limit=memory_limit, progress=progress)
    if as_json:
        print_json({"classes_after_row": sizes, "seconds": time.monotonic() - STARTED})
        return
    print_lines(
        [("game", str(request.rules))]
        + [(f"classes after row {row}", f"{size:,}") for row, size in enumerate(sizes, start=1)]
    )


def _print_sample(counter: Counter, sample: int, seed: int, as_json: bool) -> None:
    """Layouts drawn, one per line."""
    from seabattle.enumerate.game.placements import placement_table

    table = placement_table(counter.rules)
    names = [str(placement) for placement in table.placements]
    drawn = [[names[i] for i in row] for row in counter.sample(sample, seed).tolist()]
    if as_json:
        print_json({"seed": seed, "layouts": drawn, "seconds": time.monotonic() - STARTED})
        return
    for row in drawn:
        click.echo(" ".join(row))


def _print_miss_path(counter: Counter, request: Request, bar: Bar, as_json: bool) -> None:
    """The likeliest cell shot by shot, all misses; the first in reading order among ties."""
    from seabattle.enumerate.game.answers import MISS

    name = request.rules.board.name
    position = request.position
    path: list[dict[str, Any]] = []
    while True:
        if bar.interrupted:
            raise KeyboardInterrupt
        found = counter.at(position).map()
        if not found.best_cells:
            break
        cell = found.best_cells[0]
        path.append(
            {
                "cell": name(cell),
                "layouts": found.layouts,
                "occupancy": found.cells[cell],
                "ties": list(found.best_shots[1:]),
            }
        )
        if found.cells[cell] == found.layouts:
            break
        position = position.shoot(cell, MISS)
    if as_json:
        print_json({"path": path, "seconds": time.monotonic() - STARTED})
        return
    print_lines([("game", str(request.rules)), *position_line(request)])
    click.echo("\nshot  cell         layouts left  it hits      ties")
    for number, shot in enumerate(path, start=1):
        chance = _chance(shot["occupancy"], shot["layouts"])
        ties = " ".join(shot["ties"][:MANY_TIES])
        click.echo(
            f"{number:>4}  {shot['cell']:<4} {shot['layouts']:>20,}  {chance:<11}  {ties}".rstrip()
        )
