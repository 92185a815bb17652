// Lower bounds on the misses of a sub-table, by its size and by its columns.
//
// Leaves are words none of which begins another, as in a code [Huffman1952]; only misses cost. In
// answer mode `hit` a path of a tree is a word of hits and misses. With h ship cells still
// undetermined, a leaf reached with k misses or fewer is told apart by a word of at most k misses
// and at most h hits, and no leaf's word begins another's: at most C(k + h, k) leaves. So n
// occupancies cost at least
//
//     total(n, h) = sum over k of max(0, n - C(k + h, k))         worst(n, h) = first k with
//                                                                 C(k + h, k) >= n
//
// because at least n - C(k + h, k) of them miss more than k times. Where an answer has more than
// two values there are at most *ways* times as many, sequences of letters that the answers after
// misses can spell. With weights those others weigh as much as the lightest each at least, and no
// less than all without the heaviest for each of the first. Sums stay below 2^41 by validation of
// totals.
#pragma once
#include <array>

#include "solver/search/game.hpp"

namespace seabattle {

/// C(k + h, k) for each number h of hits and k of misses, cut off at 2^40.
class Reach {
public:
    static constexpr int most = 129;
    static constexpr Count limit = Count{1} << 40;

    constexpr Reach() {
        for (std::size_t h = 0; h < most; ++h)
            for (std::size_t k = 0; k < most; ++k)
                table_[h][k] =
                    h == 0 || k == 0 ? 1 : std::min(table_[h - 1][k] + table_[h][k - 1], limit);
    }
    /// By the number of misses, with so many hits.
    constexpr Array<const Count> with(int hits) const {
        return {table_[std::size_t(hits)].data(), Count(most)};
    }

private:
    std::array<std::array<Count, most>, most> table_{};
};
inline constexpr Reach reach;

/// The undetermined cells of a sub-table, once sorted in falling order of their rows or of their
/// weight.
template <class Mask>
struct ColumnList {
    struct Column {
        int cell;
        Size size;
    };
    static constexpr std::size_t places = 8 * sizeof(Mask);

    int count = 0;
    std::array<Column, places> columns;

