import ArgumentParser

/// Standard input among the paths of a command, where it is written `-`.
enum StandardInput {
  /// Throws wrong usage where standard input is named several times, as it can be read once only.
  static func requireOneUse(in paths: [String]) throws {
    guard paths.count(where: { $0 == "-" }) > 1 else { return }
    throw ValidationError("Standard input can be read once only.")
  }
}
