// A running app: its screen as it changes, what it sends, and circling on both.

import { follow, get, may, post, request } from "../core/api.js";
import { dotted } from "../core/bidi.js";
import { Circled } from "../core/circled.js";
import { h, put, redraw } from "../core/dom.js";
import { asName, clock } from "../core/format.js";
import { icon } from "../core/icons.js";
import * as messages from "../core/messages.js";
import { prefs, setPref } from "../core/prefs.js";
import { link } from "../core/router.js";
import { expressible, whenRulesChange } from "../core/rulesets.js";
import { t } from "../core/strings.js";
import { copyButton, decisionBadge, field, limitBytes } from "../widgets/controls.js";
import { ask } from "../widgets/dialog.js";
import { eventDetails } from "../widgets/event-details.js";
import { allProjectsNote } from "../widgets/period.js";
import { Picture } from "../widgets/picture.js";
import { qrCode } from "../widgets/qr.js";
import { empty, failure, loading, notice, refusal } from "../widgets/states.js";
import { toast } from "../widgets/toast.js";
import { viewHead } from "../widgets/view-head.js";
import { CirclePanel } from "./circle-panel.js";
import { connectSteps, links, stateBadge } from "./connect.js";
import { elementHead } from "./element-details.js";

const kept = 100;
/** The style of the paths in what the SDK sends. */
const sdkStyle = "sensors";

/** What stands in place of a connection that has ended. */
const gone = () =>
  empty(
    t("connection_gone"),
    t("connection_gone_text"),
    h("a", { class: "button primary", href: link("/connect") }, t("nav_connect")),
  );

