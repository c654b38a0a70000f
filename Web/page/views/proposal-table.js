// The table of rules for many elements, which is edited by keyboard as a sheet is: arrows and Enter go from row to row.

import { h } from "../core/dom.js";
import * as messages from "../core/messages.js";
import { t } from "../core/strings.js";
import { fieldProblem } from "../widgets/controls.js";
import { ask } from "../widgets/dialog.js";
import { notice } from "../widgets/states.js";

const columns = ["name", "id", "emit", "selector"];

/** Shows the table. `saved(answer)` is called with what the service said, once all rules are in the draft. */
export function proposalTable(proposals, saved) {
  const rows = proposals.rows.map((row, index) => line(proposals, row, index));
  const table = h(
    "table",
    { class: "proposals" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        [t("many_take"), ...columns.map((column) => t(`many_${column}`)), t("many_doubtful")].map((name) =>
          h("th", { scope: "col" }, name),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map(({ node }) => node),
    ),
  );
  table.addEventListener("keydown", (event) => move(event, rows));
  const dialog = ask({
    title: t("many_title", { count: proposals.rows.length }),
    fields: [
      ...remarks(proposals),
      h("p", { class: "muted small" }, t("many_keys")),
      h("div", { class: "scroll", role: "region", "aria-label": t("many_table"), tabindex: "0" }, table),
    ],
    confirm: t("many_save"),
    run: async () => {
      const problem = proposals.problem();
      if (problem) {
        const { cells } = rows[proposals.rows.indexOf(problem.row)];
        fieldProblem(cells.id, t(`many_id_${problem.code}`));
        throw new Error(t(`many_id_${problem.code}`));
      }
      if (!proposals.chosen.length) throw new Error(t("many_none_taken"));
      saved(await proposals.save());
    },
  });
  dialog.classList.add("wide");
  rows[0]?.cells.name.focus();
  return dialog;
}

/** The elements that get no rule, with the reasons. */
function remarks({ others, impossible, beyond }) {
  return [
    others.length > 0 && notice("", t("many_others", { count: others.length })),
    impossible.length > 0 && notice("warn", t("many_impossible", { count: impossible.length })),
    beyond > 0 && notice("warn", t("many_beyond", { count: beyond })),
  ];
}

function line(proposals, row, index) {
  const title = row.name || row.id;
  const cells = {};
  for (const column of columns) {
    cells[column] = h("input", {
      type: "text",
      class: column === "name" ? null : "code",
      spellcheck: "false",
      "aria-label": t("many_cell", { column: t(`many_${column}`), name: title }),
      "data-column": column,
      "data-row": index,
      value: row[column] ?? "",
      disabled: row[column] === null,
      oninput: () => {
        row[column] = cells[column].value;
        proposals.keep();
      },
    });
  }
  const take = h("input", {
    type: "checkbox",
    checked: row.isIn,
    "aria-label": t("many_cell", { column: t("many_take"), name: title }),
    onchange: () => {
      row.isIn = take.checked;
      proposals.keep();
    },
  });
  const node = h(
    "tr",
    { class: row.doubtful.length ? "doubtful" : null },
    h("td", {}, take),
    columns.map((column) => h("td", {}, cells[column])),
    h(
      "td",
      { class: "why" },
      row.doubtful.length > 0 && [
        h("span", { class: "badge warn" }, t("many_doubtful")),
        h(
          "ul",
          { class: "small" },
          row.doubtful.map((doubt) => h("li", {}, messages.doubt(doubt))),
        ),
      ],
    ),
  );
  return { node, cells };
}

/** Goes to the same column of another row; Control and Enter save. */
function move(event, rows) {
  const { column, row } = event.target.dataset ?? {};
  if (column === undefined) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    event.target.form.requestSubmit();
    return;
  }
  const by = { ArrowDown: 1, ArrowUp: -1, Enter: event.shiftKey ? -1 : 1 }[event.key];
  if (!by || event.isComposing) return;
  event.preventDefault();
  const next = rows[Number(row) + by]?.cells[column];
  if (!next || next.disabled) return;
  next.focus();
  next.select();
}
