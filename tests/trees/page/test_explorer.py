"""The explorer's page as text: what it embeds, what it escapes, what it refuses."""

from __future__ import annotations

import base64
import json
import re
import struct
from dataclasses import replace

import pytest
from support.sample_trees import small_trees

from seabattle.enumerate import errors
from seabattle.enumerate.answers import answer_text
from seabattle.enumerate.placements import placement_table
from seabattle.trees.page.explorer import explorer_document, explorer_page
from seabattle.trees.tree import Node, Tree

TREES = small_trees()


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
    cells = {str(ship): ship.cells for ship in placement_table(tree.rules).placements}

    def walk(node: Node) -> object:
        if node.is_leaf:
            return [[cells[name] for name in layout] for layout in node.layouts]
        return node.shot, {answer: walk(child) for answer, child in node.children.items()}

    return walk(tree.root)


@pytest.mark.parametrize("name", TREES)
def test_the_page_embeds_the_whole_tree(name: str) -> None:
    tree = TREES[name]
    document = explorer_document([tree])
    assert nested(document, document["strategies"][0]) == expected(tree)
    assert document["strategies"][0]["position"] == tree.position.shots


def elements(page: str) -> tuple[list[str], list[str]]:
    """Names of the elements, and the texts of the scripts, which end where a browser ends them."""
    script = re.compile(r"(<script[^>]*>)(.*?)</script", re.DOTALL)
    return re.findall(r"<(\w+)", script.sub(r"\1", page)), [t for _, t in script.findall(page)]


HOSTILE = "</script><script>alert(1)</script><!--<img src=x>{{script}}{{data}}&lt;\u2028"


def test_hostile_texts_change_no_element_of_the_page() -> None:
    tree = TREES["hit"]
    bad = HOSTILE.replace("\u2028", "")
    page = explorer_page([replace(tree, objective=HOSTILE)], title=bad, names=[bad])
    plain_tags, plain = elements(explorer_page([tree], title="T", names=["N"]))
    tags, scripts = elements(page)
    assert tags == plain_tags
    assert len(scripts) == 3
    assert (scripts[0], scripts[2]) == (plain[0], plain[2])
    read = json.loads(scripts[1])["strategies"][0]
    assert (read["name"], read["objective"]) == (bad, HOSTILE)
    assert "\u2028" not in page


def test_what_is_no_page_is_refused() -> None:
    for trees, options, told in (
        ([], {}, "at least one strategy"),
        ([TREES["hit"], TREES["sunk"]], {}, "another game than 3x3"),
        ([TREES["hit"]] * 2, {"names": ["a"]}, "2 strategies, 1 names"),
        ([TREES["hit"]], {"title": "a\nb"}, "must be printable text"),
    ):
        with pytest.raises(errors.SeabattleError, match=told):
            explorer_page(trees, **options)
