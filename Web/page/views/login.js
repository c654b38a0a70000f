// Asks for the token of a session.

import * as messages from "../core/messages.js";
import { logIn, session } from "../core/api.js";
import { h } from "../core/dom.js";
import { prefs, setPref } from "../core/prefs.js";
import { language, t } from "../core/strings.js";
import { field } from "../widgets/controls.js";

export function loginView(done) {
  const token = h("input", {
    type: "password",
    name: "token",
    autocomplete: "current-password",
    required: true,
    spellcheck: "false",
  });
  const problem = h("p", { class: "notice bad", role: "alert", hidden: true });
  const form = h(
    "form",
    { class: "card" },
    h(
      "div",
      { class: "row" },
      h("img", { src: "/icon.svg", alt: "", width: 40, height: 40 }),
      h("h1", {}, t("login_title")),
    ),
    h("p", { class: "muted" }, t("login_text")),
    field(t("token"), token),
    problem,
    h("button", { class: "button primary", type: "submit" }, t("log_in")),
    h(
      "button",
      {
        class: "button quiet small",
        type: "button",
        onclick: () => {
          setPref("language", language() === "zh" ? "en" : "zh");
        },
      },
      language() === "zh" ? "English" : "中文",
    ),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.hidden = true;
    try {
      await logIn(token.value.trim());
      if (!session.authenticated) throw new Error(t("login_refused"));
      done();
    } catch (error) {
      problem.textContent = error.status === 401 ? t("login_refused") : messages.error(error);
      problem.hidden = false;
      token.select();
    }
  });
  document.title = `${t("log_in")} · Encircle`;
  queueMicrotask(() => token.focus());
  return h("main", { class: "login", id: "content", tabindex: "-1", "data-theme": prefs.theme }, form);
}
