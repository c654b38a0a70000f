// The properties that rules give an event, as the service answers them: by rule and name.

import { h } from "../core/dom.js";

export const givenProperties = (properties) =>
  Object.entries(properties ?? {}).flatMap(([rule, values]) =>
    Object.entries(values).map(([name, value]) =>
      h("span", { class: "badge given wrap-anywhere", title: rule }, `${name}: ${String(value).slice(0, 80)}`),
    ),
  );
