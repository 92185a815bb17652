// The one translation unit of the core: the headers of all rooms, in the order in which they build
// on each other.
#include "enumerate/core/seabattle.h"

#include "enumerate/core/processor.hpp"
#include "enumerate/counting/estimate.hpp"
#include "enumerate/counting/frontier.hpp"
#include "enumerate/counting/sweep.hpp"
#include "enumerate/layouts.hpp"
#include "solver/players/density.hpp"
#include "solver/players/hunt_target.hpp"
#include "solver/players/independent_ships.hpp"
#include "solver/players/lookahead.hpp"
#include "solver/tournament/layout_sources.hpp"
#include "solver/search/exact_search.hpp"
#include "solver/search/growing.hpp"
#ifndef __wasm__  // what no page asks for
#include "solver/search/graph.hpp"
#include "solver/search/best_first.hpp"
#include "solver/search/rollouts.hpp"
#include "solver/search/miss_sets.hpp"
#include "trees/verify.hpp"
#include "trees/plans.hpp"
#include "trees/strategy/positions.hpp"
#include "solver/equilibrium/subtable_graph.hpp"
#include "solver/proofs/lemmas.hpp"
#endif
