"""Priors by name and in files: reading, writing, and checking a ``prior`` argument.

``uniform`` is the prior under which all layouts are equally likely: None in Python. ``people`` is
shipped with the package. Everything else names a file: JSON (``priors.json_priors``) if it begins
with a brace, else CSV, whose first line says the kind of prior (``priors.csv_priors``).
"""

from __future__ import annotations

from importlib.resources import as_file, files
from os import PathLike
from pathlib import Path

from seabattle.enumerate.errors import FileAccessError, WeightsError, wrong_type
from seabattle.enumerate.files import read_text
from seabattle.enumerate.game.arguments import require_path, require_rules, require_type
from seabattle.enumerate.game.rules import Rules
from seabattle.enumerate.layouts.games import Game, rules_of
from seabattle.enumerate.priors.base import Prior
from seabattle.enumerate.priors.csv_priors import CsvReader, csv_text
from seabattle.enumerate.priors.json_priors import json_text, read_json_prior
from seabattle.enumerate.writing import write_text

UNIFORM = "uniform"
SHIPPED = {"people": "people/people.json"}
"""Priors that come with the package, by name, and their files in this room."""

MOST_CHARACTERS = 1 << 28
"""Longer files are refused before they fill the memory."""


def load_prior(name_or_path: str | Path, game: Game | None = None) -> Prior | None:
    """A prior by its name, or read from its file.

    Parameters
    ----------
    name_or_path
        ``uniform``, ``people``, or a file.
    game
        Rules, a position or a decision table. Not needed for a file that names its game. A prior of
        another game is refused.

    Returns
    -------
    Prior or None
        None for ``uniform``.

    Raises
    ------
    FileAccessError
        If the file cannot be read.
    WeightsError
        If its content is wrong, or it is of another game; names the file and, in CSV, the line.
    TypeError
        If a parameter is of the wrong type; names it.

    Examples
    --------
    >>> load_prior("uniform") is None
    True
    """
    require_path("name_or_path", name_or_path)
    rules = None if game is None else rules_of(game)
    known = name_or_path.strip().lower() if isinstance(name_or_path, str) else ""
    if known == UNIFORM:
        return None
    if known not in SHIPPED:
        return _read(Path(name_or_path), str(name_or_path), Path(name_or_path).name, rules)
    with as_file(files("seabattle.enumerate.priors") / SHIPPED[known]) as path:
        try:
            return _read(path, f"prior {known}", known, rules)
        except FileAccessError:
            raise WeightsError(f"prior {known}: its file is missing in this installation") from None


def _read(path: Path, source: str, name: str, rules: Rules | None) -> Prior:
    not_text = WeightsError(f"{source}: a prior file must be UTF-8 text")
    text = read_text(path, not_text, encoding="utf-8-sig", most=MOST_CHARACTERS)
    if not text.lstrip().startswith(("{", "[")):
        return CsvReader(text, source, rules, name).read()
    prior = read_json_prior(text, source, name)
    if rules is not None:
        prior.require_game(rules)
    return prior


def save_prior(prior: Prior, path: str | Path) -> None:
    """Write a prior to a file, whole or not at all; its weights are kept exactly.

    Parameters
    ----------
    prior
        The prior.
    path
        The file: CSV if its name ends in ``.csv``, else JSON. Only JSON keeps the prior's
        ``facts``, and weights without a finite decimal.

    Raises
    ------
    FileAccessError
        If the file cannot be written.
    WeightsError
        If a weight cannot be written; see ``path``.
    TypeError
        If a parameter is of the wrong type; names it.
    """
    require_type("prior", prior, Prior, "a Prior, as load_prior reads it")
    require_path("path", path)
    table = str(path).lower().endswith(".csv")
    write_text(path, csv_text(prior) if table else json_text(prior))


def require_prior(prior: Prior | str | PathLike[str] | None, rules: Rules) -> Prior | None:
    """The prior that a function was given, for its game; None when all layouts are equally likely.

    Parameters
    ----------
    prior
        A prior, the name or file of one (see ``load_prior``), or None.
    rules
        The game.

    Raises
    ------
    FileAccessError, WeightsError
        As for ``load_prior``; a prior of another game is a ``WeightsError`` that names both.
    TypeError
        If it is anything else.

    Examples
    --------
    >>> require_prior(3, Rules("5x5"))
    Traceback (most recent call last):
    TypeError: prior: give a Prior, or the name or file of one, not 'int'
    """
    require_rules(rules)
    if prior is None:
        return None
    if isinstance(prior, str | PathLike):
        return load_prior(prior if isinstance(prior, str) else Path(prior), rules)
    if not isinstance(prior, Prior):
        raise wrong_type("prior", "a Prior, or the name or file of one", prior)
    prior.require_game(rules)
    return prior
