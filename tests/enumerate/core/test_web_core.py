"""The core as WebAssembly: the same figures as the library of this machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from support.known_answers import known, label
from support.sweeps import inputs, known_figures, known_sweep
from support.wasm import WebCore, web_core

from seabattle.enumerate.core.library import core as native
from seabattle.enumerate.counting.estimate import Estimator
from seabattle.enumerate.layouts import count_layouts, enumerate_layouts
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules

LIST = """
return core.scope(() => {
  const words = (values) => core.array("uint64_t", values.map(BigInt));
  const slots = core.array("int64_t", game.slots.map(BigInt));
  const placed = core.array("uint16_t", game.slots.length / 3), ship = core.array("int32_t", 1);
  placed.items[0] = game.slots[0];
  const layouts = core.array("uint16_t", game.room);
  const allowed = core.array("uint8_t", game.masks.length / game.words).set(game.allowed);
  const found = core.list_layouts(
    words(game.masks), words(game.halos), allowed, slots, game.words, 1e9, 1e9, placed, ship,
    game.room ? layouts : null);
  return [found, [...layouts.items]];
});
"""


ESTIMATE = """
return core.scope(() => {
  const fields = Object.fromEntries(Object.entries(laying).map(([name, [kind, values]]) => [
    name, kind ? core.array(kind, kind === "uint64_t" ? values.map(BigInt) : values) : values]));
  const means = core.array("double", ships), chances = core.array("double", placements);
  const totals = core.array("double", 2);
  const met = core.estimate(
    core.structure("laying", fields), 7, 3, particles, core.array("uint8_t", 1 << 20), means,
    chances, totals);
  return [met, [...means.items], [...chances.items], [...totals.items]];
});
"""

SWEEP = """
return core.scope(() => {
  const arrays = (fields, kinds) => Object.fromEntries(Object.entries(fields).map(
    ([name, value]) => [name, name in kinds ? core.array(kinds[name], value) : value]));
  const ships = core.structure("ships", arrays(
    game.ships, { cells: "int32_t", types: "int32_t", ships: "int32_t" }));
  let memory = core.array("uint8_t", 1 << 20);
  core.begin_frontier(ships, memory);
  for (let left = 1; left !== 0;) {
    left = core.search_frontier(memory, 5000);
    if (left !== -1) continue;
    const larger = core.array("uint8_t", 4 * memory.length);
    core.move_frontier(memory, larger);
    memory = larger;
  }
  const frontier = core.array("uint8_t", core.frontier_bytes(memory));
  const sizes = core.array("int64_t", 4);
  core.keep_frontier(memory, frontier, sizes);
  const board = core.structure("board", { frontier, keeps: 1, weights: null, ...arrays(
    game.board, { left: "int32_t", allowed: "uint8_t", required: "uint32_t" }) });
  const sweep = core.array("uint8_t", core.sweep_bytes(board)), { words, height } = game.board;
  let row = core.begin_sweep(board, sweep);
  for (; row < height; row++) core.sweep_forward(sweep, row);
  const number = (items) => items.reduceRight((sum, word) => (sum << 64n) + word, 0n);
  const total = core.array("uint64_t", words), starts = core.array("uint64_t", game.codes * words);
  core.sweep_total(sweep, total);
  let places = 0n;
  while (row-- > 0) {
    core.sweep_backward(sweep, row, starts);
    for (let code = 0; code < game.codes; code++) {
      const begun = number(starts.items.slice(code * words, (code + 1) * words));
      places += BigInt(row * game.codes + code) * begun;
    }
  }
  return [...sizes.items, number(total.items), places].map(String);
});
"""


@pytest.fixture(scope="module")
def core() -> Iterator[WebCore]:
    """The core of the sources as they are."""
    yield from web_core()


def game(rules: Rules, room: int) -> dict[str, object]:
    """What a call of ``list_layouts`` is given, as JSON."""
    table, kinds = placement_table(rules), rules.fleet.kinds
    words = table.words
    return {
        "masks": [str(word) for mask in table.masks[:, :words].tolist() for word in mask],
        "halos": [str(word) for mask in table.halos[:, :words].tolist() for word in mask],
        "allowed": [1] * len(table),
        "slots": [
            number
            for depth, (first, stop) in enumerate(table.slots)
            for number in (first, stop, int(depth > 0 and kinds[depth] == kinds[depth - 1]))
        ],
        "words": words,
        "room": room,
    }


@pytest.mark.parametrize(
    "rules", [Rules("5x5", "3,2,2,1,1,1"), Rules("12x10", "3,2", "corners")], ids=str
)
def test_layouts_are_the_same(core: WebCore, rules: Rules) -> None:
    layouts = enumerate_layouts(rules)
    given = game(rules, layouts.ships.size)
    assert core.run(LIST, game=given) == [len(layouts), layouts.ships.ravel().tolist()]


def test_estimates_are_the_same_to_the_last_bit(core: WebCore) -> None:
    rules = Rules("12x12", "4,4,3,3,3,2,2,2,2,1,1,1,1,1", answers="sunk")
    position = Position.in_order(rules, "A1 miss, C4 hit, C5 hit, H8 sunk, L1 hit")
    laying, placements, ships = Estimator(position).laying, len(placement_table(rules)), 14
    means, chances, totals = np.empty(ships), np.empty(placements), np.empty(2)
    met = native().estimate(
        native().structure("laying", laying), 7, 3, 500, np.empty(1 << 20, np.uint8), means,
        chances, totals,
    )  # fmt: skip
    given = {
        name: [f"{value.dtype}_t", [str(n) for n in value] if value.dtype == np.uint64 else
               value.tolist()] if isinstance(value, np.ndarray) else ["", value]
        for name, value in laying.items()
    }  # fmt: skip
    found = core.run(ESTIMATE, laying=given, ships=ships, placements=placements, particles=500)
    assert found == [met, means.tolist(), chances.tolist(), totals.tolist()]
    assert met == 500


def test_an_array_that_is_too_small_is_full(core: WebCore) -> None:
    rules = Rules("5x5", "3,2,2,1,1,1")
    assert core.run(LIST, game=game(rules, 60))[0] == -1
    assert core.run(LIST, game=game(rules, 0))[0] == count_layouts(rules) == 1428


@pytest.mark.parametrize("entry", known("sweeps"), ids=label)
def test_sweeps_are_the_same(core: WebCore, entry: dict[str, Any]) -> None:
    found = core.run(SWEEP, game=inputs(known_sweep(entry)))
    assert list(map(int, found)) == list(known_figures(entry).values())
