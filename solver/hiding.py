"""How a fleet is hidden: by the equilibrium of a small game, at random, or as people do.

``equilibrium``  by the hiding mix of the solved game, which no shooter can beat; on small boards
``random``       every layout equally likely
``people``       by the prior fitted to games of people, which knows 10x10 with the fleet hasbro

Unless a way is named the game is solved, and where it cannot be, all layouts are equally likely. A
layout is drawn from a numpy generator in two ways only: from a mix, and by the counter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import RulesError, TooLargeError, WeightsError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.files import require_prior
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.rules import Rules
from seabattle.solver.equilibrium.double_oracle import equilibrium
from seabattle.solver.equilibrium.mixed_player import mixes_of, why_not_mixed
from seabattle.solver.equilibrium.mixed_solution import Equilibrium

GAP = 1e-3
"""How closely a game is solved before a layout is drawn, in misses."""


class Hiding(StrEnum):
    """How a fleet is hidden."""

    RANDOM = "random"
    PEOPLE = "people"
    EQUILIBRIUM = "equilibrium"


@dataclass(frozen=True)
class DrawnLayout:
    """A layout that was drawn.

    Attributes
    ----------
    rules
        The game.
    ships
        Placement numbers.
    chance
        Probability of this layout; None where the layouts are too many to be counted.
    how
        What it was drawn from.
    promise
        What this guarantees against a shooter.
    source
        What is known of that from which it was drawn, for a JSON answer.
    """

    rules: Rules
    ships: tuple[int, ...]
    chance: float | None
    how: str
    promise: str
    source: dict[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The ships by name."""
        return placement_table(self.rules).names(self.ships)

    def facts(self) -> list[tuple[str, str]]:
        """Labels and texts, the game apart."""
        return [
            ("layout", " ".join(self.names)),
            ("drawn", self.how),
            *([("chance", f"{100 * self.chance:.3g} %")] if self.chance is not None else []),
            ("promise", self.promise),
        ]

    def document(self) -> dict[str, Any]:
        """What ``hide --json`` prints after the game.

        Fields
        ------
        layout: the ships
        probability: how likely this layout was
        drawn: what it was drawn from
        value: of the solved game, in misses, where it was drawn from the equilibrium
        gap: width of the interval of that value
        layouts: where it was drawn by a prior, layouts that there are
        prior: the prior
        """
        return {
            "layout": self.names,
            "probability": self.chance,
            "drawn": self.how,
            **self.source,
        }


def draw_layout(rules: Rules, hiding: Hiding | str | None = None, seed: int = 0) -> DrawnLayout:
    """A layout to use at the table, and what it promises.

    Parameters
    ----------
    rules
        The game.
    hiding
        ``random``, ``people`` or ``equilibrium``; by default the equilibrium where the game can be
        solved, else every layout equally likely, as ``seabattle hide`` draws.
    seed
        The same seed draws the same layout.

    Raises
    ------
    RulesError
        If this game's fleet cannot be hidden in this way; says why.
    FleetError
        If the fleet does not fit on the board.

    Examples
    --------
    >>> drawn = draw_layout(Rules("4x4", "3,2,1"), seed=1)
    >>> drawn.how, drawn.names
    ('from the hiding mix of the equilibrium', ['A1:A3', 'C1:D1', 'C4'])
    >>> draw_layout(Rules("4x4", "3,2,1"), "random", seed=1).how
    'uniformly among 176 layouts'
    """
    generator = np.random.default_rng(seed)
    way = None if hiding is None else require_hiding(rules, hiding)
    if way is None:
        solved, _ = solved_to_hide(rules)
    else:
        solved = mixes_of(rules) if way is Hiding.EQUILIBRIUM else None
    if solved is not None:
        return draw_from_mix(solved, generator)
    prior = require_prior("people", rules) if way is Hiding.PEOPLE else None
    return draw_by_prior(rules, prior, generator)


