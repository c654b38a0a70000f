import EncircleCapture
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

extension RuleTestFiles {
  /// Returns the problems of test files whose texts are in memory, without running their tests.
  ///
  /// - Parameters:
  ///   - texts: The texts with the paths of their files; paths in a text are relative to its folder.
  ///   - ruleSet: All rules under test.
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

  /// Reads tests from an untrusted text: it cannot open files, and its captures are given by name.
  ///
  /// - Parameters:
  ///   - name: The file name in errors.
  ///   - ruleSet: All rules under test.
  ///   - captures: Returns the capture of a name; nil if there is none.
  /// - Throws: ``RuleFileErrors`` with all problems.
  package static func read(
    _ text: String, name: String, for ruleSet: RuleSet, captures: @escaping (String) -> ViewTree?
  ) throws(RuleFileErrors) -> RuleTestFile {
    var resources = TestResources(of: ruleSet, source: .named(captures))
    let (file, problems) = RuleTestReader.read(text, name: name, ruleSet, checksRules: true, &resources)
    guard problems.isEmpty else { throw RuleFileErrors(problems, isMissingInput: false) }
    return file
  }
}
