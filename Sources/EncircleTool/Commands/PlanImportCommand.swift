import ArgumentParser
import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleWorkbook
import Foundation

/// `encircle plan import`
struct PlanImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Show what a table changes in the plan and the rules, and with --write change them.",
    discussion: """
      The table is one that `encircle plan export` wrote, or any other with such headers, in any order; unknown columns are kept. \
      A file with another plan, as x.plan.yaml, is read like a table of it. \
      Names, descriptions, owners and tags of events that rules emit are written into the rules, all else into the plan; \
      comments and layout stay. What the table does not have stays, too.

      Exit status 1 if a row is wrong; nothing is written then, unless with --partial.
      """)

  @OptionGroup var rules: RuleOptions

  @OptionGroup var options: PlanOptions

  @Argument(
    help:
      "The table: comma-separated values in UTF-8 or GB18030, a workbook (XLSX), or a plan (YAML, JSON); - is standard input.",
    completion: .file())
  var table: String

  @Flag(help: "Change the files. Without it, what would change is only shown.")
  var write = false

  @Flag(help: "Take the rows that are right although others are wrong.")
  var partial = false

  @Option(
    help: "A file for the rows that are wrong, with a column that says why: mend them and import the file.",
    completion: .file())
  var rejected: String?

  func validate() throws {
    let inputs = rules.rules + options.plan + [table]
    try StandardInput.requireOneUse(in: inputs)
    if write { try options.requireFiles(rules) }
  }

  func run() throws {
    let rejectedFile = try rejected.map { try OutputFile($0, option: "--rejected", of: self, isNoneOf: [table]) }
    let files = RuleFiles(rules.rules)
    let ruleSet = try RuleOptions.ruleSet(files)
    let (plan, texts) = try options.loadTexts(rules, for: ruleSet)
    var result = try PlanTableInput.compare(table, with: plan, ruleSet)
    var changed: [PlanImport.ChangedFile] = []
    var problem: RuleFileErrors?
    do throws(RuleFileErrors) {
      changed = try result.files(of: plan, texts, home: options.home(rules), rules: files)
    } catch {
      problem = error
    }
    try ResultWriter.print(PlanImportText.text(result))
    if !result.unknownHeaders.isEmpty {
      let list = NameList.text(result.unknownHeaders.map { "'\($0)'" }, atMost: 10)
      printError(
        "note: the plan keeps the texts below \(list) as they are, because no set of headers has these columns")
    }
    if let problem { throw RuleOptions.exit(problem) }
    let isWrong = !result.rejected.isEmpty
    if isWrong, let rejectedFile { try FileReplacement.save(Array(result.rejectedTable.utf8), as: rejectedFile) }
    if write, !isWrong || partial {
      for file in changed where !file.new.hasSameBytes(as: file.old) {
        try FileReplacement.save(Array(file.new.utf8), over: file.name)
        printError("\(file.name) was written")
      }
    } else if write {
      printError("nothing was written, as rows are wrong; --partial takes the others")
    }
    if isWrong { try ExitStatus.findings.exit() }
  }
}

/// Tables on the command line.
enum PlanTableInput {
  /// Compares a table, or a file with a plan, with a plan. If the file cannot be read, prints the reason and throws an exit code.
  static func compare(_ path: String, with plan: TrackingPlan, _ ruleSet: RuleSet) throws -> PlanImport {
    let isPlan = RuleDirectory.stem(of: path) != nil
    let new = isPlan ? TrackingPlan(ruleSet, try PlanOptions.load([path], for: ruleSet)) : nil
    let bytes = isPlan ? [] : try InputBytes.read(path, limit: TableFile.maximumSize)
    let sheets = PlanWorkbook.isWorkbook(bytes) ? try WorkbookFile.table(bytes, named: path) : nil
    let text = isPlan || sheets != nil ? "" : try TableFile.text(of: bytes, named: path)
    do throws(PlanImport.Failure) {
      if let new { return try PlanImport(new, into: plan) }
      if let sheets { return try PlanImport(sheets, into: plan) }
      return try PlanImport(text, into: plan)
    } catch {
      printErrors(Diagnostic(error.message, file: EventInput.name(of: path), at: error.location).description)
      throw ExitCode(ExitStatus.badData.rawValue)
    }
  }
}
