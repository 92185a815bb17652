"""Priors as CSV: every kind, every error with its line, exactness."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.prior_games import GAME, TINY, all_of, in_line, text_of, write

from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.layouts import Layouts
from seabattle.enumerate.priors.files import CsvReader, load_prior
from seabattle.enumerate.priors.prior import Prior, ProductPrior, SumPrior, TablePrior
from seabattle.enumerate.rules import Rules


def read(text: str, rules: Rules | None = GAME) -> Prior:
    return CsvReader(text, "weights", rules, "").read()


def weights_of(text: str, layouts: Layouts) -> list[int]:
    """Whole-number weights of a text, all of them exact."""
    found = read(text, layouts.rules).whole_weights(layouts)
    assert found.error == 0
    return found.weights.tolist()


def refused(folder: Path, text: str | bytes, rules: Rules | None = GAME) -> str:
    """The one line that refuses a file, without the file's name."""
    path = write(folder, text)
    with pytest.raises(WeightsError) as caught:
        load_prior(path, rules)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message.removeprefix(str(path))


# Tables


TABLE = "layout,weight\nA1:A3 C1 C3,5\nC1:C3 A1 A3,2\n"


@pytest.mark.parametrize(
    "text",
    [
        TABLE,
        "layout,weight\n C3 A3:A1  C1 , 5\nA3 a1 c3:c1,2",
        "\ufeff Layout , WEIGHT\r\n\r\n# seen in May\r\nA1:A3 C1 C3,5\r\nC1:C3 A1 A3,2\r\n\r\n",
        '"layout","weight"\n"A1:A3 C1 C3","5"\n"C1:C3,A1,A3",2\n',
        TABLE + "A1:C1 A3 C3,0\n",
        "layout,weight,,\nboard,3x3,,\nA1:A3 C1 C3,5,,\nC1:C3 A1 A3,2,,\n",
    ],
    ids=["plain", "any order", "spreadsheet", "quoted", "zero", "padded"],
)
def test_a_table_lists_weights(tmp_path: Path, text: str) -> None:
    prior = load_prior(write(tmp_path, text), GAME)
    assert isinstance(prior, TablePrior)
    assert prior.name == "weights.txt"
    weights = prior.whole_weights(all_of(GAME)).weights
    assert weights.dtype == np.int64
    assert weights.tolist() == [0, 0, 5, 2]


@examples(40)
@given(st.sampled_from(TINY), st.data())
def test_a_table_written_is_read_back(rules: Rules, data: st.DataObject) -> None:
    layouts = all_of(rules)
    numbers = st.integers(0, 9) | st.integers(0, 10**6)
    weights = data.draw(st.lists(numbers, min_size=len(layouts), max_size=len(layouts)))
    weights[data.draw(st.integers(0, len(layouts) - 1))] += 1  # so that one is possible
    lines = []
    for row in data.draw(st.permutations(range(len(layouts)))):
        names = data.draw(st.permutations(layouts.names(row)))
        if weights[row] or data.draw(st.booleans()):
            lines.append(f"{' '.join(names)},{weights[row]}")
    text = "\n".join(["layout,weight", *lines])
    assert weights_of(text, layouts) == weights


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("A1:A3 C1 D3,1", "cell 'D3' is off the board 3x3"),
        ("A1:A3 C1 ?,1", "cell '?'"),
        ("A1:B3 C1 C3,1", "neither in one row nor in one column"),
        ("A1:A2:A3 C1 C3,1", "write its two ends"),
        ("A1:A2 C1 C3,1", "has length 2, and the fleet 3,1,1 has no such ship"),
        ("A1:A3 C1,1", "its ships are 3,1, not 3,1,1"),
        ("A1:A3 C1 C2 C3,1", "its ships are 3,1,1,1, not 3,1,1"),
        ("A1:A3 C1:C3 B2,1", "its ships are 3,3,1, not 3,1,1"),
        ("A1:A3 C1 C2,1", "C1 and C2 touch, which contact rule 'none' forbids"),
        ("A1:A3 C1 C1,1", "C1 and C1 overlap"),
        ("A1:A3 C1 C3,-1", "weight '-1' is negative"),
        ("A1:A3 C1 C3,1.5", "weight '1.5' is no whole number"),
        ("A1:A3 C1 C3,many", "weight 'many' is no whole number"),
        ("A1:A3 C1 C3,nan", "weight 'nan' is no whole number"),
        ("A1:A3 C1 C3,\u0665", "is no whole number"),
        ("A1:A3 C1 C3," + "9" * 5000, "is no whole number"),
        ("A1:A3 C1 C3", "has 1 column instead of 2"),
        ("A1:A3,C1,C3,1", "has 4 columns instead of 2"),
        ("A1:A3 C1 C3,", "the weight is missing"),
        (",3", "the layout is missing"),
        ('"A1:A3,,C1",3', "a ship is missing"),
        ("A" * 100 + ",3", "cannot be read"),
        ("A1:A3 C1 C3,\x00" + "x" * 200_000, "no line of CSV|has|is no whole number"),
    ],
)
def test_every_bad_line_of_a_table_is_named(tmp_path: Path, line: str, why: str) -> None:
    message = refused(tmp_path, f"layout,weight\n\nA1:C1 A3 C3,1\n{line}\n")
    assert message.startswith(", line 4: ")
    assert re.search(why, message), message
    assert len(message) < 300


