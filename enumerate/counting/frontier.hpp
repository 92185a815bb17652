// The frontier of a sweep over a board: its profiles and the steps between them. They depend on the
// width of the sweep, the contact rule and the ships alone; what is known of a game only forbids
// steps. Of the decision diagram that the steps are [Minato2016] no more is kept.
//
// The sweep visits the cells of a board row by row, `width` cells to a row. A ship is begun at its
// first cell in that order, in one of its *shapes*, the ways in which it may lie. A *profile* says
// what the cells to come need to know of those before, both as masks in which bit 0 is the next
// cell and bits count along the rows:
//
//   taken    cells of ships begun before. They reach (height of the tallest shape - 1) rows ahead,
//            which a mask of 128 bits has to hold.
//   water    cells beside the occupied ones visited before, on which the contact rule allows no
//            ship. They reach no farther than the cell below and to the right of the last visited.
//            Those beside a taken cell are left out: no ship fits there anyway, so that profiles
//            that allow the same have the same masks.
//   used     how many ships of each type are begun, a number of mixed radix. It is part of a
//   profile
//            where ships may touch, as profiles are then many and each says more of the ships above
//            it; elsewhere the sweep keeps an axis of sums for it, and it is 0.
//
// A ship may begin where its cells are neither taken nor water and none of the cells that it
// forbids to others is taken; the cells before need no look, as they have made water what they
// forbid.
//
// Nodes of the graph are profiles that leave a choice: one may leave the cell water or begin a ship
// on it; and all profiles between two rows. A *step* begins a ship, or leaves water (or, between
// rows, goes on with what is taken), and then passes over all cells that leave no choice, to the
// end of the row at most. Its *code* says what it begins: 0 nothing, 1 + shape * width + column the
// shape whose first cell is in the column. Layer c holds the profiles before column c, and layer
// `width` is layer 0 of the next row, number for number.
//
// Profiles that ask for more ships than there are, such as five columns with two rows of ships to
// come where four ships are longer than two, are pruned: see `most_`.
#pragma once
#include <algorithm>

#include "enumerate/core/array.hpp"
#include "enumerate/core/seabattle.h"

namespace seabattle {

enum class Contact : std::int32_t { none, corners, sides };

struct Profile {
    DoubleWord taken = 0;
    std::uint32_t water = 0;
    std::uint32_t used = 0;
    bool operator==(const Profile&) const = default;
};

struct Step {
    std::int32_t target;  // its node
    std::uint16_t code;
    std::uint16_t water;  // mask of the columns of this row that the step leaves water
};

/// The steps of one row of a board: what a sweep reads. The nodes of all layers are numbered
/// consecutively, layer by layer.
struct Frontier {
    Count width = 0, types = 0, codes = 0;
    bool counted = false;            // whether profiles say which ships are used
    Count roundings = 0;             // how often a sum is rounded on its way through a row, at most
    Array<Count> layers;             // (width + 2,): first node of each layer, and the end
    Array<std::int32_t> first_step;  // of each node before the last layer, and the end
    Array<Step> steps;
    Array<std::int32_t> ships;    // (types,): how many ships of each type
    Array<std::int32_t> type_of;  // (codes,): type of the ship begun, -1 for none
    Array<std::uint32_t> used;    // of each profile of layer 0, the bare one first of those alike

    Count nodes() const { return layers[width + 1]; }
    Count profiles() const { return layers[1]; }
    Count last() const { return layers[width]; }
    Count uses() const {
        Count found = 1;
        for (std::int32_t number : ships) found *= number + 1;
        return found;
    }

    static Frontier& in(std::uint8_t* memory) { return *reinterpret_cast<Frontier*>(memory); }
};

class FrontierSearch {
public:
    static constexpr int most_width = 16, most_shapes = 512, most_types = 64, most_blocks = 128;

