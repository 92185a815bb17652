"""The face of the package: what is importable from it, and that it hides everything else."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from dataclasses import is_dataclass
from pathlib import Path

import pytest

import seabattle

SOURCE = Path(seabattle.__file__)


def test_only_public_names_are_shown() -> None:
    assert dir(seabattle) == sorted(seabattle.__all__)
    for hidden in (
        "annotations",
        "import_module",
        "Any",
        "SearchOptions",
        "Search",
        "Problem",
        "Limits",
    ):
        assert hidden not in dir(seabattle)
    with pytest.raises(AttributeError, match="module 'seabattle' has no attribute 'SearchOptions'"):
        seabattle.SearchOptions  # noqa: B018


@pytest.mark.parametrize("name", seabattle.__all__)
def test_a_public_name_is_what_it_says(name: str) -> None:
    value = getattr(seabattle, name)
    assert inspect.getdoc(value), name
    module = getattr(value, "__module__", "seabattle.solver.players.registry")  # PLAYERS is a dict
    assert module.startswith(("seabattle.enumerate.", "seabattle.trees.", "seabattle.solver."))
    if inspect.isclass(value) and is_dataclass(value):
        assert value.__dataclass_params__.frozen, name  # type: ignore[attr-defined]


def test_type_checkers_see_the_same_names() -> None:
    seen = {
        alias.asname
        for node in ast.walk(ast.parse(SOURCE.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("seabattle.")
        for alias in node.names
    }
    assert seen == set(seabattle.__all__)


def test_every_result_and_argument_type_is_importable() -> None:
    assert {
        *("Board", "Fleet", "Rules", "Position", "DecisionTable", "Layouts"),
        *("Contact", "AnswerMode", "Announce", "Objective", "GreedyRule", "Ties", "Reading"),
        *("Solution", "GraphSize", "Comparison", "Strategy", "Verification", "Tree", "Equilibrium"),
        *("OccupancyMap", "ChanceMap", "ShipMap", "HeatMap", "Advice", "Endgame", "Player"),
        *("Chance", "PLAYERS", "Adviser", "CounterAdviser", "StrategyAdviser", "Snapshot"),
        *("LimitReached", "Review", "ReviewedShot", "review", "advise"),
        *("DrawnLayout", "draw_layout"),
        *("Prior", "ProductPrior", "SumPrior", "TablePrior", "load_prior", "save_prior"),
        *(name for name in vars(seabattle.enumerate.errors) if name.endswith("Error")),
    } <= set(seabattle.__all__)


def test_importing_the_package_loads_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import sys, seabattle; print('numpy' in sys.modules)"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "False\n"
