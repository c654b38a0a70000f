// The changes that a table from a spreadsheet would make to the plan, shown before they are written.

import { request } from "../core/api.js";
import { h, whileDisabled } from "../core/dom.js";
import * as messages from "../core/messages.js";
import { t } from "../core/strings.js";
import { scrollTable } from "../widgets/controls.js";
import { notice } from "../widgets/states.js";
import { complainIn, toast } from "../widgets/toast.js";

const maximumListed = 200;
const workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Asks for the changes that `file` makes, and returns a card with them. `done` is called once it is written, or given up. */
export async function planImport(base, file, done) {
  const send = (parameters, headers) =>
    request("POST", `${base}/import${parameters}`, {
      body: file,
      type: file.name.endsWith(".xlsx") ? workbookType : "text/csv",
      headers,
      whole: true,
    });
  const { body: shown, etag } = await send("");
  const { counts, unknown_columns: unknown = [] } = shown;
  const said = h("div", { class: "stack" });
  const button = (name, parameters, kind = "") =>
    h(
      "button",
      { class: `button ${kind}`, type: "button", onclick: (event) => press(event.currentTarget, parameters) },
      t(name),
    );
  // A second click would write changes of a plan that has changed meanwhile: a conflict with oneself.
  const press = (button, parameters) => whileDisabled(button, () => write(parameters));
  const write = async (parameters) => {
    try {
      // Only the changes that were shown are written: the service refuses if the plan or the draft has changed meanwhile.
      const { body: answer } = await send(`${parameters}&draft=${shown.compared_draft}`, { "If-Match": etag });
      toast(t(answer.draft ? "plan_written_draft" : "plan_written"));
      done();
    } catch (error) {
      // Another file may have been chosen meanwhile.
      complainIn(said, error);
    }
  };
  const changes = counts.new + counts.changed + counts.removed + shown.moved.length > 0;
  return h(
    "section",
    { class: "card plan-import" },
    h("div", { class: "card-head" }, h("h2", {}, t("plan_import", { name: file.name }))),
    h(
      "div",
      { class: "card-body stack" },
      h(
        "p",
        { role: "status" },
        t("plan_import_counts", {
          new: counts.new,
          changed: counts.changed + counts.removed,
          unchanged: counts.unchanged + counts.ignored,
          rejected: counts.rejected,
          missing: counts.missing,
        }),
      ),
      shown.moved.length > 0 && h("p", {}, t("plan_moved", { count: shown.moved.length })),
      counts.rejected > 0 && notice("bad", t("plan_rejected")),
      unknown.length > 0 && notice("warn", t("plan_unknown_columns", { names: unknown.join(t("comma")) })),
      shown.rows.length > 0 && table(shown.rows),
      said,
      h(
        "div",
        { class: "row wrap" },
        changes && counts.rejected === 0 && button("plan_apply", "?write=true", "primary"),
        changes && counts.rejected > 0 && button("plan_apply_partial", "?write=true&partial=true"),
        shown.rejected_table && h("a", { class: "button", ...rejectedFile(shown.rejected_table) }, t("plan_mend")),
        h("button", { class: "button", type: "button", onclick: done }, t("cancel")),
      ),
    ),
  );
}

const rejectedFile = (text) => ({
  href: URL.createObjectURL(new Blob([text], { type: "text/csv" })),
  download: "rejected.csv",
});

function table(rows) {
  const heads = ["plan_line", "plan_outcome", "plan_event", "plan_column", "plan_old", "plan_new"].map((name) =>
    t(name),
  );
  return scrollTable({ label: t("plan_changes"), heads, items: rows, line: lines, maximum: maximumListed });
}

/** A line for each cell that changes, or one that says why the row is wrong. */
function lines(row) {
  const changes = row.changes.length
    ? row.changes
    : [{ column: row.column ?? "", old: "", new: messages.rowReason(row.reason ?? "") }];
  return changes.map((change, place) =>
    h(
      "tr",
      { "data-outcome": row.outcome },
      h("td", { class: "end" }, place === 0 ? [row.sheet, row.line].filter(Boolean).join(" ") : ""),
      h("td", {}, place === 0 ? t(`plan_row_${row.outcome}`) : ""),
      h(
        "td",
        { class: "mono wrap-anywhere" },
        place === 0 ? [row.event, row.property].filter(Boolean).join(" / ") : "",
      ),
      h("td", {}, change.column),
      h("td", { class: "wrap-anywhere" }, change.old),
      h("td", { class: "wrap-anywhere" }, change.new),
    ),
  );
}
