import EncircleRules
import EncircleText

/// Chooses versions that represent all others in tests for some ranges.
enum VersionPoints {
  /// Returns the versions that the ranges name, one just after each, and the lowest version, without duplicates. If
  /// `isTaken` is true for a version, another spelling for which it is false is also returned.
  static func around(_ ranges: [VersionRange], isTaken: (String) -> Bool) -> [String] {
    var bounds: [String] = []
    var known: Set<UTF8String> = []
    for range in ranges {
      for (_, bound) in range.comparisons {
        if known.insert(UTF8String(bound)).inserted { bounds.append(bound) }
      }
    }
    let length = bounds.map { bound in bound.utf8.count { $0 == UInt8(ascii: ".") } }.max() ?? 0
    let zeros = String(repeating: ".0", count: length + 1)
    var result = ["0-0"]
    for bound in bounds {
      result.append(bound)
      // The version that directly follows a pre-release has one more identifier. No version directly follows a release, so a
      // near one is taken.
      result.append(bound.utf8.contains(UInt8(ascii: "-")) ? bound + ".0" : bound + zeros + ".1-0")
    }
    // Versions that read naturally come first, because examples show them.
    let ordinary = (bounds.map { $0 + ".1" } + ["1.0"]).filter { !$0.utf8.contains(UInt8(ascii: "-")) }
    // Build metadata gives other spellings of the same versions.
    let others = result.filter(isTaken).map { version in
      var text = version + "+x"
      while isTaken(text) { text += "x" }
      return text
    }
    return ordinary + result + others
  }
}
