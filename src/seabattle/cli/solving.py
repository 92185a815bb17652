"""The commands that solve small boards: solve, greedy, graph."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from seabattle.cli.foretelling import INTERVAL, Foretelling
from seabattle.cli.games import asked_position, game_options
from seabattle.cli.limits import (
    all_or_nothing,
    check_limits,
    check_threads,
    elapsed,
    limit_options,
    threads_option,
)
from seabattle.cli.options import CHECKPOINT_FILE, json_option, seed_option, tree_option
from seabattle.cli.printing import game_lines, mean_text, print_answer, print_lines
from seabattle.cli.priors import asked_prior, prior_lines, prior_option
from seabattle.cli.progress import Bar
from seabattle.cli.tables import NO_ANSWER, bytes_of, fitting_table

SECONDS_TO_VERIFY = 1.2e-6
SECONDS_TO_WRITE = 1.3e-6
SECONDS_TO_KEEP = 1e-7
"""About how long it takes to verify a layout's path, to write a node, and to write a key."""

if TYPE_CHECKING:
    from seabattle.solver.search.solution import Solution


@click.command()
@game_options()
@click.option(
    "--objective",
    default="mean",
    show_default=True,
    metavar="mean|worst|mean-worst|worst-mean|pareto",
    help="What to minimise: mean misses, misses in the worst case, one and among those the other, "
    "or every pair that no other beats (pareto).",
)
@click.option("--values", is_flag=True, help="Also show what every first shot costs.")
@tree_option("Save the tree to this file (with pareto: one file for each point).")
@click.option(
    "--checkpoint",
    type=CHECKPOINT_FILE,
    metavar="FILE",
    help="Keep what is proven in this file while searching, and go on from it.",
)
@prior_option
@limit_options
@threads_option
@json_option
def solve(
    objective: str,
    values: bool,
    tree_file: Path | None,
    checkpoint: Path | None,
    prior: str,
    time_limit: float | None,
    memory_limit: float,
    threads: int | None,
    as_json: bool,
    **game: Any,
) -> int:
    """Compute the optimal decision tree, proven and verified."""
    from seabattle.documents.solutions import prior_document, solution_document
    from seabattle.solver.search.problem import refuse_large_board
    from seabattle.solver.search.solve import solve as solve_game

    check_limits(time_limit, memory_limit)
    check_threads(threads)
    position = asked_position(**game)
    refuse_large_board(position.rules)
    believed = asked_prior(prior, position.rules)
    with Bar("solve") as bar:
        table = fitting_table(position, memory_limit, bar, believed, stopped=INTERVAL)
        if objective == "mean":
            bar.foretold = Foretelling(memory_limit)
        bar.closing = lambda: _closing(bar, len(table), tree_file, checkpoint)
        solution = solve_game(
            table,
            objective,
            values=values,
            threads=threads,
            checkpoint=checkpoint,
            **bar.within(time_limit, memory_limit, bytes_of(table)),
        )
        saved = _save(solution, tree_file, bar) if tree_file is not None else []
    if as_json:
        document = {**solution_document(solution), **prior_document(believed, table)}
        print_answer(position, {**document, "seconds": elapsed()})
    else:
        print_lines(
            [
                *game_lines(position),
                *prior_lines(believed, table),
                *_lines(solution),
                *(("saved", str(path)) for path in saved),
            ]
        )
        if solution.values is not None:
            click.echo(f"\nmean misses after each first shot ({_stars(solution.objective)}):")
            click.echo(_first_shot_grid(solution))
    return 130 if solution.interrupted or bar.interrupted else 0


def _closing(
    bar: Bar, layouts: int, tree_file: Path | None, checkpoint: Path | None
) -> tuple[str, float]:
    """What a search still does after Ctrl-C, and for about how long."""
    what = "stopped; verifying the best tree so far"
    seconds = layouts * SECONDS_TO_VERIFY
    if tree_file is not None:
        what = "stopped; verifying and writing the best tree so far"
        seconds += 2 * layouts * SECONDS_TO_WRITE
    if checkpoint is not None:
        what += " and what is proven"
        seconds += bar.keys * SECONDS_TO_KEEP
    return what, seconds


def _lines(solution: Solution) -> list[tuple[str, str]]:
    """The solution as names and texts, the game apart."""
    bounded = solution.status == "bounded"
    interval = f", between {solution.lower_bound} and {solution.upper_bound}" if bounded else ""
    mean = mean_text(solution.total_misses, solution.weight)
    lines = [
        ("layouts", f"{solution.layouts:,}"),
        ("objective", solution.objective),
        ("status", f"{solution.status}{interval}; tree verified"),
        ("misses", f"mean {mean}, worst {solution.worst_misses}"),
    ]
    if solution.stopped_by:
        lines.append(("stopped", solution.stopped_by))
    for tree in solution.front:
        mean = mean_text(tree.total_misses, solution.weight)
        lines.append(("front", f"worst {tree.worst_misses}, mean {mean}"))
    if solution.best_shots:
        lines.append(("best first shots", " ".join(solution.best_shots)))
    lines.append(("search", f"{solution.work}, {solution.search_seconds:.2f} s"))
    return lines


def _stars(objective: str) -> str:
    """What the stars mean: least means, which need not be the best first shots of an objective.

    >>> _stars("worst")
    'least mean marked *; the best first shots above are those of objective worst'
    """
    if objective == "mean":
        return "best ones marked *"
    return f"least mean marked *; the best first shots above are those of objective {objective}"


