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
  /// The number of each element's ``Facts`` among the different ones of the capture, in the order in which they first occur.
  let factsNumbers: [Int]
  let contents: ElementContents
  let chains: PathChains
  /// The styles that can serve the capture, except web styles.
  let styles: [PathStyleName]

  /// - Complexity: O(elements × length of paths).
  public init(_ screen: IdentifiedTree) {
    self.screen = screen
    contents = ElementContents(of: screen)
    chains = PathChains(of: screen)
    (digest, eventIDs, factsNumbers) = Self.digest(of: screen, contents, chains)
    styles = PathStyleName.allCases.filter { !$0.isWeb && $0.style.unmetRequirement(for: screen) == nil }
  }

  private static func digest(
    of screen: IdentifiedTree, _ contents: ElementContents, _ chains: PathChains
  ) -> (digest: Data, eventIDs: [EventID], factsNumbers: [Int]) {
    var eventIDs: [EventID] = []
    eventIDs.reserveCapacity(screen.tree.count)
    var factsNumbers: [Int] = []
    factsNumbers.reserveCapacity(screen.tree.count)
    var numbersOfFacts: [Facts: Int] = [:]
    var bytes: [UInt8] = []
    func add(_ text: String?) {
      if let text { bytes.append(contentsOf: text.utf8) }
      bytes.append(0)
    }
    // Facts have the numbers of names, and elements those of facts, so both are added where they first occur.
    var numbersOfNames: [UTF8String: Int] = [:]
    func number(of name: String) -> Int {
      if let known = numbersOfNames[UTF8String(name)] { return known }
      numbersOfNames[UTF8String(name)] = numbersOfNames.count
      add(name)
      return numbersOfNames.count - 1
    }
    func number(of facts: Facts) -> Int {
      if let known = numbersOfFacts[facts] { return known }
      numbersOfFacts[facts] = numbersOfFacts.count
      Varint.append(facts.className, to: &bytes)
      bytes.append(contentsOf: facts.more)
      return numbersOfFacts.count - 1
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
      let facts = number(of: Facts(chains.node(of: element), number(of:)))
      factsNumbers.append(facts)
      Varint.append(facts, to: &bytes)
      add(screen.page(of: element))
      add(screen.trackingType(of: element)?.rawValue)
      add(contents.ownContent(of: element))
      if let frame = screen.tree.frame(of: element) {
        for number in [frame.x, frame.y, frame.width, frame.height] {
          withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        }
      }
    }
    return (bytes.withUnsafeBytes { EventID(identity: $0) }.data, eventIDs, factsNumbers)
  }
}
