import EncircleEvents

/// An event that an extension of the app leaves in the shared container.
public struct ExtensionEventSignal: Sendable {
  /// The name of the container's group.
  public var group: String
  public var name: String?
  public var properties: EventObject
}

/// The app's request that the SDK import the events of its extensions.
public struct ExtensionImportSignal: Sendable {
  /// The name of the container's group.
  public var group: String
  /// This is true if the process ends after the events are stored, but before the container is emptied.
  public var isInterrupted = false
}
