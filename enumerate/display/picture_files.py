"""Pictures as files: SVG as it is, PNG by resvg, PDF by svglib.

resvg (https://github.com/linebender/resvg, MIT or Apache 2) is a renderer of static SVG in Rust;
the wheels of ``resvg-py`` (1.4 MB, one per platform for every Python from 3.10) carry it whole.
svglib (LGPL) translates SVG for reportlab (BSD), which writes PDF with vectors and real text; with
lxml they take 23 MB, and are installed by the extra ``pdf``. Neither needs a library of the system,
as cairosvg needs cairo. Both use DejaVu Sans, which comes with matplotlib: a file looks the same on
every machine.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any

from seabattle.enumerate.display.palette import Palette, palette_of
from seabattle.enumerate.display.svg import FONTS
from seabattle.enumerate.errors import DrawingError, quoted
from seabattle.enumerate.game.arguments import require_path
from seabattle.enumerate.writing import write_bytes, write_text

SUFFIXES = (".svg", ".png", ".pdf")
PNG_SCALE = 2.0
"""Pixels of a PNG per pixel of the picture, where no scale is given."""

MOST_PIXELS = 200_000_000
LEAST_SCALE, MOST_SCALE = 0.1, 20.0

_SIZE = re.compile(r'<svg\b[^>]*? width="([0-9.]+)" *height="([0-9.]+)"', re.DOTALL)
_FONT = "DejaVu Sans"


def require_picture(path: str | Path, what: str = "picture") -> None:
    """Reject a file whose suffix names no kind of picture, or one that cannot be written here.

    Raises
    ------
    DrawingError
        If it is another one, or a package is missing.
    """
    require_path("path", path)
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise DrawingError(
            f"{what} {path}: {suffix or 'a name without a suffix'} is no picture; "
            f"write a .svg, .png or .pdf file"
        )
    if suffix == ".pdf":
        _svglib()


def require_scale(scale: float | None) -> None:
    """Reject a scale at which nothing can be drawn; None stands for the usual one.

    Raises
    ------
    DrawingError
        If it is no number from ``LEAST_SCALE`` to ``MOST_SCALE``.
    """
    if scale is None:
        return
    good = isinstance(scale, int | float) and isfinite(scale)
    if not good or not LEAST_SCALE <= scale <= MOST_SCALE:
        raise DrawingError(
            f"scale {scale}: write a number from {LEAST_SCALE:g} to {MOST_SCALE:g}, such as 2"
        )


def require_kinds(kinds: Sequence[str], called: str = "formats", *, check: bool = True) -> None:
    """Reject kinds of pictures that there are not or, with ``check``, that cannot be written here.

    ``called`` is what messages call them.

    Raises
    ------
    DrawingError
        If one is another, or a package is missing.
    """
    for kind in kinds:
        if f".{kind}" not in SUFFIXES:
            right = ", ".join(suffix[1:] for suffix in SUFFIXES)
            raise DrawingError(
                f"{called}: {quoted(kind)} is no kind of picture; write some of {right}, joined by "
                f"commas"
            )
        if check:
            require_picture(f"picture.{kind}")


@dataclass(frozen=True)
class Pictures:
    """How pictures are written.

    Attributes
    ----------
    formats
        Suffixes without the dot: each picture is written once for each.
    scale, theme
        As in ``save_picture`` and ``palette_of``.
    """

    formats: tuple[str, ...] = ("svg",)
    scale: float | None = None
    theme: str = "light"

    @property
    def palette(self) -> Palette:
        """The colours."""
        return palette_of(self.theme)

    def save(self, picture: str, place: Path) -> list[Path]:
        """Write an SVG document; ``place`` is a file without its suffix."""
        files = [place.with_name(f"{place.name}.{form}") for form in self.formats]
        for file in files:
            save_picture(picture, file, scale=self.scale)
        return files


def save_picture(picture: str, path: str | Path, *, scale: float | None = None) -> int:
    """Write an SVG picture as the kind of file that the suffix names.

    Parameters
    ----------
    picture
        An SVG document of this program.
    path
        ``.svg``, ``.png`` or ``.pdf``.
    scale
        Size relative to the picture's own; by default 1, and of a PNG 2. Up to 20.

    Returns
    -------
    int
        Bytes written.

    Raises
    ------
    DrawingError
        If the suffix is another one, the scale or the PNG is too large, or a package is missing.
    FileAccessError
        If the file cannot be written.
    """
    require_picture(path)
    require_scale(scale)
    suffix = Path(path).suffix.lower()
    if suffix == ".svg":
        text = resized(picture, 1.0 if scale is None else scale)
        write_text(path, text)
        return len(text.encode("utf-8"))
    content = png(picture, scale=scale) if suffix == ".png" else pdf([picture], scale=scale)
    write_bytes(path, content)
    return len(content)


def picture_size(picture: str) -> tuple[float, float]:
    """Width and height of an SVG document, in pixels."""
    found = _SIZE.search(picture)
    if found is None:
        raise DrawingError("the picture does not say how large it is")
    return float(found[1]), float(found[2])


def resized(picture: str, scale: float) -> str:
    """An SVG document that is shown so many times as large.

    >>> resized('<svg x="1" width="10" height="4" viewBox="0 0 10 4"></svg>', 1.5)
    '<svg x="1" width="15" height="6" viewBox="0 0 10 4"></svg>'
    """
    if scale == 1:
        return picture
    width, height = picture_size(picture)
    return _SIZE.sub(
        lambda found: (
            found[0][: found.start(1) - found.start() - len(' width="')]
            + f' width="{width * scale:g}" height="{height * scale:g}"'
        ),
        picture,
        count=1,
    )


def png(picture: str, *, scale: float | None = None) -> bytes:
    """An SVG document as a PNG; the same document gives the same bytes.

    Raises
    ------
    DrawingError
        If it would have more than ``MOST_PIXELS`` pixels.
    """
    import resvg_py

    require_scale(scale)
    zoom = PNG_SCALE if scale is None else scale
    width, height = picture_size(picture)
    if width * height * zoom * zoom > MOST_PIXELS:
        raise DrawingError(
            f"a PNG of {width * zoom:,.0f} x {height * zoom:,.0f} pixels is too large: "
            f"write .svg or .pdf, draw less, or choose a smaller scale"
        )
    regular, bold = _fonts()
    # Signs that DejaVu lacks, such as those of China and Japan, are taken from the system.
    known = not any(ord(c) > 0x2E80 for c in picture)
    # At the scale of the document, not by zoom, which rounds the size down.
    return resvg_py.svg_to_bytes(
        svg_string=resized(picture, zoom),
        skip_system_fonts=known,
        font_files=[regular, bold],
        font_family=_FONT,
        sans_serif_family=_FONT,
    )


def pdf(
    pictures: Sequence[str],
    *,
    scale: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> bytes:
    """SVG documents as the pages of one PDF; a pixel of theirs is 3/4 of a point.

    ``progress`` is called with the number of each page before it is written.

    Raises
    ------
    DrawingError
        If svglib is not installed.
    """
    svglib = _svglib()
    from reportlab.graphics import renderPDF
    from reportlab.pdfgen.canvas import Canvas

    require_scale(scale)
    zoom = 0.75 * (1.0 if scale is None else scale)
    stream = io.BytesIO()
    canvas = Canvas(stream, pageCompression=1, invariant=1)
    canvas.setCreator("seabattle")
    for number, picture in enumerate(pictures, start=1):
        if progress is not None:
            progress(number)
        width, height = picture_size(picture)
        # svglib takes a pixel for a point; it knows the font by the name registered.
        named = picture.replace(f'font-family="{FONTS}"', f'font-family="{_FONT}"')
        drawing = svglib.svg2rlg(io.BytesIO(named.encode("utf-8")))
        if drawing is None:
            raise DrawingError("svglib cannot read the picture")
        canvas.setPageSize((width * zoom, height * zoom))
        title = re.search(r"<title[^>]*>([^<]*)</title>", picture)
        if title:
            canvas.setTitle(title[1])
        canvas.saveState()
        across = drawing.width or width
        canvas.scale(width * zoom / across, width * zoom / across)
        renderPDF.draw(drawing, canvas, 0, 0)
        canvas.restoreState()
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


@cache
def _fonts() -> tuple[str, str]:
    """Files of the font, regular and bold."""
    from matplotlib import get_data_path

    folder = Path(get_data_path()) / "fonts" / "ttf"
    return str(folder / "DejaVuSans.ttf"), str(folder / "DejaVuSans-Bold.ttf")


def _svglib() -> Any:
    """svglib, with the font registered."""
    try:
        from svglib import svglib
    except ImportError:
        raise DrawingError(
            "writing PDF needs the packages svglib and reportlab: pip install 'seabattle[pdf]'"
        ) from None
    _register_fonts()
    return svglib


@cache
def _register_fonts() -> None:
    """Make the font known to svglib, once."""
    from svglib.fonts import register_font

    regular, bold = _fonts()
    register_font(_FONT, regular)
    register_font(_FONT, bold, weight="bold")
