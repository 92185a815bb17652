"""Where layouts come from: legal, replayable, and distributed as said."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from seabattle.enumerate.errors import (
    FileAccessError,
    PlayerError,
    PositionError,
    TooLargeError,
    WeightsError,
)
from seabattle.enumerate.layouts import enumerate_layouts, fitting
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.players.registry import make_player
from seabattle.solver.tournament.layout_sources import (
    Listed,
    all_layouts,
    layout_source,
    load_layouts,
    worst_layouts,
)

GAMES = [
    Rules("5x5", "3,2,2,1,1,1", answers="sunk"),
    Rules("4x5", "3,2,2", "sides", "sunk"),
    Rules("4x4", "3,2,1", "corners", "hit"),
]


def rows_of(source: object, games: int) -> list[tuple[int, ...]]:
    return [tuple(row) for row in source.take(0, games).tolist()]  # type: ignore[attr-defined]


@pytest.mark.parametrize("rules", GAMES, ids=str)
@pytest.mark.parametrize("name", ["uniform", "sequential", "all"])
def test_layouts_are_legal_and_replayable(rules: Rules, name: str) -> None:
    legal = {tuple(row) for row in enumerate_layouts(rules).ships.tolist()}
    source = layout_source(name, Position(rules), 3)
    rows = source.take(0, 500)
    assert rows.dtype == np.uint16
    assert {tuple(row) for row in rows.tolist()} <= legal
    pieces = [source.take(a, b) for a, b in ((0, 1), (1, 130), (130, 131), (131, 500))]
    assert np.array_equal(np.concatenate(pieces), rows)
    again = layout_source(name, Position(rules), 4).take(0, 500)
    assert not np.array_equal(again, rows)


def sequential_chances(rules: Rules) -> dict[tuple[int, ...], Fraction]:
    """Chance of each layout by placing one ship after another; anew when one fits nowhere."""
    table = placement_table(rules)
    found: dict[tuple[int, ...], Fraction] = Counter()

    def place(ships: tuple[int, ...], chance: Fraction) -> None:
        if len(ships) == len(table.slots):
            found[tuple(sorted(ships))] += chance
            return
        first, stop = table.slots[len(ships)]
        free = [
            n
            for n in range(first, stop)
            if not any(
                table.placements[n].mask & table.placements[m].halo(rules.contact) for m in ships
            )
        ]
        for n in free:
            place((*ships, n), chance / len(free))

    place((), Fraction(1))
    whole = sum(found.values())
    return {row: chance / whole for row, chance in found.items()}


@pytest.mark.parametrize("rules", [Rules("3x4", "3,1,1"), Rules("3x3", "2,2,1", "sides")], ids=str)
def test_sequential_is_not_uniform_but_as_said(rules: Rules) -> None:
    chances = sequential_chances(rules)
    assert len(set(chances.values())) > 1
    games = 100 * len(chances)
    counts = Counter(rows_of(layout_source("sequential", Position(rules), 1), games))
    assert set(counts) <= set(chances)
    distance = sum(
        (counts[r] - games * float(c)) ** 2 / (games * float(c)) for r, c in chances.items()
    )
    assert distance < len(chances) + 4 * (2 * len(chances)) ** 0.5


def test_all_are_played_once_and_then_again() -> None:
    rules = GAMES[0]
    source = all_layouts(Position(rules), 2)
    assert (source.listed, source.complete) == (1428, True)
    once, twice = rows_of(source, 1428), rows_of(source, 2856)
    assert len(set(once)) == 1428
    assert twice == once + once
    with pytest.raises(TooLargeError, match="more than 2,000,000 layouts"):
        all_layouts(Position(Rules("10x10", "hasbro")))


def test_layouts_of_a_position() -> None:
    rules = GAMES[0]
    position = Position.of_cells(rules, miss=["C3"], sunk=["A1:A2"])
    layouts = enumerate_layouts(rules)
    fits = {tuple(row) for row in layouts.ships[fitting(position, layouts) == 1].tolist()}
    assert set(rows_of(all_layouts(position), len(fits))) == fits
    assert set(rows_of(layout_source("uniform", position), 30 * len(fits))) == fits
    with pytest.raises(PositionError, match="'sequential' start from an empty board"):
        layout_source("sequential", position)


def test_worst_layouts_are_the_worst() -> None:
    rules = GAMES[0]
    source = worst_layouts("density", Position(rules))
    shots = make_player("density", rules).play_all(enumerate_layouts(rules).ships)
    assert source.listed == (shots == shots.max()).sum()
    assert set(make_player("density", rules).play_all(source.take(0, source.listed))) == {
        shots.max()
    }
    same = layout_source("worst-for density", Position(rules))
    assert isinstance(same, Listed)
    assert np.array_equal(same.ships, source.ships)
    with pytest.raises(PlayerError, match="random plays by chance, so no layout is its worst"):
        worst_layouts("random", Position(rules))


def test_files_of_layouts(tmp_path: Path) -> None:
    rules = Rules("3x3", "3,1,1")
    file = tmp_path / "layouts.txt"
    file.write_text("# two of the four\n\nA1:A3 C1 C3\nc3,c1, a1:a3  # the same\nA1:C1 A3 C3\n")
    source = layout_source(str(file), Position(rules))
    assert source.listed == 3
    table = placement_table(rules)
    assert [table.names(row) for row in source.take(0, 4)] == [
        ["A1:A3", "C1", "C3"], ["A1:A3", "C1", "C3"], ["A1:C1", "A3", "C3"], ["A1:A3", "C1", "C3"],
    ]  # fmt: skip


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    position = Position(Rules("3x3", "3,1,1"))
    with pytest.raises(FileAccessError, match="neither uniform, sequential, all, equil"):
        layout_source("unifrom", position)
    with pytest.raises(FileAccessError, match="cannot read"):
        load_layouts(tmp_path, position)
    (tmp_path / "latin").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileAccessError, match="not text in UTF-8"):
        load_layouts(tmp_path / "latin", position)
    (tmp_path / "two").write_text("A1:A3 C1 C3\nA1:A3 C1\n")
    with pytest.raises(WeightsError, match="two, line 2: layout A1:A3 C1: its ships are 3,1, not"):
        load_layouts(tmp_path / "two", position)
    start = Position.of_cells(position.rules, miss=["A1"])
    (tmp_path / "one").write_text("A1:A3 C1 C3\n")
    with pytest.raises(WeightsError, match="line 1: no layout of 3,1,1 fits these answers"):
        load_layouts(tmp_path / "one", start)
