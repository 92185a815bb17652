// An estimate of how many layouts fit what is known, and of how many have each placement, from
// layouts drawn by sequential importance sampling (Knuth 1975; Liu and Chen 1998).
//
// A particle is a layout in the making. It lays one ship at a step, on one of the placements that
// are allowed and kept from no placement before:
//
//   while a hit is not covered   of those that cover the hit that the fewest can cover, each in
//                                proportion to ships(k) / all(k)
//   then                         of those of the first kind that is left, everywhere equally likely
//
// ships(k) is how many ships of kind k are left, all(k) how many placements that kind has at first.
// Which hit is covered next follows from what was laid, so there is one way to come to a set of
// covering ships; the other ships of a kind come in any order. A layout is therefore met in as many
// ways as the ships laid freely can be ordered, and
//
//   layouts = product of all(k)^m(k) / m(k)! over the kinds, with m(k) ships each
//             * mean over particles of the product of these factors of its steps:
//               covering a hit   sum of ships(k) / all(k) over the placements that it chose among
//               free             placements that it chose among / all(k)
//
// as both steps have taken the factor all(k) / ships(k) of the product along. The factors are the
// share of the room that is left, at most about 1, whatever kinds a particle has laid: particles of
// one step can be compared. Where their weights differ so much that fewer than half of them count,
// they are drawn anew in proportion to their weights, which leaves the mean unbiased (a particle
// filter; Gordon, Salmond and Smith 1993), and particles of one ancestor then count as one.
//
// What a particle says of placements is not only its own ships. Take one ship away: given the
// others, it lies on any placement that fits and covers its hits, each equally likely.
// So it counts on all of them in equal shares (Rao and Blackwell), which is worth several layouts.
//
// Sums are of float64. Weights are scaled to the mean 1 after every step, so none overflows.
#pragma once
#include <algorithm>

#include "enumerate/core/array.hpp"
#include "enumerate/core/seabattle.h"
#include "enumerate/counting/random.hpp"

namespace seabattle {

/// A set of cells of a board of any size, as words.
using CellSet = Array<Word>;
using ConstCellSet = Array<const Word>;

inline bool has(ConstCellSet set, Count cell) { return set[cell / 64] >> (cell % 64) & 1; }
inline void put(CellSet set, Count cell) { set[cell / 64] |= bit_of<Word>(int(cell % 64)); }

inline bool meet(ConstCellSet a, ConstCellSet b) {
    for (Count w = 0; w < a.size(); ++w)
        if (a[w] & b[w]) return true;
    return false;
}

inline bool is_none(ConstCellSet set) { return !meet(set, set); }

/// Call `visit` with every cell of a set.
template <class Visit>
void for_cells(ConstCellSet set, Visit visit) {
    for (Count w = 0; w < set.size(); ++w)
        for (int bit : Cells(set[w])) visit(64 * w + bit);
}

template <class T>
void copy(Array<T> to, Array<const T> from) {
    std::copy(from.begin(), from.end(), to.begin());
}

/// What is laid where, and what is known: views of `seabattle_laying`.
///
/// A form is a ship turned in one way: its placements have the same steps from their first cell,
/// the anchor, to their cells.
struct Laying {
    const seabattle_laying& given;
    Count cells = given.cells, words = (cells + 63) / 64;
    Array<const std::int32_t> ships{given.ships, given.ships_size};  // of each kind, to be laid
    // Kind of each form, increasing; end of its steps; all steps.
    Array<const std::int32_t> form_kinds{given.form_kinds, given.form_kinds_size};
    Array<const std::int32_t> step_ends{given.step_ends, given.step_ends_size};
    Array<const std::int32_t> steps{given.steps, given.steps_size};
    // The placement of each form and anchor, -1 if not allowed; of each placement its masks.
    Array<const std::int32_t> numbers{given.numbers, given.numbers_size};
    Array<const Word> masks{given.masks, given.masks_size}, halos{given.halos, given.halos_size};
    // Cells to be covered; those whose ship is known to be sunk.
    ConstCellSet hits{given.hits, given.hits_size}, sunk{given.sunk, given.sunk_size};

    Count forms() const { return form_kinds.size(); }
    Count placements() const { return words ? masks.size() / words : 0; }
    ConstCellSet mask(Count placement) const { return masks.row(placement, words); }
    ConstCellSet halo(Count placement) const { return halos.row(placement, words); }
    Count number(Count form, Count anchor) const { return numbers[form * cells + anchor]; }
    Array<const std::int32_t> steps_of(Count form) const {
        return steps.part(form ? step_ends[form - 1] : 0, step_ends[form]);
    }
    Count all_ships() const {
        Count sum = 0;
        for (std::int32_t number : ships) sum += number;
        return sum;
    }

