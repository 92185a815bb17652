"""The face of the package: what is importable from it, and that it hides everything else."""

from __future__ import annotations

import inspect
import subprocess
import sys
from dataclasses import is_dataclass
from importlib.metadata import version

import pytest

import seabattle


def test_only_public_names_are_shown() -> None:
    assert dir(seabattle) == sorted(seabattle.__all__)
    with pytest.raises(AttributeError, match="module 'seabattle' has no attribute 'SearchOptions'"):
        seabattle.SearchOptions  # noqa: B018


def test_the_version_is_that_of_the_installed_package() -> None:
    assert seabattle.__version__ == version("seabattle")


def test_public_names_are_documented_and_their_classes_frozen() -> None:
    for name in seabattle.__all__:
        value = getattr(seabattle, name)
        assert inspect.getdoc(value), name
        if inspect.isclass(value) and is_dataclass(value):
            assert value.__dataclass_params__.frozen, name  # type: ignore[attr-defined]


def test_type_checkers_see_the_same_names() -> None:
    assert seabattle._homes().keys() == set(seabattle.__all__)


def test_importing_the_package_loads_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import sys, seabattle; print('numpy' in sys.modules)"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "False\n"
