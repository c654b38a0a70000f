import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
import Foundation

/// Reads a file of tests beside rules, runs the tests, and replaces their expectations.
func readRuleTests(_ input: [UInt8]) -> CInt {
  // Tests name captures and files of events. Only files beside the tests may be read.
  guard !input.contains(UInt8(ascii: "/")), !input.contains(UInt8(ascii: "\\")) else { return 0 }
  _ = isPrepared
  let path = scratchFolder + "/rules.test.yaml"
  guard FileManager.default.createFile(atPath: path, contents: Data(input)) else { preconditionFailure("no file") }
  for checksRules in [true, false] {
    do throws(RuleFileErrors) {
      let tests = try RuleTestFiles([path], for: ruleSetOfEveryKind, checksRules: checksRules)
      var runner = RuleTestRunner(ruleSetOfEveryKind)
      for file in tests.files {
        let results = runner.run(file)
        precondition(results.count == file.tests.count)
        let update = try ExpectationUpdate.update(file, results, for: ruleSetOfEveryKind)
        precondition(update.problems.allSatisfy { !$0.description.isEmpty })
      }
      _ = runner.uncoveredRules
    } catch {
      precondition(!error.diagnostics.isEmpty)
      for diagnostic in error.diagnostics { precondition(!diagnostic.description.isEmpty) }
    }
  }
  return 0
}

/// Writes the capture and the events that the tests name; `false` if that fails.
private let isPrepared: Bool = {
  let capture = """
    <viewTree version="1"><view class="UIWindow"><view class="UITableView" controller="HomeViewController">
    <view class="ProductCell" superclasses="UITableViewCell" indexPath="0 7"><view class="UIButton"/></view>
    </view></view></viewTree>
    """
  let files = FileManager.default
  return files.createFile(atPath: scratchFolder + "/a.xml", contents: Data(capture.utf8))
    && files.createFile(atPath: scratchFolder + "/e.ndjson", contents: Data("{\"event\":\"a\"}\n{}\n".utf8))
}()
