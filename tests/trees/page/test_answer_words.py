"""Answers are said in the same words by the pages' scripts and by Python."""

from __future__ import annotations

import json

from support.wasm import new_engine

from seabattle.enumerate.answers import answer_code, answer_text, answer_words
from seabattle.enumerate.rules import Fleet
from seabattle.trees.page.modules import classic

ENGLISH = """
export function t(text, parts = {}) {
  return text.replace(/\\{(\\w+)\\}/g, (whole, name) => (name in parts ? parts[name] : whole));
}
"""  # what words.js makes of texts, which asks the page for the reader's language
FLEETS = ["3,2,2,1,1,1", "russian", "hasbro", "2,2,2,2,2,2,2", ",".join("1" * 23)]


def test_scripts_say_what_python_says() -> None:
    scripts = new_engine()
    scripts.eval(classic("shared/answers.js", {"shared/words.js": ENGLISH}))
    said = {}
    for name in FLEETS:
        fleet = Fleet.parse(name)
        texts = ["miss", "hit", "sunk"]
        for length, count in fleet.counts.items():
            texts += [f"sunk:{length}", *(f"hit:{length}#{n}" for n in range(1, count + 1))]
        for code in map(answer_code, texts):
            asked = (
                f"[shared_codes.answerText({code}), "
                f"shared_answers.answerWords({code}, {list(fleet.lengths)})]"
            )
            told = json.loads(scripts.eval(f"JSON.stringify({asked})"))
            assert told == [answer_text(code), answer_words(code, fleet)]
            said[told[0]] = told[1]
    scripts.close()
    for number, word in ((1, "first"), (6, "sixth"), (7, "7th"), (11, "11th"), (22, "22nd")):
        assert said[f"hit:1#{number}"] == f"hit, the {word} ship of length 1 to be hit"
