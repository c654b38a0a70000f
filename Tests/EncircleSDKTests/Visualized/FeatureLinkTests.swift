import Foundation
import Testing

@testable import EncircleSDK

@Suite struct FeatureLinkTests {
  private func link(
    scheme: String = "sa12345678", project: String = "default", host: String = "192.168.1.5:8080"
  ) throws(FeatureLink.Problem) -> FeatureLink {
    try FeatureLink(.visualized, scheme: scheme, project: project, host: host)
  }

  @Test(arguments: ["192.168.1.5:8080", "circle.example.com", "https://circle.example.com:8443", "[::1]:8080"])
  func `the post URL survives being decoded twice`(host: String) throws {
    let link = try link(host: host)
    let text = link.text(code: "aZ0-_~.")
    let parts = try #require(URLComponents(string: text))
    #expect(parts.scheme == "sa12345678" && parts.host == "visualized")
    let items = try #require(parts.queryItems)
    #expect(items.map(\.name) == ["feature_code", "url"])
    let once = try #require(items[1].value)
    #expect(once == link.postURL(code: "aZ0-_~."))
    #expect(once.removingPercentEncoding == once)
    #expect(try #require(URLComponents(string: once)?.queryItems).map(\.value) == ["default"])
  }

  @Test func `hosts are names or addresses, and nothing else`() throws {
    #expect(try link(host: "a:1").origin == "http://a:1")
    #expect(try link(host: "http://a/").origin == "http://a")
    for host in [
      "", "a b", "a/b", "a:0", "a:70000", "a:", "a:1:2", "a@b", "a?b", "ftp://a", "%61", "[::1", "[x]:1", "[::1]x", "é",
      "a\r\nb", "javascript:alert(1)", String(repeating: "a", count: 400),
    ] {
      #expect(throws: FeatureLink.Problem.self, "\(host)") { try link(host: host) }
    }
  }

  @Test func `only the SDK's schemes are allowed, as others could do anything`() {
    for scheme in ["", "sa", "javascript", "http", "sa1:", "sa 1", "sa1//x", "SA1", "sa\u{E9}"] {
      #expect(throws: FeatureLink.Problem.self, "\(scheme)") { try link(scheme: scheme) }
    }
    for project in ["", "a b", "a&b", "%20", "é", String(repeating: "a", count: 65)] {
      #expect(throws: FeatureLink.Problem.self, "\(project)") { try link(project: project) }
    }
  }
}
