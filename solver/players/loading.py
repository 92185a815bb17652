"""Finding a player by the place it is written in, and taking it to another process.

A player of one's own is a class or a function in a module (``package.module:Center``) or in a file
(``mine.py:Center``). Another process looks for it in the same place. Where there is none, as for
what was typed at a prompt, in a notebook or inside a function, or on a machine without that file,
the object itself travels, taken apart by cloudpickle (which joblib brings); nothing of that kind is
ever written to a file.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

from seabattle.enumerate.errors import PlayerError, WorkFailed, quoted
from seabattle.solver.players.player import quoted_error

_OF_A_FILE = "seabattle_player_"


def load(source: str) -> Any:
    """What a text such as ``package.module:Center`` or ``mine.py:Center`` names.

    Parameters
    ----------
    source
        A module or a file that ends in ``.py``, a colon, and a name in it. Modules are looked for
        in the current folder, too; a file may import others of its folder.

    Raises
    ------
    PlayerError
        If there is no such place or name, or it cannot be loaded; says why.

    Examples
    --------
    >>> load("seabattle.solver.players.density:Density").name
    'density'
    """
    place, colon, name = source.rpartition(":")
    place, name = place.strip(), name.strip()
    if not colon or not place or not all(part.isidentifier() for part in name.split(".")):
        raise PlayerError(
            f"player {quoted(source)}: write a file or module, a colon, and the name of a class or "
            f"function in it, as in mine.py:Center or package.module:Center"
        )
    found: Any = _file_module(place) if place.endswith(".py") else _module(place, source)
    for part in name.split("."):
        if not hasattr(found, part):
            raise PlayerError(f"player {quoted(source)}: {place} has no {name}")
        found = getattr(found, part)
    return found


def _module(name: str, source: str) -> ModuleType:
    """An importable module."""
    if not all(part.isidentifier() for part in name.split(".")):
        raise PlayerError(
            f"player {quoted(source)}: {quoted(name)} is neither a module nor a file that ends in "
            f".py"
        )
    try:
        with _importable_from(Path.cwd()):
            return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise PlayerError(f"player {quoted(source)}: there is no module {error.name}") from None
        raise PlayerError(f"player {quoted(source)}: {quoted_error(error)}") from error
    except (Exception, SystemExit) as error:
        raise PlayerError(f"player {quoted(source)}: {quoted_error(error)}") from error


def _file_module(path: str) -> ModuleType:
    """A file as a module. The name tells its content: a file that was changed is loaded anew."""
    file = Path(path).resolve()
    try:
        text = file.read_bytes()
    except OSError as error:
        raise PlayerError(f"player file {path}: {error.strerror or error}") from None
    name = _OF_A_FILE + hashlib.sha256(str(file).encode() + b"\0" + text).hexdigest()[:16]
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_loader(name, loader=None, origin=str(file))
    assert spec is not None
    module = module_from_spec(spec)
    module.__file__ = str(file)
    sys.modules[name] = module
    try:
        with _importable_from(file.parent):
            exec(compile(text, str(file), "exec"), module.__dict__)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, Exception | SystemExit):
            raise PlayerError(f"player file {path}: {quoted_error(error)}") from error
        raise
    return module


@contextmanager
def _importable_from(folder: Path) -> Iterator[None]:
    """Modules of a folder are found meanwhile, after all others."""
    sys.path.append(str(folder))
    try:
        yield
    finally:
        with suppress(ValueError):  # what was imported may have changed the path
            sys.path.reverse()
            sys.path.remove(str(folder))
            sys.path.reverse()


def place_of(thing: Any) -> str:
    """Where another process finds a class or function; an empty text if nowhere for sure.

    >>> from seabattle.solver.players.player import Player
    >>> place_of(Player)
    'seabattle.solver.players.player:Player'
    """
    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or module == "__main__":
        return ""
    found = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is not thing or module.startswith(_OF_A_FILE):
        return ""
    return f"{module}:{name}"


def _cloudpickle() -> Any:
    """The package, which older versions of joblib bring within themselves."""
    for name in ("cloudpickle", "joblib.externals.cloudpickle"):
        with suppress(ImportError):
            return import_module(name)
    raise WorkFailed("to send a player to another process takes the package 'cloudpickle'")


def taken_apart(thing: Any) -> bytes:
    """A class or function with all it needs of its own module, as bytes.

    Raises
    ------
    PlayerError
        If it holds what cannot be taken to another process.
    """
    cloudpickle = _cloudpickle()
    module = sys.modules.get(getattr(thing, "__module__", None) or "")
    whole = module is not None and module.__name__ != "__main__"
    try:
        if whole:
            cloudpickle.register_pickle_by_value(module)
        try:
            return bytes(cloudpickle.dumps(thing))
        finally:
            if whole:
                cloudpickle.unregister_pickle_by_value(module)
    except Exception as error:
        raise PlayerError(
            f"player {quoted(thing)} cannot be sent to another process: {quoted_error(error)}; "
            f"write it in a file or module of its own, or play with one worker"
        ) from error


def put_together(parts: bytes) -> Any:
    """The class or function that was taken apart."""
    try:
        return pickle.loads(parts)
    except Exception as error:
        raise PlayerError(
            f"a player sent to this process cannot be made here: {quoted_error(error)}"
        ) from error
