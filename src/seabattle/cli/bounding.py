"""The command that says what no strategy can do better than: bound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from seabattle.cli.games import asked_position, rules_options
from seabattle.cli.limits import elapsed
from seabattle.cli.options import json_option, within
from seabattle.cli.printing import counted, game_lines, print_answer, print_lines
from seabattle.cli.progress import Bar

if TYPE_CHECKING:
    from seabattle.solver.studies.bound import MissBound

MOST_FIRST_SHOTS = 4
"""Sets of more cells are too many to search."""


@click.command()
@rules_options()
@click.option(
    "--first-shots",
    type=int,
    callback=within(0, MOST_FIRST_SHOTS),
    default=None,
    metavar="N",
    help="Search all sets of up to N cells for what the first shots can hit: seconds on 10x10 with "
    "2, minutes with 3; 0 does without. [default: 2]",
)
@json_option
def bound(first_shots: int | None, as_json: bool, **game: Any) -> None:
    """Prove how many misses every strategy needs on average.

    A lower bound that holds for boards of full size, where nobody knows the optimum, with all
    layouts equally likely. Set it beside what a player misses in a tournament. Try:

    \b
      seabattle bound --fleet russian --answers hit
      seabattle bound --fleet hasbro --first-shots 0
    """  # noqa: D301
    from seabattle.solver.studies.bound import FIRST_SHOTS, miss_bound

    rules = asked_position(**game).rules
    with Bar("bound", at_once=True) as bar:
        steps = 0

        def told() -> None:
            nonlocal steps
            steps += 1
            bar.say(f"{steps} counts and maps")

        searched = FIRST_SHOTS if first_shots is None else first_shots
        found = miss_bound(rules, first_shots=searched, progress=told)
    if as_json:
        print_answer(rules, {**_document(found), "seconds": elapsed()})
        return
    print_lines([*game_lines(rules), *_lines(found)])


def _shown(found: MissBound) -> list[int]:
    """Lengths of the ships that are shown to the shooter."""
    shown = list(found.rules.fleet.lengths)
    for length in found.hidden:
        shown.remove(length)
    return shown


def _document(found: MissBound) -> dict[str, Any]:
    return {
        "layouts": found.layouts,
        "mean_misses": float(found.mean_misses),
        "mean": str(found.mean_misses),
        "mean_shots": float(found.mean_shots),
        "total_misses": found.total_misses,
        "hidden": list(found.hidden),
        "shown": _shown(found),
        "misses_to_find": float(found.words),
        "misses_beside": float(found.beside),
        "first_shots": found.first_shots,
    }


def _lines(found: MissBound) -> list[tuple[str, str]]:
    cells = counted(found.rules.fleet.cells, "cell")
    lines = [
        ("layouts", f"{found.layouts:,}"),
        ("misses", f"at least {float(found.mean_misses):.4f} on average"),
        ("shots", f"at least {float(found.mean_shots):.4f}, with the {cells} of the fleet"),
    ]
    shown = _shown(found)
    if shown:
        lines.append(("shown", f"ships {','.join(map(str, shown))}, which costs nothing"))
    if found.hidden:
        hidden = ",".join(map(str, found.hidden))
        lines.append(("to find", f"{float(found.words):.4f} misses at least for ships {hidden}"))
    if found.beside:
        lines.append(("beside", f"{float(found.beside):.4f} misses at least beside ships shown"))
    if found.first_shots:
        lines.append(
            ("first shots", f"hit no more than the best {counted(found.first_shots, 'cell')}")
        )
    if not found.mean_misses:
        lines.append(("note", "these arguments prove nothing about this game"))
    return lines
