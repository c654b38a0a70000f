/// The arguments of the command line as bytes.
///
/// Swift replaces bytes that are not UTF-8 by U+FFFD, so that an argument would name another file, or be another text.
enum GivenArguments {
  /// Returns whether an argument has exactly the bytes of a text.
  static func contain(_ text: String) -> Bool { all.contains(Array(text.utf8)) }

  /// The first argument that is not UTF-8, as Swift reads it; nil if all are.
  static var firstNotUTF8: String? {
    all.first { String(validating: $0, as: UTF8.self) == nil }.map { String(decoding: $0, as: UTF8.self) }
  }

  private static let all: [[UInt8]] = (1..<max(1, Int(CommandLine.argc))).map { number in
    var bytes: [UInt8] = []
    guard let argument = CommandLine.unsafeArgv[number] else { return bytes }
    while argument[bytes.count] != 0 { bytes.append(UInt8(truncatingIfNeeded: argument[bytes.count])) }
    return bytes
  }
}
