"""What is worked out for matches in counting processes; the library is loaded there, not here.

None of it is told where the person's ships are.
"""

from __future__ import annotations

from typing import Any

from seabattle.enumerate.errors import quoted
from seabattle.enumerate.position import Position
from seabattle.enumerate.rules import Rules
from seabattle.solver.matches.terms import Hiding, Terms
from seabattle.solver.players.random_streams import Chance
from seabattle.web.refusals import Refused
from seabattle.web.worker import Watch


def hide_for_program(watch: Watch, terms: Terms, seed: int) -> list[str]:
    """The program's fleet, if the terms can be kept: the names of its ships.

    Players are those of the list only: any other name would have a file read, or run.
    """
    from seabattle.solver.matches.opponents import opponents, program_layout, require_terms

    listed = [who.name for who in opponents(terms.rules)]
    if terms.player not in listed:
        raise Refused(
            f"option 'player': {quoted(terms.player)} is unknown; there are {', '.join(listed)}"
        )
    require_terms(terms)
    watch.check()
    return program_layout(terms, seed)


def shoot(watch: Watch, player: str, position: Position, chance: Chance) -> int:
    """The program's next shot, from its own shots so far."""
    from seabattle.solver.matches.opponents import program_shot

    watch.check()
    return program_shot(player, position, chance)


def hide_for_you(watch: Watch, rules: Rules, hiding: Hiding, seed: int) -> dict[str, Any]:
    """A fleet for the person, how it was drawn, and what that promises."""
    from seabattle.solver.matches.hiding import draw_layout

    watch.check()
    drawn = draw_layout(rules, hiding, seed)
    return {"ships": drawn.names, "how": drawn.how, "promise": drawn.promise}


def possible(watch: Watch, rules: Rules) -> dict[str, Any]:
    """Who can play these rules and how fleets can be hidden; what is left out, and why."""
    from seabattle.solver.matches.hiding import SUMMARIES, why_not_hidden
    from seabattle.solver.matches.opponents import opponents

    listed = opponents(rules)
    reasons = {way: why_not_hidden(rules, way) for way in Hiding}
    return {
        "players": [
            {"name": who.name, "summary": who.summary, "quick": who.quick}
            for who in listed
            if not who.why_not
        ],
        "hiding": [
            {"name": way.value, "summary": SUMMARIES[way]} for way in Hiding if not reasons[way]
        ],
        "left_out": {
            "players": {who.name: who.why_not for who in listed if who.why_not},
            "hiding": {way.value: reason for way, reason in reasons.items() if reason},
        },
    }
