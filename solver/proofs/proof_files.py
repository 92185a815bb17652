"""Proof files: a lower bound of a game with the lemmas that prove it, as text.

The first line is JSON: ``format`` "seabattle-proof", ``version`` 1, the rules as in a tree file,
``objective`` (``mean`` or ``worst``), ``claim``, and where they apply ``position``, an array of
``[cell, answer]``, and ``weights``, an object that gives the weight of each layout by the masks of
its ships. Then each line is a lemma, H, M and the bound, with masks as hexadecimal numbers; with
answers ``ship`` H is a list of ships, ``3:7,1:400``, or 0. A file whose name ends in ``.gz`` or
``.xz`` is packed. What follows from what is told by the page *Checking a proof*.
"""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from seabattle.enumerate.answers import answer_text
from seabattle.enumerate.errors import SeabattleError
from seabattle.enumerate.files import write_whole
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import AnswerMode
from seabattle.solver.proofs.lemmas import Lemmas
from seabattle.solver.search import work
from seabattle.solver.search.problem import Problem, whole_mask

FORMAT, VERSION = "seabattle-proof", 1
LINES_AT_ONCE = 10_000


def require_provable(problem: Problem) -> None:
    """Refuse games whose sub-tables have no closed key.

    Raises
    ------
    SeabattleError
        With answers ``sunk`` under contact rule ``sides``.
    """
    if problem.mode == work.OPEN_SUNK:
        raise SeabattleError(
            "--proof: with answers 'sunk' under contact rule 'sides' a sub-table is not known by "
            "its cells, so that there is no proof of this kind"
        )


def proof_header(problem: Problem, objective: str, claim: int) -> dict[str, Any]:
    """The first line of a proof of a problem."""
    rules, table = problem.rules, problem.table
    header: dict[str, Any] = {
        "format": FORMAT, "version": VERSION, **rules.document(), "objective": objective,
        "claim": claim,
    }  # fmt: skip
    if table.position.shots:
        name = rules.board.name
        header["position"] = [
            [name(cell), answer_text(code)] for cell, code in table.position.shots
        ]
    if len(table.weights):
        own = placement_table(rules).own
        layouts = table.layouts.ships[table.index].tolist()
        header["weights"] = {
            " ".join(f"{own[number]:x}" for number in layout): weight
            for layout, weight in zip(layouts, table.weights.tolist(), strict=True)
        }
    return header


def lemma_lines(problem: Problem, lemmas: Lemmas) -> Iterator[str]:
    """The lemmas as lines of text, in pieces."""
    board_cells, renumbered = problem.board_cells, problem.renumbered
    whole = (1 << problem.rules.board.cells) - 1

    def on_board(mask: int) -> int:
        if not renumbered:
            return mask
        return sum((mask >> cell & 1) << place for cell, place in enumerate(board_cells))

    named = problem.rules.answers is AnswerMode.SHIP
    for start in range(0, len(lemmas), LINES_AT_ONCE):
        lines = []
        for i in range(start, min(start + LINES_AT_ONCE, len(lemmas))):
            certain = whole_mask(lemmas.certain[i])
            water = whole & ~on_board(whole_mask(lemmas.occupied[i]))
            told = f"{on_board(certain):x}"
            if named:
                ships = [whole_mask(ship) for ship in problem.ships[lemmas.rows[i]]]
                told = ",".join(
                    f"{ship.bit_count()}:{on_board(ship & certain):x}"
                    for ship in ships
                    if ship & certain
                )
            lines.append(f"{told or 0} {water:x} {lemmas.bounds[i]}\n")
        yield "".join(lines)


def save_proof(
    problem: Problem, objective: str, claim: int, lemmas: Lemmas, path: str | Path
) -> None:
    """Write a proof file, packed where its name ends in ``.gz`` or ``.xz``."""
    head = json.dumps(proof_header(problem, objective, claim))

    def write(stream: BinaryIO) -> None:
        stream.write(f"{head}\n".encode("ascii"))
        for lines in lemma_lines(problem, lemmas):
            stream.write(lines.encode("ascii"))

    def pack(stream: BinaryIO) -> None:
        suffix = Path(path).suffix.lower()
        if suffix == ".gz":
            with gzip.GzipFile(fileobj=stream, mode="wb", filename="", mtime=0) as packed:
                write(packed)
        elif suffix == ".xz":
            with lzma.open(stream, "wb", preset=9) as packed:
                write(packed)
        else:
            write(stream)

    write_whole(path, pack)
