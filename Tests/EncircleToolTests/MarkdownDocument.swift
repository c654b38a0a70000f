import EncircleTestSupport
import Foundation

/// A document of this repository, with the examples in it.
struct MarkdownDocument {
  /// A fenced block.
  struct Block {
    /// The word after the opening fence, such as `console`; empty if there is none.
    let language: String
    /// The number of the first line between the fences, from 1.
    let firstLine: Int
    /// The lines between the fences, without the indentation of the opening fence.
    var lines: [String] = []
  }

  /// A shell command in a `console` block, with the output that the document shows.
  struct ConsoleExample {
    /// The line of the command, from 1.
    let line: Int
    /// The command; several lines if all but the last end with a backslash.
    var command: String
    /// The lines of the document with the output, numbered from 0.
    var outputLines: Range<Int>
    /// The output as it is shown, without blank lines at its end.
    var output: [String]
  }

  /// The path from the root of the repository.
  let name: String
  /// All lines.
  let lines: [String]
  /// The fenced blocks, in order.
  private(set) var blocks: [Block] = []
  /// The lines outside of fenced blocks, with their numbers from 1.
  private(set) var textLines: [(number: Int, line: String)] = []
  /// The numbers of lines, from 1, that look like console examples but would not be run.
  private(set) var unmarkedExamples: [Int] = []

  init(name: String) throws {
    let text = String(decoding: try PackageFolder.bytes(PackageFolder.root.appendingPathComponent(name)), as: UTF8.self)
    self.init(name: name, text: text)
  }

  init(name: String, text: String) {
    self.name = name
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var open: (block: Block, indentation: Int)?
    for (i, line) in lines.enumerated() {
      let content = line.drop { $0 == " " }
      let indentation = line.count - content.count
      if content.hasPrefix("```") {
        if let current = open {
          blocks.append(current.block)
          open = nil
        } else {
          open = (Block(language: String(content.dropFirst(3)), firstLine: i + 2), indentation)
        }
      } else if let fence = open {
        open?.block.lines.append(String(line.dropFirst(min(fence.indentation, indentation))))
        let isExempt = ["console", "text"].contains(fence.block.language)
        if content.hasPrefix("$ encircle"), !isExempt { unmarkedExamples.append(i + 1) }
      } else {
        textLines.append((i + 1, line))
        if indentation >= 4, content.hasPrefix("$ encircle") { unmarkedExamples.append(i + 1) }
      }
    }
  }

  /// The commands of the `console` blocks, in order.
  var consoleExamples: [ConsoleExample] {
    var examples: [ConsoleExample] = []
    for block in blocks where block.language == "console" {
      var continues = false
      for (i, line) in block.lines.enumerated() {
        // Numbered from 0, the line of the document.
        let number = block.firstLine - 1 + i
        if continues {
          examples[examples.count - 1].command += "\n" + line
          examples[examples.count - 1].outputLines = number + 1..<number + 1
          continues = line.hasSuffix("\\")
        } else if line.hasPrefix("$ ") || i == 0 {
          let command =
            line.hasPrefix("$ ") ? String(line.dropFirst(2)) : "false # a console block begins with a command"
          examples.append(
            ConsoleExample(line: number + 1, command: command, outputLines: number + 1..<number + 1, output: []))
          continues = line.hasSuffix("\\")
        } else {
          examples[examples.count - 1].output.append(line)
          if !line.allSatisfy({ $0 == " " }) {
            examples[examples.count - 1].outputLines = examples[examples.count - 1].outputLines.lowerBound..<number + 1
          }
        }
      }
    }
    for i in examples.indices {
      examples[i].output.removeLast(examples[i].output.count - examples[i].outputLines.count)
    }
    return examples
  }

  /// The documents whose examples are tested: the README, the guide for contributors, and all in `docs`.
  static let names: [String] = {
    let folder = PackageFolder.root.appendingPathComponent("docs")
    let docs = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return ["README.md", "README.zh-CN.md", "CONTRIBUTING.md", "SECURITY.md", "Rules/README.md"]
      + docs.filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }.sorted()
  }()
}
