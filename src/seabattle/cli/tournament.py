"""The commands about players and what they meet: tournament, players, layouts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from seabattle.cli.options import PATH, Bar, Request, game_options, json_option
from seabattle.cli.printing import print_json


def player_names(text: str) -> list[str]:
    """Players as named on the command line, separated by commas or blanks.

    The path of a file may hold blanks.

    >>> player_names("density,bob, my games/mine.py:Center")
    ['density', 'bob', 'my games/mine.py:Center']
    """
    parts = [part.strip() for part in text.split(",")]
    return [name for part in parts for name in ([part] if ":" in part else part.split())]


@click.command()
@game_options(answers="sunk")
@click.option(
    "--players",
    default=None,
    metavar="NAME,...",
    help="Who plays: names that 'seabattle players' lists, and players of your own as in "
    "mine.py:Center or package.module:Center. "
    "[default: all quick players that can play these rules]",
)
@click.option(
    "--games",
    type=int,
    default=None,
    metavar="N",
    help="Number of games. [default: every listed layout once, else 1000]",
)
@click.option(
    "--layouts",
    default="uniform",
    show_default=True,
    metavar="WHICH",
    help="uniform, sequential (ships placed one after another), all, "
    "equilibrium, 'worst-for PLAYER', or a file with one layout per line, as in A1:A3 C1 C3.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Seed of all random numbers.",
)
@click.option(
    "--workers",
    type=int,
    default=None,
    metavar="W",
    help="Processes; the result is the same with any number. [default: one per core]",
)
@click.option(
    "--scheduler",
    default=None,
    metavar="ADDRESS",
    help="Play on the Dask cluster of this scheduler, as in tcp://host:8786.",
)
@click.option(
    "--strategy",
    type=PATH,
    default=None,
    metavar="DIR",
    help="Strategy file that the player 'exact' plays, in place of solving the game anew.",
)
@click.option(
    "--out",
    type=PATH,
    metavar="DIR",
    help="Write tables, distributions and plots to this folder.",
)
@json_option
def tournament(
    players: str | None,
    games: int | None,
    layouts: str,
    seed: int,
    workers: int | None,
    scheduler: str | None,
    strategy: Path | None,
    out: Path | None,
    as_json: bool,
    **game: Any,
) -> int:
    """Play strategies on the same layouts and compare their shots.

    'seabattle players' lists the players. Ctrl-C ends a tournament early and keeps what was played.
    """  # fmt: skip
    from seabattle.cli.reports import output_folder
    from seabattle.cli.tournament_reports import result_document, result_text, save_result
    from seabattle.enumerate.errors import PlayerError
    from seabattle.solver.players.registry import players as all_players
    from seabattle.solver.tournament.tournament import tournament as play_tournament

    request = Request.read(**game)
    if players is None:
        names = [
            spec.name
            for spec in all_players()
            if spec.quick and not spec.why_not(request.rules, request.position)
        ]
    else:
        names = player_names(players)
    if workers is not None and workers < 1:
        raise PlayerError(f"--workers {workers}: at least 1 is needed")
    if workers is None:
        from joblib import cpu_count

        workers = cpu_count()
    with output_folder(out), Bar("tournament") as bar:
        result = play_tournament(
            request.position,
            names,
            games=games,
            layouts=layouts,
            seed=seed,
            workers=workers,
            cluster=scheduler,
            strategy=strategy,
            stop=lambda: bar.interrupted,
            progress=lambda played, wanted: bar.say(f"{played:,} of {wanted:,} games"),
        )
        if not result.games:
            raise KeyboardInterrupt
        saved = save_result(result, layouts, seed, out) if out is not None else []
    if result.interrupted:
        click.echo(
            f"seabattle: stopped by Ctrl-C after {result.games:,} of {result.wanted:,} games; "
            f"the result is about these",
            err=True,
        )
    if as_json:
        print_json(result_document(result, layouts, seed))
    else:
        click.echo(result_text(result, layouts))
        click.echo(f"\nplayed in {result.seconds:.2f} s")
        if saved:
            click.echo(f"{len(saved)} files written to {out}")
    return 130 if result.interrupted else 0


@click.command()
@game_options(answers="sunk")
@json_option
def players(as_json: bool, **game: Any) -> None:
    """List the players, and which of them can play these rules."""  # fmt: skip
    from seabattle.solver.players.registry import players as all_players

    request = Request.read(**game)
    rows = [
        {
            "player": spec.name,
            "needs": spec.needs.value,
            "plays": not spec.why_not(request.rules, request.position),
            "why_not": spec.why_not(request.rules, request.position),
            "summary": spec.summary,
        }
        for spec in all_players()
    ]
    if as_json:
        print_json({"players": rows})
        return
    width = max(len(str(row["player"])) for row in rows)
    for row in rows:
        click.echo(f"{row['player']:<{width}}  needs {row['needs']:<4}  {row['summary']}")
        if not row["plays"]:
            click.echo(f"{'':<{width}}  not here: {row['why_not']}")


@click.command()
@game_options(answers="sunk")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=1_000_000,
    show_default=True,
    metavar="N",
    help="Layouts to place in sequence.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Seed of all random numbers.",
)
@click.option(
    "--out",
    type=PATH,
    metavar="DIR",
    help="Write table and picture to this folder.",
)
@json_option
def layouts(games: int, seed: int, out: Path | None, as_json: bool, **game: Any) -> None:
    """Show how layouts placed ship after ship differ from uniform ones.

    Most programs place the longest ship at random, then the next one where it still fits, and so
    on. That does not make all layouts equally likely; this command shows by how much each cell is
    occupied more or less often.
    """  # fmt: skip
    from seabattle.cli.reports import output_folder
    from seabattle.cli.tournament_reports import layouts_document, layouts_text, save_layouts
    from seabattle.solver.tournament.layout_sources import (
        Sequential,
        occupancy_of,
        uniform_occupancy,
    )

    request = Request.read(**game)
    source = Sequential(request.position, seed)
    with output_folder(out), Bar("layouts") as bar:

        def placing(done: int) -> None:
            bar.say(f"placed {done:,} of {games:,} layouts")
            if bar.interrupted:
                raise KeyboardInterrupt

        bar.say("counting all layouts")
        counts, whole = uniform_occupancy(request.position)
        placed = occupancy_of(source, games, progress=placing).tolist()
        document = layouts_document(request.rules, counts, whole, placed, games)
        saved = save_layouts(document, seed, out) if out is not None else []
    if as_json:
        print_json(document)
        return
    click.echo(layouts_text(document))
    if saved:
        click.echo(f"\n{len(saved)} files written to {out}")
