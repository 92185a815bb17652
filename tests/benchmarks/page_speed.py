"""How long the page takes: ``python tests/benchmarks/page_speed.py [--games N] [--home ADDRESS]``.

Opens the page in Chromium and plays whole games of the two named fleets at the tab that advises,
answering at once; prints when the first picture stood, and, of the times from a tap on an answer
to the next advice, the median, the 95th percentile and the longest. Every game begins in a browser
that knows nothing yet. ``--home`` is another page with the same tab, such as one that is served.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import browsing
from support.play_pages import SETTLED, advised

from seabattle.enumerate.answers import answer_text
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.rules import Rules
from seabattle.trees.page.play import page_path
from seabattle.trees.replay import HiddenGame

TAP = """answer => new Promise(done => {
    const board = document.querySelector("#advise-board .board"), from = performance.now();
    const ready = () => document.querySelector("#advise-board .board").ariaBusy === "false";
    document.querySelector(`#advise-replies [data-reply="${answer}"]`).click();
    const look = () => (ready() ? done(performance.now() - from) : setTimeout(look, 4));
    setTimeout(look);
})"""


def play(page: Any, fleet: str, home: str, seed: int) -> tuple[float, list[float]]:
    """Seconds until the first picture, and after each answer."""
    rules = Rules(fleet=fleet)
    hidden = HiddenGame(rules, tuple(Counter(rules).sample(1, seed)[0].tolist()), ())
    page.goto(f"{home}#advise/{fleet}/")
    page.wait_for_selector(SETTLED, timeout=120_000)
    first = page.evaluate("performance.now()") / 1000
    times: list[float] = []
    while cell := advised(page):
        answer = answer_text(hidden.shoot(rules.board.cell(cell)))
        if not page.locator(f'#advise-replies [data-reply="{answer}"]').count():
            page.click('#advise-replies [data-reply="more"]')
        times.append(page.evaluate(TAP, answer) / 1000)
        if page.is_visible("#advise-which"):
            page.click('#advise-which [data-ship=""]')
            page.wait_for_selector(SETTLED, timeout=120_000)
    return first, times


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=3)
    options.add_argument("--home", default=page_path().as_uri())
    asked = options.parse_args()
    if why := browsing.why_no_browser():
        sys.exit(why)
    print("fleet    games  answers  first picture  median   95 %  longest  (seconds)")
    with browsing.browser() as chromium:
        for fleet in ("russian", "hasbro"):
            rng, firsts, times = random.Random(1), [], []
            for _ in range(asked.games):
                context = chromium.new_context(**browsing.USUAL)
                first, found = play(context.new_page(), fleet, asked.home, rng.randrange(2**32))
                firsts.append(first)
                times += found
                context.close()
            late = statistics.quantiles(times, n=20)[-1]
            print(
                f"{fleet:8} {asked.games:5}  {len(times):7}  {max(firsts):13.2f}  "
                f"{statistics.median(times):6.2f} {late:6.2f}  {max(times):7.2f}"
            )


if __name__ == "__main__":
    main()
