"""The answer of ``solve``, and what answers say about a prior."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from seabattle.enumerate.priors.prior import Prior
    from seabattle.enumerate.table import DecisionTable
    from seabattle.solver.search.solution import Solution


def solution_document(solution: Solution) -> dict[str, Any]:
    """The solution as a JSON object, the game apart."""
    document: dict[str, Any] = {
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
        "sets": solution.sets,
        "best_shots": list(solution.best_shots),
        "stopped_by": solution.stopped_by,
        "search_seconds": solution.search_seconds,
    }
    if solution.progress:
        document["progress"] = [
            {"seconds": round(seconds, 3), "total_misses": total}
            for seconds, total in solution.progress
        ]
    if solution.front:
        document["front"] = [
            {
                "worst_misses": tree.worst_misses,
                "total_misses": tree.total_misses,
                "mean_misses": float(tree.mean_misses),
            }
            for tree in solution.front
        ]
    if solution.values is not None:
        columns, values = solution.rules.board.columns, solution.values
        document["values"] = [list(values[i : i + columns]) for i in range(0, len(values), columns)]
    return document


def prior_document(prior: Prior | None, table: DecisionTable) -> dict[str, Any]:
    """What a JSON answer says about the prior of a table: nothing if it is uniform."""
    if prior is None:
        return {}
    return {"prior": prior.name, "prior_rounding": float(table.rounding)}
