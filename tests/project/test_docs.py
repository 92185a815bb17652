"""The documentation: it builds without a warning, shows everything public, and its examples run."""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import subprocess
import sys
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support.browsing import browser, why_no_browser
from support.page_examples import (
    assert_command_prints,
    blocks,
    check_python,
    commands,
    run_command,
    sessions,
    untested,
    write_files,
)  # fmt: skip

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted((DOCS / "pages").glob("*.md"))
TEXTS = {page.name: page.read_text(encoding="utf-8") for page in PAGES}
EXAMPLES = [
    (name, number, command, expected)
    for name, text in TEXTS.items()
    for number, (command, expected) in enumerate(commands(text))
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built strictly."""
    for module in ("mkdocs", "material", "mkdocstrings_handlers.python"):
        pytest.importorskip(module, reason="the documentation needs pip install seabattle[docs]")
    target = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(DOCS / "mkdocs.yml"),
         "-d", str(target)],
        cwd=target, capture_output=True, text=True, check=False,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return target


class Links(HTMLParser):
    """Addresses a page loads by itself, and addresses it points to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.linked: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "src" in given:
            self.loaded.append(given["src"])
        if tag == "link" and given.get("rel") != "canonical":
            self.loaded.append(given.get("href", ""))
        if tag == "a":
            self.linked.append(given.get("href", ""))


@pytest.mark.slow
def test_site_loads_nothing_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 30
    for page in pages:
        for address in Links(page.read_text(encoding="utf-8")).loaded:
            assert not re.match(r"(https?:)?//", address), (page.name, address)
            if page.name != "404.html":
                path = address.partition("?")[0]
                assert (page.parent / path).exists(), (page.name, address)


@pytest.mark.slow
def test_links_within_the_site_lead_somewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        if page.name == "404.html":
            continue
        for address in Links(page.read_text(encoding="utf-8")).linked:
            path = address.partition("#")[0]
            if path and not re.match(r"[a-z]+:", path):
                assert (page.parent / path).resolve().exists(), (page.name, address)


@pytest.mark.slow
@pytest.mark.parametrize("floor", ["enumerate", "trees", "solver"])
def test_every_public_module_is_in_the_reference(site: Path, floor: str) -> None:
    for source in (ROOT / floor).rglob("*.py"):
        module = source.relative_to(ROOT).with_suffix("")
        page = (site / "api" / module).with_suffix(".html")
        assert page.exists() == (source.name[0] != "_" and source.parent.name != "kernels"), page
        if page.exists():
            names = re.findall(
                r"^(?:class|def) ([a-zA-Z]\w*)", source.read_text(encoding="utf-8"), re.MULTILINE
            )
            shown = page.read_text(encoding="utf-8")
            for name in names:
                assert f'id="seabattle.{".".join(module.parts)}.{name}"' in shown, (page, name)


@pytest.mark.slow
def test_public_names_and_commands_are_in_the_reference(site: Path) -> None:
    import seabattle
    from seabattle.cli.commands import commands as group

    names = (site / "api" / "index.html").read_text(encoding="utf-8")
    assert all(f"<code>{name}</code>" in names for name in seabattle.__all__)
    helps = (site / "commands.html").read_text(encoding="utf-8")
    assert all(f"seabattle {name}" in helps for name in group.commands)
    assert "\\b" not in helps, "a mark of click that should not be printed"


@pytest.mark.slow
def test_doctests_and_tables_are_shown_as_code(site: Path) -> None:
    board = (site / "api" / "enumerate" / "game" / "board.html").read_text(encoding="utf-8")
    assert board.count('class="gp">&gt;&gt;&gt; ') >= 5
    assert "<blockquote>" not in board
    tree = (site / "api" / "trees" / "tree" / "tree.html").read_text(encoding="utf-8")
    assert "<td>cell to shoot, -1 at a leaf</td>" in tree
    for page in (site / "api").rglob("*.html"):
        assert "=====" not in page.read_text(encoding="utf-8"), page.name
    explorer = (site / "api" / "trees" / "page" / "explorer.html").read_text(encoding="utf-8")
    assert "<li><code>about</code>: The game in words.</li>" in explorer


@pytest.mark.slow
def test_public_names_say_what_they_are(site: Path) -> None:
    names = (site / "api" / "index.html").read_text(encoding="utf-8")
    said = re.findall(r"<li>.*?</li>", names[names.index("Importable from") :], re.DOTALL)
    import seabattle

    assert len([item for item in said if re.search(r"\): \w", item)]) >= len(seabattle.__all__) - 1


def test_docstrings_become_markdown() -> None:
    spec = importlib.util.spec_from_file_location("docstrings", DOCS / "docstrings.py")
    assert spec is not None
    assert spec.loader is not None
    docstrings = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(docstrings)
    assert doctest.testmod(docstrings).failed == 0
    table = "====  ======\na     b | c\n====  ======\none   two\n      three\n====  ======"
    assert docstrings.as_markdown(table).splitlines() == [
        "| a | b \\| c |", "| --- | --- |", "| one | two three |",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="reaches over the end of its column"):
        docstrings.as_markdown(table.replace("one   two", "seven two"))
    terms = "Files:\n``a``\n    First\n    one.\n``b``\n    Second.\nThe end."
    assert docstrings.as_markdown(terms).splitlines() == [
        "Files:", "", "- ``a``: First", "  one.", "- ``b``: Second.", "", "The end.",
    ]  # fmt: skip


def test_every_picture_shown_is_made_by_the_script() -> None:
    sys.path.insert(0, str(DOCS))
    try:
        from make_pictures import pictures
    finally:
        sys.path.remove(str(DOCS))
    made = pictures()
    kept = {path.name: path.read_text(encoding="utf-8") for path in DOCS.glob("pages/images/*")}
    assert kept.keys() >= made.keys()
    for name, picture in made.items():
        # Another release of Graphviz may place the nodes of a tree elsewhere.
        drop = re.compile(r"[-\d.]+") if name.startswith(("tree", "path", "front")) else None
        assert (drop.sub("", kept[name]) if drop else kept[name]) == (
            drop.sub("", picture) if drop else picture
        ), f"{name}: run python docs/make_pictures.py"
    shown = {p for text in TEXTS.values() for p in re.findall(r"\]\(images/([^)]+)\)", text)}
    assert shown <= kept.keys()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all examples: later ones use the files of earlier ones, or of the pages."""
    made = tmp_path_factory.mktemp("pages")
    for text in TEXTS.values():
        write_files(text, made)
    return made


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 8
    assert {"concepts.md", "command-line.md"} <= {name for name, *_ in EXAMPLES}


@pytest.mark.parametrize(
    ("name", "number", "command", "expected"), EXAMPLES, ids=[f"{e[0]}-{e[1]}" for e in EXAMPLES]
)
def test_command(name: str, number: int, command: str, expected: str, folder: Path) -> None:
    assert_command_prints(command, expected, folder)


@pytest.mark.parametrize("block", [body for text in TEXTS.values() for body in blocks(text, "sh")])
def test_commands_whose_output_is_not_shown(block: str, tmp_path: Path) -> None:
    for command in block.splitlines():
        status, said, _ = run_command(command, tmp_path)
        assert (status, said) == (0, ""), command


@pytest.mark.parametrize(
    ("command", "typed", "shown"), [part for text in TEXTS.values() for part in sessions(text)]
)
def test_session(command: str, typed: list[str], shown: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command.split()],
        cwd=tmp_path, capture_output=True, text=True, check=False,
        input="\n".join([*typed, "quit"]),
    )  # fmt: skip
    assert shown in done.stdout


@pytest.mark.parametrize("name", [*TEXTS, "README.md"])
def test_every_command_shown_is_run(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8") if name == "README.md" else TEXTS[name]
    answered = [shown for _, _, shown in sessions(text)]
    assert [body for body in untested(text) if body.strip("\n") not in answered] == []


@pytest.mark.parametrize("name", [n for n, text in TEXTS.items() if blocks(text, "python")])
def test_python(name: str, tmp_path: Path) -> None:
    assert check_python(TEXTS[name], tmp_path) > 0


@pytest.mark.slow
@pytest.mark.skipif(bool(why_no_browser()), reason=why_no_browser())
def test_search_works_in_pages_opened_from_files(site: Path) -> None:
    import playwright.sync_api as playwright

    with browser() as chromium:
        page = chromium.new_page()
        page.goto((site / "index.html").as_uri())
        found = page.locator(".md-search-result__item")
        for _ in range(30):  # what is typed before the page listens is not searched for
            page.fill("input.md-search__input", "")
            page.type("input.md-search__input", "equilibrium")
            with suppress(playwright.TimeoutError):
                found.first.wait_for(timeout=2_000)
                break
        assert "equilibrium" in " ".join(found.all_inner_texts()).lower()
