"""How many layouts the first shots can hit at most, whichever cells they are.

The first j shots of a strategy that all miss are j cells fixed beforehand. So a strategy can have
hit, with fewer than j misses, only layouts that occupy one of some j cells; most for the best set
of j cells. Such a set is looked for among all sets, up to the symmetries of the board: the
counter says how many layouts avoid the cells chosen so far and occupy each other cell, and the
largest of these numbers bound what any further cells can add, because a cell adds less the more
cells are there already. For the same reason j cells hit at most j/m times as many layouts as the
best m cells, for every m up to j.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from seabattle.enumerate.board import mask_of
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import PositionError
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules


class FirstHits:
    """The most layouts that so many cells can hit.

    Parameters
    ----------
    rules
        The game; the answer mode does not matter.
    progress
        Called after each map.

    Examples
    --------
    >>> hits = FirstHits(Rules("3x3", "2,1", contact="none"))
    >>> [hits.most(shots) for shots in (1, 2, 3)]
    [10, 18, 22]
    """

    def __init__(self, rules: Rules, progress: Callable[[], None] | None = None) -> None:
        self.rules = rules.answering("hit")
        self._counter = Counter(self.rules)
        self._progress = progress
        self._maps: dict[int, tuple[int, ...]] = {}
        self._most = [0]
        self.layouts = self._counter.count()

    def most(self, shots: int) -> int:
        """Most layouts that occupy one of so many cells: a maximum over all sets of cells."""
        while len(self._most) <= shots:
            self._most.append(self._search(len(self._most)))
        return self._most[shots]

    def bound(self, shots: int, searched: int) -> Fraction:
        """An upper bound on ``most(shots)`` that needs no more than ``most(searched)``."""
        tried = range(1, min(shots, searched) + 1)
        bounds = [Fraction(self.most(m) * shots, m) for m in tried]
        return min([Fraction(self.layouts), *bounds]) if shots else Fraction(0)

    def _search(self, shots: int) -> int:
        """The maximum over all sets of ``shots`` cells."""
        if shots > self.rules.board.cells:
            return self.layouts
        best = 0
        left = set(range(self.rules.board.cells))
        occupied = self._map([])
        for cell in sorted(left, key=lambda cell: (-occupied[cell], cell)):
            if cell in left:  # sets with this cell or an image of it, and none before
                if sum(sorted((occupied[c] for c in left), reverse=True)[:shots]) > best:
                    best = self._extend([cell], left - {cell}, occupied[cell], shots, best)
                left -= {image[cell] for image in self.rules.board.symmetries}
        return best

    def _extend(self, cells: list[int], left: set[int], hit: int, shots: int, best: int) -> int:
        """The maximum over sets that have these cells and others of ``left``, if above ``best``."""
        if len(cells) == shots:
            return max(best, hit)
        adds = self._map(cells)
        order = sorted(left, key=lambda cell: (-adds[cell], cell))
        more = shots - len(cells)
        for i in range(len(order) - more + 1):
            if hit + sum(adds[cell] for cell in order[i : i + more]) <= best:
                break
            cell = order[i]
            rest = set(order[i + 1 :])
            best = self._extend([*cells, cell], rest, hit + adds[cell], shots, best)
        return best

    def _map(self, cells: list[int]) -> tuple[int, ...]:
        """For each cell, the layouts that occupy it and avoid the cells given."""
        images = self.rules.board.symmetries
        key, image = min((mask_of(image[c] for c in cells), image) for image in images)
        if key not in self._maps:
            shots = [self.rules.board.name(image[cell]) for cell in cells]
            self._maps[key] = self._occupied(Position.of_cells(self.rules, miss=shots))
            if self._progress is not None:
                self._progress()
        found = self._maps[key]
        return tuple(found[image[cell]] for cell in range(self.rules.board.cells))

    def _occupied(self, position: Position) -> tuple[int, ...]:
        """The map of a position, also where no layout fits."""
        counter = self._counter.at(position)
        try:
            return counter.occupancy_map().cells
        except PositionError:
            return (0,) * self.rules.board.cells