    /// A search in an arena; shapes and ships as in seabattle.h. Invalid ones are not `ok`.
    FrontierSearch(Arena arena, Count bytes, const seabattle_ships& given)
        : width_(given.width), contact_(Contact(given.contact)), counted_(given.counted) {
        if (!set_shapes({given.cells, given.cells_size}, {given.types, given.types_size},
                        {given.ships, given.ships_size}))
            return;
        set_masks();
        set_most();
        take(arena, bytes);
        if (arena.full()) return;
        number_of({}, 0);
        ok = true;
    }

    /// The same search, with what it has found, in a larger arena.
    FrontierSearch(const FrontierSearch& other, Arena arena, Count bytes) : FrontierSearch(other) {
        take(arena, bytes);
        std::copy_n(other.nodes_.begin(), other.n_nodes_, nodes_.begin());
        std::copy_n(other.steps_.begin(), other.n_steps_, steps_.begin());
        for (Count node = 0; node < n_nodes_; ++node)
            slots_[find(nodes_[node], nodes_[node].column)] = std::int32_t(node + 1);
        ok = !arena.full();
    }

    /// Find the steps of so many more nodes; returns how many are left, or SEABATTLE_FULL.
    Count search(Count allowance) {
        for (; allowance > 0; --allowance) {
            if (done_ == n_nodes_) find_all();
            if (done_ == n_nodes_) break;
            if (n_nodes_ + sought_at_once + n_shapes_ + 1 > nodes_.size() ||
                n_steps_ + n_shapes_ + 1 > steps_.size()) {
                find_all();
                return SEABATTLE_FULL;
            }
            follow(done_++);
        }
        find_all();
        return n_nodes_ - done_;
    }

    Count kept_bytes() const {
        Arena arena = Arena::measuring();
        arena.take_as_is<Frontier>(1);
        parted(arena);
        return arena.top();
    }

    /// What was found, for sweeps, in an arena of `kept_bytes`; the search ends with it.
    void keep(Arena arena) {
        Frontier& kept = arena.take<Frontier>(1)[0];
        kept = parted(arena);
        kept.layers[0] = 0;
        for (int c = 0; c < width_; ++c) kept.layers[c + 1] = kept.layers[c] + in_column(c);
        kept.layers[width_ + 1] = kept.layers[width_] + kept.layers[1];
        std::copy_n(ships_, n_types_, kept.ships.begin());
        kept.type_of[0] = -1;
        for (Count code = 1; code < codes(); ++code)
            kept.type_of[code] = shapes_[(code - 1) / width_].type;
        number_in_order(kept);
        Count e = 0;
        for (Count place = 0; place < n_nodes_; ++place) {
            const Node& node = nodes_[order_[place].node];
            kept.first_step[place] = std::int32_t(e);
            if (node.column == 0) kept.used[place] = node.used;
            for (Count s = node.first_step; s < end_of_steps(order_[place].node); ++s, ++e) {
                const Step& step = steps_[s];
                kept.steps[e] = {number_[step.target], step.code, step.water};
            }
        }
        kept.first_step[n_nodes_] = std::int32_t(e);
        kept.roundings = roundings(kept);
    }

    bool ok = false;

private:
    struct Node : Profile {  // within the 32 bytes that a profile takes
        std::int32_t column;
        std::int32_t first_step;
    };
    struct Sought {
        Profile profile;
        std::int32_t column;
        Count step, place;
    };
    struct Place {
        DoubleWord key;
        std::int32_t node;
    };
    struct Shape {
        DoubleWord cells = 0;  // from its first cell on
        int left = 0, right = 0, type = 0;
        bool fits(int column, int width) const { return column >= left && column + right < width; }
    };

    Count codes() const { return 1 + Count(n_shapes_) * width_; }

    /// What is kept, its arrays taken from an arena and not filled yet.
    Frontier parted(Arena& arena) const {
        return {.width = width_,
                .types = n_types_,
                .codes = codes(),
                .counted = counted_,
                .layers = arena.take_as_is<Count>(width_ + 2),
                .first_step = arena.take_as_is<std::int32_t>(n_nodes_ + 1),
                .steps = arena.take_as_is<Step>(n_steps_),
                .ships = arena.take_as_is<std::int32_t>(n_types_),
                .type_of = arena.take_as_is<std::int32_t>(codes()),
                .used = arena.take_as_is<std::uint32_t>(in_column(0))};
    }

