"""Priors as JSON: every kind, exact numbers, and every bad document."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support.prior_games import GAME, write

from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.priors.files import load_prior
from seabattle.enumerate.priors.prior import ProductPrior, SumPrior, TablePrior

HEAD: dict[str, Any] = {"format": "seabattle-prior", "version": 1, "board": "3x3",
                        "fleet": "3,1,1", "contact": "none"}  # fmt: skip
CELLS = {**HEAD, "kind": "cells", "rule": "product", "weights": [[1, 1, 1]] * 3}
LAYOUTS = {**HEAD, "kind": "layouts", "weights": {"A1:A3 C1 C3": 5}}
GAMES = {**HEAD, "kind": "games", "games": ["A1:A3 C1 C3", "C3,C1,A3:A1"]}
PLACEMENTS = {**HEAD, "kind": "placements", "weights": {"A1:A3": 1, "C1": 1, "C3": "1/3"}}
SHIPS = placement_table(GAME).parse_layout(["A1:A3", "C1", "C3"])


def read(folder: Path, document: object) -> Any:
    text = document if isinstance(document, str) else json.dumps(document)
    return load_prior(write(folder, text, "prior.json"), GAME)


def test_every_kind_is_read(tmp_path: Path) -> None:
    rows = '[[0.1, "0.1", "1/3"], [1e-3, 2, "2.50"], [0, "+7", 1E2]]'
    text = json.dumps({**CELLS, "weights": "ROWS"}).replace('"ROWS"', rows)
    weights = [
        *(Fraction(1, 10), Fraction(1, 10), Fraction(1, 3)),
        *(Fraction(1, 1000), Fraction(2), Fraction(5, 2)),
        *(Fraction(0), Fraction(7), Fraction(100)),
    ]
    found = read(tmp_path, text)
    assert found == ProductPrior.of_cells(GAME, weights)
    assert (found.cells, found.name) == (tuple(weights), "prior.json")
    assert read(tmp_path, text.replace('"product"', '"sum"')) == SumPrior(GAME, weights)
    forced = read(tmp_path, {**CELLS, "forced": ["A1", "c3"]})
    assert forced == ProductPrior.of_cells(GAME, [1] * 9, forced=["A1", "C3"])
    found = read(tmp_path, {**PLACEMENTS, "forced": ["A1"]})
    assert (sum(found.placements), found.forced) == (Fraction(7, 3), 1)
    assert read(tmp_path, LAYOUTS) == TablePrior(GAME, {SHIPS: 5})
    assert read(tmp_path, {**LAYOUTS, "others": 2}) == TablePrior(GAME, {SHIPS: 5}, 2)
    assert read(tmp_path, GAMES) == TablePrior(GAME, {SHIPS: 2})
    assert read(tmp_path, {**GAMES, "smoothing": 3}) == TablePrior(GAME, {SHIPS: 5}, 3)


def test_a_file_says_its_game_and_its_source(tmp_path: Path) -> None:
    facts = {"source": "me", "licence": "MIT", "fit": {"bits": 1.5, "games": 3, "rest": [1e-7]}}
    found = load_prior(write(tmp_path, json.dumps({**CELLS, **facts})))
    assert found is not None
    assert (found.rules, found.facts) == (GAME, facts)


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ("{", "is not JSON, or was cut short: line 1"),
        ({**CELLS, "version": 2}, "version 2 of the format is unknown"),
        ({**CELLS, "kind": "grid"}, "kind 'grid' is unknown; the kinds are cells, placements"),
        ({**CELLS, "forcd": []}, "'forcd' of a prior of kind 'cells' is unknown; .* mean 'forced'"),
        ({**CELLS, "board": 3}, "the field 'board' must be text"),
        ({**CELLS, "weights": [[1, 1, 1]] * 2}, "the grid has 2 rows, and board 3x3 has 3"),
        ({**CELLS, "weights": [[1, "1/0", 1]] * 3}, "row 1: '1/0' is not a weight"),
        ({**CELLS, "weights": [[1, float("nan"), 1]] * 3}, "NaN is not a number"),
        ({**CELLS, "weights": [[1, "9" * 2000, 1]] * 3}, "row 1: .* at most 1200 digits"),
        (json.dumps(CELLS)[:-1] + ', "rule": "sum"}', "the field 'rule' is given twice"),
        ({**CELLS, "forced": ["D4"]}, "forced: cell 'D4' is off the board"),
        ({**CELLS, "rule": "sum", "forced": ["A1"]}, "'forced' goes with rule 'product'"),
        ({**LAYOUTS, "weights": {"A1:A3 C1 C3": 0.5}}, "'0.5' is not a whole number"),
        ({**LAYOUTS, "weights": {"A1:A3 C1 C2": 1}}, "layout 'A1:A3 C1 C2': .* touch"),
        (
            {**LAYOUTS, "weights": {"A1:A3 C1 C3": 1, "C1 A1:A3 C3": 1}},
            "layout 'C1 A1:A3 C3': layout A1:A3 C1 C3 is listed already",
        ),
        ({**PLACEMENTS, "weights": {"A1:A2": 1}}, "placement 'A1:A2': .* no such ship"),
        ({**GAMES, "games": []}, "every number is 0"),
        ({**CELLS, "fit": 5}, "the field 'fit' must be an object"),
        (json.dumps(CELLS)[:-1] + ', "fit": {"bits": [1e999]}}', "a number .* fit is too large"),
        ({**CELLS, "contact": "sides"}, "is of 3x3, fleet 3,1,1, contact sides, not of 3x3"),
    ],
)
def test_every_bad_document_is_refused(tmp_path: Path, document: object, told: str) -> None:
    with pytest.raises(WeightsError, match=told) as caught:
        read(tmp_path, document)
    message = str(caught.value).removeprefix(str(tmp_path))
    assert len(message) < 300
    assert len(message.splitlines()) == 1
    assert "prior.json" in message
