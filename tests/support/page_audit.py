"""What a page owes its readers, measured in the browser: contrast, room for fingers, names.

Contrast is that of WCAG 2.2, level AA: 4.5 to 1 for text, 3 to 1 for large text. The measuring is
done by ``page_audit.js`` in the page.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

_MEASURES = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def _measured(page: Any, name: str, argument: object = None) -> list[str]:
    handle = page.evaluate_handle(_MEASURES)
    found: list[str] = handle.evaluate(f"(each, argument) => each.{name}(argument)", argument)
    return found


def poor_contrasts(page: Any) -> list[str]:
    """Texts on the page that are too close in colour to what is behind them."""
    return _measured(page, "contrast")


def small_targets(page: Any, least: float = 44, besides: str = "") -> list[str]:
    """Things to press that are smaller than a finger needs, in CSS pixels.

    Parameters
    ----------
    page
        The page.
    least
        What a finger needs.
    besides
        A selector of things that cannot be larger, such as the cells of a large board.
    """
    return _measured(page, "targets", [least, besides])


def nameless(page: Any) -> list[str]:
    """Things to use or to see that a screen reader has no name for."""
    return _measured(page, "nameless")
