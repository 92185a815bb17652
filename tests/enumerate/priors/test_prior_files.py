"""Priors from files: the three formats, every error, exactness, and solving under a prior."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm, prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins import naive
from twins.naive_trees import layouts_by_number

from seabattle.enumerate.errors import FileAccessError, PositionError, WeightsError
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.layouts.enumeration import Layouts, enumerate_layouts
from seabattle.enumerate.layouts.table import DecisionTable
from seabattle.enumerate.layouts.weights import MAX_TOTAL
from seabattle.enumerate.priors import grids
from seabattle.enumerate.priors.prior_files import (
    read_weights,
    weights_from_games,
    weights_from_grid,
    weights_from_table,
)
from seabattle.solver.search.hit_search import HitSearch
from seabattle.solver.search.kernels import bounds
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.solve import solve, solve_problem
from seabattle.solver.search.workspace import INFEASIBLE
from seabattle.trees.tree.tree_files import load_tree, save_tree
from seabattle.trees.tree.verify import verify

GAME = Rules("3x3", "3,1,1")
TINY = [
    Rules("2x3", "2"),
    Rules("3x3", "2,1"),
    Rules("3x3", "3,1,1"),
    Rules("3x4", "3,2"),
    Rules("1x7", "2,1"),
    Rules("3x3", "2,1", "corners"),
    Rules("2x3", "2,1", "sides"),
    Rules("3x3", "2,2", "sides"),
    Rules("7x10", "1"),
]


@lru_cache(maxsize=64)
def all_of(rules: Rules) -> Layouts:
    return enumerate_layouts(rules)


def naive_rows(layouts: Layouts) -> list[naive.Layout]:
    """Naive layouts in the order of the enumeration."""
    by_number = layouts_by_number(layouts.rules)
    return [by_number[tuple(row)] for row in layouts.ships.tolist()]


def in_line(layouts: Layouts, row: int) -> str:
    return " ".join(layouts.names(row))


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "weights.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refused(folder: Path, text: str | bytes, rules: Rules = GAME, **options: object) -> str:
    """The one line that refuses a file, without the file's name."""
    path = write(folder, text)
    with pytest.raises(WeightsError) as caught:
        read_weights(path, all_of(rules), **options)  # type: ignore[arg-type]
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
    ],
    ids=["plain", "any order", "spreadsheet", "quoted", "zero"],
)
def test_a_table_lists_weights(tmp_path: Path, text: str) -> None:
    weights = read_weights(write(tmp_path, text), all_of(GAME))
    assert weights.dtype == np.int64
    assert weights.tolist() == [0, 0, 5, 2]
    assert weights_from_table(text.lstrip("\ufeff"), all_of(GAME)).tolist() == [0, 0, 5, 2]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(TINY), st.data())
def test_a_table_written_is_read_back(rules: Rules, data: st.DataObject) -> None:
    layouts = all_of(rules)
    numbers = st.integers(0, 9) | st.integers(0, 10**6)
    weights = data.draw(st.lists(numbers, min_size=len(layouts), max_size=len(layouts)).filter(any))
    lines = []
    for row in data.draw(st.permutations(range(len(layouts)))):
        names = data.draw(st.permutations(layouts.names(row)))
        if weights[row] or data.draw(st.booleans()):
            lines.append(f"{' '.join(names)},{weights[row]}")
    text = "\n".join(["layout,weight", *lines])
    assert weights_from_table(text, layouts).tolist() == weights


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
        ("A1:A3 C1 C3,\u0665", "is no whole number"),
        ("A1:A3 C1 C3," + "9" * 5000, "is no whole number"),
        ("A1:A3 C1 C3", "has 1 column instead of 2"),
        ("A1:A3,C1,C3,1", "has 4 columns instead of 2"),
        ("A1:A3 C1 C3,", "the weight is missing"),
        (",3", "the layout is missing"),
        ('"A1:A3,,C1",3', "a ship is missing"),
        ("A" * 100 + ",3", "cannot be read"),
        ("A1:A3 C1 C3,\x00" + "x" * 200_000, "no line of a CSV table|has|is no whole number"),
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
    ],
)
def test_a_wrong_header_is_refused(tmp_path: Path, header: str, line: int) -> None:
    text = f"{header}\nA1:A3 C1 C3,5\n"
    shown = repr(header.splitlines()[-1])
    message = refused(tmp_path, text)
    assert message == f", line {line}: the header of a table must be 'layout,weight', not {shown}"
    with pytest.raises(WeightsError, match=f"line {line}: the header must be 'layout,weight'"):
        weights_from_table(text, all_of(GAME))


