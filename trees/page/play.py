"""The page of ``seabattle play``: advice in a real game, a game against the program, a review.

One page with three tabs, each with a template and a script of its own; what they share are the
components of the explorer and ``record.js`` (a game with its answers, undone and redone, in the
page's address), ``chooser.js`` (which game) and ``service.js`` (questions to the service that
serves the page). The page keeps the games that are advised or reviewed; the service keeps the
fleets of a game against the program.
"""

from __future__ import annotations

from seabattle.trees.page.assembly import assembled, template

TABS = ("advise", "match", "review")
"""The tabs in their order; each has ``NAME.html`` and ``NAME.js``."""

_COMPONENTS = ("service.js", "record.js", "replies.js", "address.js", "chooser.js")
_ADVISE = (
    "advise_board.js",
    "advise_replies.js",
    "advise_trouble.js",
    "advise_files.js",
    "advise_facts.js",
)
_PLAY = ("notice.js", "looks.js", "match_hiding.js", "match_maps.js", "match_game.js")
_REVIEW = ("review_words.js", "review_parts.js")
_TABS = tuple(f"{name}.js" for name in TABS)
_SCRIPTS = (*_COMPONENTS, *_ADVISE, *_PLAY, *_REVIEW, *_TABS, "play.js")


def play_page(title: str = "Sea battle") -> str:
    """The page, which asks the service it was loaded from and nothing else.

    Examples
    --------
    >>> play_page().splitlines()[0]
    '<!DOCTYPE html>'
    """
    return assembled(
        "play.html",
        title,
        {name: template(f"{name}.html") for name in TABS},
        styles=("page.css", "play.css", "advise.css", "match.css", "review.css"),
        scripts=_SCRIPTS,
        allowed="connect-src 'self'; img-src 'self' blob: data:; ",
    )
