"""CITATION.cff agrees with the package and follows the format's version 1.2.0."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
yaml = pytest.importorskip("yaml", reason="reading CITATION.cff needs pip install seabattle[test]")
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_version_licence_and_keywords_are_those_of_the_package() -> None:
    assert CITATION["version"] == PROJECT["version"]
    assert CITATION["license"] == PROJECT["license"]
    assert CITATION["title"] == PROJECT["name"]
    assert CITATION["keywords"] == PROJECT["keywords"]


def test_authors_are_those_of_the_licence_and_of_the_package() -> None:
    names = [author["name"] for author in CITATION["authors"]]
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert all(name in licence for name in names)
    assert names == [author["name"] for author in PROJECT["authors"]]
