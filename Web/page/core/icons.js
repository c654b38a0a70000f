// Icons of one stroke width, drawn on 20 by 20.

import { s } from "./dom.js";

const shapes = {
  overview: "M3 16.5V9M8 16.5V4M13 16.5v-6M17.5 16.5h-16",
  analysis: "M3 16.5h14M4 12.500l4-4 3 2.500 5-6M16 8.500V5h-3.500",
  screens:
    "M6.5 2.5h7a1.5 1.5 0 0 1 1.5 1.5v12a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 5 16V4a1.5 1.5 0 0 1 1.5-1.5ZM9 15h2",
  rules: "M3 5h9M3 10h6M3 15h9M14.5 9.5l1.8 1.8 3-3.6",
  live: "M10 10h.01M6.8 13.2a4.5 4.5 0 0 1 0-6.4M13.2 6.8a4.5 4.5 0 0 1 0 6.4M4.2 15.8a8.2 8.2 0 0 1 0-11.6M15.8 4.2a8.2 8.2 0 0 1 0 11.6",
  connect: "M3 3h5v5H3zM12 3h5v5h-5zM3 12h5v5H3zM12 12h2v2h-2zM17 12v2.5M12 17h2.5M17 17h.01",
  search: "M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12ZM13.5 13.5 17 17",
  copy: "M7 7h9v9H7zM13 7V4H4v9h3",
  check: "M4 10.5l4 4 8-9",
  cross: "M5 5l10 10M15 5 5 15",
  plus: "M10 4v12M4 10h12",
  minus: "M4 10h12",
  fit: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4",
  heat: "M10 17.5a5 5 0 0 0 5-5c0-3-2-4-2.5-6.5C11 7 10 8.500 10 10 9 9.500 8.500 8.500 8.500 7 6.500 8.500 5 10.300 5 12.500a5 5 0 0 0 5 5Z",
  pause: "M7 4v12M13 4v12",
  play: "M6 4l10 6-10 6z",
  back: "M12 4l-6 6 6 6",
  next: "M8 4l6 6-6 6",
  sun: "M10 13.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7ZM10 2v1.500M10 16.500V18M2 10h1.500M16.500 10H18M4.300 4.300l1.100 1.100M14.600 14.600l1.100 1.100M15.700 4.300l-1.100 1.100M5.400 14.600l-1.100 1.100",
  settings: "M3 6h7M14 6h3M3 14h3M10 14h7M12 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM8 12a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z",
  warn: "M10 3 18 17H2ZM10 8.500v4M10 14.800h.01",
  download: "M10 3.500v9M6 9l4 4 4-4M3.500 13v3.500h13V13",
  upload: "M10 13V4M6 7.500 10 3.500l4 4M3.500 13v3.500h13V13",
  history: "M3.500 10a6.500 6.500 0 1 0 2-4.700L3.500 7M3.500 3.500V7H7M10 6.500V10l2.500 1.500",
  edit: "M4 16l.8-3.500L13 4.300 15.700 7l-8.200 8.200Z",
  rubbish: "M4 6h12M8 6V4h4v2M5.500 6l.7 10.500h7.600L14.500 6",
  phone: "M6.500 2.500h7V17.500h-7zM9 15h2",
  circle:
    "M13 3.600C8 1.800 2.700 5 2.600 10c-.1 4.800 3.700 7.500 7.500 7.300 4.200-.2 7-3.500 6.800-7.500C16.700 6.500 14 4 10.300 3.900",
  out: "M8 4H4v12h4M12 6.500 15.500 10 12 13.500M15.500 10H8",
  info: "M10 17.500a7.500 7.500 0 1 0 0-15 7.500 7.500 0 0 0 0 15ZM10 9v5M10 6.500h.01",
};

/** A decorative icon: the text beside it, or its button's label, has the meaning. */
export function icon(name, size = 18) {
  return s(
    "svg",
    { viewBox: "0 0 20 20", width: size, height: size, class: "icon", "aria-hidden": "true", focusable: "false" },
    s("path", {
      d: shapes[name],
      fill: "none",
      stroke: "currentColor",
      "stroke-width": "1.6",
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    }),
  );
}
