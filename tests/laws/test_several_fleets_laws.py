"""Laws of one of several fleets: everything is the sum over the fleets, by the twin's listing."""

from __future__ import annotations

from itertools import product

from hypothesis import assume, given
from hypothesis import strategies as st
from laws.games import CONTACTS, law
from twins import naive

from seabattle import FleetsCounter, Position, Rules, several_fleets
from seabattle.engine import answer

FLEETS = ("2", "1,1", "2,1", "3", "2,2", "3,1", "2,1,1")


@law(40)
@given(
    st.sampled_from([(2, 3), (3, 3), (3, 4)]),
    st.lists(st.sampled_from(FLEETS), min_size=1, max_size=3),
    st.sampled_from(CONTACTS),
    st.dictionaries(st.integers(0, 5), st.sampled_from(["hit", "miss"]), max_size=2),
)
def test_several_fleets_are_the_sum_of_each(
    size: tuple[int, int], fleets: list[str], contact: str, shots: dict[int, str]
) -> None:
    rows, columns = size
    found = []
    for fleet in fleets:
        layouts = naive.layouts(rows, columns, map(int, fleet.split(",")), contact)
        fits = naive.fitting(list(layouts), tuple(shots.items()), "hit", "length", contact)
        found.append(list(fits))
    every = [layout for layouts in found for layout in layouts]
    assume(every)
    games = [Position(Rules(f"{rows}x{columns}", fleet, contact), tuple(shots.items()))  # type: ignore[arg-type]
             for fleet in fleets]  # fmt: skip
    counter = FleetsCounter(games)
    assert counter.counts() == tuple(map(len, found))
    assert counter.count() == len(every)
    occupied = counter.map()
    assert list(occupied.cells) == naive.occupancy(every, rows * columns)
    for length in sorted({len(ship) for layout in every for ship in layout}):
        alone = [frozenset(s for s in layout if len(s) == length) for layout in every]
        assert list(occupied.of_length(length).cells) == naive.occupancy(alone, rows * columns)
    told = occupied.document()
    assert [each["layouts"] for each in told["fleets"]] == list(map(len, found))
    drawn = counter.sample(20, 1)
    by_names = {tuple(sorted(names)) for names in drawn}
    possible = {
        tuple(sorted(map(game.rules.board.name, cells)))
        for game, layouts in zip(games, found, strict=True)
        for cells in map(naive.cells_of, layouts)
    }
    board = games[0].rules.board
    for names in by_names:
        cells = {cell for name in names for cell in _cells(name, board.columns)}
        assert tuple(sorted(map(board.name, cells))) in possible


def _cells(name: str, columns: int) -> list[int]:
    ends = [(int(end[1:]) - 1, ord(end[0]) - ord("A")) for end in name.split(":")]
    (top, left), (bottom, right) = ends[0], ends[-1]
    return [r * columns + c for r, c in product(range(top, bottom + 1), range(left, right + 1))]


def test_coloured_ships_of_lengths_2_to_4() -> None:
    """1,653,456 boards of 6x6: a figure of a study of human questions, 27 counts added."""
    ordered = "|".join(",".join(map(str, lengths)) for lengths in product((2, 3, 4), repeat=3))
    counter = FleetsCounter(several_fleets(ordered, board="6x6", contact="sides"))
    assert counter.labelled() == 1_653_456
    once = dict(zip(counter.positions, counter.counts(), strict=True))
    assert len(once) == 10
    assert 6 * sum(once.values()) == 1_653_456


def test_an_engine_refuses_several_fleets_in_one_line() -> None:
    asked = {"command": "count", "position": {"board": "4x4", "fleet": "3,2|4,2"}}
    told = answer(asked)
    assert told["status"] == 2
    assert "one of several fleets" in str(told)
