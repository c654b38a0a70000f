import EncircleText
import Hummingbird

/// The tokens that a collector accepts, from a file, because it has no database.
///
/// ```text
/// # apps, the second with the project of its events
/// collect 4zT0…
/// collect phc_8Kd… shop
/// # the program that reads the metrics
/// read hY9s…
/// ```
public struct CollectorTokens: Sendable {
  /// The reason why a file of tokens cannot be used.
  public struct Problem: Error, CustomStringConvertible {
    public let line: Int
    public let description: String
  }

  private var callers: [(hash: [UInt8], caller: Caller)] = []

  /// Creates a list without tokens.
  public init() {}

  /// Reads lines of a role, a token, and optionally a project; `#` begins a comment line. There must be at least one token.
  public init(_ text: String) throws(Problem) {
    for (number, line) in text.splitBytes(at: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }
      guard let first = words.first, !first.beginsWithBytes(of: "#") else { continue }
      guard (2...3).contains(words.count), let role = Role(rawValue: String(first)), role == .collect || role == .read
      else {
        throw Problem(
          line: number + 1, description: "expected 'collect TOKEN', 'collect TOKEN PROJECT' or 'read TOKEN'")
      }
      guard words[1].utf8.count >= Self.shortestToken else {
        throw Problem(line: number + 1, description: "a token has at least \(Self.shortestToken) characters")
      }
      let hash = Secret.hash(of: String(words[1]))
      // If a token had two roles or projects, one of them would be ignored.
      if let other = callers.first(where: { $0.hash == hash }) {
        throw Problem(line: number + 1, description: "this is the \(other.caller.name) as well")
      }
      callers.append(
        (
          hash,
          Caller(
            name: "\(role) token of line \(number + 1)", role: role, project: words.count > 2 ? String(words[2]) : nil)
        ))
    }
    // Without tokens, anyone may send events. Nobody who names a file of tokens wants that.
    guard !callers.isEmpty else { throw Problem(line: 1, description: "there are no tokens in this file") }
  }

  private static let shortestToken = 16

  var isEmpty: Bool { callers.isEmpty }

  func caller(of token: String) -> Caller? {
    let hash = Secret.hash(of: token)
    // All hashes are compared, so the time of the search reveals nothing.
    return callers.reduce(nil) { Secret.areSame($1.hash, hash) ? $1.caller : $0 }
  }
}

/// Authenticates the callers of a collector.
struct CollectorAccess: RequestAccess {
  let origins: Origins
  let isLoopback: Bool
  let allowsAnonymous: Bool
  private let tokens: CollectorTokens

  init(_ tokens: CollectorTokens, _ configuration: ServiceConfiguration) {
    self.tokens = tokens
    origins = Origins(allowed: configuration.allowedOrigins)
    isLoopback = Origins.isLoopback(configuration.host)
    allowsAnonymous = configuration.allowAnonymous
  }

  /// Refuses to listen to other machines while there are no tokens.
  ///
  /// - Throws: ``ServiceStartError``.
  func checkBinding(to host: String) throws {
    guard !isLoopback, !allowsAnonymous, tokens.isEmpty else { return }
    throw ServiceStartError.needsTokenFile(host: host)
  }

  func hasTokens() async -> Bool { !tokens.isEmpty }

  func caller(ofToken token: String) async -> Caller? { tokens.caller(of: token) }

  func caller(ofSession request: Request, for role: Role) async -> Caller? { nil }
}
