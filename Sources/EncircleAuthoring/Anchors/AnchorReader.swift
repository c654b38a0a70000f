import EncircleCapture
import EncircleEvents
import EncircleText
import EncircleTree

/// The budgets within which a file of anchors is read.
public struct AnchorLimits: Sendable {
  /// The bytes of a file.
  public var bytes = 64 << 20
  /// The screens of a file.
  public var screens = 2_000
  /// The views of a screen.
  public var views = 100_000
  /// The depth of a screen.
  public var depth = 1_000

  public init() {}
}

/// The reason why a file of anchors cannot be read.
public struct AnchorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, counted from 1.
  public let line: Int
  /// The column in bytes where it is known, counted from 1.
  public let column: Int?
  public let message: String

  public var description: String { "\(line)\(column.map { ":\($0)" } ?? ""): error: \(message)" }
}

extension AnchorFile {
  /// Returns whether a text begins as a file of anchors does.
  public static func isAnchorFile(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: "{\"encircle_anchors\":".utf8)
  }

  /// Reads a file. Web pages are left out, because earlier versions wrote them without necessary attributes of their elements.
  ///
  /// - Throws: ``AnchorError`` for the first line that is malformed or exceeds a limit.
  /// - Complexity: O(bytes).
  public init(_ bytes: [UInt8], limits: AnchorLimits = AnchorLimits()) throws(AnchorError) {
    guard bytes.count <= limits.bytes else {
      throw AnchorError(line: 1, column: nil, message: "the file is larger than \(limits.bytes) bytes")
    }
    anchors = []
    var number = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      let line = line.last == 0x0D ? line.dropLast() : line
      if line.allSatisfy({ $0 == 0x20 }), number > 1 { continue }
      var reader = AnchorLine(number, limits)
      let object = try reader.object(line)
      if number == 1 {
        try reader.requireVersion(object)
      } else {
        guard anchors.count < limits.screens else {
          throw reader.error("there are more than \(limits.screens) screens")
        }
        let anchor = try reader.anchor(object, bytes: line.count)
        if anchor.tree.format != .html, anchor.tree.format != .webSnapshot { anchors.append(anchor) }
      }
    }
  }
}

/// Reads a line of a file of anchors.
private struct AnchorLine {
  private let line: Int
  private let limits: AnchorLimits
  private var strings: [String] = []
  private var attributes: [String] = []

  init(_ line: Int, _ limits: AnchorLimits) {
    self.line = line
    self.limits = limits
  }

  func error(_ message: String) -> AnchorError { AnchorError(line: line, column: nil, message: message) }

  func object(_ bytes: ArraySlice<UInt8>) throws(AnchorError) -> EventObject {
    let value: EventValue
    do throws(JSONError) {
      value = try EventValue(json: bytes)
    } catch {
      throw AnchorError(line: line, column: error.offset + 1, message: "no JSON: \(error)")
    }
    guard case .object(let object) = value else { throw self.error("a line is an object") }
    return object
  }

  func requireVersion(_ object: EventObject) throws(AnchorError) {
    guard let value = object["encircle_anchors"], let version = Self.integer(value) else {
      throw error("this is not a file of anchors: it begins with {\"encircle_anchors\":\(AnchorFile.version)}")
    }
    guard version == AnchorFile.version else {
      throw error("the version of the format is \(version), and \(AnchorFile.version) can be read")
    }
  }

  mutating func anchor(_ object: EventObject, bytes: Int) throws(AnchorError) -> Anchor {
    guard let capture = text(object["capture"]) else { throw error("'capture' is the name of the capture") }
    guard let format = text(object["format"]).flatMap(CaptureFormat.init(rawValue:)) else {
      throw error("'format' is the format of the capture, such as \(CaptureFormat.viewTree.rawValue)")
    }
    strings = try texts(object, "strings")
    attributes = try texts(object, "attributes")
    let rules = try texts(object, "rules").map { UTF8String($0) }
    guard case .list(let views)? = object["views"] else { throw error("'views' is a list") }
    guard views.count <= limits.views else { throw error("there are more than \(limits.views) views") }
    var builder = ViewTree.Builder(format: format)
    for (name, path) in AnchorHeader.members { builder.header[keyPath: path] = text(object[name]) }
    var depth = 0
    for (number, view) in views.enumerated() {
      guard case .list(let values) = view else { throw error("view \(number) is not a list") }
      try add(values, number, &depth, to: &builder)
    }
    while builder.openElement != nil { builder.endElement() }
    if let problem = builder.passedLimit(of: CaptureLimits(), bytes: bytes) {
      throw error("the paths of the views are too long together: \(problem)")
    }
    return Anchor(capture: capture, page: text(object["page"]), rules: rules.sorted(), tree: builder.finish())
  }

  /// Adds a view. Its members are the number of open views that end before it, its class, its frame if it has one, and pairs of
  /// attribute and value.
  private func add(
    _ values: [EventValue], _ number: Int, _ depth: inout Int, to builder: inout ViewTree.Builder
  ) throws(AnchorError) {
    guard values.count >= 2, let closed = Self.integer(values[0]), (0...depth).contains(closed),
      let name = string(values[1], strings), !name.isEmpty
    else {
      throw error("view \(number) begins with the number of views that end before it, and the number of its class")
    }
    for _ in 0..<closed { builder.endElement() }
    depth += 1 - closed
    guard depth <= limits.depth else { throw error("view \(number) is deeper than \(limits.depth)") }
    builder.beginElement(class: name)
    var rest = values[2...]
    if case .list(let sides)? = rest.first {
      let numbers = sides.compactMap(Self.double)
      guard numbers.count == 4, sides.count == 4 else { throw error("the frame of view \(number) is four numbers") }
      builder.setFrame(Frame(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
      rest.removeFirst()
    }
    guard rest.count % 2 == 0, rest.count <= 512 else { throw error("view \(number) has an attribute without value") }
    while let name = rest.popFirst(), let value = rest.popFirst() {
      guard let name = string(name, attributes), let value = string(value, strings) else {
        throw error("view \(number) has an attribute or a value that is not in the tables")
      }
      builder.addAttribute(builder.attributeName(name), value)
    }
  }

  private func text(_ value: EventValue?) -> String? { if case .string(let text)? = value { text } else { nil } }

  private func texts(_ object: EventObject, _ name: String) throws(AnchorError) -> [String] {
    guard case .list(let values)? = object[name] else { throw error("'\(name)' is a list of texts") }
    let texts = values.compactMap { text($0) }
    guard texts.count == values.count else { throw error("'\(name)' is a list of texts") }
    return texts
  }

  private func string(_ value: EventValue, _ table: [String]) -> String? {
    Self.integer(value).flatMap { table.indices.contains($0) ? table[$0] : nil }
  }

  private static func integer(_ value: EventValue) -> Int? {
    if case .number(let number) = value { Int(number.description) } else { nil }
  }

  private static func double(_ value: EventValue) -> Double? {
    guard case .number(let number) = value, let double = Double(number.description), double.isFinite else { return nil }
    return double
  }
}
