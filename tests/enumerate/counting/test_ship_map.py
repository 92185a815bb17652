"""The map of one length of ship agrees with looking at every layout."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from twins import naive, naive_priors
from twins.naive_trees import naive_rows, position_of, spoken

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import FleetError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Announce, AnswerMode, Contact, Rules
from seabattle.trees.drawing.heatmap import HeatMap

GAMES = [("3x3", "3,2,1"), ("3x4", "2,1,1"), ("2x5", "2,2,1"), ("4x4", "3,2"), ("4x3", "2,2")]

any_game = (
    st.sampled_from(GAMES),
    st.sampled_from(list(Contact)),
    st.sampled_from(list(AnswerMode)),
    st.sampled_from(list(Announce)),
)


def in_a_game(rules, data):
    """A position answered by some layout, the layouts that fit, and the cells not shot."""
    rows = naive_rows(rules)
    if not rows:
        return None
    target = data.draw(st.sampled_from(rows))
    cells = data.draw(st.lists(st.integers(0, rules.board.cells - 1), unique=True, max_size=9))
    history = [
        (cell, naive.answer(target, cells[:i], cell, *spoken(rules)))
        for i, cell in enumerate(cells)
    ]
    left = sorted(set(range(rules.board.cells)) - set(cells))
    return position_of(rules, history), naive.fitting(rows, history, *spoken(rules)), left


@examples(250)
@given(*any_game, st.data())
def test_layouts_with_such_a_ship_on_the_cell(game, contact, answers, announce, data):
    rules = Rules(*game, contact, answers, announce)
    drawn = in_a_game(rules, data)
    if drawn is None:
        return
    position, expected, left = drawn
    whole = Counter(position).map()
    lengths = rules.fleet.counts
    for length in lengths:
        found = whole.of_length(length)
        counts = [
            sum(any(len(ship) == length and cell in ship for ship in row) for row in expected)
            for cell in range(rules.board.cells)
        ]
        assert list(found.cells) == counts
        assert sum(found.cells) == found.layouts * length * lengths[length]
        assert found.layouts == len(expected)
        most = max((counts[cell] for cell in left), default=0)
        assert found.best_cells == tuple(c for c in left if most and counts[c] == most)
        assert [found.chance(c) for c in range(len(counts))] == [
            Fraction(n, len(expected)) for n in counts
        ]
        sure = {c for c, n in enumerate(counts) if n == len(expected)}
        assert set(found.certain_cells) == sure
        heat = HeatMap.of(found)
        assert [n for row in heat.counts for n in row] == counts
        assert (heat.best_cells, heat.total) == (found.best_cells, len(expected))
    of_each = [whole.of_length(length).cells for length in lengths]
    assert tuple(map(sum, zip(*of_each, strict=True))) == whole.cells


@examples(60)
@given(*any_game, st.data())
def test_chances_of_such_a_ship_under_a_prior(game, contact, answers, announce, data):
    rules = Rules(*game, contact, answers, announce)
    drawn = in_a_game(rules, data)
    if drawn is None:
        return
    position, expected, left = drawn
    weights = [data.draw(st.integers(1, 5)) for _ in range(rules.board.cells)]
    prior = ProductPrior.of_cells(rules, weights)
    placements = placement_table(rules).placements
    weigh = naive_priors.by_ships(
        {frozenset(p.cells): Fraction(np.prod([weights[c] for c in p.cells]).item())
         for p in placements}
    )  # fmt: skip
    whole = Counter(position, prior=prior).map()
    for length in rules.fleet.counts:
        found = whole.of_length(length)
        for cell in range(rules.board.cells):
            right = naive_priors.chance(
                sorted(expected, key=str),
                weigh,
                lambda row, c=cell, n=length: any(len(s) == n and c in s for s in row),
            )
            assert found.chance(cell) == pytest.approx(float(right), rel=1e-9, abs=1e-300)
            part, parts = found.share(cell)
            assert (part == 0, part == parts) == (right == 0, right == 1)
        most = max((found.cells[cell] for cell in left), default=0.0)
        assert all(found.cells[c] == pytest.approx(most) for c in found.best_cells)
        assert bool(found.best_cells) == (most > 0)
        assert HeatMap.of(found).best_cells == found.best_cells


def test_the_russian_four_is_where_it_is_said_to_be():
    """The four alone leaves the corners of the board to the small ships."""
    rules = Rules(fleet="russian")
    found = Counter(rules).map().of_length(4)
    assert sum(found.cells) == 4 * found.layouts
    assert found.best_shots == ("D1", "G1", "A4", "J4", "A7", "J7", "D10", "G10")
    rows = np.array(found.rows, dtype=object)
    assert (rows == rows.T).all()
    assert (rows == rows[::-1]).all()


def test_what_it_says_of_itself():
    rules = Rules("3x3", "3,1,1", answers="sunk")
    whole = Counter(Position.in_order(rules, "A1 sunk")).map()
    found = whole.of_length(3)
    assert found.title == "How likely the ship of length 3 occupies each cell"
    assert whole.of_length(np.int64(1)).title.startswith("How likely a ship of length 1 ")
    assert HeatMap.of(found).title == found.title
    assert HeatMap.of(found, title="mine").title == "mine"
    assert repr(found) == (
        "<map of the ships of length 3 in 2 layouts: 3x3, fleet 3,1,1, contact none, answers "
        "sunk; A1 sunk>"
    )
    assert found.document() == {
        "length": 3,
        "occupancy": [[0, 0, 1], [0, 0, 1], [1, 1, 2]],
        "best": ["C3"],
    }
    assert "length 3 occupies each cell, in percent" in found._repr_html_()
    assert whole.of_length(1).best_shots == ("C1", "A3")
    with pytest.raises(FleetError, match=r"^length 2: the fleet 3,1,1 has no such ship$"):
        whole.of_length(2)
    assert np.asarray(found).tolist() == found.document()["occupancy"]
    assert dict(found.facts())["layouts"] == "2"
    uniform = Counter(rules).under(ProductPrior.of_cells(rules, [1] * 9)).map()
    assert uniform.of_length(3).document()["chances"][0] == pytest.approx([0.5, 0.25, 0.5])
    assert "under prior" in repr(uniform.of_length(3))
