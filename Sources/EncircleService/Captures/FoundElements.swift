import EncircleAuthoring
import EncircleIdentity
import EncircleText
import EncircleTree
import Foundation

/// The event IDs that begin with given digits, as 32-byte numbers.
struct EventIDRange {
  private(set) var lower: Data
  /// The upper bound, inclusive.
  private(set) var upper: Data

  /// - Parameter prefix: From 8 to 64 hexadecimal digits; the result is nil for any other text.
  init?(prefix: String) {
    let digits = prefix.utf8.compactMap { Hexadecimal.value(of: $0) }
    guard (8...64).contains(digits.count), digits.count == prefix.utf8.count else { return nil }
    func bytes(filling digit: UInt32) -> Data {
      let all = digits + Array(repeating: digit, count: 64 - digits.count)
      return Data(
        stride(from: 0, to: 64, by: 2).map { (place: Int) -> UInt8 in UInt8(all[place] << 4 | all[place + 1]) })
    }
    lower = bytes(filling: 0)
    upper = bytes(filling: 15)
  }
}

/// Elements of several captures, as an answer.
struct FoundElements: Encodable {
  struct Element: Encodable {
    let capture: StoredScreen
    let element: ElementID
    let content: String?

    private enum Key: String, CodingKey {
      case capture, captureName, element, eventId, path, page, type, appVersion, content
    }

    func encode(to encoder: any Encoder) throws {
      let screen = capture.identified
      var members = encoder.container(keyedBy: Key.self)
      try members.encode(capture.id, forKey: .capture)
      try members.encode(capture.name, forKey: .captureName)
      try members.encode(element.index, forKey: .element)
      try members.encode(screen.eventID(of: element).description, forKey: .eventId)
      try members.encode(screen.path(of: element).written(.underscores), forKey: .path)
      try members.encode(screen.page(of: element), forKey: .page)
      try members.encode(screen.trackingType(of: element)?.sent.rawValue, forKey: .type)
      try members.encode(capture.appVersion, forKey: .appVersion)
      try members.encode(content, forKey: .content)
    }
  }

  var elements: [Element] = []
  /// The number of all elements, including those that are not in this answer.
  var total: Int

  /// - Parameter places: The places of the elements, grouped by capture.
  init(_ places: [CaptureTable.Place], total: Int, in library: CaptureLibrary) throws {
    self.total = total
    var current: (screen: StoredScreen, contents: ScreenElements)?
    for place in places {
      try WorkBudget.check()
      if current?.screen.id != place.capture {
        // The capture may have been removed in the meantime.
        current = try library.screen(place.capture).map { ($0, ScreenElements(of: $0.identified)) }
      }
      guard let current, place.element < current.screen.identified.tree.count else { continue }
      let element = ElementID(place.element)
      elements.append(
        Element(capture: current.screen, element: element, content: current.contents.content(of: element)))
    }
  }
}
