"""The commands about boards of full size: count, prior."""

from __future__ import annotations

from math import factorial, prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import seabattle
from seabattle.cli import shared
from seabattle.cli.progress import Bar
from seabattle.enumerate.words import counted, table_text

if TYPE_CHECKING:
    from seabattle.enumerate.picture import Pictures

JSON_BYTES = 80
"""Bytes that each ship of a sample takes as lists and as text, at most."""


SHOWN = 12
"""Layouts that are listed for people."""


class _Lengths(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """Lengths of ships, joined by commas."""

    name = "lengths"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from seabattle.enumerate.words import parts_of

        parts = parts_of(str(value).strip())
        if not all(part.isascii() and part.isdigit() and len(part) < 9 for part in parts):
            self.fail(
                f"{value!r} is not a length; write one such as 4, or some such as 4,5.", param, ctx
            )
        return tuple(map(int, parts))


@shared.command()
@shared.option("--percent", is_flag=True, help="Show chances in percent instead of layouts.")
@shared.option("--ship", type=_Lengths(), multiple=True, metavar="LENGTH[,LENGTH]",
        callback=lambda context, option, found: sum(found, ()) or None,
        help="Map where ships of this length, or of any of several, can be, instead of all "
             "ships.")  # fmt: skip
@shared.option("--no-map", is_flag=True,
        help="Only count: less work, and on very large boards much less memory.")  # fmt: skip
@shared.option("--miss-path", is_flag=True,
        help="Shoot the likeliest cell again and again, each shot a miss, until one "
             "must hit.")  # fmt: skip
@shared.salvo_option("Name the cells of a turn of N shots with the most hits to expect.")
@shared.option("--sample", type=click.IntRange(1, 10_000_000), metavar="N",
        help="Draw N layouts by the prior instead, and print one per line (the game goes to "
             "standard error).")  # fmt: skip
@shared.seed_option("Seed of --sample.")
@shared.with_position(prior=True, several=True)
@shared.memory_option("Memory for counting.")
@shared.option("--map", "map_file", section=shared.OUTPUT, type=shared.NEW_FILE, metavar="FILE",
        help="Save the map as a picture: .svg, .png or .pdf.")  # fmt: skip
@shared.picture_options("--map", "map_file")
def count(
    position: seabattle.Position,
    fleets: list[seabattle.Position],
    prior: seabattle.Prior | None,
    percent: bool,
    ship: tuple[int, ...] | None,
    no_map: bool,
    miss_path: bool,
    salvo: int | None,
    sample: int | None,
    seed: int,
    map_file: Path | None,
    pictures: Pictures,
    bar: Bar,
) -> shared.Answer:
    """Count layouts and map how likely each cell is occupied.

    Counts all layouts that fit what is known, without sampling, on boards of full size. Under a
    prior the map shows chances; the numbers of layouts stay exact. On boards too large to count
    all numbers are estimated from layouts drawn, and told with their errors. Try:

    \b
      seabattle count --fleet russian --percent
      seabattle count --fleet hasbro --miss E5,F6 --hit C3 --map map.svg
      seabattle count --fleet hasbro --prior people
      seabattle count --fleet russian --miss C1 --ship 4 --percent
      seabattle count --board 6x6 --fleet "3,2|4,2|3,3" --miss C3
    """  # noqa: D301  # fmt: skip
    from seabattle.enumerate.map import ship_length

    shared.goes_without("no_map", "miss_path", "sample", "map_file", "percent", "ship", "salvo")
    shared.goes_without("miss_path", "sample", "map_file", "percent", "ship", "salvo")
    shared.goes_without("sample", "map_file", "percent", "ship", "salvo")
    shared.refuse_without("--sample", sample, "seed")
    if fleets:
        if prior is not None or miss_path or map_file is not None:
            raise seabattle.SeabattleError(
                "several fleets are counted, mapped and drawn from without --prior, --miss-path "
                "and --map"
            )
        union = seabattle.FleetsCounter(fleets, memory_limit=bar.memory_limit, progress=bar.row)
        return _of_fleets(union, percent, ship, no_map, salvo, sample, seed)
    if ship is not None:
        for length in ship:  # refused before anything is counted
            ship_length(position.rules, length)
    bar.say("finding the steps of the sweep")
    counter = seabattle.Counter(
        position, prior=prior, memory_limit=bar.memory_limit, progress=bar.row
    )
    if sample is not None:
        return _sample(counter, sample, seed, bar)
    if miss_path:
        return _miss_path(counter, position)
    if no_map:
        return _number(counter)
    found = counter.map_or_estimate()
    document, facts, shown = found.document(), found.facts(), found
    if percent:
        document["percent"] = _percents(found)
    if salvo is not None:
        turn = found.salvo(salvo)
        document |= turn.document()
        facts += turn.facts()
    if ship is not None:
        shown = found.of_length(*ship)
        document["ship"] = shown.document()
        if percent:
            document["ship"]["percent"] = _percents(shown)
        facts += shown.facts()
    if map_file is not None:
        seabattle.save_heatmap(shown, map_file, scale=pictures.scale, theme=pictures.theme)
        facts.append(("saved", str(map_file)))
    if percent or not found.counts_layouts:
        text = shared.map_text(shown)
    else:
        either = " or ".join(map(str, ship or ()))
        ships = f"in which a ship of length {either} occupies" if ship else "that occupy"
        grid = position.rules.board.grid(map(str, shown.cells))
        text = f"layouts {ships} each cell:\n{grid}"
    return shared.Answer(document, facts, position, text)


def _number(counter: seabattle.Counter) -> shared.Answer:
    """The number of layouts alone, about where they are too many to be counted."""
    from seabattle.enumerate.counting.estimate import estimate

    try:
        layouts = counter.count()
    except seabattle.TooLargeError as error:
        about = estimate(counter.position)
        told = [*about.facts(), ("exactly", str(error))]
        document = {
            "layouts": about.layouts,
            "labelled_layouts": about.labelled_layouts,
            "estimated": {**about.document(), "exactly": str(error)},
        }
        return shared.Answer(document, told, counter.position)
    labelled = counter.labelled(layouts)
    told = [("layouts", f"{layouts:,}"), ("identical ships told apart", f"{labelled:,}")]
    document = {"layouts": layouts, "labelled_layouts": labelled}
    return shared.Answer(document, told, counter.position)


def _of_fleets(
    counter: seabattle.FleetsCounter,
    percent: bool,
    ship: tuple[int, ...] | None,
    no_map: bool,
    salvo: int | None,
    sample: int | None,
    seed: int,
) -> shared.Answer:
    """The same over one of several fleets."""
    first = counter.positions[0]
    fleets = "|".join(str(position.rules.fleet) for position in counter.positions)
    game = {**first.document(), "fleet": fleets}
    told = [(n, t) for n, t in shared.game_facts(first) if n != "game"]
    told.insert(0, ("game", str(first.rules).replace(str(first.rules.fleet), fleets, 1)))
    if sample is not None:
        drawn = counter.sample(sample, seed)
        return shared.Answer(
            {**game, "seed": seed, "layouts": drawn}, text="\n".join(map(" ".join, drawn))
        )
    if no_map:
        layouts, labelled = counter.count(), counter.labelled()
        document = {"layouts": layouts, "labelled_layouts": labelled, "fleets": counter.parts()}
        told += [("layouts", f"{layouts:,}"), ("identical ships told apart", f"{labelled:,}")]
        return shared.Answer({**game, **document}, told)
    found = counter.map()
    document, told, shown = {**game, **found.document()}, [*told, *found.facts()], found
    if salvo is not None:
        turn = found.salvo(salvo)
        document |= turn.document()
        told += turn.facts()
    if ship is not None:
        shown = found.of_length(*ship)
        document["ship"] = shown.document()
        told += shown.facts()
    if percent:
        document["percent"] = _percents(found)
        return shared.Answer(document, told, text=shared.map_text(shown))
    grid = first.rules.board.grid(map(str, shown.cells))
    return shared.Answer(document, told, text=f"layouts that occupy each cell:\n{grid}")


def _percents(found: seabattle.HeatMap) -> tuple[tuple[float, ...], ...]:
    """Chances of the cells in percent, top row first."""
    return found.board.by_rows([float(100 * share) for share in found.shares])


def _sample(counter: seabattle.Counter, sample: int, seed: int, bar: Bar) -> shared.Answer:
    """Layouts drawn, one per line; what is drawn can be piped to a file, so the game is apart."""
    from seabattle.enumerate.placements import placement_table

    names = [str(placement) for placement in placement_table(counter.rules).placements]
    need = sample * len(counter.rules.fleet.lengths) * JSON_BYTES
    if bar.silent and need > counter.memory_limit * 2**30:
        raise seabattle.TooLargeError(
            f"--sample {sample}: as one JSON answer it needs {need / 2**30:.2g} GiB, more than "
            f"--memory-limit {counter.memory_limit:g}; leave out --json to have it line by line"
        )
    ships = counter.sample(sample, seed)
    if bar.silent:
        drawn = [[names[i] for i in row] for row in ships.tolist()]
        return shared.Answer({"seed": seed, "layouts": drawn}, game=counter.position)
    click.echo(shared.facts_text(shared.game_facts(counter.position)), err=True)
    for row in ships:
        click.echo(" ".join([names[i] for i in row]))
    return shared.Answer({})


def _miss_path(counter: seabattle.Counter, start: seabattle.Position) -> shared.Answer:
    """The likeliest cell shot by shot, all misses; the first in reading order among ties."""
    from seabattle.enumerate.answers import MISS
    from seabattle.enumerate.map import MOST_NAMED
    from seabattle.enumerate.words import first_of

    position = start
    path: list[dict[str, Any]] = []
    rows: list[tuple[str, ...]] = []
    while True:
        found = counter.at(position).map()
        if not found.best_cells:
            break
        cell = found.best_cells[0]
        ties = list(found.best_shots[1:])
        measure = "occupancy" if found.counts_layouts else "chance"
        name = start.rules.board.name(cell)
        path.append(
            {"cell": name, "layouts": found.layouts, measure: found.cells[cell], "ties": ties}
        )
        rows.append((
            str(len(path)), name, f"{found.layouts:,}",
            f"{found.percent(cell, decimals=2)} %", first_of(ties, MOST_NAMED),
        ))  # fmt: skip
        if cell in found.certain_cells:
            break
        position = position.shoot(cell, MISS)
    head = ("shot", "cell", "layouts left", "it hits", "ties")
    return shared.Answer({"path": path}, game=start, text=table_text(head, rows, left=(1, 3, 4)))


@shared.command()
@click.argument("file", type=shared.FILE_OR_INPUT)
@shared.option("--signs", metavar="'o=ship,~=water'",
        help="What other signs of the board mean: water or ship.")  # fmt: skip
@shared.rules_options()
@shared.memory_option("Memory for the layouts.")
def layouts(file: str, signs: str | None, bar: Bar, **game: Any) -> shared.Answer:
    """Say whether a full board is a fleet, in how many ways, and which.

    FILE is a board as text on which every ship is shown, a line for each row (. or 0 water, # or 1
    a ship), or an array of rows as JSON; with - it is read from standard input. The size of the
    board is that of the text. The exit status is 1 where the board is no fleet of the game. Try:

    \b
      seabattle layouts board.txt --fleet hasbro
      seabattle layouts board.txt --fleet 4,3,3,2,2,2,1,1,1,1 --contact sides
    """  # noqa: D301  # fmt: skip
    from seabattle.enumerate.board_text import SHIP, read_board

    text, called = shared.position_text(file)
    try:
        drawn = read_board(text, signs, full=True)
    except seabattle.PositionError as error:
        raise seabattle.PositionError(f"{called}: {error}") from None
    size, letters = game.pop("board") or drawn.size, game.pop("letters") or drawn.letters
    rules = seabattle.Rules(board=size, letters=letters, **game)
    found = seabattle.Layouts.of_board(
        rules, drawn, memory_limit=bar.memory_limit, progress=bar.counting("parts of the board")
    )
    labelled = len(found) * prod(map(factorial, rules.fleet.kind_counts.values()))
    document = {
        "occupied": len(drawn.cells(SHIP)),
        "layouts": len(found),
        "labelled_layouts": labelled,
        "listed": [found.names(number) for number in range(len(found))] if bar.silent else [],
    }
    facts = [("layouts", f"{len(found):,}"), ("identical ships told apart", f"{labelled:,}")]
    if document["occupied"] != rules.fleet.cells:
        facts.append(("occupied", f"{document['occupied']} cells; the fleet has "
                                  f"{rules.fleet.cells}"))  # fmt: skip
    lines = [" ".join(found.names(number)) for number in range(min(len(found), SHOWN))]
    if len(found) > SHOWN:
        lines.append(f"and {len(found) - SHOWN:,} more, which --json lists")
    return shared.Answer(document, facts, rules, "\n".join(lines), status=0 if len(found) else 1)


@click.group()
def prior() -> None:
    """Fit or show a prior: how likely each layout is."""


@shared.command()
@shared.option("--cells", "cells_file", type=shared.FILE_OR_INPUT, metavar="FILE",
        help="How often each cell was occupied: frequencies from 0 to 1 or counts, one line for "
             "each row of the board; - for standard input.")  # fmt: skip
@shared.option("--games", type=float, metavar="N",
        help="Number of games behind the counts of --cells. [default: their sum divided by the "
             "number of cells of the fleet]")  # fmt: skip
@shared.option("--layouts", "layouts_file", type=shared.FILE_OR_INPUT, metavar="FILE",
        help="Layouts that one opponent used in earlier games, one per line, instead "
             "of --cells; - for standard input.")  # fmt: skip
@shared.option("--weights", type=shared.words("cells|classes|placements"), default="cells",
        help="With --layouts, what has its own weight: each cell, each class of cells that "
             "symmetries of the board map to each other (for few games), or each placement (for "
             "many games).")  # fmt: skip
@shared.option("--smoothing", type=float, default=20, metavar="K",
        help="With --layouts, how many imaginary games with layouts drawn at random "
             "are added.")  # fmt: skip
@shared.option("--tolerance", type=float, default=1e-6, metavar="SHARE",
        help="Largest deviation of a cell's chance from its frequency.")  # fmt: skip
@shared.rules_options()
@shared.limit_options
@shared.output_option("PRIOR", "File of the prior: JSON, or CSV if its name ends in .csv.")
def fit(
    cells_file: str | None,
    games: float | None,
    layouts_file: str | None,
    weights: str,
    smoothing: float,
    tolerance: float,
    output: Path,
    bar: Bar,
    **game: Any,
) -> shared.Answer:
    """Fit a prior to how often each cell was occupied, or to layouts seen.

    Among all priors with these frequencies, the fit finds the one that assumes nothing else: the
    one of maximum entropy. Try:

    \b
      seabattle prior fit --fleet hasbro --cells counts.csv -o opponent.json
      seabattle prior fit --fleet hasbro --layouts seen.txt -o opponent.json
      seabattle count --fleet hasbro --prior opponent.json --percent
    """  # noqa: D301  # fmt: skip
    from seabattle.enumerate.files import name_of
    from seabattle.enumerate.priors.fit import load_grid, load_layouts

    if (cells_file is None) == (layouts_file is None):
        raise seabattle.SeabattleError("give either --cells FILE or --layouts FILE")
    shared.refuse_without("--layouts", layouts_file, "weights", "smoothing")
    shared.refuse_without("--cells", cells_file, "games")
    rules = seabattle.Rules(**game)

    def progress(maps: int, deviation: float) -> None:
        bar.say(f"fitting: {counted(maps, 'map')}, deviation {deviation:.2g}")

    bar.say("counting layouts")
    limits = bar.within(progress=progress) | {"tolerance": tolerance, "name": output.name}
    if layouts_file is not None:
        seen = load_layouts(shared.source_of(layouts_file), rules)
        found = seabattle.fit_layouts(rules, seen, weights=weights, smoothing=smoothing, **limits)
    else:
        assert cells_file is not None
        source = shared.source_of(cells_file)
        grid = load_grid(source, rules)
        try:
            found = seabattle.fit_frequencies(rules, grid, games=games, **limits)
        except seabattle.WeightsError as error:
            raise seabattle.WeightsError(f"{name_of(source)}: {error}") from None
    seabattle.save_prior(found.prior, output)
    return shared.Answer.of(found, rules, saved=[output], also={"saved": str(output)})


@shared.command()
@click.argument("name", metavar="people|FILE")
@shared.rules_options()
@shared.memory_option("Memory for counting.")
def show(name: str, bar: Bar, **game: Any) -> shared.Answer:
    """Show where a prior comes from, and its map.

    FILE is a prior file, or - for standard input. The options of the game are needed only for a
    file that does not name its game.
    """
    letters = game.pop("letters")
    asked = None
    if any(value is not None for value in game.values()):
        asked = seabattle.Rules(**game, letters=letters)
    read = shared.source_of(name) if name == shared.STANDARD_INPUT else name
    found = seabattle.load_prior(read, asked)
    if found is None:
        raise seabattle.WeightsError(
            "under the prior uniform all layouts are equally likely: see count"
        )
    rules = found.rules if letters is None else found.rules.lettered(letters)
    shown = seabattle.Counter(
        rules, prior=found, memory_limit=bar.memory_limit, progress=bar.row
    ).map()
    rows = [list(row) for row in shown.rows]
    document = {"prior": found.name, "kind": repr(found), **found.facts, "chances": rows}
    facts = [
        ("prior", repr(found)[1:-1]),
        *((fact, str(found.facts[fact])) for fact in ("source", "licence") if fact in found.facts),
        *(
            (f"fit: {fact.replace('_', ' ')}", _readable(value))
            for fact, value in found.facts.get("fit", {}).items()
            if value is not None
        ),
    ]
    return shared.Answer(document, facts, rules, shared.map_text(shown))


def _readable(value: Any) -> str:
    """A value of a prior's file for people: numbers with four digits, whole ones with commas.

    >>> [_readable(value) for value in (54652.0, 10, 6.951525867160413e-07, True, "cells")]
    ['54,652', '10', '6.952e-07', 'yes', 'cells']
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() else f"{value:.4g}"
    return str(value)


prior.add_command(fit)
prior.add_command(show)
