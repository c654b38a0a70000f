// A unified diff, line by line.

import { h } from "../core/dom.js";
import { t } from "../core/strings.js";

const classOf = (line) => {
  if (line.startsWith("@@") || line.startsWith("---") || line.startsWith("+++")) return "at";
  if (line.startsWith("+")) return "add";
  return line.startsWith("-") ? "del" : "";
};

export const diffView = (unified) =>
  h(
    "div",
    { class: "diff", role: "region", "aria-label": t("yaml_diff"), tabindex: "0" },
    (unified ?? "")
      .split("\n")
      .slice(0, 4000)
      .map((line) => h("div", { class: classOf(line) }, line || " ")),
  );
