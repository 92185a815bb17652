// Random numbers: splitmix64 (Steele, Lea and Flood 2014).
#pragma once
#include "enumerate/core/bits.hpp"

namespace seabattle {

struct Random {
    Word state;

    constexpr Word next() {
        Word z = state += 0x9E3779B97F4A7C15;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
        z = (z ^ z >> 27) * 0x94D049BB133111EB;
        return z ^ z >> 31;
    }
    /// From 0 to below 1, of 53 bits.
    constexpr double fraction() { return double(next() >> 11) * 0x1p-53; }
};

}  // namespace seabattle
