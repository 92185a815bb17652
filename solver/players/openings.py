"""Opening books written in advance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import count
from math import exp, log

from seabattle.enumerate.answers import possible_answers
from seabattle.enumerate.arguments import require_whole
from seabattle.enumerate.errors import PlayerError, PositionError
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.rules import Rules
from seabattle.solver.players.exact_map import GreedyMap
from seabattle.solver.players.opening_book import MOST_KEPT, RARE, OpeningBook

NOTHING = 1e-12
"""A share of the layouts that is no more than a rounding error."""


def build_openings(
    rules: Rules,
    prior: Prior | None = None,
    *,
    rare: int = 1_000,
    progress: Callable[[int, int], None] | None = None,
) -> OpeningBook:
    """Write the opening book of a game: every position that ``greedy-map`` often comes through.

    Positions are looked at by the number of games that come through them, most first. What the book
    holds already is not counted again, so a build that was stopped goes on where it was. On 10x10 a
    book takes two or three minutes with ``rare`` at 1,000 and ten times as long with 10,000.

    Parameters
    ----------
    rules
        The game.
    prior
        What the player believes; None where all layouts are equally likely.
    rare
        Positions that fewer than one in so many games come through are left out; at most 10,000,
        from where on books keep nothing.
    progress
        Called before each position with the number looked at so far, it included, and about how
        many there will be: positions that one in n games comes through grow as n does.

    Returns
    -------
    OpeningBook
        The book, which is on disk, too.

    Raises
    ------
    PlayerError
        If books are switched off, or the game is so small that its layouts are listed instead.
    """
    require_whole("rare", rare, 1, RARE)
    player = GreedyMap(rules, prior)
    book = player.book
    if book is None:
        raise PlayerError(
            f"no opening book for {rules}: its layouts are listed, or books are switched off by "
            f"SEABATTLE_OPENINGS"
        )
    first = player.opening(Position(rules))
    numbers = count()
    waiting = [(-first.weight, next(numbers), Position(rules))]
    looked_at = 0
    try:
        while waiting:
            weight, _, position = heappop(waiting)
            looked_at += 1
            if progress is not None:
                share = exp(min(0.0, -weight - first.weight))
                about = looked_at + len(waiting)
                progress(looked_at, max(about, min(round(looked_at * share * rare), MOST_KEPT)))
            _look_at(player, book, position, weight, rare, waiting, numbers)
            book.save(at_once=False)
    finally:  # Ctrl-C keeps what was found
        book.save()
    return book


def _look_at(
    player: GreedyMap,
    book: OpeningBook,
    position: Position,
    weight: float,
    rare: int,
    waiting: list[tuple[float, int, Position]],
    numbers: Iterator[int],
) -> None:
    """Put every position that follows the likeliest shot, if it is common, on the waiting heap."""
    shot, left = player.opening(position).cells[0], 1.0
    for code in possible_answers(player.rules):
        if not book.is_common(log(max(left, NOTHING)) - weight, rare):
            break  # the answers that are left come from too few games
        after = Position(player.rules, (*position.shots, (shot, code)))
        try:
            found = player.opening(after)
        except PositionError:  # an answer that cannot be
            continue
        left -= exp(found.weight + weight)
        if book.keeps(after) and book.is_common(found.weight, rare):
            heappush(waiting, (-found.weight, next(numbers), after))
