// The parser: a loop over tokens. An open array or object keeps the number of the one around it in its `next` until it is
// closed, so that no stack is needed. The loop can stop at a token that is not complete yet, and go on when it gets the same
// text with more bytes.

extension JSONTape {
  /// The token that the grammar expects next.
  enum Expectation: UInt8 {
    case value, valueOrBracket, key, keyOrBrace, colon, comma, nothing
  }

  /// The parser's position between two tokens.
  struct Position {
    /// The offset of the next byte to look at.
    var offset = 0
    /// Behind the part of an unfinished string that has been checked; 0 if no string is unfinished.
    var stringOffset = 0
    /// This is true if that part has escapes.
    var stringHasEscapes = false
    var expectation = Expectation.value
    /// The number of the innermost open array or object.
    var open = Self.none
    var depth = 0

    /// The number that no node has.
    static let none = UInt32.max
  }

  /// The reason why the loop over tokens has ended.
  enum Outcome {
    /// The value ends before this offset.
    case complete(Int)
    case needsText
    case needsRoom
    case failed(JSONError.Kind, Int)
  }

  /// Begins a text that may arrive in pieces.
  package mutating func begin() { clear() }

  /// Parses as much of one value as the text contains.
  ///
  /// - Parameters:
  ///   - text: The text of all calls since ``begin()``, which is not parsed again, and its continuation.
  ///   - isComplete: True if this is all of the text.
  /// - Returns: The offset behind the value, or nil if the value continues behind `text`.
  /// - Throws: A ``JSONError``; the tape is then empty.
  package mutating func advance(in text: UnsafeBufferPointer<UInt8>, isComplete: Bool) throws(JSONError) -> Int? {
    guard text.count <= JSONTape.maximumLength else {
      clear()
      throw JSONError(.tooLong(limit: JSONTape.maximumLength), at: JSONTape.maximumLength)
    }
    while true {
      var parser = Parser(position: position, count: count, depthLimit: depthLimit, isComplete: isComplete)
      let outcome = storage.withUnsafeMutableBufferPointer { parser.run(text, $0) }
      position = parser.position
      count = parser.count
      switch outcome {
      case .complete(let end): return end
      case .needsText: return nil
      case .needsRoom:
        guard storage.count < nodeLimit else {
          clear()
          throw JSONError(.tooManyValues(limit: nodeLimit), at: parser.position.offset)
        }
        let room = min(max(64, storage.count * 2), nodeLimit)
        let unused = JSONNode(start: 0, end: 0, next: 0, kind: .null, hasEscapes: false)
        storage.append(contentsOf: repeatElement(unused, count: room - storage.count))
      case .failed(let kind, let offset):
        clear()
        throw JSONError(kind, at: offset)
      }
    }
  }

  /// Returns the offset of the first byte at or behind `start` that is not white space.
  package static func skipWhiteSpace(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var i = start
    while i < text.count, isWhiteSpace(text[i]) { i += 1 }
    return i
  }

  private struct Parser {
    var position: Position
    var count: Int
    let depthLimit: Int
    let isComplete: Bool

