"""The signature of the search: keys, sub-tables and values of some games, one thread.

Whoever alters how the search goes alters these numbers, and says so in ``signature.json``. They are
the same on every machine, and in WebAssembly: ``tests/page/test_solving.py`` replays them there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from support.known_answers import known, known_rules

from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.queries import Goal

GAMES = known("signature")
TABLE_SLOTS = 1 << 18


@pytest.mark.parametrize(
    "game", GAMES, ids=lambda game: "-".join(map(str, list(game.values())[:6]))
)
def test_the_signature(game: Mapping[str, Any]) -> None:
    search = ExactSearch(as_problem(known_rules(dict(game))))
    search.table = search._empty_table(TABLE_SLOTS)  # one that grows has the search begin anew
    value = search.minimize(Goal[game["goal"].upper()], miss_limit=game["miss_limit"])
    assert value.misses == game["misses"]
    assert (search.states, search.nodes) == (game["keys"], game["sub_tables"])
