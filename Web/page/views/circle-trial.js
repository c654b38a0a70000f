// Tries a rule as it stands, with the others, on an element or on an event that is pasted.

import { post } from "../core/api.js";
import { attempts, h, put } from "../core/dom.js";
import { prefs } from "../core/prefs.js";
import { draftOrPublished, draftRule, ruleSets } from "../core/rulesets.js";
import { t } from "../core/strings.js";
import { field } from "../widgets/controls.js";
import { explanation } from "../widgets/explanation.js";
import { loading, notice, refusal } from "../widgets/states.js";

export class RuleTrial {
  constructor({ capture, element, input, signal }) {
    Object.assign(this, { input, signal });
    this.begin = attempts();
    this.result = h("div", {});
    const event = h("textarea", {
      rows: 3,
      class: "mono",
      spellcheck: "false",
      placeholder: '{"event":"$AppClick","event_id":"…"}',
    });
    const button = (text, given) =>
      h("button", { class: "button small", type: "button", onclick: () => this.run(given) }, text);
    this.node = h(
      "details",
      { class: "section" },
      h("summary", {}, h("strong", {}, t("try_it"))),
      h("p", { class: "small muted" }, t("try_text")),
      h(
        "div",
        { class: "row wrap" },
        !element.isPage && button(t("try_element"), () => ({ capture: capture.id, element: element.element })),
      ),
      field(t("try_event"), event),
      h(
        "div",
        { class: "row wrap" },
        button(t("try_this_event"), () => ({ event: JSON.parse(event.value) })),
      ),
      this.result,
    );
  }

  /** Takes the result away: it is of what was written before. */
  end() {
    this.begin();
    put(this.result);
  }

  async run(given) {
    const isNewest = this.begin();
    put(this.result, loading(60));
    try {
      // Both as they are now: people may write on while the service is asked.
      const [tried, rules] = [given(), rulesWithThis(this.input)];
      const answer = await post("/v1/rules/explain", { ...(await rules), ...tried }, { signal: this.signal });
      if (isNewest()) put(this.result, explanation(answer));
    } catch (error) {
      if (!isNewest()) return;
      put(this.result, error instanceof SyntaxError ? notice("bad", t("no_json")) : refusal(error));
    }
  }
}

/** The rules that the input would go to, with it. */
async function rulesWithThis(input) {
  const id = input.id || "rule";
  const [changes, isStored] = [input.changes(), input.isStored];
  const hasDraft = (await ruleSets()).find((one) => one.name === prefs.ruleset)?.has_draft;
  const stored = isStored ? (await draftRule(id)).rule : {};
  const members = Object.entries({ ...stored, id, ...changes }).filter(([, value]) => value !== null);
  return { ...draftOrPublished(hasDraft), rule: Object.fromEntries(members) };
}
