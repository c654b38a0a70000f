import ArgumentParser
import EncircleDictionary
import EncircleIdentity
import EncircleText

/// `encircle convert`
struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write paths of one style in another style, and say what is lost.",
    discussion: """
      Most styles leave out values that others need, so a conversion looks the elements with the path up in a \
      dictionary or in captures. If several elements have the path, there is a result for each. If none has the texts \
      in a path of posthog, elements with other texts are taken, and a note says so. Values that the new path does not \
      have are listed on standard error. A path of growingio or growingio-android is its xpath and its xcontent with \
      ' & ' between them.

      Exit status 1 if no element has one of the paths, 65 if one is not of the style.
      """)

  @Option(help: "The style of the paths.")
  var from: PathStyleName

  @Option(help: "The style of the results.")
  var to: PathStyleName

  @Argument(help: "Paths; - reads them from standard input, one a line.")
  var paths: [String]

  @Option(help: "A dictionary that `encircle index` made.", completion: .file())
  var dictionary: String?

  @Option(help: "A file or directory with captures that have the elements; may be repeated.", completion: .file())
  var captures: [String] = []

  @OptionGroup var formats: InputFormatOptions

  @Option(help: "The format of the results.")
  var format = Format.text

  /// The formats of the results.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, ndjson
  }

  // No capture is deeper, and the time to compare paths is quadratic in their length.
  private static let maximumComponents = 1000

  /// A path and its conversions.
  private struct Job {
    let text: String
    /// The place of the path in standard input, as errors begin with it; empty for an argument.
    let place: String
    let path: StyledPath
    var results: [PathConversion] = []
    var seen: Set<StyledPath> = []
    /// This is true if the results come from elements with exactly this path, rather than with other texts in it.
    var isExact = false
    /// The number of elements with the path that have no path in the new style.
    var without = 0
    var elements = 0

    /// The job without results, for those of elements with exactly this path.
    var exact: Job { Job(text: text, place: place, path: path, isExact: true) }
  }

  func validate() throws {
    try StandardInput.requireOneUse(in: paths + captures + formats.inputPaths)
    try formats.requireCaptures(captures.isEmpty ? ProjectDefaults.load().captures : captures)
    // The style of identities supports all systems.
    guard from != .hubbleData, to != .hubbleData, Self.system(of: from) != Self.system(of: to) else { return }
    let styles = [from, to].sorted { Self.system(of: $0) < Self.system(of: $1) }
    throw ValidationError(
      "No path of style \(from.rawValue) can be written in style \(to.rawValue): \(styles[0].rawValue) is a style of "
        + "\(Self.system(of: styles[0])), \(styles[1].rawValue) one of \(Self.system(of: styles[1])), "
        + "and no screen is one of both.")
  }

  private static func system(of style: PathStyleName) -> String {
    style.isWeb ? "web pages" : style.isAndroid ? "Android" : "iOS"
  }

  func run() throws {
    var status = ExitStatus.done
    var texts: [(text: String, line: Int?)] = []
    var lines = InputLines()
    for path in paths {
      if path == "-" {
        try lines.forEach { line, number in texts.append((String(decoding: line, as: UTF8.self), number)) }
      } else {
        texts.append((path, nil))
      }
    }
    status = lines.status
    var jobs: [Job] = []
    for (text, line) in texts {
      let place = line.map { "<stdin>:\($0): " } ?? ""
      do throws(PathStyleError) {
        let path = try from.style.read(text)[0]
        guard path.components.count <= Self.maximumComponents else {
          printError("\(place)error: a path has at most \(Self.maximumComponents) components")
          status = .badData
          continue
        }
        jobs.append(Job(text: text, place: place, path: path))
      } catch {
        var problem = Diagnostic(
          "not a path of style \(from.rawValue): \(error.message)", offset: error.offset, in: text)
        if let line {
          problem.file = "<stdin>"
          problem.location?.line += line - 1
        }
        printErrors(problem.description)
        status = .badData
      }
    }
    var (dictionary, captures) = (dictionary, captures)
    if dictionary == nil, captures.isEmpty {
      convertDirectly(&jobs)
      // The project's elements are for the other paths only, as these need none.
      if jobs.contains(where: \.results.isEmpty) {
        let defaults = try ProjectDefaults.load()
        (dictionary, captures) = (defaults.dictionary, defaults.captures)
      }
    }
    let hasElements = dictionary != nil || !captures.isEmpty
    if hasElements { try convertByElements(&jobs, dictionary, captures) }
    let output = ResultWriter()
    try write(jobs, to: output, &status, hasElements: hasElements)
    try output.flush()
    try status.exit()
  }

  private func convertDirectly(_ jobs: inout [Job]) {
    for i in jobs.indices {
      if let conversion = PathConversion.direct(jobs[i].path, to: to) {
        jobs[i].results = [conversion]
        jobs[i].isExact = true
        jobs[i].elements = 1
      }
    }
  }

  /// Converts the paths that have no result yet.
  private func convertByElements(_ jobs: inout [Job], _ dictionary: String?, _ captures: [String]) throws {
    var numbers: [UTF8String: [Int]] = [:]
    for (i, job) in jobs.enumerated() where job.results.isEmpty {
      numbers[Self.key(of: job.path), default: []].append(i)
    }
    let (source, target) = (from.style, to.style)
    func add(_ chain: [PathNode], canWrite: Bool) {
      guard let path = source.path(of: chain), let found = numbers[Self.key(of: path)] else { return }
      let other = canWrite ? target.path(of: chain) : nil
      for i in found {
        let isExact = path.written.hasSameBytes(as: jobs[i].path.written)
        if jobs[i].isExact, !isExact { continue }
        // The earlier results come from elements with other texts. Results for exactly this path replace them.
        if isExact, !jobs[i].isExact { jobs[i] = jobs[i].exact }
        jobs[i].elements += 1
        guard let other else {
          jobs[i].without += 1
          continue
        }
        if jobs[i].seen.insert(other).inserted { jobs[i].results.append(PathConversion(of: path, to: other)) }
      }
    }
    if let dictionary {
      let reader = try DictionaryOptions.open(dictionary)
      do throws(DictionaryError) {
        try reader.forEach { element in
          guard element.styles.contains(from) else { return }
          add(element.chain, canWrite: element.styles.contains(to))
        }
      } catch {
        throw DictionaryOptions.exit(dictionary, error)
      }
      if to == .postHog, jobs.contains(where: { !$0.results.isEmpty }) {
        printError(
          "note: a dictionary has no titles and states of controls, which the paths of events have: --captures gives them"
        )
      }
    }
    guard !captures.isEmpty else { return }
    var list = CaptureSource(paths: captures, formats)
    try list.forEach { _, screen in
      guard source.unmetRequirement(for: screen) == nil else { return }
      let canWrite = target.unmetRequirement(for: screen) == nil
      PathChains(of: screen).forEach { _, chain in add(chain, canWrite: canWrite) }
    }
    try list.requireAll()
  }

  /// Returns a key that all paths of an element share. It omits the texts in `posthog` paths, because texts change. If no
  /// element has the texts of a path, elements with other texts are found.
  private static func key(of path: StyledPath) -> UTF8String {
    var path = path
    if path.style == .postHog {
      for i in path.components.indices { path.components[i].attributes = .init() }
    }
    return UTF8String(path.written)
  }

  // MARK: - Results

  /// - Parameter hasElements: True if elements were looked at.
  private func write(
    _ jobs: [Job], to output: ResultWriter, _ status: inout ExitStatus, hasElements: Bool
  ) throws {
    if format == .json { try output.write("[") }
    for (i, job) in jobs.enumerated() {
      if job.results.isEmpty {
        status = status.joined(with: .findings)
        let shown = VisibleText.shortened(job.text)
        if job.without > 0 {
          printError("\(job.place)error: the elements with this path have none in style \(to.rawValue): \(shown)")
        } else if !hasElements {
          printError(
            "\(job.place)error: a \(from.rawValue) path does not say what a \(to.rawValue) path has; "
              + "--dictionary FILE or --captures DIR says which element it is: \(shown)")
        } else {
          printError("\(job.place)error: no element has this path: \(shown)")
        }
      }
      let needsTexts = !Self.key(of: job.path).text.hasSameBytes(as: job.path.written)
      if !job.results.isEmpty, !job.isExact, needsTexts {
        printError(
          "\(job.place)note: no element has just this path, so the results are of elements with other texts or ids: "
            + VisibleText.shortened(job.text))
      }
      if job.results.count > 1 {
        printError(
          "\(job.place)note: \(job.results.count) elements with different paths have this one: "
            + VisibleText.shortened(job.text))
      }
      switch format {
      case .text:
        for result in job.results {
          try output.write(VisibleText.escaping(result.path.written) + "\n")
          if !result.losses.isEmpty { printError("\(job.place)note: lost \(result.losses.joined(separator: "; "))") }
        }
      case .json, .ndjson:
        if format == .json { try output.write(i == 0 ? "\n" : ",\n") }
        try output.write(Self.json(job, from, to))
        if format == .ndjson { try output.write("\n") }
      }
    }
    if format == .json { try output.write("\n]\n") }
  }

  private static func json(_ job: Job, _ from: PathStyleName, _ to: PathStyleName) -> String {
    var json = JSONBuilder()
    json.object {
      $0.member("from", from.rawValue)
      $0.member("to", to.rawValue)
      $0.member("path", job.text)
      $0.array("results", job.results) { result, json in
        json.object {
          $0.member("path", result.path.written)
          $0.member("style_id", result.path.digest.map(Hexadecimal.text))
          $0.member("lost", result.losses)
        }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
