"""Advice in words: the best shots and why, the score, the map, and answers that contradict."""

from __future__ import annotations

from typing import Any

from seabattle.enumerate.answers import HIT_SHIP, SUNK_LENGTH, is_sunk
from seabattle.enumerate.counting.conflict import Conflict
from seabattle.enumerate.deductions import hit_group
from seabattle.enumerate.map import OccupancyMap
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Contact
from seabattle.solver.advice import Advice, Method
from seabattle.trees.drawing.heatmap import HeatMap, percent_text

MOST_NAMED = 12
"""Best cells, or answers to doubt, that are named one by one."""


def _names(advice: Advice, cells: tuple[int, ...]) -> str:
    """Cells as a list in words."""
    names = [advice.position.rules.board.name(cell) for cell in cells[:MOST_NAMED]]
    more = len(cells) - len(names)
    if more:
        return f"{', '.join(names)} or {more} more"
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _chance_text(advice: Advice, cell: int) -> str:
    """How likely a cell is occupied, in words."""
    part, whole = advice.map.share(cell)
    return "certain" if part == whole else f"{percent_text(part, whole)} %"


def score_line(advice: Advice) -> str:
    """Shots, misses, and the ships sunk where that is known."""
    shots = len(advice.position.shots)
    parts = [
        f"{shots} shot{'s' if shots != 1 else ''}",
        f"{advice.misses} miss{'es' if advice.misses != 1 else ''}",
    ]
    sunk = _sunk_lengths(advice.position)
    if sunk is not None:
        left = list(advice.position.rules.fleet.lengths)
        for length in sunk:
            left.remove(length)
        if sunk:
            parts.append(f"sunk {' '.join(map(str, sorted(sunk, reverse=True)))}")
        if left:
            parts.append(f"afloat {' '.join(map(str, left))}")
    return " · ".join(parts)


def _sunk_lengths(position: Position) -> list[int] | None:
    """Lengths of the ships sunk; None where the answers do not tell."""
    rules = position.rules
    if rules.answers is AnswerMode.HIT:
        return None
    if rules.answers is AnswerMode.SHIP:
        codes = [code for _, code in position.shots if code >= HIT_SHIP]
        lengths = [((code - HIT_SHIP) // 64, codes.count(code)) for code in set(codes)]
        return [length for length, hits in lengths if hits == length]
    sunk = [(cell, code) for cell, code in position.shots if is_sunk(code)]
    if rules.contact is not Contact.SIDES:
        return [hit_group(rules.board, position.hit_mask, cell).bit_count() for cell, _ in sunk]
    if any(code < SUNK_LENGTH for _, code in sunk):
        return None
    return [code - SUNK_LENGTH for _, code in sunk]


def advice_lines(advice: Advice) -> list[str]:
    """What to shoot and why, in words."""
    if advice.over:
        shots = len(advice.position.shots)
        misses = f"{advice.misses} miss{'es' if advice.misses != 1 else ''}"
        return [f"All ships are sunk: the game is over after {shots} shots with {misses}."]
    lines = []
    if advice.ships is not None:
        lines.append(f"One layout is left, the ships are at {' '.join(advice.ships)}.")
    groups: dict[Any, list[int]] = {}
    for cell in advice.best_cells:
        exact = isinstance(advice.map, OccupancyMap)
        alike = advice.map.share(cell) if exact else _chance_text(advice, cell)
        groups.setdefault(alike, []).append(cell)
    shown = [
        f"{_names(advice, tuple(cells))} ({_chance_text(advice, cells[0])})"
        for cells in groups.values()
    ]
    line = f"Shoot {', or '.join(shown[:4])}"
    if len(shown) > 4:
        line += f", or {sum(map(len, list(groups.values())[4:]))} more"
    lines.append(f"{line}.")
    lines.append(_method_line(advice))
    if advice.note:
        lines.append(f"({advice.note})")
    return lines


def _method_line(advice: Advice) -> str:
    if advice.method is Method.GREEDY_MAP:
        sure = set(advice.best_cells) <= set(advice.map.certain_cells)
        return "A certain hit." if sure else "Greedy: the likeliest cell."
    mean, worst = advice.mean_misses, advice.worst_misses
    if 0 in (mean, worst):
        return "Nothing more will be missed."
    told = []
    if mean is not None:
        exact = f" ({mean})" if mean.denominator > 1 else ""
        told.append(f"mean {float(mean):.2f}{exact}")
    if worst is not None:
        told.append(f"worst {worst}")
    return (
        f"Optimal: {advice.layouts:,} layouts are left, misses still to expect: {', '.join(told)}."
    )


def heat_map(advice: Advice) -> HeatMap:
    """The map of an advice, the best shots marked, the score above it."""
    return HeatMap.of(advice.map, best_cells=advice.best_cells, title=score_line(advice))


def conflict_lines(conflict: Conflict) -> list[str]:
    """Which answers cannot stand together, and what to type to resolve it."""
    told = [
        f"{cell} {answer} (shot {number})"
        for (cell, answer), number in zip(conflict.answers, conflict.shots, strict=True)
    ]
    told += [f"ship {ship} sunk" for ship in conflict.ships]
    if len(told) == 1:
        lines = [f"This answer cannot be right: {told[0]}."]
    else:
        lines = [f"These answers cannot stand together: {_some(told)}."]
    changes = [f"change {cell} {answer.replace(':', ' ', 1)}" for cell, answer in conflict.changes]
    if changes:
        lines.append(f"One of these makes them fit: {_some(changes)}")
    else:
        lines.append("No single change of one of them makes them fit; change or remove several.")
    cells = [cell for cell, _ in conflict.answers]
    if cells:
        lines.append(
            f"Or take back: {_some([f'remove {cell}' for cell in reversed(cells)])} · undo"
        )
    if conflict.contact_that_fits is not None:
        where = "at corners" if conflict.contact_that_fits is Contact.CORNERS else "anywhere"
        lines.append(f"Or if ships may touch {where}: contact {conflict.contact_that_fits.value}")
    lines.append("What you typed is kept; there is advice again once the answers fit.")
    return lines


def _some(parts: list[str]) -> str:
    more = len(parts) - MOST_NAMED
    shown = " · ".join(parts[:MOST_NAMED])
    return f"{shown} · and {more} more" if more > 0 else shown
