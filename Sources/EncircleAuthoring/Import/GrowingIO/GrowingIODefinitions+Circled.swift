import EncircleEvents
import EncircleText
import EncircleTree
import Foundation

extension GrowingIODefinitions {
  /// The longest picture in a definition, in bytes of its text, whose size is read.
  private static let longestPicture = 8 << 20

  /// What a definition keeps of the element that was circled; nil for pages, parts of web pages and other systems than iOS.
  ///
  /// `attrs` says what was clicked, `filter` what of it counts.
  static func circled(_ item: DefinitionNode, id: String) -> CircledBefore? {
    guard item["eventType"]?.text?.hasSameBytes(as: "elem") ?? false,
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
    return CircledBefore(
      id: UTF8String(id), page: plain("path").map { UTF8String($0) },
      text: isEncoded ? nil : plain("content").map { UTF8String($0) }, path: paths.first ?? "", frame: frame,
      screenWidth: frame == nil
        ? nil : item["screenshot"]?["viewport"]?.text.flatMap { Self.screenWidth(ofPicture: $0) })
  }

  private static func frame(of screenshot: DefinitionNode) -> Frame? {
    let numbers = ["x", "y", "w", "h"].compactMap { screenshot[$0]?.label.flatMap { Double($0) } }
    guard numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[2] > 0, numbers[3] > 0 else { return nil }
    return Frame(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  /// The width in points of the screen that a picture shows, which is one, two or three pixels for each; nil if it cannot be told.
  private static func screenWidth(ofPicture url: String) -> Double? {
    guard url.utf8.count <= longestPicture, url.beginsWithBytes(of: "data:image/"),
      let comma = url.utf8.firstIndex(of: UInt8(ascii: ",")),
      let data = Data(base64Encoded: Data(url.utf8[url.utf8.index(after: comma)...])),
      let picture = try? Screenshot(Array(data))
    else { return nil }
    // Phones are between these widths, so that only one of the three fits.
    return [1, 2, 3].map { Double(picture.width) / $0 }.first { (300..<500).contains($0) }
  }
}
