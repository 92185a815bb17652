"""Boards as people write them: signs, frames, arrays; and one clear line for what is none."""

import json
import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from seabattle import Counter, Position, PositionError, Rules, load_position
from seabattle.enumerate.board import Board, Letters, column_name
from seabattle.enumerate.board_text import KNOWN, read_board
from seabattle.enumerate.position_files import position_of_board, position_of_text

SIGNS = {
    "plain": dict(zip(("unknown", "miss", "hit", "sunk"), ".ox#", strict=True)),
    "capitals": dict(zip(("unknown", "miss", "hit", "sunk"), "~OX#", strict=True)),
    "words": dict(zip(("unknown", "miss", "hit", "sunk"), "-MH#", strict=True)),
    "emoji": dict(zip(("unknown", "miss", "hit", "sunk"), "⬜🌊💥💀", strict=True)),
    "shaped": {"unknown": "⬜\ufe0f", "miss": "💦", "hit": "🔥", "sunk": "☠\ufe0f"},
}
"""Signs that are read without being told."""

TOLD = {"unknown": "~", "miss": "!", "hit": "*", "sunk": "🟥"}
"""Signs that have to be told, with how."""

NUMBERS = {"unknown": "0", "miss": "2", "hit": "-1", "sunk": "3"}


def framed(rows: list[list[str]], style: str, letters: Letters) -> str:
    """A board as one source or another draws it."""
    columns = len(rows[0])
    heads = [column_name(c, letters) for c in range(columns)]
    numbers = [str(c + 1) for c in range(columns)]
    rows_in_letters = [column_name(r, letters) for r in range(len(rows))]
    lines = [" ".join(row) for row in rows]
    if style == "run":
        return "\n".join("".join(row) for row in rows)
    if style == "numbered run":
        return "\n".join(f"{n} {''.join(row)}" for n, row in enumerate(rows, 1))
    if style == "spaces":
        return "\n".join(lines)
    if style == "headed":
        body = [f"{n:>2} {line}" for n, line in enumerate(lines, 1)]
        return "\n".join(["   " + " ".join(heads), *body])
    if style == "from zero":
        body = [f"{n} {line}" for n, line in enumerate(lines)]
        return "\n".join(["  " + " ".join(str(c) for c in range(columns)), *body])
    if style == "rows by letters":
        body = [f"{name} {line}" for name, line in zip(rows_in_letters, lines, strict=True)]
        return "\n".join(["  " + " ".join(numbers), *body])
    if style == "both ends":
        body = [f"{n}: {line}" for n, line in enumerate(lines, 1)]
        return "\n".join(["   " + " ".join(heads), *body, "   " + " ".join(heads)])
    if style == "markdown":
        body = [
            f"| {name} | " + " | ".join(row) + " |"
            for name, row in zip(rows_in_letters, rows, strict=True)
        ]
        return "\n".join(
            ["|   | " + " | ".join(numbers) + " |", "|---" * (columns + 1) + "|", *body]
        )
    if style == "fenced":
        return "\n".join(["```text", *lines, "```"])
    if style == "boxed":
        rule = "+---" * columns + "+"
        body = [f"| {' | '.join(row)} |\n{rule}" for row in rows]
        return "\n".join([rule, *body])
    if style == "bars":
        return "\n".join("│" + "│".join(row) + "│" for row in rows)
    if style in (",", ";", "\t"):
        return "\n".join(style.join(row) for row in rows)
    if style == "csv with names":
        body = [",".join([str(n), *row]) for n, row in enumerate(rows, 1)]
        return "\n".join([",".join(["", *heads]), *body])
    if style == "printed":
        return "[" + ",\n ".join(str(row) for row in rows) + "]"
    if style == "numpy":
        return str(np.array(rows))
    assert style == "json"
    return json.dumps(rows)