    // What a ship does to the cells to come

    bool set_shapes(Array<const std::int32_t> cells, Array<const std::int32_t> types,
                    Array<const std::int32_t> ships) {
        if (width_ < 1 || width_ > most_width || types.size() > most_shapes ||
            ships.size() > most_types || cells.size() % 3)
            return false;
        n_shapes_ = int(types.size()), n_types_ = int(ships.size());
        std::uint32_t stride = 1;
        for (int t = 0; t < n_types_; ++t) {
            ships_[t] = ships[t];
            strides_[t] = stride;
            stride *= std::uint32_t(ships[t] + 1);
        }
        for (int s = 0; s < n_shapes_; ++s) {
            if (types[s] < 0 || types[s] >= n_types_) return false;
            shapes_[s].type = types[s];
        }
        for (Count i = 0; i < cells.size(); i += 3) {
            const int bit = cells[i + 1] * width_ + cells[i + 2];
            if (cells[i] < 0 || cells[i] >= n_shapes_ || bit < 0 || bit > 127) return false;
            Shape& shape = shapes_[cells[i]];
            shape.cells |= bit_of<DoubleWord>(bit);
            shape.left = std::max(shape.left, -int(cells[i + 2]));
            shape.right = std::max(shape.right, int(cells[i + 2]));
        }
        return true;
    }

    /// Masks of the columns in which a step to the left or to the right is none over the edge.
    void set_masks() {
        for (int c = 0; c <= width_; ++c) {
            not_first_[c] = not_last_[c] = 0;
            for (int bit = 0; bit < 128; ++bit) {
                const int column = (c + bit) % width_;
                if (column > 0) not_first_[c] |= bit_of<DoubleWord>(bit);
                if (column < width_ - 1) not_last_[c] |= bit_of<DoubleWord>(bit);
            }
        }
        for (int c = 0; c < width_; ++c)
            for (int s = 0; s < n_shapes_; ++s)
                halos_[c][s] = beside(shapes_[s].cells, c) & ~shapes_[s].cells;
    }

    /// Cells to come that the contact rule forbids to other ships beside some, of which the first
    /// is in column c.
    DoubleWord beside(DoubleWord cells, int c) const {
        if (contact_ == Contact::sides) return 0;
        const DoubleWord to_left = cells & not_first_[c], to_right = cells & not_last_[c];
        DoubleWord found = to_left >> 1 | to_right << 1 | cells >> width_ | cells << width_;
        if (contact_ == Contact::none)
            found |= to_left << (width_ - 1) | to_left >> (width_ + 1) | to_right << (width_ + 1) |
                     to_right >> (width_ - 1);
        return found;
    }

    /// Visit the next cell, in column c, which is occupied where it is taken, else left water.
    void pass(Profile& profile, int c) const {
        const bool occupied = profile.taken & 1;
        profile.taken >>= 1;
        profile.water >>= 1;
        if (!occupied || contact_ == Contact::sides) return;
        profile.water |= std::uint32_t(beside(1, c) >> 1);  // seen from the cell after it
        const DoubleWord implied = profile.taken | beside(profile.taken, (c + 1) % width_);
        profile.water &= ~std::uint32_t(implied);
    }

    /// Begin a ship at the next cell, in column c, which is neither taken nor water; false where
    /// the shape does not fit there.
    bool begin(Profile& profile, int c, int s) const {
        const Shape& shape = shapes_[s];
        if (!shape.fits(c, width_)) return false;
        if ((shape.cells & (profile.taken | profile.water)) || (halos_[c][s] & profile.taken))
            return false;
        if (counted_) {
            const int t = shape.type;
            const std::uint32_t radix = std::uint32_t(ships_[t] + 1);
            if (profile.used / strides_[t] % radix == radix - 1) return false;
            profile.used += strides_[t];
        }
        profile.taken |= shape.cells;
        return true;
    }

    // Which profiles the fleet can bear

