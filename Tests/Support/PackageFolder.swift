import Foundation

/// The folders of this package.
public enum PackageFolder {
  /// The folder of `Package.swift`.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of the captures in this package.
  public static let viewTrees = root.appendingPathComponent("ViewTrees")

  /// The file names of those captures, in ascending order.
  public static let captureNames: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: viewTrees.path)) ?? []
    return names.filter { $0.hasSuffix(".xml") || $0.hasSuffix(".txt") || $0.hasSuffix(".json") }.sorted()
  }()

  /// The same without the one screen of thousands of elements, for tests that do much with each element. Its rows are
  /// alike, and others have them, too.
  public static let smallCaptureNames = captureNames.filter { $0 != "big-list.xml" }

  /// The folder with data that are not in this repository (captures of real apps, answers of real SDKs, and a benchmark): the one
  /// that `ENCIRCLE_SHARED` names, or `shared` beside the package. If it is nil, tests that need it are skipped.
  public static let shared: URL? = {
    let named = ProcessInfo.processInfo.environment["ENCIRCLE_SHARED"].map { URL(fileURLWithPath: $0) }
    let folder = named ?? root.deletingLastPathComponent().appendingPathComponent("shared")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  /// The folder with request bodies that a real SDK has sent, in the same data; nil if they are missing.
  public static let uploads: URL? = {
    let folder = shared?.appendingPathComponent("messages/upload")
    return folder.flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }
  }()

  /// Returns the bytes of a file.
  public static func bytes(_ file: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: file)) }
}
