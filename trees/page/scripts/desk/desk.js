// Questions of the page and their answers, one at a time, in a worker or in a test.
//
// A question is {kind, body}, its answer a plain document; `body` is a position document with
// options beside it. Every answer is a generator, so that a question can be given up.

import { isSunk } from "../shared/codes.js";
import { MOST_CELLS, MOST_SALVO, POSITION_FORMAT } from "../shared/games.js";
import { Grid } from "../shared/grid.js";
import { advise } from "./advice.js";
import { conflict } from "./conflict.js";
import { countMap, drawLayout, listLayouts } from "./counter.js";
import { STORED } from "./data.js";
import { fits } from "./fitting.js";
import { begin, chance, outlook, resign, shoot } from "./match.js";
import { missesToCome } from "./outlook.js";
import { readText } from "./pasted.js";
import { playersOf } from "./players.js";
import { Position, constrain } from "./position.js";
import { priorFits } from "./prior.js";
import { review } from "./review.js";
import { Refusal, rulesOf } from "./rules.js";
import { areSeveral, severalMap, withOne } from "./several.js";
import { signature, solve } from "./solve.js";
import { Sweep } from "./sweep.js";

const MOST_LISTED = 1000; // layouts of a game that is over

// The sinkings whose ship can lie in several ways, by the map of what is known.
function sinkings(map) {
  const { position } = map, { rules } = position, parts = map.parts || [map];
  if (rules.answers !== "sunk" || map.estimated) return [];
  const named = (part, cell) => part.position.rules.covers[cell].filter((number) => part.placements[number] > 0).map((number) => rules.shipName(part.position.rules.placements[number].cells));
  return position.shots.filter(([, code]) => isSunk(code)).map(([cell]) => ({
    shot: rules.name(cell), ships: [...new Set(parts.flatMap((part) => named(part, cell)))],
  })).filter(({ ships }) => ships.length > 1);
}

// Ships that are known to be sunk: where that is told, or all that is left of a game that is over.
function* wrecks(map) {
  const { position } = map, { rules } = position, over = position.over && !map.estimated && map.layouts <= MOST_LISTED;
  const numbers = over ? (yield* listLayouts(position))[0] : rules.answers === "hit" ? [] : map.wrecks;
  return numbers.map((number) => rules.shipName(rules.placements[number].cells));
}

// How a game is weighed and asked, as the page keeps it in its files.
function checkedAsked(rules, { prior = "uniform", within = null, salvo = 1, think, ...other }) { // think: the command line's
  const count = (number, least, most) => Number.isInteger(number) && number >= least && number <= most, [unknown] = Object.keys(other);
  if (unknown) throw new Refusal("its field “asked” has an unknown field “{name}”", { name: unknown });
  if (!["uniform", "people"].includes(prior)) throw new Refusal("prior “{prior}”: this page knows “uniform” and “people”", { prior: String(prior) });
  if (prior === "people" && !priorFits(rules)) throw new Refusal("prior “people” is of another game");
  if (within !== null && !count(within, 0, MOST_CELLS)) throw new Refusal("“within” is not a number of misses");
  if (!count(salvo, 1, MOST_SALVO)) throw new Refusal("“salvo” is not a number of shots from 1 to 5");
  return { prior, within, salvo };
}

function checked(body) {
  if (!body || typeof body !== "object") throw new Refusal("this is no game");
  if (body.format !== undefined && body.format !== POSITION_FORMAT) throw new Refusal("its “format” is not “{format}”", { format: POSITION_FORMAT });
  if (body.version !== undefined && body.version !== 1) throw new Refusal("it is of another version");
  if (!Array.isArray(body.shots || []) || !Array.isArray(body.ships || []) || !(body.shots || []).every((shot) => Array.isArray(shot) && shot.length === 2 && shot.every((part) => typeof part === "string"))) throw new Refusal("its shots are not as in a position file");
  const position = Position.read(body), { rules } = position, { asked = {} } = body;
  if (!asked || typeof asked !== "object" || Array.isArray(asked)) throw new Refusal("its field “asked” is no object");
  return {
    asked: checkedAsked(rules, asked), ...rules.document, shots: position.shots.map((_, shot) => position.said(shot)),
    ...(position.ordered ? {} : { ordered: false }), ...(position.ships.length ? { ships: position.ships.map((ship) => rules.shipName(ship)) } : {}),
  };
}