    void add(int cell, Size size) { columns[std::size_t(count++)] = {cell, size}; }
    /// Equal ones stay in their order. Each goes where as many come before it: to count those, in
    /// vectors, takes less time than to move columns about.
    void sort(Count Size::* measure) {
        constexpr std::size_t lanes = lanes_of<Word>;
        const std::size_t n = std::size_t(count);
        alignas(32) std::array<Word, places> keys{};  // no two alike, and 0 beyond the last
        for (std::size_t i = 0; i < n; ++i)
            keys[i] = Word(columns[i].size.*measure) * places + places - i;
        std::array<Column, places> given;
        std::copy(begin(), end(), given.begin());
        for (std::size_t i = 0; i < n; ++i) {
            const Vector<Word> own = everywhere(keys[i]);
            Vector<Word> before{};
            for (std::size_t j = 0; j < n; j += lanes)
                before -= Vector<Word>(lanes_at(&keys[j]) > own);  // all ones is -1
            std::size_t place = 0;
            for (std::size_t lane = 0; lane < lanes; ++lane) place += before[lane];
            columns[place] = given[i];
        }
    }
    const Column* begin() const { return columns.data(); }
    const Column* end() const { return columns.data() + count; }
};

inline Count ceiling(Count n, Count divisor) { return (n + divisor - 1) / divisor; }

/// By its size alone: no more than ways * most[k] rows miss k times or fewer.
///
/// After a leaf the rest of the fleet is sunk in reading order, so that every layout has a word:
/// its misses, and one letter for each of the h cells left, the last of which comes last. No word
/// begins another's. With j misses there are C(h + j - 1, j) ways to place them before that last
/// letter, with at most k misses C(h + k, k); and at most `ways` sequences of letters. ways : 1 or
/// more
inline Count bound_told_apart(Size size, Array<const Count> most, Count ways, Goal goal,
                              WeightRange weights) {
    const Count enough = ceiling(size.rows, ways);  // so that no product is too large
    Count bound = 0;
    for (Count found : most) {
        if (found >= enough) break;
        bound += goal == Goal::worst ? 1 : weights.left(size, ways * found);
    }
    return bound;
}

/// By the columns: the path of all misses.
///
/// However the shots are chosen, at least weight - (sum of the j heaviest columns) misses more than
/// j - 1 times: those layouts are still there after j misses in a row. Valid in every mode where no
/// certain hit is due: a hit that is free may part the rows, each part with columns of its own. A
/// cell that becomes a certain hit on the way does no harm: after j misses all rows left hold it,
/// so the j + 1 heaviest columns leave nothing and the sum has ended. skip : a cell left out, or
/// -1; list : by weight, for the worst case by rows
template <class Mask>
Count bound_of_miss_path(Size size, int skip, const ColumnList<Mask>& list, Goal goal) {
    const bool by_rows = goal == Goal::worst;
    Count bound = 0, left = by_rows ? size.rows : size.weight;
    for (const auto& column : list) {
        if (column.cell == skip) continue;
        left -= by_rows ? column.size.rows : column.size.weight;
        if (left <= 0) break;
        bound += by_rows ? 1 : left;
    }
    return bound;
}

/// By the columns and what may follow a hit at once.
///
/// A row found with at most k misses is hit by one of the first k + 1 shots of the path on which
/// every shot misses. The one after j misses finds no more rows than its column holds, and no more
/// than can be found after it with k - j misses. Both numbers fall where the columns are taken in
/// falling order, so that no other order gives a larger sum of the lesser of the two.
///
/// skip : a cell left out, or -1; list : by rows, of the sub-table or of one that contains it
/// after : no more than ways * after[j] rows are found with at most j misses after a hit
template <class Mask>
Count bound_of_first_shots(Size size, int skip, const ColumnList<Mask>& list,
                           Array<const Count> after, Count ways, Goal goal, WeightRange weights) {
    const Count enough = ceiling(size.rows, ways);
    Count bound = 0;
    for (Count k = 0; k < after.size(); ++k) {
        Count found = 0, most = size.rows, left = k;  // misses that may still follow the shot
        for (const auto& column : list) {
            if (column.cell == skip) continue;
            if (after[left] < enough)
                most = std::min(most, ways * after[left]);  // fewer find no more
            found += std::min(most, column.size.rows);
            if (--left < 0 || found >= size.rows) break;
        }
        if (left >= 0 || found >= size.rows) break;
        bound += goal == Goal::worst ? 1 : weights.left(size, found);
    }
    return bound;
}

/// Weight lost with so many misses left, by words. ways : 0 where they are not counted
inline Count lost_by_size(Size size, Count ways, int cells, MissLimit left, WeightRange weights) {
    if (left < 0) return size.weight;
    const Count words = reach.with(cells)[left];
    if (ways == 0 || words >= ceiling(size.rows, ways)) return 0;
    return weights.left(size, ways * words);
}

/// The same from the path on which every shot misses: what is not lost was hit by one of its first
/// left + 1 shots. The one after i misses holds no more than its column, of which no more than its
/// words with the other misses are not lost.
///
/// list : by weight
template <class Mask>
Count lost_by_columns(Count weight, int skip, const ColumnList<Mask>& list, Count ways, int cells,
                      MissLimit left, WeightRange weights) {
    for (const auto& column : list) {
        if (left < 0 || weight <= 0) break;
        if (column.cell == skip) continue;
        Count found = column.size.weight;
        const Count words = reach.with(cells - 1)[left];
        if (0 < ways && ways <= found / words)
            found = std::min(found, ways * words * weights.heaviest);
        weight -= found;
        --left;
    }
    return std::max(Count{0}, weight);
}

// Closed forms of few rows of mode `hit`.

inline constexpr Count most_few = 4;

/// Cells that two of three rows occupy.
template <class Mask>
Mask in_two(Mask a, Mask b, Mask c) {
    return Mask(((a & b) | (a & c) | (b & c)) & ~(a & b & c));
}

/// Value of 2 to 4 rows of weight 1, best in both senses.
///
/// 3 rows: a cell in two of them costs 1 + 1, else 2 + 1. 4 rows: a cell in three of them whose
/// rows share another cell in two costs 1 + 2; else a cell in two or three costs 4; else 3 + 2 + 1.
template <class Mask>
Value value_of_few_alike(const Mask* row, Count n) {
    if (n == 2) return {1, 1};
    const Mask a = row[0], b = row[1], c = row[2];
    if (n == 3) return in_two(a, b, c) ? Value{2, 1} : Value{3, 2};
    const Mask d = row[3], ab = a & b, cd = c & d, every = ab & cd;
    const Mask three = ((ab & (c | d)) | (cd & (a | b))) & ~every;
    const Mask two = (ab | cd | ((a | b) & (c | d))) & ~every;
    if (!two) return {6, 3};
    auto splits = [&](Mask without, Mask x, Mask y, Mask z) {
        return (three & ~without) && in_two(x, y, z);
    };
    const bool is_cheap =
        splits(a, b, c, d) || splits(b, a, c, d) || splits(c, a, b, d) || splits(d, a, b, c);
    return is_cheap ? Value{3, 1} : Value{4, 2};
}

/// Value of 3 rows: a cell of two rows costs the third and the lighter of the two; a cell of one
/// row costs the others and the lighter of them, and may take 2 misses.
template <class Mask>
Value value_of_three_weighted(const Mask* row, const Count* weight, MissLimit limit) {
    Value best{infeasible, 0};
    auto improve = [&](Value value) {
        if (value.misses < best.misses || (value.misses == best.misses && value.worst < best.worst))
            best = value;
    };
    for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        const Count lighter = std::min(weight[b], weight[c]);
        if (row[b] & row[c] & ~row[a]) improve({weight[a] + lighter, 1});
        if (limit >= 2 && (row[a] & ~row[b] & ~row[c]))
            improve({weight[b] + weight[c] + lighter, 2});
    }
    return best;
}

}  // namespace seabattle
