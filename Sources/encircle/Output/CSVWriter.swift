import EncircleIdentity

/// Records as comma-separated values (RFC 4180) with a header line; unknown things are empty.
struct CSVWriter: RecordWriter {
  private var hasHeader = false

  private static let header =
    "capture,element,class,path,controller,page,identity,event_id,type,trackable,section,row,item,content,frame\r\n"

  mutating func begin(capture: String, _ screen: IdentifiedTree, to output: ResultWriter) throws {
    guard !hasHeader else { return }
    hasHeader = true
    try output.write(Self.header)
  }

  mutating func write(_ record: ElementRecord, to output: ResultWriter) throws {
    let fields = Dictionary(uniqueKeysWithValues: record.cell?.fields.map { ($0.name, String($0.value)) } ?? [])
    let frame = record.frame.map { frame in
      [frame.x, frame.y, frame.width, frame.height].map { number in
        var bytes: [UInt8] = []
        JSONText.append(number, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
      }.joined(separator: " ")
    }
    let values: [String?] = [
      record.capture, record.element.description, record.className, String(decoding: record.path, as: UTF8.self),
      record.controller, record.page,
      String(decoding: record.identity, as: UTF8.self), record.eventID.description, record.type?.rawValue,
      record.type != nil ? "true" : "false",
      fields["section"], fields["row"], fields["item"], record.content, frame,
    ]
    try output.write(values.map { Self.quoted($0 ?? "") }.joined(separator: ",") + "\r\n")
  }

  mutating func end(to output: ResultWriter) throws {}

  mutating func finish(to output: ResultWriter) throws {
    if !hasHeader { try output.write(Self.header) }
  }

  private static func quoted(_ value: String) -> String {
    let special = value.utf8.contains {
      $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D
    }
    guard special else { return value }
    return "\"" + value.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
