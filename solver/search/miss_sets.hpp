// Every set of misses of a block, worked out from the largest set down.
//
// Let V(B, M) be the least misses of the rows of block B that occupy no cell of M. A shot at a cell
// c in question leads to (B, M and c) where it misses, and where it hits to its parts, each with
// those misses that matter there:
//
//     V(B, M) = min over c of  weight missed + V(B, M and c) + sum over the parts of V(part, M),
//
// for the worst case with 1 and maxima in place of the weight and the sums. miss_sets.py says what
// blocks are, and in which order they come.
//
// A set of misses of a block with k cells in question is a number below 2^k. What it is in the
// block of a part, whose cells have other bits there, is the sum of what its bytes are: sets that
// differ in the lowest byte alone are neighbours, for which the sum of the others is made once.
#pragma once
#include "solver/search/exact_search.hpp"

namespace seabattle {

/// What sets of misses are elsewhere, for several blocks or symmetries at once.
class SetImages {
public:
    static constexpr Count bytes = 4, values = 256, low = values - 1;

    /// shares : (bytes, values, images), what each byte of misses is there
    SetImages(const std::int32_t* shares, std::size_t size)
        : shares_(shares, size), count_(Count(size) / (bytes * values)) {}

    Count count() const { return count_; }
    /// What a byte, the lowest is 0, is in each image.
    Array<const std::int32_t> of_byte(Count byte, Count missed) const {
        return shares_.row(byte * values + (missed >> 8 * byte & low), count_);
    }
    Count image(Count missed, Count i) const {
        Count sum = 0;
        for (Count byte = 0; byte < bytes; ++byte) sum += of_byte(byte, missed)[i];
        return sum;
    }

private:
    Array<const std::int32_t> shares_;
    Count count_;
};

/// A block. Value, Weight : unsigned numbers that hold what sets cost, and what their rows weigh
template <class Value, class Weight>
class MissBlock {
public:
    MissBlock(const seabattle_block& given, Array<Value> values)
        : values_(values),
          own_(values.part(given.start, given.start + (Count{1} << given.cells))),
          left_(reinterpret_cast<const Weight*>(given.left), Count{1} << given.cells),
          bits_(given.bits, given.bits_size),
          first_(given.first, given.first_size),
          starts_(given.starts, given.starts_size),
          dead_(given.dead, given.dead_size),
          parts_(given.shares, given.shares_size),
          twins_(given.twins, given.twins_size),
          segment_bits_(given.segment_bits),
          by_worst_(given.worst != 0),
          certain_first_(given.certain_first != 0) {}

    /// Work out the sets of a segment, of which those with more of the higher bits are known.
    /// Returns how many were weighed shot by shot.
    ///
    /// bases : (parts,), scratch
    Count sweep(Count segment, Array<Count> bases) const {
        const Count from = segment << segment_bits_;
        const Count end = std::min(own_.size(), (segment + 1) << segment_bits_);
        Count weighed = 0, page = -1;
        for (Count missed = end - 1; missed >= from; --missed) {
            if (left_[missed] == 0) {
                own_[missed] = 0;
                continue;
            }
            int due = -1;  // a shot that is a certain hit
            Count same = emptied(missed, due);
            if (same < 0) same = larger_twin(missed);
            if (same >= 0) {
                own_[missed] = own_[same];
                continue;
            }
            if (missed / SetImages::values != page) {
                page = missed / SetImages::values;
                for (Count p = 0; p < parts_.count(); ++p)
                    bases[p] = starts_[p] + parts_.image(missed & ~SetImages::low, p);
            }
            own_[missed] = Value(weigh(missed, certain_first_ ? due : -1, bases));
            ++weighed;
        }
        return weighed;
    }

private:
    /// The set with one cell more that no layout left occupies, which is worth as much; else -1.
    Count emptied(Count missed, int& due) const {
        const Weight rows = left_[missed];
        for (int s = 0; s < int(bits_.size()); ++s) {
            const Count bit = bits_[s];
            if (bit < 0 || (missed >> bit & 1)) continue;
            const Count after = missed | Count{1} << bit;
            if (left_[after] == rows) return after;
            if (left_[after] == 0) due = s;
        }
        return -1;
    }
    /// A larger image of a set, which is known by now; else -1. One symmetry alone is not tried.
    Count larger_twin(Count missed) const {
        for (Count g = 0; twins_.count() > 1 && g < twins_.count(); ++g) {
            const Count twin = twins_.image(missed, g);
            if (twin <= missed) continue;
            const Word own = Word(missed >> segment_bits_), other = Word(twin >> segment_bits_);
            if (own == other || popcount(other) > popcount(own)) return twin;
        }
        return -1;
    }
    /// The least over all shots, or over the one that is due.
    Count weigh(Count missed, int due, Array<const Count> bases) const {
        const Array<const std::int32_t> low = parts_.of_byte(0, missed);
        Count best = infeasible;
        for (int s = std::max(0, due), end = due < 0 ? int(bits_.size()) : due + 1; s < end; ++s) {
            Count cost = 0;
            if (const Count bit = bits_[s]; bit >= 0) {
                if (missed >> bit & 1) continue;
                const Count after = missed | Count{1} << bit;
                if (left_[after] > 0)
                    cost = Count(own_[after]) + (by_worst_ ? 1 : Count(left_[after]));
            }
            if (cost >= best) continue;
            for (Count p = first_[s]; p < first_[s + 1]; ++p) {
                if (missed & dead_[p]) continue;
                const Count known = Count(values_[bases[p] + low[p]]);
                cost = by_worst_ ? std::max(cost, known) : cost + known;
            }
            best = std::min(best, cost);
        }
        return best;
    }

