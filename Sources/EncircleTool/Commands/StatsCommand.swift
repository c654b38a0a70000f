import ArgumentParser
import EncircleDictionary
import EncircleIdentity
import EncircleText

/// `encircle stats`
struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract:
      "Summarise a dictionary: elements of each page, collisions, and changes between versions of an app.",
    discussion: """
      An identity appeared in a version if the version before has captures of its page, but not the identity. It disappeared \
      in a version that has captures of its page, but not the identity, if the version before has it. Versions are ordered \
      by their numbers, for each app by itself.
      """)

  @OptionGroup var dictionary: DictionaryOptions

  @Option(help: "The format of the statistics.")
  var format = Format.text

  @Option(parsing: .unconditional, help: "The most identities that the text format lists under each heading.")
  var limit = 10

  /// The formats of the statistics.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  func validate() throws {
    guard limit >= 0 else { throw ValidationError("--limit takes a number from 0 on.") }
  }

  func run() throws {
    let reader = try dictionary.open()
    let output = ResultWriter()
    do {
      let statistics = try DictionaryStatistics(of: reader)
      try output.write(format == .json ? json(statistics) : try text(statistics, reader))
    } catch let error as DictionaryError {
      throw DictionaryOptions.exit(dictionary.path, error)
    }
    try output.flush()
  }

  private func text(_ statistics: DictionaryStatistics, _ reader: DictionaryReader) throws -> String {
    var lines = [
      "\(counted(statistics.captures, "capture")), \(counted(statistics.eventIDs, "event ID"))", "",
      "elements  trackable  page",
    ]
    func right(_ number: Int, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: " ", count: max(0, width - text.utf8.count)) + text
    }
    for page in statistics.pages {
      lines.append("\(right(page.elements, 8))  \(right(page.trackable, 9))  \(page.name ?? "-")")
    }
    lines.append("")
    let verb = statistics.collisions.count == 1 ? "does" : "do"
    lines.append("\(counted(statistics.collisions.count, "event ID")) that \(verb) not name one element")
    for collision in statistics.collisions.prefix(limit) {
      var reasons: [String] = []
      if collision.sharing > 1 { reasons.append("\(collision.sharing) elements of one capture") }
      if collision.pages.count > 1 { reasons.append("pages \(collision.pages.joined(separator: ", "))") }
      let reason = reasons.isEmpty ? "different elements" : reasons.joined(separator: "; ")
      lines.append("  \(collision.eventID.description.prefix(12))  \(reason)  \(collision.identity)")
    }
    if statistics.collisions.count > limit { lines.append("  and \(statistics.collisions.count - limit) more") }
    for version in statistics.versions {
      lines.append("")
      let app = version.app.map { $0 + " " } ?? ""
      let identities = counted(version.elements, "identity", "identities")
      lines.append(
        "\(app)\(version.version): \(counted(version.captures, "capture")), \(identities), "
          + "\(version.appeared.count) appeared, \(version.disappeared.count) disappeared")
      try append("+", version.appeared, reader, to: &lines)
      try append("-", version.disappeared, reader, to: &lines)
    }
    // Each line is escaped separately, so that no name can add a line.
    return lines.map { VisibleText.escaping($0) + "\n" }.joined()
  }

  private func append(
    _ sign: String, _ ids: [EventID], _ reader: DictionaryReader, to lines: inout [String]
  ) throws {
    for id in ids.prefix(limit) {
      lines.append("  \(sign) \(id.description.prefix(12))  \(try reader.elements(with: id).first?.identity ?? "")")
    }
    if ids.count > limit { lines.append("  \(sign) and \(ids.count - limit) more") }
  }

  private func json(_ statistics: DictionaryStatistics) -> String {
    var json = JSONBuilder()
    json.object {
      $0.member("captures", statistics.captures)
      $0.member("event_ids", statistics.eventIDs)
      $0.array("pages", statistics.pages) { page, json in
        json.object {
          $0.member("page", page.name)
          $0.member("elements", page.elements)
          $0.member("trackable", page.trackable)
        }
      }
      $0.array("collisions", statistics.collisions) { collision, json in
        json.object {
          $0.member("event_id", collision.eventID)
          $0.member("identity", collision.identity)
          $0.member("sharing", collision.sharing)
          $0.member("pages", collision.pages)
        }
      }
      $0.array("versions", statistics.versions) { version, json in
        json.object {
          $0.member("app", version.app)
          $0.member("app_version", version.version)
          $0.member("captures", version.captures)
          $0.member("event_ids", version.elements)
          $0.member("appeared", version.appeared.map(\.description))
          $0.member("disappeared", version.disappeared.map(\.description))
        }
      }
    }
    return json.line
  }
}
