"""The command that looks back at a game."""

import io
import json
import re
import sys

import pytest

from seabattle.cli.progress import Bar
from seabattle.enumerate.position import Position
from seabattle.enumerate.position_files import position_text, save_position
from seabattle.enumerate.priors.files import save_prior
from seabattle.enumerate.priors.prior import ProductPrior
from seabattle.enumerate.rules import Rules
from seabattle.solver.review import review

GAME = Position.in_order(Rules("4x4", "3,2,1", answers="sunk"), "B2 miss, A1 hit, A2 hit, C4 miss")


@pytest.fixture
def saved(tmp_path):
    """The file of a game."""
    path = tmp_path / "game.json"
    save_position(GAME, path)
    return str(path)


def test_a_review_in_words(run, saved):
    status, out, err = run("review", saved)
    assert (status, err) == (0, "")
    found = review(GAME)
    assert re.search(r"^shots +4: 2 hits, 2 misses$", out, re.M)
    assert re.search(rf"^layouts left +{found.layouts}$", out, re.M)
    assert re.search(rf"^misses lost +{float(found.misses_lost):.2f} exactly$", out, re.M)
    assert re.search(r"^luck +\+0\.\d\d hits: 2, expected 1\.\d\d$", out, re.M)
    assert re.search(r"^worst mistakes +1 B2 \(0\.562\), ", out, re.M)
    assert re.search(r"^ +1 +B2 +miss +15\.91 +50\.00 +0\.562 +A1 D1 A4 D4$", out, re.M)
    assert "~" not in out
    status, out, _ = run("review", saved, "--think", "0")
    assert status == 0
    assert re.search(r"^misses lost +0\.\d\d at once, none known exactly$", out, re.M)
    assert re.search(r"^ +1 +B2 +miss +15\.91 +50\.00 +~0\.341 +A1 D1 A4 D4$", out, re.M)
    assert "~ the chance given away at once" in out


def test_a_review_as_json(run, saved):
    status, out, err = run("review", saved, "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found.pop("seconds") > 0
    expected = review(GAME).document()
    assert list(found)[:5] == ["board", "fleet", "contact", "answers", "announce"]
    assert {key: found[key] for key in expected} == expected
    assert found.keys() - expected.keys() == {"board", "fleet", "contact", "answers", "announce"}
    assert [shot["cell"] for shot in found["shots"]] == ["B2", "A1", "A2", "C4"]


def test_under_a_prior(run, saved, tmp_path):
    prior = ProductPrior.of_cells(GAME.rules, range(1, 17))
    save_prior(prior, tmp_path / "prior.json")
    status, out, err = run("review", saved, "--prior", str(tmp_path / "prior.json"), "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["prior"] == "prior.json"
    assert found["misses_lost"] == pytest.approx(float(review(GAME, prior=prior).misses_lost))
    status, out, _ = run("review", saved, "--prior", str(tmp_path / "prior.json"))
    assert (status, "prior.json" in out) == (0, True)


def test_standard_input(run, saved, monkeypatch):
    _, expected, _ = run("review", saved)
    monkeypatch.setattr(sys, "stdin", io.StringIO(position_text(GAME)))
    assert run("review", "-") == (0, expected, "")
    for text, why in [
        ("{", "standard input is no JSON, or was cut short: line 1"),
        ("{}", "standard input is no valid position file: its 'format' is not"),
    ]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        status, out, err = run("review", "-")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert why in err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe"), "utf-8"))
    status, _, err = run("review", "-")
    assert (status, err) == (
        2, "seabattle: standard input is no JSON, or was cut short: line 1\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("shots", "why"),
    [
        ("", "there is no shot to review"),
        ("A1 miss, D1 miss, A4 miss, D4 miss, B1 miss, B4 miss", "no layout of 3,2,1 fits these"),
        ("A1 hit, A3 hit, A2 miss, B2 hit", "which contact rule 'none' forbids"),
    ],
)
def test_what_is_no_history_is_one_line(run, tmp_path, shots, why):
    position = Position(GAME.rules)
    for shot in shots.split(", ") if shots else []:
        position = position.shoot(*shot.split())
    (tmp_path / "game.json").write_text(position_text(position), encoding="utf-8")
    status, out, err = run("review", str(tmp_path / "game.json"))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert why in err


def test_ctrl_c_keeps_what_is_done(run, saved, monkeypatch):
    show = Bar.show

    def press(bar, done, total, unit, note=""):
        show(bar, done, total, unit, note)
        bar.interrupted = bar.interrupted or done == 3

    monkeypatch.setattr(Bar, "show", press)
    status, out, err = run("review", saved, "--json")
    assert (status, err.count("\n")) == (130, 1)
    assert len(json.loads(out)["shots"]) < 4
