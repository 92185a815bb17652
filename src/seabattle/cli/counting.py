"""The command that counts layouts and maps boards of full size: count."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from seabattle.cli.games import asked_position, game_options
from seabattle.cli.limits import check_limits, elapsed, memory_option
from seabattle.cli.options import (
    OUTPUT,
    given_options,
    json_option,
    picture_options,
    seed_option,
    within,
)
from seabattle.cli.printing import game_lines, print_answer, print_lines
from seabattle.cli.priors import asked_prior, prior_option
from seabattle.cli.progress import Bar

if TYPE_CHECKING:
    from seabattle.enumerate.counting.counter import Counter
    from seabattle.enumerate.map import ChanceMap, OccupancyMap, ShipMap
    from seabattle.enumerate.position import Position

MANY_TIES = 12
"""Best cells, or ties, that are named one by one."""


@click.command()
@game_options()
@click.option(
    "--map",
    "map_file",
    type=OUTPUT,
    metavar="FILE",
    help="Save the map as a picture: .svg, .png or .pdf.",
)
@picture_options("the picture of --map")
@click.option("--percent", is_flag=True, help="Show chances in percent instead of layouts.")
@click.option(
    "--ship",
    type=int,
    callback=within(1),
    default=None,
    metavar="LENGTH",
    help="Map where the ships of this length can be, instead of all ships.",
)
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
    type=int,
    callback=within(1, 10_000_000),
    default=None,
    metavar="N",
    help="Draw N layouts by the prior instead, and print one per line (the game goes to standard "
    "error).",
)
@prior_option
@seed_option("Seed of --sample.")
@memory_option("Memory for counting.")
@json_option
def count(
    map_file: Path | None,
    scale: float | None,
    theme: str,
    percent: bool,
    ship: int | None,
    no_map: bool,
    miss_path: bool,
    row_classes: bool,
    sample: int | None,
    prior: str,
    seed: int,
    memory_limit: float,
    as_json: bool,
    **game: Any,
) -> None:
    """Count layouts and map how likely each cell is occupied.

    Counts all layouts that fit what is known, without sampling, on boards of full size. Under a
    prior the map shows chances; the numbers of layouts stay exact. Try:

    \b
      seabattle count --fleet russian --percent
      seabattle count --fleet hasbro --miss E5,F6 --hit C3 --map map.svg
      seabattle count --fleet hasbro --prior people
      seabattle count --fleet russian --miss C1 --ship 4 --percent
    """  # noqa: D301
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
    if len(asked) > 1 or (asked and (map_file is not None or percent or ship is not None)):
        others = asked[1:] or ["--ship" if ship is not None else "--map or --percent"]
        raise SeabattleError(f"{asked[0]} prints no map: leave out {others[0]}")
    if sample is None and given_options("seed"):
        raise SeabattleError("--seed is the seed of --sample, which is not given: leave it out")
    if map_file is not None:
        from seabattle.trees.drawing.heatmap_picture import require_picture

        require_picture(map_file)
    for name in given_options("scale", "theme") if map_file is None else ():
        raise SeabattleError(f"{name} is of the picture of --map, which is not given: leave it out")
    position = asked_position(**game)
    if ship is not None:
        from seabattle.enumerate.map import ship_length

        ship_length(position.rules, ship)  # refused before anything is counted
    believed = asked_prior(prior, position.rules)
    if believed is not None and row_classes:
        raise SeabattleError(
            "--row-classes counts fillings, which have no weights: leave out --prior"
        )
    with Bar("count") as bar:
        if row_classes:
            _print_classes(position, memory_limit, bar, as_json)
            return
        bar.say("finding the steps of the sweep")

        def progress(row: int, rows: int) -> None:
            if bar.interrupted:
                raise KeyboardInterrupt
            bar.say(f"row {row + 1} of {rows}")

        counter = Counter(position, prior=believed, memory_limit=memory_limit, progress=progress)
        if sample is not None:
            _print_sample(counter, sample, seed, as_json)
            return
        if no_map:
            _print_count(counter, position, as_json)
            return
        if miss_path:
            _print_miss_path(counter, position, bar, as_json)
            return
        found = counter.map()
    if map_file is not None:
        from seabattle.trees.drawing.heatmap import HeatMap
        from seabattle.trees.drawing.heatmap_picture import save_heatmap

        heat = HeatMap.of(found if ship is None else found.of_length(ship))
        save_heatmap(heat, map_file, scale=scale, theme=theme)
    _print_map(found, ship, percent, map_file, as_json)


def _print_count(counter: Counter, position: Position, as_json: bool) -> None:
    """The number of layouts without a map."""
    layouts = counter.count()
    labelled = counter.labelled(layouts)
    if as_json:
        from seabattle.documents.counts import number_document

        found = number_document(layouts, labelled)
        print_answer(position, {**found, "seconds": elapsed()})
        return
    print_lines([*game_lines(position), *_count_lines(layouts, labelled)])


def _count_lines(layouts: int, labelled: int) -> list[tuple[str, str]]:
    return [("layouts", f"{layouts:,}"), ("identical ships told apart", f"{labelled:,}")]


def _chance(part: int, whole: int) -> str:
    from seabattle.trees.drawing.heatmap import percent_text

    return f"{percent_text(part, whole, decimals=2)} %"


def _print_map(
    found: OccupancyMap | ChanceMap,
    ship: int | None,
    percent: bool,
    map_file: Path | None,
    as_json: bool,
) -> None:
    from seabattle.enumerate.map import ChanceMap, ShipMap
    from seabattle.trees.drawing.heatmap import HeatMap, heatmap_text, terminal_colours

    position = found.position
    shown = found if ship is None else found.of_length(ship)
    if as_json:
        from seabattle.documents.counts import map_document

        document = map_document(found, ship=ship, percent=percent)
        print_answer(position, {**document, "seconds": elapsed()})
        return
    pairs = [*game_lines(position), *_count_lines(found.layouts, found.labelled_layouts)]
    if isinstance(found, ChanceMap):
        pairs.append(("prior", found.prior_name))
    if found.best_cells:
        pairs.append(("likeliest cells", _likeliest(found)))
    if isinstance(shown, ShipMap) and shown.best_cells:
        pairs.append((f"likeliest for length {ship}", _likeliest(shown)))
    if map_file is not None:
        pairs.append(("saved", str(map_file)))
    print_lines(pairs)
    click.echo()
    if percent or isinstance(found, ChanceMap):
        click.echo(heatmap_text(HeatMap.of(shown), colours=terminal_colours(sys.stdout)))
    else:
        ships = "that occupy" if ship is None else f"in which a ship of length {ship} occupies"
        click.echo(f"layouts {ships} each cell:")
        click.echo(position.rules.board.grid(map(str, shown.cells)))


def _likeliest(found: OccupancyMap | ChanceMap | ShipMap) -> str:
    """The likeliest cells, the first of them by name, and their chance."""
    best = found.best_shots
    shown = " ".join(best[:MANY_TIES]) + (" ..." if len(best) > MANY_TIES else "")
    return f"{shown}: {_chance(*found.share(found.best_cells[0]))}"


def _print_classes(position: Position, memory_limit: float, bar: Bar, as_json: bool) -> None:
    """Classes after each row, by the definition of [Mrrl2013]."""
    from seabattle.enumerate.counting.row_classes import row_classes
    from seabattle.enumerate.errors import PositionError

    if position.shots:
        raise PositionError("--row-classes counts fillings of an empty board: leave out the shots")

    def progress(classes: int) -> None:
        if bar.interrupted:
            raise KeyboardInterrupt
        bar.say(f"{classes:,} classes")

    sizes = row_classes(position.rules, memory_limit=memory_limit, progress=progress)
    if as_json:
        print_answer(position, {"classes_after_row": sizes, "seconds": elapsed()})
        return
    rows = [(f"classes after row {row}", f"{size:,}") for row, size in enumerate(sizes, start=1)]
    print_lines([*game_lines(position), *rows])


_JSON_BYTES = 80
"""Bytes that each ship of a sample takes as lists and as text, at most."""


def _print_sample(counter: Counter, sample: int, seed: int, as_json: bool) -> None:
    """Layouts drawn, one per line."""
    from seabattle.enumerate.errors import TooLargeError
    from seabattle.enumerate.placements import placement_table

    table = placement_table(counter.rules)
    names = [str(placement) for placement in table.placements]
    need = sample * len(counter.rules.fleet.lengths) * _JSON_BYTES
    if as_json and need > counter.memory_limit * 2**30:
        raise TooLargeError(
            f"--sample {sample}: as one JSON answer it needs {need / 2**30:.2g} GiB, more than "
            f"--memory-limit {counter.memory_limit:g}; leave out --json to have it line by line"
        )
    ships = counter.sample(sample, seed)
    if as_json:
        drawn = [[names[i] for i in row] for row in ships.tolist()]
        print_answer(counter.position, {"seed": seed, "layouts": drawn, "seconds": elapsed()})
        return
    print_lines(game_lines(counter.position), err=True)  # what is drawn can be piped to a file
    for row in ships:
        click.echo(" ".join([names[i] for i in row]))


def _print_miss_path(counter: Counter, start: Position, bar: Bar, as_json: bool) -> None:
    """The likeliest cell shot by shot, all misses; the first in reading order among ties."""
    from seabattle.enumerate.answers import MISS
    from seabattle.enumerate.map import OccupancyMap

    name = start.rules.board.name
    position = start
    path: list[dict[str, Any]] = []
    shares: list[tuple[int, int]] = []
    while True:
        if bar.interrupted:
            raise KeyboardInterrupt
        found = counter.at(position).map()
        if not found.best_cells:
            break
        cell = found.best_cells[0]
        exact = isinstance(found, OccupancyMap)
        path.append(
            {
                "cell": name(cell),
                "layouts": found.layouts,
                ("occupancy" if exact else "chance"): found.cells[cell],
                "ties": list(found.best_shots[1:]),
            }
        )
        shares.append(found.share(cell))
        if cell in found.certain_cells:
            break
        position = position.shoot(cell, MISS)
    if as_json:
        print_answer(start, {"path": path, "seconds": elapsed()})
        return
    print_lines(game_lines(start))
    click.echo("\nshot  cell         layouts left  it hits      ties")
    for number, (shot, share) in enumerate(zip(path, shares, strict=True), start=1):
        chance = _chance(*share)
        ties = " ".join(shot["ties"][:MANY_TIES])
        click.echo(
            f"{number:>4}  {shot['cell']:<4} {shot['layouts']:>20,}  {chance:<11}  {ties}".rstrip()
        )
