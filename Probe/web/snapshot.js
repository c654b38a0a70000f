// Makes a snapshot of the current page as JSON that Encircle reads: elements, single text nodes, open shadow trees, cursors and
// rectangles. The value of the script is the JSON text; paste it into the console of a browser, or evaluate it with a driver.
// Typed text is omitted: values of fields, and text in editable elements.
// Rectangles refer to the whole page; if `globalThis.encircleVisiblePart` is true, to its visible part, for a picture of it.
(() => {
  const html = 'http://www.w3.org/1999/xhtml';
  const keepsValue = ['button', 'submit', 'reset', 'image', 'checkbox', 'radio'];
  const isPart = globalThis.encircleVisiblePart === true;
  const page = document.documentElement;
  const round = (number) => Math.round(number * 100) / 100;

  function attributes(element) {
    const result = {};
    const isField = element.namespaceURI === html && element.localName === 'input';
    const type = (Element.prototype.getAttribute.call(element, 'type') || '').toLowerCase();
    for (const { name, value } of Array.from(Object.getOwnPropertyDescriptor(Element.prototype, 'attributes').get.call(element))) {
      if (isField && name === 'value' && !keepsValue.includes(type)) continue;
      result[name] = value;
    }
    return result;
  }

  function snapshot(element, isTyped) {
    const isEditable = isTyped || element.isContentEditable === true;
    const result = [
      element.prefix ? `${element.prefix}:${element.localName}` : element.localName,
      attributes(element),
      children(element, isEditable),
    ];
    const more = {};
    if (element.namespaceURI !== html) more.ns = element.namespaceURI;
    if (getComputedStyle(element).cursor === 'pointer') more.pointer = true;
    const box = Element.prototype.getBoundingClientRect.call(element);
    const [left, top] = isPart ? [0, 0] : [scrollX, scrollY];
    more.rect = [round(box.x + left), round(box.y + top), round(box.width), round(box.height)];
    if (element.shadowRoot) more.shadow = children(element.shadowRoot, isEditable);
    result.push(more);
    return result;
  }

  function children(node, isTyped) {
    const nodes = Object.getOwnPropertyDescriptor(Node.prototype, 'childNodes').get.call(node);
    return Array.from(nodes, (child) => {
      if (child instanceof Element || child.nodeType === 1) return snapshot(child, isTyped);
      if (child.nodeType === 3 || child.nodeType === 4) return isTyped ? '' : child.data;
      return null;
    });
  }

  return JSON.stringify({
    url: location.href,
    title: String(document.title),
    size: isPart
      ? [innerWidth, innerHeight]
      : [Math.max(page.scrollWidth, innerWidth), Math.max(page.scrollHeight, innerHeight)],
    capturedAt: new Date().toISOString(),
    root: snapshot(page, false),
  });
})();
