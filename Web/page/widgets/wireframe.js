// Draws a screen from the frames of its elements, where there is no screenshot.

import { colour } from "../core/prefs.js";

const kinds = [
  [/AlertControllerView|AlertControllerPhoneTVMacView|AlertDialogLayout|AlertController\b/i, "alert"],
  [/DimmingView/, "shade"],
  [/switch|toggle|checkbox/i, "switch"],
  [/button|segment(?!ed)|tabbaritem|_UIAlertControllerActionView/i, "button"],
  [/image|icon|avatar|^(img|svg|video|canvas)$/i, "image"],
  [/textfield|textview|searchbar|edittext|securetext|^(input|textarea|select)$/i, "input"],
  [/slider|progress/i, "slider"],
  [/cell\b|cell$|^(li|tr)$/i, "cell"],
  [/bar$|navigationbar|tabbar|toolbar|^(header|footer|nav)$/i, "bar"],
];

/** True if an element is a window of Android that does not fill the screen, such as a dialog. It hides what is beneath it. */
const isDialog = ({ class: name, parent, frame }) =>
  /^android\.|\.DecorView$/.test(name) && (parent === null || parent === undefined) && (frame[0] > 0 || frame[1] > 0);

const kindOf = (element) =>
  isDialog(element) ? "alert" : (kinds.find(([pattern]) => pattern.test(element.class))?.[1] ?? "view");

/** The elements with what drawing needs, in its order: their kind, and the text where no element inside shows it. */
export function planWireframe(elements) {
  const parents = new Map(elements.map((element) => [element.element, element.parent]));
  const shows = new Set();
  for (const element of elements) {
    if (!element.content) continue;
    for (
      let parent = element.parent;
      parent !== null && parent !== undefined && !shows.has(parent);
      parent = parents.get(parent)
    )
      shows.add(parent);
  }
  return elements
    .filter((element) => element.frame && !element.hidden && element.frame[2] > 0 && element.frame[3] > 0)
    .map((element) => ({
      element,
      kind: kindOf(element),
      text: shows.has(element.element) ? "" : (element.content ?? ""),
    }));
}

export function drawWireframe(context, plan, width, height, scale) {
  const ink = {
    screen: colour("wire-screen"),
    fill: colour("wire-fill"),
    line: colour("wire-line"),
    control: colour("wire-control"),
    text: colour("wire-text"),
    // Android captures are in pixels: three of them, or so, make a point.
    unit: Math.max(1, Math.min(width, height) / 390),
  };
  context.fillStyle = ink.screen;
  context.fillRect(0, 0, width, height);
  context.lineWidth = 1 / scale;
  for (const { element, kind, text } of plan) {
    const [x, y, w, h] = element.frame;
    if (x > width || y > height || x + w < 0 || y + h < 0) continue;
    if (h * scale >= 3 && w * scale >= 3) drawShape(context, kind, Boolean(text), x, y, w, h, ink);
    if (text && h * scale >= 7) drawText(context, text, kind, x, y, w, h, ink);
  }
}

function box(context, x, y, w, h, radius) {
  context.beginPath();
  context.roundRect(x, y, w, h, Math.min(radius, w / 2, h / 2));
}

function drawShape(context, kind, hasText, x, y, w, h, ink) {
  context.strokeStyle = ink.line;
  context.fillStyle = ink.fill;
  switch (kind) {
    case "button":
      box(context, x, y, w, h, 8 * ink.unit);
      context.fillStyle = ink.control;
      context.fill();
      break;
    case "image":
      box(context, x, y, w, h, 6 * ink.unit);
      context.fill();
      context.beginPath();
      context.moveTo(x + w * 0.15, y + h * 0.8);
      context.lineTo(x + w * 0.4, y + h * 0.45);
      context.lineTo(x + w * 0.6, y + h * 0.68);
      context.lineTo(x + w * 0.72, y + h * 0.55);
      context.lineTo(x + w * 0.86, y + h * 0.8);
      context.closePath();
      context.fillStyle = ink.line;
      context.fill();
      break;
    case "switch":
      box(context, x, y, w, h, h / 2);
      context.fillStyle = ink.control;
      context.fill();
      context.beginPath();
      context.arc(x + w - h / 2, y + h / 2, Math.max(1, h / 2 - 3), 0, 7);
      context.fillStyle = ink.screen;
      context.fill();
      break;
    case "slider":
      box(context, x, y + h / 2 - 2, w, 4, 2);
      context.fillStyle = ink.control;
      context.fill();
      break;
    case "input":
      box(context, x, y, w, h, 8 * ink.unit);
      context.fill();
      context.stroke();
      break;
    case "alert":
      // Nothing beneath an alert shines through.
      context.save();
      context.shadowColor = "rgb(0 0 0 / 30%)";
      context.shadowBlur = 18;
      box(context, x, y, w, h, 13 * ink.unit);
      context.fillStyle = ink.screen;
      context.fill();
      context.restore();
      box(context, x, y, w, h, 13 * ink.unit);
      context.stroke();
      break;
    case "shade":
      context.globalAlpha = 0.28;
      context.fillStyle = "#000";
      context.fillRect(x, y, w, h);
      context.globalAlpha = 1;
      break;
    case "bar":
      context.fillRect(x, y, w, h);
      context.strokeRect(x, y, w, h);
      break;
    case "cell":
      context.beginPath();
      context.moveTo(x, y + h);
      context.lineTo(x + w, y + h);
      context.stroke();
      break;
    default:
      // A text is its own picture.
      if (!hasText && (w < 360 || h < 500)) {
        context.globalAlpha = 0.45;
        context.strokeRect(x, y, w, h);
        context.globalAlpha = 1;
      }
  }
}

function drawText(context, text, kind, x, y, w, h, ink) {
  const size = Math.max(6, Math.min(15 * ink.unit, h * 0.62));
  context.font = `${kind === "button" ? "600 " : ""}${size}px system-ui, "PingFang SC", "Noto Sans CJK SC", sans-serif`;
  context.fillStyle = ink.text;
  context.textBaseline = "middle";
  const line = text.length > 120 ? text.slice(0, 120) : text.replace(/\s+/g, " ");
  const centred = kind === "button";
  context.save();
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
  const measured = context.measureText(line).width;
  context.fillText(
    line,
    centred ? x + Math.max(0, (w - measured) / 2) : x + (kind === "input" ? 8 * ink.unit : 0),
    y + h / 2,
  );
  context.restore();
}
