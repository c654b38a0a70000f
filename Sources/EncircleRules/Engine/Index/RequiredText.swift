/// Finds a text that every match of a regular expression contains.
///
/// It walks over RE2's syntax and gives up where it is not sure: the text that it returns is required; a text that it misses
/// costs time only. In `^(Book|Buy) a room for [0-9]+$` it finds ` a room for `.
enum RequiredText {
  /// Finds the longest run of plain characters at the top level that no quantifier makes optional; nil if no run has at least two
  /// bytes. If `fold` is true, the run ignores case.
  static func find(in pattern: String, foldsCase: Bool) -> (text: [UInt8], fold: Bool)? {
    var bytes = Array(pattern.utf8)[...]
    var fold = foldsCase
    if bytes.starts(with: "(?i)".utf8) {
      fold = true
      bytes = bytes.dropFirst(4)
    }
    var best: [UInt8] = []
    var run: [UInt8] = []
    // The start of the run's last character, to which a quantifier would apply.
    var last = 0
    func endRun() {
      if run.count > best.count { best = run }
      run = []
    }
    var i = bytes.startIndex
    while i < bytes.endIndex {
      let byte = bytes[i]
      switch byte {
      case UInt8(ascii: "|"): return nil
      case UInt8(ascii: "("):
        guard let end = groupEnd(bytes, i) else { return nil }
        endRun()
        i = end
      case UInt8(ascii: "["):
        guard let end = classEnd(bytes, i) else { return nil }
        endRun()
        i = end
      case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "{"):
        // The character in front may be missing or repeated.
        if !run.isEmpty { run.removeSubrange(last...) }
        endRun()
        if byte == UInt8(ascii: "{") {
          guard let end = bytes[i...].firstIndex(of: UInt8(ascii: "}")) else { return nil }
          i = end
        }
      case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "$"): endRun()
      case UInt8(ascii: "\\"):
        guard i + 1 < bytes.endIndex else { return nil }
        i += 1
        // Letters and digits have special meanings; anything else stands for itself.
        switch bytes[i] {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A:
          // Some escapes are longer than a letter: \x{41}, \pN, \Q…\E.
          if "QEpPxC".utf8.contains(bytes[i]) || (0x30...0x39).contains(bytes[i]) { return nil }
          endRun()
        case 0x80...: return nil
        default:
          last = run.count
          run.append(bytes[i])
        }
      case UInt8(ascii: ")"): return nil
      default:
        // The bytes of one character belong together.
        if byte & 0xC0 != 0x80 { last = run.count }
        run.append(byte)
      }
      i += 1
    }
    endRun()
    // RE2 may fold the case of other scripts differently.
    if fold, best.contains(where: { $0 >= 0x80 }) { return nil }
    return best.count >= 2 ? (best, fold) : nil
  }

  /// Returns the end of the group that begins at `start`; nil for a group that sets flags, which may still apply after it.
  private static func groupEnd(_ bytes: ArraySlice<UInt8>, _ start: Int) -> Int? {
    var depth = 0
    var i = start
    while i < bytes.endIndex {
      switch bytes[i] {
      case UInt8(ascii: "\\"):
        if i + 1 < bytes.endIndex, bytes[i + 1] == UInt8(ascii: "Q") { return nil }
        i += 1
      case UInt8(ascii: "["):
        guard let end = classEnd(bytes, i) else { return nil }
        i = end
      case UInt8(ascii: "("):
        depth += 1
        let rest = bytes[(i + 1)...]
        if rest.first == UInt8(ascii: "?"), !rest.starts(with: "?:".utf8) { return nil }
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 { return i }
      default: break
      }
      i += 1
    }
    return nil
  }

  /// Returns the end of the character class that begins at `start`.
  private static func classEnd(_ bytes: ArraySlice<UInt8>, _ start: Int) -> Int? {
    var i = start + 1
    if i < bytes.endIndex, bytes[i] == UInt8(ascii: "^") { i += 1 }
    // A bracket in front is one of the characters.
    if i < bytes.endIndex, bytes[i] == UInt8(ascii: "]") { i += 1 }
    while i < bytes.endIndex {
      switch bytes[i] {
      case UInt8(ascii: "\\"): i += 1
      case UInt8(ascii: "["):
        // A named class, [:alpha:].
        if i + 1 < bytes.endIndex, bytes[i + 1] == UInt8(ascii: ":") { return nil }
      case UInt8(ascii: "]"): return i
      default: break
      }
      i += 1
    }
    return nil
  }
}
