import EncircleTestSupport
import Foundation
import Testing

extension RulesFolder {
  /// Returns a folder with rules about the order page, `order.yaml`, and its captures of both versions.
  static func order() throws -> RulesFolder {
    let folder = try RulesFolder()
    try folder.write("order.yaml", OrderRules.text)
    for version in ["order-v5.1.xml", "order-v5.2.xml"] {
      try folder.write(version, PackageFolder.bytes(PackageFolder.viewTrees.appendingPathComponent(version)))
    }
    return folder
  }
}

/// Compares an output with a file of `Golden`; `UPDATE_GOLDEN=1` writes the file anew.
func compareWithGolden(_ output: [UInt8], _ name: String) throws {
  let file = PackageFolder.root.appendingPathComponent("Tests/EncircleToolTests/Golden/" + name)
  if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" { try Data(output).write(to: file) }
  #expect(String(decoding: output, as: UTF8.self) == String(decoding: try PackageFolder.bytes(file), as: UTF8.self))
}
