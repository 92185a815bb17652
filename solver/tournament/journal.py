"""The journal of a tournament: games as they are finished, so that a tournament that was killed
goes on where it was.

Its first line says what is played, and by which version of the program. Every other line has the
games of a piece: the number of the first (from 0), the shots of each player in each game, and a
checksum; and the numbers of the players where these are not all of them. A line is written when the
piece is finished; the last one is dropped if it was cut short. Everything that the outcome of a
game depends on must agree with the first line, or the journal is refused: the options by name, and
layouts, priors, strategies and players of one's own by what they are.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import zlib
from collections.abc import Sequence
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from seabattle.enumerate.errors import FileAccessError, PlayerError
from seabattle.enumerate.files import (
    EMPTY,
    HEAD,
    GrowingFile,
    json_document,
    kind_of,
    of_format,
    read_text,
)
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import position_document
from seabattle.enumerate.priors.files import json_text, require_prior
from seabattle.enumerate.priors.prior import Prior
from seabattle.solver.players.loading import load
from seabattle.solver.players.player_spec import PlayerSpec
from seabattle.solver.tournament.layout_sources import LayoutSource
from seabattle.solver.tournament.pieces import Assembly, Piece

FORMAT = "seabattle-tournament-journal"
KIND = "journal of a tournament"

_FIRST_LAYOUTS = 100
"""So many layouts tell whether they come from where they came from before."""

_PROOFS = {
    "layouts_digest": "the layouts have changed",
    "prior_digest": "the prior has changed",
    "strategy_digest": "the strategy file has changed",
    "players_digest": "a player's code or prior has changed",
}

Terms = dict[str, Any]
"""What the outcome of the games depends on, as a JSON object."""


def terms_of(
    position: Position,
    specs: Sequence[PlayerSpec],
    source: LayoutSource,
    layouts: str,
    seed: int,
    prior: Prior | None,
    strategy: str | Path | None,
) -> Terms:
    """What the outcome of a tournament's games depends on.

    Parameters
    ----------
    position, specs, source, seed, prior, strategy
        As the tournament has them.
    layouts
        What the source is called.
    """
    game = position_document(position)
    del game["format"], game["version"]
    drawn = source.take(0, source.listed or _FIRST_LAYOUTS)
    players = [(spec.name, _code(spec), _prior_text(spec, position)) for spec in specs]
    return {
        "program": version("seabattle"),
        **game,
        "players": [spec.name for spec in specs],
        "layouts": layouts,
        "seed": seed,
        "prior": "uniform" if prior is None else prior.name,
        "strategy": "" if strategy is None else str(strategy),
        "layouts_digest": _digest(np.ascontiguousarray(drawn, dtype="<u2").tobytes()),
        "prior_digest": _digest(b"" if prior is None else json_text(prior).encode()),
        "strategy_digest": _digest(_manifest(strategy)),
        "players_digest": _digest(repr(players).encode()),
    }


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _prior_text(spec: PlayerSpec, position: Position) -> str:
    prior = require_prior(spec.prior, position.rules)
    return "" if prior is None else json_text(prior)


def _code(spec: PlayerSpec) -> str:
    """The text of the file of a player of one's own, where there is one."""
    if isinstance(spec.source, str) and spec.source.startswith("seabattle."):
        return ""
    try:
        made = load(spec.source) if isinstance(spec.source, str) else spec.source
        return Path(inspect.getsourcefile(made) or "").read_text(encoding="utf-8")
    except (OSError, TypeError, ValueError, PlayerError):  # typed at a prompt, or built in
        return ""


def _manifest(strategy: str | Path | None) -> bytes:
    """What tells one strategy file from another: its manifest has the checksums of the rest."""
    if strategy is None:
        return b""
    path = Path(strategy)
    return (path / "manifest.json" if path.is_dir() else path).read_bytes()


