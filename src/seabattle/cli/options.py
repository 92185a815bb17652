"""Options that many commands share, and which options were given on the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., Any])
Option = Callable[[Any], Any]
"""What ``click.option`` returns: it adds an option to a command."""


class _NamedPath(click.Path):
    """A path that is not empty, as an unset variable of the shell would make it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("'' names no file or folder.", param, ctx)
        return super().convert(value, param, ctx)


PATH = _NamedPath(path_type=Path)
"""Type of arguments and options that name a file or folder."""


def within(
    least: int, most: int | None = None
) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """A callback that refuses numbers out of range, without the ``x>=0`` of click in the help."""

    def check(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
        if value is not None and not least <= value <= (value if most is None else most):
            wanted = f"x>={least}" if most is None else f"{least}<=x<={most}"
            raise click.BadParameter(f"{value} is not in the range {wanted}.", context, parameter)
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
    return click.option("--tree", "tree_file", type=PATH, metavar="FILE", help=help)


def out_option(help: str, *, required: bool = False) -> Option:
    """``--out DIR``, the folder that results are written to."""
    return click.option("--out", type=PATH, required=required, metavar="DIR", help=help)


def output_option(metavar: str, help: str, *, required: bool = True) -> Option:
    """``-o FILE``, the one file (or folder) that the command writes."""
    return click.option("-o", "--output", type=PATH, required=required, metavar=metavar, help=help)


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
