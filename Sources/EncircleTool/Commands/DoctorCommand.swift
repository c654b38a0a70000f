#if Service
  import ArgumentParser
  import EncircleService
  import EncircleText
  import Foundation

  /// `encircle doctor`
  struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "doctor",
      abstract: "Check the directory and the configuration of a service, and say what to do.",
      discussion: """
        Checks permissions, free space, the files, their version and their integrity, the clock, tokens that end, and the \
        configuration, whether or not the service runs.

        Exit status 1 if there is a warning or an error.
        """)

    /// The formats of the findings.
    enum Format: String, CaseIterable, ExpressibleByArgument {
      case text, json
    }

    @Option(
      help: ArgumentHelp(
        """
        The directory of the service. Default: the directory that the configuration names, or \
        \(ServiceConfiguration().directory).
        """, valueName: "dir"), completion: .directory)
    var data: String?

    @Option(
      help: ArgumentHelp("The configuration of the service, to be checked as well.", valueName: "file"),
      completion: .file())
    var config: String?

    @Flag(help: "Read the databases from their first page to their last, which takes minutes for gigabytes.")
    var full = false

    @Option(help: "How to write the findings.")
    var format = Format.text

    func run() throws {
      // This prints the errors in the file with their places.
      let settings = try ServiceRun.configuration(config)
      let check = DirectoryCheck(directory: data ?? settings.directory, readsAll: full)
      let output = ResultWriter()
      switch format {
      case .text: try output.write(check.findings.map(Self.text).joined())
      case .json: output.buffer.append(contentsOf: Self.json(check.findings) + [0x0A])
      }
      try output.flush()
      if [.warning, .error].contains(check.severity) { throw ExitCode(ExitStatus.findings.rawValue) }
    }

    private static func text(_ finding: DirectoryCheck.Finding) -> String {
      let severity = finding.severity.rawValue
      let head = severity + String(repeating: " ", count: max(1, 9 - severity.utf8.count))
      var text = "\(head)\(finding.code): \(VisibleText.escaping(finding.message))\n"
      if let cure = finding.cure { text += "         \(VisibleText.escaping(cure))\n" }
      return text
    }

    private static func json(_ findings: [DirectoryCheck.Finding]) -> [UInt8] {
      var json = JSONBuilder()
      json.object {
        $0.array("findings", findings) { finding, json in
          json.object {
            $0.member("severity", finding.severity.rawValue)
            $0.member("code", finding.code)
            $0.member("message", finding.message)
            $0.member("cure", finding.cure)
          }
        }
      }
      return json.bytes
    }
  }
#endif
