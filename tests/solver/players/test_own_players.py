"""Players of one's own: how they are given, what is refused, and what is said of a bad one."""

from __future__ import annotations

import functools
import pickle
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seabattle.enumerate.errors import PlayerError, PositionError
from seabattle.enumerate.layouts import enumerate_layouts, fitting
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.enumerate.table import DecisionTable
from seabattle.solver.players import registry
from seabattle.solver.players.density import Density
from seabattle.solver.players.loading import load, place_of, put_together, taken_apart
from seabattle.solver.players.packed_player import PackedPlayer
from seabattle.solver.players.player import Player, shots_text, unshot
from seabattle.solver.players.player_spec import PlayerSpec
from seabattle.solver.players.random_streams import Chance
from seabattle.solver.players.registry import make_player, player_spec, players, register
from seabattle.solver.tournament.layout_sources import worst_layouts
from seabattle.solver.tournament.tournament import tournament

RULES = Rules("3x4", "3,1", answers="sunk")

FILE = '''
from helping import LAST

from seabattle import Player


class Backwards(Player):
    """Shoots from the last cell to the first."""

    def choose(self, position, chance):
        return LAST - len(position.shots)


def forwards(position):
    return position.rules.board.name(len(position.shots))


def dealt(position, chance):
    return next(c for c in chance.deck(12) if not position.shot_mask >> c & 1)


class Nested:
    class Inner(Backwards):
        name = "inner"


NUMBER = 3
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "mine.py").write_text(FILE)
    (tmp_path / "helping.py").write_text("LAST = 11\n")
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "corner.py").write_text("def corner(position):\n    return 'A1'\n")
    monkeypatch.chdir(tmp_path)
    yield tmp_path  # type: ignore[misc]
    for name in ("helping", "games", "games.corner"):
        sys.modules.pop(name, None)


@pytest.fixture
def own_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is registered is forgotten after the test."""
    monkeypatch.setattr(registry, "_PLAYERS", dict(registry._PLAYERS))


class Reading(Player):
    """Shoots in reading order.

    More about it.
    """

    uses_chance = False

    def choose(self, position: Position, chance: Chance) -> int:
        return unshot(position)[0]


def by_name(position: Position) -> str:
    """Shoots in reading order, too."""
    return position.rules.board.name(unshot(position)[0])


def totals(given: list[Any], game: Any = RULES, **options: Any) -> list[int]:
    result = tournament(game, given, **{"layouts": "all", **options})
    return [score.shots.total for score in result.scores]


def test_classes_functions_names_and_specs_play() -> None:
    spec = PlayerSpec("mine", "mine", AnswerMode.HIT, Reading)
    numbers = functools.partial(lambda first, position: np.int64(unshot(position)[first]), 0)
    found = totals([Reading, by_name, spec, numbers, "density", lambda p: unshot(p)[0]])
    assert len({*found[:4], found[5]}) == 1
    assert found[4] < found[0]


def test_what_is_known_of_a_class() -> None:
    spec = player_spec(Reading)
    assert (spec.name, spec.summary, spec.needs) == (
        "Reading", "Shoots in reading order.", AnswerMode.HIT,
    )  # fmt: skip
    assert not spec.chance
    assert player_spec(by_name).name == "by_name"
    assert player_spec(lambda position: 0).name == "lambda"
    assert not player_spec(by_name).chance
    assert player_spec(lambda position, chance: 0).chance
    assert not player_spec(lambda position, depth=3: 0).chance
    assert repr(spec) == "<player 'Reading', needs hit: Shoots in reading order.>"


def test_a_player_without_needs_is_told_everything() -> None:
    seen: list[Rules] = []

    def looking(position: Position) -> int:
        seen.append(position.rules)
        return unshot(position)[0]

    class Hits(Reading):
        needs = AnswerMode.HIT

        def choose(self, position: Position, chance: Chance) -> int:
            seen.append(position.rules)
            return unshot(position)[0]

    for player in (looking, Hits):
        make_player(player, RULES).shoot(Position(RULES))
    assert seen == [RULES, RULES.answering("hit")]
    with pytest.raises(PlayerError, match="must be told when a ship is sunk"):
        make_player(type("Sinker", (Reading,), {"needs": AnswerMode.SUNK}), RULES.answering("hit"))


def test_exact_means_and_worst_layouts_of_own_players() -> None:
    result = tournament(RULES, [Reading, lambda position, chance: unshot(position)[0]], games=5)
    assert [score.shots.exact for score in result.scores] == [False, False]
    result = tournament(RULES, [Reading, lambda p, chance: unshot(p)[0]], layouts="all")
    assert [score.shots.exact for score in result.scores] == [True, False]
    assert worst_layouts(Reading, Position(RULES))[1] == 12


def test_a_class_derived_from_a_compiled_player_plays_its_own_shots() -> None:
    class Other(Density):
        def choose(self, position: Position, chance: Chance) -> int:
            return unshot(position)[-1]

    class Same(Density):
        """Nothing of its own."""

    other, same, plain, last = totals([Other, Same, "density", lambda p: unshot(p)[-1]])
    assert (other, same) == (last, plain)
    assert other != same


def test_players_from_files_and_modules(folder: Path) -> None:
    last, first, dealt, inner, corner = (
        player_spec(place)
        for place in ("mine.py:Backwards", "mine.py:forwards", f"{folder}/mine.py:dealt",
                      "mine.py:Nested.Inner", "games.corner:corner")
    )  # fmt: skip
    assert [s.name for s in (last, first, dealt, inner, corner)] == [
        "Backwards", "forwards", "dealt", "inner", "corner",
    ]  # fmt: skip
    assert last.summary == "Shoots from the last cell to the first."
    assert last.source == f"{folder}/mine.py:Backwards"
    assert (first.chance, dealt.chance) == (False, True)
    assert make_player(last, RULES).shoot(Position(RULES)) == 11
    assert make_player("mine.py:forwards", RULES).shoot(Position(RULES)) == 0
    assert str(folder) not in sys.path


def test_a_file_that_was_changed_is_loaded_anew(folder: Path) -> None:
    assert make_player("mine.py:Backwards", RULES).shoot(Position(RULES)) == 11
    (folder / "mine.py").write_text(FILE.replace("LAST -", "LAST - 1 -"))
    assert make_player("mine.py:Backwards", RULES).shoot(Position(RULES)) == 10


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("nowhere.py:Center", "player file nowhere.py: No such file or directory"),
        ("mine.py:Center", "player 'mine.py:Center': mine.py has no Center"),
        ("mine.py:NUMBER", "player 'mine.py:NUMBER': this is a int; name a class derived from"),
        ("mine.py:Nested", "class Nested is no player: derive it from seabattle.Player and give"),
        ("mine.py:", "write a file or module, a colon, and the name of a class or function in it"),
        ("mine.py", "name the class or function in the file, as in mine.py:Center"),
        ("mine.py:a b", "write a file or module, a colon, and the name"),
        ("broken.py:f", "player file broken.py: SyntaxError: "),
        ("raising.py:f", "player file raising.py: ZeroDivisionError: division by zero"),
        ("leaving.py:f", "player file leaving.py: SystemExit: 3"),
        ("missing.py:f", "player file missing.py: ModuleNotFoundError: No module named 'nothing_o"),
        ("no.module:f", "player 'no.module:f': there is no module no"),
        ("games.nothing:f", "player 'games.nothing:f': there is no module games.nothing"),
        ("games/corner:corner", "'games/corner' is neither a module nor a file that ends in .py"),
        ("abstract.py:Half", "class Half is not complete: it lacks choose"),
        ("abstract.py:Needy", "class Needy: needs 'much' must be an AnswerMode or None"),
        ("abstract.py:Comma", "player name 'a,b': give a word or two, without commas"),
        ("abstract.py:many", "function many(a, b, c) is no player: it is called with a position"),
    ],
)
def test_places_without_a_player(folder: Path, place: str, told: str) -> None:
    (folder / "broken.py").write_text("def f(:\n")
    (folder / "raising.py").write_text("1 / 0\n")
    (folder / "leaving.py").write_text("raise SystemExit(3)\n")
    (folder / "missing.py").write_text("import nothing_of_the_kind\n")
    (folder / "abstract.py").write_text(
        "from seabattle import Player\n\nclass Half(Player):\n    pass\n\n"
        "class Needy(Player):\n    needs = 'much'\n    def choose(self, p, c): ...\n\n"
        "class Comma(Player):\n    name = 'a,b'\n    def choose(self, p, c):\n        return 0\n\n"
        "def many(a, b, c):\n    return 0\n"
    )
    with pytest.raises(PlayerError) as refusal:
        player_spec(place)
    assert told in str(refusal.value)
    assert "\n" not in str(refusal.value)
    with pytest.raises(PlayerError):
        tournament(RULES, [place])


@pytest.mark.parametrize("given", [None, 3, 2.5, ["density"], b"density"])
def test_what_is_nothing_of_the_kind(given: Any) -> None:
    with pytest.raises(TypeError, match="player: give a name, a class derived from Player, a func"):
        player_spec(given)


def test_two_of_one_name(folder: Path) -> None:
    class Other(Reading):
        name = "Reading"

    with pytest.raises(PlayerError, match="two players are called 'Reading': give one of them"):
        tournament(RULES, [Reading, Other])
    with pytest.raises(PlayerError, match="player 'Reading' is named twice"):
        tournament(RULES, [Reading, Reading])
    with pytest.raises(PlayerError, match="player 'Backwards' is named twice"):
        tournament(RULES, ["mine.py:Backwards", f"{folder}/mine.py:Backwards"])


@pytest.mark.usefixtures("own_list")
def test_register_takes_specs_classes_and_functions() -> None:
    spec = PlayerSpec("own", "mine", AnswerMode.HIT, f"{__name__}:Reading")
    assert register(spec) is spec
    assert register(Reading) is Reading

    @register
    def there(position: Position) -> int:
        return unshot(position)[0]

    assert [s.name for s in players()][-3:] == ["own", "Reading", "there"]
    assert len(set(totals(["own", "there"]))) == 1
    assert len(set(totals(["Reading", "there"]))) == 1
    assert player_spec("READING") is player_spec("Reading")
    with pytest.raises(PlayerError, match=r"players are random, .*, own, Reading, there; one of"):
        player_spec("their")


def test_tables_are_games_unless_they_have_weights() -> None:
    start = Position.in_order(RULES, "A1 miss")
    table = DecisionTable.build(start)
    assert make_player("density", table).shoot(start) == make_player("density", start).shoot(start)
    assert tournament(table, ["density"], layouts="all").position == start
    weighted = DecisionTable.build(RULES, prior=np.arange(len(enumerate_layouts(RULES))))
    for call in (lambda: make_player("density", weighted), lambda: tournament(weighted, ["bob"])):
        with pytest.raises(PlayerError, match="players are told how likely layouts are by a prior"):
            call()
    with pytest.raises(PositionError, match="made by select"):
        make_player("density", table.select(np.arange(len(table))))


# What a bad player is told


def bad(returned: Any) -> Any:
    def bad_player(position: Position) -> Any:
        if len(position.shots) < 2:
            return unshot(position)[0]
        return returned(position) if callable(returned) else returned

    return bad_player


def raising(position: Position) -> int:
    raise KeyError("first\nsecond")


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        (None, "player 'bad_player' returned None after --shots "),
        (1.0, "returned 1.0 after"),
        (True, "returned True after"),
        ("", "returned '' after"),
        ("Z9", "returned 'Z9' after"),
        ("A1 ", "player 'bad_player' shot A1 a second time after --shots "),
        (-1, "returned -1 after"),
        (12, "returned 12 after"),
        (np.float64(3), "after --shots"),
        (0, "player 'bad_player' shot A1 a second time after --shots"),
        ("b1", "player 'bad_player' shot B1 a second time after --shots"),
        ((0, 1), "returned (0, 1) after"),
        (raising, "player 'bad_player' failed after --shots "),
        (raising, ": KeyError: 'first\\nsecond'"),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_a_bad_player_is_named_with_its_position(returned: Any, told: str) -> None:
    with pytest.raises(PlayerError) as refusal:
        tournament(RULES, [bad(returned), "random"], games=3)
    text = str(refusal.value)
    assert told in text
    assert "\n" not in text
    shots = text.partition('--shots "')[2].partition('"')[0]
    assert len(Position.in_order(RULES, shots).shots) == 2  # as it can be pasted
    with pytest.raises(PlayerError):
        make_player(bad(returned), RULES).shoot(Position.in_order(RULES, "A1 miss, B1 miss"))


def test_a_player_that_fails_elsewhere_is_named() -> None:
    class Unmakeable(Reading):
        def __init__(self, rules: Rules) -> None:
            raise OSError("no room")

    class Unfinished(Reading):
        def finish(self, position: Position) -> None:
            raise RuntimeError

    class Strange(Reading):
        def choose(self, position: Position, chance: Chance) -> int:
            raise PositionError("the position is strange")

    for player, told in (
        (Unmakeable, "player 'Unmakeable' cannot be made for 3x4, fleet 3,1"),
        (Unfinished, "player 'Unfinished' failed after --shots .*: RuntimeError$"),
        (Strange, "player 'Strange' failed at the first shot: PositionError: the position is str"),
    ):
        with pytest.raises(PlayerError, match=told):
            tournament(RULES, [player], games=1)


def test_a_finished_game_is_refused() -> None:
    full = Position(RULES, tuple((cell, 0) for cell in range(12)))
    for name in ("random", "hunt-target", "density", "diagonal", "bob"):
        with pytest.raises(PositionError, match="all cells have been shot"):
            make_player(name, RULES).shoot(full)


@pytest.mark.parametrize("name", ["random", "hunt-target", "density", "diagonal", "bob"])
def test_compiled_players_bear_answers_that_no_layout_gives(name: str) -> None:
    """More sinkings than ships, and nothing but hits: a shot all the same, or a refusal."""
    for code in (0, 1, 2):
        for shots in range(1, 12):
            position = Position(RULES, tuple((cell, code) for cell in range(shots)))
            assert shots <= make_player(name, RULES).shoot(position) < 12


def test_shots_as_text() -> None:
    rules = Rules("4x4", "2,2,1", answers="ship")
    text = "A1 hit=2#1, C3 miss, B1 hit=2#1"
    assert shots_text(Position.in_order(rules, text)) == text


# On the way to another process


def test_places_and_parts(folder: Path) -> None:
    assert place_of(Density) == "seabattle.solver.players.density:Density"
    assert place_of(lambda: 0) == ""
    assert place_of(type("X", (), {})) == ""
    backwards = load("mine.py:Backwards")
    assert place_of(backwards) == ""
    again = put_together(taken_apart(backwards))
    assert again(RULES).choose(Position(RULES), Chance(0)) == 11
    with pytest.raises(PlayerError, match="a player sent to this process cannot be made here"):
        put_together(b"nonsense")


def test_a_player_is_found_in_its_place_or_put_together(folder: Path) -> None:
    packed = player_spec("mine.py:Backwards").packed()
    assert packed.place == f"{folder}/mine.py:Backwards"
    sent = pickle.loads(pickle.dumps(packed))
    assert sent.make(RULES).shoot(Position(RULES)) == 11
    (folder / "mine.py").unlink()
    assert sent.make(RULES).shoot(Position(RULES)) == 11
    assert player_spec("density").packed() == PackedPlayer(
        "density", False, False, "seabattle.solver.players.density:Density"
    )


def test_a_player_that_cannot_be_sent() -> None:
    lock = threading.Lock()

    def holding(position: Position) -> int:
        return unshot(position)[0] + lock.locked()

    with pytest.raises(PlayerError, match="cannot be sent to another process: TypeError: "):
        tournament(RULES, [holding], games=3, workers=2, solo_seconds=0)
    assert tournament(RULES, [holding], games=3).games == 3


PROMPT = """
from seabattle import Player, Rules, tournament

class Center(Player):
    def choose(self, position, chance):
        return max(c for c in range(12) if not position.shot_mask >> c & 1)

def first(position):
    return min(c for c in range(12) if not position.shot_mask >> c & 1)

def play(workers):
    result = tournament(Rules("3x4", "3,1"), [Center, first, lambda p, chance: first(p)],
                        games=40, workers=workers, solo_seconds=0 if workers > 1 else 9)
    return [score.shots.total for score in result.scores]

if __name__ == "__main__":
    print(play(1) == play(2), play(1))
"""


@pytest.mark.slow
def test_players_typed_at_a_prompt_survive_a_second_process(tmp_path: Path) -> None:
    """A script, and the same from standard input, where no file holds the classes."""
    (tmp_path / "script.py").write_text(PROMPT)
    for command in ([sys.executable, "script.py"], [sys.executable, "-"]):
        done = subprocess.run(
            command, input=PROMPT, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("True [")


def test_layouts_of_a_tournament_are_all_there() -> None:
    result = tournament(Position.in_order(RULES, "A1 miss"), [by_name], layouts="all")
    layouts = enumerate_layouts(RULES)
    position = Position.in_order(RULES, "A1 miss")
    assert result.games == fitting(position, layouts).sum()
    assert repr(result).startswith("<tournament of 3x4, fleet 3,1")
    assert f"{result.games} games, misses by_name " in repr(result)
