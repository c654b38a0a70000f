import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleService

/// The site of the manuals below `/docs/`.
@Suite struct ManualSiteTests {
  /// A folder with a site, and beside it what must not be read.
  private func folder() throws -> URL {
    let folder = try RunningService.newDirectory()
    for name in ["site/docs", "site/.git", "outside"] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    for (name, text) in [
      ("secret.html", "secret"), ("outside/page.html", "secret"), ("site/index.html", "<p>manuals</p>"),
      ("site/docs/rules.html", "<p>规则</p>"), ("site/docs/index.html", "<p>docs</p>"), ("site/site.css", "p {}"),
      ("site/.hidden.html", "secret"), ("site/.git/config.html", "secret"), ("site/run.sh", "secret"),
      ("site/a b.html", "secret"), ("site/{id}.html", "secret"),
    ] {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    let site = folder.appendingPathComponent("site")
    try FileManager.default.createSymbolicLink(
      at: site.appendingPathComponent("link.html"), withDestinationURL: folder.appendingPathComponent("secret.html"))
    try FileManager.default.createSymbolicLink(
      at: site.appendingPathComponent("elsewhere"), withDestinationURL: folder.appendingPathComponent("outside"))
    return folder
  }

  @Test func `only files of the folder itself are in the site`() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let site = try ManualSite(folder: folder.appendingPathComponent("site").path)
    #expect(site.files.keys.sorted() == ["docs/index.html", "docs/rules.html", "index.html", "site.css"])
  }

  @Test func `a folder without a site keeps the service from starting`() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["outside", "nothing"] {
      #expect(throws: ServiceStartError.self) { try ManualSite(folder: folder.appendingPathComponent(name).path) }
    }
  }

  @Test(arguments: [
    ("index.html", true), ("docs/a-b_c.1.html", true), ("", false), (".", false), ("..", false), ("a/../b", false),
    ("/a", false),
    ("a//b", false), ("a/", false), ("a\\b", false), ("{id}", false), ("*", false), (":a", false), ("a\u{0}", false),
    ("é", false),
    (".a", false), ("a/.b", false), ("%2e", false),
  ])
  func `names are such as sites have`(path: String, isRight: Bool) { #expect(ManualSite.isName(path) == isRight) }

  @Test func `the site is served with its types, its tags and a policy`() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let service = try RunningService(["--manuals", folder.appendingPathComponent("site").path])
    let first = try await service.get("/docs/")
    #expect(first.status == 200 && first.text == "<p>manuals</p>")
    #expect(first.headers["content-type"] == "text/html; charset=utf-8")
    #expect(first.headers["x-content-type-options"] == "nosniff")
    #expect(first.headers["content-security-policy"]?.contains("default-src 'self'") == true)
    let moved = try await service.get("/docs")
    #expect(moved.status == 301 && moved.headers["location"] == "/docs/")
    let page = try await service.get("/docs/docs/rules.html")
    #expect(page.status == 200 && page.text == "<p>规则</p>")
    #expect(try await service.get("/docs/site.css").headers["content-type"] == "text/css; charset=utf-8")
    let tag = try #require(page.headers["etag"])
    let known = try await service.get("/docs/docs/rules.html", headers: ["If-None-Match": tag])
    #expect(known.status == 304 && known.body.isEmpty && known.headers["etag"] == tag)
    #expect(try await service.get("/docs/docs/rules.html", headers: ["If-None-Match": "\"other\""]).status == 200)
    #expect(try await service.send("POST", "/docs/index.html").status == 405)
    // Changes while the service runs are ignored.
    try Data("later".utf8).write(to: folder.appendingPathComponent("site/later.html"))
    #expect(try await service.get("/docs/later.html").status == 404)
  }

  @Test func `hostile paths reach nothing`() async throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let service = try RunningService(["--manuals", folder.appendingPathComponent("site").path])
    for path in [
      "/docs/../secret.html", "/docs/%2e%2e/secret.html", "/docs/..%2fsecret.html", "/docs/docs/../../secret.html",
      "/docs/%252e%252e/secret.html", "/docs/..%5csecret.html", "/docs/..\\secret.html", "/docs/....//secret.html",
      "/docs//etc/passwd", "/docs/%2fetc/passwd", "/docs/link.html", "/docs/elsewhere/page.html", "/docs/.hidden.html",
      "/docs/.git/config.html", "/docs/run.sh", "/docs/a%20b.html", "/docs/%7Bid%7D.html", "/docs/x.html",
      "/docs/index.html%00", "/docs/index.html%00.png", "/docs/INDEX.HTML", "/docs/\u{FF0E}\u{FF0E}/secret.html",
    ] {
      let answer = try await service.exchange(
        Data("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
      #expect(!answer.text.contains("secret") && answer.status >= 400, "\(path): \(answer.status)")
    }
    #expect(try await service.get("/healthz").status == 200)
  }

  @Test func `without a site its path does not exist`() async throws {
    #expect(try await RunningService().get("/docs/").status == 404)
  }
}
