import EncircleAuthoring
import EncircleRuleFiles
import EncircleSDK
import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleService

/// The page says in Chinese what the service says in English: by the codes of its messages.
@Suite struct MessageCatalogueTests {
  /// The codes of an area of the page's catalogue with their texts.
  private static func area(_ name: String) throws -> [String: String] {
    let file = try #require(Resources.file("page/core/messages.js"))
    let text = String(decoding: file, as: UTF8.self)
    let start = try #require(text.range(of: "\n  \(name): {\n"))
    let end = try #require(text.range(of: "\n  },\n", range: start.upperBound..<text.endIndex))
    var messages: [String: String] = [:]
    for line in text[start.upperBound..<end.lowerBound].split(separator: "\n") {
      let found = try #require(line.firstMatch(of: /^    "?([a-z-]+)"?: "(.+)",$/), "\(line)")
      #expect(messages.updateValue(String(found.2), forKey: String(found.1)) == nil, "\(found.1) is there twice")
    }
    return messages
  }

  @Test(arguments: [
    ("reason", StabilityReason.Code.allCases.map(\.rawValue)),
    ("summary", SuggestedClause.Code.allCases.map(\.rawValue)),
    ("told", SDKConfiguration.ReasonCode.allCases.map(\.rawValue)),
    ("finding", CheckCode.allCases.map(\.rawValue) + ["broken-rules"]), ("alarm", ["zero", "rate"]),
    ("step", ElementDetail.MeaningCode.allCases.map(\.rawValue)),
  ])
  func `each code of an area has a Chinese message, and there are no others`(_ area: String, _ codes: [String]) throws {
    #expect(Set(try Self.area(area).keys) == Set(codes))
  }

  @Test func `each code of an error that the service's sources name has a Chinese message`() throws {
    let messages = try Self.area("error")
    let sources = PackageFolder.root.appendingPathComponent("Sources/EncircleService")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var codes: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /code: (?:String = )?"([a-z-]+)"/) { codes.insert(String(match.1)) }
    }
    #expect(codes.count > 50)
    #expect(codes.subtracting(messages.keys).sorted() == [])
  }

  @Test func `suggestions and components of paths have codes beside their texts`() async throws {
    let service = try RunningService()
    let id = try #require(try await SelectorRouteTests.upload(["home-feed.xml"], to: service)["home-feed.xml"])
    let answer = try await service.post("/v1/suggest", json: ["capture": id, "element": 35]).object
    let suggestions = try #require(answer["suggestions"] as? [[String: Any]])
    let summaries = try Self.area("summary")
    let reasons = try Self.area("reason")
    for suggestion in suggestions {
      #expect(summaries[suggestion["code"] as? String ?? ""] != nil)
      #expect(suggestion["count"] as? Int ?? 0 > 0)
      for reason in suggestion["reasons"] as? [[String: Any]] ?? [] {
        let message = reasons[reason["code"] as? String ?? ""]
        #expect(message != nil, "\(reason)")
        let arguments = (reason["arguments"] as? [String])?.count ?? 0
        #expect((message ?? "").matches(of: /\{\d\}/).count <= arguments, "\(reason)")
      }
    }
    let detail = try await service.get("/v1/captures/\(id)/elements/35").object
    let steps = try Self.area("step")
    let components = try #require(detail["components"] as? [[String: Any]])
    #expect(components.allSatisfy { steps[$0["code"] as? String ?? ""] != nil })
    #expect(components.contains { $0["controller"] as? String == "HomeViewController" })
  }

  @Test(arguments: ["core/messages.js", "core/strings.js", "core/texts/circled.js"])
  func `Chinese has the punctuation of its width`(_ name: String) throws {
    let text = String(decoding: try #require(Resources.file("page/\(name)")), as: UTF8.self)
    let narrow = /[\p{Han}][,:;?!()]|[,:;?!(]\p{Han}/
    for line in text.split(separator: "\n") where !line.contains("//") {
      // English comes first.
      guard let chinese = line.split(separator: "\"").last(where: { $0.contains(/\p{Han}/) }) else { continue }
      let found = chinese.firstMatch(of: narrow).map { String($0.output) }
      #expect(found == nil, "\(chinese)")
    }
  }
}
