import ArgumentParser
import EncircleIdentity
import EncircleText
import EncircleTree

/// `encircle path`
struct PathCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "path",
    abstract: "List the components of paths, or the readings of an ambiguous path.",
    discussion: """
      A path is written with _ between its components, as SDKs send it, or with /. With _ it is ambiguous if a class \
      name contains _ or a component has no locator; --class and --captures name the classes that exist. In an \
      identity string, path(…)&controller(…), the path is read.
      """)

  @Argument(help: "Paths, such as 'UIWindow(0)_UITableView(0)_ProductCell(section:0 row:7)'.")
  var paths: [String]

  @Option(name: .customLong("class"), help: "A class name that occurs in the paths; may be repeated.")
  var classes: [String] = []

  @Option(
    name: .customLong("captures"), help: "A file or directory with captures whose classes occur in the paths.",
    completion: .file())
  var captures: [String] = []

  @OptionGroup var formats: InputFormatOptions

  @Option(help: "The format of the list; json is an object for each path, one a line.")
  var format = Format.table

  /// The formats of the list.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case table, json
  }

  func validate() throws {
    try StandardInput.requireOneUse(in: captures + formats.inputPaths)
    try formats.requireCaptures(captures.isEmpty ? ProjectDefaults.load().captures : captures)
  }

  func run() throws {
    var status = ExitStatus.done
    let isNamed = !classes.isEmpty || !captures.isEmpty
    let named = isNamed ? try vocabulary(captures) : nil
    // The project's captures are read for the first ambiguous path.
    let projectCaptures = isNamed ? [] : try ProjectDefaults.load().captures
    var project: ClassVocabulary?
    let output = ResultWriter()
    for argument in paths {
      let text = IdentityString(parsing: argument)?.path ?? argument
      var reading = Self.reading(text, named)
      if case .failure(.ambiguous) = reading, !projectCaptures.isEmpty {
        if project == nil { project = try vocabulary(projectCaptures) }
        reading = Self.reading(text, project)
      }
      do throws(PathError) {
        let path = try reading.get()
        try? output.write(format == .json ? Self.json(text, path) : Self.table(path))
        if path.components.contains(where: { Self.isOfOtherStyle($0.className) }) {
          printError(
            "note: '\(VisibleText.shortened(text))' looks like a path of another style, whose locators only "
              + "'encircle convert' reads")
        }
      } catch {
        printErrors(Self.description(of: error, in: text))
        status = .badData
      }
    }
    try output.flush()
    try status.exit()
  }

  /// Returns the classes that the command names, and those of captures.
  private func vocabulary(_ captures: [String]) throws -> ClassVocabulary {
    var known = ClassVocabulary()
    classes.forEach { known.insert($0) }
    var source = CaptureSource(paths: captures, formats)
    try source.forEach { _, screen in known.insertClasses(of: screen.tree) }
    try source.requireAll()
    return known
  }

  private static func reading(_ text: String, _ vocabulary: ClassVocabulary?) -> Result<ElementPath, PathError> {
    Result { () throws(PathError) in try ElementPath(parsing: text, vocabulary: vocabulary) }
  }

  /// Returns whether a class name contains a separator or the brackets of another style's locators.
  private static func isOfOtherStyle(_ name: String) -> Bool {
    name.containsBytes(of: "[") || name.containsBytes(of: ";") || name.containsBytes(of: " & ")
  }

  private static func table(_ path: ElementPath) -> String {
    let nameWidth = path.components.map { VisibleText.width(VisibleText.escaping($0.className)) }.max() ?? 0
    var text = VisibleText.escaping(path.written(.slashes)) + "\n"
    for (i, component) in path.components.enumerated() {
      let number = String(i)
      text += String(repeating: " ", count: 4 - min(3, number.count)) + number + "  "
      text += VisibleText.fitting(component.className, columns: min(60, nameWidth)) + "  "
      text += description(of: component.locator) + "\n"
    }
    return text
  }

  private static func description(of locator: Locator) -> String {
    switch locator {
    case .none: "no locator"
    case .index(let index): "index \(index)"
    case .row, .item, .position: locator.fields.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    }
  }

  private static func json(_ text: String, _ path: ElementPath) -> String {
    var json = JSONBuilder()
    json.object {
      $0.member("path", text)
      $0.member("slashes", path.written(.slashes))
      $0.array("components", path.components) { component, json in
        json.object {
          $0.member("class", component.className)
          for (name, value) in component.locator.fields { $0.member(name.isEmpty ? "index" : name, value) }
        }
      }
    }
    return json.line
  }

  private static func description(of error: PathError, in text: String) -> String {
    func pointing(at offset: Int, _ message: String) -> String {
      let before = String(decoding: Array(text.utf8.prefix(offset)), as: UTF8.self)
      // Only the text around the place is shown, because paths are long.
      let shown = before.suffix(60)
      let rest = text.utf8.count > offset ? String(decoding: Array(text.utf8.dropFirst(offset)), as: UTF8.self) : ""
      let line = VisibleText.escaping(String(shown))
      return
        "error: column \(before.unicodeScalars.count + 1): \(VisibleText.escaping(message))\n  \(line)\(VisibleText.escaping(String(rest.prefix(40))))\n  "
        + String(repeating: " ", count: VisibleText.width(line)) + "^"
    }
    switch error {
    case .empty, .tooLong: return "error: \(error.message)"
    case .emptyComponent(let offset), .badLocator(_, let offset), .unclosedQuote(let offset):
      return pointing(at: offset, error.message)
    case .ambiguous(let candidates, let count):
      var message = VisibleText.escaping("error: \(error.message): \(text)")
      for candidate in candidates { message += "\n  " + VisibleText.escaping(candidate.written(.slashes)) }
      if candidates.count < count { message += "\n  …" }
      return message + "\n  --class NAME or --captures DIR says which class names there are"
    }
  }
}
