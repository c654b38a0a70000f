import Foundation

/// The API's description, OpenAPI 3.1: a file with what is common, and one for each group of routes.
enum APIDescription {
  /// The whole description as JSON, in a stable order.
  static let bytes: Data = {
    var whole = Part.base
    var paths: [String: Any] = [:]
    var components = whole["components"] as? [String: Any] ?? [:]
    for part in Part.groups {
      paths.merge(part["paths"] as? [String: Any] ?? [:]) { old, new in
        // Two groups may answer different methods of one path.
        (old as? [String: Any] ?? [:]).merging(new as? [String: Any] ?? [:]) { $1 }
      }
      for (kind, added) in part["components"] as? [String: [String: Any]] ?? [:] {
        components[kind] = (components[kind] as? [String: Any] ?? [:]).merging(added) { $1 }
      }
    }
    whole["paths"] = paths
    whole["components"] = components
    // They are this program's own files.
    // swift-format-ignore: NeverUseForceTry
    return try! JSONSerialization.data(withJSONObject: whole, options: [.sortedKeys, .withoutEscapingSlashes])
  }()

  private enum Part {
    static var base: [String: Any] { object(Resources.file("openapi/base.json")!) }

    static var groups: [[String: Any]] {
      Resources.paths.filter { $0.hasPrefix("openapi/") && $0 != "openapi/base.json" }.sorted()
        .map { object(Resources.file($0)!) }
    }

    private static func object(_ bytes: Data) -> [String: Any] {
      // swift-format-ignore: NeverUseForceTry
      (try! JSONSerialization.jsonObject(with: bytes)) as! [String: Any]
    }
  }
}
