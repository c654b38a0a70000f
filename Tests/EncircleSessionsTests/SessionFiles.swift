import EncircleEvents
import EncircleSessions
import EncircleTestSupport
import EncircleText
import Foundation
import Testing

/// Sessions in a folder, with the events that they give.
struct SessionFiles {
  /// A session and its expected events.
  struct Session: Sendable, CustomTestStringConvertible {
    let name: String
    let path: String
    let events: String
    var testDescription: String { name }
  }

  /// Returns the sessions of a folder whose events end with `suffix`; none if the folder is missing.
  static func all(in folder: URL, suffix: String) -> [Session] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".session.ndjson") }.sorted().map { file in
      let name = String(file.dropLast(".session.ndjson".count))
      return Session(
        name: name, path: folder.appending(path: file).path, events: folder.appending(path: name + suffix).path)
    }
  }

  /// Returns the records of a session, each as an object whose members are sorted.
  static func records(of reader: SessionReader, _ sdk: SessionSDK = .sensors) throws -> [String] {
    try records(of: reader, with: sdk.model)
  }

  private static func records<Model: SDKModel>(of reader: SessionReader, with _: Model.Type) throws -> [String] {
    var replay = try SessionReplay<Model>(reader)
    var bytes: [UInt8] = []
    while let step = try replay.next() {
      for record in step.output.records { record.append(line: step.signal.line, life: step.life, to: &bytes) }
    }
    return try sorted(Data(bytes))
  }

  /// Returns the records in a file, likewise. There is no file of a session that gives none: empty files are no captures.
  static func records(in path: String) throws -> [String] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try sorted(Data(contentsOf: URL(filePath: path)))
  }

  private static func sorted(_ lines: Data) throws -> [String] {
    try lines.split(separator: 0x0A).map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line))
      let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
      return String(decoding: data, as: UTF8.self)
    }
  }
}
