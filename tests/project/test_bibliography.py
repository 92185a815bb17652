"""The bibliography: complete entries in order, and every key cited anywhere is one of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "pages" / "bibliography.md"
TEXT = PAGE.read_text(encoding="utf-8")
KEY = r"[A-Z][A-Za-z]+\d{4}[a-z]?"
ENTRIES = {
    key: body.strip()
    for key, body in re.findall(
        rf"^### ({KEY}) \{{ #\1 \}}\n(.*?)(?=^### |\Z)", TEXT, re.MULTILINE | re.DOTALL
    )
}
CITED = re.compile(rf"\[({KEY})\]")
SOURCES = sorted(
    path
    for folder, ending in (
        ("docs", "md"), ("docs", "py"), ("enumerate", "py"), ("trees", "py"), ("solver", "py"),
        ("src/seabattle/cli", "py"),
    )
    for path in (ROOT / folder).rglob(f"*.{ending}")
)  # fmt: skip


def reference(key: str) -> str:
    """The first paragraph of an entry, on one line."""
    return " ".join(ENTRIES[key].split("\n\n")[0].split())


def test_every_heading_is_an_entry_with_its_key_as_anchor() -> None:
    headings = re.findall(r"^### (.*)$", TEXT, re.MULTILINE)
    assert len(ENTRIES) == len(headings) >= 25


def test_keys_are_unique_and_in_order() -> None:
    keys = re.findall(rf"^### ({KEY}) ", TEXT, re.MULTILINE)
    assert len(set(keys)) == len(keys)
    assert keys == sorted(keys, key=str.casefold)


@pytest.mark.parametrize("key", ENTRIES)
def test_entry_is_complete(key: str) -> None:
    parts = re.fullmatch(
        r"(?P<authors>[^*]{3,})\. \*(?P<title>[^*]{5,})\*(?P<rest>.*) (?P<year>\d{4})\. "
        r"(?P<where>.*<https?://[^<> ]+>)",
        reference(key),
    )
    assert parts, reference(key)
    assert parts["year"] in key
    assert parts["title"].endswith((".", "?", "!"))
    assert parts["rest"].strip(), "where it appeared"
    remark = ENTRIES[key].split("\n\n", 1)[1]
    assert len(remark) > 60, "what the work does and how this project relates to it"


def test_the_table_of_subjects_names_every_entry_once() -> None:
    table = "\n".join(line for line in TEXT.splitlines() if line.startswith("|"))
    assert sorted(CITED.findall(table)) == sorted(ENTRIES)


def test_links_within_the_page_lead_to_entries() -> None:
    assert set(re.findall(r"\]\(#(\w+)\)", TEXT)) <= ENTRIES.keys()


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_key_cited_exists(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert set(CITED.findall(text)) <= ENTRIES.keys()
    assert set(re.findall(r"bibliography\.md#(\w+)", text)) <= ENTRIES.keys()


def test_every_entry_is_cited_elsewhere() -> None:
    others = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES if path != PAGE)
    cited = {*CITED.findall(others), *re.findall(r"bibliography\.md#(\w+)", others)}
    assert cited == ENTRIES.keys()


def test_sources_are_named() -> None:
    """No "the article says" whose reader cannot tell which article."""
    unnamed = re.compile(
        r"\b(the|an) (article|paper|source) (says|calls|suggests|gives|speaks)", re.I
    )
    for path in [*SOURCES, ROOT / "README.md"]:
        for paragraph in path.read_text(encoding="utf-8").split("\n\n"):
            if unnamed.search(paragraph):
                assert CITED.search(paragraph) or "bibliography.md#" in paragraph, (path, paragraph)
