import EncircleTestSupport
import Foundation
import Testing

/// `encircle board`, on the shipped captures.
@Suite struct BoardTests {
  private static let package = PackageFolder.root
  private static let arguments = [
    "board", "--rules", "Rules/shop.yaml", "--captures", "ViewTrees/order-v5.1.xml", "--captures",
    "ViewTrees/home-feed.xml",
  ]

  @Test("the page has the pictures beside captures, rings, events and counts, and asks for nothing else")
  func page() throws {
    let result = try Tool.run(
      Self.arguments + ["--title", "Shop", "--events", "Rules/events/shop.ndjson"], in: Self.package)
    #expect(result.status == 0, "\(result.errors)")
    let html = result.text
    #expect(html.hasPrefix("<!doctype html>") && html.hasSuffix("</html>\n"))
    #expect(html.contains("<h1>Shop</h1>"))
    #expect(html.contains("href=\"data:image/png;base64,iVBORw0KGgo"))
    #expect(html.contains("class=\"ring\"") && html.contains("<code>add_to_cart</code>"))
    #expect(html.contains("<th scope=\"col\">Count</th>"))
    #expect(!html.contains("src=") && !html.contains("http:") && !html.contains("https:"))
    let drawn = try Tool.run(Self.arguments + ["--without-pictures"], in: Self.package)
    #expect(!drawn.text.contains("data:image") && drawn.text.contains("class=\"ring\""))
    #expect(!drawn.text.contains("Count</th>"))
  }

  @Test("--output writes a file, but never one that is read")
  func output() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let file = folder.url.appendingPathComponent("board.html").path
    let result = try Tool.run(Self.arguments + ["-o", file], in: Self.package)
    #expect(result.status == 0 && result.output.isEmpty)
    let written = try PackageFolder.bytes(folder.url.appendingPathComponent("board.html"))
    #expect(String(decoding: written, as: UTF8.self).hasSuffix("</html>\n"))
    let refused = try Tool.run(Self.arguments + ["-o", "Rules/shop.yaml"], in: Self.package)
    #expect(refused.status == 64 && refused.errors.contains("is also read"), "\(refused.errors)")
  }

  @Test(
    "impossible requests are reported",
    arguments: [
      ("board --rules Rules/shop.yaml", 64, "Name the screens"),
      ("board --rules Rules/shop.yaml --captures missing.xml", 66, "missing.xml"),
      (
        "board --rules Rules/shop.yaml --captures ViewTrees/cart.xml --events Rules/events/broken.ndjson", 65,
        "not an event"
      ),
    ] as [(String, Int32, String)])
  func problems(arguments: String, status: Int32, message: String) throws {
    let result = try Tool.run(arguments.split(separator: " ").map(String.init), in: Self.package)
    #expect(result.status == status && result.errors.contains(message), "\(result.errors)")
  }

  @Test("a broken or too large picture is named, and the frames are drawn", arguments: [10, (16 << 20) + 1])
  func brokenPicture(size: Int) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("cart.xml", PackageFolder.bytes(PackageFolder.viewTrees.appendingPathComponent("cart.xml")))
    try folder.write("screenshots/cart.png", [UInt8](repeating: 0, count: size))
    try folder.write("rules.yaml", "version: 1\nrules: [{ id: any, include: { selector: '*' } }]\n")
    let result = try Tool.run(["board", "--rules", "rules.yaml", "--captures", "cart.xml"], in: folder.url)
    #expect(result.errors.contains("screenshots/cart.png: note: is not shown"))
    #expect(result.status == 0 && result.text.contains("<svg viewBox"))
  }
}
