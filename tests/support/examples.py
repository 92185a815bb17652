"""What the everyday run tries: a third of the examples of a law, and some of the cases of a test.

The laws draw others each time; all are tried where ``SEABATTLE_THOROUGH`` is set. The other cases
run with the slow tests.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

THOROUGH = bool(os.environ.get("SEABATTLE_THOROUGH"))


def examples(number: int) -> settings:
    """Settings of a law that is tried on so many examples, however long each takes."""
    return settings(max_examples=number if THOROUGH else -(-number // 3), deadline=None)


def some(cases: Iterable[Any], everyday: int) -> list[Any]:
    """Cases of a parametrized test, of which the first few belong to the everyday run."""
    return [
        case if number < everyday else pytest.param(case, marks=pytest.mark.slow)
        for number, case in enumerate(cases)
    ]
