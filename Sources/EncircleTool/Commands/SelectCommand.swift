import ArgumentParser
import EncircleAuthoring
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree
import Foundation

/// `encircle select`
struct SelectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "select",
    abstract: "List the elements of captures that a selector matches.",
    discussion: """
      UITableView/ProductCell(section:0 row:*)/UIButton(1) is the second button of any row of section 0. A step is a \
      class name, in which * stands for any run of characters, :Class for a class and its subclasses, or ** for any \
      number of elements. In parentheses follows a test of the locator: 3, *, 2...5, 1,3, section:0 row:*, or nothing for an \
      element that has none. With a leading / the selector begins at the window. A name with special characters is quoted: \
      'My View'.

      The first argument is a selector, with --at a point, with --same-kind an element; the captures follow. With \
      --event all arguments are captures.
      """)

  @Argument(help: "The selector; with --at a point, with --same-kind an element.")
  var selector: String?

  @Argument(help: "Files or directories with captures; - is standard input. Gzip is recognised.", completion: .file())
  var captures: [String] = []

  @OptionGroup var formats: InputFormatOptions

  @OptionGroup var listing: ListingOptions

  @OptionGroup var colors: ColorOptions

  @Option(help: "The style of the paths that the selector matches and that are listed.")
  var style: PathStyleName?

  @Flag(help: "Print only the number of elements.")
  var count = false

  @Flag(
    help: """
      List the elements of the same kind as one element, which is named as in 'suggest': by its number, its event ID, a point \
      or a text. The elements have its path except for section, row and item of the innermost list, and its width, height and x \
      within the cell.
      """)
  var sameKind = false

  @Flag(
    help: """
      List the tracked element at a point of the window: the first argument then is x,y, in the units of the capture's \
      frames.
      """)
  var at = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      List the elements that an event denotes: by its event ID, else by its path and page. All arguments are then captures. \
      Without a line, it is the file's first event.
      """, valueName: "file[:line]"), completion: .file())
  var event: String?

  @Option(help: "With --same-kind, the lists whose rows may differ.")
  var levels = SameKindLevels.innermost

  @Flag(help: "With --same-kind, do not compare frames.")
  var ignoreFrames = false

  /// The captures; with an event, the first argument is a capture rather than a selector.
  private var capturePaths: [String] { event == nil ? captures : [selector].compactMap { $0 } + captures }
  private var wanted: String { selector ?? "" }

  func validate() throws {
    guard [at, sameKind, event != nil].count(where: { $0 }) <= 1 else {
      throw ValidationError("Only one of --at, --same-kind and --event can be given.")
    }
    if event == nil, selector == nil {
      throw ValidationError("Missing expected argument '<selector>', and at least one capture after it.")
    }
    if capturePaths.isEmpty {
      throw ValidationError("Name at least one capture: a file, a directory or - for standard input.")
    }
    try StandardInput.requireOneUse(
      in: capturePaths + [event.map(EventFile.path)].compactMap { $0 } + formats.inputPaths)
    if count, listing.format != .table {
      throw ValidationError("--count prints only a number, so --format does not go with it.")
    }
    if at, ElementQuery.point(wanted) == nil {
      throw ValidationError("'\(wanted)' is not a point: two numbers with a comma between them.")
    }
    if sameKind {
      guard style == nil || style == .hubbleData else {
        throw ValidationError("--same-kind compares paths of hubbledata: --style does not go with it.")
      }
      if wanted.isEmpty {
        throw ValidationError("Name an element: its number, its event ID, a point x,y, or a text.")
      }
      // In earlier versions the capture came first.
      if let last = captures.last, case .number = ElementQuery(last), !Self.isFile(last), Self.isFile(wanted) {
        throw ValidationError(
          "--same-kind takes the element first, as 'select' does the selector: encircle select --same-kind \(last) \(wanted)"
        )
      }
    } else if ignoreFrames || levels != .innermost {
      throw ValidationError("--levels and --ignore-frames go with --same-kind.")
    } else if event == nil, !at, let last = captures.last, !Self.isFile(last), Self.isFile(wanted) {
      throw ValidationError("The selector comes first: encircle select \(last.shellWord) \(wanted)")
    }
  }

  private static func isFile(_ path: String) -> Bool { path == "-" || FileManager.default.fileExists(atPath: path) }

  func run() throws {
    if sameKind { return try runSameKind() }
    if let event { return try runEvent(event) }
    let selector = wanted
    let style = try style ?? ProjectDefaults.load().style ?? .hubbleData
    if let point = at ? ElementQuery.point(selector) : nil { return try runAt(point, style) }
    // A CSS list stands for several selectors.
    let parsed: [ElementSelector]
    do throws(SelectorError) {
      parsed = try ElementSelector.parsing(selector, in: style)
    } catch {
      printErrors(error.description)
      throw ExitCode(ExitStatus.badData.rawValue)
    }
    for selector in parsed where style != .hubbleData {
      guard let step = selector.unreadableStep(in: style) else { continue }
      printErrors(
        style.isWeb
          ? "<selector>: error: events of style '\(style.rawValue)' do not say what \(selector.steps[step]) asks for"
          : "<selector>: error: style '\(style.rawValue)' has no component of the form \(selector.steps[step])")
      throw ExitCode(ExitStatus.badData.rawValue)
    }
    let settings = SelectionSettings(style: style)
    var hint = SelectionHint(parsed[0], style: style)
    let hasUnserved = try list(in: style) { capture, screen in
      let elements = Set(parsed.flatMap { settings.elements(matching: $0, in: screen) }).sorted()
      hint.add(screen, name: capture, matches: elements)
      return elements
    } beforeExit: {
      hint.print()
    }
    if hasUnserved { try ExitStatus.findings.exit() }
  }

  /// Lists the elements that `body` returns for each capture. Returns whether the style does not support some captures.
  private func list(
    in style: PathStyleName, _ body: (_ name: String, IdentifiedTree) throws -> [ElementID],
    beforeExit: () -> Void = {}
  ) throws -> Bool {
    var source = CaptureSource(paths: capturePaths, formats)
    let output = ResultWriter(endsIfClosed: true)
    var listing = ElementListing(listing, colors, style: style)
    var total = 0
    var hasUnserved = false
    try source.forEach { capture, screen in
      if let refusal = style.refusal(of: screen) {
        printError("\(capture): error: \(refusal)")
        hasUnserved = true
        return
      }
      let elements = Set(try body(capture, screen))
      total += elements.count
      if !count, !elements.isEmpty {
        try listing.write(screen, capture: capture, to: output) { elements.contains($0) }
      }
    }
    if count { try output.write("\(total)\n") } else { try listing.finish(to: output) }
    try output.flush()
    beforeExit()
    try source.status.exit()
    return hasUnserved
  }

  private func runAt(_ point: ElementQuery, _ style: PathStyleName) throws {
    var isFound = false
    var missing: [String] = []
    let hasUnserved = try list(in: style) { capture, screen in
      let elements = point.elements(of: screen)
      if elements.isEmpty {
        missing.append("\(capture): error: \(MissingElement.message(point, wanted, in: screen))")
      } else {
        isFound = true
      }
      for element in elements { noteInnerElement(of: element, point, in: screen, capture) }
      noteUnlisted(elements, style, in: screen, capture)
      return elements
    } beforeExit: {
      if !isFound { missing.forEach { printError($0) } }
    }
    if hasUnserved || !isFound { try ExitStatus.findings.exit() }
  }

  /// Prints a note for each element that is not listed because the style has no path for it.
  private func noteUnlisted(
    _ elements: [ElementID], _ style: PathStyleName, in screen: IdentifiedTree, _ capture: String
  ) {
    guard style != .hubbleData, !count else { return }
    let chains = PathChains(of: screen)
    for element in elements where style.style.path(of: chains.chain(to: element)) == nil {
      printError("\(capture): note: element \(element) has no path in style \(style.rawValue), so it is not listed")
    }
  }

  private func runEvent(_ argument: String) throws {
    let file = try EventFile.read(argument)
    let subject = EventSubject(file.event, style: style)
    guard subject.eventID != nil || subject.path != nil else {
      let problem =
        subject.writtenPath == nil
        ? "the event has neither an event ID nor a path"
        : "the event's path is not one of style \(subject.style.rawValue)"
      throw ExitStatus.findings.failure("\(file.place): error: \(problem), so it denotes no element")
    }
    var isFound = false
    var elsewhere: [String] = []
    let hasUnserved = try list(in: subject.style) { capture, screen in
      guard let found = subject.elements(in: screen) else {
        if !isFound, elsewhere.count < Self.maximumElsewhere, let found = subject.elements(onAnyPageOf: screen) {
          let page = screen.page(of: found.elements[0], in: subject.style)
          let place =
            page.map { "on page \($0)" } ?? "on a page that the capture does not name\(pageOption(subject.style))"
          elsewhere.append("\(capture): note: element \(found.elements[0]) has its path, \(place)")
        }
        return []
      }
      isFound = true
      switch found.match {
      case .eventID: break
      case .path:
        if subject.eventID != nil {
          printError("\(capture): note: no element has the event ID of the event; these have its path and page")
        }
      case .kind where subject.style == .postHog:
        printError(
          "\(capture): note: no element has the texts of the event's path; these have its path with other texts")
      case .kind: printError("\(capture): note: no element has the event's row; these have its path in other rows")
      }
      noteUnlisted(found.elements, subject.style, in: screen, capture)
      return found.elements
    }
    if !isFound {
      printError("\(file.place): error: no element of the captures has the event's ID, or its path on its page")
      elsewhere.forEach { printError($0) }
    }
    if hasUnserved || !isFound { try ExitStatus.findings.exit() }
  }

  // The maximum number of captures that a note lists. They have the path of the event, but on another page.
  private static let maximumElsewhere = 3

  /// Returns advice for captures of a style that do not name their page; empty if there is none.
  private func pageOption(_ style: PathStyleName) -> String {
    style.isWeb || style.isAndroid ? "; --page names it" : ""
  }

  private func runSameKind() throws {
    let query = ElementQuery(wanted)
    var source = CaptureSource(paths: captures, formats)
    let output = ResultWriter(endsIfClosed: true)
    var listing = ElementListing(listing, colors)
    var total = 0
    var read = 0
    var isFound = false
    var missing: [String] = []
    func add(_ capture: String, _ screen: IdentifiedTree) throws {
      let found = query.elements(of: screen)
      guard !found.isEmpty else {
        missing.append("\(capture): error: \(MissingElement.message(query, wanted, in: screen))")
        return
      }
      isFound = true
      var elements: Set<ElementID> = []
      for element in found {
        if screen.path(of: element).withoutRows(levels) == nil {
          printError("\(capture): note: element \(element) is in no list whose index path is known, so it has no like")
        }
        elements.formUnion(
          screen.elements(ofSameKindAs: element, levels: levels, comparesFrames: !ignoreFrames))
      }
      total += elements.count
      if !count {
        try listing.write(screen, capture: capture, to: output) { [elements] in elements.contains($0) }
      }
    }
    // A number is only looked up after all captures are read, because it is ambiguous if there are several.
    var first: (capture: String, screen: IdentifiedTree)?
    try source.forEach { capture, screen in
      read += 1
      guard case .number = query else { return try add(capture, screen) }
      if read == 1 { first = (capture, screen) }
    }
    if case .number = query, read > 1 {
      printError(
        "error: a number names an element of one capture, and there are \(read); an event ID or a text names it in all")
      throw ExitCode(ExitCode.validationFailure.rawValue)
    }
    if let first { try add(first.capture, first.screen) }
    if isFound {
      if count { try output.write("\(total)\n") } else { try listing.finish(to: output) }
    }
    try output.flush()
    if !isFound { missing.forEach { printError($0) } }
    try source.status.joined(with: isFound ? .done : .findings).exit()
  }
}

extension SameKindLevels: ExpressibleByArgument {}
