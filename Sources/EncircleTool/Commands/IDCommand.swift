import ArgumentParser
import EncircleIdentity

/// `encircle id`
struct IDCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "id",
    abstract: "Print the event IDs of identity strings: the SHA-256 of their UTF-8 bytes.",
    discussion: """
      Prints a line for each identity: its event ID, two spaces, the identity. With - identities are read from standard \
      input, one a line.
      """)

  @Argument(help: "Identity strings, such as 'path(UIWindow(0))&controller(HomeViewController)'.")
  var identities: [String]

  func run() throws {
    let output = ResultWriter()
    for argument in identities {
      if argument == "-" {
        while let line = readLine() { try write(line, to: output) }
      } else {
        try write(argument, to: output)
      }
    }
    try output.flush()
  }

  private func write(_ identity: String, to output: ResultWriter) throws {
    if !identity.utf8.starts(with: "path(".utf8) || identity.utf8.last != UInt8(ascii: ")") {
      printError("note: '\(VisibleText.shortened(identity))' is not of the form path(…)&…; hashed as it is")
    }
    try output.write("\(EventID(identity: identity))  \(identity)\n")
  }
}
