import ArgumentParser
import EncircleAuthoring
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// A property that a suggested rule reads from another element of the same screen, requested by `--property NAME=ELEMENT`.
struct SuggestedProperty {
  let name: String
  let selector: RelativeSelector
  /// The text of the element in the capture; nil if it has none.
  let text: String?

  /// Returns the name and the element in an option's value. Checks them as far as possible without a capture.
  static func parts(of argument: String) throws -> (name: String, element: String) {
    let parts = argument.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw ValidationError("--property takes a name and an element, as in price=12 or price=¥168, not '\(argument)'.")
    }
    guard parts[0].utf8.first != UInt8(ascii: "$") else {
      throw ValidationError("Names of properties that begin with '$' are the SDK's own: '\(parts[0])'.")
    }
    return (parts[0], parts[1])
  }

  /// Finds the element that an option names. If no element matches, or several do, or rules cannot name it, prints the reason
  /// and exits.
  init(
    _ argument: String, beside element: ElementID, in screen: IdentifiedTree, _ capture: String, _ style: PathStyleName
  ) throws {
    let (name, wanted) = try Self.parts(of: argument)
    let query = ElementQuery(wanted)
    let other = try query.onlyElement(query.shownElements(of: screen), wanted, in: screen, capture, style)
    guard let selector = RelativeSelector(from: element, to: other, in: screen, style) else {
      printError(
        "\(capture): error: element \(other) cannot be named from element \(element) by paths of style \(style.rawValue)"
      )
      throw ExitCode(ExitStatus.findings.rawValue)
    }
    self.name = name
    self.selector = selector
    text = ElementContents(of: screen).shownText(of: other, screen)
    if text == nil {
      let reason = screen.holdsTypedText(other) ? "is one in which people type, which is never read" : "says nothing"
      printError("\(capture): note: element \(other) \(reason), so the property '\(name)' has no value")
    }
  }
}
