// A screen: picture, tree, and beside them the selected element and the form that circles it.

import { get, may } from "../core/api.js";
import { dotted } from "../core/bidi.js";
import { Chosen } from "../core/chosen.js";
import { Circled } from "../core/circled.js";
import { attempts, h, put } from "../core/dom.js";
import { elementName, number } from "../core/format.js";
import { icon } from "../core/icons.js";
import { prefs, setPref } from "../core/prefs.js";
import { link, step } from "../core/router.js";
import { whenRulesChange } from "../core/rulesets.js";
import { t } from "../core/strings.js";
import * as messages from "../core/messages.js";
import { Picture } from "../widgets/picture.js";
import { allProjectsNote, periodName } from "../widgets/period.js";
import { failure, loading, notice } from "../widgets/states.js";
import { Tree } from "../widgets/tree.js";
import { viewHead } from "../widgets/view-head.js";
import { captureActions } from "./capture-actions.js";
import { CirclePanel, maximumSeveral } from "./circle-panel.js";
import { elementDetails } from "./element-details.js";
import { ManyPanel } from "./many-panel.js";

export function screenView({ place, title, parameters, query, signal, reload, leaveFor }) {
  const path = `/v1/captures/${encodeURIComponent(parameters.id)}`;
  let left = () => {};
  const read = () => {
    put(place, h("div", { class: "view full" }, loading(400)));
    get(`${path}/elements`, {}, { signal }).then(
      (answer) => {
        left = build({ place, title, path, answer, query, signal, reload, leaveFor });
      },
      (error) => {
        if (error.name !== "AbortError") put(place, failure(error, read));
      },
    );
  };
  read();
  return Object.assign(() => left(), { moved: (query) => left.moved?.(query) });
}

