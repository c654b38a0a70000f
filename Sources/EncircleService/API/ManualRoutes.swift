import EncircleText
import Hummingbird

/// Serves the site of the manuals below `/docs/`. Like the page, it is not in the API's description, and anybody may read it.
struct ManualRoutes: RouteGroup {
  let site: ManualSite

  /// What the pages may do: read files of this service, and be in no frame.
  private static let policy =
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    + "frame-ancestors 'none'; object-src 'none'"

  var routes: [Route] {
    var routes = [
      Route(method: .get, path: "/docs", operation: "manual", role: nil) { request, _ in
        // Both are one path to the router; relative links of the first page need the second.
        guard request.uri.path.endsWithBytes(of: "/") else {
          return Response(status: .movedPermanently, headers: [.location: "/docs/"])
        }
        return Self.answer(site.files["index.html"], request)
      }
    ]
    for (name, file) in site.files {
      routes.append(
        Route(method: .get, path: "/docs/\(name)", operation: "manual", role: nil) { request, _ in
          Self.answer(file, request)
        })
    }
    return routes
  }

  private static func answer(_ file: ManualSite.File?, _ request: Request) -> Response {
    guard let file else { return Response(status: .notFound) }
    var headers: HTTPFields = [
      .contentType: file.type, .cacheControl: "no-cache", .eTag: "\"\(file.tag)\"", .contentSecurityPolicy: policy,
    ]
    guard !Precondition.isKnown(file.tag, request.headers) else {
      headers[.contentType] = nil
      return Response(status: .notModified, headers: headers)
    }
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
  }
}
