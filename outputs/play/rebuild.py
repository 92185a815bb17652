"""Rebuild this folder: ``python outputs/play/rebuild.py``.

Assembles the page of ``seabattle play``, opens it in Chromium (see ``tests/support/browsing.py``)
at games that are always the same, and takes screenshots of it, in both themes, wide and as narrow
as a phone; with the names of pictures, only those. The program hides its fleet anew each time.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = HERE / "seabattle.html"
sys.path.insert(0, str(ROOT / "tests"))

WIDE, PHONE = (1120, 800), (360, 740)

RUSSIAN = "russian/C1m.H1m.A3h.A4h.A5s.D3m.J3m.C6m.F6h.F7m"
HASBRO = "hasbro/E5m.F6m.C3h.D3h.E3m.B3s3.H8m/prior=people"
WRONG = "russian/C4h.A1m.J7m.H3m.C5s.F1m.J10m.C3m.E8h.E7m.E9m.D8h.B6h.F8s"
"""Games at the tab that advises, as the page's address gives them; a friend of the third erred."""

SMALL = "5x5-3,2,2,1,1,1-none-hit-length/"
"""A game at the tab that solves."""

BOTH = (
    "yours",
    "russian/E5m.C1m.H1m.A3h.A4h.A5s.D3m.J3m.C6m.F6h.F7m.B9m.G6s.J10m.A10m.J8m.H9m.C9m.F9m.H4m",
    "program",
    "russian/C4m.H3m.E6h.E5m.E7h.E8s.B8m.I9m.G2h.H2h.I2s.A1m.C9m.J5m.B6m",
)
"""Both sides of a game, as the address of a review gives them."""

FLEET = ["B9:E9", "J5:J7", "D3:D5", "G1:H1", "A5:A6", "H9:I9", "F6", "A2", "J3", "F3"]
"""The person's fleet in games against the program."""

Scene = Callable[[Any], None]


def advise(address: str, *, length: int = 0) -> Scene:
    """A scene at the tab that advises; with a length, the map of the ships of that length."""

    def go(page: Any) -> None:
        page.goto(f"{PAGE.as_uri()}#advise/{address}")
        page.wait_for_selector('#advise-board .board[aria-busy="false"]', timeout=60_000)
        if length:
            page.click(f'[data-length="{length}"]')
            page.wait_for_selector('#advise-board .board[aria-busy="true"]', timeout=60_000)
            page.wait_for_selector('#advise-board .board[aria-busy="false"]', timeout=60_000)

    return go


YOURS = "#match-turn:is([data-state=yours], [data-state=won], [data-state=lost])"


def begin(page: Any) -> None:
    """A game against the program that is about to be played."""
    page.goto(f"{PAGE.as_uri()}#match/")
    page.click('#match-chooser [data-fleet="russian"]')
    page.wait_for_selector("#match-draw [data-draw=random]")
    for ship in FLEET:
        ends = ship.split(":")
        length = 1 + abs(ord(ends[-1][0]) - ord(ends[0][0])) + int(ends[-1][1:]) - int(ends[0][1:])
        label = f'#match-tray [aria-label^="Ship of length {length}, not placed"]'
        page.locator(label).first.click()
        page.click(f'#match-hiding [data-cell="{ends[0]}"]')
        if page.locator("#match-verdict[data-state=wrong]").count() or (
            length > 1 and not page.locator(f'[data-cell="{ends[-1]}"].is-found').count()
        ):
            page.click(f'#match-hiding [data-cell="{ends[0]}"]')
            page.click("#match-turn-ship")
            page.click(f'#match-hiding [data-cell="{ends[0]}"]')
            page.click("#match-turn-ship") if page.is_enabled("#match-turn-ship") else None
    page.select_option("#match-player", "strong")
    page.click("#match-start")
    page.wait_for_selector(YOURS)


def best(page: Any) -> str:
    """A best shot of the person, which the page shows."""
    aimed = page.locator("#match-its-board .is-target").first
    aimed.wait_for(timeout=60_000)
    return str(aimed.get_attribute("data-cell"))


