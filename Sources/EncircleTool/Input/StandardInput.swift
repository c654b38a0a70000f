import ArgumentParser
import EncircleInput
import EncircleText

/// Standard input among the paths of a command: `-`, or the system's name for it.
enum StandardInput {
  private static let names: Set = ["-", "/dev/stdin", "/dev/fd/0"]

  /// Throws a usage error if standard input or a pipe is named several times, because it can be read only once.
  ///
  /// - Parameter paths: The files that the command reads. A file that it reads twice occurs twice.
  static func requireOneUse(in paths: [String]) throws {
    if paths.count(where: names.contains) > 1 { throw ValidationError("Standard input can be read once only.") }
    var seen: Set<UTF8String> = []
    let again = paths.filter { !names.contains($0) && !seen.insert(UTF8String($0)).inserted }
    guard let pipe = again.first(where: FileDescriptor.isStream) else { return }
    throw ValidationError("\(pipe) is a pipe, which can be read once only, and is needed twice: name a file.")
  }
}
