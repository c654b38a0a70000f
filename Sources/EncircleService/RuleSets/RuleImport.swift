import EncircleInput
import EncircleRuleFiles
import EncircleText
import Foundation

/// Publishes rule files when a new service starts.
///
/// Each file becomes a separate rule set. Files cannot be joined into one text, because the keys beside a file's rules, such as
/// the app that they are for, apply only to these rules.
struct RuleImport: Sendable {
  /// A file, and the rule set that it becomes.
  struct Item: Sendable {
    var name: String
    var file: String
  }

  /// The errors in files or in their names.
  struct Problem: Error, CustomStringConvertible {
    let description: String
    let isMissing: Bool
  }

  let items: [Item]

  /// - Parameter arguments: `FILE`, `NAME=FILE`, or a directory.
  /// - Throws: ``Problem``.
  init(_ arguments: [String]) throws(Problem) {
    var items: [Item] = []
    for argument in arguments {
      let parts = argument.splitBytes(at: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, RuleDirectory.files(argument) == nil {
        items.append(Item(name: String(parts[0]), file: String(parts[1])))
        continue
      }
      guard let files = RuleDirectory.files(argument), !files.isEmpty else {
        throw Problem(
          description: "\(argument): error: no such file, or a directory without rule files", isMissing: true)
      }
      let isFile = files == [argument]
      items += files.map { Item(name: isFile ? "default" : Self.name(of: $0), file: $0) }
    }
    var known: [UTF8String: String] = [:]
    for item in items {
      guard ServiceState.isRuleSetName(item.name) else {
        throw Problem(
          description: "\(item.file): error: '\(item.name)' cannot be the name of a rule set", isMissing: false)
      }
      if let other = known[UTF8String(item.name)] {
        throw Problem(
          description:
            "\(item.file): error: \(other) would be the rule set '\(item.name)', too: name them, as in shop=\(item.file)",
          isMissing: false)
      }
      known[UTF8String(item.name)] = item.file
    }
    self.items = items
  }

  private static func name(of file: String) -> String {
    let name = FilePath.name(of: file)
    return name.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(name[..<$0]) } ?? name
  }

  /// Publishes either all files or none.
  ///
  /// - Throws: ``Problem`` with all errors of all files.
  func publish(in library: RuleSetLibrary) throws {
    var texts: [String] = []
    var problems: [String] = []
    var isMissing = true
    for item in items {
      let files = RuleFiles([item.file])
      do throws(RuleFileErrors) {
        _ = try files.ruleSet()
        texts.append(files.text(of: item.file) ?? "")
      } catch {
        problems += error.diagnostics.map(\.description)
        isMissing = isMissing && error.isMissingInput
      }
    }
    guard problems.isEmpty else { throw Problem(description: problems.joined(separator: "\n"), isMissing: isMissing) }
    for (item, text) in zip(items, texts) {
      do {
        _ = try library.publish(
          text, to: item.name,
          RuleSetPublication(
            by: "encircle serve", reason: "first start, from \(item.file)", replaces: [0], action: "ruleset.import"))
      } catch let error as ServiceError {
        throw Problem(description: "\(item.file): error: \(error.message)", isMissing: false)
      }
    }
  }
}
