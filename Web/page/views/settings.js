// Settings that can change while the service runs, tokens, and the audit log.

import { dotted } from "../core/bidi.js";
import * as messages from "../core/messages.js";
import { get, logIn, may, post, readSession, request, session } from "../core/api.js";
import { h, put, whileDisabled } from "../core/dom.js";
import { ago, dateTime, number } from "../core/format.js";
import { icon } from "../core/icons.js";
import { has, t } from "../core/strings.js";
import { keepUnsaved, unsaved } from "../core/unsaved.js";
import { copyButton, field, fieldProblem, limitBytes } from "../widgets/controls.js";
import { ask } from "../widgets/dialog.js";
import { empty, filled, notice, unsavedNotice } from "../widgets/states.js";
import { complainIn, toast } from "../widgets/toast.js";
import { viewHead } from "../widgets/view-head.js";

const roles = ["collect", "read", "author", "publish"];
/** Entries of the audit log that are shown at a time. */
const pageSize = 20;

export function settingsView({ place, title, signal, reload }) {
  title(t("settings"));
  const settings = h("div", { class: "card-body" });
  put(
    place,
    h(
      "div",
      { class: "view" },
      viewHead({ title: t("settings") }),
      h("div", { class: "columns" }, card(t("set_service"), settings), may("publish") && tokensCard(signal, reload)),
      may("publish") && auditCard(signal),
    ),
  );
  filled(
    settings,
    () => get("/v1/settings", {}, { signal }),
    (now) => put(settings, settingsForm(now, reload)),
    320,
  );
}

const card = (title, body, more) =>
  h(
    "section",
    { class: "card", "aria-label": title },
    h("div", { class: "card-head" }, h("h2", {}, title), h("span", { class: "spring" }), more),
    body,
  );

// The settings

const unsavedKey = "settings";

function settingsForm(now, reload) {
  const disabled = !may("publish");
  const count = (name, max) => h("input", { type: "number", min: 1, max, required: true, disabled, value: now[name] });
  const controls = {
    approval: h("input", { type: "checkbox", checked: now.approval, disabled }),
    retention_days: count("retention_days", 3_650),
    retention_rows: count("retention_rows", 1_000_000_000),
    redact: h("textarea", { class: "mono", rows: 4, spellcheck: "false", disabled, value: now.redact.join("\n") }),
    health_alpha: h("input", {
      type: "number",
      min: 0,
      max: 0.5,
      step: "any",
      required: true,
      disabled,
      value: now.health_alpha,
    }),
  };
  const values = () => ({
    approval: controls.approval.checked,
    retention_days: controls.retention_days.valueAsNumber,
    retention_rows: controls.retention_rows.valueAsNumber,
    redact: controls.redact.value
      .split("\n")
      .map((name) => name.trim())
      .filter(Boolean),
    health_alpha: controls.health_alpha.valueAsNumber,
  });
  let saved = values();
  /** Only the changed settings are sent, because another person may have changed the rest meanwhile. */
  const changes = () =>
    Object.fromEntries(
      Object.entries(values()).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(saved[name])),
    );
  const button = h("button", { class: "button primary", type: "submit", disabled: true }, t("save"));
  const result = h("div", {});
  const property = (control) => (control.type === "checkbox" ? "checked" : "value");
  const kept = disabled ? null : unsaved(unsavedKey);
  for (const [name, value] of Object.entries(kept ?? {})) controls[name][property(controls[name])] = value;
  function changed() {
    const names = Object.keys(changes());
    button.disabled = names.length === 0;
    const written = names.map((name) => [name, controls[name][property(controls[name])]]);
    keepUnsaved(unsavedKey, names.length ? Object.fromEntries(written) : null);
  }
  function forget() {
    keepUnsaved(unsavedKey, null);
    reload();
  }
  const remembered = h("div", {}, kept && unsavedNotice(forget));
  const labelled = (name) => field(t(`set_${name}`), controls[name], t(`set_${name}_help`));
  const approval = labelled("approval");
  approval.classList.add("check");
  const form = h(
    "form",
    { class: "stack" },
    disabled && notice("", t("may_not_write")),
    approval,
    h("div", { class: "fields" }, labelled("retention_days"), labelled("retention_rows")),
    labelled("redact"),
    labelled("health_alpha"),
    remembered,
    !disabled && h("div", {}, button),
    result,
  );
  form.addEventListener("input", changed);
  if (kept) changed();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const change = changes();
    if (change.retention_days < saved.retention_days || change.retention_rows < saved.retention_rows) {
      ask({
        title: t("fewer_events_ask"),
        fields: [h("p", { class: "muted" }, t("fewer_events_text"))],
        confirm: t("save"),
        danger: true,
        run: () => save(change),
      });
    } else save(change);
  });

  async function save(change) {
    await whileDisabled(button, () => send(change));
    button.disabled = Object.keys(changes()).length === 0;
  }

  async function send(change) {
    put(result);
    try {
      await request("PUT", "/v1/settings", { body: change });
      saved = { ...saved, ...change };
      // Input made while the answer was on its way is not saved yet.
      changed();
      put(remembered);
      toast(t("settings_saved"));
    } catch (error) {
      const [, name, index] = error.location?.pointer?.split("/") ?? [];
      if (result.isConnected && Object.hasOwn(controls, name))
        fieldProblem(
          controls[name],
          index === undefined ? settingProblem(error) : `${change[name][index]}${t("colon")}${settingProblem(error)}`,
        );
      else complainIn(result, error);
    }
  }
  return form;
}