STYLES = (
    "run", "numbered run", "spaces", "headed", "from zero", "rows by letters", "both ends",
    "markdown", "fenced", "boxed", "bars", ",", ";", "\t", "csv with names", "printed", "json",
    "numpy",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_empty_cells_of_a_spreadsheet_are_cells(seed):
    chance = random.Random(seed)
    rows, columns = chance.randint(2, 10), chance.randint(2, 10)
    signs = [[chance.choice(["", "", "o", "x"]) for _ in range(columns)] for _ in range(rows)]
    signs[chance.randrange(rows)][chance.randrange(columns)] = "#"
    shown = tuple(KNOWN[sign] for row in signs for sign in row)
    lines = ["\t".join(row) for row in signs]
    heads = "\t".join(["", *(column_name(column) for column in range(columns))])
    named = [heads, *(f"{number}\t{line}" for number, line in enumerate(lines, 1))]
    for text in ("\n".join(lines) + "\n", "\r\n".join(named)):
        drawn = read_board(text)
        assert (drawn.size, drawn.shown) == (f"{rows}x{columns}", shown), text
    if all(map("".join, signs)) and any(row[-1] for row in signs):  # where an editor trims lines
        drawn = read_board("\n".join(line.rstrip() for line in lines))
        assert (drawn.size, drawn.shown) == (f"{rows}x{columns}", shown), lines


def test_a_board_that_is_set_in_by_tabs_has_no_cells_there():
    for text in (
        "\t. x .\n\t. . o\n",
        "\t.x.\n\t..o\n",
        "A B C\n\t. x .\n\t. . o",
        "ABC\n\t.x.\n\t..o",
    ):
        assert (read_board(text).size, read_board(text).shown[5]) == ("2x3", "miss")


@pytest.mark.parametrize("style", STYLES)
def test_boards_in_every_style_of_signs_and_frames_are_read_back(style):
    chance = random.Random(style)
    ways = [(signs, None) for signs in SIGNS.values()]
    ways += [(TOLD, {sign: word for word, sign in TOLD.items()})]
    if style not in ("run", "numbered run"):
        ways += [(NUMBERS, ",".join(f"{sign}={word}" for word, sign in NUMBERS.items()))]
    for (signs, told), letters, _ in product(ways, Letters, range(3)):
        rows, columns = chance.randint(2, 12), chance.randint(3, 12)
        shown = [chance.choice(list(signs)) for _ in range(rows * columns)]
        shown[0], shown[1] = "unknown", "hit"
        text = framed([[signs[s] for s in row] for row in np.reshape(shown, (rows, -1))],
                      style, letters)  # fmt: skip
        drawn = read_board(text, told)
        assert (drawn.size, list(drawn.shown)) == (f"{rows}x{columns}", shown), text
        named = style in ("headed", "both ends", "csv with names")
        assert drawn.letters == (letters if named else None), text


quick = examples(60)


@quick
@given(st.integers(1, 6), st.integers(2, 9), st.sampled_from(Letters), st.data())
def test_what_a_board_writes_is_read_back(rows, columns, letters, data):
    board = Board(rows, columns, letters)
    text = data.draw(st.text(".ox", min_size=board.cells, max_size=board.cells))
    drawn = read_board(board.grid(text))
    meaning = {".": "unknown", "o": "miss", "x": "hit"}
    assert (drawn.size, drawn.letters) == (str(board), letters)
    assert drawn.shown == tuple(meaning[sign] for sign in text)


@pytest.mark.parametrize(
    ("rows", "signs"),
    [
        ([[0, 2, 0], [1, 0, 0]], {2: "miss"}),
        (np.array([[0, 2, 0], [1, 0, 0]]), {2: "miss"}),
        (np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 0.0]]), {"2": "miss"}),
        (np.array([[".", "o", "."], ["x", ".", "."]]), None),
        ([".o.", "x.."], None),
        ([["~", "O", "~"], ["X", "~", "~"]], "~=unknown"),
        (".o.\nx..", None),
    ],
)
def test_arrays_do_the_same(rows, signs):
    rules = Rules("2x3", "2,1", contact="sides")
    position = Position.in_order(rules, "B1 miss, A2 hit")
    assert Position.of_board(rules, rows, signs) == position
    assert position_of_board(rows, signs, fleet="2,1", contact="sides") == position


