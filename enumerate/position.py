"""A position: a game in progress, that is its rules, the shots so far and their answers, in order.

``position.shoot("C3", "miss")`` gives the next position, ``undo``, ``change`` and ``without`` take
back and correct; a position itself never changes. Cells are given by name or by number, answers as
text (``hit``, ``sunk:3``) or as the codes of ``seabattle.enumerate.answers``.

Under the contact rules ``none`` and ``corners``, and in modes ``hit`` and ``ship``, only the set
of answers matters; under ``sides`` with ``sunk`` the order does too, so it is always kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from seabattle.enumerate.answers import (
    HIT,
    HIT_SHIP,
    MISS,
    SUNK,
    answer_text,
    possible_answers,
    read_answer,
    sunk_code,
)
from seabattle.enumerate.board import Board, mask_of
from seabattle.enumerate.board_text import Drawn, Rows, read_board
from seabattle.enumerate.errors import PositionError, quoted
from seabattle.enumerate.picture import board_svg
from seabattle.enumerate.placements import Placement, placement_table, ways_to_cover
from seabattle.enumerate.rules import AnswerMode, Contact, Rules


@dataclass(frozen=True)
class Position:
    """A game in progress; ``Position(rules)`` is its beginning.

    Parameters
    ----------
    rules
        The game.
    shots
        Pairs (cell, answer) in the order shot, kept as numbers and codes; empty at the start.
    ordered
        False when the order of the shots is not known: a layout then fits if it would have
        answered so in some order, whatever the order in which they are listed. It makes a
        difference to the layouts in mode ``sunk`` under ``sides`` only; elsewhere answers that
        fit in the order listed leave the same layouts. Then a sinking may also be given without
        the length that was announced.
    ships
        Cells of sunk ships, each in reading order, known beyond what the answers say.

    Raises
    ------
    PositionError
        If a cell is shot twice, an answer is not one of the rules' answers, or a known ship has
        a cell that is not hit.

    Examples
    --------
    >>> start = Position(Rules("5x5", "3,2,1"))
    >>> start.shoot("C3", "miss").shoot("A1", "hit").undo() == start.shoot("c3", "miss")
    True
    >>> Position.read(Rules("5x5", "3,2,1"), [("C3", "miss"), ("a1", "hit")])
    Position.read(Rules('5x5', '3,2,1', contact='none', answers='hit', announce='length'), \
[('C3', 'miss'), ('A1', 'hit')])
    """

    rules: Rules
    shots: tuple[tuple[int, int], ...] = ()
    ordered: bool = True
    ships: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        board = self.rules.board
        possible = possible_answers(self.rules)
        seen: dict[int, int] = {}
        lengths: list[tuple[int, int]] = []
        for given, answer in self.shots:
            cell = board.cell(given)
            known = type(answer) is int and answer in possible
            code, length = (answer, 0) if known else read_answer(answer, self.rules)
            lengths.append((cell, length))
            unsaid = code == SUNK and not self.ordered and self.rules.answers is AnswerMode.SUNK
            if code not in possible and not unsaid:
                right = ", ".join(answer_text(c) for c in possible)
                raise PositionError(
                    f"shot {board.name(cell)}: answer {answer_text(code)!r} does not belong to "
                    f"these rules, whose answers are {right}"
                )
            if cell in seen:
                raise PositionError(
                    f"cell {board.name(cell)} is given twice, as {answer_text(seen[cell])} and as "
                    f"{answer_text(code)}"
                )
            seen[cell] = code
        object.__setattr__(self, "shots", tuple(seen.items()))
        for cell, length in lengths:
            shown = self.rules.group(self.hit_mask, cell).bit_count() if length else 0
            if length != shown:
                raise PositionError(
                    f"sunk at {board.name(cell)}={length}: the hits there are a ship of length "
                    f"{shown}"
                )
        ships = tuple(tuple(map(board.cell, ship)) for ship in self.ships)
        object.__setattr__(self, "ships", ships)
        for ship in ships:
            for cell in ship:
                if seen.get(cell, MISS) == MISS:
                    raise PositionError(
                        f"sunk ship {board.name(ship[0])}:{board.name(ship[-1])}: its cell "
                        f"{board.name(cell)} is not hit"
                    )

    def __repr__(self) -> str:
        shots = [(self.rules.board.name(cell), answer_text(code)) for cell, code in self.shots]
        order = "" if self.ordered else ", ordered=False"
        ships = f", ships={self.ship_names!r}" if self.ships else ""
        return f"Position.read({self.rules!r}, {shots!r}{order}{ships})"

    @property
    def words(self) -> str:
        """The answers so far in words."""
        name = self.rules.board.name
        return ", ".join(f"{name(cell)} {answer_text(code)}" for cell, code in self.shots)

    @property
    def ship_names(self) -> list[str]:
        """The known sunk ships by name."""
        board = self.rules.board
        return [str(Placement(board, ship)) for ship in self.ships]

    def _repr_svg_(self) -> str:
        title = f"Position on {self.rules.board}: {self.words or 'no shot yet'}"
        return board_svg(self.rules, title=title, shots=self.shots, sunk=self.ships)

    def lettered(self, letters: str) -> Position:
        """The same position with its columns named in other letters."""
        return replace(self, rules=self.rules.lettered(letters))

    def shot_fields(self) -> dict[str, Any]:
        """The fields of a file that hold the shots: ``shots``, and the others where they apply.

        >>> Position.in_order(Rules("3x3", "2,1"), "A1 miss, B2 hit").shot_fields()
        {'shots': [['A1', 'miss'], ['B2', 'hit']]}
        """
        name = self.rules.board.name
        return {
            **({} if self.ordered else {"ordered": False}),
            **({"ships": self.ship_names} if self.ships else {}),
            "shots": [[name(cell), answer_text(code)] for cell, code in self.shots],
        }

    def document(self) -> dict[str, Any]:
        """The game as JSON answers begin with it: the rules, and the shots if there are any."""
        return {**self.rules.document(), **(self.shot_fields() if self.shots else {})}

    @classmethod
    def read(
        cls,
        rules: Rules,
        shots: Iterable[tuple[str | int, str | int]],
        *,
        ordered: bool = True,
        ships: Iterable[str] = (),
    ) -> Position:
        """Position from pairs (cell, answer), and known sunk ships by name."""
        cells = tuple(Placement.parse(ship, rules.board).cells for ship in ships)
        return cls(rules, tuple(shots), ordered, cells)  # type: ignore[arg-type]  # read there

    @classmethod
    def of_cells(
        cls,
        rules: Rules,
        *,
        miss: Iterable[str] = (),
        hit: Iterable[str] = (),
        sunk: Iterable[str] = (),
        sunk_at: Iterable[str] = (),
        named: Iterable[str] = (),
    ) -> Position:
        """Position from what is known of each cell; layouts fit that answer so in some order.

        Parameters
        ----------
        rules
            The game.
        miss, hit
            Names of cells missed, and of cells hit where nothing more is known of the ship; cells
            in a row or column also by their two ends, ``A1:A3``.
        sunk
            Ships sunk, each by its two ends or its one cell (mode ``sunk``). Its cells may be
            listed under ``hit`` too.
        sunk_at
            Cells where a sinking was announced, with the length as ``C7=3`` or without; the
            ship's other cells are among the hits (mode ``sunk``).
        named
            Hits that name the ship, as ``E5=3#1`` (mode ``ship``).

        Raises
        ------
        PositionError
            If cells contradict each other. Whether any layout fits them is checked when the
            layouts are needed.
        BoardError, LayoutError
            If a text is not a cell, or not a ship.

        Examples
        --------
        >>> rules = Rules("5x5", "3,2,1", answers="sunk")
        >>> Position.of_cells(rules, miss=["C3"], sunk=["A1:A2"]).shots
        ((12, 0), (0, 1), (5, 2))
        """
        board = rules.board
        known = [Placement.parse(text, board) for text in sunk]
        of_ships = mask_of(cell for ship in known for cell in ship.cells)
        shots: list[tuple[str | int, str | int]] = [(cell, MISS) for cell in board.listed(miss)]
        shots += [(cell, HIT) for cell in board.listed(hit) if not of_ships >> cell & 1]
        for ship in known:
            *before, last = ship.cells
            shots += [(cell, HIT) for cell in before] + [(last, sunk_code(rules, ship.length))]
        sinkings = [text.partition("=") for text in sunk_at]
        shots += [(name, f"sunk{equals}{length}") for name, equals, length in sinkings]
        names = [text.partition("=") for text in named]
        told = [(name, read_answer(f"hit={ship}", rules)[0]) for name, _, ship in names]
        shots += sorted(told, key=lambda shot: shot[1])
        unordered = rules.contact is Contact.SIDES and bool(known or sinkings)
        ships = tuple(ship.cells for ship in known) if unordered else ()
        position = cls(rules, tuple(shots), not unordered, ships)  # type: ignore[arg-type]
        for ship in known if rules.contact is not Contact.SIDES else ():
            position.require_apart(ship)
        return position

    @classmethod
    def of_board(
        cls,
        rules: Rules,
        board: Rows | Drawn,
        signs: str | Mapping[Any, str] | None = None,
        known: Mapping[str, Iterable[str]] | None = None,
    ) -> Position:
        r"""Position from a board as it is drawn; layouts fit that answer so in some order.

        Parameters
        ----------
        rules
            The game.
        board
            Text, rows of text, or an array ``(rows, columns)`` of signs or numbers: ``.``, ``~`` or
            0 for a cell not shot, ``o`` missed, ``x`` or 1 hit, ``#`` sunk, and what else
            ``board_text`` knows.
        signs
            What other signs mean: ``unknown``, ``miss``, ``hit`` or ``sunk``, as in
            ``{2: "miss"}`` or ``"!=miss,*=hit"``.
        known
            What else is known, by the names that ``of_cells`` has for it: ``{"sunk": ["A1:A4"]}``,
            for a board seldom says which ships are sunk.

        Raises
        ------
        PositionError
            If it is no board of this size, a sign is not understood, or sunk cells can be several
            sets of ships.

        Examples
        --------
        >>> rules = Rules("2x3", "2")
        >>> Position.of_board(rules, [[0, 2, 0], [1, 0, 0]], {2: "miss"}).words
        'B1 miss, A2 hit'
        >>> Position.of_board(rules, "~~O\n~~~").words
        'C1 miss'
        """
        drawn = board if isinstance(board, Drawn) else read_board(board, signs)
        require_size(rules.board, drawn)
        told = {name: list(cells) for name, cells in (known or {}).items()}
        for name in ("miss", "hit"):
            cells = dict.fromkeys((*drawn.cells(name), *rules.board.listed(told.get(name, ()))))
            told[name] = list(map(rules.board.name, cells))
        ships = told.setdefault("sunk", [])
        whose = {cell for ship in ships for cell in Placement.parse(ship, rules.board).cells}
        ships += _sunk_ships(rules, [c for c in drawn.cells("sunk") if c not in whose])
        at = {rules.board.cell(text.partition("=")[0]) for name in ("sunk_at", "named")
              for text in told.get(name, ())}  # fmt: skip
        told["hit"] = [name for name in told["hit"] if rules.board.cell(name) not in at]
        return cls.of_cells(rules, **told)

    @classmethod
    def in_order(cls, rules: Rules, text: str) -> Position:
        """Position from an ordered history such as ``C3 hit, A3 hit, B3 sunk=2, E5 miss``.

        >>> rules = Rules("3x3", "3,2", "sides", "sunk")
        >>> Position.in_order(rules, "C3 hit, A3 hit, B3 sunk=2").shots
        ((8, 1), (6, 1), (7, 258))
        """
        shots = []
        for part in map(str.strip, text.replace(";", ",").split(",")):
            words = part.split(maxsplit=1)
            if len(words) < 2:
                raise PositionError(
                    f"shot {quoted(part)}: write a cell and its answer, joined by commas, as in "
                    f"C3 hit, A3 sunk"
                )
            shots.append((words[0], words[1]))
        return cls.read(rules, shots)

    def require_apart(self, sunk: Placement) -> None:
        """Reject hits beside a sunk ship, under contact rules by which they would belong to it.

        Raises
        ------
        PositionError
            Names one of them.
        """
        board = self.rules.board
        beside = self.rules.group(self.hit_mask, sunk.cells[0]) & ~sunk.mask
        if beside:
            raise PositionError(
                f"sunk ship {sunk}: the hit {board.names(beside)[0]} beside it would belong to it, "
                f"as ships do not touch"
            )

    @cached_property
    def shot_mask(self) -> int:
        """Mask of the cells shot."""
        return mask_of(cell for cell, _ in self.shots)

    @cached_property
    def hit_mask(self) -> int:
        """Mask of the cells shot that met a ship."""
        return mask_of(cell for cell, code in self.shots if code != MISS)

    def shoot(self, cell: str | int, answer: str | int) -> Position:
        """The position after one more shot.

        Where the order of the earlier shots is unknown, so is the place of the new one in it.

        Parameters
        ----------
        cell
            The cell shot, by name or number.
        answer
            What was answered: text as ``answers.read_answer`` reads it, or an answer code.

        Raises
        ------
        PositionError
            If the cell has been shot, or the rules have no such answer. Whether any layout fits
            all the answers is checked when the layouts are needed.
        BoardError, RulesError
            If there is no such cell, or no such answer in any mode.

        Examples
        --------
        >>> position = Position(Rules("5x5", "3,2,1", answers="sunk")).shoot("C3", "miss")
        >>> position.shoot("A1", "sunk").shots
        ((12, 0), (0, 2))
        """
        shot: Any = (self.rules.board.cell(cell), answer)  # read where positions are made
        return replace(self, shots=(*self.shots, shot))

    def undo(self, count: int = 1) -> Position:
        """The position before the last shots.

        Parameters
        ----------
        count
            How many shots are taken back.

        Raises
        ------
        PositionError
            If there were fewer shots, or the number is negative.
        """
        if not 0 <= count <= len(self.shots):
            raise PositionError(
                f"count {quoted(count)}: {len(self.shots)} shots can be taken back in this position"
            )
        return self._with_shots(self.shots[: len(self.shots) - count])

    def change(self, cell: str | int, answer: str | int) -> Position:
        """The position with another answer to one of its shots, at the same place in the order.

        In mode ``ship`` equal ships are then numbered anew as they are first hit.

        Raises
        ------
        PositionError
            If the cell has not been shot, the rules have no such answer, or a sunk ship that is
            known would lose a cell.
        BoardError, RulesError
            As for ``shoot``.

        Examples
        --------
        >>> position = Position.in_order(Rules("5x5", "3,2,1"), "C3 miss, A1 hit")
        >>> position.change("C3", "hit") == Position.in_order(position.rules, "C3 hit, A1 hit")
        True
        """
        changed = self._shot(cell)
        shots: Any = [(other, answer if other == changed else was) for other, was in self.shots]
        after = replace(self, shots=shots)  # read where positions are made
        return replace(after, shots=after.renumbered(after.shots))

    def without(self, cell: str | int) -> Position:
        """The position without one of its shots; the others keep their order.

        In mode ``ship`` equal ships are then numbered anew as they are first hit.

        Raises
        ------
        PositionError
            If the cell has not been shot.
        BoardError
            As for ``shoot``.
        """
        gone = self._shot(cell)
        return self._with_shots(tuple(shot for shot in self.shots if shot[0] != gone))

    def _shot(self, cell: str | int) -> int:
        """Number of a cell that has been shot."""
        number = self.rules.board.cell(cell)
        if not self.shot_mask >> number & 1:
            raise PositionError(f"cell {self.rules.board.name(number)} has not been shot")
        return number

    def _with_shots(self, shots: tuple[tuple[int, int], ...]) -> Position:
        """Some of these shots, and the known sunk ships that they still hit in every cell."""
        left = {cell for cell, _ in shots}
        ships = tuple(ship for ship in self.ships if left.issuperset(ship))
        return replace(self, shots=self.renumbered(shots), ships=ships)

    def renumbered(self, shots: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """Shots whose ships are numbered in the order in which they are first hit, if at all."""
        made = tuple(shots)
        hits = [code for _, code in made if code >= HIT_SHIP]
        names: dict[int, int] = {}
        count: Counter[int] = Counter()
        for code in dict.fromkeys(hits if self.ordered else sorted(hits)):
            length = (code - HIT_SHIP) // 64
            count[length] += 1
            names[code] = HIT_SHIP + 64 * length + count[length]
        return tuple((cell, names.get(code, code)) for cell, code in made)


def require_position(position: Position, rules: Rules) -> None:
    """Reject a position of other rules: its cells and ships would be taken for different ones.

    Raises
    ------
    PositionError
        Names the game that it is of.
    """
    if position.rules != rules:
        raise PositionError(
            f"the position is of another game: of {position.rules!r}, not of {rules!r}"
        )


def require_size(board: Board, drawn: Drawn) -> None:
    """Refuse a drawn board of another size.

    Raises
    ------
    PositionError
        Says both.
    """
    if str(board) != drawn.size:
        raise PositionError(f"the board {board} is given, and rows of {drawn.size} cells")


def _sunk_ships(rules: Rules, cells: list[int]) -> list[str]:
    """The one set of the fleet's ships that covers exactly the sunk cells.

    Raises
    ------
    PositionError
        If there is none, or more than one.
    """
    if not cells:
        return []
    table, mask, left = placement_table(rules), mask_of(cells), rules.fleet.kind_counts
    inside = [number for number, own in enumerate(table.own) if not own & ~mask]
    of_kind = {k: np.array([n for n in inside if table.kinds[n] == k], np.int64) for k in left}
    found = ways_to_cover(table, mask, left, of_kind)
    if len(found) != 1:
        name = " ".join(map(rules.board.name, cells))
        why = "can be several sets of ships" if found else "are no ships of the fleet"
        raise PositionError(f"sunk cells {name}: they {why}; say with --sunk which ships they are")
    return table.names(found[0][0])
