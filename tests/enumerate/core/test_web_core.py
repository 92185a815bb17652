"""The core as WebAssembly: the same figures as the library of this machine."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
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
  const placed = core.array("uint16_t", game.slots.length / 3);
  const layouts = core.array("uint16_t", game.room);
  const allowed = core.array("uint8_t", game.masks.length / game.words).set(game.allowed);
  const found = core.list_layouts(
    words(game.masks), words(game.halos), allowed, slots, game.words, game.slots[0], game.slots[1],
    1e9, placed, game.room ? layouts : null);
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


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebCore]:
    """The core of the sources as they are."""
    yield from web_core(tmp_path_factory.mktemp("wasm"))


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
