import EncircleEvents
import EncircleIdentity
import EncircleText
import EncircleTree

/// The events that the elements of a capture cause, prepared once as JSON, so that deciding them is as fast as deciding events from
/// a stream.
package struct ScreenEvents: Sendable {
  /// The elements that an SDK of the style tracks, in pre-order.
  package let elements: [ElementID]
  /// For each of them, the number of its page.
  private let pageNumbers: [Int32]
  private let pages: [String?]
  private let bytes: [UInt8]
  /// The end of each element's event in the bytes; each event begins at the end of the previous one.
  private let ends: [Int]

  /// Makes the events of a capture; none in a style that cannot serve the capture. For a capture recorded from a running app, makes
  /// the events that this app sends, regardless of the rule set's style.
  ///
  /// - Parameter screen: A capture whose identities follow the settings.
  /// - Complexity: O(elements × depth).
  package init(_ screen: IdentifiedTree, _ settings: SelectionSettings) {
    let style = settings.style(for: screen)
    var elements: [ElementID] = []
    var ends: [Int] = []
    var bytes: [UInt8] = []
    var pageNumbers: [Int32] = []
    var pages: [String?] = []
    var numbers: [UTF8String?: Int32] = [:]
    if style.style.unmetRequirement(for: screen) == nil {
      let events = ElementEvents(of: screen, style: style, fields: settings.fields)
      for element in screen.tree.elements where events.trackingType(of: element) != nil {
        bytes += events.event(of: element).json
        elements.append(element)
        ends.append(bytes.count)
        let page = screen.page(of: element, in: style)
        let key = page.map { UTF8String($0) }
        if numbers[key] == nil {
          numbers[key] = Int32(pages.count)
          pages.append(page)
        }
        pageNumbers.append(numbers[key] ?? 0)
      }
    }
    self.elements = elements
    self.ends = ends
    self.bytes = bytes
    self.pageNumbers = pageNumbers
    self.pages = pages
  }

  /// Returns the page of an entry of ``elements``.
  package func page(ofEntry entry: Int) -> String? { pages[Int(pageNumbers[entry])] }

  /// Gives each entry's event to `body`.
  package func forEach(_ body: (_ entry: Int, _ json: UnsafeBufferPointer<UInt8>) throws -> Void) rethrows {
    try bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      for (entry, end) in ends.enumerated() {
        try body(entry, UnsafeBufferPointer(rebasing: bytes[start..<end]))
        start = end
      }
    }
  }

  /// The memory of the events, in bytes.
  package var byteCount: Int { bytes.count + 16 * elements.count }
}