    /// Set for every column and block of `width` cells how many cells of ships begun before can lie
    /// there: `most_[c][k]` in cells [k * width, (k + 1) * width) from a next cell in column c on
    /// that is not taken itself, or begins a row. Every ship has as many as any of its shapes can
    /// have. Of lines these are the ships that are longer than k + 1, each with one cell.
    void set_most() {
        n_blocks_ = 0;
        for (int s = 0; s < n_shapes_; ++s)
            for (int bit : Cells(shapes_[s].cells))
                n_blocks_ = std::max(n_blocks_, bit / width_ + 1);
        const DoubleWord block = lowest_bits<DoubleWord>(width_);
        for (int c = 0; c < width_; ++c)
            for (int k = 0; k < n_blocks_; ++k) {
                int of_type[most_types] = {};
                for (int s = 0; s < n_shapes_; ++s)
                    for (int first = 0; first < width_; ++first)
                        for (int passed = c - first; passed < 128; passed += width_) {
                            if (passed < 1 || !shapes_[s].fits(first, width_)) continue;
                            const DoubleWord ahead = shapes_[s].cells >> passed;
                            if (c > 0 && (ahead & 1)) continue;
                            int& most = of_type[shapes_[s].type];
                            most = std::max(most, popcount(ahead >> k * width_ & block));
                        }
                most_[c][k] = 0;
                for (int t = 0; t < n_types_; ++t) most_[c][k] += ships_[t] * of_type[t];
            }
    }

    bool is_within(const Profile& profile, int c) const {
        if (counted_) return true;  // as many as there are have been begun
        const DoubleWord block = lowest_bits<DoubleWord>(width_);
        DoubleWord ahead = profile.taken;
        for (int k = 0; ahead != 0; ++k, ahead >>= width_)
            if (popcount(ahead & block) > most_[c][k]) return false;
        return true;
    }

    // Steps

    /// Pass over taken cells and water to the next cell that may leave a choice, or the end of the
    /// row; false where the fleet has not the ships for it.
    bool land(Profile& profile, int& c, std::uint32_t& water) const {
        while (c < width_ && ((profile.taken | profile.water) & 1)) step_over(profile, c, water);
        return is_within(profile, c == width_ ? 0 : c);
    }

    void step_over(Profile& profile, int& c, std::uint32_t& water) const {
        if (!(profile.taken & 1)) water |= 1u << c;
        pass(profile, c++);
    }

    /// Whether a ship may begin at the next cell.
    bool is_choice(const Profile& profile, int c) const {
        for (int s = 0; s < n_shapes_; ++s) {
            Profile after = profile;
            int column = c;
            std::uint32_t water = 0;
            if (begin(after, c, s) && (counted_ || land(after, column, water))) return true;
        }
        return false;
    }

    /// Write the steps of a node.
    void follow(Count node) {
        const Profile from = nodes_[node];
        const int c = nodes_[node].column;
        nodes_[node].first_step = std::int32_t(n_steps_);
        go_on(from, c, 0);
        if ((from.taken | from.water) & 1) return;
        for (int s = 0; s < n_shapes_; ++s) {
            Profile after = from;
            if (begin(after, c, s)) go_on(after, c, 1 + s * width_ + c);
        }
    }

    /// Write the step that leads on from a cell.
    void go_on(Profile profile, int c, int code) {
        std::uint32_t water = 0;
        step_over(profile, c, water);
        while (land(profile, c, water)) {
            if (c == width_ || is_choice(profile, c)) {
                steps_[n_steps_] = {-1, std::uint16_t(code), std::uint16_t(water)};
                seek(profile, c == width_ ? 0 : c, n_steps_++);
                return;
            }
            step_over(profile, c, water);
        }
    }

    // The nodes found: an open-addressing hash table of their numbers plus one, 0 in gaps

