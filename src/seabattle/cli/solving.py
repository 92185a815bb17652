"""The commands that find a strategy: solve, greedy."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seabattle.cli.command import OUTPUT, Answer, command, option
from seabattle.cli.options import (
    NEW_FILE,
    all_or_nothing,
    completing,
    has_few_layouts,
    json_option,
    limit_options,
    prior_document,
    prior_facts,
    seed_option,
    threads_option,
    tree_option,
    with_position,
    words,
)
from seabattle.cli.progress import Bar

if TYPE_CHECKING:
    from seabattle.enumerate.position import Position
    from seabattle.enumerate.priors.prior import Prior
    from seabattle.enumerate.table import DecisionTable
    from seabattle.solver.search.solution import Solution

BYTES_LISTED = 64
"""About what a layout takes that is only listed, to find those that fit a position."""

BYTES_SOLVED = 320
"""About what a layout takes at the most while a game is solved: itself, its occupancy, its nodes in
two trees, and its place in what verifies one of them."""


def fitting_table(
    position: Position, memory_limit: float, bar: Bar, prior: Prior | None = None
) -> DecisionTable:
    """The layouts that fit a position, with their weights.

    Raises
    ------
    TooLargeError
        If they, and trees that part them, would take more than the limit; before much is done.
    """
    from seabattle.enumerate.errors import TooLargeError
    from seabattle.enumerate.table import DecisionTable

    counted = memory_limit / (memory_limit + 0.1)  # the share that counts: a little is free
    table = DecisionTable.build(
        position.rules,
        memory_limit=memory_limit,
        progress=bar.layouts,
        prior=prior,
        bytes_each=int(counted * (BYTES_LISTED if position.shots else BYTES_SOLVED)),
    ).at(position)
    needed = counted * bytes_of(table) / 2**30
    if needed > memory_limit:
        raise TooLargeError(
            f"{len(table):,} layouts fit, and trees that part them need {needed:.3g} GiB; the "
            f"limit is {memory_limit:g} GiB: raise it, or take a smaller board or fleet"
        )
    return table


def bytes_of(table: DecisionTable) -> int:
    """Memory that the layouts of a table, and trees that part them, take besides the search."""
    return BYTES_SOLVED * len(table)


def mean_text(total: int, weight: int) -> str:
    """Mean misses, as a number and as a fraction."""
    return f"{float(Fraction(total, weight)):.4f} ({total}/{weight})"


@command()
@option("--objective", default="mean", show_default=True,
        metavar="mean|worst|mean-worst|worst-mean|pareto|within:K",
        **completing("mean", "worst", "mean-worst", "worst-mean", "pareto", "within:"),
        help="What to minimise: mean misses, misses in the worst case, one and among those the "
             "other, or every pair that no other beats (pareto). within:K finishes the most "
             "layouts with at most K misses.")  # fmt: skip
@option("--values", is_flag=True, help="Also show what every first shot costs.")
@with_position(small=True, prior=True, interpreted=has_few_layouts)
@limit_options
@threads_option
@option("--checkpoint", section=OUTPUT, type=NEW_FILE, metavar="FILE",
        help="Keep what is proven in this file while searching, and go on from it.")  # fmt: skip
@tree_option("Save the tree to this file (with pareto: one file for each point).")
@json_option
def solve(
    position: Position,
    prior: Prior | None,
    objective: str,
    values: bool,
    checkpoint: Path | None,
    tree_file: Path | None,
    time_limit: float | None,
    memory_limit: float,
    threads: int | None,
    as_json: bool,
) -> Answer:
    """Compute the optimal decision tree, proven and verified.

    \b
      seabattle solve --board 4x4 --fleet 3,2,1 --values
      seabattle solve --fleet 3,2,2,1,1,1 --answers sunk --tree tree.json
      seabattle solve --board 5x5 --fleet 3,2,1 --miss C3 --hit A1
    """  # noqa: D301
    from seabattle.solver.search.solution import read_objective
    from seabattle.solver.search.solve import solve as solve_game

    read_objective(objective)  # refused before anything is listed
    with Bar("solve") as bar:
        table = fitting_table(position, memory_limit, bar, prior)
        solution = solve_game(
            table,
            objective,
            values=values,
            threads=threads,
            checkpoint=checkpoint,
            **bar.within(time_limit, memory_limit, bytes_of(table)),
        )
        bar.say("writing the tree")
        saved = _save(solution, tree_file) if tree_file is not None else []
        interrupted = bar.interrupted or solution.interrupted
    return Answer(
        {**solution.document(), **prior_document(prior, table)},
        [
            *prior_facts(prior, table),
            *solution.facts(),
            *(("saved", str(path)) for path in saved),
        ],
        position,
        solution.text(),
        status=130 if interrupted else 0,
    )


def _save(solution: Solution, path: Path) -> list[Path]:
    """Write the tree; with several points of a front, one file each, worst case in its name."""
    from seabattle.trees.files import save_tree

    if not solution.front:
        save_tree(solution.tree, path)
        return [path]
    written = []
    for tree in solution.front:
        name = path.with_name(f"{path.stem}-worst{tree.worst_misses}{path.suffix or '.json'}")
        save_tree(tree, name)
        written.append(name)
    return written


@command()
@option(
    "--rule",
    type=words("half|hits"),
    default="hits",
    show_default=True,
    help="The cell occupied in the number of layouts nearest to half, or in the most.",
)
@option(
    "--ties",
    type=words("first|random"),
    default="first",
    show_default=True,
    help="First cell in reading order, or a random one.",
)
@option(
    "--reading",
    type=words("full|positive"),
    default="full",
    show_default=True,
    help="Whether a plain hit says that the ship is not complete (answers sunk).",
)
@seed_option("Seed of random ties.")
@with_position(small=True, prior=True, interpreted=has_few_layouts)
@all_or_nothing
@tree_option()
@json_option
def greedy(
    position: Position,
    prior: Prior | None,
    rule: str,
    ties: str,
    reading: str,
    seed: int,
    tree_file: Path | None,
    time_limit: float | None,
    memory_limit: float,
    as_json: bool,
) -> Answer:
    """Build the tree of a greedy rule, verified."""  # fmt: skip
    from seabattle.solver.search.greedy import greedy_tree
    from seabattle.solver.search.limits import LimitReached
    from seabattle.trees.files import save_tree
    from seabattle.trees.tree import distribution_document, distribution_text
    from seabattle.trees.verify import require_valid

    with Bar("greedy") as bar:
        table = fitting_table(position, memory_limit, bar, prior)
        started = time.monotonic()
        try:
            tree = greedy_tree(
                table,
                rule,
                ties=ties,
                seed=seed,
                reading=reading,
                **bar.within(time_limit, memory_limit),
            )
        except LimitReached as error:
            raise LimitReached(f"{error}; a greedy tree is whole or it is none") from None
        seconds = time.monotonic() - started
        checked = require_valid(tree, layouts=table.layouts)
        bar.check()
        if tree_file is not None:
            save_tree(tree, tree_file)
    first = [position.rules.board.name(tree.root.shot)] if not tree.root.is_leaf else []
    document: dict[str, Any] = {
        "rule": rule,
        "ties": ties,
        "reading": tree.reading.value,
        "layouts": tree.layouts,
        "status": tree.status,
        "total_misses": tree.total_misses,
        "mean_misses": float(tree.mean_misses),
        "worst_misses": tree.worst_misses,
        "distribution": distribution_document(tree.distribution),
        "weight": tree.weight,
        "wasted": checked.wasted,
        "states": 0,
        "nodes": int((tree.shots >= 0).sum()),
        "sets": 0,
        "best_shots": first,
        "search_seconds": seconds,
        **prior_document(prior, table),
    }
    mean = mean_text(tree.total_misses, tree.weight)
    facts = [
        *prior_facts(prior, table),
        ("layouts", f"{tree.layouts:,}"),
        ("rule", f"{rule}, reading {tree.reading.value}"),
        ("ties", ties + (f", seed {seed}" if ties == "random" else "")),
        ("status", "heuristic; tree verified"),
        ("misses", f"mean {mean}, worst {tree.worst_misses}"),
        ("by misses", distribution_text(tree.distribution)),
        ("wasted shots", str(checked.wasted)),
        ("first shot", " ".join(first) or "none: the layout is known"),
        *([("saved", str(tree_file))] if tree_file is not None else []),
    ]
    return Answer(document, facts, position, status=130 if bar.interrupted else 0)
