import EncircleIdentity
import EncircleText
import EncircleTree

/// Reports problems with the identities of a capture.
enum FindingsReport {
  private static let maximumCollisions = 10

  /// Prints the problems of one capture to standard error.
  ///
  /// - Returns: True if the capture has problems.
  static func print(_ screen: IdentifiedTree, eventIDs: [EventID], capture: String) -> Bool {
    let missing = screen.missingInformation
    if !missing.isEmpty {
      let subject = screen.tree.web == nil ? "identities lack" : "the capture lacks"
      printError("\(capture): note: \(subject) \(missing.map(\.description).joined(separator: "; "))")
    }
    let collisions = screen.collisions(among: eventIDs)
    let own = collisions.filter { !$0.isInherited }
    for collision in own.prefix(maximumCollisions) {
      let elements = NameList.shortened(collision.elements.lazy.map(\.description), atMost: 10)
      printError(
        "\(capture): warning: \(collision.elements.count) elements share one identity "
          + "(\(collision.reason.rawValue)): \(elements) "
          + VisibleText.shortened(screen.path(of: collision.elements[0]).written(.slashes)))
    }
    var rest: [String] = []
    let others = own.count - maximumCollisions
    if others > 0 { rest.append("\(others) more \(others == 1 ? "identity is" : "identities are") shared") }
    let inherited = collisions.count - own.count
    if inherited > 0 {
      let (noun, verb) = inherited == 1 ? ("identity", "is") : ("identities", "are")
      rest.append("\(inherited) \(noun) inside such elements \(verb) shared with them")
    }
    if !rest.isEmpty { printError("\(capture): note: \(rest.joined(separator: "; "))") }
    return !missing.isEmpty || !collisions.isEmpty
  }
}
