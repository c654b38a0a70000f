import EncircleIdentity
import EncircleText

/// Records as JSON objects: one a line, or the elements of one array.
struct JSONRecordWriter: RecordWriter {
  let isArray: Bool
  private var isFirst = true

  init(isArray: Bool) { self.isArray = isArray }

  mutating func begin(capture: String, _ screen: IdentifiedTree, to output: ResultWriter) throws {}

  mutating func write(_ record: ElementRecord, to output: ResultWriter) throws {
    if isArray { output.buffer.append(contentsOf: (isFirst ? "[\n" : ",\n").utf8) }
    isFirst = false
    Self.append(record, to: &output.buffer)
    if !isArray { output.buffer.append(UInt8(ascii: "\n")) }
    try output.flushIfLarge()
  }

  mutating func end(to output: ResultWriter) throws {}

  mutating func finish(to output: ResultWriter) throws {
    if isArray { try output.write(isFirst ? "[]\n" : "\n]\n") }
  }

  private static func append(_ record: ElementRecord, to bytes: inout [UInt8]) {
    func member(_ name: StaticString, _ value: String?) {
      guard let value else { return }
      key(name)
      JSONText.append(value, to: &bytes)
    }
    func key(_ name: StaticString) {
      bytes.append(bytes.last == UInt8(ascii: "{") ? UInt8(ascii: "\"") : UInt8(ascii: ","))
      if bytes.last == UInt8(ascii: ",") { bytes.append(UInt8(ascii: "\"")) }
      EncircleIdentity.append(name, to: &bytes)
      bytes.append(contentsOf: "\":".utf8)
    }
    bytes.append(UInt8(ascii: "{"))
    member("capture", record.capture)
    key("element")
    bytes.append(contentsOf: record.element.description.utf8)
    member("class", record.className)
    key("path")
    JSONText.append(record.path, to: &bytes)
    if let styled = record.styled {
      member("style", styled.path.style.rawValue)
      if styled.path.style == .growingIO {
        member("xpath", GrowingIOStyle.xpath(of: styled.path))
        member("xcontent", GrowingIOStyle.xcontent(of: styled.path))
      }
      member("style_id", styled.id.map(Hexadecimal.text))
      member("position", styled.position)
    }
    member("controller", record.controller)
    member("page", record.page)
    key("identity")
    JSONText.append(record.identity, to: &bytes)
    key("event_id")
    bytes.append(UInt8(ascii: "\""))
    record.eventID.write(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
    member("type", record.type?.rawValue)
    key("trackable")
    bytes.append(contentsOf: (record.type != nil ? "true" : "false").utf8)
    for (name, value) in record.cell?.fields ?? [] {
      bytes.append(contentsOf: ",\"\(name)\":\(value)".utf8)
    }
    member("content", record.content)
    if let frame = record.frame {
      key("frame")
      for (i, number) in [frame.x, frame.y, frame.width, frame.height].enumerated() {
        bytes.append(UInt8(ascii: i == 0 ? "[" : ","))
        JSONText.append(number, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
    bytes.append(UInt8(ascii: "}"))
  }
}