// Tokens

function tokensCard(signal, reload) {
  const list = h("div", {});
  const secret = h("div", {});
  const adding = h("span", {});
  read();

  function read() {
    filled(
      list,
      () => get("/v1/tokens", {}, { signal }),
      ({ tokens }) => {
        put(adding, tokens.length > 0 && addButton(false));
        put(
          list,
          tokens.length === 0
            ? empty(t("no_tokens"), t("no_tokens_text"), addButton(true))
            : h(
                "ul",
                { class: "divide" },
                tokens.map((token) => line(token, tokens)),
              ),
        );
      },
      160,
    );
  }

  const addButton = (isFirst) =>
    h(
      "button",
      { class: "button small", type: "button", onclick: () => add(isFirst) },
      icon("plus", 15),
      t("token_add"),
    );

  function line(token, tokens) {
    const times = [
      t("token_made", { ago: ago(token.created_at), name: token.created_by }),
      token.expires_at && !token.expired && t("token_until", { time: dateTime(token.expires_at) }),
    ];
    return h(
      "li",
      { class: "row token" },
      h(
        "div",
        { class: "spring" },
        h(
          "div",
          { class: "row wrap" },
          h("strong", { class: "wrap-anywhere" }, token.name),
          h("span", { class: "badge" }, t(`role_${token.role}`)),
          isOwn(token) && h("span", { class: "badge info" }, t("token_yours")),
          token.expired && h("span", { class: "badge bad" }, t("token_expired")),
        ),
        h("div", { class: "muted small wrap-anywhere", title: dateTime(token.created_at) }, dotted(...times)),
      ),
      h(
        "button",
        {
          class: "button quiet small icon-only danger",
          type: "button",
          "aria-label": t("token_remove_of", { name: token.name }),
          title: t("token_remove_of", { name: token.name }),
          onclick: () => remove(token, tokens),
        },
        icon("rubbish", 16),
      ),
    );
  }

  const isOwn = (token) => session.tokens_exist && token.name === session.name;

  function add(isFirst) {
    const rights = h("span", {});
    const role = h(
      "select",
      { name: "role", onchange: () => explain() },
      (isFirst ? ["publish"] : roles).map((one) => h("option", { value: one }, t(`role_${one}`))),
    );
    const explain = () => put(rights, t(`role_${role.value}_may`));
    explain();
    const dialog = ask({
      title: t("token_add"),
      // With the first token, the page goes on under its name; before it, there is no session that could end.
      key: isFirst ? null : "token",
      confirm: t("token_add"),
      fields: [
        isFirst && notice("warn", t("token_first")),
        field(t("token_name"), limitBytes(h("input", { name: "name", required: true, autocomplete: "off" }), 100)),
        field(t("role"), role, rights),
        field(t("token_days"), h("input", { name: "days", type: "number", min: 1, max: 3_650 }), t("token_days_help")),
      ],
      run: async (form) => {
        const days = Number(form.get("days"));
        const made = await post("/v1/tokens", {
          name: form.get("name").trim(),
          role: form.get("role"),
          ...(days ? { days } : {}),
        });
        // It is shown before anything else can fail, because the service returns it only once.
        put(secret, shown(made, isFirst));
        if (isFirst) await logIn(made.token);
        read();
      },
    });
    dialog.addEventListener("close", () => secret.querySelector("button")?.focus());
  }

  const shown = ({ name, token }, isFirst) =>
    notice(
      "good",
      h("p", {}, t("token_secret", { name })),
      h("div", { class: "row secret" }, h("code", { class: "wrap-anywhere" }, token), copyButton(token)),
      // The frame is made anew with the first token, from which on there is a session to log out of.
      h(
        "div",
        { class: "row" },
        h(
          "button",
          { class: "button small", type: "button", onclick: () => (isFirst ? reload() : put(secret)) },
          t("token_done"),
        ),
      ),
    );

  function remove(token, tokens) {
    const others = tokens.filter((one) => one !== token);
    const isLastManager = token.role === "publish" && !others.some((one) => one.role === "publish" && !one.expired);
    ask({
      title: t("token_remove_ask", { name: token.name }),
      confirm: t("token_remove"),
      danger: true,
      fields: [
        h("p", { class: "muted" }, t("token_remove_text")),
        isOwn(token) && h("p", {}, t("token_remove_own")),
        !others.length
          ? notice("warn", t("token_remove_all"))
          : isLastManager && notice("warn", t("token_remove_last")),
      ],
      run: async () => {
        await request("DELETE", `/v1/tokens/${encodeURIComponent(token.id)}`);
        toast(t("token_removed", { name: token.name }));
        if (!isOwn(token)) return read();
        await readSession();
        reload();
      },
    });
  }
  return card(t("tokens"), h("div", { class: "card-body stack" }, secret, list), adding);
}

