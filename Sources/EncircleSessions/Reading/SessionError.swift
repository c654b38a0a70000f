import EncircleInput
import EncircleText

/// An error that ends the replay of a session.
public enum SessionError: Error, Sendable, CustomStringConvertible {
  /// The file cannot be read.
  case input(InputError, file: String)
  /// A line is not a signal, or the signal cannot happen at this point.
  case invalid(Diagnostic)
  /// A line has an action that the format does not know.
  case unknownAction(Diagnostic)

  /// A description of the problem, with its place.
  public var description: String {
    switch self {
    case .input(let error, let file): "\(file): error: \(error)"
    case .invalid(let diagnostic), .unknownAction(let diagnostic): diagnostic.description
    }
  }
}
