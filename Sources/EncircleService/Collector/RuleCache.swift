import EncircleLog
import EncircleText
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The last good rules on disk, for starting without a control plane: `NAME@VERSION-DIGEST.rules`, compiled, and `redact.json`.
///
/// Files are replaced atomically, so several collectors may share the folder.
struct RuleCache: Sendable {
  let folder: String

  private static let suffix = ".rules"
  private static let redactFile = "redact.json"
  private static let maximumBytes = 1 << 30

  /// - Throws: ``StoreError/unusable(directory:reason:)`` if there is no such folder, and it cannot be created.
  init(folder: String) throws {
    self.folder = folder
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw StoreError.unusable(directory: folder, reason: error.localizedDescription)
    }
  }

  /// Returns the newest stored version of a rule set; nil if there is none.
  func newest(of name: String) throws -> (tag: VersionTag, bytes: [UInt8])? {
    let found = versions(of: name).max { $0.time < $1.time }
    guard let found else { return nil }
    let path = FilePath.joining(folder, found.file)
    guard let data = FileManager.default.contents(atPath: path), data.count <= Self.maximumBytes else {
      throw ControlPlane.Failure(description: "\(path) cannot be read")
    }
    return (found.tag, Array(data))
  }

  /// Stores a version in place of all others of its rule set.
  func keep(_ bytes: [UInt8], of name: String, _ tag: VersionTag) throws {
    try replace("\(name)@\(tag.text)\(Self.suffix)", bytes)
    for other in versions(of: name) where other.tag != tag { unlink(FilePath.joining(folder, other.file)) }
  }

  /// Returns the stored list of the properties to redact; nil if none is stored.
  func redacted() throws -> [String]? {
    let path = FilePath.joining(folder, Self.redactFile)
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return try JSONDecoder().decode([String].self, from: data)
  }

  func keep(redacted: [String]) throws { try replace(Self.redactFile, Array(try JSONEncoder().encode(redacted))) }

  private func versions(of name: String) -> [(tag: VersionTag, file: String, time: Date)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { file in
      guard file.beginsWithBytes(of: "\(name)@"), file.endsWithBytes(of: Self.suffix),
        let tag = VersionTag(parsing: file.dropFirst(name.count + 1).dropLast(Self.suffix.count)),
        let attributes = try? FileManager.default.attributesOfItem(atPath: FilePath.joining(folder, file)),
        let time = attributes[.modificationDate] as? Date
      else { return nil }
      return (tag, file, time)
    }
  }

  private func replace(_ file: String, _ bytes: [UInt8]) throws {
    let path = FilePath.joining(folder, file)
    guard let failure = AtomicFile.replace(path, with: bytes) else { return }
    throw ControlPlane.Failure(description: "\(path) cannot be written: \(String(cString: strerror(failure)))")
  }
}
