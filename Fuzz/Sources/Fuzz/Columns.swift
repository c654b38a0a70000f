import CEncircle
import EncircleC

/// Calls the functions of the C library with these bytes as columns, events, lines and rules.
///
/// Buffers have exactly the length that the interface requires; their contents come from the input.
func callLibrary(_ input: [UInt8]) -> CInt {
  guard let first = input.first else { return 0 }
  let rest = Array(input.dropFirst())
  switch first & 3 {
  case 0, 1: decideColumns(Input(rest))
  case 2: decideEvents(rest)
  default: loadRules(rest)
  }
  return 0
}

// Loaded rules can be used by all threads.
nonisolated(unsafe) private let rules: OpaquePointer? = {
  let text = """
    {"version": 1, "rules": [
      {"id": "a", "include": {"page": "A", "selector": "B/**/C"}},
      {"id": "b", "include": {"event": "x", "where": {"p": {"contains": "q"}}}},
      {"id": "c", "exclude": {"where": {"p": "r"}}},
      {"id": "d", "from": 1772323200000, "include": {"event": "y"}}
    ]}

    """
  return livingForEver {
    let rules = encircle_rules_create()
    precondition(encircle_rules_load(rules, text, text.utf8.count, "v1") == ENCIRCLE_OK)
    return rules
  }
}()

private func decideEvents(_ bytes: [UInt8]) {
  let decider = encircle_decider_create(rules)
  defer { encircle_decider_destroy(decider) }
  bytes.withUnsafeBytes { bytes in
    let text = bytes.assumingMemoryBound(to: CChar.self)
    var one = encircle_text()
    let status = encircle_decide(decider, text.baseAddress, text.count, &one)
    precondition((status == ENCIRCLE_OK) == (encircle_decider_last_error(decider).length == 0))
    precondition(encircle_explain(decider, text.baseAddress, text.count, &one) == status)
    precondition(encircle_decide_batch(decider, text.baseAddress, text.count, &one) == ENCIRCLE_OK)
    let lines = bytes.count { $0 == 0x0A } + (bytes.last.map { $0 == 0x0A ? 0 : 1 } ?? 0)
    let answers = UnsafeRawBufferPointer(start: one.bytes, count: one.length).count { $0 == 0x0A }
    precondition(answers == lines, "not one answer for each line")
  }
}

private func loadRules(_ bytes: [UInt8]) {
  let rules = encircle_rules_create()
  defer { encircle_rules_destroy(rules) }
  let status = bytes.withUnsafeBytes { encircle_rules_load(rules, $0.baseAddress, $0.count, nil) }
  precondition((status == ENCIRCLE_OK) == (encircle_rules_last_error(rules).length == 0))
  guard status == ENCIRCLE_OK else { return precondition(encircle_decider_create(rules) == nil) }
  let decider = encircle_decider_create(rules)
  defer { encircle_decider_destroy(decider) }
  var text = encircle_text()
  precondition(encircle_decide(decider, "{}", 2, &text) == ENCIRCLE_OK)
}

// MARK: - Columns

/// Takes numbers and texts from the bytes, and zeros after their end.
private struct Input {
  private var rest: ArraySlice<UInt8>
  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func byte() -> Int { Int(rest.popFirst() ?? 0) }
  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count)) + Array(repeating: 0, count: max(0, count - rest.count))
  }
}

/// Memory that is freed when the batch has been decided.
private final class Memory {
  private var blocks: [UnsafeMutableRawPointer] = []
  deinit { for block in blocks { block.deallocate() } }

  func copy(_ bytes: [UInt8]) -> UnsafeMutableRawPointer {
    let block = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 8)
    block.copyMemory(from: bytes, byteCount: bytes.count)
    blocks.append(block)
    return block
  }

  func pointers<T>(_ values: [UnsafeMutablePointer<T>?]) -> UnsafeMutablePointer<UnsafeMutablePointer<T>?> {
    array(values)
  }

  func array<T>(_ values: [T]) -> UnsafeMutablePointer<T> {
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, values.count * MemoryLayout<T>.stride), alignment: max(8, MemoryLayout<T>.alignment))
    blocks.append(block)
    let target = block.bindMemory(to: T.self, capacity: max(1, values.count))
    for (i, value) in values.enumerated() { (target + i).initialize(to: value) }
    return target
  }

  func text(_ text: String) -> UnsafePointer<CChar> {
    UnsafePointer(copy(Array(text.utf8) + [0]).assumingMemoryBound(to: CChar.self))
  }
}

private let names = [
  "event", "page", "path", "event_id", "time", "properties", "properties_json", "json", "other", "app",
]
private let formats = ["u", "U", "vu", "n", "l", "tss:", "tsn:UTC", "c", "+m", "+s", "z", "w:4", "tdD", "ts", "", "g"]

