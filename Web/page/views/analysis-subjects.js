// Chooses what is analysed: rules, names of events, elements.

import { get } from "../core/api.js";
import { debounced, h, put } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { prefs } from "../core/prefs.js";
import { rules } from "../core/rulesets.js";
import { t } from "../core/strings.js";
import { field, fieldProblem, removeButton, select } from "../widgets/controls.js";
import { subjectName } from "./analysis-question.js";

const maximumSubjects = 12;
let kind = "rule";

/**
 * The subjects of the question, each with a button that leaves it out, and a form that adds one. `written.subject` has
 * the text of the form until it is added.
 */
export function subjectChooser({ question, written, names, signal, ask }) {
  const list = h("datalist", { id: "analysis-subjects" });
  const suggestLater = debounced(200, () => kind === "rule" && suggest());
  const input = h("input", {
    list: "analysis-subjects",
    "data-key": "subject",
    value: written.subject,
    spellcheck: "false",
    required: true,
    onfocus: () => suggest(),
    oninput: () => {
      written.subject = input.value;
      suggestLater();
    },
  });
  const kinds = select(
    ["rule", "event", "event_id"].map((one) => [one, t(`kind_${one}`)]),
    kind,
    (value) => {
      kind = value;
      put(list);
      input.value = written.subject = "";
    },
    t("kind"),
  );
  kinds.dataset.key = "kind";

  /** Offers the known subjects; people type others. */
  async function suggest() {
    const asked = kind;
    const text = input.value;
    const found = await offers(asked, text.trim(), names, signal).catch(() => []);
    // Only rules are looked for by the text, and again after each key.
    if (asked === kind && (kind !== "rule" || text === input.value))
      put(
        list,
        found.map(([value, label]) => h("option", { value }, label ?? "")),
      );
  }

  function add(event) {
    event.preventDefault();
    const name = input.value.trim();
    if (kind === "event_id" && !/^[0-9a-f]{64}$/i.test(name)) {
      fieldProblem(input, t("event_id_form"));
      return;
    }
    if (question.subjects.some((one) => one.kind === kind && one.name === name)) return;
    written.subject = "";
    ask({ subjects: [...question.subjects, { kind, name }] });
  }

  return [
    question.subjects.length > 0
      ? h(
          "ul",
          { class: "tags" },
          question.subjects.map((one) =>
            h(
              "li",
              { class: "tag" },
              h("span", { class: "muted small nowrap" }, t(`kind_${one.kind}`)),
              h("span", { class: "ellipsis", title: one.name }, subjectName(one, names)),
              removeButton(t("leave_out", { name: subjectName(one, names) }), () =>
                ask({ subjects: question.subjects.filter((other) => other !== one) }),
              ),
            ),
          ),
        )
      : h("p", { class: "small muted" }, t("analysis_all")),
    question.subjects.length < maximumSubjects &&
      h(
        "form",
        { class: "ask", onsubmit: add },
        h("div", { class: "field short" }, kinds),
        field(t("analysis_name"), input),
        list,
        h("button", { class: "button", type: "submit", "data-key": "add-subject" }, icon("plus", 16), t("add")),
      ),
  ];
}

async function offers(kind, text, names, signal) {
  if (kind === "rule")
    return (await rules({ search: text, limit: 50 }, { signal })).rules.map((rule) => [rule.id, rule.name]);
  if (kind === "event")
    return (await get("/v1/reports/counts", { by: "event", limit: 100, project: prefs.project }, { signal })).rows.map(
      (row) => [row.key],
    );
  const { elements } = await get("/v1/reports/overview", { days: 30, project: prefs.project }, { signal });
  return elements.map((row) => [row.event_id, names.get(row.event_id) ?? row.page]);
}
