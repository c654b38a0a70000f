// A rule's picture: the part of its screen where its element is, with a ring around it.

import { h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { link } from "../core/router.js";
import { t } from "../core/strings.js";

/**
 * The surroundings of a place, `{capture, element, frame, width, height}`, cut to `size`; a frame without a picture
 * for a rule that is on no stored screen. `kind`: the style of the ring, as for the rings of a screen.
 */
export function rulePlace(place, { width = 104, height = 64, kind = "published", linked = false } = {}) {
  if (!place)
    return h(
      "span",
      {
        class: "rule-place none",
        style: { width: `${width}px`, height: `${height}px` },
        role: "img",
        "aria-label": t("no_place"),
        title: t("no_place"),
      },
      icon("live", 20),
    );
  const [x, y, w, high] = place.frame;
  // So much of the screen around the element that it can be recognised, but never less than the whole element.
  const scale = Math.min(width / Math.max(w * 1.25, 150), height / Math.max(high * 1.25, 92), 1);
  const at = (middle, whole, shown) => Math.min(0, Math.max(shown - whole * scale, shown / 2 - middle * scale));
  const [left, top] = [at(x + w / 2, place.width, width), at(y + high / 2, place.height, height)];
  const ring = {
    left: `${left + x * scale - 2}px`,
    top: `${top + y * scale - 2}px`,
    width: `${w * scale + 4}px`,
    height: `${high * scale + 4}px`,
  };
  const node = [
    h("img", {
      src: `/v1/captures/${encodeURIComponent(place.capture)}/thumbnail`,
      alt: "",
      loading: "lazy",
      decoding: "async",
      style: {
        width: `${place.width * scale}px`,
        height: `${place.height * scale}px`,
        left: `${left}px`,
        top: `${top}px`,
      },
    }),
    h("i", { class: `ring ${kind}`, style: ring }),
  ];
  const props = { class: "rule-place", style: { width: `${width}px`, height: `${height}px` } };
  return linked
    ? h(
        "a",
        {
          ...props,
          href: link(`/screen/${place.capture}`, { element: place.element }),
          "aria-label": t("on_its_screens"),
        },
        node,
      )
    : h("span", { ...props, "aria-hidden": "true" }, node);
}
