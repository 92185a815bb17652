"""The command that writes an opening book in advance: book."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from seabattle.cli.games import asked_position, rules_options
from seabattle.cli.limits import elapsed
from seabattle.cli.options import json_option, within
from seabattle.cli.printing import game_lines, print_answer, print_lines
from seabattle.cli.priors import asked_prior, prior_option
from seabattle.cli.progress import Bar
from seabattle.cli.time_to_go import TimeToGo

MOST_RARE = 10_000
"""Rarer positions are not kept in books."""


@click.command()
@rules_options()
@prior_option
@click.option(
    "--rare",
    type=int,
    callback=within(1, MOST_RARE),
    default=1_000,
    show_default=True,
    metavar="N",
    help="Leave out positions that fewer than one in N games comes through. With 1,000 a book of "
    "10x10 takes minutes, with 10,000 ten times as long.",
)
@json_option
def book(prior: str, rare: int, as_json: bool, **game: Any) -> int:
    """Write the opening book of the exact players in advance.

    greedy-map, map-endgame and lookahead keep the likeliest cells of the positions that many games
    come through, which spares them the slowest maps. A book grows while games are played; this
    writes it before. Ctrl-C keeps what is found, and the same command goes on. Try:

    \b
      seabattle book --fleet hasbro --answers ship
    """  # noqa: D301
    from seabattle.enumerate.errors import WorkFailed
    from seabattle.solver.players.opening_book import opening_book
    from seabattle.solver.players.openings import build_openings

    rules = asked_position(**game).rules
    believed = asked_prior(prior, rules)
    begun = time.monotonic()
    to_go = TimeToGo()
    with Bar("book") as bar:

        def told(looked_at: int, about: int) -> None:
            bar.say(f"{looked_at:,} of about {about:,} positions{to_go(looked_at, about)}")
            if bar.interrupted:
                raise KeyboardInterrupt

        stopped = False
        try:
            found = build_openings(rules, believed, rare=rare, progress=told)
        except KeyboardInterrupt:
            stopped = True
            kept = opening_book(rules, believed)
            if kept is None:
                raise
            found = kept
    where = found.path if found.path is not None and Path(found.path).is_file() else None
    if where is None and not stopped:
        raise WorkFailed(
            f"the book of {len(found):,} positions could not be written: no folder for it can be "
            f"written to; SEABATTLE_CACHE_DIR names one"
        )
    size = where.stat().st_size if where is not None else 0
    if as_json:
        print_answer(
            rules,
            {
                "positions": len(found),
                "file": None if where is None else str(where),
                "bytes": size,
                "complete": not stopped,
                "seconds": elapsed(),
            },
        )
        return 130 if stopped else 0
    lines = [
        *game_lines(rules),
        ("positions", f"{len(found):,}" + (", stopped early: the same command goes on" * stopped)),
        ("file", f"{where or 'none'} ({-(-size // 1000):,} kB)"),
        ("time", f"{time.monotonic() - begun:.1f} s"),
    ]
    print_lines(lines)
    return 130 if stopped else 0
