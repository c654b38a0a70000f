import EncircleIdentity
import EncircleText

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes decisions as JSON, from the matcher's own bytes without making strings for each event.
package enum DecisionText {
  /// A name under which an event is selected.
  package struct EmitName {
    package let bytes: UnsafeBufferPointer<UInt8>
    /// The first rule with that name.
    package let rule: UInt32

    static func < (a: EmitName, b: EmitName) -> Bool {
      let order = compare(a.bytes, b.bytes)
      return order == 0 ? a.rule < b.rule : order < 0
    }

    static func == (a: EmitName, b: EmitName) -> Bool { compare(a.bytes, b.bytes) == 0 }

    private static func compare(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
      guard let first = a.baseAddress, let second = b.baseAddress else { return a.count - b.count }
      let order = memcmp(first, second, min(a.count, b.count))
      return order == 0 ? a.count - b.count : Int(order)
    }
  }

  /// Appends the names under which rules select events, in byte order, each once.
  static func collectNames(
    of rules: UnsafeBufferPointer<UInt32>, _ matcher: borrowing Matcher, into names: inout [EmitName]
  ) {
    var isInOrder = true
    for rule in rules {
      let name = EmitName(bytes: matcher.emitBytes(ofRule: Int(rule)), rule: rule)
      // The names are mostly the ids, which are in order.
      if let last = names.last, last == name || !(last < name) { isInOrder = false }
      names.append(name)
    }
    if isInOrder { return }
    names.sort(by: <)
    var kept = 1
    for i in 1..<names.count where !(names[i] == names[kept - 1]) {
      names[kept] = names[i]
      kept += 1
    }
    names.removeLast(names.count - kept)
  }

  /// Appends the members of a decision.
  ///
  /// - Parameters:
  ///   - rules: The numbers of the rules that match, in byte order of their ids.
  ///   - pages: The numbers of the excluded pages that the event is on.
  static func appendMembers(
    _ eventID: EventID?, _ isSelected: Bool, _ rules: UnsafeBufferPointer<UInt32>, pages: [Int], _ names: [EmitName],
    _ matcher: borrowing Matcher, to bytes: inout [UInt8]
  ) {
    if let eventID {
      bytes.append("\"event_id\":\"")
      eventID.write(to: &bytes)
      bytes.append("\",")
    }
    bytes.append(isSelected ? "\"selected\":true,\"rules\":[" : "\"selected\":false,\"rules\":[")
    var excludes = 0
    var isFirst = true
    for rule in rules {
      if matcher.isExclude(Int(rule)) {
        excludes += 1
      } else {
        appendElement(matcher.idBytes(ofRule: Int(rule)), &isFirst, to: &bytes)
      }
    }
    bytes.append("],\"excluded_by\":[")
    isFirst = true
    if excludes > 0 {
      for rule in rules where matcher.isExclude(Int(rule)) {
        appendElement(matcher.idBytes(ofRule: Int(rule)), &isFirst, to: &bytes)
      }
    }
    if !pages.isEmpty {
      bytes.append("],\"pages\":[")
      isFirst = true
      for name in matcher.excludedPageNames(pages) {
        var text = name.text
        text.withUTF8 { appendElement($0, &isFirst, to: &bytes) }
      }
    }
    bytes.append("],\"emit\":[")
    isFirst = true
    for name in names { appendElement(name.bytes, &isFirst, to: &bytes) }
    bytes.append("]")
  }

  /// Appends how the element of an event was found, and why it was not, or not for certain.
  static func appendResolution(_ resolution: Decision.Resolution, _ eventID: EventID?, to bytes: inout [UInt8]) {
    bytes.append(",\"resolution\":\"")
    bytes.append(contentsOf: resolution.rawValue.utf8)
    switch resolution {
    case .none, .path, .dictionary: bytes.append("\"")
    case .ambiguous: bytes.append("\",\"reason\":\"the path has several readings\"")
    case .unresolved:
      bytes.append(
        eventID == nil
          ? "\",\"reason\":\"the path cannot be read\"" : "\",\"reason\":\"nothing known has the event ID\"")
    }
  }

  private static func appendElement(
    _ text: UnsafeBufferPointer<UInt8>, _ isFirst: inout Bool, to bytes: inout [UInt8]
  ) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    JSONText.append(text, to: &bytes)
  }

  // MARK: Events

  /// Appends an event in one line, up to the place where the members of `$encircle` follow. Members of that name that the event
  /// has already are left out, however they are escaped; all other bytes stay.
  static func appendOpen(_ event: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    let body = UnsafeBufferPointer(rebasing: event.dropLast())
    let start = bytes.count
    let own = OwnMember.places(in: event)
    if own.isEmpty {
      appendOneLine(body, to: &bytes)
    } else {
      var rest: [UInt8] = []
      var end = 0
      for place in own {
        rest.append(contentsOf: body[end..<place.lowerBound])
        end = place.upperBound
      }
      rest.append(contentsOf: body[end...])
      rest.withUnsafeBufferPointer { appendOneLine($0, to: &bytes) }
    }
    let isEmpty = bytes[start...].dropFirst().allSatisfy(isWhiteSpace)
    bytes.append(isEmpty ? "\"$encircle\":{" : ",\"$encircle\":{")
  }

  /// Appends an event as a line.
  package static func appendLine(_ event: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    appendOneLine(event, to: &bytes)
    bytes.append(0x0A)
  }

  // Line breaks in valid JSON are white space between values, as they are escaped in strings.
  private static func appendOneLine(_ event: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: event)
    guard let first = event.baseAddress,
      memchr(first, 0x0A, event.count) != nil || memchr(first, 0x0D, event.count) != nil
    else { return }
    for i in start..<bytes.count where bytes[i] == 0x0A || bytes[i] == 0x0D { bytes[i] = 0x20 }
  }

  // MARK: Numbers

  /// Appends a number that is not negative.
  package static func append(_ number: Int, to bytes: inout [UInt8]) {
    var rest = UInt(number)
    var power: UInt = 1
    while rest / power >= 10 { power *= 10 }
    while power > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / power))
      rest %= power
      power /= 10
    }
  }
}
