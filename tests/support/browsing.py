"""A real browser for tests and screenshots: the machine's Chromium, driven by playwright.

Nothing is downloaded: playwright's own browsers are not used, only the ``chromium`` found on the
path. Pages are files; the network is never needed.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

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
_kept: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()


def why_no_browser() -> str:
    """Why pages cannot be opened here; empty when they can."""
    try:
        import playwright  # noqa: F401
    except ImportError:
        return "a browser test needs playwright: pip install 'seabattle[browser]'"
    if browser_path() is None:
        return "a browser test needs a program named chromium (Debian: apt install chromium)"
    return ""


def browser_path() -> str | None:
    """The browser's program."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


@contextmanager
def browser() -> Iterator[Any]:
    """A running browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        running = started.chromium.launch(executable_path=browser_path(), args=FLAGS)
        yield running
        running.close()


def kept_context(chromium: Any, **options: Any) -> Any:
    """The context for pages with the usual options and these, the same one each time.

    Pages share nothing but the browser's caches in it: what ours remember they keep for each tab.
    It stays until the browser ends, with an empty page in it: the first page of a context takes
    the browser twice as long to open as any further one.
    """
    name = repr(sorted({**USUAL, **options}.items()))
    kept = _kept.setdefault(chromium, {})
    if name not in kept:
        kept[name] = chromium.new_context(**{**USUAL, **options})
        kept[name].new_page()
    return kept[name]
