// A frontier sweep over one board: numbers of layouts, or their weights, by adding along its steps.
//
// The sweep follows the steps of a frontier row by row and adds up, for every node, a *sum vector*:
// one number for each choice of how many ships of every type are used; a single one where the
// profiles say it. Forward sums say in how many ways a node is reached, backward sums in how many
// ways the fleet can be completed from it; where both meet at a step that begins a ship, their
// product is the number of layouts with that ship. Walks along the backward sums draw layouts.
//
// Sums are whole numbers modulo 2^(64 words), exact where there are fewer layouts; or, in floating
// point, *masses*: a layout counts as much as the product of its placements' weights. No mass is
// negative and nothing is subtracted, so every rounding changes a sum by at most one part in 2^53
// and errors only add up; the caller counts them. This holds as long as no number leaves the range
// of normal doubles, 2.3e-308 to 1.7e308, to which the caller scales the weights.
//
// A step is *open* in a row when the ship that begins with it, if any, is allowed to lie there and
// none of the cells that it leaves water must be occupied. The nodes *reached* by open steps are
// listed; where they are many they are visited in their own order all the same, as nodes that lie
// close together are then visited together.
//
// Kept are the sums before every row. Those within a row are computed anew when the sweep comes
// back, which takes less memory and, as they stay in the cache, little more time.
#pragma once
#include <type_traits>

#include "enumerate/counting/frontier.hpp"

namespace seabattle {

/// Whole numbers modulo 2^(64 n), the low word first.
template <int n>
struct Wide {
    Word words[n];

    constexpr Wide(Word low = 0) : words{low} {}
    Wide& operator+=(const Wide& other) {
        DoubleWord carry = 0;
        for (int i = 0; i < n; ++i) {
            carry += DoubleWord(words[i]) + other.words[i];
            words[i] = Word(carry);
            carry >>= 64;
        }
        return *this;
    }
    Wide& operator-=(const Wide& other) {
        Word borrow = 0;
        for (int i = 0; i < n; ++i) {
            const DoubleWord less = DoubleWord(words[i]) - other.words[i] - borrow;
            words[i] = Word(less);
            borrow = Word(less >> 64) & 1;
        }
        return *this;
    }
    friend Wide operator*(const Wide& a, const Wide& b) {
        Wide product;
        for (int i = 0; i < n; ++i) {
            DoubleWord carry = 0;  // below 2^64: (2^64 - 1)^2 + 2 (2^64 - 1) is below 2^128
            for (int j = 0; i + j < n; ++j) {
                carry += DoubleWord(a.words[i]) * b.words[j] + product.words[i + j];
                product.words[i + j] = Word(carry);
                carry >>= 64;
            }
        }
        return product;
    }
    friend bool operator<(const Wide& a, const Wide& b) {
        for (int i = n - 1; i > 0; --i)
            if (a.words[i] != b.words[i]) return a.words[i] < b.words[i];
        return a.words[0] < b.words[0];
    }
};

/// A number where the mask is all ones, 0 where it is 0.
inline Word masked(Word number, Word mask) { return number & mask; }
inline DoubleWord masked(DoubleWord number, Word mask) {
    return number & (DoubleWord(mask) << 64 | mask);
}
inline double masked(double number, Word mask) {
    return std::bit_cast<double>(std::bit_cast<Word>(number) & mask);
}
template <int n>
Wide<n> masked(Wide<n> number, Word mask) {
    for (Word& word : number.words) word &= mask;
    return number;
}

/// A sum of many numbers. Masses are added with what the additions before lost, so that the sum of
/// any number of them is as good as rounded three times [Kahan1965].
template <class Number>
struct Total {
    Number sum{};
    void add(const Number& number) { sum += number; }
};
template <>
struct Total<double> {
    double sum = 0, lost = 0;
    void add(double number) {
        const double more = number - lost, after = sum + more;
        lost = (after - sum) - more;
        sum = after;
    }
};

/// What is the same for sums of every kind: it tells which `Sweep` lies in some memory.
struct SweepHead {
    const Frontier* frontier;
    std::int32_t words, height, keeps;
    std::int32_t left[FrontierSearch::most_types];

