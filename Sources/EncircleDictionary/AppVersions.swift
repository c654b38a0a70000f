/// The order of app versions.
enum AppVersions {
  /// Returns versions in ascending order, as `VersionNumber` of EncircleRules has it: by their numbers, so that 5.10 comes after
  /// 5.9, and with a pre-release such as 6.0-beta before its release. Versions with equal numbers, and texts that are no
  /// versions, are ordered by bytes.
  static func sorted(_ versions: some Sequence<String>) -> [String] {
    versions.map { Key($0) }.sorted { a, b in
      if a.numbers != b.numbers { return a.numbers.lexicographicallyPrecedes(b.numbers) }
      if a.tags.isEmpty != b.tags.isEmpty { return b.tags.isEmpty }
      if a.tags != b.tags { return a.tags.lexicographicallyPrecedes(b.tags) { $0.lexicographicallyPrecedes($1) } }
      return a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
    }.map(\.text)
  }

  private struct Key {
    let text: String
    /// The numbers before the first `-`, without trailing zeros.
    let numbers: [Int]
    /// The parts behind it. A part that is a number begins with 0, any other with 1 and is followed by its bytes.
    let tags: [[Int]]

    init(_ text: String) {
      self.text = text
      let known = text.utf8.prefix { $0 != UInt8(ascii: "+") }
      let release = known.prefix { $0 != UInt8(ascii: "-") }
      var numbers = release.split(separator: UInt8(ascii: ".")).map { Self.number($0.prefix(while: Self.isDigit)) }
      while numbers.last == 0 { numbers.removeLast() }
      self.numbers = numbers
      tags = known.dropFirst(release.count + 1).split(separator: UInt8(ascii: ".")).map { part in
        part.allSatisfy(Self.isDigit) ? [0, Self.number(part)] : [1] + part.map { Int($0) }
      }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// Returns the value of the first 15 digits.
    private static func number(_ digits: some Sequence<UInt8>) -> Int {
      digits.prefix(15).reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    }
  }
}
