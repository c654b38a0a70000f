@_spi(Training) import EncircleDrift
import EncircleTree
import Foundation

/// Scores how well elements of old screens are found on new ones, on files of pairs with known truth.
///
///     bench-drift score [--model FILE] PAIRS.jsonl…
///     bench-drift answers --model FILE PAIRS.jsonl OUTPUT
///     bench-drift features STAGE [--model FILE] PAIRS.jsonl OUTPUT
///
/// A stage is `local`, the number of a round, or `confidence`.
@main
struct BenchDrift {
  static func main() {
    do {
      try run()
    } catch let error as PairError {
      fail(error.message, 65)
    } catch {
      fail("\(error)", 66)
    }
  }

  private static func fail(_ message: String, _ status: Int32) -> Never {
    FileHandle.standardError.write(Data("bench-drift: error: \(message)\n".utf8))
    exit(status)
  }

  private static func run() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    var model: DriftModel?
    if let option = arguments.firstIndex(of: "--model"), option + 1 < arguments.count {
      model = try ModelFile.read(arguments[option + 1])
      arguments.removeSubrange(option...option + 1)
    }
    switch (arguments.first, arguments.count) {
    case ("features", 4):
      var dump = FeatureDump()
      try dump.write(arguments[1], ScreenPair.read(arguments[2]), model, to: arguments[3])
    case ("answers", 3):
      try Answers.write(ScreenPair.read(arguments[1]), model ?? .trained, to: arguments[2])
    case ("score", 2...):
      for path in arguments[1...] { try Tables.print(path, model ?? .trained) }
    default:
      fail("usage: bench-drift score|answers|features …; see Benchmarks/drift/README.md", 64)
    }
  }
}

/// The answers of the library, for scoring elsewhere.
enum Answers {
  /// Writes a line for each pair: `{"id": …, "answers": [[new, confidence] or null, …]}`.
  static func write(_ pairs: [ScreenPair], _ model: DriftModel, to path: String) throws {
    var text = ""
    for pair in pairs {
      let answers = of(pair, model).map { $0.map { "[\($0.new),\($0.score)]" } ?? "null" }
      text += "{\"id\":\"\(pair.id)\",\"answers\":[\(answers.joined(separator: ","))]}\n"
    }
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  static func of(_ pair: ScreenPair, _ model: DriftModel) -> [Score.Answer?] {
    let mapping = ScreenMapping(from: pair.old, to: pair.new, model: model)
    return pair.old.elements.map { element in
      mapping.candidate(for: element).map { Score.Answer(new: $0.new.index, score: Float($0.confidence)) }
    }
  }
}
