// All stored screens, by page, with thumbnails.

import { dotted } from "../core/bidi.js";
import * as messages from "../core/messages.js";
import { get, may, request } from "../core/api.js";
import { attempts, debounced, h, put } from "../core/dom.js";
import { ago, asName, number, startOf } from "../core/format.js";
import { icon } from "../core/icons.js";
import { prefs } from "../core/prefs.js";
import { link, note } from "../core/router.js";
import { t } from "../core/strings.js";
import { searchField, select } from "../widgets/controls.js";
import { empty, failure, loading } from "../widgets/states.js";
import { complain, toast } from "../widgets/toast.js";
import { viewHead } from "../widgets/view-head.js";
import { askPages, lacksPage } from "./capture-actions.js";

const pageSize = 60;

export function screensView({ place, title, query, signal, reload }) {
  title(t("nav_screens"));
  const grid = h("div", { class: "shelf" });
  const end = h("div", {});
  const count = h("span", { class: "muted", role: "status" });
  const versions = h("span", {});
  let state = { search: query.search ?? "", app_version: query.app_version ?? "" };
  const begin = attempts();
  let shown = 0;
  let total = 0;
  let busy = false;

  const refill = debounced(180, () => load(true));
  // The query is kept at once, so that two quick changes do not lose the first.
  const change = (part) => {
    state = { ...state, ...part };
    note(state);
    refill();
  };
  put(
    place,
    h(
      "div",
      { class: "view" },
      viewHead({
        title: t("nav_screens"),
        about: count,
        tools: [
          searchField(t("search_screens"), state.search, (search) => change({ search })),
          versions,
          h("a", { class: "button small", href: link("/coverage") }, t("coverage")),
          may("author") && uploadButton(reload, signal),
        ],
      }),
      grid,
      end,
    ),
  );
  const content = place;
  if (may("author")) acceptDrops(content, reload, signal);

  async function load(fresh) {
    if (busy && !fresh) return;
    busy = true;
    const isNewest = begin();
    if (fresh) {
      shown = 0;
      put(grid);
      put(end, loading(220, 2));
    }
    try {
      // Whatever contains a text that is too long for a search contains its start, too.
      const answer = await get(
        "/v1/screens",
        { ...state, search: startOf(state.search), ruleset: prefs.ruleset, offset: shown, limit: pageSize },
        { signal },
      );
      if (!isNewest()) return;
      total = answer.total;
      shown += answer.screens.length;
      grid.append(...answer.screens.map(card));
      put(end);
      count.textContent = number(total);
      // The version in a link may be gone, and must still be shown as the chosen one.
      const known = [...new Set([...answer.versions, state.app_version])].filter(Boolean);
      if (known.length && !versions.firstChild) {
        put(
          versions,
          select(
            [
              ["", t("all_versions")],
              ...known.sort((a, b) => b.localeCompare(a, "en", { numeric: true })).map((one) => [one, `v${one}`]),
            ],
            state.app_version,
            (app_version) => change({ app_version }),
            t("app_version"),
          ),
        );
      }
      if (!total) {
        put(
          end,
          state.search || state.app_version
            ? empty(t("nothing_found"), t("nothing_found_text"))
            : empty(
                t("no_captures"),
                t("no_captures_text"),
                may("author") && uploadButton(reload, signal),
                h("a", { class: "button", href: link("/connect") }, t("connect_app")),
              ),
        );
      }
    } catch (error) {
      if (!isNewest()) return;
      busy = false;
      if (error.name !== "AbortError")
        put(
          end,
          failure(error, () => load(true)),
        );
      return;
    }
    busy = false;
    if (shown < total && place.scrollHeight <= place.clientHeight + 400) load(false);
  }
  const onScroll = () => {
    if (shown < total && place.scrollTop + place.clientHeight > place.scrollHeight - 800) load(false);
  };
  place.addEventListener("scroll", onScroll, { passive: true });
  load(true);
  return () => place.removeEventListener("scroll", onScroll);
}

function card(screen) {
  const [newest, ...older] = screen.captures;
  return h(
    "article",
    { class: "card screen-card", "aria-label": screen.title || screen.page || newest?.name },
    h(
      "a",
      { href: link(`/screen/${newest.id}`), class: "thumb", tabindex: "-1", "aria-hidden": "true" },
      image(newest),
    ),
    h(
      "div",
      { class: "about" },
      h(
        "a",
        {
          href: link(`/screen/${newest.id}`),
          class: "ellipsis",
          style: { "font-weight": 650, "text-decoration": "none" },
        },
        screen.title || newest.title || newest.name || screen.page,
      ),
      h("span", { class: "small muted ellipsis", title: screen.page }, screen.page || newest.name),
      h(
        "span",
        { class: "row wrap small" },
        (screen.versions ?? [])
          .slice(0, 3)
          .map((version) => h("span", { class: "badge wrap-anywhere" }, `v${version}`)),
        screen.rules > 0 && h("span", { class: "badge accent" }, t("rules_count", { count: screen.rules })),
        older.length > 0 &&
          h(
            "select",
            {
              "aria-label": t("other_captures"),
              class: "small",
              onchange: (event) => {
                if (event.target.value) location.hash = link(`/screen/${event.target.value}`);
              },
            },
            h("option", { value: "" }, t("more_captures", { count: older.length })),
            older.slice(0, 50).map((one) => h("option", { value: one.id }, one.name || one.id)),
          ),
      ),
    ),
  );
}

