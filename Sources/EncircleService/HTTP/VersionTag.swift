import EncircleIdentity
import EncircleText

/// The ETag of a version of a rule set: its number, and the beginning of the SHA-256 of its text, `"3-9f86d081884c7d65"`.
///
/// People write the number in `If-Match`. The digest lets clients that keep rules, such as collectors, notice when the same
/// number stands for other rules, for example after a service was set up again.
struct VersionTag: Equatable, Sendable {
  let version: Int
  private let digest: String

  private static let digits = 16

  init(_ version: Int, of text: String) {
    self.version = version
    digest = String(SHA256Digest(of: Array(text.utf8)).id.prefix(Self.digits))
  }

  /// Parses a tag without quotes; nil for other texts.
  init?(parsing text: some StringProtocol) {
    let parts = text.splitBytes(at: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let version = Int(parts[0]), version >= 0, parts[1].utf8.count == Self.digits,
      parts[1].utf8.allSatisfy(Hexadecimal.isLowerCaseDigit)
    else { return nil }
    self.version = version
    digest = String(parts[1])
  }

  /// Parses the value of a header, even if a proxy has made the tag weak.
  init?(header: String) {
    let tag = header.beginsWithBytes(of: "W/") ? header.dropFirst(2) : header[...]
    guard tag.utf8.count >= 2, tag.beginsWithBytes(of: "\""), tag.endsWithBytes(of: "\"") else { return nil }
    self.init(parsing: tag.dropFirst().dropLast())
  }

  /// The tag without quotes, which can also be part of a file name.
  var text: String { "\(version)-\(digest)" }

  /// The value of a header.
  var header: String { "\"\(text)\"" }
}
