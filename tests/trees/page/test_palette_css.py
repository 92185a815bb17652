"""The pages have the colours of the one palette."""

import re
from pathlib import Path

import pytest

from seabattle.enumerate.colours import DARK, LIGHT, Palette
from seabattle.trees.page.frame import style_sheet

STYLE = style_sheet("page")
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


def test_no_other_colour_is_written_in_styles_or_scripts() -> None:
    folder = Path(__file__).parents[3] / "trees" / "page"
    for file in [*folder.glob("styles/*.css"), *folder.glob("scripts/**/*.js")]:
        if file.name == "picture.js":  # a picture that is saved has no style sheet
            continue
        text = file.read_text(encoding="utf-8")
        if file.name == "page.css":
            text = re.sub(r"\{\s*--back:[^}]*\}", "", text)
        assert set(re.findall(r"#[0-9a-f]{6}\b|#[0-9a-f]{3}\b", text)) <= {"#fff", "#ccc"}, file
