import EncircleEvents
import EncircleInput

extension AsyncSequence where Element: Sequence<UInt8> {
  /// Decides the events in a stream of bytes, such as the body of an HTTP request, as they arrive.
  ///
  /// The bytes are newline-delimited JSON or JSON documents, split anywhere; see ``EventReader``. The stream is read only as far as
  /// the next decision needs.
  ///
  /// ```swift
  /// for try await record in body.decisions(by: matcher) {
  ///   switch record {
  ///   case .decision(let decision, let line): …
  ///   case .rejection(let rejection): …
  ///   }
  /// }
  /// ```
  ///
  /// - Parameter lengthLimit: The longest line, or value of a document, in bytes.
  public func decisions(
    by matcher: Matcher, lengthLimit: Int = EventReader.defaultLengthLimit
  ) -> DecisionSequence<Self> {
    DecisionSequence(chunks: self, matcher: matcher, lengthLimit: lengthLimit)
  }
}

/// The decisions on the events in a stream of bytes.
public struct DecisionSequence<Chunks: AsyncSequence>: AsyncSequence where Chunks.Element: Sequence<UInt8> {
  /// A record of the input.
  public enum Element: Hashable, Sendable {
    /// The decision on an event that begins in that line, counted from 1.
    case decision(Decision, line: Int)
    /// A piece of the input that is not an event.
    case rejection(Rejection)
  }

  fileprivate let chunks: Chunks
  fileprivate let matcher: Matcher
  fileprivate let lengthLimit: Int

  /// Creates an iterator with its own decider.
  public func makeAsyncIterator() -> Iterator {
    Iterator(chunks: chunks.makeAsyncIterator(), deciding: Deciding(matcher, lengthLimit: lengthLimit))
  }

  /// Reads chunks, and decides the events in them.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var chunks: Chunks.AsyncIterator
    fileprivate let deciding: Deciding

    /// Returns the next record, or nil at the end of the stream.
    ///
    /// - Throws: The error of the stream.
    public mutating func next() async throws -> Element? { try await next(isolation: nil) }

    /// Returns the next record, or nil at the end of the stream.
    ///
    /// - Throws: The error of the stream.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      while true {
        if let record = try deciding.next() { return record }
        guard deciding.needsInput else { return nil }
        if let chunk = try await chunks.next(isolation: actor) { deciding.append(chunk) } else { deciding.finish() }
      }
    }
  }

  /// A reader and a decider. It is a class because an iterator must be copyable, and these two are not.
  fileprivate final class Deciding {
    private var reader: EventReader
    private var decider: Decider

    init(_ matcher: Matcher, lengthLimit: Int) {
      reader = EventReader(projection: matcher.projection, lengthLimit: lengthLimit)
      decider = Decider(matcher)
    }

    var needsInput: Bool { reader.needsInput }
    func append(_ chunk: Chunks.Element) { reader.append(chunk) }
    func finish() { reader.finish() }

    func next() throws(InputError) -> Element? {
      switch try reader.next() {
      case .event(let line): .decision(decider.decide(eventOf: reader), line: line)
      case .rejection(let rejection): .rejection(rejection)
      case nil: nil
      }
    }
  }
}
