// Starts the page: session, navigation, and the view that the address names.

import { readSession, whenSessionEnds, session } from "./core/api.js";
import { put, redraw } from "./core/dom.js";
import { applyTheme, whenPrefsChange } from "./core/prefs.js";
import { go, here, route } from "./core/router.js";
import { applyLanguage, t } from "./core/strings.js";
import { frame } from "./views/frame.js";
import { loginView } from "./views/login.js";
import { overviewView } from "./views/overview.js";
import { analysisView } from "./views/analysis.js";
import { screensView } from "./views/screens.js";
import { screenView } from "./views/screen.js";
import { rulesView } from "./views/rules.js";
import { ruleView } from "./views/rule.js";
import { editorView } from "./views/editor.js";
import { draftView } from "./views/draft.js";
import { driftView } from "./views/drift.js";
import { coverageView } from "./views/coverage.js";
import { planView } from "./views/plan.js";
import { acceptanceView } from "./views/acceptance.js";
import { releasesView } from "./views/releases.js";
import { historyView } from "./views/history.js";
import { liveView } from "./views/live.js";
import { connectView } from "./views/connect.js";
import { connectionView } from "./views/connection.js";
import { settingsView } from "./views/settings.js";
import { closeDialogs } from "./widgets/dialog.js";
import { failure, loading } from "./widgets/states.js";

route("/", "overview", overviewView);
route("/analysis", "analysis", analysisView);
route("/screens", "screens", screensView);
route("/screen/:id", "screens", screenView);
route("/rules", "rules", rulesView);
route("/rules/text", "rules", editorView);
route("/rules/draft", "rules", draftView);
route("/rules/history", "rules", historyView);
route("/drift", "rules", driftView);
route("/plan", "rules", planView);
route("/plan/acceptance", "rules", acceptanceView);
route("/plan/releases", "rules", releasesView);
route("/coverage", "screens", coverageView);
route("/rule/:id", "rules", ruleView);
route("/live", "live", liveView);
route("/connect", "connect", connectView);
route("/connection/:id", "connect", connectionView);
route("/settings", "settings", settingsView);

const root = document.getElementById("app");
let leave = null;

/** Shows the view that the address names. A view gets a place, and may return a function that is called when it is left. */
const show = () => redraw(root, showView);

function showView() {
  if (leave) leave();
  leave = null;
  closeDialogs();
  if (!session.authenticated) {
    put(root, loginView(startInside));
    return;
  }
  const place = here();
  const shell = frame(place.name, start);
  put(root, shell.node);
  if (!place.view) {
    put(shell.content, failure({ message: t("missing_page") }));
    return;
  }
  const controller = new AbortController();
  const left = place.view({
    place: shell.content,
    title: shell.title,
    ...place,
    signal: controller.signal,
    // A change that was begun here may end after the view was left. The view that is shown then stays as it is.
    reload: () => here().view === place.view && show(),
    // Nor does it lead away from there.
    leaveFor: (path, query) => controller.signal.aborted || go(path, query),
  });
  leave = () => {
    controller.abort();
    if (typeof left === "function") left();
  };
  // A view that handles steps back and forth itself need not be built again.
  leave.moved = left?.moved;
  shell.content.scrollTop = 0;
}

async function start() {
  // The page would stay empty while a slow service answers.
  const slow = setTimeout(() => root.firstChild || put(root, loading(160, 3)), 500);
  try {
    await readSession();
    show();
  } catch (error) {
    put(root, failure(error, start));
  }
  clearTimeout(slow);
}

/** Starts after logging in; the keyboard goes on in the view. */
async function startInside() {
  await start();
  if (session.authenticated) document.getElementById("content")?.focus({ preventScroll: true });
}

let shownPath = location.hash.split("?")[0];
addEventListener("hashchange", () => {
  // People who use a keyboard or a screen reader continue at the new view, not at the navigation.
  const path = location.hash.split("?")[0];
  if (path === shownPath && leave?.moved?.(here().query)) return;
  show();
  if (path !== shownPath) document.getElementById("content")?.focus({ preventScroll: true });
  shownPath = path;
});
// A browser opens a dropped file in place of the page, and what is on it is gone, unless something takes the file.
for (const name of ["dragover", "drop"])
  addEventListener(name, (event) => {
    if (event.defaultPrevented || !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  });
whenSessionEnds.add(() => {
  session.authenticated = false;
  // Of several requests that are refused, some may be late: a token that is being written stays.
  if (!root.querySelector(":scope > .login")) show();
});
whenPrefsChange((names) => {
  if (names.includes("language")) applyLanguage();
  if (["language", "ruleset", "project"].some((name) => names.includes(name))) show();
});
applyTheme();
applyLanguage();
start();
