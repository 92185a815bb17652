// Positions of a strategy file: their parts looked up among its keys, and its states checked.
//
// How answers part layouts and how keys are packed is the search's (solver/search/answers.hpp,
// keys.hpp); nothing else of it is used. Certain hits are shot first, they cost nothing: a position
// is the sum, or the worst, of its closed parts, each of which has a key. Values stay below layouts
// times cells.
#pragma once
#include "solver/search/answers.hpp"

namespace seabattle {

/// What can be wrong with a state; `FAULTS` of trees/strategy/check.py puts it in words.
enum class Fault : std::int32_t {
    none,
    no_layout,
    not_closed,
    not_least,
    bad_shot,
    missing,
    wrong_value,
    better_shot
};

/// The misses to come and a best shot of every state, and what they are to be.
struct StateValues {
    Array<const Count> misses;
    Array<const std::uint8_t> shots;
    bool is_worst;  // of the worst layout, not the total
};

template <class Model>
class StrategyPositions {
public:
    /// low, high : the words of the keys, which increase; `high` is empty where one is enough
    StrategyPositions(const seabattle_search_game& given, Array<const Word> low,
                      Array<const Word> high, Arena& arena)
        : game_(given, arena),
          keys_(game_, given.key_words, Model::family == Family::named, arena),
          low_(low),
          high_(high),
          masks_(arena.take<Word>(game_.rows.size())),
          numbers_(arena.take<std::int32_t>(game_.rows.size())),
          key_(arena.take<Word>(given.key_words)) {}

    bool is_valid() const {
        const int words = keys_.words();
        return game_.is_valid() && (words == 1 || words == 2) &&
               high_.size() == (words == 2 ? low_.size() : 0);
    }
    Count layouts() const { return masks_.size(); }
    Count states() const { return low_.size(); }
    int words() const { return keys_.words(); }

    /// Look up the closed parts of some layouts that have more than one occupancy.
    ///
    /// found : takes the place of each in the file, -1 where it is not there, and the part
    template <class Found>
    void look_up(Array<const std::int32_t> layouts, Found found) {
        for (Count i = 0; i < layouts.size(); ++i) put(i, layouts[i]);
        look_up({masks_.begin(), numbers_.begin(), layouts.size()}, found);
    }
    int symmetry(const Part<Word>& part) const { return Model::symmetry(part, keys_); }

    /// Make the key of a closed sub-table, from any layout of it; returns the symmetry that does.
    int make_key(std::int32_t layout, Closure<Word> closure, Word* key) {
        Part<Word> part;
        part.own_rows = {nullptr, &layout, 1};
        part.closure = closure;
        part.key = key;
        part.symmetry = Model::make_key(part, keys_, key);
        return symmetry(part);
    }
    Closure<Word> closure(Word certain, Word water) const { return {certain, game_.full & ~water}; }

    /// What is wrong with a state.
    ///
    /// every : whether no other shot may be better, and all that follows any must be there
    Fault fault_of(Count state, StateValues values, bool every) {
        const Closure<Word> closure = closure_of(state);
        const Rows<Word> rows = rows_of(state, closure);
        if (rows.count == 0) return Fault::no_layout;
        const Closure<Word> found = rows.closure(game_.full);
        if (found.certain != closure.certain || found.occupied != closure.occupied ||
            found.is_single())
            return Fault::not_closed;
        make_key(rows.number(0), found, key_.begin());
        if (place_of(key_.begin()) != state) return Fault::not_least;
        const Count value = values.misses[state];
        const int shot = values.shots[state];
        if (shot >= game_.cells || !(found.unknown() >> shot & 1)) return Fault::bad_shot;
        for (const int cell : Cells(every ? found.unknown() : bit_of<Word>(shot))) {
            const Count misses = after(rows, cell, values);
            if (misses < 0) return Fault::missing;
            if (cell == shot && misses != value) return Fault::wrong_value;
            if (misses < value) return Fault::better_shot;
        }
        return Fault::none;
    }

private:
    void put(Count i, std::int32_t layout) {
        numbers_[i] = layout;
        masks_[i] = game_.mask(layout);
    }

