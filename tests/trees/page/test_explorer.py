"""The explorer's page as text: what it embeds, what it escapes, what it refuses."""

from __future__ import annotations

import base64
import json
import re
import struct
from html.parser import HTMLParser
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from support import sample_trees

from seabattle.cli.commands import commands
from seabattle.enumerate import errors
from seabattle.enumerate.answers import answer_text
from seabattle.trees.files import load_tree, save_tree
from seabattle.trees.page import explorer
from seabattle.trees.page.explorer import explorer_document, explorer_page, strategy_name
from seabattle.trees.tree import Tree

SOLVED = Path(__file__).resolve().parents[3] / "outputs" / "5x5-3,2,2,1,1,1"
TREES = sample_trees.small_trees()


def unpacked(text: str) -> list[int]:
    raw = base64.b64decode(text)
    return list(struct.unpack(f"<{len(raw) // 2}H", raw))


def nested(document: dict, strategy: dict) -> object:
    """The embedded tree as nested pairs: (shot, {answer: subtree}), or a leaf's layouts."""
    words = unpacked(strategy["nodes"])
    numbers = unpacked(strategy["ships"])
    width = len(document["game"]["fleet"])
    rows = [numbers[i : i + width] for i in range(0, len(numbers), width)]
    at = 0

    def read() -> object:
        nonlocal at, rows
        head = words[at]
        if head == 0:
            count = words[at + 1] + 65536 * words[at + 2]
            at += 3
            mine, rows = rows[:count], rows[count:]
            return [[document["game"]["placements"][n] for n in row] for row in mine]
        codes = words[at + 2 : at + 2 + words[at + 1]]
        at += 2 + words[at + 1]
        return head - 1, {answer_text(code): read() for code in codes}

    whole = read()
    assert (at, rows) == (len(words), [])
    return whole


def expected(tree: Tree) -> object:
    board = tree.rules.board

    def ship(name: str) -> tuple[int, ...]:
        ends = [board.cell(end) for end in name.split(":")]
        step = 1 if max(ends) - min(ends) < board.columns else board.columns
        if board.columns == 1:
            step = 1
        return tuple(range(min(ends), max(ends) + 1, step))

    def walk(node: object) -> object:
        if node.is_leaf:
            return [[ship(name) for name in layout] for layout in node.layouts]
        return node.shot, {answer: walk(child) for answer, child in node.children.items()}

    return walk(tree.root)


@pytest.mark.parametrize("name", TREES)
def test_the_page_embeds_the_whole_tree(name: str) -> None:
    tree = TREES[name]
    document = explorer_document([tree])
    assert nested(document, document["strategies"][0]) == expected(tree)
    assert document["strategies"][0]["position"] == tree.position.shots


def test_weights_follow_their_layouts() -> None:
    tree = TREES["hit 5x5"]
    weights = tree.ships.sum(axis=1).astype("int64")
    document = explorer_document([sample_trees.changed(tree, weights=weights)])
    numbers = unpacked(document["strategies"][0]["ships"])
    sums = [sum(numbers[i : i + 6]) for i in range(0, len(numbers), 6)]
    assert document["strategies"][0]["weights"] == sums


