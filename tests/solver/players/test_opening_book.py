"""The opening book: it changes no shot, and a file that cannot be trusted changes nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from math import log
from pathlib import Path

import numpy as np
import pytest

from seabattle.enumerate import kernels as compiler
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import PlayerError, SeabattleError
from seabattle.enumerate.layouts import enumerate_layouts
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Rules
from seabattle.solver.players import exact_map, lookahead, opening_book
from seabattle.solver.players.exact_map import GreedyMap
from seabattle.solver.players.lookahead import Lookahead
from seabattle.solver.players.opening_book import OpeningBook, book_path
from seabattle.solver.players.openings import build_openings
from seabattle.trees.replay import HiddenGame

GAMES = [
    Rules(board, fleet, contact, answers)
    for board, fleet in (("4x4", "3,2,1"), ("3x4", "2,2,1"))
    for contact in ("none", "sides")
    for answers in ("hit", "sunk", "ship")
]
GAME = Rules("5x5", "3,2,2,1", answers="sunk")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of its own for the books, and games that are counted although they are small."""
    monkeypatch.setattr(compiler, "KERNEL_FOLDER", tmp_path / "kernels")
    monkeypatch.setattr(exact_map, "LISTED_AT_ONCE", 0)
    monkeypatch.setattr(exact_map, "LISTED", 0)
    monkeypatch.delenv("SEABATTLE_OPENINGS", raising=False)
    exact_map._all_listed.cache_clear()
    opening_book.book_at.cache_clear()
    yield tmp_path / "openings"
    exact_map._all_listed.cache_clear()
    opening_book.book_at.cache_clear()


def positions_of_games(rules: Rules, games: int, seed: int) -> Iterator[Position]:
    """Positions of games with random shots, each followed by its images under all symmetries."""
    rng = np.random.default_rng(seed)
    layouts = enumerate_layouts(rules).ships
    for _ in range(games):
        row = tuple(layouts[rng.integers(len(layouts))].tolist())
        game = HiddenGame(rules, row, ())
        shots: list[tuple[int, int]] = []
        for cell in rng.permutation(rules.board.cells).tolist():
            for symmetry in rules.board.symmetries:
                yield Position(rules, tuple((symmetry[c], code) for c, code in shots))
            shots.append((cell, game.shoot(cell)))
            if not game.left():
                break


@pytest.mark.parametrize("rules", GAMES, ids=repr)
def test_every_position_has_the_cells_of_a_fresh_map(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening_book, "RARE", 10**9)
    player, fresh = GreedyMap(rules), Counter(rules)
    known: dict[Position, tuple[int, ...]] = {}
    for position in positions_of_games(rules, 6, seed=3):
        if position not in known:
            known[position] = fresh.at(position).occupancy_map().best_cells
        assert player.opening(position).cells == known[position], position
    book = player.book
    assert book is not None
    assert len(book) < len(known) / 2
    book.save()
    opening_book.book_at.cache_clear()
    again = GreedyMap(rules)
    assert again.book is not book
    assert again.book is not None
    assert len(again.book) == len(book)
    monkeypatch.setattr(again, "_counter", None)  # all of it comes from the disk
    for position, cells in known.items():
        assert again.opening(position).cells == cells, position


def test_a_prior_has_a_book_of_its_own_without_symmetry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening_book, "RARE", 10**9)
    rng = np.random.default_rng(1)
    priors = [ProductPrior.of_cells(GAME, rng.integers(1, 9, 25).tolist()) for _ in range(2)]
    assert len({book_path(GAME, prior) for prior in (None, *priors)}) == 3
    players = [GreedyMap(GAME, prior) for prior in priors]
    fresh = [Counter(GAME, prior=prior) for prior in priors]
    for position in positions_of_games(GAME, 2, seed=5):
        for player, counter in zip(players, fresh, strict=True):
            chances = counter.at(position).chances().cells.copy()
            chances[[cell for cell, _ in position.shots]] = -1
            first = int(np.flatnonzero(chances >= chances.max() * (1 - 1e-9))[0])
            assert player.opening(position).cells[0] == first


