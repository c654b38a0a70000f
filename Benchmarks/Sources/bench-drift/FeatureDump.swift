@_spi(Training) import EncircleDrift
import EncircleTree
import Foundation

/// Writes the features of pairs of views for training: a line of JSON with the names of the columns, then rows of
/// 32-bit numbers in the machine's byte order.
struct FeatureDump {
  private var rows: [Float] = []
  // Number of the pair of screens, old view, new view, whether the old view is the new one, kind of the old view.
  private static let keys = ["pair", "old", "new", "right", "kind"]

  private static let localShare = 6

  /// The kind of change that an old view underwent, as written in the last column.
  private enum Kind: Float {
    case unchanged = 0
    case changed, gone, unknown
  }

  mutating func write(_ stage: String, _ pairs: [ScreenPair], _ model: DriftModel?, to path: String) throws {
    let names: [String]
    switch stage {
    case "local": names = FeatureNames.local
    case "confidence": names = FeatureNames.confidence
    default: names = FeatureNames.local + FeatureNames.context
    }
    for (number, pair) in pairs.enumerated() {
      let kinds = kinds(of: pair)
      let features = TrainingFeatures(from: pair.old, to: pair.new)
      func add(_ i: Int, _ j: Int, _ values: UnsafeMutableBufferPointer<Float>) {
        guard kinds[i] != .unknown else { return }
        let isRight = pair.truth[i] == .view(j)
        // A sample of the wrong pairs suffices, because the first stage has far more of them than right pairs.
        guard isRight || stage != "local" || (i &* 31 &+ j &* 17) % Self.localShare == 0 else { return }
        rows += [Float(number), Float(i), Float(j), isRight ? 1 : 0, kinds[i].rawValue]
        rows += values
      }
      switch (stage, model) {
      case ("local", _): features.forEachPair(add)
      case ("confidence", let model?): features.forEachMatch(model, add)
      case (_, let model?): features.forEachPair(inRound: Int(stage) ?? 0, model, add)
      default: throw PairError(message: "\(stage) needs a model")
      }
    }
    var data = try JSONEncoder().encode(Self.keys + names)
    data.append(10)
    rows.withUnsafeBytes { data.append(contentsOf: $0) }
    try data.write(to: URL(fileURLWithPath: path))
  }

  private func kinds(of pair: ScreenPair) -> [Kind] {
    let (old, new) = (ViewPaths(pair.old), ViewPaths(pair.new))
    return pair.truth.enumerated().map { i, truth in
      switch truth {
      case .view(let j): old.paths[i] == new.paths[j] ? .unchanged : .changed
      case .gone: .gone
      case .unknown: .unknown
      }
    }
  }
}

/// The plain paths of views: classes with their index among the siblings of the class.
struct ViewPaths {
  private(set) var paths: [String] = []

  init(_ tree: ViewTree) {
    var seen: [String: Int] = [:]
    for element in tree.elements {
      let base = (tree.parent(of: element).map { paths[$0.index] } ?? "") + "/" + tree.className(of: element)
      paths.append("\(base)[\(seen[base, default: 0])]")
      seen[base, default: 0] += 1
    }
  }
}
