"""What the front process hands to counting processes; the library is loaded there, not here."""

from __future__ import annotations

from typing import Any

from seabattle.web.questions import Question
from seabattle.web.settings import Settings
from seabattle.web.worker import Watch

MODULE = "seabattle.web.answers"
"""What counting processes load before they are asked anything."""


def answer(watch: Watch, question: Question, settings: Settings) -> str:
    """As ``seabattle.web.answers.answer``."""
    from seabattle.web import answers

    return answers.answer(watch, question, settings)


def prepare_game(watch: Watch, fleet: str, prior: str, settings: Settings) -> None:
    """As ``seabattle.web.answers.prepare_game``."""
    from seabattle.web import answers

    answers.prepare_game(watch, fleet, prior, settings)


def prepare_search(watch: Watch, settings: Settings) -> None:
    """As ``seabattle.web.answers.prepare_search``."""
    from seabattle.web import answers

    answers.prepare_search(watch, settings)


def warm_up(settings: Settings) -> list[tuple[Any, ...]]:
    """What counting processes prepare while nobody asks: functions with their arguments."""
    return [
        (prepare_game, "hasbro", "uniform", settings),
        (prepare_game, "russian", "uniform", settings),
        (prepare_search, settings),
        (prepare_game, "hasbro", "people", settings),
    ]
