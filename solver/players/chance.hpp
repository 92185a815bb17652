// Chance that can be replayed: splitmix64 (Steele, Lea and Flood 2014). Number `index` of a stream
// mixes `seed + (index + 1) * gamma`, so any number can be had without those before it.
#pragma once
#include <utility>

#include "enumerate/core/array.hpp"
#include "enumerate/core/seabattle.h"

namespace seabattle {

/// Number `index` of a random stream: 64 bits.
constexpr Word draw_word(Word seed, Count index) {
    Word x = seed + (Word(index) + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/// A number from 0 to 1, exclusive, in steps of 2^-53; apart from the numbers that order a deck.
constexpr double draw_fraction(Word seed, Count index) {
    constexpr Count first = 1 << 20;
    return double(draw_word(seed, first + index) >> 11) * 0x1p-53;
}

/// Put the cells in random order, each order equally likely (Fisher and Yates; Lemire 2019).
inline void shuffle(Word seed, Array<std::int16_t> deck) {
    Count index = 0;
    auto scaled = [&](Word size) { return (draw_word(seed, index++) >> 32) * size; };
    auto low_half = [](Word product) { return product & 0xFFFFFFFFu; };
    for (Count i = 0; i < deck.size(); ++i) deck[i] = std::int16_t(i);
    for (Count i = deck.size() - 1; i > 0; --i) {
        const Word size = Word(i) + 1;
        Word product = scaled(size);
        if (low_half(product) < size) {
            const Word least = ((Word{1} << 32) - size) % size;
            while (low_half(product) < least) product = scaled(size);
        }
        std::swap(deck[i], deck[Count(product >> 32)]);
    }
}

}  // namespace seabattle

extern "C" int32_t seabattle_draw_words(uint64_t seed, int64_t first, uint64_t* words,
                                        size_t words_size) {
    for (size_t i = 0; i < words_size; ++i)
        words[i] = seabattle::draw_word(seed, first + seabattle::Count(i));
    return 0;
}

extern "C" double seabattle_draw_fraction(uint64_t seed, int64_t index) {
    return seabattle::draw_fraction(seed, index);
}

extern "C" int32_t seabattle_shuffle(uint64_t seed, int16_t* deck, size_t deck_size) {
    seabattle::shuffle(seed, {deck, deck_size});
    return 0;
}
