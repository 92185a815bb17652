"""The examples of the documentation, run against a running service."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.browsing import browser, why_no_browser
from support.serving import Running

PAGE = Path(__file__).parents[2] / "docs" / "pages" / "service.md"
ADDRESS = "http://127.0.0.1:8000"


QUESTION, MATCH = "## Three examples", "## Games against the program"


def part(heading: str) -> str:
    """The text under a heading."""
    text = PAGE.read_text("utf-8").partition(f"{heading}\n")[2]
    return re.split(r"^## ", text, maxsplit=1, flags=re.MULTILINE)[0]


def example(kind: str, service: Running, heading: str = QUESTION) -> str:
    """The example of a language, asking the service of the tests."""
    found = re.findall(rf"^```{kind}\n(.*?)^```", part(heading), re.DOTALL | re.MULTILINE)
    assert len(found) == 1
    assert found[0].count(ADDRESS) == 1
    return str(found[0].replace(ADDRESS, service.url))


def printed(heading: str = QUESTION) -> str:
    """What the page says that the examples print."""
    found = re.findall(r"prints?:\n\n^```text\n(.*?)^```", part(heading), re.DOTALL | re.MULTILINE)
    assert len(found) == 1
    return str(found[0].strip())


def test_python(service: Running) -> None:
    done = subprocess.run(
        [sys.executable, "-c", example("python", service)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == printed()


def test_a_game_in_python(service: Running) -> None:
    done = subprocess.run(
        [sys.executable, "-c", example("python", service, MATCH)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == printed(MATCH)


def test_curl(service: Running) -> None:
    if shutil.which("curl") is None:
        pytest.skip("there is no program curl")
    done = subprocess.run(
        ["sh", "-c", example("sh", service)], capture_output=True, text=True, check=True
    )
    answer = json.loads(done.stdout)
    assert f"{answer['layouts']:,} layouts; shoot {' or '.join(answer['best'])}" == printed()


@pytest.mark.skipif(bool(why_no_browser()), reason=why_no_browser())
def test_javascript(service: Running) -> None:
    with browser() as started:
        context = started.new_context(bypass_csp=True)  # the console of a page, not the page
        page = context.new_page()
        page.goto(f"{service.url}/api/health")
        said: list[str] = []
        page.on("console", lambda told: told.type == "log" and said.append(told.text))
        page.evaluate(f"(async () => {{ {example('javascript', service)} }})()")
        context.close()
    assert said == [printed()]


def test_a_page_of_another_site_cannot_ask(service: Running) -> None:
    if why_no_browser():
        pytest.skip(why_no_browser())
    code = """url => fetch(url + "/api/count", {method: "POST", mode: "no-cors", body: "{}"})
        .then(() => "asked", () => "refused")"""
    before = service.health()["counted"]
    with browser() as started:
        page = started.new_page()
        page.route("http://evil.example/", lambda route: route.fulfill(body="<p>page"))
        page.goto("http://evil.example/")
        page.evaluate(code, service.url)
        asked = page.evaluate(
            """url => fetch(url + "/api/count", {method: "POST", body: "{}",
               headers: {"content-type": "application/json"}})
               .then(() => "asked", () => "refused")""",
            service.url,
        )
    assert asked == "refused"
    assert service.health()["counted"] == before
