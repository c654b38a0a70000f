// An editor for long texts, with findings beside their lines. It is CodeMirror, which keeps only the lines in sight in
// the document: a key in a textarea of 14,000 lines makes the browser lay all of them out again.

import { h } from "../core/dom.js";
import * as messages from "../core/messages.js";
import { t } from "../core/strings.js";

const worst = ["error", "warning", "note"];
/** In this order: the modes and the search register themselves with the editor. */
const scripts = ["codemirror", "yaml", "dialog", "searchcursor", "search"];
let library = null;

/** Loads CodeMirror at its first use. Its files are scripts that define `window.CodeMirror`. */
function load() {
  library ??= (async () => {
    await Promise.all(["codemirror", "dialog"].map(styleSheet));
    for (const script of scripts) await import(`/codemirror/${script}.js`);
    window.CodeMirror.defineMode("rules", rulesMode);
    return window.CodeMirror;
  })();
  // A failed download is tried again at the next use.
  library.catch(() => (library = null));
  return library;
}

/**
 * CodeMirror's mode for YAML, except that some lines get no colours: the time that its expressions take grows with the
 * cube of the number of spaces in a row, so that a few hundred stop the page.
 */
function rulesMode(options) {
  const yaml = window.CodeMirror.getMode(options, "yaml");
  return {
    ...yaml,
    token(stream, state) {
      if (stream.string.length <= 1000 && !/\s{40}/.test(stream.string)) return yaml.token(stream, state);
      stream.skipToEnd();
      return null;
    },
  };
}

/** Adds a style sheet of CodeMirror before the page's own, which adapt it. */
function styleSheet(name) {
  const sheet = h("link", { rel: "stylesheet", href: `/codemirror/${name}.css` });
  document.head.prepend(sheet);
  return new Promise((resolve, reject) => {
    sheet.addEventListener("load", resolve);
    sheet.addEventListener("error", () => reject(new Error(`${sheet.href} cannot be loaded`)));
  });
}

/**
 * Makes an editor in `place`. `label` names it for assistive technology; `edited()` is called at every change by a
 * person, and `save()` at Ctrl+S.
 */
export async function textEditor({ place, label, readOnly, edited, save }) {
  const CodeMirror = await load();
  const editor = CodeMirror(place, {
    mode: "rules",
    lineNumbers: true,
    gutters: ["CodeMirror-linenumbers", "finding-gutter"],
    screenReaderLabel: label,
    readOnly,
    tabSize: 2,
    phrases: phrases(),
    // Tab moves the focus, so that the keyboard can leave the editor.
    extraKeys: { Tab: false, "Shift-Tab": false, "Ctrl-S": save, "Cmd-S": save },
  });
  // The keyboard scrolls a text that cannot be edited, too.
  editor.getScrollerElement().tabIndex = 0;
  editor.on("changes", (_, changes) => {
    if (changes.some((change) => change.origin !== "setValue")) edited();
  });
  let marked = [];

  return {
    get text() {
      return editor.getValue();
    },
    /** Another text, as after reading it: undo does not go back beyond it. */
    open(text) {
      // A text that is saved unchanged keeps its bytes, those at the ends of lines too.
      editor.setOption("lineSeparator", /\r\n/.test(text) && !/(^|[^\r])\n/.test(text) ? "\r\n" : "\n");
      editor.setValue(text);
      editor.clearHistory();
    },
    /** Another text that undo takes back, as of a fix. */
    replace(text) {
      const end = { line: editor.lastLine() + 1, ch: 0 };
      editor.replaceRange(text, { line: 0, ch: 0 }, end, "replace");
    },
    /** Marks the lines of findings, each with its worst. */
    mark(findings) {
      const worstOf = new Map();
      for (const finding of findings) {
        const line = finding.location?.line;
        if (!line) continue;
        const before = worstOf.get(line);
        if (!before || worst.indexOf(finding.severity) < worst.indexOf(before.severity)) worstOf.set(line, finding);
      }
      editor.operation(() => {
        editor.clearGutter("finding-gutter");
        for (const [handle, severity] of marked) editor.removeLineClass(handle, "gutter", severity);
        marked = [...worstOf].map(([line, finding]) => {
          const title = messages.finding(finding);
          const handle = editor.setGutterMarker(line - 1, "finding-gutter", h("span", { title }, "●"));
          if (handle) editor.addLineClass(handle, "gutter", finding.severity);
          return [handle, finding.severity];
        });
      });
    },
    /** Selects a line, counted from 1, and shows it. */
    go(line) {
      const end = editor.getLine(line - 1)?.length ?? 0;
      editor.focus();
      editor.setSelection({ line: line - 1, ch: 0 }, { line: line - 1, ch: end }, { scroll: false });
      editor.scrollIntoView({ line: line - 1, ch: 0 }, 120);
    },
  };
}

const phrases = () =>
  Object.fromEntries(
    Object.entries({
      "Search:": "find_label",
      "(Use /re/ syntax for regexp search)": "find_hint",
      "With:": "replace_with",
      "Replace:": "replace_label",
      "Replace all:": "replace_all_label",
      "Replace with:": "replace_with",
      "Replace?": "replace_question",
      Yes: "yes",
      No: "no",
      All: "all",
      Stop: "stop",
    }).map(([phrase, key]) => [phrase, t(key)]),
  );