function build({ place, title, path, answer, query, signal, reload, leaveFor }) {
  const { capture, elements } = answer;
  const name = capture.title || capture.name || capture.page || capture.id;
  title(name);
  let selected = null;
  /** Begins to show the heat map, or to show none. */
  const beginHeat = attempts();
  const heatButton = h(
    "button",
    { class: "button small", type: "button", "aria-pressed": "false", onclick: toggleHeat },
    icon("heat", 16),
    t("heat_map"),
  );
  const ringsButton = h(
    "button",
    { class: "button small", type: "button", "aria-pressed": String(prefs.rings), onclick: toggleRings },
    icon("circle", 16),
    t("circled_show"),
  );
  const circled = new Circled(capture.id, elements);
  const chosen = new Chosen(elements);
  const select = (element, position = 0, count = 1) => choose(element ?? null, position, count);
  const picture = new Picture({
    select,
    several: (chosen) => chooseSeveral(chosen),
    toggle: (element) => chosen.toggle(element),
    hover: (element) => tree.onPicture?.(element),
  });
  const tree = new Tree({ select, hover: (element) => picture.setHovered(element?.frame ? element : null) });
  const beneath = h("span", { class: "muted small", "aria-live": "polite" });
  const details = h("div", {});
  const circle = new CirclePanel({
    capture,
    signal,
    circled,
    reading: (isReading) => {
      picture.picksAny = isReading;
    },
    open: (rule) => choose(byNumber.get(rule.elements[0] ?? rule.before?.[0]) ?? null, 0, 1),
    matches: (numbers) => {
      picture.setMatches(numbers);
      tree.setMatches(numbers);
    },
  });
  const many = new ManyPanel({
    capture,
    chosen,
    circled,
    signal,
    hover: (element) => picture.setHovered(element?.frame ? element : null),
  });
  const bar = h(
    "div",
    { class: "chosen-bar row", hidden: true },
    h("span", { class: "spring", "aria-live": "polite" }),
    h("button", { class: "button small", type: "button", onclick: () => open("many") }, t("tab_many")),
  );
  chosen.whenChanged(() => {
    picture.setChosen(chosen.numbers);
    bar.hidden = chosen.size === 0;
    bar.firstChild.textContent = t("many_bar", { count: chosen.size });
  });

  const panes = {
    circle: circle.node,
    many: many.node,
    element: details,
    tree: h(
      "div",
      { class: "tree-tab" },
      h("span", { class: "muted small number" }, t("elements_count", { count: elements.length })),
      tree.node,
    ),
  };
  const body = h("div", { class: "pane-body", role: "tabpanel", id: "screen-panel", tabindex: "-1" }, panes.circle);
  const tabs = h(
    "div",
    { class: "tabs", role: "tablist", "aria-label": t("about_element") },
    ["circle", "many", "element", "tree"].map((key) =>
      h(
        "button",
        {
          role: "tab",
          type: "button",
          class: `tab-${key}`,
          "data-tab": key,
          "aria-controls": "screen-panel",
          "aria-selected": String(key === "circle"),
          tabindex: key === "circle" ? "0" : "-1",
          onclick: () => open(key),
          onkeydown: tabKey,
        },
        t(`tab_${key}`),
      ),
    ),
  );
  function open(key) {
    for (const tab of tabs.children) {
      tab.setAttribute("aria-selected", String(tab.dataset.tab === key));
      tab.tabIndex = tab.dataset.tab === key ? 0 : -1;
    }
    put(body, panes[key]);
    if (key === "many") many.shown();
  }
  function tabKey(event) {
    if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
    const shown = [...tabs.children].filter((tab) => tab.offsetParent);
    const next =
      shown[(shown.indexOf(event.target) + (event.key === "ArrowRight" ? 1 : shown.length - 1)) % shown.length];
    open(next.dataset.tab);
    next.focus();
  }

  const older = h("span", {});
  /** Says that the rules are for another platform. */
  const foreign = h("div", {});
  const legend = h("div", { class: "heat-legend", hidden: true });
  const view = h(
    "div",
    { class: "view full long" },
    viewHead({
      title:
        // Views of web pages have another event.
        capture.page && !["html", "web-snapshot"].includes(capture.format) && may("author")
          ? h("button", { class: "title-button", type: "button", title: t("circle_page"), onclick: choosePage }, name)
          : name,
      back: ["/screens", "back_to_screens"],
      about: h(
        "span",
        { class: "muted ellipsis about" },
        dotted(
          capture.page,
          capture.app_version && `v${capture.app_version}`,
          capture.os && `${capture.os} ${capture.os_version ?? ""}`,
        ),
      ),
      period: readCircled,
      tools: [allProjectsNote(), captureActions(capture, reload, leaveFor), older, ringsButton, heatButton],
    }),
    foreign,
    h(
      "div",
      { class: "screen-grid" },
      h(
        "section",
        { class: "card pane picture-pane", "aria-label": t("picture") },
        h(
          "div",
          { class: "pane-head" },
          h(
            "span",
            { class: "keys" },
            h("span", {}, t("keys_click")),
            h("span", {}, h("kbd", {}, "n"), " ", h("kbd", {}, "p"), ` ${t("keys_next")} · ${t("several_hint")}`),
          ),
          beneath,
        ),
        picture.node,
        legend,
      ),
      h("section", { class: "card pane panel-pane", "aria-label": t("about_element") }, tabs, bar, body),
    ),
  );
  put(place, view);
  picture.show({
    elements,
    width: capture.width,
    height: capture.height,
    image: capture.has_screenshot ? `${path}/screenshot` : null,
  });
  tree.show(elements);
  showVersions();

  const byNumber = new Map(elements.map((element) => [element.element, element]));
  readCircled();
  const stopRules = whenRulesChange(readCircled);
  /** The element that an address names. A text that is no number names none, not 0, which it would be as a number. */
  const named = ({ element }) => elements.find((one) => String(one.element) === element) ?? null;
  const wanted = named(query);
  if (wanted) choose(wanted, 0, 1, false);
  else put(details, h("div", { class: "hint" }, icon("circle", 34), t("choose_element")));
  if (query.heat) toggleHeat();

  function choose(element, position, count, isStep = true) {
    if (element && circle.isReading) {
      circle.readOff(element);
      return;
    }
    if (element && element === selected) return;
    selected = element;
    picture.setSelected(element?.element ?? null);
    tree.setSelected(element?.element ?? null);
    if (isStep) step({ element: element?.element ?? "" });
    beneath.textContent = element
      ? count > 1
        ? t("beneath", { position: position + 1, count, name: elementName(element).slice(0, 30) })
        : elementName(element).slice(0, 40)
      : "";
    circle.select(element);
    elementDetails({
      place: details,
      path,
      element,
      signal,
      choose: (number) => choose(byNumber.get(number), 0, 1),
      matches: (numbers) => {
        picture.setMatches(numbers);
        tree.setMatches(numbers);
      },
    });
  }

  /** Several elements as one rule. */
  function chooseSeveral(several) {
    chosen.set(several);
    selected = several[0];
    picture.setSelected(selected.element);
    tree.setSelected(selected.element);
    beneath.textContent = "";
    if (tabs.querySelector("[aria-selected=true]").dataset.tab === "many") return;
    const count = Math.min(several.length, maximumSeveral);
    beneath.textContent = t(count < several.length ? "several_of" : "several", { count, of: several.length });
    open("circle");
    circle.selectSeveral(several);
  }

  function choosePage() {
    selected = null;
    picture.setSelected(null);
    tree.setSelected(null);
    beneath.textContent = capture.page;
    open("circle");
    circle.selectPage(capture.page);
  }

  /** Reads what is circled, anew after the rules or the period have changed. */
  async function readCircled() {
    try {
      await circled.read(signal);
      put(
        foreign,
        circled.foreignStyle &&
          notice(
            "warn",
            t("foreign_style", { style: circled.foreignStyle }),
            " ",
            h("a", { href: link("/rules/text") }, t("rules_text")),
          ),
      );
      picture.setRings(prefs.rings ? circled.rings() : []);
      circle.circledChanged();
      many.circledChanged();
      if (heatButton.getAttribute("aria-pressed") === "true") await showHeat();
    } catch (error) {
      // Without it, the screen still can be circled on.
      if (error.name !== "AbortError") beneath.textContent = messages.error(error);
    }
    circled.ready();
  }

  function toggleRings() {
    setPref("rings", !prefs.rings);
    ringsButton.setAttribute("aria-pressed", String(prefs.rings));
    picture.setRings(prefs.rings ? circled.rings() : []);
  }

  async function toggleHeat() {
    const on = heatButton.getAttribute("aria-pressed") !== "true";
    heatButton.setAttribute("aria-pressed", String(on));
    legend.hidden = true;
    if (on) {
      await showHeat();
      return;
    }
    beginHeat();
    picture.setHeat(null);
  }

  async function showHeat() {
    const isNewest = beginHeat();
    try {
      const heat = await get(
        "/v1/reports/heatmap",
        { capture: capture.id, days: prefs.days, project: prefs.project },
        { signal },
      );
      if (!isNewest()) return;
      picture.setHeat(heat);
      legend.hidden = false;
      put(
        legend,
        h("span", { class: "heat-scale", "aria-hidden": "true" }),
        h("span", {}, t("heat_legend")),
        h("strong", {}, dotted(t("heat_period", { count: number(heat.events), period: periodName() }), prefs.project)),
      );
    } catch (error) {
      if (!isNewest()) return;
      heatButton.setAttribute("aria-pressed", "false");
      if (error.name !== "AbortError") beneath.textContent = messages.error(error);
    }
  }

  /** The same page in other versions and captures. */
  async function showVersions() {
    if (!capture.page) return;
    try {
      const { captures } = await get("/v1/captures", { page: capture.page, limit: 30 }, { signal });
      if (captures.length < 2) return;
      put(
        older,
        h(
          "select",
          {
            "aria-label": t("other_captures"),
            onchange: (event) => {
              location.hash = link(`/screen/${event.target.value}`);
            },
          },
          captures.map((one) =>
            h(
              "option",
              { value: one.id, selected: one.id === capture.id },
              dotted(one.name || one.title || one.page, one.app_version && `v${one.app_version}`),
            ),
          ),
        ),
      );
    } catch {
      // Without the list of others, this one still can be circled on.
    }
  }

  // For measurements: the time that highlighting takes on this screen.
  window.encirclePicture = picture;
  /** A step back or forth selects the element that was selected there. */
  function moved(query) {
    const one = named(query);
    if (one !== selected) choose(one, 0, 1, false);
    return true;
  }
  return Object.assign(
    () => {
      stopRules();
      picture.close();
      delete window.encirclePicture;
    },
    { moved },
  );
}
