import EncircleCapture
import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Foundation
import Testing

/// The captures for whose elements the SDKs' own code has given answers, in the folder that `ENCIRCLE_SHARED` names or in `shared`
/// beside the package; they are not part of this repository.
private func captures(_ folder: String) -> [URL] {
  guard let folder = PackageFolder.shared?.appendingPathComponent("sdks/" + folder) else { return [] }
  let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
  return files.filter { $0.pathExtension == "xml" }.sorted { $0.path < $1.path }
}

private struct PostHogAnswer: Decodable {
  let element: Int
  let path: String?
  /// The path without what somebody typed, where that is in it.
  let path_untyped: String?
  let tracked: Bool
  let screen: String?
  let text: String?
}

private struct GrowingIOAnswer: Decodable {
  let element: Int
  let `class`: String
  let xpath: String?
  let xcontent: String?
  let index: Int?
  let textValue: String?
  let page: String?
  let tracked: Bool
  let exception: String?
}

@Suite struct SharedSDKTests {
  private static let isMissing: Comment = "no shared data beside the package; ENCIRCLE_SHARED names their folder"

  private func answers<T: Decodable>(_ file: URL) throws -> (IdentifiedTree, [T]) {
    let lines = try String(
      contentsOf: file.deletingPathExtension().appendingPathExtension("sdk.ndjson"), encoding: .utf8)
    return (
      IdentifiedTree(try CaptureReader().read(contentsOf: file.path)),
      try lines.split(separator: "\n").map { try JSONDecoder().decode(T.self, from: Data($0.utf8)) }
    )
  }

  @Test(
    "posthog-ios agrees in path, page, text and what it captures",
    .enabled(if: !captures("posthog").isEmpty, Self.isMissing), arguments: captures("posthog"))
  func postHog(file: URL) throws {
    let (screen, answers): (IdentifiedTree, [PostHogAnswer]) = try answers(file)
    let chains = PathChains(of: screen)
    let contents = ElementContents(of: screen, in: .postHog)
    for answer in answers {
      let element = ElementID(answer.element)
      let path = try #require(PostHogStyle().path(of: chains.chain(to: element)))
      let expected = answer.path_untyped ?? answer.path
      #expect(Array(path.written.utf8) == Array((expected ?? "").utf8), "\(element)")
      #expect((screen.trackingType(of: element, in: .postHog) != nil) == answer.tracked, "\(element)")
      // A path with a quote in front of `;` in a text is another one when it is read.
      if !path.written.contains("\";\"") { #expect(try PostHogStyle().read(path.written)[0].written == path.written) }
      guard answer.tracked else { continue }
      if let page = answer.screen { #expect(screen.page(of: element, in: .postHog) == page, "\(element)") }
      if answer.path_untyped == nil {
        #expect(contents.content(of: element) == answer.text.flatMap { $0.isEmpty ? nil : $0 }, "\(element)")
      }
    }
  }

  @Test(
    "growingio-sdk-ios-autotracker agrees in path, index, page, text and what it tracks",
    .enabled(if: !captures("growingio").isEmpty, Self.isMissing), arguments: captures("growingio"))
  func growingIO(file: URL) throws {
    let (screen, answers): (IdentifiedTree, [GrowingIOAnswer]) = try answers(file)
    let chains = PathChains(of: screen)
    let contents = ElementContents(of: screen, in: .growingIO)
    for answer in answers where answer.exception == nil {
      let element = ElementID(answer.element)
      let chain = chains.chain(to: element)
      let path = try #require(GrowingIOStyle().path(of: chain))
      #expect(GrowingIOStyle.xpath(of: path) == answer.xpath, "\(element)")
      #expect(GrowingIOStyle.xcontent(of: path) == answer.xcontent, "\(element)")
      #expect(GrowingIOStyle().position(in: chain) == answer.index.map(String.init), "\(element)")
      #expect(screen.page(of: element, in: .growingIO) == answer.page, "\(element)")
      #expect((screen.trackingType(of: element, in: .growingIO) != nil) == answer.tracked, "\(element)")
      #expect(try GrowingIOStyle().read(path.written).map(\.written) == [path.written])
      if !screen.holdsTypedText(element) {
        #expect(contents.content(of: element) == answer.textValue.flatMap { $0.isEmpty ? nil : $0 }, "\(element)")
      }
    }
  }
}
