"""Trees drawn from the command line: kinds of files, pages, sizes and themes."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from support.sample_trees import sample_tree

from seabattle.enumerate.picture import picture_size
from seabattle.trees.files import save_tree

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def render(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], tuple[int, str, str]]:
    """Render a tree of 4x4 in a folder of its own, with the options given."""
    monkeypatch.chdir(tmp_path)
    save_tree(sample_tree("4x4", "3,1", answers="sunk"), tmp_path / "t.json")
    return lambda options: run("render", "t.json", *shlex.split(options))


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("t.svg", b"<svg"),
        ("t.PNG", b"\x89PNG"),
        ("t.pdf", b"%PDF"),
        ("t.txt", b"4x4"),
        ("t.dot", b"digraph"),
    ],
)
def test_kinds_of_files(render, name: str, begins: bytes) -> None:
    status, _, err = render(f"-o {name} --depth 2")
    assert (status, err) == (0, "")
    assert Path(name).read_bytes().startswith(begins)


def test_paper(render) -> None:
    status, out, err = render("-o sheet.svg --paper A4 --theme dark")
    assert (status, err) == (0, "")
    files = sorted(Path().glob("sheet-*.svg"))
    assert len(files) > 1
    assert f"{files[0]} to {files[-1]}" in out
    assert {picture_size(file.read_text(encoding="utf-8")) for file in files} == {(1122.5, 793.7)}
    assert render("-o sheets.pdf --paper A4")[0] == 0
    pdfium = pytest.importorskip("pypdfium2", reason="pypdfium2 is not installed")
    document = pdfium.PdfDocument("sheets.pdf")
    assert len(document) == len(files)
    assert document[0].get_size() == pytest.approx((297 * 72 / 25.4, 210 * 72 / 25.4), abs=0.1)


def test_scale(render) -> None:
    for scale in (1, 3):
        assert render(f"-o {scale}.svg --depth 1 --scale {scale}")[0] == 0
    one, three = (picture_size(Path(f"{scale}.svg").read_text()) for scale in (1, 3))
    assert three == (3 * one[0], 3 * one[1])


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("-o t.txt --theme dark", "--theme goes with pictures"),
        ("-o t.dot --paper A4", "--paper goes with pictures"),
        ("-o x.svg --paper A4 --depth 2", "--paper draws the whole tree: leave out --depth"),
        ("-o x.svg --paper letter --path misses", "leave out --path"),
        ("-o x.gif", "write a .svg, .png, .pdf, .dot or .txt file"),
        ("-o x.png --scale 0", "write a number from 0.1 to 20"),
        ("-o x.png --theme sepia", "'light', 'dark', 'print'"),
    ],
)
def test_nonsense(render, options: str, says: str) -> None:
    status, out, err = render(options)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert says in err
    assert not Path("x.svg").exists()
