// The elements of a stored screen that no rule is about, ringed on its picture with the number of their taps.

import { get } from "../core/api.js";
import { dotted } from "../core/bidi.js";
import { h, put } from "../core/dom.js";
import { number } from "../core/format.js";
import { icon } from "../core/icons.js";
import * as messages from "../core/messages.js";
import { prefs, setPref } from "../core/prefs.js";
import { go, link } from "../core/router.js";
import { t } from "../core/strings.js";
import { select } from "../widgets/controls.js";
import { Picture } from "../widgets/picture.js";

/**
 * The card with the picture of the screen that has the most taps without a rule; others can be chosen. It begins with
 * the capture `former` where that still has such elements.
 */
export function openPicture(coverage, signal, former) {
  const screens = byCapture(coverage.open);
  let capture = screens.has(former) ? former : screens.keys().next().value;
  let rings = [];
  const said = h("p", { class: "row wrap", "aria-live": "polite" });
  const picture = new Picture({
    label: t("coverage_picture"),
    select: (element) => {
      const found = ringed(element);
      if (found) go(`/screen/${capture}`, { element: found.element });
    },
    step: (element) => {
      picture.setSelected(element.element);
      say(ringed(element));
    },
  });
  const ringsButton = h(
    "button",
    { class: "button small", type: "button", "aria-pressed": String(prefs.openRings), onclick: toggle },
    icon("circle", 16),
    t("coverage_rings"),
  );
  const names = [...screens].map(([id, elements]) => [
    id,
    dotted(
      elements[0].page ?? id,
      t("elements_count", { count: number(elements.length) }),
      t("coverage_ring_taps", { count: number(tapsOf(elements)) }),
    ),
  ]);
  const node = h(
    "section",
    { class: "card coverage-picture", "aria-label": t("coverage_picture") },
    h(
      "div",
      { class: "card-head" },
      h("h2", {}, t("coverage_picture")),
      h("span", { class: "spring" }),
      select(names, capture, show, t("page")),
      ringsButton,
    ),
    h("p", { class: "muted small card-note" }, t("coverage_picture_hint")),
    picture.node,
    said,
  );
  show(capture);
  // For measurements, as on a screen.
  window.encirclePicture = picture;
  return {
    node,
    /** The capture that is shown. */
    get capture() {
      return capture;
    },
    close: () => {
      picture.close();
      delete window.encirclePicture;
    },
  };

  async function show(id) {
    capture = id;
    put(said);
    // Until the answer comes, the picture has the elements of another capture.
    rings = [];
    paint();
    try {
      const answer = await get(`/v1/captures/${encodeURIComponent(id)}/elements`, {}, { signal });
      if (capture !== id) return;
      picture.selected = null;
      picture.show({
        elements: answer.elements,
        width: answer.capture.width,
        height: answer.capture.height,
        image: answer.capture.has_screenshot ? `/v1/captures/${encodeURIComponent(id)}/screenshot` : null,
      });
      rings = screens.get(id).map((one) => ({ element: one.element, taps: one.taps.open, text: one.text }));
      const numbers = new Set(rings.map((ring) => ring.element));
      // Keys go from ring to ring.
      picture.tracked = picture.tracked.filter((element) => numbers.has(element.element));
      paint();
    } catch (error) {
      if (error.name !== "AbortError" && capture === id) put(said, messages.error(error));
    }
  }

  /** The ring around an element, or around what it lies in. */
  function ringed(element) {
    for (let one = element; one; one = picture.index.byNumber.get(one.parent)) {
      const ring = rings.find((candidate) => candidate.element === one.element);
      if (ring) return ring;
    }
    return null;
  }

  function toggle() {
    setPref("openRings", !prefs.openRings);
    ringsButton.setAttribute("aria-pressed", String(prefs.openRings));
    paint();
  }

  function paint() {
    picture.setOpenRings(prefs.openRings ? rings : []);
  }

  /** The place that keys have reached: the element, and the way to circle it. */
  function say(ring) {
    put(
      said,
      ring && [
        h("strong", {}, ring.text || `#${ring.element}`),
        h("span", { class: "muted" }, t("coverage_ring_taps", { count: ring.taps })),
        h("a", { class: "button small", href: link(`/screen/${capture}`, { element: ring.element }) }, t("circle_it")),
      ],
    );
  }
}

const tapsOf = (elements) => elements.reduce((sum, element) => sum + element.taps.open, 0);

/** The elements by the capture that shows them, those with the most taps first. */
function byCapture(open) {
  const screens = new Map();
  for (const element of open) {
    if (!element.capture) continue;
    const list = screens.get(element.capture);
    if (list) list.push(element);
    else screens.set(element.capture, [element]);
  }
  return new Map([...screens].sort((one, other) => tapsOf(other[1]) - tapsOf(one[1])));
}
