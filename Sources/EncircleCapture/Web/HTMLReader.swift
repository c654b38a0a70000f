import CGumbo
import EncircleText
import EncircleTree

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads the HTML of a web page: `outerHTML`, a saved or served page, the page source of a web view.
///
/// gumbo builds the tree by the rules of the HTML standard, like a browser with scripts enabled: the content of `noscript` is one text.
/// Contents of `template` are not elements of the page. `docs/captures.md` lists what HTML lacks.
enum HTMLReader {
  /// Reads a page.
  ///
  /// - Parameters:
  ///   - text: The whole text, for the places of errors.
  ///   - start: Where the page begins.
  /// - Complexity: O(bytes) within the limits of ``HTMLTagScan``; no recursion.
  static func parse(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, limits: CaptureLimits
  ) throws(CaptureError) -> ViewTree {
    let body = text.part(start..<text.count)
    let scan: HTMLTagScan
    do throws(CaptureError) {
      scan = try HTMLTagScan.scan(body, limits: limits)
    } catch {
      throw start == 0 ? error : error.moved(behind: text.part(0..<start))
    }
    guard !scan.noscriptNames.isEmpty else { return try parse(body, as: body, text, start, limits) }
    // gumbo parses as if scripts were off, and so reads the content of `noscript` as elements. `noframes`, which has the same
    // length, makes it read the content as text, as a browser with scripts does.
    var changed = Array(body)
    for place in scan.noscriptNames where place + noframes.count <= changed.count {
      changed.replaceSubrange(place..<place + noframes.count, with: noframes)
    }
    return try changed.withUnsafeBufferPointer { changed throws(CaptureError) in
      try parse(body, as: changed, text, start, limits)
    }
  }

  private static let noframes = Array("noframes".utf8)

  // Limits of the memory for the nodes of a page, in bytes: for each byte of the page, and in total.
  private static let memoryPerByte = 512
  private static let minimumMemory = 16 << 20
  private static let maximumMemory = 2 << 30

  /// - Parameters:
  ///   - body: The original page.
  ///   - changed: The page to parse, which differs only in names of tags.
  private static func parse(
    _ body: UnsafeBufferPointer<UInt8>, as changed: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>,
    _ start: Int, _ limits: CaptureLimits
  ) throws(CaptureError) -> ViewTree {
    let memory = min(minimumMemory + changed.count * memoryPerByte, maximumMemory)
    // Besides elements there are texts and comments.
    let nodes = limits.elements > Int.max / 4 ? Int.max : limits.elements * 3 + 1_000
    var page: OpaquePointer?
    let status = changed.withMemoryRebound(to: CChar.self) { bytes in
      gumbo_page_parse(bytes.baseAddress, bytes.count, memory, nodes, &page)
    }
    defer { gumbo_page_free(page) }
    switch status {
    case gumbo_page_too_many_nodes: throw CaptureError(.tooManyElements(limit: limits.elements))
    case gumbo_page_ok: break
    default: throw CaptureError(.pageTooLarge(limit: memory))
    }
    guard let page, let document = gumbo_page_document(page) else { throw CaptureError(.noElements) }
    var walk = Walk(body: body, changed: changed, text: text, start: start, limits: limits)
    try walk.read(document)
    guard walk.reader.count > 0 else { throw CaptureError(.noElements) }
    return walk.reader.finish(
      url: walk.url, title: nil, knowsCursors: false, hasInvalidUTF8: body.firstInvalidUTF8 != nil)
  }

  private typealias Node = UnsafePointer<GumboNode>

  /// Goes through gumbo's nodes, with the open ones in an array.
  private struct Walk {
    let body: UnsafeBufferPointer<UInt8>
    let changed: UnsafeBufferPointer<UInt8>
    let text: UnsafeBufferPointer<UInt8>
    let start: Int
    var reader: WebPageReader
    // The address that Chromium writes into a page that it saves.
    var url: String?
    private var open: [(children: GumboVector, next: UInt32)] = []

    init(
      body: UnsafeBufferPointer<UInt8>, changed: UnsafeBufferPointer<UInt8>, text: UnsafeBufferPointer<UInt8>,
      start: Int, limits: CaptureLimits
    ) {
      (self.body, self.changed, self.text, self.start) = (body, changed, text, start)
      reader = WebPageReader(.html, limits: limits, byteCount: text.count)
    }

    mutating func read(_ document: Node) throws(CaptureError) {
      open.append((document.pointee.v.document.children, 0))
      while let (children, next) = open.last {
        guard next < children.length else {
          open.removeLast()
          if !open.isEmpty { reader.end() }
          continue
        }
        open[open.count - 1].next += 1
        guard let node = children.data[Int(next)].map({ Node($0.assumingMemoryBound(to: GumboNode.self)) }) else {
          continue
        }
        try visit(node)
      }
    }

    private mutating func visit(_ node: Node) throws(CaptureError) {
      switch node.pointee.type {
      case GUMBO_NODE_ELEMENT, GUMBO_NODE_TEMPLATE: try begin(node)
      case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA:
        if reader.depth > 0, let bytes = HTMLReader.bytes(node.pointee.v.text.text) { reader.add(text: bytes) }
      case GUMBO_NODE_COMMENT:
        if url == nil, let bytes = HTMLReader.bytes(node.pointee.v.text.text) { url = SavedPage.url(in: bytes) }
      default: break
      }
    }