    /// Part an arena of so many bytes: what a node needs, and some steps for it.
    void take(Arena& arena, Count bytes) {
        const Count each =
            sizeof(Node) + steps_each * sizeof(Step) + sizeof(Place) + 3 * sizeof(std::int32_t);
        const Count room = std::max<Count>(0, bytes - 64 * 16) / each;
        const Count slots = Count(std::bit_floor(Word(2 * room + 1)));
        nodes_ = arena.take_as_is<Node>(std::min(room, slots / 2));
        steps_ = arena.take_as_is<Step>(steps_each * nodes_.size());
        order_ = arena.take_as_is<Place>(nodes_.size());
        number_ = arena.take_as_is<std::int32_t>(nodes_.size());
        slots_ = arena.take<std::int32_t>(slots);
    }

    /// The target of a step, which is looked up later: some look-ups wait for memory together,
    /// first for the slots and then for the nodes there. Nodes are numbered in the order of their
    /// steps.
    void seek(const Profile& profile, int column, Count step) {
        if (n_sought_ - n_found_ == sought_at_once) find_next();
        const Count place = home(profile, column);
        __builtin_prefetch(&slots_[place]);
        sought_[n_sought_++ % sought_at_once] = {profile, column, step, place};
        const Count half = n_sought_ - sought_at_once / 2;
        if (half < n_found_) return;
        if (const std::int32_t there = slots_[sought_[half % sought_at_once].place])
            __builtin_prefetch(&nodes_[there - 1]);
    }

    void find_next() {
        const Sought& sought = sought_[n_found_++ % sought_at_once];
        steps_[sought.step].target = number_of(sought.profile, sought.column);
    }

    void find_all() {
        while (n_found_ < n_sought_) find_next();
    }

    std::int32_t number_of(const Profile& profile, int column) {
        const Count place = find(profile, column);
        if (slots_[place] == 0) {
            nodes_[n_nodes_] = {profile, column, 0};
            slots_[place] = std::int32_t(++n_nodes_);
        }
        return slots_[place] - 1;
    }

    /// The slot of a node, or the gap where it would be.
    Count find(const Profile& profile, int column) const {
        Count place = home(profile, column);
        for (; slots_[place] != 0; place = (place + 1) & (slots_.size() - 1)) {
            const Node& node = nodes_[slots_[place] - 1];
            if (node == profile && node.column == column) break;
        }
        return place;
    }

    /// The slot where the search for a node begins.
    Count home(const Profile& profile, int column) const {
        constexpr Word golden = 0x9E3779B97F4A7C15;
        Word hash = (Word(profile.taken) ^ Word(profile.water) << 40 ^ Word(column) << 58) * golden;
        hash = (hash ^ hash >> 32 ^ Word(profile.taken >> 64) ^ Word(profile.used) << 32) * golden;
        return Count(hash >> 24 & Word(slots_.size() - 1));
    }

    Count in_column(int c) const {
        return std::count_if(nodes_.begin(), nodes_.begin() + n_nodes_,
                             [c](const Node& node) { return node.column == c; });
    }

    Count end_of_steps(Count node) const {
        return node + 1 < n_nodes_ ? nodes_[node + 1].first_step : n_steps_;
    }

    /// Number the nodes layer by layer, those of a layer by the ships used and then by what is
    /// taken: profiles that a step connects are then close together in memory.
    void number_in_order(const Frontier& kept) {
        for (Count node = 0; node < n_nodes_; ++node) {
            const Node& there = nodes_[node];
            const DoubleWord cells = there.taken << (most_width + 2) | there.water;
            order_[node] = {DoubleWord(there.column) << 124 | DoubleWord(there.used) << 96 |
                                (cells & lowest_bits<DoubleWord>(96)),
                            std::int32_t(node)};
        }
        std::sort(order_.begin(), order_.begin() + n_nodes_, [](const Place& a, const Place& b) {
            return a.key != b.key ? a.key < b.key : a.node < b.node;
        });
        for (Count place = 0; place < n_nodes_; ++place)
            number_[order_[place].node] =
                std::int32_t(place < kept.profiles() ? kept.last() + place : place);
    }