def test_a_missing_header_is_asked_for(tmp_path: Path) -> None:
    message = refused(tmp_path, "A1:A3 C1 C3,5\nC1:C3 A1 A3,2\n")
    assert message.startswith(", line 1: 'A1:A3 C1 C3,5' ends in a number")
    assert "needs 'layout,weight' as its first line" in message


def test_a_table_needs_layouts_that_can_be(tmp_path: Path) -> None:
    assert "has a header and no layout" in refused(tmp_path, "layout,weight\n\n")
    assert "all are zero" in refused(tmp_path, "layout,weight\nA1:A3 C1 C3,0\n")
    most = (MAX_TOTAL - 1) // 9
    text = f"layout,weight\nA1:A3 C1 C3,{most}\nC1:C3 A1 A3,"
    assert read_weights(write(tmp_path, f"{text}0"), all_of(GAME)).sum() == most
    message = refused(tmp_path, f"{text}1")
    assert f"add up to {most + 1} or more" in message
    assert f"the sum stays below {MAX_TOTAL // 9}; use smaller or rounder" in message
    assert "about 10^40" in refused(tmp_path, text + "9" * 40)
    part = Layouts(GAME, all_of(GAME).masks[:2], all_of(GAME).ships[:2])
    with pytest.raises(WeightsError, match="line 2: this layout is not among"):
        weights_from_table(TABLE, part)


# Grids


