import ArgumentParser
import EncircleInput
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Foundation

/// `encircle fmt`
struct FormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fmt",
    abstract: "Format rule files, and the files with tests, coverage and plans beside them.",
    discussion: """
      Files are rewritten in place without a change of meaning; comments stay where they are. Keys are written in a fixed \
      order, indentation is two spaces, texts are quoted only if needed, and selectors are written in their shortest form. A \
      file that is not valid YAML, or that cannot be formatted, stays as it is, and the exit status is 65.
      """)

  @Argument(
    help: """
      Files, or directories with *.yaml, *.yml and *.json, tests among them; - reads standard input and writes to standard \
      output.
      """, completion: .file())
  var rules: [String]

  @Flag(help: "Change nothing; list the files that would change, and exit with status 1 if there are any.")
  var check = false

  @Flag(
    help: """
      Change nothing; show what would change as a unified diff, which `patch -p0` applies, and exit with status 1 if there is \
      anything.
      """)
  var diff = false

  private var changesNothing: Bool { check || diff }

  func validate() throws { try StandardInput.requireOneUse(in: rules) }

  func run() throws {
    let output = ResultWriter()
    var status = ExitStatus.done
    var changed = 0
    for path in rules {
      guard let files = RuleDirectory.files(path, .all) else {
        printError("\(path): error: no such file or directory")
        status = status.joined(with: .noInput)
        continue
      }
      if files.isEmpty {
        printError("\(path): error: the directory has no rule files (*.yaml, *.yml, *.json)")
        status = status.joined(with: .noInput)
      }
      for file in files {
        let name = EventInput.name(of: file)
        // As in a directory of rules, pipes that a search finds are not read, because they may block.
        if file != path, let problem = RuleDirectory.problem(ofFound: file) {
          printError("\(name): error: \(problem)")
          status = status.joined(with: .badData)
          continue
        }
        // A pipe can be checked, but not changed. Reading reports a file that does not exist.
        if file != "-", FileManager.default.fileExists(atPath: file),
          !changesNothing || RuleDirectory.isRegularFile(file), let problem = FileReplacement.reasonToKeep(file)
        {
          printError("\(name): error: \(problem)")
          status = status.joined(with: .badData)
          continue
        }
        guard let text = read(file, name, &status) else { continue }
        let formatted: String
        do throws(RuleFileErrors) {
          formatted = try RuleFileFormatter.format(text, name: name)
        } catch {
          printErrors(error.description)
          status = status.joined(with: .badData)
          continue
        }
        let isSame = formatted.hasSameBytes(as: text)
        if file == "-", !changesNothing {
          try output.write(formatted)
        } else if !isSame {
          changed += 1
          if !changesNothing { try FileReplacement.save(Array(formatted.utf8), over: file) }
          try output.write(
            diff
              ? UnifiedDiff.text(of: name, from: text, to: formatted, escapes: Terminal.isOutput)
              : VisibleText.escaping(name) + "\n")
        }
      }
    }
    try output.flush()
    if changesNothing, changed > 0 {
      printError("\(changed) file\(changed == 1 ? " is" : "s are") not formatted")
      if status == .done { status = .findings }
    }
    try status.exit()
  }

  private func read(_ path: String, _ name: String, _ status: inout ExitStatus) -> String? {
    do throws(InputError) {
      var source = try ByteSource(path: path)
      let bytes = try source.readAll(limit: RuleFiles.maximumFileSize)
      let problem: Diagnostic
      if CompiledRules.isBeginning(of: bytes) {
        problem = Diagnostic("compiled rules cannot be formatted", file: name)
      } else if let text = String(validating: bytes, as: UTF8.self) {
        return text
      } else {
        problem = Diagnostic(notUTF8: bytes, file: name)
      }
      printErrors(problem.description)
      status = status.joined(with: .badData)
    } catch {
      printError("\(name): error: \(error)")
      status = status.joined(with: ExitStatus(error))
    }
    return nil
  }
}
