"""The bibliography: complete entries in order, and every key cited anywhere is one of them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "pages" / "bibliography.md"
TEXT = PAGE.read_text(encoding="utf-8")
KEY = r"[A-Z][A-Za-z]+\d{4}[a-z]?"
ENTRIES = {
    key: body.strip()
    for key, body in re.findall(rf"^### ({KEY})\n(.*?)(?=^### |\Z)", TEXT, re.MULTILINE | re.DOTALL)
}
CITED = re.compile(rf"\[({KEY})\]|bibliography\.md#(\w+)")
FOLDERS = (
    "docs/**/*.md",
    "docs/*.py",
    *(f"{room}/**/*.{kind}" for room in ("enumerate", "trees", "solver") for kind in ("py", "hpp")),
)


def test_entries_are_complete_and_in_order() -> None:
    assert len(ENTRIES) == len(re.findall(r"^### ", TEXT, re.MULTILINE)) >= 25
    assert list(ENTRIES) == sorted(ENTRIES, key=str.casefold)
    for key, body in ENTRIES.items():
        reference, _, remark = body.partition("\n\n")
        parts = re.fullmatch(
            r"(?P<authors>[^*]{3,})\. \*(?P<title>[^*]{5,})\*(?P<rest>.*) (?P<year>\d{4})\. "
            r"(?P<where>.*<https?://[^<> ]+>)",
            " ".join(reference.split()),
        )
        assert parts, reference
        assert parts["year"] in key
        assert parts["rest"].strip(), "where it appeared"
        assert len(remark) > 60, "what the work does and how this project relates to it"
    table = "\n".join(line for line in TEXT.splitlines() if line.startswith("|"))
    assert sorted(re.findall(rf"\[({KEY})\]", table)) == sorted(ENTRIES)


def test_every_key_cited_is_an_entry_and_every_entry_is_cited() -> None:
    sources = [path for glob in FOLDERS for path in ROOT.glob(glob) if path != PAGE]
    cited = {
        ((key or link).lower(), path.name)
        for path in sources
        for key, link in CITED.findall(path.read_text(encoding="utf-8"))
    }
    keys = {key.lower() for key in ENTRIES}  # the anchors of headings are in lower case
    assert {key for key, _ in cited} == keys, cited
    assert set(re.findall(r"\]\(#(\w+)\)", TEXT)) <= keys
