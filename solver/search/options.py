"""What a search may use: each technique can be switched off without changing the optimum.

``orbits``     one key for all symmetric images of a sub-table
``bounds``     lower bounds on a sub-table's misses, and closed forms for the smallest
``finds``      of these, what ``coverage`` counts, and columns with words or with it
``beside``     of these, what is left once the cells around a hit are told (``reveal_bound``)
``budgets``    fail-soft [Fishburn1983]: exact below the budget, otherwise a proven lower bound
``shares``     in a long search the answers to a shot share what it lacks (``minimize``)
``cache``      values and bounds are kept by key
``lookahead``  before a shot is tried, bounds on its children are looked up in the table
``dominance``  a cell whose rows all occupy another cell too is no better a shot than that cell
``ordering``   the cell that most rows occupy is tried first
``best_first`` a long solve raises its lower bound best first, too (``solver.search.best_first``)
``sets``       a solve may work out every set of misses instead (``solver.search.miss_sweep``)
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from seabattle.solver.search import work as w
from seabattle.solver.search.problem import Problem


@dataclass(frozen=True)
class SearchOptions:
    """What the search may use; everything by default. The module's docstring explains each."""

    bounds: bool = True
    orbits: bool = True
    cache: bool = True
    ordering: bool = True
    dominance: bool = True
    lookahead: bool = True
    budgets: bool = True
    shares: bool = True
    finds: bool = True
    beside: bool = True
    best_first: bool = True
    sets: bool = True

    @classmethod
    def plain(cls) -> SearchOptions:
        """Plain memoised search: nothing but the cache; it visits every sub-table."""
        return cls(**{option.name: option.name == "cache" for option in fields(cls)})

    def kernel_options(self, problem: Problem) -> NDArray[np.int64]:
        """The options of a search kernel, int64 ``(OPTIONS,)``; GOAL is 0."""
        options = np.zeros(w.OPTIONS, dtype=np.int64)
        options[w.FULL_BOARD] = np.uint64(problem.full).astype(np.int64)
        options[w.MODE] = problem.mode
        options[w.BOUNDS] = self.bounds
        options[w.CACHE] = self.cache
        options[w.ORDERING] = self.ordering
        options[w.DOMINANCE] = self.dominance
        options[w.LOOKAHEAD] = self.lookahead
        options[w.BUDGETS] = self.budgets
        options[w.FINDS] = self.finds
        options[w.LIGHTEST] = problem.lightest
        options[w.HEAVIEST] = problem.heaviest
        return options
