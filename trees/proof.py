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
core; ``docs/check_proof.py`` does the same without anything of this package.
"""

from __future__ import annotations

import gzip
import lzma
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache, reduce
from io import BufferedReader
from itertools import islice, repeat
from math import comb, inf
from operator import add, gt, or_
from pathlib import Path
from typing import Any

import numpy as np

from seabattle.enumerate.board import cells_of, mask_of
from seabattle.enumerate.counting.counter import fitting_table
from seabattle.enumerate.errors import FileAccessError, ProofError, SeabattleError, quoted
from seabattle.enumerate.files import Source, json_document, name_of, require_format, require_known
from seabattle.enumerate.layouts import DEFAULT_MEMORY_GIB
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import read_shot_fields
from seabattle.enumerate.rules import GAME_FIELDS, AnswerMode, Contact, Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.trees.tree import Tree

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

MOST_PROBLEMS = 20


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
    path: Source,
    *,
    memory_limit: float = DEFAULT_MEMORY_GIB,
    progress: Callable[[int, int], None] | None = None,
) -> ProofCheck:
    """Check a proof file from the rules of the game alone.

    Parameters
    ----------
    path
        The file, packed where its name ends in ``.gz`` or ``.xz``; or a stream of bytes, packed or
        not.
    memory_limit
        GiB for the layouts.
    progress
        Called with the number of lemmas checked, and of all that were read.

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
    lines, name = _lines(path), name_of(path)
    first = next(lines, "")
    _refuse_other_kinds(first, lines, name)
    try:
        header = json_document(first, name, "proof", ProofError)
        table, worst = _read_header(header, memory_limit)
    except SeabattleError as error:
        said = str(error)
        raise ProofError(said if name in said else f"{name}: {said}") from None
    proof = Proof(table, worst=worst)
    problems: list[str] = []
    lemmas: list[tuple[int, int, int]] = []
    for number, line in enumerate(lines, 2):
        if progress is not None and number % 100 == 0:
            progress(0, number)
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


def _lines(source: Source) -> Iterator[str]:
    """The lines of a text, which may be packed; the name of a file, not of a pipe, says so.

    It is read once, from its beginning to its end.
    """
    opens: dict[str, Any] = {".gz": gzip.open, ".xz": lzma.open}
    named, path = isinstance(source, str | Path), name_of(source)
    suffix = Path(path).suffix.lower()
    try:
        with ExitStack() as opened:
            if isinstance(source, str | Path):
                stream: Any = opened.enter_context(open(source, "rb"))
            else:
                stream = source if hasattr(source, "peek") else BufferedReader(source)
            start = stream.peek(6)[:6]
            packed = next((end for end, sign in PACKED.items() if start.startswith(sign)), "")
            is_file = named and os.path.isfile(path)
            if is_file and packed and suffix != packed:
                raise FileAccessError(f"cannot read {path}: it is packed; name it .txt{packed}")
            if is_file and start and suffix in PACKED and not packed:
                raise FileAccessError(f"cannot read {path}: it is named as packed, and is not")
            unpacked = opened.enter_context(opens[packed](stream)) if packed else stream
            for line in unpacked:
                yield line.decode("ascii").rstrip("\r\n")
    except FileAccessError:
        raise
    except OSError as error:
        raise FileAccessError(f"cannot read {path}: {error.strerror or error}") from None
    except (EOFError, lzma.LZMAError, UnicodeDecodeError, ValueError) as error:
        raise FileAccessError(f"cannot read {path}: it is damaged or cut short: {error}") from None


