"""What is known of the sub-tables after a shot, in answer mode ``hit``. Arrays and scalars only.

``hit_search`` says what the words mean, ``arrays`` what the planes of the scratch hold.
"""

from __future__ import annotations

from seabattle.enumerate.kernels import inner_kernel, prefetch
from seabattle.solver.search.kernels.arrays import (
    CERTAIN,
    HIT,
    KEY_HIGH,
    KEY_LOW,
    MISS,
    OCCUPIED,
    ROWS,
)
from seabattle.solver.search.kernels.keys import canonical_key
from seabattle.solver.search.kernels.shared_table import BUSY_ROWS, is_busy, look_up, mark_of
from seabattle.solver.search.kernels.transposition import (
    EMPTY,
    first_slot,
    has_high_word,
    misses_of,
)
from seabattle.solver.search.kernels.work import NO_LIMIT, PROBES, limits_misses


@inner_kernel
def make_key_ready(c, child, full, miss_limit, table, key_shares, masks):
    """Make the key of a child of the shot at c, and have its place in the table fetched.

    c : int64, cell; child : HIT or MISS; full : uint64, mask of the board
    miss_limit : int64, of the child
    table, key_shares : as in ``HitArrays``
    masks : uint64 (MASK_PLANES, 64), of one level; the planes of the child's key are modified
    """
    word, second, _ = canonical_key(
        masks[child + CERTAIN, c],
        full & ~masks[child + OCCUPIED, c],
        key_shares,
        has_high_word(table),
    )
    masks[child + KEY_LOW, c] = word
    masks[child + KEY_HIGH, c] = second
    prefetch(table, first_slot(table, word, second, miss_limit))


@inner_kernel
def known_bound(c, child, miss_limit, table, masks, counters):
    """Lower bound on a child's misses that the table knows, 0 when it knows nothing.

    c, child, miss_limit, table, masks : as in ``make_key_ready``, which was called before; nothing
        of them is modified
    counters : PROBES modified
    """
    word = masks[child + KEY_LOW, c]
    second = masks[child + KEY_HIGH, c]
    counters[PROBES] += 1
    packed = look_up(table, word, second, miss_limit)
    bound = 0 if packed == EMPTY else misses_of(packed)
    if limits_misses(miss_limit):
        packed = look_up(table, word, second, NO_LIMIT)
        if packed != EMPTY:
            bound = max(bound, misses_of(packed))
    return bound


@inner_kernel
def is_child_busy(c, n, miss_limit, fewer, counts, masks, busy):
    """Whether another thread is busy with what a shot at c leaves; all but busy of one level.

    c, n : int64, cell and rows of the sub-table; miss_limit, fewer : int64, after a hit and a miss
    counts, masks : scratch; busy : uint64 (size,), not empty
    """
    hits = counts[ROWS, c]
    if hits >= BUSY_ROWS and is_busy(
        busy, mark_of(masks[HIT + KEY_LOW, c], masks[HIT + KEY_HIGH, c], miss_limit)
    ):
        return True
    return n - hits >= BUSY_ROWS and is_busy(
        busy, mark_of(masks[MISS + KEY_LOW, c], masks[MISS + KEY_HIGH, c], fewer)
    )