def test_a_layout_listed_twice_is_refused_with_both_lines(tmp_path: Path) -> None:
    message = refused(tmp_path, TABLE + "A1:C1 A3 C3,1\nC3 C1 A1:A3,5\n")
    assert message.startswith(", line 5: layout A1:A3 C1 C3 is listed already in line 2")


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("layout,weights", 1),
        ("weight,layout", 1),
        ("layout;weight", 1),
        ("\n# of mine\nlayout weight", 3),
        ("layout", 1),
        ("layout,weight,seen", 1),
        ("placement", 1),
        ("product", 1),
        ("game", 1),
        ("games,1,2", 1),
        ("A1:A3 C1 C3,5", 1),
        ("A1:A3 C1 C3", 1),
        ("1 2 3", 1),
        ("1,2,3", 1),
    ],
)
def test_a_wrong_first_line_is_refused(tmp_path: Path, header: str, line: int) -> None:
    text = f"{header}\nA1:A3 C1 C3,5\n"
    shown = repr(header.splitlines()[-1])
    message = refused(tmp_path, text)
    assert message == (
        f", line {line}: the first line says the kind of prior, one of layout,weight "
        f"placement,weight cells,product cells,sum games, not {shown}"
    )


def test_a_table_needs_layouts_that_can_be(tmp_path: Path) -> None:
    assert "has a first line and no weights" in refused(tmp_path, "layout,weight\n\n")
    assert "has a first line and no weights" in refused(tmp_path, "layout,weight\nboard,3x3\n")
    assert "all are zero" in refused(tmp_path, "layout,weight\nA1:A3 C1 C3,0\n")


def test_all_others_may_have_a_weight(tmp_path: Path) -> None:
    assert weights_of(TABLE.replace("\n", "\nothers,3\n", 1), all_of(GAME)) == [3, 3, 5, 2]
    assert "'others' is given twice" in refused(tmp_path, "layout,weight\nothers,1\nothers,1\n")
    message = refused(tmp_path, TABLE.replace("\n", "\nothers,-3\n", 1))
    assert message.startswith(", line 2: weight '-3' is negative")


# Placements


def test_placements_are_weighed(tmp_path: Path) -> None:
    rules = Rules("1x5", "2,1")
    text = "placement,weight\nA1:B1,0.5\n D1:E1 , 2\nA1,1\nD1,1e1\nb1,1\nE1,.25\n"
    prior = read(text, rules)
    assert isinstance(prior, ProductPrior)
    assert prior.cells is None
    found = {in_line(all_of(rules), i): w for i, w in enumerate(weights_of(text, all_of(rules)))}
    assert found == {
        "A1:B1 D1": 40, "A1:B1 E1": 1, "B1:C1 E1": 0, "C1:D1 A1": 0, "D1:E1 A1": 16, "D1:E1 B1": 16,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("A1:A2,1", "has length 2, and the fleet 3,1,1 has no such ship"),
        ("D1,1", "cell 'D1' is off the board"),
        ("A3:A1,1", "ship A1:A3 is listed already in line 2"),
        ("A1,-1", "'-1' is negative; weights start at 0"),
        ("A1,x", "'x' is no number"),
        ("A1,inf", "'inf' is no number"),
        ("A1,1/3", "'1/3' is no number"),
        ("A1,1e999999999", "'1e999999999' has too many digits"),
        ("A1,", "the weight is missing"),
        (",1", "the placement is missing"),
        ("A1", "has 1 column instead of 2: write a placement, a comma and its weight"),
        ("A1,1,1", "has 3 columns instead of 2"),
    ],
)
def test_every_bad_placement_is_named(tmp_path: Path, line: str, why: str) -> None:
    message = refused(tmp_path, f"placement,weight\nA1:A3,1\nC1,1\n{line}\n")
    assert message.startswith(", line 4: ")
    assert why in message


