"""Players that shoot in random order: ``random``, ``hunt-target``, ``hunt-target-parity``.

Source: the first three strategies of [Berry2011], told of hits and misses only.

*Hunting* is shooting at random. A hit puts the cells north, south, east and west of it that have
not been shot at the end of a list of targets; while there are targets the oldest one is shot.
[Berry2011] calls the list a stack, but his walkthrough takes targets in the order they were added:
the first hit's southern neighbour is shot before any neighbour of the second hit. Nothing is
concluded from the answers, so every neighbour of every hit is shot sooner or later.

With *parity* hunting keeps to the cells of one colour of a chessboard, those of A1, for no ship of
two cells or more avoids them. Ships of one cell can: when the colour is exhausted, hunting goes on
over the other one.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from seabattle.enumerate.answers import MISS
from seabattle.enumerate.kernels import group, kernel
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players.batches import BatchPlayer, Cells, Flags, Numbers, blank, play_games
from seabattle.solver.players.chance import fill_deck

# Kernels

QUEUE_HEAD, QUEUE_TAIL, DECK_AT = 0, 1, 2

OPEN, QUEUED, SHOT = 0, 1, 2
"""Marks of cells; one that is blocked is never open."""

FIRST, LATER, BLOCKED = 0, 1, 2
"""When cells are hunted."""


@group
class Hunt(NamedTuple):
    """A game so far, as a hunter remembers it.

    Attributes
    ----------
    follows_hits
        int64, given: 1 to shoot the neighbours of hits, first found first shot.
    turn
        Given: when each cell is hunted.
    deck
        The order in which cells are hunted.
    mark
        Of each cell.
    queue
        Neighbours of hits, oldest first.
    places
        ``(3,)``, given: first and end of what is left of the queue, and the place in the deck.
    """

    follows_hits: int
    turn: Flags
    deck: Annotated[Cells, "cells"]
    mark: Annotated[Flags, "cells"]
    queue: Annotated[Cells, "cells"]
    places: Numbers


@kernel
def begin_hunt(tables, hunt, seed):
    """A game begins. tables : Tables; hunt : Hunt, modified; seed : uint64, the game's."""
    fill_deck(seed, hunt.queue)
    at = 0
    for turn in (FIRST, LATER, BLOCKED):
        for cell in hunt.queue:
            if hunt.turn[cell] == turn:
                hunt.deck[at] = cell
                hunt.mark[cell] = SHOT if turn == BLOCKED else OPEN
                at += 1
    for place in range(hunt.places.shape[0]):
        hunt.places[place] = 0


@kernel
def learn_hunt(tables, hunt, cell, code):
    """Take in an answer. tables : Tables; hunt : Hunt, modified; cell, code : int64."""
    hunt.mark[cell] = SHOT
    if hunt.follows_hits == 1 and code != MISS:
        for x in tables.neighbours[cell]:
            if x >= 0 and hunt.mark[x] == OPEN:
                hunt.mark[x] = QUEUED
                hunt.queue[hunt.places[QUEUE_TAIL]] = x
                hunt.places[QUEUE_TAIL] += 1


@kernel
def next_of(hunt, cells, place, end):
    """Go on to the next cell of a list that is not shot; return it, int64, or -1.

    hunt : Hunt, its ``places`` modified; cells : int16, ends before ``end``; place : int64, where
    the place in the list is kept
    """
    while hunt.places[place] < end:
        cell = np.int64(cells[hunt.places[place]])
        if hunt.mark[cell] != SHOT:
            return cell
        hunt.places[place] += 1
    return -1


@kernel
def choose_hunt(tables, hunt, seed):
    """Take the cell to shoot next, -1 when all are shot.

    tables : Tables; hunt : Hunt, its ``places`` modified; seed : uint64, not needed. Returns int64
    """
    cell = next_of(hunt, hunt.queue, QUEUE_HEAD, hunt.places[QUEUE_TAIL])
    return cell if cell >= 0 else next_of(hunt, hunt.deck, DECK_AT, hunt.deck.shape[0])


@kernel
def play_hunt(tables, hunt, batch):
    """As ``play_games``."""
    play_games(begin_hunt, learn_hunt, choose_hunt, tables, hunt, batch)


# Players


class Random(BatchPlayer):
    """Shoots anywhere."""

    name = "random"
    needs = AnswerMode.HIT
    follows_hits = False
    parity = False
    play_kernel = play_hunt

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        columns = rules.board.columns
        self.turn = np.array(
            [self.parity and sum(divmod(cell, columns)) % 2 for cell in range(rules.board.cells)],
            dtype=np.uint8,
        )
        self.turn[list(rules.blocked)] = BLOCKED

    def state(self) -> Hunt:
        """Targets and random order, for ``begin_hunt`` to fill."""
        follows, places = int(self.follows_hits), np.empty(3, np.int64)
        return blank(Hunt, self.tables, follows_hits=follows, turn=self.turn, places=places)


class HuntTarget(Random):
    """Shoots anywhere until it hits, then around every hit."""

    name = "hunt-target"
    follows_hits = True


class HuntTargetParity(HuntTarget):
    """The same, hunting on every second cell first."""

    name = "hunt-target-parity"
    parity = True
