// A chart of several series over time: curves, or bars.

import { h, put, s } from "../core/dom.js";
import { axisTime, number, short } from "../core/format.js";
import { t } from "../core/strings.js";

const margins = { left: 46, right: 10, top: 12, bottom: 24 };

/**
 * `series`: `[{name, colour, values, before}]`, `colour` a class, `before` the values of the period before, if there
 * are any. `shape`: `curve`, `bars` (beside each other), `stack`, or `overlay` for series that are each a part of the
 * one before.
 * The table beside the chart has the same numbers.
 */
export function seriesChart({ times, series, shape, hourly, label }) {
  const tip = h("div", { class: "chart-tip series-tip", hidden: true });
  const place = h("div", {});
  const box = h("div", { class: "chart-box", role: "group", tabindex: "0", "aria-label": label }, place, tip);
  let plan = null;
  let at = -1;
  // The chart is drawn for the available width, so that texts keep their size on a phone.
  new ResizeObserver(() => {
    if (!box.clientWidth || plan?.width === box.clientWidth) return;
    plan = layOut(times, series, shape, box.clientWidth, box.clientWidth < 500 ? 200 : 280);
    put(place, draw(times, series, shape, hourly, plan));
  }).observe(box);

  function point(index) {
    at = index;
    tip.hidden = !plan || !(index in times);
    if (tip.hidden) return;
    put(
      tip,
      h("strong", {}, bucketTime(times[index], hourly)),
      series.map((one) =>
        h(
          "div",
          { class: "row" },
          h("i", { class: `swatch ${one.colour}` }),
          h("span", { class: "ellipsis" }, one.name),
          h("span", { class: "spring" }),
          number(one.values[index]),
          one.before && h("span", { class: "of" }, t("series_before", { count: number(one.before[index]) })),
        ),
      ),
    );
    const isLeft = plan.x(index) < plan.width / 2;
    tip.style.left = isLeft ? `${plan.x(index) + 12}px` : "auto";
    tip.style.right = isLeft ? "auto" : `${plan.width - plan.x(index) + 12}px`;
  }
  box.addEventListener(
    "pointermove",
    (event) => plan && point(Math.floor((event.clientX - box.getBoundingClientRect().left - margins.left) / plan.step)),
  );
  box.addEventListener("pointerleave", () => point(-1));
  box.addEventListener("blur", () => point(-1));
  box.addEventListener("keydown", (event) => {
    const steps = {
      ArrowRight: at + 1,
      ArrowLeft: at < 0 ? times.length - 1 : at - 1,
      Home: 0,
      End: times.length - 1,
      Escape: -1,
    };
    if (!(event.key in steps)) return;
    event.preventDefault();
    point(event.key === "Escape" ? -1 : Math.min(times.length - 1, Math.max(0, steps[event.key])));
  });
  return box;
}

/** A round number that is not below `value`, for the top of an axis. */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((step) => step >= value);
}

/** The beginning of a bucket as people say it. The service counts by days of UTC, so that is the day to name. */
export function bucketTime(text, hourly) {
  if (hourly) return `${axisTime(text)} ${axisTime(text, true)}`;
  return axisTime(text.slice(0, 10));
}

function layOut(times, series, shape, width, height) {
  const stacked = times.map((_, index) => series.reduce((sum, one) => sum + one.values[index], 0));
  const single = series.flatMap((one) => [...one.values, ...(shape === "stack" ? [] : (one.before ?? []))]);
  const most = (shape === "stack" ? stacked : single).reduce((most, value) => Math.max(most, value), 1);
  // Events and people are whole: half of one is no line to read.
  const top = Math.max(2, roundUp(most));
  const inner = { width: width - margins.left - margins.right, height: height - margins.top - margins.bottom };
  const step = inner.width / Math.max(1, times.length);
  return {
    width,
    height,
    top,
    inner,
    step,
    x: (index) => margins.left + step * (index + 0.5),
    y: (value) => margins.top + inner.height * (1 - value / top),
  };
}

function draw(times, series, shape, hourly, plan) {
  const { width, height, top, x, y } = plan;
  const chart = s("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" });
  for (const part of [0, 0.5, 1]) {
    chart.append(
      s("line", {
        x1: margins.left,
        x2: width - margins.right,
        y1: y(top * part),
        y2: y(top * part),
        class: "grid-line",
      }),
      s("text", { x: margins.left - 8, y: y(top * part) + 4, "text-anchor": "end" }, short(top * part)),
    );
  }
  const every = Math.max(1, Math.ceil(times.length / Math.max(2, Math.floor(width / 90))));
  for (let index = 0; index < times.length; index += every) {
    chart.append(
      s(
        "text",
        { x: x(index), y: height - 6, "text-anchor": "middle" },
        axisTime(hourly ? times[index] : times[index].slice(0, 10), hourly && times.length <= 48),
      ),
    );
  }
  if (shape === "curve") drawCurves(chart, series, plan);
  else drawBars(chart, times, series, shape, plan);
  return chart;
}

function drawCurves(chart, series, { x, y }) {
  const curve = (values) =>
    values.map((value, index) => `${index ? "L" : "M"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  // The first one lies on top.
  for (const one of [...series].reverse()) {
    if (one.before) chart.append(s("path", { class: `curve before ${one.colour}`, d: curve(one.before) }));
    chart.append(s("path", { class: `curve ${one.colour}`, d: curve(one.values) }));
    if (one.values.length <= 62)
      one.values.forEach((value, index) =>
        chart.append(
          s("circle", { class: `knot ${one.colour}`, cx: x(index), cy: y(value), r: one.values.length > 31 ? 1.8 : 3 }),
        ),
      );
  }
}

function drawBars(chart, times, series, shape, { step, x, y }) {
  const bars = series.flatMap((one) =>
    one.before && shape === "bars" ? [{ ...one, values: one.before, colour: `before ${one.colour}` }, one] : [one],
  );
  const all = Math.max(1.5, Math.min(60, step * 0.76));
  const wide = shape === "bars" ? all / bars.length : all;
  for (const index of times.keys()) {
    let below = 0;
    bars.forEach((one, position) => {
      const value = one.values[index];
      if (!value) return;
      const left = x(index) - all / 2 + (shape === "bars" ? position * wide : 0);
      const high = Math.max(1, y(below) - y(below + value));
      chart.append(
        s("rect", {
          class: `bar ${one.colour}`,
          x: left,
          y: y(below) - high,
          width: Math.max(0.8, wide - (wide > 6 ? 1 : 0)),
          height: high,
          rx: shape === "stack" ? 0 : Math.min(3, wide / 4),
        }),
      );
      if (shape === "stack") below += value;
    });
  }
}
