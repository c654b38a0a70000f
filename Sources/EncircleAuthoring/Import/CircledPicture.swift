import EncircleText
import EncircleTree
import Foundation

/// The picture of a screen that another tool keeps of an element that was circled on it.
package struct CircledPicture: Sendable {
  /// The longest picture in a file that is read, in bytes of its text.
  package static let longestText = 8 << 20

  /// The place of the picture in the file, as a JSON Pointer to an address `data:…;base64,…`.
  package let pointer: String
  package let kind: Screenshot.Kind
  /// In pixels.
  package let width: Int
  package let height: Int
  /// The element's frame, in pixels of the picture; nil if the file does not have it.
  package let frame: Frame?

  /// - Parameter frame: The element, in points from the corner of the screen; nil if it is not known.
  /// - Returns: Nil if the address has no usable picture: one of an unknown kind, cut off or too large.
  init?(_ url: DefinitionNode, frame: Frame?) {
    guard let text = url.text, text.utf8.count <= Self.longestText, text.beginsWithBytes(of: "data:image/"),
      let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")),
      text[..<comma].endsWithBytes(of: ";base64"),
      let data = Data(base64Encoded: Data(text.utf8[text.utf8.index(after: comma)...])),
      let picture = try? Screenshot(Array(data), takesWebP: true)
    else { return nil }
    (pointer, kind, width, height) = (url.pointer, picture.kind, picture.width, picture.height)
    self.frame = Self.screenWidth(ofPicture: picture.width).flatMap { points in
      frame.flatMap { Self.scaled($0, by: Double(picture.width) / points, within: picture) }
    }
  }

  /// The width of the screen in points; nil if unknown.
  var screenWidth: Double? { Self.screenWidth(ofPicture: width) }

  /// Returns the width of the screen in points. A picture has one, two or three pixels for each point; the first of these
  /// factors that gives the width of a phone is taken.
  private static func screenWidth(ofPicture width: Int) -> Double? {
    [1, 2, 3].map { Double(width) / $0 }.first { (300..<500).contains($0) }
  }

  private static func scaled(_ frame: Frame, by scale: Double, within picture: Screenshot) -> Frame? {
    let scaled = Frame(
      x: frame.x * scale, y: frame.y * scale, width: frame.width * scale, height: frame.height * scale)
    let isInside =
      scaled.x >= 0 && scaled.y >= 0 && scaled.width > 0 && scaled.height > 0
      && scaled.x + scaled.width <= Double(picture.width) && scaled.y + scaled.height <= Double(picture.height)
    return isInside ? scaled : nil
  }
}
