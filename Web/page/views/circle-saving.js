// Saves a rule that is circled, and shows what came of it.

import { h, put, whileDisabled } from "../core/dom.js";
import { link } from "../core/router.js";
import { addRule, changeRule, checkedRules, draftRule } from "../core/rulesets.js";
import { t } from "../core/strings.js";
import { keepUnsaved } from "../core/unsaved.js";
import { findingsList } from "../widgets/findings.js";
import { loading, notice, refusal } from "../widgets/states.js";
import { complain, toast } from "../widgets/toast.js";
import { propertyList } from "./element-details.js";

export class RuleSaving {
  /**
   * `current()` returns the input of the element that is shown, the name under which the tab keeps it, and
   * `isCurrent`, which says later whether it still is. `keep` keeps the input, `forget` forgets it, and `whenSaved`
   * is called once a rule has been saved.
   */
  constructor({ signal, current, keep, forget, whenSaved }) {
    Object.assign(this, { signal, current, keep, forget, whenSaved });
    this.renew();
  }

  /** Makes a new node for what comes of saving. */
  renew() {
    this.node = h("div", { role: "status" });
    return this.node;
  }

  save(button) {
    return whileDisabled(button, () => this.saveInput(button));
  }

  async saveInput(button) {
    put(this.node, loading(40));
    // While the answer is awaited, people may write on or select another element: none of that is saved with this request.
    const { input, unsavedKey, isCurrent } = this.current();
    const { id } = input;
    const written = input.written();
    try {
      // A rule that is there already keeps what is not shown here, such as exceptions and time limits.
      const etag = input.seenTag;
      const saved = etag ? await changeRule(id, input.changes(), etag) : await addRule(id, input.rule());
      if (!isCurrent()) {
        keepUnsaved(unsavedKey, null);
        toast(t("saved_draft", { id }));
        await this.whenSaved(id);
        return;
      }
      input.noteSaved(id, saved, written);
      this.forget();
      if (JSON.stringify(input.written()) !== JSON.stringify(written)) this.keep();
      await this.whenSaved(id);
      this.findings = h("div", { class: "stack tight" });
      put(
        this.node,
        notice(
          "good",
          h("strong", {}, t("saved_draft", { id })),
          h(
            "div",
            { class: "row" },
            h("a", { class: "button small primary", href: link("/rules/draft") }, t("review_publish")),
            h("a", { class: "button small", href: link(`/rule/${encodeURIComponent(id)}`) }, t("open_rule")),
          ),
        ),
        this.findings,
      );
      this.check(id);
    } catch (error) {
      const isShown = isCurrent() && this.node.isConnected;
      if (isShown && error.status === 412) await this.showConflict(input, id, button);
      else if (isShown) put(this.node, refusal(error));
      // Without a session, the page asks for one.
      else if (error.status !== 401) complain(h("strong", {}, t("not_saved", { id })), refusal(error));
    }
  }

  /** The selections of another rule of this id and of this one, until somebody chooses. */
  async showConflict(input, id, button) {
    try {
      const { rule, etag } = await draftRule(id);
      const replace = () => {
        input.see(id, etag);
        this.save(button);
      };
      const side = (title, clauses) =>
        h(
          "div",
          {},
          h("strong", {}, title),
          [clauses].flat().map((clause) => propertyList(clause)),
        );
      const isEdited = input.editing?.id === id;
      put(
        this.node,
        notice(
          "warn",
          h("strong", {}, t(isEdited ? "rule_changed" : "rule_exists", { id })),
          rule.name && h("p", {}, rule.name),
          side(t("theirs"), rule.exclude ?? rule.include ?? {}),
          side(t("mine"), input.clauses()),
          !isEdited && h("p", { class: "small muted" }, t("replace_keeps")),
          h(
            "div",
            { class: "row" },
            h("button", { class: "button small", type: "button", onclick: replace }, t("replace_rule")),
          ),
        ),
      );
    } catch (error) {
      put(this.node, error.status === 404 ? this.goneNotice(input, id, button) : refusal(error));
    }
  }

  /** Says that the rule that was edited is gone, and offers to add it with what is written here. */
  goneNotice(input, id, button) {
    const add = () => {
      input.becomeNew();
      this.save(button);
    };
    return notice(
      "warn",
      h("strong", {}, t("rule_gone", { id })),
      h("p", { class: "small muted" }, t("rule_gone_text")),
      h(
        "div",
        { class: "row" },
        h("button", { class: "button small", type: "button", onclick: add }, t("rule_add_again")),
      ),
    );
  }

  /** The findings about this rule, at the rule. */
  async check(id) {
    try {
      const { findings, etag } = await checkedRules({ signal: this.signal });
      const mine = findings.filter((finding) => finding.rule === id);
      put(
        this.findings,
        mine.length > 0 && [h("h3", {}, t("findings")), findingsList(mine, { etag, fixed: () => this.check(id) })],
      );
    } catch {
      // The draft is saved; the review shows what check finds, or why it cannot say.
    }
  }
}