def played(page: Any, shots: int) -> None:
    """A game against the program after so many shots of the person, or at its end."""
    begin(page)
    page.check("#match-hint")
    for _ in range(shots):
        if page.get_attribute("#match-turn", "data-state") != "yours":
            break
        page.click(f'#match-its-board [data-cell="{best(page)}"]')
        page.wait_for_selector(YOURS, timeout=60_000)


def match(page: Any) -> None:
    """A game against the program, with the maps of both sides."""
    played(page, 20)
    page.check("#match-map")
    for side in ("its", "my"):
        page.locator(f"#match-{side}-board .has-chance").nth(9).wait_for(timeout=60_000)


def hiding(page: Any) -> None:
    """A fleet that is being hidden, ship by ship."""
    page.goto(f"{PAGE.as_uri()}#match/")
    page.click('#match-chooser [data-fleet="russian"]')
    page.wait_for_selector("#match-draw [data-draw=random]")
    for cell in ("B2", "G3"):
        page.click(f'#match-hiding [data-cell="{cell}"]')


def review(page: Any) -> None:
    """Both sides of a game looked back at."""
    page.goto(f"{PAGE.as_uri()}#review/{'&'.join(BOTH)}")
    page.wait_for_selector("#review-found:not([hidden])", timeout=180_000)
    page.get_by_text("misses by your shots").wait_for(timeout=180_000)
    page.locator("#review-worst button").first.click()
    page.click('[data-show="best"]')
    page.locator("#review-board .has-chance").nth(9).wait_for(timeout=60_000)


def solved(address: str) -> Scene:
    """A game solved, to the cost of every first shot."""

    def go(page: Any) -> None:
        page.goto(f"{PAGE.as_uri()}#solve/{address}")
        page.wait_for_selector("#solve-found:not([hidden])", timeout=120_000)
        page.wait_for_selector("#solve-start:not([hidden])", timeout=120_000)

    return go


@dataclass(frozen=True)
class Picture:
    """A scene, window, theme and language, and whether what lies below the window is shown."""

    scene: Scene
    size: tuple[int, int] = WIDE
    theme: str = "light"
    whole: bool = True
    language: str = "en-GB"


PICTURES = {
    "advise-light": Picture(advise(RUSSIAN)),
    "advise-people-dark": Picture(advise(HASBRO), theme="dark"),
    "contradiction-light": Picture(advise(WRONG)),
    "hide-dark": Picture(hiding, theme="dark"),
    "match-light": Picture(match),
    "review-light": Picture(review, (1000, 800)),
    "solve-light": Picture(solved(SMALL)),
    "phone-solve-dark": Picture(solved(SMALL), PHONE, "dark", language="ru-RU"),
    "phone-advise-light": Picture(advise(RUSSIAN), PHONE, whole=False),
    "phone-the-4-dark": Picture(advise(RUSSIAN, length=4), PHONE, "dark", whole=False),
    "phone-match-dark": Picture(match, PHONE, "dark", whole=False),
    "phone-russian-light": Picture(advise(RUSSIAN), PHONE, whole=False, language="ru-RU"),
}


def take_screenshots(names: list[str]) -> None:
    """One picture for each scene, or for those that are named."""
    from support import browsing

    from seabattle.trees.page.play import play_page

    if why := browsing.why_no_browser():
        sys.exit(f"no screenshots: {why}")
    PAGE.write_text(play_page(), encoding="utf-8")
    for file in (ROOT / "trees" / "page" / "offline").iterdir():  # which a server is asked for
        shutil.copy(file, HERE)
    with browsing.browser() as chromium:
        for name in names or PICTURES:
            picture = PICTURES[name]
            width, height = picture.size
            page = chromium.new_page(
                viewport={"width": width, "height": height},
                color_scheme=picture.theme,
                reduced_motion="reduce",
                locale=picture.language,
            )
            picture.scene(page)
            page.mouse.move(0, 0)
            page.evaluate("scrollTo(0, 0)")
            page.screenshot(path=HERE / f"{name}.png", full_page=picture.whole)
            page.close()
            print(f"{name}.png")


if __name__ == "__main__":
    take_screenshots(sys.argv[1:])