/// Decides a batch from the input twice: a decider must repeat its answers, and agree with another decider.
private func decideColumns(_ input: Input) {
  let memory = Memory()
  var input = input
  let rows = input.byte() % 9
  let count = input.byte() % 4
  var columns: [(schema: ArrowSchema, array: ArrowArray)] = []
  for _ in 0..<count { columns.append(column(&input, rows, memory, isNested: false)) }
  var (schema, array) = group(columns, "+s", "", rows, memory)
  let deciders = [encircle_decider_create(rules), encircle_decider_create(rules)]
  defer { for decider in deciders { encircle_decider_destroy(decider) } }
  var answers: [[UInt8]?] = []
  for decider in [deciders[0], deciders[0], deciders[1]] {
    var (outSchema, outArray) = (ArrowSchema(), ArrowArray())
    guard encircle_decide_columns(decider, &schema, &array, &outSchema, &outArray) == ENCIRCLE_OK else {
      precondition(encircle_decider_last_error(decider).length > 0)
      answers.append(nil)
      continue
    }
    precondition(outArray.length == Int64(rows) && outArray.n_children == 7)
    if let selected = outArray.children[4] {
      let bits = UnsafeRawBufferPointer(start: selected.pointee.buffers[1], count: (rows + 7) / 8)
      answers.append(Array(bits))
    }
    outArray.release(&outArray)
    outSchema.release(&outSchema)
  }
  precondition(answers[0] == answers[1] && answers[0] == answers[2], "the answers depend on what was decided before")
}

private func group(
  _ parts: [(schema: ArrowSchema, array: ArrowArray)], _ format: String, _ name: String, _ rows: Int, _ memory: Memory
) -> (ArrowSchema, ArrowArray) {
  var schema = ArrowSchema()
  schema.format = memory.text(format)
  schema.name = memory.text(name)
  schema.n_children = Int64(parts.count)
  schema.children = memory.pointers(parts.map { memory.array([$0.schema]) })
  schema.release = { _ in }
  var array = ArrowArray()
  array.length = Int64(rows)
  array.n_buffers = 1
  array.buffers = memory.array([nil])
  array.n_children = Int64(parts.count)
  array.children = memory.pointers(parts.map { memory.array([$0.array]) })
  array.release = { _ in }
  return (schema, array)
}

private func column(
  _ input: inout Input, _ rows: Int, _ memory: Memory, isNested: Bool
) -> (schema: ArrowSchema, array: ArrowArray) {
  let name = names[input.byte() % names.count]
  var format = formats[input.byte() % formats.count]
  let flags = input.byte()
  let offset = flags & 3
  let total = rows + offset
  var buffers: [UnsafeRawPointer?] = [flags & 4 == 0 ? nil : UnsafeRawPointer(memory.copy(input.bytes(total / 8 + 1)))]
  var children: [(schema: ArrowSchema, array: ArrowArray)] = []
  var dictionary: (schema: ArrowSchema, array: ArrowArray)?
  switch format {
  case "u", "z":
    let data = input.bytes(input.byte())
    var offsets = input.bytes(total).map { Int32(Int8(bitPattern: $0)) }
    // The library trusts the last offset.
    offsets.append(Int32(data.count))
    buffers += [UnsafeRawPointer(memory.array(offsets)), UnsafeRawPointer(memory.copy(data))]
  case "U":
    let data = input.bytes(input.byte())
    var offsets = input.bytes(total).map { Int64(Int8(bitPattern: $0)) }
    offsets.append(Int64(data.count))
    buffers += [UnsafeRawPointer(memory.array(offsets)), UnsafeRawPointer(memory.copy(data))]
  case "vu":
    let data = input.bytes(input.byte())
    buffers += [
      UnsafeRawPointer(memory.copy(input.bytes(16 * total))), UnsafeRawPointer(memory.copy(data)),
      UnsafeRawPointer(memory.array([Int64(data.count)])),
    ]
  case "+m" where !isNested:
    let pairs = input.byte() % 5
    buffers.append(UnsafeRawPointer(memory.array(input.bytes(total + 1).map { Int32(Int8(bitPattern: $0)) })))
    let parts = [
      column(&input, pairs, memory, isNested: true), column(&input, pairs, memory, isNested: true),
    ]
    children = [group(parts, "+s", "entries", pairs, memory)]
  case "+m", "+s", "n", "", "ts": if isNested { format = "n" }
  default:
    buffers.append(UnsafeRawPointer(memory.copy(input.bytes(8 * total))))
    if format == "c", !isNested { dictionary = column(&input, input.byte() % 5, memory, isNested: true) }
  }
  var (schema, array) = group(children, format, name, rows, memory)
  array.offset = Int64(offset)
  array.null_count = -1
  array.n_buffers = Int64(buffers.count)
  array.buffers = memory.array(buffers)
  if let dictionary {
    schema.dictionary = memory.array([dictionary.schema])
    array.dictionary = memory.array([dictionary.array])
  }
  return (schema, array)
}
