"""The frontier of a game, or an error if it needs too much memory."""

from __future__ import annotations

from seabattle.enumerate.counting.frontier import MAX_WIDTH, Frontier, frontier
from seabattle.enumerate.errors import TooLargeError
from seabattle.enumerate.rules import Rules

BYTES_PER_PROFILE = 100
"""Approximate memory for a profile of a layer and its steps while they are being found."""


def affordable_frontier(rules: Rules, width: int, memory_limit: float) -> Frontier:
    """The profiles and steps of a game's sweep.

    Parameters
    ----------
    rules
        The game.
    width
        Cells in a row of the sweep.
    memory_limit
        GiB that the profiles may take while they are being found.

    Raises
    ------
    TooLargeError
        If they take more, or the board is too wide; says what would be needed.
    """
    most = int(memory_limit * 2**30) // (BYTES_PER_PROFILE * (width + 1))
    if width > MAX_WIDTH:
        need = _estimate(rules, width, most)
        raise TooLargeError(
            f"board {rules.board}: its shorter side is {width}; at most {MAX_WIDTH} is supported"
            + (f" (it would need about {_gib(need)} GiB)" if need > memory_limit else "")
        )
    try:
        return frontier(width, rules.contact, rules.fleet.lengths, most)
    except TooLargeError as error:
        if "between two cells" not in str(error):
            raise
        need = _estimate(rules, width, most)
        about = f"about {_gib(need)} GiB, " if need > memory_limit else ""
        raise TooLargeError(
            f"board {rules.board} with fleet {rules.fleet}: counting needs {about}more than the "
            f"limit of {memory_limit:g} GiB; raise --memory-limit or take a board whose shorter "
            f"side is below {width}"
        ) from None


def _gib(need: float) -> str:
    """An estimate with its two first digits, without an exponent."""
    return f"{float(f'{need:.2g}'):,.0f}" if need >= 10 else f"{need:.2g}"


def _estimate(rules: Rules, width: int, most: int) -> float:
    """GiB needed, extrapolated from narrower boards; 0 if they have more profiles than ``most``."""
    sizes = []
    for narrow in (7, 8):
        try:
            found = frontier(narrow, rules.contact, rules.fleet.lengths, most)
        except TooLargeError:
            return 0.0
        entries = 1 if found.counted else found.uses
        sizes.append(found.nbytes + found.nodes * entries * 8)
    return float(sizes[1]) * (sizes[1] / sizes[0]) ** (width - 8) / 2**30
