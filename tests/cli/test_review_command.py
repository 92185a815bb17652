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
        2, "seabattle: standard input is no position file: it is not UTF-8 text\n"
    )  # fmt: skip


def test_ctrl_c_keeps_what_is_done(run, saved, monkeypatch):
    said = []

    def press(self, text):
        said.append(text)
        self.interrupted = self.interrupted or text.startswith("chances, shot 3")

    monkeypatch.setattr(Bar, "say", press)
    status, out, err = run("review", saved, "--json")
    assert (status, err) == (
        130, "seabattle: stopped by Ctrl-C after 1 of 4 shots; the review is about these\n"
    )  # fmt: skip
    assert [shot["cell"] for shot in json.loads(out)["shots"]] == ["B2"]
    assert said == [f"chances, shot {shot} of 4" for shot in (1, 2, 3)]


def test_ctrl_c_while_exact_losses_are_searched_for(run, saved, monkeypatch):
    def press(self, text):
        self.interrupted = self.interrupted or text.startswith("exact play, shot 2")

    monkeypatch.setattr(Bar, "say", press)
    status, out, err = run("review", saved, "--json")
    assert status == 130
    assert err == (
        "seabattle: stopped by Ctrl-C while exact losses were searched for; those found are in "
        "the review\n"
    )
    assert ["optimal" in shot for shot in json.loads(out)["shots"]] == [False, False, True, True]


def test_ctrl_c_before_anything_is_done(run, saved, monkeypatch):
    monkeypatch.setattr(Bar, "say", lambda self, text: setattr(self, "interrupted", True))
    status, out, err = run("review", saved)
    assert (status, out, err.strip()) == (130, "", "seabattle: stopped by Ctrl-C")


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


def test_bad_input_is_one_line(run, saved, tmp_path):
    unordered = tmp_path / "unordered.json"
    rules = Rules("4x4", "3,2", "sides", "sunk")
    save_position(Position.of_cells(rules, sunk=["A1:A2"]), unordered)
    for arguments, why in [
        ((str(unordered),), "a review needs the order of the shots"),
        ((str(tmp_path / "none.json"),), "cannot read"),
        ((saved, "--think", "-1"), "--think -1: must be a number of seconds, 0 or more"),
        ((saved, "--memory-limit", "0"), "--memory-limit 0"),
        ((saved, "--prior", "people"), "prior people is of 10x10"),
        ((), "Missing argument 'FILE'"),
    ]:
        status, out, err = run("review", *arguments)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert why in err
