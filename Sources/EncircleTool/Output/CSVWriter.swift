import EncircleIdentity
import EncircleText

/// Writes records as comma-separated values (RFC 4180) with a header line; unknown values are empty.
///
/// Captures are untrusted, so cells that a spreadsheet would interpret as formulas are written as text. Frames are not affected,
/// because they are numbers that this program writes.
struct CSVWriter: RecordWriter {
  private let hasStyle: Bool
  private let isRaw: Bool
  private var hasHeader = false

  /// - Parameters:
  ///   - hasStyle: True if there are columns for another path style.
  ///   - isRaw: True if cells are written unchanged, even if a spreadsheet would interpret them as formulas.
  init(hasStyle: Bool, isRaw: Bool) {
    self.hasStyle = hasStyle
    self.isRaw = isRaw
  }

  private var header: String {
    "capture,element,class,path,controller,page,identity,event_id,type,trackable,section,row,item,content,frame"
      + (hasStyle ? ",style,style_id,position" : "") + "\r\n"
  }

  mutating func begin(capture: String, _ screen: IdentifiedTree, to output: ResultWriter) throws {
    guard !hasHeader else { return }
    hasHeader = true
    try output.write(header)
  }

  var separator: String { "" }

  mutating func beginRecords(to output: ResultWriter) throws {}

  func append(_ record: ElementRecord, to bytes: inout [UInt8]) {
    let fields = Dictionary(uniqueKeysWithValues: record.cell?.fields.map { ($0.name, String($0.value)) } ?? [])
    let frame = record.properties.frame.map { frame in
      [frame.x, frame.y, frame.width, frame.height].map { number in
        var bytes: [UInt8] = []
        JSONText.append(number, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
      }.joined(separator: " ")
    }
    var values: [String?] = [
      record.capture, record.element.description, record.className, String(decoding: record.path, as: UTF8.self),
      record.controller, record.page,
      String(decoding: record.identity, as: UTF8.self), record.eventID.description, record.type?.sent.rawValue,
      record.type != nil ? "true" : "false",
      fields["section"], fields["row"], fields["item"], record.content,
    ]
    var more = [frame]
    if hasStyle {
      more += [record.styled?.path.style.rawValue, record.styled?.id.map(Hexadecimal.text), record.styled?.position]
    }
    if !isRaw { values = values.map { $0.map(CSVText.unformulated) } }
    bytes.append(contentsOf: CSVText.line((values + more).map { $0 ?? "" }).utf8)
  }

  mutating func end(to output: ResultWriter) throws {}

  mutating func finish(to output: ResultWriter) throws {
    if !hasHeader { try output.write(header) }
  }
}
