import EncircleAuthoring
import EncircleIdentity
import EncircleText
import EncircleTree
import Foundation

extension CaptureRecord {
  /// Computes the columns of a capture that lists show.
  ///
  /// - Complexity: O(elements + bytes).
  init(
    of screen: IdentifiedTree, eventIDs: [EventID], bytes: [UInt8], _ upload: CaptureUpload, by person: String
  ) {
    let sha256 = SHA256Digest(of: bytes)
    let header = screen.tree.header
    self.init(
      id: sha256.id, sha256: sha256.bytes, name: "", format: screen.tree.format.rawValue, uploadedAt: Date(),
      uploadedBy: person, bytes: bytes.count)
    app = header.app.map(Self.shortened)
    appVersion = header.appVersion.map(Self.shortened)
    os = header.os.map(Self.shortened)
    osVersion = header.osVersion.map(Self.shortened)
    activity = upload.page
    elements = screen.tree.count
    capturedAt = header.capturedAt.flatMap(Self.time)
    lacks = screen.missingInformation.map { $0.description.beginning(bytes: 500) }
    collisions = screen.collisions(among: eventIDs).count
    findPages(of: screen)
    let size = ScreenSize(of: screen.tree)
    width = size?.width
    height = size?.height
    name = upload.name ?? upload.fileName ?? title ?? page ?? "\(format) \(id)"
  }

  private mutating func findPages(of screen: IdentifiedTree) {
    // The number of trackable elements on each page, and the first element.
    var counts: [UTF8String: (trackable: Int, first: ElementID)] = [:]
    // The page of each element of a web page, as its SDKs send it.
    let path = screen.tree.web?.url.map { WebAddress($0).path }
    for element in screen.tree.elements {
      let isTrackable = screen.trackingType(of: element) != nil
      if isTrackable { trackable += 1 }
      guard let name = path ?? screen.page(of: element), (1...Self.longestPage).contains(name.utf8.count) else {
        continue
      }
      counts[UTF8String(name), default: (0, element)].trackable += isTrackable ? 1 : 0
    }
    let inOrder = counts.sorted { $0.value.first < $1.value.first }
    pages = inOrder.prefix(Self.maximumPages).map(\.key.text)
    let main = inOrder.prefix(Self.maximumPages).max { $0.value.trackable < $1.value.trackable }
    page = main?.key.text
    title = main.flatMap { screen.pageTitle(of: $0.value.first) }.map(Self.shortened)
  }

  // No real screen has this many pages, but a hostile capture may.
  private static let maximumPages = 100
  private static let longestPage = 1_024

  private static func shortened(_ text: String) -> String { text.beginning(bytes: 200) }

  /// Returns a time as ISO 8601 in UTC; nil if the text is not a time.
  private static func time(_ text: String) -> String? {
    guard text.utf8.count <= 40 else { return nil }
    let styles = [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)]
    for style in styles {
      if let date = try? style.parse(text) { return date.formatted(.iso8601) }
    }
    return nil
  }
}