def naive_grid(layouts: Layouts, cells: list[Fraction], rule: str) -> list[int]:
    """Weights in lowest terms, by fractions."""
    combine = prod if rule == "product" else sum
    exact = [
        Fraction(combine(cells[cell] for cell in naive.cells_of(layout)))
        for layout in naive_rows(layouts)
    ]
    scale = lcm(*(weight.denominator for weight in exact))
    whole = [int(weight * scale) for weight in exact]
    common = gcd(*whole)
    return [weight // common for weight in whole] if common else whole


def text_of(rules: Rules, tokens: list[str], separator: str = " ") -> str:
    columns = rules.board.columns
    rows = [tokens[i : i + columns] for i in range(0, len(tokens), columns)]
    return "\n".join(separator.join(row) for row in rows)


tokens = st.one_of(
    st.integers(0, 3).map(str),
    st.integers(0, 10**4).map(str),
    st.sampled_from(["0", "0.5", ".25", "1.", "+2", "007", "1e-3", "2.5E2", "0.1", "0.3"]),
    st.decimals(0, 100, places=3).map(str),
)
separators = st.sampled_from([" ", ",", ", ", "\t", "  ", " ,"])


@settings(max_examples=250, deadline=None)
@given(st.sampled_from(TINY), st.sampled_from(["product", "sum"]), separators, st.data())
def test_grids_weigh_exactly(rules: Rules, rule: str, separator: str, data: st.DataObject) -> None:
    layouts = all_of(rules)
    cells = rules.board.cells
    numbers = data.draw(st.lists(tokens, min_size=cells, max_size=cells))
    text = text_of(rules, numbers, separator)
    expected = naive_grid(layouts, [Fraction(token) for token in numbers], rule)
    if not any(expected):
        with pytest.raises(WeightsError, match=r"every number is 0|every layout weighs 0"):
            weights_from_grid(text, layouts, rule)
    elif sum(expected) * cells >= MAX_TOTAL:
        with pytest.raises(WeightsError, match="smaller or rounder numbers, such as 1, 2 and 3"):
            weights_from_grid(text, layouts, rule)
    else:
        weights = weights_from_grid(text, layouts, rule)
        assert weights.dtype == np.int64
        assert weights.tolist() == expected
        if data.draw(st.booleans()):
            assert DecisionTable(layouts, None, weights).total_weight == sum(expected)


@pytest.mark.parametrize("rule", ["product", "sum"])
@pytest.mark.parametrize("chunk", [1, 3, 1 << 16])
def test_numbers_beyond_machine_words_stay_exact(
    monkeypatch: pytest.MonkeyPatch, rule: str, chunk: int
) -> None:
    """Weights far beyond 2^63 that come down to small ones by their common divisor."""
    monkeypatch.setattr(grids, "LAYOUTS_AT_ONCE", chunk)
    rules = Rules("2x3", "2")
    for base in (10**12, 10**30, 3**60):
        numbers = [base, base, base, base, 2 * base, 1]
        if rule == "product":
            numbers[5] = 0
        else:
            numbers[5] = 3 * base
        expected = naive_grid(all_of(rules), [Fraction(n) for n in numbers], rule)
        weights = weights_from_grid(text_of(rules, [str(n) for n in numbers]), all_of(rules), rule)
        assert weights.tolist() == expected
    mixed = ["1e12", "1e-12", "1e12", "1e-12", "1e12", "1e-12"]  # neighbours: products of 1
    weights = weights_from_grid(text_of(rules, mixed), all_of(rules), "product")
    assert weights.tolist() == [1] * len(all_of(rules))
    wide = Rules("2x47", "45")
    with pytest.raises(WeightsError, match=r"add up to about 10\^\d+ or more"):
        weights_from_grid(
            text_of(wide, ["7e99"] * 47 + ["3e-99"] * 47), enumerate_layouts(wide), rule
        )
    huge = "1e99 1e-99 1\n1 1 1"
    with pytest.raises(WeightsError, match=r"add up to about 10\^\d+ or more"):
        weights_from_grid(huge, all_of(rules), rule)


def test_weights_that_fit_one_by_one_may_be_too_large_together() -> None:
    layouts = all_of(Rules("3x3", "2,1"))
    with pytest.raises(WeightsError, match="too large for exact totals on 9 cells"):
        weights_from_grid("1 99999 9999\n99998 1 99997\n9998 99 99991", layouts, "product")
    weights = weights_from_grid("1 999 999\n998 1 997\n998 99 991", layouts, "product")
    assert int(weights.sum()) * 9 < MAX_TOTAL


def test_a_grid_prefers_where_it_is_heavy(tmp_path: Path) -> None:
    path = write(tmp_path, "# sides first\n2, 2, 2\n\n2, 1, 2\n2, 2, 2\n")
    layouts = all_of(Rules("3x3", "1"))
    for rule in ("product", "sum", " Sum "):
        weights = read_weights(path, layouts, rule=rule)
        assert weights.reshape(3, 3).tolist() == [[2, 2, 2], [2, 1, 2], [2, 2, 2]]
    even = weights_from_grid("7 7 7\n7 7 7\n7 7 7", layouts, "sum")
    assert even.tolist() == [1] * 9
    assert len(DecisionTable(layouts, None, even).weights) == 0  # uniform


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 2\n1 2 3\n1 2 3", ", line 1: 2 numbers, and board 3x3 has 3 columns"),
        ("1 2 3\n# a\n1,5 2,5 3,5\n1 2 3", ", line 3: 6 numbers, and board 3x3 has 3 columns"),
        ("1 2 3\n1 2 3", ": the grid has 2 rows, and board 3x3 has 3"),
        ("1 2 3\n" * 4, ", line 4: board 3x3 has 3 rows, this line is one too many"),
        ("1 2 3\n1 -2 3\n1 2 3", ", line 2: '-2' is negative; weights start at 0"),
        ("1 2 3\n1 -0.5 3\n1 2 3", ", line 2: '-0.5' is negative"),
        ("1 2 3\n1 x 3\n1 2 3", ", line 2: 'x' is no number"),
        ("1 2 3\n1 nan 3\n1 2 3", ", line 2: 'nan' is no number"),
        ("1 2 3\n1 inf 3\n1 2 3", ", line 2: 'inf' is no number"),
        ("1 2 3\n1 1_0 3\n1 2 3", ", line 2: '1_0' is no number"),
        ("1 2 3\n1 1/3 3\n1 2 3", ", line 2: '1/3' is no number"),
        ("1 2 3\n1 \u0662 3\n1 2 3", ", line 2: '\u0662' is no number"),
        ("1 2 3\n1 1e999999999 3\n1 2 3", ", line 2: '1e999999999' has too many digits"),
        ("1 2 3\n1 " + "9" * 5000 + " 3\n1 2 3", "has too many digits; round it"),
        ("1,2,3\n1,,3\n1,2,3", ", line 2: there is nothing before or after a comma"),
        ("1,2,3,\n1,2,3\n1,2,3", ", line 1: there is nothing before or after a comma"),
        ("0 0 0\n0 0 0\n0 0 0", ": every number is 0"),
        ("0 0 0\n0 1 0\n0 0 0", ": by rule 'product' every layout weighs 0"),
        ("A1:A3 C1 C3\n", ", line 1: 'A1:A3' is no number; a weights rule goes with a grid"),
    ],
)
def test_every_bad_grid_is_refused(tmp_path: Path, text: str, why: str) -> None:
    message = refused(tmp_path, text, rule="product")
    assert why in message
    assert len(message) < 300


