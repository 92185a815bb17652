"""Proofs: those that are published hold, false ones are refused, limits are kept."""

from __future__ import annotations

import json
import lzma
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.games import law
from support.proof_checkers import (
    ALONE,
    ONE_FILE,
    ROOT,
    fault_found,
    fault_found_alone,
    fault_found_compiled,
    faults,
    with_header,
)

from seabattle import (
    DecisionTable,
    FileAccessError,
    Position,
    ProofError,
    Rules,
    RulesError,
    SeabattleError,
    check_proof,
    enumerate_layouts,
    save_position,
    save_tree,
    solve,
)
from seabattle.solver.proofs.proof_files import write_proof
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import as_problem
from seabattle.solver.search.queries import Goal

PROOFS = ROOT / "outputs" / "proofs"
SMALL = ["3x3-hit.txt", "4x4-hit.txt.xz", "4x4-sunk.txt.xz", "4x4-ship.txt.xz"]
LARGE = ["4x5-hit.txt.xz", "5x5-hit.txt.xz", "5x5-sunk.txt.xz", "5x5-ship.txt.xz"]
CLAIMS = dict(zip([*SMALL, *LARGE], (62, 605, 428, 384, 5458, 6444, 2490, 2147), strict=True))


def lines_of(path: Path) -> list[str]:
    """The lines of a proof file."""
    content = path.read_bytes()
    return (lzma.decompress(content) if path.suffix == ".xz" else content).decode().splitlines()


