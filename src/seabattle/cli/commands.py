"""The command group: every command of the program, loaded when it is used."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.metadata import version
from typing import Any

import click

HOMES = {
    "Find a strategy": {"solve": "solving", "greedy": "solving", "compare": "solving"},
    "Boards of full size": {"count": "counting", "layouts": "counting", "prior": "counting"},
    "Play": {
        "advise": "advising", "review": "advising", "play": "playing", "hide": "playing",
        "tournament": "playing", "players": "playing",
    },
    "Strategies as files": {
        "verify": "trees", "check": "trees", "replay": "trees", "render": "trees",
        "explore": "trees",
        "strategy": "trees",
    },
    "Studies": {
        "equilibrium": "solving", "bound": "solving", "atlas": "solving", "graph": "solving",
    },
    "For programs": {"engine": "playing"},
}  # fmt: skip
"""The commands by their sections in the help, and the module of each."""

_MODULES = {name: module for section in HOMES.values() for name, module in section.items()}


class _Commands(click.Group):
    """Commands that are loaded when they are used, listed in sections."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Names in the order of the help."""
        return list(_MODULES)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """The command of a name, whose module is imported now."""
        if name not in _MODULES:
            return None
        module = import_module(f"seabattle.cli.{_MODULES[name]}")
        found: click.Command = getattr(module, name)
        return found

    def resolve_command(self, context: click.Context, args: list[str]) -> Any:
        """The command that is asked for; a name that is not known is answered with near ones."""
        try:
            return super().resolve_command(context, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            near = get_close_matches(args[0], _MODULES, n=1) if args else []
            if near and "No such command" in error.message:
                told = f"{error.message.rstrip('.')}; did you mean {near[0]}?"
                raise click.UsageError(told, context) from None
            raise

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands, section by section."""
        limit = formatter.width - 6 - max(map(len, _MODULES))
        for section, names in HOMES.items():
            found = [(name, self.get_command(context, name)) for name in names]
            with formatter.section(section):
                formatter.write_dl(
                    [(name, each.get_short_help_str(limit)) for name, each in found if each]
                )


def _say_version(context: click.Context, parameter: click.Parameter, asked: bool) -> None:
    """The versions that figures may depend on."""
    if asked and not context.resilient_parsing:
        python = ".".join(map(str, sys.version_info[:3]))
        own, numpy = version("seabattle"), version("numpy")
        click.echo(f"seabattle, version {own} (Python {python}, numpy {numpy})")
        context.exit()


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_say_version,
              help="Show the version, and those of Python and numpy.")  # fmt: skip
def commands() -> None:
    """Exactly where to shoot in Battleship.

    On small boards: the decision tree with provably the fewest misses, compared with greedy
    play, verified from the rules, saved and drawn. On boards of full size: how many layouts fit
    what is known and how likely each cell is occupied, exactly. For real games: advice shot by
    shot, an opponent, and a look back, at the terminal or in the browser. Try:

    \b
      seabattle compare --board 5x5 --fleet 3,2,2,1,1,1 --out results
      seabattle solve --board 4x4 --fleet 3,2,1 --values
      seabattle count --fleet russian --percent
      seabattle advise --fleet hasbro
      seabattle play
    """  # noqa: D301
