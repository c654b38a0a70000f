// The actions on a stored capture: renaming it, replacing its picture, and removing it.

import { may, request } from "../core/api.js";
import { h } from "../core/dom.js";
import { icon } from "../core/icons.js";
import { t } from "../core/strings.js";
import { field, limitBytes } from "../widgets/controls.js";
import { ask } from "../widgets/dialog.js";
import { refusal } from "../widgets/states.js";
import { complain, toast } from "../widgets/toast.js";

/**
 * Buttons for those who may change captures; `changed` is called when the capture is another one than before. `leaveFor` goes from
 * the view that shows it to another.
 */
export function captureActions(capture, changed, leaveFor) {
  if (!may("author")) return null;
  const path = `/v1/captures/${encodeURIComponent(capture.id)}`;
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
    ask({
      title: t("rename_screen"),
      fields: [field(t("rule_name"), name)],
      key: `rename:${capture.id}`,
      confirm: t("rename"),
      run: async () => {
        await request("PATCH", path, { body: { name: name.value } });
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
    button("edit", t("rename_screen"), rename),
    button("upload", t("replace_picture"), () => picture.click()),
    button("rubbish", t("remove_screen"), remove),
  );
}
