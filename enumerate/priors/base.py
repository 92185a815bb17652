"""What all priors have in common: a game, a name, and whole-number weights for the search.

A prior belongs to a game: a board, a fleet and a contact rule. How shots are answered does not
matter.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.game.arguments import require_rules, require_type
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.layouts.enumeration import Layouts
from seabattle.enumerate.layouts.weights import WholeWeights


def same_game(one: Rules, other: Rules) -> bool:
    """Whether two games share their priors: board, fleet and contact rule are equal."""
    return one is other or (
        (one.board, one.fleet, one.contact) == (other.board, other.fleet, other.contact)
    )


def game_text(rules: Rules) -> str:
    """The game that a prior belongs to, as text.

    >>> game_text(Rules(fleet="hasbro"))
    '10x10, fleet 5,4,3,3,2, contact sides'
    """
    return f"{rules.board}, fleet {rules.fleet}, contact {rules.contact.value}"


@dataclass(frozen=True, eq=False, repr=False)
class Prior(ABC):
    """Base class of all priors.

    Two priors are equal when they are of the same kind and game and have equal weights, whatever
    their names.

    Attributes
    ----------
    rules
        The game: its board, fleet and contact rule; how shots are answered does not matter.
    name
        How the prior is called in results: ``people``, or the name of its file.
    facts
        Facts about the prior: ``source`` and ``licence``, texts, and ``fit``, a JSON object.
    """

    rules: Rules
    name: str = field(default="", kw_only=True)
    facts: Mapping[str, Any] = field(default_factory=dict, kw_only=True)

    def __post_init__(self) -> None:
        require_rules(self.rules)
        require_type("name", self.name, str, "text")
        require_type("facts", self.facts, Mapping, "a mapping with source, licence or fit")

    def whole_weights(self, layouts: Layouts) -> WholeWeights:
        """Whole-number weights of layouts: exact, or rounded by a stated rule.

        Where their sum is small enough for exact totals, the weights of a table are taken as
        written, and all others are reduced to lowest terms. Otherwise they are scaled and rounded
        to the nearest whole number, positive weights to at least 1; the error is then the exact
        total variation distance between the prior and the rounded one. See
        ``priors.whole_numbers``.

        Parameters
        ----------
        layouts
            The game's layouts.

        Raises
        ------
        WeightsError
            If the layouts are of another game, or all of them weigh 0.
        TypeError
            If they are not ``Layouts``.

        Examples
        --------
        >>> from seabattle.enumerate.layouts.enumeration import enumerate_layouts
        >>> from seabattle.enumerate.priors.prior import ProductPrior
        >>> rules = Rules("1x4", "2")
        >>> prior = ProductPrior.of_cells(rules, [0.5, 1, 1.5, 2])
        >>> found = prior.whole_weights(enumerate_layouts(rules))
        >>> found.weights.tolist(), found.error
        ([1, 3, 6], Fraction(0, 1))
        """
        require_type("layouts", layouts, Layouts, "Layouts, as enumerate_layouts finds them")
        self.require_game(layouts.rules)
        return self._whole_weights(layouts)

    def relative_weights(self, layouts: Layouts) -> NDArray[np.float64]:
        """Weights of layouts as floating-point numbers, the largest of them 1; for quick play.

        Parameters
        ----------
        layouts
            Layouts of the game.

        Returns
        -------
        float64 ``(n_layouts,)``; all 0 where every layout weighs 0.

        Raises
        ------
        WeightsError
            If the layouts are of another game.
        TypeError
            If they are not ``Layouts``.
        """
        logs = self.log_weights(layouts)
        most = logs.max(initial=-np.inf)
        return np.zeros(len(logs)) if most == -np.inf else np.exp(logs - most)

    def log_weights(self, layouts: Layouts) -> NDArray[np.float64]:
        """Natural logarithms of the weights of layouts; minus infinity for 0.

        Parameters, result and errors are as for ``relative_weights``.
        """
        require_type("layouts", layouts, Layouts, "Layouts, as enumerate_layouts finds them")
        self.require_game(layouts.rules)
        return self._log_weights(layouts)

    @abstractmethod
    def _log_weights(self, layouts: Layouts) -> NDArray[np.float64]:
        """Natural logarithms of the weights of layouts; minus infinity for 0."""

    @abstractmethod
    def _whole_weights(self, layouts: Layouts) -> WholeWeights:
        """``whole_weights`` of layouts of this game."""

    def require_game(self, rules: Rules) -> None:
        """Reject any game other than the prior's own.

        Raises
        ------
        WeightsError
            Names both games.
        TypeError
            If these are no rules.
        """
        require_rules(rules)
        if not same_game(self.rules, rules):
            raise WeightsError(
                f"{self.called} is of {game_text(self.rules)}, not of {game_text(rules)}"
            )

    @property
    def called(self) -> str:
        """What messages call the prior."""
        return f"prior {self.name}" if self.name else "the prior"

    @property
    @abstractmethod
    def _weights(self) -> tuple[object, ...]:
        """What two priors compare by: equal priors have equal values."""

    @property
    @abstractmethod
    def _kind(self) -> str:
        """How layouts are weighed, in words."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return same_game(self.rules, other.rules) and self._weights == other._weights

    def __hash__(self) -> int:
        rules = self.rules
        return hash((type(self), rules.board, rules.fleet, rules.contact, *self._weights))

    def __repr__(self) -> str:
        name = f" {self.name}" if self.name else ""
        return f"<prior{name}: {self._kind}; {game_text(self.rules)}>"
