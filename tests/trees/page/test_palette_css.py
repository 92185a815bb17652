"""The pages have the colours of the one palette."""

import re
from pathlib import Path

import pytest

from seabattle.enumerate.colours import DARK, LIGHT, Palette, text_on
from seabattle.trees.page.assembly import template

STYLE = template("page.css")
SAME = {
    "panel": "ground", "ink": "ink", "ink-soft": "ink_soft", "line": "line", "sea": "sea",
    "sea-line": "sea_line", "heat": "heat", "miss": "miss", "hit": "hit", "wreck": "wreck",
    "target": "target", "ship": "ship",
}  # fmt: skip


def variables(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): ([^;]+);", block))


def blocks() -> dict[str, dict[str, str]]:
    light, dark, chosen = re.findall(r"\{\s*(--back:[^}]*)\}", STYLE)
    return {"light": variables(light), "dark": variables(dark), "chosen": variables(chosen)}


@pytest.mark.parametrize(
    ("block", "palette"), [("light", LIGHT), ("dark", DARK), ("chosen", DARK)], ids=str
)
def test_variables_are_those_of_the_palette(block: str, palette: Palette) -> None:
    found = blocks()[block]
    assert {name: found[name] for name in SAME} == {
        name: getattr(palette, field) for name, field in SAME.items()
    }


@pytest.mark.parametrize(("block", "palette"), [("light", LIGHT), ("dark", DARK)], ids=str)
def test_numbers_turn_black_or_white_where_these_can_be_read(block: str, palette: Palette) -> None:
    found = blocks()[block]
    turn = float(found["turn"])
    for share, name in ((turn - 0.002, "heat-ink"), (turn + 0.002, "heat-ink-far")):
        ink = text_on(palette.scale(share))
        assert found[name] == "#{:02x}{:02x}{:02x}".format(*ink)


def test_cells_are_mixed_as_the_palette_mixes() -> None:
    mixed = "color-mix(in srgb, var(--heat) calc(var(--p, 0) * 100%), var(--sea))"
    assert mixed in STYLE
    assert mixed in template("advise.css")


def test_no_other_colour_is_written_in_the_templates() -> None:
    folder = Path(__file__).parents[3] / "trees" / "page" / "templates"
    for file in [*folder.glob("*.css"), *folder.glob("*.js")]:
        if file.name == "picture.js":  # a picture that is saved has no style sheet
            continue
        text = file.read_text(encoding="utf-8")
        if file.name == "page.css":
            text = re.sub(r"\{\s*--back:[^}]*\}", "", text)
        assert set(re.findall(r"#[0-9a-f]{6}\b|#[0-9a-f]{3}\b", text)) <= {"#fff", "#ccc"}, file


def test_every_variable_used_is_defined() -> None:
    folder = Path(__file__).parents[3] / "trees" / "page" / "templates"
    texts = [
        file.read_text(encoding="utf-8")
        for file in folder.iterdir()
        if file.suffix in (".css", ".js", ".html")
    ]
    everything = "\n".join(texts)
    defined = set(re.findall(r"(--[\w-]+)\s*[:\"',]", everything))
    assert set(re.findall(r"var\((--[\w-]+)", everything)) <= defined
