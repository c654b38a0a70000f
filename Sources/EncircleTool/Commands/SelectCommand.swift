import ArgumentParser
import EncircleIdentity
import EncircleRuleTesting
import EncircleRules
import EncircleSuggest
import EncircleTree

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
      """)

  @Argument(help: "The selector; with --at a point, with --same-kind a capture.")
  var selector: String

  @OptionGroup var input: CaptureOptions

  @OptionGroup var listing: ListingOptions

  @Option(help: "The style of the paths that the selector matches, and of those that are listed.")
  var style = PathStyleName.hubbleData

  @Flag(help: "Print only the number of elements.")
  var count = false

  @Flag(
    help: """
      List the elements of the same kind as one element: the arguments are then a capture and the pre-order number of the \
      element. The elements have its path but for section, row and item of the innermost list, and its width, height and x \
      within the cell.
      """)
  var sameKind = false

  @Flag(
    help: """
      List the tracked element at a point of the window: the first argument then is x,y, in the units of the capture's \
      frames.
      """)
  var at = false

  @Option(help: "With --same-kind, the lists whose rows may differ.")
  var levels = SameKindLevels.innermost

  @Flag(help: "With --same-kind, do not compare frames.")
  var ignoreFrames = false

  func validate() throws {
    if at {
      guard !sameKind else { throw ValidationError("--at does not go with --same-kind.") }
      guard ElementQuery.point(selector) != nil else {
        throw ValidationError("'\(selector)' is not a point: two numbers with a comma between them.")
      }
    }
    if sameKind {
      guard style == .hubbleData else {
        throw ValidationError("--same-kind compares paths of hubbledata: --style does not go with it.")
      }
      guard input.captures.count == 1, Int(input.captures[0]) != nil else {
        throw ValidationError("--same-kind takes a capture and the number of an element in it.")
      }
    } else if ignoreFrames || levels != .innermost {
      throw ValidationError("--levels and --ignore-frames go with --same-kind.")
    }
  }

  func run() throws {
    if sameKind { return try runSameKind() }
    if let point = at ? ElementQuery.point(selector) : nil { return try runAt(point) }
    let parsed: ElementSelector
    do throws(SelectorError) {
      parsed = try ElementSelector(parsing: selector)
    } catch {
      printErrors(error.description)
      throw ExitCode(ExitStatus.badData.rawValue)
    }
    if style != .hubbleData, let step = parsed.unreadableStep(in: style) {
      printErrors("<selector>: error: style '\(style.rawValue)' has no such component as \(parsed.steps[step])")
      throw ExitCode(ExitStatus.badData.rawValue)
    }
    var source = CaptureSource(input)
    let output = ResultWriter()
    var listing = ElementListing(listing, style: style)
    var total = 0
    var hasUnserved = false
    let evaluator = SelectorEvaluator(style: style)
    var hint = SelectionHint(parsed, style: style)
    try source.forEach { capture, screen in
      if let lack = style.style.lack(of: screen) {
        printError("\(capture): error: style \(style.rawValue) cannot serve this capture: \(lack)")
        hasUnserved = true
        return
      }
      let elements = Set(evaluator.elements(matching: parsed, in: screen))
      hint.add(screen, name: capture, matches: elements.count)
      total += elements.count
      if !count, !elements.isEmpty {
        try listing.write(screen, capture: capture, to: output) { element, _, _ in elements.contains(element) }
      }
    }
    if count { try output.write("\(total)\n") } else { try listing.finish(to: output) }
    try output.flush()
    hint.print()
    try source.status.exit()
    if hasUnserved { try ExitStatus.findings.exit() }
  }

  private func runAt(_ point: ElementQuery) throws {
    var source = CaptureSource(input)
    let output = ResultWriter()
    var listing = ElementListing(listing)
    var total = 0
    try source.forEach { capture, screen in
      let elements = Set(point.elements(of: screen))
      total += elements.count
      for element in elements { noteInnerElement(of: element, point, in: screen, capture) }
      if !count, !elements.isEmpty {
        try listing.write(screen, capture: capture, to: output) { element, _, _ in elements.contains(element) }
      }
    }
    if count { try output.write("\(total)\n") } else { try listing.finish(to: output) }
    try output.flush()
    try source.status.exit()
  }

  private func runSameKind() throws {
    let number = Int(input.captures[0]) ?? -1
    var source = CaptureSource(paths: [selector], input.formats)
    let output = ResultWriter()
    var listing = ElementListing(listing)
    var status = ExitStatus.done
    var read = 0
    try source.forEach { capture, screen in
      read += 1
      guard read == 1 else { return }
      guard number >= 0, number < screen.tree.count else {
        printError("\(capture): error: there is no element \(number): the capture has 0 to \(screen.tree.count - 1)")
        status = .badData
        return
      }
      let element = ElementID(number)
      if screen.path(of: element).withoutRows(levels) == nil {
        printError("\(capture): note: element \(number) is in no list whose index path is known, so it has no like")
      }
      let elements = Set(
        screen.elements(ofSameKindAs: element, levels: levels, comparesFrames: !ignoreFrames))
      if count {
        try output.write("\(elements.count)\n")
      } else {
        try listing.write(screen, capture: capture, to: output) { element, _, _ in elements.contains(element) }
        try listing.finish(to: output)
      }
    }
    try output.flush()
    if read > 1 {
      printError("error: --same-kind takes one capture, \(selector) has \(read)")
      throw ExitCode(ExitCode.validationFailure.rawValue)
    }
    try source.status.joined(with: status).exit()
  }
}

extension SameKindLevels: ExpressibleByArgument {}
