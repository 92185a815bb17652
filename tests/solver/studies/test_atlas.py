"""The atlas: which games are in it, what its rows say, and that it goes on where it was stopped."""

from __future__ import annotations

import csv
import json
import lzma
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.known_answers import known
from twins import naive, naive_equilibrium

from seabattle.cli.commands import commands
from seabattle.enumerate.errors import SeabattleError, WorkFailed
from seabattle.enumerate.rules import Rules
from seabattle.solver.proofs.proof_files import write_proof
from seabattle.solver.search.solve import Solution, SolveRun
from seabattle.solver.studies import atlas
from seabattle.solver.studies.atlas import (
    BOARDS,
    COLUMNS,
    AtlasRow,
    atlas_games,
    atlas_row,
    proof_name,
    read_table,
    solve_atlas,
    table_page,
)
from seabattle.trees.proof import check_proof

ROOT = Path(__file__).resolve().parents[3]
STORED = ROOT / "outputs" / "atlas" / "table.json"
MAKER = {"command": "seabattle atlas", "version": "1", "row_limit_seconds": 120.0}


@pytest.mark.parametrize(
    ("boards", "most_layouts", "least_games"),
    [
        (("3x3", "3x4"), 6, 20),
        pytest.param(("3x3", "3x4"), 8, 31, marks=pytest.mark.slow),
        pytest.param(("3x3",), 16, 18, marks=pytest.mark.slow),
    ],
)
def test_rows_are_those_of_the_twins(
    boards: tuple[str, ...], most_layouts: int, least_games: int
) -> None:
    met = 0
    for game in atlas_games({board: BOARDS[board] for board in boards}):
        size, fleet, mode = game.board, game.fleet.lengths, game.answers.value
        layouts = naive.layouts(size.rows, size.columns, fleet)
        if len(layouts) > most_layouts:
            continue
        met += 1
        row = atlas_row(game)
        best = naive.optimum(layouts, mode)
        assert (row.status, row.worst_misses, row.total_misses) == (
            "proven", best["worst"], best["mean"],
        )  # fmt: skip
        shots = sorted(map(size.cell, row.best_shots or ()))
        assert shots == sorted(naive.optimal_first_shots(layouts, size.cells, mode))
        value = naive_equilibrium.oracle_value(size.rows, size.columns, fleet, mode, "none")
        assert row.equilibrium == (value, value), game
    assert met >= least_games


def test_stopped_searches_give_intervals() -> None:
    row = atlas_row(Rules("5x5", "2,1"), seconds=0.0, equilibrium_seconds=0.0)
    assert row.status == "bounded"
    assert row.best_shots is None
    assert row.total_lower <= 7188 <= row.total_misses
    assert row.worst_lower <= 19 <= row.worst_misses
    assert f"{row.worst_lower}–{row.worst_misses}" in table_page([row], MAKER, "one")


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(commands, ["atlas", *arguments], standalone_mode=False)
    return result.return_value if result.exception is None else -1, result.output


def test_each_search_of_a_row_has_its_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, slept, in_time = time.monotonic, 0.0, []

    class Slow(SolveRun):
        def solve(self, *, values: bool) -> Solution:
            nonlocal slept
            in_time.append(self.search.limits.seconds_left() > 0)
            found = super().solve(values=values)
            slept += 100
            return found

    monkeypatch.setattr(time, "monotonic", lambda: clock() + slept)
    monkeypatch.setattr(atlas, "SolveRun", Slow)
    row = atlas_row(Rules("3x3", "2,1"), seconds=60, equilibrium_seconds=0)
    assert in_time == [True, True]
    assert (row.status, row.lemmas) == ("proven", 2)


def test_ctrl_c_in_the_first_search_of_a_row_is_not_followed_by_the_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched = []

    class Pressed(SolveRun):
        def solve(self, *, values: bool) -> Solution:
            searched.append(self.known.objective)
            return replace(super().solve(values=values), interrupted=True)

    monkeypatch.setattr(atlas, "SolveRun", Pressed)
    with pytest.raises(KeyboardInterrupt):
        atlas_row(Rules("3x3", "2,1"))
    assert searched == ["mean"]


