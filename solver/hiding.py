"""How a fleet is hidden: at random, as people do, or by the equilibrium of a small game.

``random``       every layout equally likely
``people``       by the prior fitted to games of people, which knows 10x10 with the fleet hasbro
``equilibrium``  by the hiding mix of the solved game, which no shooter can beat; on small boards

A layout is drawn from a numpy generator in two ways only: from a mix, and by the counter.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np

from seabattle.enumerate.arguments import (
    require_choice,
    require_rules,
    require_type,
    require_whole,
)
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import RulesError, WeightsError
from seabattle.enumerate.layouts import count_layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.files import require_prior
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.rules import Rules
from seabattle.solver.equilibrium.mixed_player import prepare, refuses
from seabattle.solver.equilibrium.mixed_solution import Equilibrium


class Hiding(StrEnum):
    """How a fleet is hidden."""

    RANDOM = "random"
    PEOPLE = "people"
    EQUILIBRIUM = "equilibrium"


MOST_MIXED = 300
"""The mixes of a game with at most so many layouts are found in a few seconds."""


SUMMARIES = {
    Hiding.RANDOM: "every layout equally likely",
    Hiding.PEOPLE: "as people hide",
    Hiding.EQUILIBRIUM: "so that nobody can prepare for it",
}
"""Each way of hiding in a few words."""


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
        Probability of this layout.
    how
        What it was drawn from.
    promise
        What this guarantees against a shooter.
    facts
        More for a JSON answer.
    """

    rules: Rules
    ships: tuple[int, ...]
    chance: float
    how: str
    promise: str
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The ships by name."""
        return placement_table(self.rules).names(self.ships)


def draw_from_mix(solved: Equilibrium, generator: np.random.Generator) -> DrawnLayout:
    """A layout drawn from the hiding mix of a solved game.

    Parameters
    ----------
    solved
        The game's mixes.
    generator
        The same state draws the same layout.
    """
    require_type("solved", solved, Equilibrium, "an Equilibrium, as equilibrium(rules)")
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
    require_rules(rules)
    counter = Counter(rules, prior=prior, memory_limit=memory_limit)
    drawn = counter.sample(1, generator)
    layouts = counter.count()
    chance = counter.layout_chances(drawn)[0]
    if prior is None:
        how = f"uniformly among {layouts:,} layouts"
        promise = (
            "a shooter knows no more about it than the map of all layouts shows; how many misses "
            "the best shooter needs is not known, because this game is not solved"
        )
    else:
        how = f"by the prior {prior.name}"
        promise = "none against a shooter who knows the prior, and so knows where to look first"
    facts = {"layouts": layouts, "prior": "uniform" if prior is None else prior.name}
    return DrawnLayout(rules, tuple(drawn[0].tolist()), float(chance), how, promise, facts)


def why_not_hidden(rules: Rules, hiding: Hiding | str) -> str:
    """Why a fleet cannot be hidden in this way; an empty text when it can.

    >>> why_not_hidden(Rules(fleet="hasbro"), "people")
    ''
    >>> why_not_hidden(Rules(fleet="hasbro"), "equilibrium")
    'the mixes are out of reach on 100 cells; the limit is 64'
    """
    require_rules(rules)
    way = require_choice("hiding", hiding, Hiding, "hiding")
    if way is Hiding.PEOPLE:
        try:
            require_prior("people", rules)
        except WeightsError as error:
            return str(error)
    if way is Hiding.EQUILIBRIUM:
        return why_not_mixed(rules)
    return ""


def why_not_mixed(rules: Rules) -> str:
    """Why nobody waits for the mixes of this game; an empty text when they come in a moment."""
    reason = refuses(rules, Position(rules))
    if not reason and count_layouts(rules, most=MOST_MIXED) > MOST_MIXED:
        return f"the mixes are found in a moment among at most {MOST_MIXED} layouts only"
    return reason


def draw_layout(rules: Rules, hiding: Hiding | str = Hiding.RANDOM, seed: int = 0) -> DrawnLayout:
    """A layout drawn as a way of hiding says.

    Parameters
    ----------
    rules
        The game.
    hiding
        ``random``, ``people`` or ``equilibrium``.
    seed
        The same seed draws the same layout.

    Raises
    ------
    RulesError
        If this game's fleet cannot be hidden in this way; says why.
    FleetError
        If the fleet does not fit on the board.
    TypeError
        If a parameter is of the wrong type; names it.

    Examples
    --------
    >>> draw_layout(Rules("3x3", "3,1,1"), "equilibrium", seed=1).how
    'from the hiding mix of the equilibrium'
    """
    way = require_hiding(rules, hiding)
    generator = np.random.default_rng(require_whole("seed", seed, 0))
    if way is Hiding.EQUILIBRIUM:
        return draw_from_mix(prepare(rules, Position(rules), lambda: False), generator)
    return draw_by_prior(
        rules, require_prior("people", rules) if way is Hiding.PEOPLE else None, generator
    )


def require_hiding(rules: Rules, hiding: Hiding | str) -> Hiding:
    """The way of hiding that is named, if the game's fleet can be hidden so.

    Raises
    ------
    RulesError
        If it is unknown, or cannot be had; says why.
    TypeError
        If a parameter is of the wrong type; names it.
    """
    way = require_choice("hiding", hiding, Hiding, "hiding")
    reason = why_not_hidden(rules, way)
    if reason:
        raise RulesError(f"hiding {way.value!r} cannot be had for {rules}: {reason}")
    return way