    private mutating func begin(_ node: Node) throws(CaptureError) {
      let element = node.pointee.v.element
      do throws(WebPageReader.LimitError) {
        let isHTML = element.tag_namespace == GUMBO_NAMESPACE_HTML
        let isMathML = element.tag_namespace == GUMBO_NAMESPACE_MATHML
        try name(of: element).withUnsafeBufferPointer { name throws(WebPageReader.LimitError) in
          _ = try reader.begin(name, isHTML ? [] : isMathML ? [.foreign, .mathML] : .foreign)
        }
        try addAttributes(of: element, isInput: isHTML && element.tag == GUMBO_TAG_INPUT)
      } catch {
        throw CaptureError(error.kind, at: place(of: element))
      }
      var children = element.children
      if node.pointee.type == GUMBO_NODE_TEMPLATE { children.length = 0 }
      open.append((children, 0))
    }

    private mutating func addAttributes(
      of element: GumboElement, isInput: Bool
    ) throws(WebPageReader.LimitError) {
      var type: UnsafeBufferPointer<UInt8>?
      func attribute(_ i: UInt32) -> GumboAttribute? {
        element.attributes.data[Int(i)]?.assumingMemoryBound(to: GumboAttribute.self).pointee
      }
      if isInput {
        for i in 0..<element.attributes.length {
          guard let name = attribute(i).flatMap({ HTMLReader.bytes($0.name) }), sameBytes(name, "type") else {
            continue
          }
          type = attribute(i).flatMap { HTMLReader.bytes($0.value) }
        }
      }
      for i in 0..<element.attributes.length {
        guard let attribute = attribute(i), let name = HTMLReader.bytes(attribute.name),
          let value = HTMLReader.bytes(attribute.value)
        else { continue }
        if isInput, sameBytes(name, "value"), !WebPageReader.keepsValue(ofInput: type) { continue }
        guard let prefix = HTMLReader.prefix(of: attribute.attr_namespace, name) else {
          try reader.add(attribute: name, value)
          continue
        }
        let full = Array(prefix.utf8) + name
        try full.withUnsafeBufferPointer { full throws(WebPageReader.LimitError) in
          try reader.add(attribute: full, value)
        }
      }
    }

    /// Returns the name of an element in the DOM.
    private func name(of element: GumboElement) -> [UInt8] {
      if element.tag == GUMBO_TAG_NOFRAMES, isNoscript(element) { return Array("noscript".utf8) }
      if element.tag_namespace == GUMBO_NAMESPACE_SVG {
        var original = element.original_tag
        gumbo_tag_from_original_text(&original)
        if original.length > 0, let known = gumbo_normalize_svg_tagname(&original), let name = HTMLReader.bytes(known) {
          return Array(name)
        }
      }
      if element.tag != GUMBO_TAG_UNKNOWN, let name = HTMLReader.bytes(gumbo_normalized_tagname(element.tag)) {
        return Array(name)
      }
      var original = element.original_tag
      gumbo_tag_from_original_text(&original)
      // gumbo decodes texts and attributes but not this name, so invalid UTF-8 is replaced here, as it is there.
      let bytes = UnsafeRawBufferPointer(start: original.data, count: original.length)
      let name = String(decoding: bytes, as: UTF8.self).replacingBytes(of: "\0", with: "\u{FFFD}")
      return name.utf8.map(lowercased)
    }

    /// Returns whether a tag was changed for gumbo.
    private func isNoscript(_ element: GumboElement) -> Bool {
      guard let offset = offset(of: element), offset + 9 <= body.count else { return false }
      return body[offset + 3] == UInt8(ascii: "s") || body[offset + 3] == UInt8(ascii: "S")
    }

    /// Returns the place of a tag in the page; nil for an element without one.
    private func offset(of element: GumboElement) -> Int? {
      guard let tag = element.original_tag.data, element.original_tag.length > 0, let base = changed.baseAddress else {
        return nil
      }
      let offset = UnsafeRawPointer(tag) - UnsafeRawPointer(base)
      return offset >= 0 && offset < changed.count ? offset : nil
    }

    private func place(of element: GumboElement) -> SourceLocation? {
      offset(of: element).map { SourceLocation(of: start + $0, in: text) }
    }
  }

  fileprivate static func bytes(_ text: UnsafePointer<CChar>?) -> UnsafeBufferPointer<UInt8>? {
    text.map { UnsafeBufferPointer(start: UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self), count: strlen($0)) }
  }

  /// Returns the prefix of an attribute's name in a namespace, as in `xlink:href`.
  fileprivate static func prefix(
    of namespace: GumboAttributeNamespaceEnum, _ name: UnsafeBufferPointer<UInt8>
  ) -> String? {
    switch namespace {
    case GUMBO_ATTR_NAMESPACE_XLINK: "xlink:"
    case GUMBO_ATTR_NAMESPACE_XML: "xml:"
    case GUMBO_ATTR_NAMESPACE_XMLNS: sameBytes(name, "xmlns") ? nil : "xmlns:"
    default: nil
    }
  }
}
