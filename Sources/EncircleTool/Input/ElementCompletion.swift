import EncircleCapture
import EncircleIdentity
import EncircleText
import EncircleTree

/// Completes the number of an element in a shell.
enum ElementCompletion {
  /// The options whose values may be captures, but not the capture of the element.
  private static let otherFiles = ["--against", "--event", "--controllers"]

  /// Returns the numbers of all tracked elements in the first capture of a command line; empty without a capture.
  static func numbers(in words: [String]) -> [String] {
    for (option, word) in zip([""] + words, words)
    where !word.utf8.starts(with: "-".utf8) && !otherFiles.contains(where: { $0.hasSameBytes(as: option) }) {
      guard let tree = try? CaptureReader().read(contentsOf: word) else { continue }
      let screen = IdentifiedTree(tree)
      return tree.elements.filter { screen.trackingType(of: $0, in: .hubbleData) != nil }.map { "\($0.index)" }
    }
    return []
  }
}
