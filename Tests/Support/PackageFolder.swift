import Foundation

/// Where this package's files are.
public enum PackageFolder {
  /// The folder of `Package.swift`.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The shipped captures.
  public static let viewTrees = root.appendingPathComponent("ViewTrees")

  /// Names of the shipped captures, in order.
  public static let captureNames: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: viewTrees.path)) ?? []
    return names.filter { $0.hasSuffix(".xml") || $0.hasSuffix(".txt") }.sorted()
  }()

  /// The folder that projects share, beside the package or named by `ENCIRCLE_SHARED`; nil where there is none.
  public static let shared: URL? = {
    let named = ProcessInfo.processInfo.environment["ENCIRCLE_SHARED"].map { URL(fileURLWithPath: $0) }
    let folder = named ?? root.deletingLastPathComponent().appendingPathComponent("shared")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  /// The bytes of a file.
  public static func bytes(_ file: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: file)) }
}
