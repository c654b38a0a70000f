import ArgumentParser
import EncircleIdentity
import EncircleText

/// `encircle id`
struct IDCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "id",
    abstract: "Print the event IDs of identity strings: the SHA-256 of their UTF-8 bytes.",
    discussion: """
      Prints a line for each identity: its event ID, two spaces, the identity. With - identities are read from standard \
      input, one a line. Exit status 65 if one is not UTF-8.
      """)

  @Argument(help: "Identity strings, such as 'path(UIWindow(0))&controller(HomeViewController)'.")
  var identities: [String]

  func validate() throws { try StandardInput.requireOneUse(in: identities) }

  func run() throws {
    let output = ResultWriter(endsIfClosed: true)
    var lines = InputLines()
    var status = ExitStatus.done
    for argument in identities {
      if argument == "-" {
        try lines.forEach { line, _ in try write(line, to: output) }
      } else if argument.unicodeScalars.contains("\u{FFFD}"), !GivenArguments.contain(argument) {
        printError("error: '\(VisibleText.shortened(argument))' is not valid UTF-8")
        status = .badData
      } else {
        try write(Array(argument.utf8)[...], to: output)
      }
    }
    try output.flush()
    try status.joined(with: lines.status).exit()
  }

  private func write(_ identity: ArraySlice<UInt8>, to output: ResultWriter) throws {
    let text = String(decoding: identity, as: UTF8.self)
    if !identity.starts(with: "path(".utf8) || identity.last != UInt8(ascii: ")") {
      printError("note: '\(VisibleText.shortened(text))' is not of the form path(…)&…; hashed as it is")
    } else if identity.contains(UInt8(ascii: "/")),
      IdentityString(parsing: text)?.path.utf8.contains(UInt8(ascii: "/")) ?? false
    {
      printError(
        "note: '\(VisibleText.shortened(text))' has '/' between components, where SDKs hash '_'; hashed as it is")
    }
    let id = identity.withUnsafeBytes { EventID(identity: $0) }
    try output.write("\(id)  \(VisibleText.escaping(text))\n")
  }
}
