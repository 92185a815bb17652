"""The commands that solve small boards: solve, greedy, graph, compare."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from seabattle.cli.options import (
    STARTED,
    Bar,
    Prior,
    Request,
    check_limits,
    game_options,
    json_option,
    limit_options,
    prior_options,
)
from seabattle.cli.printing import mean_text, position_line, print_json, print_lines


@click.command()
@game_options()
@click.option(
    "--objective",
    default="mean",
    show_default=True,
    metavar="mean|worst|mean-worst|worst-mean|pareto",
    help="What to minimise.",
)
@click.option("--values", is_flag=True, help="Also show what every first shot costs.")
@click.option(
    "--tree",
    "tree_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Save the tree (with pareto: one file per point).",
)
@click.option(
    "--checkpoint",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Keep what is proven in this file while searching, and go on from it.",
)
@prior_options
@limit_options
@json_option
def solve(
    objective: str,
    values: bool,
    tree_file: Path | None,
    checkpoint: Path | None,
    weights: Path | None,
    weights_rule: str | None,
    smoothing: int,
    time_limit: float | None,
    memory_limit: float,
    as_json: bool,
    **game: Any,
) -> int:
    """Compute the optimal decision tree, proven and verified."""  # fmt: skip
    from seabattle.cli.reports import first_shot_grid, save_solution
    from seabattle.solver.search.problem import refuse_large_board
    from seabattle.solver.search.solve import solve as solve_game

    check_limits(time_limit, memory_limit)
    request = Request.read(**game)
    refuse_large_board(request.rules)
    prior = Prior.read(weights, weights_rule, smoothing)
    with Bar("solve") as bar:
        table = request.table(memory_limit, bar, prior)
        used = 2 * (table.masks.nbytes + table.layouts.ships.nbytes)
        solution = solve_game(
            table,
            objective,
            position=request.position,
            values=values,
            limits=bar.limits(time_limit, memory_limit, used),
            checkpoint=checkpoint,
        )
    saved = save_solution(solution, tree_file) if tree_file is not None else []
    board = request.rules.board
    grid = None
    if solution.values is not None:
        flat = solution.values
        grid = [list(flat[i : i + board.columns]) for i in range(0, board.cells, board.columns)]
    if as_json:
        document: dict[str, Any] = {
            "board": str(board),
            "fleet": str(request.rules.fleet),
            "contact": request.rules.contact.value,
            "answers": request.rules.answers.value,
            "objective": solution.objective,
            "layouts": solution.layouts,
            "status": solution.status,
            "total_misses": solution.total_misses,
            "mean_misses": float(solution.mean_misses),
            "worst_misses": solution.worst_misses,
            "weight": solution.weight,
            "lower_bound": solution.lower_bound,
            "upper_bound": solution.upper_bound,
            "states": solution.states,
            "nodes": solution.nodes,
            "best_shots": list(solution.best_shots),
            "stopped_by": solution.stopped_by,
            "search_seconds": solution.search_seconds,
            "seconds": time.monotonic() - STARTED,
        }
        if solution.progress:
            document["progress"] = [
                {"seconds": round(seconds, 3), "total_misses": total}
                for seconds, total in solution.progress
            ]
        if solution.front:
            document["front"] = [
                {"worst_misses": t.worst_misses, "total_misses": t.total_misses}
                for t in solution.front
            ]
        if grid is not None:
            document["values"] = grid
        print_json(document)
        return 130 if solution.interrupted else 0
    bounded = solution.status == "bounded"
    interval = f", between {solution.lower_bound} and {solution.upper_bound}" if bounded else ""
    pairs = [
        ("game", str(request.rules)),
        *position_line(request),
        ("layouts", f"{solution.layouts:,}"),
        ("objective", solution.objective),
        ("status", f"{solution.status}{interval}; tree verified"),
        ("misses", f"mean {mean_text(solution.total_misses, solution.weight)}, "
                   f"worst {solution.worst_misses}"),
    ]  # fmt: skip
    if solution.stopped_by:
        pairs.append(("stopped", solution.stopped_by))
    for tree in solution.front:
        mean = mean_text(tree.total_misses, solution.weight)
        pairs.append(("front", f"worst {tree.worst_misses}, mean {mean}"))
    if solution.best_shots:
        pairs.append(("best first shots", " ".join(solution.best_shots)))
    pairs.append(
        ("search", f"{solution.states:,} keys stored, {solution.nodes:,} sub-tables expanded, "
                   f"{solution.search_seconds:.2f} s")
    )  # fmt: skip
    pairs += [("saved", str(path)) for path in saved]
    print_lines(pairs)
    if solution.values is not None:
        click.echo("\nmean misses after each first shot (best ones marked *):")
        click.echo(first_shot_grid(solution))
    return 130 if solution.interrupted else 0


@click.command()
@game_options()
@click.option(
    "--rule",
    default="hits",
    show_default=True,
    metavar="half|hits",
    help="Cell nearest to half of the layouts, or the one most of them occupy.",
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
@click.option("--seed", type=int, default=0, show_default=True, help="Seed for random ties.")
@click.option(
    "--tree", "tree_file", type=click.Path(path_type=Path), metavar="FILE", help="Save the tree."
)
@prior_options
@limit_options
@json_option
def greedy(
    rule: str,
    ties: str,
    reading: str,
    seed: int,
    tree_file: Path | None,
    weights: Path | None,
    weights_rule: str | None,
    smoothing: int,
    time_limit: float | None,
    memory_limit: float,
    as_json: bool,
    **game: Any,
) -> None:
    """Build the tree of a greedy rule, verified."""  # fmt: skip
    from seabattle.solver.search.greedy import greedy_tree
    from seabattle.solver.search.problem import refuse_large_board
    from seabattle.trees.tree.tree_files import save_tree
    from seabattle.trees.tree.verify import require_valid

    check_limits(time_limit, memory_limit)
    request = Request.read(**game)
    refuse_large_board(request.rules)
    prior = Prior.read(weights, weights_rule, smoothing)
    with Bar("greedy") as bar:
        table = request.table(memory_limit, bar, prior)
        started = time.monotonic()
        tree = greedy_tree(
            table,
            rule,
            ties=ties,
            seed=seed,
            reading=reading,
            position=request.position,
            limits=bar.limits(time_limit, memory_limit),
        )
        seconds = time.monotonic() - started
        checked = require_valid(tree, layouts=table.layouts)
    if tree_file is not None:
        save_tree(tree, tree_file)
    first = [request.rules.board.name(tree.root.shot)] if not tree.root.is_leaf else []
    if as_json:
        print_json(
            {
                "board": str(request.rules.board),
                "fleet": str(request.rules.fleet),
                "contact": request.rules.contact.value,
                "answers": request.rules.answers.value,
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
                "best_shots": first,
                "search_seconds": seconds,
                "seconds": time.monotonic() - STARTED,
            }
        )
        return
    print_lines(
        [
            ("game", str(request.rules)),
            *position_line(request),
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


@click.command()
@game_options()
@limit_options
@json_option
def graph(time_limit: float | None, memory_limit: float, as_json: bool, **game: Any) -> None:
    """Count the sub-table graph that plain dynamic programming has to visit."""
    from seabattle.solver.search.graph import graph_size
    from seabattle.solver.search.problem import refuse_large_board

    check_limits(time_limit, memory_limit)
    request = Request.read(**game)
    refuse_large_board(request.rules)
    with Bar("graph") as bar:
        table = request.table(memory_limit, bar)
        size = graph_size(table, limits=bar.limits(time_limit, memory_limit))
    if as_json:
        print_json(
            {
                "layouts": size.layouts,
                "vertices": size.vertices,
                "edges": size.edges,
                "orbits": size.orbits,
                "seconds": time.monotonic() - STARTED,
            }
        )
        return
    print_lines(
        [
            ("game", str(request.rules)),
            *position_line(request),
            ("layouts", f"{size.layouts:,}"),
            ("vertices", f"{size.vertices:,}"),
            ("edges", f"{size.edges:,}"),
            ("orbits", f"{size.orbits:,}"),
        ]
    )


@click.command()
@game_options(answers="all")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write the trees, the pictures and the table to this folder.",
)
@prior_options
@limit_options
@json_option
def compare(
    out: Path | None,
    weights: Path | None,
    weights_rule: str | None,
    smoothing: int,
    time_limit: float | None,
    memory_limit: float,
    as_json: bool,
    **game: Any,
) -> int:
    """Set greedy play beside the proven optimum, for every way to answer."""  # fmt: skip
    from seabattle.cli.reports import comparison_table, output_folder, rules_line, save_comparison
    from seabattle.solver.search.problem import refuse_large_board
    from seabattle.solver.studies.compare import compare as compare_strategies

    check_limits(time_limit, memory_limit)
    modes = [game["answers"]] if game["answers"] != "all" else ["hit", "sunk", "ship"]
    first = "sunk" if len(modes) > 1 else modes[0]  # the mode that takes every other option
    request = Request.read(**{**game, "answers": first})
    if game["position"]:
        modes = [request.rules.answers.value]
    refuse_large_board(request.rules)
    prior = Prior.read(weights, weights_rule, smoothing)
    with output_folder(out), Bar("compare") as bar:
        table = request.whole_table(memory_limit, bar, prior)
        used = 2 * (table.masks.nbytes + table.layouts.ships.nbytes)
        result = compare_strategies(
            table,
            modes,
            position=request.position,
            limits=bar.limits(time_limit, memory_limit, used),
        )
        saved = save_comparison(result, out, bar.say) if out is not None else []
    for note in result.notes:
        click.echo(f"seabattle: {note}", err=True)
    if as_json:
        print_json(
            {
                "board": str(request.rules.board),
                "fleet": str(request.rules.fleet),
                "contact": request.rules.contact.value,
                "layouts": result.layouts,
                "rows": [row.document() for row in result.rows],
                "seconds": time.monotonic() - STARTED,
            }
        )
    else:
        click.echo(f"{rules_line(result)}: {result.layouts:,} layouts\n")
        click.echo(comparison_table(result))
        if saved:
            click.echo(f"\n{len(saved)} files written to {out}")
    return 130 if result.interrupted else 0
