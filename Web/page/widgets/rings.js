// Rings on a picture around what is circled already. In force and draft differ by line and by a sign before the
// name, not
// by colour alone.

import { colour } from "../core/prefs.js";
import { short } from "../core/format.js";
import { ruleName } from "../core/circled.js";

const signs = { published: "", draft: "✎ ", changed: "✎ ", removed: "− " };
const font = '600 11px system-ui, "PingFang SC", "Noto Sans CJK SC", sans-serif';

/**
 * Paints rings. `context` has the picture's coordinates; `view` says how these lie in the window, `size` how large
 * the screen is; `frameOf(element)` answers a
 * frame within the screen, or nothing.
 */
export function paintRings(context, rings, { view, ratio, size, frameOf, faint }) {
  const { scale } = view;
  const placed = [];
  context.globalAlpha = faint ? 0.45 : 1;
  for (const { element, rule } of rings) {
    const frame = frameOf(element);
    if (!frame) continue;
    const [x, y, w, h] = frame;
    const isDraft = rule.stage !== "published";
    context.strokeStyle = colour(isDraft ? "ring-draft" : "ring");
    context.lineWidth = 2 / scale;
    context.setLineDash(isDraft ? [5 / scale, 3 / scale] : []);
    const out = 1.5 / scale;
    context.beginPath();
    context.roundRect(x - out, y - out, w + 2 * out, h + 2 * out, Math.min(7 / scale, h / 2, w / 2));
    context.stroke();
    if (rule.kind === "exclude") strike(context, frame);
  }
  context.setLineDash([]);
  if (!faint)
    for (const ring of firstOfRules(rings, frameOf))
      label(context, ring, frameOf(ring.element), { view, ratio, size }, placed);
  context.globalAlpha = 1;
}

/** One ring of each rule carries its name: in a list, that of the first row. */
function firstOfRules(rings, frameOf) {
  const first = new Map();
  for (const ring of rings) {
    const frame = frameOf(ring.element);
    if (!frame) continue;
    const known = first.get(ring.rule.id);
    if (!known || frame[1] < frameOf(known.element)[1]) first.set(ring.rule.id, ring);
  }
  return first.values();
}

/** What is excluded is struck through. */
function strike(context, [x, y, w, h]) {
  context.beginPath();
  context.moveTo(x, y + h);
  context.lineTo(x + w, y);
  context.stroke();
}

/** The name and the count on a tag at the ring's upper edge, where no other tag is. */
function label(context, { rule, more }, [x, y, w], { view, ratio, size }, placed) {
  context.save();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = font;
  const name = ruleName(rule);
  const text = `${signs[rule.stage]}${name.length > 14 ? `${name.slice(0, 13)}…` : name} · ${short(rule.events)}${more ? ` +${more}` : ""}`;
  const width = context.measureText(text).width + 12;
  const [left, top] = [view.x + x * view.scale, view.y + y * view.scale];
  const right = left + w * view.scale;
  const inside = (at) => Math.max(view.x, Math.min(at, view.x + size.width * view.scale - width));
  const places = [
    [left - 2, top - 17],
    [right + 2 - width, top - 17],
    [left - 2, top + 1],
    [right + 2 - width, top + 1],
  ].map(([at, above]) => [inside(at), Math.max(view.y, above)]);
  const free = places.find(([at, above]) =>
    placed.every((one) => at + width < one[0] || one[0] + one[2] < at || above + 17 < one[1] || one[1] + 17 < above),
  );
  if (free) {
    placed.push([free[0], free[1], width]);
    const isDraft = rule.stage !== "published";
    const ink = colour(isDraft ? "ring-draft" : "ring");
    context.beginPath();
    context.roundRect(free[0], free[1], width, 17, 5);
    context.fillStyle = isDraft ? colour("ring-ink") : ink;
    context.fill();
    context.strokeStyle = ink;
    context.lineWidth = 1;
    context.stroke();
    context.fillStyle = isDraft ? ink : colour("ring-ink");
    context.textBaseline = "middle";
    context.fillText(text, free[0] + 6, free[1] + 9);
  }
  context.restore();
}