def test_what_more_is_known_than_the_shots_say_is_not_forgotten() -> None:
    """A position without an order, or with a known ship, shares no entry with another one."""
    rules = Rules("4x4", "2,2", "sides", "sunk")
    plain = Position.in_order(rules, "A1 hit, B2 hit, A2 sunk=2")
    unordered = Position(rules, plain.shots, ordered=False)
    known = Position(rules, plain.shots, ships=((0, 4),))
    player, fresh = GreedyMap(rules), Counter(rules)
    player.opening(plain)
    assert player.book is not None
    for told in (unordered, known):
        assert player.opening(told).weight == log(fresh.at(told).count())
        assert not player.book.keeps(told)
    assert player.opening(known).weight < player.opening(plain).weight


def played(rules: Rules, *, every: int = 61) -> np.ndarray:
    layouts = enumerate_layouts(rules).ships[::every]
    record = np.full((len(layouts), rules.board.cells), -1, dtype=np.int16)
    GreedyMap(rules).play_all(layouts, record=record)
    return record


def test_games_are_the_same_without_a_book(monkeypatch: pytest.MonkeyPatch) -> None:
    with_book = played(GAME)
    again = played(GAME)
    monkeypatch.setenv("SEABATTLE_OPENINGS", "off")
    assert GreedyMap(GAME).book is None
    without = played(GAME)
    assert np.array_equal(with_book, without)
    assert np.array_equal(again, without)


def test_what_other_players_found_changes_no_shot(monkeypatch: pytest.MonkeyPatch) -> None:
    """``lookahead`` lists and plays on where ``greedy-map`` has left the map's shot in the book."""
    monkeypatch.setattr(lookahead, "AHEAD", 400)
    monkeypatch.setattr(exact_map, "LISTED", 60)
    ships = enumerate_layouts(GAME).ships[::701]
    together = [player(GAME).play_all(ships, seed=1).tolist() for player in (GreedyMap, Lookahead)]
    monkeypatch.setenv("SEABATTLE_OPENINGS", "off")
    alone = [player(GAME).play_all(ships, seed=1).tolist() for player in (GreedyMap, Lookahead)]
    assert together == alone


def test_what_is_rare_is_not_kept_and_a_book_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening_book, "RARE", 50)
    book = build_openings(GAME)
    fresh = Counter(GAME)
    total = fresh.count()
    shares = []
    for name, opening in book._kept.items():
        shots = tuple(tuple(map(int, shot.split(":"))) for shot in name.split())
        position = Position(GAME, shots, ordered=False)  # type: ignore[arg-type]
        count = fresh.at(position).count()
        assert opening.weight == pytest.approx(np.log(count))
        shares.append(count / total)
    assert min(shares) >= 1 / 50
    assert len(shares) > 20
    monkeypatch.setattr(opening_book, "MOST_KEPT", 7)
    opening_book.book_at.cache_clear()
    assert book.path is not None
    book.path.unlink()
    assert len(build_openings(GAME)) == 7


def test_a_built_book_holds_all_that_games_often_come_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(opening_book, "RARE", 20)
    book = build_openings(GAME)
    before = len(book)
    played(GAME, every=21)
    assert len(book) == before


def test_a_build_leaves_out_what_is_rarer_than_told() -> None:
    """Positions that were looked at in vain are in the book, if one in 10,000 comes through."""
    short, long = (len(build_openings(GAME, rare=rare)) for rare in (10, 40))
    assert 10 < short < long


def test_a_build_goes_on_where_it_was_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening_book, "RARE", 20)

    def stop(looked_at: int, about: int) -> None:
        assert looked_at <= about
        if looked_at == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_openings(GAME, progress=stop)
    part = len(opening_book.book_at(GAME, True, book_path(GAME, None)))
    assert 5 <= part < len(build_openings(GAME))


def test_a_game_that_is_listed_has_no_book(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_map, "LISTED_AT_ONCE", 10**6)
    exact_map._all_listed.cache_clear()
    assert GreedyMap(GAME).book is None
    with pytest.raises(PlayerError, match="no opening book for 5x5"):
        build_openings(GAME)


