"""How much work a search takes, in counts that are the same in every run.

A bound that is weaker than it should be, a key that is missed or a worse order of the shots changes
no optimum, only the work; without this nothing would notice. ``tests/known/search_work.json`` holds
the counts, and ``python tests/solver/search/test_work_counts.py`` (with ``tests`` and ``src`` on
the path) writes them anew: do that when a change of the search is meant, and say what it did.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from support.known_answers import FOLDER, known, known_rules, label
from support.search_games import search_of, weighted

from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.queries import INFEASIBLE, Goal, SearchOptions
from seabattle.solver.search.solve import solve_problem

QUESTIONS = {
    "total": (Goal.TOTAL, None), "worst": (Goal.WORST, None), "total in 4": (Goal.TOTAL, 4),
}  # fmt: skip
KNOWN = known("search_work")


def measured(entry: dict[str, Any]) -> dict[str, list[int]]:
    """Value and counts of every question about a game; for the front, its points and two counts."""
    table = DecisionTable.build(known_rules(entry))
    if entry["weighted"]:
        table = weighted(table, [i * i % 7 + 1 for i in range(len(table))])
    found = {}
    for name, (goal, miss_limit) in QUESTIONS.items():
        search = search_of(as_problem(table))
        with np.errstate(over="ignore"):  # hashes are meant to wrap around
            value = search.minimize(goal, miss_limit=miss_limit)
        least = value.misses if value.misses < INFEASIBLE else -1
        found[name] = [least, search.states, search.nodes]
    with np.errstate(over="ignore"):
        solution = solve_problem(as_problem(table), "pareto")
    found["pareto"] = [len(solution.front), solution.states, solution.nodes]
    return found


@pytest.mark.parametrize("entry", KNOWN, ids=lambda e: f"{label(e)}-{e['weighted']}")
def test_the_work_is_what_it_was(entry: dict[str, Any]) -> None:
    assert measured(entry) == entry["work"]


@pytest.mark.parametrize("answers", ["hit", "sunk", "ship"])
@pytest.mark.parametrize("switch", ["bounds", "ordering", "lookahead", "budgets"])
def test_each_technique_saves_work(answers: str, switch: str) -> None:
    problem = as_problem(Rules("4x4", "3,2,1", answers=answers))
    search = ExactSearch(problem)
    without = ExactSearch(problem, options=SearchOptions(**{switch: False}))
    assert search.minimize() == without.minimize()
    assert search.nodes < without.nodes


def write() -> None:
    """Write the counts of the program as it is."""
    path = FOLDER / "search_work.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    for entry in document["answers"]:
        entry["work"] = measured(entry)
    entries = ",\n  ".join(json.dumps(entry) for entry in document["answers"])
    about = json.dumps(document["about"])
    path.write_text(f'{{\n "about": {about},\n "answers": [\n  {entries}\n ]\n}}\n', "utf-8")


if __name__ == "__main__":
    write()
