// Rings on a picture around circled elements. In force and draft differ by line and by a sign before the
// name, not by colour alone.

import { isolated } from "../core/bidi.js";
import { colour } from "../core/prefs.js";
import { short } from "../core/format.js";
import { ruleName } from "../core/circled.js";

const signs = { published: "", draft: "✎ ", changed: "✎ ", removed: "− " };
const font = '600 11px system-ui, "PingFang SC", "Noto Sans CJK SC", sans-serif';

/**
 * Paints rings. `context` has the picture's coordinates; `view` says how these map to the window, `size` how large the
 * screen is; `frameOf(element)` returns a frame within the screen, or nothing.
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

/** One ring of each rule carries its name: in a list, the ring of the first row. */
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

/** Excluded elements are struck through. */
function strike(context, [x, y, w, h]) {
  context.beginPath();
  context.moveTo(x, y + h);
  context.lineTo(x + w, y);
  context.stroke();
}

/** The name and the count on a tag at the ring's upper edge, where no other tag is. */
function label(context, { rule, more }, frame, place, placed) {
  const name = ruleName(rule);
  const text = `${signs[rule.stage]}${isolated(name.length > 14 ? `${name.slice(0, 13)}…` : name)} · ${short(rule.events)}${more ? ` +${more}` : ""}`;
  const isDraft = rule.stage !== "published";
  const ink = colour(isDraft ? "ring-draft" : "ring");
  tag(context, text, frame, place, placed, {
    edge: ink,
    fill: isDraft ? colour("ring-ink") : ink,
    ink: isDraft ? ink : colour("ring-ink"),
  });
}

/**
 * Paints rings around elements without a rule, dotted, each with the number of its taps; `rings`: `[{element, taps}]`. The most
 * tapped ones have their numbers first, where there is no room for all.
 */
export function paintOpenRings(context, rings, place) {
  const { scale } = place.view;
  const ink = colour("accent");
  const seen = rings.flatMap((ring) => {
    const frame = place.frameOf(ring.element);
    return frame ? [{ ...ring, frame }] : [];
  });
  context.strokeStyle = ink;
  context.lineWidth = 2 / scale;
  context.setLineDash([2 / scale, 3 / scale]);
  for (const { frame } of seen) {
    const [x, y, w, h] = frame;
    const out = 1.5 / scale;
    context.beginPath();
    context.roundRect(x - out, y - out, w + 2 * out, h + 2 * out, Math.min(7 / scale, h / 2, w / 2));
    context.stroke();
  }
  context.setLineDash([]);
  const placed = [];
  for (const { taps, frame } of seen.sort((one, other) => other.taps - one.taps))
    tag(context, short(taps), frame, place, placed, { edge: ink, fill: ink, ink: colour("accent-ink") });
}

/** Paints what is chosen together: a frame, and a tick at its corner. */
export function paintChosen(context, numbers, { view, frameOf }) {
  const { scale } = view;
  const ink = colour("primary");
  for (const number of numbers) {
    const frame = frameOf(number);
    if (!frame) continue;
    const [x, y, w, h] = frame;
    context.globalAlpha = 0.14;
    context.fillStyle = ink;
    context.fillRect(x, y, w, h);
    context.globalAlpha = 1;
    context.strokeStyle = ink;
    context.lineWidth = 2 / scale;
    context.strokeRect(x, y, w, h);
    const radius = 8 / scale;
    context.beginPath();
    context.arc(x + w, y, radius, 0, 7);
    context.fill();
    context.strokeStyle = colour("primary-ink");
    context.beginPath();
    context.moveTo(x + w - radius * 0.5, y);
    context.lineTo(x + w - radius * 0.1, y + radius * 0.45);
    context.lineTo(x + w + radius * 0.55, y - radius * 0.4);
    context.stroke();
  }
}

/** A text on a tag at a frame's upper edge, where no other tag is. */
function tag(context, text, [x, y, w], { view, ratio, size }, placed, { edge, fill, ink }) {
  context.save();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = font;
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
    context.beginPath();
    context.roundRect(free[0], free[1], width, 17, 5);
    context.fillStyle = fill;
    context.fill();
    context.strokeStyle = edge;
    context.lineWidth = 1;
    context.stroke();
    context.fillStyle = ink;
    context.textBaseline = "middle";
    context.fillText(text, free[0] + 6, free[1] + 9);
  }
  context.restore();
}
