import EncircleTestSupport
import Foundation

@testable import EncircleSDK

/// Messages made for tests, from objects of JSON.
enum MadeMessage {
  static func body(payload: [UInt8]?, _ members: [String: Any] = [:]) -> [UInt8] {
    var message: [String: Any] = [
      "type": "snapshot_response", "feature_code": "x", "os": "iOS", "lib": "iOS", "lib_version": "4.8.3",
      "app_id": "com.example.shop", "app_version": "5.2.1", "page_name": "HomeViewController",
      "screen_name": "HomeViewController", "title": "Home",
    ]
    message.merge(members) { $1 }
    if let payload { message["gzip_payload"] = Data(payload).base64EncodedString() }
    return json(message)
  }

  /// A message about a screen.
  static func body(objects: [[String: Any]], root: String = "$1", _ payload: [String: Any] = [:]) -> [UInt8] {
    var payload = payload
    payload["serialized_objects"] = ["rootObject": root, "objects": objects]
    return body(payload: gzip(json(payload)))
  }

  static func json(_ value: Any) -> [UInt8] {
    // Invalid JSON is a mistake of the test, which then has no message.
    [UInt8]((try? JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)) ?? Data())
  }

  /// A view as the SDK lists it.
  static func view(
    _ id: String, _ classes: [String], path: String?, in frame: [Double]? = [0, 0, 100, 50], level: Int? = nil,
    content: String? = nil, position: String? = nil, subelements: [String] = [], _ others: [String: Any] = [:]
  ) -> [String: Any] {
    var properties: [String: Any] = ["subelements": subelements, "screen_name": "HomeViewController"]
    if let path { properties["element_path"] = path }
    if let frame { properties["frame"] = ["X": frame[0], "Y": frame[1], "Width": frame[2], "Height": frame[3]] }
    if let level { properties["element_level"] = level }
    if let content { properties["element_content"] = content }
    if let position { properties["element_position"] = position }
    properties.merge(others) { $1 }
    return ["id": id, "class": classes + ["UIView", "UIResponder", "NSObject"], "properties": properties]
  }

  static func controller(_ id: String, _ classes: [String], _ subelements: [String]) -> [String: Any] {
    [
      "id": id, "class": classes + ["UIViewController", "UIResponder", "NSObject"],
      "properties": ["subelements": subelements],
    ]
  }

  static func read(
    _ body: [UInt8], after earlier: SnapshotScreen? = nil, limits: SnapshotLimits = SnapshotLimits()
  ) throws(SnapshotError) -> Snapshot? {
    try SnapshotMessage(body, limits: limits).snapshot(after: earlier, limits: limits)
  }

  /// A window with a controller's page that contains these views.
  static func page(_ views: [[String: Any]], content: String? = nil) -> [[String: Any]] {
    let inPage = Set(views.flatMap { ($0["properties"] as? [String: Any])?["subelements"] as? [String] ?? [] })
    let direct = views.compactMap { $0["id"] as? String }.filter { !inPage.contains($0) }
    return [
      view("$1", ["UIWindow"], path: "UIWindow", in: [0, 0, 390, 844], content: content, subelements: ["$2"]),
      controller("$2", ["HomeViewController"], ["$3"]),
      view("$3", [], path: "UIView", in: [0, 0, 390, 844], content: content, subelements: direct),
    ] + views
  }
}
