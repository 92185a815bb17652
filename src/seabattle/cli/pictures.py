"""The pictures in a folder of results: their kinds, size and colours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from seabattle.cli.options import given_options, option_name, picture_options, with_options

if TYPE_CHECKING:
    from seabattle.enumerate.display.palette import Palette

_Command = TypeVar("_Command", bound=Callable[..., Any])


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
        from seabattle.enumerate.display.palette import palette_of

        return palette_of(self.theme)

    def save(self, picture: str, place: Path) -> list[Path]:
        """Write an SVG document; ``place`` is a file without its suffix."""
        from seabattle.enumerate.display.picture_files import save_picture

        files = [place.with_name(f"{place.name}.{form}") for form in self.formats]
        for file in files:
            save_picture(picture, file, scale=self.scale)
        return files


def folder_picture_options(usual: str) -> Callable[[_Command], _Command]:
    """``--formats``, ``--scale`` and ``--theme`` of the pictures that ``--out`` writes."""
    formats = click.option(
        "--formats",
        default=usual,
        show_default=True,
        metavar="svg,png,pdf",
        help="With --out: kinds of its pictures.",
    )
    return with_options(formats, picture_options("the pictures of --out"))


def asked_pictures(formats: str, scale: float | None, theme: str, out: Path | None) -> Pictures:
    """The pictures asked for.

    Raises
    ------
    SeabattleError
        If a kind is unknown, or options of pictures come without a folder to write them to.
    DrawingError
        If a package that a kind needs is missing.
    """
    from seabattle.enumerate.display.picture_files import SUFFIXES, require_picture
    from seabattle.enumerate.errors import SeabattleError, quoted

    if out is None:
        for name in given_options("formats", "scale", "theme"):
            raise SeabattleError(f"{name} is of the pictures of --out, which is not given")
    kinds = tuple(dict.fromkeys(part.strip().lower() for part in formats.split(",")))
    for kind in kinds:
        if f".{kind}" not in SUFFIXES:
            right = ", ".join(suffix[1:] for suffix in SUFFIXES)
            raise SeabattleError(
                f"{option_name('formats')}: {quoted(kind)} is no kind of picture; write some of "
                f"{right}, joined by commas"
            )
        if out is not None:
            require_picture(out / f"picture.{kind}")
    return Pictures(kinds, scale, theme)
