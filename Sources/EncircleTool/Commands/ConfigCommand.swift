import ArgumentParser
import EncircleText

/// `encircle config`
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Show the defaults that encircle.yaml gives here.",
    discussion: """
      The file encircle.yaml in the working directory, or in one above it, sets defaults for command lines: rules, \
      captures, a dictionary and the style of paths. Its paths are relative to its directory. An option on the command \
      line overrides its default.
      """)

  func run() throws {
    let defaults = try ProjectDefaults.load()
    let output = ResultWriter()
    if let file = defaults.file {
      var rows = [("file", file)]
      rows += defaults.rules.map { ("--rules", $0) }
      rows += defaults.captures.map { ("--captures", $0) }
      rows += defaults.dictionary.map { [("--dictionary", $0)] } ?? []
      rows += defaults.style.map { [("--style", $0.rawValue)] } ?? []
      for (name, value) in rows {
        let space = String(repeating: " ", count: 14 - name.utf8.count)
        try output.write(VisibleText.escaping("\(name)\(space)\(value)") + "\n")
      }
    } else {
      try output.write("There is no \(ProjectDefaults.fileName) in this directory nor in one above it.\n")
    }
    try output.flush()
  }
}
