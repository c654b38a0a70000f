import ArgumentParser
import EncircleCapture
import EncircleInput
import EncircleRuleFiles

/// The exit statuses of all subcommands, after sysexits(3).
enum ExitStatus: Int32 {
  case done = 0
  case findings = 1
  case badData = 65
  case noInput = 66
  case inputOutput = 74

  /// Determines the status for an input that cannot be read.
  init(_ error: InputError) {
    self =
      switch error {
      case .noSuchFile: .noInput
      case .isDirectory, .unreadable: .inputOutput
      case .badCompression, .otherCompression, .tooLarge: .badData
      }
  }

  /// Determines the status for a capture, or a file with view controllers, that cannot be read.
  init(_ error: CaptureError) {
    self =
      switch error.kind {
      case .noSuchFile: .noInput
      case .unreadable, .isDirectory: .inputOutput
      default: .badData
      }
  }

  /// Determines the status for rule files with problems.
  init(_ error: RuleFileErrors) { self = error.isMissingInput ? .noInput : .badData }

  /// Returns the status for two problems together. Bad data takes precedence over other problems, and an earlier problem over a
  /// later one.
  func joined(with other: ExitStatus) -> ExitStatus { self == .done || other == .badData ? other : self }

  /// Ends the command, unless the status is `done`.
  func exit() throws {
    if self != .done { throw ExitCode(rawValue) }
  }

  /// Prints an error, and returns the exit code with which the command ends.
  func failure(_ message: String) -> ExitCode {
    printError(message)
    return ExitCode(rawValue)
  }
}
