"""The gallery: its page shows pictures that are there, with numbers that are proven."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from seabattle.enumerate.rules import Rules
from seabattle.solver.search.solve import solve
from seabattle.trees.drawing.tree_svg import svg

GALLERY = Path(__file__).resolve().parents[2] / "outputs" / "gallery"
ENTRIES = json.loads((GALLERY / "gallery.json").read_text(encoding="utf-8"))["games"]
SVG = "{http://www.w3.org/2000/svg}"


def test_page_and_folder_have_the_same_pictures() -> None:
    page = (GALLERY / "index.html").read_text(encoding="utf-8")
    shown = re.findall(r'<img src="([^"]+)" alt="[^"]+">', page)
    assert shown == [file for entry in ENTRIES for file in entry["pictures"]]
    assert sorted(shown) == sorted(path.name for path in GALLERY.glob("*.svg"))
    assert "<script" not in page
    assert not re.findall(r"(?:src|href)=\"(?:https?:)?//", page)


def test_page_is_what_the_script_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("rebuild", GALLERY / "rebuild.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    monkeypatch.setattr(script, "HERE", tmp_path)
    script.write_page(ENTRIES)
    for name in ("index.html", "gallery.json"):
        assert (tmp_path / name).read_bytes() == (GALLERY / name).read_bytes()


def test_pictures_tell_the_numbers_of_the_page() -> None:
    for entry in ENTRIES:
        assert entry["status"] == "optimal"
        for file in entry["pictures"]:
            told = ElementTree.parse(GALLERY / file).getroot().findtext(f"{SVG}desc") or ""
            assert "strategy mean-worst, optimal" in told
            assert f"total {entry['total_misses']:,}, " in told
            assert f"worst {entry['worst_misses']} miss" in told


def test_small_pictures_are_what_the_program_draws() -> None:
    for entry in ENTRIES:
        if entry["board"] != "3x3" or entry["contact"] != "none":
            continue
        rules = Rules(entry["board"], entry["fleet"], entry["contact"], entry["answers"])
        tree = solve(rules, "mean-worst").tree
        kept = (GALLERY / entry["pictures"][0]).read_text(encoding="utf-8")
        assert kept == svg(tree, path="misses")