    /// How often a sum is rounded at most on its way through a row: twice into nodes, once out. In
    /// every layer it passes through at most one node, which adds up the steps into it (or out of
    /// it): one rounding for each step and one for the weight.
    Count roundings(const Frontier& kept) {
        Count found = 3 * width_;
        Array<std::int32_t> into = number_;
        std::fill(into.begin(), into.end(), 0);
        for (const Step& step : kept.steps)
            ++into[step.target < kept.last() ? step.target : step.target - kept.last()];
        for (int c = 0; c < width_; ++c) {
            Count most_into = 0, most_out = 0;
            for (Count node = kept.layers[c]; node < kept.layers[c + 1]; ++node) {
                most_into = std::max(most_into, Count(into[node]));
                most_out =
                    std::max<Count>(most_out, kept.first_step[node + 1] - kept.first_step[node]);
            }
            found += 2 * most_into + most_out;
        }
        return found;
    }

    static constexpr Count steps_each = 3, sought_at_once = 16;

    int width_;
    Contact contact_;
    bool counted_;
    int n_shapes_ = 0, n_types_ = 0, n_blocks_ = 0;
    Shape shapes_[most_shapes];
    std::int32_t ships_[most_types];
    std::uint32_t strides_[most_types];
    DoubleWord halos_[most_width][most_shapes];  // what a shape forbids to others, by its column
    DoubleWord not_first_[most_width + 1], not_last_[most_width + 1];
    int most_[most_width][most_blocks];

    Array<Node> nodes_;
    Array<Step> steps_;
    Array<std::int32_t> slots_, number_;
    Array<Place> order_;
    Sought sought_[sought_at_once];
    Count n_sought_ = 0, n_found_ = 0;  // steps whose targets were to be looked up, and were
    Count n_nodes_ = 0, n_steps_ = 0, done_ = 0;
};

}  // namespace seabattle

extern "C" int64_t seabattle_begin_frontier(const seabattle_ships* ships, uint8_t* memory,
                                            size_t memory_size) {
    using namespace seabattle;
    const Count rest = Count(memory_size) - Count(sizeof(FrontierSearch));
    if (rest < 1 << 16) return SEABATTLE_FULL;
    Arena arena(reinterpret_cast<std::byte*>(memory + sizeof(FrontierSearch)), rest);
    return (new (memory) FrontierSearch(arena, rest, *ships))->ok ? 0 : SEABATTLE_INVALID;
}

extern "C" int64_t seabattle_move_frontier(const uint8_t* memory, size_t, uint8_t* larger,
                                           size_t larger_size) {
    using namespace seabattle;
    const Count rest = Count(larger_size) - Count(sizeof(FrontierSearch));
    Arena arena(reinterpret_cast<std::byte*>(larger + sizeof(FrontierSearch)), rest);
    const auto& search = *reinterpret_cast<const FrontierSearch*>(memory);
    return (new (larger) FrontierSearch(search, arena, rest))->ok ? 0 : SEABATTLE_INVALID;
}

extern "C" int64_t seabattle_search_frontier(uint8_t* memory, size_t, int64_t allowance) {
    return reinterpret_cast<seabattle::FrontierSearch*>(memory)->search(allowance);
}

extern "C" int64_t seabattle_frontier_bytes(const uint8_t* memory, size_t) {
    return reinterpret_cast<const seabattle::FrontierSearch*>(memory)->kept_bytes();
}

extern "C" int64_t seabattle_keep_frontier(uint8_t* memory, size_t, uint8_t* kept, size_t kept_size,
                                           int64_t* sizes, size_t sizes_size) {
    using namespace seabattle;
    auto& search = *reinterpret_cast<FrontierSearch*>(memory);
    if (Count(kept_size) < search.kept_bytes() || sizes_size < 4) return SEABATTLE_INVALID;
    search.keep(Arena(reinterpret_cast<std::byte*>(kept), Count(kept_size)));
    const Frontier& frontier = Frontier::in(kept);
    sizes[0] = frontier.nodes();
    sizes[1] = frontier.profiles();
    sizes[2] = frontier.steps.size();
    sizes[3] = frontier.roundings;
    return 0;
}
