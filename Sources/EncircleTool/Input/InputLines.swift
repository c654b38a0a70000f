import ArgumentParser
import EncircleInput
import EncircleText

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The lines of standard input, read piece by piece. The maximum length of a line bounds the memory.
struct InputLines {
  /// The maximum length of a line, in bytes, without its line end.
  static let maximumLength = 2 << 20

  private let limit: Int
  /// The exit status for the problems so far.
  private(set) var status = ExitStatus.done

  init(limit: Int = maximumLength) { self.limit = limit }

  /// Calls `body` with each line and its number, without its line end and without a leading byte order mark. Lines that are too
  /// long or not UTF-8 are reported and skipped.
  ///
  /// - Parameter settle: A function that is called before each read and before each report. Its argument is true if the read will
  ///   block, so that callers can flush buffered lines and output.
  /// - Throws: An exit code if standard input cannot be read.
  /// - Complexity: O(bytes).
  mutating func forEach(
    settle: (_ willWait: Bool) throws -> Void = { _ in }, _ body: (ArraySlice<UInt8>, _ number: Int) throws -> Void
  ) throws {
    do {
      var source = try ByteSource(path: "-")
      var buffer: [UInt8] = []
      // The number of bytes in the buffer that are known to hold no line end.
      var searched = 0
      var number = 1
      // This is true if the current line has been reported, and its rest is to be dropped.
      var isTooLong = false
      while true {
        try settle(source.wouldWait)
        let isEnd = try source.read(into: &buffer, atMost: 1 << 16) == 0
        var start = 0
        while let end = Self.lineEnd(in: buffer, from: max(start, searched))
          ?? (isEnd && (start < buffer.count || isTooLong) ? buffer.count : nil)
        {
          if isTooLong {
            isTooLong = false
          } else if end - start > limit {
            try settle(false)
            reportLength(number)
          } else {
            var line = buffer[start..<end]
            if line.last == 0x0D { line.removeLast() }
            if number == 1 { line = line.withoutByteOrderMark }
            if String(validating: line, as: UTF8.self) == nil {
              try settle(false)
              report(number, "not valid UTF-8")
            } else {
              try body(line, number)
            }
          }
          number += 1
          start = min(end + 1, buffer.count)
        }
        buffer.removeSubrange(0..<start)
        if isTooLong {
          buffer.removeAll(keepingCapacity: true)
        } else if buffer.count > limit {
          try settle(false)
          reportLength(number)
          isTooLong = true
          buffer.removeAll(keepingCapacity: true)
        }
        searched = buffer.count
        if isEnd {
          try settle(false)
          return
        }
      }
    } catch let error as InputError {
      throw ExitStatus(error).failure("<stdin>: error: \(error)")
    }
  }

  private static func lineEnd(in buffer: [UInt8], from start: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, start < bytes.count else { return nil }
      return memchr(base + start, 0x0A, bytes.count - start).map { UnsafeRawPointer($0) - base }
    }
  }

  private mutating func reportLength(_ line: Int) { report(line, "longer than the limit of \(limit) bytes") }

  private mutating func report(_ line: Int, _ problem: String) {
    printError("<stdin>:\(line): error: \(problem)")
    status = status.joined(with: .badData)
  }
}
