"""Players of one's own: how they are given, what is refused, and what is said of a bad one."""

from __future__ import annotations

import functools
import json
import pickle
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seabattle import PLAYERS
from seabattle.enumerate.errors import LayoutError, PlayerError, PositionError
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import AnswerMode, Rules
from seabattle.solver.parallel import in_parallel
from seabattle.solver.players.chance import Chance
from seabattle.solver.players.density import Density
from seabattle.solver.players.player import Player, unshot
from seabattle.solver.players.registry import find_player, make_player, players
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
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "mine.py").write_text(FILE)
    (tmp_path / "helping.py").write_text("LAST = 11\n")
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "corner.py").write_text("def corner(position):\n    return 'A1'\n")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for name in ("helping", "games", "games.corner"):
        sys.modules.pop(name, None)


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
    found = tournament(game, given, **{"layouts": "all", **options})
    return [score.shots.total for score in found.scores]


def test_classes_functions_and_names_play() -> None:
    numbers = functools.partial(lambda first, position: np.int64(unshot(position)[first]), 0)
    found = totals([Reading, by_name, numbers, "density", lambda p: unshot(p)[0]])
    assert len({*found[:3], found[4]}) == 1
    assert found[3] < found[0]


TALKING = """
print("loaded")


def talking(position):
    print("asked")
    return len(position.shots)
"""


