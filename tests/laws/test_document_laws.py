"""The law of documents: every JSON file that is read refuses a field that it does not know.

Each kind of file is written whole; a field whose name lacks its last letter is then added to every
object of it whose fields are fixed, one after the other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from seabattle import (
    DecisionTable,
    Position,
    ProductPrior,
    Rules,
    SeabattleError,
    Strategy,
    SumPrior,
    TablePrior,
    build_strategy,
    equilibrium,
    load_mixes,
    load_position,
    load_prior,
    load_tournament,
    load_tree,
    save_mixes,
    save_position,
    save_prior,
    save_tournament,
    save_tree,
    solve,
    tournament,
)
from seabattle.solver.studies.atlas import read_table, solve_atlas
from seabattle.trees.strategy.strategy import sealed

RULES = Rules("3x3", "2,1", blocked="B2")
OPEN = {"made_by", "fit", "columns", "matchups"}
"""Fields whose objects are not read: whoever writes them says there what they like."""

KEYED = {"weights", "distribution", "quantiles", "next", "files"}
"""Fields whose objects are keyed by what they tell of: ships, numbers, answers, files."""


def tree(folder: Path) -> Path:
    rules = Rules("3x3", "3,2", "sides", "sunk")
    position = Position.of_cells(rules, sunk=["A1:A2"])
    table = DecisionTable.build(position, prior=SumPrior(rules, range(1, 10)))
    save_tree(solve(table, threads=1).tree, folder / "tree.json")
    return folder / "tree.json"


def position(folder: Path) -> Path:
    found = Position.of_cells(Rules("3x3", "3,2", "sides", "sunk"), sunk=["A1:A2"])
    save_position(found, folder / "game.json")
    return folder / "game.json"


def prior(made: Any) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        save_prior(made, folder / "prior.json")
        return folder / "prior.json"

    return write


def strategy(folder: Path) -> Path:
    build_strategy(RULES, folder / "kept")
    return folder / "kept" / "manifest.json"


def atlas(folder: Path) -> Path:
    solve_atlas([RULES, Rules("3x3", "2,1")], folder)
    return folder / "table.json"


def mixes(folder: Path) -> Path:
    save_mixes(equilibrium(RULES), folder)
    return folder / "equilibrium.json"


def folder_of_games(folder: Path) -> Path:
    played = tournament(RULES, ["random", "greedy-map"], games=4)
    save_tournament(played, folder, formats=("svg",))
    return folder / "table.json"


def journal(folder: Path) -> Path:
    tournament(RULES, ["random"], games=4, journal=folder / "journal")
    return folder / "journal"


def go_on(path: Path) -> object:
    return tournament(RULES, ["random"], games=4, journal=path, resume=True)


KINDS: dict[str, tuple[Callable[[Path], Path], Callable[[Path], object]]] = {
    "tree": (tree, load_tree),
    "position": (position, load_position),
    "prior of cells": (prior(SumPrior(RULES, range(1, 10))), load_prior),
    "prior of placements": (prior(ProductPrior(RULES, (1,) * 16)), load_prior),
    "prior of layouts": (
        prior(TablePrior.of_games(RULES, ["A1:A2 C3"], smoothing=1)),
        load_prior,
    ),
    "strategy": (strategy, lambda path: Strategy.open(path.parent)),
    "atlas": (atlas, read_table),
    "mixes": (mixes, lambda path: load_mixes(path.parent)),
    "tournament": (folder_of_games, lambda path: load_tournament(path.parent)),
    "journal": (journal, go_on),
}


def with_another_field(value: Any, whole: Callable[[Any], Any]) -> Iterator[tuple[str, str, Any]]:
    """A misspelt field, the field that is meant, and the document that has both."""
    if isinstance(value, list):
        for number, each in list(enumerate(value))[:3]:
            yield from with_another_field(
                each,
                lambda changed, at=number: whole([*value[:at], changed, *value[at + 1 :]]),
            )
    if not isinstance(value, dict):
        return
    for name in list(value)[:1] + list(value)[-1:]:
        yield name[:-1], name, whole({**value, name[:-1]: value[name]})
    for name, each in value.items():
        if name not in OPEN | KEYED:
            yield from with_another_field(
                each, lambda changed, at=name: whole({**value, at: changed})
            )


@pytest.mark.parametrize("kind", KINDS)
def test_a_field_that_is_not_known_is_refused(tmp_path: Path, kind: str) -> None:
    write, read = KINDS[kind]
    path = write(tmp_path)
    text = path.read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()] if kind == "journal" else []
    read(path)
    tried = 0
    for wrong, meant, document in with_another_field(
        lines or json.loads(text), lambda document: document
    ):
        if kind == "strategy":
            document["sha256"] = sealed(document)
        parts = document if lines else [document]
        path.write_text("".join(f"{json.dumps(part)}\n" for part in parts), encoding="utf-8")
        with pytest.raises(SeabattleError) as caught:
            read(path)
        told = str(caught.value)
        assert "\n" not in told
        # A node has one of two forms, and a position of a journal is compared as a whole.
        if "node " not in told and "with other position" not in told:
            assert f"the field {wrong!r}" in told, document
            assert f"did you mean {meant!r}?" in told
        tried += 1
    assert tried >= 2
