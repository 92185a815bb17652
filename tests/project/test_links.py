"""Links of README and docs lead to files of the repository, and on the site to its pages.

What the site makes of them is tested where it is built: ``test_docs.py``.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
TEXTS = {
    page: re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    for page in (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md")))
}
"""Every page without its blocks of code."""
ON_SITE = [page for page in TEXTS if page.parent.name == "pages" or page.name == "CONTRIBUTING.md"]


def links(page: Path) -> list[tuple[str, str]]:
    """Links of a page to files: the path, which is empty within the page, and the anchor."""
    targets = re.findall(r"\]\(([^)\s]+)\)", TEXTS[page])
    parts = [target.partition("#") for target in targets if not re.match(r"[a-z]+:", target)]
    return [(path, anchor) for path, _, anchor in parts]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and MkDocs make them."""
    titles = re.findall(r"^#+ (.*)$", TEXTS[page], re.MULTILINE)
    plain = [re.sub(r"[^\w\s-]", "", title.lower()).strip() for title in titles]
    return {re.sub(r"\s+", "-", title) for title in plain}


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_file_of_the_repository_and_a_heading(page: Path) -> None:
    for path, anchor in links(page):
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{path} is not there"
        assert not anchor or anchor in anchors(target), f"{path} has no heading #{anchor}"


def test_every_link_of_a_page_leads_somewhere_on_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(DOCS)
    hooks = importlib.import_module("hooks")
    made = {*hooks.MADE.values(), *hooks.linked_outputs()}
    pages = {page.name for page in DOCS.glob("pages/*.md")}
    images = {f"images/{path.name}" for path in DOCS.glob("pages/images/*")}
    for page in ON_SITE:
        for path, _ in links(page):
            place = hooks.place_on_site(path, page.parent) if path else page.name.lower()
            assert place, f"{page.name}: {path} is not on the site"
            assert place in made | pages | images or place.startswith("api/"), (page.name, place)
    assert len(hooks.linked_outputs()) > len(hooks.PLAY)


def test_what_builds_the_site_is_installed_where_it_is_named() -> None:
    texts = {page.name: page.read_text(encoding="utf-8") for page in [*TEXTS, DOCS / "mkdocs.yml"]}
    named = {name: text for name, text in texts.items() if re.search("mkdocs (serve|build)", text)}
    assert {"README.md", "mkdocs.yml"} <= named.keys()
    for name, text in named.items():
        whole = " ".join(text.split())
        assert 'pip install -e ".[docs]" &&' in whole, f"{name}: what mkdocs needs is not said"


def test_the_workflow_publishes_what_the_configuration_builds() -> None:
    workflow = (ROOT / ".github" / "workflows" / "pages.yml").read_text(encoding="utf-8")
    configuration = (DOCS / "mkdocs.yml").read_text(encoding="utf-8")
    site = re.search(r"^site_dir: \.\./(\w+)$", configuration, re.MULTILINE)
    assert site is not None
    assert "mkdocs build --strict -f docs/mkdocs.yml" in workflow
    assert f"path: {site[1]}\n" in workflow
