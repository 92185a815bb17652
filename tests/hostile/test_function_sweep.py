"""Every public function and method with each argument in turn replaced by what nobody should give.

Whatever is given, the call returns, or it raises a ``SeabattleError`` of one line, or a
``TypeError`` of one sentence that names the parameter. Nothing else comes out, no call hangs, and
numbers and texts are not taken for something else: where a parameter is a number, a text is
refused.

The sweep walks the public names, so that a new function is in it without being named: it fails
until ``Right`` knows what its parameters are given rightly. It tries a seeded choice of the values
for each parameter; ``SEABATTLE_HOSTILE=all`` in the environment tries all of them.
"""

from __future__ import annotations

import inspect
import itertools
import os
import random
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hostile.alarms import alarm

import seabattle
from seabattle.enumerate.errors import SeabattleError
from seabattle.solver.players.registry import forget, player_spec, players

SECONDS = 20
LONGEST = 700
CHOSEN = 8
"""Wrong values tried for a parameter, of all there are."""

RULES = seabattle.Rules("3x3", "3,1,1", answers="sunk")
OTHER = seabattle.Rules("4x4", "2,1", answers="hit")


class Text(str):
    """A text of a class of its own."""


def no_game(*given: Any) -> Any:
    """A function that does nothing."""


WRONG: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "True": lambda: True,
    "1.5": lambda: 1.5,
    "-1": lambda: -1,
    "99": lambda: 99,
    "2**70": lambda: 1 << 70,
    "10**6000": lambda: 10**6000,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "-1e300": lambda: -1e300,
    "Fraction": lambda: Fraction(1, 3),
    "''": lambda: "",
    "'x' * 5000": lambda: "x" * 5000,
    "A1": lambda: "A1",
    "a null": lambda: "a\0b",
    "two lines": lambda: "a\nb\u202e",
    "half a character": lambda: "\ud800",
    "a text of another class": lambda: Text("A1"),
    "b''": lambda: b"",
    "[]": lambda: [],
    "[None]": lambda: [None],
    "[[[]]]": lambda: [[[]]],
    "(1, 2)": lambda: (1, 2),
    "{}": dict,
    "{1: 2}": lambda: {1: 2},
    "object()": object,
    "int": lambda: int,
    "a set": lambda: {"A1", 2},
    "zeros of another shape": lambda: np.zeros((2, 2, 2), dtype=np.int64),
    "array of floats": lambda: np.array([[1.5, np.nan]]),
    "array of objects": lambda: np.array([None, "x"], dtype=object),
    "array without dimensions": lambda: np.array(3),
    "array of huge numbers": lambda: np.full((3, 3), 1 << 60, dtype=np.int64),
    "other rules": lambda: OTHER,
    "other position": lambda: seabattle.Position(OTHER).shoot("D4", "miss"),
    "other table": lambda: seabattle.DecisionTable.build(OTHER),
    "a lambda": lambda: no_game,
    "a generator": lambda: (each for each in ("A1", 3, None)),
    "a path": lambda: Path("no/such/file"),
}

ELEMENTS = tuple(
    f"{name}: give " for name in ("cell", "ship", "player", "name", "lengths", "answer")
)
"""How the refusal of one element of a list begins."""

CALLED = {"progress", "stop", "source", "refuses", "prepare", "read_strategy", "player", "players",
          "choose"}  # fmt: skip
"""Parameters that take functions: ``int`` is one, with refusals of its own."""

OWN = {"Player.choose"}
"""Written by those who write a player; the program calls it, with what is right."""

LOOSE = {"Any", "dict[str, Any]", "Mapping[str, Any]"}
RECORDS = {
    "Advice", "ChanceMap", "Comparison", "Conflict", "DrawnLayout", "Endgame", "Equilibrium",
    "GraphSize", "Match", "MatchView", "MissBound", "OccupancyMap", "Opponent", "PriorFit",
    "Review", "ReviewedShot", "ShipMap", "Snapshot", "Solution", "Standings",
    "TournamentResult", "Verification",
}  # fmt: skip
"""Results, which the program makes: what they are made of is kept as it is given."""


def called(name: str) -> Iterator[tuple[str, Any]]:
    """A public name with the methods of its class, as far as this package defines them."""
    public = getattr(seabattle, name)
    if inspect.isclass(public) and issubclass(public, Exception | seabattle.Contact.__base__):  # type: ignore[operator]
        return
    if name not in RECORDS and not inspect.isabstract(public):
        yield name, public
    if inspect.isclass(public):
        for method, value in inspect.getmembers(public, callable):
            written = getattr(value, "__module__", None) or ""
            if method.startswith("_") or f"{name}.{method}" in OWN:
                continue
            if written.startswith("seabattle."):
                yield f"{name}.{method}", value


