import EncircleText
import Foundation

/// Compares answers by what `docs/compatibility.md` promises of JSON: members stay, with name, type and meaning; new ones may come.
public enum JSONPromise {
  /// Members whose values are for people, or say how long something took or when.
  private static let free: Set<String> = [
    "message", "reason", "example", "text", "seconds", "summary", "published_at", "uploaded_at", "time",
  ]

  /// The places where a newer answer breaks the promise of an older one, as JSON Pointers.
  public static func breaches(of old: Any, by new: Any, at place: String = "") -> [String] {
    switch (old, new) {
    case (let old as [String: Any], let new as [String: Any]):
      return old.sorted { $0.key < $1.key }.flatMap { key, value -> [String] in
        guard let other = new[key] else { return ["\(place)/\(key): is missing"] }
        if free.contains(key), !(value is [Any]), !(value is [String: Any]) { return [] }
        return breaches(of: value, by: other, at: "\(place)/\(key)")
      }
    case (let old as [Any], let new as [Any]):
      let length = old.count == new.count ? [] : ["\(place)/: \(old.count) items were there, now \(new.count)"]
      return length + zip(old, new).enumerated().flatMap { breaches(of: $1.0, by: $1.1, at: "\(place)/\($0)") }
    case (let old as String, let new as String):
      return old.hasSameBytes(as: new) ? [] : ["\(place): \(old) is now \(new)"]
    case (let old as Double, let new as Double): return old == new ? [] : ["\(place): \(old) is now \(new)"]
    case (is NSNull, is NSNull): return []
    default: return ["\(place): \(old) is now \(new)"]
    }
  }

  /// The lines of NDJSON as one list.
  public static func lines(_ text: String) throws -> [Any] {
    try text.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8), options: .fragmentsAllowed)
    }
  }
}

/// The input and answers of an earlier version: a folder of `Tests/Compatibility`, which its README describes.
public struct EarlierVersion: Sendable, CustomStringConvertible {
  public let folder: URL
  public var description: String { folder.lastPathComponent }

  public static let all: [EarlierVersion] = {
    let root = PackageFolder.root.appendingPathComponent("Tests/Compatibility")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    return names.sorted().map { EarlierVersion(folder: root.appendingPathComponent($0)) }
      .filter { FileManager.default.fileExists(atPath: $0.folder.appendingPathComponent("commands.txt").path) }
  }()

  /// A command that the version has answered.
  public struct Command: Sendable, CustomStringConvertible {
    public let version: EarlierVersion
    public let promise: String
    public let comparison: String
    public let name: String
    public let status: Int32
    public let arguments: [String]
    public var description: String { "\(version): \(name)" }
  }

  public var commands: [Command] {
    rows("commands.txt").filter { $0.count == 5 }.map { row in
      Command(
        version: self, promise: row[0], comparison: row[1], name: row[2], status: Int32(row[3]) ?? -1,
        arguments: row[4].split(separator: " ").map(String.init))
    }
  }

  /// The beginnings of places where later versions answer differently, as the CHANGELOG announces.
  public func announced(for name: String) -> [String] {
    rows("announced.txt").filter { $0.count == 3 && $0[0] == name }.map { $0[1] }
  }

  public func text(_ name: String) throws -> String {
    String(decoding: try PackageFolder.bytes(folder.appendingPathComponent(name)), as: UTF8.self)
  }

  private func rows(_ name: String) -> [[String]] {
    ((try? text(name)) ?? "").split(separator: "\n").map { line in
      line.split(separator: "|", maxSplits: 4, omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }
}
