"""Check a proof that a game of Battleship takes so many misses at least, whoever shoots.

    python check_proof.py FILE.txt.xz

A program of its own: plain Python 3.10 or later, nothing of seabattle. The page "Checking a proof"
tells the format and proves the rules. In short: a *sub-table* is a set of layouts that answers
leave. It is given by H, the cells that all its layouts occupy, and M, those that none does; with
answers `ship` also by which ship lies where in H. A *lemma* says of a sub-table that it takes so
many misses at least: in all, each layout by its weight, or for the worst of its layouts.

A set of layouts is kept here as one whole number, with a bit for each layout.
"""

import gzip
import json
import lzma
import sys
from collections import Counter
from itertools import combinations
from math import comb

FIELDS = {"format", "version", "board", "fleet", "contact", "answers", "announce", "blocked",
          "weights", "position", "objective", "claim"}  # fmt: skip
FEW = 4  # layouts of a sub-table that is solved outright


class Wrong(Exception):
    """What is wrong with a proof."""


def bits(mask):
    """The numbers of the bits of a mask."""
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def forms_of(text):
    """The ways in which a ship may lie: sets of (row, column)."""
    fixed = text[-1] in "=hv"
    text = text.rstrip("=")
    if text[-1] in "hv":
        text = f"1x{text[:-1]}" if text[-1] == "h" else f"{text[:-1]}x1"
    if text.isdigit():
        text = f"1x{text}"
    if text.replace("x", "", 1).isdigit():
        height, width = map(int, text.split("x"))
        text = "/".join(["x" * width] * height)
    form = {(r, c) for r, row in enumerate(text.split("/")) for c, s in enumerate(row) if s == "x"}
    found = set()
    for turned in [form] if fixed else turns(form):
        top, left = (min(place) for place in zip(*turned, strict=True))
        found.add(frozenset((r - top, c - left) for r, c in turned))
    return found


def turns(cells):
    """Cells turned and mirrored in all ways, in the same order."""
    for mirrored in (False, True):
        turned = [(r, -c) if mirrored else (r, c) for r, c in cells]
        for _ in range(4):
            yield turned
            turned = [(c, -r) for r, c in turned]


