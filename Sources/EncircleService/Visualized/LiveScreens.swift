import EncircleSDK
import EncircleText

/// The screens of running apps under names like `live.CONNECTION.REVISION`, so that a question about a capture can also be
/// about a screen that is not stored.
struct LiveScreens: Sendable {
  let connections: VisualizedConnections

  private static let prefix = "live."

  static func id(of connection: VisualizedConnection, _ revision: Int) -> String {
    "\(prefix)\(connection.id).\(revision)"
  }

  /// Returns whether a name belongs to a live screen.
  static func isLive(_ id: String) -> Bool { id.utf8.starts(with: prefix.utf8) }

  /// Returns the screen with a name, or its copy among the captures; nil if it is gone, or if it is not a live screen.
  ///
  /// - Complexity: O(bytes of the screen).
  func screen(_ id: String, orCopyIn captures: CaptureLibrary) throws -> StoredScreen? {
    let parts = id.splitBytes(at: ".", omittingEmptySubsequences: false)
    guard Self.isLive(id), parts.count == 3, let revision = Int(parts[2]),
      let connection = try? connections.connection(String(parts[1])), let screen = connection.screen(revision)
    else { return nil }
    // A screen that was kept would count a second time beside its copy.
    if let copy = try captures.stored(screen.snapshot.capture) { return try captures.screen(copy.id) }
    return StoredScreen(
      id: id, name: screen.title ?? screen.page ?? id, page: screen.page,
      appVersion: screen.snapshot.identified.tree.header.appVersion, identified: screen.snapshot.identified)
  }
}