    Array<Value> values_, own_;
    Array<const Weight> left_;
    Array<const Count> bits_, first_, starts_, dead_;
    SetImages parts_, twins_;
    int segment_bits_;
    bool by_worst_, certain_first_;
};

/// Weight of the rows that each set of misses leaves: at first of those that occupy just these
/// cells in question, then of those that occupy no others, in the end of those that occupy none of
/// them.
///
/// cells : of the block, in the order of their bits; left : (2^cells,), all 0, modified
template <class Weight>
void add_up_left(Array<const Word> rows, Array<const Count> weights, Array<const Count> cells,
                 Array<Weight> left) {
    for (Count i = 0; i < rows.size(); ++i) {
        Count place = 0;
        for (Count bit = 0; bit < cells.size(); ++bit)
            place |= Count(rows[i] >> cells[bit] & 1) << bit;
        left[place] = Weight(left[place] + Weight(weights[i]));
    }
    for (Count size = 1; size < left.size(); size *= 2)
        for (Count start = 0; start < left.size(); start += 2 * size)
            for (Count i = start; i < start + size; ++i)
                left[i + size] = Weight(left[i + size] + left[i]);
    std::reverse(left.begin(), left.end());
}

/// What every byte of misses is where each bit becomes another.
///
/// images : (images, bits), bit that each bit becomes, -1 none; shares : as in SetImages, modified
inline void fill_shares(Array<const Count> images, Count count, Array<std::int32_t> shares) {
    const Count bits = count ? images.size() / count : 0;
    for (Count p = 0; p < count; ++p) {
        const auto at = [&](Count byte, Count value) -> std::int32_t& {
            return shares[(byte * SetImages::values + value) * count + p];
        };
        for (Count byte = 0; byte < SetImages::bytes; ++byte)
            for (Count value = 0; value < SetImages::values; ++value) at(byte, value) = 0;
        for (Count bit = 0; bit < bits; ++bit) {
            const Count image = images[p * bits + bit], size = Count{1} << (bit & 7);
            for (Count value = 0; value < size; ++value)
                at(bit >> 3, size + value) =
                    at(bit >> 3, value) + (image < 0 ? 0 : std::int32_t{1} << image);
        }
    }
}

/// Let a function work with unsigned numbers of so many bytes, of which it is given one.
template <class Work>
Count with_unsigned(std::int32_t bytes, Work work) {
    switch (bytes) {
        case 2:
            return work(std::uint16_t{});
        case 4:
            return work(std::uint32_t{});
        case 8:
            return work(std::uint64_t{});
    }
    return SEABATTLE_INVALID;
}

}  // namespace seabattle