def damaged(text: str) -> Iterator[str]:
    """A book's text with damage of many kinds."""
    yield from (text[: len(text) * part // 7] for part in range(1, 7))
    for at in range(0, len(text), len(text) // 40):
        if text[at] in "0123456789":
            changed = text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]
            if json.loads(changed) != json.loads(text):  # else it is the same number
                yield changed
    document = json.loads(text)
    names = list(document["positions"])
    yield json.dumps({**document, "version": 2})
    yield json.dumps({**document, "format": "seabattle-tree"})
    yield json.dumps([document])
    for wrong in ([1.0], [1.0, 99], [1.0, "A1"], [], 3, [float("inf"), 1], [1.0, True]):
        positions = {**document["positions"], names[-1]: wrong}
        try:
            checksum = opening_book._checksum(positions)  # type: ignore[arg-type]
        except TypeError:
            checksum = ""
        yield json.dumps({**document, "positions": positions, "checksum": checksum})
    shot = {"3:0": [1.0, 3]}
    yield json.dumps({**document, "positions": shot, "checksum": opening_book._checksum(shot)})


def test_a_damaged_file_is_not_used(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(opening_book, "RARE", 10)
    book = build_openings(GAME)
    assert book.path is not None
    text = book.path.read_text()
    assert len(OpeningBook(GAME, symmetric=True, path=book.path)) == len(book)
    assert capsys.readouterr().err == ""
    tried = 0
    for wrong in damaged(text):
        book.path.write_text(wrong)
        assert len(OpeningBook(GAME, symmetric=True, path=book.path)) == 0, wrong
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert str(book.path) in error
        assert "not used" in error
        tried += 1
    assert tried > 20
    book.path.write_bytes(b"\xff\xfe\x00")
    assert len(OpeningBook(GAME, symmetric=True, path=book.path)) == 0
    book.path.write_text(text[: len(text) // 2])  # the next one that learns something replaces it
    opening_book.book_at.cache_clear()
    assert len(build_openings(GAME)) == len(book)
    assert book.path.read_text() == text


def test_what_another_process_found_meanwhile_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening_book, "RARE", 10**9)
    path = book_path(GAME, None)
    one, two = (OpeningBook(GAME, symmetric=True, path=path) for _ in range(2))
    player = GreedyMap(GAME)
    start = Position(GAME)
    for book, cell in ((one, "A1"), (two, "C3")):
        for position in (start, start.shoot(cell, "miss")):
            book.opening(position, player.find_opening)
        book.save()
    assert (len(one), len(two)) == (2, 3)
    assert len(OpeningBook(GAME, symmetric=True, path=path)) == 3


def test_old_books_give_way(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening_book, "MOST_BOOKS", 3)
    for number in range(5):
        rules = Rules("4x4", ("3,2,1", "2,2,1", "3,1,1", "2,1", "3,3")[number])
        path = book_path(rules, None)
        build_openings(rules)
        assert path is not None
        os.utime(path, (number, number))
    assert len(list(place.iterdir())) == 3


def test_a_folder_that_cannot_be_written_to_is_no_failure(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write_text("a file where the folder should be")
    with_book = played(GAME)
    book = GreedyMap(GAME).book
    assert book is not None
    assert len(book) > 0
    book.save()
    monkeypatch.setattr(compiler, "KERNEL_FOLDER", None)
    assert book_path(GAME, None) is None
    assert np.array_equal(played(GAME), with_book)


def test_threads_share_a_book() -> None:
    layouts = enumerate_layouts(GAME).ships[::200]

    def games(_: int) -> list[int]:
        shots: list[int] = GreedyMap(GAME).play_all(layouts).tolist()
        return shots

    alone = games(0)
    opening_book.book_at.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        assert all(found == alone for found in pool.map(games, range(6)))


def test_a_program_that_ends_leaves_its_book(tmp_path: Path) -> None:
    """Written at the end of the program too, before ten seconds have passed."""
    program = (
        "from seabattle.enumerate.position import Position\n"
        "from seabattle.enumerate.rules import Rules\n"
        "from seabattle.solver.players.exact_map import GreedyMap\n"
        "rules = Rules('7x7', '4,3,2,1')\n"
        "print(GreedyMap(rules).shoot(Position(rules)))\n"
    )
    folder = compiler.cache_folder()
    assert folder is not None
    told = []
    for switch in ("on", "on", "off"):
        environment = {**os.environ, "SEABATTLE_OPENINGS": switch}
        environment["SEABATTLE_CACHE_DIR"] = str(folder.parent)
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True, text=True, check=True, env=environment,
        )  # fmt: skip
        assert done.stderr == ""
        told.append(done.stdout)
    assert len(set(told)) == 1


@pytest.mark.parametrize(("rare", "says"), [(0, "1 or above"), (10**9, "10,000 or below")])
def test_rare_positions_out_of_range_are_refused(rare: int, says: str) -> None:
    with pytest.raises(SeabattleError, match=f"rare {rare}: must be {says}"):
        build_openings(Rules("7x7", "4,3,2,1", answers="sunk"), rare=rare)
