extension JSONTape {
  /// A walk through a string up to its closing quote.
  struct StringScan {
    enum End {
      case closed, textEnds, controlCharacter, badEscape, badUTF8
    }

    /// The end of the checked part: the offset of the quote, the problem, or the unfinished sequence.
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

    /// Returns the consequence of an unfinished or broken string for the parser.
    func outcome(_ isComplete: Bool, _ position: inout Position) -> Outcome {
      switch result {
      case .closed, .textEnds:
        // If the string can continue, the next attempt starts there.
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

    /// Checks the bytes at `start` that are not plain ASCII; notes the end of the scan or returns the offset behind them.
    @inline(__always) private mutating func special(_ text: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
      var i = start
      let byte = text[i]
      if byte >= 0x80 {
        // Chinese text consists of runs of three-byte sequences.
        let raw = UnsafeRawPointer(text)
        while i + 4 <= end {
          let word = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: i, as: UInt32.self))
          let lead = word & 0x0000_200F
          // Refuses overlong forms and surrogates.
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
          guard Hexadecimal.value(of: text[i]) != nil else {
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