def test_every_ship_needs_a_placement(tmp_path: Path) -> None:
    message = refused(tmp_path, "placement,weight\nA1:A3,1\nA1,0\n")
    assert (
        message == ": placements: those of a ship of length 1 all weigh 0, so no layout is possible"
    )


# Grids

tokens = st.one_of(
    st.integers(0, 3).map(str),
    st.integers(0, 10**4).map(str),
    st.sampled_from(["0", "0.5", ".25", "1.", "+2", "007", "1e-3", "2.5E2", "0.1", "0.3"]),
    st.decimals(0, 100, places=3).map(str),
)
separators = st.sampled_from([" ", ",", ", ", "\t", "  ", " ,"])


@examples(150)
@given(st.sampled_from(TINY), st.sampled_from(["product", "sum"]), separators, st.data())
def test_grids_are_read_exactly(
    rules: Rules, rule: str, separator: str, data: st.DataObject
) -> None:
    cells = rules.board.cells
    numbers = data.draw(st.lists(tokens, min_size=cells, max_size=cells))
    text = f"cells,{rule}\n{text_of(rules, numbers, separator)}"
    weights = [Fraction(token) for token in numbers]
    try:
        expected = (
            ProductPrior.of_cells(rules, weights)
            if rule == "product"
            else SumPrior(rules, tuple(weights))
        )
    except WeightsError:
        with pytest.raises(WeightsError, match=r"every number is 0|so no layout is possible"):
            read(text, rules)
        return
    found = read(text, rules)
    assert found == expected
    assert isinstance(found, ProductPrior | SumPrior)
    assert found.cells == tuple(weights)


def test_a_grid_prefers_where_it_is_heavy() -> None:
    grid = "# sides first\n2, 2, 2\n\n2, 1, 2\n2, 2, 2\n"
    layouts = all_of(Rules("3x3", "1"))
    for rule in ("product", "sum", " Sum ", '"sum"'):
        weights = weights_of(f"cells,{rule}\n{grid}", layouts)
        assert np.reshape(weights, (3, 3)).tolist() == [[2, 2, 2], [2, 1, 2], [2, 2, 2]]
    assert weights_of("cells,sum\n7 7 7\n7 7 7\n7 7 7", layouts) == [1] * 9