    /// What is split off first has one group of hits less to be told apart by: as deep as there are
    /// cells.
    template <class Found>
    void look_up(Rows<Word> rows, Found& found) {
        while (true) {
            Part<Word> part;
            part.own_rows = rows;
            part.closure = rows.closure(game_.full);
            if (part.closure.is_single()) return;
            const Count front = Model::split(game_, part, -1);
            if (front == rows.count) {
                part.key = key_.begin();
                part.symmetry = Model::make_key(part, keys_, part.key);
                found(place_of(part.key), part);
                return;
            }
            look_up(rows.part(0, front), found);
            rows = rows.part(front, rows.count);
        }
    }

    /// The place of a key in the file, -1 where it is not there.
    Count place_of(const Word* key) const {
        Count from = 0, end = low_.size();
        while (from < end) {
            const Count middle = (from + end) / 2;
            if (is_less(middle, key))
                from = middle + 1;
            else
                end = middle;
        }
        const bool there =
            from < low_.size() && low_[from] == key[0] && (high_.empty() || high_[from] == key[1]);
        return there ? from : -1;
    }
    bool is_less(Count place, const Word* key) const {
        if (low_[place] != key[0]) return low_[place] < key[0];
        return !high_.empty() && high_[place] < key[1];
    }

    /// H and U as the key of a state says.
    Closure<Word> closure_of(Count state) const {
        constexpr bool names_ships = Model::family == Family::named;
        if (!names_ships && !high_.empty()) return closure(low_[state], high_[state]);
        Word certain = 0, water = 0, left = low_[state];
        for (int cell = 0; cell < game_.cells; ++cell, left /= 3) {
            if (left % 3 == 1) certain |= bit_of<Word>(cell);
            if (left % 3 == 2) water |= bit_of<Word>(cell);
        }
        return closure(certain, water);
    }

    /// The layouts that belong to the key of a state, see trees/strategy/keys.py.
    Rows<Word> rows_of(Count state, Closure<Word> closure) {
        Count count = 0;
        for (Count row = 0; row < layouts(); ++row) {
            const Word mask = game_.mask(row);
            if ((mask & closure.certain) != closure.certain || (mask & ~closure.occupied)) continue;
            if (answers_as(state, std::int32_t(row), closure)) put(count++, std::int32_t(row));
        }
        return {masks_.begin(), numbers_.begin(), count};
    }
    /// Whether a layout that contains H and avoids M answers the hits as the key of a state says.
    bool answers_as(Count state, std::int32_t layout, Closure<Word> closure) {
        if constexpr (Model::family == Family::closed_sunk) {
            for (Word left = closure.certain; left;) {
                const CellGroup<Word> group = game_.group_of(lowest_bit(left), closure.certain);
                left &= ~group.cells;
                if ((group.around & closure.occupied) && !(group.around & game_.mask(layout)))
                    return false;
            }
        }
        if constexpr (Model::family == Family::named) {
            keys_.put_named(layout, closure, 0, key_.begin());
            return key_[1] == high_[state];
        }
        return true;
    }

    /// Misses of a shot and of all that follows it, by the file; -1 where the file lacks a part.
    Count after(Rows<Word> rows, int cell, StateValues values) {
        const Count misses = rows.part_by_cells(bit_of<Word>(cell));
        Count value = 0;
        bool is_there = true;
        for (const bool missed : {true, false}) {
            const Rows<Word> left = missed ? rows.part(0, misses) : rows.part(misses, rows.count);
            if (left.count == 0) continue;
            value = values.is_worst ? std::max<Count>(value, missed)
                                    : value + (missed ? left.count : 0);
            auto add = [&](Count place, const Part<Word>&) {
                is_there = is_there && place >= 0;
                if (!is_there) return;
                const Count below = values.misses[place];
                value = values.is_worst ? std::max(value, missed + below) : value + below;
            };
            look_up(left, add);
        }
        return is_there ? value : -1;
    }

    Game<Word> game_;
    Keys<Word> keys_;
    Array<const Word> low_, high_;
    Array<Word> masks_;  // scratch, as the rest
    Array<std::int32_t> numbers_;
    Array<Word> key_;
};

/// What the memory of a strategy file begins with.
class StrategyHandle {
public:
    StrategyHandle(const seabattle_search_game& game, Array<const Word> low, Array<const Word> high,
                   Arena& arena)
        : family_(Family(game.family)) {
        with_type([&]<class Model>(Model) -> Count {
            auto* made = arena.make<StrategyPositions<Model>>(game, low, high);
            positions_ = made;
            is_valid_ = made && made->is_valid();
            return 0;
        });
    }
    bool is_valid() const { return is_valid_; }

