"""Checking a proof that no strategy misses less: independent of the search that found it.

A *sub-table* is what answers leave of the layouts, once all cells are shot that all of them occupy.
It is given by H, these cells, and M, those that none occupies; with answers ``ship`` H says which
ship is where. A *lemma* says that a sub-table takes so many misses at least: in all, each layout by
its weight, or for the worst of its layouts. The page *Checking a proof* tells the format and proves
the rules by which one follows from others:

counting    rows found with at most k misses are hit by one of the first k + 1 shots of the path on
            which every shot misses: no more than its column holds and, with answers ``hit``, than
            words of the misses left can tell apart
few rows    the value of up to ``FEW`` rows is worked out
shots       for every cell, what a shot there misses and what its parts take come to the bound; a
            cell need not be looked at if another one is occupied wherever it is

Rows are occupancies with answers ``hit``, otherwise layouts. Nothing here knows the search or the
core; ``docs/check_proof.py`` does the same in another way without anything of this package.
"""

from __future__ import annotations

import gzip
import lzma
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.board import cells_of
from seabattle.enumerate.counting.counter import fitting_table
from seabattle.enumerate.errors import FileAccessError, ProofError, SeabattleError, quoted
from seabattle.enumerate.files import json_document, require_format, require_known
from seabattle.enumerate.layouts import DEFAULT_MEMORY_GIB
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import read_shot_fields
from seabattle.enumerate.rules import GAME_FIELDS, AnswerMode, Contact, Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.trees.tree import Tree, transformed_placements

FORMAT, VERSION = "seabattle-proof", 1
FIELDS = ("format", "version", *GAME_FIELDS, "weights", "position", "objective", "claim")
FEW = 4
"""Rows of a sub-table that is solved outright."""

PACKED = {".gz": b"\x1f\x8b", ".xz": b"\xfd7zXZ\x00"}
"""How files begin that are packed."""

OTHER_KINDS = {
    "tree": "which 'seabattle verify' checks",
    "position": "which commands take with --position",
    "prior": "which commands take with --prior",
}
"""Files that are taken for proofs, and what they are for."""

MOST_WORDS = 1 << 40
MOST_PROBLEMS = 20

Key = tuple[bytes, bytes]
"""A sub-table: H and M, and with answers ``ship`` the ship in each cell of H."""

Rows = NDArray[np.intp]


@dataclass(frozen=True)
class ProofCheck:
    """Result of a check; true when the proof holds.

    Attributes
    ----------
    valid
        Whether nothing is wrong.
    problems
        What is wrong, one line each, ``MOST_PROBLEMS`` at the most.
    objective, claim
        What is bounded (``mean`` or ``worst``), and by how much.
    lemmas, counted
        How many lemmas there are, and how many sub-tables counting bounds where lemmas say less:
        lemmas themselves, and parts that shots leave.
    table
        The layouts of the game, with their weights and the position.
    """

    valid: bool
    problems: tuple[str, ...]
    objective: str
    claim: int
    lemmas: int
    counted: int
    table: DecisionTable = field(repr=False, compare=False)

    def __bool__(self) -> bool:
        return self.valid

    @property
    def position(self) -> Position:
        """The position from which misses count."""
        return self.table.position

    @property
    def weight(self) -> int:
        """Sum of the weights of the layouts."""
        return self.table.total_weight

    def falls_short(self, tree: Tree) -> str:
        """Why the claim does not say that a tree is optimal; empty where it does."""
        if tree.position != self.position or _weights(tree) != _weights(self.table):
            return "the proof is of another game than the tree"
        misses = tree.total_misses if self.objective == "mean" else tree.worst_misses
        if self.claim < misses:
            return f"the proof claims {self.claim} misses at least, and the tree takes {misses}"
        return ""

    def document(self) -> dict[str, Any]:
        """What ``check --json`` prints of a proof, the verdict and its problems apart.

        Fields
        ------
        objective: what is bounded, mean or worst
        claim: the misses that every strategy has at least, in all or in the worst case
        weight: the sum of the weights of the layouts; their number where all weigh 1
        lemmas: how many lemmas the proof has
        counted: how many sub-tables counting bounds where lemmas say less
        """
        return {
            "objective": self.objective,
            "claim": self.claim,
            "weight": self.weight,
            "lemmas": self.lemmas,
            "counted": self.counted,
        }

    def facts(self) -> list[tuple[str, str]]:
        """The same for people."""
        told = f"worst {self.claim}"
        if self.objective == "mean":
            told = f"mean {self.claim / self.weight:.4f} ({self.claim}/{self.weight})"
        return [
            ("claim", f"{told} misses at least"),
            ("lemmas", f"{self.lemmas:,}; counting bounds {self.counted:,} sub-tables"),
        ]


