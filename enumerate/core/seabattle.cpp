// The one translation unit of the core: the headers of all rooms, in the order in which they build
// on each other. A header that defines functions of seabattle.h says so at its end.
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
#ifndef __wasm__  // the page writes no proofs
#include "solver/proofs/lemmas.hpp"
#endif
