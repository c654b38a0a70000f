import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// A property of a visual event that the SDK reads off another element of the screen.
struct SensorsProperty {
  private let item: DefinitionNode
  private let event: DefinitionNode

  /// - Parameter event: The element of the visual event.
  init(_ item: DefinitionNode, of event: DefinitionNode) {
    self.item = item
    self.event = event
  }

  var name: String { item["name"]?.words ?? "" }

  /// The property as a rule for an app for iOS has it; nil if a rule cannot read it.
  var value: EventObject? {
    guard !name.isEmpty, name.utf8.first != UInt8(ascii: "$"), let path = item["element_path"]?.words else {
      return nil
    }
    let isElsewhere = item["screen_name"]?.words.map { !$0.hasSameBytes(as: event["screen_name"]?.text ?? "") } ?? false
    guard !isElsewhere, !(item["h5"]?.isTrue ?? false) else { return nil }
    let selector = "/" + path
    guard ImportTests.isReadable(selector, in: .sensors), (try? RelativeSelector(parsing: selector)) != nil else {
      return nil
    }
    var value: EventObject = ["element": .string(selector)]
    if let expression = item["regular"]?.words {
      guard ImportTests.refusal(of: expression) == nil else { return nil }
      value["extract"] = .string(expression)
    }
    switch item["type"]?.words {
    case "NUMBER": value["type"] = "number"
    case "STRING", nil: break
    default: return nil
    }
    return value
  }
}
