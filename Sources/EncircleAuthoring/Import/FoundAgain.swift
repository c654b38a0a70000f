import EncircleIdentity
import EncircleText
import EncircleTree

/// What another tool keeps of an element that was circled in it, with an SDK whose paths are other ones.
package struct CircledBefore: Sendable {
  /// The id of the definition.
  package var id: UTF8String
  /// The class of the page's controller.
  package var page: UTF8String?
  package var text: UTF8String?
  /// The classes from the root of the page down, as far as its path says them.
  package var classes: [UTF8String]
  /// In points, from the corner of the screen.
  package var frame: Frame?
  /// The width of the screen on which it was circled; nil if it is that of the captures.
  package var screenWidth: Double?

  package init(
    id: UTF8String, page: UTF8String? = nil, text: UTF8String? = nil, path: String = "", frame: Frame? = nil,
    screenWidth: Double? = nil
  ) {
    (self.id, self.page, self.text, self.frame, self.screenWidth) = (id, page, text, frame, screenWidth)
    classes = Self.classes(of: path)
  }

  /// The most classes of a path that are compared.
  static let mostClasses = 100

  /// Returns the classes of a path whose parts are separated by slashes, whatever stands behind their names.
  static func classes(of path: String) -> [UTF8String] {
    var classes: [UTF8String] = []
    for part in path.splitBytes(at: "/") {
      let end = part.utf8.firstIndex { [UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: "#")].contains($0) }
      let name = part[..<(end ?? part.endIndex)]
      // GrowingIO has a part of its own for the section of a cell.
      if !name.isEmpty, !name.hasSameBytes(as: "Section") { classes.append(UTF8String(String(name))) }
    }
    return Array(classes.suffix(mostClasses))
  }
}

/// An element that may be the one that was circled, for a person to confirm.
package struct FoundElement: Sendable {
  /// What speaks for an element, or against it.
  package struct Reason: Sendable {
    package enum Code: String, CaseIterable, Sendable {
      case text, frame, classes
    }

    package var code: Code
    /// How alike the two are, from 0 to 1.
    package var likeness: Double
    /// The reason in words.
    package var text: String
  }

  /// The number of the capture.
  package var capture: Int
  package var element: ElementID
  /// From 0 to 1: what is known of the circled element, as far as it is alike.
  package var score: Double
  package var reasons: [Reason]
}

/// What was found of an element that was circled before.
package struct FoundAgain: Sendable {
  /// How sure it is.
  package enum Verdict: String, CaseIterable, Sendable {
    /// One element is like it, and no other, but for those in its place in other rows.
    case found
    /// Several elements are like it.
    case several
    /// No element of the page is like it.
    case none
    /// No capture shows the page.
    case noCapture = "no-capture"
  }

  package var verdict: Verdict
  /// The elements that are most like it, the best first; at most ``ElementFinder/mostProposals``.
  package var elements: [FoundElement]
}
