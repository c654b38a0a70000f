import Foundation

/// The parts of the repository around the probe that the tests use.
enum Repository {
  static let root: URL = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<5 { url.deleteLastPathComponent() }
    return url
  }()

  /// The tool `encircle`, if the environment names it.
  static let tool = ProcessInfo.processInfo.environment["ENCIRCLE"].map { URL(fileURLWithPath: $0) }

  /// The captures in view-tree XML that the repository has.
  static let captures: [URL] = {
    let directory = root.appendingPathComponent("ViewTrees")
    let files = (try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)) ?? []
    return files.sorted { $0.path < $1.path }.filter { file in
      guard file.pathExtension == "xml", let text = try? String(contentsOf: file, encoding: .utf8) else { return false }
      // The other probe captures Android views.
      return text.contains("<viewTree") && !text.contains("os=\"Android\"")
    }
  }()

  /// Returns what `encircle resolve` prints about the elements of captures, in the order of the captures.
  static func resolve(_ captures: [URL], style: String) throws -> [[String: Any]] {
    let process = Process()
    let output = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data().write(to: output)
    defer { try? FileManager.default.removeItem(at: output) }
    process.executableURL = tool
    process.arguments = ["resolve", "--format", "ndjson", "--style", style] + captures.map(\.path)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return try Data(contentsOf: output).split(separator: UInt8(ascii: "\n")).compactMap {
      try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any]
    }
  }

  /// Returns the superclasses of UIKit's classes, nearest first.
  static let superclasses: [String: [String]] = {
    let file = root.appendingPathComponent("Sources/EncircleTree/Classes/UIKitClasses.swift")
    let parts = ((try? String(contentsOf: file, encoding: .utf8)) ?? "").components(separatedBy: "\"\"\"")
    var result: [String: [String]] = [:]
    var path: [(indentation: Int, name: String)] = []
    for line in parts.dropFirst().first?.split(separator: "\n") ?? [] {
      let indentation = line.prefix { $0 == " " }.count
      let name = String(line.dropFirst(indentation).prefix { $0 != " " && $0 != "#" })
      guard !name.isEmpty else { continue }
      while let last = path.last, last.indentation >= indentation { path.removeLast() }
      result[name] = path.reversed().map(\.name)
      path.append((indentation, name))
    }
    return result
  }()
}
