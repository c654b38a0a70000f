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
      let comparison = word.utf8.prefix {
        $0 >= UInt8(ascii: "<") && $0 <= UInt8(ascii: ">") || $0 == UInt8(ascii: "!")
      }
      // The build metadata after + does not count in comparisons.
      let version = word.utf8.dropFirst(comparison.count).prefix { $0 != UInt8(ascii: "+") }
      return (String(Substring(comparison)), String(Substring(version)))
    }
  }
}
