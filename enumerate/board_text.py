r"""Boards as people write them: rows of signs, as text or as an array, with or without a frame.

Every source has signs of its own. Those are read that have one meaning wherever they are met
(``KNOWN``); all others have to be told (``read_signs``). So has a sign that could have one, but
stands beside another of the same meaning: where ``.`` and ``~`` both occur they are not the same
thing, and which of them is a miss nobody can know. What is not understood is refused by a line that
names the signs of the text and those that are known.

A row of a text is a line. Its cells stand side by side, or apart by spaces, ``|``, commas,
semicolons or tabs; between separators an empty cell is one that was not shot. Letters or numbers of
the rows may stand in front, and a line above that counts the columns by letters or numbers; Russian
letters there say that the board has Russian letters. Ruled lines and the fences of Markdown, and
brackets and quotes of arrays that were printed, are left out. Cells are known by their place: a
board whose rows have letters and whose columns have numbers is read like any other. The colours of
a terminal are left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from itertools import count
from typing import Any

import numpy as np

from seabattle.enumerate.board import Letters, column_name
from seabattle.enumerate.errors import PositionError, quoted

UNKNOWN, MISS, HIT, SUNK = MEANINGS = "unknown", "miss", "hit", "sunk"
"""What a sign says of its cell."""

BLANK = ""
"""The sign of an empty cell between separators."""

KNOWN = {
    **dict.fromkeys([*".·~-_?0Ww⬜◻□░🟦", BLANK], UNKNOWN),
    **dict.fromkeys("oO○Mm🌊💦", MISS),
    **dict.fromkeys("xX×1Hh💥🔥🎯", HIT),
    **dict.fromkeys("#☠💀", SUNK),
}
"""Signs that are read without being told."""

SEA = "🌊"
"""Water that was shot where other water was not; alone it can be either."""

WATER, SHIP = "water", "ship"

KNOWN_FULL = {
    **{sign: WATER for sign, meaning in KNOWN.items() if meaning == UNKNOWN},
    **dict.fromkeys([SEA], WATER),
    **dict.fromkeys("xX×1#Ss█■🚢💥", SHIP),
}
"""Signs of full boards, on which every ship is shown."""

Rows = str | Sequence[Any] | np.ndarray[Any, Any]
"""A board as text, or as an array of rows: texts, or lists of signs or numbers."""

_RULED = r"[\s|+:=\u2500-\u257f-]*"
_LEFT_OUT = re.compile(
    rf"(?=.*[|+\u2500-\u257f]){_RULED}(?:[-=─═━]{{2,}}|:-|-:|[+\u250c-\u254b\u2552-\u256c]){_RULED}"
)
"""Lines ruled between rows."""

_DASHES = re.compile(r"[\s|:-]*\|[\s|:-]*")
_BEHIND_NAME = re.compile(r"^(?:[:)]|\.(?=\s))?\s*[|,;]?")
_BARS = str.maketrans("│║¦", "|||")
_COLOURED = re.compile("\x1b\\[[0-9;]*m")
_PRINTED = str.maketrans("", "", "[](){}'\"")
_AS_JSON = str.maketrans("()'", '[]"')
_NEXT_ROW = re.compile(r"([\])}])[\s,]*([\[({])")
"""Between two rows of an array that is printed on one line."""

_SIGN = re.compile("-[0-9]+|\\S(?:[\ufe0e\ufe0f\u20e3\u0300-\u036f\U0001f3fb-\U0001f3ff]|\u200d.)*")
_SHAPED = re.compile("[\ufe0e\ufe0f]")


@dataclass(frozen=True)
class Drawn:
    """A board that was read: what each cell shows, in reading order."""

    rows: int
    columns: int
    shown: tuple[str, ...]
    letters: Letters | None = None

    @property
    def size(self) -> str:
        """Rows and columns as a board has them."""
        return f"{self.rows}x{self.columns}"

    def cells(self, *meanings: str) -> list[int]:
        """Cells that show one of these."""
        return [cell for cell, shown in enumerate(self.shown) if shown in meanings]


def is_board(text: str) -> bool:
    """Whether a text is to be read as a board, and not as the JSON of a position.

    >>> [is_board(text) for text in (". x o", "[[0, 1], [1, 0]]", '{"fleet": "2"}', "[]", "")]
    [True, True, False, False, False]
    """
    begins = text.lstrip()[:1]
    return begins not in ("", "{") and (begins != "[" or bool(text.translate(_PRINTED).strip()))


def read_signs(told: str | Mapping[Any, str] | None, *, full: bool = False) -> dict[str, str]:
    """What signs mean, as in ``~=unknown,!=miss,*=hit``, or from a mapping.

    Parameters
    ----------
    told
        The signs, each with ``unknown``, ``miss``, ``hit`` or ``sunk``.
    full
        Whether the board is a full one, on which ``water`` and ``ship`` can be said as well.

    Raises
    ------
    PositionError
        If a meaning is none, or a sign has two.

    Examples
    --------
    >>> read_signs("~=unknown,!=miss,==hit"), read_signs({0: "unknown", 2: "hit"})
    ({'~': 'unknown', '!': 'miss', '=': 'hit'}, {'0': 'unknown', '2': 'hit'})
    """
    words = (*MEANINGS, WATER, SHIP) if full else MEANINGS
    if isinstance(told, Mapping):
        pairs = [(_sign_of(sign), str(word)) for sign, word in told.items()]
    else:
        parts = [part.rpartition("=") for part in (told or "").split(",") if part.strip()]
        pairs = [(_sign_of(sign), word) for sign, _, word in parts]
    signs: dict[str, str] = {}
    for sign, word in pairs:
        meaning = word.strip().lower()
        if meaning not in words:
            near = get_close_matches(meaning, words, n=1)
            hint = f"did you mean {near[0]}?" if near else f"write one of {', '.join(words)}"
            raise PositionError(
                f"signs: {quoted(f'{sign}={word}')} says no meaning that is known; {hint}"
            )
        if signs.setdefault(sign, meaning) != meaning:
            raise PositionError(
                f"signs: {quoted(sign)} cannot mean both {signs[sign]} and {meaning}"
            )
    return signs


def read_board(
    board: Rows, signs: str | Mapping[Any, str] | None = None, *, full: bool = False
) -> Drawn:
    r"""Read a board.

    Parameters
    ----------
    board
        Text, rows of text, or an array ``(rows, columns)`` of signs or numbers.
    signs
        What signs mean beyond those that are known; see ``read_signs``.
    full
        Whether every ship is shown: then each cell shows ``water`` or ``ship``.

    Raises
    ------
    PositionError
        If there is no cell, rows have different lengths, or a sign is not understood.

    Examples
    --------
    >>> read_board("  1 2 3\nA . . o\nB . x .").shown
    ('unknown', 'unknown', 'miss', 'unknown', 'hit', 'unknown')
    >>> read_board([[0, 1], [0, 0]], full=True).cells("ship")
    [1]
    """
    told = read_signs(signs, full=full)
    if isinstance(board, str):
        board = _rows_of_json(_COLOURED.sub("", board.removeprefix("\ufeff")))
    if hasattr(board, "__array__"):
        board = np.asarray(board).tolist()
    if not isinstance(board, Sequence):
        raise PositionError(f"the board {quoted(board)} is neither text nor an array of rows")
    if not isinstance(board, str) and all(isinstance(row, str) for row in board):
        board = "\n".join(board)
    letters = None
    if isinstance(board, str):
        rows, letters = _rows_of_text(board, told)
    else:
        if not all(isinstance(row, Iterable) for row in board):
            raise PositionError("the board is no array of rows: give one text or list for each row")
        rows = [[_sign_of(cell) for cell in row] for row in board]
    if not rows or not rows[0]:
        raise PositionError("the board has no cell")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise PositionError(
                f"row {number} of the board has {len(row)} cells, and the first has "
                f"{len(rows[0])}: its signs are {_listed(row)}"
            )
    cells = [sign for row in rows for sign in row]
    meaning = _meanings(cells, told, full)
    return Drawn(len(rows), len(rows[0]), tuple(meaning[sign] for sign in cells), letters)


def _sign_of(cell: Any) -> str:
    """The sign of a cell of an array: of numbers and truth values the number."""
    if cell is None or (isinstance(cell, float) and cell != cell):
        return BLANK
    if isinstance(cell, bool | np.bool_ | int | np.integer):
        return str(int(cell))
    if isinstance(cell, float | np.floating) and cell.is_integer():
        return str(int(cell))
    return _SHAPED.sub("", str(cell).strip())


def _rows_of_json(text: str) -> Any:
    """The rows of an array in JSON or as Python prints lists and tuples, or the text if it is none.

    Raises
    ------
    PositionError
        If an array begins and does not end.
    """
    if not text.lstrip().startswith(("[", "(", "{")):
        return text
    for array in (text, text.translate(_AS_JSON)):
        with suppress(ValueError, RecursionError):
            return json.loads(array)
    if text.count("[") > text.count("]"):
        raise PositionError("the array of rows is cut short: a bracket is not closed")
    return _NEXT_ROW.sub(r"\1\n\2", text)


def _rows_of_text(text: str, told: Mapping[str, str]) -> tuple[list[list[str]], Letters | None]:
    """The signs of each row, and the letters by which a line above names the columns.

    Raises
    ------
    PositionError
        If that line counts other columns than there are.
    """
    lines = [line.translate(_BARS).rstrip() for line in _tabled(text).splitlines() if line.strip()]
    lines = _without_empty_head([line for line in lines if not line.lstrip().startswith("```")])
    lines = [_without_brackets(line) for line in lines if not _LEFT_OUT.fullmatch(line)]
    head, letters = _columns_of(lines[0]) if lines else (0, None)
    body = lines[1:] if head else lines
    if head and len(body) > 1 and _columns_of(body[-1])[0] == head:
        body = body[:-1]
    if len(body) > 1 and _DASHES.fullmatch(body[0]) and _without_names(body[1:], bool(head)):
        body = body[1:]
    named = _without_names(body, bool(head))
    signs = set(_cells(_inside(lines[0]), told)) if lines else set()
    if head and named is None and (head == 1 or signs <= {*told, *KNOWN}):  # it can be a row itself
        head, letters, body = 0, None, lines
        named = _without_names(body, False)
    rows = [_cells(line, told) for line in named or map(_inside, body)]
    for number, row in enumerate(rows, start=1):
        if head not in (0, len(row)):
            raise PositionError(
                f"the line above the board counts {head} columns, and row {number} has {len(row)} "
                f"cells: its signs are {_listed(row)}"
            )
    return rows, letters


def _tabled(text: str) -> str:
    r"""A table copied from a spreadsheet with semicolons in place of its tabs.

    Then its empty cells are cells, at the ends of a row, too, and where a row has no others. A
    board that is set in by tabs is no such table.

    >>> _tabled("x\t\t\n\t\to\n\t\t\n"), _tabled("\t. x .\n\t. . o\n")
    ('x;;\n;;o\n;;', '\t. x .\n\t. . o\n')
    """
    rows = [[part.strip() for part in line.split("\t")] for line in text.splitlines() if line]
    parts = [part for row in rows for part in row]
    if "\t" not in text or re.search("[|;,]", text) or any(" " in part for part in parts):
        return text
    width = max(map(len, rows))
    apart = any("\t" in line.lstrip("\t") for line in text.splitlines())
    signs = all(len(_SIGN.findall(part)) < 2 for part in parts)
    if not apart and (not signs or min(map(len, rows)) == width):
        return text
    return "\n".join(";".join([*row, *[""] * (width - len(row))]) for row in rows)


def _without_empty_head(lines: list[str]) -> list[str]:
    """The lines without the line of no heads that Markdown asks for above a table without any.

    What lies above the only ruled line and is empty is no row, unless a row alone lies below it.
    """
    ruled = [bool(_LEFT_OUT.fullmatch(line)) for line in lines]
    headed = len(lines) > 3 and ruled[1] and sum(ruled) == 1 and _DASHES.fullmatch(lines[1])
    return lines[1:] if headed and not lines[0].strip(" \t|") else lines


def _without_brackets(line: str) -> str:
    """A line without the brackets, quotes and last comma of an array that was printed."""
    bare = line.translate(_PRINTED)
    return bare if bare == line else bare.rstrip().removesuffix(",")


def _inside(line: str) -> str:
    """What stands between the outer bars of a line."""
    inner = line.strip()
    return inner.removeprefix("|").removesuffix("|") if "|" in inner else inner


def _columns_of(line: str) -> tuple[int, Letters | None]:
    """How many columns a line counts by letters or numbers, 0 if it is no such line."""
    names = [name.upper() for name in re.split(r"[\s|,;]+", line) if name]
    joined = "".join(names)
    for letters in Letters:
        if names == [column_name(column, letters) for column in range(len(names))]:
            return len(names), letters
        if len(joined) > 1 and joined == letters.alphabet[: len(joined)]:
            return len(joined), letters
    for first in (1, 0):
        if names == [str(number) for number in range(first, first + len(names))]:
            return len(names) if names and (first or len(names) > 2) else 0, None
    for size in range(2, 100):
        numbers = range(1, size + 1)
        if joined in ("".join(map(str, numbers)), "".join(str(n % 10) for n in numbers)):
            return size, None
    if len(names) > 2 and not names[0][0].isalnum():  # a corner such as # or \
        return _columns_of(" ".join(names[1:]))
    return 0, None


def _without_names(lines: Sequence[str], headed: bool) -> list[str] | None:
    """The rows without their letters or numbers in front; None where not all have them in order.

    Numbers from 0, and a number before nothing but digits, are names only below a line that counts
    the columns: elsewhere they can be cells.
    """
    spellings: list[Iterable[str]] = [map(str, count(1)), *([map(str, count())] if headed else [])]
    spellings += [map(partial(column_name, letters=letters), count()) for letters in Letters]
    for names in spellings:
        found = []
        for line, name in zip(map(_inside, lines), names, strict=False):
            begins, rest = line.lstrip()[: len(name)], line.lstrip()[len(name) :]
            if begins.upper() != name or not rest or (name.isdigit() and rest[0].isdigit()):
                break
            if name.isdigit() and not headed and not re.sub(r"[\s|,;0-9-]", "", rest):
                break
            found.append(_BEHIND_NAME.sub("", rest))
        else:
            if lines:
                return found
    return None


def _cells(line: str, told: Mapping[str, str]) -> list[str]:
    """The signs of a row."""
    separator = next((each for each in "|;,\t" if each in line), None)
    signs = []
    for part in [line] if separator is None else line.split(separator):
        if separator is not None and not part.strip():
            signs.append(BLANK)
        for word in part.split():
            sign = _SHAPED.sub("", word)
            signs += [sign] if sign in told else [_SHAPED.sub("", s) for s in _SIGN.findall(word)]
    return signs


def _meanings(cells: Iterable[str], told: Mapping[str, str], full: bool) -> dict[str, str]:
    """What each sign of a board means.

    Raises
    ------
    PositionError
        If one is not known, or can have more than one meaning; the line names them all.
    """
    signs = list(dict.fromkeys(cells))
    if full:
        water = {UNKNOWN: WATER, MISS: WATER, HIT: SHIP, SUNK: SHIP}
        known = KNOWN_FULL | {sign: water.get(word, word) for sign, word in told.items()}
    else:
        known = {**KNOWN, **told}
    strange = [sign for sign in signs if sign not in known]
    meant: dict[str, list[str]] = {}
    for sign in signs:
        if sign in known and sign not in told:
            meant.setdefault(known[sign], []).append(sign)
    alike = next((group for group in meant.values() if len(group) > 1 and not full), [])
    alone = SEA in meant.get(MISS, ()) and UNKNOWN not in {known.get(sign) for sign in signs}
    if not (strange or alike or alone):
        return known
    if strange:
        why = f"the board has the signs {_listed(signs)}, of which {_listed(strange)} "
        why += "is not known" if len(strange) == 1 else "are not known"
    elif alike:
        why = f"the board has the signs {_listed(alike)}, which can all mean {known[alike[0]]}"
    else:
        why = f"the board has the sign {SEA} for water, shot or not"
    example, words = (strange or alike or [SEA])[0] or " ", f"{WATER} or {SHIP}"
    meaning, words = (SHIP, words) if full else (MISS, "unknown, miss, hit or sunk")
    raise PositionError(
        f"{why}: say what they mean with --signs, as in '{example}={meaning}' ({words}); known are "
        f"{_legend(KNOWN_FULL if full else KNOWN)}"
    )


def _listed(signs: Iterable[str]) -> str:
    """Signs, as a message names them."""
    found = [sign if sign != BLANK else "(empty)" for sign in dict.fromkeys(signs)]
    return " ".join(found[:20]) + (f" and {len(found) - 20} more" if len(found) > 20 else "")


def _legend(known: Mapping[str, str]) -> str:
    """Signs by what they mean, as a message names them."""
    groups: dict[str, list[str]] = {}
    for sign, meaning in known.items():
        groups.setdefault(meaning, []).append(sign)
    return ", ".join(
        f"{' '.join(sign for sign in signs if sign)} {meaning}" for meaning, signs in groups.items()
    )
