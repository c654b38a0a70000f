import EncircleRules
import EncircleText

/// The texts that pass a test, for an automaton.
enum TextLanguage {
  case pattern(TextPattern)
  case expression(ExpressionStates)
  /// The versions in a range; texts of more than 256 bytes count as versions, too.
  case versions(VersionRange)
}

extension VersionRange {
  /// The comparisons of the range: an operator, which may be empty, and a version without its build metadata.
  var comparisons: [(comparison: String, version: String)] {
    description.split { $0 == " " }.map { word in
      let version = word.drop { "<>=!".unicodeScalars.contains($0.unicodeScalars.first ?? "0") }
      // The build metadata after + does not count in comparisons.
      return (String(word.prefix(word.count - version.count)), String(version.prefix { $0 != "+" }))
    }
  }
}