export function connectionView({ place, title, parameters, signal, reload, leaveFor }) {
  title(t("nav_connect"));
  const path = `/v1/connections/${encodeURIComponent(parameters.id)}`;
  let leaveStream = null;
  let connection = null;
  let selected = null;
  // The screen that is held while somebody circles on it; the app goes on meanwhile.
  let held = null;
  /** Fulfilled once the service holds that screen. */
  let holding = null;
  let isKept = false;
  /** The stored captures of screens that were held, by revision. */
  const copies = new Map();
  let leaveDetails = null;
  const secret = links.get(parameters.id);
  const head = h("div", {});
  /** Says that what is shown is not what the app shows now. */
  const lost = h("div", {});
  const body = h("div", { class: "stack", style: { flex: "1", "min-height": "0" } });
  put(place, h("div", { class: "view full long" }, head, lost, body));
  put(body, loading(300));

  const picture = new Picture({ select: (element) => choose(element), label: t("live_screen") });
  const details = h("div", {});
  /** The screen that is held, in the form that the panel circles on. */
  const subject = { id: null, page: null, connected: true };
  const circled = new Circled();
  const circle = new CirclePanel({
    capture: subject,
    signal,
    circled,
    open: (rule) => choose(picture.index.byNumber.get(rule.elements[0] ?? rule.before?.[0]) ?? null),
    matches: (numbers) => picture.setMatches(numbers),
    saved: keepHeld,
    reading: (isReading) => {
      picture.picksAny = isReading;
    },
  });
  const ringsButton = h(
    "button",
    { class: "button small", type: "button", "aria-pressed": String(prefs.rings), onclick: toggleRings },
    icon("circle", 16),
    t("circled_show"),
  );
  const frozen = h("div", { class: "row wrap", role: "status" });
  const events = h("div", { class: "divide" });
  const about = h("span", { class: "muted small ellipsis", role: "status" });
  const notices = h("div", {});
  let shownKind = null;

  get(path, {}, { signal }).then(
    (answer) => {
      connection = answer.connection;
      show();
      leaveStream = follow(
        `${path}/stream`,
        {},
        {
          screen: refresh,
          state: refresh,
          events: (message) => addEvents(message.data),
          // After the service has started again, the connection may be gone.
          error: refresh,
          open: refresh,
        },
      );
    },
    (error) => {
      if (error.name !== "AbortError") put(body, failure(error, reload));
    },
  );

  let refreshing = false;
  let again = false;
  // No message that the connection has ended for the person who ends it here.
  let ending = false;
  /** Reads the connection once more. Messages that come meanwhile lead to one more reading, not to many. */
  async function refresh() {
    if (ending) return;
    if (refreshing) {
      again = true;
      return;
    }
    refreshing = true;
    try {
      connection = (await get(path, {}, { signal })).connection;
      put(lost);
      show();
    } catch (error) {
      if (error.status === 404) {
        leaveStream();
        put(body, gone());
      } else if (error.name !== "AbortError" && !lost.firstChild) put(lost, refusal(error));
    }
    refreshing = false;
    if (again) {
      again = false;
      refresh();
    }
  }

  /** Shows what the app has sent. The keyboard stays where it is, however often the app sends. */
  function show() {
    redraw(place, draw);
  }

  function draw() {
    put(
      head,
      viewHead({
        title: connection.app_id || t("waiting_title"),
        back: ["/connect", "back"],
        about: [
          stateBadge(connection.state),
          h(
            "span",
            { class: "muted small ellipsis" },
            dotted(
              connection.app_version && `v${connection.app_version}`,
              connection.os,
              connection.lib_version && `SDK ${connection.lib_version}`,
            ),
          ),
        ],
        // Without a screen there is nothing to count.
        period: connection.screen ? readCircled : null,
        tools: [
          connection.screen && allProjectsNote(),
          connection.screen && ringsButton,
          connection.screen &&
            may("author") &&
            h(
              "button",
              { class: "button primary", type: "button", onclick: keep },
              icon("circle", 17),
              t("keep_and_circle"),
            ),
          connection.state !== "ended" &&
            may("author") &&
            h("button", { class: "button danger", type: "button", onclick: end }, t("end_connection")),
        ],
      }),
    );
    const kind = connection.screen ? "screen" : connection.state;
    if (kind !== shownKind) {
      shownKind = kind;
      if (connection.screen) put(body, liveGrid());
      else if (connection.state === "ended") put(body, gone());
      else put(body, waiting());
    }
    showNotices();
    if (connection.screen && !held) showScreen(connection.screen);
    showFrozen();
  }

  function showScreen(screen) {
    about.textContent = dotted(screen.title, screen.page);
    picture.show({
      elements: screen.elements ?? [],
      width: screen.width,
      height: screen.height,
      image: screen.has_screenshot ? `${path}/screenshot?revision=${encodeURIComponent(screen.revision)}` : null,
    });
    if (circled.capture === screen.capture) return;
    circled.begin(screen.capture, screen.elements ?? []);
    picture.setRings([]);
    readCircled();
  }

  /** Reads what is circled on the screen that is shown, anew after the rules or the period have changed. */
  async function readCircled() {
    const { capture } = circled;
    if (!capture) return;
    try {
      await circled.read(signal);
    } catch (error) {
      // Without it, the screen still can be circled on. One that the app has left may be gone.
      if (error.name === "AbortError") return;
    }
    if (circled.capture !== capture) return;
    circled.ready();
    picture.setRings(prefs.rings ? circled.rings() : []);
    circle.circledChanged();
  }

  function toggleRings() {
    setPref("rings", !prefs.rings);
    ringsButton.setAttribute("aria-pressed", String(prefs.rings));
    picture.setRings(prefs.rings ? circled.rings() : []);
  }

  /** Says that the screen is held, and whether the app shows another one by now. */
  function showFrozen() {
    put(
      frozen,
      held && [
        h("span", { class: "badge info" }, t("held")),
        h("span", { class: "muted small", hidden: connection.screen.revision === held.revision }, t("held_newer")),
        h("button", { class: "button small", type: "button", onclick: goOn }, t("go_on_live")),
      ],
    );
  }

  /** Holds the screen that is shown, so that the element stays the one that was clicked. */
  function hold(screen) {
    if (held?.revision === screen.revision) return holding;
    held = screen;
    showFrozen();
    holding = post(`${path}/hold`, { revision: screen.revision }, { signal }).then(
      (answer) => {
        if (held !== screen) return;
        isKept = copies.has(screen.revision);
        subject.id = copies.get(screen.revision) ?? answer.capture;
        subject.page = screen.page;
      },
      (error) => {
        // A further click on the element tries again.
        if (held === screen) held = null;
        throw error;
      },
    );
    return holding;
  }

  /** Shows what the app shows now. */
  function goOn() {
    held = null;
    choose(null);
    if (connection?.screen) showScreen(connection.screen);
    showFrozen();
  }

  /** Keeps the screen on which a rule was circled, once. */
  async function keepHeld() {
    if (isKept || !held) return;
    isKept = true;
    const screen = held;
    const asked = { name: asName(screen.title || screen.page || ""), revision: screen.revision };
    try {
      const { capture } = await post(`${path}/keep`, asked, { signal });
      copies.set(screen.revision, capture.id);
      // Beside its copy, the screen of the app would count once more.
      if (held === screen) subject.id = capture.id;
    } catch (error) {
      isKept = false;
      if (error.name !== "AbortError") toast(messages.error(error));
    }
  }

  /** The SDK's notices to the person who circles. */
  function showNotices() {
    put(
      notices,
      (connection.alerts ?? []).map((alert) =>
        notice(
          "warn",
          h("strong", {}, alert.title ?? ""),
          alert.message && h("p", {}, alert.message),
          /^https:\/\//.test(alert.link_url ?? "") &&
            h(
              "a",
              { href: alert.link_url, rel: "noreferrer noopener", target: "_blank" },
              alert.link_text || alert.link_url,
            ),
        ),
      ),
    );
  }

  function waiting() {
    return h(
      "div",
      { class: "connect-grid" },
      h(
        "div",
        { class: "stack" },
        secret
          ? h("div", { class: "qr" }, qrCode(secret.link, t("qr_label")))
          : h("div", { class: "card" }, empty(t("link_gone"), t("link_gone_text"))),
        connection.expires_at && h("p", { class: "muted small" }, t("expires", { time: clock(connection.expires_at) })),
      ),
      h(
        "div",
        { class: "stack" },
        h("h2", { class: "row" }, h("span", { class: "pulse", "aria-hidden": "true" }), t("waiting_phone")),
        connectSteps(),
        secret &&
          h(
            "div",
            { class: "card card-body stack tight" },
            h("div", { class: "row" }, h("strong", { class: "spring" }, t("the_link")), copyButton(secret.link)),
            h("code", { class: "wrap-anywhere small" }, secret.link),
          ),
      ),
    );
  }

  const liveGrid = () =>
    h(
      "div",
      { class: "screen-grid", style: { "grid-template-columns": "minmax(280px, 1fr) minmax(320px, 440px)" } },
      h(
        "section",
        { class: "card pane picture-pane", "aria-label": t("live_screen") },
        h(
          "div",
          { class: "pane-head" },
          h("span", { class: "pulse", "aria-hidden": "true" }),
          about,
          h("span", { class: "spring" }),
          frozen,
        ),
        picture.node,
      ),
      h(
        "section",
        { class: "card pane panel-pane", "aria-label": t("live_events") },
        h(
          "div",
          { class: "pane-body" },
          notices,
          details,
          h("div", { class: "section" }, h("h2", {}, t("what_it_sends")), events),
          unsaid(),
        ),
      ),
    );

  /**
   * A note if the rule set cannot match what the app sends, and the rules that cannot be expressed for an SDK, each with
   * the reason.
   */
  function unsaid() {
    const node = h("div", {});
    expressible().then(
      ({ others, style }) =>
        put(
          node,
          !style.startsWith(sdkStyle) && notice("", t("other_style", { name: prefs.ruleset, style, sdk: sdkStyle })),
          others.length > 0 &&
            h(
              "details",
              { class: "section small" },
              h("summary", {}, t("not_expressible", { count: others.length })),
              h(
                "dl",
                { class: "properties" },
                others.slice(0, 200).map((rule) => [h("dt", {}, rule.id), h("dd", {}, messages.told(rule))]),
              ),
            ),
        ),
      () => {},
    );
    return node;
  }

  async function choose(element) {
    if (element && circle.isReading) {
      circle.readOff(element);
      return;
    }
    // The element of an event that is shown is selected, and not circled on yet.
    if (element && element === selected && !leaveDetails) return;
    selected = element;
    leaveDetails?.();
    leaveDetails = null;
    picture.setSelected(element?.element ?? null);
    if (!element || !may("author")) {
      circle.select(null);
      put(details, element ? elementHead(element) : circle.node);
      return;
    }
    put(details, circle.node);
    try {
      await hold(held ?? connection.screen);
      if (selected === element) circle.select(element);
    } catch (error) {
      if (error.name === "AbortError") return;
      if (selected === element) {
        selected = null;
        picture.setSelected(null);
        put(details, refusal(error));
      }
      refresh();
    }
  }
  choose(null);
  const stopRules = whenRulesChange(readCircled);

  function addEvents(data) {
    let list;
    try {
      const message = JSON.parse(data);
      list = Array.isArray(message) ? message : (message.events ?? [message]);
    } catch {
      return;
    }
    for (const event of list) {
      const whole = event.decision ? { ...event, ...event.decision } : event;
      events.prepend(
        h(
          "button",
          { class: "live-row", type: "button", onclick: () => showEvent(whole) },
          h("span", { class: "muted small number" }, clock(whole.time ?? whole.received_at)),
          h("span", {}, decisionBadge(whole)),
          h("strong", { class: "ellipsis" }, whole.event ?? ""),
          h("span", { class: "muted small ellipsis" }, whole.page ?? ""),
        ),
      );
    }
    while (events.childElementCount > kept) events.lastElementChild.remove();
  }

  /** Shows an event, and on the picture the element that it is about, if that is still there. */
  function showEvent(event) {
    const {
      $element_path: path,
      $element_position: position = null,
      $screen_name: page,
    } = event.event_json?.properties ?? {};
    selected = path
      ? (held ?? connection.screen)?.elements?.find(
          (one) => one.element_path === path && one.element_position === position && one.screen_name === page,
        )
      : null;
    picture.setSelected(selected?.element ?? null);
    leaveDetails?.();
    leaveDetails = eventDetails(details, event, signal, connection.ruleset);
  }

  function keep() {
    const { revision } = held ?? connection.screen;
    const number = selected?.element;
    const { title, page } = held ?? connection.screen;
    const name = limitBytes(h("input", { name: "name", value: asName(title || page || ""), required: true }), 200);
    ask({
      title: t("keep_title"),
      fields: [h("p", { class: "muted" }, t("keep_text")), field(t("rule_name"), name)],
      key: `keep:${parameters.id}:${revision}`,
      confirm: t("keep_and_circle"),
      run: async (form) => {
        const { capture } = await post(`${path}/keep`, { name: String(form.get("name")), revision });
        toast(t("kept"));
        leaveFor(`/screen/${capture.id}`, { element: number });
      },
    });
  }

  function end() {
    ask({ title: t("end_ask"), confirm: t("end_connection"), danger: true, run: endIt });
  }
  async function endIt() {
    ending = true;
    try {
      await request("DELETE", path);
      leaveFor("/connect");
    } catch (error) {
      ending = false;
      throw error;
    }
  }
  // For tests: where an element is on the picture.
  window.encirclePicture = picture;
  return () => {
    delete window.encirclePicture;
    stopRules();
    leaveStream?.();
    picture.close();
    leaveDetails?.();
  };
}
