// Begins a connection with a running app, and lists the existing ones.

import { get, may, post, whenSessionEnds } from "../core/api.js";
import { h, put, whileDisabled } from "../core/dom.js";
import { ago } from "../core/format.js";
import { icon } from "../core/icons.js";
import { prefs, setPref } from "../core/prefs.js";
import { go, link } from "../core/router.js";
import { ruleSetOf, ruleSets } from "../core/rulesets.js";
import { t } from "../core/strings.js";
import { field, segmented } from "../widgets/controls.js";
import { filled, notice, refusal } from "../widgets/states.js";
import { viewHead } from "../widgets/view-head.js";

const isLoopback = /^(localhost|127\.|\[?::1)/.test(location.hostname);
const remembered = "encircle-connect";
/** The links of connections made in this tab. A link is a secret that the service returns only once. */
export const links = new Map();
whenSessionEnds.add(() => links.clear());

export function connectView({ place, title, signal }) {
  title(t("nav_connect"));
  const form = {
    scheme: "",
    project: prefs.project || "default",
    kind: "visualized",
    host: isLoopback ? "" : location.host,
  };
  try {
    Object.assign(form, JSON.parse(sessionStorage.getItem(remembered) ?? "{}"));
  } catch {
    // The remembered values are only a convenience.
  }
  // A project that has been chosen since then takes precedence.
  if (prefs.project) form.project = prefs.project;
  const result = h("div", {});
  const open = h("div", {});
  const text = (key, props) =>
    h("input", {
      value: form[key],
      spellcheck: "false",
      autocomplete: "off",
      ...props,
      oninput: (event) => {
        form[key] = event.target.value.trim();
      },
    });
  const make = h(
    "button",
    { class: "button accent", type: "submit", disabled: !may("author") },
    icon("connect"),
    t("make_code"),
  );
  const node = h(
    "form",
    { class: "card card-body stack", "aria-label": t("connect_app") },
    h("h2", {}, t("connect_app")),
    field(
      t("scheme"),
      text("scheme", {
        required: true,
        placeholder: "sa12345678",
        pattern: "[A-Za-z][A-Za-z0-9+.\\-]*",
        class: "mono",
      }),
      t("scheme_help"),
    ),
    h(
      "div",
      { class: "fields" },
      field(t("project"), text("project", { required: true })),
      field(
        t("host"),
        text("host", { placeholder: "192.168.1.20:8080", class: "mono" }),
        isLoopback ? t("host_help") : null,
      ),
    ),
    segmented({
      label: t("connection_kind"),
      value: form.kind,
      options: [
        ["visualized", t("kind_visualized")],
        ["heatmap", t("kind_heatmap")],
      ],
      change: (kind) => {
        form.kind = kind;
      },
    }),
    h("div", {}, make),
    result,
  );
  node.addEventListener("submit", (event) => {
    event.preventDefault();
    whileDisabled(make, connect);
  });
  async function connect() {
    try {
      sessionStorage.setItem(remembered, JSON.stringify(form));
    } catch {
      // As above.
    }
    try {
      const ruleset = ruleSetOf(form.project, await ruleSets());
      const answer = await post(
        "/v1/connections",
        {
          scheme: form.scheme,
          project: form.project,
          kind: form.kind,
          ruleset,
          ...(form.host ? { host: form.host } : {}),
        },
        { signal },
      );
      // What is circled on the app's screens belongs into the rule set that decides its events.
      if (ruleset !== prefs.ruleset) setPref("ruleset", ruleset);
      links.set(answer.connection.id, { link: answer.link, expires: answer.expires_at });
      go(`/connection/${encodeURIComponent(answer.connection.id)}`);
    } catch (error) {
      put(result, refusal(error));
    }
  }
  put(
    place,
    h(
      "div",
      { class: "view" },
      viewHead({ title: t("nav_connect"), about: h("p", { class: "lead" }, t("connect_lead")) }),
      isLoopback &&
        notice(
          "warn",
          h("strong", {}, t("loopback_title")),
          h("p", {}, t("loopback_text", { host: location.hostname })),
          h("pre", { class: "small" }, `encircle serve --host 0.0.0.0 --port ${location.port || 80}`),
          h("p", { class: "small" }, t("loopback_simulator"), " ", t("loopback_ats")),
        ),
      h(
        "div",
        { class: "columns" },
        node,
        h(
          "div",
          { class: "stack" },
          open,
          h(
            "section",
            { class: "card card-body" },
            h("h2", {}, t("how_connect")),
            connectSteps(),
            notice("", t("connect_privacy")),
          ),
        ),
      ),
    ),
  );
  filled(
    open,
    () => get("/v1/connections", {}, { signal }),
    ({ connections }) =>
      put(
        open,
        connections.length > 0 &&
          h(
            "section",
            { class: "card card-body" },
            h("h2", {}, t("connections")),
            h(
              "ul",
              { class: "divide" },
              connections.map((one) =>
                h(
                  "li",
                  { class: "row", style: { padding: "9px 0" } },
                  icon("phone"),
                  h(
                    "a",
                    { class: "spring ellipsis", href: link(`/connection/${encodeURIComponent(one.id)}`) },
                    one.app_id || one.project,
                  ),
                  h("span", { class: "muted small" }, one.last_seen ? ago(one.last_seen) : ""),
                  stateBadge(one.state),
                ),
              ),
            ),
          ),
      ),
    70,
  );
}

/** What to do on the phone, step by step. */
export const connectSteps = () =>
  h(
    "ol",
    { class: "steps" },
    [1, 2, 3].map((step) =>
      h("li", {}, h("span", { class: "digit", "aria-hidden": "true" }, step), h("span", {}, t(`connect_step_${step}`))),
    ),
  );

/** The state of a connection as a badge. */
export const stateBadge = (state) =>
  h(
    "span",
    { class: `badge ${{ connected: "good", quiet: "warn", waiting: "info" }[state] ?? ""}` },
    t(`state_${state}`),
  );
