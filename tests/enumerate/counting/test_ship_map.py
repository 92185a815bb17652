"""The map of one length of ship agrees with looking at every layout."""

import numpy as np
import pytest

from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import FleetError
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Rules

GAMES = [("3x3", "3,2,1"), ("3x4", "2,1,1"), ("2x5", "2,2,1"), ("4x4", "3,2"), ("4x3", "2,2")]


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
    assert repr(found) == (
        "<map of the ships of length 3 in 2 layouts: 3x3, fleet 3,1,1, contact none, answers "
        "sunk; A1 sunk>"
    )
    assert found.document() == {
        "length": 3,
        "occupancy": [[0, 0, 1], [0, 0, 1], [1, 1, 2]],
        "best": ["C3"],
    }
    assert f">{found.title}<" in found._repr_svg_()
    assert whole.of_length(1).best_shots == ("C1", "A3")
    with pytest.raises(FleetError, match=r"^length 2: the fleet 3,1,1 has no such ship$"):
        whole.of_length(2)
    assert np.asarray(found).tolist() == found.document()["occupancy"]
    assert found.facts() == [("likeliest for length 3", "C3: 100 %")]
    assert dict(whole.facts())["layouts"] == "2"
    uniform = Counter(rules).under(ProductPrior.of_cells(rules, [1] * 9)).map()
    assert uniform.of_length(3).document()["chances"][0] == pytest.approx([0.5, 0.25, 0.5])
    assert "under prior" in repr(uniform.of_length(3))


def test_the_map_of_either_of_some_ships_is_the_sum_of_their_maps() -> None:
    whole = Counter(Rules(fleet="hasbro")).map()
    either, one, other = whole.of_length(4, 5), whole.of_length(4), whole.of_length(5)
    assert either.cells == tuple(map(sum, zip(one.cells, other.cells, strict=True)))
    assert either.document()["length"] == [5, 4]
    assert either.title == "How likely a ship of length 5 or 4 occupies each cell"
    assert whole.of_length(5, 4, 3, 2).cells == whole.cells
    with pytest.raises(FleetError, match="length 6"):
        whole.of_length(4, 6)
