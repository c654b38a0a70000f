import EncircleText

/// Gives files unique names that every file system accepts, even if it ignores case.
struct ExportFileNames {
  private static let longest = 100
  private var taken: Set<UTF8String> = []
  /// The next number behind a name, so that many equal names take no time.
  private var numbers: [UTF8String: Int] = [:]

  /// Returns a file name, without extension, for something with this name.
  mutating func name(_ text: String) -> String {
    let base = Self.readable(text)
    let key = UTF8String(base.lowercased())
    if taken.insert(key).inserted { return base }
    var number = numbers[key] ?? 2
    while !taken.insert(UTF8String("\(base)-\(number)".lowercased())).inserted { number += 1 }
    numbers[key] = number + 1
    return "\(base)-\(number)"
  }

  /// Returns the text with `-` in place of characters that have a meaning in paths.
  private static func readable(_ text: String) -> String {
    var name = ""
    for scalar in text.unicodeScalars {
      let isPlain =
        !scalar.isASCII && scalar.properties.isAlphabetic || scalar == "_" || scalar == "." && !name.isEmpty
        || scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      let next = isPlain ? Character(scalar) : "-"
      guard name.utf8.count + next.utf8.count <= longest else { break }
      name.append(next)
    }
    return name.isEmpty ? "-" : name
  }
}
