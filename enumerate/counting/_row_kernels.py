"""Kernels that list the classes of a row-by-row count: see ``row_classes``."""

from __future__ import annotations

import numpy as np

from seabattle.enumerate.compiler import ONE, ZERO, allocating_kernel, kernel


@kernel
def _place(table, key):
    """Slot of ``key`` in an open-addressing table of keys plus one, or of the gap for it."""
    size = np.uint64(len(table) - 1)
    slot = (key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(24) & size
    while table[slot] != ZERO and table[slot] != key + ONE:
        slot = (slot + ONE) & size
    return slot


@kernel
def refill(keys, count, table):
    """Put the first ``count`` keys into an empty table."""
    for i in range(count):
        table[_place(table, keys[i])] = keys[i] + ONE


@allocating_kernel
def extend_classes(width, lines, fleet, strides, keys, first, stop, count, table):
    """Classes after one more row, from those numbered ``first`` to ``stop``.

    Parameters: ``lines`` int64 ``(n, 3)``: cells of a row, those of its runs of two or more, and
    what its runs add to the counts of finished ships; ``fleet`` int64 ``(longest + 1,)`` ships of
    each length; ``strides`` int64 ``(longest + 1,)`` what a ship adds to the count part of a key;
    ``keys`` uint64, the classes, and ``table`` uint64 ``(2**k,)`` their hash table, both modified.
    A key holds, to the base ``longest + 2``, for each column 0, the length of the open ship that
    ends there, or ``longest + 1`` in a run; the counts of finished ships come above. Returns the
    number of classes now and the first class not extended, earlier than ``stop`` when full.
    """
    longest = len(fleet) - 1
    base = np.uint64(longest + 2)
    top = ONE
    for _ in range(width):
        top *= base
    digits = np.empty(width, dtype=np.int64)
    closed = np.empty(longest + 1, dtype=np.int64)
    opened = np.empty(longest + 1, dtype=np.int64)
    for at in range(first, stop):
        if count + len(lines) > min(len(keys), len(table) // 2):
            return count, at
        rest = keys[at] % top
        done = np.int64(keys[at] // top)
        bits, runs = 0, 0
        for c in range(width):
            digits[c] = np.int64(rest % base)
            rest //= base
            if digits[c] > 0:
                bits |= 1 << c
            if digits[c] > longest:
                runs |= 1 << c
        for n in range(len(lines)):
            line, line_runs = lines[n, 0], lines[n, 1]
            if line & (bits << 1 | bits >> 1 | runs) or line_runs & bits:
                continue
            total = done + lines[n, 2]
            opened[:] = 0
            key = ZERO
            power = ONE
            fits = True
            for c in range(width):
                here = line >> c & 1
                before = digits[c]
                if line_runs >> c & 1:
                    key += np.uint64(longest + 1) * power
                elif here:
                    length = before + 1
                    if length > longest:
                        fits = False
                        break
                    opened[length] += 1
                    key += np.uint64(length) * power
                elif 0 < before <= longest:
                    total += strides[before]
                power *= base
            if not fits:
                continue
            for length in range(1, longest + 1):  # a count above the fleet's shows as a carry
                closed[length] = (total // strides[length]) % 64
            sum_closed, sum_open, sum_fleet = 0, 0, 0
            for length in range(longest, 0, -1):
                sum_closed += closed[length]
                sum_open += opened[length]
                sum_fleet += fleet[length]
                if closed[length] > fleet[length] or sum_closed + sum_open > sum_fleet:
                    fits = False
                    break
            if not fits:
                continue
            key += np.uint64(total) * top
            slot = _place(table, key)
            if table[slot] == ZERO:
                table[slot] = key + ONE
                keys[count] = key
                count += 1
    return count, stop
