// The text of the draft, with the findings of check beside its lines.

import * as messages from "../core/messages.js";
import { may, post } from "../core/api.js";
import { debounced, h, put } from "../core/dom.js";
import { go } from "../core/router.js";
import { draft, publishedText, saveDraft } from "../core/rulesets.js";
import { t } from "../core/strings.js";
import { findingsList } from "../widgets/findings.js";
import { failure, loading, notice, refusal } from "../widgets/states.js";
import { toast } from "../widgets/toast.js";
import { ruleTabs } from "./rules.js";

const lineHeight = 20;
const worst = ["error", "warning", "note"];

export function editorView({ place, title, signal, query }) {
  title(t("rules_text"));
  let etag = null;
  let savedText = "";
  let findings = [];
  const gutter = h("div", { class: "gutter", role: "presentation" });
  const area = h("textarea", { spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": t("rules_text"), oninput: edited, onkeydown: key, readonly: !may("author") });
  const editor = h("div", { class: "editor" }, gutter, area);
  const panel = h("div", { class: "pane-body", "aria-live": "polite" });
  const state = h("span", { class: "muted small", role: "status" });
  const save = h("button", { class: "button primary", type: "button", disabled: true, onclick: store }, t("save_draft"));
  // What others have saved meanwhile is said until it is decided, whatever is found in the text.
  const conflict = h("div", { role: "alert" });
  put(place, h("div", { class: "view full" },
    h("div", { class: "view-head" }, h("h1", {}, t("rules_text")), state, h("span", { class: "spring" }), ruleTabs("text"), save),
    conflict,
    h("div", { class: "editor-grid" }, editor, h("section", { class: "card pane", "aria-label": t("findings") }, h("div", { class: "pane-head" }, h("h2", {}, t("findings"))), panel))));

  const check = debounced(450, async () => {
    const text = area.value;
    try {
      const answer = await post("/v1/rules/check", { text, name: "rules.yaml" }, { signal });
      if (text !== area.value) return;
      findings = answer.findings;
      showFindings();
    } catch (error) {
      if (error.name !== "AbortError") put(panel, refusal(error));
    }
  });

  async function read() {
    put(panel, loading(50, 3));
    try {
      const now = await draft();
      put(conflict);
      etag = now?.etag ?? null;
      savedText = now ? now.text : await publishedText();
      area.value = savedText;
      state.textContent = now ? t("editing_draft") : t("editing_published");
      edited();
      if (query.line) goTo(Number(query.line));
    } catch (error) {
      if (error.name !== "AbortError") put(panel, failure(error, read));
    }
  }

  function edited() {
    save.disabled = area.value === savedText || !may("author");
    layOut();
    check();
  }

  function layOut() {
    const lines = area.value.split("\n");
    area.rows = Math.max(lines.length + 1, 20);
    area.style.width = `${Math.max(400, Math.max(...lines.map((line) => line.length)) * 8.4 + 40)}px`;
    const marks = new Map();
    for (const finding of findings) {
      const line = finding.location?.line;
      if (!line) continue;
      const before = marks.get(line);
      if (!before || worst.indexOf(finding.severity) < worst.indexOf(before.severity)) marks.set(line, finding);
    }
    put(gutter, lines.map((_, index) => {
      const finding = marks.get(index + 1);
      return finding
        ? h("button", { type: "button", class: finding.severity, title: messages.finding(finding), "aria-label": `${t("line", { line: index + 1 })}${t("colon")}${messages.finding(finding)}`, onclick: () => goTo(index + 1) }, index + 1)
        : h("span", { "aria-hidden": "true" }, index + 1);
    }));
  }

  function showFindings() {
    layOut();
    put(panel, findings.length === 0 ? notice("good", t("no_findings"))
      : findingsList(findings.slice(0, 200), { go: (finding) => goTo(finding.location.line), apply: async (text) => { area.value = text; edited(); toast(t("fix_applied")); } }));
  }

  function goTo(line) {
    const lines = area.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    area.focus({ preventScroll: true });
    area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    editor.scrollTop = Math.max(0, (line - 6) * lineHeight);
  }

  async function store() {
    save.disabled = true;
    try {
      const answer = await saveDraft(area.value, etag);
      savedText = area.value;
      etag = answer.etag ?? (await draft())?.etag;
      state.textContent = t("editing_draft");
      toast(answer.errors?.length ? t("saved_with_errors", { count: answer.errors.length }) : t("draft_saved"), { label: t("review_publish"), run: () => go("/rules/draft") });
    } catch (error) {
      save.disabled = false;
      if (error.status === 412) put(conflict, notice("warn", t("draft_changed"), h("div", { class: "row" }, h("button", { class: "button small", type: "button", onclick: storeOver }, t("save_mine")), h("button", { class: "button small", type: "button", onclick: read }, t("drop_mine")))));
      else put(panel, refusal(error));
    }
  }

  /** Saves this text in place of what others have saved. */
  async function storeOver() {
    try {
      etag = (await draft())?.etag ?? null;
      put(conflict);
      await store();
    } catch (error) {
      put(conflict, refusal(error));
    }
  }

  function key(event) {
    if ((event.ctrlKey || event.metaKey) && event.key === "s") {
      event.preventDefault();
      if (!save.disabled) store();
    }
  }
  read();
}
