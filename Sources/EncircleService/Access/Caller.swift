/// The sender of a request.
struct Caller: Sendable {
  /// The name of its token, or `anonymous` if the service has no tokens.
  var name: String
  var role: Role
  /// The project of the events, if the caller's token is the key of an app; nil for `default`.
  var project: String? = nil
}
