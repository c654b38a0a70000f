// Names within sentences and lines. A name may be written from right to left, or have marks of direction, such as U+202E: it must
// not turn the words after it around.

/** Characters that are written from right to left, and marks of direction. */
const directed =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const [start, end] = ["\u2068", "\u2069"];

/** The text between Unicode's marks of an isolate, if it has a direction of its own. */
export function isolated(given) {
  const text = String(given);
  if (!directed.test(text)) return text;
  // An end without a start would end this isolate.
  let open = 0;
  const kept = text.replace(/[\u2066-\u2069]/g, (mark) => {
    if (mark === end && open === 0) return "";
    open += mark === end ? -1 : 1;
    return mark;
  });
  return start + kept + end.repeat(open + 1);
}

/** The parts in a line, with dots between them; those that are missing are left out. */
export const dotted = (...parts) => parts.filter(Boolean).map(isolated).join(" · ");
