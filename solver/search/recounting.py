"""What hits leave, counted again while a search takes long: more paths tried out, state by state.

``solver.search.finds`` says what is counted. A state is counted from those after a hit, which have
lower numbers: so each effort goes through all states in their order, and what it lowers serves
the search and the states above at once. Every number stays a bound of its own, so the search may
go on after any of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from seabattle.solver.search.finds import EFFORTS, counting_scratch, placements_for
from seabattle.solver.search.watching import run_watched
from seabattle.solver.search.workspace import Paused

if TYPE_CHECKING:
    from seabattle.solver.search.answer_search import AnswerSearch


class Recounting:
    """The states of a search counted again and again.

    Parameters
    ----------
    counter
        The search that has counted them, once.
    """

    def __init__(self, counter: AnswerSearch) -> None:
        self.counter = counter
        self.effort = 1
        self.done = np.zeros(1, dtype=np.int64)
        finds = counter.finds
        used = finds.slots[finds.slots[:, 2] > 0]
        self.hits = np.zeros((int(finds.size[0]), 2), dtype=np.uint64)
        self.hits[used[:, 2].astype(np.int64) - 1] = used[:, :2]

    def go_on(self, rows: int) -> None:
        """Go on for as long as it takes to look at so many rows.

        Raises
        ------
        LimitReached, KeyboardInterrupt
            As a query of the search does.
        """
        if self.effort == len(EFFORTS) or len(self.hits) == 0:
            return
        # compiled when first imported
        from seabattle.solver.search.kernels.finds import count_again

        counter = self.counter
        counter.rows_left = rows
        counter.placements = counting_scratch(counter)
        ids = np.zeros(len(counter.problem), dtype=np.int32)
        try:
            while self.effort < len(EFFORTS):
                counter.finds.effort[:] = EFFORTS[self.effort]
                counter.run(
                    lambda: run_watched(
                        lambda: count_again(ids, self.hits, self.done, counter.kernel_arrays()),
                        counter.counters,
                        counter.limits,
                    )
                )
                self.effort += 1
                self.done[0] = 0
        except Paused:
            pass
        finally:
            counter.placements = placements_for(0)
            counter.rows_left = None
