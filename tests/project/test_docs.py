"""The documentation and README: the site builds without a warning and shows everything public,
examples run, and what is named or shown exists.
"""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import click
import pytest
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
CONTRIBUTING = DOCS / "CONTRIBUTING.md"
PAGES = [ROOT / "README.md", *sorted((DOCS / "pages").glob("*.md"))]
TEXTS = {page.name: page.read_text(encoding="utf-8") for page in PAGES}
FOLDER = r"(?<![\w/.])(?:enumerate|trees|solver|src/seabattle|tests|docs|outputs|\.github)"
PATH = re.compile(FOLDER + r"/[\w./,-]*\w(?![\w*-])")
EXAMPLES = [
    (name, number, command, expected)
    for name, text in TEXTS.items()
    for number, (command, expected) in enumerate(commands(text))
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built strictly."""
    for module in ("mkdocs", "material", "mkdocstrings_handlers.python"):
        pytest.importorskip(module, reason='the documentation needs pip install -e ".[docs]"')
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
def test_the_site_is_whole(site: Path) -> None:
    """It loads nothing from elsewhere, its links lead somewhere, and it shows what is public."""
    import seabattle
    from seabattle.cli.commands import commands as group

    pages = {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    assert len(pages) > 30
    assert {path.name for path in (site / "play").iterdir()} >= {
        "seabattle.html", "seabattle.webmanifest", "offline.js", "icon.svg"
    }  # fmt: skip
    for page, text in pages.items():
        found = Links(text)
        assert not [a for a in found.loaded if re.match(r"(https?:)?//", a)], page
        inside = (a.partition("#")[0].partition("?")[0] for a in found.loaded + found.linked)
        for address in inside if page.name != "404.html" else ():
            if address and not re.match(r"[a-z]+:", address):
                assert (page.parent / address).resolve().exists(), (page.name, address)
        anchors = (a.partition("#") for a in found.linked if "#" in a and ":" not in a)
        for address, _, anchor in anchors if page.parent == site else ():
            target = (page.parent / address).resolve() if address else page
            assert not anchor or f'id="{anchor}"' in pages[target], (page.name, address, anchor)
        assert page.parent.name != "api" or "=====" not in text, page
    for floor in ("enumerate", "trees", "solver"):
        for source in (ROOT / floor).rglob("*.py"):
            module = source.relative_to(ROOT).with_suffix("")
            shown = (site / "api" / module).with_suffix(".html")
            private = source.name[0] == "_"
            assert (shown in pages) != private, shown
    names, helps = pages[site / "api" / "index.html"], pages[site / "commands.html"]
    assert all(f"<code>{name}</code>" in names for name in seabattle.__all__)
    assert all(f"seabattle {name}" in helps for name in group.list_commands(click.Context(group)))
    assert "\\b" not in helps, "a mark of click that should not be printed"


def test_docstrings_become_markdown() -> None:
    spec = importlib.util.spec_from_file_location("docstrings", DOCS / "docstrings.py")
    assert spec is not None
    assert spec.loader is not None
    docstrings = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(docstrings)
    assert doctest.testmod(docstrings).failed == 0


@pytest.mark.parametrize("script", ["make_figures", "make_gaps", "make_effort", "make_gains"])
def test_pages_show_the_figures_that_were_measured(
    script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(DOCS)
    figures = importlib.import_module(script).FIGURES
    rows = figures.rows()
    assert any(figures.place.search(text) for text in TEXTS.values())
    for name, text in TEXTS.items():
        assert figures.page_with(text, rows) == text, f"{name}: run python docs/{script}.py"


def test_gaps_are_to_the_optima_of_the_atlas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(DOCS)
    from make_gaps import ANSWERS, FIGURES, GAMES, optima

    rows, least = FIGURES.rows(), optima()
    games = [(row["board"], row["fleet"], row["answers"]) for row in rows]
    assert games == [(board, fleet, answers) for board, fleet in GAMES for answers in ANSWERS]
    assert [row["optimum"] for row in rows] == [least[game] for game in games]


@pytest.mark.parametrize(
    ("fleet", "players"),
    [
        ("3,2", ("greedy-map", "density")),
        pytest.param(
            "3,2,2,1,1,1",
            ("lookahead", "map-endgame", "greedy-map", "density"),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_gaps_are_those_that_are_played(
    monkeypatch: pytest.MonkeyPatch, fleet: str, players: tuple[str, ...]
) -> None:
    monkeypatch.syspath_prepend(DOCS)
    import make_gaps

    [kept] = [
        row
        for row in make_gaps.FIGURES.rows()
        if (row["board"], row["fleet"], row["answers"]) == ("5x5", fleet, "sunk")
    ]
    monkeypatch.setattr(make_gaps, "PLAYERS", players)
    again = make_gaps.measured("5x5", fleet, "sunk", kept["optimum"])
    assert {*players, "layouts", "optimum"} <= again.keys()
    assert again == {name: kept[name] for name in again}


def test_efforts_are_those_that_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """One row is measured again."""
    monkeypatch.syspath_prepend(DOCS)
    from make_effort import FIGURES, GAMES, misses

    rows = FIGURES.rows()
    assert {(row["board"], row["fleet"]) for row in rows} == {*GAMES}
    row = rows[1]
    again = misses(row["board"], row["fleet"], row["most"], drawn=True)
    assert again == (row["layouts"], row["drawn"])


@pytest.mark.parametrize("name", ["greedy-map", "lookahead", "density"])
def test_gains_are_what_players_differ_by(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Over all layouts, where both shots are tried in every layout left."""
    monkeypatch.syspath_prepend(DOCS)
    import make_gains

    from seabattle import Rules, enumerate_layouts, make_player

    rules = Rules("3x4", "3,2", "sides", "sunk")
    player, layouts = make_player(name, rules), enumerate_layouts(rules).ships
    games = [make_gains.played(player, tuple(ships), None) for ships in layouts.tolist()]
    shots = [int(make_player(each, rules).play_all(layouts).sum()) for each in ("odds", name)]
    assert sum(game["shots"] for game in games) == shots[1] != shots[0]
    assert sum(sum(game["gains"]) for game in games) == pytest.approx(shots[0] - shots[1])


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
        assert kept[name] == picture, f"{name}: run python docs/make_pictures.py"
    shown = {p for text in TEXTS.values() for p in re.findall(r"\]\(images/([^)]+)\)", text)}
    assert shown <= kept.keys()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all examples: later ones use the files of earlier ones, or of the pages."""
    made = tmp_path_factory.mktemp("pages")
    for text in TEXTS.values():
        write_files(text, made)
    return made


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


@pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
def test_every_command_shown_is_run(text: str) -> None:
    answered = [shown for _, _, shown in sessions(text)]
    assert [body for body in untested(text) if body.strip("\n") not in answered] == []


@pytest.mark.parametrize("page", [*PAGES, CONTRIBUTING], ids=lambda page: page.name)
def test_python_runs_and_files_that_are_named_exist(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert check_python(text, tmp_path) == len(blocks(text, "python"))
    named = set(PATH.findall(text))
    assert {path for path in named if not (ROOT / path).exists()} == set()
    if page.name in ("CONTRIBUTING.md", "architecture.md"):
        assert len(named) >= 12
    if page.name == "README.md":
        shown = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text)
        assert shown
        assert all((ROOT / path).exists() for path in shown)
