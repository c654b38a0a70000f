import EncircleText
import Foundation

/// The API's OpenAPI 3.1 description: a file with the common parts, and one for each group of routes.
enum APIDescription {
  /// Returns the whole description as JSON, in a stable order.
  ///
  /// - Throws: An error if one of the files is invalid. They are embedded in the program.
  static func bytes() throws -> Data { try json.get() }

  private static let json = Result {
    try JSONSerialization.data(withJSONObject: merge(), options: [.sortedKeys, .withoutEscapingSlashes])
  }

  /// The parameters of queries, by the `operationId`.
  ///
  /// They do not need the description as JSON, because writing it takes fifteen times as long as reading the files. Every service
  /// needs the parameters for its first request, but few services are asked for the description.
  static let queryParameters = (try? queryParameters(in: merge())) ?? [:]

  private static func queryParameters(in whole: [String: Any]) -> [String: QueryParameters] {
    var found: [String: QueryParameters] = [:]
    let paths = whole["paths"] as? [String: [String: Any]] ?? [:]
    for case let operation as [String: Any] in paths.values.flatMap(\.values) {
      guard let id = operation["operationId"] as? String else { continue }
      found[id] = QueryParameters(operation["parameters"] as? [[String: Any]] ?? [])
    }
    return found
  }

  private static func merge() throws -> [String: Any] {
    let base = "openapi/base.json"
    var whole = try object(base)
    var paths: [String: Any] = [:]
    var components = whole["components"] as? [String: Any] ?? [:]
    for group in Resources.paths.filter({ $0.beginsWithBytes(of: "openapi/") && $0 != base }).sorted() {
      let part = try object(group)
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
    return whole
  }

  private static func object(_ path: String) throws -> [String: Any] {
    let json = try JSONSerialization.jsonObject(with: Resources.file(path) ?? Data())
    guard let object = json as? [String: Any] else { throw CocoaError(.fileReadCorruptFile) }
    return object
  }
}
