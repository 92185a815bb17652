"""Tiny games of which what hits leave is counted, and the searches that have counted it."""

from __future__ import annotations

from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import Limits, SearchOptions


class CountedProblem(Problem):
    """A game small enough for tests, whose states are counted all the same."""

    is_counted = True


SUNK = [
    Rules("1x8", "2,1", answers="sunk"),
    Rules("3x3", "2,1", answers="sunk"),
    Rules("3x3", "2,1", "corners", "sunk"),
    Rules("2x5", "2,2", "corners", "sunk"),
    Rules("3x4", "3,1", answers="sunk"),
    Rules("2x6", "2,1,1", answers="sunk"),
]
HIT = [
    Rules("1x8", "2,1"),
    Rules("3x3", "2,1", "corners"),
    Rules("3x4", "3,1"),
    Rules("2x6", "2,1,1"),
]


def counted(
    rules: Rules, table: DecisionTable | None = None, options: SearchOptions | None = None
) -> ExactSearch:
    """A search whose states are counted once."""
    search = counting(rules, table, options)
    search.prepare()
    return search


def counting(
    rules: Rules,
    table: DecisionTable | None = None,
    options: SearchOptions | None = None,
    limits: Limits | None = None,
) -> ExactSearch:
    """A search whose states are counted when it is asked something."""
    problem = CountedProblem(table or DecisionTable.build(rules))
    search = ExactSearch(problem, options=options, limits=limits)
    return search
