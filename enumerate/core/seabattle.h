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

/* The ships of a sweep; enumerate/counting/frontier.hpp.
 *
 * width   : cells in a row of the sweep, the shorter side of the board
 * contact : 0 none, 1 corners, 2 sides
 * counted : 1 where profiles say which ships are used, else the sums of a sweep have an axis for it
 * cells   : (cells * 3,), for each cell of each shape, a way in which a ship may lie: the shape, and
 *           the cell's row and column from the shape's first cell, in the order of the rows
 * types   : (shapes,), type of ship of each shape
 * ships   : (types,), how many ships of each type there are */
typedef struct {
    int32_t width;
    int32_t contact;
    int32_t counted;
    const int32_t* cells; size_t cells_size;
    const int32_t* types; size_t types_size;
    const int32_t* ships; size_t ships_size;
} seabattle_ships;

/* Begin to search the profiles and steps of a frontier, in memory that then holds the search. */
SEABATTLE_API int64_t seabattle_begin_frontier(
    const seabattle_ships* ships, uint8_t* memory, size_t memory_size);

/* Copy a search, with what it has found, into larger memory, where it can go on. */
SEABATTLE_API int64_t seabattle_move_frontier(
    const uint8_t* memory, size_t memory_size, uint8_t* larger, size_t larger_size);

/* Find the steps of so many profiles more; returns how many profiles have none yet, 0 at the end, or
 * SEABATTLE_FULL: move the search, then go on. */
SEABATTLE_API int64_t seabattle_search_frontier(
    uint8_t* memory, size_t memory_size, int64_t allowance);

/* Bytes that a frontier needs when its search has ended. */
SEABATTLE_API int64_t seabattle_frontier_bytes(const uint8_t* memory, size_t memory_size);

/* Keep what a search has found, in memory of its own; the search cannot be used any more.
 *
 * kept  : modified, holds the frontier, which sweeps read: it must not be moved
 * sizes : (4,), modified: nodes, profiles between two rows, steps, and how often a sum is rounded
 *         at most on its way through a row */
SEABATTLE_API int64_t seabattle_keep_frontier(
    uint8_t* memory, size_t memory_size, uint8_t* kept, size_t kept_size,
    int64_t* sizes, size_t sizes_size);

/* A sweep over a board; enumerate/counting/sweep.hpp.
 *
 * frontier : as seabattle_keep_frontier left it
 * words    : words of 64 bits of a sum, 1, 2, 3, 4 or 8; 0 for masses, which are doubles
 * height   : rows of the board
 * keeps    : 1 to keep the sums before every row, which maps and walks need; 0 to count alone
 * left     : (types,), how many ships of each type are still to be found
 * allowed  : (height * codes,), 1 where a ship may begin so; at code 0, which begins none, 1
 * required : (height,), masks of the columns whose cells must be occupied
 * weights  : (height * codes,), of masses: what a ship that begins so weighs, 1 at code 0; else no
 *            items */
typedef struct {
    const uint8_t* frontier; size_t frontier_size;
    int32_t words;
    int32_t height;
    int32_t keeps;
    const int32_t* left; size_t left_size;
    const uint8_t* allowed; size_t allowed_size;
    const uint32_t* required; size_t required_size;
    const double* weights; size_t weights_size;
} seabattle_board;

/* Bytes that a sweep needs. */
SEABATTLE_API int64_t seabattle_sweep_bytes(const seabattle_board* board);

/* Begin a sweep in memory that holds zeros, or a sweep before, which must not be moved meanwhile.
 * Returns the number of rows that need no sweep forward: those above the first that differs from
 * the sweep before, of the same frontier and ships left. */
SEABATTLE_API int64_t seabattle_begin_sweep(
    const seabattle_board* board, uint8_t* memory, size_t memory_size);

/* Sum up a row forward; rows go from the first that needs it to the last. */
SEABATTLE_API int64_t seabattle_sweep_forward(uint8_t* memory, size_t memory_size, int64_t row);

/* The number of layouts modulo 2^(64 words), or their mass, after all rows: (words,), modified. */
SEABATTLE_API int64_t seabattle_sweep_total(
    const uint8_t* memory, size_t memory_size, uint64_t* total, size_t total_size);

/* Sum up a row backward; rows go from the last to the first.
 *
 * starts : (codes * words,), modified: for each code the number of layouts in which a ship begins so,
 *          or their mass, 0 at code 0; without items the sums before every row are kept for walks, in place of
 *          those of the sweep forward */
SEABATTLE_API int64_t seabattle_sweep_backward(
    uint8_t* memory, size_t memory_size, int64_t row, uint64_t* starts, size_t starts_size);

/* Take walks through a row, after a sweep backward for walks; rows go from the first to the last.
 *
 * profiles : (walks,), modified: where each walk is; 0 before the first row
 * used     : (walks,), modified: the entry of a sum that says which ships are used; 0 at first
 * luck     : (walks * words,), modified: ranks of layouts, each below the total; or, of masses, seeds
 * codes    : (walks * ships,), modified: what is begun in this row, from the place `found` on
 * found    : (walks,), modified: how many ships each walk has begun */
SEABATTLE_API int64_t seabattle_sweep_walk(
    uint8_t* memory, size_t memory_size, int64_t row, int64_t* profiles, size_t profiles_size,
    int64_t* used, size_t used_size, uint64_t* luck, size_t luck_size,
    int64_t* codes, size_t codes_size, int64_t* found, size_t found_size);

#ifdef __cplusplus
}
#endif
#endif