@pytest.mark.parametrize(
    ("board", "signs", "says"),
    [
        ("~~!\n~*~", None, ["signs ~ ! *, of which ! * are not known", "--signs", "🌊 💦 miss"]),
        ("..~\nx..", None, ["signs . ~, which can all mean unknown"]),
        ("xX.\n...", None, ["signs x X, which can all mean hit"]),
        ("🌊🌊💥\n🌊🌊🌊", None, ["🌊 for water, shot or not"]),
        ("hello\nworld", None, ["signs h e l o w r d", "not known"]),
        ("...\n..", None, ["row 2 of the board has 2 cells, and the first has 3"]),
        ("...", "~=unkown", ["did you mean unknown"]),
        ("...", "~", ["write one of unknown, miss, hit, sunk"]),
        ([[0, 1], [2, 1]], None, ["signs 0 1 2, of which 2 is not known"]),
        ([[0], [1, 1]], None, ["row 2 of the board has 2 cells"]),
        ([], None, ["no cell"]),
        ([1, 2], None, ["no array of rows"]),
        (5, None, ["neither text nor an array"]),
        ([[float("inf"), 0]], None, ["inf"]),
        ("  A B C\n. . .\n. o . x", None, ["counts 3 columns, and row 2 has 4 cells"]),
        ("  1 2 3\n3 . . .\n2 . o .\n1 . . x", None, ["counts 3 columns, and row 1 has 4 cells"]),
    ],
)
def test_what_is_not_understood_is_refused_in_one_line(board, signs, says):
    with pytest.raises(PositionError) as caught:
        read_board(board, signs)
    for each in says:
        assert each in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("text", "signs", "shown"),
    [
        ("0 1 2\n2 1 0", "0=unknown,1=miss,2=hit", ".oxxo."),  # a row that counts
        ("1 2 3\n3 1 2", "1=unknown,2=miss,3=hit", ".oxx.o"),
        ("  0 1 2\n0 1 0 2\n1 0 0 1", "0=unknown,1=miss,2=hit", "o.x..o"),
        ("0 1\n1 0", None, ".xx."),
        ("| |1|2|\n|-|-|-|\n|A|-|x|\n|B|o|-|", None, ".xo."),
        ("  1 2 3 4 5 6 7 8 910\nA . . . . . x . . . o", None, ".....x...o"),
        ("├─┼─┤\n│.│x│\n├─┼─┤\n│o│.│", None, ".xo."),
        ("..x\r\no..\r\n", None, "..xo.."),
    ],
)
def test_rows_and_frames_are_told_apart(text, signs, shown):
    meaning = {".": "unknown", "o": "miss", "x": "hit"}
    assert read_board(text, signs).shown == tuple(map(meaning.get, shown))


def test_a_file_that_is_neither_board_nor_json_says_so(tmp_path):
    path = tmp_path / "board.txt"
    path.write_text("~~!\n~*~\n", encoding="utf-8")
    with pytest.raises(
        PositionError, match=r"board.txt is no JSON, and no board that is read: "
    ) as e:
        load_position(path, fleet="2")
    assert "of which ! * are not known" in str(e.value)
    assert load_position(path, signs="!=miss,*=hit", fleet="2").words == "C1 miss, B2 hit"


def test_a_board_goes_with_what_is_known_beside_it():
    board = "~~O~~\nXXX~~\n~~~~X"
    known = {"sunk": ["A2:C2"]}
    position = position_of_text(board, known=known, fleet="3,2", contact="sides")
    same = Position.of_cells(Rules("3x5", "3,2", "sides", "sunk"), miss=["C1"], hit=["E3"],
                             sunk=["A2:C2"])  # fmt: skip
    assert position == same
    assert Counter(position).count() == Counter(same).count()


def test_boards_of_another_size_are_refused():
    with pytest.raises(PositionError, match="the board 3x3 is given, and rows of 2x3 cells"):
        Position.of_board(Rules("3x3", "2"), "...\n...")


@pytest.mark.parametrize(
    "text",
    [
        "[['.', 'x'], ['o', '.']]",  # as Python prints a list
        "(('.', 'x'), ('o', '.'))",
        "['.x', 'o.']",
        "[['.' 'x'] ['o' '.']]",
        "[['.', 'x'],\n ['o', '.'],]",
        "{{.,x},{o,.}}",
        "\ufeff.x\no.",
        "|   |   |\n|---|---|\n| . | x |\n| o | . |",  # Markdown has a line of heads in any case
        "```\n|   |   |\n|:-:|:-:|\n| . | x |\n| o | . |\n```",
    ],
)
def test_arrays_on_one_line_and_tables_without_heads_keep_their_rows(text):
    drawn = read_board(text)
    assert (drawn.size, drawn.shown) == ("2x2", ("unknown", "hit", "miss", "unknown"))


def test_an_empty_first_row_is_a_row_where_rules_part_all_rows():
    assert read_board("|   |   |\n|---|---|\n|   | x |").size == "2x2"
    assert read_board("|   |   |\n|---|---|\n|   | x |\n|---|---|\n| o |   |").size == "3x2"


@pytest.mark.parametrize("text", ["[[1,0],", "[[1, 0, 0], [1, 0", "[", "[['.', 'x'],\n ['o',"])
def test_an_array_that_is_cut_short_is_no_smaller_board(text):
    with pytest.raises(PositionError, match="cut short"):
        read_board(text)


def test_a_sign_has_one_meaning():
    with pytest.raises(PositionError, match="'a' cannot mean both hit and miss"):
        read_board(". a", "a=hit,a=miss")
    assert read_board(". a", "a=hit,a=hit").shown == ("unknown", "hit")


def test_a_board_in_the_colours_of_a_terminal() -> None:
    plain = "~ ~ ~\n~ o ~\n~ ~ X\n"
    coloured = plain.replace("~", "\x1b[34m~\x1b[0m").replace("X", "\x1b[1;31mX\x1b[m")
    assert read_board(coloured) == read_board(plain)
