import EncircleIdentity
import EncircleRules

/// A capture that is kept somewhere, such as in a directory or a database.
package struct StoredCapture: Sendable {
  package let id: String
  package let name: String
  package let appVersion: String?
  /// The capture with the identities that are computed without options.
  package let screen: IdentifiedTree

  package init(id: String, name: String, appVersion: String?, screen: IdentifiedTree) {
    self.id = id
    self.name = name
    self.appVersion = appVersion
    self.screen = screen
  }
}

/// A store of captures. An error that it throws ends the work that reads it.
package protocol ScreenStore: Sendable {
  /// A number that changes whenever a kept capture gets another name or page.
  var edits: Int { get }

  /// Returns the IDs of all captures, newest first.
  func captureIDs() throws -> [String]

  /// Returns the capture with an ID; nil if it is not kept.
  func capture(_ id: String) throws -> StoredCapture?

  /// Gives all captures to `body`, in any order, until that returns false.
  func forEachCapture(_ body: (StoredCapture) throws -> Bool) throws
}

/// A stored capture with the events of its elements.
package struct IndexedScreen: Sendable {
  package let id: String
  package let name: String
  package let appVersion: String?
  package let events: ScreenEvents

  init(_ capture: StoredCapture, _ settings: SelectionSettings) {
    id = capture.id
    name = capture.name
    appVersion = capture.appVersion
    events = ScreenEvents(settings.identified(capture.screen), settings)
  }
}