NAMES = [pair for name in seabattle.__all__ for pair in called(name)]
"""Everything that is called."""


def parameters(function: Any) -> list[inspect.Parameter]:
    """The parameters of a function, without ``self``."""
    return [
        each
        for each in inspect.signature(function).parameters.values()
        if each.name != "self"
        and each.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    ]


class Right:
    """What each function takes rightly, on a tiny game."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        sb = seabattle
        self.solution = sb.solve(RULES)
        self.tree = self.solution.tree
        self.position = sb.Position(RULES)
        self.table = sb.DecisionTable.build(RULES)
        self.layouts = sb.enumerate_layouts(RULES)
        self.counter = sb.Counter(RULES)
        self.prior = sb.ProductPrior.of_cells(RULES, [1, 2, 1, 1, 1, 1, 1, 1, 3])
        self.chances = sb.Counter(RULES, prior=self.prior)
        self.strategy = sb.build_strategy(RULES, folder / "strategy")
        self.solved = sb.equilibrium(RULES)
        sb.save_tree(self.tree, folder / "tree.json")
        sb.save_position(self.position, folder / "game.json")
        sb.save_mixes(self.solved, folder / "mixes")
        self.heat = sb.HeatMap.of(self.counter.map())
        self.found = self.counter.map()
        self.begun = self.counter.sweep()[0]
        self.chances_map = self.chances.map()
        self.chances_found = self.chances.chances()
        self.adviser = sb.CounterAdviser(RULES)
        self.match = sb.Match.begin(RULES, "A1:A3 C1 C3", player="random", first="you", seed=1)
        self.result = sb.tournament(RULES, ["random", "hunt-target"], games=2)
        self.result.save(folder / "tournament", formats=["svg"])
        self.made = self.selves()

    def selves(self) -> dict[str, Any]:
        """One of each class whose methods are called."""
        sb, prior = seabattle, self.prior
        played = self.position.shoot("B1", "miss").shoot("A2", "miss")
        table = sb.TablePrior.of_games(RULES, ["A1:A3 C1 C3"])
        counter = self.adviser
        review = sb.review(played)
        return {
            "Advice": sb.advise(RULES), "Adviser": counter, "Board": RULES.board,
            "Chance": sb.Chance(1), "ChanceMap": self.chances.map(),
            "Conflict": sb.conflict(played.shoot("A1", "miss")),
            "Counter": self.counter, "CounterAdviser": counter, "DecisionTable": self.table,
            "Equilibrium": self.solved, "Fleet": RULES.fleet, "HeatMap": self.heat,
            "Layouts": self.layouts, "Match": self.match, "OccupancyMap": self.counter.map(),
            "Player": sb.make_player("random", RULES), "PlayerSpec": player_spec("random"),
            "Position": played, "Prior": prior, "ProductPrior": prior, "TablePrior": table,
            "SumPrior": sb.SumPrior(RULES, (Fraction(1),) * 9), "Review": review,
            "PriorFit": sb.fit_layouts(RULES, ["A1:A3 C1 C3"]),
            "ReviewedShot": review.shots[0], "Rules": RULES,
            "ShipMap": self.counter.map().of_length(3),
            "Strategy": self.strategy,
            "StrategyAdviser": sb.StrategyAdviser(self.strategy, counter),
            "Tree": self.tree, "Standings": self.result.standings, "TournamentResult": self.result,
        }  # fmt: skip

    def arguments(self, name: str) -> dict[str, Any]:
        """Right arguments of a function, by their names; new ones for each call."""
        ships = self.layouts.ships
        keep = np.ones(len(self.layouts), dtype=np.uint8)
        return {
            "game": RULES, "rules": RULES, "position": self.position, "board": RULES.board,
            "tree": self.tree, "trees": [self.tree], "layouts": self.layouts, "ships": ships,
            "solved": self.solved, "heat": self.heat, "prior": None, "strategy": self.strategy,
            "path": self.folder / "new", "folder": self.folder / "mixes", "cell": "A1",
            "answer": "miss", "seed": 1, "rows": 3, "columns": 3, "lengths": [3, 1, 1],
            "cells": [1] * 9, "name": "A1", "text": "A1 miss", "mask": 3, "count": 1,
            "index": 0, "number": 0, "player": "random", "players": ["random"], "games": 2,
            "fleet": "3,1,1", "frequencies": [[0.6, 0.5, 0.6], [0.5, 0.1, 0.5], [0.6, 0.5, 0.6]],
            "layouts_seen": ["A1:A3 C1 C3"], "layout": "A1:A3 C1 C3", "shots": (),
            "place": "player.py:choose", "keep": keep, "generator": np.random.default_rng(1),
            "answers": "hit", "name_or_path": "people", "found": self.found,
            "otherwise": self.adviser, "chance": seabattle.Chance(1),
            "start": self.position, "length": 3, "weights": {}, "counts": [[1] * 3] * 3, "total": 9,
            "masks": self.layouts.masks, "constraints": self.begun,
            "placements": (Fraction(1),) * len(self.prior.placements), "game_number": 1,
            "needs": "hit", "summary": "mine", "source": seabattle.Player,
            "contact": None, "chances": self.chances_found, "seconds": (0.0, 0.0),
            "terms": self.match.terms, "yours": self.match.your_fleet, "its": self.match.its_fleet,
            "ids": np.array([0, 1]), "labelled_layouts": 4, "states": [1, 2], "share": 1,
            "game_seed": 1, "standings": self.result.standings,
            **self.special(name),
        }  # fmt: skip

    def special(self, name: str) -> dict[str, Any]:
        """Where a name means something else than in the other functions."""
        tree = self.tree
        fields = ("shots", "first", "answers", "children", "leaf", "ships", "weights", "reading",
                  "objective", "status", "total_misses", "worst_misses", "position")  # fmt: skip
        grid = ["."] * 9
        counts, chances = self.found, self.chances_map
        return {
            "Board.grid": {"text": grid}, "Board.mask": {"cells": ["A1"]},
            "Board.parse": {"text": "3x3"}, "Fleet.parse": {"text": "3,1,1"},
            "Chance.deck": {"cells": 9}, "Chance.of": {"player": "x", "game": 1},
            "ChanceMap.likeliest": {"chances": chances.chances[0] * 3},
            "ChanceMap.share_of": {"chance": 0.5}, "ChanceMap.share": {"cell": 0},
            "ChanceMap.of_chances": {"layouts": 4, "prior": self.prior},
            "OccupancyMap.share": {"cell": 0}, "ShipMap.share": {"cell": 0},
            "OccupancyMap.share_of": {"count": 1},
            "OccupancyMap.likeliest": {"counts": [1] * 9},
            "OccupancyMap.of_placements": {"layouts": 4, "placements": counts.placements},
            "DecisionTable": {"index": None, "weights": None},
            "DecisionTable.row": {"number": 0},
            "HeatMap.count": {"cell": 0}, "HeatMap": {"shots": ()},
            "HeatMap.at": {"position": self.position},
            "Player.play": {"ships": self.layouts.ships[0]},
            "PlayerSpec": {"name": "mine"}, "PlayerSpec.of": {"player": seabattle.Player},
            "PlayerSpec.make": {"prepared": None},
            "Position": {"shots": (), "ships": ()}, "Position.change": {"cell": "A1"},
            "Position.without": {"cell": "A1"}, "Position.shoot": {"cell": "C3"},
            "Position.read": {"shots": [("A1", "miss")], "ships": ()},
            "Position.in_order": {"text": "A1 miss"},
            "ProductPrior": {"cells": None, "name": "x"},
            "SumPrior": {"cells": (Fraction(1),) * 9},
            "TablePrior.of_games": {"layouts": ["A1:A3 C1 C3"]},
            "Strategy": {"path": self.strategy.path, "manifest": self.strategy.manifest,
                         "arrays": self.files()},
            "Strategy.open": {"path": self.folder / "strategy"},
            "Tree": {field: getattr(tree, field) for field in fields},
            "Tree.follow": {"answers": ["miss"]},
            "build_strategy": {"path": self.folder / "built"},
            "compare": {"answers": ["hit"]},
            "load_position": {"path": self.folder / "game.json"},
            "load_tree": {"path": self.folder / "tree.json"},
            "register": {"player": player_spec("random")},
            "replay": {"layout": self.layouts.names(0)}, "verify": {"layouts": None},
            "save_heatmap": {"path": self.folder / "heat.svg"},
            "save_prior": {"prior": self.prior, "path": self.folder / "prior.json"},
            "save_tree": {"path": self.folder / "tree.json"},
            "save_position": {"path": self.folder / "game.json"},
            "Standings.duel": {"first": "random", "second": "hunt-target"},
            "load_tournament": {"folder": self.folder / "tournament"},
            "save_tournament": {"folder": self.folder / "tournament"},
            "TournamentResult.save": {"folder": self.folder / "tournament"},
            "save_mixes": {"trees": 1}, "tournament": {"layouts": "uniform", "strategy": None},
            "equilibrium": {"method": "centre"}, "fit_frequencies": {"games": None, "name": "x"},
            "fit_layouts": {"weights": "cells", "name": "x"},
            "Counter.sample": {"seed": 1}, "Counter.layout_chances": {"ships": self.layouts.ships},
        }.get(name, {})  # fmt: skip

    def files(self) -> dict[str, Any]:
        """The arrays of the strategy file."""
        names = {"key0": self.strategy.keys.low, "values": self.strategy.values,
                 "shots": self.strategy.shots, "layouts": self.strategy.numbers}  # fmt: skip
        return {name: np.array(array) for name, array in names.items()}


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> Right:
    return Right(tmp_path_factory.mktemp("right"))


def wrong_values(seed: str, *, every: bool) -> list[str]:
    """Names of the values to try: all, or a choice by a seed."""
    if every:
        return list(WRONG)
    return random.Random(seed).sample(sorted(WRONG), CHOSEN)


def complaint(name: str, parameter: inspect.Parameter, value: str, call: Callable[[], Any]) -> str:
    """What is wrong with how a call ended; an empty text if nothing is."""
    try:
        with alarm(SECONDS):
            returned = call()
            if inspect.isgenerator(returned):
                list(itertools.islice(returned, 3))
    except (SeabattleError, TypeError) as error:
        text = str(error)
        if len(text) > LONGEST or "\n" in text or not text.isprintable():
            return f"a message of {len(text)} characters: {text[:80]!r}"
        if isinstance(error, TypeError) and not text.startswith((f"{parameter.name}: ", *ELEMENTS)):
            return f"a TypeError that does not name it: {text[:150]}"
        return ""
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return f"{type(error).__name__}: {str(error)[:150]}"
    kinds = set(re.split(r" \| ", str(parameter.annotation)))
    if kinds <= {"int", "float", "str", "bool", "Path", "None"} and value in (
        "object()", "{}", "[None]", "b''", "other rules", "array of floats", "a lambda",
    ):  # fmt: skip
        return "accepted"
    return ""


def complaints(right: Right, name: str, function: Any, *, every: bool) -> tuple[int, list[str]]:
    """How many calls were made, and what was wrong with some of them."""
    owner, _, method = name.partition(".")
    calls, wrong = 0, []
    for parameter in parameters(function):
        if str(parameter.annotation) in LOOSE:
            continue
        for value in wrong_values(f"{name} {parameter.name}", every=every):
            if value == "int" and parameter.name in CALLED:
                continue
            made = right.arguments(name)
            arguments = {
                each.name: made[each.name]
                for each in parameters(function)
                if each.default is inspect.Parameter.empty
            }
            arguments[parameter.name] = WRONG[value]()
            target = function
            if method and not inspect.ismethod(function) and "self" in inspect.signature(
                function
            ).parameters:  # fmt: skip
                target = getattr(right.made[owner], method)
            calls += 1
            found = complaint(name, parameter, value, lambda: target(**arguments))  # noqa: B023
            if found:
                wrong.append(f"{name}({parameter.name}={value}): {found}")
    return calls, wrong


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder of its own for each function; players that are registered are forgotten."""
    monkeypatch.chdir(tmp_path)
    known = {spec.name for spec in players()}
    yield
    for spec in players():
        if spec.name not in known:
            forget(spec.name)


@pytest.mark.parametrize(("name", "function"), NAMES, ids=[name for name, _ in NAMES])
def test_arguments_are_checked_at_the_door(right: Right, name: str, function: Any) -> None:
    every = os.environ.get("SEABATTLE_HOSTILE") == "all"
    calls, wrong = complaints(right, name, function, every=every)
    if log := os.environ.get("SEABATTLE_HOSTILE_COUNTS"):
        with open(log, "a", encoding="utf-8") as stream:
            stream.write(f"{name}\t{calls}\t{len(wrong)}\n")
    assert not wrong, f"{len(wrong)} of {calls} calls:\n" + "\n".join(wrong)
