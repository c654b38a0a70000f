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