    explicit SweepHead(const seabattle_board& board)
        : frontier(reinterpret_cast<const Frontier*>(board.frontier)),
          words(board.words),
          height(board.height),
          keeps(board.keeps),
          left{} {
        std::copy_n(board.left, board.left_size, left);
    }
    bool operator==(const SweepHead&) const = default;
};

template <class Number>
class Sweep {
public:
    static constexpr bool is_mass = std::is_same_v<Number, double>;

    explicit Sweep(const SweepHead& head) : head_(head), f_(*head.frontier) {
        entries_ = 1;
        if (!f_.counted)
            for (Count t = 0; t < f_.types; ++t) entries_ *= head.left[t] + 1;
    }

    Count bytes() const {
        const Count codes = f_.codes * head_.height,
                    vectors = boundaries() * f_.profiles() + inside() * (1 + head_.keeps);
        return Count(sizeof(Sweep)) + codes + head_.height * 4 + (is_mass ? 8 * codes : 0) +
               (f_.types + 1) * (1 + entries_) * 8 + f_.codes * Count(sizeof(Total<Number>)) +
               (boundaries() * f_.profiles() + inside()) * 5 + (boundaries() + f_.width + 1) * 8 +
               vectors * entries_ * Count(sizeof(Number)) + 64 * 20;
    }

    /// Take what it needs from an arena, and set how steps move the entries of a sum vector.
    void take(Arena arena) {
        const Count codes = f_.codes * head_.height;
        allowed_ = arena.take<std::uint8_t>(codes);
        required_ = arena.take<std::uint32_t>(head_.height);
        weights_ = arena.take<double>(is_mass ? codes : 0);
        shifts_ = arena.take<Count>(f_.types + 1);
        masks_ = arena.take<Word>((f_.types + 1) * entries_);
        totals_ = arena.take<Total<Number>>(f_.codes);
        counts_ = arena.take<Count>(boundaries());
        counts_inside_ = arena.take<Count>(f_.width + 1);
        alive_ = arena.take<std::uint8_t>(boundaries() * f_.profiles());
        alive_inside_ = arena.take<std::uint8_t>(inside());
        listed_ = arena.take_as_is<std::int32_t>(boundaries() * f_.profiles());
        listed_inside_ = arena.take_as_is<std::int32_t>(inside());
        sums_ = arena.take_as_is<Number>(boundaries() * f_.profiles() * entries_);
        ahead_ = arena.take_as_is<Number>(inside() * entries_);
        behind_ = arena.take_as_is<Number>(head_.keeps * inside() * entries_);
        Count stride = 1;
        std::fill_n(masks_.begin(), entries_, ~Word{0});
        for (Count t = 0; t < f_.types; ++t) {
            Array<Word> mask = masks_.row(t + 1, entries_);
            std::fill_n(mask.begin(), entries_, ~Word{0});
            if (f_.counted) continue;
            shifts_[t + 1] = stride;
            const Count radix = head_.left[t] + 1;
            for (Count u = 0; u < entries_; ++u)
                if (u / stride % radix == radix - 1) mask[u] = 0;
            stride *= radix;
        }
    }

