// The exact search as it is called from outside: an object in memory of the caller, of the type
// that the model of answers and the number of cells take.
#pragma once
#include "solver/search/minimize.hpp"

namespace seabattle {

/// What the memory of a search begins with.
class SearchHandle {
public:
    SearchHandle(const seabattle_search_game& game, Arena& arena)
        : family_(Family(game.family)),
          bits_(game.words == 2                              ? 128
                : game.cells <= 32 && family_ == Family::hit ? 32
                                                             : 64) {
        with_type([&]<class Model>(Model) -> Count {
            auto* made = arena.make<Search<Model>>(game);
            search_ = made;
            is_valid_ = made && made->is_valid();
            return 0;
        });
    }
    bool is_valid() const { return is_valid_; }

    /// Let a function work with the search, which it is given as what it is.
    template <class Work>
    Count with(Work work) {
        return with_type([&]<class Model>(Model) -> Count {
            return work(*static_cast<Search<Model>*>(search_));
        });
    }
    /// The same for what is asked of games whose masks take no more than a word: all but endgames.
    template <class Work>
    Count with_word(Work work) {
        if (bits_ == 128) return SEABATTLE_INVALID;
        return with_type([&]<class Model>(Model) -> Count {
            if constexpr (sizeof(typename Model::Mask) == 16)
                return SEABATTLE_INVALID;
            else
                return work(*static_cast<Search<Model>*>(search_));
        });
    }
    static SearchHandle& in(std::uint8_t* memory) {
        return *reinterpret_cast<SearchHandle*>(memory);
    }

private:
    template <class Work>
    Count with_type(Work work) {
        if (bits_ == 32) return work(Hit<std::uint32_t>{});
        if (bits_ == 64) return with_mask<Word>(work);
        return with_mask<DoubleWord>(work);
    }
    template <class Mask, class Work>
    Count with_mask(Work work) {
        switch (family_) {
            case Family::closed_sunk:
                return work(ClosedSunk<Mask>{});
            case Family::open_sunk:
                return work(OpenSunk<Mask>{});
            case Family::named:
                return work(Named<Mask>{});
            case Family::hit:
                return work(Hit<Mask>{});
        }
        return SEABATTLE_INVALID;
    }

    Family family_;
    int bits_;  // of a mask
    void* search_ = nullptr;
    bool is_valid_ = false;
};

/// A mask that the caller handed in, of as many words as it has.
template <class Mask>
Mask mask_of(const std::uint64_t* words, std::size_t size) {
    return Masks<Mask>({words, size})[0];
}
/// The cells hit so far.
template <class Mask>
Mask hit_of(const seabattle_question& question) {
    return mask_of<Mask>(question.hit, question.hit_size);
}

}  // namespace seabattle

extern "C" int64_t seabattle_search_make(const seabattle_search_game* game, uint8_t* memory,
                                         size_t memory_size) {
    using namespace seabattle;
    const bool fits = game->cells >= 1 && game->cells <= 126 && game->cells <= 64 * game->words &&
                      game->words <= 2;
    if (!fits || game->key_words < 1 || game->parts < 1 ||
        reinterpret_cast<std::uintptr_t>(memory) % 64 != 0)
        return SEABATTLE_INVALID;
    Arena arena(reinterpret_cast<std::byte*>(memory), Count(memory_size));
    const SearchHandle* handle = arena.make<SearchHandle>(*game);
    if (arena.full()) return SEABATTLE_FULL;
    return handle->is_valid() ? arena.top() : Count(SEABATTLE_INVALID);
}

extern "C" int64_t seabattle_search_ask(uint8_t* memory, size_t, const int32_t* rows,
                                        size_t rows_size, const seabattle_question* question,
                                        seabattle_counters* counters, uint64_t* best,
                                        size_t best_size) {
    using namespace seabattle;
    if (best_size != 2 || rows_size == 0 || question->stop_size != 1) return SEABATTLE_INVALID;
    return SearchHandle::in(memory).with([&]<class Model>(Search<Model>& search) -> Count {
        using Mask = typename Model::Mask;
        search.begin(*question, *counters);
        const Value value = search.after({rows, rows_size}, question->cell, hit_of<Mask>(*question),
                                         question->miss_limit, question->budget);
        if (is_stopped(value)) return SEABATTLE_STOPPED;
        counters->worst = value.worst;
        put_mask(search.best_shots(), best);
        return value.misses;
    });
}

extern "C" int64_t seabattle_search_tell(uint8_t* memory, size_t, const int32_t* rows,
                                         size_t rows_size, const seabattle_question* question,
                                         seabattle_counters* counters, int64_t misses,
                                         int32_t worst) {
    using namespace seabattle;
    return SearchHandle::in(memory).with([&]<class Model>(Search<Model>& search) -> Count {
        search.begin(*question, *counters);
        const bool told = search.tell({rows, rows_size}, hit_of<typename Model::Mask>(*question),
                                      question->miss_limit, {misses, worst}, question->cell);
        return told ? 0 : Count(SEABATTLE_STOPPED);
    });
}

extern "C" int64_t seabattle_search_count_states(uint8_t* memory, size_t, const int32_t* rows,
                                                 size_t rows_size,
                                                 const seabattle_question* question,
                                                 seabattle_counters* counters, uint8_t* scratch,
                                                 size_t scratch_size) {
    using namespace seabattle;
    return SearchHandle::in(memory).with([&]<class Model>(Search<Model>& search) -> Count {
        if constexpr (sizeof(typename Model::Mask) == 16) {
            return SEABATTLE_INVALID;
        } else {
            Arena arena(reinterpret_cast<std::byte*>(scratch), Count(scratch_size));
            search.begin(*question, *counters);
            const bool done = search.count_states({rows, rows_size},
                                                  hit_of<typename Model::Mask>(*question), arena);
            if (arena.full()) return SEABATTLE_FULL;
            return done ? 0 : Count(SEABATTLE_STOPPED);
        }
    });
}

extern "C" int64_t seabattle_rehash(const uint64_t* table, size_t table_size, uint64_t* larger,
                                    size_t larger_size, int32_t key_words) {
    using namespace seabattle;
    const Table into({larger, larger_size}, key_words);
    into.take_over(Table({const_cast<Word*>(table), table_size}, key_words));
    return 0;
}
