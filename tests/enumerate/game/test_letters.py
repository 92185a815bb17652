"""Columns in Latin and in Russian letters: both ways, in files, and no part of a game."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import examples

from seabattle import (
    Counter,
    Position,
    ProductPrior,
    Rules,
    SumPrior,
    TablePrior,
    enumerate_layouts,
    load_position,
    load_prior,
    load_tree,
    replay,
    save_position,
    save_prior,
    save_tree,
    solve,
    svg,
    tournament,
)
from seabattle.enumerate.board import Board, Letters, column_name, column_number
from seabattle.enumerate.errors import BoardError, RulesError
from seabattle.enumerate.map import heatmap_svg
from seabattle.enumerate.placements import Placement, placement_table
from seabattle.enumerate.position_files import position_of_text, position_text
from seabattle.enumerate.rules import GAME_FIELDS
from seabattle.solver.search.checkpoint import problem_digest
from seabattle.solver.search.problem import as_problem

quick = examples(60)
alphabets = st.sampled_from(Letters)
boards = st.builds(Board, st.integers(1, 12), st.integers(1, 40), alphabets)

RUSSIAN = "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ"


@quick
@given(boards, st.data())
def test_names_round_trip_and_letters_are_no_identity(board, data):
    cell = data.draw(st.integers(0, board.cells - 1))
    name = board.name(cell)
    assert board.cell(name) == board.cell(name.lower()) == board.cell(f" {name} ") == cell
    plain = Board(board.rows, board.columns)
    assert (board, hash(board)) == (plain, hash(plain))
    assert board.lettered(Letters.LATIN).name(cell) == plain.name(cell)
    made = eval(repr(board), {"Board": Board, "Letters": Letters})
    assert (made, made.letters) == (board, board.letters)


@quick
@given(alphabets, st.integers(0, 30_000))
def test_columns_are_counted_in_their_letters(letters, column):
    assert column_number(column_name(column, letters), letters) == column


def test_the_russian_alphabet_is_the_one_of_boards():
    names = [column_name(column, Letters.RUSSIAN) for column in range(30)]
    assert names == [*RUSSIAN, "АА", "АБ"]
    board = Board(10, 10, Letters.RUSSIAN)
    plain = Board(10, 10)
    for name, same in {"В5": "C5", "Е5": "F5", "К10": "J10", "Б2": "B2", "и 1": "I1"}.items():
        assert board.cell(name) == plain.cell(same)


@pytest.mark.parametrize(
    ("letters", "name", "says"),
    [
        ("latin", "В5", ["B5 as it looks", "C5 as column 3", "--letters russian", "type B5"]),
        ("latin", "5е", ["E5 as it looks", "F5 as column 6"]),
        ("latin", "Б5", ["B5 as column 2", "--letters russian", "type B5"]),
        ("latin", "К10", ["J10 as column 10"]),
        ("latin", "А1", ["type A1, or say --letters russian"]),
        ("latin", "С5", ["type C5, or say --letters russian"]),  # column 18 is off the board
        ("latin", "Ю5", ["is off the board 10x10, A1 to J10"]),
        ("latin", "Й5", ["write a letter for the column"]),
        ("russian", "B5", ["В5 as it looks", "Б5 as column 2", "--letters latin"]),
        ("russian", "Й5", ["from А1 to К10, without Ё and Й"]),
        ("russian", "АB5", ["write a letter for the column"]),
    ],
)
def test_letters_of_the_other_alphabet_are_refused_with_both_readings(letters, name, says):
    with pytest.raises(BoardError) as caught:
        Board(10, 10, Letters(letters)).cell(name)
    for each in says:
        assert each in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_alphabet_is_refused():
    with pytest.raises(RulesError, match="alphabet 'greek' is unknown; the alphabets are latin, r"):
        Rules("3x3", "2", letters="greek")


def test_games_that_differ_in_letters_are_one_game():
    plain = Rules("4x5", "3,2,1", answers="sunk", blocked="C3")
    russian = Rules("4x5", "3,2,1", answers="sunk", blocked="В3", letters="russian")
    assert (plain, hash(plain)) == (russian, hash(russian))
    assert "letters" not in GAME_FIELDS
    assert "letters" not in plain.document()
    assert russian.document() == {**plain.document(), "blocked": "В3", "letters": "russian"}
    for rules in (plain, russian):
        again = Rules.of_document(rules.document())
        assert (again, again.letters) == (rules, rules.letters)
        again = eval(repr(rules), {"Rules": Rules})
        assert (again, repr(again)) == (rules, repr(rules))
    weights = [1] * 20
    assert SumPrior(plain, weights) == SumPrior(russian, weights)
    digests = {problem_digest(as_problem(r)) for r in (plain, russian)}
    assert len(digests) == 1


@pytest.mark.parametrize("first", Letters)
def test_what_is_remembered_names_cells_as_each_game_does(first):
    """Both games, one after the other, whichever is asked about first in this process."""
    rules = Rules("4x4", "2,1").lettered(first)
    for letters in (*Letters, *Letters):
        game = rules.lettered(letters)
        table = placement_table(game)
        assert [str(p) for p in table.placements] == [
            str(Placement(game.board, p.cells)) for p in table.placements
        ]
        assert table.parse_layout(table.names([0, 39])) == (0, 39)
        best = Counter(game).map().best_shots
        assert {column_number(name[0], letters) is None for name in best} == {False}
        assert column_number(solve(game).best_shots[0][0], letters) is not None
        names = enumerate_layouts(game).names(0)
        assert names[0][0] == letters.alphabet[0]


@pytest.mark.parametrize("letters", Letters)
def test_files_keep_the_letters(letters, tmp_path):
    rules = Rules("3x4", "2,1", answers="sunk", letters=letters)
    b2, c1 = rules.board.name("B2" if letters == "latin" else "Б2"), rules.board.name(2)
    position = Position(rules).shoot(b2, "miss").shoot(c1, "hit")
    save_position(position, tmp_path / "game.json")
    kept = json.loads((tmp_path / "game.json").read_text())
    assert kept.get("letters") == (None if letters == "latin" else "russian")
    tree = solve(position).tree
    save_tree(tree, tmp_path / "tree.json")
    prior = SumPrior(rules, range(12))
    for name in ("prior.json", "prior.csv"):
        save_prior(prior, tmp_path / name)
        read = load_prior(tmp_path / name)
        assert (read, read.rules.letters) == (prior, letters)
    read = load_position(tmp_path / "game.json")
    assert (read, read.words, read.rules.letters) == (position, position.words, letters)
    assert position_text(read) == position_text(position)
    tree = load_tree(tmp_path / "tree.json")
    layout = " ".join(placement_table(tree.rules).names(tree.ships[0]))
    assert replay(tree, layout)[0][0] == tree.rules.board.name(tree.root.shot)
    for drawn in (svg(tree), heatmap_svg(Counter(rules).map())):
        assert f">{letters.alphabet[2]}</text>" in drawn
        assert f">{next(o for o in Letters if o != letters).alphabet[2]}</text>" not in drawn


@pytest.mark.parametrize("prior", [None, "sum", "product", "table"])
def test_a_tournament_goes_on_in_other_letters(prior, tmp_path):
    """What a journal holds of the games, and of what players believe, is named in one way."""
    for letters in (*Letters, "latin"):
        rules = Rules("3x3", "2,1", letters=letters)
        believed = {
            None: None,
            "sum": SumPrior(rules, range(9)),
            "product": ProductPrior.of_cells(rules, range(1, 10)),
            "table": TablePrior(rules, {(0, 20): 2}, 1),
        }[prior]
        found = tournament(
            rules, ["random", "greedy-map"], games=4, prior=believed, journal=tmp_path / "journal",
            resume=True,
        )  # fmt: skip
        assert found.position.rules.letters == letters


@pytest.mark.parametrize("letters", Letters)
def test_records_of_a_map_name_columns_as_its_cells(letters):
    for row in Counter(Rules("2x3", "2", letters=letters)).map().records():
        assert row["cell"] == f"{row['column']}{row['row']}"


def test_a_file_can_be_shown_in_other_letters():
    text = position_text(Position.in_order(Rules("3x3", "2"), "C1 miss"))
    shown = position_of_text(text, letters="russian")
    assert shown.words == "В1 miss"
    assert position_of_text(position_text(shown)).words == "В1 miss"
    assert position_of_text(position_text(shown), letters="latin").words == "C1 miss"
