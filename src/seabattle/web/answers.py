"""Answers to questions: what a counting process works out.

Tables of the games asked about last are kept from one question to the next; nothing else is, so
that no game leaves a trace in the answers to another.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from seabattle.documents.counts import map_document, number_document
from seabattle.documents.solutions import prior_document, solution_document
from seabattle.enumerate.counting.conflict import conflict
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.counting.frontier_sweep import BufferPool
from seabattle.enumerate.counting.sinkings import open_sinkings
from seabattle.enumerate.errors import PositionError
from seabattle.enumerate.map import ship_length
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.files import load_prior
from seabattle.enumerate.rules import Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.advice import CounterAdviser
from seabattle.solver.review import review
from seabattle.solver.search.problem import refuse_large_board
from seabattle.solver.search.solve import solve
from seabattle.trees.drawing.heatmap import HeatMap
from seabattle.trees.drawing.heatmap_picture import heatmap_svg
from seabattle.web.questions import Kind, Question
from seabattle.web.refusals import Refused
from seabattle.web.settings import Settings
from seabattle.web.worker import Watch

_counters: OrderedDict[tuple[Rules, str], Counter] = OrderedDict()
"""Counters of the games asked about last, the latest at the end."""

_pool = BufferPool()
"""Memory for the sums of all of them, as one question is worked on at a time."""


def answer(watch: Watch, question: Question, settings: Settings) -> str:
    """What a question asks for.

    Returns
    -------
    text
        Of a picture, its SVG; of everything else what is found, the game and the seconds apart, as
        the text of a JSON object.

    Raises
    ------
    SeabattleError
        If there is no answer.
    """
    found = _WAYS[question.kind](watch, question, settings)
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)


def counter_of(watch: Watch, question: Question, settings: Settings) -> Counter:
    """The counter of a question, whose progress looks at the watch."""
    rules, prior = question.position.rules, question.option("prior")
    counter = _counters.pop((rules, prior), None)
    if counter is None:
        while len(_counters) >= settings.games or _bytes() > settings.memory * 2**30 / 4:
            if not _counters:
                break
            _counters.popitem(last=False)
        counter = Counter(rules, prior=load_prior(prior, rules), memory_limit=settings.memory)
        counter.pool = _pool
    _counters[rules, prior] = counter
    mine = counter.at(question.position)
    mine.progress = watch.check
    return mine


def _bytes() -> int:
    """Memory of the tables that are kept."""
    return sum(counter.frontier.nbytes for counter in _counters.values())


def _count(watch: Watch, question: Question, settings: Settings) -> dict[str, Any]:
    ship = question.option("ship")
    if ship is not None:
        ship_length(question.position.rules, ship)  # refused before anything is counted
    counter = counter_of(watch, question, settings)
    if question.option("no_map"):
        layouts = counter.count()
        return number_document(layouts, counter.labelled(layouts))
    return map_document(counter.map(), ship=ship, percent=question.option("percent"))


def _picture(watch: Watch, question: Question, settings: Settings) -> str:
    ship = question.option("ship")
    if ship is not None:
        ship_length(question.position.rules, ship)
    found = counter_of(watch, question, settings).map()
    heat = HeatMap.of(found if ship is None else found.of_length(ship))
    return heatmap_svg(heat, theme=question.option("theme"))


def _advise(watch: Watch, question: Question, settings: Settings) -> dict[str, Any]:
    counter = counter_of(watch, question, settings)
    adviser = CounterAdviser(
        question.position.rules,
        time_limit=min(question.option("think"), watch.left),
        progress=watch.check,
        counter=counter,
    )
    return adviser.advise(question.position).document()


def _solve(watch: Watch, question: Question, settings: Settings) -> dict[str, Any]:
    position = question.position
    refuse_large_board(position.rules)
    prior = load_prior(question.option("prior"), position.rules)
    memory = question.option("memory_limit")
    built = DecisionTable.build(
        position.rules, memory_limit=memory / 2, prior=prior, progress=watch.check
    )
    table = built.at(position)
    solution = solve(
        table,
        question.option("objective"),
        values=question.option("values"),
        time_limit=min(question.option("time_limit"), watch.left),
        memory_limit=max(0.01, memory - _table_bytes(table) / 2**30),
        stop=watch.unwanted.is_set,
        threads=1,  # cores are shared out between questions
    )
    return {**solution_document(solution), **prior_document(prior, table)}


def _table_bytes(table: DecisionTable) -> int:
    """Memory that a table takes while it is searched."""
    return 2 * (table.masks.nbytes + table.layouts.ships.nbytes)


def _review(watch: Watch, question: Question, settings: Settings) -> dict[str, Any]:
    position = question.position
    found = review(
        position,
        prior=load_prior(question.option("prior"), position.rules),
        time_limit=question.option("think"),
        memory_limit=settings.memory,
        stop=watch.stop,
    )
    watch.check()  # a review that was stopped is no answer
    return found.document()


def _position(watch: Watch, question: Question, settings: Settings) -> dict[str, Any]:
    position = question.position
    found = conflict(position, memory_limit=settings.memory)
    watch.check()
    hits = position.hit_mask.bit_count()
    sinkings = open_sinkings(position, settings.memory, watch.check) if found is None else ()
    return {
        "over": found is None and hits == position.rules.fleet.cells,
        "misses": len(position.shots) - hits,
        "conflict": None if found is None else found.document(),
        "sinkings": [sinking.document() for sinking in sinkings],
    }


def _conflict(watch: Watch, question: Question, settings: Settings) -> dict[str, Any]:
    """Why there is no answer, where no layout fits: the sentence, and the answers to doubt."""
    position = question.position
    found = conflict(position, memory_limit=settings.memory)
    if found is None:
        return {}
    try:
        Counter(position, memory_limit=settings.memory).count()
    except PositionError as error:
        return Refused(str(error), conflict=found.document()).document()
    return {}


_WAYS: dict[Kind, Callable[[Watch, Question, Settings], dict[str, Any] | str]] = {
    Kind.COUNT: _count,
    Kind.ADVISE: _advise,
    Kind.SOLVE: _solve,
    Kind.REVIEW: _review,
    Kind.POSITION: _position,
    Kind.PICTURE: _picture,
    Kind.CONFLICT: _conflict,
}


def prepare_game(watch: Watch, fleet: str, prior: str, settings: Settings) -> None:
    """Make the tables of a named fleet, and compile what counting needs."""
    start = Question(Kind.COUNT, Position(Rules(fleet=fleet)), (("prior", prior),))
    counter_of(watch, start, settings).map()


def prepare_search(watch: Watch, settings: Settings) -> None:
    """Compile what exact play needs, in every kind of game."""
    for contact in ("none", "corners", "sides"):
        for answers in ("hit", "sunk", "ship"):
            start = Position(Rules("3x3", "2,1", contact, answers))
            CounterAdviser(start.rules, progress=watch.check).advise(start)
            solve(DecisionTable.build(start.rules), threads=1, stop=watch.stop)
    told = Position.in_order(Rules("3x3", "2,1", answers="sunk"), "B2 miss, A1 hit")
    review(told, stop=watch.stop)
