// The map as a picture that stands by itself, in the colours of paper.

import { answerKind } from "../shared/answers.js";
import { joinsOf } from "../shared/board.js";
import { answerCode } from "../shared/codes.js";
import { percent } from "../shared/elements.js";
import { layoutsText } from "../shared/looks.js";
import { boardPicture, mixed, paperColours, sheetText } from "../shared/pictures.js";
import { gameOf, rulesInWords } from "../shared/record.js";
import { knownWrecks } from "./board.js";

export function pictureText(tab) {
  const game = gameOf(tab.state), colours = paperColours(), shares = tab.chances, given = (cell) => tab.record.answerAt(game.name(cell));
  const ships = knownWrecks(tab.state, tab.wrecks), sunk = new Set(ships.flat()), joins = joinsOf(game, ships), best = new Set(tab.advice ? tab.advice.best : []);
  const most = Math.max(0.2, ...(shares || []).filter((_, cell) => !given(cell)));
  const picture = boardPicture(game, 40, (cell) => {
    const answer = given(cell), good = best.has(game.name(cell));
    if (answer) return { mark: sunk.has(cell) ? "sunk" : answerKind(answerCode(answer)), joins: joins.get(cell) };
    return { mark: good ? "shot" : "", ...(shares ? { fill: mixed(colours.sea, colours.heat, 0.55 * (shares[cell] / most) ** 1.5), text: percent(shares[cell]), bold: good } : {}) };
  }, colours);
  const [board, ...rules] = rulesInWords(tab.state);
  return sheetText(board, [rules.join(", "), ...(tab.advice ? [layoutsText(tab.advice)] : [])], [["", picture]], colours);
}
