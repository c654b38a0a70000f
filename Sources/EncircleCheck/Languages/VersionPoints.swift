import EncircleRules

/// Versions of which each other one is in the same of some ranges as one of them is.
enum VersionPoints {
  /// The versions that the ranges name, one just behind each, and the first of all; each also as a text that is not taken.
  static func around(_ ranges: [VersionRange], isTaken: (String) -> Bool) -> [String] {
    var bounds: [String] = []
    for range in ranges {
      for word in range.description.split(separator: " ") {
        let text = word.drop { "<>=!".unicodeScalars.contains($0.unicodeScalars.first ?? "0") }
        // What follows + counts for nothing.
        bounds.append(String(text.prefix { $0 != "+" }))
      }
    }
    let length = bounds.map { bound in bound.utf8.count { $0 == UInt8(ascii: ".") } }.max() ?? 0
    let zeros = String(repeating: ".0", count: length + 1)
    var result = ["0-0"]
    for bound in bounds {
      result.append(bound)
      // Behind a pre-release there is one with a tag more and nothing between; behind a release any number of them.
      result.append(bound.utf8.contains(UInt8(ascii: "-")) ? bound + ".0" : bound + zeros + ".1-0")
    }
    // Ordinary ones, to be read.
    let ordinary = bounds.map { $0 + ".1" }.filter { !$0.utf8.contains(UInt8(ascii: "-")) }
    // The same version written otherwise: what follows + counts for nothing.
    let others = result.map { version in
      var text = version + "+x"
      while isTaken(text) { text += "x" }
      return text
    }
    return ordinary + result + others
  }
}
