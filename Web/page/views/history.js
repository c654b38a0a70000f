// Every version that was in force, who published it and why, and rolling back to it.

import { may, post } from "../core/api.js";
import { dotted } from "../core/bidi.js";
import { h, put, whileDisabled } from "../core/dom.js";
import { dateTime } from "../core/format.js";
import { icon } from "../core/icons.js";
import { prefs } from "../core/prefs.js";
import { link } from "../core/router.js";
import { history, rollBack } from "../core/rulesets.js";
import { t } from "../core/strings.js";
import { field } from "../widgets/controls.js";
import { diffView } from "../widgets/diff-view.js";
import { ask } from "../widgets/dialog.js";
import { empty, failure, filled } from "../widgets/states.js";
import { toast } from "../widgets/toast.js";
import { viewHead } from "../widgets/view-head.js";
import { ruleTabs } from "./rules.js";

/** The number of versions that are listed at once. */
const atOnce = 100;

export function historyView({ place, title, signal, reload }) {
  title(t("rules_history"));
  const body = h("div", { class: "stack" });
  put(place, h("div", { class: "view" }, viewHead({ title: t("rules_history"), tools: ruleTabs("history") }), body));
  const list = h("ol", { class: "card divide" });
  const older = h("div", { class: "stack" });
  const olderButton = h(
    "button",
    { class: "button", type: "button", onclick: () => whileDisabled(olderButton, more) },
    t("older_versions"),
  );
  /** The number of the last version that is listed. */
  let last = Infinity;
  /** The number of the version in force. */
  let current;
  filled(
    body,
    () => read(0),
    (versions) => {
      if (!versions.length) {
        const circle = h("a", { class: "button primary", href: link("/screens") }, t("go_circle"));
        put(body, empty(t("no_history"), t("no_history_text"), circle));
        return;
      }
      put(body, list, older);
      add(versions);
    },
  );

  /** Reads one version more than is listed: the one with which the last of them is compared. */
  async function read(offset) {
    return (await history({ offset, limit: atOnce + 1 })).versions;
  }

  function add(versions) {
    const isFirst = !list.children.length;
    const hasMore = versions.length > atOnce;
    // Versions published since the last answer push versions into this one that are listed already.
    const further = versions.filter((version) => version.version < last);
    const listed = hasMore ? further.slice(0, -1) : further;
    last = listed.at(-1)?.version ?? last;
    current ??= listed[0]?.version;
    list.append(...listed.map((version, index) => line(version, further[index + 1], isFirst && index === 0)));
    put(older, hasMore && olderButton);
  }

  async function more() {
    try {
      add(await read(list.children.length));
    } catch (error) {
      put(older, failure(error, more));
    }
  }

  function line(version, before, isCurrent) {
    const change = version.change ?? {};
    const counts = [
      [change.added, "good", "+"],
      [change.changed, "info", "~"],
      [change.removed, "bad", "−"],
    ].map(([value, kind, sign]) => {
      const count = Array.isArray(value) ? value.length : value;
      return (
        count > 0 &&
        h("span", { class: `badge ${kind}`, title: Array.isArray(value) ? value.join(", ") : null }, `${sign}${count}`)
      );
    });
    const details = h("div", {});
    return h(
      "li",
      { class: "card-body stack tight" },
      h(
        "div",
        { class: "row wrap" },
        h("strong", { class: "number" }, `v${version.version}`),
        isCurrent && h("span", { class: "badge good" }, t("in_force")),
        counts,
        h(
          "span",
          { class: "muted small" },
          dotted(
            dateTime(version.at),
            version.by,
            version.approved_by && t("approved_by", { name: version.approved_by }),
            t("rules_count", { count: version.rules }),
          ),
        ),
        h("span", { class: "spring" }),
        h(
          "button",
          {
            class: "button small",
            type: "button",
            "aria-expanded": "false",
            onclick: (event) => toggle(event.currentTarget, details, version, before),
          },
          t("show_diff"),
        ),
        !isCurrent &&
          may("publish") &&
          h(
            "button",
            { class: "button small", type: "button", onclick: () => back(version) },
            icon("history", 15),
            t("roll_back"),
          ),
      ),
      version.reason && h("p", { class: "wrap-anywhere" }, version.reason),
      details,
    );
  }

  function toggle(button, place, version, before) {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!isOpen));
    // Hidden, so that an answer on its way does not open it again.
    place.hidden = isOpen;
    if (isOpen) return;
    const old = before ? { ruleset: prefs.ruleset, version: before.version } : { text: "version: 1\nrules: []\n" };
    filled(
      place,
      () => post("/v1/rules/diff", { old, new: { ruleset: prefs.ruleset, version: version.version } }, { signal }),
      (answer) => put(place, diffView(answer.unified)),
      60,
    );
  }

  function back(version) {
    const reason = h("input", { name: "reason", required: true, maxlength: 500 });
    ask({
      title: t("roll_back_ask", { version: version.version }),
      fields: [h("p", { class: "muted" }, t("roll_back_text")), field(t("reason"), reason)],
      key: `rollback:${prefs.ruleset}:${version.version}`,
      confirm: t("roll_back"),
      danger: true,
      run: async (form) => {
        await rollBack(version.version, current, String(form.get("reason")).trim());
        toast(t("rolled_back", { version: version.version }));
        reload();
      },
    });
  }
}
