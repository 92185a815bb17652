"""Rebuild this folder: ``python outputs/play/rebuild.py``.

Starts the service, opens the page of ``seabattle play`` in Chromium (see
``tests/support/browsing.py``) at games that are always the same, and takes screenshots of it, in
both themes, wide and as narrow as a phone; with the names of pictures, only those. How many losses
of a review are exact depends on how fast the machine is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests"))

WIDE, PHONE = (1120, 800), (360, 740)

RUSSIAN = "russian/C1m.H1m.A3h.A4h.A5s.D3m.J3m.C6m.F6h.F7m"
HASBRO = "hasbro/E5m.F6m.C3h.D3h.E3m.B3s3.H8m/prior=people"
WRONG = "russian/C4h.A1m.J7m.H3m.C5s.F1m.J10m.C3m.E8h.E7m.E9m.D8h.B6h.F8s"
"""Games at the tab that advises, as the page's address gives them; a friend of the third erred."""

FLEET = ["B9:E9", "J5:J7", "D3:D5", "G1:H1", "A5:A6", "H9:I9", "F6", "A2", "J3", "F3"]
PERSON, SEED = "density", 5
"""In games against the program this player shoots for the person."""

Scene = Callable[[Any, Any], None]


def advise(address: str, *, length: int = 0) -> Scene:
    """A scene at the tab that advises; with a length, the map of the ships of that length."""

    def go(service: Any, page: Any) -> None:
        page.goto(f"{service.url}/#advise/{address}")
        page.wait_for_selector('#advise-board .board[aria-busy="false"]', timeout=60_000)
        if length:
            page.click(f'[data-length="{length}"]')
            page.wait_for_selector("#advise-board .board", timeout=60_000)
            page.wait_for_selector('#advise-board .board[aria-busy="false"]', timeout=60_000)

    return go


def next_shot(game: dict[str, Any]) -> str:
    """The person's next shot."""
    from seabattle import Position, Rules
    from seabattle.solver.matches.opponents import program_shot
    from seabattle.solver.players.random_streams import Chance

    rules = Rules(game["board"], game["fleet"], game["contact"], game["answers"])
    position = Position(rules)
    for cell, answer in game["yours"]["shots"]:
        position = position.shoot(cell, answer)
    chance = Chance.of(seed=SEED, player=PERSON, game=0)
    return str(rules.board.name(program_shot(PERSON, position, chance)))


def played(service: Any, shots: int) -> dict[str, Any]:
    """A game against the program after so many shots of the person, or at its end."""
    options = {"ships": FLEET, "player": "greedy-map", "first": "you", "again": True, "seed": SEED}
    status, game, _ = service.ask("/api/games", {"fleet": "russian", "options": options})
    while status == 200 and game["turn"] == "you" and len(game["yours"]["shots"]) < shots:
        shot = {"shot": next_shot(game)}
        status, game, _ = service.ask(f"/api/games/{game['id']}/shots", shot)
    if status != 200:
        sys.exit(f"the service refused a game: {game}")
    return dict(game)


def match(service: Any, page: Any) -> None:
    """A game against the program, with the maps of both sides, after a shot."""
    game = played(service, 20)
    page.goto(f"{service.url}/#match/{game['id']}")
    page.wait_for_selector("#match-turn[data-state=yours]", timeout=60_000)
    page.click(f'#match-its-board [data-cell="{next_shot(game)}"]')
    page.wait_for_selector("#match-turn[data-state=busy]", state="detached", timeout=60_000)
    page.check("#match-hint")
    page.check("#match-map")
    for side in ("its", "my"):
        page.locator(f"#match-{side}-board .has-chance").nth(9).wait_for(timeout=60_000)


def hiding(service: Any, page: Any) -> None:
    """A fleet that is being hidden, ship by ship."""
    page.goto(f"{service.url}/#match/")
    page.wait_for_selector("#match-draw [data-draw=random]")
    for cell in ("B2", "G3"):
        page.click(f'#match-hiding [data-cell="{cell}"]')


def review(service: Any, page: Any) -> None:
    """A game against the program looked back at, both sides."""
    page.goto(f"{service.url}/#match/{played(service, 100)['id']}")
    page.click("#match-review-mine", timeout=60_000)
    page.wait_for_selector("#review-found:not([hidden])", timeout=180_000)
    page.get_by_text("misses by your shots").wait_for(timeout=180_000)
    page.locator("#review-worst button").first.click()
    page.locator("#review-board .has-chance").nth(9).wait_for(timeout=60_000)


@dataclass(frozen=True)
class Picture:
    """A scene, how large the window is, the theme, and whether what lies below it is shown."""

    scene: Scene
    size: tuple[int, int] = WIDE
    theme: str = "light"
    whole: bool = True


PICTURES = {
    "advise-light": Picture(advise(RUSSIAN)),
    "advise-people-dark": Picture(advise(HASBRO), theme="dark"),
    "contradiction-light": Picture(advise(WRONG)),
    "hide-dark": Picture(hiding, theme="dark"),
    "match-light": Picture(match),
    "review-light": Picture(review, (1000, 800)),
    "phone-advise-light": Picture(advise(RUSSIAN), PHONE, whole=False),
    "phone-the-4-dark": Picture(advise(RUSSIAN, length=4), PHONE, "dark", whole=False),
    "phone-match-dark": Picture(match, PHONE, "dark", whole=False),
}


def take_screenshots(names: list[str]) -> None:
    """One picture for each scene, or for those that are named."""
    from support import browsing, serving

    if why := browsing.why_no_browser():
        sys.exit(f"no screenshots: {why}")
    with serving.running(warm=True) as service, browsing.browser() as chromium:
        for name in names or PICTURES:
            picture = PICTURES[name]
            width, height = picture.size
            page = chromium.new_page(
                viewport={"width": width, "height": height},
                color_scheme=picture.theme,
                reduced_motion="reduce",
            )
            picture.scene(service, page)
            page.mouse.move(0, 0)
            page.evaluate("scrollTo(0, 0)")
            page.screenshot(path=HERE / f"{name}.png", full_page=picture.whole)
            page.close()
            print(f"{name}.png")


if __name__ == "__main__":
    take_screenshots(sys.argv[1:])
