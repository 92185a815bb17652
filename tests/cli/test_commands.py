"""What commands write and say beyond their lines: files, pictures, refusals of what is wrong."""

from __future__ import annotations

import io
import json
import re
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from support.sample_trees import sample_tree

from seabattle.cli.progress import Bar
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import FileAccessError
from seabattle.enumerate.picture import picture_size
from seabattle.enumerate.placements import placement_table
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import position_text, save_position
from seabattle.enumerate.priors.files import load_prior
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Rules
from seabattle.trees.files import load_tree, save_tree
from seabattle.trees.verify import verify

Line = Callable[[str], tuple[int, str, str]]
GAME = "--board 3x3 --fleet 3,1,1"


@pytest.fixture
def line(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Line:
    """Run a command line in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda words: run(*shlex.split(words))


def answer(told: tuple[int, str, str]) -> dict[str, Any]:
    """The JSON of a command that succeeded."""
    status, out, err = told
    assert (status, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    return found


def no_space(*given: object, **how: object) -> None:
    """In place of what writes a file: the disk is full."""
    path = next(each for each in given if isinstance(each, Path))
    raise FileAccessError(f"cannot write {path}: No space left on device")


@pytest.mark.parametrize(("writes", "options", "found", "told"), [
    ("seabattle.solver.search.checkpoint.write_whole", "solve --checkpoint keys.npz", "(605/176)",
     "nothing was kept; name a --checkpoint that can be written"),
    ("seabattle.solver.proofs.proof_files.write_whole", "solve --proof why.txt.xz", "(605/176)",
     "no proof was written: cannot write why.txt.xz: No space left on device"),
    ("seabattle.solver.search.solve.save_tree", "solve --tree tree.json", "(605/176)", ""),
    ("seabattle.solver.search.solve.save_tree", "solve --tree tree.json --json", '"mean"', ""),
    ("seabattle.save_tournament", "tournament --players random,hunt-target --out games",
     "hunt-target", ""),
])  # fmt: skip
def test_files_that_cannot_be_written_do_not_take_the_answer(
    line: Line, monkeypatch: pytest.MonkeyPatch, writes: str, options: str, found: str, told: str
) -> None:
    monkeypatch.setattr(writes, no_space)
    status, out, err = line(f"{options} --board 4x4 --fleet 3,2,1")
    file = options.removesuffix(" --json").split()[-1]
    said = f"cannot write {file}: No space left on device"
    assert (status, found in out, said in out + err, told in out) == (1, True, True, True)
    assert err == ("" if told else f"seabattle: {said}\n")
    assert "saved" not in out
    assert Path("games", "journal.jsonl").exists() == options.startswith("tournament")


@pytest.mark.parametrize(
    "text", ["A1 miss\nB2 hit\n", "A1=hit, c3=miss", "a1 мимо\nB2 ранил\n", "A1: miss\nB2: hit\n"]
)
def test_answers_in_words_in_place_of_a_board_are_sent_to_their_option(
    line: Line, text: str
) -> None:
    Path("told.txt").write_text(text, encoding="utf-8")
    status, out, err = line("count --board 5x5 --fleet 3,2 --position told.txt")
    assert (status, out) == (2, "")
    assert err == (
        "seabattle: told.txt is no JSON, and no board: answers in words, A1 miss, B2 hit, are "
        "given by --shots\n"
    )


def test_pareto_writes_a_tree_per_point(line: Line) -> None:
    game = "solve --board 4x5 --fleet 4,2 --objective pareto"
    front = answer(line(f"{game} --json --tree front.json"))["front"]
    points = [(point["worst_misses"], point["total_misses"]) for point in front]
    assert points == [(6, 475), (7, 465)]
    for worst, total in points:
        tree = load_tree(f"front-worst{worst}.json")
        assert verify(tree)
        assert tree.total_misses == total
    assert "worst 6, mean 3.7109 (475/128)" in line(game)[1]


def test_compare_writes_table_trees_and_pictures(line: Line) -> None:
    rows = answer(line(f"compare {GAME} --json --out new/out"))["rows"]
    names = [
        f"{row['answers']}-{row['strategy']}"
        + ("-positive" if row["reading"] == "positive" else "")
        for row in rows
    ]
    assert len(set(names)) == 14
    files = {path.name for path in Path("new/out").iterdir()}
    expected = {f"{name}{end}" for name in names for end in (".json", "-misses.svg", "-tree.svg")}
    assert files == expected | {"comparison.svg", "table.csv", "table.json", "table.txt"}
    assert all(verify(load_tree(Path("new/out") / f"{name}.json")) for name in names)
    table = json.loads(Path("new/out/table.json").read_text())
    assert table["made_by"]["command"].startswith("seabattle compare --board 3x3")


def test_verify_says_no(line: Line) -> None:
    line(f"solve {GAME} --tree tree.json")
    file = Path("tree.json")
    document = json.loads(file.read_text())
    file.write_text(json.dumps({**document, "total_misses": 5}))
    status, out, err = line("verify tree.json --json")
    assert (status, err) == (1, "")
    told = json.loads(out)
    assert told["valid"] is False
    assert told["problems"] == ["the tree claims 5 misses in total, it has 6"]
    file.write_text(file.read_text()[:100])
    status, out, err = line("verify tree.json --json")
    assert (status, err, json.loads(out)["valid"]) == (1, "", False)


def test_check_says_no(line: Line) -> None:
    line(f"solve {GAME} --tree tree.json --proof proof.txt")
    file = Path("proof.txt")
    file.write_text(file.read_text().replace('"claim": 6', '"claim": 7'))
    for words in "check proof.txt --json", "verify tree.json --proof proof.txt --json":
        status, out, err = line(words)
        assert (status, err) == (1, "")
        told = json.loads(out)
        assert told["valid"] is False
        assert told["problems"] == ["line 1: the claim 7 does not follow"]
    assert told["optimal"] is False


def test_the_length_of_a_sinking_is_told_where_it_is_open(line: Line) -> None:
    """Under contact 'sides' a history may leave lengths out, as the lines of advise may."""
    small = "solve --board 3x3 --fleet 3,2 --contact sides --json --shots"
    told = answer(line(f"{small} 'C3 hit, B3 sunk'"))
    assert told["shots"] == [["C3", "hit"], ["B3", "sunk:2"]]
    status, _, err = line(f"{small} 'A3 hit, C3 hit, B3 sunk'")
    assert (status, err.count("\n"), "of what length, 3 or 2?" in err) == (2, 1, True)


def test_what_is_whole_or_nothing_ends_with_status_1(line: Line) -> None:
    status, out, err = line("greedy --board 6x6 --fleet 4,3,2,1 --time-limit 0.001")
    assert (status, out, err.count("\n")) == (1, "", 1)
    for words in ("--time-limit 0.0001", "--answers ship", "--board 10x10 --fleet russian"):
        status, out, err = line(f"equilibrium --board 3x4 --fleet 2,1 {words} --out new/deep")
        assert (status in (1, 2), out, err.count("\n")) == (True, "", 1)
    assert list(Path().iterdir()) == [], "no empty folder is left"


def test_maps_are_saved_as_pictures(line: Line) -> None:
    begins = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}
    for suffix, begin in begins.items():
        assert line(f"count {GAME} --ship 1 --map map.{suffix} --theme print")[0] == 0
        assert Path(f"map.{suffix}").read_bytes().startswith(begin)
    for scale in (1, 3):
        assert line(f"count {GAME} --map {scale}.png --scale {scale}")[0] == 0
    small, large = (int.from_bytes(Path(f"{n}.png").read_bytes()[16:20]) for n in (1, 3))
    assert large == 3 * small


def test_layouts_are_drawn_by_seed(line: Line) -> None:
    drawn = answer(line(f"count {GAME} --sample 40 --seed 3 --json"))["layouts"]
    table = placement_table(Rules("3x3", "3,1,1"))
    assert len({table.parse_layout(row) for row in drawn}) == 4
    shown = line(f"count {GAME} --sample 40 --seed 3")[1]
    assert [row.split() for row in shown.splitlines()] == drawn
    assert answer(line(f"count {GAME} --sample 40 --json"))["layouts"] != drawn


def test_trees_are_drawn_in_all_kinds_and_on_paper(line: Line, tmp_path: Path) -> None:
    save_tree(sample_tree("4x4", "3,1", answers="sunk"), tmp_path / "t.json")
    for name, begins in (("t.PNG", b"\x89PNG"), ("t.pdf", b"%PDF"), ("t.dot", b"digraph")):
        assert line(f"render t.json -o {name} --depth 2")[0] == 0
        assert Path(name).read_bytes().startswith(begins)
    status, out, err = line("render t.json -o sheet.svg --paper A4 --theme dark")
    assert (status, err) == (0, "")
    files = sorted(Path().glob("sheet-*.svg"))
    assert len(files) > 1
    assert f"{files[0]} to {files[-1]}" in out
    assert {picture_size(file.read_text(encoding="utf-8")) for file in files} == {(1122.5, 793.7)}
    for options in ("--depth 2", "--path misses"):
        status, out, err = line(f"render t.json -o x.svg --paper A4 {options}")
        assert (status, err, picture_size(Path("x.svg").read_text())) == (0, "", (1122.5, 793.7))


def test_a_fit_is_saved_and_shown(line: Line) -> None:
    """Chances under weights of cells lead back to these weights."""
    known = ProductPrior.of_cells(Rules("4x4", "3,2,1"), [1 + cell % 3 for cell in range(16)])
    cells = Counter(known.rules, prior=known).chances().cells.reshape(4, 4)
    Path("seen.csv").write_text("\n".join(",".join(map(repr, row.tolist())) for row in cells))
    game = "--board 4x4 --fleet 3,2,1"
    found = answer(line(f"prior fit {game} --cells seen.csv -o new/prior.json --json"))
    assert found["reached"] is True
    assert found["deviation"] <= 1e-6
    prior = load_prior("new/prior.json")
    assert isinstance(prior, ProductPrior)
    assert prior.cells is not None
    ratios = np.array([float(w) / (1 + cell % 3) for cell, w in enumerate(prior.cells)])
    assert ratios == pytest.approx(np.full(16, ratios[0]), rel=1e-3)
    shown = answer(line("prior show new/prior.json --json"))
    assert np.abs(np.array(shown["chances"]) - cells).max() <= 1.01e-6
    turned = answer(line("prior show new/prior.json --letters russian --json"))
    assert (turned["letters"], turned["chances"]) == ("russian", shown["chances"])
    told = line("prior show new/prior.json")[1]
    assert re.search(r"^fit: reached +yes$", told, re.MULTILINE)
    assert not re.search(r"^fit: .*(None|True|e-\d+\d{3}|\d\.\d{6})", told, re.MULTILINE)


def test_a_strategy_is_asked_in_the_letters_that_are_wanted(line: Line) -> None:
    assert line("strategy build --board 3x4 --fleet 2,1 --complete -o kept")[0] == 0
    latin = answer(line("strategy probe kept --miss B2 --hit A1 --json"))
    asked = "strategy probe kept --letters russian --miss Б2 --hit А1 --json"
    russian = answer(line(asked))
    cells = str.maketrans("ABCD", "АБВГ")
    assert russian["best_shots"] == [cell.translate(cells) for cell in latin["best_shots"]]
    assert (russian["letters"], russian["total_misses"]) == ("russian", latin["total_misses"])


@pytest.mark.parametrize(
    "text",
    ["", "0.5 x 0.5 0.25", "0.5 -0.75 0.5 0.25", "0.5 0.75 0.5", "2 3 2 1\n1 1 1 1",
     "0.5 0.75 0.5 0.3", "0.5 1e999 0.5 0.3"],
)  # fmt: skip
def test_wrong_grids_are_refused_in_one_line(line: Line, text: str) -> None:
    Path("cells.csv").write_text(text + "\n")
    status, out, err = line("prior fit --board 1x4 --fleet 2 --cells cells.csv -o p.json")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "cells.csv" in err
    assert not Path("p.json").exists()


def test_an_equilibrium_is_a_folder_that_other_commands_take(line: Line) -> None:
    game = "--board 3x4 --fleet 2,1 --answers sunk"
    assert line(f"equilibrium {game} --out mixes")[0] == 0
    pictures = sorted(path.name for path in Path("mixes").glob("*.svg"))
    assert pictures == ["first-shots.svg", "likeliest.svg", "occupancy.svg"]
    for name in pictures:
        assert ElementTree.parse(f"mixes/{name}").getroot().tag.endswith("svg")
    document = json.loads(Path("mixes/equilibrium.json").read_text())
    assert document["made_by"]["command"].startswith("seabattle equilibrium --board 3x4")
    assert [row["shooter"] for row in document["matchups"]][-1] == "equilibrium"
    assert verify(load_tree("mixes/trees/001.json"))
    found = answer(line(f"solve {game} --prior mixes/hiding-weights.csv --json"))
    assert found["total_misses"] * 262 == 945 * found["weight"]
    hide = "hide --from mixes -o layout.svg --seed"
    drawn = {tuple(answer(line(f"{hide} {seed} --json"))["layout"]) for seed in range(8)}
    assert len(drawn) > 1
    out = line(f"{hide} 7")[1]
    assert any(" ".join(layout) in out for layout in drawn)
    assert "<svg" in Path("layout.svg").read_text()


PLAYED = Position.in_order(
    Rules("4x4", "3,2,1", answers="sunk"), "B2 miss, A1 hit, A2 hit, C4 miss"
)


WRITTEN = {
    "verify {}": "solve --board 3x3 --fleet 2,1 --threads 1 --tree file.txt",
    "replay {} --layout A1:A2,C3": "solve --board 3x3 --fleet 2,1 --threads 1 --tree file.txt",
    "render {} -o out.txt": "solve --board 3x3 --fleet 2,1 --threads 1 --tree file.txt",
    "explore {} -o out.html": "solve --board 3x3 --fleet 2,1 --threads 1 --tree file.txt",
    "check {}": "solve --board 3x3 --fleet 2,1 --threads 1 --proof file.txt",
    "review {}": position_text(PLAYED),
    "count --position {}": position_text(PLAYED),
    "layouts {} --fleet 2": "#.\n#.\n",
    "prior show {} --board 1x2 --fleet 1": "cells,sum\n1,3\n",
    "prior fit --board 1x2 --fleet 1 --cells {} -o out.csv": "1 3\n",
    "prior fit --board 1x2 --fleet 1 --layouts {} -o out.csv": "A1\nA1\nB1\n",
    "atlas --games {} --out out": 'fleet,board\n"2,1",3x3\n',
}
"""Lines of commands that read one file, and the file; or the command that writes it."""


@pytest.mark.parametrize("words", WRITTEN)
def test_a_file_is_read_from_standard_input_and_in_every_encoding(
    line: Line, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if WRITTEN[words].startswith("solve "):
        assert line(WRITTEN[words])[0] == 0
    else:
        Path("file.txt").write_text(WRITTEN[words], encoding="utf-8")

    def told(name: str) -> tuple[int, str, str]:
        status, out, err = line(words.format(name))
        same = re.sub(r"played in .*|standard input|file\.txt", "", out)
        return status, re.sub(r"^(seconds|search) .*", "", same, flags=re.MULTILINE), err

    right = told("file.txt")
    assert right[0] == 0
    text = Path("file.txt").read_text(encoding="utf-8")
    encodings = ["utf-8"]
    if not words.startswith("check"):
        encodings += ["utf-8-sig", "utf-16"]
    for encoding in encodings:
        for written in (text, text.replace("\n", "\r\n"), text.rstrip("\n")):
            content = written.encode(encoding)
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), "ascii"))
            shutil.rmtree("out", ignore_errors=True)
            assert told("-") == right
            Path("file.txt").write_bytes(content)
            shutil.rmtree("out", ignore_errors=True)
            assert told("file.txt") == right


def test_standard_input_that_is_no_file_of_the_kind_is_named(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    for content, said in ((b"", "is empty, and no tree file"), (b"\xff", "not text in UTF-8")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), "utf-8"))
        status, out, err = line("replay - --layout A1:A2,C3")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "standard input" in err
        assert said in err
    assert "read but once" in line("explore - - -o out.html")[2]


def test_an_option_that_lists_may_be_given_again(line: Line) -> None:
    for again, once in (
        ("--blocked A1 --blocked B2", "--blocked A1,B2"),
        ("--blocked B1:B3", "--blocked B1,B2,B3"),
        ("--miss 'A1:A3; C3'", "--miss A1,A2,A3,C3"),
        ("--hit A1:A2 --miss C4:A4", "--hit A1,A2 --miss A4,B4,C4"),
        ("--shots 'A1 miss' --shots 'B2 hit'", "--shots 'A1 miss, B2 hit'"),
        ("--miss A1 --miss B2,C3", "--miss A1,B2,C3"),
        ("--hit A1 --hit A2", "--hit A1,A2"),
        ("--sunk A1:A2 --sunk C3", "--sunk A1:A2,C3"),
        ("--sunk-at A1=1 --sunk-at C3=1", "--sunk-at A1=1,C3=1"),
        ("--named A1=2#1 --named A2=2#1", "--named A1=2#1,A2=2#1"),
    ):
        game = "count --board 4x4 --fleet 2,1,1"
        assert answer(line(f"{game} {again} --json"))["layouts"] > 0
        assert line(f"{game} {again}") == line(f"{game} {once}")
    assert line("count --fleet 2 --fleet 1,1") == line("count --fleet 2,1,1")
    lengths = answer(line("count --fleet 3,2,1 --ship 3 --ship 1 --json"))["ship"]
    assert lengths == answer(line("count --fleet 3,2,1 --ship '3; 1' --json"))["ship"]
    assert lengths["length"] == [3, 1]
    answer(line("compare --board 3x3 --fleet 3,1,1 --out x --formats svg --formats png --json"))
    assert {path.suffix for path in Path("x").iterdir()} == {
        ".json",
        ".csv",
        ".txt",
        ".svg",
        ".png",
    }


@pytest.mark.parametrize(
    ("words", "content", "said"),
    [
        ("count --position - --fleet 2", "", "standard input is empty, and no position file"),
        ("count --position - --fleet 2", " \n", "standard input is empty, and no position file"),
        (
            "count --position - --fleet 2",
            "{",
            "input is not JSON, or was cut short",
        ),
        ("count --position - --fleet 2", "{}", "its 'format' is not 'seabattle-position'"),
        ("count --position - --fleet 2", position_text(PLAYED), "the whole game: leave out fleet"),
        ("check -", "", "standard input is empty, and no proof"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_before_what_was_said_beside_it(
    words: str, content: str, said: str, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = io.TextIOWrapper(io.BytesIO(content.encode()), "utf-8")
    monkeypatch.setattr(sys, "stdin", given)
    status, out, err = line(words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_a_review_in_words(line: Line, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    save_position(PLAYED, tmp_path / "game.json")
    status, out, err = line("review game.json")
    assert (status, err) == (0, "")
    assert re.search(r"^ +1 +B2 +miss +15\.91 +50\.00 +0\.562 +A1 D1 A4 D4$", out, re.M)
    assert "~" not in out
    monkeypatch.setattr(sys, "stdin", io.StringIO(position_text(PLAYED)))
    assert line("review -") == (0, out, "")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe"), "utf-8"))
    status, out, err = line("review -")
    assert (status, out, err.count("\n")) == (2, "", 1)
    out = line("review game.json --think 0")[1]
    assert re.search(r"^ +1 +B2 +miss +15\.91 +50\.00 +~0\.341 +A1 D1 A4 D4$", out, re.M)
    assert "~ the chance given away at once" in out


def test_ctrl_c_keeps_the_shots_that_were_reviewed(
    line: Line, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    save_position(PLAYED, tmp_path / "game.json")
    show = Bar.show

    def press(bar: Bar, done: int, total: int | None, unit: str, note: str = "") -> None:
        show(bar, done, total, unit, note)
        bar.interrupted = bar.interrupted or done == 3

    monkeypatch.setattr(Bar, "show", press)
    status, out, err = line("review game.json --json")
    assert (status, err) == (130, "")
    assert len(json.loads(out)["shots"]) < 4


def test_a_long_option_with_one_hyphen_is_named_whole(line: Line) -> None:
    for words in ("count -board 3x3", "count --fleet 2 -board=3x3"):
        status, out, err = line(words)
        assert (status, out) == (2, "")
        assert err.startswith("seabattle: No such option '-board'. Did you mean '--board'?")
    assert line("count -x")[2].startswith("seabattle: No such option '-x'.")


def test_a_kind_of_picture_that_there_is_not_is_named(line: Line) -> None:
    for formats in ("gif", "", "svg,,png"):
        status, out, err = line(f"compare {GAME} --out out --formats '{formats}'")
        wrong = next(form for form in formats.split(",") if form not in ("svg", "png"))
        assert (status, out) == (2, "")
        assert err == f"seabattle: --formats: '{wrong}' is no picture: it is one of svg, png, pdf\n"
    assert not Path("out").exists()


def test_a_list_of_games_is_not_replaced_by_the_table_of_them(line: Line) -> None:
    Path("table.csv").write_text("fleet,board\n2,3x3\n")
    for words in ("atlas --games table.csv --out .", "atlas --out . --games ./table.csv"):
        status, out, err = line(words)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "too: name another file" in err
    assert Path("table.csv").read_text() == "fleet,board\n2,3x3\n"
