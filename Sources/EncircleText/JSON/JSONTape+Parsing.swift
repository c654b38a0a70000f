// The parser: a loop over tokens. An open array or object keeps the number of the one around it in its `next` until it is
// closed, so that no stack is needed. The loop can stop at any token that the text so far does not complete and go on
// with the same text, longer.

extension JSONTape {
  /// The token that the grammar expects next.
  enum Expectation: UInt8 {
    case value, valueOrBracket, key, keyOrBrace, colon, comma, nothing
  }

  /// Where the parser stands between two tokens.
  struct Position {
    /// The offset of the next byte to look at.
    var offset = 0
    /// Behind the part of an unfinished string that has been checked; 0 if no string is unfinished.
    var stringOffset = 0
    /// Whether that part has escapes.
    var stringHasEscapes = false
    var expectation = Expectation.value
    /// The number of the innermost open array or object.
    var open = Self.none
    var depth = 0

    /// The number that no node has.
    static let none = UInt32.max
  }

  private enum Outcome {
    /// The value ends before this offset.
    case complete(Int)
    case needsText
    case needsRoom
    case failed(JSONError.Kind, Int)
  }

  /// Begins a text that may arrive in pieces.
  package mutating func begin() { clear() }

  /// Parses as much of one value as there is.
  ///
  /// - Parameters:
  ///   - text: What was given in the calls since ``begin()``, which is not looked at again, and more.
  ///   - isComplete: Whether no more will follow.
  /// - Returns: The offset behind the value, or nil when the value goes on behind `text`.
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

  /// The offset of the first byte at or behind `start` that is not white space.
  package static func skipWhiteSpace(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var i = start
    while i < text.count, JSONTape.isWhiteSpace(text[i]) { i += 1 }
    return i
  }