def test_files_tell_the_same(tmp_path: Path) -> None:
    status, output = run("--out", str(tmp_path), "--boards", "3x3")
    assert status == 0
    assert (
        output.splitlines()[0]
        == "3x3, fleet 1,1,1,1, contact none, answers hit: 1 layout, worst 0, total 0, proven"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "index.html", "proofs", "table.csv", "table.json",
    ]  # fmt: skip
    document = json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))
    assert document["columns"] == COLUMNS
    assert document["made_by"]["row_limit_seconds"] == 120
    assert document["made_by"]["equilibrium_limit_seconds"] == 60
    assert document["made_by"]["proof_limit_seconds"] == 60
    rows = [AtlasRow.read(row) for row in document["rows"]]
    assert [row.document() for row in rows] == document["rows"]
    with (tmp_path / "table.csv").open(encoding="utf-8") as stream:
        lines = list(csv.DictReader(stream))
    assert list(lines[0]) == list(COLUMNS)
    assert [line["best_first_shots"].split() for line in lines] == [
        row["best_first_shots"] for row in document["rows"]
    ]
    assert [line["mean"] for line in lines] == [row["mean"] for row in document["rows"]]
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    # The page says of its heads what it shows, in words of its own.
    said = dict(re.findall("<li><b>(.*?)</b>: (.*?)</li>", page))
    heads = {name for told in said for name in told.split(", ")}
    assert heads == {*re.findall('<th scope="col">(.*?)</th>', page)} - {"fleet", "layouts"}
    assert not re.search("_|empty|null", " ".join(said.values()))
    # Every proven row has a proof, which is kept if it is small, and linked.
    assert len(rows) == len(list((tmp_path / "proofs").iterdir()))
    for row in rows[::4]:
        name = proof_name(row.rules)
        found = check_proof(tmp_path / "proofs" / name)
        assert (found.valid, found.claim, found.lemmas) == (True, row.total_misses, row.lemmas)
        assert found.position.rules == row.rules
        assert f'<a href="proofs/{name}">{row.lemmas}</a>' in page


def test_a_proof_that_is_large_is_checked_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atlas, "KEPT_BYTES", 10)
    (row,) = solve_atlas([Rules("3x3", "2,1")], tmp_path)
    assert row.lemmas == 2
    assert not (tmp_path / "proofs").exists()


def test_a_proof_that_does_not_hold_ends_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def claim_more(search: Any, goal: Any, claim: int, path: Path) -> int:
        return write_proof(search, goal, claim, path) and path.write_bytes(
            lzma.compress(
                lzma.decompress(path.read_bytes()).replace(b'"claim": 62', b'"claim": 63')
            )
        )

    monkeypatch.setattr(atlas, "write_proof", claim_more)
    with pytest.raises(WorkFailed, match=r"3x3, fleet 2,1.*: the proof does not hold: line 1"):
        atlas_row(Rules("3x3", "2,1"))


def test_what_was_proven_before_stays_and_has_to_agree(tmp_path: Path) -> None:
    game = Rules("3x4", "2,1")
    (row,) = solve_atlas([game], tmp_path)
    assert row.status == "proven"
    assert None not in (row.equilibrium, row.lemmas)
    nothing = AtlasRow(game, row.layouts, 0, 12, 0, 12 * row.layouts, None)
    assert row.joined(nothing) == nothing.joined(row) == row
    for other in (
        replace(row, worst_lower=row.worst_misses + 1, worst_misses=row.worst_misses + 1),
        replace(row, total_lower=row.total_misses - 1, total_misses=row.total_misses - 1),
        replace(row, best_shots=("C3",)),
    ):
        with pytest.raises(WorkFailed, match="what was proven before is another: 3x4"):
            row.joined(other)
    left = json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))
    left["rows"][0]["proof_lemmas"] = None
    (tmp_path / "table.json").write_text(json.dumps(left), encoding="utf-8")
    again = solve_atlas([game], tmp_path, again=True, seconds=0.0, proof_seconds=0)
    assert again == [replace(row, lemmas=None)]
    assert solve_atlas([game], tmp_path, again=True, equilibrium_seconds=0) == [row]


def test_fleets_with_a_form_are_in_the_atlas() -> None:
    games = [game for game in atlas_games({"5x5": BOARDS["5x5"]}) if not game.fleet.all_lines]
    assert [str(game.fleet) for game in games if game.answers == "hit"] == [
        "2x2,2", "xx./.xx,2", "xxx/.x.,2", "2x2,3,2", "xx/x.,2", "xx./.xx,3,2", "xxx/.x.,3,2",
        "xxx/x..,2",
    ]  # fmt: skip


@pytest.mark.slow  # a program starts, and compiles where that was not done before
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_keeps_the_rows_and_the_same_command_goes_on(tmp_path: Path, workers: str) -> None:
    command = [sys.executable, "-m", "seabattle", "atlas", "--out", str(tmp_path),
               "--boards", "5x5", "--json", "--workers", workers]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    table = tmp_path / "table.json"
    until = time.monotonic() + 120
    while time.monotonic() < until and not table.exists():
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    told = json.loads(output)
    assert told["complete"] is False
    assert told["rows"]
    assert json.loads(table.read_text(encoding="utf-8"))["rows"] == told["rows"]


