import EncircleText
import EncircleTree

/// Reads the JSON that the snippet in `Probe/web` makes of a page. It contains what HTML cannot express: adjacent text nodes, nesting
/// that no parser produces, open shadow trees, cursors and rectangles.
///
/// ```
/// snapshot = { "url": …, "title": …, "root": element, "size": [width, height], "capturedAt": … }
/// element  = [ name, { attribute: value, … }, [ child, … ], { "ns": …, "pointer": true, "rect": [x, y, width, height],
///              "shadow": [ child, … ] } ]                            ; the last object may be missing, and each of its members
/// child    = element / text / null                                ; null is a comment, between two texts
/// ```
struct WebSnapshotReader {
  private let document: JSONCaptureText
  private let limits: CaptureLimits
  private var reader: WebPageReader
  private var origins = ScreenOrigins()
  private var open: [(next: Int, end: Int)] = []
  // Shadow trees whose hosts have been read.
  private var shadowTrees: [(host: ElementID, children: Int)] = []

  /// Returns the element at the root of a snapshot; nil if the JSON is not a snapshot.
  static func root(of document: JSONCaptureText) -> Int? {
    guard document.kind(of: 0) == .object, let root = document.member("root", of: 0), document.kind(of: root) == .array,
      let name = document.contents(of: root).first, document.kind(of: name) == .string
    else { return nil }
    return root
  }

  /// Reads the elements of a snapshot.
  ///
  /// - Complexity: O(bytes); no recursion.
  static func parse(
    _ document: JSONCaptureText, root: Int, limits: CaptureLimits
  ) throws(CaptureError) -> ViewTree {
    var reader = WebSnapshotReader(
      document: document, limits: limits,
      reader: WebPageReader(.webSnapshot, limits: limits, byteCount: document.byteCount))
    try reader.readTree(root)
    func text(_ name: StaticString) -> String? {
      document.member(name, of: 0).flatMap { node in
        document.kind(of: node) == .string
          ? document.withScalar(of: node) { String(decoding: $0, as: UTF8.self) } : nil
      }
    }
    let size = document.member("size", of: 0).flatMap { try? reader.numbers($0, count: 2, "size") }
    return reader.reader.finish(
      url: text("url"), title: text("title"), knowsCursors: true,
      screen: size.map { "\(Self.written($0[0])) \(Self.written($0[1]))" }, capturedAt: text("capturedAt"))
  }

  private static func written(_ number: Double) -> String {
    number == number.rounded() && number.magnitude < 1e15 ? "\(Int(number))" : "\(number)"
  }

  private mutating func readTree(_ root: Int) throws(CaptureError) {
    try begin(root)
    try readOpen()
    // Elements in shadow trees come behind all others.
    var i = 0
    while i < shadowTrees.count {
      let (host, children) = shadowTrees[i]
      reader.beginShadowTree(of: host)
      for child in Values(document, children) where document.kind(of: child) == .array {
        try begin(child)
        try readOpen()
      }
      i += 1
    }
  }

  private mutating func readOpen() throws(CaptureError) {
    while let (next, end) = open.last {
      guard next < end else {
        open.removeLast()
        origins.end()
        reader.end()
        continue
      }
      open[open.count - 1].next = document.next(after: next)
      switch document.kind(of: next) {
      case .array: try begin(next)
      case .string: document.withScalar(of: next) { reader.add(text: $0) }
      case .null: break
      default: throw error("an element, a text or null", "children", next)
      }
    }
  }

  private mutating func begin(_ node: Int) throws(CaptureError) {
    var parts: [Int] = []
    for part in Values(document, node) {
      parts.append(part)
      if parts.count > 4 { break }
    }
    guard (3...4).contains(parts.count), document.kind(of: parts[0]) == .string, !document.range(of: parts[0]).isEmpty,
      document.kind(of: parts[1]) == .object, document.kind(of: parts[2]) == .array
    else { throw error("[name, {attributes}, [children]]", "root", node) }
    let more = parts.count > 3 && document.kind(of: parts[3]) == .object ? parts[3] : nil
    func member(_ name: StaticString) -> Int? { more.flatMap { document.member(name, of: $0) } }
    var traits: WebPage.Traits = []
    if let namespace = member("ns"), !isWord(namespace, "http://www.w3.org/1999/xhtml") {
      traits.insert(.foreign)
      if isWord(namespace, "http://www.w3.org/1998/Math/MathML") { traits.insert(.mathML) }
    }
    if let pointer = member("pointer"), isWord(pointer, "true") { traits.insert(.pointer) }
    let element: ElementID
    do throws(WebPageReader.LimitError) {
      element = try document.withScalar(of: parts[0]) { name throws(WebPageReader.LimitError) in
        try reader.begin(name, traits)
      }
      try addAttributes(parts[1], isInput: !traits.contains(.foreign) && isWord(parts[0], "input"))
    } catch {
      throw CaptureError(error.kind, at: document.location(of: node))
    }
    var bounds = ScreenBounds()
    if let rectangle = member("rect") {
      let numbers = try numbers(rectangle, count: 4, "rect")
      bounds = ScreenBounds(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
    if let frame = origins.begin(bounds) { reader.setFrame(frame) }
    if let shadow = member("shadow"), document.kind(of: shadow) == .array { shadowTrees.append((element, shadow)) }
    let children = document.contents(of: parts[2])
    open.append((children.lowerBound, children.upperBound))
  }

  private mutating func addAttributes(_ object: Int, isInput: Bool) throws(WebPageReader.LimitError) {
    let type = isInput ? document.member("type", of: object) : nil
    let keepsValue =
      !isInput
      || type.map { document.withScalar(of: $0) { WebPageReader.keepsValue(ofInput: $0) } } ?? false
    for key in Members(document, object) where document.kind(of: key + 1) == .string {
      try document.withScalar(of: key) { name throws(WebPageReader.LimitError) in
        if !keepsValue, sameBytes(name, "value") { return }
        try document.withScalar(of: key + 1) { value throws(WebPageReader.LimitError) in
          try reader.add(attribute: name, value)
        }
      }
    }
  }

  private func isWord(_ node: Int, _ word: StaticString) -> Bool {
    switch document.kind(of: node) {
    case .array, .object: false
    default: document.withScalar(of: node) { sameBytes($0, word) }
    }
  }

  private func numbers(_ node: Int, count: Int, _ name: String) throws(CaptureError) -> [Double] {
    var numbers: [Double] = []
    for value in Values(document, node) {
      guard let number = document.number(of: value), number.isFinite else { break }
      numbers.append(number)
      if numbers.count > count { break }
    }
    guard numbers.count == count else { throw error("\(count) finite numbers", name, node) }
    return numbers
  }

  private func error(_ expected: String, _ name: String, _ node: Int) -> CaptureError {
    CaptureError(.badAttribute(name: name, expected: expected), at: document.location(of: node))
  }
}

/// The values of an array; empty for any other value.
private struct Values: Sequence, IteratorProtocol {
  private let document: JSONCaptureText
  private var value: Int
  private let end: Int

  init(_ document: JSONCaptureText, _ node: Int) {
    self.document = document
    let contents = document.kind(of: node) == .array ? document.contents(of: node) : 0..<0
    value = contents.lowerBound
    end = contents.upperBound
  }

  mutating func next() -> Int? {
    guard value < end else { return nil }
    defer { value = document.next(after: value) }
    return value
  }
}
