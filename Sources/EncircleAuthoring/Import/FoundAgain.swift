import EncircleIdentity
import EncircleText
import EncircleTree

/// An element that may be the circled one, for a person to confirm.
package struct FoundElement: Sendable {
  /// A reason for or against an element.
  package struct Reason: Sendable {
    package enum Code: String, CaseIterable, Sendable {
      case text, frame, classes, href
      /// The tag, the id, the classes and the attributes of an element of a web page.
      case attributes
      /// The surroundings of an element of a web page.
      case around
    }

    package var code: Code
    /// The likeness of the two, from 0 to 1.
    package var likeness: Double
    /// The reason in words.
    package var text: String
  }

  /// The number of the capture.
  package var capture: Int
  package var element: ElementID
  /// The share, from 0 to 1, of the known facts about the circled element that agree.
  package var score: Double
  package var reasons: [Reason]
}

/// The result of a search for an element that was circled before.
package struct FoundAgain: Sendable {
  /// The certainty of the result.
  package enum Verdict: String, CaseIterable, Sendable {
    /// One element is like it, and no other is, except elements at its place in other rows and elements inside it.
    case found
    /// Several elements are like it.
    case several
    /// No element of the page is like it.
    case none
    /// No capture shows the page.
    case noCapture = "no-capture"
  }

  package var verdict: Verdict
  /// The elements that are most like it, the best first; at most ``ElementFinder/maximumProposals``.
  package var elements: [FoundElement]
}