def alone(path: Path) -> subprocess.CompletedProcess[str]:
    """The checker of one file, in an interpreter that finds no package."""
    words = [sys.executable, "-I", "-S", str(ONE_FILE), str(path)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_all_that_is_published_is_tested() -> None:
    assert {file.name for file in PROOFS.iterdir()} == CLAIMS.keys()
    assert sum(file.stat().st_size for file in PROOFS.iterdir()) < 3_000_000


@pytest.mark.parametrize("name", SMALL)
def test_small_proofs_hold(name: str) -> None:
    found = check_proof(PROOFS / name)
    assert found, found.problems
    assert found.claim == CLAIMS[name]
    told = alone(PROOFS / name)
    assert told.returncode == 0, told.stderr
    assert f" prove {CLAIMS[name]} misses (mean) of board " in told.stdout


@pytest.mark.parametrize("name", [name for name in CLAIMS if "hit" in name])
def test_the_compiled_checker_finds_the_same(name: str) -> None:
    lines = lines_of(PROOFS / name)
    assert fault_found_compiled(lines) == ""
    higher = with_header(lines, claim=CLAIMS[name] + 1)
    assert fault_found_compiled(higher) == ("this is no proof: line 1: the claim does not follow")


def test_the_compiled_checker_refuses_what_it_does_not_know() -> None:
    lines = lines_of(PROOFS / "4x4-hit.txt.xz")
    for fields in (
        {"answers": "sunk"},
        {"contact": "sides"},
        {"blocked": "A1"},
        {"position": [["A1", "miss"]]},
        {"weights": {"1": 2}},
        {"fleet": "xx/x."},
        {"fleet": "0"},
        {"fleet": "99"},
        {"fleet": "3x2,1"},
        {"fleet": "3,2,1,"},
        {"board": "9x9"},
        {"board": "4x4x9"},
        {"board": "04x4"},
    ):
        assert "line 1: " in fault_found_compiled(with_header(lines, **fields)), fields


def test_a_sample_of_a_large_proof_holds() -> None:
    """Some lemmas, drawn anew, and the claim; with answers ``hit`` all are checked above."""
    name = "5x5-ship.txt.xz"
    header, *lines = lines_of(PROOFS / name)
    proof = ALONE.Proof(json.loads(header), iter(lines))
    proof.listed = Random().sample(proof.listed, 100)
    proof.check()
    assert proof.claim == CLAIMS[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_large_proofs_hold(name: str) -> None:
    found = check_proof(PROOFS / name)
    assert (found.valid, found.claim) == (True, CLAIMS[name])
    assert alone(PROOFS / name).returncode == 0


# False proofs.


GAMES = {
    "hit": Rules("3x3", "2,1", "corners"),
    "sunk": Rules("3x4", "3,2", answers="sunk"),
    "ship": Rules("3x4", "3,2", answers="ship"),
    "weighted": Rules("4x4", "3,2"),
}


def lines_for(name: str, path: Path) -> list[str]:
    """The proof of a small game, of one of them weighted and in progress."""
    rules = GAMES[name]
    table = DecisionTable.build(rules)
    if name == "weighted":
        weights = np.arange(len(enumerate_layouts(rules)), dtype=np.int64) % 3
        position = Position(rules).shoot("B2", "miss")
        table = DecisionTable.build(rules, prior=weights).at(position)
    solve(table, proof=path, threads=1)
    return lines_of(path)


MUST, MAY = 0, -1
"""In place of the number of a line: a proof that must be refused, and one that may hold by luck."""


def damaged(lines: list[str], chance: Random) -> Iterator[tuple[str, list[str], int]]:
    """False proofs: what was done, the lines, and the number of the line that is named."""
    header = json.loads(lines[0])
    off = 1 << Rules(header["board"], header["fleet"]).board.cells
    yield "claim", with_header(lines, claim=header["claim"] + 1), 1
    for number in chance.sample(range(2, len(lines) + 1), 6):
        certain, water, bound = lines[number - 1].split(" ")
        cell = 1 << chance.randrange(9)
        for line, named in (
            (f"{certain} {water} {int(bound) + 1}", MAY),
            (f"{certain} {water} {int(bound) - 1}", MAY),
            (f"{certain} {water} {100 * header['claim']}", number),
            (f"{certain} {int(water, 16) ^ cell:x} {bound}", MAY),
            (f"{certain} {int(water, 16) | off:x} {bound}", number),
            (f"{certain} -{water} {bound}", number if water != "0" else MAY),
            (f"{certain} {water}", number),
            (f"{certain} {water} many", number),
            (f"{certain} {water} {bound} 1", number),
        ):
            yield line, [*lines[: number - 1], line, *lines[number:]], named
        yield "left out", [*lines[: number - 1], *lines[number:]], MAY
    other_games = {"fleet": "2,2,2"}, {"board": "2x3"}, {"answers": "all"}
    no_proofs = {"version": 2}, {"format": "tree"}, {"claim": "60"}, {"objective": "median"}
    for fields in (*other_games, *no_proofs):
        yield str(fields), with_header(lines, **fields), MUST
    yield "cut", lines[: len(lines) // 2], MUST
    yield "cut in a line", [*lines[:-1], lines[-1][:3]], len(lines)
    yield "header", lines[1:], MUST


@pytest.mark.parametrize("name", GAMES)
def test_false_proofs_are_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.txt"
    lines = lines_for(name, path)
    also = [fault_found_compiled] if name == "hit" else []
    assert faults(lines, path) == ("", "")
    assert all(find(lines) == "" for find in also)
    for done, changed, number in damaged(lines, Random(1)):
        found = [*faults(changed, path), *(find(changed) for find in also)]
        assert len({bool(fault) for fault in found}) == 1, (done, found)
        assert number == MAY or found[0], f"{done}, line {number}, is not refused"
        for fault in found:
            assert number <= 0 or f"line {number}: " in fault, (done, number, fault)


def test_lemmas_may_stand_in_any_order(tmp_path: Path) -> None:
    head, *lines = lines_of(PROOFS / "4x4-hit.txt.xz")
    assert faults([head, *lines[::-1]], tmp_path / "proof.txt") == ("", "")


def test_files_that_are_no_proof_say_so_in_a_line(tmp_path: Path) -> None:
    whole = (PROOFS / "4x4-hit.txt.xz").read_bytes()
    for name, content, error in (
        ("cut.xz", whole[:300], FileAccessError),
        ("turned.xz", whole[:100] + bytes([whole[100] ^ 1]) + whole[101:], FileAccessError),
        ("packed.gz", whole, FileAccessError),
        ("plain.txt", whole, FileAccessError),
        ("empty.txt", b"", ProofError),
        ("list.txt", b"[]\n", ProofError),
        ("game.txt", b'{"format": "seabattle-proof", "version": 1}\n', ProofError),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(error, match=name):
            check_proof(tmp_path / name)
        assert alone(tmp_path / name).returncode == 1
    with pytest.raises(FileAccessError, match="nowhere"):
        check_proof(tmp_path / "nowhere.txt")


def test_files_of_other_kinds_are_named(tmp_path: Path) -> None:
    """Whether they are one line of JSON or many, and whatever packs them."""
    rules = Rules("3x3", "2,1")
    tree, position = tmp_path / "tree.json", tmp_path / "position.json"
    save_tree(solve(rules).tree, tree)
    save_position(Position(rules).shoot("A1", "miss"), position)
    spread = tmp_path / "spread.json"
    spread.write_text(json.dumps(json.loads(tree.read_text("utf-8")), indent=1), "utf-8")
    for path, told in (
        (tree, "is no proof: it is a tree, which 'seabattle verify' checks"),
        (spread, "is no proof: it is a tree, which 'seabattle verify' checks"),
        (position, "is no proof: it is a position, which commands take with --position"),
    ):
        with pytest.raises(ProofError, match=told):
            check_proof(path)
    whole = (PROOFS / "4x4-hit.txt.xz").read_bytes()
    for name, content, told in (
        ("proof.txt", whole, "it is packed; name it .txt.xz"),
        ("proof.txt.gz", whole, "it is packed; name it .txt.xz"),
        ("proof.txt.xz", b"{}", "it is named as packed, and is not"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(FileAccessError, match=re.escape(f"{name}: {told}")):
            check_proof(tmp_path / name)


@pytest.mark.parametrize("packed", [True, False])
def test_a_proof_is_read_from_a_pipe(packed: bool) -> None:
    content = (PROOFS / "4x4-hit.txt.xz").read_bytes()
    content = content if packed else lzma.decompress(content)
    found = subprocess.run(
        [sys.executable, "-m", "seabattle", "check", "-"], input=content, capture_output=True,
    )  # fmt: skip
    assert (found.returncode, found.stderr) == (0, b"")
    assert b"proof" in found.stdout
    if os.path.exists("/dev/stdin"):
        command = [sys.executable, "-m", "seabattle", "check", "/dev/stdin"]
        assert subprocess.run(command, input=content, capture_output=True).stdout == found.stdout


def test_boards_that_are_too_large_are_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "proof.txt"
    head = {"format": "seabattle-proof", "version": 1, "board": "999999x999999", "fleet": "2",
            "contact": "none", "answers": "hit", "objective": "mean", "claim": 1}  # fmt: skip
    path.write_text(json.dumps(head) + "\n", encoding="ascii")
    found = alone(path)
    assert found.returncode == 1
    assert "this program knows boards of up to 128 cells" in found.stderr
    with pytest.raises(SeabattleError):
        check_proof(path)


def test_counting_is_counted() -> None:
    """The proof of nine cells: one lemma that counting proves, and what shots leave."""
    found = check_proof(PROOFS / "3x3-hit.txt")
    assert found.counted > 0
    assert f"counting bounds {found.counted} sub-tables" in dict(found.facts())["lemmas"]


@law(10)
@given(
    st.sampled_from(("2x4", "3x3", "3x4", "4x3")),
    st.sampled_from(("1", "2", "3", "2,1", "1,1", "2,2", "3,1")),
    st.sampled_from(("none", "corners")),
    st.sampled_from(("mean", "worst")),
    st.randoms(use_true_random=False),
)
def test_the_compiled_checker_says_the_same(
    board: str, fleet: str, contact: str, objective: str, chance: Random
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "proof.txt"
        solve(Rules(board, fleet, contact), objective, proof=path, threads=1)
        lines = path.read_text("ascii").splitlines()
    assert fault_found_compiled(lines) == ""
    assert fault_found_compiled(with_header(lines, claim=json.loads(lines[0])["claim"] + 1))
    for number in chance.sample(range(1, len(lines)), min(3, len(lines) - 1)):
        *known, bound = lines[number].split(" ")
        higher = " ".join([*known, str(int(bound) + 1)])
        for changed in (
            [*lines[:number], higher, *lines[number + 1 :]],
            [*lines[:number], *lines[number + 1 :]],
        ):
            assert bool(fault_found_compiled(changed)) == bool(fault_found_alone(changed)), changed


# What is written.


def test_a_solve_with_a_proof_finds_the_same_keys(tmp_path: Path) -> None:
    for answers in "hit", "sunk", "ship":
        rules = Rules("4x4", "3,2,1", answers=answers)
        plain = solve(rules, threads=1)
        proven = solve(rules, threads=1, proof=tmp_path / "proof.txt")
        assert (plain.states, plain.nodes) == (proven.states, proven.nodes)


@pytest.mark.parametrize("suffix", ["txt", "gz", "xz"])
def test_forms_positions_and_packing(suffix: str, tmp_path: Path) -> None:
    rules = Rules("4x4", "xx/x.,2,1", answers="sunk", blocked="C2")
    position = Position(rules).shoot("A1", "hit").shoot("D4", "miss")
    path = tmp_path / f"proof.{suffix}"
    solution = solve(position, "worst", proof=path)
    found = check_proof(path)
    assert found
    assert (found.claim, found.position) == (solution.worst_misses, position)
    assert found.falls_short(solution.tree) == ""
    assert "another game" in found.falls_short(solve(rules).tree)


def test_a_tree_that_is_not_optimal_falls_short(tmp_path: Path) -> None:
    rules = Rules("4x4", "3,2,1", answers="sunk")
    solve(rules, proof=tmp_path / "proof.txt")
    found = check_proof(tmp_path / "proof.txt")
    worst = solve(rules, "worst").tree
    assert worst.total_misses > 428
    assert "claims 428" in found.falls_short(worst)


def test_what_has_no_proof_is_refused() -> None:
    with pytest.raises(RulesError, match="no proof of this kind"):
        solve(Rules("3x3", "2,1", "sides", "sunk"), proof="proof.txt")
    with pytest.raises(RulesError, match="mean, worst"):
        solve(Rules("3x3", "2,1"), "pareto", proof="proof.txt")


def test_a_lower_bound_has_a_proof(tmp_path: Path) -> None:
    """Also one that the search has not come to yet."""
    for answers, goal, claim in ("hit", Goal.TOTAL, 600), ("sunk", Goal.WORST, 3):
        search = ExactSearch(as_problem(Rules("4x4", "3,2,1", answers=answers)))
        assert write_proof(search, goal, claim, tmp_path / "proof.txt") > 0
        found = check_proof(tmp_path / "proof.txt")
        assert (found.valid, found.claim) == (True, claim)


def test_the_time_limit_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "proof.txt"
    solution = solve(Rules("5x5", "3,2,1"), time_limit=3, proof=path, threads=1)
    assert solution.status == "bounded"
    if solution.lemmas is None:  # it was not done in time
        assert solution.stopped_by == "the time limit was reached; no proof was written"
        assert not path.exists()
    else:
        assert json.loads(lines_of(path)[0])["claim"] == solution.lower_bound


def test_memory_of_lemmas_is_limited(tmp_path: Path) -> None:
    solution = solve(
        Rules("5x5", "3,2,2,1,1,1"), memory_limit=0.01, proof=tmp_path / "proof.txt", threads=1
    )
    assert "no proof was written: the memory limit" in solution.stopped_by
    assert fault_found(tmp_path / "proof.txt").startswith("cannot read")
