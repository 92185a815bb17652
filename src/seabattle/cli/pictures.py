"""The pictures in a folder of results: their kinds, size and colours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from seabattle.cli.options import given_options, option_name, picture_options, with_options

if TYPE_CHECKING:
    from seabattle.enumerate.picture import Pictures

_Command = TypeVar("_Command", bound=Callable[..., Any])


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
    from seabattle.enumerate.errors import SeabattleError
    from seabattle.enumerate.picture import Pictures, require_kinds

    if out is None:
        for name in given_options("formats", "scale", "theme"):
            raise SeabattleError(f"{name} is of the pictures of --out, which is not given")
    kinds = tuple(dict.fromkeys(part.strip().lower() for part in formats.split(",")))
    require_kinds(kinds, option_name("formats"), check=out is not None)
    return Pictures(kinds, scale, theme)
