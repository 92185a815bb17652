"""Priors fitted to whole layouts, those that one opponent used in earlier games.

A few games say little about a player, so what they show is mixed with equally likely layouts. With
G games, frequencies ``f`` in them, and ``u`` the occupancy of equally likely layouts, the
prior has exactly the frequencies

    (G f + K u) / (G + K),

as if K more games (``smoothing``) had been seen of a player who makes all layouts equally likely.
So the chance of every cell (of every class or placement, where these have the weights) moves from
``u`` towards ``f`` by exactly ``G / (G + K)`` of their difference. Among the priors with these
frequencies the one of maximum entropy is taken. These frequencies are always possible: drawing from
the layouts seen with probability ``G / (G + K)``, and otherwise from all layouts, has them.

The default of K comes from the game on 10x10 with the fleet hasbro. There a cell's frequency in G
games has the variance 0.14 / G, averaged over the cells. If a player's true frequencies differ from
``u`` by d (root mean square), the expected squared error is least with K = 0.14 / d**2. All people
together, in 54,652 games against a public program, differ by d = 0.046, which would give K = 66.
Single players must on average differ by at least as much; ``SMOOTHING`` assumes d = 0.084 for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import (
    LayoutError,
    SeabattleError,
    WeightsError,
    is_iterable,
    wrong_type,
)
from seabattle.enumerate.fitting.features import Features, Weighing, features_of
from seabattle.enumerate.fitting.fit import PriorFit, fit, target_of
from seabattle.enumerate.fitting.frequencies import TOLERANCE
from seabattle.enumerate.fitting.watch import FitProgress, Watch
from seabattle.enumerate.game.arguments import (
    require_choice,
    require_memory,
    require_number,
    require_placements,
    require_rules,
)
from seabattle.enumerate.game.placements import placement_table
from seabattle.enumerate.game.rules import Rules

SMOOTHING = 20
"""Imaginary games added to those seen, unless another number is asked for."""

SeenLayouts = Iterable[str | Sequence[str]] | NDArray[np.integer]
"""Layouts as text, ``A1:A3 C1``, as names of their ships, or as rows of placement numbers."""


def fit_layouts(
    rules: Rules,
    layouts_seen: SeenLayouts,
    *,
    weights: str | Weighing = Weighing.CELLS,
    smoothing: float = SMOOTHING,
    tolerance: float = TOLERANCE,
    time_limit: float | None = None,
    memory_limit: float = 4.0,
    progress: Callable[[FitProgress], None] | None = None,
    stop: Callable[[], bool] | None = None,
    name: str = "",
) -> PriorFit:
    """The product prior of an opponent who used these layouts in earlier games.

    Parameters
    ----------
    rules
        The game.
    layouts_seen
        One layout per game.
    weights
        What has a weight of its own: ``cells``; ``classes``, the cells that symmetries of the board
        map to each other together, for few games; or ``placements``, for many.
    smoothing
        How many imaginary games of a player who makes all layouts equally likely are added to
        those seen, above 0; the module says what this does.
    tolerance, time_limit, memory_limit, progress, stop, name
        As in ``fit_frequencies``.

    Raises
    ------
    LayoutError
        If a layout is not one of the game; says which.
    WeightsError
        If no layout was seen.
    TypeError
        If a parameter is of the wrong type; names it.

    Examples
    --------
    >>> found = fit_layouts(Rules("1x4", "2"), ["A1:B1"], smoothing=2)
    >>> found.games, found.smoothing
    (Fraction(1, 1), Fraction(2, 1))
    """
    require_rules(rules)
    weighing = require_choice("weights", weights, Weighing, "weights")
    number = require_number("smoothing", smoothing, "games", above=0)
    if number == float("inf"):
        raise WeightsError("smoothing inf: must be a finite number of games")
    tolerance = require_number("tolerance", tolerance, "games", above=0, most=1)
    memory_limit = require_memory(memory_limit, zero=False)
    watch = Watch(time_limit, progress, stop)
    ships = ships_seen(rules, layouts_seen)
    features = features_of(rules, weighing)
    wanted = smoothed(rules, features, ships, Fraction(smoothing), memory_limit)
    return fit(
        target_of(rules, features, wanted),
        watch,
        games=Fraction(len(ships)),
        smoothing=Fraction(smoothing),
        tolerance=tolerance,
        memory_limit=memory_limit,
        inside=True,
        name=name,
    )


def ships_seen(rules: Rules, layouts_seen: SeenLayouts) -> NDArray[np.int64]:
    """Placement numbers of layouts seen: int64 ``(games, n_ships)``.

    Raises
    ------
    LayoutError, WeightsError, TypeError
        See ``fit_layouts``.
    """
    table = placement_table(rules)
    if isinstance(layouts_seen, str) or not is_iterable(layouts_seen):
        raise wrong_type("layouts_seen", "a list of layouts, one per game", layouts_seen)
    rows: list[Sequence[str]] = []
    if isinstance(layouts_seen, np.ndarray):
        require_placements(layouts_seen, rules, "layouts_seen")
        rows = [table.names(row) for row in layouts_seen]
    else:
        for layout in layouts_seen:
            names = layout.replace(",", " ").split() if isinstance(layout, str) else layout
            if not isinstance(names, Sequence):
                raise wrong_type("layouts_seen", "layouts, such as 'A1:A3 C1'", layout)
            rows.append(names)
    found = []
    for game, names in enumerate(rows, start=1):
        try:
            found.append(table.parse_layout(names))
        except SeabattleError as error:
            raise LayoutError(f"game {game}: {error}") from None
    if not found:
        raise WeightsError("no layout was seen: give one per game, at least one")
    return np.array(found, dtype=np.int64)


def smoothed(
    rules: Rules,
    features: Features,
    ships: NDArray[np.int64],
    smoothing: Fraction,
    memory_limit: float,
) -> tuple[Fraction, ...]:
    """Exact targets of the features: the counts seen, mixed with equally likely layouts."""
    uniform = Counter(rules, memory_limit=memory_limit).occupancy_map()
    seen = np.bincount(ships.reshape(-1), minlength=len(placement_table(rules)))
    total = 1 / (len(ships) + smoothing)
    share = smoothing * total / uniform.layouts
    by_feature = features.of_placement.toarray().astype(object).T
    games = by_feature @ seen.astype(object)
    layouts = by_feature @ np.array(uniform.placements, dtype=object)
    return tuple(
        int(seen_in) * total + int(occupied) * share
        for seen_in, occupied in zip(games, layouts, strict=True)
    )
