"""Tiny games of which what hits leave is counted, and the searches that have counted it."""

from __future__ import annotations

from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.search.answer_problem import AnswerProblem
from seabattle.solver.search.answer_search import AnswerSearch
from seabattle.solver.search.counted_hits import counting_search
from seabattle.solver.search.dispatch import as_problem
from seabattle.solver.search.limits import Limits
from seabattle.solver.search.options import SearchOptions

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
) -> AnswerSearch:
    """A search whose states are counted once."""
    search = counting(rules, table, options)
    search.prepare()
    return search


def counting(
    rules: Rules,
    table: DecisionTable | None = None,
    options: SearchOptions | None = None,
    limits: Limits | None = None,
) -> AnswerSearch:
    """A search whose states are counted when it is asked something."""
    table = table or DecisionTable.build(rules)
    if rules.answers is AnswerMode.HIT:
        return counting_search(as_problem(table), options or SearchOptions(), limits or Limits())
    return AnswerSearch(AnswerProblem(table), options=options, limits=limits)
