import CYAML
import EncircleText

/// The events of a YAML text, read by libyaml.
struct YAMLEvents: ~Copyable {
  /// One event with its place. Texts are copied; libyaml's own event is freed at once.
  enum Event {
    /// A scalar with its explicit tag or, for a quoted text, the tag of texts; otherwise the tag is empty.
    case scalar(Node.Scalar, tag: String, anchor: String?)
    /// The start of a list or a mapping, with the tag that is written, or an empty one.
    case start(isMapping: Bool, tag: String, anchor: String?)
    /// The end of the list or mapping that is open.
    case end
    /// A node with that anchor, once more.
    case alias(String)
    case documentStart
    /// The end of the text.
    case streamEnd
  }

  // Both refer to themselves and must not move.
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let event: UnsafeMutablePointer<yaml_event_t>
  private let lines: SourceLines

  /// - Parameters:
  ///   - bytes: UTF-8; they must outlive the value.
  ///   - lines: The text as its author wrote it, for the places of problems.
  init(_ bytes: UnsafeBufferPointer<UInt8>, _ lines: SourceLines) throws(YAMLDocument.Problem) {
    self.lines = lines
    parser = .allocate(capacity: 1)
    event = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    event.initialize(to: yaml_event_t())
    guard yaml_parser_initialize(parser) == 1 else {
      throw YAMLDocument.Problem(message: "not enough memory to read YAML", location: nil)
    }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    event.deallocate()
  }

  /// Returns the next event, and its place.
  mutating func next() throws(YAMLDocument.Problem) -> (event: Event, place: SourceLocation) {
    while true {
      guard yaml_parser_parse(parser, event) == 1 else { throw problem() }
      defer { yaml_event_delete(event) }
      guard let read = read() else { continue }
      return (read, Self.location(event.pointee.start_mark))
    }
  }

  /// Converts the event to Swift; nil for an event without information.
  private func read() -> Event? {
    switch event.pointee.type {
    case YAML_SCALAR_EVENT:
      let scalar = event.pointee.data.scalar
      let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      return .scalar(
        Node.Scalar(string: text, style: Self.style(scalar.style)),
        tag: scalar.quoted_implicit != 0 ? ScalarTag.text.rawValue : Self.text(scalar.tag) ?? "",
        anchor: Self.text(scalar.anchor))
    case YAML_SEQUENCE_START_EVENT:
      let start = event.pointee.data.sequence_start
      return .start(
        isMapping: false, tag: start.implicit != 0 ? "" : Self.text(start.tag) ?? "", anchor: Self.text(start.anchor))
    case YAML_MAPPING_START_EVENT:
      let start = event.pointee.data.mapping_start
      return .start(
        isMapping: true, tag: start.implicit != 0 ? "" : Self.text(start.tag) ?? "", anchor: Self.text(start.anchor))
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .end
    case YAML_ALIAS_EVENT: return .alias(Self.text(event.pointee.data.alias.anchor) ?? "")
    case YAML_DOCUMENT_START_EVENT: return .documentStart
    case YAML_STREAM_END_EVENT: return .streamEnd
    default: return nil
    }
  }

  private func problem() -> YAMLDocument.Problem {
    let state = parser.pointee
    let message = state.problem.map { String(cString: $0) } ?? "unknown error"
    switch state.error {
    case YAML_SCANNER_ERROR, YAML_PARSER_ERROR:
      let context = state.context.map { (text: String(cString: $0), location: Self.location(state.context_mark)) }
      return YAMLDocument.Problem(
        YAMLProblem(message, context: context, at: Self.location(state.problem_mark), in: lines))
    // Characters that YAML does not have were found before.
    case YAML_READER_ERROR:
      return YAMLDocument.Problem(
        message: "not valid YAML: \(message)", location: lines.location(of: state.problem_offset))
    default: return YAMLDocument.Problem(message: "not valid YAML: \(message)", location: nil)
    }
  }

  private static func text(_ characters: UnsafePointer<UInt8>?) -> String? {
    characters.map { String(cString: $0) }
  }

  private static func style(_ style: yaml_scalar_style_t) -> Node.Scalar.Style {
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE: .literal
    case YAML_FOLDED_SCALAR_STYLE: .folded
    default: .plain
    }
  }

  private static func location(_ mark: yaml_mark_t) -> SourceLocation {
    SourceLocation(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }
}
