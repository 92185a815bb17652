"""The opening book: the likeliest cells of positions that many games come through, kept on disk.

A map of the full board takes a good part of a second while the board is almost empty, and games of
one player begin alike: the first shot is always the same, the second depends on one answer. The
book keeps which cells are the likeliest in every such position met so far, not the maps. It grows
while games are played; ``openings.build_openings`` writes it in advance.

What is kept
    The likeliest cells of positions that at least one in ``RARE`` games comes through, as the share
    of the layouts that fit (or of their weight) tells, and in which many are left. At most
    ``MOST_KEPT`` positions to a book.
Symmetry
    Where all layouts are equally likely, positions that a symmetry of the board maps to each other
    share one entry.
Where
    In the folder ``openings`` beside the compiled kernels (``enumerate.kernels``), one file to a
    game and prior, at most ``MOST_BOOKS`` of them. The name of the file is a digest of the rules,
    of the prior, and of the text of all files that have a part in the maps: another version of the
    program has other books. A file that is damaged is not used, which one line on standard error
    says. ``SEABATTLE_OPENINGS=off`` switches books off.

A second, larger memory holds the positions met by this process, however rare, for all its players
together.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from math import isfinite, log
from pathlib import Path
from typing import Any, NamedTuple

from seabattle.enumerate import kernels as compiler
from seabattle.enumerate.errors import FileAccessError, SeabattleError
from seabattle.enumerate.files import json_document, read_text, write_text
from seabattle.enumerate.position import Position
from seabattle.enumerate.priors.files import json_text
from seabattle.enumerate.priors.prior import Prior
from seabattle.enumerate.rules import AnswerMode, Contact, Rules
from seabattle.solver.players.recent import Recent

FORMAT, VERSION = "seabattle-openings", 1

RARE = 10_000
"""Positions that fewer than one in so many games come through are not kept on disk."""

MOST_KEPT = 20_000
"""The most positions of a book."""

MOST_BOOKS = 32
"""The most books on disk; the oldest gives way to a new one."""

MOST_CHARACTERS = 1 << 24
"""A file with more characters is no book."""

MOST_REMEMBERED = 100_000
"""The most positions that a process remembers for a game, beside those of the book."""

SECONDS_BETWEEN = 10.0
"""A book that grows is written no more often than this."""

ROOMS = ("enumerate", "enumerate/counting", "enumerate/priors")
"""Rooms that have a part in the maps, beside the files of the players that use them."""


class Opening(NamedTuple):
    """What is known of a position.

    Attributes
    ----------
    cells
        The likeliest cells among those not shot, in reading order.
    weight
        Natural logarithm of the number of layouts that fit, or of their weight.
    """

    cells: tuple[int, ...]
    weight: float


Find = Callable[[Position], tuple[Opening, bool]]
"""Looks at the map of a position; also says whether so many layouts are left that it may be kept on
disk."""


def order_matters(rules: Rules) -> bool:
    """Whether the order of the shots tells something beyond their answers."""
    return rules.answers is AnswerMode.SUNK and rules.contact is Contact.SIDES


class OpeningBook:
    """The likeliest cells of positions of one game; several threads may use it.

    Parameters
    ----------
    rules
        The game.
    symmetric
        Whether positions that a symmetry of the board maps to each other share an entry.
    path
        The file; None to keep nothing on disk.
    """

    def __init__(self, rules: Rules, *, symmetric: bool, path: Path | None) -> None:
        self.rules = rules
        self.path = path
        self.symmetries = rules.board.symmetries if symmetric else rules.board.symmetries[:1]
        self._in_order = order_matters(rules)
        self._recent: Recent[str, Opening] = Recent(MOST_REMEMBERED)
        self._unsaved = False
        self._saved_at = time.monotonic()
        self._lock = threading.Lock()
        self._kept: dict[str, Opening] = {} if path is None else self._read(path, aloud=True)

    def __len__(self) -> int:
        return len(self._kept)

    def __repr__(self) -> str:
        return f"<opening book of {len(self):,} positions: {self.rules}>"

    def _entry(self, position: Position) -> tuple[str, tuple[int, ...]]:
        """The name of a position's entry, and the symmetry that maps the position to it."""
        least: list[tuple[int, int]] | None = None
        chosen = self.symmetries[0]
        for symmetry in self.symmetries:
            shots = [(symmetry[cell], code) for cell, code in position.shots]
            if not self._in_order:
                shots.sort()
            if least is None or shots < least:
                least, chosen = shots, symmetry
        return " ".join(f"{cell}:{code}" for cell, code in least or ()), chosen

    def opening(self, position: Position, find: Find) -> Opening:
        """What is known of a position of the game; ``find`` is called if that is nothing yet."""
        if not position.ordered or position.ships:  # then more is known than the shots say
            return find(position)[0]
        name, symmetry = self._entry(position)
        with self._lock:
            known = self._kept.get(name) or self._recent.get(name)
        if known is not None:
            cells = (c for c in range(self.rules.board.cells) if symmetry[c] in known.cells)
            return Opening(tuple(cells), known.weight)
        found, may_keep = find(position)
        turned = Opening(tuple(sorted(symmetry[cell] for cell in found.cells)), found.weight)
        with self._lock:
            common = not name or self.is_common(turned.weight)  # the first position has no name
            if may_keep and common and found.cells and len(self._kept) < MOST_KEPT:
                self._kept[name] = turned
                self._unsaved = True
            else:
                self._recent.put(name, turned)
        return found

    def is_common(self, weight: float, rare: int | None = None) -> bool:
        """Whether one in ``rare`` games comes through positions of a weight.

        Parameters
        ----------
        weight
            Natural logarithm of the number of layouts that fit, or of their weight.
        rare
            ``RARE`` by default. A book without the first position of the game knows of none.
        """
        first = self._kept.get("")
        return first is not None and weight >= first.weight - log(rare or RARE)

    def keeps(self, position: Position) -> bool:
        """Whether a position is in the book, and not only remembered by this process."""
        return position.ordered and not position.ships and self._entry(position)[0] in self._kept

    def save(self, *, at_once: bool = True) -> None:
        """Write what is new, together with what other processes have found meanwhile.

        Parameters
        ----------
        at_once
            False to wait until ``SECONDS_BETWEEN`` have passed since the last time.
        """
        path = self.path
        if path is None or not self._unsaved:
            return
        if not at_once and time.monotonic() < self._saved_at + SECONDS_BETWEEN:
            return
        with self._lock:
            others = self._read(path, aloud=False)
            for name, opening in others.items():
                if len(self._kept) < MOST_KEPT:
                    self._kept.setdefault(name, opening)
            text = self._text()
            self._unsaved = False
            self._saved_at = time.monotonic()
        with suppress(FileAccessError, OSError):  # then the next process finds them again
            if not path.exists():
                _make_room(path.parent)
            write_text(path, text)

    def _text(self) -> str:
        positions = {name: [o.weight, *o.cells] for name, o in sorted(self._kept.items())}
        head = {"format": FORMAT, "version": VERSION, "game": str(self.rules)}
        lines = ",\n".join(f"{json.dumps(n)}: {json.dumps(p)}" for n, p in positions.items())
        checksum = json.dumps(_checksum(positions))
        return f'{json.dumps(head)[:-1]}, "checksum": {checksum}, "positions": {{\n{lines}\n}}}}\n'

    def _read(self, path: Path, *, aloud: bool) -> dict[str, Opening]:
        """The positions of a file; none if there is none, or it is damaged."""
        if not path.is_file():
            return {}
        try:
            text = read_text(path, _DamagedError("it is no text"), most=MOST_CHARACTERS)
            return dict(self._openings(json_document(text, path, "opening book", _DamagedError)))
        except SeabattleError as error:
            if aloud:
                sys.stderr.write(f"seabattle: opening book {path} is not used: {error}\n")
            return {}

    def _openings(self, document: Any) -> Iterator[tuple[str, Opening]]:
        """The positions of a document.

        Raises
        ------
        _DamagedError
            If it is not as it was written.
        """
        try:
            positions, cells = document["positions"], self.rules.board.cells
            if (
                (document["format"], document["version"]) != (FORMAT, VERSION)
                or document["game"] != str(self.rules)
                or document["checksum"] != _checksum(positions)
                or len(positions) > MOST_KEPT
            ):
                raise _DamagedError("it is damaged")
            for name, (weight, *likeliest) in positions.items():
                shot = {int(part.partition(":")[0]) for part in name.split()}
                fine = all(type(c) is int and 0 <= c < cells and c not in shot for c in likeliest)
                if not (fine and likeliest and isinstance(weight, float) and isfinite(weight)):
                    raise _DamagedError("it is damaged")
                yield name, Opening(tuple(likeliest), weight)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise _DamagedError("it is damaged") from None


