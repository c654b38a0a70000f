/// The reason why a request was not carried out.
///
/// It is independent of HTTP: `HTTP/ErrorAnswer.swift` gives each kind its status and headers.
struct ServiceError: Error {
  /// The kinds of errors, by what a caller can do about them.
  enum Kind: Equatable, Sendable {
    /// The text of the request cannot be read.
    case malformed
    /// The request can be read, but a value in it is invalid.
    case invalid
    /// The request is of a type that is not supported here.
    case unsupportedType
    /// The caller is unknown.
    case unauthenticated
    /// The caller is known, but may not do this.
    case forbidden
    /// The resource that the request names does not exist.
    case notFound
    /// The state of the resource does not allow the request.
    case conflict
    /// The resource has changed since the caller read it. `current` is its number now; nil if it has no number.
    case stale(current: Int?)
    /// The request is larger than a limit.
    case tooLarge
    /// The caller has failed too often, and may try again after some seconds.
    case tooManyAttempts(retryAfter: Int)
    /// The service cannot do this now, but may be able to in some seconds.
    case unavailable(retryAfter: Int)
  }

  /// A place in the request, or in a file of rules.
  struct Location: Codable, Sendable, Equatable {
    var file: String? = nil
    var line: Int? = nil
    var column: Int? = nil
    var pointer: String? = nil
    var parameter: String? = nil
  }

  /// One of several problems.
  struct Detail: Codable, Sendable {
    var code: String? = nil
    var message: String
    var location: Location? = nil
  }

  var kind: Kind
  /// A stable name of the error, which clients compare.
  var code: String
  /// The error in a sentence, for people.
  var message: String
  /// The place of the first problem.
  var location: Location? = nil
  /// All problems, where there are several.
  var details: [Detail]? = nil

  /// Creates an error.
  init(_ kind: Kind, code: String, message: String, location: Location? = nil, details: [Detail]? = nil) {
    self.kind = kind
    self.code = code
    self.message = message
    self.location = location
    self.details = details
  }
}

extension ServiceError: CustomStringConvertible {
  /// The error with its place, in one line for the log.
  var description: String { location?.pointer.map { "\($0): \(message)" } ?? message }
}

extension ServiceError {
  /// Returns the error for a request that cannot be read.
  static func malformed(_ message: String, code: String = "bad-request", location: Location? = nil) -> Self {
    Self(.malformed, code: code, message: message, location: location)
  }

  /// Returns the error for a parameter of a request's query.
  static func parameter(_ name: String, _ message: String) -> Self {
    Self(.malformed, code: "bad-parameter", message: message, location: Location(parameter: name))
  }

  /// Returns the error for a resource that does not exist.
  static func notFound(_ message: String, code: String = "not-found") -> Self {
    Self(.notFound, code: code, message: message)
  }

  /// Returns the error for a request that can be read, but has an invalid value.
  static func invalid(
    _ message: String, code: String, location: Location? = nil, details: [Detail]? = nil
  ) -> Self {
    Self(.invalid, code: code, message: message, location: location, details: details)
  }

  /// Returns the error for a request that the state of the resource does not allow.
  static func conflict(_ message: String, code: String = "conflict") -> Self {
    Self(.conflict, code: code, message: message)
  }

  /// Returns the error for a request that may succeed later. SDKs keep their events after it.
  static func unavailable(_ message: String, code: String, retryAfter seconds: Int = 5) -> Self {
    Self(.unavailable(retryAfter: seconds), code: code, message: message)
  }

  /// Returns the error for a body that is longer than its limit, in bytes.
  static func tooLarge(limit: Int) -> Self {
    Self(.tooLarge, code: "too-large", message: "The body is longer than \(limit) bytes.")
  }
}
