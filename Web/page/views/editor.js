// The text of the draft, with the findings of check beside its lines.

import { may, postNewest } from "../core/api.js";
import { debounced, h, put, whileDisabled } from "../core/dom.js";
import { prefs } from "../core/prefs.js";
import { go } from "../core/router.js";
import { currentText, draft, saveDraft } from "../core/rulesets.js";
import { t } from "../core/strings.js";
import { keepUnsaved, unsaved } from "../core/unsaved.js";
import { diffView } from "../widgets/diff-view.js";
import { findingsList } from "../widgets/findings.js";
import { failure, loading, notice, refusal, unsavedNotice } from "../widgets/states.js";
import { textEditor } from "../widgets/text-editor.js";
import { complainIn, toast } from "../widgets/toast.js";
import { viewHead } from "../widgets/view-head.js";
import { ruleTabs } from "./rules.js";

export function editorView({ place, title, signal, query }) {
  title(t("rules_text"));
  const key = `text:${prefs.ruleset}`;
  let etag = null;
  let savedText = "";
  let area = null;
  const editor = h("div", { class: "editor" });
  const panel = h("div", { class: "pane-body", "aria-live": "polite" });
  const state = h("span", { class: "muted small", role: "status" });
  const save = h(
    "button",
    { class: "button primary", type: "button", disabled: true, onclick: () => store() },
    t("save_draft"),
  );
  // A conflict with what others have saved is shown until it is resolved, whatever is found in the text.
  const conflict = h("div", { role: "alert" });
  put(
    place,
    h(
      "div",
      { class: "view full" },
      viewHead({ title: t("rules_text"), about: state, tools: [ruleTabs("text"), save] }),
      conflict,
      h(
        "div",
        { class: "editor-grid" },
        editor,
        h(
          "section",
          { class: "card pane", "aria-label": t("findings") },
          h("div", { class: "pane-head" }, h("h2", {}, t("findings"))),
          panel,
        ),
      ),
    ),
  );

  const check = debounced(450, async () => {
    const checked = area.text;
    try {
      const answer = await postNewest("/v1/rules/check", { text: checked, name: "rules.yaml" }, { signal });
      if (checked === area.text) showFindings(answer);
    } catch (error) {
      // A newer check of this tab will report.
      if (error.name !== "AbortError" && error.code !== "superseded") put(panel, refusal(error));
    }
  });

  // A text is kept and compared a moment after the last key, as reading a long one takes some milliseconds. The timer does nothing
  // after the view was left: `leave` has kept the text, and another view may have saved it.
  const keep = debounced(300, () => signal.aborted || keepNow());
  function keepNow() {
    const now = area.text;
    save.disabled = now === savedText || !may("author");
    keepUnsaved(key, now === savedText ? null : { text: now, etag, savedText });
  }

  async function read() {
    put(panel, loading(50, 3));
    try {
      const stored = await currentText();
      area ??= await textEditor({
        place: editor,
        label: t("rules_text"),
        readOnly: !may("author"),
        edited,
        save: () => save.disabled || store(),
      });
      const kept = unsaved(key);
      put(conflict);
      // Unsaved input continues from the text that it was based on.
      etag = kept ? kept.etag : stored.etag;
      savedText = kept ? kept.savedText : stored.text;
      area.open(kept ? kept.text : stored.text);
      state.textContent = stored.isDraft ? t("editing_draft") : t("editing_published");
      keepNow();
      check();
      if (kept && kept.etag !== stored.etag) showConflict(stored);
      else if (kept) put(conflict, unsavedNotice(drop));
      // A text that is no number names no line.
      if (/^\d+$/.test(query.line)) area.go(Number(query.line));
    } catch (error) {
      if (error.name !== "AbortError") put(panel, failure(error, read));
    }
  }

  function edited() {
    save.disabled = !may("author");
    keep();
    check();
  }

  function showFindings({ findings, total }) {
    area.mark(findings);
    put(
      panel,
      findings.length === 0
        ? notice("good", t("no_findings"))
        : findingsList(findings, {
            total,
            go: (finding) => area.go(finding.location.line),
            apply: async (fixed) => {
              area.replace(fixed);
              toast(t("fix_applied"));
            },
          }),
    );
  }

  async function store() {
    await whileDisabled(save, storeText);
    save.disabled = area.text === savedText;
  }

  async function storeText() {
    const stored = area.text;
    try {
      const answer = await saveDraft(stored, etag);
      savedText = stored;
      etag = answer.etag ?? (await draft())?.etag;
      keepNow();
      put(conflict);
      state.textContent = t("editing_draft");
      toast(answer.errors?.length ? t("saved_with_errors", { count: answer.errors.length }) : t("draft_saved"), {
        label: t("review_publish"),
        run: () => go("/rules/draft"),
      });
    } catch (error) {
      if ([412, 428].includes(error.status) && panel.isConnected) {
        await readConflict();
      } else complainIn(panel, error);
    }
  }

  async function readConflict() {
    try {
      showConflict(await currentText());
    } catch (error) {
      put(panel, refusal(error));
    }
  }

  /** Both texts where they differ, until one of them is chosen. */
  function showConflict(theirs) {
    put(
      conflict,
      notice(
        "warn",
        h("strong", {}, t(theirs.isDraft ? "draft_changed" : "published_changed")),
        h("p", { class: "small muted" }, t("sides_text")),
        diffView(difference(theirs.text, area.text)),
        h(
          "div",
          { class: "row" },
          h("button", { class: "button small", type: "button", onclick: () => storeOver(theirs) }, t("save_mine")),
          h("button", { class: "button small", type: "button", onclick: drop }, t("drop_mine")),
        ),
      ),
    );
  }

  /** Saves this text in place of what others have saved, if that is still what was shown. */
  async function storeOver(theirs) {
    etag = theirs.etag;
    await store();
  }

  function drop() {
    keepUnsaved(key, null);
    read();
  }

  read();
  // Leaving the view or reloading does not lose the last input.
  const leave = () => {
    if (may("author") && area) keepNow();
  };
  addEventListener("pagehide", leave, { signal });
  // The browser asks about the last input as well, which is not kept yet.
  addEventListener("beforeunload", (event) => save.disabled || event.preventDefault(), { signal });
  return leave;
}

/** The difference of two texts, from the first to the last line that differs. */
function difference(theirs, mine) {
  const [one, other] = [theirs.split("\n"), mine.split("\n")];
  let head = 0;
  while (head < one.length && head < other.length && one[head] === other[head]) head += 1;
  let tail = 0;
  while (
    tail < one.length - head &&
    tail < other.length - head &&
    one[one.length - 1 - tail] === other[other.length - 1 - tail]
  )
    tail += 1;
  const part = (lines, sign) =>
    lines
      .slice(head, lines.length - tail)
      .slice(0, 200)
      .map((line) => sign + line);
  return [`@@ ${t("line", { line: head + 1 })} @@`, ...part(one, "-"), ...part(other, "+")].join("\n");
}
