"""Options that many commands share, and which options were given on the command line."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from seabattle.enumerate.files import (
    CHECKPOINT,
    PRIOR_TABLE,
    kind_of_suffix,
    of_format,
    require_place,
)

_Command = TypeVar("_Command", bound=Callable[..., Any])
Option = Callable[[Any], Any]
"""What ``click.option`` returns: it adds an option to a command."""


_NAMED = "seabattle.files"
"""Where a command's context keeps the files that its options name."""


class _NamedPath(click.Path):
    """A path that is not empty, as an unset variable of the shell would make it."""

    writes = False

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and not value.strip():
            self.fail(f"{value!r} names no file or folder.", param, ctx)
        path = super().convert(value, param, ctx)
        _refuse_same(str(path), self.writes, param, ctx)
        return path


class _FileOrName(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """The name of a file to read, where other words mean something else."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        text = click.STRING.convert(value, param, ctx)
        if os.path.lexists(text):
            _refuse_same(text, False, param, ctx)
        return text


class _OutputFolder(_NamedPath):
    """The path of a folder that is written."""

    writes = True


class _OutputPath(_NamedPath):
    """The path of a file that is written; refused before any work where it cannot be."""

    writes = True

    def __init__(self, kind: str | None = None, *, as_table: str | None = None) -> None:
        super().__init__(path_type=Path)
        self.kind = kind
        self.as_table = as_table
        """What it is instead when its name ends in ``.csv``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from seabattle.enumerate.errors import SeabattleError

        path = super().convert(value, param, ctx)
        try:
            is_table = self.as_table is not None and path.suffix.lower() == ".csv"
            kind = self.as_table if is_table else self.kind
            require_place(path, kind or kind_of_suffix(path))
        except SeabattleError as error:
            self.fail(f"{error}.", param, ctx)
        return path


def _refuse_same(
    path: str, writes: bool, param: click.Parameter | None, ctx: click.Context | None
) -> None:
    """Refuse to write where the same command reads, or writes something else."""
    if ctx is None or param is None:
        return
    try:
        place = os.path.realpath(path)
    except (OSError, ValueError):  # no possible name, which is said where it is opened
        return
    is_option = param.param_type_name == "option"
    named: list[tuple[str, bool, str]] = ctx.meta.setdefault(_NAMED, [])
    for there, written, other in named:
        if there == place and (written or writes):
            raise click.BadParameter(
                f"{path} is also what {other} names: name another file.", ctx, param
            )
    if not _is_device(place):
        named.append((place, writes, param.opts[-1] if is_option else str(param.make_metavar(ctx))))


def _is_device(path: str) -> bool:
    """Whether it is a device or pipe, to which several things can be written."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


PATH = _NamedPath(path_type=Path)
"""Type of arguments and options that name a file or folder to read."""

FILE_OR_NAME = _FileOrName()
"""Type of options that take a file to read or another word."""

OUTPUT_FOLDER = _OutputFolder(path_type=Path)
"""Type of options that name a folder to write."""

OUTPUT = _OutputPath()
"""Type of options that name a file to write, whose kind its suffix tells."""

TREE_FILE = _OutputPath(of_format("seabattle-tree"))
CHECKPOINT_FILE = _OutputPath(CHECKPOINT)
PRIOR_FILE = _OutputPath(of_format("seabattle-prior"), as_table=PRIOR_TABLE)


def within(
    least: int, most: int | None = None
) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """A callback that refuses numbers out of range, without the ``x>=0`` of click in the help."""

    def check(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
        if value is not None and not least <= value <= (value if most is None else most):
            wanted = f"{least} or more" if most is None else f"{least:,} to {most:,}"
            raise click.BadParameter(f"{value}: must be {wanted}.", context, parameter)
        return value

    return check


def with_options(*options: Option) -> Callable[[_Command], _Command]:
    """A decorator that adds several options, shown by ``--help`` in this order."""

    def decorate(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."
)


def tree_option(help: str = "Save the tree to this file.") -> Option:
    """``--tree FILE``, which saves the tree that was found."""
    return click.option("--tree", "tree_file", type=TREE_FILE, metavar="FILE", help=help)


def out_option(help: str, *, required: bool = False) -> Option:
    """``--out DIR``, the folder that results are written to."""
    return click.option("--out", type=OUTPUT_FOLDER, required=required, metavar="DIR", help=help)


def output_option(metavar: str, help: str, *, required: bool = True, type: Any = OUTPUT) -> Option:
    """``-o FILE``, the one file (or folder) that the command writes."""
    return click.option("-o", "--output", type=type, required=required, metavar=metavar, help=help)


def picture_options(made: str) -> Callable[[_Command], _Command]:
    """``--scale`` and ``--theme`` of pictures; ``made`` is what they are of, for the help."""
    return with_options(
        click.option(
            "--scale",
            type=float,
            callback=_scale,
            default=None,
            metavar="X",
            help=f"Size of {made}, times its own. [default: 1; 2 for .png]",
        ),
        click.option(
            "--theme",
            type=click.Choice(["light", "dark", "print"]),
            default="light",
            show_default=True,
            help="Colours: print is black on white, without large fills.",
        ),
    )


def _scale(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    from seabattle.enumerate.errors import DrawingError
    from seabattle.enumerate.picture import require_scale

    try:
        require_scale(value)
    except DrawingError as error:
        raise click.BadParameter(f"{error}.", context, parameter) from None
    return value


def seed_option(help: str) -> Option:
    """``--seed N``, from which all chance follows."""
    return click.option(
        "--seed", type=int, callback=within(0), default=0, show_default=True, metavar="N", help=help
    )


def given_options(*names: str) -> list[str]:
    """Those of the running command's options that were written on its command line."""
    context = click.get_current_context(silent=True)
    written = click.core.ParameterSource.COMMANDLINE
    return [
        option_name(name)
        for name in names
        if context is not None and context.get_parameter_source(name) is written
    ]


def option_name(parameter: str) -> str:
    """An option as it is typed.

    >>> option_name("sunk_at")
    '--sunk-at'
    """
    return f"--{parameter.replace('_', '-')}"
