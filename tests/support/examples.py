"""How many examples a law is tried on: a third in the everyday run, which draws others each time.

All of them are tried where ``SEABATTLE_THOROUGH`` is set, as in the long run.
"""

from __future__ import annotations

import os

from hypothesis import settings

THOROUGH = bool(os.environ.get("SEABATTLE_THOROUGH"))


def examples(number: int) -> settings:
    """Settings of a law that is tried on so many examples, however long each takes."""
    return settings(max_examples=number if THOROUGH else -(-number // 3), deadline=None)
