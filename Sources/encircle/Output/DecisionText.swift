import EncircleRules
import EncircleTree

/// Decisions as JSON lines.
enum DecisionText {
  /// Appends a decision as a line of its own.
  static func append(_ decision: Decision, line: Int, file: String?, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{".utf8)
    if let file {
      bytes.append(contentsOf: "\"file\":".utf8)
      JSONText.append(file, to: &bytes)
      bytes.append(UInt8(ascii: ","))
    }
    bytes.append(contentsOf: "\"line\":\(line),".utf8)
    appendMembers(decision, to: &bytes)
    bytes.append(contentsOf: "}\n".utf8)
  }

  /// Appends an event, as a line, with its decision as the member `$encircle`.
  static func append(_ decision: Decision, to event: UnsafeBufferPointer<UInt8>, _ bytes: inout [UInt8]) {
    let body = event.dropLast()
    appendOneLine(UnsafeBufferPointer(rebasing: body), to: &bytes)
    let isEmpty = body.dropFirst().allSatisfy(isWhiteSpace)
    bytes.append(contentsOf: "\(isEmpty ? "" : ",")\"$encircle\":{".utf8)
    appendMembers(decision, to: &bytes)
    bytes.append(contentsOf: "}}\n".utf8)
  }

  /// Appends an event as a line.
  static func appendLine(_ event: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    appendOneLine(event, to: &bytes)
    bytes.append(0x0A)
  }

  // Line breaks in valid JSON are white space between values: within strings they are escaped.
  private static func appendOneLine(_ event: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    guard event.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
      bytes.append(contentsOf: event)
      return
    }
    for byte in event { bytes.append(byte == 0x0A || byte == 0x0D ? 0x20 : byte) }
  }

  private static func appendMembers(_ decision: Decision, to bytes: inout [UInt8]) {
    if let eventID = decision.eventID {
      bytes.append(contentsOf: "\"event_id\":\"".utf8)
      eventID.write(to: &bytes)
      bytes.append(contentsOf: "\",".utf8)
    }
    bytes.append(contentsOf: "\"selected\":\(decision.isSelected),\"rules\":".utf8)
    append(decision.rules, to: &bytes)
    bytes.append(contentsOf: ",\"excluded_by\":".utf8)
    append(decision.excludedBy, to: &bytes)
    if !decision.pages.isEmpty {
      bytes.append(contentsOf: ",\"pages\":".utf8)
      append(decision.pages, to: &bytes)
    }
    bytes.append(contentsOf: ",\"emit\":".utf8)
    append(decision.emit, to: &bytes)
  }

  private static func append(_ names: [Name], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    for (i, name) in names.enumerated() {
      if i > 0 { bytes.append(UInt8(ascii: ",")) }
      JSONText.append(name.text, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}
