import EncircleCapture
import EncircleRuleFiles
import EncircleRules
import EncircleText

extension RuleTestFiles {
  /// Returns the problems of test files whose texts are in memory, without running their tests.
  ///
  /// - Parameters:
  ///   - texts: The texts with the paths of their files, from which the paths in them are resolved.
  ///   - ruleSet: The rules that the tests are about, all together.
  ///   - reader: Reads the captures that tests name.
  package static func problems(
    in texts: [(name: String, text: String)], for ruleSet: RuleSet, captures reader: CaptureReader
  ) -> [Diagnostic] {
    var resources = TestResources(of: ruleSet, captures: reader)
    var problems = DiagnosticList()
    for (name, text) in texts {
      problems.append(
        contentsOf: RuleTestReader.read(text, name: name, ruleSet, checksRules: true, &resources).diagnostics)
    }
    return problems.kept
  }
}
