import EncircleIdentity
import EncircleText

/// Writes records as comma-separated values (RFC 4180) with a header line; unknown values are empty.
struct CSVWriter: RecordWriter {
  private let hasStyle: Bool
  private var hasHeader = false

  /// - Parameter hasStyle: Whether there are columns for another path style.
  init(hasStyle: Bool) { self.hasStyle = hasStyle }

  private var header: String {
    "capture,element,class,path,controller,page,identity,event_id,type,trackable,section,row,item,content,frame"
      + (hasStyle ? ",style,style_id,position" : "") + "\r\n"
  }

  mutating func begin(capture: String, _ screen: IdentifiedTree, to output: ResultWriter) throws {
    guard !hasHeader else { return }
    hasHeader = true
    try output.write(header)
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
    var values: [String?] = [
      record.capture, record.element.description, record.className, String(decoding: record.path, as: UTF8.self),
      record.controller, record.page,
      String(decoding: record.identity, as: UTF8.self), record.eventID.description, record.type?.rawValue,
      record.type != nil ? "true" : "false",
      fields["section"], fields["row"], fields["item"], record.content, frame,
    ]
    if hasStyle {
      values += [record.styled?.path.style.rawValue, record.styled?.id.map(Hexadecimal.text), record.styled?.position]
    }
    try output.write(values.map { Self.quoted($0 ?? "") }.joined(separator: ",") + "\r\n")
  }

  mutating func end(to output: ResultWriter) throws {}

  mutating func finish(to output: ResultWriter) throws {
    if !hasHeader { try output.write(header) }
  }

  private static func quoted(_ value: String) -> String {
    let quotable: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: "\""), 0x0A, 0x0D]
    let special = value.utf8.contains { quotable.contains($0) }
    guard special else { return value }
    return "\"" + value.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
