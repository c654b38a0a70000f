import EncircleEvents
import EncircleIdentity
import EncircleText

/// Reads a visual event of a web page, and makes the forms of its rule.
struct SensorsWebEvent {
  private let event: DefinitionNode
  private let tap: String

  init(_ event: DefinitionNode, tap: String) {
    self.event = event
    self.tap = tap
  }

  var forms: [ImportedForm] {
    var form = ImportedForm(.literal)
    var limits = SensorsLimits(event, of: &form)
    guard !limits.isMissing else { return [form] }
    for name in limits.addAddress(of: event) {
      form.reasons.append(ImportReason(.unknownForm, .unverified, "\(event.pointer)/\(name)", "no \(name)"))
    }
    if event["unlimited_div"]?.isTrue ?? false {
      form.reasons.append(
        ImportReason(.unlimitedDiv, .unverified, event.pointer + "/unlimited_div", event["element_path"]?.text))
    }
    guard let (name, test) = element(of: &form) else { return [form] }
    let others = limits.tests
    limits.add(name, test: test)
    limits.addPosition(ofPage: true)
    form.clauses = [["event": .string(tap), "where": .object(limits.tests)]]
    guard let selector = Self.selector(name, test) else { return [form] }
    var readable = ImportedForm(.readable)
    readable.reasons = form.reasons
    var clause: EventObject = [
      "style": .string(PathStyleName.sensorsWeb.rawValue), "event": .string(tap), "selector": .string(selector),
    ]
    var tests = others
    if let position = limits.tests["$element_position"] { tests["$element_position"] = position }
    if !tests.members.isEmpty { clause["where"] = .object(tests) }
    readable.clauses = [clause]
    return [readable, form]
  }

  /// Returns the selector that takes exactly the elements with this `$element_selector` or `$element_path`; nil if the text is
  /// not a complete one as the SDK writes it.
  ///
  /// The SDK begins at the nearest element with an id, or at the body. Below it, `$element_selector` has the place of each
  /// element, and `$element_path` only the tags.
  private static func selector(_ name: String, _ test: EventValue) -> String? {
    guard case .string(let text) = test else { return nil }
    let isSelector = name.hasSameBytes(as: "$element_selector")
    let parts = text.replacingBytes(of: " > ", with: "\0").splitBytes(at: "\0", omittingEmptySubsequences: false)
    guard let first = parts.first, parts.count > 1 else { return nil }
    let hash = first.utf8.firstIndex(of: UInt8(ascii: "#"))
    let tag = hash.map { first[..<$0] } ?? first
    let id = hash.map { first[first.utf8.index(after: $0)...] }
    guard id.map(isID) ?? tag.hasSameBytes(as: "body") else { return nil }
    guard hash == nil || (isSelector ? tag.isEmpty : isTag(tag)) else { return nil }
    let place = ":nth-of-type("
    let areSteps = parts.dropFirst().allSatisfy { part in
      guard isSelector else { return isTag(part) }
      guard let colon = part.utf8.firstIndex(of: UInt8(ascii: ":")), part[colon...].beginsWithBytes(of: place),
        part.endsWithBytes(of: ")")
      else { return false }
      let number = part[colon...].utf8.dropFirst(place.utf8.count).dropLast()
      return isTag(part[..<colon]) && number.first != UInt8(ascii: "0") && (1...6).contains(number.count)
        && number.allSatisfy(isDigit)
    }
    return areSteps && ImportTests.isReadable(text, in: .sensorsWeb) ? text : nil
  }

  private static func isTag(_ text: Substring) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    return text.utf8.first.map(letters.contains) ?? false
      && text.utf8.allSatisfy { letters.contains($0) || "0123456789".utf8.contains($0) }
  }

  /// Returns whether a text is an id that begins a path.
  private static func isID(_ text: Substring) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    return text.utf8.first.map { letters.contains($0 | 0x20) } ?? false
      && text.utf8.allSatisfy { byte in
        letters.contains(byte | 0x20) || "0123456789-_".utf8.contains(byte)
      }
  }

  /// Returns the condition on the element.
  private func element(of form: inout ImportedForm) -> (String, EventValue)? {
    func fail(_ place: String, _ detail: String?) -> (String, EventValue)? {
      form.reasons.append(ImportReason(.unknownForm, .skipped, "\(event.pointer)/\(place)", detail))
      return nil
    }
    guard let field = event["element_field"]?.words else {
      guard let path = event["element_path"]?.words else { return fail("element_path", "no element") }
      // The older format, without `element_field`: a path that ends in a div also takes the elements inside it.
      let isInside = path.endsWithBytes(of: "div") && !(event["limit_element_position"]?.isTrue ?? false)
      return ("$element_path", isInside ? ["contains": .string(path)] : .string(path))
    }
    guard ["element_path", "element_selector"].contains(where: field.hasSameBytes) else {
      return fail("element_field", field)
    }
    guard let text = event[field]?.words else { return fail(field, "no element") }
    switch event["function"]?.words ?? "equal" {
    case "equal": return ("$" + field, .string(text))
    case "contain": return ("$" + field, ["contains": .string(text)])
    case let other: return fail("function", other)
    }
  }
}
