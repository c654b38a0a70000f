import EncircleEvents
import EncircleText

/// The content of a payload, before anything in it is masked.
struct SnapshotPayload {
  /// The objects in the order of the payload; if several have the same id, the first counts.
  private(set) var objects: [SnapshotObject] = []
  /// The numbers of the objects, by id.
  private(set) var numbers: [UTF8String: Int] = [:]
  /// The number of the window's object; nil if the app shows no window.
  private(set) var root: Int?
  /// The number of ids that several objects have.
  private(set) var repeatedIDs = 0
  /// A JPEG file, not decoded.
  private(set) var screenshot: [UInt8]?
  /// This is true if the payload has a picture that is too large or not base64.
  private(set) var hasBadScreenshot = false
  /// The events since the previous message, from `event_debug`.
  private(set) var events: [EventObject] = []

  /// Changes a member of all objects, each different text once.
  mutating func changeTexts(
    _ member: WritableKeyPath<SnapshotObject, String?>, by change: (String) -> String?
  ) {
    var known: [UTF8String: String?] = [:]
    for i in objects.indices {
      guard let text = objects[i][keyPath: member] else { continue }
      let key = UTF8String(text)
      let changed = known[key] ?? change(text)
      known[key] = changed
      objects[i][keyPath: member] = changed
    }
  }

  /// - Throws: A ``SnapshotError`` if the payload is not a JSON object or has too many objects.
  /// - Complexity: O(bytes).
  init(_ bytes: [UInt8], _ limits: SnapshotLimits) throws(SnapshotError) {
    try withContiguousBytes(bytes) { text throws(SnapshotError) in
      let json: SnapshotJSON
      do throws(JSONError) { json = try SnapshotJSON(text, limits) } catch {
        throw SnapshotError(.payloadNotJSON(error))
      }
      try read(json, limits)
    }
  }

  private mutating func read(_ json: SnapshotJSON, _ limits: SnapshotLimits) throws(SnapshotError) {
    guard json.isObject(0) else { throw SnapshotError(.payloadNotAnObject) }
    var serialized: Int?
    json.forEachMember(of: 0) { name, value in
      switch name {
      case "screenshot": readScreenshot(value, json, limits)
      case "serialized_objects": serialized = value
      case "event_debug":
        events = []
        var bytesLeft = limits.eventBytes
        json.forEachElement(of: value) { element in
          let range = json.tape[element].range
          bytesLeft -= range.count
          guard bytesLeft >= 0 else { return false }
          if json.isObject(element), case .object(let event)? = try? EventValue(json: json.text.part(range)) {
            events.append(event)
          }
          return events.count < limits.events
        }
      default: break
      }
    }
    if let serialized { try readObjects(serialized, json, limits) }
  }

  private mutating func readScreenshot(_ node: Int, _ json: SnapshotJSON, _ limits: SnapshotLimits) {
    screenshot = nil
    hasBadScreenshot = false
    guard json.tape[node].kind == .string, !json.tape[node].range.isEmpty else { return }
    var base64: [UInt8] = []
    json.tape.appendString(node, in: json.text, to: &base64)
    screenshot = Base64.decode(base64).flatMap { $0.count <= limits.screenshotBytes ? $0 : nil }
    hasBadScreenshot = screenshot == nil
  }

  private mutating func readObjects(
    _ serialized: Int, _ json: SnapshotJSON, _ limits: SnapshotLimits
  ) throws(SnapshotError) {
    var rootID: String?
    var list: Int?
    json.forEachMember(of: serialized) { name, value in
      switch name {
      case "rootObject": rootID = json.string(value)
      case "objects": list = value
      default: break
      }
    }
    guard let list else { return }
    var count = 0
    var isExcess = false
    json.forEachElement(of: list) { element in
      count += 1
      guard count <= limits.objects else {
        isExcess = true
        return false
      }
      var id: UTF8String?
      json.forEachMember(of: element) { name, value in
        if name == "id" { id = json.string(value).map { UTF8String($0) } }
      }
      guard let id else { return true }
      guard numbers[id] == nil else {
        repeatedIDs += 1
        return true
      }
      numbers[id] = objects.count
      objects.append(SnapshotObject(element, json))
      return true
    }
    if isExcess { throw SnapshotError(.tooManyObjects(limit: limits.objects)) }
    if objects.isEmpty { return }
    guard let rootID, let root = numbers[UTF8String(rootID)] else { throw SnapshotError(.noRoot) }
    self.root = root
  }
}
