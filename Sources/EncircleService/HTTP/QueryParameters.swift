import EncircleText
import Hummingbird

/// The parameters that an operation may have in its query.
struct QueryParameters: Sendable {
  private let names: [String]
  /// The parameters that may occur several times.
  private let lists: [String]

  /// - Parameter parameters: The parameters of the operation in the API's description.
  init(_ parameters: [[String: Any]]) {
    let query = parameters.filter { $0["in"] as? String == "query" }
    names = query.compactMap { $0["name"] as? String }
    lists = query.filter { ($0["schema"] as? [String: Any])?["type"] as? String == "array" }
      .compactMap { $0["name"] as? String }
  }

  /// Refuses a query with another parameter, because a misspelt one would be ignored, or with one that occurs twice,
  /// because only its first value would count.
  ///
  /// - Throws: ``ServiceError`` with 400.
  func check(_ request: Request) throws {
    var seen: Set<UTF8String> = []
    for (name, _) in request.queryParameters {
      func isThis(_ other: String) -> Bool { other.hasSameBytes(as: name) }
      func error(_ code: String, _ message: String) -> ServiceError {
        ServiceError(.malformed, code: code, message: message, location: ServiceError.Location(parameter: name))
      }
      guard names.contains(where: isThis) else {
        let nearest = Diagnostic.nearest(to: name, among: names).map { " Did you mean \($0)?" } ?? ""
        throw error("unknown-parameter", "There is no parameter of this name here.\(nearest)")
      }
      guard seen.insert(UTF8String(name)).inserted || lists.contains(where: isThis) else {
        throw error("duplicate-parameter", "This parameter is there twice.")
      }
    }
  }
}
