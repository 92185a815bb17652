"""How a fleet is hidden: by the equilibrium of a small game, at random, or as people do.

``equilibrium``  by the hiding mix of the solved game, which no shooter can beat; on small boards
``random``       every layout equally likely
``people``       by the prior fitted to games of people, which knows 10x10 with the fleet hasbro

Unless a way is named the game is solved, and where it cannot be, all layouts are equally likely. A
layout is drawn from a numpy generator in two ways only: from a mix, and by the counter.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from seabattle.enumerate.answers import rule_words
from seabattle.enumerate.colours import LIGHT, Palette
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import RulesError, TooLargeError, WeightsError, within
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.files import require_prior
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.rules import Rules
from seabattle.solver.equilibrium.mixed_player import mixes_of, why_not_mixed
from seabattle.solver.equilibrium.mixed_solution import Equilibrium
from seabattle.trees.drawing.layout_pictures import layout_text, layouts_svg

WAYS = ("random", "people", "equilibrium")
"""How a fleet is hidden."""


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
        drawn = {"layout": self.names, "probability": self.chance, "drawn": self.how}
        return drawn | self.source

    def text(self) -> str:
        """The layout as a board of text."""
        return layout_text(self.rules, self.ships)

    def svg(self, palette: Palette = LIGHT) -> str:
        """The layout as an SVG picture that says how it was drawn."""
        title = f"A layout of {self.rules.fleet} on {self.rules.board}"
        chance = "" if self.chance is None else f", chance {100 * self.chance:.3g} %"
        told = f"{rule_words(self.rules)}; drawn {self.how}{chance}"
        return layouts_svg(self.rules, [(self.ships, " ".join(self.names))], title, told, palette)

    def _repr_svg_(self) -> str:
        return self.svg()


def draw_layout(rules: Rules, hiding: str | None = None, seed: int = 0) -> DrawnLayout:
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
    SeabattleError
        If the seed is below 0.

    Examples
    --------
    >>> drawn = draw_layout(Rules("4x4", "3,2,1"), seed=1)
    >>> drawn.how, drawn.names
    ('from the hiding mix of the equilibrium', ['A1:A3', 'C1:D1', 'C4'])
    >>> draw_layout(Rules("4x4", "3,2,1"), "random", seed=1).how
    'uniformly among 176 layouts'
    """
    if hiding not in (None, *WAYS):
        raise RulesError(f"hiding {hiding!r} is unknown; the ways are {', '.join(WAYS)}")
    generator = np.random.default_rng(within("seed", seed, 0))
    prior = None
    try:
        if hiding in (None, "equilibrium"):
            if why_not := why_not_mixed(Position(rules)):
                raise RulesError(why_not)
            return draw_from_mix(mixes_of(rules), generator)
        if hiding == "people":
            prior = require_prior("people", rules)
    except (RulesError, TooLargeError, WeightsError) as error:
        if hiding is not None:
            raise RulesError(f"hiding {hiding!r} cannot be had for {rules}: {error}") from None
    return draw_by_prior(rules, prior, generator)


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
    layouts, chance, among = None, None, "all layouts, too many to be counted"
    if counter.too_large is None:
        layouts, chance = counter.count(), float(counter.layout_chances(drawn)[0])
        among = f"{layouts:,} layouts"
    if prior is None:
        how = f"uniformly among {among}"
        promise = (
            "a shooter knows no more about it than the map of all layouts shows; how many misses "
            "the best shooter needs against layouts drawn like this was not worked out"
        )
    else:
        how = f"by the prior {prior.name}"
        promise = "none against a shooter who knows the prior, and so knows where to look first"
    source = {"layouts": layouts, "prior": "uniform" if prior is None else prior.name}
    return DrawnLayout(rules, tuple(drawn[0].tolist()), chance, how, promise, source)
