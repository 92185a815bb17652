"""Every flag of the public functions: only True and False are flags, whatever else counts as true.

The sweep walks the public names, so a new flag cannot be forgotten: it fails until ``CALLS`` says
how the function is called and the function checks its flag.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import partial
from typing import Any

import numpy as np
import pytest

import seabattle
from seabattle.solver.players.registry import player_spec

RULES = seabattle.Rules("3x3", "3,1,1")
SPEC = player_spec("random")


def record(made: type) -> Callable[..., object]:
    """A result with every field False, apart from the flags that are given."""
    return lambda **given: made(**{**dict.fromkeys((f.name for f in fields(made)), False), **given})


CALLS: dict[str, Callable[..., object]] = {
    "Comparison": record(seabattle.Comparison),
    "Conflict": record(seabattle.Conflict),
    "Equilibrium": record(seabattle.Equilibrium),
    "Match": record(seabattle.Match),
    "Match.begin": partial(seabattle.Match.begin, RULES, "A1:A3 C1 C3", player="random"),
    "MatchView": record(seabattle.MatchView),
    "Opponent": partial(seabattle.Opponent, "mine", "mine"),
    "PriorFit": record(seabattle.PriorFit),
    "PlayerSpec": partial(seabattle.PlayerSpec, "mine", "mine", seabattle.AnswerMode.HIT, "a:B"),
    "PlayerSpec.packed": SPEC.packed,
    "PlayerSpec.require": partial(SPEC.require, RULES),
    "PlayerSpec.why_not": partial(SPEC.why_not, RULES),
    "Position": partial(seabattle.Position, RULES),
    "Position.read": partial(seabattle.Position.read, RULES, [("A1", "hit")]),
    "Solution": record(seabattle.Solution),
    "TournamentResult": record(seabattle.TournamentResult),
    "Verification": record(seabattle.Verification),
    "build_strategy": partial(seabattle.build_strategy, RULES, "nowhere"),
    "explorer_page": partial(seabattle.explorer_page, []),
    "graph_size": partial(seabattle.graph_size, RULES),
    "load_position": partial(seabattle.load_position, "nowhere"),
    "miss_bound": partial(seabattle.miss_bound, RULES),
    "solve": partial(seabattle.solve, RULES),
    "tournament": partial(seabattle.tournament, RULES, ["random"], games=1),
}
"""How to call what has flags, but for them."""


def functions(name: str) -> Iterator[tuple[str, Any]]:
    """A public name with the methods of its class, as far as this package defines them."""
    public = getattr(seabattle, name)
    yield name, public
    if inspect.isclass(public):
        for method, value in inspect.getmembers(public, callable):
            written = getattr(value, "__module__", None) or ""
            if not method.startswith("_") and written.startswith("seabattle."):
                yield f"{name}.{method}", value


def flags_of(function: Any) -> list[str]:
    """Parameters that are annotated as flags."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # of classes derived from exceptions nothing is known
        return []
    return [p.name for p in parameters if re.fullmatch(r"bool( \| None)?", annotation(p))]


def annotation(parameter: inspect.Parameter) -> str:
    """The text of an annotation."""
    given = parameter.annotation
    return given if isinstance(given, str) else getattr(given, "__name__", str(given))


FLAGS = [
    (called, flag)
    for name in seabattle.__all__
    for called, function in functions(name)
    for flag in flags_of(function)
]


def test_the_sweep_finds_the_flags_there_are() -> None:
    assert {called for called, _ in FLAGS} == set(CALLS)
    assert {("solve", "values"), ("Position.read", "ordered"), ("PlayerSpec", "quick")} < set(FLAGS)


@pytest.mark.parametrize("wrong", ["x", 3, 1, 0, None, "no", np.array([True])], ids=repr)
@pytest.mark.parametrize(("called", "flag"), FLAGS)
def test_a_flag_is_true_or_false(called: str, flag: str, wrong: object) -> None:
    with pytest.raises(TypeError, match=rf"^{flag}: give True or False, not '\w+'$"):
        CALLS[called](**{flag: wrong})


@pytest.mark.parametrize("right", [np.True_, np.False_], ids=repr)
def test_flags_of_numpy_are_flags(right: Any) -> None:
    position = seabattle.Position(RULES, ordered=right)
    assert position.ordered is bool(right)
    assert seabattle.graph_size(RULES, orbits=right).orbits == (5 if right else 15)
    assert SPEC.why_not(RULES, strategy=right) == ""
