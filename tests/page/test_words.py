"""The words of the page in other languages than English."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from seabattle.enumerate.answers import told_words
from seabattle.enumerate.rules import Rules
from seabattle.trees.page.frame import template, words
from seabattle.trees.page.modules import modules_of
from seabattle.trees.page.play import PARTS, TABS

DATA = "".join(f"export const {name} = 0;\n" for name in ("PEOPLE", "STORED", "PHASES"))
TOLD = {told_words(Rules("4x4", "2", "sides", answers)) for answers in ("hit", "sunk", "ship")}
SENSES = "on average", "in the worst case"
NAMES = {
    *(f"{how} {sense}" for how in ("Optimal", "Best found") for sense in SENSES),
    *(f"Greedy ({rule})" for rule in ("hits", "half")),
}
"""What a page of strategies calls them, and says of the answers."""

TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')


def first_argument(code: str, at: int) -> str:
    """The first argument of a call whose parenthesis opens before a place."""
    depth, end = 1, at
    while depth and not (depth == 1 and code[end] == ","):
        if code[end] == '"':
            end = TEXT.match(code, end).end() - 1  # type: ignore[union-attr]
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(code[end], 0)
        end += 1
    return code[at:end]


def texts_of_scripts() -> set[str]:
    """What is handed to ``t`` and ``nodesOf``, and the nouns that are counted."""
    found: set[str] = set()
    for module in (modules_of("page.js") | modules_of("explorer/explorer.js")).values():
        code = "\n".join(module.body)
        for call in re.finditer(r"\b(?:t|nodesOf)\(", code):
            found.update(TEXT.findall(first_argument(code, call.end())))
        found.update(f"# {noun}" for noun in re.findall(r'counted\([^"]*?, "([\w ]+)"\)', code))
    return found - {" ", "optimal"}


def texts_of_templates() -> set[str]:
    """What stands in the templates of the page."""
    found: set[str] = set()
    for name in ("play", "explorer", *TABS, *PARTS):
        body = template(name)
        found.update(re.findall(r'(?:aria-label|title)="([^"]*)"', body))
        found.update(re.sub(r"\s+", " ", text).strip() for text in re.findall(r">([^<{}]+)<", body))
    return {text for text in found if re.search("[A-Za-z]", text)}


def texts_of_refusals() -> set[str]:
    """What the worker refuses."""
    found: set[str] = set()
    for module in modules_of("desk/desk.js", {"desk/data.js": DATA}).values():
        code = "\n".join(module.body)
        for call in re.finditer(r"new Refusal\(", code):
            found.update(TEXT.findall(first_argument(code, call.end())))
    return found


@pytest.mark.parametrize("language", words())
def test_every_text_of_the_page_has_its_words(language: str) -> None:
    given = words()[language]
    wanted = TOLD | NAMES | texts_of_scripts() | texts_of_templates() | texts_of_refusals()
    assert wanted - set(given) == set()
    for text, said in given.items():
        forms = said.values() if isinstance(said, dict) else [said]
        for form in forms:
            names = re.findall(r"\{\w+\}|#", text if text[0] != "#" else "#")
            assert sorted(re.findall(r"\{\w+\}|#", form)) == sorted(names), text


def test_no_word_is_given_twice_or_for_nothing() -> None:
    folder = Path(__file__).resolve().parents[2] / "trees" / "page"
    code = "".join(
        re.sub(r"\s+", " ", file.read_text("utf-8"))
        for file in [*folder.glob("templates/*"), *folder.glob("scripts/**/*.js")]
    )
    for language in words():
        text = (folder / "words" / f"{language}.json").read_text("utf-8")
        pairs = json.loads(text, object_pairs_hook=list)
        assert len(pairs) == len(dict(pairs))
        unused = [name for name, _ in pairs if name.removeprefix("# ") not in code]
        known = {"Sea battle", "Sea battle explorer", "Theme: light", "Theme: dark", *TOLD, *NAMES}
        assert set(unused) - known == set()
