// What a review shows beside the board: its numbers, the worst mistakes, bars, a table.

const MOST_MISTAKES = 6;

function reviewStats(review) {
  const tile = (name, value, note) => el("div", {}, el("dt", {}, name), el("dd", {}, value, el("small", {}, note)));
  const exact = review.shots.filter((shot) => shot.exact).length;
  const how = review.exact ? "exactly" : exact ? `${review.lost_exactly.toFixed(2)} exactly, ${review.lost_at_once.toFixed(2)} at once` : "at once";
  const luck = `${review.luck < 0 ? "−" : "+"}${Math.abs(review.luck).toFixed(2)}`;
  return [
    tile("Misses lost", sum(review), how),
    tile("Luck, in hits", luck, `${counted(review.hits, "hit")}, ${review.expected_hits.toFixed(2)} expected`),
    tile("Misses", String(review.misses), `in ${counted(review.shots.length, "shot")}`),
  ];
}

// The shots that lost most, as buttons.
function mistakeItems(review, onPick) {
  return review.mistakes.slice(0, MOST_MISTAKES).map((number) => {
    const shot = review.shots[number - 1];
    const best = shot.optimal || shot.best;
    const instead = `${best.slice(0, 3).join(" ")}${best.length > 3 ? " …" : ""}`;
    return el("li", {}, el("button", { type: "button", "data-number": number, onclick: () => onPick(number) },
      el("span", { class: "where" }, el("strong", {}, shot.cell), ` ${shot.answer.replace(":", " ")}`),
      el("span", { class: "why" }, `shot ${number}: ${chanceText(shot.chance)}; better ${instead}`),
      el("span", { class: shot.exact ? "loss" : "loss once" }, lossText(shot.lost, shot.exact))));
  });
}

// A bar for each shot, as high as its loss; below it a tick in the colour of its answer.
function lossBars(review, onPick) {
  const most = Math.max(...review.shots.map((shot) => shot.lost), 0.05);
  const bars = review.shots.map((shot) => {
    const bar = el("span", { class: `loss-bar ${shot.exact ? "exact" : "once"} ${shot.answer.split(":")[0]}`, "data-number": shot.number, title: `${shot.number} ${shot.cell} ${shot.answer.replace(":", " ")}: ${lossText(shot.lost, shot.exact)}` }, el("span", { class: "fill" }), el("span", { class: "tick" }));
    bar.style.setProperty("--h", shot.lost / most);
    return bar;
  });
  const worst = review.mistakes.slice(0, 3).map((number) => `shot ${number} lost ${lossText(review.shots[number - 1].lost, true)}`);
  const strip = el("div", { class: "loss-bars", role: "img", "aria-label": worst.length ? `Misses lost by each of ${counted(bars.length, "shot")}: ${listed(worst)} most` : `None of ${counted(bars.length, "shot")} lost anything` }, ...bars);
  strip.addEventListener("click", (event) => {
    const { left, width } = strip.getBoundingClientRect();
    const at = Math.floor((bars.length * (event.clientX - left)) / width) + 1;
    onPick(Math.max(1, Math.min(bars.length, at)));
  });
  return strip;
}

function barsLegend(review) {
  const key = (kind, text) => el("span", {}, el("span", { class: `swatch ${kind}`, "aria-hidden": "true" }), text);
  const kinds = [["exact", "exact loss"], ["once", "~ loss at once"]].filter(([kind]) => review.shots.some((shot) => shot.exact === (kind === "exact")));
  const answers = ["miss", "hit", "sunk"].filter((kind) => review.shots.some((shot) => shot.answer.split(":")[0] === kind));
  return [...kinds.map(([kind, text]) => key(kind, text)), ...answers.map((kind) => key(kind, kind))].flatMap((each) => [each, " "]);
}

function shotTable(review, onPick) {
  const head = ["", "Shot", "Chance", "Best", "Lost"].map((text) => el("th", { scope: "col" }, text || el("span", { class: "sr" }, "Number")));
  const rows = review.shots.map((shot) => el("tr", { "data-number": shot.number },
    el("td", { class: "n" }, String(shot.number)),
    el("th", { scope: "row" }, el("button", { type: "button", class: "quiet", onclick: () => onPick(shot.number) }, `${shot.cell} ${shot.answer.replace(":", " ")}`)),
    el("td", {}, chanceText(shot.chance)), el("td", {}, chanceText(shot.best_chance)), el("td", {}, lossText(shot.lost, shot.exact))));
  return el("table", { class: "shots" }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
}

// One shot in words: its chance, the best there was, what it lost, and what would have been better.
function shotWords(shot, shots) {
  const best = shot.optimal || shot.best;
  const names = `${listed(best.slice(0, 6))}${best.length > 6 ? " and others" : ""}`;
  const chance = shot.chance >= shot.best_chance ? `Its chance was ${chanceText(shot.chance)}, the best there was.`
    : `Its chance was ${chanceText(shot.chance)}; the best there was ${chanceText(shot.best_chance)}.`;
  const kind = shot.optimal ? "Optimal" : "Likeliest";
  return [
    el("h2", {}, `Shot ${shot.number} of ${shots}: ${shot.cell}, ${shot.answer.replace(":", " ")}`),
    el("p", {}, chance),
    el("p", { class: shot.lost > 0 ? "lost" : "kept" }, lossWords(shot.lost, shot.exact)),
    el("p", { class: "hint" }, best.includes(shot.cell) && best.length === 1 ? `${kind} was this cell alone.` : `${kind}: ${names}.`),
  ];
}
