"""The commands about players and what they meet: tournament, players, layouts."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from seabattle.cli.games import asked_position, game_options, rules_options
from seabattle.cli.limits import check_limits, memory_option
from seabattle.cli.options import PATH, json_option, out_option, seed_option, within
from seabattle.cli.pictures import asked_pictures, folder_picture_options
from seabattle.cli.printing import game_lines, print_answer, print_json, print_lines
from seabattle.cli.priors import asked_prior, prior_option
from seabattle.cli.progress import Bar
from seabattle.cli.sharing import require_workers, sharing_options
from seabattle.cli.time_to_go import TimeToGo

JOURNAL = "journal.jsonl"
"""Name of the file of the games played so far, in the folder of ``--out``."""


def player_names(text: str) -> list[str]:
    """Players as named on the command line, separated by commas or blanks.

    The path of a file may hold blanks.

    >>> player_names("density,bob, my games/mine.py:Center")
    ['density', 'bob', 'my games/mine.py:Center']
    """
    parts = [part.strip() for part in text.split(",")]
    return [name for part in parts for name in ([part] if ":" in part else part.split())]


@click.command()
@game_options()
@click.option(
    "--players",
    default=None,
    metavar="NAME,...",
    help="Who plays: names that 'seabattle players' lists, and players of your own as in "
    "mine.py:Center or package.module:Center; one that weighs layouts may have a prior of its "
    "own, as in greedy-map@people. "
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
    help="Where layouts come from: uniform, sequential (ships placed one after another), all (each "
    "once), equilibrium (the hiding mix), people (as people hide), 'prior FILE' (drawn by a "
    "prior), 'worst-for PLAYER', or a file with one layout per line, as in A1:A3 C1 C3.",
)
@prior_option
@seed_option("Seed of all random choices.")
@sharing_options(
    "Processes; the result is the same with any number. [default: one per core]",
    "Play on the Dask cluster of this scheduler,",
)
@click.option(
    "--strategy",
    type=PATH,
    default=None,
    metavar="DIR",
    help="Strategy file that the player 'exact' plays from, instead of solving the game anew.",
)
@memory_option("Memory of all processes together: fewer are started where they would take more.")
@out_option("Write tables, games, distributions and plots to this folder.")
@click.option(
    "--resume",
    is_flag=True,
    help="With --out: go on with the tournament that was stopped or killed there, if there is one.",
)
@click.option(
    "--baseline",
    default=None,
    metavar="NAME",
    help="With --out: the player against whom shots are saved in the plot of differences. "
    "[default: greedy-map where it plays, else the player with the fewest misses]",
)
@folder_picture_options("svg,png")
@json_option
def tournament(
    players: str | None,
    games: int | None,
    layouts: str,
    prior: str,
    seed: int,
    workers: int | None,
    scheduler: str | None,
    strategy: Path | None,
    memory_limit: float,
    out: Path | None,
    resume: bool,
    baseline: str | None,
    formats: str,
    scale: float | None,
    theme: str,
    as_json: bool,
    **game: Any,
) -> int:
    """Play strategies on the same layouts and compare their shots.

    'seabattle players' lists the players. --prior is what players that weigh layouts believe;
    --layouts is where the layouts really come from. Ctrl-C ends a tournament early and keeps what
    was played. With --out, every game is kept as soon as it is finished: after Ctrl-C or a crash
    the same command with --resume goes on, and the result is the same to the game.
    """
    from seabattle.cli.output_files import made_by, output_folder
    from seabattle.enumerate.errors import PlayerError
    from seabattle.solver.players.registry import player_spec
    from seabattle.solver.players.registry import players as all_players
    from seabattle.solver.tournament.tables import tables_text
    from seabattle.solver.tournament.tournament import tournament as play_tournament

    check_limits(None, memory_limit)
    pictures = asked_pictures(formats, scale, theme, out)
    position = asked_position(**game)
    believed = asked_prior(prior, position.rules)
    if players is None:
        names = [
            spec.name
            for spec in all_players()
            if spec.quick and not spec.why_not(position.rules, position)
        ]
    else:
        names = player_names(players)
    if baseline is not None:
        if out is None:
            raise PlayerError("--baseline is of a plot of --out, which is not given")
        called = [player_spec(name).name for name in names]
        if baseline not in called:
            raise PlayerError(f"--baseline {baseline}: is none of the players {', '.join(called)}")
    require_workers(workers, PlayerError)
    if workers is None:
        from joblib import cpu_count

        workers = cpu_count()
    if resume and out is None:
        raise PlayerError("--resume goes on in the folder of --out, which is not given")
    journal = None if out is None else out / JOURNAL
    time_to_go = TimeToGo()
    with output_folder(out), Bar("tournament") as bar:

        def report(played: int, wanted: int) -> None:
            bar.say(f"{played:,} of {wanted:,} games{time_to_go(played, wanted)}")

        bar.say("players prepare")
        result = play_tournament(
            position,
            names,
            games=games,
            layouts=layouts,
            seed=seed,
            workers=workers,
            cluster=scheduler,
            strategy=strategy,
            prior=believed,
            memory_limit=memory_limit,
            stop=lambda: bar.interrupted,
            progress=report,
            journal=journal,
            resume=resume,
        )
        if not result.games:
            raise KeyboardInterrupt
        standings = result.standings
        saved = []
        if out is not None:
            from seabattle.solver.tournament.saving import save_standings

            maker = made_by(seed, without="--resume")
            saved = save_standings(standings, out, pictures, baseline=baseline, made_by=maker)
        if journal is not None and not result.interrupted:
            with suppress(OSError):
                journal.unlink()
    if result.interrupted:
        goes_on = "" if out is None else "; the same command with --resume goes on"
        click.echo(
            f"seabattle: stopped by Ctrl-C after {result.games:,} of {result.wanted:,} games; "
            f"the result is about these{goes_on}",
            err=True,
        )
    if as_json:
        print_json(standings.document())
    else:
        told = [] if believed is None else [("prior", believed.name)]
        games_played = ("games", f"{result.games:,}")
        print_lines([*game_lines(position), ("layouts", layouts), *told, games_played])
        click.echo()
        click.echo(tables_text(standings))
        click.echo(f"\nplayed in {result.seconds:.2f} s")
        if saved:
            click.echo(f"{len(saved)} files written to {out}")
    return 130 if result.interrupted else 0


@click.command()
@game_options()
@json_option
def players(as_json: bool, **game: Any) -> None:
    """List the players, and which of them can play these rules."""
    from seabattle.solver.players.registry import players as all_players

    position = asked_position(**game)
    rows = [
        {
            "player": spec.name,
            "needs": spec.needs.value,
            "plays": not spec.why_not(position.rules, position),
            "why_not": spec.why_not(position.rules, position),
            "summary": spec.summary,
        }
        for spec in all_players()
    ]
    if as_json:
        print_answer(position, {"players": rows})
        return
    print_lines(game_lines(position))
    click.echo()
    width = max(len(str(row["player"])) for row in rows)
    for row in rows:
        click.echo(f"{row['player']:<{width}}  needs {row['needs']:<4}  {row['summary']}")
        if not row["plays"]:
            click.echo(f"{'':<{width}}  not here: {row['why_not']}")


@click.command()
@rules_options()
@click.option(
    "--games",
    type=int,
    callback=within(1),
    default=1_000_000,
    show_default=True,
    metavar="N",
    help="Number of layouts to place ship after ship.",
)
@seed_option("Seed of all random choices.")
@out_option("Write the table and the picture to this folder.")
@folder_picture_options("svg,png")
@json_option
def layouts(
    games: int,
    seed: int,
    out: Path | None,
    formats: str,
    scale: float | None,
    theme: str,
    as_json: bool,
    **game: Any,
) -> None:
    """Compare layouts placed ship after ship with uniform ones.

    Most programs place the longest ship at random, then the next one where it still fits, and so
    on. That does not make all layouts equally likely; this command shows by how much each cell is
    occupied more or less often.
    """
    from seabattle.cli.layouts_reports import layouts_document, layouts_text, save_layouts
    from seabattle.cli.output_files import output_folder
    from seabattle.solver.tournament.layout_sources import (
        Sequential,
        occupancy_of,
        uniform_occupancy,
    )

    pictures = asked_pictures(formats, scale, theme, out)
    position = asked_position(**game)
    source = Sequential(position, seed)
    with output_folder(out), Bar("layouts") as bar:

        def placing(done: int) -> None:
            bar.say(f"placed {done:,} of {games:,} layouts")
            if bar.interrupted:
                raise KeyboardInterrupt

        bar.say("counting all layouts")
        counts, whole = uniform_occupancy(position)
        placed = occupancy_of(source, games, progress=placing).tolist()
        document = layouts_document(position, counts, whole, placed, games)
        saved = save_layouts(document, seed, out, pictures) if out is not None else []
    if as_json:
        print_json(document)
        return
    print_lines([*game_lines(position), ("layouts", f"{whole:,}")])
    click.echo()
    click.echo(layouts_text(document))
    if saved:
        click.echo(f"\n{len(saved)} files written to {out}")
