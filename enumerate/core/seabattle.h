/* The interface of the core: every function that is called from outside, declared once, in C.
 *
 * The loader of Python (library.py) and that of the page (core.js) read these declarations, so they
 * keep to a small grammar:
 *
 *   - A parameter or a field is an integer, a double, a pointer to a structure declared above, or an
 *     array, which is two of them: a pointer and, behind it and named for it, how many items it has
 *     (`const uint64_t* masks, size_t masks_size`). An array without `const` is modified. Callers
 *     give the array alone; its type, its order and that it may be written are checked, and what its
 *     size has to be is asserted where the core is built with checks.
 *   - An array may be left out where the comment says so: it then has no items.
 *   - A function returns a number, or a `seabattle_status`, which is negative.
 *
 * Masks of cells are words of 64 bits, bit 0 of the first word is cell A1, and bits count along the
 * rows. "Rows" are layouts as masks of the cells that they occupy.
 */
#ifndef SEABATTLE_H
#define SEABATTLE_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define SEABATTLE_API __declspec(dllexport)
#else
#define SEABATTLE_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What a function returns in place of a number. */
enum seabattle_status {
    SEABATTLE_FULL = -1,    /* an array that was handed in holds no more: hand in a larger one */
    SEABATTLE_STOPPED = -2, /* the work that was allowed is used up, or the caller wants it to end */
    SEABATTLE_INVALID = -3  /* arguments that do not go together: a mistake of the caller */
};

/* 3 where the processor has all of x86-64-v3, else 1; enumerate/core/processor.hpp */
SEABATTLE_API int32_t seabattle_level(void);

/* List layouts in the order of their placement numbers, or count them; enumerate/layouts.hpp.
 *
 * masks, halos : (placements * words,), cells of each placement, and these with those it forbids
 * allowed      : (placements,), 0 where a layout may not have it
 * slots        : (ships * 3,), for each ship in the fleet's order its first placement, the end, and
 *                1 where it has the form of the ship before it
 * first, end   : placements of the first ship that are tried
 * most         : the search ends when more are found
 * placed       : (ships,), modified, whatever it held
 * layouts      : (found * ships,), modified; without items layouts are counted alone
 * Returns how many there are, or SEABATTLE_FULL. */
SEABATTLE_API int64_t seabattle_list_layouts(
    const uint64_t* masks, size_t masks_size, const uint64_t* halos, size_t halos_size,
    const uint8_t* allowed, size_t allowed_size, const int64_t* slots, size_t slots_size,
    int32_t words, int64_t first, int64_t end, int64_t most,
    uint16_t* placed, size_t placed_size, uint16_t* layouts, size_t layouts_size);

/* A game whose layouts are drawn: how ships can be laid and what is known; enumerate/counting/estimate.hpp.
 *
 * ships       : (kinds,), how many ships of each kind are laid
 * form_kinds  : (forms,), kind of each form, that is of a ship turned in one way; increasing
 * step_ends   : (forms,), end of the form's steps among all
 * steps       : from a placement's first cell to each of its cells, increasing, the first of them 0
 * numbers     : (forms * cells,), the placement of each form at each first cell, -1 if not allowed
 * masks, halos: (placements * words,), cells of each placement, and these with those it forbids
 * hits, sunk  : (words,), the cells that have to be occupied; those whose ship is known to be sunk */
typedef struct {
    int32_t cells;
    const int32_t* ships;
    size_t ships_size;
    const int32_t* form_kinds;
    size_t form_kinds_size;
    const int32_t* step_ends;
    size_t step_ends_size;
    const int32_t* steps;
    size_t steps_size;
    const int32_t* numbers;
    size_t numbers_size;
    const uint64_t* masks;
    size_t masks_size;
    const uint64_t* halos;
    size_t halos_size;
    const uint64_t* hits;
    size_t hits_size;
    const uint64_t* sunk;
    size_t sunk_size;
} seabattle_laying;

/* Draw a batch of layouts, weighed; enumerate/counting/estimate.hpp. The same numbers draw the same.
 *
 * seed, batch : from 0 on; batches are independent of each other
 * particles   : how many layouts are begun
 * memory      : scratch
 * means       : (all ships,), modified: mean factor of the particles' weights at each step; the
 *               number of layouts is about their product times that of all^m / m! over the kinds,
 *               all being the allowed placements of a kind and m its ships
 * chances     : (placements,), modified: in which share of the layouts, by weight, each is
 * totals      : (2,), modified: how many independent layouts of equal weight say as much; and how
 *               many labelled layouts there are for each layout, divided by the product of the m!
 * Returns the number of particles, 0 if none became a layout (then the rest says nothing), or
 * SEABATTLE_FULL. */
SEABATTLE_API int64_t seabattle_estimate(
    const seabattle_laying* laying, int32_t seed, int32_t batch, int32_t particles,
    uint8_t* memory, size_t memory_size, double* means, size_t means_size,
    double* chances, size_t chances_size, double* totals, size_t totals_size);

#ifdef __cplusplus
}
#endif
#endif
