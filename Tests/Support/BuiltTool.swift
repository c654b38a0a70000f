import Foundation

/// The `encircle` that the tests run: the one that was built together with them, or the one that `ENCIRCLE` in the environment
/// names. CI names the optimised one, which is what users get and takes a fraction of the time.
public enum BuiltTool {
  /// The tool's place, or `nil` if it has not been built.
  public static let url: URL? = {
    if let path = ProcessInfo.processInfo.environment["ENCIRCLE"] { return URL(fileURLWithPath: path) }
    return built
  }()

  /// The folder in which the products were built together with the tests.
  public static let products: URL? = built?.deletingLastPathComponent()

  // It lies beside the test bundle.
  private static let built: URL? = {
    var folders = [Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent()].compactMap { $0 }
    folders += CommandLine.arguments.filter { $0.contains(".xctest") }.map {
      URL(fileURLWithPath: $0).deletingLastPathComponent()
    }
    folders += Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
    folders.append(PackageFolder.root.appendingPathComponent(".build/debug"))
    var candidates: [URL] = []
    for folder in folders {
      // A test bundle on macOS has its own folders, so the tool may be a few levels up.
      var folder = folder
      for _ in 0..<4 {
        candidates.append(folder.appendingPathComponent("encircle"))
        folder.deleteLastPathComponent()
      }
    }
    return candidates.first {
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(atPath: $0.path, isDirectory: &isDirectory) && !isDirectory.boolValue
        && FileManager.default.isExecutableFile(atPath: $0.path)
    }
  }()
}
