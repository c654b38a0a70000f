import Foundation
import Synchronization

/// The settings in force: the configuration's, unless others have been set while a service ran.
final class SettingsLibrary: Sendable {
  private let store: SettingsStore
  private let settings: Mutex<ServiceSettings>
  /// The settings changed while a service ran; all others come from the configuration at each start. The lock is held for a
  /// whole change, so that concurrent changes do not undo each other; reading the settings does not wait for the disk.
  private let changes: Mutex<ServiceSettings.Change>

  init(store: Store, configuration: ServiceConfiguration) throws {
    self.store = SettingsStore(store)
    // Earlier versions stored all settings at each change.
    let stored = try self.store.json().map { try ServiceSettings.Change(JSONBody($0.utf8)) }
    let known = stored ?? ServiceSettings.Change()
    settings = Mutex(try ServiceSettings(configuration).changed(by: known))
    changes = Mutex(known)
  }

  /// The current settings. Reading them takes a lock.
  var current: ServiceSettings { settings.withLock { $0 } }

  /// Changes settings, first on disk.
  ///
  /// - Throws: ``ServiceError`` with 422 if a value is invalid, or an error of SQLite.
  func change(_ change: ServiceSettings.Change, by: String) throws -> ServiceSettings {
    try changes.withLock { changes in
      let changed = try current.changed(by: change)
      let all = changes.followed(by: change)
      try store.set(String(decoding: try JSON.encoder.encode(all), as: UTF8.self), by: by)
      changes = all
      settings.withLock { $0 = changed }
      return changed
    }
  }
}
