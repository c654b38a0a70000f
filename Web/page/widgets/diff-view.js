// A unified diff, line by line.

import { h } from "../core/dom.js";
import { t } from "../core/strings.js";
import { moreLine } from "./controls.js";

const maximumLines = 4000;

const classOf = (line) => {
  if (line.startsWith("@@") || line.startsWith("---") || line.startsWith("+++")) return "at";
  if (line.startsWith("+")) return "add";
  return line.startsWith("-") ? "del" : "";
};

export function diffView(unified) {
  const lines = (unified ?? "").split("\n");
  return h(
    "div",
    { class: "diff", role: "region", "aria-label": t("yaml_diff"), tabindex: "0" },
    lines.slice(0, maximumLines).map((line) => h("div", { class: classOf(line) }, line || " ")),
    moreLine(lines.length - maximumLines),
  );
}
