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

  /// Returns the screen with a name; nil if it is gone, or if it is not a live screen.
  func screen(_ id: String) -> StoredScreen? {
    let parts = id.splitBytes(at: ".", omittingEmptySubsequences: false)
    guard Self.isLive(id), parts.count == 3, let revision = Int(parts[2]),
      let connection = try? connections.connection(String(parts[1])), let screen = connection.screen(revision)
    else { return nil }
    return StoredScreen(
      id: id, name: screen.title ?? screen.page ?? id, page: screen.page,
      appVersion: screen.snapshot.identified.tree.header.appVersion, identified: screen.snapshot.identified)
  }
}