    bool is_consistent() const {
        return cells > 0 && step_ends.size() == forms() && numbers.size() == forms() * cells &&
               masks.size() == placements() * words && halos.size() == masks.size() &&
               hits.size() == words && sunk.size() == words &&
               (!forms() || step_ends[forms() - 1] == steps.size());
    }
};

/// A batch of particles, from an empty board to layouts.
class ParticleBatch {
public:
    ParticleBatch(const Laying& laying, Random random, Count particles, Arena& arena)
        : laying_(laying), random_(random), arena_(arena), size_(particles) {
        if (!arena.full()) begin();
    }

    Count ships() const { return all_ships_; }

    /// Lay the n-th ship of every particle; returns the mean of the factors of their weights.
    double lay(Count n) {
        double sum = 0;
        for (Count i = 0; i < size_; ++i)
            if (weights_[i] > 0) sum += weights_[i] *= lay_one(i, n);
        if (!(sum > 0)) return 0;
        double squares = 0;
        const double mean = sum / double(size_);
        for (double& weight : weights_) {
            weight /= mean;
            squares += weight * weight;
        }
        // The last step needs none: weighted layouts say more than layouts drawn from them.
        if (n + 1 < all_ships_ && double(size_) > squares / 2) resample();
        return mean;
    }

    /// Add up the shares of weight of each placement, `chances`. Returns the mean of
    /// product of afloat(k)! / m(k)!, where afloat(k) of the m(k) ships are not known to be sunk.
    double tally(Array<double> chances) {
        double labels = 0;
        for (Count i = 0; i < size_; ++i)
            if (weights_[i] > 0) {
                const double share = weights_[i] / double(size_);
                labels += share * label(i);
                tally_one(i, share, chances);
            }
        return labels;
    }

    /// So many independent particles of equal weights would be worth as much; those of one ancestor
    /// count as one.
    double effective() {
        for (double& sum : of_ancestor_) sum = 0;
        for (Count i = 0; i < size_; ++i) of_ancestor_[ancestors_[i]] += weights_[i];
        double squares = 0;
        for (double sum : of_ancestor_) squares += sum * sum;
        return double(size_) * double(size_) / squares;
    }

private:
    void begin() {
        for (Count form = 0; form < laying_.forms(); ++form)
            for (Count cell = 0; cell < laying_.cells; ++cell) {
                const Count placement = laying_.number(form, cell);
                if (placement < 0) continue;
                put(anchors_.row(form, laying_.words), cell);
                ++all_[laying_.form_kinds[form]];
                kind_of_[placement] = laying_.form_kinds[form];
            }
        for (Count i = 0; i < size_; ++i) {
            copy(open_hits_.row(i, laying_.words), laying_.hits);
            copy(left_.row(i, kinds_), laying_.ships);
            ancestors_[i] = std::int32_t(i);
            weights_[i] = 1;
        }
    }

    // The placements that fit: how many each kind has, `ways_`, and the anchors of each form,
    // `fits_`

    /// Find those of some kinds, of which there are ships, that keep clear of what is closed.
    void find(Array<const std::int32_t> ships, ConstCellSet closed) {
        std::fill(ways_.begin(), ways_.end(), 0);
        for (Count form = 0; form < laying_.forms(); ++form) {
            const Count kind = laying_.form_kinds[form];
            if (!ships[kind]) continue;
            CellSet fits = fits_.row(form, set_);
            copy<Word>(fits, anchors_.row(form, set_));
            for (std::int32_t step : laying_.steps_of(form)) {
                const Count skip = step / 64;
                const int shift = step % 64;
                for (Count w = 0; w + skip < set_; ++w) {
                    Word taken = closed[w + skip] >> shift;
                    if (shift && w + skip + 1 < set_) taken |= closed[w + skip + 1] << (64 - shift);
                    fits[w] &= ~taken;
                }
            }
            for (Word word : fits) ways_[kind] += popcount(word);
        }
    }

    /// Visit the forms of the kinds that have any.
    template <class Visit>
    void for_forms(Visit visit) const {
        for (Count form = 0; form < laying_.forms(); ++form)
            if (ways_[laying_.form_kinds[form]]) visit(form, fits_.row(form, set_));
    }

    /// How many of them cover a cell.
    Count covering(Count cell) const {
        Count found = 0;
        for_forms([&](Count form, ConstCellSet fits) {
            for (std::int32_t step : laying_.steps_of(form))
                found += step <= cell && has(fits, cell - step);
        });
        return found;
    }

