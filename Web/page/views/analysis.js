// Event analysis: rules, names and elements over time, broken down, filtered and compared. The address has the whole
// question, so that it can be shared.

import { get, request } from "../core/api.js";
import { dotted } from "../core/bidi.js";
import { attempts, h, put } from "../core/dom.js";
import { storedElement } from "../core/stored-elements.js";
import { dateTime, number, percent, short } from "../core/format.js";
import { icon } from "../core/icons.js";
import { prefs } from "../core/prefs.js";
import { has, t } from "../core/strings.js";
import { field, removeButton, segmented, select } from "../widgets/controls.js";
import { bucketTime, seriesChart } from "../widgets/chart.js";
import { empty, failure, loading, notice, refusal } from "../widgets/states.js";
import { complain, toast } from "../widgets/toast.js";
import { viewHead } from "../widgets/view-head.js";
import { subjectChooser } from "./analysis-subjects.js";
import { readQuestion, requestOf, subjectName, writeQuestion } from "./analysis-question.js";

const spans = [1, 7, 30, 90];
/** The most common breakdowns; people type others. */
const knownPlaces = [
  "app_version",
  "page",
  "event",
  "rule",
  "content",
  "title",
  "distinct_id",
  "project",
  "$element_content",
  "$element_position",
  "$os_version",
  "$model",
  "/attributes/title",
];

