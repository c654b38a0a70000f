import EncircleEvents
import EncircleText

// Events of the app's extensions, and signals that sa-sdk-ios does not observe.
extension SensorsModel {
  // MARK: - Extensions

  /// Leaves an event of an extension, which runs in another process, in the container.
  mutating func leave(_ signal: ExtensionEventSignal, _ output: inout ReplayOutput) throws(SessionModelError) {
    guard let name = signal.name, !name.utf8.isEmpty, !signal.group.utf8.isEmpty else {
      output.explain("extension.name", "Without a name, or a group, the event is not written.", event: signal.name)
      return
    }
    guard !Self.hasNull(signal.properties) else {
      output.explain("extension.value", "Property lists have no null: the event is not written.", event: name)
      return
    }
    let waiting = store.extensionEvents.values.reduce(0) { $0 + $1.count }
    if waiting >= limits.extensionEvents {
      throw SessionModelError("more than \(limits.extensionEvents) events of extensions")
    }
    store.extensionEvents[UTF8String(signal.group), default: []].append(signal)
    output.explain("extension.write", "The event waits, without its time, until the app asks for it.", event: name)
  }

  /// Tracks the events in a container, and then empties it.
  mutating func importEvents(_ signal: ExtensionImportSignal, _ output: inout ReplayOutput) {
    let group = UTF8String(signal.group)
    guard let events = store.extensionEvents[group], !events.isEmpty else {
      output.explain("extension.empty", "The container has no events.")
      return
    }
    for event in events {
      track(
        SensorsDraft(.track, named: event.name, event.properties), "extension.import",
        "The app's code tracks the event of an extension, with the time of now.", &output)
    }
    if !signal.isInterrupted { store.extensionEvents[group] = nil }
  }

  /// Returns whether there is a null anywhere in an object.
  private static func hasNull(_ object: EventObject) -> Bool {
    var waiting = object.members.map(\.value)
    while let value = waiting.popLast() {
      switch value {
      case .null: return true
      case .object(let object): waiting += object.members.map(\.value)
      case .list(let elements): waiting += elements
      case .bool, .number, .string: break
      }
    }
    return false
  }

  // MARK: - Unwatched

  /// Performs an action that the SDK does not observe. It causes no event, but the signal may describe views.
  mutating func performUnwatched(_ action: SignalAction, _ output: inout ReplayOutput) throws(SessionModelError) {
    switch action {
    case .editingEnd(let view):
      _ = try process.world.define(view, defaultBase: "UISearchBar")
      output.explain("click.editing", "The SDK does not watch the end of editing.", event: "$AppClick")
    case .scrollEnd(let view):
      _ = try process.world.define(view, defaultBase: "UIScrollView")
      output.explain("scroll.unwatched", "The SDK does not watch scrolling.")
    case .webView(let signal):
      _ = try process.world.define(signal.view, defaultBase: "WKWebView")
      output.explain("web.unwatched", "The SDK does not watch what web views load.")
    case .setJSResponder(let signal):
      if let view = signal.view { _ = try process.world.define(view) }
      output.explain(
        "click.react-native", "The SDK does not watch React Native, for which there is a module of its own.",
        event: "$AppClick")
    case .alertButton(let signal):
      _ = try process.world.define(signal.view)
      output.explain("click.alert-delegate", "The SDK does not watch the delegates of alerts.", event: "$AppClick")
    default: break
    }
  }
}
