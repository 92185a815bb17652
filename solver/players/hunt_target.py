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

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.kernels import group, kernel
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.players.batches import (
    MISS,
    BatchPlayer,
    fill_deck,
    play_games,
    shot_after,
)

# Kernels

QUEUE_HEAD, QUEUE_TAIL, DECK_AT, COLOUR = 0, 1, 2, 3
MARKS = 4

NEVER = 2
"""Mark of a blocked cell, which is never shot."""


@group
class Hunt(NamedTuple):
    """A game so far, as a hunter remembers it.

    Attributes
    ----------
    follows_hits
        int64, given: 1 to shoot the neighbours of hits, first found first shot.
    hunted_first
        uint8 ``(cells,)``, given: 1 for the cells to hunt before the others, ``NEVER`` for those
        that are blocked.
    deck
        int16 ``(cells,)``, modified: the order in which cells are hunted.
    shot
        uint8 ``(cells,)``, modified: 1 for cells shot.
    queue
        int16 ``(4 * cells,)``, modified: neighbours of hits, oldest first.
    marks
        int64 ``(MARKS,)``, modified: first and end of what is left of the queue, the place in the
        deck, and which cells are hunted now (1 those hunted first, 0 the others).
    """

    follows_hits: int
    hunted_first: NDArray[np.uint8]
    deck: NDArray[np.int16]
    shot: NDArray[np.uint8]
    queue: NDArray[np.int16]
    marks: NDArray[np.int64]


@kernel
def begin_hunt(tables, hunt, seed):
    """A game begins. tables : Tables; hunt : Hunt, modified; seed : uint64, the game's."""
    fill_deck(seed, hunt.deck)
    for cell in range(hunt.shot.shape[0]):
        hunt.shot[cell] = 0
    hunt.marks[QUEUE_HEAD] = 0
    hunt.marks[QUEUE_TAIL] = 0
    hunt.marks[DECK_AT] = 0
    hunt.marks[COLOUR] = 1


@kernel
def learn_hunt(tables, hunt, cell, code):
    """Take in an answer. tables : Tables; hunt : Hunt, modified; cell, code : int64."""
    hunt.shot[cell] = 1
    if hunt.follows_hits == 1 and code != MISS:
        tail = hunt.marks[QUEUE_TAIL]
        for j in range(4):
            x = tables.neighbours[cell, j]
            if x >= 0 and hunt.shot[x] == 0 and hunt.hunted_first[x] != NEVER:
                hunt.queue[tail] = x
                tail += 1
        hunt.marks[QUEUE_TAIL] = tail


@kernel
def choose_hunt(tables, hunt, seed):
    """Take the cell to shoot next, -1 when all are shot.

    tables : Tables; hunt : Hunt, its marks modified; seed : uint64, not needed. Returns int64
    """
    if hunt.follows_hits == 1:
        for i in range(hunt.marks[QUEUE_HEAD], hunt.marks[QUEUE_TAIL]):
            cell = np.int64(hunt.queue[i])
            if hunt.shot[cell] == 0:
                hunt.marks[QUEUE_HEAD] = i + 1
                return cell
        hunt.marks[QUEUE_HEAD] = hunt.marks[QUEUE_TAIL]
    at = hunt.marks[DECK_AT]
    while True:
        if at == hunt.deck.shape[0]:
            if hunt.marks[COLOUR] == 0:
                return -1
            hunt.marks[COLOUR] = 0
            at = 0
        cell = np.int64(hunt.deck[at])
        at += 1
        if hunt.shot[cell] == 0 and hunt.hunted_first[cell] == hunt.marks[COLOUR]:
            hunt.marks[DECK_AT] = at
            return cell


@kernel
def shot_of_hunt(tables, hunt, seed, cells, codes):
    """As ``shot_after``."""
    return shot_after(begin_hunt, learn_hunt, choose_hunt, tables, hunt, seed, cells, codes)


@kernel
def play_hunt(tables, hunt, hidden, batch):
    """As ``play_games``."""
    play_games(begin_hunt, learn_hunt, choose_hunt, tables, hunt, hidden, batch)


# Players


class Random(BatchPlayer):
    """Shoots anywhere, each cell not yet shot equally likely."""

    name = "random"
    summary = "shoots anywhere"
    needs = AnswerMode.HIT
    follows_hits = False
    parity = False
    shot_kernel = shot_of_hunt
    play_kernel = play_hunt

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        columns = rules.board.columns
        self.hunted_first = np.array(
            [not self.parity or sum(divmod(c, columns)) % 2 == 0 for c in range(rules.board.cells)],
            dtype=np.uint8,
        )
        self.hunted_first[list(rules.blocked)] = NEVER

    def state(self) -> Hunt:
        """Targets and random order, for ``begin_hunt`` to fill."""
        cells = self.rules.board.cells
        return Hunt(
            int(self.follows_hits),
            self.hunted_first,
            np.empty(cells, np.int16),
            np.empty(cells, np.uint8),
            np.empty(4 * cells, np.int16),
            np.empty(MARKS, np.int64),
        )


class HuntTarget(Random):
    """Shoots anywhere until it hits, then around every hit."""

    name = "hunt-target"
    summary = "shoots anywhere until it hits, then around every hit"
    follows_hits = True


class HuntTargetParity(HuntTarget):
    """The same, hunting on one colour of the chessboard first."""

    name = "hunt-target-parity"
    summary = "the same, hunting on every second cell only"
    parity = True
