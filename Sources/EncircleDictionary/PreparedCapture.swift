import EncircleIdentity
import EncircleText
import EncircleTree
import Foundation

/// A capture with all data that a dictionary stores of it, except data that depend on other captures.
///
/// Preparing a capture takes about half as long as adding it, and threads can prepare several at the same time.
public struct PreparedCapture: Sendable {
  public let screen: IdentifiedTree
  /// The SHA-256 of everything that is stored of the capture. It identifies a capture regardless of its name.
  let digest: Data
  /// The event IDs of all elements, in pre-order.
  let eventIDs: [EventID]
  let contents: ElementContents
  let chains: PathChains
  /// The styles that can serve the capture, except web styles.
  let styles: [PathStyleName]

  /// - Complexity: O(elements × length of paths).
  public init(_ screen: IdentifiedTree) {
    self.screen = screen
    contents = ElementContents(of: screen)
    chains = PathChains(of: screen)
    (digest, eventIDs) = Self.digest(of: screen, contents, chains)
    styles = PathStyleName.allCases.filter { !$0.isWeb && $0.style.unmetRequirement(for: screen) == nil }
  }

  private static func digest(
    of screen: IdentifiedTree, _ contents: ElementContents, _ chains: PathChains
  ) -> (Data, [EventID]) {
    var eventIDs: [EventID] = []
    eventIDs.reserveCapacity(screen.tree.count)
    var bytes: [UInt8] = []
    func add(_ text: String?) {
      if let text { bytes.append(contentsOf: text.utf8) }
      bytes.append(0)
    }
    // Facts have the numbers of names, so each name is added where it occurs first.
    var numbers: [UTF8String: Int] = [:]
    func number(of name: String) -> Int {
      if let known = numbers[UTF8String(name)] { return known }
      numbers[UTF8String(name)] = numbers.count
      add(name)
      return numbers.count - 1
    }
    let header = screen.tree.header
    for text in [header.app, header.appVersion, header.os, header.osVersion, header.capturedAt] { add(text) }
    screen.forEachNamedSuperclass { name, superclass in
      add(name)
      add(superclass)
      return true
    }
    screen.forEachIdentity { element, path, identity, eventID in
      eventIDs.append(eventID)
      eventID.write(to: &bytes)
      let facts = Facts(chains.node(of: element), number(of:))
      Varint.append(facts.className, to: &bytes)
      bytes.append(contentsOf: facts.more)
      add(screen.page(of: element))
      add(screen.trackingType(of: element)?.rawValue)
      add(contents.ownContent(of: element))
      if let frame = screen.tree.frame(of: element) {
        for number in [frame.x, frame.y, frame.width, frame.height] {
          withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        }
      }
    }
    return (bytes.withUnsafeBytes { EventID(identity: $0) }.data, eventIDs)
  }
}
