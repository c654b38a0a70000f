@_spi(Training) import EncircleDrift
import Foundation

/// The weights of a model as JSON: `{"local": {"bias": 0, "textEqual": 1.5}, "rounds": [{…}], "confidence": {…}}`.
struct ModelFile: Decodable {
  var local: [String: Float]?
  var rounds: [[String: Float]]?
  var confidence: [String: Float]?

  static func read(_ path: String) throws -> DriftModel {
    try JSONDecoder().decode(ModelFile.self, from: Data(contentsOf: URL(fileURLWithPath: path))).model
  }

  private var model: DriftModel {
    func part(_ weights: [String: Float]?, _ names: [String]) -> AdditiveModel {
      AdditiveModel(bias: weights?["bias"] ?? 0, weights: names.map { weights?[$0] ?? 0 })
    }
    return DriftModel(
      local: part(local, FeatureNames.local),
      rounds: (rounds ?? []).map { part($0, FeatureNames.local + FeatureNames.context) },
      confidence: part(confidence, FeatureNames.confidence))
  }
}

/// The names of the features of each part of a model, in the order of their values.
enum FeatureNames {
  static let local = LocalFeature.allCases.map { "\($0)" }
  static let context = ContextFeature.allCases.map { "\($0)" }
  static let confidence = ConfidenceFeature.allCases.map { "\($0)" }
}
