"""Words and characters of messages, pictures and pages: counted nouns, printable text."""

from __future__ import annotations


def plain(text: str) -> str:
    r"""Text without the characters that XML, DOT or a terminal do not accept.

    >>> plain("a\x00b\x1b[1m")
    'a�b�[1m'
    """
    return "".join(
        c if c.isprintable() and c not in "\ufffe\uffff" else " " if c.isspace() else "\ufffd"
        for c in text
    )


def counted(number: int, noun: str, *, separator: str = "") -> str:
    """A number with its noun in the singular or plural, thousands grouped by a separator.

    >>> counted(1, "layout"), counted(2, "miss"), counted(1200, "game", separator=",")
    ('1 layout', '2 misses', '1,200 games')
    """
    plural = "" if number == 1 else "es" if noun.endswith("s") else "s"
    digits = f"{number:,}".replace(",", separator)
    return f"{digits} {noun}{plural}"