  @inlinable @inline(__always) package static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
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
        // White space.
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
            outcome = .failed(JSONTape.isLetter(byte) ? .unknownWord : .expectedValue, i)
            break loop
          }
          // Behind a complete value.
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
      while i < end, JSONTape.isWhiteSpace(text[i]) {
        i += 1
        while i + 8 <= end, raw.loadUnaligned(fromByteOffset: i, as: UInt64.self) == 0x2020_2020_2020_2020 { i += 8 }
      }
      return i
    }
  }

  @inline(__always) private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// A walk through a string up to its closing quote.
  private struct StringScan {
    enum End {
      case closed, textEnds, controlCharacter, badEscape, badUTF8
    }

    /// Behind what has been checked: where the quote, the problem, or the unfinished sequence is.
    var offset: Int
    var hasEscapes: Bool
    var result = End.closed

    @inline(__always) init(from start: Int, resuming position: inout Position) {
      if position.stringOffset == 0 {
        offset = start
        hasEscapes = false
      } else {
        offset = position.stringOffset
        hasEscapes = position.stringHasEscapes
        position.stringOffset = 0
      }
    }

    /// What an unfinished or broken string means for the parser.
    func outcome(_ isComplete: Bool, _ position: inout Position) -> Outcome {
      switch result {
      case .closed, .textEnds:
        // Where a string can go on, the next attempt begins there.
        position.stringOffset = offset
        position.stringHasEscapes = hasEscapes
        return isComplete ? .failed(.unexpectedEnd, offset) : .needsText
      case .controlCharacter: return .failed(.controlCharacter, offset)
      case .badEscape: return .failed(.badEscape, offset)
      case .badUTF8: return .failed(.badUTF8, offset)
      }
    }

    @inline(__always) mutating func run(_ text: UnsafePointer<UInt8>, _ end: Int) -> End {
      let raw = UnsafeRawPointer(text)
      var i = offset
      while true {
        // Eight plain ASCII bytes at a time: the lowest marked byte is the first one that is not plain.
        while i + 8 <= end {
          let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: i, as: UInt64.self))
          let ones: UInt64 = 0x0101_0101_0101_0101
          let quotes = (word ^ (ones &* 0x22)) &- ones
          let backslashes = (word ^ (ones &* 0x5C)) &- ones
          let controls = word &- (ones &* 0x20)
          let marks = (quotes | backslashes | controls | word) & (ones &* 0x80)
          if marks == 0 {
            i += 8
          } else {
            i += marks.trailingZeroBitCount >> 3
            break
          }
        }
        guard i < end else {
          offset = i
          result = .textEnds
          return result
        }
        let byte = text[i]
        if byte == UInt8(ascii: "\"") {
          offset = i
          return .closed
        }
        if byte >= 0x80 || byte == UInt8(ascii: "\\") || byte < 0x20 {
          i = special(text, i, end)
          if result != .closed { return result }
        } else {
          i += 1
        }
      }
    }

    /// Checks what is not plain ASCII at `start`; notes the end of the scan or returns the offset behind it.
    @inline(__always) private mutating func special(_ text: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
      var i = start
      let byte = text[i]
      if byte >= 0x80 {
        // Runs of three-byte sequences are what Chinese text is made of.
        let raw = UnsafeRawPointer(text)
        while i + 4 <= end {
          let word = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: i, as: UInt32.self))
          let lead = word & 0x0000_200F
          // No overlong forms, no surrogates.
          guard word & 0x00C0_C0F0 == 0x0080_80E0, lead != 0, lead != 0x200D else { break }
          i += 3
        }
        if i > start { return i }
        return utf8(text, start, end)
      }
      if byte == UInt8(ascii: "\\") { return escape(text, start, end) }
      offset = start
      result = .controlCharacter
      return start
    }

    private mutating func escape(_ text: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
      offset = start
      guard start + 1 < end else {
        result = .textEnds
        return start
      }
      switch text[start + 1] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
        UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
        hasEscapes = true
        return start + 2
      case UInt8(ascii: "u"):
        for i in start + 2..<start + 6 {
          guard i < end else {
            result = .textEnds
            return start
          }
          guard JSONString.hexDigit(text[i]) != nil else {
            result = .badEscape
            return start
          }
        }
        hasEscapes = true
        return start + 6
      default:
        result = .badEscape
        return start
      }
    }

    /// Checks one sequence of two, three or four bytes (RFC 3629 §4).
    private mutating func utf8(_ text: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
      offset = start
      let lead = text[start]
      let length: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch lead {
      case 0xC2...0xDF: length = 2
      case 0xE0: (length, second) = (3, 0xA0...0xBF)
      case 0xED: (length, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: length = 3
      case 0xF0: (length, second) = (4, 0x90...0xBF)
      case 0xF1...0xF3: length = 4
      case 0xF4: (length, second) = (4, 0x80...0x8F)
      default:
        result = .badUTF8
        return start
      }
      for k in 1..<length {
        guard start + k < end else {
          result = .textEnds
          return start
        }
        guard (k == 1 ? second : 0x80...0xBF).contains(text[start + k]) else {
          result = .badUTF8
          return start
        }
      }
      return start + length
    }
  }
}

/// The grammar of numbers.
enum JSONNumber {
  /// Moves `i` behind the number that begins there, or to the byte that prevents it from being one.
  ///
  ///     number = [ "-" ] ( "0" / digit1-9 *digit ) [ "." 1*digit ] [ ( "e" / "E" ) [ "+" / "-" ] 1*digit ]
  @inline(__always) static func scan(_ text: UnsafePointer<UInt8>, _ i: inout Int, _ end: Int) -> Bool {
    if text[i] == UInt8(ascii: "-") { i += 1 }
    guard i < end else { return false }
    if text[i] == UInt8(ascii: "0") {
      i += 1
      if i < end, isDigit(text[i]) { return false }
    } else {
      guard digits(text, &i, end) else { return false }
    }
    if i < end, text[i] == UInt8(ascii: ".") {
      i += 1
      guard digits(text, &i, end) else { return false }
    }
    if i < end, text[i] | 0x20 == UInt8(ascii: "e") {
      i += 1
      if i < end, text[i] == UInt8(ascii: "+") || text[i] == UInt8(ascii: "-") { i += 1 }
      guard digits(text, &i, end) else { return false }
    }
    return true
  }

  @inline(__always) private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  @inline(__always) private static func digits(_ text: UnsafePointer<UInt8>, _ i: inout Int, _ end: Int) -> Bool {
    let start = i
    while i < end, isDigit(text[i]) { i += 1 }
    return i > start
  }
}
