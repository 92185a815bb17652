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
// none of the cells that it leaves water must be occupied. Only nodes *reached* by open steps are
// visited, in their own order.
//
// Kept are the sums before every row. Those within a row are computed anew when the sweep comes
// back, which takes less memory and, as they stay in the cache, little more time.
#pragma once
#include <type_traits>

#include "enumerate/counting/frontier.hpp"
#include "enumerate/counting/random.hpp"

namespace seabattle {

/// Whole numbers modulo 2^512, the low word first: few boards have so many layouts.
struct Wide {
    static constexpr int n = 8;
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
inline Wide masked(Wide number, Word mask) {
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

    /// A sweep with arrays from an arena; `begin` before it is used.
    Sweep(const SweepHead& head, Arena arena) : head_(head), f_(*head.frontier), arena_(arena) {}

    /// Bytes that it needs, those of its arrays after as many as `from`.
    static Count bytes(const SweepHead& head) {
        return from() + Sweep(head, Arena::measuring()).arena_.top();
    }
    static constexpr Count from() { return (Count(sizeof(Sweep)) + 63) / 64 * 64; }  // aligned

    /// Set how steps move the entries of a sum vector; false where the arena is too small.
    bool begin() {
        if (arena_.full()) return false;
        std::fill(masks_.begin(), masks_.end(), ~Word{0});
        std::fill(shifts_.begin(), shifts_.end(), 0);
        Count stride = 1;
        for (Count t = 0; t < f_.types && !f_.counted; ++t) {
            const Count radix = head_.left[t] + 1;
            for (Count u = 0; u < entries_; ++u)
                if (u / stride % radix == radix - 1) masks_[(t + 1) * entries_ + u] = 0;
            shifts_[t + 1] = stride;
            stride *= radix;
        }
        return true;
    }

    /// Set what every row allows. Returns how many rows are summed up forward already.
    Count set_rules(const seabattle_board& board) {
        if (!head_.keeps) ready_ = 0;
        for (Count row = 0; row < head_.height; ++row) {
            const Count from = row * f_.codes, end = from + f_.codes;
            bool same = required_[row] == board.required[row] &&
                        std::equal(board.allowed + from, board.allowed + end, &allowed_[from]);
            if constexpr (is_mass)
                same =
                    same && std::equal(board.weights + from, board.weights + end, &weights_[from]);
            if (!same) ready_ = std::min(ready_, row);
        }
        std::copy_n(board.allowed, board.allowed_size, allowed_.begin());
        std::copy_n(board.required, board.required_size, required_.begin());
        if constexpr (is_mass) std::copy_n(board.weights, board.weights_size, weights_.begin());
        if (ready_ == 0) set_start();
        return ready_;
    }

    /// Sums of the nodes of a row, and after it, from those before it.
    void forward(Count row) {
        forget(boundary(row + 1));
        go(row, true);
        ready_ = row + 1;
    }

    Number total() const {
        Total<Number> found;
        const Nodes end = boundary(head_.height);
        visit(end, 0, f_.profiles(), [&](Count profile) {
            if (is_end(profile)) found.add(end.at(profile)[entries_ - 1]);
        });
        return found.sum;
    }

    /// Sums of the nodes of a row, and before it, from those after it. With starts, as in
    /// seabattle.h; without, the sums before the row take the place of the forward sums there.
    void backward(Count row, Array<Number> starts) {
        in_place_ = starts.empty();
        if (row + 1 == head_.height) set_end();
        if (rows_inside_ == 1 && !in_place_) go(row, false);
        in_place_ ? back<false>(row) : back<true>(row);
        for (Count code = 0; code < starts.size(); ++code)
            starts[code] = code ? totals_[code].sum : Number{};
        // The sums after the last row are overwritten, too.
        ready_ = in_place_ ? 0 : std::min(ready_, Count(head_.height - 1));
    }

    /// Where a walk is before a row: its profile, the entry of sums that says which ships are used,
    /// and how many ships it has begun.
    struct Walk {
        Count profile, used, found;
    };

    /// Take walks through a row, along backward sums that are those before every row, with luck and
    /// starts as in seabattle.h.
    void walk(Count row, Array<Walk> walks, Array<Word> luck, Array<std::int64_t> starts) {
        back<false>(row);
        for (Count w = 0; w < walks.size(); ++w) {
            Walk& walk = walks[w];
            Count node = row == 0 ? first_ : walk.profile;
            while (node < f_.last()) {
                const Step& step = choose(row, node, walk.used, luck.row(w, words()));
                walk.used += move(step).up;
                node = step.target;
                if (step.code)
                    starts.row(w, starts.size() / walks.size())[walk.found++] =
                        row * f_.codes + step.code;
            }
            walk.profile = node - f_.last();
        }
    }

    const SweepHead& head() const { return head_; }
    const Frontier& frontier() const { return f_; }
    static constexpr Count words() { return Count(sizeof(Number) / 8); }

private:
    // Nodes and their sums

    /// Some consecutive nodes: which of them are reached, a bit for each, and their sums.
    struct Nodes {
        Count first, entries;
        Array<Word> reached;
        Array<Number> sums;

        Number* at(Count node) const {
            SEABATTLE_ASSERT(node >= first && (node - first + 1) * entries <= sums.size());
            return sums.begin() + (node - first) * entries;
        }
        /// Note that a node is reached; returns whether it was before.
        bool reach(Count node) const {
            Word& word = reached[(node - first) / 64];
            const Word before = word;
            word |= Word{1} << (node - first) % 64;
            return before >> (node - first) % 64 & 1;
        }
    };

    static Count words_of(Count bits) { return (bits + 63) / 64; }
    Count inside() const { return f_.last() - f_.profiles(); }

    /// Sums are kept for so many times the profiles between rows: before every row, and twice those
    /// that are after one row and before the next, forward after the last row and backward.
    Count boundaries() const { return head_.keeps * head_.height + 2; }
    Count slot(Count row, bool is_ahead) const {
        const Count rows = head_.keeps * head_.height;
        return is_ahead && row < rows ? row : rows + row % 2;
    }

    /// The profiles before a row, or after the last, with their forward sums.
    Nodes boundary(Count row) const {
        return {0, entries_, reached_.row(slot(row, true), words_of(f_.profiles())),
                sums_.row(slot(row, true), f_.profiles() * entries_)};
    }
    Nodes within(Count row) const {
        return {f_.profiles(), entries_, reached_inside_.row(row, words_of(inside())),
                ahead_.row(row % rows_inside_, inside() * entries_)};
    }
    /// The same nodes with their backward sums; these say nothing of what is reached.
    Nodes boundary_behind(Count row) const {
        return {0, entries_, {}, sums_.row(slot(row, in_place_), f_.profiles() * entries_)};
    }
    Nodes within_behind() const { return {f_.profiles(), entries_, {}, behind_}; }
    /// Profiles as the nodes of the last layer.
    Nodes last_layer(Nodes profiles) const {
        profiles.first = f_.last();
        return profiles;
    }

    static void forget(const Nodes& nodes) {
        std::fill(nodes.reached.begin(), nodes.reached.end(), Word{0});
    }

    /// Visit nodes that are reached, from one to the last before another.
    template <class Visit>
    static void visit(const Nodes& nodes, Count from, Count end, Visit act) {
        const Count first = from - nodes.first, size = end - nodes.first;
        for (Count i = first / 64; i * 64 < size; ++i) {
            Word word = nodes.reached[i];
            if (i * 64 < first) word &= ~Word{0} << first % 64;
            if (size - i * 64 < 64) word &= lowest_bits<Word>(int(size - i * 64));
            for (int bit : Cells(word)) act(nodes.first + i * 64 + bit);
        }
    }
    template <class Visit>
    void visit_layer(Count row, Count c, Visit act) const {
        visit(c == 0 ? boundary(row) : within(row), f_.layers[c], f_.layers[c + 1], act);
    }

    bool is_end(Count profile) const {
        return !f_.counted || f_.used[profile] == std::uint32_t(f_.uses() - 1);
    }

    /// Before the first row there is nothing; profiles that say so have the sunk ships used.
    void set_start() {
        const Nodes start = boundary(0);
        forget(start);
        std::uint32_t sunk = 0, stride = 1;
        for (Count t = 0; t < f_.types && f_.counted; ++t) {
            sunk += stride * std::uint32_t(f_.ships[t] - head_.left[t]);
            stride *= std::uint32_t(f_.ships[t] + 1);
        }
        first_ = 0;
        while (f_.used[first_] != sunk) ++first_;
        start.reach(first_);
        std::fill_n(start.at(first_), entries_, Number{});
        *start.at(first_) = Number(1);
    }

    /// Backward sums after the last row: 1 where the whole fleet is used.
    void set_end() {
        const Nodes end = boundary_behind(head_.height);
        visit(boundary(head_.height), 0, f_.profiles(), [&](Count profile) {
            std::fill_n(end.at(profile), entries_, Number{});
            end.at(profile)[entries_ - 1] = Number(is_end(profile) ? 1 : 0);
        });
    }

    // Steps

    /// What a row allows.
    struct Row {
        const std::uint8_t* allowed;
        std::uint32_t required;
        const double* weights;

        bool is_open(const Step& step) const {
            return allowed[step.code] && !(step.water & required);
        }
        /// What the ship weighs that it begins.
        double weight(const Step& step) const { return is_mass ? weights[step.code] : 1; }
    };
    static Number weighed(const Number& number, double weight) {
        if constexpr (is_mass)
            return number * weight;
        else
            return number;
    }
    Row row_of(Count row) const {
        return {allowed_.row(row, f_.codes).begin(), required_[row],
                is_mass ? weights_.row(row, f_.codes).begin() : nullptr};
    }

    template <class Visit>
    void visit_open(const Row& row, Count node, Visit act) const {
        const Step* const end = f_.steps.begin() + f_.first_step[node + 1];
        for (const Step* step = f_.steps.begin() + f_.first_step[node]; step < end; ++step)
            if (row.is_open(*step)) act(*step);
    }

    /// How a step moves the entries of a sum: so many up, those that the mask has. A single number
    /// stays where it is.
    struct Move {
        Count up;
        const Word* mask;
    };
    template <bool is_single = false>
    Move move(const Step& step) const {
        static constexpr Word all = ~Word{0};
        const Count type = is_single ? 0 : f_.type_of[step.code] + 1;
        return {is_single ? 0 : shifts_[type],
                is_single ? &all : masks_.row(type, entries_).begin()};
    }

    /// Add a share, as far as the mask has it, to a sum, or to none where it is new.
    static void add(Number* __restrict into, const Number* __restrict share,
                    const Word* __restrict mask, Count n, bool is_new, double weight) {
        auto part = [&](Count u) { return weighed(masked(share[u], mask[u]), weight); };
        if (is_new) {
#pragma omp simd
            for (Count u = 0; u < n; ++u) into[u] = part(u);
        } else {
#pragma omp simd
            for (Count u = 0; u < n; ++u) into[u] += part(u);
        }
    }

    static Number dot(const Number* __restrict a, const Number* __restrict b,
                      const Word* __restrict mask, Count n) {
        Number total{};
        const auto part = [&](Count u) { return masked(a[u], mask[u]) * b[u]; };
        if constexpr (std::is_same_v<Number, Word>) {  // masses are added in their order
#pragma omp simd reduction(+ : total)
            for (Count u = 0; u < n; ++u) total += part(u);
        } else {
            for (Count u = 0; u < n; ++u) total += part(u);
        }
        return total;
    }

    // Rows. Compiled once more for sums of a single number, which then need no loops.

    /// Reach the nodes within a row by open steps, and those after it (`to_end`), with their sums.
    void go(Count row, bool to_end) {
        entries_ == 1 ? go<true>(row, to_end) : go<false>(row, to_end);
    }

    template <bool is_single>
    void go(Count number, bool to_end) {
        const Row row = row_of(number);
        const Nodes before = boundary(number), after = last_layer(boundary(number + 1));
        const Nodes inside = within(number);
        const Count last = f_.last(), entries = is_single ? 1 : entries_;
        forget(inside);
        for (Count c = 0; c < f_.width; ++c)
            visit_layer(number, c, [&](Count node) {
                const Number* share = (c == 0 ? before : inside).at(node);
                visit_open(row, node, [&](const Step& step) {
                    if (step.target >= last && !to_end) return;
                    const Nodes& there = step.target >= last ? after : inside;
                    const bool is_new = !there.reach(step.target);
                    Number* into = there.at(step.target);
                    const auto [up, mask] = move<is_single>(step);
                    if (is_new) std::fill_n(into, up, Number{});
                    add(into + up, share, mask, entries - up, is_new, row.weight(step));
                });
            });
    }

    /// Backward sums of the nodes within a row and before it, and the totals of its codes.
    template <bool with_starts>
    void back(Count row) {
        std::fill(totals_.begin(), totals_.end(), Total<Number>{});
        entries_ == 1 ? back<true, with_starts>(row) : back<false, with_starts>(row);
    }

    template <bool is_single, bool with_starts>
    void back(Count number) {
        const Row row = row_of(number);
        const Nodes before = boundary(number), inside = within(number);
        const Nodes before_behind = boundary_behind(number), inside_behind = within_behind();
        const Nodes after_behind = last_layer(boundary_behind(number + 1));
        const Count last = f_.last(), entries = is_single ? 1 : entries_;
        for (Count c = f_.width - 1; c >= 0; --c)
            visit_layer(number, c, [&](Count node) {
                const Number* ahead = (c == 0 ? before : inside).at(node);
                Number* into = (c == 0 ? before_behind : inside_behind).at(node);
                bool is_new = true;
                visit_open(row, node, [&](const Step& step) {
                    const Nodes& there = step.target >= last ? after_behind : inside_behind;
                    const auto [up, mask] = move<is_single>(step);
                    const Number* rest = there.at(step.target) + up;
                    if (is_new) std::fill_n(into + entries - up, up, Number{});
                    add(into, rest, mask, entries - up, is_new, row.weight(step));
                    is_new = false;
                    if (with_starts && step.code)
                        totals_[step.code].add(
                            weighed(dot(ahead, rest, mask, entries - up), row.weight(step)));
                });
                if (is_new) std::fill_n(into, entries, Number{});
            });
    }

    // Walks

    /// The step that a walk takes: by its rank among the layouts ahead, or at random by mass.
    const Step& choose(Count number, Count node, Count used, Array<Word> luck) const {
        const Row row = row_of(number);
        const Nodes inside = within_behind(), after = last_layer(boundary_behind(number + 1));
        const Step* chosen = nullptr;
        auto seek = [&](auto is_chosen) {
            visit_open(row, node, [&](const Step& step) {
                const auto [up, mask] = move(step);
                if (chosen || !mask[used]) return;
                const Nodes& there = step.target >= f_.last() ? after : inside;
                if (is_chosen(there.at(step.target)[used + up], step)) chosen = &step;
            });
        };
        if constexpr (is_mass) {
            // A share of 53 bits times the sum of some numbers rounds to less than that sum, and
            // the same numbers are added up in the same order, so that a step is always taken.
            double drawn = 0, total = 0;
            for (const bool again : {false, true}) {
                if (again) {
                    Random random{luck[0]};
                    drawn = random.fraction() * total;
                    luck[0] = random.state;
                }
                total = 0;
                seek([&](double sum, const Step& step) {
                    total += weighed(sum, row.weight(step));
                    return again && drawn < total;
                });
            }
        } else {
            Number& rank = *reinterpret_cast<Number*>(luck.begin());
            seek([&](const Number& sum, const Step&) {
                if (rank < sum) return true;
                rank -= sum;
                return false;
            });
        }
        SEABATTLE_ASSERT(chosen);
        return *chosen;
    }

    static Count entries_of(const SweepHead& head) {
        Count found = 1;
        for (Count t = 0; t < head.frontier->types && !head.frontier->counted; ++t)
            found *= head.left[t] + 1;
        return found;
    }

    SweepHead head_;  // first: it tells what the rest is
    const Frontier& f_;
    Arena arena_;
    Count entries_ = entries_of(head_);
    // As long as a sum is a single number, those within all rows take little, and are kept.
    Count rows_inside_ = head_.keeps && entries_ == 1 ? head_.height : 1;
    Count first_ = 0;        // the profile before the first row
    Count ready_ = 0;        // rows whose forward sums are kept
    bool in_place_ = false;  // whether backward sums take the place of forward sums between rows

    Array<std::uint8_t> allowed_ = arena_.take_as_is<std::uint8_t>(head_.height * f_.codes);
    Array<std::uint32_t> required_ = arena_.take_as_is<std::uint32_t>(head_.height);
    Array<double> weights_ = arena_.take_as_is<double>(is_mass ? head_.height * f_.codes : 0);
    // By type, 0 for steps that begin no ship: where entries are moved, and which may be.
    Array<Count> shifts_ = arena_.take_as_is<Count>(f_.types + 1);
    Array<Word> masks_ = arena_.take_as_is<Word>((f_.types + 1) * entries_);
    Array<Total<Number>> totals_ = arena_.take_as_is<Total<Number>>(f_.codes);
    Array<Word> reached_ = arena_.take_as_is<Word>(boundaries() * words_of(f_.profiles()));
    Array<Word> reached_inside_ = arena_.take_as_is<Word>(head_.height * words_of(inside()));
    Array<Number> sums_ = arena_.take_as_is<Number>(boundaries() * f_.profiles() * entries_);
    Array<Number> ahead_ = arena_.take_as_is<Number>(rows_inside_ * inside() * entries_);
    Array<Number> behind_ = arena_.take_as_is<Number>(head_.keeps * inside() * entries_);
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
        case 8:
            return visit(Wide{});
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
        return Sweep<Number>::bytes(SweepHead(*board));
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
            if (Count(memory_size) < Sweep<Number>::from()) return SEABATTLE_INVALID;
            const Arena arena(reinterpret_cast<std::byte*>(memory + Sweep<Number>::from()),
                              Count(memory_size) - Sweep<Number>::from());
            sweep = new (memory) Sweep<Number>(head, arena);
            if (!sweep->begin()) return SEABATTLE_INVALID;
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

extern "C" int64_t seabattle_sweep_walk(uint8_t* memory, size_t, int64_t row, int64_t* walks,
                                        size_t walks_size, uint64_t* luck, size_t luck_size,
                                        int64_t* starts, size_t starts_size) {
    using namespace seabattle;
    return with_sweep(memory, [&]<class Number>(Sweep<Number>& sweep) -> int64_t {
        using Walk = typename Sweep<Number>::Walk;
        const std::size_t count = walks_size / 3;
        if (walks_size != 3 * count || luck_size != count * std::size_t(sweep.words()))
            return SEABATTLE_INVALID;
        sweep.walk(row, {reinterpret_cast<Walk*>(walks), count}, {luck, luck_size},
                   {starts, starts_size});
        return 0;
    });
}
