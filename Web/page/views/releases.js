// The releases of the tracking plan: the events that are new in each version of the app, with owner and state of the release.

import { get, may, request } from "../core/api.js";
import { h, put, redraw, whileDisabled } from "../core/dom.js";
import { dateTime } from "../core/format.js";
import { icon } from "../core/icons.js";
import { prefs } from "../core/prefs.js";
import { link } from "../core/router.js";
import { t } from "../core/strings.js";
import { keepUnsaved, unsaved } from "../core/unsaved.js";
import { field, limitBytes, scrollTable } from "../widgets/controls.js";
import { empty, filled, notice, refusal, unsavedNotice } from "../widgets/states.js";
import { complain, toast } from "../widgets/toast.js";
import { viewHead } from "../widgets/view-head.js";

const maximumListed = 300;
const kinds = { draft: "warn", circled: "", accepted: "good" };
const base = () => `/v1/rulesets/${encodeURIComponent(prefs.ruleset)}/plan/releases`;
const address = (version) => `${base()}/${encodeURIComponent(version)}`;
/** A release as `body`, with its `etag`. */
const find = (version, signal) => request("GET", address(version), { signal, whole: true });

export function releasesView({ place, title, query, signal }) {
  title(t("releases"));
  const body = h("div", { class: "stack" });
  put(place, h("div", { class: "view" }, viewHead({ title: t("releases"), back: ["/plan", "plan"] }), body));
  filled(
    body,
    async () => {
      const { releases } = await get(base(), {}, { signal });
      const version = releases.find((one) => one.version === query.version)?.version ?? releases[0]?.version;
      return { releases, shown: version && (await find(version, signal)) };
    },
    ({ releases, shown }) =>
      put(
        body,
        releases.length
          ? [versions(releases, shown.body.version), release(shown)]
          : empty(t("releases_none"), t("releases_none_text")),
      ),
    200,
  );
}

const versions = (releases, shown) =>
  h(
    "nav",
    { class: "row wrap", "aria-label": t("releases") },
    releases.map((one) =>
      h(
        "a",
        {
          class: "button small",
          href: link("/plan/releases", { version: one.version }),
          "aria-current": one.version === shown ? "page" : null,
        },
        one.version,
        " ",
        badge(one.state),
      ),
    ),
  );

const badge = (state) => state && h("span", { class: `badge ${kinds[state] ?? ""}` }, t(`release_${state}`));

function release(shown) {
  const node = h("section", { class: "card", "data-version": shown.body.version });
  const show = (answer) => redraw(node, () => put(node, card(answer, show)));
  show(shown);
  return node;
}

