"""Check a proof that a game of Battleship takes so many misses at least, whoever shoots.

    python check_proof.py FILE

A program of its own: plain Python, nothing of seabattle, nothing to install. The page "Checking a
proof" tells the format and proves the rules. In short: a *sub-table* is what answers leave of the
layouts, once all cells are shot that all of them occupy. It is given by H, these cells, and M,
those that none occupies; with answers `ship` H says which ship is where. A *lemma* says that a
sub-table takes so many misses at least: in all, or for the worst of its layouts.

A set of layouts is one whole number, with a bit for each layout. So is a set of cells, a *mask*.
"""

import gzip
import json
import lzma
import sys
from collections import Counter
from math import comb, inf

ANSWERS = "hit", "sunk", "ship"
TOLD = "board", "fleet", "contact", "answers", "blocked", "position"
DAMAGED = OSError, EOFError, StopIteration, LookupError, ValueError, TypeError, AttributeError
MOST_CELLS = 128  # of a board
FEW = 4  # layouts of a sub-table that is solved outright


class ProofError(Exception):
    """What is wrong with a proof."""


def bits(number):
    """The places of the bits of a number."""
    found = []
    while number:
        lowest = number & -number
        found.append(lowest.bit_length() - 1)
        number ^= lowest
    return found


def turned(places):
    """Places (row, column) turned and mirrored in all eight ways, each moved to the corner."""
    for mirrored in (False, True):
        moved = [(row, -column) if mirrored else (row, column) for row, column in places]
        for _ in range(4):
            moved = [(column, -row) for row, column in moved]
            top, left = min(row for row, _ in moved), min(column for _, column in moved)
            yield [(row - top, column - left) for row, column in moved]


