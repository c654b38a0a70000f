import EncircleCapture
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The test files beside rules, with their tests.
public struct RuleTestFiles: Sendable {
  /// The largest test file, in bytes.
  public static let maximumFileSize = 1 << 26

  /// The files without duplicates, in the given order.
  public let files: [RuleTestFile]

  /// Returns the paths of the test files that belong to paths: those beneath a directory, `x.test.yaml` for `x.yaml`,
  /// and a test file itself.
  public static func paths(besides rules: [String]) -> [String] {
    RuleDirectory.companions(.tests, besides: rules)
  }

  /// Returns whether a path is the path of a test file.
  public static func isTestFile(_ path: String) -> Bool { RuleDirectory.isTest(path) }

  /// Returns the rule files beside a test file: `x.yaml`, `x.yml` or `x.json` for `x.test.yaml`.
  public static func rules(beside test: String) -> [String] { RuleDirectory.rules(beside: test) }

  /// Reads test files.
  ///
  /// - Parameters:
  ///   - ruleSet: All rules under test.
  ///   - checksRules: True if the rules that tests expect must exist.
  ///   - reader: Reads the captures that tests name.
  /// - Throws: ``RuleFileErrors`` with all problems of all files, and of the captures and events that they name.
  public init(
    _ paths: [String], for ruleSet: RuleSet, checksRules: Bool = true, captures reader: CaptureReader = CaptureReader()
  ) throws(RuleFileErrors) {
    var files: [RuleTestFile] = []
    var problems = DiagnosticList()
    var isMissing = false
    var resources = TestResources(of: ruleSet, captures: reader)
    for path in paths {
      do throws(RuleFileErrors) {
        let text = try RuleDirectory.text(of: path, limit: Self.maximumFileSize)
        let (file, diagnostics) = RuleTestReader.read(
          text, name: path, ruleSet, checksRules: checksRules, &resources)
        files.append(file)
        problems.append(contentsOf: diagnostics)
      } catch {
        for problem in error.diagnostics { problems.append(problem) }
        if error.isMissingInput { isMissing = true }
      }
    }
    guard problems.isEmpty else {
      throw RuleFileErrors(problems, isMissingInput: isMissing && problems.count == paths.count)
    }
    self.files = files
  }
}