    /// Set what every row allows. Returns how many rows are summed up forward already.
    Count set_rules(const seabattle_board& board) {
        if (!head_.keeps) ready_ = 0;
        for (Count row = 0; row < head_.height; ++row) {
            const Count from = row * f_.codes;
            bool same = required_[row] == board.required[row] &&
                        std::equal(board.allowed + from, board.allowed + from + f_.codes,
                                   allowed_.begin() + from);
            if constexpr (is_mass)
                same = same && std::equal(board.weights + from, board.weights + from + f_.codes,
                                          weights_.begin() + from);
            if (!same) ready_ = std::min(ready_, row);
        }
        std::copy_n(board.allowed, board.allowed_size, allowed_.begin());
        std::copy_n(board.required, board.required_size, required_.begin());
        if constexpr (is_mass) std::copy_n(board.weights, board.weights_size, weights_.begin());
        if (ready_ == 0) {
            const Nodes start = boundary(0);
            forget(start);
            std::uint32_t begun = 0, stride = 1;
            for (Count t = 0; f_.counted && t < f_.types; ++t) {
                begun += stride * std::uint32_t(f_.ships[t] - head_.left[t]);
                stride *= std::uint32_t(f_.ships[t] + 1);
            }
            first_ = 0;
            while (f_.used[first_] != begun) ++first_;
            note(start, 0, first_);
            std::fill_n(start.sums + first_ * entries_, entries_, Number{});
            start.sums[first_ * entries_] = Number(1);
        }
        return ready_;
    }

    void forward(Count row) {
        forget(boundary(row + 1));
        go(row, true, true);
        ready_ = row + 1;
    }

    Number total() const {
        Total<Number> found;
        const Nodes end = boundary(head_.height);
        visit(end, 0, f_.profiles(), [&](Count node) {
            if (is_end(node)) found.add(end.sums[(node + 1) * entries_ - 1]);
        });
        return found.sum;
    }

    /// Sums of the nodes of a row from those after it; with starts, as in seabattle.h.
    void backward(Count row, Array<Number> starts) {
        in_place_ = starts.empty();
        if (row + 1 == head_.height) set_end();
        go(row, false, !in_place_);
        std::fill(totals_.begin(), totals_.end(), Total<Number>{});
        if (in_place_)
            back<false>(row);
        else
            back<true>(row);
        for (Count code = 0; code < starts.size(); ++code) starts[code] = totals_[code].sum;
        // The sums after the last row are overwritten, too.
        ready_ = in_place_ ? 0 : std::min(ready_, Count(head_.height - 1));
    }

    /// A walk is at a profile before a row; its luck is a rank, or the state of random numbers.
    struct Walks {
        Array<std::int64_t> profiles, used;
        Array<Word> luck;
        Array<std::int64_t> codes, found;
    };

    void walk(Count row, const Walks& walks) {
        go(row, false, false);
        back<false>(row);  // its sums before the row are those that are there
        const Count count = walks.profiles.size(),
                    ships = walks.codes.size() / std::max<Count>(1, count);
        for (Count w = 0; w < count; ++w) {
            Count node = row == 0 ? first_ : walks.profiles[w];
            Count& used = walks.used[w];
            while (node < f_.last()) {
                Word* luck = walks.luck.row(w, words()).begin();
                const Step& step = choose(row, node, used, luck);
                used += shift(step);
                node = step.target;
                if (step.code) walks.codes[w * ships + walks.found[w]++] = step.code;
            }
            walks.profiles[w] = node - f_.last();
        }
    }

    const SweepHead& head() const { return head_; }
    const Frontier& frontier() const { return f_; }
    static constexpr Count words() { return Count(sizeof(Number) / 8); }

private:
    /// The nodes of one or more layers that are reached, and their sums.
    struct Nodes {
        Count first;  // number of the first of them
        std::uint8_t* alive;
        std::int32_t* listed;  // those reached in each layer, from the layer's first place on
        Count* counts;         // how many
        Number* sums;
    };

    Count inside() const { return f_.last() - f_.profiles(); }

    /// Sums of so many profiles between rows: before every row, and twice those that are after one
    /// and before it, forward after the last row and backward.
    Count boundaries() const { return head_.keeps * head_.height + 2; }
    Count slot(Count row, bool is_ahead) const {
        const Count rows = head_.keeps * head_.height;
        return is_ahead && row < rows ? row : rows + row % 2;
    }

