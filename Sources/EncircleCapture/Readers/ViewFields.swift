import EncircleText
import EncircleTree

/// Sets the attributes of an element from UIKit's description of its view.
struct ViewFields {
  private let text: UnsafeBufferPointer<UInt8>
  private let limits: CaptureLimits
  private let onlyHidden: Bool

  /// - Parameters:
  ///   - text: The text that contains the description.
  ///   - onlyHidden: True to omit texts, and to add only the tag, the gestures and the signs that people type in the view.
  init(_ text: UnsafeBufferPointer<UInt8>, limits: CaptureLimits, onlyHidden: Bool = false) {
    self.text = text
    self.limits = limits
    self.onlyHidden = onlyHidden
  }

  /// Adds the attributes, the frame and the superclasses of the latest element.
  ///
  /// - Parameter fields: The scanner's latest fields, which must belong to the view.
  /// - Throws: A failure at the place of a field that is malformed or too long.
  func add(
    _ fields: [ViewDescriptionScanner.Field], of view: ViewDescription, to builder: inout ViewTree.Builder
  ) throws(ViewDescriptionScanner.Failure) {
    var count = 0
    var hasFrame = false
    var hasReadableBase = false
    var base = view.innerClass.map { text.part($0) }
    if let inner = base, sameBytes(inner, text.part(view.className)) { base = nil }
    for field in fields {
      let value = text.part(field.value)
      guard let key = field.key.map({ text.part($0) }) else {
        if onlyHidden { continue }
        builder.addAttribute(.text, value)
        count += 1
        continue
      }
      if sameBytes(key, "frame") {
        if !hasFrame, !onlyHidden, let frame = try frame(value, at: field.value.lowerBound) { builder.setFrame(frame) }
        hasFrame = true
        continue
      }
      if sameBytes(key, "gestureRecognizers") {
        let kinds = Self.recognizers.filter { value.offset(of: $0.class) != nil }.map(\.kind.description)
        if !kinds.isEmpty { builder.addAttribute(.gestures, kinds.joined(separator: " ")) }
        continue
      }
      let known = Self.attributes.first { sameBytes(key, $0.0) }?.1
      let scroll =
        !onlyHidden && sameBytes(key, ViewDescriptionScanner.scrollKey) ? builder.attributeName(key) : nil
      guard let name = known ?? XMLDialect.privacyAttribute(key) ?? scroll else { continue }
      if onlyHidden, !Self.hidden.contains(name) { continue }
      guard value.count <= limits.attributeBytes else {
        throw ViewDescriptionScanner.Failure(
          kind: .attributeTooLong(limit: limits.attributeBytes), offset: field.value.lowerBound)
      }
      if name == .superclasses { hasReadableBase = Self.isClassName(value) }
      builder.addAttribute(name, value)
      count += 1
      guard count <= limits.attributes else {
        throw ViewDescriptionScanner.Failure(
          kind: .tooManyAttributes(limit: limits.attributes), offset: field.value.lowerBound)
      }
    }
    // An unreadable superclass may belong to a field for typing.
    let line = text.part(view.className.lowerBound..<view.end)
    if !hasReadableBase, line.offset(of: "baseClass") != nil { builder.addAttribute(.secure, "unknown") }
    // `<Class: <Base: 0x1; …>>` describes a view by the description of its superclass.
    if let base { builder.addAttribute(.superclasses, base) }
  }

  /// Reads `(x y; width height)`; nil for a rectangle that is not finite.
  private func frame(
    _ value: UnsafeBufferPointer<UInt8>, at offset: Int
  ) throws(ViewDescriptionScanner.Failure) -> Frame? {
    func malformed() -> ViewDescriptionScanner.Failure {
      .init(kind: .badAttribute(name: "frame", expected: "(x y; width height)"), offset: offset)
    }
    guard value.first == UInt8(ascii: "("), value.last == UInt8(ascii: ")"), value.count > 2 else { throw malformed() }
    let inner = value.part(1..<value.count - 1)
    guard let semicolon = inner.firstIndex(of: UInt8(ascii: ";")) else { throw malformed() }
    var origin = WordScanner(inner.part(0..<semicolon))
    var size = WordScanner(inner.part(semicolon + 1..<inner.count))
    guard let x = origin.next(), let y = origin.next(), origin.next() == nil, let width = size.next(),
      let height = size.next(), size.next() == nil
    else { throw malformed() }
    let parts = [x, y, width, height]
    let numbers = parts.compactMap { Number.double($0) }
    if numbers.count == 4 { return Frame(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]) }
    // UIKit prints `inf` for the null rectangle, and `nan` for a frame that was computed wrongly.
    let isSpecial = parts.allSatisfy {
      Number.double($0) != nil || sameBytes($0, "inf") || sameBytes($0, "-inf") || sameBytes($0, "nan")
        || sameBytes($0, "-nan")
    }
    guard isSpecial else { throw malformed() }
    return nil
  }

  private static let attributes: [(StaticString, AttributeName)] = [
    ("baseClass", .superclasses), ("hidden", .hidden), ("alpha", .alpha), ("tag", .tag), ("placeholder", .placeholder),
    ("enabled", .enabled), ("title", .title), ("accessibilityIdentifier", .identifier), ("accessibilityLabel", .label),
  ]

  // The fields that are taken from a description that another tool includes, because the tool does not give them itself.
  private static let hidden: Set<AttributeName> = [.superclasses, .secure, .hidden, .tag]

  private static let recognizers: [(class: StaticString, kind: StaticString)] = [
    ("UITapGestureRecognizer", "tap"), ("UILongPressGestureRecognizer", "longPress"),
    ("UIPinchGestureRecognizer", "pinch"), ("UIRotationGestureRecognizer", "rotation"),
    ("UISwipeGestureRecognizer", "swipe"), ("UIPanGestureRecognizer", "pan"),
    ("UIScreenEdgePanGestureRecognizer", "screenEdgePan"),
  ]

  /// Returns whether a text has only characters that names of classes have.
  private static func isClassName(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    !text.isEmpty
      && text.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF: true
        default: "_.$<>,() ".utf8.contains(byte)
        }
      }
  }
}