    mutating func run(
      _ buffer: UnsafeBufferPointer<UInt8>, _ nodes: UnsafeMutableBufferPointer<JSONNode>
    ) -> Outcome {
      guard let text = buffer.baseAddress, buffer.count > 0 else {
        return isComplete ? .failed(.unexpectedEnd, 0) : .needsText
      }
      // Without memory for nodes there is no base address.
      guard let node = nodes.baseAddress else { return .needsRoom }
      let end = buffer.count
      let capacity = nodes.count
      // Copies that stay in registers.
      var i = position.offset
      var count = self.count
      var open = position.open
      var depth = position.depth
      var expectation = position.expectation
      var outcome = Outcome.needsText

      loop: while true {
        // Skips white space.
        if i < end, text[i] <= 0x20 {
          i = skip(text, i, end)
        }
        guard i < end else {
          outcome = isComplete ? .failed(.unexpectedEnd, end) : .needsText
          break loop
        }
        var byte = text[i]

        token: switch expectation {
        case .keyOrBrace where byte == UInt8(ascii: "}"):
          break  // below: the end of an array or object
        case .valueOrBracket where byte == UInt8(ascii: "]"):
          break

        case .key, .keyOrBrace:
          guard byte == UInt8(ascii: "\"") else {
            outcome = .failed(.expectedKey, i)
            break loop
          }
          guard count < capacity else {
            outcome = .needsRoom
            break loop
          }
          var string = StringScan(from: i + 1, resuming: &position)
          guard string.run(text, end) == .closed else {
            outcome = string.outcome(isComplete, &position)
            break loop
          }
          node[count] = JSONNode(
            start: UInt32(truncatingIfNeeded: i + 1), end: UInt32(truncatingIfNeeded: string.offset),
            next: UInt32(truncatingIfNeeded: count + 1), kind: .string, hasEscapes: string.hasEscapes)
          count += 1
          i = string.offset + 1
          guard i + 1 < end, text[i] == UInt8(ascii: ":") else {
            expectation = .colon
            continue loop
          }
          // The usual case goes straight on to the value.
          i += 1
          expectation = .value
          byte = text[i]
          if byte <= 0x20 { continue loop }
          fallthrough

        case .value, .valueOrBracket:
          guard count < capacity else {
            outcome = .needsRoom
            break loop
          }
          switch byte {
          case UInt8(ascii: "\""):
            var string = StringScan(from: i + 1, resuming: &position)
            guard string.run(text, end) == .closed else {
              outcome = string.outcome(isComplete, &position)
              break loop
            }
            node[count] = JSONNode(
              start: UInt32(truncatingIfNeeded: i + 1), end: UInt32(truncatingIfNeeded: string.offset),
              next: UInt32(truncatingIfNeeded: count + 1), kind: .string, hasEscapes: string.hasEscapes)
            count += 1
            i = string.offset + 1
          case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let start = i
            var j = i
            guard JSONNumber.scan(text, &j, end) else {
              // At the end of an incomplete text, the rest may make it a number.
              outcome = j == end ? (isComplete ? .failed(.unexpectedEnd, end) : .needsText) : .failed(.badNumber, j)
              break loop
            }
            guard j < end || isComplete else {
              outcome = .needsText
              break loop
            }
            node[count] = JSONNode(
              start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: j),
              next: UInt32(truncatingIfNeeded: count + 1), kind: .number, hasEscapes: false)
            count += 1
            i = j
          case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard depth < depthLimit else {
              outcome = .failed(.tooDeep(limit: depthLimit), i)
              break loop
            }
            let isObject = byte == UInt8(ascii: "{")
            node[count] = JSONNode(
              start: UInt32(truncatingIfNeeded: i), end: 0, next: open, kind: isObject ? .object : .array,
              hasEscapes: false)
            open = UInt32(truncatingIfNeeded: count)
            count += 1
            depth += 1
            i += 1
            expectation = isObject ? .keyOrBrace : .valueOrBracket
            continue loop
          case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            let word: StaticString
            let kind: JSONNode.Kind
            switch byte {
            case UInt8(ascii: "t"): (word, kind) = ("true", .true)
            case UInt8(ascii: "f"): (word, kind) = ("false", .false)
            default: (word, kind) = ("null", .null)
            }
            let length = word.utf8CodeUnitCount
            var same = 1
            while same < length, i + same < end, text[i + same] == word.utf8Start[same] { same += 1 }
            guard same == length else {
              if i + same < end {
                outcome = .failed(.unknownWord, i)
              } else {
                outcome = isComplete ? .failed(.unexpectedEnd, end) : .needsText
              }
              break loop
            }
            node[count] = JSONNode(
              start: UInt32(truncatingIfNeeded: i), end: UInt32(truncatingIfNeeded: i + length),
              next: UInt32(truncatingIfNeeded: count + 1), kind: kind, hasEscapes: false)
            count += 1
            i += length
          default:
            // FE and FF occur in no text in UTF-8, but begin one in UTF-16.
            outcome = .failed(isLetter(byte) ? .unknownWord : byte >= 0xFE ? .badUTF8 : .expectedValue, i)
            break loop
          }
          // The value at the top level is complete.
          guard open != Position.none else {
            expectation = .nothing
            outcome = .complete(i)
            break loop
          }
          guard i < end, text[i] == UInt8(ascii: ",") else {
            expectation = .comma
            continue loop
          }
          i += 1
          expectation = node[Int(open)].kind == .object ? .key : .value
          continue loop

        case .colon:
          guard byte == UInt8(ascii: ":") else {
            outcome = .failed(.expectedColon, i)
            break loop
          }
          i += 1
          expectation = .value
          continue loop

        case .comma:
          let isObject = node[Int(open)].kind == .object
          if byte == UInt8(ascii: ",") {
            i += 1
            expectation = isObject ? .key : .value
            continue loop
          }
          guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
            outcome = .failed(isObject ? .expectedCommaOrBrace : .expectedCommaOrBracket, i)
            break loop
          }

        case .nothing:
          outcome = .complete(i)
          break loop
        }

        // The end of the innermost array or object.
        i += 1
        depth -= 1
        let closed = Int(open)
        open = node[closed].next
        node[closed].next = UInt32(truncatingIfNeeded: count)
        node[closed].end = UInt32(truncatingIfNeeded: i)
        if open == Position.none {
          expectation = .nothing
          outcome = .complete(i)
          break loop
        }
        expectation = .comma
      }

      position.offset = i
      position.open = open
      position.depth = depth
      position.expectation = expectation
      self.count = count
      return outcome
    }

    /// Skips white space, eight blanks at a time.
    @inline(__always) private func skip(_ text: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
      var i = start
      let raw = UnsafeRawPointer(text)
      while i < end, isWhiteSpace(text[i]) {
        i += 1
        while i + 8 <= end, raw.loadUnaligned(fromByteOffset: i, as: UInt64.self) == 0x2020_2020_2020_2020 { i += 8 }
      }
      return i
    }
  }
}
