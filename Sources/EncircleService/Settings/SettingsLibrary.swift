import Foundation
import Synchronization

/// The settings in force: those of the configuration, unless others have been set while a service ran.
final class SettingsLibrary: Sendable {
  private static let name = "settings"
  private let store: SettingsStore
  private let settings: Mutex<ServiceSettings>
  /// One change at a time, so that none takes back another; reading does not wait for the disk.
  private let changing = Mutex(())

  init(store: Store, configuration: ServiceConfiguration) throws {
    self.store = SettingsStore(store)
    var current = ServiceSettings(configuration)
    if let value = try self.store.value(Self.name) {
      current = try current.changed(by: ServiceSettings.Change(JSONBody(value)))
    }
    settings = Mutex(current)
  }

  /// The settings; asking for them costs a lock.
  var current: ServiceSettings { settings.withLock { $0 } }

  /// Changes settings, on disk first.
  ///
  /// - Throws: ``ServiceError`` with 422 if a value is invalid, and what SQLite throws.
  func change(_ change: ServiceSettings.Change, by: String) throws -> ServiceSettings {
    try changing.withLock { _ in
      let changed = try current.changed(by: change)
      let value = try JSON.encoder.encode(changed)
      try store.set(Self.name, to: value, by: by, detail: String(decoding: value, as: UTF8.self))
      settings.withLock { $0 = changed }
      return changed
    }
  }
}
