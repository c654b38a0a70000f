import ArgumentParser

/// The exit statuses of all subcommands, after sysexits(3).
enum ExitStatus: Int32 {
  case done = 0
  case findings = 1
  case badData = 65
  case noInput = 66
  case inputOutput = 74

  /// Ends the command; `done` returns.
  func exit() throws {
    if self != .done { throw ExitCode(rawValue) }
  }
}
