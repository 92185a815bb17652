"""The commands that play: hide, tournament, players, play; and engine, which answers programs."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

import seabattle
from seabattle.cli import shared
from seabattle.cli.progress import Bar

if TYPE_CHECKING:
    from seabattle.enumerate.picture import Pictures

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


def _complete_players(context: Any, parameter: Any, begun: str) -> list[CompletionItem]:
    before, comma, last = begun.rpartition(",")
    return [
        CompletionItem(before + comma + name, help=made.summary)
        for name, made in seabattle.players().items()
        if name.startswith(last)
    ]


@shared.command()
@shared.listed("--players", metavar="NAME,...", shell_complete=_complete_players,
        help="Who plays: names that 'seabattle players' lists, and players of your own as in "
             "mine.py:Center or package.module:Center; one that weighs layouts may have a prior "
             "of its own, as in greedy-map@people. [default: all quick players that can play "
             "these rules]")  # fmt: skip
@shared.option("--games", type=int, metavar="N",
        help="Number of games. [default: every listed layout once, else 1000]")  # fmt: skip
@shared.option("--layouts", default="uniform", metavar="WHICH",
        help="Where layouts come from: uniform, sequential (ships placed one after another), all "
             "(each once), equilibrium (the hiding mix), people (as people hide), 'prior FILE' "
             "(drawn by a prior), 'worst-for PLAYER', or a file with one layout per line, as in "
             "A1:A3 C1 C3.")  # fmt: skip
@shared.seed_option("Seed of all random choices.")
@shared.option("--luck", is_flag=True,
        help="Also tell means and differences less what chance alone cost in each game: the same "
             "means, narrower intervals. Layouts must be equally likely; counting them takes "
             "about as long as greedy-map plays.")  # fmt: skip
@shared.option("--strategy", type=shared.FILE, metavar="DIR",
        help="Strategy file that the player 'exact' plays from, instead of solving "
             "the game anew.")  # fmt: skip
@shared.with_position(prior=True)
@shared.memory_option(
    "Memory of all processes together; fewer are started if they would need more."
)
@shared.sharing_options("Processes; any number gives the same result. [default: one per core]")
@shared.out_option("Write tables, games, distributions and plots to this folder.")
@shared.option("--resume", section=shared.OUTPUT, is_flag=True,
        help="With --out: go on with the tournament that was stopped or killed there, if there is "
             "one.")  # fmt: skip
@shared.option("--baseline", section=shared.OUTPUT, metavar="NAME",
        help="With --out: the player against whom shots are saved in the plot of "
             "differences. [default: greedy-map where it plays, else the player with "
             "the fewest misses]")  # fmt: skip
@shared.picture_options("--out", "out", "svg,png")
def tournament(
    position: seabattle.Position,
    players: str | None,
    workers: int | None,
    out: Path | None,
    baseline: str | None,
    pictures: Pictures,
    bar: Bar,
    **asked: Any,
) -> shared.Answer:
    """Play strategies on the same layouts and compare their shots.

    'seabattle players' lists the players. --prior is what players that weigh layouts believe;
    --layouts is where the layouts really come from. Ctrl-C ends a tournament early and keeps what
    was played. With --out, every game is kept as soon as it is finished: after Ctrl-C or a crash
    the same command with --resume goes on, and the result is the same, game by game.
    """  # fmt: skip
    from joblib import cpu_count

    from seabattle.solver.players.registry import find_player

    shared.refuse_without("--out", out, "resume", "baseline")
    shared.goes_without("workers", "scheduler")
    able = seabattle.players().items()
    quick = [name for name, made in able if made.quick and not made.why_not(position)]
    names = quick if players is None else player_names(players)
    if baseline is not None:
        called = [find_player(name).name for name in names]
        if baseline not in called:
            raise seabattle.PlayerError(
                f"--baseline {baseline}: not one of the players {', '.join(called)}"
            )
    journal = None if out is None else out / JOURNAL
    bar.say("players prepare")
    standings = seabattle.tournament(
        position,
        names,
        **asked,
        memory_limit=bar.memory_limit,
        workers=workers or cpu_count(),
        stop=bar.stoppable(),
        progress=lambda played, wanted: bar.show(played, wanted, "games of all players"),
        journal=journal,
    )
    text = f"{standings.text()}\n\nplayed in {standings.seconds:.2f} s"
    written = True
    if out is not None:
        maker = shared.made_by(asked["seed"], without="--resume")
        written = bar.writes(partial(
            seabattle.save_tournament, standings, out, **vars(pictures), baseline=baseline,
            made_by=maker,
        ))  # fmt: skip
        text += f"\nwritten to {out}" if written else ""
    if journal is not None and written and not standings.interrupted:
        with suppress(OSError):
            journal.unlink()
    if standings.interrupted:
        text += f"\n\nstopped by Ctrl-C after {standings.games:,} of {standings.wanted:,} games\n"
        command = shared.made_by(without="--resume")["command"]
        kept = "nothing was kept; --out DIR keeps the games" if out is None else command
        text += f"to go on: {kept}" + ("" if out is None else " --resume")
    return shared.Answer.of(standings, position, text=text, status=int(not written), timed=False)


@shared.command()
@shared.with_position()
def players(position: seabattle.Position) -> shared.Answer:
    """List the players, and which of them can play these rules."""
    able = seabattle.players()
    width = max(map(len, able))
    rows, lines = [], []
    for name, made in able.items():
        needs, why_not = (made.needs or seabattle.AnswerMode.HIT).value, made.why_not(position)
        told = {"needs": needs, "plays": not why_not, "why_not": why_not, "summary": made.summary}
        rows.append({"player": name, **told})
        lines.append(f"{name:<{width}}  needs {needs:<4}  {made.summary}")
        if why_not:
            lines.append(f"{'':<{width}}  not here: {why_not}")
    text = "\n".join(lines)
    return shared.Answer({"players": rows}, (), position, text)


@shared.command()
@shared.option("--from", "folder", type=shared.FILE, metavar="DIR",
        help="Draw from the mixes that 'equilibrium --out DIR' wrote, instead of "
             "solving the game.")  # fmt: skip
@shared.option("--gap", type=shared.NUMBER, default=1e-3, metavar="MISSES",
        help="Before drawing, solve the game until its value is known to within this.")  # fmt: skip
@shared.seed_option("Seed of the draw. [default: a different layout each time]", None)
@shared.rules_options()
@shared.prior_option
@shared.limit_options
@shared.output_option("FILE", "Write a picture of the layout: .svg, .png or .pdf.", required=False)
@shared.picture_options("-o", "output")
def hide(
    folder: Path | None,
    gap: float,
    seed: int | None,
    prior: str,
    output: Path | None,
    pictures: Pictures,
    bar: Bar,
    **game: Any,
) -> shared.Answer:
    """Draw a layout to use at the table, and say what it promises.

    On small boards it is drawn from the equilibrium, which no shooter can beat. Where the game
    cannot be solved, and where --prior is given, it is drawn by the prior, which promises less.
    """  # fmt: skip
    shared.goes_without("folder", *shared.GAME_NAMES, "gap", "prior")
    import numpy as np

    from seabattle.enumerate.picture import save_picture
    from seabattle.solver.hiding import draw_by_prior, draw_from_mix

    rules = seabattle.Rules(**game)
    solved = None if folder is None else seabattle.load_mixes(folder)
    if folder is None and not shared.given_options("prior"):
        try:
            solved = seabattle.equilibrium(rules, gap=gap, **bar.within(progress=bar.say))
        except (seabattle.RulesError, seabattle.TooLargeError) as error:
            bar.tell(
                f"no equilibrium: {error}. The layout is drawn uniformly instead; "
                f"--prior people hides as people do, --prior FILE as a file says"
            )
    generator = np.random.default_rng(seed)
    if solved is not None:
        drawn = draw_from_mix(solved, generator)
    else:
        believed = seabattle.load_prior(prior, rules)
        bar.say("counting the layouts")
        drawn = draw_by_prior(rules, believed, generator, memory_limit=bar.memory_limit)
    if output is not None:
        save_picture(drawn.svg(pictures.palette), output, scale=pictures.scale)
    return shared.Answer.of(
        drawn, drawn.rules, saved=[output], also={"seed": seed}, text=drawn.text()
    )


@shared.command(answers=False)
@shared.option("--no-browser", is_flag=True, help="Only print where the page lies.")
def play(no_browser: bool) -> int:
    """Open a page in the browser: advice, play, review, solving.

    Advice in a real game, tap by tap; a game against the program; a look back at what was lost; the
    optimal tree of a small game. The page is one file that counts and solves by itself: it can be
    copied to a phone, sent to a friend, or put on any web server. Try:

    \b
      seabattle play
      cp "$(seabattle play --no-browser)" /tmp/
    """  # noqa: D301
    import webbrowser

    from seabattle.trees.page.play import page_path

    path = page_path()
    click.echo(path)
    if not no_browser:
        webbrowser.open(path.as_uri())
    return 0


@shared.command(answers=False)
@shared.option("--threads", section=shared.LIMITS, type=click.IntRange(1, 256), metavar="N",
        help="Requests worked on at the same time. [default: one for each "
             "core]")  # fmt: skip
@shared.memory_option("Memory of each request, unless it asks for less.", 2.0)
@shared.option("--time-limit", section=shared.LIMITS, type=shared.ABOVE_0, default=60.0,
        metavar="SECONDS",
        help="Time of each request, unless it asks for less.")  # fmt: skip
def engine(threads: int | None, memory_limit: float, time_limit: float) -> int:
    """Answer other programs in lines of JSON.

    Each line on standard input is a request, such as
    {"id": 1, "command": "count", "position": {"fleet": "russian"}},
    and each line on standard output the answer to one, with its id. The commands are those that
    have --json, with the same answers, and beside them check, stop, and referee new, shoot and
    reveal, which hide a fleet and answer shots. It ends when its input does. Try:

    \b
      echo '{"command": "count", "position": {"board": "3x3", "fleet": "3,1,1"}}' \\
        | seabattle engine
    """  # noqa: D301  # fmt: skip
    import os
    import sys

    from seabattle.engine import Server

    Server(threads or os.cpu_count() or 1, memory_limit, time_limit).run(sys.stdin.buffer)
    return 0
