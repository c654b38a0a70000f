import EncircleEvents
import EncircleIdentity
import EncircleText

/// Reads a visual event of an app, and makes the forms of its rule.
struct SensorsAppEvent {
  private let event: DefinitionNode
  private let tap: String
  private let system: SensorsConfiguration.System?

  /// - Parameter system: The system whose paths the event has; nil for elements of a page within the app.
  init(_ event: DefinitionNode, tap: String, _ system: SensorsConfiguration.System?) {
    self.event = event
    self.tap = tap
    self.system = system
  }

  var forms: [ImportedForm] {
    guard let path = event["element_path"]?.words else {
      return [SensorsLimits.nothing(event.pointer + "/element_path")]
    }
    var literal = ImportedForm(.literal)
    var tests = SensorsLimits(event, of: &literal)
    guard !tests.isMissing else { return [literal] }
    tests.add("$element_path", path)
    tests.addPosition(ofPage: system == nil)
    if let screen = event["screen_name"]?.words { tests.add("$screen_name", screen) }
    // The app passes the address on to the script of the page, which compares it.
    if system == nil { _ = tests.addAddress(of: event) }
    var clause: EventObject = ["event": .string(tap), "where": .object(tests.tests)]
    // The events of a page within the app are web events beside rules for the web, whatever style the file has.
    if system == nil { clause.members.insert(.init(name: "style", value: .string("any")), at: 0) }
    literal.clauses = [clause]
    if let screen = event["screen_name"]?.words {
      // The SDK knows the screen that is shown. Events that a page gives to it keep their own properties.
      if system == nil {
        literal.reasons.append(ImportReason(.screenOfPage, .unverified, event.pointer + "/screen_name", screen))
      }
    } else {
      literal.reasons.append(ImportReason(.unknownForm, .unverified, event.pointer + "/screen_name", "no page"))
    }
    switch system {
    case .iOS: return [readable(path, reasons: literal.reasons), literal].compactMap { $0 }
    // A configuration for Android can only express the literal path, so this form comes first.
    case .android: return [literal, readableOnAndroid(path, reasons: literal.reasons)].compactMap { $0 }
    case .web, nil: return [literal]
    }
  }

  /// Returns the form of a rule for an Android app, with a selector that begins at the root of the window; nil if there is
  /// none.
  ///
  /// In that style, a `page` also takes events whose `$screen_name` has further parts, such as a fragment. So the name is
  /// compared as a text.
  private func readableOnAndroid(_ path: String, reasons: [ImportReason]) -> ImportedForm? {
    let selector = "/" + path
    guard path.utf8.first != UInt8(ascii: "/"), ImportTests.isReadable(selector, in: .sensorsAndroid) else {
      return nil
    }
    var form = ImportedForm(.readable)
    var limits = SensorsLimits(event, of: &form)
    form.reasons = reasons
    if path.containsBytes(of: "[-]") {
      form.reasons.append(ImportReason(.anyRow, .wider, event.pointer + "/element_path", path))
    }
    limits.addPosition(ofPage: false)
    if let screen = event["screen_name"]?.words { limits.add("$screen_name", screen) }
    var clause: EventObject = [
      "style": .string(PathStyleName.sensorsAndroid.rawValue), "event": .string(tap), "selector": .string(selector),
    ]
    if !limits.tests.members.isEmpty { clause["where"] = .object(limits.tests) }
    form.clauses = [clause]
    return form
  }

  /// Returns the form with a selector that begins at the root view; nil if there is none.
  private func readable(_ path: String, reasons: [ImportReason]) -> ImportedForm? {
    var form = ImportedForm(.readable)
    var limits = SensorsLimits(event, of: &form)
    form.reasons = reasons
    var selector = "/" + path
    if let position = limits.position {
      if let row = Self.row(in: path, position) {
        selector = "/" + row
      } else {
        limits.add("$element_position", position)
      }
    }
    guard ImportTests.isReadable(selector, in: .sensors) else { return nil }
    if Self.hasFixedRow(path) {
      form.reasons.append(ImportReason(.anyRow, .wider, event.pointer + "/element_path", path))
    }
    var clause: EventObject = ["event": .string(tap)]
    clause["page"] = event["screen_name"]?.words.map { .string($0) }
    clause["selector"] = .string(selector)
    if !limits.tests.members.isEmpty { clause["where"] = .object(limits.tests) }
    form.clauses = [clause]
    return form
  }

  /// Returns whether the path names the row of its innermost cell, as `Cell[1][4]` does, or a segment or tab, as `UISegment[1]`
  /// does. A selector with such a number also takes events that have it in their position.
  private static func hasFixedRow(_ path: String) -> Bool {
    for component in path.splitBytes(at: "/").reversed() {
      if component.endsWithBytes(of: "[-]") { return false }
      let parts = component.splitBytes(at: "[")
      guard let name = parts.first else { continue }
      let isItem = ["UISegment", "UITabBarButton"].contains { name.hasSameBytes(as: $0) }
      let numbers = parts.dropFirst()
      if numbers.count == (isItem ? 1 : 2),
        numbers.allSatisfy({ $0.endsWithBytes(of: "]") && Int($0.dropLast()) != nil })
      {
        return true
      }
    }
    return false
  }

  /// Returns the path with a row in place of the open one: `Cell[1][-]` with `1:4` becomes `Cell[1][4]`. Returns nil if it has
  /// no such cell.
  private static func row(in path: String, _ position: String) -> String? {
    let numbers = position.splitBytes(at: ":", omittingEmptySubsequences: false)
    guard numbers.count == 2, numbers.allSatisfy({ Int($0) != nil }) else { return nil }
    let open = "[\(numbers[0])][-]"
    let components = path.splitBytes(at: "/", omittingEmptySubsequences: false)
    guard let last = components.lastIndex(where: { $0.endsWithBytes(of: "[-]") }),
      components[last].endsWithBytes(of: open)
    else { return nil }
    var result = components.map { String($0) }
    result[last] = String(Substring(components[last].utf8.dropLast(3))) + "[\(numbers[1])]"
    return result.joined(separator: "/")
  }
}
