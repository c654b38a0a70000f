import CEncircle
import EncircleEvents
import EncircleText

/// The columns of a record batch on which decisions depend, as values by row.
struct ArrowBatch {
  typealias Text = UnsafeBufferPointer<UInt8>

  /// A column, by how its values are found.
  enum Source {
    case plain(ArrowColumn)
    case dictionary(ArrowDictionary)
    case map(ArrowMap)
  }

  let count: Int
  private(set) var sources: [Source] = []

  /// Names the columns that a batch has, in its order.
  ///
  /// - Throws: ``ArrowProblem/columns(_:)`` if no column belongs to a table of events, or if columns do not go together.
  static func columns(
    _ schema: UnsafePointer<ArrowSchema>
  ) throws(ArrowProblem) -> (columns: [EventColumn], places: [Int]) {
    guard schema.pointee.release != nil, schema.pointee.format.map({ String(cString: $0) }) == "+s" else {
      throw .columns("expected a record batch, which is a struct array")
    }
    guard schema.pointee.n_children >= 0, schema.pointee.n_children <= Int64(UInt16.max),
      schema.pointee.n_children == 0 || schema.pointee.children != nil
    else { throw .columns("the schema has no children, or more than \(UInt16.max)") }
    var columns: [EventColumn] = []
    var places: [Int] = []
    for place in 0..<Int(schema.pointee.n_children) {
      guard let child = schema.pointee.children[place], child.pointee.release != nil else {
        throw .columns("column \(place + 1) of the schema is missing")
      }
      guard let name = child.pointee.name, let column = EventColumn(name: String(cString: name)) else { continue }
      columns.append(column)
      places.append(place)
    }
    guard !columns.isEmpty else {
      throw .columns(
        "no column has the name of a column of events; these are: \(EventColumn.allNames.joined(separator: ", "))")
    }
    if let problem = EventColumn.problem(of: columns) { throw .columns(problem) }
    return (columns, places)
  }

  /// - Parameters:
  ///   - columns: The columns that are wanted, with their places in the batch.
  init(
    _ schema: UnsafePointer<ArrowSchema>, _ array: UnsafePointer<ArrowArray>, _ columns: [EventColumn], places: [Int]
  ) throws(ArrowProblem) {
    let header = try ArrowHeader(array, "of the batch")
    guard array.pointee.n_children == schema.pointee.n_children, array.pointee.children != nil else {
      throw .columns("the batch has \(array.pointee.n_children) columns, its schema \(schema.pointee.n_children)")
    }
    guard header.count <= Int(Int32.max) else { throw .tooLarge }
    guard !header.hasNulls else { throw .columns("a record batch cannot have null rows") }
    count = header.count
    for (column, place) in zip(columns, places) {
      guard let childSchema = schema.pointee.children[place], let child = array.pointee.children[place] else {
        throw .columns("column \(column.name) is missing")
      }
      // An offset of the batch applies to each of its columns.
      let part = try ArrowSlice(child, header.offset, header.count, column.name)
      defer { part.deallocate() }
      // A column without any value may arrive with the type of nulls instead of the type of its values.
      let isEmpty = childSchema.pointee.format.map { String(cString: $0) } == "n"
      if column == .properties, !isEmpty {
        sources.append(.map(try ArrowMap(childSchema, part.array, name: column.name)))
      } else if childSchema.pointee.dictionary != nil {
        sources.append(.dictionary(try ArrowDictionary(childSchema, part.array, name: column.name)))
      } else {
        let isTime = column == .field(.time)
        sources.append(.plain(try ArrowColumn(childSchema, part.array, name: column.name, takesNumbers: isTime)))
      }
    }
  }
}

/// A part of an array, as a separate array that shares the buffers.
private struct ArrowSlice {
  private let copy: UnsafeMutablePointer<ArrowArray>
  var array: UnsafePointer<ArrowArray> { UnsafePointer(copy) }

  init(_ array: UnsafePointer<ArrowArray>, _ offset: Int, _ count: Int, _ name: String) throws(ArrowProblem) {
    let header = try ArrowHeader(array, name)
    guard offset + count <= header.count else {
      throw .columns("column \(name): has \(header.count) rows, but the batch has \(offset + count)")
    }
    copy = .allocate(capacity: 1)
    copy.initialize(to: array.pointee)
    copy.pointee.offset += Int64(offset)
    copy.pointee.length = Int64(count)
  }

  func deallocate() { copy.deallocate() }
}

/// A column of codes of texts.
final class ArrowDictionary {
  private let codes: UnsafeRawPointer?
  private let kind: ArrowInteger
  private let offset: Int
  private let validity: UnsafePointer<UInt8>?
  let values: ArrowColumn
  // For each code of a text, 0 until it is first used; then 1 if it has a digest, 2 if the text is too long for one, 3 if there is
  // no text.
  private var states: [UInt8]
  private var digests: [EventDigest]

  init(
    _ schema: UnsafePointer<ArrowSchema>, _ array: UnsafePointer<ArrowArray>, name: String
  ) throws(ArrowProblem) {
    let header = try ArrowHeader(array, name)
    let format = schema.pointee.format.map { String(cString: $0) } ?? ""
    guard let kind = ArrowInteger(format) else {
      throw .columns(
        "column \(name): the codes of a dictionary must be integers, not of Arrow's format '\(format.prefix(40))'")
    }
    guard let valueSchema = schema.pointee.dictionary, let dictionary = array.pointee.dictionary else {
      throw .columns("column \(name): the dictionary is missing")
    }
    self.kind = kind
    codes = header.count > 0 ? try header.buffer(1) : nil
    offset = header.offset
    validity = header.validity
    values = try ArrowColumn(valueSchema, dictionary, name: name, takesNumbers: false)
    // No memory vouches for the length of a dictionary without texts.
    let textCount = values.hasTexts ? values.count : 0
    states = Array(repeating: 0, count: textCount)
    digests = Array(repeating: EventDigest(), count: textCount)
  }

