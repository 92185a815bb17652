"""Make the pictures of the theory pages: ``python docs/make_theory_pictures.py``.

Each page has a file of its own, ``counting_pictures`` and ``sunk_key_pictures``; both lay out
boards with ``captioned_boards``.
"""

from __future__ import annotations

from pathlib import Path

import counting_pictures as counting
import sunk_key_pictures as sunk_key

from seabattle.enumerate.files import write_text

IMAGES = Path(__file__).resolve().parent / "pages" / "images"


def pictures() -> dict[str, str]:
    """Every picture by its file's name."""
    return {
        "counting-cut.svg": counting.counting_cut(),
        "counting-known.svg": counting.counting_known(),
        "counting-map.svg": counting.counting_map(),
        "counting-ranks.svg": counting.counting_ranks(),
        "counting-states.svg": counting.counting_states(),
        "counting-steps.svg": counting.counting_steps(),
        "key-groups.svg": sunk_key.key_groups(),
        "key-last.svg": sunk_key.key_last(),
        "key-order.svg": sunk_key.key_order(),
        "key-question.svg": sunk_key.key_question(),
        "key-rebuild.svg": sunk_key.key_rebuild(),
        "key-sides-left.svg": sunk_key.key_sides_left(),
        "key-sides.svg": sunk_key.key_sides(),
    }


if __name__ == "__main__":
    for name, drawing in pictures().items():
        write_text(IMAGES / name, drawing)
        print(name, f"{len(drawing) / 1000:.0f} kB")