def test_a_grid_needs_one_of_two_rules(tmp_path: Path) -> None:
    grid = "1 2 3\n1 2 -3\n1 2 3"
    assert "give --weights-rule product or sum" in refused(tmp_path, grid)
    with pytest.raises(WeightsError, match="'mean' is unknown; the rules are product and sum"):
        read_weights(write(tmp_path, grid), all_of(GAME), rule="mean")


# Games


def test_games_are_counted(tmp_path: Path) -> None:
    text = "# May\nA1:A3 C1 C3\n\nA1:C1,A3,C3\nC3, c1, A3:A1\r\n"
    path = write(tmp_path, text)
    assert read_weights(path, all_of(GAME)).tolist() == [1, 0, 2, 0]
    assert read_weights(path, all_of(GAME), smoothing=3).tolist() == [4, 3, 5, 3]
    assert weights_from_games("A1:A3 C1 C3", all_of(GAME)).tolist() == [0, 0, 1, 0]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(TINY), st.integers(0, 3), st.data())
def test_games_are_counted_as_by_hand(rules: Rules, smoothing: int, data: st.DataObject) -> None:
    layouts = all_of(rules)
    seen = data.draw(st.lists(st.integers(0, len(layouts) - 1), min_size=1, max_size=30))
    text = "\n".join(in_line(layouts, row) for row in seen)
    count = Counter(seen)
    expected = [count[row] + smoothing for row in range(len(layouts))]
    assert weights_from_games(text, layouts, smoothing=smoothing).tolist() == expected


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
    assert weights_from_table(text, layouts).tolist() == list(numbers)
    assert weights_from_table(text, mixed).tolist() == (order + 1).tolist()


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
    message = refused(tmp_path, f"A1:A3 C1 C3\n#\n{line}\nA1:A3 C1 C3\n")
    assert message.startswith(", line 3: ")
    assert why in message


@pytest.mark.parametrize("smoothing", [-1, 0.5, True, "1"])
def test_smoothing_is_a_whole_number(smoothing: object) -> None:
    with pytest.raises(WeightsError, match=r"smoothing .*: a whole number from 0 on is needed"):
        weights_from_games("A1:A3 C1 C3", all_of(GAME), smoothing=smoothing)  # type: ignore[arg-type]


