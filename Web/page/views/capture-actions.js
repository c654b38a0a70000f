// The actions on a stored capture: renaming it, naming its page, replacing its picture, and removing it.

import { may, request } from "../core/api.js";
import { dotted } from "../core/bidi.js";
import { h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { t } from "../core/strings.js";
import { field, limitBytes } from "../widgets/controls.js";
import { ask } from "../widgets/dialog.js";
import { refusal } from "../widgets/states.js";
import { complain, toast } from "../widgets/toast.js";

/** What is asked for the pages of captures whose formats do not name them. */
const pageKinds = { uiautomator: "activity", axe: "activity", html: "page_address" };

/** True if nobody has named the page of a capture that cannot name it itself. */
export const lacksPage = (capture) => !capture.page && Object.hasOwn(pageKinds, capture.format);

const pathOf = (capture) => `/v1/captures/${encodeURIComponent(capture.id)}`;
const pageField = (label, value = "") => {
  const input = limitBytes(h("input", { value, spellcheck: "false", autocomplete: "off" }), 200);
  return { input, node: field(label, input) };
};

/** Asks for the pages of captures; `changed` is called once those that were entered are stored. */
export function askPages(captures, changed) {
  const fields = captures.map((capture) => pageField(dotted(capture.name, t(pageKinds[capture.format]))));
  ask({
    title: t("name_pages"),
    fields: [h("p", { class: "muted" }, t("name_pages_text")), fields.map(({ node }) => node)],
    confirm: t("name_pages_save"),
    run: async () => {
      for (const [place, { input }] of fields.entries()) {
        const page = input.value.trim();
        if (page) await request("PATCH", pathOf(captures[place]), { body: { page } });
      }
      changed();
    },
  });
}

/**
 * Buttons for those who may change captures; `changed` is called when the capture is another one than before. `leaveFor` goes from
 * the view that shows it to another.
 */
export function captureActions(capture, changed, leaveFor) {
  if (!may("author")) return null;
  const path = pathOf(capture);
  const picture = h("input", {
    type: "file",
    accept: "image/png,image/jpeg",
    class: "visually-hidden",
    tabindex: "-1",
    "aria-hidden": "true",
    onchange: replace,
  });
  const button = (name, label, run) =>
    h(
      "button",
      { class: "button small icon-only", type: "button", "aria-label": label, title: label, onclick: run },
      icon(name, 16),
    );

  function rename() {
    const name = limitBytes(h("input", { name: "name", required: true, value: capture.name ?? "" }), 200);
    const kind = pageKinds[capture.format];
    const page = kind && pageField(t(kind), capture.page ?? "");
    ask({
      title: t("rename_screen"),
      fields: [field(t("rule_name"), name), page?.node],
      key: `rename:${capture.id}`,
      confirm: t("rename"),
      run: async () => {
        const named = page?.input.value.trim();
        const isOther = named && named !== capture.page;
        await request("PATCH", path, { body: { name: name.value, ...(isOther && { page: named }) } });
        changed();
      },
    });
  }

  async function replace() {
    const [file] = picture.files;
    picture.value = "";
    if (!file) return;
    try {
      await request("PUT", `${path}/screenshot`, { body: file, type: file.type || "application/octet-stream" });
      toast(t("picture_replaced"));
      changed();
    } catch (error) {
      complain(h("strong", {}, t("picture_refused")), refusal(error));
    }
  }

  function remove() {
    ask({
      title: t("remove_screen_ask"),
      fields: [h("p", { class: "muted" }, t("remove_screen_text"))],
      confirm: t("remove_screen"),
      danger: true,
      run: async () => {
        await request("DELETE", path);
        toast(t("screen_removed"));
        leaveFor("/screens");
      },
    });
  }

  return h(
    "span",
    { class: "row" },
    picture,
    lacksPage(capture) &&
      h(
        "button",
        { class: "button small", type: "button", onclick: () => askPages([capture], changed) },
        t("name_page"),
      ),
    button("edit", t("rename_screen"), rename),
    button("upload", t("replace_picture"), () => picture.click()),
    button("rubbish", t("remove_screen"), remove),
  );
}
