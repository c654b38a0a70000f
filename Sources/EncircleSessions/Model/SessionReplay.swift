import EncircleText

/// Replays a session with a model of an SDK.
///
/// ```swift
/// var replay = try SessionReplay<SensorsModel>(SessionReader(path: "login.session.ndjson"))
/// while let step = try replay.next() {
///   for record in step.output.records { … }
/// }
/// ```
/// Memory: one line, and the state of the model.
public struct SessionReplay<Model: SDKModel> {
  /// The result of one signal.
  public struct Step: Sendable {
    public var signal: Signal
    /// The number of the process.
    public var life: Int
    public var output: ReplayOutput
  }

  /// The number of lines that were skipped because their action is unknown.
  public var skipped: Int { reader.skipped }
  /// The skipped lines, up to a limit.
  public var skippedLines: [Diagnostic] { reader.skippedLines }

  private let reader: SessionReader
  private var model: Model
  private let explains: Bool

  /// Creates a replay.
  ///
  /// - Parameters:
  ///   - reader: The session.
  ///   - configuration: A configuration that replaces the one in the session.
  ///   - explains: True if the output includes reasons.
  ///   - limits: The limits of the state that the model keeps.
  /// - Throws: ``SessionError``.
  public init(
    _ reader: SessionReader, configuration: SessionConfiguration? = nil, explains: Bool = false,
    limits: SessionLimits = SessionLimits()
  ) throws(SessionError) {
    let (name, own) = (reader.name, reader.configuration)
    do throws(SessionModelError) {
      model = try Model(configuration: configuration ?? own, limits: limits)
    } catch {
      throw .invalid(Diagnostic(error.description, file: name, at: SourceLocation(line: 1, column: 1)))
    }
    self.reader = reader
    self.explains = explains
  }

  /// Performs the next signal and returns its result; nil at the end.
  ///
  /// - Throws: ``SessionError``; the replay cannot continue after it.
  public mutating func next() throws(SessionError) -> Step? {
    guard let signal = try reader.next() else { return nil }
    var output = ReplayOutput(explains: explains)
    do throws(SessionModelError) {
      try model.perform(signal, into: &output)
    } catch {
      throw .invalid(
        Diagnostic(error.description, file: reader.name, at: SourceLocation(line: signal.line, column: 1)))
    }
    return Step(signal: signal, life: model.life, output: output)
  }
}
