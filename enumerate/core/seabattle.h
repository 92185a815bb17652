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

/* Numbers `first` and on of the random stream `seed`, 64 bits each; solver/players/chance.hpp.
 *
 * words : modified. Returns 0 */
SEABATTLE_API int32_t seabattle_draw_words(
    uint64_t seed, int64_t first, uint64_t* words, size_t words_size);

/* A random number from 0 to 1, exclusive, apart from those that order a deck */
SEABATTLE_API double seabattle_draw_fraction(uint64_t seed, int64_t index);

/* Put the cells in random order. deck : (cells,), modified, whatever it held. Returns 0 */
SEABATTLE_API int32_t seabattle_shuffle(uint64_t seed, int16_t* deck, size_t deck_size);

/* The placements of a fleet's ships as players look them up; solver/players/batches.hpp. Ships of
 * one length are a class, the longest first. A placement touches a cell that it does not cover when
 * no other ship may stand there.
 *
 * ship_cells      : (placements * longest,), cells of each placement, what is behind the last unread
 * sizes, class_of : (placements,), how many they are, and the class
 * lengths, ships_of : (classes,), length of the ships, and how many there are
 * base            : (classes * cells,), placements of each class through each cell
 * through_first, through   : (cells + 1,) and (n,), the placements that cover each cell, end to end
 * touching_first, touching : the same for those that touch it */
typedef struct {
    const int16_t* ship_cells; size_t ship_cells_size;
    const int16_t* sizes; size_t sizes_size;
    const int16_t* class_of; size_t class_of_size;
    const int64_t* lengths; size_t lengths_size;
    const int64_t* ships_of; size_t ships_of_size;
    const int64_t* base; size_t base_size;
    const int32_t* through_first; size_t through_first_size;
    const uint16_t* through; size_t through_size;
    const int32_t* touching_first; size_t touching_first_size;
    const uint16_t* touching; size_t touching_size;
} seabattle_placements;

/* Games to play in one call, or one game up to now, whose answers are given.
 *
 * ships        : (games * ships,), placement numbers of the hidden layouts; without items answers
 *                are given
 * mode         : in which the player is told, numbered as in enumerate/answers.py
 * cells, codes : (k,), cells that are shot first, and their answers, which only a game without a
 *                layout needs
 * key          : the player's key; without a layout the game's seed
 * first_game   : number of the first game
 * record       : (games * (cells + 1),), all -1, modified: the cells in the order shot. Without a
 *                layout the last one is the player's choice, -1 when all are shot */
typedef struct {
    const uint16_t* ships; size_t ships_size;
    int32_t mode;
    const int16_t* cells; size_t cells_size;
    const uint16_t* codes; size_t codes_size;
    uint64_t key;
    int64_t first_game;
    int16_t* record; size_t record_size;
} seabattle_games;

/* Play games as `density` and `diagonal`; solver/players/density.hpp.
 *
 * weights : (longest + 1,), weight of a placement by how many of its cells were hit
 * columns : of the board
 * hunted  : 0, or the sum of weights below which the player hunts along diagonals
 * scores  : (classes * cells,), modified: weight of the placements over each cell at the end
 * memory  : scratch
 * Returns 0, or SEABATTLE_FULL, then before anything is played, where memory does not suffice. */
SEABATTLE_API int32_t seabattle_play_density(
    const seabattle_placements* placements, const seabattle_games* games,
    const int64_t* weights, size_t weights_size, int32_t columns, int64_t hunted,
    int64_t* scores, size_t scores_size, uint8_t* memory, size_t memory_size);

/* Play games in random order; solver/players/hunt_target.hpp.
 *
 * neighbours : (cells * 4,), the cells beside each cell, -1 off the board; without items hits are
 *              not followed
 * turns      : (cells,), when a cell is hunted: 0 first, 1 later, 2 never
 * memory     : as above; returns as above */
SEABATTLE_API int32_t seabattle_play_hunt(
    const seabattle_placements* placements, const seabattle_games* games,
    const int16_t* neighbours, size_t neighbours_size, const uint8_t* turns, size_t turns_size,
    uint8_t* memory, size_t memory_size);

/* Play games as `over-9000` and `learning`; solver/players/independent_ships.hpp.
 *
 * weights : (longest + 1,), all 1
 * factors : (cells,), modified: what chances are multiplied by; at hits they grow after every game
 * growth, noise : by how much they grow; the greatest random number that is added to a chance
 * scores  : (classes * cells,), modified: placements of ships not hit over each cell at the end
 * memory  : as above; returns as above */
SEABATTLE_API int32_t seabattle_play_named(
    const seabattle_placements* placements, const seabattle_games* games,
    const int64_t* weights, size_t weights_size, double* factors, size_t factors_size,
    double growth, double noise, int64_t* scores, size_t scores_size,
    uint8_t* memory, size_t memory_size);

/* Play games as `bob`; solver/players/independent_ships.hpp.
 *
 * weights     : (longest + 1,), all 1
 * least_other : the least chance that a hit is another ship's
 * chances     : (classes * cells,), modified: weight of the placements over each cell at the end
 * memory      : as above; returns as above */
SEABATTLE_API int32_t seabattle_play_unnamed(
    const seabattle_placements* placements, const seabattle_games* games,
    const int64_t* weights, size_t weights_size, double least_other,
    double* chances, size_t chances_size, uint8_t* memory, size_t memory_size);

/* The shot of `lookahead`, played on in every layout left; solver/players/lookahead.hpp.
 *
 * layouts    : (n * ships,), placement numbers of the layouts that fit
 * mode       : numbered as in enumerate/answers.py
 * hits       : (k,), the cells hit before, in order
 * worth      : misses that a bit of information is worth
 * logs       : (n + 1,), x log2 x
 * candidates : how many shots are tried
 * best       : (1,), modified: the cell, -1 where nothing is left to ask
 * memory     : scratch
 * Returns 0, or SEABATTLE_FULL. */
SEABATTLE_API int32_t seabattle_look_ahead(
    const seabattle_placements* placements, const uint16_t* layouts, size_t layouts_size,
    int32_t mode, const int16_t* hits, size_t hits_size, double worth,
    const double* logs, size_t logs_size, int32_t candidates, int16_t* best, size_t best_size,
    uint8_t* memory, size_t memory_size);

/* Draw layouts, ships placed one after another; solver/tournament/layout_sources.hpp.
 *
 * slots         : (ships * 2,), the placements of each ship, a range
 * key           : of the random stream
 * first_game    : number of the first layout
 * most_failures : how often a layout is begun anew
 * layouts       : (games * ships,), modified: placement numbers
 * memory        : scratch
 * Returns 0, 1 where a layout was given up, or SEABATTLE_FULL. */
SEABATTLE_API int32_t seabattle_draw_layouts(
    const seabattle_placements* placements, const int64_t* slots, size_t slots_size,
    uint64_t key, int64_t first_game, int64_t most_failures,
    uint16_t* layouts, size_t layouts_size, uint8_t* memory, size_t memory_size);

#ifdef __cplusplus
}
#endif
#endif
