// Makes a snapshot of the current page as JSON that Encircle reads: elements, single text nodes, open shadow trees, cursors and
// rectangles. The value of the script is the JSON text; paste it into the console of a browser, or evaluate it with a driver.
// Typed text is omitted: values of fields, and text in `textarea` and editable elements.
// Rectangles refer to the whole page; if `globalThis.encircleVisiblePart` is true, to its visible part, for a picture of it.
(() => {
  const html = 'http://www.w3.org/1999/xhtml';
  const keepsValue = ['button', 'submit', 'reset', 'image', 'checkbox', 'radio'];
  const isPart = globalThis.encircleVisiblePart === true;
  // A form has its fields as properties: `<input name="prefix">` hides the form's own `prefix`. Getters of the prototypes are not
  // hidden. The document has its forms and images likewise.
  const read = (type, name, node) => Object.getOwnPropertyDescriptor(type.prototype, name).get.call(node);
  const page = read(Document, 'documentElement', document);
  const round = (number) => Math.round(number * 100) / 100;

  function attributes(element, isField) {
    const result = {};
    const type = (Element.prototype.getAttribute.call(element, 'type') || '').toLowerCase();
    for (const { name, value } of Array.from(read(Element, 'attributes', element))) {
      if (isField && name === 'value' && !keepsValue.includes(type)) continue;
      result[name] = value;
    }
    return result;
  }

  function snapshot(element, isTyped) {
    const own = (name) => read(Element, name, element);
    const [prefix, name, shadowRoot] = [own('prefix'), own('localName'), own('shadowRoot')];
    const isHTML = own('namespaceURI') === html;
    const isEditable = isTyped || (isHTML && (name === 'textarea' || read(HTMLElement, 'isContentEditable', element)));
    const result = [
      prefix ? `${prefix}:${name}` : name,
      attributes(element, isHTML && name === 'input'),
      children(element, isEditable),
    ];
    const more = {};
    if (!isHTML) more.ns = own('namespaceURI');
    if (getComputedStyle(element).cursor === 'pointer') more.pointer = true;
    const box = Element.prototype.getBoundingClientRect.call(element);
    const [left, top] = isPart ? [0, 0] : [scrollX, scrollY];
    more.rect = [round(box.x + left), round(box.y + top), round(box.width), round(box.height)];
    if (shadowRoot) more.shadow = children(shadowRoot, isEditable);
    result.push(more);
    return result;
  }

  function children(node, isTyped) {
    return Array.from(read(Node, 'childNodes', node), (child) => {
      if (child instanceof Element || child.nodeType === 1) return snapshot(child, isTyped);
      if (child.nodeType === 3 || child.nodeType === 4) return isTyped ? '' : child.data;
      return null;
    });
  }

  return JSON.stringify({
    url: location.href,
    title: read(Document, 'title', document),
    size: isPart
      ? [innerWidth, innerHeight]
      : [Math.max(page.scrollWidth, innerWidth), Math.max(page.scrollHeight, innerHeight)],
    capturedAt: new Date().toISOString(),
    root: snapshot(page, false),
  });
})();
