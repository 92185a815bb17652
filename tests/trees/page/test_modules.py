"""The scripts of the pages are modules, each of which says what it needs and what it gives."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from seabattle.trees.page.modules import classic, modules_of, read_module

SCRIPTS = Path(__file__).parents[3] / "trees" / "page" / "scripts"
ENTRIES = ("page.js", "explorer/explorer.js", "desk/worker.js")
DATA = "".join(
    f"export const {name} = 0;\n" for name in ("CORE", "HEADER", "PEOPLE", "STORED", "PHASES")
)
FOR_TESTS = {"desk/desk.js": {"answerAtOnce"}, "desk/core.js": {"Core"}}
"""What tests alone ask of a module."""


def test_modules_come_after_those_that_they_import() -> None:
    given = {
        "a.js": 'import { two } from "./b/b.js";\nexport const four = two() * 2;\n',
        "b/b.js": 'import { one } from "../c.js";\nexport function two() { return 2 * one; }\n',
        "c.js": "// One.\nexport const one = 1;\n",
    }
    assert list(modules_of("a.js", given)) == ["c.js", "b/b.js", "a.js"]
    script = classic("a.js", given)
    assert script.splitlines()[1:4] == ["const c = (() => {", "const one = 1;", "return { one };"]
    assert "const { one } = c;" in script
    assert "const { two } = b_b;" in script


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"a.js": 'import { b } from "./a.js";\n'}, "modules need each other: a.js a.js"),
        (
            {"a.js": 'import { b } from "./c.js";\n', "c.js": "export const d = 1;\n"},
            "a.js: c.js exports no b",
        ),
        ({"a.js": "export { b };\n"}, "a.js: not a declaration: export { b };"),
    ],
)
def test_what_cannot_be_joined_is_named(given: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        classic("a.js", given)


def test_every_module_is_part_of_a_page_and_every_export_is_imported() -> None:
    used: dict[str, set[str]] = {path: set(names) for path, names in FOR_TESTS.items()}
    for entry in ENTRIES:
        for path, module in modules_of(entry, {"desk/data.js": DATA}).items():
            used.setdefault(path, set())
            for needed, names in module.imports.items():
                used.setdefault(needed, set()).update(names)
    files = {path.relative_to(SCRIPTS).as_posix() for path in SCRIPTS.rglob("*.js")}
    assert files == set(used) - {"desk/data.js"}
    for path in files:
        exports = read_module((SCRIPTS / path).read_text("utf-8"), path).exports
        assert set(exports) == used[path], path


def test_no_text_spans_lines() -> None:
    """As the lines of a module lose their indentation."""
    for path in SCRIPTS.rglob("*.js"):
        for line in path.read_text("utf-8").splitlines():
            assert line.count("`") % 2 == 0, (path, line)
