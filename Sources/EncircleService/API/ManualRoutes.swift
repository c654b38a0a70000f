import EncircleText
import Hummingbird

/// Serves the manuals' site below `/docs/`. Like the page, it is not in the API's description, and anybody may read it.
struct ManualRoutes: RouteGroup {
  let site: ManualSite

  /// The Content Security Policy of the pages: they load files of this service only, and no other page can frame them.
  private static let policy =
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    + "frame-ancestors 'none'; object-src 'none'"

  var routes: [Route] {
    var routes = [
      Route(method: .get, path: "/docs", operation: "manual", role: nil) { request, _ in
        // The router treats `/docs` and `/docs/` alike, but relative links on the first page need the slash at the end.
        guard request.uri.path.endsWithBytes(of: "/") else {
          return Response(status: .movedPermanently, headers: [.location: "/docs/"])
        }
        return Self.answer(site.files["index.html"])
      }
    ]
    for (name, file) in site.files {
      routes.append(
        Route(method: .get, path: "/docs/\(name)", operation: "manual", role: nil) { _, _ in
          Self.answer(file)
        })
    }
    return routes
  }

  private static func answer(_ file: ManualSite.File?) -> Response {
    guard let file else { return Response(status: .notFound) }
    return Response(
      file.bytes, file.type,
      headers: [.cacheControl: "no-cache", .eTag: "\"\(file.tag)\"", .contentSecurityPolicy: policy])
  }
}
