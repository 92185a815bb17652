"""Accessibility as axe sees it, which comes as a package and is run in the page."""

from __future__ import annotations

from typing import Any


def serious_violations(page: Any) -> list[str]:
    """What axe finds serious or critical on a page, each with the first element concerned."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {each['help']}: {each['nodes'][0]['html'][:120]}"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]
