"""The command that counts layouts and maps boards of full size: count."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import seabattle
from seabattle.cli import options
from seabattle.cli.command import (
    OUTPUT,
    Answer,
    as_json,
    command,
    game_facts,
    option,
    print_facts,
)
from seabattle.cli.progress import Bar
from seabattle.enumerate.words import table_text

if TYPE_CHECKING:
    from seabattle.enumerate.map import AloneMap
    from seabattle.enumerate.picture import Pictures

MANY_TIES = 12
"""Best cells, or ties, that are named one by one."""

JSON_BYTES = 80
"""Bytes that each ship of a sample takes as lists and as text, at most."""


@command()
@option("--percent", is_flag=True, help="Show chances in percent instead of layouts.")
@option("--ship", type=int, metavar="LENGTH", **options.within(1),
        help="Map where the ships of this length can be, instead of all ships.")  # fmt: skip
@option("--no-map", is_flag=True,
        help="Only count: less work, and on very large boards much less memory.")  # fmt: skip
@option("--miss-path", is_flag=True,
        help="Shoot the likeliest cell again and again, each shot a miss, until one "
             "must hit.")  # fmt: skip
@options.salvo_option("Name the cells of a turn of N shots with the most hits to expect.")
@option("--sample", type=int, metavar="N", **options.within(1, 10_000_000),
        help="Draw N layouts by the prior instead, and print one per line (the game goes to "
             "standard error).")  # fmt: skip
@options.seed_option("Seed of --sample.")
@options.with_position(prior=True, interpreted=options.has_few_cells)
@options.memory_option("Memory for counting.")
@option("--map", "map_file", section=OUTPUT, type=options.NEW_FILE, metavar="FILE",
        help="Save the map as a picture: .svg, .png or .pdf.")  # fmt: skip
@options.picture_options("--map", "map_file")
@options.json_option
def count(
    position: seabattle.Position,
    prior: seabattle.Prior | None,
    percent: bool,
    ship: int | None,
    no_map: bool,
    miss_path: bool,
    salvo: int | None,
    sample: int | None,
    seed: int,
    memory_limit: float,
    map_file: Path | None,
    pictures: Pictures,
) -> Answer:
    """Count layouts and map how likely each cell is occupied.

    Counts all layouts that fit what is known, without sampling, on boards of full size. Under a
    prior the map shows chances; the numbers of layouts stay exact. Try:

    \b
      seabattle count --fleet russian --percent
      seabattle count --fleet hasbro --miss E5,F6 --hit C3 --map map.svg
      seabattle count --fleet hasbro --prior people
      seabattle count --fleet russian --miss C1 --ship 4 --percent
    """  # noqa: D301  # fmt: skip
    from seabattle.enumerate.map import ship_length
    from seabattle.enumerate.picture import require_picture

    others = ("--map", map_file), ("--percent", percent), ("--ship", ship), ("--salvo", salvo)
    for other in (*others, None):
        asked = [("--no-map", no_map), ("--miss-path", miss_path), ("--sample", sample)]
        options.one_of(asked if other is None else [*asked, other])
    options.refuse_without("--sample", sample, "seed")
    if map_file is not None:
        require_picture(map_file)
    if ship is not None:
        ship_length(position.rules, ship)  # refused before anything is counted
    with Bar("count") as bar:
        bar.say("finding the steps of the sweep")
        counter = seabattle.Counter(
            position, prior=prior, memory_limit=memory_limit, progress=bar.row
        )
        if sample is not None:
            return _sample(counter, sample, seed)
        if counter.too_large is not None and not (prior or miss_path or no_map or ship):
            return _alone(counter.map_of_ships_alone(), map_file, pictures, salvo)
        if miss_path:
            return _miss_path(counter, position, bar)
        if no_map:
            layouts = counter.count()
            return _counted(position, layouts, counter.labelled(layouts), {}, [])
        found = counter.map()
    if map_file is not None:
        heat = seabattle.HeatMap.of(found if ship is None else found.of_length(ship))
        seabattle.save_heatmap(heat, map_file, scale=pictures.scale, theme=pictures.theme)
    return _map(found, ship, percent=percent, map_file=map_file, salvo=salvo)


def _alone(found: AloneMap, map_file: Path | None, pictures: Pictures, salvo: int | None) -> Answer:
    """The map of ships taken one by one, in place of a count that would need too much."""
    heat, facts = seabattle.HeatMap.of(found), found.facts()
    if map_file is not None:
        seabattle.save_heatmap(heat, map_file, scale=pictures.scale, theme=pictures.theme)
        facts.append(("saved", str(map_file)))
    document = {**found.document(), "best": list(found.best_shots)}
    if salvo is not None:
        document |= found.salvo(salvo).document()
        facts += found.salvo(salvo).facts()
    text = _coloured(heat)
    return Answer(document, facts, found.position, text)


def _coloured(heat: seabattle.HeatMap) -> str:
    """The map as text, in colours where the terminal has them."""
    from seabattle.enumerate.colours import terminal_colours

    return seabattle.heatmap_text(heat, colours=terminal_colours(sys.stdout))


def _counted(
    position: seabattle.Position,
    layouts: int,
    labelled: int,
    document: dict[str, Any],
    facts: list[tuple[str, str]],
    text: str = "",
) -> Answer:
    """The number of layouts, and what else is known."""
    return Answer(
        {"layouts": layouts, "labelled_layouts": labelled, **document},
        [("layouts", f"{layouts:,}"), ("identical ships told apart", f"{labelled:,}"), *facts],
        position,
        text,
    )


def _chance(part: int, whole: int) -> str:
    from seabattle.enumerate.words import percent_text

    return f"{percent_text(part, whole, decimals=2)} %"


def _map(
    found: seabattle.OccupancyMap | seabattle.ChanceMap,
    ship: int | None,
    *,
    percent: bool,
    map_file: Path | None,
    salvo: int | None,
) -> Answer:
    """The map of all ships, or of those of one length."""
    document = {**found.document(), "best": list(found.best_shots)}
    facts = []
    if isinstance(found, seabattle.ChanceMap):
        document["chances_seconds"] = found.mass_seconds
        document["layouts_seconds"] = found.count_seconds
        facts.append(("prior", found.prior_name))
    else:
        document["states"] = list(found.states)
    if percent:
        document["percent"] = _percents(found)
    if found.best_cells:
        facts.append(("likeliest cells", _likeliest(found)))
    if salvo is not None:
        turn = found.salvo(salvo)
        document |= turn.document()
        facts += turn.facts()
    shown: Any = found
    if ship is not None:
        shown = found.of_length(ship)
        document["ship"] = shown.document()
        if percent:
            document["ship"]["percent"] = _percents(shown)
        if shown.best_cells:
            facts.append((f"likeliest for length {ship}", _likeliest(shown)))
    if map_file is not None:
        facts.append(("saved", str(map_file)))
    if percent or isinstance(found, seabattle.ChanceMap):
        text = _coloured(seabattle.HeatMap.of(shown))
    else:
        ships = "that occupy" if ship is None else f"in which a ship of length {ship} occupies"
        grid = found.position.rules.board.grid(map(str, shown.cells))
        text = f"layouts {ships} each cell:\n{grid}"
    return _counted(found.position, found.layouts, found.labelled_layouts, document, facts, text)


def _percents(found: Any) -> list[list[float]]:
    """Chances of the cells in percent, top row first."""
    columns = found.position.rules.board.columns
    flat = [100 * part / whole for part, whole in map(found.share, range(len(found.cells)))]
    return [flat[at : at + columns] for at in range(0, len(flat), columns)]


def _likeliest(found: Any) -> str:
    """The likeliest cells, the first of them by name, and their chance."""
    from seabattle.enumerate.words import first_of

    best = found.best_shots
    return f"{first_of(best, MANY_TIES)}: {_chance(*found.share(found.best_cells[0]))}"


def _sample(counter: seabattle.Counter, sample: int, seed: int) -> Answer:
    """Layouts drawn, one per line; what is drawn can be piped to a file, so the game is apart."""
    from seabattle.enumerate.placements import placement_table

    names = [str(placement) for placement in placement_table(counter.rules).placements]
    need = sample * len(counter.rules.fleet.lengths) * JSON_BYTES
    if as_json() and need > counter.memory_limit * 2**30:
        raise seabattle.TooLargeError(
            f"--sample {sample}: as one JSON answer it needs {need / 2**30:.2g} GiB, more than "
            f"--memory-limit {counter.memory_limit:g}; leave out --json to have it line by line"
        )
    ships = counter.sample(sample, seed)
    if as_json():
        drawn = [[names[i] for i in row] for row in ships.tolist()]
        return Answer({"seed": seed, "layouts": drawn}, game=counter.position)
    print_facts(game_facts(counter.position), err=True)
    for row in ships:
        click.echo(" ".join([names[i] for i in row]))
    return Answer({})


def _miss_path(counter: seabattle.Counter, start: seabattle.Position, bar: Bar) -> Answer:
    """The likeliest cell shot by shot, all misses; the first in reading order among ties."""
    from seabattle.enumerate.answers import MISS
    from seabattle.enumerate.words import first_of

    position = start
    path: list[dict[str, Any]] = []
    rows: list[tuple[str, ...]] = []
    while True:
        bar.check()
        found = counter.at(position).map()
        if not found.best_cells:
            break
        cell = found.best_cells[0]
        ties = list(found.best_shots[1:])
        measure = "occupancy" if isinstance(found, seabattle.OccupancyMap) else "chance"
        name = start.rules.board.name(cell)
        path.append(
            {"cell": name, "layouts": found.layouts, measure: found.cells[cell], "ties": ties}
        )
        rows.append((
            str(len(path)), name, f"{found.layouts:,}", _chance(*found.share(cell)),
            first_of(ties, MANY_TIES),
        ))  # fmt: skip
        if cell in found.certain_cells:
            break
        position = position.shoot(cell, MISS)
    head = ("shot", "cell", "layouts left", "it hits", "ties")
    return Answer({"path": path}, game=start, text=table_text(head, rows, left=(1, 3, 4)))
