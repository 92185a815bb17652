"""Position files: the format, and one clear line for every file that is none."""

import copy
import json

import numpy as np
import pytest

from seabattle.enumerate.errors import PositionError
from seabattle.enumerate.layouts import enumerate_layouts, fitting
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import (
    load_position,
    position_document,
    read_document,
    save_position,
)
from seabattle.enumerate.rules import Rules

GAME = Position.in_order(Rules("5x5", "3,2,1", answers="sunk"), "C3 miss, A1 hit, A2 sunk")


def test_the_file_is_the_format_told(tmp_path):
    path = tmp_path / "deep" / "game.json"
    save_position(GAME, path)
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "format": "seabattle-position",
        "version": 1,
        "board": "5x5",
        "fleet": "3,2,1",
        "contact": "none",
        "answers": "sunk",
        "announce": "length",
        "shots": [["C3", "miss"], ["A1", "hit"], ["A2", "sunk"]],
    }
    assert list(path.parent.iterdir()) == [path]


def test_an_unknown_order_and_known_ships_are_kept(tmp_path):
    rules = Rules("3x4", "3,2", "sides", "sunk", "none")
    position = Position.of_cells(rules, hit=["A3"], sunk=["A1:A2"])
    save_position(position, tmp_path / "game.json")
    document = json.loads((tmp_path / "game.json").read_text())
    assert (document["ordered"], document["ships"]) == (False, ["A1:A2"])
    again = load_position(tmp_path / "game.json")
    layouts = enumerate_layouts(rules)
    assert np.array_equal(fitting(again, layouts), fitting(position, layouts))
    del document["ships"]
    assert fitting(read_document(document), layouts).sum() > fitting(position, layouts).sum()


def changed(field, value):
    document = copy.deepcopy(position_document(GAME))
    document[field] = value
    return document


BAD = [
    ([], "its 'format' is not 'seabattle-position'"),
    (changed("version", 2), "version 2 of the format is unknown; this program reads version 1"),
    (changed("board", 5), "the field 'board' must be text"),
    (changed("fleet", "3,y"), "'y' is not a ship"),
    (changed("order", False), "the field 'order' is unknown; did you mean 'ordered'"),
    (changed("ordered", 0), "'ordered' must be true or false"),
    (changed("ships", ["A1:A3"]), "its cell A3 is not hit"),
    (changed("shots", ["A1 hit"]), "'shots' must be an array of .cell, answer."),
    (changed("shots", [["F1", "hit"]]), "cell 'F1' is off the board 5x5"),
    (changed("shots", [["A1", "hit"], ["B2", "hit"]]), "A1: no ship can lie there"),
    (changed("shots", [["A1", "sunk"], ["C1", "sunk"]]), "sunk ships of length 1: 2"),
    (changed("shots", [["A1", "near" * 9999]]), "answer 'near.*near': write miss, hit, sunk"),
    (changed("ships", ["A1:A2", "A1"]), "hit A1: no ship can lie there"),
]


@pytest.mark.parametrize(("document", "message"), BAD, ids=range(len(BAD)))
def test_bad_documents_are_refused_in_one_line(document, message, tmp_path):
    path = tmp_path / "game.json"
    path.write_text(json.dumps(document))
    with pytest.raises(PositionError, match=message) as caught:
        load_position(path)
    assert str(caught.value).startswith(f"{path} is not a valid position file: ")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300 + len(str(path))


def test_every_cut_is_refused(tmp_path):
    path = tmp_path / "game.json"
    save_position(GAME, path)
    whole = path.read_bytes().rstrip()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(PositionError, match=r"not JSON, or was cut|is empty"):
            load_position(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"format": "seabattle-position", "version": 1, "version": 1}', "'version' is given tw"),
        (b"[" * 100_000, "not JSON, or was cut short"),
        (b'{"version": ' + b"9" * 5000 + b"}", "not JSON, or was cut short"),
    ],
)
def test_damaged_files_are_refused_in_one_line(content, message, tmp_path):
    path = tmp_path / "game.json"
    path.write_bytes(content)
    with pytest.raises(PositionError, match=message):
        load_position(path)
