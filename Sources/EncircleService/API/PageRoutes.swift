import EncircleText
import Foundation
import Hummingbird

/// Serves the page and its files. They are not in the API's description.
struct PageRoutes: RouteGroup {
  var routes: [Route] {
    Resources.paths.filter { $0.beginsWithBytes(of: "page/") }.map { file in
      let name = file.dropFirst("page/".count)
      let path = name == "index.html" ? "/" : "/\(name)"
      let type = Self.types[String(name.splitBytes(at: ".").last ?? "")] ?? "application/octet-stream"
      let bytes = Resources.file(file)!
      let tag = "\"\(SHA256Digest(of: Array(bytes)).id)\""
      return Route(method: .get, path: path, operation: "page", role: nil) { _, _ in
        Response(bytes, type, headers: [.cacheControl: "no-cache", .eTag: tag])
      }
    }
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml", "png": "image/png", "webmanifest": "application/manifest+json",
  ]
}