class Game:
    """The layouts of a game that fit a position, numbered from the lightest to the heaviest."""

    def __init__(self, header):
        self.height, self.width = map(int, header["board"].split("x"))
        if self.height * self.width > MOST_CELLS:
            raise ProofError(f"this program knows boards of up to {MOST_CELLS} cells")
        self.cells = range(self.height * self.width)
        self.places = [divmod(cell, self.width) for cell in self.cells]
        self.contact, self.answers = header["contact"], header["answers"]
        if (self.answers, self.contact) == ("sunk", "sides") or self.answers not in ANSWERS:
            raise ProofError("with such answers H and M do not tell a sub-table")
        names = header["blocked"].split(",") if "blocked" in header else []
        blocked = sum(1 << self.number(name) for name in names)
        layouts = dict.fromkeys(self.layouts(header["fleet"].split(","), blocked), 1)
        if given := header.get("weights"):
            masks = [tuple(sorted(int(ship, 16) for ship in ships.split())) for ships in given]
            if not layouts.keys() >= set(masks) or min(given.values()) < 1:
                raise ProofError("the weights are not of layouts of this game")
            layouts = dict(zip(masks, given.values(), strict=True))
        shots = [(self.number(cell), answer) for cell, answer in header.get("position", ())]
        weights = Counter()
        for layout, weight in layouts.items():
            if self.fits(layout, shots):
                weights[(sum(layout),) if self.answers == "hit" else layout] += weight
        self.rows = sorted(weights, key=lambda row: (weights[row], row))
        self.weights = [weights[row] for row in self.rows]
        self.everything = (1 << len(self.rows)) - 1
        self.ship_cells = sum(self.rows[0]).bit_count()
        self.columns = [self.those(sum(r) >> c & 1 for r in self.rows) for c in self.cells]
        self.symmetries, self.parted = list(self.kept_by(weights)), {}

    def number(self, name):
        """The number of a cell, such as C3."""
        letters, column = name.rstrip("0123456789"), 0
        for letter in letters:
            column = 26 * column + ord(letter) - ord("A") + 1
        return (int(name[len(letters) :]) - 1) * self.width + column - 1

    def those(self, told):
        """The set of the layouts for which 1 is told, not 0."""
        return int("".join(map(str, told))[::-1], 2)

    def layouts(self, fleet, blocked):
        """All layouts: the masks of the ships in rising order."""
        found = {()}
        for ship, count in Counter(fleet).items():
            if not ship.isdigit():
                raise ProofError(f"ship {ship}: this program knows lines alone")
            places = []
            line = [(0, column) for column in range(int(ship))]
            for form in set(map(tuple, map(sorted, turned(line)))):
                for row, column in self.places:
                    cells = [(row + r, column + c) for r, c in form]
                    if all(r < self.height and c < self.width for r, c in cells):
                        mask = sum(1 << r * self.width + c for r, c in cells)
                        if not mask & blocked:
                            places.append((mask, self.closed_by(cells)))
            for _ in range(count):
                found = {
                    tuple(sorted((*layout, mask)))
                    for layout in found
                    for mask, closed in places
                    if not sum(layout) & closed
                }
        return found

    def closed_by(self, cells):
        """Mask of the cells that no other ship may occupy, as a ship is there."""
        near = {"none": 2, "corners": 1, "sides": 0}[self.contact]  # squared, from cell to cell
        closed = 0
        for cell, (row, column) in enumerate(self.places):
            if any((row - r) ** 2 + (column - c) ** 2 <= near for r, c in cells):
                closed |= 1 << cell
        return closed

    def fits(self, layout, shots):
        """Whether a layout gives the answers of a position."""
        hit, names = 0, {}
        for cell, answer in shots:
            hit |= 1 << cell
            ship = next((ship for ship in layout if ship >> cell & 1), 0)
            told, length = "hit" if ship else "miss", ship.bit_count()
            if ship and self.answers == "sunk" and ship & hit == ship:
                told = "sunk"
            if ship and self.answers == "ship":
                before = sum(other.bit_count() == length for other in names)
                told = f"hit:{length}#{names.setdefault(ship, before + 1)}"
            if told != answer:
                return False
        return True

    def kept_by(self, weights):
        """For each symmetry of the board that keeps all layouts and weights: where each goes."""
        place = {row: i for i, row in enumerate(self.rows)}
        for moved in turned(self.places):
            image = [row * self.width + column for row, column in moved]
            if max(column for _, column in moved) >= self.width:
                continue  # it turns a board that is no square
            moved = [[sum(1 << image[c] for c in bits(ship)) for ship in row] for row in self.rows]
            rows = [tuple(sorted(row)) for row in moved]
            if [weights.get(row) for row in rows] == self.weights:
                yield [place[row] for row in rows]

    def weight(self, rows):
        """The weight of some layouts."""
        uniform = self.weights[-1] == 1
        return rows.bit_count() if uniform else sum(self.weights[row] for row in bits(rows))

    def closure(self, rows):
        """H and M of some layouts: the cells that all of them occupy, and that none does."""
        certain = water = 0
        for cell, column in enumerate(self.columns):
            if rows & column == rows:
                certain |= 1 << cell
            elif not rows & column:
                water |= 1 << cell
        return certain, water

    def told(self, row, certain):
        """What a layout answers to shots at all cells of a mask, whatever their order."""
        ships = [(ship.bit_count(), ship & certain) for ship in self.rows[row] if ship & certain]
        if self.answers == "sunk":
            ships = [(length, hit) for length, hit in ships if hit.bit_count() == length]
        return sorted(ships)

    def parts(self, rows):
        """The sub-tables that are left of some layouts, once all that is certain is shot."""
        if self.answers == "hit" or rows & (rows - 1) == 0:
            return [rows] if rows else []
        if rows not in self.parted:
            certain, _ = self.closure(rows)
            alike = Counter()
            for row in bits(rows):
                alike[tuple(self.told(row, certain))] |= 1 << row
            apart = (self.parts(some) for some in alike.values() if some != rows)
            self.parted[rows] = [part for parts in apart for part in parts] or [rows]
        return self.parted[rows]


