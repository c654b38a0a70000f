import EncircleInput
import EncircleText

/// Why a session cannot be replayed any further.
public enum SessionError: Error, Sendable, CustomStringConvertible {
  /// The file cannot be read.
  case input(InputError, file: String)
  /// A line is no signal, or a signal that cannot happen where it stands.
  case invalid(Diagnostic)
  /// A line has an action that the format does not know.
  case unknownAction(Diagnostic)

  /// The problem in words, with its place.
  public var description: String {
    switch self {
    case .input(let error, let file): "\(file): error: \(error)"
    case .invalid(let diagnostic), .unknownAction(let diagnostic): diagnostic.description
    }
  }
}
