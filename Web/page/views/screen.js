// A screen: picture, tree, and beside them what the selected element is and what could be circled with it.

import { get } from "../core/api.js";
import { h, put } from "../core/dom.js";
import { elementName } from "../core/format.js";
import { icon } from "../core/icons.js";
import { prefs } from "../core/prefs.js";
import { link, note } from "../core/router.js";
import { t } from "../core/strings.js";
import { Picture } from "../widgets/picture.js";
import { failure, loading } from "../widgets/states.js";
import { Tree } from "../widgets/tree.js";
import { CirclePanel } from "./circle-panel.js";
import { elementDetails } from "./element-details.js";

export function screenView({ place, title, parameters, query, signal }) {
  put(place, h("div", { class: "view full" }, loading(400)));
  const path = `/v1/captures/${encodeURIComponent(parameters.id)}`;
  let left = () => {};
  get(`${path}/elements`, {}, { signal }).then(
    (answer) => {
      left = build({ place, title, path, answer, query, signal });
    },
    (error) => {
      if (error.name !== "AbortError") put(place, failure(error, () => screenView({ place, title, parameters, query, signal })));
    });
  return () => left();
}

function build({ place, title, path, answer, query, signal }) {
  const { capture, elements } = answer;
  const name = capture.title || capture.name || capture.page || capture.id;
  title(name);
  let selected = null;
  const heatButton = h("button", { class: "button small", type: "button", "aria-pressed": "false", onclick: toggleHeat }, icon("heat", 16), t("heat_map"));
  const select = (element, position = 0, count = 1) => choose(element ?? null, position, count);
  const picture = new Picture({ select, hover: (element) => tree.onPicture?.(element) });
  const tree = new Tree({ select, hover: (element) => picture.setHovered(element?.frame ? element : null) });
  const beneath = h("span", { class: "muted small", "aria-live": "polite" });
  const details = h("div", {});
  const circle = new CirclePanel({
    capture, signal,
    matches: (numbers) => { picture.setMatches(numbers); tree.setMatches(numbers); },
  });

  const treePane = h("section", { class: "card pane tree-pane", "aria-label": t("tree") },
    h("div", { class: "pane-head" }, h("h2", { class: "spring" }, t("tree")), h("span", { class: "muted small number" }, t("elements_count", { count: elements.length }))), tree.node);
  const panes = { circle: circle.node, element: details, tree: h("div", { class: "stack" }) };
  const body = h("div", { class: "pane-body", role: "tabpanel", id: "screen-panel", tabindex: "-1" }, panes.circle);
  const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": t("about_element") }, ["circle", "element", "tree"].map((key) =>
    h("button", { role: "tab", type: "button", class: `tab-${key}`, "data-tab": key, "aria-controls": "screen-panel", "aria-selected": String(key === "circle"), tabindex: key === "circle" ? "0" : "-1", onclick: () => open(key), onkeydown: tabKey }, t(`tab_${key}`))));
  function open(key) {
    for (const tab of tabs.children) {
      tab.setAttribute("aria-selected", String(tab.dataset.tab === key));
      tab.tabIndex = tab.dataset.tab === key ? 0 : -1;
    }
    if (key === "tree") panes.tree.append(tree.node);
    else if (tree.node.parentNode !== treePane) treePane.append(tree.node);
    put(body, panes[key]);
  }
  function tabKey(event) {
    if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
    const shown = [...tabs.children].filter((tab) => tab.offsetParent);
    const next = shown[(shown.indexOf(event.target) + (event.key === "ArrowRight" ? 1 : shown.length - 1)) % shown.length];
    open(next.dataset.tab);
    next.focus();
  }

  const older = h("span", {});
  const view = h("div", { class: "view full long" },
    h("div", { class: "view-head" },
      h("a", { class: "button quiet icon-only", href: link("/screens"), "aria-label": t("back_to_screens"), title: t("back_to_screens") }, icon("back")),
      h("h1", { class: "ellipsis" }, name),
      h("span", { class: "muted ellipsis about" }, [capture.page, capture.app_version && `v${capture.app_version}`, capture.os && `${capture.os} ${capture.os_version ?? ""}`].filter(Boolean).join(" · ")),
      h("span", { class: "spring" }), older, heatButton),
    h("div", { class: "screen-grid" }, treePane,
      h("section", { class: "card pane picture-pane", "aria-label": t("picture") },
        h("div", { class: "pane-head" }, h("span", { class: "keys" }, h("span", {}, t("keys_click")), h("span", {}, h("kbd", {}, "n"), " ", h("kbd", {}, "p"), ` ${t("keys_next")}`)), beneath), picture.node),
      h("section", { class: "card pane panel-pane", "aria-label": t("about_element") }, tabs, body)));
  put(place, view);
  picture.show({ elements, width: capture.width, height: capture.height, image: capture.has_screenshot ? `${path}/screenshot` : null });
  tree.show(elements);
  showVersions();

  const byNumber = new Map(elements.map((element) => [element.element, element]));
  const wanted = query.element !== undefined ? byNumber.get(Number(query.element)) : null;
  if (wanted) choose(wanted, 0, 1);
  else put(details, h("div", { class: "hint" }, icon("circle", 34), t("choose_element")));
  if (query.heat) toggleHeat();

  function choose(element, position, count) {
    if (element && element === selected) return;
    selected = element;
    picture.setSelected(element?.element ?? null);
    tree.setSelected(element?.element ?? null);
    note({ element: element?.element ?? "" });
    beneath.textContent = element ? (count > 1 ? t("beneath", { position: position + 1, count, name: elementName(element).slice(0, 30) }) : elementName(element).slice(0, 40)) : "";
    circle.select(element);
    elementDetails({ place: details, path, element, signal, choose: (number) => choose(byNumber.get(number), 0, 1), matches: (numbers) => { picture.setMatches(numbers); tree.setMatches(numbers); } });
  }

  async function toggleHeat() {
    const on = heatButton.getAttribute("aria-pressed") !== "true";
    heatButton.setAttribute("aria-pressed", String(on));
    if (!on) {
      picture.setHeat(null);
      return;
    }
    try {
      const heat = await get("/v1/reports/heatmap", { capture: capture.id, days: 7, project: prefs.project }, { signal });
      picture.setHeat(heat);
      beneath.textContent = heat.events ? t("heat_events", { count: heat.events }) : t("heat_none");
    } catch (error) {
      heatButton.setAttribute("aria-pressed", "false");
      if (error.name !== "AbortError") beneath.textContent = error.message;
    }
  }

  /** The same page in other versions and captures. */
  async function showVersions() {
    if (!capture.page) return;
    try {
      const { captures } = await get("/v1/captures", { page: capture.page, limit: 30 }, { signal });
      if (captures.length < 2) return;
      put(older, h("select", { "aria-label": t("other_captures"), onchange: (event) => { location.hash = link(`/screen/${event.target.value}`); } },
        captures.map((one) => h("option", { value: one.id, selected: one.id === capture.id }, `${one.name || one.title || one.page}${one.app_version ? ` · v${one.app_version}` : ""}`))));
    } catch {
      // Without the list of others, this one still can be circled on.
    }
  }

  // For measurements: how long highlighting takes on this screen.
  window.encirclePicture = picture;
  return () => {
    picture.close();
    delete window.encirclePicture;
  };
}
