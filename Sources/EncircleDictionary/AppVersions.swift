/// The order of app versions.
enum AppVersions {
  /// Returns versions in ascending order: by their numbers, so that 5.10 comes after 5.9, then by bytes.
  static func sorted(_ versions: some Sequence<String>) -> [String] {
    versions.sorted { a, b in
      let x = key(a)
      let y = key(b)
      return x.lexicographicallyPrecedes(y) || (x == y && a.utf8.lexicographicallyPrecedes(b.utf8))
    }
  }

  private static func key(_ version: String) -> [Int] {
    version.utf8.split(separator: UInt8(ascii: ".")).map { part in
      part.prefix { $0 >= 0x30 && $0 <= 0x39 }.prefix(15).reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    }
  }
}
