import EncircleEvents
import EncircleText
import HTTPTypes
import Hummingbird
import NIOCore

/// Decides the events of a request's body as it arrives, and writes the decisions in the same order.
///
/// Lines are split into blocks that several threads decide in parallel; other input is decided sequentially. Only a few blocks
/// are in flight, so a client that reads its decisions slowly also sends slowly (back-pressure).
struct MatchStream: Sendable {
  let rules: ActiveRules
  let output: DecisionForm
  let workers: WorkPool
  /// This is true if the request says that each line is an event, which also applies to compressed lines.
  let isLines: Bool
  /// Accounts for the bytes of the body from their arrival until their decisions are written.
  let memory: BodyMemory.Share?

  /// The approximate size of a block in bytes.
  private static let blockSize = 256 << 10
  /// The maximum number of blocks in flight.
  private static let depth = 4
  /// The longest event, in bytes, as in the tool.
  private static let lengthLimit = EventReader.defaultLengthLimit

  private struct Piece: Sendable {
    var decisions: Task<[UInt8], any Error>
    /// The number of bytes of the body to which the decisions belong.
    var size = 0
  }

  /// Reads the body, and writes the decisions.
  func run(_ body: BodyParts, to writer: inout any ResponseBodyWriter) async throws {
    let channel = BoundedChannel<Piece>(limit: Self.depth)
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer {
        channel.close()
        group.cancelAll()
      }
      group.addTask { await read(body, into: channel) }
      while let piece = await channel.receive() {
        let bytes: [UInt8]
        do {
          bytes = try await piece.decisions.value
        } catch let error as ServiceError {
          // The status has been sent, so the reason is the last line.
          var line: [UInt8] = []
          DecisionOutput.append(error, to: &line)
          try await writer.write(ByteBuffer(bytes: line))
          break
        }
        if !bytes.isEmpty { try await writer.write(ByteBuffer(bytes: bytes)) }
        memory?.giveBack(piece.size)
      }
      try await writer.finish(nil)
    }
  }

  // MARK: - Reading

  private func read(_ body: BodyParts, into channel: BoundedChannel<Piece>) async {
    defer { channel.close() }
    var parts = body.makeAsyncIterator()
    do {
      // The first line decides how the text is split.
      var start: [UInt8] = []
      var isAtEnd = false
      var hasLine = false
      while start.isEmpty || !isLines, !hasLine, start.count < Self.blockSize, !isAtEnd {
        if let part = try await parts.next() {
          try memory?.take(part.readableBytes)
          hasLine = part.readableBytesView.contains(0x0A)
          start += part.readableBytesView
        } else {
          isAtEnd = true
        }
      }
      // Bodies that are compressed, or that begin with a byte order mark, need the other reader.
      if isLines ? start.first != 0x1F && start.first != 0xEF : Self.beginsWithEventLine(start) {
        try await readLines(start, &parts, into: channel)
      } else {
        try await readDocuments(start, isAtEnd, &parts, into: channel)
      }
    } catch {
      var bytes: [UInt8] = []
      DecisionOutput.append(error, to: &bytes)
      _ = await send(bytes, into: channel)
    }
  }

  /// Returns whether the first line is a whole JSON object, so that each line counts as an event.
  private static func beginsWithEventLine(_ text: [UInt8]) -> Bool {
    guard let end = text.firstIndex(of: 0x0A), text.first != 0x1F else { return false }
    return (try? AnalyticsEvent(json: text[..<end])) != nil
  }

  private func readLines(
    _ start: [UInt8], _ parts: inout BodyParts.Iterator, into channel: BoundedChannel<Piece>
  ) async throws {
    var pending = start
    // Each byte is examined once, however small the parts are.
    var lastFeed = start.lastIndex(of: 0x0A)
    var line = 1
    while true {
      // While no work is queued, a part is decided at once, because its client may wait for decisions before it sends more.
      if channel.count == 0 || pending.count >= Self.blockSize, let end = lastFeed {
        let block = Array(pending[...end])
        pending.removeSubrange(...end)
        lastFeed = nil
        guard await send(block, line, into: channel) else { return }
        line += block.count { $0 == 0x0A }
      }
      guard pending.count <= Self.lengthLimit + Self.blockSize else {
        guard let feed = try await skipLine(&pending, &parts) else {
          _ = await send(Self.tooLong(line), into: channel)
          return
        }
        pending = feed
        lastFeed = feed.lastIndex(of: 0x0A)
        guard await send(Self.tooLong(line), into: channel) else { return }
        line += 1
        continue
      }
      guard let part = try await parts.next() else { break }
      try memory?.take(part.readableBytes)
      let bytes = part.readableBytesView
      if let feed = bytes.lastIndex(of: 0x0A) { lastFeed = pending.count + (feed - bytes.startIndex) }
      pending += bytes
    }
    if !pending.isEmpty { _ = await send(pending, line, into: channel) }
  }

  /// Skips to the end of a line that is too long. Returns the bytes after it; nil at the end of the body.
  private func skipLine(_ pending: inout [UInt8], _ parts: inout BodyParts.Iterator) async throws -> [UInt8]? {
    memory?.giveBack(pending.count)
    pending = []
    while let part = try await parts.next() {
      let bytes = part.readableBytesView
      if let feed = bytes.firstIndex(of: 0x0A) {
        let rest = Array(bytes[(feed + 1)...])
        try memory?.take(rest.count)
        return rest
      }
    }
    return nil
  }

  private static func tooLong(_ line: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    DecisionOutput.append(
      .tooLong(limit: lengthLimit), line: line, at: SourceLocation(line: line, column: 1), to: &bytes)
    return bytes
  }

  private func send(_ block: [UInt8], _ line: Int, into channel: BoundedChannel<Piece>) async -> Bool {
    let (rules, output) = (rules, output)
    return await channel.send(
      Piece(
        decisions: Task { [workers] in
          try await workers.run(waits: true) { DecisionOutput.lines(block, firstLine: line, by: rules, output) }
        }, size: block.count))
  }

  private func send(
    _ bytes: [UInt8], about size: Int = 0, into channel: BoundedChannel<Piece>
  ) async -> Bool {
    await channel.send(Piece(decisions: Task { bytes }, size: size))
  }

  private func readDocuments(
    _ start: [UInt8], _ startIsAll: Bool, _ parts: inout BodyParts.Iterator, into channel: BoundedChannel<Piece>
  ) async throws {
    let decider = DocumentDecider(rules, output, lengthLimit: Self.lengthLimit)
    var bytes = start
    var isAtEnd = startIsAll
    while true {
      // Only one thread at a time uses it: the next part is not read before this one is decided.
      let given = bytes
      let ends = isAtEnd
      var (output, isPaused) = try await workers.run(waits: true) {
        decider.append(given)
        if ends { decider.finish() }
        return decider.decide()
      }
      guard await send(output, about: given.count, into: channel) else { return }
      while isPaused {
        (output, isPaused) = try await workers.run(waits: true) { decider.decide() }
        guard await send(output, into: channel) else { return }
      }
      if isAtEnd { return }
      if let part = try await parts.next() {
        try memory?.take(part.readableBytes)
        bytes = Array(part.readableBytesView)
      } else {
        (bytes, isAtEnd) = ([], true)
      }
    }
  }
}