    Nodes boundary(Count row) const {
        const Count from = slot(row, true) * f_.profiles();
        return {0, alive_.begin() + from, listed_.begin() + from, counts_.begin() + slot(row, true),
                sums_.begin() + from * entries_};
    }
    Nodes within() const {
        return {f_.profiles(), alive_inside_.begin(), listed_inside_.begin(),
                counts_inside_.begin(), ahead_.begin()};
    }
    Number* sums_behind(Count row) const {
        return sums_.begin() + slot(row, in_place_) * f_.profiles() * entries_;
    }

    static bool is_dense(Count reached, Count size) { return reached * 8 > size; }

    /// Visit the nodes reached in a layer, `c` places on in the counts of its nodes.
    template <class Visit>
    void visit(const Nodes& nodes, Count c, Count size, Visit act, Count from = 0) const {
        const Count reached = nodes.counts[c];
        if (is_dense(reached, size)) {
            for (Count i = from; i < from + size; ++i)
                if (nodes.alive[i]) act(nodes.first + i);
        } else {
            for (Count i = from; i < from + reached; ++i) act(Count(nodes.listed[i]));
        }
    }

    template <class Visit>
    void visit_layer(Count row, Count c, Visit act) const {
        const Count from = f_.layers[c], size = f_.layers[c + 1] - from;
        if (c == 0)
            visit(boundary(row), 0, size, act);
        else
            visit(within(), c, size, act, from - f_.profiles());
    }

    static void note(const Nodes& nodes, Count c, Count node, Count from = 0) {
        nodes.alive[node - nodes.first] = 1;
        nodes.listed[from + nodes.counts[c]++] = std::int32_t(node);
    }

    void forget(const Nodes& boundary) const {
        visit(boundary, 0, f_.profiles(), [&](Count node) { boundary.alive[node] = 0; });
        boundary.counts[0] = 0;
    }
    void forget_inside() const {
        const Nodes nodes = within();
        for (Count c = 1; c < f_.width; ++c) {
            const Count from = f_.layers[c] - f_.profiles();
            visit(
                nodes, c, f_.layers[c + 1] - f_.layers[c],
                [&](Count node) { nodes.alive[node - nodes.first] = 0; }, from);
            nodes.counts[c] = 0;
        }
    }

    template <class Visit>
    void visit_open(Count row, Count node, Visit act) const {
        const std::uint8_t* allowed = allowed_.begin() + row * f_.codes;
        const std::uint32_t required = required_[row];
        const Step* step = f_.steps.begin() + f_.first_step[node];
        const Step* end = f_.steps.begin() + f_.first_step[node + 1];
        for (; step < end; ++step)
            if (allowed[step->code] && !(step->water & required)) act(*step);
    }

    Count type(const Step& step) const { return f_.type_of[step.code] + 1; }
    Count shift(const Step& step) const { return shifts_[type(step)]; }

    /// A number, multiplied by what a ship weighs that begins with a code.
    Number weighed(const Number& number, Count row, Count code) const {
        if constexpr (is_mass)
            return number * weights_[row * f_.codes + code];
        else
            return number;
    }

    /// Reach the nodes of a row by open steps from those before it: those within the row, and
    /// those after it (`to_end`); with their forward sums, if these are wanted.
    void go(Count row, bool to_end, bool with_sums) {
        if (entries_ == 1)
            with_sums ? go<true, true>(row, to_end) : go<false, true>(row, to_end);
        else
            with_sums ? go<true, false>(row, to_end) : go<false, false>(row, to_end);
    }

