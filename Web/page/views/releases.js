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
import { empty, filled, refusal, unsavedNotice } from "../widgets/states.js";
import { complain, toast } from "../widgets/toast.js";
import { viewHead } from "../widgets/view-head.js";

const maximumListed = 300;
const kinds = { draft: "warn", circled: "", accepted: "good" };
const base = () => `/v1/rulesets/${encodeURIComponent(prefs.ruleset)}/plan/releases`;
const address = (version) => `${base()}/${encodeURIComponent(version)}`;

export function releasesView({ place, title, query, signal }) {
  title(t("releases"));
  const body = h("div", { class: "stack" });
  put(place, h("div", { class: "view" }, viewHead({ title: t("releases"), back: ["/plan", "plan"] }), body));
  filled(
    body,
    async () => {
      const { releases } = await get(base(), {}, { signal });
      const version = releases.find((one) => one.version === query.version)?.version ?? releases[0]?.version;
      return { releases, shown: version && (await get(address(version), {}, { signal })) };
    },
    ({ releases, shown }) =>
      put(
        body,
        releases.length
          ? [versions(releases, shown.version), release(shown)]
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
  const node = h("section", { class: "card", "data-version": shown.version });
  const show = (answer) => redraw(node, () => put(node, card(answer, show)));
  show(shown);
  return node;
}

function card(shown, show) {
  const key = `release:${prefs.ruleset}:${shown.version}`;
  const kept = may("author") ? unsaved(key) : null;
  const people = Object.fromEntries(
    ["owner", "reviewer"].map((name) => [
      name,
      limitBytes(
        h("input", {
          value: kept?.[name] ?? shown[name] ?? "",
          disabled: !may("author"),
          oninput: () => keep(shown),
        }),
        200,
      ),
    ]),
  );
  const written = () => Object.entries(people).map(([name, input]) => [name, input.value.trim()]);
  const changes = (since) => Object.fromEntries(written().filter(([name, value]) => value !== (since[name] ?? "")));
  const keep = (since) => {
    const changed = changes(since);
    keepUnsaved(key, Object.keys(changed).length ? changed : null);
  };
  const forget = () => {
    keepUnsaved(key, null);
    show(shown);
  };
  const button = h("button", { class: "button", type: "submit" }, t("release_save"));
  const save = async () => {
    try {
      const sent = Object.fromEntries(written());
      const changed = changes(shown);
      // Somebody else may have changed the other person meanwhile.
      const { owner, reviewer } = await get(address(shown.version));
      const saved = await request("PUT", address(shown.version), { body: { owner, reviewer, ...changed } });
      // Input made while the answer was on its way is not saved yet.
      keep(sent);
      show(saved);
      toast(t("release_saved"));
    } catch (error) {
      complain(refusal(error));
    }
  };
  const submit = (event) => {
    event.preventDefault();
    whileDisabled(button, save);
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
      kept && unsavedNotice(forget),
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
