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
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import answer_text
from seabattle.enumerate.errors import RulesError
from seabattle.enumerate.files import write_whole
from seabattle.enumerate.placements import mask_words, placement_table
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.solver.proofs.lemmas import Lemmas, find_lemmas
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.problem import Problem, moved_masks
from seabattle.solver.search.queries import Goal, Objective
from seabattle.trees.proof import FORMAT, VERSION
from seabattle.trees.tree import transformed_placements

AT_A_TIME = 1 << 16
"""Lemmas that are made into lines at a time."""

LINE_BYTES = 64
"""More than the line of a lemma takes, but for those that name many ships."""


def provable(rules: Rules) -> bool:
    """Whether cells tell what is known: not with answers ``sunk`` where ships share sides."""
    return rules.answers is not AnswerMode.SUNK or rules.contact is not Contact.SIDES


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
    if not provable(rules):
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
    save_proof(search, "worst" if goal is Goal.WORST else "mean", claim, lemmas, path)
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


def save_proof(
    search: ExactSearch, objective: str, claim: int, lemmas: Lemmas, path: str | Path
) -> None:
    """Write a proof file, packed where its name ends in ``.gz`` or ``.xz``.

    The lines are made as they are written. The limits of the search are kept.
    """
    head = json.dumps(proof_header(search.problem, objective, claim))

    def write(file: BinaryIO) -> None:
        with packed(file, Path(path).suffix.lower(), len(lemmas)) as stream:
            stream.write(f"{head}\n".encode("ascii"))
            for lines in lemma_lines(search.problem, lemmas):
                stream.write("".join(lines).encode("ascii"))
                search.report("proof")
                search.limits.require_time()

    write_whole(path, write)


def packed(file: BinaryIO, suffix: str, lemmas: int) -> AbstractContextManager[Any]:
    """A stream that packs what is written to a file, so many lemmas, or the file.

    A dictionary larger than the text would take time and memory for nothing: ten times its size.
    """
    if suffix == ".gz":
        return gzip.GzipFile("", "wb", fileobj=file, mtime=0)
    if suffix == ".xz":
        size = min(max(LINE_BYTES * lemmas, 1 << 16), 1 << 26)
        best = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": size}
        return lzma.LZMAFile(file, "wb", filters=[best])
    return nullcontext(file)


def lemma_lines(problem: Problem, lemmas: Lemmas) -> Iterator[list[str]]:
    """The lemmas as lines of text, some at a time, in the order of H and M.

    Each is told by the image of its sub-table that comes first. So files of them are small when
    they are packed.
    """
    images, chosen = first_images(problem, lemmas)
    order = images.argsort(kind="stable")
    digits = images.itemsize  # hexadecimal, of a mask
    for some in slices(len(lemmas)):
        numbers = order[some]
        text = images[numbers].tobytes().hex()
        masks = [text[i : i + digits] for i in range(0, len(text), digits)]
        told = [mask.lstrip("0") or "0" for mask in masks]
        ships = told[::2]
        if problem.rules.answers is AnswerMode.SHIP:
            ships = list(named_ships(problem, lemmas.rows[numbers], chosen[numbers], masks[::2]))
        bounds = lemmas.bounds[numbers].tolist()
        yield [f"{h} {m} {bound}\n" for h, m, bound in zip(ships, told[1::2], bounds, strict=True)]


def first_images(problem: Problem, lemmas: Lemmas) -> tuple[NDArray[np.bytes_], NDArray[np.uint8]]:
    """H and M of each lemma under the symmetry that makes them least, and the number of that.

    They are bytes, the high ones first, that compare like the numbers.
    """
    board_words = (problem.rules.board.cells + 63) // 64
    water = mask_words([(1 << problem.rules.board.cells) - 1], board_words)
    images = np.empty(len(lemmas), dtype=f"S{2 * 8 * board_words}")
    chosen = np.zeros(len(lemmas), dtype=np.uint8)
    for some in slices(len(lemmas)):
        certain, occupied = np.moveaxis(lemmas.masks[some], 1, 0)
        for number, symmetry in enumerate(problem.symmetries):
            cells = {cell: problem.board_cells[image] for cell, image in enumerate(symmetry)}
            masks = (
                moved_masks(certain, cells, board_words),
                water & ~moved_masks(occupied, cells, board_words),
            )
            words = np.concatenate([mask[:, ::-1] for mask in masks], axis=1)
            image = words.astype(">u8").view(images.dtype)[:, 0]
            better = image < images[some] if number else np.ones(len(image), dtype=np.bool_)
            images[some][better], chosen[some][better] = image[better], number
    return images, chosen


def slices(count: int) -> Iterator[slice]:
    """Some of so many lemmas at a time."""
    return (slice(first, first + AT_A_TIME) for first in range(0, count, AT_A_TIME))


def named_ships(
    problem: Problem, rows: NDArray[np.int32], symmetries: NDArray[np.uint8], certain: list[str]
) -> Iterator[str]:
    """The ships of H, a mask, of lemmas that are told by a row under a symmetry each."""
    table = placement_table(problem.rules)
    images = [transformed_placements(table, each).tolist() for each in problem.symmetries]
    for row, number, mask in zip(rows.tolist(), symmetries.tolist(), certain, strict=True):
        ships = [table.own[images[number][ship]] for ship in problem.numbers[row].tolist()]
        hits = [(ship.bit_count(), ship & int(mask, 16)) for ship in ships]
        yield ",".join(f"{length}:{hit:x}" for length, hit in sorted(hits) if hit) or "0"
