import EncircleTestSupport
import Foundation

extension Tool {
  /// The tool's output for local files, to compare with an answer of the service.
  ///
  /// - Parameters:
  ///   - arguments: A word that begins with `@` names one of the files.
  ///   - files: Their texts, by name.
  static func output(_ arguments: [String], files: [String: Data]) throws -> String {
    let folder = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, content) in files { try content.write(to: folder.appendingPathComponent(name)) }
    return try run(
      arguments.map { $0.hasPrefix("@") ? folder.appendingPathComponent(String($0.dropFirst())).path : $0 }
    ).text
  }

  /// Events as lines of a file.
  static func lines(_ events: [[String: Any]]) throws -> Data {
    try events.map { try JSONSerialization.data(withJSONObject: $0) + Data("\n".utf8) }.reduce(Data(), +)
  }
}
