"""A position: the shots made so far and their answers, in order.

Under the contact rules ``none`` and ``corners``, and in modes ``hit`` and ``ship``, only the set
of answers matters; under ``sides`` with ``sunk`` the order does too, so the order is kept always.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.errors import PositionError, RulesError, quoted
from seabattle.enumerate.game.answers import (
    HIT,
    KERNEL_SUNK_LENGTH,
    MISS,
    SUNK,
    SUNK_LENGTH,
    answer_code,
    answer_text,
    kernel_mode,
    possible_answers,
)
from seabattle.enumerate.game.deductions import (
    check_answers,
    contradiction,
    hit_group,
    placement_masks,
)
from seabattle.enumerate.game.placements import Placement
from seabattle.enumerate.game.rules import Announce, AnswerMode, Contact, Rules
from seabattle.enumerate.layouts.enumeration import Layouts

_LENGTH = re.compile(r"\s*[0-9]{1,3}\s*")


@dataclass(frozen=True)
class Position:
    """Shots and answers of a game so far.

    Parameters
    ----------
    rules
        The game.
    shots
        Pairs (cell number, answer code) in the order shot; empty at the start.
    ordered
        False when the order of the shots is not known: a layout then fits if it would have
        answered so in some order, whatever the order in which they are listed. It makes a
        difference to the layouts in mode ``sunk`` under ``sides`` only; elsewhere answers that
        fit in the order listed leave the same layouts. Then a sinking may also be given without
        the length that was announced.
    ships
        Cells of sunk ships, each in reading order, known beyond what the answers tell.

    Raises
    ------
    PositionError
        If a cell is shot twice, an answer is not one of the rules' answers, or a known ship has
        a cell that is not hit.

    Examples
    --------
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
        for cell, code in self.shots:
            name = board.name(cell)
            unsaid = code == SUNK and not self.ordered and self.rules.answers is AnswerMode.SUNK
            if code not in possible and not unsaid:
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
        for ship in self.ships:
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
    def ship_names(self) -> list[str]:
        """The known sunk ships by name."""
        board = self.rules.board
        return [str(Placement(board, ship)) for ship in self.ships]

    def _repr_svg_(self) -> str:
        from seabattle.enumerate.display.notebook import board_svg

        told = ", ".join(
            f"{self.rules.board.name(cell)} {answer_text(code)}" for cell, code in self.shots
        )
        title = f"Position on {self.rules.board}: {told or 'no shot yet'}"
        return board_svg(self.rules, title=title, shots=self.shots)

    @classmethod
    def read(
        cls,
        rules: Rules,
        shots: Iterable[tuple[str, str]],
        *,
        ordered: bool = True,
        ships: Iterable[str] = (),
    ) -> Position:
        """Position from pairs (cell name, answer text), and known sunk ships by name."""
        return cls(
            rules,
            tuple((rules.board.cell(cell), answer_code(text)) for cell, text in shots),
            ordered,
            tuple(Placement.parse(ship, rules.board).cells for ship in ships),
        )

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
            Names of cells missed, and hit without more being told.
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
            If cells contradict each other, or sunk ships are not the fleet's.

        Examples
        --------
        >>> rules = Rules("5x5", "3,2,1", answers="sunk")
        >>> Position.of_cells(rules, miss=["C3"], sunk=["A1:A2"]).shots
        ((12, 0), (0, 1), (5, 2))
        """
        board = rules.board
        known = [Placement.parse(text, board) for text in sunk]
        cls._check_sunk(rules, known)
        of_ships = board.mask(cell for ship in known for cell in ship.cells)
        shots = [(board.cell(name), MISS) for name in miss]
        hits = [board.cell(name) for name in hit]
        shots += [(cell, HIT) for cell in hits if not of_ships >> cell & 1]
        for ship in known:
            *before, last = ship.cells
            shots += [(cell, HIT) for cell in before] + [(last, _sunk_code(rules, ship.length))]
        sinkings = [_sinking(rules, text) for text in sunk_at]
        shots += [(cell, code) for cell, code, _ in sinkings]
        names = [_named_hit(rules, text) for text in named]
        shots += sorted(names, key=lambda shot: shot[1])
        unordered = rules.contact is Contact.SIDES and bool(known or sinkings)
        position = cls(
            rules,
            tuple(shots),
            not unordered,
            tuple(ship.cells for ship in known) if unordered else (),
        )
        for ship in known if rules.contact is not Contact.SIDES else ():
            beside = hit_group(board, position.hit_mask, ship.cells[0]) & ~ship.mask
            if beside:
                raise PositionError(
                    f"sunk ship {ship}: the hit {board.names(beside)[0]} beside it would belong "
                    f"to it, as ships do not touch"
                )
        check_answers(position)
        for cell, _, length in sinkings:
            group = hit_group(board, position.hit_mask, cell)
            if rules.contact is not Contact.SIDES and length not in (0, group.bit_count()):
                raise PositionError(
                    f"sunk at {board.name(cell)}={length}: the hits there are a ship of length "
                    f"{group.bit_count()}"
                )
        return position

    @staticmethod
    def _check_sunk(rules: Rules, ships: Iterable[Placement]) -> None:
        """Refuse sunk ships that the fleet does not have so many of, or that contradict."""
        fleet = rules.fleet
        left = Counter(fleet.lengths)
        taken: list[Placement] = []
        for ship in ships:
            left[ship.length] -= 1
            if left[ship.length] < 0:
                raise PositionError(
                    f"sunk ship {ship}: the fleet {fleet} has only "
                    f"{fleet.counts.get(ship.length, 0)} of length {ship.length}"
                )
            for other in taken:
                if other.halo(rules.contact) & ship.mask:
                    overlap = other.mask & ship.mask
                    raise PositionError(
                        f"sunk ships {other} and {ship} "
                        + ("overlap" if overlap else "touch, which contact rule "
                           f"{rules.contact.value!r} forbids")
                    )  # fmt: skip
            taken.append(ship)

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
                    f"shot {quoted(part)}: write a cell and its answer, joined by commas, as in "
                    f"C3 hit, A3 sunk"
                )
            cell = rules.board.cell(words[0])
            try:
                shots.append((cell, answer_code(words[1].replace("=", ":", 1))))
            except RulesError:
                raise RulesError(
                    f"shot {quoted(part)}: write miss, hit, sunk, sunk=LENGTH or hit=LENGTH#NUMBER "
                    f"after the cell"
                ) from None
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
        if not self.shots:
            return np.ones(len(layouts), dtype=np.uint8)
        allowed = check_answers(self)
        hit = self.hit_mask
        masks, _, _ = placement_masks(self.rules)
        hits = np.array([(mask & hit).bit_count() for mask in masks], dtype=np.int16)
        met = np.zeros(len(layouts), dtype=np.int16)
        keep = np.ones(len(layouts), dtype=np.uint8)
        for ships in layouts.ships.T:
            met += hits[ships]
            keep &= allowed[ships]
        keep &= (met == hit.bit_count()).astype(np.uint8)
        if not keep.any():
            raise contradiction(self)
        return keep


def _sunk_code(rules: Rules, length: int) -> int:
    """The answer that announces a sinking."""
    return SUNK_LENGTH + length if kernel_mode(rules) == KERNEL_SUNK_LENGTH else SUNK


def _sinking(rules: Rules, text: str) -> tuple[int, int, int]:
    """Cell, answer and length (0 if not given) of ``C7=3`` or ``C7``."""
    name, equals, number = text.partition("=")
    if equals and not (name.strip() and _LENGTH.fullmatch(number) and 1 <= int(number) <= 128):
        raise PositionError(
            f"sunk at {quoted(text)}: write the cell and the length, as in C7=3, or C7"
        )
    cell = rules.board.cell(name)
    if not equals:
        return cell, SUNK, 0
    if rules.contact is Contact.SIDES and rules.announce is Announce.NONE:
        raise PositionError(
            f"sunk at {text!r}: with --announce none no length is told; write {name.strip()} alone"
        )
    return cell, _sunk_code(rules, int(number)), int(number)


def _named_hit(rules: Rules, text: str) -> tuple[int, int]:
    """Cell and answer of ``E5=3#1``."""
    wrong = PositionError(f"named hit {quoted(text)}: write the cell and the ship, as in E5=3#1")
    cell, _, ship = text.partition("=")
    if not cell.strip():
        raise wrong
    try:
        code = answer_code(f"hit:{ship.strip()}")
    except RulesError:
        raise wrong from None
    return rules.board.cell(cell), code