def check_proof(
    path: str | Path,
    *,
    memory_limit: float = DEFAULT_MEMORY_GIB,
    progress: Callable[[int, int], None] | None = None,
) -> ProofCheck:
    """Check a proof file from the rules of the game alone.

    Parameters
    ----------
    path
        The file, packed where its name ends in ``.gz`` or ``.xz``.
    memory_limit
        GiB for the layouts.
    progress
        Called with the number of lemmas checked, and of all.

    Raises
    ------
    FileAccessError
        If the file cannot be read.
    ProofError, or another SeabattleError
        If its first line is not that of a proof, or of no game.

    Examples
    --------
    >>> import seabattle
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     solution = seabattle.solve(Rules("3x3", "2,1"), proof=f"{folder}/proof.txt")
    ...     print(solution.total_misses, check_proof(f"{folder}/proof.txt").claim)
    62 62
    """
    lines = _lines(path)
    first = next(lines, "")
    _refuse_other_kinds(first, lines, path)
    try:
        header = json_document(first, path, "proof", ProofError)
        table, worst = _read_header(header, memory_limit)
    except SeabattleError as error:
        said = str(error)
        raise ProofError(said if str(path) in said else f"{path}: {said}") from None
    proof = Proof(table, worst=worst)
    problems: list[str] = []
    lemmas: list[tuple[int, Rows, int]] = []
    for number, line in enumerate(lines, 2):
        try:
            lemmas.append((number, *proof.add(line)))
        except ProofError as error:
            problems.append(f"line {number}: {error}")
    for done, (number, rows, bound) in enumerate(lemmas):
        if progress is not None and done % 100 == 0:
            progress(done, len(lemmas))
        if not proof.follows(rows, bound):
            problems.append(f"line {number}: the bound {bound} does not follow")
        if len(problems) >= MOST_PROBLEMS:
            break
    if not problems and proof.value() < header["claim"]:
        problems.append(f"line 1: the claim {header['claim']} does not follow")
    return ProofCheck(
        not problems, tuple(problems[:MOST_PROBLEMS]), header["objective"], header["claim"],
        len(lemmas), proof.by_counting, table,
    )  # fmt: skip


def _lines(path: str | Path) -> Iterator[str]:
    """The lines of a text file, which may be packed, as the end of its name says."""
    opens: dict[str, Any] = {".gz": gzip.open, ".xz": lzma.open}
    suffix = Path(path).suffix.lower()
    try:
        with open(path, "rb") as file:
            start = file.read(6)
        is_packed = [end for end, magic in PACKED.items() if start.startswith(magic)]
        if is_packed and suffix not in is_packed:
            raise FileAccessError(f"cannot read {path}: it is packed; name it .txt{is_packed[0]}")
        if start and suffix in PACKED and not is_packed:
            raise FileAccessError(f"cannot read {path}: it is named as packed, and is not")
        with opens.get(suffix, open)(path, "rt", encoding="ascii") as stream:
            for line in stream:
                yield line.rstrip("\n")
    except FileAccessError:
        raise
    except OSError as error:
        raise FileAccessError(f"cannot read {path}: {error.strerror or error}") from None
    except (EOFError, lzma.LZMAError, UnicodeDecodeError, ValueError) as error:
        raise FileAccessError(f"cannot read {path}: it is damaged or cut short: {error}") from None


def _refuse_other_kinds(first: str, lines: Iterator[str], path: str | Path) -> None:
    """Say of a file of another kind what it is; it may be JSON in several lines."""
    if f'"{FORMAT}"' in first:
        return
    start = "\n".join((first, *islice(lines, 20)))
    named = re.search(r'"format"\s*:\s*"seabattle-(\w+)"', start)
    if named is not None and named[1] in OTHER_KINDS:
        raise ProofError(f"{path} is no proof: it is a {named[1]}, {OTHER_KINDS[named[1]]}")


