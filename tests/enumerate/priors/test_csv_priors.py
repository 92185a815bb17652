"""Priors as CSV: every kind, every error with its line, exactness."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples
from support.prior_games import GAME, all_of, in_line, write

from seabattle.enumerate.errors import WeightsError
from seabattle.enumerate.layouts import Layouts
from seabattle.enumerate.priors.files import load_prior, read_prior
from seabattle.enumerate.priors.prior import Prior, ProductPrior, TablePrior
from seabattle.enumerate.rules import Rules


def read(text: str, rules: Rules | None = GAME) -> Prior:
    return read_prior(text, "weights", "", rules)


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
        "layout,weight\nfleet,3;1;1\nA1:A3;C1;C3,5\nC1:C3; A1; A3,2\n",
    ],
    ids=["plain", "any order", "spreadsheet", "quoted", "zero", "padded", "semicolons"],
)
def test_a_table_lists_weights(tmp_path: Path, text: str) -> None:
    prior = load_prior(write(tmp_path, text), GAME)
    assert isinstance(prior, TablePrior)
    assert prior.name == "weights.txt"
    weights = prior.whole_weights(all_of(GAME)).weights
    assert weights.dtype == np.int64
    assert weights.tolist() == [0, 0, 5, 2]


def test_a_layout_listed_twice_is_refused_with_both_lines(tmp_path: Path) -> None:
    message = refused(tmp_path, TABLE + "A1:C1 A3 C3,1\nC3 C1 A1:A3,5\n")
    assert message.startswith(", line 5: layout A1:A3 C1 C3 is listed already (")


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("layout,weights", 1),
        ("layout;weight", 1),
        ("\n# of mine\nlayout weight", 3),
        ("layout,weight,seen", 1),
        ("A1:A3 C1 C3,5", 1),
        ("1,2,3", 1),
    ],
)
def test_a_wrong_first_line_is_refused(tmp_path: Path, header: str, line: int) -> None:
    text = f"{header}\nA1:A3 C1 C3,5\n"
    message = refused(tmp_path, text)
    assert message.startswith(f", line {line}: the first line says the kind of prior, one of ")


def test_all_others_may_have_a_weight(tmp_path: Path) -> None:
    assert weights_of(TABLE.replace("\n", "\nothers,3\n", 1), all_of(GAME)) == [3, 3, 5, 2]
    assert "'others' is given twice" in refused(tmp_path, "layout,weight\nothers,1\nothers,1\n")
    message = refused(tmp_path, TABLE.replace("\n", "\nothers,-3\n", 1))
    assert message.startswith(", line 2: '-3' is not a weight")


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


# Games


def test_games_are_counted(tmp_path: Path) -> None:
    text = "games{}\n# May\nA1:A3 C1 C3\n\nA1:C1,A3,C3\nC3, c1, A3:A1\r\n"
    assert weights_of(text.format(""), all_of(GAME)) == [1, 0, 2, 0]
    assert weights_of(text.format(",0"), all_of(GAME)) == [1, 0, 2, 0]
    assert weights_of(text.format(" , 3"), all_of(GAME)) == [4, 3, 5, 3]
    prior = load_prior(write(tmp_path, text.format(",3")), GAME)
    seen = ["A1:A3 C1 C3", "A1:C1 A3 C3", "A1:A3 C1 C3"]
    assert prior == TablePrior.of_games(GAME, seen, smoothing=3)


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


# Any file


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
