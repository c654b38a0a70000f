import ArgumentParser

/// Standard input among the paths of a command, where it is written `-`, or as the system names it.
enum StandardInput {
  private static let names: Set = ["-", "/dev/stdin", "/dev/fd/0"]

  /// Throws wrong usage where standard input is named several times, as it can be read once only.
  static func requireOneUse(in paths: [String]) throws {
    guard paths.count(where: names.contains) > 1 else { return }
    throw ValidationError("Standard input can be read once only.")
  }
}
