"""The signature of the search: keys, sub-tables and values of some games, one thread.

Whoever alters how the search goes alters these numbers, and says so in ``signature.json``. They are
the same on every machine, natively and in WebAssembly.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.known_answers import known, known_rules

from seabattle.enumerate.core.build_core import build_wasm, zig
from seabattle.enumerate.core.library import core
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.queries import Goal, core_limit

HERE = Path(__file__).parent
GAMES = known("signature")
TABLE_SLOTS = 1 << 18
MEMORY = 1 << 23
STATES = 1 << 13


def search_of(game: Mapping[str, Any]) -> ExactSearch:
    search = ExactSearch(as_problem(known_rules(dict(game))))
    search.table = search._empty_table(TABLE_SLOTS)  # one that grows has the search begin anew
    return search


def question_of(game: Mapping[str, Any]) -> tuple[Goal, int | None]:
    return Goal[game["goal"].upper()], game["miss_limit"]


def signature_of(game: Mapping[str, Any]) -> list[int]:
    return [game["misses"], game["keys"], game["sub_tables"]]


@pytest.mark.parametrize(
    "game", GAMES, ids=lambda game: "-".join(map(str, list(game.values())[:6]))
)
def test_the_signature(game: Mapping[str, Any]) -> None:
    search, (goal, miss_limit) = search_of(game), question_of(game)
    value = search.minimize(goal, miss_limit=miss_limit)
    assert [value.misses, search.states, search.nodes] == signature_of(game)


TYPES = {"uint64": "u64", "int64": "i64", "int32": "i32"}
KINDS = {"int32_t": "i32", "int64_t": "i64"}


def fields_of(name: str, values: Mapping[str, Any]) -> list[Any]:
    """The fields of a structure as JSON, arrays with their items."""
    fields: list[Any] = []
    for field in core()._structures[name][0].given:
        value = values[field.name]
        if isinstance(value, dict):
            fields.append(value)
        elif field.is_array:
            array = np.zeros(0, np.int64) if value is None else value
            fields.append({"type": TYPES[array.dtype.name], "items": list(map(str, array))})
        elif field.is_pointer:
            fields.append(field.name)
        else:
            fields.append({"type": KINDS[field.kind], "value": int(value)})
    return fields


def asked_of(game: Mapping[str, Any]) -> dict[str, Any]:
    """All that the core is asked about a game, for ``signature.mjs``."""
    search, (goal, miss_limit) = search_of(game), question_of(game)
    counts = search.counting and goal is not Goal.LOST
    room = STATES if counts else 0
    slots = 1 << (2 * room * len(search.problem.symmetries)).bit_length()
    question = search.question(goal, core_limit(goal, miss_limit))
    table = {"type": "i64", "items": search.table.size, "fill": -1}
    counters = dict.fromkeys(("states", "nodes", "status", "shot", "worst"), 0)
    limits = {"capacity": TABLE_SLOTS, "allowance": 1 << 60}
    states = {
        "slots": {"type": "i64", "items": 3 * slots, "fill": -1},
        "found": {"type": "i64", "items": 64 * room, "fill": 0},
        "size": 0,
        "by_ships": search.states_counted.by_ships,
    }
    return {
        "game": fields_of("search_game", {**search.game, "parts": 1 << 10}),
        "states": fields_of("states", states),
        "question": fields_of(
            "question", {**question, "table": table, "stop": np.zeros(1, np.int32)}
        ),
        "counters": fields_of("counters", {**counters, **limits}),
        "rows": {"type": "i32", "items": list(range(len(search.problem)))},
        "memory": MEMORY,
        "counts": counts,
    }


@pytest.mark.slow
@pytest.mark.skipif(not (zig() and shutil.which("node")), reason="needs zig and node")
def test_the_signature_in_webassembly(tmp_path: Path) -> None:
    wasm, questions = tmp_path / "core.wasm", tmp_path / "questions.json"
    build_wasm(wasm)
    questions.write_text(json.dumps([asked_of(game) for game in GAMES]))
    command = ["node", str(HERE / "signature.mjs"), str(wasm), str(questions)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answered = [json.loads(line) for line in done.stdout.splitlines()]
    assert answered == [signature_of(game) for game in GAMES]
