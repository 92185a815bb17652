"""The engine: answers as those of the commands, one line for every line, limits that hold."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

import seabattle
from seabattle.engine import answer

Run = Callable[..., tuple[int, str, str]]
PAGE = Path(__file__).resolve().parents[2] / "docs" / "pages" / "engine.md"
SMALL = {"board": "3x3", "fleet": "3,1,1"}
LARGE = {"board": "5x6", "fleet": "3,2,2,1,1,1"}


def unasked(said: str) -> str:
    """Standard error without the lines that say what keeps an engine: a busy machine has some."""
    return re.sub(r"seabattle: request .*, \d+ s\n", "", said)


class Talk:
    """An engine that runs beside the test, with time for a busy machine."""

    def __init__(self) -> None:
        limits = ["--threads", "1", "--time-limit", "3000"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "seabattle", "engine", *limits],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def send(self, *requests: dict[str, Any] | bytes) -> None:
        """Send requests, each on a line."""
        assert self.process.stdin is not None
        for each in requests:
            line = each if isinstance(each, bytes) else json.dumps(each).encode()
            self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        """The next answer."""
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def ask(self, command: str, position: Any = None, **request: Any) -> dict[str, Any]:
        """The answer to one request."""
        told = {} if position is None else {"position": position}
        self.send({"command": command, **told, **request})
        return self.hear()

    def end(self) -> str:
        """End it; what it said on standard error beside what keeps it."""
        _, said = self.process.communicate(timeout=120)
        return unasked(said.decode())


@pytest.fixture(scope="module")
def engine() -> Iterator[Talk]:
    """One engine for many requests, one at a time."""
    talk = Talk()
    yield talk
    assert (talk.end(), talk.process.returncode) == ("", 0)


ASKED = [
    ("count", {**SMALL, "shots": [["A2", "miss"]]}, {}, "--miss A2"),
    ("solve", SMALL, {"objective": "worst", "values": True}, "--objective worst --values"),
    ("bound", SMALL, {}, ""),
    ("advise", {**SMALL, "shots": [["A2", "miss"]]}, {}, "--miss A2"),
    ("solve", SMALL, {"objective": "median"}, None),
    ("solve", SMALL, {"nothing": 1}, None),
    ("sink", SMALL, {}, None),
    ("equilibrium", {**SMALL, "shots": [["A2", "miss"]]}, {}, None),
]


@pytest.mark.parametrize(("command", "position", "options", "words"), ASKED)
def test_answers_are_those_of_the_commands(
    run: Run, engine: Talk, command: str, position: Any, options: Any, words: str | None
) -> None:
    found = engine.ask(command, position, options=options, id=["any", 1])
    assert found["id"] == ["any", 1]
    if words is None:
        assert (found["status"], "\n" in found["error"]) == (2, False)
        return
    game = ["--board", SMALL["board"], "--fleet", SMALL["fleet"], *words.split()]
    status, out, _ = run(command, *game, "--json")
    assert found["status"] == status
    untimed = [
        {name: value for name, value in answer.items() if "seconds" not in name}
        for answer in (found["answer"], json.loads(out))
    ]
    assert untimed[0] == untimed[1]


def test_an_option_may_be_given_once_for_each_file(engine: Talk, tmp_path: Path) -> None:
    tree, page = tmp_path / "tree.json", tmp_path / "page.html"
    seabattle.save_tree(seabattle.greedy_tree(seabattle.Rules("3x3", "3,1,1")), tree)
    asked = {"files": [str(tree)] * 2, "names": ["mine", "yours"], "output": str(page)}
    assert engine.ask("explore", options=asked)["answer"]["strategies"] == 2
    assert '"yours"' in page.read_text(encoding="utf-8")


def test_what_a_player_prints_is_told_on_standard_error(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "def mine(position):\n    print('asked')\n    return len(position.shots)\n"
    )
    talk = Talk()
    player = f"{tmp_path}/mine.py:mine"
    found = talk.ask("tournament", SMALL, options={"players": player, "games": 1})
    assert found["answer"]["games"] == 1
    assert "asked\n" in talk.end()


def test_answers_that_cannot_stand_together(engine: Talk) -> None:
    game = {"board": "4x4", "fleet": "3,2,1", "answers": "sunk", "shots": [["C3", "hit"]]}
    assert engine.ask("check", game)["answer"]["valid"] is True
    game["shots"] = [["C3", "hit"], ["D2", "hit"]]
    found = engine.ask("check", game)["answer"]
    assert (found["valid"], found["conflict"]["shots"]) == (False, [1, 2])


def test_a_proof_is_checked_where_a_file_is_named(engine: Talk, tmp_path: Path) -> None:
    proof = str(tmp_path / "proof.txt")
    seabattle.solve(seabattle.Rules("3x3", "2,1"), proof=proof)
    found = engine.ask("check", options={"file": proof})
    assert (found["status"], found["answer"]["valid"]) == (0, True)
    for name in ("check", "verify"):
        missing = engine.ask(name, options={"file": None})
        assert (missing["status"], missing["error"][:24]) == (2, "Missing argument 'FILE'.")
        found = engine.ask(name, SMALL, options={"file": proof})
        assert found["error"] == f"position: {name} takes none: it is about a file"


def test_a_position_file_is_asked_about_as_it_says(engine: Talk) -> None:
    hasbro = {"fleet": "hasbro", "shots": [["E5", "miss"]]}
    options = {"think": 0}
    kept = engine.ask("advise", {**hasbro, "asked": {"prior": "people"}}, options=options)
    given = engine.ask("advise", hasbro, options={**options, "prior": "people"})
    assert kept["answer"] == given["answer"]
    assert kept["answer"] != engine.ask("advise", hasbro, options=options)["answer"]


@pytest.mark.parametrize(
    "hidden",
    [{}, {"seed": 7}, {"seed": None, "ships": None}, {"ships": ["A1:C1", "A3:A4", "D4"]}],
    ids=str,
)
def test_a_referee_is_played_to_the_end(engine: Talk, hidden: dict[str, Any]) -> None:
    """The position that it tells is asked about; the same fleet answers as Referee does."""
    game = {"board": "4x4", "fleet": "3,2,1", "answers": "sunk"}
    told = engine.ask("referee new", game, options=hidden)["answer"]
    fleet = {name: told[name] for name in ("seed", "ships") if name in told}
    assert (told["position"]["shots"], told["misses"], told["afloat"]) == ([], 0, 3)
    ships = engine.ask("referee reveal", told["position"], options=fleet)["answer"]["ships"]
    rules = seabattle.Rules(**game)
    referee = seabattle.Referee(rules, hidden.get("ships"), seed=fleet.get("seed"))
    assert ships == referee.ships
    while not told["over"]:
        advice = engine.ask("advise", told["position"], options={"think": 0})["answer"]
        cells = advice["best"][:2]
        found = engine.ask("referee shoot", told["position"], options={**fleet, "cells": cells})
        told = found["answer"]
        assert told["answers"] == referee.salvo(cells)
        assert told["position"]["shots"] == [list(shot) for shot in referee.shots]
        assert (told["misses"], told["afloat"]) == (referee.misses, referee.afloat)
    assert referee.over
    over = engine.ask("referee shoot", told["position"], options={**fleet, "cells": ["D1"]})
    assert over["error"] == f"the game is over after {len(referee.shots)} shots"


def worker(talk: Talk) -> int:
    """The number of a process that works for an engine."""
    tasks = Path(f"/proc/{talk.process.pid}/task")
    while True:
        for children in tasks.glob("*/children"):
            for child in children.read_text().split():
                if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                    return int(child)


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"command": "count", "postion": {"fleet": "russian"}},
         "the field 'postion' of the request is unknown; did you mean 'position'?"),
        ({"command": "count", "position": {"flet": "russian"}},
         "position: the field 'flet' is unknown; did you mean 'fleet'?"),
        ({"command": "equilibrium", "position": {"flet": "2"}},
         "the field 'flet' of the position is unknown; did you mean 'fleet'?"),
        ({"command": "check", "position": {"bord": "3x3"}},
         "position: the field 'bord' is unknown; did you mean 'board'?"),
        ({"command": "check", "position": SMALL, "options": {"flet": "2"}},
         "the field 'flet' of options is unknown; did you mean 'fleet'?"),
        ({"command": "count", "position": {**SMALL, "format": "seabattle-tree"}},
         "position: its 'format' is not 'seabattle-position'"),
        ({"command": "advise", "position": {**SMALL, "asked": {"priro": "people"}}},
         "position: the field 'priro' of asked is unknown; did you mean 'prior'?"),
        ({"command": "count", "position": ""}, "position: give an object, such as"),
        ({"command": "stop", "off": 1},
         "the field 'off' of the request is unknown; did you mean 'of'?"),
        ({"command": "advice"},
         "the command 'advice' is not one that answers requests; did you mean 'advise'?"),
        ({"command": "count", "position": SMALL, "options": {"no_map": "false"}},
         "options: no_map is true or false, not 'false'"),
        ({"command": "count", "position": SMALL, "options": {"percent": 1}},
         "options: percent is true or false, not 1"),
        ({"command": "solve", "position": SMALL, "options": {"threads": "many"}},
         "Invalid value for '--threads': 'many' is not a valid integer"),
        ({"command": "verify", "options": {"file": "a\0b"}},
         "Invalid value for 'FILE': 'a\\x00b' is not a name that a file can have."),
        ({"command": "count", "options": {"mis": "A1"}},
         "options: count has no option 'mis'; did you mean 'miss'?"),
        ({"command": "count", "position": {**SMALL, "shots": [["Z9", "miss"]]}},
         "position: cell 'Z9' is off the board 3x3, A1 to C3"),
        ({"command": "solve", "position": SMALL, "options": {"fleet": "2"}},
         "position: it says the whole game: leave fleet out of options"),
        ({"command": "count", "position": SMALL, "options": {"signs": "!=miss"}},
         "position: it says the whole game: leave signs out of options"),
        ({"command": "solve", "position": "o..\n.y.\n...", "options": {"fleet": "2"}},
         "position: the board has the signs o . y, of which y is not known"),
        ({"command": "referee new", "position": SMALL, "options": {"sead": 3}},
         "the field 'sead' of options is unknown; did you mean 'seed'?"),
        ({"command": "referee new", "position": SMALL, "options": {"seed": -3}},
         "options: seed -3: must be 0 or above"),
        ({"command": "referee new", "position": SMALL, "options": {"seed": True}},
         "options: the seed is a whole number from 0 on"),
        ({"command": "referee new", "position": SMALL, "options": {"seed": 3, "ships": "A1"}},
         "options: give a seed, by which a fleet is drawn, or ships"),
        ({"command": "referee new", "position": SMALL, "options": {"ships": [1]}},
         "options: ships are names, as in"),
        ({"command": "referee new", "position": SMALL, "options": {"prior": 1}},
         "options: the prior is a text"),
        ({"command": "referee new", "position": SMALL, "options": {"ships": "A1"}},
         "options: layout A1: its ships are 1, not 3,1,1"),
        ({"command": "referee new", "position": {**SMALL, "shots": [["A1", "hit"]]}},
         "position: a new referee was not shot at yet: leave out its shots"),
        ({"command": "referee shoot", "position": SMALL, "options": {"seed": 3}},
         "options: name the cells that are shot, as in"),
        ({"command": "referee shoot", "position": SMALL,
          "options": {"cells": "A1", "seed": None, "ships": None}},
         "options: say which fleet: the seed that 'referee new' told, or ships"),
        ({"command": "referee shoot", "position": SMALL, "options": {"seed": 3, "cells": ["Z9"]}},
         "cell 'Z9' is off the board 3x3, A1 to C3"),
        ({"command": "referee reveal", "options": {"seed": 3},
          "position": {**SMALL, "shots": [["B2", "hit"]]}},
         "position: B2 is hit, and this fleet answers miss"),
        ({"command": "referee reveal", "options": {"seed": 3},
          "position": {**SMALL, "shots": [], "ordered": False}},
         "position: a referee takes its shots in order, and no ships beside them"),
    ],
)  # fmt: skip
def test_what_is_misspelt_is_refused_by_the_name_of_its_field(
    engine: Talk, request_: dict[str, Any], said: str
) -> None:
    engine.send(request_)
    found = engine.hear()
    assert (found["status"], found["error"][: len(said)]) == (2, said)


def has_ended(process: int) -> bool:
    """Whether a process is gone, or has only to be buried."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.parametrize("ended_by", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_its_processes_end_with_it(ended_by: signal.Signals) -> None:
    talk = Talk()
    talk.ask("count", SMALL)
    talk.send({"command": "solve", "position": LARGE})
    working = worker(talk)
    talk.process.send_signal(ended_by)
    talk.process.wait(timeout=60)
    for _ in range(100):
        if has_ended(working):
            break
        time.sleep(0.1)
    assert has_ended(working)
    talk.process.communicate(timeout=60)