    /// Keep those that cover a cell.
    void keep_covering(Count cell) {
        for_forms([&](Count form, CellSet fits) {
            std::fill(cover_.begin(), cover_.end(), 0);
            for (std::int32_t step : laying_.steps_of(form))
                if (step <= cell) put(cover_, cell - step);
            for (Count w = 0; w < set_; ++w) {
                ways_[laying_.form_kinds[form]] -= popcount(fits[w] & ~cover_[w]);
                fits[w] &= cover_[w];
            }
        });
    }

    /// The n-th of a kind.
    Count number_of(Count kind, Count n) const {
        for (Count form = 0; form < laying_.forms(); ++form) {
            if (laying_.form_kinds[form] != kind) continue;
            for (Count w = 0; w < set_; ++w) {
                Word word = fits_[form * set_ + w];
                const int there = popcount(word);
                if (n >= there) {
                    n -= there;
                    continue;
                }
                for (; n; --n) word &= word - 1;
                return laying_.number(form, 64 * w + lowest_bit(word));
            }
        }
        return -1;
    }

    /// The open hit that the fewest cover.
    Count hardest_hit(ConstCellSet open) const {
        Count found = -1, least = 0;
        for_cells(open, [&](Count hit) {
            const Count ways = covering(hit);
            if (found >= 0 && ways >= least) return;
            found = hit;
            least = ways;
        });
        return found;
    }

    /// One ship of a kind, and none of others.
    Array<const std::int32_t> only(Count kind) {
        std::fill(only_.begin(), only_.end(), 0);
        only_[kind] = 1;
        return only_;
    }

    /// Lay a ship of a particle; returns the factor of its weight, 0 if it cannot be laid.
    double lay_one(Count i, Count n) {
        CellSet closed = closed_.row(i, set_), open = open_hits_.row(i, set_);
        Array<std::int32_t> left = left_.row(i, kinds_);
        const bool is_free = is_none(open);
        Array<const std::int32_t> ships = is_free ? only(first_kind(left)) : left;
        find(ships, closed);
        if (!is_free) keep_covering(hardest_hit(open));
        auto each = [&](Count kind) { return double(ships[kind]) / double(all_[kind]); };
        double factor = 0;
        for (Count kind = 0; kind < kinds_; ++kind)
            if (ways_[kind]) factor += double(ways_[kind]) * each(kind);
        double point = random_.fraction() * factor;
        Count placement = -1;
        for (Count kind = 0; kind < kinds_ && point >= 0; ++kind) {
            if (!ways_[kind]) continue;
            const Count way = std::min(Count(point / each(kind)), ways_[kind] - 1);  // rounding
            placement = number_of(kind, way);
            point -= double(ways_[kind]) * each(kind);
        }
        if (placement < 0) return 0;
        for (Count w = 0; w < set_; ++w) {
            closed[w] |= laying_.halo(placement)[w];
            open[w] &= ~laying_.mask(placement)[w];
        }
        --left[kind_of_[placement]];
        laid_[i * all_ships_ + n] = std::int32_t(placement);
        return n + 1 < all_ships_ || is_none(open) ? factor : 0;
    }

    Count first_kind(Array<const std::int32_t> left) const {
        Count kind = 0;
        while (!left[kind]) ++kind;
        return kind;
    }

    /// Draw the particles anew in proportion to their weights, which then are equal (systematic
    /// resampling); those drawn more than once take the places of those not drawn.
    void resample() {
        double up_to = random_.fraction();
        Count drawn = 0, free = 0, above = 0;
        // First those not drawn are marked by weight 0, then the copies are laid over them.
        Array<double> copies = of_ancestor_;
        for (Count i = 0; i < size_; ++i) {
            up_to += weights_[i];
            above = Count(up_to);
            if (above > size_ || i + 1 == size_) above = size_;  // rounding
            copies[i] = double(above - drawn);
            drawn = above;
        }
        for (Count i = 0; i < size_; ++i)
            for (; copies[i] > 1; --copies[i]) {
                while (copies[free] > 0) ++free;
                copies[free] = 1;
                copy_particle(free, i);
            }
        for (double& weight : weights_) weight = 1;
    }

    void copy_particle(Count to, Count from) {
        const Count words = set_;
        copy<Word>(closed_.row(to, words), closed_.row(from, words));
        copy<Word>(open_hits_.row(to, words), open_hits_.row(from, words));
        copy<std::int32_t>(left_.row(to, kinds_), left_.row(from, kinds_));
        copy<std::int32_t>(laid_.row(to, all_ships_), laid_.row(from, all_ships_));
        ancestors_[to] = ancestors_[from];
    }