def test_smoothing_must_leave_totals_exact() -> None:
    for smoothing in (MAX_TOTAL // 36 + 1, 10**40):
        with pytest.raises(WeightsError, match=r"too large .*; use a smaller smoothing"):
            weights_from_games("A1:A3 C1 C3", all_of(GAME), smoothing=smoothing)


# Any file


@pytest.mark.parametrize("text", ["", "\n \n", "# nothing\n", "\ufeff"])
@pytest.mark.parametrize("rule", [None, "sum"])
def test_an_empty_file_is_refused(tmp_path: Path, text: str, rule: str | None) -> None:
    assert " is empty" in refused(tmp_path, text, rule=rule)


def test_a_file_must_be_readable_text(tmp_path: Path) -> None:
    for raw in ("layout,weight\n".encode("utf-16"), b"\xff\xfe\x00", b"A1:A3 C1 C\xe9"):
        assert "must be UTF-8 text" in refused(tmp_path, raw)
    for path in (tmp_path / "none.csv", tmp_path, "a\0b", "a\nb\u2028c"):
        with pytest.raises(FileAccessError, match="cannot read") as caught:
            read_weights(path, all_of(GAME))
        assert len(str(caught.value).splitlines()) == 1


def test_options_that_do_not_go_with_the_file_are_refused(tmp_path: Path) -> None:
    assert "takes no weights rule" in refused(tmp_path, TABLE, rule="sum")
    assert "a table of layouts takes no smoothing" in refused(tmp_path, TABLE, smoothing=1)
    grid = "1 1 1\n1 1 1\n1 1 1"
    assert "a grid takes no smoothing" in refused(tmp_path, grid, rule="sum", smoothing=1)


@settings(max_examples=200, deadline=None)
@given(
    st.text(st.sampled_from("A1:C3 ,\n-.e#layoutweigh\"'\0\u2028"), max_size=60),
    st.sampled_from([None, "product", "sum"]),
)
def test_any_text_is_read_or_refused_on_one_line(
    tmp_path_factory: pytest.TempPathFactory, text: str, rule: str | None
) -> None:
    path = write(tmp_path_factory.getbasetemp(), text)
    try:
        weights = read_weights(path, all_of(GAME), rule=rule)
    except WeightsError as error:
        message = str(error)
    else:
        message = ""
        assert weights.shape == (4,)
        assert weights.min() >= 0
        assert weights.any()
    assert len(message.splitlines()) <= 1


# Solving under a prior


def weights_for(layouts: Layouts, most: int = 4) -> st.SearchStrategy[list[int]]:
    return st.lists(
        st.sampled_from([0, 0, *range(1, most), 50]), min_size=len(layouts), max_size=len(layouts)
    ).filter(any)


SOLVED = [
    Rules("3x3", "3,1,1"),
    Rules("2x3", "2"),
    Rules("3x3", "2"),
    Rules("1x7", "2,1"),
    Rules("2x4", "2,1"),
    Rules("2x3", "2,1", "corners"),
    Rules("2x3", "2,1", "sides"),
    Rules("2x3", "2,2", "sides"),
]


@pytest.mark.parametrize("answers", ["hit", "sunk", "ship"])
@settings(max_examples=25, deadline=None)
@given(st.sampled_from(SOLVED), st.data())
def test_solving_under_a_prior_agrees_with_the_naive_search(
    answers: str, game: Rules, data: st.DataObject
) -> None:
    rules = Rules(game.board, game.fleet, game.contact.value, answers)
    layouts = all_of(rules)
    weights = data.draw(weights_for(layouts))
    lines = [f"{in_line(layouts, row)},{weight}" for row, weight in enumerate(weights) if weight]
    read = weights_from_table("\n".join(["layout,weight", *lines]), layouts)
    table = DecisionTable(layouts, None, read)
    rows = naive_rows(layouts)
    expected = naive.optimum(
        rows,
        answers,
        contact=rules.contact.value,
        weights=dict(zip(rows, weights, strict=True)),
    )
    for objective in ("mean", "worst", "mean-worst", "worst-mean", "pareto"):
        solution = solve(table, objective)
        assert solution.status == "optimal"
        assert solution.weight == sum(weights)
        assert solution.mean_misses == Fraction(solution.total_misses, sum(weights))
        point = solution.worst_misses, solution.total_misses
        if objective == "mean":
            assert point[1] == expected["mean"]
        elif objective == "worst":
            assert point[0] == expected["worst"]
        elif objective == "pareto":
            front = tuple((tree.worst_misses, tree.total_misses) for tree in solution.front)
            assert front == expected["pareto"]
        else:
            assert point == expected[objective]


@pytest.mark.parametrize("answers", ["hit", "sunk"])
@pytest.mark.parametrize("contact", ["none", "sides"])
def test_the_tree_of_a_prior_is_saved_loaded_and_verified(
    tmp_path: Path, answers: str, contact: str
) -> None:
    rules = Rules("3x3", "2,1", contact, answers)
    layouts = all_of(rules)
    weights = weights_from_grid("2 1.5 0\n1.5 1 0.5\n2 1.5 2", layouts, "product")
    assert (weights == 0).any()
    table = DecisionTable(layouts, None, weights)
    solution = solve(table)
    path = tmp_path / "tree.json"
    save_tree(solution.tree, path)
    tree = load_tree(path)
    assert tree.weight == solution.weight == int(weights.sum())
    by_layout = dict(zip(map(tuple, layouts.ships.tolist()), weights.tolist(), strict=True))
    assert tree.weights.tolist() == [by_layout[tuple(row)] for row in tree.ships.tolist()]
    found = verify(tree)
    assert found.valid, found.problems
    assert (found.total_misses, found.weight) == (solution.total_misses, solution.weight)
    assert found.mean_misses == solution.mean_misses


def test_the_largest_weights_allowed_are_solved() -> None:
    """Totals near the limit, on a board where more than half of all shots miss."""
    layouts = all_of(Rules("4x5", "1,1", "sides"))
    each = (MAX_TOTAL - 1) // 20 // len(layouts)
    plain = solve(DecisionTable(layouts)).total_misses
    table = DecisionTable(layouts, None, np.full(len(layouts), each))
    assert plain * 2 > len(layouts) * 20
    assert solve(table, "worst-mean").total_misses == plain * each < INFEASIBLE


# The lower bound of the search


def root_bound(problem: Problem) -> int:
    lower, reach = problem.bound_arrays()
    ships = problem.rules.fleet.cells - problem.certain.bit_count()
    return int(
        bounds.counting_bound(
            *(len(problem), problem.weight, ships, problem.lightest, problem.heaviest),
            *(0, lower, reach),
        )
    )


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([*SOLVED, Rules("3x3", "2,2", "sides"), Rules("4x4", "3,2,1")]), st.data())
def test_the_root_bound_never_exceeds_the_optimum(rules: Rules, data: st.DataObject) -> None:
    layouts = all_of(rules)
    table = DecisionTable(layouts, None, np.array(data.draw(weights_for(layouts, most=3))))
    problem = Problem(table)
    assert root_bound(problem) <= solve_problem(problem).total_misses
    cell = data.draw(st.integers(0, problem.cells - 1))
    answer = data.draw(st.sampled_from(["hit", "miss"]))
    try:
        part = Problem(table.shoot(cell, answer))
    except (PositionError, WeightsError):  # no layout is left, or none that weighs anything
        return
    assert root_bound(part) <= HitSearch(part).minimize().misses


def test_the_root_bound_uses_the_heaviest_rows() -> None:
    """One heavy layout and light ones: the bound is that of the light ones."""
    layouts = all_of(Rules("3x3", "2"))
    weights = np.ones(len(layouts), dtype=np.int64)
    plain = root_bound(Problem(DecisionTable(layouts, None, weights)))
    weights[0] = 1000
    heavy = Problem(DecisionTable(layouts, None, weights))
    assert root_bound(heavy) == plain <= solve_problem(heavy).total_misses
