"""The command ``book``: an opening book written in advance."""

import json
from pathlib import Path

import pytest

from seabattle import Rules
from seabattle.enumerate import kernels as compiler
from seabattle.solver.players import opening_book, openings
from seabattle.solver.players.opening_book import OpeningBook

GAME = ["--board", "7x7", "--fleet", "4,3,2,1", "--answers", "sunk"]
RULES = Rules("7x7", "4,3,2,1", answers="sunk")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Books of these tests lie in a folder of their own."""
    monkeypatch.setattr(compiler, "KERNEL_FOLDER", tmp_path / "kernels")
    monkeypatch.delenv("SEABATTLE_OPENINGS", raising=False)
    opening_book.book_at.cache_clear()
    yield tmp_path / "openings"
    opening_book.book_at.cache_clear()


def test_a_book_is_written_and_found_again(run, folder):
    status, out, err = run("book", *GAME, "--rare", "5", "--json")
    told = json.loads(out)
    assert (status, err) == (0, "")
    path = Path(told["file"])
    assert path.parent == folder
    assert told["bytes"] == path.stat().st_size > 0
    assert told["complete"] is True
    assert told["positions"] == len(OpeningBook(RULES, symmetric=True, path=path)) > 3
    status, out, err = run("book", *GAME, "--rare", "5")
    assert (status, err) == (0, "")
    assert f"{told['positions']}\n" in out
    assert str(path) in out


def test_ctrl_c_keeps_what_was_found(run, monkeypatch):
    seen = []

    def interrupted(*arguments, progress, **options):
        def told(looked_at, about):
            seen.append((looked_at, about))
            if looked_at == 3:
                raise KeyboardInterrupt
            progress(looked_at, about)

        return openings_built(*arguments, progress=told, **options)

    openings_built = openings.build_openings
    monkeypatch.setattr(openings, "build_openings", interrupted)
    status, out, _ = run("book", *GAME, "--rare", "20", "--json")
    told = json.loads(out)
    assert (status, told["complete"]) == (130, False)
    assert told["positions"] >= 3
    assert len(OpeningBook(RULES, symmetric=True, path=Path(told["file"]))) == told["positions"]
    assert [looked_at for looked_at, _ in seen] == [1, 2, 3]
    monkeypatch.undo()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rare", "0"], "0: must be 1 to 10,000"),
        (["--rare", "10001"], "10001: must be 1 to 10,000"),
        (["--board", "4x4", "--fleet", "3,2"], "no opening book for 4x4, fleet 3,2"),
        (["--prior", "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_bad_input_gets_one_line(run, arguments, message):
    status, out, err = run("book", *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_without_a_folder_the_book_cannot_be_written(run, monkeypatch):
    monkeypatch.setattr(compiler, "KERNEL_FOLDER", None)
    status, out, err = run("book", *GAME, "--rare", "2")
    assert (status, out) == (1, "")
    assert "SEABATTLE_CACHE_DIR" in err