    double label(Count i) {
        copy(afloat_, laying_.ships);
        double found = 1;
        for (std::int32_t placement : laid_.row(i, all_ships_))
            if (meet(laying_.mask(placement), laying_.sunk))
                found /= double(afloat_[kind_of_[placement]]--);
        return found;
    }

    void tally_one(Count i, double share, Array<double> chances) {
        Array<const std::int32_t> laid = laid_.row(i, all_ships_);
        // unions_[n]: what the ships from the n-th on close; others_: what those before it close.
        for (Count n = all_ships_; n--;)
            for (Count w = 0; w < set_; ++w)
                unions_[n * set_ + w] = unions_[(n + 1) * set_ + w] | laying_.halo(laid[n])[w];
        CellSet before = closed_.row(i, set_);  // of no more use
        std::fill(before.begin(), before.end(), 0);
        for (Count n = 0; n < all_ships_; ++n) {
            const Count kind = kind_of_[laid[n]];
            for (Count w = 0; w < set_; ++w) {
                others_[w] = before[w] | unions_[(n + 1) * set_ + w];
                own_hits_[w] = laying_.mask(laid[n])[w] & laying_.hits[w];
                before[w] |= laying_.halo(laid[n])[w];
            }
            find(only(kind), others_);
            for_cells(own_hits_, [&](Count hit) { keep_covering(hit); });
            const double each = share / double(ways_[kind]);
            for_forms([&](Count form, ConstCellSet fits) {
                for_cells(fits, [&](Count cell) { chances[laying_.number(form, cell)] += each; });
            });
        }
    }

    const Laying& laying_;
    Random random_;
    Arena& arena_;
    Count size_, kinds_ = laying_.ships.size(), all_ships_ = laying_.all_ships();
    Count set_ = laying_.words, sets_ = laying_.forms() * set_;  // words of a set, and of all
    Array<Word> anchors_ = arena_.take<Word>(sets_), fits_ = arena_.take<Word>(sets_);
    Array<Count> all_ = arena_.take<Count>(kinds_);
    Array<std::int32_t> kind_of_ = arena_.take<std::int32_t>(laying_.placements());
    Array<Count> ways_ = arena_.take<Count>(kinds_);
    // Of each particle: closed cells and hits that are open, ships left by kind, ships laid.
    Array<Word> closed_ = arena_.take<Word>(size_ * set_);
    Array<Word> open_hits_ = arena_.take<Word>(size_ * set_);
    Array<std::int32_t> left_ = arena_.take<std::int32_t>(size_ * kinds_);
    Array<std::int32_t> laid_ = arena_.take<std::int32_t>(size_ * all_ships_);
    Array<std::int32_t> ancestors_ = arena_.take<std::int32_t>(size_);
    Array<double> weights_ = arena_.take<double>(size_);  // of mean 1
    // Scratch.
    Array<double> of_ancestor_ = arena_.take<double>(size_);
    Array<Word> unions_ = arena_.take<Word>((all_ships_ + 1) * set_);
    Array<Word> others_ = arena_.take<Word>(set_), own_hits_ = arena_.take<Word>(set_);
    Array<Word> cover_ = arena_.take<Word>(set_);
    Array<std::int32_t> afloat_ = arena_.take<std::int32_t>(kinds_);
    Array<std::int32_t> only_ = arena_.take<std::int32_t>(kinds_);
};

}  // namespace seabattle

extern "C" int64_t seabattle_estimate(const seabattle_laying* given, int32_t seed, int32_t batch,
                                      int32_t particles, uint8_t* memory, size_t memory_size,
                                      double* means, size_t means_size, double* chances,
                                      size_t chances_size, double* totals, size_t totals_size) {
    using namespace seabattle;
    const Laying laying{*given};
    if (!laying.is_consistent() || particles < 1 || Count(means_size) != laying.all_ships() ||
        Count(chances_size) != laying.placements() || totals_size != 2)
        return SEABATTLE_INVALID;
    Arena arena(reinterpret_cast<std::byte*>(memory), Count(memory_size));
    Random random{Word(seed) << 32 ^ Word(batch)};
    random.state = random.next();  // sequences of neighbouring batches do not overlap
    ParticleBatch drawn(laying, random, particles, arena);
    if (arena.full()) return SEABATTLE_FULL;
    const Array<double> mean_of(means, means_size), found(chances, chances_size);
    for (double& chance : found) chance = 0;
    for (Count n = 0; n < drawn.ships(); ++n)
        if ((mean_of[n] = drawn.lay(n)) == 0) return 0;
    totals[0] = drawn.effective();
    totals[1] = drawn.tally(found);
    return particles;
}