  /// Returns the code of a row; nil if its value is missing.
  @inline(__always)
  func code(_ row: Int) throws(ArrowProblem) -> Int? {
    let place = offset &+ row
    if let validity, validity[place >> 3] & (1 << UInt8(place & 7)) == 0 { return nil }
    guard let codes, let code = kind.value(codes, place), code >= 0, code < values.count else {
      throw .columns("column \(values.name): a code is not one of the dictionary's \(values.count)")
    }
    return Int(code)
  }

  func text(_ row: Int) throws(ArrowProblem) -> UnsafeBufferPointer<UInt8>? {
    guard let code = try code(row) else { return nil }
    return try values.text(code)
  }

  /// Adds the value of a row to a tuple; each text of the dictionary is read only once.
  @inline(__always)
  func add(_ row: Int, to digester: inout TupleDigester, label: Int) throws(ArrowProblem) {
    guard let code = try code(row), code < states.count else { return }
    if states[code] == 0 { try look(at: code) }
    switch states[code] {
    case 1: digester.add(digests[code], label: label)
    case 2: digester.add(nil, label: label)
    default: break
    }
  }

  private func look(at code: Int) throws(ArrowProblem) {
    guard let text = try values.text(code) else {
      states[code] = 3
      return
    }
    if let digest = TupleDigester.digest(of: text) {
      digests[code] = digest
      states[code] = 1
    } else {
      states[code] = 2
    }
  }
}

/// A column of maps from texts to texts.
struct ArrowMap {
  private let offsets: UnsafePointer<Int32>?
  private let offset: Int
  private let validity: UnsafePointer<UInt8>?
  private let keys: Texts
  private let values: Texts
  private let name: String

  /// Texts, with a dictionary or without.
  private enum Texts {
    case plain(ArrowColumn)
    case dictionary(ArrowDictionary)

    init(
      _ schema: UnsafePointer<ArrowSchema>, _ array: UnsafePointer<ArrowArray>, _ name: String
    ) throws(ArrowProblem) {
      if schema.pointee.dictionary != nil {
        self = .dictionary(try ArrowDictionary(schema, array, name: name))
      } else {
        self = .plain(try ArrowColumn(schema, array, name: name, takesNumbers: false))
      }
    }

    func text(_ row: Int) throws(ArrowProblem) -> UnsafeBufferPointer<UInt8>? {
      switch self {
      case .plain(let column): try column.text(row)
      case .dictionary(let column): try column.text(row)
      }
    }
  }

  // The number of pairs.
  private let count: Int

  init(
    _ schema: UnsafePointer<ArrowSchema>, _ array: UnsafePointer<ArrowArray>, name: String
  ) throws(ArrowProblem) {
    let header = try ArrowHeader(array, name)
    guard schema.pointee.format.map({ String(cString: $0) }) == "+m", schema.pointee.dictionary == nil,
      schema.pointee.n_children == 1, array.pointee.n_children == 1,
      let pairSchema = schema.pointee.children?[0], let pairs = array.pointee.children?[0],
      pairSchema.pointee.n_children == 2, pairs.pointee.n_children == 2,
      let keySchema = pairSchema.pointee.children?[0], let valueSchema = pairSchema.pointee.children?[1],
      let keyArray = pairs.pointee.children?[0], let valueArray = pairs.pointee.children?[1]
    else { throw .columns("column \(name): expected a map of texts; use properties_json for JSON") }
    let pairHeader = try ArrowHeader(pairs, name)
    guard !pairHeader.hasNulls else { throw .columns("column \(name): a map has a null pair") }
    self.name = name
    offsets = header.count > 0 ? try header.buffer(1).assumingMemoryBound(to: Int32.self) : nil
    offset = header.offset
    validity = header.validity
    let keySlice = try ArrowSlice(keyArray, pairHeader.offset, pairHeader.count, name)
    defer { keySlice.deallocate() }
    let valueSlice = try ArrowSlice(valueArray, pairHeader.offset, pairHeader.count, name)
    defer { valueSlice.deallocate() }
    keys = try Texts(keySchema, keySlice.array, name)
    values = try Texts(valueSchema, valueSlice.array, name)
    count = pairHeader.count
  }

  /// Calls `body` with each pair of a row; a row without a value has no pairs.
  @inline(__always)
  func forEachPair(
    _ row: Int, _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Void
  ) throws(ArrowProblem) {
    let place = offset &+ row
    guard let offsets else { return }
    if let validity, validity[place >> 3] & (1 << UInt8(place & 7)) == 0 { return }
    let (start, end) = (Int(offsets[place]), Int(offsets[place &+ 1]))
    guard start >= 0, start <= end, end <= count else {
      throw .columns("column \(name): its offsets are not in order")
    }
    for pair in start..<end {
      guard let key = try keys.text(pair) else { throw .columns("column \(name): a map has a null key") }
      if let value = try values.text(pair) { body(key, value) }
    }
  }
}