class Proof:
    """The lemmas of a proof, and what follows from them."""

    def __init__(self, header, lines):
        if (header["format"], header["version"]) != ("seabattle-proof", 1):
            raise ProofError("this is no proof of version 1")
        self.game, self.claim = Game(header), header["claim"]
        self.worst = {"mean": False, "worst": True}[header["objective"]]
        self.lemmas, self.counts, self.values = {}, {}, {}
        self.listed = [self.lemma(number, line) for number, line in enumerate(lines, 2)]

    def lemma(self, number, line):
        """Read a lemma, and note what it says of its sub-table and of the images of that."""
        game = self.game
        try:
            ships, water, bound = line.split(" ")
            water, bound, named = int(water, 16), int(bound), None
            if game.answers == "ship":
                pairs = [ship.split(":") for ship in ships.split(",") if ships != "0"]
                named = sorted((int(length), int(mask, 16)) for length, mask in pairs)
            certain = sum(mask for _, mask in named) if named is not None else int(ships, 16)
        except ValueError:
            raise ProofError(f"line {number}: a lemma is H, M and a bound") from None
        rows = game.everything
        for cell, column in enumerate(game.columns):
            rows &= column if certain >> cell & 1 else ~column if water >> cell & 1 else -1
        told = [part for part in game.parts(rows) if game.closure(part) == (certain, water)]
        if named is not None:
            told = [part for part in told if game.told(bits(part)[0], certain) == named]
        if len(told) != 1:
            raise ProofError(f"line {number}: there is no sub-table with this H and M")
        for image in game.symmetries:
            moved = sum(1 << image[row] for row in bits(told[0]))
            self.lemmas[moved] = max(bound, self.lemmas.get(moved, 0))
        return number, told[0], bound

    def counted(self, rows):
        """A bound by counting: what shots can have found with at most k misses."""
        if rows in self.counts:
            return self.counts[rows]
        game, count = self.game, rows.bit_count()
        columns = [rows & column for column in game.columns]
        hits = game.ship_cells - columns.count(rows)  # cells that each layout has outside H
        held = sorted((n for each in columns if 0 < (n := each.bit_count()) < count), reverse=True)
        lightest, heaviest = game.weights[0], game.weights[-1]
        weights, weight, bound = held, game.weight(rows), 0
        if heaviest > 1:
            weights = sorted((game.weight(each) for each in columns if each != rows), reverse=True)
        for k in range(len(held)):
            most = held[: k + 1]
            if game.answers == "hit":
                most = [min(n, comb(hits - 1 + k - j, k - j)) for j, n in enumerate(most)]
            left, by_rows = count - sum(most), weight - sum(most) * heaviest
            if not self.worst:
                left = max(left * lightest, by_rows, weight - sum(weights[: k + 1]))
            if left <= 0:
                break
            bound += 1 if self.worst else left
        self.counts[rows] = bound
        return bound

    def solved(self, rows):
        """The value of a few layouts, solved outright; 0 of more."""
        if rows.bit_count() > FEW:
            return 0
        if rows not in self.values:
            shots = {rows & column for column in self.game.columns} - {0, rows}
            self.values[rows] = min(
                (self.shot(rows, hit, inf, self.solved) for hit in shots), default=0
            )
        return self.values[rows]

    def known(self, rows):
        """What a lemma says of some layouts; 0 where none does."""
        return self.lemmas.get(rows, 0)

    def shot(self, rows, hit, enough, *ways):
        """A bound on the misses from a shot on that hits some of the layouts, in the ways given."""
        sides = enumerate((hit, rows & ~hit))
        parts = [(part, miss) for miss, side in sides for part in self.game.parts(side)]
        missed = 0 if self.worst else self.game.weight(rows & ~hit)
        for used in range(1, len(ways) + 1):
            bounds = [(max(way(part) for way in ways[:used]), miss) for part, miss in parts]
            value = missed + sum(bound for bound, _ in bounds)
            if self.worst:
                value = max(bound + miss for bound, miss in bounds)
            if value >= enough:
                break
        return value

    def follows(self, rows, bound):
        """Whether a bound follows from counting, or for every shot from what its parts take."""
        if max(self.counted(rows), self.solved(rows)) >= bound:
            return True
        tried = []
        shots = {rows & column for column in self.game.columns} - {0, rows}
        for hit in sorted(shots, key=int.bit_count, reverse=True):
            if any(hit & ~better == 0 for better in tried):
                continue  # what it hits, a shot hits that was looked at: it is no better than that
            if self.shot(rows, hit, bound, self.known, self.counted, self.solved) < bound:
                return False
            tried.append(hit)
        return True

    def check(self):
        """Check all lemmas and the claim."""
        for number, rows, bound in self.listed:
            if not self.follows(rows, bound):
                raise ProofError(f"line {number}: the bound {bound} does not follow")
        ways, parts = (self.known, self.counted, self.solved), self.game.parts(self.game.everything)
        value = (max if self.worst else sum)(max(way(part) for way in ways) for part in parts)
        if value < self.claim:
            raise ProofError(f"line 1: the claim {self.claim} does not follow")


def main(path):
    """Check the proof of a file; exit status 1 where it does not hold."""
    unpack = {"gz": gzip.open, "xz": lzma.open}.get(path.rpartition(".")[2], open)
    try:
        with unpack(path, "rt", encoding="ascii") as stream:
            header = json.loads(next(stream))
            proof = Proof(header, (line.rstrip("\n") for line in stream))
        proof.check()
    except (ProofError, *DAMAGED) as error:
        sys.exit(f"{path}: this is no proof: {str(error) or repr(error)}")
    game = ", ".join(f"{name} {told}" for name, told in header.items() if name in TOLD)
    misses = f"{proof.claim} misses ({header['objective']})"
    print(f"{path}: {len(proof.listed)} lemmas prove {misses} of {game}")


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) == 2 else sys.exit("say which: check_proof.py FILE")