    /// Let a function work with the positions, which it is given as what they are.
    template <class Work>
    static Count with(std::uint8_t* memory, Work work) {
        const StrategyHandle& handle = *reinterpret_cast<StrategyHandle*>(memory);
        return handle.with_type([&]<class Model>(Model) -> Count {
            return work(*static_cast<StrategyPositions<Model>*>(handle.positions_));
        });
    }

private:
    template <class Work>
    Count with_type(Work work) const {
        switch (family_) {
            case Family::closed_sunk:
                return work(ClosedSunk<Word>{});
            case Family::named:
                return work(Named<Word>{});
            case Family::hit:
                return work(Hit<Word>{});
            case Family::open_sunk:
                break;  // has no closed keys
        }
        return SEABATTLE_INVALID;
    }

    Family family_;
    void* positions_ = nullptr;
    bool is_valid_ = false;
};

}  // namespace seabattle

extern "C" int64_t seabattle_strategy_make(const seabattle_search_game* game, const uint64_t* low,
                                           size_t low_size, const uint64_t* high, size_t high_size,
                                           uint8_t* memory, size_t memory_size) {
    using namespace seabattle;
    const bool fits = game->cells >= 1 && game->cells <= 64 && game->words == 1;
    if (!fits || reinterpret_cast<std::uintptr_t>(memory) % 64 != 0) return SEABATTLE_INVALID;
    Arena arena(reinterpret_cast<std::byte*>(memory), Count(memory_size));
    Array<const Word> first(low, low_size), second(high, high_size);
    const StrategyHandle* handle = arena.make<StrategyHandle>(*game, first, second);
    if (arena.full()) return SEABATTLE_FULL;
    return handle->is_valid() ? arena.top() : Count(SEABATTLE_INVALID);
}

extern "C" int64_t seabattle_strategy_keys(uint8_t* memory, size_t, const int32_t* layouts,
                                           size_t layouts_size, const uint64_t* certain,
                                           size_t certain_size, const uint64_t* water,
                                           size_t water_size, uint64_t* keys, size_t keys_size,
                                           int32_t* symmetries, size_t symmetries_size) {
    using namespace seabattle;
    return StrategyHandle::with(memory, [&](auto& positions) -> Count {
        if (certain_size != layouts_size || water_size != layouts_size ||
            symmetries_size != layouts_size || keys_size != layouts_size * positions.words())
            return SEABATTLE_INVALID;
        for (std::size_t i = 0; i < layouts_size; ++i)
            symmetries[i] = positions.make_key(layouts[i], positions.closure(certain[i], water[i]),
                                               keys + i * positions.words());
        return 0;
    });
}

extern "C" int64_t seabattle_strategy_look_up(uint8_t* memory, size_t, const int32_t* layouts,
                                              size_t layouts_size, int64_t* places,
                                              size_t places_size, int32_t* symmetries,
                                              size_t symmetries_size) {
    using namespace seabattle;
    return StrategyHandle::with(memory, [&](auto& positions) -> Count {
        if (Count(layouts_size) > positions.layouts() || places_size < layouts_size ||
            symmetries_size < layouts_size)
            return SEABATTLE_INVALID;
        Count parts = 0;
        positions.look_up({layouts, layouts_size}, [&](Count place, const Part<Word>& part) {
            places[parts] = place;
            symmetries[parts] = positions.symmetry(part);
            ++parts;
        });
        return parts;
    });
}

extern "C" int64_t seabattle_strategy_check(uint8_t* memory, size_t, int64_t first, int64_t end,
                                            int32_t every, int32_t worst, const int64_t* misses,
                                            size_t misses_size, const uint8_t* shots,
                                            size_t shots_size, int64_t* wrong, size_t wrong_size) {
    using namespace seabattle;
    return StrategyHandle::with(memory, [&](auto& positions) -> Count {
        const Count states = positions.states();
        if (Count(misses_size) != states || Count(shots_size) != states || wrong_size != 1 ||
            first < 0 || end > states)
            return SEABATTLE_INVALID;
        const StateValues values{{misses, misses_size}, {shots, shots_size}, worst != 0};
        for (Count state = first; state < end; ++state) {
            const Fault fault = positions.fault_of(state, values, every != 0);
            if (fault == Fault::none) continue;
            wrong[0] = state;
            return Count(fault);
        }
        return 0;
    });
}
