import EncircleAuthoring
import EncircleEvents
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
    ("doubt", ProposedRule.ReviewReason.Code.allCases.map(\.rawValue)),
    ("summary", SuggestedClause.Code.allCases.map(\.rawValue)),
    ("told", SDKConfiguration.ReasonCode.allCases.map(\.rawValue)),
    ("definition", ImportReason.Code.allCases.map(\.rawValue)),
    ("finding", CheckCode.allCases.map(\.rawValue) + ["broken-rules"]), ("alarm", ["zero", "rate"]),
    ("step", ElementDetail.MeaningCode.allCases.map(\.rawValue)),
  ])
  func `each code of an area has a Chinese message, and each message a code`(_ area: String, _ codes: [String]) throws {
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

  /// The forms of findings by code, each with its Chinese.
  private static func findingForms() throws -> [String: [(form: String, chinese: String)]] {
    let file = try #require(Resources.file("page/core/texts/findings.js"))
    let text = try #require(String(decoding: file, as: UTF8.self).split(separator: "export const findingReasons").first)
    var forms: [String: [(String, String)]] = [:]
    var code = ""
    // Strings in the order of the file; what stands before a colon and a bracket is a code.
    var strings: [String] = []
    for match in text.matches(of: /(?m)^  "?([a-z-]+)"?: \[|"([^"]*)"|'([^'\n]*)'|`([^`]*)`/) {
      if let name = match.1 {
        (code, strings) = (String(name), [])
        continue
      }
      strings.append(String(match.2 ?? match.3 ?? match.4 ?? ""))
      if strings.count == 2 {
        forms[code, default: []].append((strings[0], strings[1]))
        strings = []
      }
    }
    return forms
  }

  private static func findings(of documentation: CheckDocumentation) throws -> [Finding] {
    let rules = try RuleFiles(text: "version: 1\n" + documentation.wrong, name: "a").ruleSetWithSources()
    let texts = documentation.plan.map { [(name: "a.plan.yaml", text: "version: 1\n" + $0)] } ?? []
    var checker = RuleChecker(rules, plan: try PlanFiles(texts: texts, for: rules.ruleSet))
    for (i, capture) in [documentation.capture, documentation.laterCapture].compactMap(\.self).enumerated() {
      checker.add(try Screens.of(capture, appVersion: "5.\(i)"), name: "capture\(i).xml")
    }
    if let event = documentation.event { checker.add(try AnalyticsEvent(json: event)) }
    return checker.check(at: 1_800_000_000_000).findings
  }

  @Test func `the findings of all documented examples have a Chinese form with their values`() throws {
    let forms = try Self.findingForms()
    #expect(Set(forms.keys).subtracting(CheckCode.allCases.map(\.rawValue)).sorted() == [])
    for (code, list) in forms {
      for (form, chinese) in list {
        let known = Set(form.matches(of: /\{\d\}/).map { String($0.output) })
        let used = Set(chinese.matches(of: /\{\d\}/).map { String($0.output) })
        #expect(used.isSubset(of: known), "\(code): \(chinese)")
      }
    }
    var expressions: [String: [Regex<AnyRegexOutput>]] = [:]
    for (code, list) in forms {
      expressions[code] = try list.map { form, _ in
        let parts = form.split(separator: /\{\d\}/, omittingEmptySubsequences: false)
        return try Regex(
          "(?s)^" + parts.map { NSRegularExpression.escapedPattern(for: String($0)) }.joined(separator: "(.+?)") + "$")
      }
    }
    for code in CheckCode.allCases {
      for finding in try Self.findings(of: code.documentation) where finding.code == code {
        #expect(
          expressions[code.rawValue, default: []].contains { finding.message.wholeMatch(of: $0) != nil },
          "\(code.rawValue): \(finding.message)")
      }
    }
  }

  @Test(arguments: [
    "messages", "texts/analysis", "texts/circled", "texts/definitions", "texts/drift", "texts/findings", "texts/forms",
    "texts/frame", "texts/live", "texts/plan", "texts/rules", "texts/screens", "texts/settings",
  ])
  func `Chinese has the punctuation of its width`(_ name: String) throws {
    let text = String(decoding: try #require(Resources.file("page/core/\(name).js")), as: UTF8.self)
    let narrow = /[\p{Han}][,:;?!()]|[,:;?!(]\p{Han}/
    for line in text.split(separator: "\n") where !line.contains("//") {
      // English comes first.
      guard let chinese = line.split(separator: "\"").last(where: { $0.contains(/\p{Han}/) }) else { continue }
      let found = chinese.firstMatch(of: narrow).map { String($0.output) }
      #expect(found == nil, "\(chinese)")
    }
  }
}