export function analysisView({ place, title, signal }) {
  title(t("analysis"));
  let question = readQuestion();
  /** What is written in the fields and not added yet: the fields are made anew with each question. */
  const written = { subject: "", where: "", is: "=", value: "" };
  const names = new Map();
  let answer = null;
  const begin = attempts();
  const form = h("div", { class: "stack" });
  const chart = h("div", { class: "card" });
  const table = h("div", { class: "stack" });
  const head = h("div", {});
  put(
    place,
    h(
      "div",
      { class: "view" },
      head,
      h("section", { class: "card card-body stack", "aria-label": t("analysis_question") }, form),
      chart,
      table,
    ),
  );

  /** Another question: in the address, on the page, and to the service. */
  function ask(part) {
    question = { ...question, ...part };
    writeQuestion(question);
    keepingFocus(form, showQuestion);
    read();
    nameElements();
  }

  /** Another look at the same answer. */
  function look(part) {
    question = { ...question, ...part };
    writeQuestion(question);
    keepingFocus(chart, showAnswer);
  }

  async function read() {
    const isNewest = begin();
    if (!answer) put(chart, loading(280));
    chart.setAttribute("aria-busy", "true");
    try {
      const read = await get(`/v1/reports/series?${requestOf(question, prefs.ruleset)}`, {}, { signal });
      if (!isNewest()) return;
      answer = read;
      showAnswer();
    } catch (error) {
      if (error.name === "AbortError" || !isNewest()) return;
      answer = null;
      put(chart, failure(error, read));
      put(table);
    }
    chart.setAttribute("aria-busy", "false");
  }

  // MARK: The question

  function showQuestion() {
    const interval = [["", t("interval_auto")], ...["hour", "day", "week"].map((one) => [one, t(`interval_${one}`)])];
    const by = h("input", {
      list: "analysis-places",
      value: question.by,
      placeholder: t("by_nothing"),
      spellcheck: "false",
      "data-key": "by",
      onchange: (event) => ask({ by: event.target.value.trim() }),
    });
    put(
      form,
      h(
        "div",
        { class: "question" },
        h(
          "div",
          { class: "stack tight" },
          h("h2", {}, t("analysis_of")),
          subjectChooser({ question, written, names, signal, ask }),
        ),
        h("div", { class: "stack tight" }, h("h2", {}, t("conditions")), conditions()),
      ),
      h(
        "div",
        { class: "settings" },
        keyed(
          "days",
          segmented({
            label: t("period"),
            value: question.from ? "" : String(question.days),
            options: spans.map((days) => [String(days), days === 1 ? t("days_1") : t("days_n", { days })]),
            change: (days) => ask({ days: Number(days), from: "", to: "" }),
          }),
        ),
        field(
          t("interval"),
          keyed(
            "interval",
            select(interval, question.interval, (value) => ask({ interval: value })),
          ),
        ),
        field(t("break_down"), by),
        h(
          "label",
          { class: "row" },
          h("input", {
            type: "checkbox",
            "data-key": "compare",
            checked: question.compare,
            onchange: (event) => ask({ compare: event.target.checked }),
          }),
          t("compare_before"),
        ),
      ),
      h(
        "datalist",
        { id: "analysis-places" },
        knownPlaces.map((one) => h("option", { value: one }, has(`place_${one}`) ? t(`place_${one}`) : "")),
      ),
    );
  }

  function conditions() {
    const input = (key, more) =>
      h("input", {
        "data-key": key,
        value: written[key],
        spellcheck: "false",
        oninput: (event) => {
          written[key] = event.target.value;
        },
        ...more,
      });
    const where = input("where", { list: "analysis-places", required: true });
    const is = select(
      [
        ["=", t("is_equal")],
        ["!=", t("is_not_equal")],
      ],
      written.is,
      (sign) => {
        written.is = sign;
      },
      t("comparison"),
    );
    const value = input("value");
    const add = (event) => {
      event.preventDefault();
      const condition = `${where.value.trim()}${is.value}${value.value}`;
      Object.assign(written, { where: "", is: "=", value: "" });
      ask({ where: [...question.where, condition] });
    };
    const adding = h(
      "form",
      { class: "ask", onsubmit: add },
      field(t("property"), where),
      h("div", { class: "field short" }, is),
      field(t("value"), value),
      h("button", { class: "button", type: "submit", "data-key": "add-condition" }, icon("plus", 16), t("add")),
    );
    return [
      question.where.length > 0 &&
        h(
          "ul",
          { class: "tags" },
          question.where.map((one, index) =>
            h(
              "li",
              { class: "tag" },
              h("code", { class: "ellipsis" }, readable(one)),
              removeButton(t("leave_out", { name: readable(one) }), () =>
                ask({ where: question.where.filter((_, other) => other !== index) }),
              ),
            ),
          ),
        ),
      question.where.length < 8 && adding,
    ];
  }

  // MARK: The answer

  function showAnswer() {
    const hourly = answer?.interval === "hour";
    put(
      head,
      viewHead({
        title: t("analysis"),
        tools: h(
          "div",
          { class: "row" },
          h("button", { class: "button", type: "button", onclick: share }, icon("copy", 16), t("copy_link")),
          h("button", { class: "button", type: "button", onclick: download }, icon("download", 16), "CSV"),
        ),
      }),
    );
    if (!answer) return;
    if (!answer.series.some((row) => row.total.events || row.previous?.total.events)) {
      put(chart, notices(), empty(t("series_none"), t("series_none_text")));
      put(table);
      return;
    }
    const rows = answer.series.map((row, index) => ({
      ...row,
      name: rowName(row),
      colour: row.rest || index >= 12 ? "series-rest" : `series-${index}`,
    }));
    const measured = (part) => part?.[question.measure];
    // A person may have several values, so numbers of people cannot be stacked; only events can.
    const shape =
      question.shape === "curve" ? "curve" : question.by && question.measure === "events" ? "stack" : "bars";
    const drawn = rows.slice(0, 13);
    put(
      chart,
      h(
        "div",
        { class: "card-head row wrap" },
        h("h2", {}, t(`measure_${question.measure}`)),
        h("span", { class: "spring" }),
        keyed(
          "measure",
          segmented({
            label: t("measure"),
            hideLabel: true,
            value: question.measure,
            options: ["events", "people"].map((one) => [one, t(`measure_${one}`)]),
            change: (measure) => look({ measure }),
          }),
        ),
        keyed(
          "shape",
          segmented({
            label: t("chart_shape"),
            hideLabel: true,
            value: question.shape,
            options: ["curve", "bars"].map((one) => [one, t(`shape_${one}`)]),
            change: (shape) => look({ shape }),
          }),
        ),
      ),
      h(
        "div",
        { class: "card-body stack" },
        notices(),
        seriesChart({
          times: answer.times,
          hourly,
          shape,
          label: t("series_chart"),
          series: drawn.map((row) => ({
            name: row.name,
            colour: row.colour,
            values: measured(row),
            before: measured(row.previous),
          })),
        }),
        h(
          "div",
          { class: "legend" },
          drawn.map((row) =>
            h(
              "span",
              { class: "row" },
              h("i", { class: `swatch ${row.colour}`, style: { margin: "0" } }),
              h("span", { class: "ellipsis", title: row.name }, row.name),
            ),
          ),
        ),
        h("p", { class: "small muted" }, counted()),
      ),
    );
    put(table, totals(rows), numbers(rows, hourly));
  }

  const notices = () => (answer.complete ? null : notice("warn", t("series_incomplete")));

  function counted() {
    const texts = [
      answer.counted === "when-stored"
        ? t("counted_when_stored")
        : t("counted_one_by_one", { time: answer.kept_since ? dateTime(answer.kept_since) : "–" }),
    ];
    if (!answer.people_exact) texts.push(t("people_estimated"));
    if (answer.interval !== "hour") texts.push(t("days_utc"));
    return texts.join(" ");
  }

  function totals(rows) {
    return h(
      "section",
      { class: "card", "aria-label": t("totals") },
      h("div", { class: "card-head" }, h("h2", {}, t("totals"))),
      h(
        "div",
        { class: "card-body" },
        h(
          "div",
          { class: "scroll", tabindex: "0", role: "group", "aria-label": t("totals") },
          h(
            "table",
            {},
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                h("th", {}, t(question.by ? "value" : "analysis_of")),
                ...["events", "people"].flatMap((one) => [
                  h("th", { class: "end" }, t(`measure_${one}`)),
                  answer.previous && h("th", { class: "end" }, t("against_before")),
                ]),
              ),
            ),
            h(
              "tbody",
              {},
              rows.map((row) =>
                h(
                  "tr",
                  {},
                  h(
                    "td",
                    { class: "name" },
                    h(
                      "span",
                      { class: "row" },
                      h("i", { class: `swatch ${row.colour}` }),
                      h("span", { class: "ellipsis", title: row.name }, row.name),
                    ),
                  ),
                  ["events", "people"].map((one) => [
                    h("td", { class: "end number" }, number(row.total[one])),
                    answer.previous &&
                      h("td", { class: "end number" }, change(row.total[one], row.previous.total[one])),
                  ]),
                ),
              ),
            ),
          ),
        ),
      ),
    );
  }

  function numbers(rows, hourly) {
    const shown = rows.slice(0, 26);
    return h(
      "section",
      { class: "card", "aria-label": t("by_time") },
      h(
        "div",
        { class: "card-head" },
        h("h2", {}, t("by_time")),
        h("span", { class: "muted small" }, t(`measure_${question.measure}`)),
      ),
      h(
        "div",
        { class: "card-body" },
        h(
          "div",
          { class: "scroll", tabindex: "0", role: "group", "aria-label": t("by_time") },
          h(
            "table",
            {},
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                h("th", {}, t("time")),
                shown.map((row) => h("th", { class: "end name ellipsis", title: row.name }, row.name)),
              ),
            ),
            h(
              "tbody",
              {},
              answer.times
                .map((time, index) => [time, index])
                .reverse()
                .map(([time, index]) =>
                  h(
                    "tr",
                    {},
                    h("td", {}, bucketTime(time, hourly)),
                    shown.map((row) =>
                      h(
                        "td",
                        { class: "end number" },
                        number(row[question.measure][index]),
                        row.previous &&
                          h(
                            "span",
                            { class: "muted small" },
                            ` ${t("series_before", { count: number(row.previous[question.measure][index]) })}`,
                          ),
                      ),
                    ),
                  ),
                ),
            ),
          ),
        ),
      ),
    );
  }

  /** A rule, name or element, and the value where it is broken down. */
  function rowName(row) {
    const subject = subjectName(row, names);
    if (!question.by) return subject;
    const value = row.rest ? t("series_rest") : row.value === "" ? t("no_value") : row.value;
    return question.subjects.length > 1 ? dotted(subject, value) : value;
  }

  async function share() {
    try {
      await navigator.clipboard.writeText(location.href);
      toast(t("copied"));
    } catch {
      // Without HTTPS there is no clipboard; the address bar has the same link.
      toast(t("copy_address"));
    }
  }

  async function download() {
    try {
      const text = await request("GET", `/v1/reports/series?${requestOf(question, prefs.ruleset)}&format=csv`, {
        text: true,
        signal,
      });
      // Without the mark, Excel reads Chinese as another encoding.
      const address = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv" }));
      h("a", { href: address, download: "events.csv" }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    } catch (error) {
      if (error.name !== "AbortError") complain(refusal(error));
    }
  }

  /** Elements are shown by their texts if a stored screen has them. */
  async function nameElements() {
    const unknown = question.subjects.filter((one) => one.kind === "event_id" && !names.has(one.name));
    await Promise.all(
      unknown.map(async ({ name }) => {
        const found = await storedElement(name);
        if (found) names.set(name, dotted(found.content || found.type || found.path, found.page));
      }),
    );
    if (!unknown.some(({ name }) => names.has(name)) || signal.aborted) return;
    keepingFocus(form, showQuestion);
    keepingFocus(chart, showAnswer);
  }

  writeQuestion(question);
  showQuestion();
  showAnswer();
  read();
  nameElements();
}

/** Names controls, so that the focus finds them again. */
function keyed(name, node) {
  if (node.matches("select")) node.dataset.key = name;
  for (const input of node.querySelectorAll("input")) input.dataset.key = `${name}-${input.value}`;
  return node;
}

/** Draws a part anew; the focus stays on the control that has it. */
function keepingFocus(part, show) {
  const key = part.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  show();
  if (key) part.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

/** A condition with spaces around its sign. */
const readable = (condition) => condition.replace(/^(.+?)(!?=)/, "$1 $2 ");

/** The change of a number. */
function change(now, before) {
  if (!before) return now ? t("change_new") : "–";
  const share = now / before - 1;
  // Percentages in the thousands are no figures to read.
  const text =
    share >= 9 ? `×${short(now / before)}` : `${share > 0 ? "+" : share < 0 ? "−" : ""}${percent(Math.abs(share))}`;
  return h(
    "span",
    { class: share > 0 ? "up" : share < 0 ? "down" : "" },
    text,
    h("span", { class: "muted small" }, ` ${t("series_before", { count: short(before) })}`),
  );
}
