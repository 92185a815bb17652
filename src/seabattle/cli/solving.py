"""The commands that find a strategy: solve, greedy."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import seabattle
from seabattle.cli import options
from seabattle.cli.command import OUTPUT, Answer, command, given_options, option
from seabattle.cli.progress import Bar

BYTES_LISTED = 64
"""About what a layout takes that is only listed, to find those that fit a position."""

BYTES_SOLVED = 320
"""About what a layout takes at the most while a game is solved: itself, its occupancy, its nodes in
two trees, and its place in what verifies one of them."""


def fitting_table(
    position: seabattle.Position,
    memory_limit: float,
    bar: Bar,
    prior: seabattle.Prior | None = None,
    *,
    each: int = BYTES_SOLVED,
) -> seabattle.DecisionTable:
    """The layouts that fit a position, with their weights; ``each`` takes so many bytes.

    Raises
    ------
    TooLargeError
        If they, and trees that part them, would take more than the limit; before much is done.
    """
    from seabattle.enumerate.counting.fitting import fitting_table as fitting

    counted = memory_limit / (memory_limit + 0.1)  # the share that counts: a little is free
    table = fitting(
        position,
        memory_limit=memory_limit,
        progress=bar.layouts,
        prior=prior,
        bytes_each=int(counted * (BYTES_LISTED if position.shots else each)),
    )
    needed = counted * each * len(table) / 2**30
    if needed > memory_limit:
        raise seabattle.TooLargeError(
            f"{len(table):,} layouts fit, which need {needed:.3g} GiB; the "
            f"limit is {memory_limit:g} GiB: raise it, or take a smaller board or fleet"
        )
    return table


BYTES_PLAYED = 120
"""About what a layout takes while a greedy rule is played: itself, its row, and its place."""


def bytes_of(table: seabattle.DecisionTable) -> int:
    """Memory that the layouts of a table, and trees that part them, take besides the search."""
    return BYTES_SOLVED * len(table)


def mean_text(total: int, weight: int) -> str:
    """Mean misses, as a number and as a fraction."""
    return f"{float(Fraction(total, weight)):.4f} ({total}/{weight})"


@command()
@option("--objective", default="mean", metavar="mean|worst|mean-worst|worst-mean|pareto|within:K",
        **options.completing("mean", "worst", "mean-worst", "worst-mean", "pareto", "within:"),
        help="What to minimise: mean misses, misses in the worst case, one and among "
             "those the other, or every pair that no other beats (pareto). within:K "
             "finishes the most layouts with at most K misses.")  # fmt: skip
@options.salvo_option(
    "Minimise turns of N shots, all chosen before any is answered, on a small board."
)
@option("--values", is_flag=True, help="Also show what every first shot costs.")
@options.with_position(small=True, prior=True, interpreted=options.has_few_layouts)
@options.limit_options
@options.threads_option
@option("--checkpoint", section=OUTPUT, type=options.NEW_FILE, metavar="FILE",
        help="Keep what is proven in this file while searching, and go on from it.")  # fmt: skip
@options.tree_option("Save the tree to this file (with pareto: one file for each point).")
@options.json_option
def solve(
    position: seabattle.Position,
    prior: seabattle.Prior | None,
    objective: str,
    salvo: int | None,
    values: bool,
    checkpoint: Path | None,
    tree_file: Path | None,
    time_limit: float | None,
    memory_limit: float,
    threads: int | None,
) -> Answer:
    """Compute the optimal decision tree, proven and verified.

    \b
      seabattle solve --board 4x4 --fleet 3,2,1 --values
      seabattle solve --fleet 3,2,2,1,1,1 --answers sunk --tree tree.json
      seabattle solve --board 5x5 --fleet 3,2,1 --miss C3 --hit A1
    """  # noqa: D301
    from seabattle.solver.search.solution import read_objective

    goal = read_objective(objective)  # refused before anything is listed
    if salvo is not None:
        return _salvo(position, prior, salvo, time_limit, memory_limit)
    with Bar("solve") as bar:
        table = fitting_table(position, memory_limit, bar, prior)
        solution = seabattle.solve(
            table,
            goal,
            values=values,
            threads=threads,
            checkpoint=checkpoint,
            **bar.within(time_limit, memory_limit, bytes_of(table)),
        )
        bar.say("writing the tree")
        saved = _save(solution, tree_file) if tree_file is not None else []
        interrupted = bar.interrupted or solution.interrupted
    return Answer(
        {**solution.document(), **options.prior_document(prior, table)},
        [
            *options.prior_facts(prior, table),
            *solution.facts(),
            *(("saved", str(path)) for path in saved),
        ],
        position,
        solution.text(),
        status=130 if interrupted else 0,
    )


def _salvo(
    position: seabattle.Position,
    prior: seabattle.Prior | None,
    salvo: int,
    time_limit: float | None,
    memory_limit: float,
) -> Answer:
    """Fewest turns of several shots."""
    from seabattle.solver.search.limits import Limits

    for other in given_options("objective", "values", "checkpoint", "tree_file"):
        raise seabattle.SeabattleError(f"--salvo is about turns: leave out {other}")
    with Bar("solve") as bar:
        table = fitting_table(position, memory_limit, bar, prior)
        limits = Limits.of(**bar.within(time_limit, memory_limit))
        solution = seabattle.solve_salvo(table, salvo, limits=limits)
    return Answer(
        {**solution.document(), **options.prior_document(prior, table)},
        [*options.prior_facts(prior, table), *solution.facts()],
        position,
    )


def _save(solution: seabattle.Solution, path: Path) -> list[Path]:
    """Write the tree; with several points of a front, one file each, worst case in its name."""
    if not solution.front:
        seabattle.save_tree(solution.tree, path)
        return [path]
    written = []
    for tree in solution.front:
        name = path.with_name(f"{path.stem}-worst{tree.worst_misses}{path.suffix or '.json'}")
        seabattle.save_tree(tree, name)
        written.append(name)
    return written


@command()
@option("--rule", type=options.words("half|hits"), default="hits",
        help="The cell occupied in the number of layouts nearest to half, or in the "
             "most.")  # fmt: skip
@option("--ties", type=options.words("first|random"), default="first",
        help="First cell in reading order, or a random one.")  # fmt: skip
@option("--reading", type=options.words("full|positive"), default="full",
        help="Whether a plain hit says that the ship is not complete (answers sunk).")  # fmt: skip
@options.seed_option("Seed of random ties.")
@options.with_position(small=True, prior=True, interpreted=options.has_few_layouts)
@options.all_or_nothing
@options.tree_option()
@options.json_option
def greedy(
    position: seabattle.Position,
    prior: seabattle.Prior | None,
    rule: str,
    ties: str,
    reading: str,
    seed: int,
    tree_file: Path | None,
    time_limit: float | None,
    memory_limit: float,
) -> Answer:
    """Play a greedy rule against every layout, or build its tree, verified.

    Without --tree no tree is kept, so that millions of layouts can be played, where ties go to the
    first cell and hits are read in full.

    \b
      seabattle greedy --board 8x8 --fleet 4,3,2 --contact sides --answers sunk --announce none
      seabattle greedy --answers sunk --rule half --tree greedy.json
    """  # noqa: D301
    from seabattle.trees.tree import distribution_document, distribution_text
    from seabattle.trees.verify import require_valid

    needs_tree = tree_file is not None or ties == "random" or reading == "positive"
    with Bar("greedy") as bar:
        each = BYTES_SOLVED if needs_tree else BYTES_PLAYED
        table = fitting_table(position, memory_limit, bar, prior, each=each)
        started = time.monotonic()
        wasted = 0
        try:
            limits = bar.within(time_limit, memory_limit)
            if needs_tree:
                tree = seabattle.greedy_tree(
                    table, rule, ties=ties, seed=seed, reading=reading, **limits
                )
                found: seabattle.Tree | seabattle.GreedyPlay = tree
                wasted = require_valid(tree, layouts=table.layouts).wasted
                shot, shots = tree.root.shot, int((tree.shots >= 0).sum())
            else:
                play = seabattle.play_greedily(table, rule, **limits)
                found = play
                shot, shots = play.first_shot, play.shots
        except seabattle.LimitReached as error:
            raise seabattle.LimitReached(
                f"{error}; a greedy rule is played whole or not at all"
            ) from None
        seconds = time.monotonic() - started
        bar.check()
        if tree_file is not None:
            seabattle.save_tree(tree, tree_file)
    first = [position.rules.board.name(shot)] if shot >= 0 else []
    document: dict[str, Any] = {
        "rule": rule,
        "ties": ties,
        "reading": reading,
        "layouts": found.layouts,
        "status": "heuristic",
        "total_misses": found.total_misses,
        "mean_misses": float(found.mean_misses),
        "worst_misses": found.worst_misses,
        "distribution": distribution_document(found.distribution),
        "weight": found.weight,
        "wasted": wasted,
        "states": 0,
        "nodes": shots,
        "sets": 0,
        "best_shots": first,
        "search_seconds": seconds,
        **options.prior_document(prior, table),
    }
    facts = [
        *options.prior_facts(prior, table),
        ("layouts", f"{found.layouts:,}"),
        ("rule", f"{rule}, reading {reading}"),
        ("ties", ties + (f", seed {seed}" if ties == "random" else "")),
        ("status", "heuristic; " + ("tree verified" if needs_tree else "every layout played")),
        (
            "misses",
            f"mean {mean_text(found.total_misses, found.weight)}, worst {found.worst_misses}",
        ),
        ("by misses", distribution_text(found.distribution)),
        ("wasted shots", str(wasted)),
        ("first shot", " ".join(first) or "none: the layout is known"),
        *([("saved", str(tree_file))] if tree_file is not None else []),
    ]
    return Answer(document, facts, position, status=130 if bar.interrupted else 0)