    template <bool with_sums, bool is_single>
    void go(Count row, bool to_end) {
        forget_inside();
        const Count entries = is_single ? 1 : entries_, last = f_.last();
        const Nodes before = boundary(row), inside = within();
        Nodes after = boundary(row + 1);
        after.first = last;
        for (Count c = 0; c < f_.width; ++c)
            visit_layer(row, c, [&](Count node) {
                const Nodes& here = c == 0 ? before : inside;
                const Number* share = here.sums + (node - here.first) * entries;
                visit_open(row, node, [&](const Step& step) {
                    const Count target = step.target;
                    const bool is_last = target >= last;
                    if (is_last && !to_end) return;
                    const Nodes& there = is_last ? after : inside;
                    Number* into = there.sums + (target - there.first) * entries;
                    const Count up = is_single ? 0 : shift(step);
                    const bool is_new = !there.alive[target - there.first];
                    if (is_new) {
                        there.alive[target - there.first] = 1;
                        Count to = is_last ? f_.width : c + 1;
                        if (!is_last)
                            while (target >= f_.layers[to + 1]) ++to;
                        const Count place = is_last ? 0 : to;
                        const Count from = is_last ? 0 : f_.layers[to] - f_.profiles();
                        there.listed[from + there.counts[place]++] =
                            std::int32_t(is_last ? target - last : target);
                    }
                    if constexpr (!with_sums) return;
                    if constexpr (is_single) {
                        const Number number = weighed(*share, row, step.code);
                        if (is_new)
                            *into = number;
                        else
                            *into += number;
                        return;
                    }
                    move(into, up, share, 0, mask(step), entries - up, is_new, row, step.code);
                    if (is_new) std::fill_n(into, up, Number{});
                });
            });
    }

    const Word* mask(const Step& step) const { return masks_.begin() + type(step) * entries_; }

    /// Add so many entries of a share, masked and weighed, to others, or set these.
    void move(Number* __restrict into, Count up, const Number* __restrict share, Count down,
              const Word* __restrict mask, Count n, bool is_new, Count row, Count code) const {
        into += up, share += down;
        if constexpr (is_mass) {
            const double weight = weights_[row * f_.codes + code];
            if (is_new)
                for (Count u = 0; u < n; ++u) into[u] = masked(share[u], mask[u]) * weight;
            else
                for (Count u = 0; u < n; ++u) into[u] += masked(share[u], mask[u]) * weight;
        } else {
            if (is_new)
                for (Count u = 0; u < n; ++u) into[u] = masked(share[u], mask[u]);
            else
                for (Count u = 0; u < n; ++u) into[u] += masked(share[u], mask[u]);
        }
    }

    static Number dot(const Number* __restrict a, const Number* __restrict b,
                      const Word* __restrict mask, Count n) {
        Number total{};
        for (Count u = 0; u < n; ++u) total += masked(a[u], mask[u]) * b[u];
        return total;
    }

    bool is_end(Count profile) const {
        return !f_.counted || f_.used[profile] == std::uint32_t(f_.uses() - 1);
    }

    /// Backward sums after the last row: 1 where the whole fleet is used.
    void set_end() {
        Number* sums = sums_behind(head_.height);
        visit(boundary(head_.height), 0, f_.profiles(), [&](Count node) {
            std::fill_n(sums + node * entries_, entries_, Number{});
            sums[(node + 1) * entries_ - 1] = Number(is_end(node) ? 1 : 0);
        });
    }

    template <bool with_starts>
    void back(Count row) {
        entries_ == 1 ? back<with_starts, true>(row) : back<with_starts, false>(row);
    }

    template <bool with_starts, bool is_single>
    void back(Count row) {
        const Count entries = is_single ? 1 : entries_, last = f_.last(), profiles = f_.profiles();
        Number* const before = sums_behind(row);
        Number* const inside = behind_.begin() - profiles * entries;
        const Number* const after = sums_behind(row + 1) - last * entries;
        for (Count c = f_.width - 1; c >= 0; --c)
            visit_layer(row, c, [&](Count node) {
                Number* into = (c == 0 ? before : inside) + node * entries;
                const Number* ahead =
                    (c == 0 ? boundary(row).sums : ahead_.begin() - profiles * entries) +
                    node * entries;
                Number sum{};
                bool is_new = true;
                visit_open(row, node, [&](const Step& step) {
                    const Number* rest =
                        (step.target >= last ? after : inside) + step.target * entries;
                    if constexpr (is_single) {
                        const Number number = weighed(*rest, row, step.code);
                        sum += number;
                        if constexpr (with_starts) totals_[step.code].add(*ahead * number);
                        return;
                    }
                    const Count up = shift(step);
                    move(into, 0, rest, up, mask(step), entries - up, is_new, row, step.code);
                    if (is_new) std::fill_n(into + entries - up, up, Number{});
                    is_new = false;
                    if constexpr (with_starts)
                        if (step.code)
                            totals_[step.code].add(weighed(
                                dot(ahead, rest + up, mask(step), entries - up), row, step.code));
                });
                if constexpr (is_single)
                    *into = sum;
                else if (is_new)
                    std::fill_n(into, entries, Number{});
            });
    }