class Journal:
    """A journal that games are added to.

    Parameters
    ----------
    path
        The file.
    terms
        What the outcome of the games depends on.
    cells
        Cells of the board.
    wanted
        Games asked for.
    resume
        Whether to go on from the games that are there; otherwise there may be none.

    Attributes
    ----------
    pieces
        The games that were there, in the order of their numbers: those that all players have
        played, then those of some of them.
    used
        Whether any games are in the file.

    Raises
    ------
    PlayerError
        If there are games and ``resume`` is false, or the file is no journal, is damaged, or is of
        another tournament.
    FileAccessError
        If it cannot be read or written; by ``add`` too.
    """

    def __init__(
        self, path: str | Path, terms: Terms, *, cells: int, wanted: int, resume: bool
    ) -> None:
        self.path = Path(path)
        lines = self._lines()
        head = {"format": FORMAT, "version": 1, **json.loads(json.dumps(terms))}
        if len(lines) > 1 and not resume:
            raise PlayerError(
                f"{path} holds games of a tournament that was stopped: add --resume (in Python "
                f"resume=True) to go on with it, or remove the file"
            )
        if len(lines) > 1:
            self._require_same(self._document(lines[0], 1), head)
        shape = len(terms["players"]), cells
        self.pieces = self._assembled(
            [self._piece(line, number, shape) for number, line in enumerate(lines[1:], start=2)],
            shape[0],
        )
        last = max((piece.stop for piece in self.pieces), default=0)
        if last > wanted:
            raise PlayerError(
                f"{path} holds {last:,} games already: ask for so many or more, not {wanted:,}"
            )
        self.used = bool(self.pieces)
        self._file = GrowingFile(self.path, [json.dumps(head), *map(journal_line, self.pieces)])

    def _lines(self) -> list[str]:
        """Whole lines of the file; none where there is no file."""
        try:
            with self.path.open("rb") as stream:
                kind = kind_of(stream.read(HEAD))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise FileAccessError(f"cannot read {self.path}: {error.strerror or error}") from None
        if kind == EMPTY:
            return []
        if kind != of_format(FORMAT):
            raise PlayerError(f"{self.path} is no {KIND}: remove it, or name another place")
        return read_text(self.path, self._damaged("it is not UTF-8 text")).split("\n")[:-1]

    def _document(self, line: str, number: int) -> dict[str, Any]:
        try:
            document = json_document(line, self.path, KIND, PlayerError, once=True)
        except PlayerError:
            document = None
        if not isinstance(document, dict):
            raise self._damaged(f"line {number} is no JSON object")
        return document

    def _damaged(self, why: str) -> PlayerError:
        return PlayerError(
            f"{self.path} is damaged, {why}: remove it, and the tournament starts anew"
        )

    def _require_same(self, there: Terms, here: Terms) -> None:
        """Refuse a journal of other games; names what differs."""
        differing = [name for name in {**here, **there} if there.get(name) != here.get(name)]
        if not differing:
            return
        told = [
            f"{name} is {_shown(there.get(name))}, not {_shown(here.get(name))}"
            for name in differing
            if name not in _PROOFS
        ]
        if not told:
            told = [_PROOFS[name] for name in differing]
        raise PlayerError(f"{self.path} is of another tournament: there, {'; '.join(told)}")

    def _piece(self, line: str, number: int, shape: tuple[int, int]) -> Piece:
        """The games of a line.

        ``shape`` is the number of players, and of cells.
        """
        document = self._document(line, number)
        first, rows = document.get("game"), document.get("shots")
        everybody, cells = shape
        players = document.get("players")
        no_games = self._damaged(f"line {number} has no games of these players")
        if type(first) is not int or first < 0:
            raise no_games
        if players is not None:
            if not isinstance(players, list) or not players or set(map(type, players)) != {int}:
                raise no_games
            if not all(0 <= player < everybody for player in players):
                raise no_games
        try:
            shots = np.array(rows, dtype=np.int32)
        except (ValueError, TypeError, OverflowError):
            raise no_games from None
        number_of_rows = everybody if players is None else len(players)
        if shots.ndim != 2 or len(shots) != number_of_rows or not shots.size:
            raise no_games
        piece = Piece(first, shots, None if players is None else tuple(players))
        if shots.min() < 0 or shots.max() > cells or _check(piece) != document.get("check"):
            raise no_games
        return piece

    def _assembled(self, pieces: list[Piece], players: int) -> list[Piece]:
        """Pieces in order: games of all players joined, then those of some of them."""
        assembly = Assembly(players)
        whole = []
        for piece in pieces:
            try:
                found = assembly.add(piece)
            except ValueError:
                raise self._damaged(f"game {piece.first + 1} is there twice") from None
            if found is not None:
                whole.append(found)
        joined = self._joined(whole)
        left = [part for game in sorted(assembly.waiting) for part in assembly.waiting[game]]
        for part in left:
            if any(piece.first <= part.first < piece.stop for piece in joined):
                raise self._damaged(f"game {part.first + 1} is there twice")
        return [*joined, *left]

    def _joined(self, pieces: list[Piece]) -> list[Piece]:
        """Pieces in order, those that follow each other as one."""
        pieces = sorted(pieces, key=lambda piece: piece.first)
        for one, other in pairwise(pieces):
            if other.first < one.stop:
                raise self._damaged(f"game {other.first + 1} is there twice")
        runs: list[list[Piece]] = []
        for piece in pieces:
            if runs and runs[-1][-1].stop == piece.first:
                runs[-1].append(piece)
            else:
                runs.append([piece])
        return [
            Piece(run[0].first, np.concatenate([piece.shots for piece in run], axis=1))
            for run in runs
        ]

    def add(self, piece: Piece) -> None:
        """Append the games of a piece at once."""
        self._file.add(journal_line(piece))
        self.used = True

    def close(self, *, keep: bool) -> None:
        """Write no more; a journal that is not kept is removed."""
        if keep:
            self._file.close()
        else:
            self._file.remove()


def journal_line(piece: Piece) -> str:
    """The line of a piece."""
    players = {} if piece.players is None else {"players": list(piece.players)}
    games = {"game": piece.first, **players, "shots": piece.shots.tolist()}
    return json.dumps({**games, "check": _check(piece)}, separators=(",", ":"))


def _check(piece: Piece) -> int:
    whose = repr((piece.first, piece.players)).encode()
    return zlib.crc32(piece.shots.astype("<i4").tobytes(), zlib.crc32(whose))


def _shown(value: Any) -> str:
    """A value of the terms in a message."""
    if value is None or value in ("", []):
        return "none"
    if isinstance(value, list):
        return ",".join(" ".join(map(str, v)) if isinstance(v, list) else str(v) for v in value)
    return str(value)
