import ArgumentParser
import EncircleIdentity
import EncircleRules
import EncircleTree

/// `encircle select`
struct SelectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "select",
    abstract: "List the elements of captures that a selector matches.",
    discussion: """
      UITableView/ProductCell(section:0 row:*)/UIButton(1) is the second button of any row of section 0. A step is a \
      class name, in which * stands for any run of characters, :Class for a class and its subclasses, or ** for any \
      number of steps; what follows in parentheses tests the locator: 3, *, 2...5, 1,3, section:0 row:*, or nothing for \
      an element without one. With a leading / the selector begins at the window. A name with special characters is \
      quoted: 'My View'.
      """)

  @Argument(help: "The selector.")
  var selector: String

  @OptionGroup var input: CaptureOptions

  @Option(help: "Format of the list: \(OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")).")
  var format = OutputFormat.table

  @Flag(help: "Print only the number of elements.")
  var count = false

  func run() throws {
    let parsed: Selector
    do throws(SelectorError) {
      parsed = try Selector(parsing: selector)
    } catch {
      printError(error.diagnostic(in: selector).description)
      throw ExitCode(ExitStatus.badData.rawValue)
    }
    var source = CaptureSource(input)
    let output = ResultWriter()
    var listing = ElementListing(format: format)
    var total = 0
    try source.forEach { capture, screen in
      var hierarchy = ClassHierarchy.builtIn
      hierarchy.insertClasses(of: screen)
      let elements = Set(SelectorMatcher(parsed, hierarchy: hierarchy).elements(of: screen))
      total += elements.count
      if !count, !elements.isEmpty {
        try listing.write(screen, capture: capture, to: output) { element, _ in elements.contains(element) }
      }
    }
    if count { try output.write("\(total)\n") } else { try listing.finish(to: output) }
    try output.flush()
    try source.status.exit()
  }
}
