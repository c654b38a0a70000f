import EncircleText

extension JSONBuilder {
  /// Writes a member whose value is an event ID; omits it if the ID is nil.
  package mutating func member(_ name: String, _ eventID: EventID?) {
    guard let eventID else { return }
    member(name) {
      $0.bytes.append(UInt8(ascii: "\""))
      eventID.write(to: &$0.bytes)
      $0.bytes.append(UInt8(ascii: "\""))
    }
  }
}