def test_cells_may_be_forced(tmp_path: Path) -> None:
    grid = "1 1 1\n1 1 1\n1 1 1\n"
    assert weights_of(f"cells,product\nforced,A2 c3\n{grid}", all_of(GAME)) == [0, 0, 1, 0]
    assert ", line 2: forced: cell 'D1' is off the board" in refused(
        tmp_path, f"cells,product\nforced,D1\n{grid}"
    )
    assert ", line 2: 'forced' does not go with this kind" in refused(
        tmp_path, f"cells,sum\nforced,A1\n{grid}"
    )
    everything = f"cells,product\nforced,A1 B1 C1 A2 B2 C2\n{grid}"
    assert ": forced: 6 cells are given, and the fleet 3,1,1 has 5" in refused(tmp_path, everything)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 2\n1 2 3\n1 2 3", ", line 2: 2 numbers, and board 3x3 has 3 columns"),
        ("1 2 3\n# a\n1,5 2,5 3,5\n1 2 3", ", line 4: 6 numbers, and board 3x3 has 3 columns"),
        ("1 2 3\n1 2 3", ": the grid has 2 rows, and board 3x3 has 3"),
        ("1 2 3\n" * 4, ", line 5: board 3x3 has 3 rows, this line is one too many"),
        ("1 2 3\n1 -2 3\n1 2 3", ", line 3: '-2' is negative; weights start at 0"),
        ("1 2 3\n1 -0.5 3\n1 2 3", ", line 3: '-0.5' is negative"),
        ("1 2 3\n1 x 3\n1 2 3", ", line 3: 'x' is no number"),
        ("1 2 3\n1 nan 3\n1 2 3", ", line 3: 'nan' is no number"),
        ("1 2 3\n1 inf 3\n1 2 3", ", line 3: 'inf' is no number"),
        ("1 2 3\n1 1_0 3\n1 2 3", ", line 3: '1_0' is no number"),
        ("1 2 3\n1 1/3 3\n1 2 3", ", line 3: '1/3' is no number"),
        ("1 2 3\n1 \u0662 3\n1 2 3", ", line 3: '\u0662' is no number"),
        ("1 2 3\n1 1e999999999 3\n1 2 3", ", line 3: '1e999999999' has too many digits"),
        ("1 2 3\n1 " + "9" * 5000 + " 3\n1 2 3", "has too many digits; round it"),
        ("1,2,3\n1,,3\n1,2,3", ", line 3: there is nothing before or after a comma"),
        ("1,2,3,\n1,2,3\n1,2,3", ", line 2: there is nothing before or after a comma"),
        ("0 0 0\n0 0 0\n0 0 0", ": every number is 0"),
        ("0 0 0\n0 1 0\n0 0 0", ": placements: those of a ship of length 3 all weigh 0"),
        ("A1:A3 C1 C3\n", ", line 2: 'A1:A3' is no number"),
    ],
)
def test_every_bad_grid_is_refused(tmp_path: Path, text: str, why: str) -> None:
    message = refused(tmp_path, f"cells,product\n{text}")
    assert why in message
    assert len(message) < 300


@pytest.mark.parametrize("first", ["cells", "cells,mean", "cells,product,sum", "cells product"])
def test_a_grid_needs_one_of_two_rules(tmp_path: Path, first: str) -> None:
    message = refused(tmp_path, f"{first}\n1 2 3\n1 2 -3\n1 2 3")
    told = "write cells,product or cells,sum" if "," in first or first == "cells" else "first line"
    assert message.startswith(", line 1: ")
    assert told in message


# Games


def test_games_are_counted(tmp_path: Path) -> None:
    text = "games{}\n# May\nA1:A3 C1 C3\n\nA1:C1,A3,C3\nC3, c1, A3:A1\r\n"
    assert weights_of(text.format(""), all_of(GAME)) == [1, 0, 2, 0]
    assert weights_of(text.format(",0"), all_of(GAME)) == [1, 0, 2, 0]
    assert weights_of(text.format(" , 3"), all_of(GAME)) == [4, 3, 5, 3]
    prior = load_prior(write(tmp_path, text.format(",3")), GAME)
    seen = ["A1:A3 C1 C3", "A1:C1 A3 C3", "A1:A3 C1 C3"]
    assert prior == TablePrior.of_games(GAME, seen, smoothing=3)


@examples(40)
@given(st.sampled_from(TINY), st.integers(0, 3), st.data())
def test_games_are_counted_as_by_hand(rules: Rules, smoothing: int, data: st.DataObject) -> None:
    layouts = all_of(rules)
    seen = data.draw(st.lists(st.integers(0, len(layouts) - 1), min_size=1, max_size=30))
    text = "\n".join(in_line(layouts, row) for row in seen)
    count = Counter(seen)
    expected = [count[row] + smoothing for row in range(len(layouts))]
    assert weights_of(f"games,{smoothing}\n{text}", layouts) == expected


def test_layouts_are_found_in_any_order_of_the_enumeration() -> None:
    layouts = all_of(Rules("5x5", "3,2,2,1"))
    assert len(layouts) > 1000
    assert len({in_line(layouts, row) for row in range(len(layouts))}) == len(layouts)
    order = np.random.default_rng(5).permutation(len(layouts))
    mixed = Layouts(layouts.rules, layouts.masks[order], layouts.ships[order])
    numbers = range(1, len(layouts) + 1)
    text = "layout,weight\n" + "\n".join(
        f"{in_line(layouts, row)},{number}" for row, number in enumerate(numbers)
    )
    assert weights_of(text, layouts) == list(numbers)
    assert weights_of(text, mixed) == (order + 1).tolist()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("A1:A3 C1 D3", "cell 'D3' is off the board"),
        ("A1:A3 C1 C2", "touch, which contact rule 'none' forbids"),
        ("A1:A3 C1", "its ships are 3,1, not 3,1,1"),
        ("A1:A3,,C1,C3", "a ship is missing"),
        ("A1:A3 C1 C3,4", "cell '4'"),
        ("nothing", "cell 'nothing'"),
    ],
)
def test_every_bad_game_is_named(tmp_path: Path, line: str, why: str) -> None:
    message = refused(tmp_path, f"games\nA1:A3 C1 C3\n#\n{line}\nA1:A3 C1 C3\n")
    assert message.startswith(", line 4: ")
    assert why in message


