// Places the elements of a capture that has no rectangles, such as a saved web page, as an outline: a line for each
// element, indented by its depth, and a frame around the elements inside it.

const line = 26;
const indent = 14;
const width = 620;

/** Sets the frames of the elements, if none has one, and returns the size of the outline; else nothing. */
export function outlined(elements) {
  if (!elements.length || elements.some((element) => element.frame && !element.isOutline)) return null;
  const byNumber = new Map(elements.map((element) => [element.element, element]));
  const depths = new Map();
  let bottom = 0;
  for (const element of elements) {
    const depth = (depths.get(element.parent) ?? -1) + 1;
    depths.set(element.element, depth);
    const x = Math.min(depth, 30) * indent;
    element.isOutline = true;
    element.frame = [x, bottom, width - x, line - 4];
    bottom += line;
  }
  // An element is at least as high as what is in it.
  for (const element of elements.toReversed()) {
    const parent = byNumber.get(element.parent);
    if (!parent) continue;
    const end = element.frame[1] + element.frame[3];
    parent.frame[3] = Math.max(parent.frame[3], end + 2 - parent.frame[1]);
  }
  return { width, height: Math.max(bottom, 200) };
}
