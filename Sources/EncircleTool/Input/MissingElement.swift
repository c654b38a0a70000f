import ArgumentParser
import EncircleAuthoring
import EncircleIdentity
import EncircleText
import EncircleTree

/// The messages about elements that a capture does not have.
enum MissingElement {
  /// Returns the reason why a query finds no element; `text` is the query as it was written.
  static func message(_ query: ElementQuery, _ text: String, in screen: IdentifiedTree) -> String {
    switch query {
    case .number(let number): message(number, count: screen.tree.count)
    case .eventID(let prefix): "no element has event ID \(prefix)"
    case .point: "no trackable element is at \(text)"
    case .text: "no element says '\(text)' or has it as its id"
    }
  }

  /// Returns the message that no element has a number.
  static func message(_ number: Int, count: Int) -> String {
    count == 0
      ? "there is no element \(number): the capture has none"
      : "there is no element \(number): the capture has 0 to \(count - 1)"
  }
}

extension ElementQuery {
  /// Returns the only element that the query finds; if it finds none or several, prints the reason and exits.
  ///
  /// - Parameters:
  ///   - text: The query as it was written.
  ///   - hint: A hint about the other meaning of an event ID, for commands with an option for it.
  func onlyElement(
    _ text: String, in screen: IdentifiedTree, _ capture: String, _ style: PathStyleName, hint: String = ""
  ) throws -> ElementID {
    try onlyElement(elements(of: screen), text, in: screen, capture, style, hint: hint)
  }

  /// Returns the only one of the elements that the query finds.
  func onlyElement(
    _ found: [ElementID], _ text: String, in screen: IdentifiedTree, _ capture: String, _ style: PathStyleName,
    hint: String = ""
  ) throws -> ElementID {
    if found.count == 1 { return found[0] }
    if found.isEmpty {
      let other = if case .eventID = self { hint } else { "" }
      printError("\(capture): error: \(MissingElement.message(self, text, in: screen))\(other)")
    } else {
      printError("\(capture): error: \(found.count) elements are meant by '\(text)'; name one by its number:")
      let contents = ElementContents(of: screen)
      for element in found.prefix(20) {
        let line = SuggestionReport.line(element, screen, contents, style)
        printError("  " + VisibleText.shortened(line, columns: 110))
      }
      if found.count > 20 { printError("  … and \(found.count - 20) more") }
    }
    throw ExitCode(ExitStatus.findings.rawValue)
  }
}
