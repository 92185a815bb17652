// What the processor has: a library for x86-64-v3 (AVX2, BMI2, ...) is loaded where it can run.
#pragma once
#include <cstdint>

#include "enumerate/core/seabattle.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace seabattle {

#if defined(__x86_64__)
inline bool has_v3() {
    constexpr unsigned fma = 1u << 12, movbe = 1u << 22, xsave = 1u << 27, avx = 1u << 28,
                       f16c = 1u << 29;
    constexpr unsigned bmi1 = 1u << 3, avx2 = 1u << 5, bmi2 = 1u << 8, lzcnt = 1u << 5;
    unsigned a = 0, b = 0, c = 0, d = 0;
    constexpr unsigned basic = fma | movbe | xsave | avx | f16c;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & basic) != basic) return false;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) ||
        (b & (bmi1 | avx2 | bmi2)) != (bmi1 | avx2 | bmi2))
        return false;
    if (!__get_cpuid(0x80000001, &a, &b, &c, &d) || !(c & lzcnt)) return false;
    unsigned low = 0, high = 0;  // does the operating system keep the wide registers?
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & 6) == 6;
}
#else
inline bool has_v3() { return false; }
#endif

}  // namespace seabattle

extern "C" int32_t seabattle_level(void) { return seabattle::has_v3() ? 3 : 1; }
