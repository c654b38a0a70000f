import EncircleCapture
import EncircleTestSupport
import EncircleTree
import Foundation
import Testing

/// Captures of real apps, which are not part of this package: folder `dumps` of the data that `ENCIRCLE_SHARED` names.
@Suite(.enabled(if: PackageFolder.shared != nil, "there is no folder with real dumps"))
struct RealCaptureTests {
  @Test(
    "whole captures are read in their formats",
    arguments: [
      ("android_axe_json", CaptureFormat.axe, 4, 0), ("detox_viewhierarchy_xml", .detox, 21, 0),
      // The result of a query has no nesting.
      ("ios_calabash_json", .calabash, 1, 1), ("ios_deviceagent_json", .deviceAgent, 1, 0),
      ("maestro_json", .maestro, 1, 0), ("sentry_viewhierarchy_json", .sentry, 4, 0),
      ("ios_xcui_debug_txt", .xcuiDescription, 1, 0), ("ios_recursivedescription_txt", .recursiveDescription, 48, 0),
      // The others are fragments, several documents in a row, or declare a wrong encoding.
      ("android_uiautomator_xml", .uiautomator, 51, 3), ("android_appium_xml", .uiautomator, 12, 3),
      ("ios_wda_xml", .webDriverAgent, 25, 9), ("ios_uiautomation_xml", .webDriverAgent, 2, 0),
    ])
  func folder(name: String, format: CaptureFormat, read: Int, refused: Int) throws {
    let folder = try #require(PackageFolder.shared).appendingPathComponent("dumps/\(name)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let trees = files.compactMap { try? CaptureReader().read(contentsOf: folder.appendingPathComponent($0).path) }
    #expect(trees.count >= read && files.count - trees.count <= refused, "\(trees.count) of \(files.count)")
    #expect(trees.allSatisfy { $0.format == format })
  }
}
