/// Writes results to standard output, and rejections to a file or to standard error.
final class MatchWriter {
  private let results: ResultWriter
  private let rejections: ResultWriter?

  /// - Parameters:
  ///   - rejects: The file for rejections; nil for standard error.
  ///   - endsIfClosed: True if the command ends if standard output is a closed pipe.
  init(rejects: OutputFile?, endsIfClosed: Bool) throws {
    results = ResultWriter(endsIfClosed: endsIfClosed)
    rejections = try rejects.map { try ResultWriter($0) }
  }

  /// Writes and empties an output.
  func write(_ output: inout OutputBytes) throws {
    if let rejections { try rejections.write(&output.rejections) } else { writeErrors(output.rejections) }
    output.rejections.removeAll(keepingCapacity: true)
    if let problem = output.problem { printError(problem) }
    output.problem = nil
    try results.write(&output.results)
  }
}
