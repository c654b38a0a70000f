import ArgumentParser
import EncircleAuthoring
import EncircleIdentity
import EncircleText
import EncircleTree

/// `encircle resolve`
struct ResolveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve",
    abstract: "List every element of captures with its path, page, identity and event ID.",
    discussion: """
      The json, ndjson and csv formats have, for each element: capture, element (pre-order number from 0), class, \
      path, controller, page, identity, event_id, type, trackable, section and row or item (of the cell that the \
      element is or lies in), content, frame (x, y, width, height in the superview); with --style also style, \
      style_id, position, and for growingio xpath and xcontent. Unknown values are left out. Text that somebody typed \
      into a field is never written, except in search bars: json and ndjson have it as searchText.

      Elements that share an identity, and values that identities lack, are reported on standard error.
      """)

  /// The elements that are listed.
  enum Selection: String, CaseIterable, ExpressibleByArgument {
    case trackable, all
  }

  @OptionGroup var input: CaptureOptions

  @OptionGroup var formats: InputFormatOptions

  @OptionGroup var listing: ListingOptions

  @OptionGroup var colors: ColorOptions

  @Option(help: "The elements to list.")
  var only = Selection.all

  @Option(help: "List only the elements with this event ID; its first 8 or more digits are enough.")
  var select: EventIDPrefix?

  @Option(
    help: """
      The style of the paths. Identity and event ID are always those of \
      hubbledata; the ID that a style gives a path is style_id.
      """)
  var style: PathStyleName?

  @Flag(help: "Exit with status 1 if elements share an identity or identities lack values.")
  var strict = false

  @OptionGroup var identity: IdentityArguments

  func validate() throws { try StandardInput.requireOneUse(in: input.captures + formats.inputPaths) }

  func run() throws {
    var source = CaptureSource(paths: input.captures, formats, identity: identity.options)
    let output = ResultWriter(endsIfClosed: !strict)
    let style = try style ?? ProjectDefaults.load().style ?? .hubbleData
    var listing = ElementListing(listing, colors, style: style)
    // Read once, because the property wrappers of arguments take longer than the work for an element.
    let (select, only) = (select, only)
    var hasFindings = false
    var hasSelected = false
    var hasUnserved = false
    try source.forEach { capture, screen in
      if let refusal = style.refusal(of: screen) {
        printError("\(capture): error: \(refusal)")
        hasUnserved = true
        return
      }
      let seen = try listing.write(
        screen, capture: capture, to: output, select: select, onlyTracked: only == .trackable)
      if seen.hasSelected { hasSelected = true }
      if style == .lede, screen.alertElementCount > 0 {
        printError(
          "\(capture): note: lede ids do not distinguish alerts with the same views: in events, the alert's title and message do"
        )
      }
      if screen.hasInexactPaths(in: style) {
        printError(
          "\(capture): note: paths are not those that events of style \(style.rawValue) have, as the dump has accessibility's "
            + "classes and not all views; \(style == .sensorsAndroid ? "resource ids, types" : "resource ids") and the texts of "
            + "single views are, and suggest names elements by these")
      }
      if FindingsReport.print(screen, eventIDs: seen.eventIDs, capture: capture) { hasFindings = true }
    }
    try listing.finish(to: output)
    try output.flush()
    try source.status.exit()
    if let select, !hasSelected {
      printError("error: no element has event ID \(select.text)")
      try ExitStatus.findings.exit()
    }
    if hasUnserved { try ExitStatus.findings.exit() }
    if strict, hasFindings { try ExitStatus.findings.exit() }
  }
}

extension OutputFormat: ExpressibleByArgument {}
extension PathStyleName: ExpressibleByArgument {}

/// An event ID or its first digits.
struct EventIDPrefix: ExpressibleByArgument {
  let text: String

  init?(argument: String) {
    guard case .eventID(let prefix)? = ElementQuery.eventID(argument) else { return nil }
    text = prefix
  }

  /// Returns whether an element's ID in another style begins with the digits.
  func matches(_ id: [UInt8]) -> Bool { Hexadecimal.text(id).utf8.starts(with: text.utf8) }

  func matches(_ eventID: EventID) -> Bool { eventID.description.utf8.starts(with: text.utf8) }
}
