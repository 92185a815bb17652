"""Words and characters of messages, pictures and pages: counted nouns, lists, printable text.

Percentages that say 0 or 100 only where that is exact.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction


def table_text(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    left: Sequence[int] = (0,),
    *,
    ruled: bool = False,
) -> str:
    """A table as text, with a line below its head if it is ruled.

    The columns ``left`` are aligned to the left.

    >>> print(table_text(("cell", "misses"), [("A1", "12"), ("B12", "3")]))
    cell  misses
    A1        12
    B12        3
    """
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    first, *lines = (
        "  ".join(
            text.ljust(width) if at in left else text.rjust(width)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (head, *rows)
    )
    return "\n".join([first, *(["-" * len(first)] if ruled else []), *lines])


def split_list(text: str) -> list[str]:
    """The words of a list: commas, semicolons and blanks part them.

    >>> split_list("A1:A3, C1;C3  E5")
    ['A1:A3', 'C1', 'C3', 'E5']
    """
    return list(filter(None, parts_of(text)))


def parts_of(text: str) -> list[str]:
    """The same, where two commas in a row enclose an empty part.

    >>> parts_of("A1:A3, C1; C3"), parts_of("1,,2")
    (['A1:A3', 'C1', 'C3'], ['1', '', '2'])
    """
    return re.split(r"\s*[,;]\s*|\s+", text)


def plain(text: str) -> str:
    r"""Text without the characters that XML, DOT or a terminal do not accept.

    >>> plain("a\x00b\x1b[1m")
    'a�b�[1m'
    """
    return "".join(
        c if c.isprintable() and c not in "\ufffe\uffff" else " " if c.isspace() else "\ufffd"
        for c in text
    )


def counted(number: int, noun: str) -> str:
    """A number with its noun in the singular or plural.

    >>> counted(1, "layout"), counted(2, "miss"), counted(1200, "game")
    ('1 layout', '2 misses', '1,200 games')
    """
    plural = "" if number == 1 else "es" if noun.endswith("s") else "s"
    return f"{number:,} {noun}{plural}"


def interval_text(low: object, high: object, form: str = "{} to {}") -> str:
    """Both ends of an interval, or the number that it is.

    >>> interval_text(3, 4), interval_text(3, 3)
    ('3 to 4', '3')
    """
    return str(high) if low == high else form.format(low, high)


def first_of(names: Sequence[str], most: int, between: str = " ") -> str:
    """Names one after the other; of a long list the first, and how many more there are.

    >>> first_of(["A1", "B1"], 2), first_of(["A1", "B1", "C1", "D1"], 2)
    ('A1 B1', 'A1 B1 and 2 more')
    """
    more = len(names) - most
    return between.join([*names[:most], *([f"and {more} more"] if more > 0 else [])])


def mean_text(total: int, weight: int, worst: int | None = None) -> str:
    """Misses on average, as a number and as a fraction, and in the worst case.

    >>> mean_text(86, 37), mean_text(86, 37, worst=5)
    ('mean 2.3243 (86/37)', 'mean 2.3243 (86/37), worst 5')
    """
    mean = f"mean {total / weight:.4f} ({total}/{weight})"
    return mean if worst is None else f"{mean}, worst {worst}"


def about(number: int, error: float) -> str:
    """An estimated number with its relative standard error.

    >>> about(14469712345678901234567, 0.0072), about(1428, 0.0)
    ('about 1.447e22 ± 0.7 %', 'about 1,428 ± 0 %')
    """
    short = f"{number:,}" if number < 10**6 else f"{Decimal(number):.3e}".replace("e+", "e")
    return f"about {short} ± {100 * error:.1g} %"


def percent_text(share: Fraction, *, decimals: int = 1) -> str:
    """Percentage without its sign; 0 and 100 only where that is exact.

    >>> [percent_text(Fraction(n, 2000)) for n in (0, 1, 250, 1998, 2000)]
    ['0', '0.1', '12.5', '99.9', '100']
    >>> tiny = Fraction(1, 10**18)
    >>> percent_text(tiny), percent_text(1 - tiny), percent_text(Fraction(1, 3), decimals=0)
    ('<0.1', '>99.9', '33')
    """
    if share in (0, 1):
        return "100" if share else "0"
    whole = 10**decimals
    # Rounded half up, exactly: formatting a float would round 12.25 to even.
    steps = int(100 * share * whole + Fraction(1, 2))
    if steps < 1:
        return f"<{1 / whole:g}"
    if steps >= 100 * whole:
        return f">{100 - 1 / whole:g}"
    return f"{steps / whole:.{decimals}f}"