FAILS_ONCE = """
import pathlib, sys
from importlib.abc import MetaPathFinder

class Fails(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        flag = pathlib.Path(__file__).with_name("failed")
        if name == "seabattle.enumerate.counting.counter" and not flag.exists():
            flag.touch()
            raise AttributeError("partially initialized module")

sys.meta_path.insert(0, Fails())
"""


def test_a_process_that_is_broken_is_replaced_and_asked_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(FAILS_ONCE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    talk = Talk()
    assert talk.ask("count", SMALL)["answer"]["layouts"] == 4
    assert (tmp_path / "failed").exists()
    assert talk.end() == ""


def test_an_error_of_its_own_is_told_when_it_comes_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(FAILS_ONCE.replace("flag.touch()", "pass"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    talk = Talk()
    found = talk.ask("count", SMALL)
    assert found == {
        "id": None,
        "status": 1,
        "error": "AttributeError: partially initialized module",
    }
    assert talk.end() == ""


@pytest.mark.parametrize(
    ("shell", "status", "said"),
    [
        ("> /dev/full", 1, "seabattle: cannot write to standard output: No space left on device\n"),
        (">&-", 0, ""),
        ("<&-", 0, ""),
        ("| true", 1, ""),
    ],
)
def test_output_that_takes_nothing_and_input_that_is_closed(
    tmp_path: Path, shell: str, status: int, said: str
) -> None:
    (tmp_path / "asked").write_text(json.dumps({"command": "check", "position": SMALL}) + "\n")
    program = f"set -o pipefail; {sys.executable} -m seabattle engine < asked {shell}"
    done = subprocess.run(
        ["bash", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, unasked(done.stderr), done.stdout) == (status, said, "")


def test_a_request_is_stopped_by_its_time_by_another_or_for_good() -> None:
    talk = Talk()
    talk.ask("solve", {"board": "4x4", "fleet": "3,2,1"})
    found = talk.ask("solve", LARGE, time_limit=1)
    assert found["status"] in (0, 130)
    assert found["answer"]["status"] == "bounded"
    assert found["answer"]["stopped_by"].startswith("the time limit was reached")
    waits = {"id": 2, "command": "count", "position": SMALL}
    talk.send({"id": 1, "command": "solve", "position": LARGE}, waits)
    talk.send({"command": "stop", "of": 2, "id": 3})
    assert [talk.hear()["id"] for _ in range(2)] == [2, 3]
    talk.send({"command": "stop", "of": 1})
    assert {talk.hear().get("id"), talk.hear().get("id")} == {None, 1}
    assert talk.ask("stop", of="nothing")["answer"] == {"stopped": False}
    talk.send({"id": 4, "command": "solve", "position": LARGE})
    os.kill(worker(talk), signal.SIGKILL)
    assert (lost := talk.hear())["id"] == 4
    assert lost["status"] == 1
    assert talk.ask("count", SMALL)["answer"]["layouts"] == 4
    assert talk.end() == ""


def test_what_is_interrupted_says_nothing_beside_its_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(**given: Any) -> Any:
        raise KeyboardInterrupt("the time limit was reached")

    monkeypatch.setattr(sys, "stdin", sys.stdin)  # which a process of the engine's takes for itself
    monkeypatch.setattr("seabattle.cli.shared.asked_position", interrupted)
    found = answer({"command": "count", "position": SMALL})
    assert found == {"status": 130, "error": "the time limit was reached"}
    assert capsys.readouterr() == ("", "")


def test_a_process_that_begins_takes_nothing_of_the_time_of_a_request() -> None:
    """So a short limit is kept, and what was imported by then is not thrown away."""
    talk = Talk()
    for _ in range(2):
        found = talk.ask("solve", LARGE, time_limit=0.2)
        reason = found.get("error") or found["answer"]["stopped_by"]
        assert (found["status"], reason.partition(",")[0]) == (130, "the time limit was reached")
    assert talk.ask("count", SMALL, time_limit=30)["answer"]["layouts"] == 4
    assert talk.end() == ""


def nonsense(seed: int) -> Iterator[bytes]:
    """Lines that are not requests, or requests with something wrong."""
    chance = random.Random(seed)
    good = json.dumps({"command": "count", "position": SMALL, "options": {"percent": True}})
    yield b"[" * (5 << 20)
    yield b'{"id": %s%s, "command": "count"}' % (b"[" * 850, b"]" * 850)
    for number in range(400):
        at = chance.randrange(len(good))
        field = chance.choice(["command", "position", "options", "time_limit"])
        value = chance.choice([None, 1, [], {}, "x" * 99, {"board": 7}, -1.5, True])
        yield bytes(chance.randrange(11, 256) for _ in range(chance.randrange(1, 90)))
        yield good[:at].encode() or b"?"
        yield (good[:at] + chance.choice('{}[]",:x0') + good[at + 1 :]).encode()
        yield json.dumps({**json.loads(good), field: value}).encode()
        yield json.dumps({"command": "count", "position": {**SMALL, "shots": number}}).encode()


def test_every_line_of_nonsense_is_answered_in_one_line() -> None:
    talk = Talk()
    sent = list(nonsense(7))
    threading.Thread(target=talk.send, args=sent, daemon=True).start()
    for _ in sent:
        found = talk.hear()
        assert found["status"] in (0, 1, 2, 130)
        assert ("answer" in found) != ("error" in found)
        assert "Traceback" not in found.get("error", "")
    peak = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{talk.process.pid}/status").read_text())
    assert peak is not None
    assert int(peak[1]) < 300_000, "kB"
    assert talk.end() == ""


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_what_no_json_has_is_refused_and_not_repeated(engine: Talk, number: str) -> None:
    for id, line in ((None, f'{{"id": {number}, "command": "stop"}}'),
                     (1, f'{{"id": 1, "command": "count", "time_limit": {number}}}')):  # fmt: skip
        engine.send(line.encode())
        found = engine.hear()
        assert (found["id"], found["status"]) == (id, 2)
        assert re.fullmatch(f"the line is not a valid request: '?{number}'? is not a number",
                            found["error"])  # fmt: skip


def test_a_field_that_is_given_twice_is_named(engine: Talk) -> None:
    for twice, name, id in (
        ('"position": {"board": "3x3", "fleet": "3,1,1", "board": "4x4"}', "board", [{"a": 1}]),
        ('"command": "solve"', "command", [{"a": 1}]),
        ('"id": 2', "id", None),
    ):
        engine.send(f'{{"id": [{{"a": 1}}], "command": "count", {twice}}}'.encode())
        found = engine.hear()
        assert (found["id"], found["status"]) == (id, 2)
        told = f"the field '{name}' is given twice"
        assert found["error"] == f"the line is not a valid request: {told}"


def test_layouts_takes_a_full_board_as_text_or_rows(engine: Talk) -> None:
    for board in ("##.\n##.\n...", [[1, 1, 0], [1, 1, 0], [0, 0, 0]]):
        found = engine.ask("layouts", board, options={"fleet": "2,2", "contact": "sides"})
        assert found["answer"]["listed"] == [["A1:B1", "A2:B2"], ["A1:A2", "B1:B2"]]
    assert engine.ask("layouts", SMALL)["error"].startswith("position: give the full board as text")
    for board in ("", [], "#.\n#", [1, 2], "#a\n.."):
        refused = engine.ask("layouts", board, options={"fleet": "2"})
        assert refused["error"].startswith("position: "), board


def test_a_time_limit_is_no_truth_value(engine: Talk) -> None:
    engine.send({"command": "count", "position": SMALL, "time_limit": True})
    assert engine.hear()["error"] == "time_limit: give a number of seconds above 0"


def test_the_examples_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = PAGE.read_text(encoding="utf-8")
    folder = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}

    def printed(*command: str) -> str:
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        ).stdout

    (shell,) = re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    shown, talked = re.findall(r"^```json\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    told, found = json.loads(shown), json.loads(printed("sh", "-c", shell))
    for each in (told, found):
        del each["answer"]["seconds"]
    assert found == told
    request, told = map(json.loads, talked.splitlines())
    assert {"id": request.pop("id"), **answer(request)} == told
    (script,) = re.findall(r"^```js\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    (tmp_path / "ask.mjs").write_text(script)
    if shutil.which("node"):
        assert printed("node", "ask.mjs") == "3 A1 C1 A3 C3\n"
    bot = (PAGE.parent / "bot.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"^```js\n(.*?)^```", bot, re.DOTALL | re.MULTILINE)
    (tmp_path / "bot.mjs").write_text(script)
    if shutil.which("node"):
        assert printed("node", "bot.mjs") == "shoot A1\n"
    (server,) = re.findall(r"^```python title=\"server.py\"\n(.*?)^```", text, re.DOTALL | re.M)
    (tmp_path / "server.py").write_text(server)
    monkeypatch.syspath_prepend(tmp_path)
    from server import Advice  # type: ignore[import-not-found]

    monkeypatch.setattr(Advice, "log_message", lambda *_: None)
    with ThreadingHTTPServer(("127.0.0.1", 0), Advice) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        asked = json.dumps({"game": SMALL, "shots": [["A2", "miss"]]}).encode()
        with urlopen(Request(f"http://127.0.0.1:{served.server_port}", asked)) as said:
            assert json.load(said)["best"] == ["A1", "C1", "A3", "C3"]
        served.shutdown()