def _refuse_other_kinds(first: str, lines: Iterator[str], path: str) -> None:
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

    A set of rows is a whole number with a bit for each row, so that what answers leave is an ``&``.

    Parameters
    ----------
    table
        The layouts.
    worst
        Whether bounds are of the worst row, not of all.
    """

    def __init__(self, table: DecisionTable, *, worst: bool) -> None:
        rules, self.worst, self.ship_cells = table.rules, worst, table.rules.fleet.cells
        self.hit, self.sunk, self.ship = (rules.answers is mode for mode in AnswerMode)
        own = placement_table(rules).own
        weights: Counter[tuple[int, ...]] = Counter()  # of each row, the masks of its ships
        layouts = table.layouts.ships[table.index].tolist()
        for layout, weight in zip(layouts, table.weights.tolist() or repeat(1), strict=False):
            ships = sorted(own[ship] for ship in layout)
            weights[(sum(ships),) if self.hit else tuple(ships)] += weight
        self.lightest, self.heaviest = min(weights.values()), max(weights.values())
        self.all_rows = (1 << len(weights)) - 1
        self.rows_with: dict[int, int] = defaultdict(int)  # each ship
        self.columns = {1 << cell: 0 for cell in range(rules.board.cells)}
        self.weighing: dict[int, int] = defaultdict(int)  # by powers of 2
        for number, (row, weight) in enumerate(weights.items()):
            for ship in row:
                self.rows_with[ship] |= 1 << number
            for cell in cells_of(sum(row)):
                self.columns[1 << cell] |= 1 << number
            for power in cells_of(weight):
                self.weighing[1 << power] |= 1 << number
        place = {row: number for number, row in enumerate(weights)}
        self.images = []  # of each row, by each symmetry that keeps the rows and their weights
        for symmetry in rules.symmetries[1:]:
            to = {ship: mask_of(symmetry[c] for c in cells_of(ship)) for ship in self.rows_with}
            images = [tuple(sorted(to[ship] for ship in row)) for row in weights]
            if [weights.get(image) for image in images] == list(weights.values()):
                self.images.append([place[image] for image in images])
        self.lemmas: dict[int, int] = {}
        self.solved: dict[int, int] = {}
        self.told: dict[int, list[list[int]]] = {}  # in each of some cells
        self.by_counting = 0  # sub-tables that it bounds where lemmas say less

    # Sub-tables.

    def weight(self, rows: int) -> int:
        """The weight of some rows."""
        if self.heaviest == 1:
            return rows.bit_count()
        return sum(each * (rows & some).bit_count() for each, some in self.weighing.items())

    def closure(self, rows: int) -> tuple[int, int]:
        """H and M of some rows."""
        held = [(cell, rows & column) for cell, column in self.columns.items()]
        water = sum([cell for cell, some in held if not some])
        return sum([cell for cell, some in held if some == rows]), water

    def parts(self, rows: int) -> list[int]:
        """The sub-tables that are left of some rows, once all that is certain is shot."""
        if self.hit or not rows & (rows - 1):
            return [rows] if rows else []
        parts, certain = [rows], self.closure(rows)[0]
        if certain not in self.told:
            self.told[certain] = [self.answers(1 << cell, certain) for cell in cells_of(certain)]
        for answers in self.told[certain]:
            parts = [part & some for part in parts for some in answers if part & some]
        return parts if len(parts) == 1 else [left for part in parts for left in self.parts(part)]

    def answers(self, cell: int, certain: int) -> list[int]:
        """The rows, apart by what is told in a cell once all that is certain is shot."""
        alike: dict[object, int] = defaultdict(int)
        for ship, rows in self.rows_with.items():
            if ship & cell:
                hit = ship & certain
                alike[hit == ship if self.sunk else (ship.bit_count(), hit)] |= rows
        return list(alike.values())

    def add(self, line: str) -> tuple[int, int]:
        """Read a lemma; the rows of its sub-table, and its bound.

        Raises
        ------
        ProofError
            If it is not a lemma, or there is no such sub-table.
        """
        try:
            told, empty, least = line.split(" ")
            ships = [ship.split(":") for ship in told.split(",")] if self.ship else [["0", told]]
            hits = [(int(length), int(mask, 16)) for length, mask in ships] if told != "0" else []
            certain, water, bound = (
                reduce(or_, [mask for _, mask in hits], 0),
                int(empty, 16),
                int(least),
            )
            if not all(0 <= mask < 1 << len(self.columns) for mask in (certain, water)):
                raise ValueError
        except ValueError:
            raise ProofError(f"{quoted(line)} is not a lemma: give H, M and a bound") from None
        rows = self.all_rows
        for cell, column in self.columns.items():
            rows &= column if certain & cell else ~column if water & cell else -1
        for hit in hits if self.ship else ():
            alike = [s for s in self.rows_with if (s.bit_count(), s & certain) == hit and hit[1]]
            rows &= reduce(or_, [self.rows_with[ship] for ship in alike], 0)
        found = [part for part in self.parts(rows) if self.closure(part) == (certain, water)]
        if not found:
            raise ProofError("there is no sub-table of which H and M are all that is certain")
        numbers = list(cells_of(found[0]))
        images = (sum(1 << image[number] for number in numbers) for image in self.images)
        for same in (found[0], *images):
            self.lemmas[same] = max(bound, self.lemmas.get(same, 0))
        return found[0], bound

    # Bounds.

    def known(self, rows: int) -> int:
        """What a lemma says of some rows; 0 where none does."""
        return self.lemmas.get(rows, 0)

    def counted(self, rows: int) -> int:
        """What counting says of some rows."""
        size = rows.bit_count()
        sizes = [(rows & column).bit_count() for column in self.columns.values()]
        hits = self.ship_cells - sizes.count(size)
        held = sorted([n for n in sizes if 0 < n < size], reverse=True)
        if self.heaviest > 1:
            weight = self.weight(rows)
            heavy = [self.weight(rows & c) for c in self.columns.values() if rows & c != rows]
            heavy.sort(reverse=True)
        bound = 0
        for k in range(len(held)):
            found = sum(map(min, held, _words(hits, k)) if self.hit else held[: k + 1])
            left = size - found
            if self.heaviest > 1 and not self.worst:
                by_weight = weight - found * self.heaviest, weight - sum(heavy[: k + 1])
                left = max(left * self.lightest, *by_weight)
            if left <= 0:
                break
            bound += 1 if self.worst else left
        return bound

    def few(self, rows: int) -> int:
        """The value of some rows, solved outright; 0 of more than ``FEW``."""
        if rows.bit_count() > FEW:
            return 0
        if rows not in self.solved:
            values = (self.shot(rows, hit, inf, self.few) for hit in self.shots(rows))
            self.solved[rows] = min(values, default=0)
        return self.solved[rows]

    def shots(self, rows: int) -> set[int]:
        """What each shot hits of some rows that parts them."""
        return {rows & column for column in self.columns.values()} - {0, rows}

    def shot(self, rows: int, hit: int, enough: float, *ways: Callable[[int], int]) -> int:
        """A bound on what a shot takes that hits some of the rows: in more ways, if need be."""
        missed = rows ^ hit
        parts, later = self.parts(hit), self.parts(missed)
        after = [0] * len(parts) + [1] * len(later)
        parts, at_once = parts + later, 0 if self.worst else self.weight(missed)
        bounds, value = [0] * len(parts), 0
        for way in ways:
            if value >= enough:
                break
            found = list(map(way, parts))
            if way == self.counted:
                self.by_counting += sum(map(gt, found, bounds))
            bounds = list(map(max, bounds, found))
            value = max(map(add, bounds, after)) if self.worst else at_once + sum(bounds)
        return value

    def follows(self, rows: int, bound: int) -> bool:
        """Whether a bound follows by counting, or shot by shot."""
        if max(self.few(rows), self.counted(rows)) >= bound:
            self.by_counting += 1
            return True
        tried: list[int] = []
        for hit in sorted(self.shots(rows), key=int.bit_count, reverse=True):
            if any(hit & better == hit for better in tried):
                continue
            if self.shot(rows, hit, bound, self.known, self.counted, self.few) < bound:
                return False
            tried.append(hit)
        return True

    def value(self) -> int:
        """What is proven of all rows."""
        parts = self.parts(self.all_rows)
        bounds = [max(self.known(part), self.counted(part), self.few(part)) for part in parts]
        return max(bounds) if self.worst else sum(bounds)


@cache
def _words(hits: int, misses: int) -> tuple[int, ...]:
    """How many words have so many hits and a miss fewer in each: the last hit is not told."""
    return tuple(comb(hits - 1 + left, left) for left in range(misses, -1, -1))


def _weights(game: Tree | DecisionTable) -> dict[bytes, int]:
    """The weight of each layout of a tree or table; nothing where all weigh 1."""
    ships = game.ships if isinstance(game, Tree) else game.layouts.ships[game.index]
    weights = zip(ships, game.weights.tolist(), strict=False)
    return {layout.tobytes(): weight for layout, weight in weights}