    // Walks

    const Number& sum_behind(Count row, const Step& step, Count used) const {
        const Count last = f_.last();
        const Number* sums = step.target >= last
                                 ? sums_behind(row + 1) + (step.target - last) * entries_
                                 : behind_.begin() + (step.target - f_.profiles()) * entries_;
        return sums[used + shift(step)];
    }

    /// The step that a walk takes: by its rank among the layouts ahead, or at random by mass.
    const Step& choose(Count row, Count node, Count used, Word* luck) const {
        const Step* chosen = f_.steps.begin();
        auto visit_steps = [&](auto act) {
            bool found = false;
            visit_open(row, node, [&](const Step& step) {
                if (found || !mask(step)[used]) return;
                found = act(step);
                chosen = &step;
            });
        };
        if constexpr (is_mass) {
            // A share of 53 bits times the sum of some numbers rounds to less than that sum, and
            // the same numbers are added up in the same order, so that a step is always taken.
            double drawn = 0, total = 0;
            for (const bool again : {false, true}) {
                drawn = next_share(luck, again) * total;
                total = 0;
                visit_steps([&](const Step& step) {
                    total += weighed(sum_behind(row, step, used), row, step.code);
                    return again && drawn < total;
                });
            }
        } else {
            Number& rank = *reinterpret_cast<Number*>(luck);
            visit_steps([&](const Step& step) {
                const Number& sum = sum_behind(row, step, used);
                if (rank < sum) return true;
                rank -= sum;
                return false;
            });
        }
        return *chosen;
    }

    /// A random number of 53 bits from 0 to below 1 from a stream (splitmix64), where one is due.
    static double next_share(Word* state, bool is_due) {
        if (!is_due) return 0;
        Word word = *state += 0x9E3779B97F4A7C15;
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
        word = (word ^ word >> 27) * 0x94D049BB133111EB;
        word ^= word >> 31;
        return double(word >> 11) * 0x1p-53;
    }

    SweepHead head_;  // first: it tells what the rest is
    const Frontier& f_;
    Count entries_, first_ = 0;
    Count ready_ = 0;        // rows whose forward sums are kept
    bool in_place_ = false;  // whether backward sums take the place of forward sums between rows
    Array<std::uint8_t> allowed_, alive_, alive_inside_;
    Array<std::uint32_t> required_;
    Array<double> weights_;
    Array<Count> shifts_, counts_, counts_inside_;  // shifts by type, from 1 on
    Array<Word> masks_;                             // entries that may be moved, by type as well
    Array<Total<Number>> totals_;
    Array<std::int32_t> listed_, listed_inside_;
    Array<Number> sums_, ahead_, behind_;
};

/// Call with the sweep of numbers of so many words; SEABATTLE_INVALID if there is none.
template <class Visit>
std::int64_t with_numbers(int words, Visit visit) {
    switch (words) {
        case 0:
            return visit(double{});
        case 1:
            return visit(Word{});
        case 2:
            return visit(DoubleWord{});
        case 3:
            return visit(Wide<3>{});
        case 4:
            return visit(Wide<4>{});
        case 8:
            return visit(Wide<8>{});
        default:
            return SEABATTLE_INVALID;
    }
}

/// The sweep that lies in some memory.
template <class Visit>
std::int64_t with_sweep(const std::uint8_t* memory, Visit visit) {
    const auto& head = *reinterpret_cast<const SweepHead*>(memory);
    return with_numbers(head.words, [&]<class Number>(Number) -> std::int64_t {
        return visit(*reinterpret_cast<Sweep<Number>*>(const_cast<std::uint8_t*>(memory)));
    });
}

}  // namespace seabattle

