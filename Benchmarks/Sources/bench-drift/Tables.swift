@_spi(Training) import EncircleDrift
import EncircleTree
import Foundation

/// The tables of a file of pairs: the library and simple matchers, without threshold and with thresholds.
enum Tables {
  static func print(_ path: String, _ model: DriftModel) throws {
    let pairs = try ScreenPair.read(path)
    Swift.print("\n\(URL(fileURLWithPath: path).lastPathComponent): \(pairs.count) pairs\n")
    var times: [(size: Int, milliseconds: Double)] = []
    let ours = pairs.map { pair in
      let start = clock()
      let answers = Answers.of(pair, model)
      times.append((max(pair.old.count, pair.new.count), 1000 * Double(clock() - start) / Double(CLOCKS_PER_SEC)))
      return answers
    }
    let columns = Score.columns.map { String(repeating: " ", count: 7 - $0.count) + $0 }
    row("matcher, threshold", columns)
    var byMatcher: [(name: String, answers: [[Score.Answer?]])] = []
    for baseline in Baseline.allCases {
      let answers = pairs.map { baseline.answers($0) }
      byMatcher.append((baseline.rawValue, answers))
      row(baseline.rawValue, figures(pairs, answers, threshold: -.infinity))
      if baseline == .similo || baseline == .treeEditDistance {
        let best = bestThreshold(pairs, answers)
        row("\(baseline.rawValue), best acc \(String(format: "%.2f", best))", figures(pairs, answers, threshold: best))
        printFalseMatchRates(baseline.rawValue, pairs, answers, [0.1])
      }
    }
    byMatcher.append(("encircle", ours))
    row("encircle, none", figures(pairs, ours, threshold: -.infinity))
    for (name, threshold) in [("usual", DriftThreshold.usual), ("strict", DriftThreshold.strict)] {
      let figures = figures(pairs, ours, threshold: Float(threshold))
      row("encircle, \(name) \(String(format: "%.2f", threshold))", figures)
    }
    printFalseMatchRates("encircle", pairs, ours, [0.2, 0.15, 0.1, 0.05])
    printKinds(pairs, byMatcher)
    Swift.print("")
    for (name, range) in [
      ("up to 50 views", 0...50), ("51 to 200", 51...200), ("201 to 500", 201...500), ("more", 501...10_000),
    ] {
      let sorted = times.filter { range.contains($0.size) }.map(\.milliseconds).sorted()
      guard !sorted.isEmpty else { continue }
      let p95 = sorted[min(sorted.count - 1, sorted.count * 95 / 100)]
      let text = String(
        format: "CPU ms a pair: median %.2f, p95 %.2f, most %.2f", sorted[sorted.count / 2], p95, sorted.last!)
      Swift.print("\(name): \(sorted.count) pairs, \(text)")
    }
    printCalibration(pairs, ours)
  }

  /// Prints rows for the thresholds at which at most a given share of the views that are gone gets an answer.
  private static func printFalseMatchRates(
    _ name: String, _ pairs: [ScreenPair], _ answers: [[Score.Answer?]], _ rates: [Double]
  ) {
    var scores: [Float] = []
    for (pair, answers) in zip(pairs, answers) {
      for (truth, answer) in zip(pair.truth, answers) where truth == .gone {
        scores.append(answer?.score ?? -.infinity)
      }
    }
    scores.sort(by: >)
    for rate in rates where !scores.isEmpty {
      let threshold = scores[min(Int(rate * Double(scores.count)), scores.count - 1)].nextUp
      let title = String(format: "\(name), fmr %.0f %%, %.2f", 100 * rate, threshold)
      row(title, figures(pairs, answers, threshold: threshold))
    }
  }

  /// Prints the share of changed views that are found correctly without a threshold, by kind of change.
  private static func printKinds(_ pairs: [ScreenPair], _ matchers: [(name: String, answers: [[Score.Answer?]])]) {
    Swift.print("\nrecall without threshold, by kind of change:")
    let kinds = pairs.map { $0.changeKinds() }
    func column(_ text: some StringProtocol) -> String {
      "  " + text.padding(toLength: 17, withPad: " ", startingAt: 0)
    }
    row("kind", ["      n"] + matchers.map { column($0.name.prefix(17)) })
    for kind in ChangeKind.allCases {
      var count = 0
      var right = Array(repeating: 0, count: matchers.count)
      for (number, pair) in pairs.enumerated() {
        for (i, own) in kinds[number].enumerated() where own.contains(kind) {
          count += 1
          for (place, matcher) in matchers.enumerated() {
            if let answer = matcher.answers[number][i], pair.truth[i] == .view(answer.new) { right[place] += 1 }
          }
        }
      }
      guard count > 0 else { continue }
      row(
        kind.rawValue,
        [String(format: "%7d", count)] + right.map { column(String(format: "%.3f", Double($0) / Double(count))) })
    }
  }

  /// Prints the calibration: for each tenth of confidence, the mean confidence of its matches and the share that is correct.
  private static func printCalibration(_ pairs: [ScreenPair], _ answers: [[Score.Answer?]]) {
    var tenths = Array(repeating: (count: 0, right: 0, sum: Float(0)), count: 10)
    for (pair, answers) in zip(pairs, answers) {
      for (i, answer) in answers.enumerated() where pair.truth[i] != .unknown {
        guard let answer else { continue }
        let tenth = min(9, Int(answer.score * 10))
        tenths[tenth].count += 1
        tenths[tenth].sum += answer.score
        if pair.truth[i] == .view(answer.new) { tenths[tenth].right += 1 }
      }
    }
    Swift.print("\nconfidence -> right, of all views:")
    for tenth in tenths where tenth.count > 0 {
      let mean = tenth.sum / Float(tenth.count)
      Swift.print(String(format: "  %.2f -> %.2f (%d)", mean, Double(tenth.right) / Double(tenth.count), tenth.count))
    }
  }

  private static func figures(_ pairs: [ScreenPair], _ answers: [[Score.Answer?]], threshold: Float) -> [String] {
    score(pairs, answers, threshold).figures.map { String(format: "%7.3f", $0) }
  }

  private static func score(_ pairs: [ScreenPair], _ answers: [[Score.Answer?]], _ threshold: Float) -> Score {
    var score = Score()
    for (pair, answers) in zip(pairs, answers) { score.add(pair, answers, threshold: threshold) }
    return score
  }

  private static func bestThreshold(_ pairs: [ScreenPair], _ answers: [[Score.Answer?]]) -> Float {
    let all = answers.joined().compactMap { $0?.score }.sorted()
    let quantiles = (0..<20).compactMap { all.isEmpty ? nil : all[$0 * all.count / 20] }
    return quantiles.max { score(pairs, answers, $0).accuracy < score(pairs, answers, $1).accuracy } ?? 0
  }

  private static func row(_ name: String, _ figures: [String]) {
    Swift.print(name.padding(toLength: 40, withPad: " ", startingAt: 0) + figures.joined(separator: " "))
  }
}