class Proof:
    """The layouts of a game, and the lemmas about its sub-tables."""

    def __init__(self, header):
        if set(header) - FIELDS or header["format"] != "seabattle-proof" or header["version"] != 1:
            raise Wrong("the first line is not that of a proof of version 1")
        self.height, self.width = map(int, header["board"].split("x"))
        self.cells = range(self.height * self.width)
        self.fleet = header["fleet"].split(",")
        self.contact, self.answers = header["contact"], header["answers"]
        self.worst = {"mean": False, "worst": True}[header["objective"]]
        if self.answers == "sunk" and self.contact == "sides":
            raise Wrong("with answers 'sunk' and contact 'sides' sub-tables have no such key")
        self.beside = [self.around(cell, corners=False) for cell in self.cells]
        self.claim = header["claim"]
        self.take_layouts(header)
        self.lemmas, self.counts, self.values, self.parted = {}, {}, {}, {}

    def around(self, cell, corners):
        """Mask of the cells beside a cell, also at its corners where wanted."""
        row, column = divmod(cell, self.width)
        return sum(1 << r * self.width + c
                   for r in range(max(0, row - 1), min(self.height, row + 2))
                   for c in range(max(0, column - 1), min(self.width, column + 2))
                   if (r, c) != (row, column) and (corners or r == row or c == column))  # fmt: skip

    def number(self, name):
        """The number of a cell, such as C3."""
        letters = name.rstrip("0123456789")
        column = 0
        for letter in letters.upper():
            column = 26 * column + ord(letter) - 64
        return (int(name[len(letters):]) - 1) * self.width + column - 1

    # The layouts.

    def take_layouts(self, header):
        """List the layouts that fit the position, with their weights, and number them."""
        closed = sum(1 << self.number(cell) for cell in header.get("blocked", ()))
        found = {()}
        for ship, count in Counter(self.fleet).items():
            places = []
            for form in forms_of(ship):
                high, wide = (1 + max(place) for place in zip(*form, strict=True))
                for r in range(self.height - high + 1):
                    for c in range(self.width - wide + 1):
                        mask = sum(1 << (r + y) * self.width + c + x for y, x in form)
                        if not mask & closed:
                            places.append((mask, mask | self.kept_free(mask)))
            for _ in range(count):
                found = {tuple(sorted((*layout, mask))) for layout in found
                         for mask, taken in places if not any(taken & ship for ship in layout)}  # fmt: skip
        given = header.get("weights")
        if given is not None:
            listed = {tuple(sorted(int(ship, 16) for ship in ships.split())): weight
                      for ships, weight in given.items()}  # fmt: skip
            if not set(listed) <= found or min(listed.values()) < 1:
                raise Wrong("the weights are not of layouts of this game")
        shots = [(self.number(cell), answer) for cell, answer in header.get("position", ())]
        weights = Counter()
        for layout in found if given is None else listed:
            if self.fits(layout, shots):
                key = sum(layout) if self.answers == "hit" else layout
                weights[key] += 1 if given is None else listed[layout]
        if not weights:
            raise Wrong("no layout fits")
        # By weight, so that the lightest of a set is its lowest bit and the heaviest its highest.
        rows = sorted(weights, key=lambda row: (weights[row], row))
        self.weights = [weights[row] for row in rows]
        self.uniform = self.weights[-1] == 1
        self.everything = (1 << len(rows)) - 1
        occupied = [row if self.answers == "hit" else sum(row) for row in rows]
        self.column = [self.those(row >> cell & 1 for row in occupied) for cell in self.cells]
        self.ship_cells = occupied[0].bit_count()
        self.planes = [self.those(weight >> k & 1 for weight in self.weights)
                       for k in range(self.weights[-1].bit_length())]  # fmt: skip
        self.named, self.same = {}, {}
        if self.answers == "ship":
            for i, row in enumerate(rows):
                for ship in row:
                    for cell in bits(ship):
                        key = ship.bit_count(), cell
                        self.named[key] = self.named.get(key, 0) | 1 << i
                    for pair in combinations(bits(ship), 2):
                        self.same[pair] = self.same.get(pair, 0) | 1 << i
        places = [divmod(cell, self.width) for cell in self.cells]
        self.symmetries = []
        for turned in turns(places):
            top, left = (min(place) for place in zip(*turned, strict=True))
            moved = [(r - top) * self.width + c - left for r, c in turned]
            if sorted(moved) == list(self.cells) and all(
                weights.get(self.moved(row, moved)) == weight for row, weight in weights.items()
            ) and moved not in self.symmetries:
                self.symmetries.append(moved)

    def kept_free(self, ship):
        """The cells that no other ship may occupy beside a ship."""
        free = 0
        for cell in bits(ship) if self.contact != "sides" else ():
            free |= self.around(cell, corners=self.contact == "none")
        return free

    def fits(self, layout, shots):
        """Whether a layout gives the answers of a position."""
        hit, names = 0, {}
        for cell, answer in shots:
            hit |= 1 << cell
            ship = next((ship for ship in layout if ship >> cell & 1), 0)
            told = "hit" if ship else "miss"
            if ship and self.answers == "sunk" and ship & ~hit == 0:
                told = "sunk"
            elif ship and self.answers == "ship":
                length = ship.bit_count()
                alike = [other for other in names if other.bit_count() == length]
                told = f"hit:{length}#{names.setdefault(ship, len(alike) + 1)}"
            if told != answer:
                return False
        return True

    def moved(self, row, symmetry):
        """A mask, or each of some, under a symmetry."""
        if isinstance(row, tuple):
            return tuple(sorted(self.moved(ship, symmetry) for ship in row))
        return sum(1 << symmetry[cell] for cell in bits(row))

    def those(self, told):
        """The set of the layouts for which a bit is told."""
        return int("".join(map(str, told))[::-1], 2)

    # Sub-tables.

    def weight(self, rows):
        """The weight of some layouts."""
        if self.uniform:
            return rows.bit_count()
        return sum((rows & plane).bit_count() << k for k, plane in enumerate(self.planes))

    def closed(self, rows):
        """H and M: the cells that all of some layouts occupy, and that none does."""
        certain = water = 0
        for cell, column in enumerate(self.column):
            held = rows & column
            if held == rows:
                certain |= 1 << cell
            elif not held:
                water |= 1 << cell
        return certain, water

    def groups(self, certain):
        """Certain cells that share sides, group by group, each with the cells beside it."""
        while certain:
            group = fresh = certain & -certain
            around = 0
            while fresh:
                for cell in bits(fresh):
                    around |= self.beside[cell]
                fresh = around & certain & ~group
                group |= fresh
            certain &= ~group
            yield group, around & ~group

    def occupying(self, cells):
        """The layouts that occupy some of the cells."""
        found = 0
        for cell in bits(cells):
            found |= self.column[cell]
        return found

    def questions(self, certain):
        """Sets of layouts that the answers to shots at certain cells tell from all others."""
        if self.answers == "sunk":
            for _, around in self.groups(certain):
                yield self.occupying(around)
        elif self.answers == "ship":
            cells = bits(certain)
            for length in {int(key[0]) for key in self.named}:
                for cell in cells:
                    yield self.named.get((length, cell), 0)
            for pair in combinations(cells, 2):
                yield self.same.get(pair, 0)

    def parts(self, rows):
        """The sub-tables that are left of some layouts once all certain hits are shot."""
        if self.answers == "hit" or rows & (rows - 1) == 0:
            return [rows] if rows else []
        if rows not in self.parted:
            certain, _ = self.closed(rows)
            for told in self.questions(certain):
                if 0 != rows & told != rows:
                    found = self.parts(rows & told) + self.parts(rows & ~told)
                    break
            else:
                found = [rows]
            self.parted[rows] = found
        return self.parted[rows]

    def sub_table(self, ships, certain, water):
        """The layouts of H, M and, with answers `ship`, some ships."""
        rows = self.everything
        for cell in bits(certain):
            rows &= self.column[cell]
        rows &= ~self.occupying(water)
        if self.answers == "sunk":  # a group beside which a ship may go on is not sunk
            for _, around in self.groups(certain):
                if around & ~water:
                    rows &= self.occupying(around & ~water)
        for i, (length, cells) in enumerate(ships):
            first, *others = bits(cells)
            rows &= self.named.get((length, first), 0)
            for cell in others:
                rows &= self.same.get((first, cell), 0)
            for _, apart in ships[:i]:
                rows &= ~self.same.get(tuple(sorted((first, bits(apart)[0]))), 0)
        return rows

    # Bounds.

    def counted(self, rows):
        """A bound by counting: what any shots can have found after so many misses."""
        if rows not in self.counts:
            count, columns = rows.bit_count(), []
            hits = self.ship_cells
            for column in self.column:
                held = (rows & column).bit_count()
                if held == count:
                    hits -= 1
                elif held:
                    columns.append((held, column))
            columns.sort(reverse=True)
            held = [number for number, _ in columns]
            lightest = self.weights[(rows & -rows).bit_length() - 1]
            heaviest = self.weights[rows.bit_length() - 1]
            weight, bound = self.weight(rows), 0
            weights = held if self.uniform else sorted(
                (self.weight(rows & column) for _, column in columns), reverse=True)  # fmt: skip
            for k in range(len(held)):
                first = held[: k + 1]
                if self.answers == "hit":  # a shot finds no more than words of k - j misses tell
                    first = [min(n, comb(hits - 1 + k - j, k - j)) for j, n in enumerate(first)]
                found = sum(first)
                if found >= count:
                    break
                left = max((count - found) * lightest, weight - found * heaviest)
                bound += 1 if self.worst else max(left, weight - sum(weights[: k + 1]))
            self.counts[rows] = bound
        return self.counts[rows]

    def solved(self, rows):
        """The value of a few layouts, solved outright; 0 of more than that."""
        if rows.bit_count() > FEW:
            return 0
        if rows not in self.values:
            shots = {held for column in self.column if 0 != (held := rows & column) != rows}
            self.values[rows] = min((self.shot(rows, held, [self.solved]) for held in shots), default=0)
        return self.values[rows]

    def told(self, rows):
        """What a lemma says of some layouts; 0 where none does."""
        return self.lemmas.get(rows, 0)

    def shot(self, rows, held, known, enough=float("inf")):
        """A bound on the misses that follow a shot which hits `held` of some layouts."""
        parts = [(part, missed) for missed, side in enumerate((held, rows & ~held))
                 for part in self.parts(side)]  # fmt: skip
        bounds = [0] * len(parts)
        at_once = 0 if self.worst else self.weight(rows & ~held)
        value = 0
        for bound in known:
            bounds = [max(least, bound(part)) for least, (part, _) in zip(bounds, parts, strict=True)]
            if self.worst:
                value = max(least + missed for least, (_, missed) in zip(bounds, parts, strict=True))
            else:
                value = at_once + sum(bounds)
            if value >= enough:
                break
        return value

    def follows(self, rows, bound):
        """Whether a bound follows: from counting, or for each shot from what its parts take."""
        if max(self.counted(rows), self.solved(rows)) >= bound:
            return True
        tried = []
        for held in sorted({rows & column for column in self.column} - {0, rows},
                           key=int.bit_count, reverse=True):  # fmt: skip
            if any(held & ~better == 0 for better in tried):
                continue  # what it hits, a shot hits that was looked at: it is no better
            if self.shot(rows, held, [self.told, self.counted, self.solved], bound) < bound:
                return False
            tried.append(held)
        return True

    # The proof.

    def take_lemma(self, line):
        """Read a lemma and note what it says of its sub-table and of the images of that."""
        try:
            first, second, third = line.split(" ")
            ships = []
            if self.answers == "ship":
                ships = [(int(length), int(mask, 16)) for length, _, mask in
                         (ship.partition(":") for ship in first.split(",") if first != "0")]  # fmt: skip
                certain = sum(mask for _, mask in ships)
            else:
                certain = int(first, 16)
            water, bound = int(second, 16), int(third)
        except ValueError:
            raise Wrong("it is no lemma: H, M and a bound") from None
        rows = self.sub_table(ships, certain, water)
        if not rows or self.closed(rows) != (certain, water):
            raise Wrong("H and M are not what all layouts of a sub-table occupy, and none")
        for moved in self.symmetries:
            image = self.sub_table([(length, self.moved(mask, moved)) for length, mask in ships],
                                   self.moved(certain, moved), self.moved(water, moved))  # fmt: skip
            self.lemmas[image] = max(bound, self.lemmas.get(image, 0))
        return rows, bound

    def check(self, lines, say=lambda text: None):
        """Check all lemmas and the claim; the number of lemmas."""
        read = []
        for number, line in enumerate(lines, 2):
            try:
                read.append((number, *self.take_lemma(line)))
            except Wrong as wrong:
                raise Wrong(f"line {number}: {wrong}") from None
        for done, (number, rows, bound) in enumerate(read):
            if not self.follows(rows, bound):
                raise Wrong(f"line {number}: the bound {bound} does not follow")
            if done % 1000 == 0:
                say(f"{done} of {len(read)} lemmas hold")
        bounds = [max(known(part) for known in (self.told, self.counted, self.solved))
                  for part in self.parts(self.everything)]  # fmt: skip
        if (max if self.worst else sum)(bounds) < self.claim:
            raise Wrong(f"line 1: the claim {self.claim} does not follow")
        return len(read)


def read_lines(path):
    """The lines of a proof."""
    kinds = {".gz": gzip.open, ".xz": lzma.open}
    with kinds.get(path[path.rfind("."):], open)(path, "rt", encoding="ascii") as stream:
        yield from (line.rstrip("\n") for line in stream)


def main():
    """Check the proof of a file; exit status 1 where it does not hold."""
    try:
        lines = read_lines(sys.argv[1])
        header = json.loads(next(lines))
        proof = Proof(header)
        lemmas = proof.check(lines, lambda text: print(f"\r{text}", end="", file=sys.stderr))
    except (Wrong, OSError, EOFError, StopIteration, KeyError, ValueError, TypeError) as wrong:
        sys.exit(f"{sys.argv[1:]}: no proof: {wrong!r}")
    print(f"\rproven by {lemmas} lemmas: {header['objective']} misses of {sum(proof.weights)} "
          f"layouts are {proof.claim} at least")  # fmt: skip


if __name__ == "__main__":
    main()
