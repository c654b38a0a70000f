/// A dotted version with an optional pre-release tag, such as `5.2.1` or `6.0-beta.2`.
///
/// Components are compared as numbers, missing ones are 0, and a pre-release precedes its release. Pre-release tags are compared
/// according to Semantic Versioning 2.0.0 §11. A suffix that begins with `+` is ignored.
public struct VersionNumber: Hashable, Comparable, Sendable {
  // Numbers without trailing zeros, each as digits without leading zeros, so that no length overflows.
  private let numbers: [[UInt8]]
  private let tags: [Tag]

  private enum Tag: Hashable {
    case number([UInt8])
    case text([UInt8])
  }

  /// Reads a version; nil if the text is not one.
  public init?(parsing text: some Collection<UInt8>) {
    guard text.count <= 256 else { return nil }
    let known = text.prefix { $0 != UInt8(ascii: "+") }
    let release = known.prefix { $0 != UInt8(ascii: "-") }
    var numbers: [[UInt8]] = []
    for part in release.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
      guard !part.isEmpty, part.allSatisfy(isDigit) else { return nil }
      numbers.append(Array(part.drop { $0 == 0x30 }))
    }
    while numbers.last?.isEmpty == true { numbers.removeLast() }
    var tags: [Tag] = []
    if release.count < known.count {
      for part in known.dropFirst(release.count + 1).split(
        separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      {
        guard !part.isEmpty else { return nil }
        tags.append(part.allSatisfy(isDigit) ? .number(Array(part.drop { $0 == 0x30 })) : .text(Array(part)))
      }
    }
    self.numbers = numbers
    self.tags = tags
  }

  /// Reads a version; nil if the text is not one.
  public init?(_ text: String) { self.init(parsing: Array(text.utf8)) }

  private init(numbers: [[UInt8]]) { (self.numbers, tags) = (numbers, []) }

  /// This is true if the version has a pre-release tag.
  package var isPreRelease: Bool { !tags.isEmpty }

  /// The version without a pre-release tag: 6.0 for 6.0-beta.2.
  package var release: VersionNumber { VersionNumber(numbers: numbers) }

  /// Returns up to four numbers below 2¹⁵, packed into one integer that sorts as the versions do; nil for any other version or
  /// text.
  package static func packed(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    var result: Int64 = 0
    var parts: Int64 = 0
    var i = 0
    while true {
      var number: Int64 = 0
      let start = i
      while i < text.count, text[i] &- 0x30 < 10 {
        number = number &* 10 &+ Int64(text[i] &- 0x30)
        i &+= 1
        if number >= 1 << 15 { return nil }
      }
      if i == start || parts == 4 { return nil }
      result = result << 15 | number
      parts &+= 1
      if i == text.count { return result << (15 * (4 - parts)) }
      if text[i] != UInt8(ascii: ".") { return nil }
      i &+= 1
    }
  }

  /// This version as ``packed(_:)`` gives it.
  package var packed: Int64? {
    guard tags.isEmpty else { return nil }
    let text =
      numbers.isEmpty
      ? "0" : numbers.map { $0.isEmpty ? "0" : String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
    return Array(text.utf8).withUnsafeBufferPointer { Self.packed($0) }
  }

  private static func compare(_ a: [UInt8], _ b: [UInt8]) -> Int {
    if a.count != b.count { return a.count < b.count ? -1 : 1 }
    return a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
  }

  /// Orders versions by their precedence.
  public static func < (a: VersionNumber, b: VersionNumber) -> Bool {
    for i in 0..<max(a.numbers.count, b.numbers.count) {
      let order = compare(i < a.numbers.count ? a.numbers[i] : [], i < b.numbers.count ? b.numbers[i] : [])
      if order != 0 { return order < 0 }
    }
    if a.tags.isEmpty || b.tags.isEmpty { return !a.tags.isEmpty && b.tags.isEmpty }
    for (x, y) in zip(a.tags, b.tags) where x != y {
      switch (x, y) {
      case (.number(let x), .number(let y)): return compare(x, y) < 0
      case (.text(let x), .text(let y)): return x.lexicographicallyPrecedes(y)
      case (.number, .text): return true
      case (.text, .number): return false
      }
    }
    return a.tags.count < b.tags.count
  }
}

extension VersionNumber {
  /// Returns whether the version of an app precedes another one.
  ///
  /// Texts that are not versions come first. They, and versions that are equal, such as 6.0 and 6.0.0, are ordered by bytes, so
  /// that the order of a list does not depend on the order in which its versions were found.
  package static func areInOrder(_ a: String, _ b: String) -> Bool {
    switch (VersionNumber(a), VersionNumber(b)) {
    case (let x?, let y?) where x != y: x < y
    case (nil, .some): true
    case (.some, nil): false
    default: UTF8String(a) < UTF8String(b)
    }
  }
}
