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
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import answer_text
from seabattle.enumerate.errors import RulesError
from seabattle.enumerate.files import write_bytes
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.solver.proofs.lemmas import Lemmas, find_lemmas
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import Problem
from seabattle.solver.search.queries import Goal
from seabattle.solver.search.solution import Objective
from seabattle.trees.proof import FORMAT, VERSION
from seabattle.trees.tree import transformed_placements


def require_provable(rules: Rules, objective: object) -> None:
    """Refuse what has no proof of this kind.

    Raises
    ------
    RulesError
        With answers ``sunk`` under contact rule ``sides``, where a sub-table is not known by its
        cells; and with other objectives than ``mean`` and ``worst``.
    """
    if objective not in (Objective.MEAN, Objective.WORST):
        raise RulesError(f"proof: objective {objective} has none; the objectives are mean, worst")
    if rules.answers is AnswerMode.SUNK and rules.contact is Contact.SIDES:
        raise RulesError(
            "proof: with answers 'sunk' and contact 'sides' cells do not tell what is known, so "
            "that there is no proof of this kind"
        )


def write_proof(search: ExactSearch, goal: Goal, claim: int, path: str | Path) -> int:
    """Prove a lower bound of the whole problem of a search in a file; the number of lemmas.

    Raises
    ------
    LimitReached
        At a limit of time or memory.
    FileAccessError
        If the file cannot be written.
    """
    lemmas = find_lemmas(search, goal, claim)
    save_proof(search.problem, "worst" if goal is Goal.WORST else "mean", claim, lemmas, path)
    return len(lemmas)


def proof_header(problem: Problem, objective: str, claim: int) -> dict[str, Any]:
    """The first line of a proof of a problem, whose cells are named in Latin letters."""
    rules, table = problem.rules.lettered("latin"), problem.table
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


def lemma_lines(problem: Problem, lemmas: Lemmas) -> list[str]:
    """The lemmas as lines of text, in order, each of the image of its sub-table that comes first.

    Files of them are small when they are packed.
    """
    count, cells = len(lemmas), problem.rules.board.cells
    bits = [
        np.unpackbits(np.ascontiguousarray(masks).view(np.uint8), axis=1, bitorder="little")
        for masks in (lemmas.certain, lemmas.occupied)
    ]
    certain, occupied = np.zeros((2, count, cells), dtype=np.uint8)
    certain[:, problem.board_cells], occupied[:, problem.board_cells] = (
        each[:, : problem.cells] for each in bits
    )
    symmetries = [tuple(range(cells))] if problem.renumbered else problem.symmetries
    first, chosen = None, np.zeros(count, dtype=np.int64)
    for number, symmetry in enumerate(symmetries):
        back = np.argsort(symmetry)[::-1]  # the last cell is the highest bit
        words = [
            np.packbits(_whole_bytes(each[:, back]), axis=1) for each in (certain, 1 - occupied)
        ]
        image = np.concatenate(words, axis=1)
        if first is None:
            first = image
            continue
        differs = image != first
        place = differs.argmax(axis=1)[:, None]
        lower = np.take_along_axis(image, place, 1) < np.take_along_axis(first, place, 1)
        better = lower[:, 0] & differs.any(axis=1)
        first[better], chosen[better] = image[better], number
    if first is None:
        return []
    half = first.shape[1] // 2
    masks = [[row.tobytes().hex() for row in part] for part in (first[:, :half], first[:, half:])]
    told = [mask.lstrip("0") or "0" for mask in masks[0]]
    if problem.rules.answers is AnswerMode.SHIP:
        told = list(_named(problem, lemmas, symmetries, chosen, masks[0]))
    return sorted(
        f"{ships} {water.lstrip('0') or '0'} {bound}\n"
        for ships, water, bound in zip(told, masks[1], lemmas.bounds.tolist(), strict=True)
    )


def _whole_bytes(bits: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Bits with zeros before them, so that they fill bytes."""
    return np.pad(bits, ((0, 0), (-bits.shape[1] % 8, 0)))


def _named(
    problem: Problem,
    lemmas: Lemmas,
    symmetries: Sequence[tuple[int, ...]],
    chosen: NDArray[np.int64],
    certain: list[str],
) -> Iterator[str]:
    """The ships of H of each lemma under the symmetry that was chosen for it."""
    table = placement_table(problem.rules)
    images = [transformed_placements(table, symmetry).tolist() for symmetry in symmetries]
    for row, number, mask in zip(lemmas.rows.tolist(), chosen.tolist(), certain, strict=True):
        ships = [table.own[images[number][ship]] for ship in problem.numbers[row].tolist()]
        hits = [(ship.bit_count(), ship & int(mask, 16)) for ship in ships]
        yield ",".join(f"{length}:{hit:x}" for length, hit in sorted(hits) if hit) or "0"


def save_proof(
    problem: Problem, objective: str, claim: int, lemmas: Lemmas, path: str | Path
) -> None:
    """Write a proof file, packed where its name ends in ``.gz`` or ``.xz``."""
    head = json.dumps(proof_header(problem, objective, claim))
    text = "".join([f"{head}\n", *lemma_lines(problem, lemmas)]).encode("ascii")
    suffix = Path(path).suffix.lower()
    if suffix == ".gz":
        text = gzip.compress(text, mtime=0)
    elif suffix == ".xz":
        text = lzma.compress(text, preset=9 | lzma.PRESET_EXTREME)
    write_bytes(path, text)
