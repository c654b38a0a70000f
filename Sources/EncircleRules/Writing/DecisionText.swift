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
    /// The number of the name within the rule.
    package let number: Int

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

  /// Appends the names under which rules select events, in byte order, without duplicates.
  static func collectNames(
    of rules: UnsafeBufferPointer<UInt32>, _ matcher: borrowing Matcher, into names: inout [EmitName]
  ) {
    var isInOrder = true
    for rule in rules {
      matcher.forEachEmit(ofRule: Int(rule)) { number, bytes in
        let name = EmitName(bytes: bytes, rule: rule, number: number)
        // The names are mostly the ids, which are in order.
        if let last = names.last, last == name || !(last < name) { isInOrder = false }
        names.append(name)
      }
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

  // MARK: Events

  /// The members of `$encircle` with which collectors state how an event arrived.
  private static let arrivalMembers: [StaticString] = ["key", "project", "time", "received_at"]

  /// Appends an event in one line and opens the object `$encircle`, whose members must follow. Existing members of that name are
  /// omitted, however they are escaped; all other bytes stay the same.
  ///
  /// - Returns: The members of the omitted object that state how the event arrived, each with a comma before it.
  package static func appendOpen(_ event: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) -> [UInt8] {
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
    return own.isEmpty ? [] : arrival(of: event)
  }

  private static func arrival(of event: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var tape = JSONTape()
    do throws(JSONError) { try tape.parse(event) } catch { return [] }
    guard let own = tape.member("$encircle", of: 0, in: event) else { return [] }
    var bytes: [UInt8] = []
    for name in arrivalMembers {
      guard let value = tape.member(name, of: own, in: event) else { continue }
      let quote: StaticString
      switch tape[value].kind {
      case .string: quote = "\""
      case .number: quote = ""
      case .null, .true, .false, .array, .object: continue
      }
      bytes.append(",\"")
      bytes.append(name)
      bytes.append("\":")
      bytes.append(quote)
      bytes.append(contentsOf: event[tape[value].range])
      bytes.append(quote)
    }
    return bytes
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
}
