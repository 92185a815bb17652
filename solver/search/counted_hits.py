"""What hits leave in mode ``hit``, counted by the kernels of the other answer modes.

``solver.search.finds`` says what is counted. No answer tells a sinking, so a state is the cells hit
alone. Its layouts are still told apart by their ships, whose placements bound what a path can hit.
"""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import Contact
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.answer_search import AnswerSearch
from seabattle.solver.search.finds import MOST_SHIPS
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.options import SearchOptions
from seabattle.solver.search.plain_problem import PlainProblem
from seabattle.solver.search.problem import Problem

LEAST_CELLS = 30
"""On smaller boards words are near the truth, too: 5x5 3,2,1 takes longer with what is counted."""

LEAST_ROWS = 1500
"""Games of fewer layouts are solved before the kernels that count are compiled."""


class HitStates(PlainProblem):
    """A problem of mode ``hit`` with the ships of each layout, where no two occupy the same cells.

    Ships that do not touch at their sides can be read off the cells.
    """

    def __init__(self, table: DecisionTable) -> None:
        super().__init__(table)
        _, first = np.unique(self.group, return_index=True)
        self.numbers = table.layouts.ships[table.index[first]].astype(np.int64)
        self.ships = np.ascontiguousarray(placement_table(self.rules).masks[self.numbers, 0])


def is_counted(problem: Problem, options: SearchOptions) -> bool:
    """Whether what hits leave is worth counting in a problem of mode ``hit``.

    Endgames are left out, whose cells are numbered anew.
    """
    rules = problem.rules
    return (
        type(problem) is Problem
        and options.bounds
        and options.finds
        and rules.contact is not Contact.SIDES
        and len(rules.fleet.lengths) <= MOST_SHIPS
        and problem.cells >= LEAST_CELLS
        and len(problem) >= LEAST_ROWS
    )


def counting_search(problem: Problem, options: SearchOptions, limits: Limits) -> AnswerSearch:
    """A search that counts the states of a problem of mode ``hit``.

    Parameters
    ----------
    problem
        The problem, of which ``is_counted`` is true.
    options
        Of the search that uses the counts.
    limits
        When to stop.
    """
    search = AnswerSearch(HitStates(problem.table), options=options, limits=limits)
    search.counting = True
    return search
