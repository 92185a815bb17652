"""SVG documents: their frame, their texts, and ids that do not collide on one page.

SVG renderers disagree about text widths, and no font is known to be installed: widths are estimated
from above, so that nothing is clipped or overlaps in any sans-serif font.
"""

from __future__ import annotations

import hashlib
import textwrap
import unicodedata
from html import escape

from seabattle.enumerate.display.wording import plain

FONTS = "'Helvetica Neue',Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif"

LINKS = ' xmlns:xlink="http://www.w3.org/1999/xlink"'
"""Namespace of references: SVG 1.1 has them in one of their own, and renderers still ask for it."""

ENDS = 'stroke-linecap="round"'
"""How lines end in every document, said once."""

_NARROW = set("iljftI.,:;'|!()[] ")


def xml(text: str) -> str:
    """Text for XML: escaped, and without the characters that XML does not allow."""
    return escape(plain(text))


def text_width(text: str, size: float) -> float:
    """Estimate from above of the width of a line of sans-serif text, in pixels.

    >>> 60 < text_width("1428 layouts", 11) < 80
    True
    """
    ems = 0.0
    for c in text:
        if unicodedata.east_asian_width(c) in "WF":
            ems += 1.0
        elif c in _NARROW:
            ems += 0.4
        elif c in "mwMW@%":
            ems += 1.0
        else:
            ems += 0.75 if c.isupper() or c in "≈=+" else 0.63
    return ems * size


def wrapped(text: str, size: float, width: float) -> list[str]:
    """Break a text into lines of at most ``width`` pixels each.

    >>> wrapped("fleet 3,1,1 on 3x3", 10, 70)
    ['fleet 3,1,1', 'on 3x3']
    """
    most = max(8, min(len(text), int(width / (0.4 * size)) + 1))
    lines = textwrap.wrap(text, most) or [""]
    while most > 8 and any(text_width(line, size) > width for line in lines):
        most -= 1
        lines = textwrap.wrap(text, most)
    return lines


def id_prefix(letter: str, content: object, *, size: int = 4) -> str:
    """Start of a drawing's ids: the same for equal content, different for different content.

    Parameters
    ----------
    letter
        First character, one for each kind of drawing.
    content
        What is drawn; its repr counts.
    size
        Bytes of the digest.
    """
    digest = hashlib.blake2s(repr(content).encode("utf-8", "replace"), digest_size=size)
    return letter + digest.hexdigest()


def document(
    prefix: str,
    width: float,
    height: float,
    title: str,
    body: str,
    *,
    description: str = "",
    definitions: str = "",
    font_size: int | None = None,
    ground: str = "#ffffff",
    shown: tuple[float, float] | None = None,
) -> str:
    """An SVG document.

    Parameters
    ----------
    prefix
        Id of the document and start of all its ids.
    width, height
        Size in pixels.
    title, description
        For screen readers; plain text.
    body, definitions
        SVG elements: what is drawn; shared shapes.
    font_size
        Of texts that give none.
    ground
        Colour of the ground.
    shown
        Width and height at which it is shown, where that is not its size.
    """
    across, down = _number(width), _number(height)
    labels = f"{prefix}-title {prefix}-desc" if description else f"{prefix}-title"
    fonts = f'font-family="{FONTS}"' + (f' font-size="{font_size}"' if font_size else "")
    wide, high = (_number(side) for side in shown or (width, height))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg"{LINKS} id="{prefix}" width="{wide}" '
        f'height="{high}" viewBox="0 0 {across} {down}" role="img" '
        f'aria-labelledby="{labels}" {fonts} {ENDS}>',
        f'<title id="{prefix}-title">{xml(title)}</title>',
    ]
    if description:
        lines = "\n".join(map(xml, description.split("\n")))
        parts.append(f'<desc id="{prefix}-desc">{lines}</desc>')
    behind = f'<rect width="{across}" height="{down}" fill="{ground}"/>'
    parts += [definitions, behind, body, "</svg>"]
    return "\n".join(part for part in parts if part) + "\n"


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:g}"
