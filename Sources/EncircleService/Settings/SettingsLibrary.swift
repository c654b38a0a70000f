import Foundation
import Synchronization

/// The settings in force: those of the configuration, unless others have been set while a service ran.
final class SettingsLibrary: Sendable {
  private static let name = "settings"
  private let store: SettingsStore
  private let settings: Mutex<ServiceSettings>
  /// What has been set while a service ran; the configuration says the rest, at each start anew. It is locked for a change, so that
  /// none takes back another; reading the settings does not wait for the disk.
  private let changes: Mutex<ServiceSettings.Change>

  init(store: Store, configuration: ServiceConfiguration) throws {
    self.store = SettingsStore(store)
    // Earlier versions stored all settings at each change.
    let stored = try self.store.value(Self.name).map { try ServiceSettings.Change(JSONBody($0)) }
    let known = stored ?? ServiceSettings.Change()
    settings = Mutex(try ServiceSettings(configuration).changed(by: known))
    changes = Mutex(known)
  }

  /// The settings; asking for them costs a lock.
  var current: ServiceSettings { settings.withLock { $0 } }

  /// Changes settings, on disk first.
  ///
  /// - Throws: ``ServiceError`` with 422 if a value is invalid, and what SQLite throws.
  func change(_ change: ServiceSettings.Change, by: String) throws -> ServiceSettings {
    try changes.withLock { changes in
      let changed = try current.changed(by: change)
      let all = changes.followed(by: change)
      let value = try JSON.encoder.encode(all)
      try store.set(Self.name, to: value, by: by, detail: String(decoding: value, as: UTF8.self))
      changes = all
      settings.withLock { $0 = changed }
      return changed
    }
  }
}
