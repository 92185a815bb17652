"""The command that looks back at a game: review."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from seabattle.cli.limits import check_limits, elapsed, memory_option
from seabattle.cli.options import PATH, json_option
from seabattle.cli.printing import counted, game_lines, print_answer, print_lines
from seabattle.cli.priors import asked_prior, prior_option
from seabattle.cli.progress import Bar

if TYPE_CHECKING:
    from seabattle.enumerate.position import Position
    from seabattle.solver.review import Review, ReviewedShot

MANY_CELLS = 4
"""The most best cells that are named one by one."""

MANY_MISTAKES = 5
"""The most mistakes that are named one by one."""


@click.command()
@click.argument("file", type=PATH)
@prior_option
@click.option(
    "--think",
    type=float,
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to search for exact losses, for all shots together; 0: do not search.",
)
@memory_option("Memory for counting.")
@json_option
def review(file: Path, prior: str, think: float, memory_limit: float, as_json: bool) -> int:
    """Look back at a game, shot by shot, and find the mistakes.

    FILE is a position file whose shots are in order, as advise saves it, or - for standard input.
    Losses are in misses. They are exact on small boards and towards the end of large games;
    elsewhere (~) they are the chance of a hit given away at once, which is not the same. The best
    cells are the optimal shots where optimal play is known, else the likeliest cells. Try:

    \b
      seabattle review game.json
      seabattle review game.json --prior people --json
    """  # noqa: D301
    from seabattle.enumerate.errors import SeabattleError
    from seabattle.solver.review import review as review_game

    check_limits(None, memory_limit)
    if not 0 <= think < float("inf"):
        raise SeabattleError(f"--think {think:g}: must be a number of seconds, 0 or more")
    position = _read(file)
    believed = asked_prior(prior, position.rules)
    with Bar("review") as bar:
        found = review_game(
            position,
            prior=believed,
            time_limit=think,
            memory_limit=memory_limit,
            progress=lambda what, shot, shots: bar.say(f"{what}, shot {shot} of {shots}"),
            stop=lambda: bar.interrupted,
        )
    if not found.shots:
        raise KeyboardInterrupt
    if found.stopped_by:
        done, all_shots = len(found.shots), len(position.shots)
        what = (
            f"after {done} of {counted(all_shots, 'shot')}; the review is about these"
            if done < all_shots
            else "while exact losses were searched for; those found are in the review"
        )
        click.echo(f"seabattle: {found.stopped_by} {what}", err=True)
    if as_json:
        print_answer(position.rules, {**found.document(), "seconds": elapsed()})
    else:
        _print(found)
    return 130 if found.stopped_by else 0


def _read(file: Path) -> Position:
    """The position of a file, or of standard input."""
    from seabattle.enumerate.errors import PositionError
    from seabattle.enumerate.position_files import load_position, position_of_text

    if str(file) != "-":
        return load_position(file)
    try:
        return position_of_text(sys.stdin.read(), "standard input")
    except UnicodeDecodeError:
        raise PositionError("standard input is no position file: it is not UTF-8 text") from None


def _print(found: Review) -> None:
    """The summary, the shots as a table, the worst mistakes."""
    pairs = [
        *game_lines(found.position.rules),
        *([("prior", found.prior_name)] if found.prior_name else []),
        ("shots", f"{len(found.shots)}: {counted(found.hits, 'hit')}, "
                  f"{counted(found.misses, 'miss', 'misses')}"),
        ("layouts left", f"{found.layouts:,}"),
        ("misses lost", _lost(found)),
        ("luck", f"{float(found.luck):+.2f} hits: {found.hits}, expected "
                 f"{float(found.expected_hits):.2f}"),
    ]  # fmt: skip
    mistakes = found.mistakes[:MANY_MISTAKES]
    if mistakes:
        named = ", ".join(f"{shot.number} {shot.name} ({_loss(shot)})" for shot in mistakes)
        more = " ..." if len(found.mistakes) > len(mistakes) else ""
        pairs.append(("worst mistakes", f"{named}{more}"))
    print_lines(pairs)
    head = ("shot", "cell", "answer", "chance %", "best %", "lost", "best cells")
    rows = [head, *map(_row, found.shots)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    click.echo()
    for row in rows:
        texts = [
            text.ljust(width) if at in (1, 2, 6) else text.rjust(width)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        click.echo("  ".join(texts).rstrip())
    if not found.is_exact:
        click.echo("\n~ the chance given away at once, in misses; other losses are exact")


def _row(shot: ReviewedShot) -> tuple[str, ...]:
    from seabattle.solver.review import percent

    best = shot.best_shots if shot.optimal_shots is None else shot.optimal_shots
    cells = " ".join(best[:MANY_CELLS]) + (" ..." if len(best) > MANY_CELLS else "")
    return (
        str(shot.number), shot.name, shot.answer_text, percent(shot.chance),
        percent(shot.best_chance), _loss(shot), cells,
    )  # fmt: skip


def _loss(shot: ReviewedShot) -> str:
    """What a shot lost; a small loss is not shown as 0."""
    lost = float(shot.lost)
    text = f"{lost:.3f}" if lost >= 0.001 else "<0.001" if lost else "0"
    return text if shot.is_exact else f"~{text}"


def _lost(found: Review) -> str:
    """The number that sums the player up, and how much of it is exact."""
    lost = f"{float(found.misses_lost):.2f}"
    exactly = [shot for shot in found.shots if shot.is_exact]
    if found.is_exact:
        return f"{lost} exactly"
    if not exactly:
        return f"{lost} at once, none known exactly"
    return (
        f"{lost}: {float(found.lost_exactly):.2f} exactly in {counted(len(exactly), 'shot')}, "
        f"{float(found.lost_at_once):.2f} at once in the others"
    )