def solved_to_hide(
    rules: Rules, solve: Callable[[Rules], Equilibrium] | None = None
) -> tuple[Equilibrium | None, str]:
    """The solved game to draw from; None, and why, where it cannot be solved.

    ``solve`` solves it; by default ``equilibrium`` to within ``GAP``.
    """
    try:
        return (solve or _solved)(rules), ""
    except (RulesError, TooLargeError) as error:
        return None, str(error)


def _solved(rules: Rules) -> Equilibrium:
    return equilibrium(rules, gap=GAP)


def draw_from_mix(solved: Equilibrium, generator: np.random.Generator) -> DrawnLayout:
    """A layout drawn from the hiding mix of a solved game; the same state draws the same layout."""
    number = solved.draw_layout_number(generator)
    return DrawnLayout(
        solved.rules,
        tuple(solved.layouts.ships[number].tolist()),
        float(solved.hiding_chance(number)),
        "from the hiding mix of the equilibrium",
        f"any shooter misses {float(solved.lower_bound):.4f} times or more on average against "
        f"layouts drawn like this",
        {"value": float(solved.value), "gap": float(solved.gap)},
    )


def draw_by_prior(
    rules: Rules,
    prior: Prior | None,
    generator: np.random.Generator,
    *,
    memory_limit: float = 4.0,
) -> DrawnLayout:
    """A layout drawn by a prior, or with every layout equally likely.

    Parameters
    ----------
    rules
        The game.
    prior
        How likely the layouts are; None if all are equally likely.
    generator
        The same state draws the same layout.
    memory_limit
        GiB for counting.

    Examples
    --------
    >>> drawn = draw_by_prior(Rules("4x4", "3,2,1"), None, np.random.default_rng(1))
    >>> drawn.names, drawn.how
    (['D1:D3', 'B3:B4', 'B1'], 'uniformly among 176 layouts')
    """
    counter = Counter(rules, prior=prior, memory_limit=memory_limit)
    drawn = counter.sample(1, generator)
    layouts = chance = None
    if counter.too_large is None:
        layouts = counter.count()
        chance = float(counter.layout_chances(drawn)[0])
    if prior is None:
        all_layouts = "all layouts, too many to be counted"
        how = f"uniformly among {all_layouts if layouts is None else f'{layouts:,} layouts'}"
        promise = (
            "a shooter knows no more about it than the map of all layouts shows; how many misses "
            "the best shooter needs against layouts drawn like this was not worked out"
        )
    else:
        how = f"by the prior {prior.name}"
        promise = "none against a shooter who knows the prior, and so knows where to look first"
    source = {"layouts": layouts, "prior": "uniform" if prior is None else prior.name}
    return DrawnLayout(rules, tuple(drawn[0].tolist()), chance, how, promise, source)


def why_not_hidden(rules: Rules, hiding: Hiding | str) -> str:
    """Why a fleet cannot be hidden in this way; an empty text when it can.

    >>> why_not_hidden(Rules(fleet="hasbro"), "people")
    ''
    >>> why_not_hidden(Rules(fleet="hasbro"), "equilibrium")
    'the mixes are out of reach on 100 cells; the limit is 64'
    """
    way = Hiding(hiding)
    if way is Hiding.PEOPLE:
        try:
            require_prior("people", rules)
        except WeightsError as error:
            return str(error)
    return why_not_mixed(Position(rules)) if way is Hiding.EQUILIBRIUM else ""


def require_hiding(rules: Rules, hiding: Hiding | str) -> Hiding:
    """The way of hiding that is named, if the game's fleet can be hidden so.

    Raises
    ------
    RulesError
        If it is unknown, or cannot be had; says why.
    """
    try:
        way = Hiding(hiding)
    except ValueError:
        ways = ", ".join(Hiding)
        raise RulesError(f"hiding {hiding!r} is unknown; the ways are {ways}") from None
    reason = why_not_hidden(rules, way)
    if reason:
        raise RulesError(f"hiding {way.value!r} cannot be had for {rules}: {reason}")
    return way