@pytest.mark.parametrize("smoothing", ["-1", "0.5", "True", "x", "9" * 5000])
def test_smoothing_is_a_whole_number(tmp_path: Path, smoothing: str) -> None:
    message = refused(tmp_path, f"games,{smoothing}\nA1:A3 C1 C3\n")
    assert re.match(r", line 1: smoothing .*: a whole number from 0 on is needed", message)


# The game of a file

GRID = "1 1 1\n1 1 1\n1 1 1\n"


def test_a_file_may_say_its_game(tmp_path: Path) -> None:
    said = 'cells,sum\nFleet,3 1 1\n"board","3x3"\n# so\ncontact,none\n' + GRID
    prior = load_prior(write(tmp_path, said))
    assert prior is not None
    assert prior == load_prior(write(tmp_path, said), GAME)
    assert prior == read("cells,sum\n" + GRID)
    assert prior.rules == GAME
    assert read(said.replace("3 1 1", '"3,1,1"')) == prior
    hasbro = "placement,weight\nboard,10x10\nfleet,hasbro\ncontact,sides\nA1:E1,1\n"
    with pytest.raises(WeightsError, match="of length 4 all weigh 0"):
        read(hasbro, None)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("board,4x3", ", line 2: the prior is of board 4x3, and the game of board 3x3"),
        ("contact,none\nfleet,2 1", ", line 3: the prior is of fleet 2,1, and the game of fleet"),
        ("contact,sides", ", line 2: the prior is of contact sides, and the game of contact none"),
        ("board,3x3\nboard,3x3", ", line 3: 'board' is given twice"),
        ("board", ", line 2: what 'board' is, is missing"),
        ("board,", ", line 2: what 'board' is, is missing"),
        ("board,three", ", line 2: board 'three': write ROWSxCOLUMNS"),
        ("fleet,3 x", ", line 2: fleet '3,x': 'x' is no ship length"),
        ("contact,any", ", line 2: contact rule 'any' is unknown"),
        ("others,1", ", line 2: 'others' does not go with this kind"),
    ],
)
def test_a_file_of_another_game_is_refused(tmp_path: Path, lines: str, why: str) -> None:
    assert why in refused(tmp_path, f"cells,sum\n{lines}\n{GRID}")


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("", " does not say its board: give the game, or add a line such as board,10x10"),
        ("board,3x3", " does not say its fleet: give the game, or add a line such as fleet,5 4"),
        ("board,3x3\nfleet,3 1 1", " does not say its contact: give the game, or add a line such"),
        ("board,3x3\nfleet,9\ncontact,none", ": fleet 9: a ship of length 9 is longer than"),
    ],
)
def test_a_file_without_a_game_has_to_say_it(tmp_path: Path, lines: str, why: str) -> None:
    assert why in refused(tmp_path, f"cells,sum\n{lines}\n{GRID}", None)


# Any file


@pytest.mark.parametrize("text", ["", "\n \n", "# nothing\n", "\ufeff"])
def test_an_empty_file_is_refused(tmp_path: Path, text: str) -> None:
    assert " is empty" in refused(tmp_path, text)


@examples(200)
@given(
    st.sampled_from(["", "layout,weight\n", "placement,weight\n", "cells,sum\n", "games\n", "{"]),
    st.text(st.sampled_from("A1:C3 ,\n-.e#layoutweigh\"'\0\u2028{}[]"), max_size=60),
)
def test_any_text_is_read_or_refused_on_one_line(
    tmp_path_factory: pytest.TempPathFactory, first: str, text: str
) -> None:
    path = write(tmp_path_factory.getbasetemp(), first + text)
    try:
        prior = load_prior(path, GAME)
    except WeightsError as error:
        message = str(error)
    else:
        message = ""
        assert isinstance(prior, Prior)
    assert len(message.splitlines()) <= 1
