/// The reason why a service does not start.
public enum ServiceStartError: Error, CustomStringConvertible {
  /// There are no tokens, and other machines can reach the address, so anybody could do everything.
  case needsToken(host: String)
  /// The same for a collector, whose tokens are in a file.
  case needsTokenFile(host: String)
  /// Rule files to import are broken or missing.
  case rules(String, isMissing: Bool)
  /// Captures or events to import are missing or cannot be read.
  case input(String, isMissing: Bool)
  /// The service cannot listen on the address.
  case address(String, reason: String)

  public var description: String {
    switch self {
    case .needsToken(let host):
      """
      \(host) can be reached from other machines, and there are no tokens: add one with 'encircle token add', or say \
      --allow-anonymous where something else keeps strangers out
      """
    case .needsTokenFile(let host):
      """
      \(host) can be reached from other machines, and there are no tokens: name a file of them with --tokens, or say \
      --allow-anonymous where something else keeps strangers out
      """
    case .rules(let problems, _): problems
    case .input(let problem, _): problem
    case .address(let address, let reason): "cannot listen on \(address): \(reason)"
    }
  }
}
