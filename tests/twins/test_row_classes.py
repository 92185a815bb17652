"""The published row-by-row count, 1,053,612 classes, and its definition word by word."""

from itertools import product

import pytest
from support.known_answers import known
from twins.row_classes import row_classes

from seabattle.enumerate.rules import Rules


def naive_classes(board, fleet, rows):
    """Classes after some rows: every filling is read by the definition, cell by cell."""
    _, width = board
    found = set()
    for filling in product(range(1 << width), repeat=rows):
        finished, last = [], [0] * width  # last: length of the open ship of each column
        for line in [*filling]:
            now = [0] * width
            bits = [line >> c & 1 for c in range(width)]
            runs = [
                bits[c] and any(0 <= d < width and bits[d] for d in (c - 1, c + 1))
                for c in range(width)
            ]
            for c in range(width):
                around = [d for d in (c - 1, c + 1) if 0 <= d < width]
                if bits[c] and any(last[d] for d in around):
                    break
                if last[c] == -1 and bits[c]:
                    break
                if runs[c] and last[c]:
                    break
                if bits[c]:
                    now[c] = -1 if runs[c] else last[c] + 1
                elif last[c] > 0:
                    finished.append(last[c])
            else:
                text = "".join(map(str, bits)).replace("0", " ").split()
                finished += [len(run) for run in text if len(run) > 1]
                last = now
                continue
            break
        else:
            opened = [n for n in last if n > 0]
            longest = max(fleet)
            fine = max([*finished, *opened], default=0) <= longest
            for length in range(1, longest + 1):
                fine = fine and finished.count(length) <= fleet.count(length)
                enough = sum(n >= length for n in fleet)
                fine = fine and sum(n >= length for n in finished + opened) <= enough
            if fine:
                found.add((tuple(last), tuple(sorted(finished))))
    return len(found)


@pytest.mark.parametrize(
    ("rows", "columns", "fleet"),
    [(3, 3, (2, 1)), (2, 4, (3, 2)), (3, 3, (3, 1)), (2, 5, (4, 1)), (3, 4, (3, 2, 1)),
     (4, 3, (2, 2)), (4, 3, (1,))],
)  # fmt: skip
def test_classes_are_those_of_the_definition(rows, columns, fleet):
    sizes = row_classes(rows, columns, fleet)
    expected = [naive_classes((rows, columns), fleet, row) for row in range(1, rows + 1)]
    assert sizes == expected


@pytest.mark.slow
@pytest.mark.parametrize("entry", known("row_classes"))
def test_published_classes(entry):
    rules = Rules(entry["board"], entry["fleet"], "none")
    sizes = row_classes(rules.board.rows, rules.board.columns, rules.fleet.lengths)
    assert sizes == entry["classes_after_row"]
