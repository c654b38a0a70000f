import ArgumentParser
import EncircleDictionary
import EncircleIdentity
import EncircleText

/// `encircle index`
struct IndexCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Build a dictionary that maps event IDs to the elements of captures, or add captures to one.",
    discussion: """
      A capture that the dictionary already has, under any name, is skipped. The dictionary is changed in one step at the \
      end, so that an interrupted run leaves the old one. If captures give one event ID to different elements, all of them \
      are kept, and the event ID is reported.
      """)

  @OptionGroup var input: CaptureOptions

  @OptionGroup var formats: InputFormatOptions

  @Option(name: [.short, .customLong("output")], help: "The dictionary to create or to add to.", completion: .file())
  var output = DictionaryOptions.defaultPath

  @Flag(help: "Exit with status 1 if an event ID belongs to different elements.")
  var strict = false

  @OptionGroup var identity: IdentityArguments

  func validate() throws { try StandardInput.requireOneUse(in: input.captures + formats.inputPaths) }

  func run() throws {
    let file = try OutputFile(output, option: "--output", of: self, isNoneOf: [])
    try FileReplacement.requireTarget(of: file.path)
    let progress = Progress()
    defer { progress?.end() }
    var source = CaptureSource(paths: input.captures, formats, identity: identity.options)
    source.progress = progress
    var total = Total()
    do {
      let writer = try DictionaryWriter(path: file.path)
      try source.forEach(prepared: PreparedCapture.init) { name, capture in
        total.count(try writer.add(capture, name: name), name)
      }
      if total.captures > total.known { try writer.finish() }
    } catch let error as DictionaryError {
      throw DictionaryOptions.exit(output, error)
    }
    progress?.end()
    total.report()
    try source.status.exit()
    if strict, total.conflicts > 0 { try ExitStatus.findings.exit() }
  }

  /// Counts the captures and their elements for the report.
  private struct Total {
    private(set) var captures = 0
    private(set) var known = 0
    private(set) var conflicts = 0
    private var elements = 0
    private var newElements = 0
    private var reported: Set<EventID> = []

    mutating func count(_ addition: DictionaryWriter.Addition, _ capture: String) {
      captures += 1
      if addition.isKnown { known += 1 }
      elements += addition.elements
      newElements += addition.newElements
      conflicts += addition.conflictCount
      for id in addition.conflicts where reported.count < DictionaryWriter.maximumConflicts {
        guard reported.insert(id).inserted else { continue }
        printError("\(capture): warning: \(id) is the event ID of another element, too; all are kept")
      }
    }

    func report() {
      if conflicts > reported.count {
        printError(
          "warning: in all, \(conflicts) elements have an event ID that another has; `encircle stats` lists them")
      }
      let skipped = known > 0 ? ", \(known) of them known" : ""
      printError(
        "\(counted(captures, "capture"))\(skipped), \(elements) elements, \(newElements) of them new")
    }
  }
}