def test_what_a_player_prints_is_not_in_the_json(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(TALKING)
    monkeypatch.chdir(tmp_path)
    for words, times in (
        ("tournament --players mine.py:talking --games 2 --json", 10),
        ("advise --player mine.py:talking --think 0 --json", 1),
    ):
        status, out, err = run(*words.split(), "--board", "5x5", "--fleet", "3,2")
        assert (status, json.loads(out)["fleet"], err.count("loaded")) == (0, "3,2", 1)
        assert err.count("asked") >= times


def test_processes_print_where_the_one_that_started_them_does(
    capfd: pytest.CaptureFixture[str],
) -> None:
    lines = [(f"line {i}",) for i in range(8)]
    with redirect_stdout(sys.stderr):
        list(in_parallel(print, lines, workers=2, alone=0))
    out, err = capfd.readouterr()
    assert (out, err.count("line")) == ("", 8)


def test_a_player_without_needs_is_told_everything() -> None:
    seen: list[Rules] = []

    def looking(position: Position) -> int:
        seen.append(position.rules)
        return unshot(position)[0]

    class Hits(Reading):
        needs = AnswerMode.HIT

        def choose(self, position: Position, chance: Chance) -> int:
            return looking(position)

    class Sinker(Reading):
        needs = AnswerMode.SUNK

    class ByText(Hits):
        needs = "hit"

    for player in (looking, Hits, ByText):
        make_player(player, RULES).shoot(Position(RULES))
    assert seen == [RULES, RULES.answering("hit"), RULES.answering("hit")]
    with pytest.raises(PlayerError, match="must be told when a ship is sunk"):
        make_player(Sinker, RULES.answering("hit"))


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
    places = ("mine.py:Backwards", "mine.py:forwards", f"{folder}/mine.py:dealt",
              "mine.py:Nested.Inner", "games.corner:corner")  # fmt: skip
    found = [find_player(place) for place in places]
    names = ["Backwards", "forwards", "dealt", "inner", "corner"]
    assert [entrant.name for entrant in found] == names
    assert found[0].made.summary == "Shoots from the last cell to the first."
    assert [entrant.made.uses_chance for entrant in found[1:3]] == [False, True]
    firsts = [make_player(entrant, RULES).shoot(Position(RULES)) for entrant in found]
    assert (firsts[:2], firsts[3:]) == ([11, 0], [11, 0])
    assert str(folder) not in sys.path
    (folder / "mine.py").write_text(FILE.replace("LAST -", "LAST - 1 -"))  # it is loaded anew
    assert make_player("mine.py:Backwards", RULES).shoot(Position(RULES)) == 10


@pytest.mark.parametrize(
    ("place", "told"),
    [
        (
            "nowhere.py:Center",
            r"'nowhere.py:Center': cannot read nowhere.py: No such file [^\n]*\Z",
        ),
        ("mine.py:NUMBER", "player 'mine.py:NUMBER': name a class derived from"),
        ("mine.py:Nested", "class Nested is not a player"),
        ("mine.py:Backward", r"mine.py has no 'Backward'; did you mean Backwards\?"),
        ("mine.py:Nested.Iner", r"Nested of mine.py has no 'Iner'; did you mean Inner\?"),
        ("mine.py:NUMBER.real.x", "real of NUMBER of mine.py has no 'x'"),
        ("no.module:f", "no module 'no.module' is in this folder or installed"),
        ("games.corner:many", "games.corner has no 'many'"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_places_without_a_player(place: str, told: str) -> None:
    with pytest.raises(PlayerError, match=told):
        find_player(place)


def test_two_of_one_name(folder: Path) -> None:
    class Other(Reading):
        name = "Reading"

    with pytest.raises(PlayerError, match="two players are called 'Reading'"):
        tournament(RULES, [Reading, Other])
    with pytest.raises(PlayerError, match="two players are called 'Backwards'"):
        tournament(RULES, ["mine.py:Backwards", f"{folder}/mine.py:Backwards"])


def test_the_list_is_a_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "own", Reading)
    monkeypatch.setitem(PLAYERS, "there", by_name)
    assert list(players())[-2:] == ["own", "there"]
    assert len(set(totals(["own", "THERE"]))) == 1
    with pytest.raises(PlayerError, match=r"players are random, .*, own, there; one of"):
        find_player("their")


def test_installed_packages_name_players(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package in the way that pip leaves it: a folder with its entry points."""
    (folder / "mine-1.0.dist-info").mkdir()
    (folder / "mine-1.0.dist-info" / "METADATA").write_text("Name: mine\nVersion: 1.0\n")
    (folder / "mine-1.0.dist-info" / "entry_points.txt").write_text(
        "[seabattle.players]\ncornered = games.corner:corner\n"
    )
    monkeypatch.syspath_prepend(str(folder))
    assert "cornered" in players()
    assert make_player("Cornered", RULES).shoot(Position(RULES)) == 0


# What a bad player is told


@pytest.mark.parametrize("returned", [None, "Z9", 12, 0, 1 / 2])
def test_a_bad_player_is_named_with_its_position(returned: Any) -> None:
    """In one line with the shots so far, as they can be pasted; 0 is shot a second time."""

    def bad_player(position: Position) -> Any:
        return unshot(position)[0] if len(position.shots) < 2 else returned

    with pytest.raises(PlayerError, match=r"player 'bad_player' .*--shots \"[^\n]*\Z") as refusal:
        tournament(RULES, [bad_player, "random"], games=3)
    shots = str(refusal.value).partition('--shots "')[2].partition('"')[0]
    assert len(Position.in_order(RULES, shots).shots) == 2


FAULTY = """
import helping
from seabattle import Player

class Divides(Player):
    def choose(self, position, chance):
        return helping.share(position)

class Opens(Player):
    def choose(self, position, chance):
        open("weights.json")

class Counts(Player):
    def choose(self, position):
        return 0

class Shoots(Player):
    def choose(self, position, chance):
        return position.shoot("Z9", "miss")

class Made(Opens):
    def __init__(self, rules):
        super().__init__(rules)
        {}["key"]

class Calls(Player):
    def choose(self, position, chance):
        import json
        return json.loads("[")

def function(position):
    assert not position.rules, "a lie"

class Leaves(Player):
    def choose(self, position, chance):
        raise SystemExit

class Finishes(Leaves):
    def choose(self, position, chance):
        return len(position.shots)

    def finish(self, position):
        raise SystemExit(4)

class Begins(Leaves):
    def __init__(self, rules):
        raise SystemExit("not for me")

class Learns(Finishes):
    def begin_block(self):
        self.seen.clear()
"""


@pytest.mark.parametrize(
    ("player", "told"),
    [
        ("Divides", r"ZeroDivisionError: division by zero \(helping.py, line 2\)"),
        ("Opens", r"FileNotFoundError: No such file .*: 'weights.json' \(faulty.py, line 11\)"),
        ("Counts", r"TypeError: .* positional arguments? but .* \(faulty.py, line 14\)"),
        ("Shoots", r"BoardError: cell 'Z9' is off .* \(faulty.py, line 19\)"),
        ("Made", r"KeyError: 'key' \(faulty.py, line 24\)"),
        ("Calls", r"JSONDecodeError: .* \(faulty.py, line 29\)"),
        ("function", r"AssertionError: a lie \(faulty.py, line 32\)"),
        ("Leaves", r"at the first shot: SystemExit \(faulty.py, line 36\)"),
        ("Finishes", r"SystemExit: 4 \(faulty.py, line 43\)"),
        ("Begins", r"SystemExit: not for me \(faulty.py, line 47\)"),
        ("Learns", r"AttributeError: .* no attribute 'seen' \(faulty.py, line 51\)"),
    ],
)
def test_an_error_in_a_player_names_its_file_and_line(folder: Path, player: str, told: str) -> None:
    (folder / "helping.py").write_text("def share(position):\n    return 1 / 0\n")
    (folder / "faulty.py").write_text(FAULTY)
    with pytest.raises(PlayerError, match=rf"player '{player}' [^\n]*{told}\Z") as refusal:
        tournament(RULES, [f"faulty.py:{player}"], games=1)
    assert refusal.value.__cause__ is not None
    steps = traceback.extract_tb(refusal.value.__cause__.__traceback__)
    if player != "Counts":  # which never began
        assert {Path(step.filename).parent for step in steps} == {folder}


@pytest.mark.parametrize("given", ["", "self.rules = rules"])
def test_a_player_made_without_the_work_of_its_base_is_told_to_call_it(
    folder: Path, given: str
) -> None:
    (folder / "bare.py").write_text(
        "from seabattle import Player\n\nclass Bare(Player):\n"
        f"    def __init__(self, rules):\n        {given or 'pass'}\n\n"
        "    def choose(self, position, chance):\n        return len(position.shots)\n"
    )
    with pytest.raises(
        PlayerError, match=r"'Bare' .*__init__ must call super\(\).__init__\(rules\)\Z"
    ):
        tournament(RULES, ["bare.py:Bare"], games=1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 1\n1 / 0", r"ZeroDivisionError: division by zero \(bad.py, line 2\)"),
        ("def f(:\n    pass", r"SyntaxError: [^()]* \(bad.py, line 1\)"),
        ("open('bad.json')", r"FileNotFoundError: No such [^\[]*: 'bad.json' \(bad.py, line 1\)"),
        ("import no_such", r"ModuleNotFoundError: .*'no_such' \(bad.py, line 1\)"),
        ("\nraise SystemExit(3)", r"SystemExit: 3 \(bad.py, line 2\)"),
    ],
)
@pytest.mark.parametrize("place", ["bad.py", "bad"])
def test_an_error_in_the_file_of_a_player_names_its_line(
    folder: Path, place: str, text: str, told: str
) -> None:
    (folder / "bad.py").write_text(text)
    with pytest.raises(PlayerError, match=rf"player '{place}:f': {told}\Z"):
        find_player(f"{place}:f")


def test_needs_and_layouts_that_do_not_fit_are_refused() -> None:
    with pytest.raises(PlayerError, match="player 'Deaf' needs 'all': give hit, sunk, ship or N"):
        type("Deaf", (Player,), {"needs": "all"})
    with pytest.raises(PlayerError, match="player 'Numbered' has the name 3: give text"):
        type("Numbered", (Player,), {"name": 3})
    player = make_player("random", RULES)
    ships = placement_table(RULES).parse_layout(["A1:C1", "D3"])
    start = Position(RULES).shoot(unshot(Position(RULES))[0], "miss")
    with pytest.raises(LayoutError, match="does not fit the position that its game starts from"):
        player.play(ships, Chance.of(seed=0, player="random", game=0), start)


@pytest.mark.parametrize("name", ["random", "hunt-target", "density", "diagonal", "bob"])
def test_compiled_players_bear_answers_that_no_layout_gives(name: str) -> None:
    """More sinkings than ships, and nothing but hits: a shot all the same; a full board: none."""
    for code in (0, 1, 2):
        for shots in range(1, 12):
            position = Position(RULES, tuple((cell, code) for cell in range(shots)))
            assert shots <= make_player(name, RULES).shoot(position) < 12
    full = Position(RULES, tuple((cell, 0) for cell in range(12)))
    with pytest.raises(PositionError, match="all cells have been shot"):
        make_player(name, RULES).shoot(full)


# On the way to another process


def test_a_player_travels_with_its_file(folder: Path) -> None:
    sent = pickle.dumps(find_player("mine.py:Backwards"))
    (folder / "mine.py").unlink()
    sys.modules.pop("helping")
    (folder / "helping.py").unlink()
    program = (
        "import pickle, sys\n"
        "from seabattle import Position, Rules, make_player\n"
        "rules = Rules('3x4', '3,1', answers='sunk')\n"
        "print(make_player(pickle.loads(sys.stdin.buffer.read()), rules).shoot(Position(rules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=sent, capture_output=True, check=True
    )
    assert done.stdout == b"11\n"


PROMPT = """
from seabattle import Player, Rules, tournament

class Center(Player):
    def choose(self, position, chance):
        return max(c for c in range(12) if not position.shot_mask >> c & 1)

def first(position):
    return min(c for c in range(12) if not position.shot_mask >> c & 1)

def play(workers):
    found = tournament(Rules("3x4", "3,1"), [Center, first, lambda p, chance: first(p)],
                       games=40, workers=workers, alone=0 if workers > 1 else 9)
    return [score.shots.total for score in found.scores]

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
