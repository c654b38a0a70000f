import Foundation

/// A folder for one test.
public struct TemporaryFolder {
  public let url: URL

  public init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  @discardableResult
  public func write(_ name: String, _ bytes: [UInt8]) throws -> URL {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file
  }

  @discardableResult
  public func write(_ name: String, _ text: String) throws -> URL { try write(name, Array(text.utf8)) }

  public func text(_ name: String) throws -> String {
    String(decoding: try PackageFolder.bytes(url.appendingPathComponent(name)), as: UTF8.self)
  }

  public func remove() { try? FileManager.default.removeItem(at: url) }
}