// The audit log

function auditCard(signal) {
  const list = h("div", {});
  const range = h("span", { class: "muted small number" });
  const turn = (text, name, step) =>
    h(
      "button",
      {
        class: "button quiet small icon-only",
        type: "button",
        "aria-label": text,
        title: text,
        disabled: true,
        onclick: () => read(step),
      },
      icon(name, 16),
    );
  const newer = turn(t("newer"), "back", -pageSize);
  const older = turn(t("older"), "next", pageSize);
  let offset = 0;
  let isReading = false;
  read(0);

  async function read(step) {
    if (isReading) return;
    isReading = true;
    offset = Math.max(0, offset + step);
    await filled(
      list,
      () => get("/v1/audit", { offset, limit: pageSize }, { signal }),
      ({ entries, total }) => {
        put(
          list,
          entries.length
            ? h("ol", { class: "divide" }, entries.map(entry))
            : h("p", { class: "muted" }, t("nothing_yet")),
        );
        put(
          range,
          entries.length > 0 &&
            t("range_of", { from: number(offset + 1), to: number(offset + entries.length), total: number(total) }),
        );
        newer.disabled = offset === 0;
        older.disabled = offset + entries.length >= total;
      },
      Math.max(200, list.offsetHeight),
    );
    isReading = false;
  }

  const entry = ({ at, by, action, subject, detail }) =>
    h(
      "li",
      { class: "audit-line" },
      h(
        "div",
        { class: "row wrap" },
        h("strong", {}, has(`action_${action}`) ? t(`action_${action}`) : action),
        h("code", { class: "wrap-anywhere muted" }, subject),
        h("span", { class: "spring" }),
        h("span", { class: "muted small" }, dotted(dateTime(at), by)),
      ),
      detail && h("p", { class: "small muted wrap-anywhere" }, detail),
    );
  return card(t("audit"), h("div", { class: "card-body" }, list), [range, newer, older]);
}

/** The fault of a setting; only the service's own text has the allowed values. */
const settingProblem = (error) => [messages.error(error), messages.errorDetail(error)].filter(Boolean).join(" ");