// The stored answer to the first question about a named fleet.
function stored({ shots = [], options = {}, ...game }) {
  if (shots.length || options.ship) return null;
  const rules = rulesOf(game), plain = new Grid(rules.rows, rules.columns), found = STORED[`${rules.key} ${options.prior || "uniform"}`];
  return found ? { ...found, best: found.best.map((name) => rules.name(plain.cell(name))), expected: missesToCome(rules, found.layouts), sinkings: [], stored: true } : null;
}

const KINDS = {
  *advise(body) {
    if (areSeveral(body)) {
      const { map, fleets } = yield* severalMap(body), { options: { ship } = {} } = body, [best] = map.likeliest();
      return { ...map.document(ship), fleets, chance: best === undefined ? null : map.chance(best), method: "greedy-map", beside: [], sinkings: sinkings(map) };
    }
    const known = stored(body);
    if (known) return known;
    const position = Position.read(body), { map, document } = yield* advise(position, body.options);
    return { ...document, sinkings: sinkings(map), wrecks: yield* wrecks(map) };
  },
  *count(body) {
    const { prior, ship } = body.options || {};
    if (areSeveral(body)) {
      const { map, fleets } = yield* severalMap(body);
      return { ...map.document(ship), fleets };
    }
    return (yield* countMap(Position.read(body), prior)).document(ship);
  },
  *conflict(body) {
    return yield* conflict(Position.read(body));
  },
  *sinkings(body) {
    return sinkings(yield* countMap(Position.read(body)));
  },
  // A file or form: the game it holds, or why it holds none.
  *check(body) {
    return withOne(body, checked);
  },
  // The same for a text: a board, or answers.
  *read({ text, ...game }) {
    return withOne(game, (one) => checked(readText(text, one)));
  },
  *fits(body) {
    let possible = false;
    const { fleet, blocked } = withOne(body, (one) => {
      const rules = rulesOf(one);
      possible = possible || fits(new Position(rules));
      if (!possible && areSeveral(body)) throw new Refusal("the fleet has no layout on this board under this contact rule");
      return rules.document;
    });
    return { possible, fleet, ...(blocked ? { blocked } : {}) };
  },
  // Makes the tables of a game before anything is asked about it.
  *prepare(body) {
    if (areSeveral(body)) return { counted: true };
    const position = Position.read(body);
    yield* Sweep.prepare(position.rules);
    return { counted: Sweep.of(position.rules, constrain(position)) !== null };
  },
  *review(body, say) {
    return yield* review(Position.read(body), body.options, say);
  },
  *players(body) {
    const rules = rulesOf(body);
    if (rules.types.some(({ isLine }) => !isLine)) throw new Refusal("a match is played with ships that are lines and may be turned; advice and reviews take all");
    return { players: playersOf(rules), hiding: priorFits(rules) ? ["random", "people"] : ["random"] };
  },
  *layout(body) {
    const rules = rulesOf(body), drawn = yield* drawLayout(new Position(rules), body.options.hide, chance);
    if (!drawn) throw new Refusal("no fleet can be drawn for this game");
    return { ships: drawn.map((number) => rules.shipName(rules.placements[number].cells)) };
  },
  *solve(body, say, control) {
    return yield* solve(Position.read(body), body.options, say, control);
  },
  *signature(body) {
    return yield* signature(Position.read(body), body.options);
  },
  begin,
  *shoot({ match, shot }) {
    return yield* shoot(match, shot);
  },
  *resign({ match }) {
    return resign(match);
  },
  *outlook({ match }) {
    return yield* outlook(match);
  },
};

// Begins to answer; yields now and then. Contradictions are told with the refusal.
//   control: {stopped}, set where the answer is to come with what is known by then
export function* answer({ kind, body }, say = () => {}, control = {}) {
  try {
    return { found: yield* KINDS[kind](body, say, control) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const doubted = ["advise", "count", "review"].includes(kind) && (body.shots || []).length && !areSeveral(body);
    const { found: doubt = null } = doubted ? yield* answer({ kind: "conflict", body }) : {}; // which may be refused, too
    return { error: error.message, text: error.text, parts: error.parts, conflict: doubt };
  }
}

// For tests: an answer at once, as text; one that is `stopped_after` so many rests says what is known.
export function answerAtOnce(text) {
  const question = JSON.parse(text), control = {}, { stopped_after: most = Infinity } = (question.body && question.body.options) || {};
  const going = answer(question, () => {}, control);
  for (let rests = 0; ; rests++) {
    control.stopped = rests >= most;
    const { done, value } = going.next();
    if (done) return JSON.stringify(value);
  }
}