extern "C" int64_t seabattle_block_parts(uint8_t* memory, size_t, const int32_t* rows,
                                         size_t rows_size, const seabattle_question* question,
                                         seabattle_counters* counters, const int32_t* cells,
                                         size_t cells_size, const seabattle_parts* found) {
    using namespace seabattle;
    const Count room = Count(found->ends_size);
    if (rows_size == 0 || question->stop_size != 1 || found->shots_size != found->ends_size ||
        found->symmetries_size != found->ends_size)
        return SEABATTLE_INVALID;
    return SearchHandle::in(memory).with_word([&]<class Model>(Search<Model>& search) -> Count {
        using Mask = typename Model::Mask;
        constexpr int words = Masks<Mask>::words;
        const Count key_words = search.keys().words();
        const Array<std::int32_t> members(found->members, found->members_size);
        if (Count(found->masks_size) != 3 * words * room ||
            Count(found->keys_size) != key_words * room)
            return SEABATTLE_INVALID;
        search.begin(*question, *counters);
        const Mask hit = hit_of<Mask>(*question);
        Count count = 0, end = 0;
        for (const int cell : Array<const std::int32_t>(cells, cells_size)) {
            if (members.size() - end < Count(rows_size)) return SEABATTLE_FULL;
            Count struck = end;
            for (const std::int32_t row : Array<const std::int32_t>(rows, rows_size))
                if (cell < 0 || search.game().mask(row) >> cell & 1) members[struck++] = row;
            if (struck == end) continue;
            if (!search.part_all(members.part(end, struck), cell, hit, true))
                return SEABATTLE_STOPPED;
            for (Count p = 0; p < search.parts().top(); ++p) {
                Part<Mask>& part = search.parts()[p];
                if (part.closure.is_single()) continue;
                if (count == room) return SEABATTLE_FULL;
                search.make_key(part);
                Word* mask = found->masks + 3 * words * count;
                for (const Mask cells_of : {part.closure.certain, part.closure.occupied, part.shot})
                    mask += put_mask(cells_of, mask);
                std::copy(part.key, part.key + key_words, found->keys + key_words * count);
                for (Count i = 0; i < part.own_rows.count; ++i)
                    members[end++] = part.own_rows.number(i);
                found->shots[count] = cell;
                found->symmetries[count] = search.symmetry_of(part);
                found->ends[count++] = end;
            }
        }
        return count;
    });
}

extern "C" int64_t seabattle_block_left(const uint64_t* rows, size_t rows_size,
                                        const int64_t* weights, size_t weights_size,
                                        const int64_t* cells, size_t cells_size,
                                        int32_t weight_bytes, uint8_t* left, size_t left_size) {
    using namespace seabattle;
    if (weights_size != rows_size || cells_size > 31) return SEABATTLE_INVALID;
    const Count sets = Count{1} << cells_size;
    return with_unsigned(weight_bytes, [&]<class Weight>(Weight) -> Count {
        if (Count(left_size) != sets * Count(sizeof(Weight))) return SEABATTLE_INVALID;
        add_up_left<Weight>({rows, rows_size}, {weights, weights_size}, {cells, cells_size},
                            {reinterpret_cast<Weight*>(left), sets});
        return 0;
    });
}

extern "C" int64_t seabattle_set_images(const int64_t* images, size_t images_size, int64_t count,
                                        int32_t* shares, size_t shares_size) {
    using namespace seabattle;
    if (Count(shares_size) != SetImages::bytes * SetImages::values * count ||
        (count > 0 && (Count(images_size) % count != 0 || Count(images_size) / count > 31)))
        return SEABATTLE_INVALID;
    fill_shares({images, images_size}, count, {shares, shares_size});
    return 0;
}

extern "C" int64_t seabattle_sweep_sets(const seabattle_block* block, int64_t segment,
                                        int64_t* bases, size_t bases_size, uint8_t* values,
                                        size_t values_size) {
    using namespace seabattle;
    const bool fits = bases_size == block->starts_size && block->dead_size == block->starts_size &&
                      block->first_size == block->bits_size + 1 && block->cells <= 31;
    if (!fits || block->shares_size != SetImages::bytes * SetImages::values * block->starts_size)
        return SEABATTLE_INVALID;
    return with_unsigned(block->value_bytes, [&]<class Value>(Value) -> Count {
        return with_unsigned(block->weight_bytes, [&]<class Weight>(Weight) -> Count {
            if (block->left_size != sizeof(Weight) << block->cells) return SEABATTLE_INVALID;
            const Array<Value> all(reinterpret_cast<Value*>(values), values_size / sizeof(Value));
            return MissBlock<Value, Weight>(*block, all).sweep(segment, {bases, bases_size});
        });
    });
}
