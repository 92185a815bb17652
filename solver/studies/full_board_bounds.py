"""How near to the best: lower bounds on the mean misses of every strategy, on full boards, too.

No strategy of a game misses less on average, over all its layouts, than ``miss_bound`` says. The
bound joins three arguments, each with a proof in the documentation (*How near to the best*) and
each with a switch:

``show``
    Show some ships to the shooter beforehand and count the words by which the *hidden* ones can be
    found (``answer_words``). With N layouts, R layouts of the ships shown, W(k) words of at most k
    misses, and m ways to choose which ships of a layout are hidden, at least N - R W(k) / m
    layouts miss more than k times; the sum over k is a bound. Every choice of hidden ships is
    tried. Without the switch all are hidden.
``beside``
    Misses on cells that ships shown forbid to all others tell nothing of the hidden ships. They
    are not counted in words, and there must be some of them: those of ``moved_ships``.
``first_shots``
    The first j shots hit no more layouts than the best j cells do (``first_hits``), so that at
    most this many layouts, and as many as there are words of k - j misses, have at most k misses.
    Sets of up to this many cells are searched; 0 does without. It cannot be joined with
    ``beside``; the better of the two counts.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count as count_from
from itertools import product
from math import ceil, comb, prod

from seabattle.enumerate.arguments import require_function, require_rules, require_whole
from seabattle.enumerate.counting.counter import Counter
from seabattle.enumerate.errors import FleetError
from seabattle.enumerate.plain_arguments import require_flag
from seabattle.enumerate.rules import Fleet, Rules
from seabattle.solver.studies.answer_words import finished
from seabattle.solver.studies.first_hits import FirstHits
from seabattle.solver.studies.moved_ships import beside_ships

FIRST_SHOTS = 2
"""Sets of so many cells are searched unless asked otherwise; on 10x10 that takes seconds."""


@dataclass(frozen=True)
class MissBound:
    """A lower bound on the mean misses of every strategy, and what it is made of.

    Attributes
    ----------
    rules
        The game, all layouts equally likely.
    layouts
        Number of layouts.
    hidden
        Lengths of the ships that are hidden; all others are shown.
    words
        Mean misses that finding the hidden ships costs at least.
    beside
        Mean misses beside the ships shown, at least.
    first_shots
        Number of cells in the sets that were searched, 0 if the first shots play no part.
    """

    rules: Rules
    layouts: int
    hidden: tuple[int, ...]
    words: Fraction
    beside: Fraction
    first_shots: int

    @property
    def mean_misses(self) -> Fraction:
        """No strategy misses less on average."""
        return self.words + self.beside

    @property
    def mean_shots(self) -> Fraction:
        """No strategy needs fewer shots on average: misses and fleet cells."""
        return self.mean_misses + self.rules.fleet.cells

    @property
    def total_misses(self) -> int:
        """The least whole number of misses over all layouts that the bound allows."""
        return ceil(self.mean_misses * self.layouts)

    def __repr__(self) -> str:
        shown = sorted((Multiset(self.rules.fleet.lengths) - Multiset(self.hidden)).elements())
        return (
            f"<at least {float(self.mean_misses):.4f} misses on average: "
            f"{float(self.words):.4f} to find {_lengths(self.hidden)}, "
            f"{float(self.beside):.4f} beside {_lengths(tuple(reversed(shown)))}; {self.rules}>"
        )

    def _repr_html_(self) -> str:
        from seabattle.enumerate.picture import html_table

        shown = tuple((Multiset(self.rules.fleet.lengths) - Multiset(self.hidden)).elements())
        facts = [
            ("game", str(self.rules)),
            ("layouts", f"{self.layouts:,}"),
            ("misses on average", f"at least {float(self.mean_misses):.4f}"),
            ("shots on average", f"at least {float(self.mean_shots):.4f}"),
            (f"misses to find {_lengths(self.hidden)}", f"at least {float(self.words):.4f}"),
            *([(f"misses beside {_lengths(shown)}", f"at least {float(self.beside):.4f}")]
              if self.beside else []),
        ]  # fmt: skip
        return html_table((), facts, left=(0, 1))


def _lengths(lengths: tuple[int, ...]) -> str:
    return f"ships {','.join(map(str, lengths))}" if lengths else "no ship"


def miss_bound(
    rules: Rules,
    *,
    show: bool = True,
    beside: bool = True,
    first_shots: int = FIRST_SHOTS,
    progress: Callable[[], None] | None = None,
) -> MissBound:
    """The best lower bound on the mean misses of every strategy that these arguments prove.

    Parameters
    ----------
    rules
        The game.
    show, beside, first_shots
        Which arguments are used; see the module.
    progress
        Called after each count and each map.

    Returns
    -------
    bound
        The best one, with the fewest hidden ships where several are as good.

    Raises
    ------
    FleetError
        If the fleet has no layout.
    TooLargeError
        If counting needs too much memory.
    TypeError
        If a parameter is of the wrong type; names it.

    Examples
    --------
    >>> from seabattle.solver.search.solve import solve
    >>> rules = Rules("4x4", "2,1,1", contact="none", answers="sunk")
    >>> miss_bound(rules).total_misses, solve(rules).total_misses
    (1565, 1743)
    """
    require_rules(rules)
    require_flag("show", show)
    require_flag("beside", beside)
    require_whole("first_shots", first_shots, 0)
    require_function("progress", progress)
    told = progress or (lambda: None)
    study = _Study(rules, told)
    lengths = rules.fleet.lengths
    beside_of = dict.fromkeys(rules.fleet.counts, Fraction(0))
    if show and beside:
        beside_of = {length: beside_ships(rules, length, told) for length in beside_of}
    found = [study.bound(hidden, beside_of) for hidden in (_choices(rules) if show else [lengths])]
    best = max(found, key=lambda bound: bound.mean_misses)
    if first_shots:
        hits = FirstHits(rules, told)
        for bound in found:
            if bound.words + 1 > best.mean_misses:  # first shots add a fraction of a miss
                better = study.with_first_shots(bound.hidden, hits, first_shots)
                best = max(best, better, key=lambda bound: bound.mean_misses)
    return best


def bound_table(rules: Rules, *, first_shots: int = FIRST_SHOTS) -> str:
    """What each argument gives, and all together, in misses and in shots, as text.

    Parameters
    ----------
    rules
        The game.
    first_shots
        As for ``miss_bound``.

    Examples
    --------
    >>> print(bound_table(Rules("5x5", "3,2,2,1,1,1", answers="sunk")))
    5x5, fleet 3,2,2,1,1,1, contact none, answers sunk: 1,428 layouts
    <BLANKLINE>
    argument                      mean misses  mean shots  ships hidden
    -------------------------------------------------------------------
    words alone                        0.9412     10.9412  3,2,2,1,1,1
    some ships shown                   0.9412     10.9412  3,2,2,1,1,1
    and misses beside ships            1.2549     11.2549  none
    and the first shots, up to 2       1.2549     11.2549  none
    """
    rows = {
        "words alone": miss_bound(rules, show=False, beside=False, first_shots=0),
        "some ships shown": miss_bound(rules, beside=False, first_shots=0),
        "and misses beside ships": miss_bound(rules, first_shots=0),
        f"and the first shots, up to {first_shots}": miss_bound(rules, first_shots=first_shots),
    }
    wide = max(map(len, rows))
    heading = f"{'argument':<{wide}}  mean misses  mean shots  ships hidden"
    lines = [
        f"{name:<{wide}}  {float(bound.mean_misses):11.4f}  {float(bound.mean_shots):10.4f}  "
        f"{','.join(map(str, bound.hidden)) or 'none'}"
        for name, bound in rows.items()
    ]
    title = f"{rules}: {rows['words alone'].layouts:,} layouts"
    return "\n".join([title, "", heading, "-" * len(heading), *lines])


def _choices(rules: Rules) -> Iterator[tuple[int, ...]]:
    """Every choice of ships to hide, the fewest first."""
    counts = sorted(rules.fleet.counts.items())
    choices = [
        tuple(length for (length, _), n in zip(counts, each, strict=True) for _ in range(n))
        for each in product(*(range(most + 1) for _, most in counts))
    ]
    yield from sorted((tuple(sorted(c, reverse=True)) for c in choices), key=lambda c: (len(c), c))


class _Study:
    """What the bounds of one game share."""

    def __init__(self, rules: Rules, told: Callable[[], None]) -> None:
        self.rules = rules
        self._told = told
        self._counts: dict[tuple[int, ...], int] = {(): 1}
        self.layouts = self._layouts(rules.fleet.lengths)
        if not self.layouts:
            raise FleetError(
                f"fleet {rules.fleet}: no layout on the board {rules.board} under contact rule "
                f"{rules.contact.value!r}"
            )

    def _layouts(self, lengths: tuple[int, ...]) -> int:
        """Number of layouts of some of the ships."""
        if lengths not in self._counts:
            rules = self.rules
            fewer = Rules(rules.board, Fleet(lengths), contact=rules.contact, answers="hit")
            self._counts[lengths] = Counter(fewer).count()
            self._told()
        return self._counts[lengths]

    def _per_layout(self, hidden: tuple[int, ...]) -> Fraction:
        """Layouts of the ships shown, for each layout and each choice of its hidden ships."""
        fleet = Multiset(self.rules.fleet.lengths)
        part = Multiset(hidden)
        shown = tuple(sorted((fleet - part).elements(), reverse=True))
        ways = prod(comb(fleet[length], part[length]) for length in part)
        return Fraction(self._layouts(shown), self.layouts * ways)

    def bound(self, hidden: tuple[int, ...], beside_of: dict[int, Fraction]) -> MissBound:
        """The bound with these ships hidden and all others shown."""
        share = self._per_layout(hidden)
        words = Fraction(0)
        for misses in count_from():
            done = share * finished(self.rules, hidden, misses)
            if done >= 1 or not hidden:
                break
            words += 1 - done
        fleet, part = self.rules.fleet.counts, Multiset(hidden)
        beside = sum(
            (total * (fleet[length] - part[length]) / fleet[length]
             for length, total in beside_of.items()),
            start=Fraction(0),
        )  # fmt: skip
        return MissBound(self.rules, self.layouts, hidden, words, beside / self.layouts, 0)

    def with_first_shots(
        self, hidden: tuple[int, ...], hits: FirstHits, first_shots: int
    ) -> MissBound:
        """The bound of words alone, with what the first shots can hit at most."""
        share = self._per_layout(hidden)
        total = Fraction(0)
        for misses in count_from():
            done = min(
                hits.bound(shots, first_shots) / self.layouts
                + share * finished(self.rules, hidden, misses - shots)
                for shots in range(misses + 1)
            )
            if done >= 1:
                break
            total += 1 - done
        return MissBound(self.rules, self.layouts, hidden, total, Fraction(0), first_shots)