def _first_shot_grid(solution: Solution) -> str:
    """Mean misses after each first shot, as a board; the least of them are marked."""
    values = solution.values or ()
    least = min(values, default=0)
    cells = [
        f"{float(Fraction(value, solution.weight)):.3f}" + ("*" if value == least else " ")
        for value in values
    ]
    return solution.rules.board.grid(cells)


def _save(solution: Solution, path: Path, bar: Bar) -> list[Path]:
    """Write the tree; with several points of a front, one file each, worst case in its name."""
    from seabattle.trees.files import save_tree

    nodes = sum(len(tree) for tree in solution.front or (solution.tree,))
    bar.closing = lambda: ("writing the tree to its end", nodes * SECONDS_TO_WRITE)
    bar.say("writing the tree")
    if not solution.front:
        save_tree(solution.tree, path)
        return [path]
    written = []
    for tree in solution.front:
        name = path.with_name(f"{path.stem}-worst{tree.worst_misses}{path.suffix or '.json'}")
        save_tree(tree, name)
        written.append(name)
    return written


@click.command()
@game_options()
@click.option(
    "--rule",
    default="hits",
    show_default=True,
    metavar="half|hits",
    help="The cell occupied in the number of layouts nearest to half, or in the most.",
)
@click.option(
    "--ties",
    default="first",
    show_default=True,
    metavar="first|random",
    help="First cell in reading order, or a random one.",
)
@click.option(
    "--reading",
    default="full",
    show_default=True,
    metavar="full|positive",
    help="Whether a plain hit says that the ship is not complete (answers sunk).",
)
@seed_option("Seed of random ties.")
@tree_option()
@prior_option
@all_or_nothing
@json_option
def greedy(
    rule: str,
    ties: str,
    reading: str,
    seed: int,
    tree_file: Path | None,
    prior: str,
    time_limit: float | None,
    memory_limit: float,
    as_json: bool,
    **game: Any,
) -> int:
    """Build the tree of a greedy rule, verified."""
    from seabattle.documents.solutions import prior_document
    from seabattle.solver.search.greedy import greedy_tree
    from seabattle.solver.search.limits import LimitReached
    from seabattle.solver.search.problem import refuse_large_board
    from seabattle.trees.files import save_tree
    from seabattle.trees.verify import require_valid

    check_limits(time_limit, memory_limit)
    position = asked_position(**game)
    refuse_large_board(position.rules)
    believed = asked_prior(prior, position.rules)
    with Bar("greedy") as bar:
        table = fitting_table(position, memory_limit, bar, believed, stopped=None)
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
        if bar.interrupted:
            raise KeyboardInterrupt
        if tree_file is not None:
            nodes = len(tree)
            bar.closing = lambda: ("writing the tree to its end", nodes * SECONDS_TO_WRITE)
            save_tree(tree, tree_file)
    first = [position.rules.board.name(tree.root.shot)] if not tree.root.is_leaf else []
    if as_json:
        print_answer(
            position,
            {
                "rule": rule,
                "ties": ties,
                "reading": tree.reading.value,
                "layouts": tree.layouts,
                "status": tree.status,
                "total_misses": tree.total_misses,
                "mean_misses": float(tree.mean_misses),
                "worst_misses": tree.worst_misses,
                "weight": tree.weight,
                "wasted": checked.wasted,
                "states": 0,
                "nodes": int((tree.shots >= 0).sum()),
                "sets": 0,
                "best_shots": first,
                "search_seconds": seconds,
                **prior_document(believed, table),
                "seconds": elapsed(),
            },
        )
        return 130 if bar.interrupted else 0
    print_lines(
        [
            *game_lines(position),
            *prior_lines(believed, table),
            ("layouts", f"{tree.layouts:,}"),
            ("rule", f"{rule}, reading {tree.reading.value}"),
            ("ties", ties + (f", seed {seed}" if ties == "random" else "")),
            ("status", "heuristic; tree verified"),
            ("misses", f"mean {mean_text(tree.total_misses, tree.weight)}, "
                       f"worst {tree.worst_misses}"),
            ("wasted shots", str(checked.wasted)),
            ("first shot", " ".join(first) or "none: the layout is known"),
            *([("saved", str(tree_file))] if tree_file is not None else []),
        ]
    )  # fmt: skip
    return 130 if bar.interrupted else 0


@click.command()
@game_options()
@all_or_nothing
@json_option
def graph(time_limit: float | None, memory_limit: float, as_json: bool, **game: Any) -> None:
    """Count the sub-tables that plain dynamic programming visits.

    Vertices are sub-tables, edges are shots with their answers, and orbits are vertices up to
    symmetry. Answers hit only.
    """
    from seabattle.solver.search.graph import graph_size
    from seabattle.solver.search.problem import refuse_large_board

    check_limits(time_limit, memory_limit)
    position = asked_position(**game)
    refuse_large_board(position.rules)
    with Bar("graph") as bar:
        table = fitting_table(position, memory_limit, bar, stopped=NO_ANSWER)
        size = graph_size(table, **bar.within(time_limit, memory_limit))
    if as_json:
        print_answer(
            position,
            {
                "layouts": size.layouts,
                "vertices": size.vertices,
                "edges": size.edges,
                "orbits": size.orbits,
                "seconds": elapsed(),
            },
        )
        return
    print_lines(
        [
            *game_lines(position),
            ("layouts", f"{size.layouts:,}"),
            ("vertices", f"{size.vertices:,}"),
            ("edges", f"{size.edges:,}"),
            ("orbits", f"{size.orbits:,}"),
        ]
    )