class _Elements(HTMLParser):
    """Collects elements and the text of each script."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.scripts: list[str] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.tags.append(tag)
        self.inside = tag == "script"
        if self.inside:
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.scripts[-1] += data


HOSTILE = "</script><script>alert(1)</script><!--<img src=x>{{script}}{{data}}&lt;\u2028"


def test_hostile_texts_change_no_element_of_the_page() -> None:
    tree = TREES["hit"]
    plain, hostile = _Elements(), _Elements()
    plain.feed(explorer_page([tree], title="T", names=["N"]))
    bad = HOSTILE.replace("\u2028", "")
    page = explorer_page([sample_trees.changed(tree, objective=HOSTILE)], title=bad, names=[bad])
    hostile.feed(page)
    assert hostile.tags == plain.tags
    assert len(hostile.scripts) == len(plain.scripts) == 2
    assert hostile.scripts[1] == plain.scripts[1]
    read = json.loads(hostile.scripts[0])["strategies"][0]
    assert (read["name"], read["objective"]) == (bad, HOSTILE)
    assert "\u2028" not in page


def test_names_tell_strategies_apart() -> None:
    optimal = load_tree(SOLVED / "hit-optimal-mean.json")
    greedy = load_tree(SOLVED / "sunk-greedy-hits-positive.json")
    assert strategy_name(greedy) == "Greedy (hits), positive reading"
    names = [s["name"] for s in explorer_document([optimal, greedy, optimal])["strategies"]]
    assert names == [
        "Optimal on average · hit #1",
        "Greedy (hits), positive reading · sunk",
        "Optimal on average · hit #3",
    ]
    for objective, status, name in (
        ("mean", "bounded", "Best found on average"),
        ("worst", "optimal", "Optimal in the worst case"),
        ("pareto", "optimal", f"Optimal for a worst case of {optimal.worst_misses}"),
        ("hits", "heuristic", "Heuristic, hits"),
        ("a rule of mine", "optimal", "Optimal, a rule of mine"),
    ):
        changed = sample_trees.changed(optimal, objective=objective, status=status)
        assert strategy_name(changed) == name


def test_refusals_name_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(errors.TreeError, match="at least one strategy"):
        explorer_page([])
    with pytest.raises(errors.TreeError, match="another game than 3x3"):
        explorer_page([TREES["hit"], TREES["sunk"]])
    with pytest.raises(errors.TreeError, match="1 names for 2 strategies"):
        explorer_page([TREES["hit"]] * 2, names=["a"])
    for title in ("", " ", "a\nb"):
        with pytest.raises(errors.SeabattleError, match="must be printable text"):
            explorer_page([TREES["hit"]], title=title)
    monkeypatch.setattr(explorer, "MOST_LAYOUTS", 3)
    with pytest.raises(errors.TooLargeError, match="have 4 layouts together"):
        explorer_page([TREES["hit"]])


def run(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(commands, [str(a) for a in arguments], standalone_mode=False)
    if isinstance(done.exception, errors.SeabattleError):
        return 2, str(done.exception)
    if isinstance(done.exception, click.UsageError):
        return 2, done.exception.format_message()
    assert done.exception is None
    return done.exit_code, done.output


def test_command_writes_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    tree = SOLVED / "hit-optimal-mean.json"
    status, told = run("explore", tree, tree, "--name", "one", "--name", "two", "-o", page)
    assert status == 0
    game, saved = told.splitlines()
    assert game == "game   5x5, fleet 3,2,2,1,1,1, contact none, answers hit"
    assert re.fullmatch(rf"saved  {re.escape(str(page))}, 0\.\d\d MB", saved)
    assert '"name":"two"' in page.read_text()


def test_command_refuses_damaged_and_false_trees(tmp_path: Path) -> None:
    page, file = tmp_path / "page.html", tmp_path / "tree.json"
    save_tree(TREES["hit"], file)
    text = file.read_text()
    for damage, says in (
        (text[: len(text) // 2], "was cut short"),
        (text.replace('"version": 1', '"version": 2'), "version 2 of the tree format is unknown"),
        (text.replace('"worst_misses": 3', '"worst_misses": 2'), "the tree is wrong"),
    ):
        assert damage != text
        file.write_text(damage)
        status, told = run("explore", file, "-o", page)
        assert (status, says in told, str(file) in told) == (2, True, True)
        assert not page.exists()
    file.write_text(text)
    assert run("explore", file, "-o", page, "--name", "a", "--name", "b")[0] == 2
    assert run("explore", file, "-o", tmp_path / "tree.json" / "page.html")[0] == 2