def _read_header(header: Any, memory_limit: float) -> tuple[DecisionTable, bool]:
    """The layouts of the game of a proof, and whether its bounds are of the worst of them."""
    require_format(header, FORMAT, VERSION, ProofError)
    require_known(header, FIELDS, ProofError)
    if header.get("objective") not in ("mean", "worst"):
        raise ProofError(f"objective {quoted(header.get('objective'))}: must be mean or worst")
    if type(header.get("claim")) is not int or header["claim"] < 0:
        raise ProofError("the field 'claim' must be a whole number, 0 or more")
    rules = Rules.of_document(header)
    if rules.answers is AnswerMode.SUNK and rules.contact is Contact.SIDES:
        raise ProofError("with answers 'sunk' and contact 'sides' there is no proof of this kind")
    position = read_shot_fields(rules, {"shots": header.get("position", [])}, "position")
    table = fitting_table(position, memory_limit=memory_limit)
    if "weights" in header:
        table = _weighed(table, header["weights"])
    return table, header["objective"] == "worst"


def _weighed(table: DecisionTable, given: Any) -> DecisionTable:
    """The layouts with the weights that a proof gives; those without one are left out."""
    numbers = {mask: number for number, mask in enumerate(placement_table(table.rules).own)}
    weights = np.zeros(len(table.layouts), dtype=np.int64)
    place = {tuple(row): i for i, row in enumerate(table.layouts.ships.tolist())}
    try:
        for ships, weight in given.items():
            row = tuple(sorted(numbers[int(ship, 16)] for ship in ships.split(" ")))
            if type(weight) is not int or weight < 1:
                raise ProofError("weights: give whole numbers above 0")
            weights[place[row]] = weight
    except (AttributeError, KeyError, ValueError) as error:
        raise ProofError(f"the weights are not of layouts of this game: {error}") from None
    return DecisionTable(table.layouts, weights, table.position, listed=True)


