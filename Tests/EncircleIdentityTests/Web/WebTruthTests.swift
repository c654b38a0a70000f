import EncircleCapture
import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Foundation
import Testing

private let pageFolder: URL? = {
  let folder = PackageFolder.shared?.appendingPathComponent("sdks/web")
  return folder.flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }
}()

/// The events that the SDKs' own code sent for every element of pages in a real browser.
@Suite(.enabled(if: pageFolder != nil, "there is no folder with pages and what SDKs sent of them"))
struct WebTruthTests {

  private static let pages: [String] = {
    let names = pageFolder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0.path) } ?? []
    return names.filter { $0.hasSuffix(".html") }.map { String($0.dropLast(5)) }.sorted()
  }()

  // Fields of forms in it take the place of properties that the SDKs read, which breaks them.
  private static let broken = "clobber"
  // Facts that HTML text cannot express: nesting that no parser makes, single text nodes, shadow trees.
  private static let beyondHTML: Set<String> = ["nesting", "textnodes", "shadow", "react"]
  // Pages with control characters, which gumbo replaces.
  private static let withControls: Set<String> = ["fuzz-7-0", "fuzz-7-1"]

  private typealias Fields = [String: Any]

  private static func truth(_ page: String, _ sdk: String) throws -> [Fields] {
    let file = try #require(pageFolder).appendingPathComponent("\(page).\(sdk).ndjson")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? Fields)
    }
  }

  private static func screen(_ page: String, _ ending: String) throws -> IdentifiedTree? {
    let file = try #require(pageFolder).appendingPathComponent(page + ending)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return IdentifiedTree(try CaptureReader().read(contentsOf: file.path))
  }

  /// Foundation leaves some byte order marks out of the texts that it reads.
  private static func withoutMarks(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\u{FEFF}" }))
  }

  private static func text(_ value: Any?) -> String {
    switch value {
    case nil, is NSNull: "-"
    case let text as String: withoutMarks(text)
    case let number as NSNumber: number.stringValue
    default: "?"
    }
  }

  @Test("Sensors' SDK sends each element as the style says", arguments: pages.filter { $0 != broken })
  func sensors(page: String) throws {
    for ending in [".html", ".dom.json"] {
      if ending == ".html", page == "nesting" || page == "shadow" || Self.withControls.contains(page) { continue }
      guard let screen = try Self.screen(page, ending) else { continue }
      let chains = PathChains(of: screen)
      let taps = try #require(WebTaps(of: chains, style: .sensorsWeb, withSettings: true))
      for truth in try Self.truth(page, "sensors") {
        let number = try #require(truth["element"] as? Int)
        let element = ElementID(number)
        let tap = taps.tap(on: element)
        let written: [(String, String?)] = [
          ("$element_path", SensorsWebStyle().path(of: chains.chain(to: element))?.written),
          ("$element_selector", tap.selector), ("$element_position", tap.position.map(String.init)),
          ("$element_type", tap.type), ("$element_id", tap.id), ("$element_name", tap.name),
          ("$element_class_name", tap.className), ("$element_target_url", tap.href), ("$element_content", tap.content),
          ("$title", tap.title), ("target", tap.target.map { String($0.index) }),
        ]
        for (field, value) in written {
          #expect(Self.withoutMarks(value ?? "-") == Self.text(truth[field]), "\(page)\(ending) #\(number) \(field)")
        }
        let settings = try #require(taps.settings(of: element))
        let targets = truth["targets"] as? Fields ?? [:]
        for (setting, target) in settings.targets {
          #expect(
            target.map { String($0.index) } ?? "-" == Self.text(targets[setting]), "\(page) #\(number) \(setting)")
        }
        let noID = truth["no_id"] as? Fields ?? [:]
        #expect(
          [settings.path, settings.selector, settings.position.map(String.init) ?? "-"]
            == ["$element_path", "$element_selector", "$element_position"].map { Self.text(noID[$0]) })
      }
    }
  }

  @Test("PostHog's SDK sends each element as the style says", arguments: pages.filter { $0 != broken })
  func postHog(page: String) throws {
    for ending in [".html", ".dom.json"] {
      if ending == ".html", Self.beyondHTML.union(Self.withControls).contains(page) { continue }
      guard let screen = try Self.screen(page, ending) else { continue }
      let chains = PathChains(of: screen)
      let taps = try #require(WebTaps(of: chains, style: .postHogWeb))
      for truth in try Self.truth(page, "posthog") {
        let number = try #require(truth["element"] as? Int)
        let element = ElementID(number)
        let tap = taps.tap(on: element)
        #expect(tap.isNotCaptured == (truth["no_capture"] as? Bool ?? false))
        let knowsCursors = ending == ".dom.json"
        #expect(
          tap.isTracked == (truth[knowsCursors ? "tracked" : "tracked_nocss"] as? Bool), "\(page)\(ending) #\(number)")
        if tap.isNotCaptured { continue }
        let chain = try #require(PostHogWebStyle().path(of: chains.chain(to: element)))
        #expect(Self.withoutMarks(chain.written) == Self.text(truth["$elements_chain"]), "\(page)\(ending) #\(number)")
        #expect(
          Self.withoutMarks(tap.content ?? "-") == Self.text(truth["$el_text"]), "\(page)\(ending) #\(number) $el_text")
        // Entries are read back as they are, but where the SDK's escapes leave open where a value ends.
        if chain.written.utf8.contains(UInt8(ascii: "\\")) { continue }
        let read = try PostHogWebStyle().read(chain.written)
        #expect(read.first == chain, "\(page)\(ending) #\(number) reads back")
      }
    }
  }
}
