"""A real browser for tests and screenshots: the machine's Chromium, driven by playwright.

Nothing is downloaded: playwright's own browsers are not used, only the ``chromium`` found on the
path, the one without windows first, which does a quarter less work. Pages are files; the network is
never needed.

Where a browser test cannot run it is skipped, and the end of the run says so; with ``CI`` set in
the environment it fails.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

import pytest

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
USUAL = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
"""The options of playwright for the pages of most tests."""
FOLDERS = ("tests/page", "tests/trees/page")
"""Where the browser tests are."""
EMPTY = "about:blank"
_kept: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()


def why_no_browser() -> str:
    """Why pages cannot be opened and audited here; empty when they can."""
    try:
        import axe_playwright_python  # noqa: F401
        import playwright  # noqa: F401
    except ImportError as error:
        return f"the package {error.name} is not installed (pip install 'seabattle[test]')"
    if browser_path() is None:
        return "there is no program named chromium (Debian: apt install chromium)"
    return ""


def require_browser() -> None:
    """Skip the test where it cannot run; in continuous integration fail it."""
    if why := why_no_browser():
        if os.environ.get("CI"):
            pytest.fail(f"a browser test cannot run: {why}", pytrace=False)
        pytest.skip(why)


def what_was_not_run(skipped: Iterable[Any]) -> str:
    """What to say at the end of a run in which these tests were skipped; empty if no browser test.

    Parameters
    ----------
    skipped
        The reports of the tests that were skipped.
    """
    why = why_no_browser()
    many = sum(bool(why) and why in str(report.longrepr) for report in skipped)
    if not many:
        return ""
    tests, them = (
        (f"{many} browser tests were", "them") if many > 1 else ("1 browser test was", "it")
    )
    return f"{tests} not run: {why}. To run {them}: pytest {' '.join(FOLDERS)}"


def browser_path() -> str | None:
    """The browser's program."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


@contextmanager
def browser() -> Iterator[Any]:
    """A running browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        running = started.chromium.launch(executable_path=browser_path(), args=FLAGS)
        yield running
        running.close()


def kept_page(chromium: Any, **options: Any) -> Any:
    """An empty page with the usual options and these, one that was given back if there is one.

    A page of a new context takes the browser three times as long as one that it has.
    """
    asked = {**USUAL, **options}
    kept = _kept.setdefault(chromium, {})
    name = repr(sorted(asked.items()))
    if name not in kept:
        kept[name] = chromium.new_context(**asked)
    page = next((page for page in kept[name].pages if page.url == EMPTY), None)
    if page is None:
        return kept[name].new_page()
    page.bring_to_front()  # behind others it is drawn once a second, and a click waits for frames
    page.set_viewport_size(asked["viewport"])
    page.emulate_media(media="null", color_scheme=asked.get("color_scheme", "light"))
    return page


def give_back(page: Any) -> None:
    """Have a page forget everything, and keep it empty for the next that asks for one."""
    page.evaluate("{ localStorage.clear(); sessionStorage.clear(); }")
    page.goto(EMPTY)
