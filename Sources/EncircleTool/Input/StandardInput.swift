import ArgumentParser

/// Standard input among the paths of a command: `-`, or the system's name for it.
enum StandardInput {
  private static let names: Set = ["-", "/dev/stdin", "/dev/fd/0"]

  /// Throws a usage error if standard input is named several times, because it can be read only once.
  static func requireOneUse(in paths: [String]) throws {
    guard paths.count(where: names.contains) > 1 else { return }
    throw ValidationError("Standard input can be read once only.")
  }
}