class _DamagedError(SeabattleError):
    """A file is no sound book."""


def _checksum(positions: dict[str, list[Any]]) -> str:
    return hashlib.sha256(json.dumps(positions).encode()).hexdigest()[:32]


def _make_room(folder: Path) -> None:
    """Remove the oldest books, so that there is room for one more."""
    books = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
    for path in books[: max(0, len(books) - MOST_BOOKS + 1)]:
        path.unlink()


@lru_cache(maxsize=1)
def _source_digest() -> str:
    """Digest of the text of all files that have a part in the maps."""
    here = Path(__file__).resolve().parent
    package = here.parent.parent
    files = [here / "exact_map.py", Path(__file__)]
    for room in ROOMS:
        files += sorted((package / room).glob("*.py"))
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def book_path(rules: Rules, prior: Prior | None) -> Path | None:
    """The file of a game's book; None if nothing can be kept on disk."""
    folder = compiler.KERNEL_FOLDER
    if folder is None:
        return None
    believed = "" if prior is None else json_text(prior)
    known = "\n".join((_source_digest(), repr(rules), believed))
    return folder.parent / "openings" / f"{hashlib.sha256(known.encode()).hexdigest()[:24]}.json"


@lru_cache(maxsize=8)
def book_at(rules: Rules, symmetric: bool, path: Path | None) -> OpeningBook:
    """The book in a file, one to a process, written when the process ends; see ``OpeningBook``."""
    book = OpeningBook(rules, symmetric=symmetric, path=path)
    atexit.register(book.save)
    return book


def opening_book(rules: Rules, prior: Prior | None = None) -> OpeningBook | None:
    """The book of a game and prior, one to a process; None where books are switched off."""
    if os.environ.get("SEABATTLE_OPENINGS", "").lower() in {"off", "0", "no"}:
        return None
    path = book_path(rules, prior)
    if path is None and prior is not None:
        return None  # without a name, the books of two priors would be one
    return book_at(rules, prior is None, path)
