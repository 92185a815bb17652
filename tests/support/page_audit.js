// What a page owes its readers, measured in the browser; see page_audit.py.

({
  // Texts too close in colour to what is behind them, by WCAG 2.2 level AA.
  contrast() {
    const colour = (text) => {
      const n = text.replace(/^color\(srgb/, "").match(/-?[\d.]+(e-?\d+)?/g).map(Number);
      const scale = text.startsWith("color(") ? 255 : 1;
      return [n[0] * scale, n[1] * scale, n[2] * scale, n.length > 3 ? n[3] : 1];
    };
    const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
    const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
    // The nearest elements below that are not transparent, mixed as they lie.
    const ground = (element) => {
      const layers = [];
      for (let at = element; at; at = at.parentElement) {
        layers.push(colour(getComputedStyle(at).backgroundColor));
        if (layers[layers.length - 1][3] === 1) break;
      }
      return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
    };
    const poor = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent.trim(), element = walker.currentNode.parentElement;
      if (!text || !element.checkVisibility({ visibilityProperty: true })) continue;
      if (element.closest(".sr, script, style, :disabled")) continue;
      const style = getComputedStyle(element), drawn = element.closest("svg");
      let shade = 1;
      for (let at = element; at; at = at.parentElement) shade *= Number(getComputedStyle(at).opacity);
      const box = drawn && element.parentElement.querySelector("rect:not(.touch)");
      const below = ground(element);
      const behind = box ? over(colour(getComputedStyle(box).fill), below) : below;
      const ink = colour(drawn ? style.fill : style.color);
      const [a, b] = [light(over([...ink.slice(0, 3), ink[3] * shade], behind)), light(behind)];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (large ? 3 : 4.5)) poor.push(`${text.slice(0, 40)} (${element.tagName}): ${ratio.toFixed(2)}`);
    }
    return poor;
  },

  // Things to press that are smaller than so many pixels in a direction, some apart.
  targets([least, besides]) {
    const pressed = "button, input, select, summary, [role=tab], .pick, .box:not(.here) .touch, nav a";
    return [...document.querySelectorAll(pressed)].filter((each) => !each.disabled && each.checkVisibility() && !(besides && each.matches(besides))).map((each) => {
      const label = each.matches("input[type=checkbox]") ? each.closest("label") : null;
      const { width, height } = (label || each).getBoundingClientRect();
      return { name: each.id || each.textContent.trim() || each.outerHTML.slice(0, 60), width, height };
    }).filter(({ width, height }) => Math.min(width, height) < least - 0.5)
      .map(({ name, width, height }) => `${name}: ${width.toFixed(1)} x ${height.toFixed(1)}`);
  },

  // Things to use or to see that have no name for those who cannot see them.
  nameless() {
    const named = "button, input, a, summary, [role=grid], [role=gridcell], [role=tablist], [role=region], svg[role=img], img";
    return [...document.querySelectorAll(named)].filter((each) => each.checkVisibility() && !each.closest("[aria-hidden=true]"))
      .filter((each) => {
        const label = each.labels && each.labels.length ? each.labels[0].textContent : "";
        return !(each.getAttribute("aria-label") || each.getAttribute("alt") || label || each.textContent).trim();
      }).map((each) => each.outerHTML.slice(0, 80));
  },
})
