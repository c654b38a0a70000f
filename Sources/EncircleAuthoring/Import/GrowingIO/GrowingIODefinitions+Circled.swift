import EncircleEvents
import EncircleText
import EncircleTree

extension GrowingIODefinitions {
  /// Returns the picture of a definition, with the frame of the element on it.
  static func picture(_ item: DefinitionNode) -> CircledPicture? {
    guard let screenshot = item["screenshot"], let viewport = screenshot["viewport"] else { return nil }
    return CircledPicture(viewport, frame: frame(of: screenshot))
  }

  /// Returns the facts about the circled element in a definition; nil for pages, parts of web pages and systems other than iOS.
  ///
  /// `attrs` describes the clicked element, `filter` the parts of the description that count.
  static func circled(_ item: DefinitionNode, _ picture: CircledPicture?, id: String) -> RecordedElement? {
    guard item["eventType"]?.text.map({ (["elem"] + elementEvents).contains(where: $0.hasSameBytes) }) ?? false,
      item["platform"]?.words.map({ $0.lowercased().hasSameBytes(as: "ios") }) ?? true
    else { return nil }
    let parts: [DefinitionNode] = ["attrs", "filter"].compactMap { item[$0] }
    func plain(_ name: String) -> String? {
      let texts: [String] = parts.compactMap { $0[name]?.words }
      return texts.first { !$0.containsBytes(of: "*") }
    }
    let paths = plain("xpath")?.splitBytes(at: ",").map(String.init) ?? []
    guard !paths.contains(where: { $0.containsBytes(of: "::") }) else { return nil }
    let isEncoded = parts.contains { $0["isContentEncoded"]?.isTrue ?? false }
    let frame = item["screenshot"].flatMap { Self.frame(of: $0) }
    return RecordedElement(
      id: UTF8String(id), page: plain("path").map { UTF8String($0) },
      text: isEncoded ? nil : plain("content").map { UTF8String($0) }, path: paths.first ?? "", frame: frame,
      screenWidth: frame == nil ? nil : picture?.screenWidth)
  }

  private static func frame(of screenshot: DefinitionNode) -> Frame? {
    let numbers = ["x", "y", "w", "h"].compactMap { screenshot[$0]?.label.flatMap { Double($0) } }
    guard numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[2] > 0, numbers[3] > 0 else { return nil }
    return Frame(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}
