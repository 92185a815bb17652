"""Trees of every answer mode, node by node: the one that best shots lead to, or a greedy rule's.

A tree is emitted in preorder, the smallest answer code first. ``next_open`` emits leaves and shoots
certain hits that are due, until a shot has to be chosen; ``divide`` emits the node of that shot and
parts its rows by their answers, which ``name_answer`` gives by the rules of the game. Between the
two a greedy rule chooses, or the table of a search that has been there. What the table does not
know the search is asked, one sub-table at a time.

``grow_nodes`` returns FINISHED, STOP or ASK, after which it can be called again to go on, even with
another policy. Parameters that the kernels share:

    ids : int32 (n_rows,), or larger (``believe_hits``), modified: rows change places
    policy : Policy
    growing : Growing, modified; its first entry is the whole problem
    nodes : Nodes, modified
    arrays : SearchArrays; ``counts`` and counters modified
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seabattle.enumerate.answers import HIT, KERNEL_HIT, KERNEL_SHIP, MISS, SUNK, kernel_mode
from seabattle.enumerate.kernels import ONE, ZERO, group, kernel, lowest_bit
from seabattle.solver.search import arrays as at
from seabattle.solver.search import work
from seabattle.solver.search.arrays import Numbers, SmallNumbers, Words
from seabattle.solver.search.bounds import UNSOLVED, value_of_few
from seabattle.solver.search.exact_search import ExactSearch
from seabattle.solver.search.keys import make_key
from seabattle.solver.search.minimize import minimize
from seabattle.solver.search.queries import Goal, kernel_limit
from seabattle.solver.search.segments import close_segment, name_answer, part_segment, replay
from seabattle.solver.search.table import EMPTY, is_exact, look_up, mix_hash, shot_of, within
from seabattle.solver.search.work import after_miss, limits_misses, spend
from seabattle.trees.tree import Reading, Tree

# Columns of the stack of sub-tables whose nodes are still to be emitted: a segment, ...
LO = 0
HI = 1
PARENT = 2  # node it hangs from, -1 at the root
ANSWER = 3  # code of the answer that leads to it
SHOTS = 4  # shots so far, those of the position among them
MISSES = 5  # misses so far
LIMIT = 6  # miss limit still left
STACK_COLUMNS = 7
# ... and of its masks: cells shot so far, its H and U.
SHOT_CELLS = 0
CERTAIN = 1
OCCUPIED = 2
STACK_MASKS = 3

# Places in ``progress``.
HEIGHT = 0  # entries on the stack
GROWN = 1  # nodes emitted
LISTED = 2  # rows listed in their leaves
TOTAL_MISSES = 3  # of those leaves, and their worst case
WORST_MISSES = 4
NO_ROOM = 5  # 1 where the arrays of nodes are full
LEAVES = 6  # leaves emitted
TOLD = 7  # shot of the next sub-table plus 1, where the search was asked for it; else 0
PROGRESS = 8

FINISHED = 0
ASK = -2  # the search has to be asked for the shot of the next sub-table
OPEN = -3  # a shot has to be chosen there


@group
class Policy(NamedTuple):
    """How shots are chosen; every field is a number that loops read."""

    kind: int  # POLICY_HALF, POLICY_HITS, or POLICY_KNOWN: what the table of a search knows
    due_first: bool  # whether certain hits are shot before anything else
    random_ties: bool  # of a greedy rule: any of the best cells, else the first in reading order
    positive: bool  # whether a plain hit says no more than that the cell is occupied
    levels: int  # POLICY_KNOWN: highest level of a rollout whose shots are in the table, or -1
    exact_rows: int  # and sub-tables of more rows than this are shot at by POLICY_HITS


@group
class Growing(NamedTuple):
    """Sub-tables whose nodes are still to be emitted, and scratch."""

    entries: Numbers  # (cells times answers, STACK_COLUMNS)
    masks: Words  # as many, STACK_MASKS
    path: Numbers  # (shots of the position + cells + 1,): cells shot on the path, in order
    progress: Numbers  # (PROGRESS,); HEIGHT is 1 and the rest 0 at the start
    found: Numbers  # (cells + 1,): weight of the rows listed, by the misses that each costs
    codes: Numbers  # (as many as ``ids``,), scratch: answers
    names: Numbers  # (n_ships,), scratch
    shot: Words  # (1,), scratch: cells shot
    random: Words  # (1,): what the next tie is broken by
    mode: int  # answer mode of the rules, one of the ``KERNEL_`` numbers
    rows: int  # rows of the problem: see ``believe_hits``


@group
class Nodes(NamedTuple):
    """The tree being grown, with room for some nodes."""

    shots: NDArray[np.int16]  # cell shot at each node, -1 at a leaf
    parents: SmallNumbers  # node that each hangs from, -1 at the root
    answers: NDArray[np.uint16]  # code of the answer that leads to it
    leaf: Numbers  # rows listed when the node was emitted, its own among them
    members: SmallNumbers  # (n_rows,): rows in the order of their leaves


@kernel
def next_open(ids, policy, growing, nodes, arrays):
    """Emit leaves and certain hits that are due: OPEN where a shot is to be chosen, FINISHED, STOP.

    The masks of the entry on top are then filled in.
    """
    progress = growing.progress
    game = arrays.game
    full = game.full[0]
    while progress[HEIGHT] > 0:
        if progress[GROWN] >= nodes.shots.shape[0]:
            progress[NO_ROOM] = 1
            return work.STOP
        top = progress[HEIGHT] - 1
        entry = growing.entries[top]
        masks = growing.masks[top]
        lo = entry[LO]
        hi = entry[HI]
        if not spend(hi - lo, arrays.counters):
            return work.STOP
        certain, occupied = close_segment(ids, lo, hi, game.occupied_by, full)
        if certain == occupied:
            emit_leaf(ids, growing, nodes, game)
            continue
        masks[CERTAIN] = certain
        masks[OCCUPIED] = occupied
        due = certain & ~masks[SHOT_CELLS]
        if not policy.due_first or due == ZERO:
            return OPEN
        divide(lowest_bit(due), ids, policy, growing, nodes, game)
    return FINISHED


@kernel
def emit_leaf(ids, growing, nodes, game):
    """Emit the entry on top as a leaf, its rows in rising order."""
    progress = growing.progress
    top = progress[HEIGHT] - 1
    entry = growing.entries[top]
    node = progress[GROWN]
    first = listed = progress[LISTED]
    for i in range(entry[LO], entry[HI]):
        row = ids[i]
        if row >= growing.rows:
            continue
        weight = game.weights[row]
        progress[TOTAL_MISSES] += entry[MISSES] * weight
        growing.found[entry[MISSES]] += weight
        j = listed
        while j > first and nodes.members[j - 1] > row:
            nodes.members[j] = nodes.members[j - 1]
            j -= 1
        nodes.members[j] = row
        listed += 1
    progress[LISTED] = listed
    progress[WORST_MISSES] = max(progress[WORST_MISSES], entry[MISSES])
    nodes.shots[node] = -1
    nodes.parents[node] = entry[PARENT]
    nodes.answers[node] = entry[ANSWER]
    nodes.leaf[node] = listed
    progress[GROWN] += 1
    progress[LEAVES] += 1
    progress[HEIGHT] = top


@kernel
def answer_of(row, cell, shot, history, growing, game):
    """Code of a row's answer to a shot.

    row : int64; cell : int64; shot : uint64, cells shot before
    history : int64 (n_before,), the same in order
    growing : ``names`` modified
    """
    mode = growing.mode
    if mode == KERNEL_HIT:
        return HIT if (game.occupied_by[row] >> np.uint64(cell)) & ONE == ONE else MISS
    ships = game.ships[row].reshape((len(growing.names), 1))
    if mode == KERNEL_SHIP:
        replay(ships, game.lengths, history, growing.shot, growing.names, mode)
    growing.shot[0] = shot | ONE << np.uint64(cell)
    return name_answer(ships, game.lengths, cell, growing.shot, growing.names, mode)


@kernel
def believe_hits(lo, hi, ids, growing):
    """Put copies of the rows that a shot sinks before ``lo``, answered ``hit``.

    So it is where a plain hit says no more than that. The copy of row r is r + ``growing.rows``:
    the shooter takes it for possible, but its answer was another. A row is sunk on a path once for
    each ship: there is room for as many copies of all rows.

    Returns where the segment begins.
    """
    start = lo
    for i in range(lo, hi):
        if growing.codes[i] == SUNK:
            start -= 1
            ids[start] = ids[i] if ids[i] >= growing.rows else ids[i] + growing.rows
            growing.codes[start] = HIT
    return start


@kernel
def divide(cell, ids, policy, growing, nodes, game):
    """Emit the node of the sub-table on top with its shot, and put its parts on the stack."""
    progress = growing.progress
    node = progress[GROWN]
    top = progress[HEIGHT] - 1
    entries = growing.entries
    lo = entries[top, LO]
    hi = entries[top, HI]
    misses = entries[top, MISSES]
    limit = entries[top, LIMIT]
    count = entries[top, SHOTS]
    shot = growing.masks[top, SHOT_CELLS]
    nodes.shots[node] = cell
    nodes.parents[node] = entries[top, PARENT]
    nodes.answers[node] = entries[top, ANSWER]
    nodes.leaf[node] = progress[LISTED]
    progress[GROWN] += 1
    history = growing.path[:count]
    codes = growing.codes
    for i in range(lo, hi):
        codes[i] = answer_of(ids[i], cell, shot, history, growing, game)
    growing.path[count] = cell
    if policy.positive:
        lo = believe_hits(lo, hi, ids, growing)
    # The part that is left goes below the one before: so the smallest code ends on top.
    level = top
    while hi > lo:
        code = codes[lo]
        for i in range(lo + 1, hi):
            code = max(code, codes[i])
        mid = lo
        possible = False
        for i in range(lo, hi):  # those with the greatest code to the end
            if codes[i] == code:
                possible = possible or ids[i] < growing.rows
            else:
                swap = ids[i]
                ids[i] = ids[mid]
                ids[mid] = swap
                smaller = codes[i]
                codes[i] = codes[mid]
                codes[mid] = smaller
                mid += 1
        entries[level, LO] = mid
        entries[level, HI] = hi
        entries[level, PARENT] = node
        entries[level, ANSWER] = code
        entries[level, SHOTS] = count + 1
        entries[level, MISSES] = misses + (1 if code == MISS else 0)
        entries[level, LIMIT] = after_miss(limit) if code == MISS else limit
        growing.masks[level, SHOT_CELLS] = shot | ONE << np.uint64(cell)
        level += possible
        hi = mid
    progress[HEIGHT] = level


@kernel
def greedy_cell(policy, ids, growing, arrays):
    """Cell that a greedy rule shoots in the entry on top."""
    top = growing.progress[HEIGHT] - 1
    unknown = growing.masks[top, OCCUPIED] & ~growing.masks[top, CERTAIN]
    game = arrays.game
    counts = arrays.counts[0, at.WEIGHT]
    for c in range(64):
        counts[c] = 0
    whole = 0
    for i in range(growing.entries[top, LO], growing.entries[top, HI]):
        weight = game.weights[ids[i]]
        whole += weight
        left = game.occupied_by[ids[i]] & unknown
        while left != ZERO:
            counts[lowest_bit(left)] += weight
            left &= left - ONE
    chosen = -1
    best = 0
    equal = 0
    while unknown != ZERO:
        c = lowest_bit(unknown)
        unknown &= unknown - ONE
        score = -abs(2 * counts[c] - whole) if policy.kind == work.POLICY_HALF else counts[c]
        if chosen < 0 or score > best:
            chosen = c
            best = score
            equal = 1
        elif score == best and policy.random_ties:
            equal += 1
            growing.random[0] = mix_hash(growing.random[0])
            if np.int64(growing.random[0] >> np.uint64(32)) % equal == 0:
                chosen = c
    return chosen


@kernel
def shot_of_few(ids, lo, hi, unknown, limit, arrays):
    """A best shot at few rows whose values have a closed form, -1 where they have none."""
    options = arrays.options
    game = arrays.game
    least = fewest = work.INFEASIBLE
    cell = -1
    if value_of_few(ids, lo, hi - lo, limit, arrays) == UNSOLVED:
        return cell
    while unknown != ZERO:
        c = lowest_bit(unknown)
        bit = ONE << np.uint64(c)
        unknown ^= bit
        mid = part_segment(ids, lo, hi, bit, game.occupied_by)
        on_hit = on_miss = missed = 0
        for i in range(lo, mid):
            missed += game.weights[ids[i]]
        if hi - mid > 1:
            on_hit = value_of_few(ids, mid, hi - mid, limit, arrays) >> 7
        if mid - lo > 1:
            on_miss = value_of_few(ids, lo, mid - lo, after_miss(limit), arrays) >> 7
        value = missed + on_miss + on_hit
        if options[work.GOAL] == work.WORST:
            value = max(1 + on_miss, on_hit)
        if value < least or (value == least and missed < fewest):  # as the search tries them
            least = value
            fewest = missed
            cell = c
    return cell


@kernel
def known_shot(policy, ids, growing, arrays):
    """Shot of the entry on top that the table of a search knows, -1 where it knows none."""
    top = growing.progress[HEIGHT] - 1
    lo = growing.entries[top, LO]
    hi = growing.entries[top, HI]
    limit = growing.entries[top, LIMIT]
    certain = growing.masks[top, CERTAIN]
    occupied = growing.masks[top, OCCUPIED]
    table = arrays.table
    key = arrays.key[0]
    cell = shot_of_few(ids, lo, hi, occupied & ~certain, limit, arrays)
    if cell >= 0:
        return cell
    shot = growing.masks[top, SHOT_CELLS] & certain
    symmetry = make_key(ids, lo, hi, certain, occupied, shot, 0, arrays)
    packed = look_up(table, key[0], limit)
    if limits_misses(limit) and (packed == EMPTY or not is_exact(packed)):
        packed = within(look_up(table, key[0], work.NO_LIMIT), limit)
    levels = policy.levels
    while levels >= 0 and (packed == EMPTY or not is_exact(packed)):
        packed = look_up(table, key[0], levels)
        levels -= 1
    if packed == EMPTY or not is_exact(packed):
        return -1
    cell = shot_of(packed, symmetry, arrays.keys.moves)
    return cell if may_tell(cell, certain, occupied, shot, arrays.options) else -1


@kernel
def may_tell(cell, certain, occupied, shot, options):
    """Whether a shot tells rows apart: one read from a file may be any.

    cell : int64, -1 for none; shot : uint64, cells hit so far
    """
    known = shot if options[work.MODE] == work.OPEN_SUNK else certain
    return cell >= 0 and ((occupied & ~known) >> np.uint64(cell)) & ONE == ONE


@kernel
def grow_nodes(ids, policy, growing, nodes, arrays):
    """Emit the tree of a policy."""
    progress = growing.progress
    while True:
        found = next_open(ids, policy, growing, nodes, arrays)
        if found != OPEN:
            return found
        entry = growing.entries[progress[HEIGHT] - 1]
        cell = progress[TOLD] - 1
        progress[TOLD] = 0
        rows = entry[HI] - entry[LO]
        greedy = policy.kind != work.POLICY_KNOWN or rows > policy.exact_rows or entry[LIMIT] < 0
        if cell < 0 and greedy:
            cell = greedy_cell(policy, ids, growing, arrays)
        elif cell < 0:
            cell = known_shot(policy, ids, growing, arrays)
        if cell < 0:
            return ASK
        divide(cell, ids, policy, growing, nodes, arrays.game)


NODES_AT_ONCE = 1 << 16
"""Room for nodes that are not kept."""

Ask = Callable[..., int]
"""Asks a search about a sub-table, given the parameters of ``minimize`` up to its weight, and its
miss limit. It returns STOP as a kernel does, and leaves the shot in ``counters[SHOT]``, or -1 there
where it is in the table now."""


class GrowingTree:
    """A tree of some policy, node by node.

    Parameters
    ----------
    search
        The search whose rows, limits, reports and table are used.
    miss_limit
        Of the tree, for ``work``.
    kept
        Whether the nodes are kept. Otherwise there is no ``tree``, only what it costs.
    reading
        How a plain hit is read: see ``greedy``.

    Examples
    --------
    >>> from seabattle.enumerate.rules import Rules
    >>> from seabattle.solver.search.problem import as_problem
    >>> problem = as_problem(Rules("4x4", "3,2", answers="sunk"))
    >>> growing = GrowingTree(ExactSearch(problem))
    >>> growing.grow(work.POLICY_HITS)
    >>> growing.tree(objective="greedy-hits", status="bounded").total_misses
    330
    """

    def __init__(
        self,
        search: ExactSearch,
        *,
        miss_limit: int = work.NO_LIMIT,
        kept: bool = True,
        reading: Reading = Reading.FULL,
    ) -> None:
        self.search = search
        self.kept = kept
        self.reading = reading
        problem = search.problem
        n, ships = len(problem), problem.ships.shape[1]
        history = problem.table.position if problem.mode != work.PLAIN else None
        number = {board: cell for cell, board in enumerate(problem.board_cells)}
        shots = [] if history is None else [number[c] for c, _ in history.shots if c in number]
        depth = (problem.cells + 1) * (ships + 2)
        room = n
        if reading is Reading.POSITIVE:
            room += n * ships
            rows = np.tile(np.arange(n), 2)
            game = search.arrays.game
            twice = game._replace(
                occupied_by=game.occupied_by[rows],
                weights=game.weights[rows],
                ships=game.ships[rows],
            )
            search.arrays = search.arrays._replace(game=twice)
        self.ids = np.arange(n - room, n, dtype=np.int32)
        self.growing = Growing(
            np.zeros((depth, STACK_COLUMNS), dtype=np.int64),
            np.zeros((depth, STACK_MASKS), dtype=np.uint64),
            np.zeros(len(shots) + problem.cells + 1, dtype=np.int64),
            np.zeros(PROGRESS, dtype=np.int64),
            np.zeros(problem.cells + 1, dtype=np.int64),
            np.zeros(room, dtype=np.int64),
            np.zeros(ships, dtype=np.int64),
            np.zeros(1, dtype=np.uint64),
            np.zeros(1, dtype=np.uint64),
            kernel_mode(problem.rules),
            n,
        )
        self.growing.path[: len(shots)] = shots
        self.growing.entries[0] = room - n, room, -1, 0, len(shots), 0, miss_limit
        known = 0 if history is None else problem.mask(history.shot_mask)
        self.growing.masks[0, SHOT_CELLS] = known
        self.growing.progress[HEIGHT] = 1
        self.emitted = 0  # nodes that are not kept
        self.nodes = self._room(2 * n if kept else min(2 * n, NODES_AT_ONCE))

    def _room(self, count: int) -> Nodes:
        return Nodes(
            np.zeros(count, dtype=np.int16),
            np.zeros(count, dtype=np.int32),
            np.zeros(count, dtype=np.uint16),
            np.zeros(count, dtype=np.int64),
            np.zeros(self.growing.rows, dtype=np.int32),
        )

    def _make_room(self) -> None:
        """Forget the nodes but the root, or make room for half as many more."""
        self.growing.progress[NO_ROOM] = 0
        if not self.kept:
            self.emitted += int(self.growing.progress[GROWN]) - 1
            self.growing.progress[GROWN] = 1
            return
        smaller = self.nodes
        self.nodes = self._room(len(smaller.shots) * 3 // 2)
        for place, array in enumerate(smaller):
            larger: Any = self.nodes[place]
            larger[: len(array)] = array  # type: ignore[arg-type]

    def grow(
        self,
        kind: int,
        *,
        seed: int | None = None,
        ask: Ask | None = None,
        levels: int = -1,
        exact_rows: int | None = None,
    ) -> None:
        """Grow the tree to its end; after an exception the next call goes on from there.

        Parameters
        ----------
        kind
            ``POLICY_HALF``, ``POLICY_HITS``, or ``POLICY_KNOWN``: the shots that the table knows.
        seed
            Of a greedy rule: ties go to any of the cells, by default to the first.
        ask, levels, exact_rows
            Of ``POLICY_KNOWN``: what asks for shots that the table does not know; the others as in
            ``Policy``.

        Raises
        ------
        LimitReached, KeyboardInterrupt, Paused
            As in ``ExactSearch.run``.
        """
        search, growing = self.search, self.growing
        problem = search.problem
        known = kind == work.POLICY_KNOWN
        policy = Policy(
            kind,
            problem.hits_are_shot if known else problem.mode != work.PLAIN,
            seed is not None,
            self.reading is Reading.POSITIVE,
            levels,
            len(self.ids) if exact_rows is None else exact_rows,
        )
        if seed is not None:
            growing.random[0] = seed + 1

        def step() -> int:
            while True:
                value = int(grow_nodes(self.ids, policy, growing, self.nodes, search.arrays))
                if growing.progress[NO_ROOM]:
                    self._make_room()
                    continue
                if value != ASK:
                    return value
                top = growing.progress[HEIGHT] - 1
                lo, hi, limit = (int(growing.entries[top, place]) for place in (LO, HI, LIMIT))
                shot, certain, occupied = growing.masks[top]
                weight = int(search.arrays.game.weights[self.ids[lo:hi]].sum())
                search.counters[work.ARENA_TOP] = 0
                assert ask is not None
                if (
                    ask(self.ids, lo, hi, certain, occupied, shot & certain, weight, limit)
                    == work.STOP
                ):
                    return work.STOP
                growing.progress[TOLD] = search.counters[work.SHOT] + 1

        search.run(step)

    @property
    def worst_misses(self) -> int:
        """Misses at most of the rows in the leaves emitted."""
        return int(self.growing.progress[WORST_MISSES])

    @property
    def shots(self) -> int:
        """Nodes emitted that are no leaves."""
        progress = self.growing.progress
        return self.emitted + int(progress[GROWN] - progress[LEAVES])

    def tree(self, *, objective: str, status: str) -> Tree:
        """The tree, once it is grown; ``objective`` and ``status`` are recorded in it."""
        problem = self.search.problem
        progress, nodes = self.growing.progress, self.nodes
        count = int(progress[GROWN])
        shots, leaf, members = nodes.shots[:count].copy(), nodes.leaf[:count], nodes.members
        table = problem.table
        if problem.renumbered:
            inner = shots >= 0
            shots[inner] = np.array(problem.board_cells, dtype=np.int16)[shots[inner]]
        into, codes = nodes.parents[1:count], nodes.answers[1:count]
        edges = np.lexsort((codes, into))
        number = np.bincount(into, minlength=count)
        if len(problem.group) > len(problem):  # rows stand for several layouts
            size = np.bincount(problem.group, minlength=len(problem))
            start = np.concatenate(([0], np.cumsum(size)))
            before = np.concatenate(([0], np.cumsum(size[members])))
            place = np.arange(int(before[-1])) - np.repeat(before[:-1], size[members])
            by_group = np.argsort(problem.group, kind="stable")
            leaf = before[leaf]
            members = by_group[np.repeat(start[members], size[members]) + place]
        return Tree(
            rules=problem.rules,
            shots=shots,
            first=np.concatenate(([0], np.cumsum(number))).astype(np.int64),
            answers=codes[edges],
            children=(edges + 1).astype(np.int32),
            leaf=np.concatenate(([0], leaf)).astype(np.int64),
            ships=np.ascontiguousarray(table.layouts.ships[table.index[members]]),
            weights=table.weights[members] if len(table.weights) else table.weights,
            reading=self.reading,
            objective=objective,
            status=status,
            total_misses=int(progress[TOTAL_MISSES]),
            worst_misses=self.worst_misses,
            position=table.position,
        )


def grow_best(
    search: ExactSearch,
    goal: Goal = Goal.TOTAL,
    *,
    miss_limit: int | None = None,
    exact_rows: int | None = None,
    objective: str,
    status: str,
) -> Tree:
    """A best tree of the whole problem of a search.

    Parameters
    ----------
    search, goal, miss_limit
        As in ``ExactSearch.minimize``.
    exact_rows
        Where given, sub-tables of more rows than this are shot at greedily.
    objective, status
        Recorded in the tree.
    """
    search.kernel_options[work.GOAL] = goal
    growing = GrowingTree(search, miss_limit=kernel_limit(goal, miss_limit))

    def ask(*of_rows: Any) -> int:
        *part, limit = of_rows
        value = int(minimize(*part, work.INFEASIBLE, limit, 0, at.NO_KEY, search.arrays))
        cell = search.counters[work.SHOT]
        if value != work.STOP and not may_tell(cell, *part[3:6], search.kernel_options):
            raise search.contradiction("a shot that tells nothing is said to be best")
        return value

    growing.grow(work.POLICY_KNOWN, ask=ask, exact_rows=exact_rows)
    return growing.tree(objective=objective, status=status)