const image = (capture) =>
  h("img", {
    src: `/v1/captures/${encodeURIComponent(capture.id)}/thumbnail`,
    alt: "",
    loading: "lazy",
    decoding: "async",
  });

/** A capture as a small card. */
export const thumbnail = (capture) =>
  h(
    "a",
    { class: "card screen-card", href: link(`/screen/${capture.id}`) },
    h("span", { class: "thumb" }, image(capture)),
    h(
      "span",
      { class: "about" },
      h("strong", { class: "ellipsis" }, capture.title || capture.name || capture.page),
      h(
        "span",
        { class: "small muted ellipsis" },
        dotted(capture.app_version && `v${capture.app_version}`, ago(capture.uploaded_at)),
      ),
    ),
  );

/**
 * A button that uploads captures, each with the screenshot of the same name where there is one. `signal` is aborted once its view
 * is left.
 */
export function uploadButton(done, signal) {
  const input = h("input", {
    type: "file",
    multiple: true,
    class: "visually-hidden",
    tabindex: "-1",
    "aria-hidden": "true",
    onchange: () => {
      const files = [...input.files];
      // The same files can be chosen again once they have been mended.
      input.value = "";
      upload(files, done, signal);
    },
  });
  return h(
    "span",
    {},
    input,
    h("button", { class: "button primary", type: "button", onclick: () => input.click() }, icon("upload"), t("upload")),
  );
}

function acceptDrops(place, done, signal) {
  const mark = (on) => place.classList.toggle("drop", on);
  place.addEventListener(
    "dragover",
    (event) => {
      event.preventDefault();
      mark(true);
    },
    { signal },
  );
  place.addEventListener("dragleave", () => mark(false), { signal });
  place.addEventListener(
    "drop",
    (event) => {
      event.preventDefault();
      mark(false);
      if (event.dataTransfer.files.length) upload([...event.dataTransfer.files], done, signal);
    },
    { signal },
  );
}

async function upload(files, done, signal) {
  const stem = (file) => file.name.replace(/\.[^.]+$/, "");
  const isImage = (file) => /\.(png|jpe?g)$/i.test(file.name);
  const images = new Map(files.filter(isImage).map((file) => [stem(file), file]));
  const captures = files.filter((one) => !isImage(one));
  const names = new Set(captures.map(stem));
  const problems = [...images]
    .filter(([name]) => !names.has(name))
    .map(([, file]) => t("upload_lone", { name: file.name }));
  let stored = 0;
  let known = 0;
  const withoutPage = [];
  for (const file of captures) {
    const form = new FormData();
    form.append("capture", file);
    form.append("name", asName(stem(file)));
    if (images.has(stem(file))) form.append("screenshot", images.get(stem(file)));
    try {
      const { status, body } = await request("POST", "/v1/captures", { body: form, whole: true });
      if (status === 201) stored += 1;
      else known += 1;
      if (lacksPage(body.capture)) withoutPage.push(body.capture);
    } catch (error) {
      problems.push(explained(file, images.get(stem(file)), error));
    }
  }
  if (problems.length) {
    complain(
      h("strong", {}, t("not_uploaded", { count: problems.length })),
      h(
        "ul",
        {},
        problems.slice(0, 5).map((problem) => h("li", { class: "wrap-anywhere" }, problem)),
      ),
      problems.length > 5 && t("more_captures", { count: problems.length - 5 }),
    );
  }
  const said = dotted(stored && t("uploaded", { count: stored }), known && t("upload_known", { count: known }));
  if (said) {
    toast(said);
    // Another view may have been opened meanwhile.
    const isLeft = signal.aborted;
    done();
    if (withoutPage.length && !isLeft) askPages(withoutPage, done);
  }
}

/** The reason why a file was not stored: its meaning, then the service's message. */
function explained(file, screenshot, error) {
  if (error.status === 0) return `${file.name}${t("colon")}${t("unreachable")}`;
  if (error.location?.parameter === "screenshot")
    return `${screenshot?.name ?? file.name}${t("colon")}${messages.error(error)}`;
  if (error.code !== "bad-capture") return `${file.name}${t("colon")}${messages.error(error)}`;
  return file.size === 0
    ? t("upload_empty", { name: file.name })
    : [t("upload_unreadable", { name: file.name }), h("div", { class: "small", lang: "en" }, error.message)];
}
