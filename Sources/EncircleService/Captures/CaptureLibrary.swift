import EncircleIdentity
import EncircleStore

/// A stored capture, read.
struct StoredScreen: Sendable {
  /// The first 16 hexadecimal digits of the SHA-256 of its bytes.
  let id: String
  let name: String
  let identified: IdentifiedTree
}

/// The stored captures, and those of them that were read lately.
final class CaptureLibrary: Sendable {
  init(store: Store) {}

  /// The capture of an ID; none where it is not stored.
  func screen(_ id: String) throws -> StoredScreen? { nil }

  /// All captures, in the order in which they were stored.
  func screens() throws -> [StoredScreen] { [] }
}
