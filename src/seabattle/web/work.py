"""What the front process hands to counting processes; the library is loaded there, not here."""

from __future__ import annotations

from seabattle.web.questions import Question
from seabattle.web.settings import Settings
from seabattle.web.worker import Watch


def answer(watch: Watch, question: Question, settings: Settings) -> str:
    """As ``seabattle.web.answers.answer``."""
    from seabattle.web import answers

    return answers.answer(watch, question, settings)


def warm_up(watch: Watch, settings: Settings) -> None:
    """As ``seabattle.web.answers.warm_up``."""
    from seabattle.web import answers

    answers.warm_up(watch, settings)