function card(answer, show) {
  const shown = answer.body;
  const key = `release:${prefs.ruleset}:${shown.version}`;
  const kept = may("author") ? unsaved(key) : null;
  // Kept input belongs to the release as it was at that time.
  const { form = {}, seen = shown, etag = answer.etag } = kept ?? {};
  const people = Object.fromEntries(
    ["owner", "reviewer"].map((name) => [
      name,
      limitBytes(
        h("input", {
          value: form[name] ?? seen[name] ?? "",
          disabled: !may("author"),
          oninput: () => keep(changes(seen), seen, etag),
        }),
        200,
      ),
    ]),
  );
  const written = () => Object.entries(people).map(([name, input]) => [name, input.value.trim()]);
  const changes = (since) => Object.fromEntries(written().filter(([name, value]) => value !== (since[name] ?? "")));
  const keep = (input, { owner, reviewer }, tag) =>
    keepUnsaved(key, Object.keys(input).length ? { form: input, seen: { owner, reviewer }, etag: tag } : null);
  const forget = (theirs) => {
    keepUnsaved(key, null);
    show(theirs);
  };
  const button = h("button", { class: "button", type: "submit" }, t("release_save"));
  const conflict = h("div", { role: "status" });
  /** Saves what is changed here in the release `theirs`, if that is still the stored one. */
  const save = async (theirs, tag) => {
    const sent = Object.fromEntries(written());
    const { owner, reviewer } = theirs;
    try {
      const saved = await request("PUT", address(shown.version), {
        body: { owner, reviewer, ...changes(seen) },
        headers: tag ? { "if-match": tag } : {},
        whole: true,
      });
      // Input made while the answer was on its way is not saved yet.
      keep(changes(sent), saved.body, saved.etag);
      show(saved);
      toast(t("release_saved"));
    } catch (error) {
      if (error.status === 412 && conflict.isConnected) await saveAgain(theirs);
      else complain(refusal(error));
    }
  };
  /** Saves in a release that others have changed since it was `theirs`; asks first if they have changed the same. */
  const saveAgain = async (theirs) => {
    try {
      const now = await find(shown.version);
      const value = (release, name) => release[name] ?? "";
      const both = Object.entries(changes(seen)).filter(
        ([name, mine]) => ![mine, value(theirs, name)].includes(value(now.body, name)),
      );
      if (both.length) put(conflict, question(now, both));
      else await save(now.body, now.etag);
    } catch (error) {
      complain(refusal(error));
    }
  };
  /** The values that others have saved, until one side is chosen. */
  const question = (now, both) =>
    notice(
      "warn",
      h("strong", {}, t("rule_changed", { id: shown.version })),
      both.map(([name]) => h("p", {}, t(`release_${name}`), t("colon"), now.body[name] ?? "–")),
      h(
        "div",
        { class: "row" },
        h(
          "button",
          {
            class: "button small",
            type: "button",
            onclick: (event) => whileDisabled(event.currentTarget, () => save(now.body, now.etag)),
          },
          t("save_mine"),
        ),
        h("button", { class: "button small", type: "button", onclick: () => forget(now) }, t("drop_mine")),
      ),
    );
  const submit = (event) => {
    event.preventDefault();
    whileDisabled(button, () => save(seen, etag));
  };
  return [
    h(
      "div",
      { class: "card-head" },
      h("h2", {}, shown.version, " ", badge(shown.state)),
      h("span", { class: "spring" }),
      h(
        "a",
        { class: "button small", href: link("/plan/acceptance", { app_version: shown.version }) },
        icon("check", 16),
        t("acceptance"),
      ),
    ),
    h(
      "div",
      { class: "card-body stack" },
      h(
        "form",
        { class: "ask", onsubmit: submit },
        Object.entries(people).map(([name, input]) => field(t(`release_${name}`), input)),
        may("author") && button,
      ),
      conflict,
      kept && unsavedNotice(() => forget(answer)),
      shown.accepted_by &&
        h(
          "p",
          { class: "muted" },
          t("release_accepted_by", { by: shown.accepted_by, at: dateTime(shown.accepted_at) }),
        ),
      scrollTable({
        label: t("release_events"),
        heads: ["plan_event", "plan_platform", "acceptance_state", "release_rules", "plan_owner"].map((name) =>
          t(name),
        ),
        items: shown.events,
        line: row,
        maximum: maximumListed,
      }),
    ),
  ];
}

const row = (event) =>
  h(
    "tr",
    { "data-event": event.event, "data-state": event.state },
    h("td", { class: "fill" }, h("span", { class: "mono" }, event.event), event.name && ` ${event.name}`),
    h("td", {}, event.platforms.join(", ")),
    h("td", {}, badge(event.state)),
    h("td", { class: "wrap-anywhere" }, rules(event)),
    h("td", {}, event.owner ?? ""),
  );

/** The rules in force that emit the event; if there are none, the rules of the draft. */
const rules = (event) =>
  event.rules.length || !event.draft_rules.length
    ? event.rules.map((id, place) => [place > 0 && ", ", h("a", { href: link(`/rule/${encodeURIComponent(id)}`) }, id)])
    : t("release_in_draft", { rules: event.draft_rules.join(", ") });