def test_games_of_a_table_are_not_solved_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("--out", str(tmp_path), "--boards", "3x3")[0] == 0
    table = tmp_path / "table.json"
    first = table.read_text(encoding="utf-8")
    (tmp_path / "index.html").unlink()
    with monkeypatch.context() as patch:
        patch.setattr(atlas, "solved_row", pytest.fail)
        assert run("--out", str(tmp_path), "--boards", "3x3")[0] == 0
    assert table.read_text(encoding="utf-8") == first
    assert (tmp_path / "index.html").exists()
    # Rows of other games stay; those that leave something open are solved again where asked for.
    other, (*_, last) = Rules("3x4", "4,1"), read_table(table).values()
    assert solve_atlas([other], tmp_path)[0].rules == other
    left = json.loads(table.read_text(encoding="utf-8"))
    left["rows"][-2] |= {"status": "bounded", "best_first_shots": None}
    table.write_text(json.dumps(left), encoding="utf-8")
    assert [row.status for row in solve_atlas([last.rules, other], tmp_path)] == [
        "bounded",
        "proven",
    ]
    assert solve_atlas([last.rules], tmp_path, again=True) == [last]
    assert len(read_table(table)) == 21
    # Damaged tables are not replaced.
    for text in (first[:-20], "[]", "{}", first.replace('"best_first_shots"', '"shots"'),
                 first.replace('"layouts": 4', '"layouts": "four"')):  # fmt: skip
        table.write_text(text, encoding="utf-8")
        with pytest.raises(SeabattleError, match=r"table\.json[^\n]*\Z"):
            solve_atlas([other], tmp_path)
        assert table.read_text(encoding="utf-8") == text


def test_false_rows_are_named(tmp_path: Path) -> None:
    table = tmp_path / "table.json"
    rules = [Rules("3x3", "2,1"), Rules("3x3", "2,1", blocked="B2")]
    solve_atlas(rules, tmp_path, equilibrium_seconds=0)
    whole = json.loads(table.read_text(encoding="utf-8"))
    for change, says in (
        (
            {"best_first_shots": [5]},
            "row 1: the field 'best_first_shots' must be",
        ),
        ({"best_first_shots": 5}, "row 1: the field 'best_first_shots' must be"),
        ({"worst_misses": True}, "row 1: (status|worst_misses) "),
        ({"proof_lemmas": "many"}, "row 1: the field 'proof_lemmas' must be a whole number"),
        ({"equilibrium": "1e9999999999"}, "row 1: "),
        (whole["rows"][1], "row 2: 3x3.* has a row already"),
    ):
        first, second = whole["rows"]
        table.write_text(json.dumps({**whole, "rows": [{**first, **change}, second]}))
        with pytest.raises(SeabattleError, match=rf"{table}[^\n]*({says})[^\n]*\Z"):
            read_table(table)


@cache
def stored_rows() -> dict[Rules, AtlasRow]:
    document = json.loads(STORED.read_text(encoding="utf-8"))
    return {row.rules: row for row in map(AtlasRow.read, document["rows"])}


def of_equal_short_ships(rules: Rules) -> bool:
    """Whether a sinking tells nothing that a hit does not: ships of one length up to 2."""
    return set(rules.fleet.lengths) in ({1}, {2})


def test_laws_hold_in_the_stored_atlas() -> None:
    rows = stored_rows()
    for row in rows.values():
        assert 0 <= row.worst_lower <= row.worst_misses
        assert 0 <= row.total_lower <= row.total_misses
        assert row.mean_misses <= row.worst_misses or row.status == "bounded"
        assert Fraction(row.total_lower, row.layouts) <= row.worst_misses
        if row.rules.answers == "sunk":
            hit = rows[row.rules.answering("hit")]
            assert row.total_lower <= hit.total_misses
            assert row.worst_lower <= hit.worst_misses
            if of_equal_short_ships(row.rules) and row.status == hit.status == "proven":
                assert (row.total_misses, row.worst_misses, row.best_shots) == (
                    hit.total_misses, hit.worst_misses, hit.best_shots,
                )  # fmt: skip


def test_known_answers_are_in_the_stored_atlas() -> None:
    rows = stored_rows()
    met = 0
    for answer in known("trees"):
        game = Rules(answer["board"], answer["fleet"], answer["contact"], answer["answers"])
        if game not in rows:
            continue
        met += 1
        for name in ("total", "worst"):
            if answer.get(name) is not None:
                assert getattr(rows[game], f"{name}_misses") == answer[name], game
    assert met >= 6


def test_laws_of_the_equilibria_in_the_stored_atlas() -> None:
    rows = stored_rows()
    met = 0
    for each in rows.values():
        if each.equilibrium is None:
            continue
        met += 1
        lower, upper = each.equilibrium
        assert Fraction(each.total_lower, each.layouts) <= upper
        assert lower <= each.worst_misses
        other = rows[each.rules.answering("hit")].equilibrium
        if each.rules.answers == "sunk" and other is not None:
            assert lower <= other[1], "a sinking tells more"
            if of_equal_short_ships(each.rules):
                assert upper >= other[0], "here it tells nothing"
    assert met > 150
