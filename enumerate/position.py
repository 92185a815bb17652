"""A position: the shots made so far and their answers, in order.

Under the contact rules ``none`` and ``corners``, and in modes ``hit`` and ``ship``, only the set
of answers matters; under ``sides`` with ``sunk`` the order does too, so the order is kept always.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate import _kernels
from seabattle.enumerate.answers import (
    HIT,
    MISS,
    SUNK,
    answer_code,
    answer_text,
    kernel_mode,
    possible_answers,
)
from seabattle.enumerate.errors import PositionError
from seabattle.enumerate.layouts import Layouts
from seabattle.enumerate.placements import Placement, placement_table
from seabattle.enumerate.rules import AnswerMode, Contact, Rules


@dataclass(frozen=True)
class Position:
    """Shots and answers of a game so far.

    Parameters
    ----------
    rules
        The game.
    shots
        Pairs (cell number, answer code) in the order shot; empty at the start.

    Raises
    ------
    PositionError
        If a cell is shot twice or an answer is not one of the rules' answers.

    Examples
    --------
    >>> Position.read(Rules("5x5", "3,2,1"), [("C3", "miss"), ("a1", "hit")])
    Position.read(Rules('5x5', '3,2,1', contact='none', answers='hit', announce='length'), \
[('C3', 'miss'), ('A1', 'hit')])
    """

    rules: Rules
    shots: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        board = self.rules.board
        possible = possible_answers(self.rules)
        seen: dict[int, int] = {}
        for cell, code in self.shots:
            name = board.name(cell)
            if code not in possible:
                right = ", ".join(answer_text(c) for c in possible)
                raise PositionError(
                    f"shot {name}: answer {answer_text(code)!r} does not belong to these rules, "
                    f"whose answers are {right}"
                )
            if cell in seen:
                before = answer_text(seen[cell])
                again = answer_text(code)
                raise PositionError(
                    f"cell {name} is given twice"
                    + (f", as {before} and as {again}" if before != again else "")
                )
            seen[cell] = code

    def __repr__(self) -> str:
        shots = [(self.rules.board.name(cell), answer_text(code)) for cell, code in self.shots]
        return f"Position.read({self.rules!r}, {shots!r})"

    def _repr_svg_(self) -> str:
        from seabattle.enumerate._notebook import board_svg

        told = ", ".join(
            f"{self.rules.board.name(cell)} {answer_text(code)}" for cell, code in self.shots
        )
        title = f"Position on {self.rules.board}: {told or 'no shot yet'}"
        return board_svg(self.rules, title=title, shots=self.shots)

    @classmethod
    def read(cls, rules: Rules, shots: Iterable[tuple[str, str]]) -> Position:
        """Position from pairs (cell name, answer text)."""
        return cls(
            rules, tuple((rules.board.cell(cell), answer_code(text)) for cell, text in shots)
        )

    @classmethod
    def of_cells(
        cls,
        rules: Rules,
        *,
        miss: Iterable[str] = (),
        hit: Iterable[str] = (),
        sunk: Iterable[str] = (),
        named: Iterable[str] = (),
    ) -> Position:
        """Position from what is known of each cell, where the order of shots does not matter.

        Parameters
        ----------
        rules
            The game.
        miss, hit
            Names of cells missed, and hit without more being told.
        sunk
            Ships sunk, each by its two ends or its one cell (mode ``sunk``).
        named
            Hits that name the ship, as ``E5=3#1`` (mode ``ship``).

        Raises
        ------
        PositionError
            If cells contradict each other, or the order would matter: in mode ``sunk`` under
            contact rule ``sides``.

        Examples
        --------
        >>> rules = Rules("5x5", "3,2,1", answers="sunk")
        >>> Position.of_cells(rules, miss=["C3"], sunk=["A1:A2"]).shots
        ((12, 0), (0, 1), (5, 2))
        """
        board = rules.board
        ships = [Placement.parse(text, board) for text in sunk]
        hits = list(hit)
        if rules.answers is AnswerMode.SUNK and rules.contact is Contact.SIDES and (ships or hits):
            raise PositionError(
                "with answers 'sunk' under contact rule 'sides' the order of shots matters: "
                'give them in order, as in --shots "C3 hit, A3 hit, B3 sunk=2"'
            )
        shots = [(board.cell(name), MISS) for name in miss]
        shots += [(board.cell(name), HIT) for name in hits]
        for ship in ships:
            *before, last = ship.cells
            shots += [(cell, HIT) for cell in before] + [(last, SUNK)]
        for text in named:
            cell, equals, ship_name = text.partition("=")
            if not equals:
                raise PositionError(
                    f"named hit {text!r}: write the cell and the ship, as in E5=3#1"
                )
            shots.append((board.cell(cell), answer_code(f"hit:{ship_name}")))
        position = cls(rules, tuple(shots))
        position._check_sunk(ships)
        return position

    def _check_sunk(self, ships: Iterable[Placement]) -> None:
        """Refuse sunk ships that the fleet does not have so many of."""
        left = Counter(self.rules.fleet.lengths)
        for ship in ships:
            left[ship.length] -= 1
            if left[ship.length] < 0:
                raise PositionError(
                    f"sunk ship {ship}: the fleet {self.rules.fleet} has only "
                    f"{self.rules.fleet.counts.get(ship.length, 0)} of length {ship.length}"
                )

    @classmethod
    def in_order(cls, rules: Rules, text: str) -> Position:
        """Position from an ordered history such as ``C3 hit, A3 hit, B3 sunk=2, E5 miss``.

        >>> rules = Rules("3x3", "3,2", "sides", "sunk")
        >>> Position.in_order(rules, "C3 hit, A3 hit, B3 sunk=2").shots
        ((8, 1), (6, 1), (7, 258))
        """
        shots = []
        for part in (part.strip() for part in text.split(",")):
            words = part.split()
            if len(words) != 2:
                raise PositionError(
                    f"shot {part!r}: write a cell and its answer, joined by commas, as in "
                    f"C3 hit, A3 sunk"
                )
            shots.append((rules.board.cell(words[0]), answer_code(words[1].replace("=", ":", 1))))
        return cls(rules, tuple(shots))

    @property
    def shot_mask(self) -> int:
        """Mask of the cells shot."""
        return self.rules.board.mask(cell for cell, _ in self.shots)

    @property
    def hit_mask(self) -> int:
        """Mask of the cells shot that met a ship."""
        return self.rules.board.mask(cell for cell, code in self.shots if code != MISS)

    def fitting(self, layouts: Layouts) -> NDArray[np.uint8]:
        """Which layouts would have given these answers: uint8 ``(n_layouts,)``, 1 or 0.

        Raises
        ------
        PositionError
            If no layout fits.
        """
        keep = np.ones(len(layouts), dtype=np.uint8)
        if not self.shots:
            return keep
        kept = _kernels.fit_history(
            placement_table(self.rules).masks,
            layouts.ships,
            np.array(self.rules.fleet.lengths, dtype=np.int64),
            np.array([cell for cell, _ in self.shots], dtype=np.int64),
            np.array([code for _, code in self.shots], dtype=np.int64),
            kernel_mode(self.rules),
            keep,
        )
        if kept == 0:
            told = ", ".join(
                f"{self.rules.board.name(cell)} {answer_text(code)}" for cell, code in self.shots
            )
            raise PositionError(f"no layout of {self.rules.fleet} fits these answers: {told}")
        return keep
