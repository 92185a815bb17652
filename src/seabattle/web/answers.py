"""Answers to questions: what a counting process works out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from seabattle.documents.counts import map_document, number_document
from seabattle.documents.solutions import prior_document, solution_document
from seabattle.enumerate.counting.conflict import conflict
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.counting.ship_map import ship_length
from seabattle.enumerate.layouts.table import DecisionTable
from seabattle.enumerate.priors.prior_files import load_prior
from seabattle.solver.advice.advisers import CounterAdviser
from seabattle.solver.advice.review import review
from seabattle.solver.search.problem import refuse_large_board
from seabattle.solver.search.solve import solve
from seabattle.web.questions import Kind, Question
from seabattle.web.settings import Settings


def answer(question: Question, settings: Settings) -> dict[str, Any]:
    """What is found, the game and the seconds apart."""
    return _WAYS[question.kind](question, settings)


def _counter(question: Question, settings: Settings) -> Counter:
    rules = question.position.rules
    prior = load_prior(question.option("prior"), rules)
    return Counter(question.position, prior=prior, memory_limit=settings.memory)


def _count(question: Question, settings: Settings) -> dict[str, Any]:
    ship = question.option("ship")
    if ship is not None:
        ship_length(question.position.rules, ship)
    counter = _counter(question, settings)
    if question.option("no_map"):
        layouts = counter.count()
        return number_document(layouts, counter.labelled(layouts), 0.0)
    return map_document(counter.map(), 0.0, ship=ship, percent=question.option("percent"))


def _advise(question: Question, settings: Settings) -> dict[str, Any]:
    position = question.position
    adviser = CounterAdviser(
        position.rules,
        prior=load_prior(question.option("prior"), position.rules),
        time_limit=question.option("think"),
        memory_limit=settings.memory,
    )
    return adviser.advise(position).document()


def _solve(question: Question, settings: Settings) -> dict[str, Any]:
    position = question.position
    refuse_large_board(position.rules)
    prior = load_prior(question.option("prior"), position.rules)
    memory = question.option("memory_limit")
    table = DecisionTable.build(position.rules, memory_limit=memory / 2, prior=prior).at(position)
    solution = solve(
        table,
        question.option("objective"),
        values=question.option("values"),
        time_limit=question.option("time_limit"),
        memory_limit=memory / 2,
    )
    return {**solution_document(solution), **prior_document(prior, table)}


def _review(question: Question, settings: Settings) -> dict[str, Any]:
    position = question.position
    found = review(
        position,
        prior=load_prior(question.option("prior"), position.rules),
        time_limit=question.option("think"),
        memory_limit=settings.memory,
    )
    return found.document()


def _position(question: Question, settings: Settings) -> dict[str, Any]:
    position = question.position
    found = conflict(position, memory_limit=settings.memory)
    hits = position.hit_mask.bit_count()
    return {
        "over": found is None and hits == position.rules.fleet.cells,
        "misses": len(position.shots) - hits,
        "conflict": None if found is None else found.document(),
        "sinkings": [],
    }


def _picture(question: Question, settings: Settings) -> dict[str, Any]:
    from seabattle.trees.drawing.heatmap import HeatMap

    ship = question.option("ship")
    if ship is not None:
        ship_length(question.position.rules, ship)
    found = _counter(question, settings).map()
    return {"svg": HeatMap.of(found if ship is None else found.of_length(ship)).svg()}


def _conflict(question: Question, settings: Settings) -> dict[str, Any]:
    found = conflict(question.position, memory_limit=settings.memory)
    return {"conflict": None if found is None else found.document()}


_WAYS: dict[Kind, Callable[[Question, Settings], dict[str, Any]]] = {
    Kind.COUNT: _count,
    Kind.ADVISE: _advise,
    Kind.SOLVE: _solve,
    Kind.REVIEW: _review,
    Kind.POSITION: _position,
    Kind.PICTURE: _picture,
    Kind.CONFLICT: _conflict,
}