extern "C" int64_t seabattle_sweep_bytes(const seabattle_board* board) {
    using namespace seabattle;
    return with_numbers(board->words, [&]<class Number>(Number) {
        return Sweep<Number>(SweepHead(*board)).bytes();
    });
}

extern "C" int64_t seabattle_begin_sweep(const seabattle_board* board, uint8_t* memory,
                                         size_t memory_size) {
    using namespace seabattle;
    const SweepHead head(*board);
    const Count codes = head.frontier->codes * head.height;
    if (Count(board->left_size) != head.frontier->types || Count(board->allowed_size) != codes ||
        Count(board->required_size) != head.height ||
        Count(board->weights_size) != (head.words == 0 ? codes : 0))
        return SEABATTLE_INVALID;
    return with_numbers(head.words, [&]<class Number>(Number) -> std::int64_t {
        auto* sweep = reinterpret_cast<Sweep<Number>*>(memory);
        if (!(*reinterpret_cast<SweepHead*>(memory) == head)) {
            sweep = new (memory) Sweep<Number>(head);
            if (Count(memory_size) < sweep->bytes()) return SEABATTLE_INVALID;
            const std::size_t from = sizeof(Sweep<Number>);
            sweep->take(
                Arena(reinterpret_cast<std::byte*>(memory + from), Count(memory_size - from)));
        }
        return sweep->set_rules(*board);
    });
}

extern "C" int64_t seabattle_sweep_forward(uint8_t* memory, size_t, int64_t row) {
    return seabattle::with_sweep(memory, [&](auto& sweep) -> int64_t {
        sweep.forward(row);
        return 0;
    });
}

extern "C" int64_t seabattle_sweep_total(const uint8_t* memory, size_t, uint64_t* total,
                                         size_t total_size) {
    return seabattle::with_sweep(memory, [&](auto& sweep) -> int64_t {
        const auto found = sweep.total();
        if (total_size * 8 != sizeof found) return SEABATTLE_INVALID;
        std::copy_n(reinterpret_cast<const uint64_t*>(&found), total_size, total);
        return 0;
    });
}

extern "C" int64_t seabattle_sweep_backward(uint8_t* memory, size_t, int64_t row, uint64_t* starts,
                                            size_t starts_size) {
    using namespace seabattle;
    return with_sweep(memory, [&]<class Number>(Sweep<Number>& sweep) -> int64_t {
        const Count wanted = sweep.frontier().codes * sweep.words();
        if ((starts_size && Count(starts_size) != wanted) || !sweep.head().keeps)
            return SEABATTLE_INVALID;
        sweep.backward(row,
                       {reinterpret_cast<Number*>(starts), Count(starts_size) / sweep.words()});
        return 0;
    });
}

extern "C" int64_t seabattle_sweep_walk(uint8_t* memory, size_t, int64_t row, int64_t* profiles,
                                        size_t profiles_size, int64_t* used, size_t used_size,
                                        uint64_t* luck, size_t luck_size, int64_t* codes,
                                        size_t codes_size, int64_t* found, size_t found_size) {
    using namespace seabattle;
    return with_sweep(memory, [&]<class Number>(Sweep<Number>& sweep) -> int64_t {
        if (used_size != profiles_size || found_size != profiles_size ||
            luck_size != profiles_size * std::size_t(sweep.words()))
            return SEABATTLE_INVALID;
        sweep.walk(row, {{profiles, profiles_size},
                         {used, used_size},
                         {luck, luck_size},
                         {codes, codes_size},
                         {found, found_size}});
        return 0;
    });
}
