import Foundation

/// A tap on an element of the flower shop's captures, as an SDK sends it: a line of `Rules/events/shop-app.ndjson`.
public struct ShopTap: Sendable {
  /// The number of the line, from 1.
  public let line: Int
  /// The style of the SDK.
  public let style: String
  /// The file name of the capture.
  public let capture: String
  public let element: Int
  /// The JSON of the event.
  public let event: String
  /// The key shared by elements that differ only in their row.
  public let kind: String

  /// Returns all taps. Lines that are about no element of a capture are left out.
  public static func all() throws -> [ShopTap] {
    let file = PackageFolder.root.appendingPathComponent("Rules/events/shop-app.ndjson")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    return try lines.enumerated().compactMap { try ShopTap(line: $0 + 1, event: String($1)) }
  }

  private init?(line: Int, event: String) throws {
    guard let all = try JSONSerialization.jsonObject(with: Data(event.utf8)) as? [String: Any] else { return nil }
    let user = ["distinct_id", "deviceId", "deviceUdid"].lazy.compactMap { all[$0] as? String }.first ?? ""
    let parts = user.split(separator: "#")
    guard parts.count == 2, let element = Int(parts[1]) else { return nil }
    let properties = all["properties"] as? [String: Any] ?? [:]
    let isAndroid = [properties["$os"], all["platform"]].contains { $0 as? String == "Android" }
    let sdk = all["xpath"] != nil ? "growingio" : all["event"] as? String == "$autocapture" ? "posthog" : "sensors"
    style = all["eventId"] != nil ? "hubbledata" : isAndroid ? sdk + "-android" : sdk
    (self.line, self.element, self.event) = (line, element, event)
    capture = parts[0] + ".xml"
    let attributes = all["attributes"] as? [String: Any] ?? [:]
    // HubbleData's events have no path: their rows distinguish them.
    let row =
      attributes["row"] == nil ? all["eventId"] : attributes["section"].map { "\($0) \(attributes["type"] ?? "")" }
    let places = ["$element_path", "$elements_chain", "$element_id"].map { properties[$0] }
    kind = ([row, all["xpath"], all["xcontent"]] + places).map { "\($0 ?? "-")" }.joined(separator: " ")
  }
}
