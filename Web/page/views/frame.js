// The frame around every view: navigation, rule set, language, theme, session.

import { get, logOut, session } from "../core/api.js";
import { dotted } from "../core/bidi.js";
import { attempts, h, put, redraw } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { prefs, setPref, setPrefs } from "../core/prefs.js";
import { link } from "../core/router.js";
import { ruleSets, whenRulesChange } from "../core/rulesets.js";
import { language, t } from "../core/strings.js";
import { select } from "../widgets/controls.js";
import { refusal } from "../widgets/states.js";
import { complain } from "../widgets/toast.js";

const items = [
  ["overview", "/"],
  ["analysis", "/analysis"],
  ["screens", "/screens"],
  ["rules", "/rules"],
  ["live", "/live"],
  ["connect", "/connect"],
];
let stopWatching = null;
/** Begins a request for the rule sets. */
const begin = attempts();
// The frame keeps this element when it is drawn anew, because the focus of the keyboard may be in it.
const chooser = h("span", { class: "row" });

export function frame(current, restart) {
  const content = h("main", { class: "content", id: "content", tabindex: "-1" });
  const draftNote = h("span", {});
  async function refresh() {
    const isNewest = begin();
    try {
      const [sets, { projects }] = await Promise.all([ruleSets(), get("/v1/projects")]);
      if (!isNewest()) return;
      redraw(chooser, () =>
        put(
          chooser,
          h(
            "label",
            { class: "inline" },
            h("span", { class: "wide" }, t("rule_set")),
            select(
              sets.map((one) => [one.name, dotted(one.name, one.version && `v${one.version}`)]),
              prefs.ruleset,
              (name) => setPref("ruleset", name),
              t("rule_set"),
            ),
          ),
          projectChooser(projects, sets),
        ),
      );
      const now = sets.find((one) => one.name === prefs.ruleset);
      put(draftNote, now?.has_draft && h("a", { class: "draft-note", href: link("/rules/draft") }, t("draft_open")));
    } catch {
      // The view reports failures; the header without a chooser adds no second message.
    }
  }
  stopWatching?.();
  stopWatching = whenRulesChange(refresh);
  refresh();

  const nextTheme = { auto: "light", light: "dark", dark: "auto" };
  const theme = h(
    "button",
    {
      class: "button quiet icon-only",
      type: "button",
      onclick: () => {
        setPref("theme", nextTheme[prefs.theme] ?? "auto");
        labelTheme();
      },
    },
    icon("sun"),
  );
  const labelTheme = () => {
    const text = t("theme_now", { theme: t(`theme_${prefs.theme}`) });
    theme.setAttribute("aria-label", text);
    theme.title = text;
  };
  labelTheme();

  const node = h(
    "div",
    { class: "frame" },
    h(
      "a",
      {
        class: "button skip",
        href: "#content",
        onclick: (event) => {
          event.preventDefault();
          content.focus();
        },
      },
      t("skip"),
    ),
    h(
      "nav",
      { class: "nav", "aria-label": t("navigation") },
      h(
        "a",
        { class: "brand", href: link("/") },
        h("img", { src: "/icon.svg", alt: "" }),
        "Encircle",
        h("span", {}, "圈选"),
      ),
      items.map(([name, path]) =>
        h(
          "a",
          { class: "item", href: link(path), "aria-current": name === current ? "page" : null },
          icon(name, 20),
          t(`nav_${name}`),
        ),
      ),
      h("div", { class: "foot" }, t("slogan")),
    ),
    h(
      "header",
      { class: "header" },
      chooser,
      draftNote,
      h("span", { class: "spring" }),
      h(
        "button",
        {
          class: "button quiet",
          type: "button",
          lang: language() === "zh" ? "en" : "zh-CN",
          onclick: () => setPref("language", language() === "zh" ? "en" : "zh"),
        },
        language() === "zh" ? "English" : "中文",
      ),
      theme,
      h(
        "a",
        {
          class: "button quiet icon-only",
          href: link("/settings"),
          "aria-label": t("settings"),
          title: t("settings"),
          "aria-current": current === "settings" ? "page" : null,
        },
        icon("settings"),
      ),
      session.tokens_exist &&
        h(
          "span",
          { class: "row" },
          h("span", { class: "muted wide" }, dotted(session.name, t(`role_${session.role}`))),
          h(
            "button",
            {
              class: "button quiet icon-only",
              type: "button",
              "aria-label": t("log_out"),
              title: t("log_out"),
              onclick: async () => {
                try {
                  await logOut();
                  restart();
                } catch (error) {
                  if (error.status !== 401) complain(refusal(error));
                }
              },
            },
            icon("out"),
          ),
        ),
    ),
    content,
  );
  const title = (text) => {
    document.title = dotted(text, "Encircle 圈选");
  };
  return { node, content, title };
}

/** A choice of projects, where events of several are stored. The rule set of a project has its name. */
function projectChooser(projects, sets) {
  const names = projects.map((one) => one.name);
  if (prefs.project && !names.includes(prefs.project)) names.push(prefs.project);
  if (names.length < 2) return null;
  const choose = (project) =>
    setPrefs({ ...(sets.some((one) => one.name === project) && { ruleset: project }), project });
  return h(
    "label",
    { class: "inline" },
    h("span", { class: "wide" }, t("project")),
    select([["", t("all_projects")], ...names.map((name) => [name, name])], prefs.project, choose, t("project")),
  );
}
