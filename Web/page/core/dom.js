// Builds elements. Texts only ever become text nodes, so that nothing in a capture or an event can be markup.

const svgNames = "http://www.w3.org/2000/svg";

/**
 * An element of HTML. `props`: `class`, `on…` listeners, `style` as an object, properties of the element, else
 * attributes.
 */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** An element of SVG. */
export function s(tag, props, ...children) {
  return fill(document.createElementNS(svgNames, tag), props, children);
}

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || (value === false && !name.startsWith("aria-"))) continue;
    if (name.startsWith("aria-")) node.setAttribute(name, String(value));
    else if (name === "class") node.setAttribute("class", value);
    else if (name === "style") setStyle(node, value);
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "selected" || name === "indeterminate")
      node[name] = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

function setStyle(node, style) {
  for (const [name, value] of Object.entries(style)) node.style.setProperty(name, value);
}

function append(node, children) {
  for (const child of children) {
    if (child === undefined || child === null || child === false || child === "") continue;
    if (Array.isArray(child)) append(node, child);
    else node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Replaces all children of `node` with these. */
export function put(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

/**
 * Redraws the content of `node`. Redrawing replaces the element with the focus; its successor in the same place gets the
 * focus, so that people who use a keyboard stay where they are.
 */
export function redraw(node, draw) {
  const focused = document.activeElement;
  const places = [];
  for (let one = focused; node.contains(one) && one !== node; one = one.parentElement)
    places.unshift([...one.parentElement.children].indexOf(one));
  draw();
  if (!places.length || node.contains(document.activeElement)) return;
  const now = places.reduce((parent, place) => parent?.children[place], node);
  if (now?.tagName === focused.tagName && now.type === focused.type) now.focus({ preventScroll: true });
}

/** Gives the view the focus if nothing has it, as after the control with it was redrawn. */
export function focusView() {
  if (document.activeElement === document.body) document.getElementById("content")?.focus({ preventScroll: true });
}

/**
 * Disables a button that was pressed while `action` runs. A button that is disabled loses the focus; it gets it back, unless
 * something else has it by then. If the button is gone, the view gets it.
 */
export async function whileDisabled(button, action) {
  const hadFocus = document.activeElement === button;
  button.disabled = true;
  try {
    await action();
  } finally {
    button.disabled = false;
  }
  if (!hadFocus) return;
  if (document.activeElement === document.body) button.focus({ preventScroll: true });
  focusView();
}

let lastID = 0;
/** A document-wide unique id, for labels and descriptions. */
export const uniqueID = (prefix = "e") => `${prefix}-${++lastID}`;

/**
 * Attempts at one thing, of which only the newest counts. Each call of the function that this returns begins an attempt, and
 * returns a function that says later whether it still is the newest.
 */
export function attempts() {
  let newest = 0;
  return () => {
    const mine = (newest += 1);
    return () => mine === newest;
  };
}

/** Calls `action` once, `delay` milliseconds after the last call. */
export function debounced(delay, action) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...given), delay);
  };
}
