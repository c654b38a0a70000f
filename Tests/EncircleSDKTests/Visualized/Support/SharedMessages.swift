import EncircleTestSupport
import Foundation

/// Messages that the SDK's own code has written.
enum SharedMessages {
  static let names: [String] = {
    guard let folder else { return [] }
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".body") }.map { String($0.dropLast(5)) }.sorted()
  }()

  static func body(_ name: String) throws -> [UInt8] {
    try PackageFolder.bytes(folder!.appendingPathComponent(name + ".body"))
  }

  private static let folder = PackageFolder.shared?.appendingPathComponent("messages/visualized")
}