class Proof:
    """The rows of a game, and the lemmas about its sub-tables.

    Parameters
    ----------
    table
        The layouts.
    worst
        Whether bounds are of the worst row, not of all.
    """

    def __init__(self, table: DecisionTable, *, worst: bool) -> None:
        rules, self.worst = table.rules, worst
        self.cells, self.answers = rules.board.cells, rules.answers
        masks, weights, group = table.masks, table.weights, np.arange(len(table))
        if self.answers is AnswerMode.HIT:
            masks, weights, group = table.occupancies()
        placements = placement_table(rules)
        numbers = table.layouts.ships[table.index[np.unique(group, return_index=True)[1]]]
        self.weights = weights if len(weights) else np.ones(len(masks), dtype=np.int64)
        self.occupied = _bits(masks, self.cells)
        self.ships = _bits(placements.masks, self.cells)[numbers]
        self.lengths, self.ship_cells = np.array(rules.fleet.lengths), rules.fleet.cells
        self.words = np.array([
            [min(comb(h + k, k), MOST_WORDS) for k in range(self.cells + 1)]
            for h in range(self.ship_cells + 1)
        ])  # fmt: skip
        self.lemmas: dict[Key, int] = {}
        self.by_counting = 0  # sub-tables that it bounds where lemmas say less
        self.solved: dict[bytes, int] = {}
        self.backward = []  # of each symmetry that keeps the rows and their weights
        own = self._names(self.occupied, numbers)
        for symmetry in rules.symmetries:
            back = np.argsort(symmetry)
            moved = np.sort(transformed_placements(placements, symmetry)[numbers], axis=1)
            images = self._names(self.occupied[:, back], moved)
            weight_of = dict(zip(images, self.weights.tolist(), strict=True))
            if [weight_of.get(name) for name in own] == self.weights.tolist():
                self.backward.append(back)

    def _names(self, occupied: NDArray[np.bool_], numbers: NDArray[np.uint16]) -> list[bytes]:
        """What tells rows apart: their cells, or their ships."""
        told: NDArray[Any] = occupied if self.answers is AnswerMode.HIT else numbers
        return [row.tobytes() for row in told]

    # Sub-tables.

    def _parts(self, rows: Rows) -> list[Rows]:
        """The sub-tables that are left of some rows, once all that is certain is shot."""
        if self.answers is AnswerMode.HIT or len(rows) == 1:
            return [rows]
        certain = np.asarray(self.occupied[rows].all(axis=0))
        ships = self.ships[rows]
        if self.answers is AnswerMode.SUNK:
            sunk = ~(ships & ~certain).any(axis=2, keepdims=True)
            told: NDArray[Any] = np.asarray((ships & sunk).any(axis=1))
        else:
            told = self._labels(ships & certain)
        alike: dict[bytes, list[int]] = {}
        for row, answers in zip(rows.tolist(), told, strict=True):
            alike.setdefault(answers.tobytes(), []).append(row)
        if len(alike) == 1:
            return [rows]
        return [part for same in alike.values() for part in self._parts(np.array(same))]

    def _labels(self, ships: NDArray[np.bool_]) -> NDArray[np.int64]:
        """In each cell the length of its ship, and the first cell of that: ``(..., cells)``."""
        label = 1 + ships.argmax(axis=-1) + (1 + self.cells) * self.lengths
        return np.asarray((ships * label[..., None]).sum(axis=-2))

    def _key(self, rows: Rows) -> Key:
        held = self.occupied[rows]
        certain, water = np.asarray(held.all(axis=0)), np.asarray(~held.any(axis=0))
        return _packed(certain, water), self.label(rows[0], certain)

    def label(self, row: int, certain: NDArray[np.bool_]) -> bytes:
        """With answers ``ship`` which ship of a row is in each of some cells; else nothing."""
        if self.answers is not AnswerMode.SHIP:
            return b""
        return self._labels(self.ships[row] & certain).tobytes()

    def add(self, line: str) -> tuple[Rows, int]:
        """Read a lemma; the rows of its sub-table, and its bound.

        Raises
        ------
        ProofError
            If it is not a lemma, or there is no such sub-table.
        """
        parts = line.split(" ")
        ships = np.zeros_like(self.ships[0])
        try:
            if self.answers is AnswerMode.SHIP:
                for ship in parts[0].split(",") if parts[0] != "0" else ():
                    length, mask = ship.split(":")
                    free = (self.lengths == int(length)) & ~ships.any(axis=1)
                    ships[np.flatnonzero(free)[0]] = self._mask(mask)
                certain = ships.any(axis=0)
            else:
                certain = self._mask(parts[0])
            water, bound = self._mask(parts[1]), int(parts[2])
            if len(parts) != 3:
                raise ValueError
        except (ValueError, IndexError, OverflowError):
            raise ProofError(f"{quoted(line)} is not a lemma: give H, M and a bound") from None
        told = self._labels(ships).tobytes() if self.answers is AnswerMode.SHIP else b""
        key = _packed(certain, water), told
        fitting = self.occupied[:, certain].all(axis=1) & ~self.occupied[:, water].any(axis=1)
        rows = np.flatnonzero(fitting)
        found = [
            part for part in (self._parts(rows) if len(rows) else ()) if self._key(part) == key
        ]
        if not found:
            raise ProofError("there is no sub-table of which H and M are all that is certain")
        for back in self.backward:
            if told:
                told = self._labels(ships[:, back]).tobytes()
            image = _packed(certain[back], water[back]), told
            self.lemmas[image] = max(bound, self.lemmas.get(image, 0))
        return found[0], bound

    def _mask(self, text: str) -> NDArray[np.bool_]:
        """The cells of a mask, as bool ``(cells,)``."""
        mask = int(text, 16)
        if not 0 <= mask < 1 << self.cells:
            raise ValueError
        cells = np.zeros(self.cells, dtype=bool)
        cells[list(cells_of(mask))] = True
        return cells

    # Bounds.

    def told(self, rows: Rows) -> int:
        """What counting says of some rows, or solving them where they are few."""
        if len(rows) <= FEW:
            return self._solved(rows)
        held = self.occupied[rows]
        columns = held.sum(axis=0), (held * self.weights[rows, None]).sum(axis=0)
        sizes = np.array([len(rows)]), self.weights[rows].sum(keepdims=True)
        return int(self.counted(columns[0][None], columns[1][None], *sizes)[0])

    def value(self) -> int:
        """What is proven of all rows."""
        parts = self._parts(np.arange(len(self.weights)))
        bounds = [max(self.told(part), self.lemmas.get(self._key(part), 0)) for part in parts]
        return max(bounds) if self.worst else sum(bounds)

    def counted(
        self,
        columns: NDArray[np.int64],
        weighed: NDArray[np.int64],
        sizes: NDArray[np.int64],
        weights: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """By counting, of several sub-tables.

        Parameters
        ----------
        columns, weighed
            int64 ``(n, cells)``: rows that occupy each cell, and their weight.
        sizes, weights
            int64 ``(n,)``: all rows, and their weight.
        """
        certain = columns == sizes[:, None]
        hits = self.ship_cells - certain.sum(axis=1)
        rows = -np.sort(-np.where(certain, 0, columns), axis=1)
        heaviest = np.cumsum(-np.sort(-np.where(certain, 0, weighed), axis=1), axis=1)
        bounds = np.zeros(len(sizes), dtype=np.int64)
        for k in range(self.cells):
            most = rows[:, : k + 1]
            if self.answers is AnswerMode.HIT:
                most = np.minimum(most, self.words[hits - 1, k::-1])
            found = most.sum(axis=1)
            left = np.minimum(sizes - found, 1)
            if not self.worst:
                by_rows = (sizes - found) * self.weights.min(), weights - found * self.weights.max()
                left = np.maximum(np.maximum(*by_rows), weights - heaviest[:, k])
            left = np.where(rows[:, k] > 0, np.maximum(left, 0), 0)
            if not left.any():
                break
            bounds += left
        return bounds

    def _solved(self, rows: Rows) -> int:
        """The value of a few rows."""
        held = self.occupied[rows]
        name = np.sort(rows).tobytes()
        if self.answers is AnswerMode.HIT:  # only how columns part them matters
            columns = sorted(set(((1 << np.arange(len(rows))) @ held).tolist()))
            name = repr((columns, self.weights[rows].tolist())).encode()
        if name not in self.solved:
            values = []
            for cell in np.flatnonzero(held.any(axis=0) & ~held.all(axis=0)).tolist():
                hit = held[:, cell]
                sides = ((0, rows[hit]), (1, rows[~hit]))
                parts = [(missed, part) for missed, side in sides for part in self._parts(side)]
                bounds = [self._solved(part) + self.worst * missed for missed, part in parts]
                missed = int(self.weights[rows[~hit]].sum())
                values.append(max(bounds) if self.worst else missed + sum(bounds))
            self.solved[name] = min(values, default=0)
        return self.solved[name]

    def _shots(self, rows: Rows, together: NDArray[np.int64]) -> NDArray[np.intp]:
        """Cells of which a shot is looked at: no other cell is occupied wherever one of them is."""
        count, order = together.diagonal(), np.arange(self.cells)
        better = together == count[:, None]  # [c, d]: whether d is occupied wherever c is
        better &= (count > count[:, None]) | (order < order[:, None]) & (count == count[:, None])
        open_cells = (count > 0) & (count < len(rows))
        return np.flatnonzero(open_cells & ~(better & open_cells).any(axis=1))

    def follows(self, rows: Rows, bound: int) -> bool:
        """Whether a bound follows by counting, or shot by shot."""
        if self.told(rows) >= bound:
            self.by_counting += 1
            return True
        left = _Left(self, rows)
        bounds = np.array([self.lemmas.get(key, 0) for key in left.named()], dtype=np.int64)
        for way in (left.counted, left.solved):
            lacking = (left.totals(bounds) < bound)[left.owner]
            if not lacking.any():
                return True
            some = np.flatnonzero(lacking)
            found = way(some)
            if way == left.counted:
                self.by_counting += int((found > bounds[some]).sum())
            bounds[some] = np.maximum(bounds[some], found)
        return bool((left.totals(bounds) >= bound).all())


class _Left:
    """What the shots at a sub-table leave, part by part.

    Attributes
    ----------
    owner, missed
        ``(parts,)``: number of the shot, and 1 where it missed.
    at_once
        ``(shots,)``: weight that each shot misses.
    """

    def __init__(self, proof: Proof, rows: Rows) -> None:
        self.proof, self.rows = proof, rows
        held = proof.occupied[rows]
        real, weights = held.astype(np.float64), proof.weights[rows]
        together = (real.T @ real).astype(np.int64)  # rows that occupy both of two cells
        shots = proof._shots(rows, together)
        every = together.diagonal()
        self.columns = np.concatenate((together[shots], every - together[shots]))
        self.sizes = np.concatenate((every[shots], len(rows) - every[shots]))
        self.weighed, self.weights = self.columns, self.sizes
        if weights.max() > 1:
            weighed = (real.T @ (real * weights[:, None])).astype(np.int64)
            every = weighed.diagonal()
            self.weighed = np.concatenate((weighed[shots], every - weighed[shots]))
            self.weights = np.concatenate((every[shots], weights.sum() - every[shots]))
        self.at_once = self.weights[len(shots) :]
        self.shots, self.owner = shots, np.tile(np.arange(len(shots)), 2)
        self.missed = np.repeat((0, 1), len(shots))
        self.apart: dict[int, Rows] = {}  # rows of parts that answers to certain hits part
        if proof.answers is not AnswerMode.HIT:
            self._part(held.all(axis=0).sum())

    def _part(self, certain: int) -> None:
        """Part the sides with certain cells that are not shot yet."""
        proof = self.proof
        due = (self.columns == self.sizes[:, None]).sum(axis=1) > certain
        sides = np.flatnonzero(due).tolist()
        parts = [(side, part) for side in sides for part in proof._parts(self.side(side))]
        kept = np.concatenate((np.flatnonzero(~due), [side for side, _ in parts])).astype(np.intp)
        first = int((~due).sum())
        for name in ("columns", "weighed", "sizes", "weights", "owner", "missed"):
            setattr(self, name, getattr(self, name)[kept])
        self.apart = {first + i: part for i, (_, part) in enumerate(parts)}
        for p, part in self.apart.items():
            held, weights = proof.occupied[part], proof.weights[part]
            self.columns[p], self.sizes[p] = held.sum(axis=0), len(part)
            if self.weighed is not self.columns:
                self.weighed[p], self.weights[p] = weights @ held, weights.sum()

    def side(self, part: int) -> Rows:
        """The rows of a part."""
        if part in self.apart:
            return self.apart[part]
        hit = self.proof.occupied[self.rows, self.shots[self.owner[part]]]
        side: Rows = self.rows[hit != self.missed[part]]
        return side

    def named(self) -> list[Key]:
        """The keys of all parts."""
        certain, water = self.columns == self.sizes[:, None], self.columns == 0
        packed = np.packbits(np.concatenate((certain, water), axis=1), axis=1)
        if self.proof.answers is not AnswerMode.SHIP:
            return [(key.tobytes(), b"") for key in packed]
        return [
            (key.tobytes(), self.proof.label(self.side(p)[0], certain[p]))
            for p, key in enumerate(packed)
        ]

    def counted(self, some: NDArray[np.intp]) -> NDArray[np.int64]:
        """Bounds of some parts by counting."""
        return self.proof.counted(
            self.columns[some], self.weighed[some], self.sizes[some], self.weights[some]
        )

    def solved(self, some: NDArray[np.intp]) -> NDArray[np.int64]:
        """The values of those that have few rows; 0 of the others."""
        few = self.sizes[some] <= FEW
        return np.array([
            self.proof._solved(self.side(p)) if solve else 0
            for p, solve in zip(some.tolist(), few.tolist(), strict=True)
        ])  # fmt: skip

    def totals(self, bounds: NDArray[np.int64]) -> NDArray[np.int64]:
        """What every shot takes, whose parts take so much."""
        if self.proof.worst:
            totals = np.zeros_like(self.at_once)
            np.maximum.at(totals, self.owner, bounds + self.missed)
            return np.asarray(totals)
        sums = np.bincount(self.owner, bounds, minlength=len(self.at_once))
        return np.asarray(self.at_once + sums.astype(np.int64))


def _weights(game: Tree | DecisionTable) -> dict[bytes, int]:
    """The weight of each layout of a tree or table; nothing where all weigh 1."""
    ships = game.ships if isinstance(game, Tree) else game.layouts.ships[game.index]
    weights = zip(ships, game.weights.tolist(), strict=False)
    return {layout.tobytes(): weight for layout, weight in weights}


def _bits(masks: NDArray[np.uint64], cells: int) -> NDArray[np.bool_]:
    """Masks as bool ``(n, cells)``."""
    return np.unpackbits(masks.view(np.uint8), axis=1, bitorder="little")[:, :cells].astype(bool)


def _packed(*masks: NDArray[np.bool_]) -> bytes:
    return np.packbits(masks).tobytes()
